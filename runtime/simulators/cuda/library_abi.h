//===- library_abi.h - How a library runs on the simulated CUDA -*- C++ -*-===//
//
// What a stand-in for a library of CUDA (simulators/cublaslt) calls in
// libjobsim_cuda.so: it checks its arguments and computes, and its work goes
// through streams, captures and graphs as a kernel does. Plain C; any thread
// may call any of them.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_SIMULATORS_CUDA_LIBRARY_ABI_H
#define JOBRT_SIMULATORS_CUDA_LIBRARY_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Makes the names of a library's functions known to jobsim_set_failures() and
/// jobsim_calls(). They live as long as the process. When the library is
/// opened.
void jobsim_library_register(const char *const *functions, uint32_t count);

/// At the beginning of each function: counts the call. Returns 0; or the error
/// of the library that jobsim_set_failures() asks for by the function's name;
/// or -1 if the call is to fail with an error that the library chooses. A call
/// that releases something releases it and fails.
int jobsim_library_call(const char *function);

/// The CUresult of using the context of the calling thread: 0 if there is one
/// and it has not failed.
int jobsim_library_context(void);

/// The device of the calling thread's context in `device`. Returns as
/// jobsim_library_context() does.
int jobsim_library_device(int *device);

/// The CUresult of what a function does that may wait for the device: a capture
/// of the calling thread does not allow it and becomes invalid.
int jobsim_library_synchronize(void);

/// Loads a kernel of a library, of that number, at its first use in the context
/// of the calling thread, as libraries do. Returns a CUresult: a capture of the
/// thread does not allow it and becomes invalid, unless it is a relaxed one.
int jobsim_library_load(const char *library, uint64_t kernel);

/// How long nothing may happen while somebody waits before it is a deadlock, in
/// milliseconds: see jobsim_set_deadlock().
uint32_t jobsim_library_patience(void);

/// One object more (1) or fewer (-1) of a kind that the library has made:
/// jobsim_report_leaks() tells what is left.
void jobsim_library_count(const char *kind, int change);

/// Why the library refuses a call, as jobsim_last_fault() tells it.
void jobsim_library_refuse(const char *reason);

/// Memory of the device that work reads or writes.
typedef struct jobsim_range {
  /// As a fault names it: "A".
  const char *name;
  const void *begin;
  uint64_t bytes;
  int is_written;
} jobsim_range;

typedef struct jobsim_library_work {
  /// As faults name it: "cublasLtMatmul".
  const char *name;
  const jobsim_range *ranges;
  uint32_t num_ranges;
  /// Computes when the work's turn has come, once for each launch of the graph
  /// that it is in. Each range is then inside of one allocation. None of these
  /// functions calls anything of the simulated CUDA, which holds its lock.
  void (*run)(void *state);
  /// Called once, when the work will not run again or was refused.
  void (*release)(void *state);
  void *state;
  /// Null, or for work that waits for work of other streams, as a collective
  /// does, which both are called for. begin() is called when the work's turn
  /// has come, with each range inside of one allocation: it takes what it
  /// reads. poll() is called until it does not return 0, and then run(), which
  /// writes; the stream waits meanwhile.
  void (*begin)(void *state);
  /// 0: not yet; `text` is what the work waits for. 1: run() can be called. -1:
  /// a fault, which `text` describes and which fails the context. The text
  /// lives until the next call.
  int (*poll)(void *state, const char **text);
} jobsim_library_work;

/// Submits work to a stream, or adds it to the graph that the stream captures.
/// Returns a CUresult. A range that is not in an allocation of the stream's
/// device when the work runs is a fault, which fails the context, as with a
/// kernel.
int jobsim_library_submit(const jobsim_library_work *work, void *stream);

#ifdef __cplusplus
}
#endif

#endif // JOBRT_SIMULATORS_CUDA_LIBRARY_ABI_H
