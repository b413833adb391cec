//===- Module.h - PTX that the simulated CUDA runs --------------*- C++ -*-===//
//
// A code object may be PTX text, as for CUDA, which compiles it when it is
// loaded. Here it is decoded once and interpreted, instruction by instruction,
// as the PTX ISA defines each. Only what LLVM makes of kernels is known; other
// text is refused when it is loaded, with the line. What ptxas checks besides,
// such as the widths of registers, is not checked again.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_SIMULATORS_CUDA_PTX_MODULE_H
#define JOBRT_SIMULATORS_CUDA_PTX_MODULE_H

#include "simulators/cuda/kernel_abi.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jobsim {
class KernelRun;
struct KernelThread;
} // namespace jobsim

namespace jobsim::ptx {

struct Frame;
struct Instruction;

/// Executes an instruction for one thread. Where it goes on is in the frame.
using Handler = void (*)(Frame &frame, const Instruction &instruction);

/// The memory of an access; any of the others through a generic address.
enum class Space : uint8_t { kGeneric, kGlobal, kShared, kLocal };

/// A decoded instruction. Registers, special registers and constants are slots
/// of 64 bits of the frame; a narrower value is in the low bits, and what is
/// above them has no meaning.
struct Instruction {
  static constexpr unsigned kMaxSlots = 12;

  Handler execute = nullptr;
  /// The slots that it writes first, then those that it reads: as its handler
  /// says.
  std::array<uint32_t, kMaxSlots> slots = {};
  /// Of an access: the number of elements, the bytes of each, flags of
  /// access(), what is added to the address, and the memory. Of a branch: where
  /// to.
  uint32_t count = 0, bytes = 0, flags = 0;
  int64_t offset = 0;
  Space space = Space::kGeneric;
  uint32_t target = 0;
  /// Of a branch through a table: the instructions that it may go to.
  std::vector<uint32_t> targets;
  /// The slot of its predicate, plus 1: 0 if it has none.
  uint32_t guard = 0;
  bool guardNegated = false;
  /// Numbers the kernel's accesses, barriers and shuffles in the order of the
  /// text.
  uint32_t site = 0;
};

/// Special registers, which have the first slots of a frame.
enum SpecialSlot : uint32_t {
  kThreadId = 0,
  kBlockDim = 3,
  kBlockId = 6,
  kGridDim = 9,
  kLane = 12,
  /// What is written and never read.
  kSink = 13,
  kFirstSlot = 14,
};

struct Kernel {
  std::string name;
  std::vector<Instruction> code;
  /// The slots of a thread that begins: constants, and a pattern in registers,
  /// which nothing has written. A thread that takes the place of one of the
  /// same launch has its registers instead: thousands are not filled for each
  /// thread.
  std::vector<uint64_t> slots;
  std::vector<uint32_t> parameterBytes;
  uint32_t localBytes = 0, sharedBytes = 0, maxThreads = 0;
};

/// What a thread has while it runs.
struct Frame {
  uint64_t *slots;
  std::byte *local;
  KernelRun *run;
  KernelThread *thread;
  void *const *parameters;
  const Kernel *kernel;
  uint32_t next;
};

class Module {
public:
  /// Decodes the text, or says why not: "line 12: unknown instruction 'foo'".
  static std::unique_ptr<Module> parse(std::string_view text,
                                       std::string &error);
  Module() = default;
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;

  /// The kernels as those of a code object for the host. They have no `run`.
  const jobsim_module &table() const { return description; }
  /// The compute capability that the code needs at least: 90 for sm_90.
  int neededCapability() const { return target; }
  /// The constants, which kernels may read: where each begins and ends.
  const std::vector<std::pair<uintptr_t, uintptr_t>> &constants() const {
    return ranges;
  }

  /// Before a launch, whether or not all threads of the last one have ended.
  void begin();
  /// Runs one thread, on a fiber.
  void run(const jobsim_kernel &kernel, KernelRun &run, KernelThread &thread,
           void *const *parameters);

private:
  friend class Parser;
  struct Storage {
    /// Whose slots these are, from a thread of this launch.
    const Kernel *kernel = nullptr;
    std::vector<uint64_t> slots;
    std::vector<std::byte> local;
  };

  int target = 0;
  std::vector<Kernel> kernels;
  std::vector<jobsim_kernel> entries;
  jobsim_module description = {};
  /// Of the constants.
  std::vector<std::unique_ptr<std::byte[]>> memory;
  std::vector<std::pair<uintptr_t, uintptr_t>> ranges;
  /// Of threads that have begun and not ended, and free ones.
  std::vector<std::unique_ptr<Storage>> storages;
  std::vector<Storage *> available;
};

} // namespace jobsim::ptx

#endif // JOBRT_SIMULATORS_CUDA_PTX_MODULE_H
