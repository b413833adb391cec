//===- kernel_abi.h - Kernels that the simulated CUDA runs -----------------===//
//
// A code object for the target "simulated" is a shared library (ELF) for the
// host that exports JOBSIM_MODULE_SYMBOL. The compiler makes it with the same
// passes as a cubin; only the last one differs: each access to memory goes
// first to access(), and barriers and shuffles are calls. The simulator runs
// each thread of a block as a fiber, which a call below may leave for another.
// Kernels call nothing else. Plain C.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_SIMULATORS_CUDA_KERNEL_ABI_H
#define JOBRT_SIMULATORS_CUDA_KERNEL_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define JOBSIM_ABI_VERSION 1
#define JOBSIM_MODULE_SYMBOL "jobsim_module"
/// A function `uint32_t(void)` that the simulated libcuda exports and CUDA's
/// does not: the JOBSIM_ABI_VERSION of the modules that it loads.
#define JOBSIM_MARKER_SYMBOL "jobsim_abi_version"
/// Beside it, a function `const char *(void)`: the target of the code that its
/// devices run, "simulated", or "compute_90" for PTX.
#define JOBSIM_TARGET_SYMBOL "jobsim_code_target"

/// How access() is meant. An access that is neither write nor atomic is a read.
enum {
  JOBSIM_WRITE = 1,
  JOBSIM_ATOMIC = 2,
  /// Of shared memory; otherwise of global or constant memory.
  JOBSIM_SHARED = 4,
};

/// The modes of PTX's shfl.sync.
enum {
  JOBSIM_SHUFFLE_UP = 0,
  JOBSIM_SHUFFLE_DOWN = 1,
  JOBSIM_SHUFFLE_XOR = 2,
  JOBSIM_SHUFFLE_INDEX = 3,
};

struct jobsim_thread;

/// `site` numbers the operations of a kernel from 0, in the order of its text.
/// A call that finds a fault does not return: the launch fails and the device's
/// context with it, as in CUDA.
struct jobsim_functions {
  /// The thread is about to access `bytes` at `address`, which the code assumes
  /// to be a multiple of `alignment`, a power of two. Faults: outside of the
  /// allocations (of the block's shared memory) or freed, misaligned, shared
  /// memory that nothing has written, and a race: another thread of the block
  /// since the last barrier, or one of another block of the launch, has
  /// accessed one of these bytes and at least one of both wrote, unless both
  /// were atomic. An access of no bytes, of a lane whose mask is off, has none.
  void (*access)(struct jobsim_thread *thread, const void *address,
                 uint32_t bytes, uint32_t alignment, uint32_t flags,
                 uint32_t site);
  /// bar.sync 0. Fault: a thread of the block ends, or waits at another site.
  void (*barrier)(struct jobsim_thread *thread, uint32_t site);
  /// shfl.sync.b32: the value that the source lane has passed, or the thread's
  /// own if the source is out of the range that `clamp` gives (as in PTX).
  /// Fault: a thread of `mask` in the warp ends or waits elsewhere, or `mask`
  /// lacks the thread itself.
  uint32_t (*shuffle)(struct jobsim_thread *thread, uint32_t mask,
                      uint32_t mode, uint32_t value, uint32_t lane,
                      uint32_t clamp, uint32_t site);
};

/// What a kernel knows of its thread. The simulator owns it.
struct jobsim_thread {
  const struct jobsim_functions *functions;
  /// The shared memory of the block, aligned to 256 bytes.
  void *shared;
  uint32_t thread_id[3], block_dim[3], block_id[3], grid_dim[3];
};

struct jobsim_kernel {
  /// As in cuModuleGetFunction.
  const char *name;
  /// Runs one thread. `params[i]` points to the value of parameter `i`.
  void (*run)(struct jobsim_thread *thread, void *const *params);
  uint32_t num_params;
  /// Of the value of each parameter.
  const uint32_t *param_bytes;
  /// The largest number of threads of a block (maxntid), and the bytes of
  /// static shared memory.
  uint32_t max_threads, shared_bytes;
};

/// What JOBSIM_MODULE_SYMBOL names.
struct jobsim_module {
  /// JOBSIM_ABI_VERSION.
  uint32_t version;
  uint32_t num_kernels;
  const struct jobsim_kernel *kernels;
};

#ifdef __cplusplus
}
#endif

#endif // JOBRT_SIMULATORS_CUDA_KERNEL_ABI_H
