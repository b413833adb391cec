//===- control.h - What a test asks of the simulated CUDA -------*- C -*-===//
//
// Functions that libjobsim_cuda.so exports beside CUDA's. Plain C; any thread
// may call any of them at any time, none runs an operation of a stream.
//
// Where the simulated CUDA differs from CUDA:
//   - There is no default stream, and CUDA_VISIBLE_DEVICES is not read.
//   - cuMemFree() and cuMemFreeHost() do not wait for the device: an operation
//     that uses the memory later is a fault.
//   - Fresh memory holds bytes 0xff, NaN as a float.
//   - Copies of host memory that is not pinned: as CUDA's, the call reads the
//     source itself, and waits until the destination is written; in a capture,
//     where CUDA allows some, they are an error.
//   - A launch has at most 48 KiB of shared memory and 4,194,303 blocks.
//   - A handle of a destroyed object gives CUDA_ERROR_INVALID_HANDLE; with CUDA
//     the behaviour is undefined.
//   - A graph is captured from streams; one inside of another is an error.
// The order of two operations is by streams and events only. Races between
// operations are not searched for: they show as different results under
// different seeds. Host code that touches device memory is not found either.
//
// Environment, read at the first call:
//   JOBSIM_DEVICES          number of GPUs (1)
//   JOBSIM_MEMORY           bytes of each; suffixes K, M and G (4G)
//   JOBSIM_MULTIPROCESSORS  of each (4)
//   JOBSIM_DRIVER           what cuDriverGetVersion() says (13000, CUDA 13.0)
//   JOBSIM_SEED             of every random choice (random)
//   JOBSIM_SCHEDULE         random, lazy or eager (random)
//   JOBSIM_DEADLOCK         as jobsim_set_deadlock() takes it (30000)
//   JOBSIM_FAIL             as jobsim_set_failures() takes it
//   JOBSIM_LEAKS            0: no report of leaks when the process ends
//   JOBSIM_PTX              1: jobs are compiled to PTX, which is interpreted,
//                           in place of code for the host
//   JOBSIM_VERBOSE          1: also prints why a call was refused
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_SIMULATORS_CUDA_CONTROL_H
#define JOBRT_SIMULATORS_CUDA_CONTROL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Operations that are ready to run do so in a random order when somebody
/// synchronizes or queries an event. What also runs some of them:
enum {
  /// Each submission, at random: sometimes none for long, sometimes all.
  JOBSIM_SCHEDULE_RANDOM = 0,
  /// Nothing else: host code that does not wait reads old values.
  JOBSIM_SCHEDULE_LAZY = 1,
  /// Each submission runs all: host code that changes a buffer before a copy
  /// has read it is right by chance here, and wrong under LAZY.
  JOBSIM_SCHEDULE_EAGER = 2,
};
void jobsim_set_schedule(int schedule);

/// The seed of the random choices since the process began or since the last
/// jobsim_set_seed(). The same calls from one thread make the same choices.
uint64_t jobsim_seed(void);
void jobsim_set_seed(uint64_t seed);

/// The last fault of a kernel or operation, or reason that a call was refused,
/// as one line; "" if there is none. The string lives as long as the process.
const char *jobsim_last_fault(void);
void jobsim_clear_fault(void);

/// CUDA cannot be used any more in a process after some errors (700, 702, 716,
/// 719): the device's contexts fail with them, those that are made later as
/// well. As if the process were launched again: contexts that are made from now
/// on work.
void jobsim_relaunch(void);

/// Makes calls fail, in place of the failures that were asked for before:
/// "cuMemAlloc_v2:3" is the third call of that function from now on, "any:7"
/// the seventh call of any (cuGetErrorName and cuGetErrorString do not count);
/// a function of a stand-in for a library can be named as well (while that is
/// not open, any name with the library's prefix is taken); ":700" after it
/// chooses the error; commas separate several. A call that releases something
/// releases it and fails. An error that CUDA cannot recover from (700, 702,
/// 716, 719) fails the current context and its device as well. Null or "":
/// none. Resets the counters. Returns 0, or -1 (nothing changed) if it does not
/// understand the text.
int jobsim_set_failures(const char *failures);
/// The function that failed last for jobsim_set_failures(); "" if none has
/// since. The string lives as long as the process.
const char *jobsim_last_failure(void);
/// Calls of a function, or of "any", since the counters were reset. A function
/// of a stand-in for a library has a name here once that has been opened.
uint64_t jobsim_calls(const char *function);
void jobsim_reset_counters(void);

/// A planted fault: of the calls of cuStreamWaitEvent from now on, outside of
/// captures, those whose number from 0 has this remainder on division by
/// `divisor` succeed and do nothing. 0 as divisor: none.
void jobsim_drop_waits(uint64_t remainder, uint64_t divisor);

/// The bytes of each device from now on; what is allocated stays.
void jobsim_set_memory(uint64_t bytes);

/// Milliseconds in which no thread submits and no operation runs, while an
/// operation waits for one of another stream, until that is a deadlock: the
/// fault says what waits for what, and fails the contexts that wait. For tests
/// that expect one.
void jobsim_set_deadlock(uint32_t milliseconds);

/// Kernels run, and operations run of any kind, since the process began.
uint64_t jobsim_kernels_run(void);
uint64_t jobsim_operations_run(void);

/// What exists and nothing has freed or destroyed, and what a context had left
/// when it was released the last time, and objects of libraries: prints one
/// line each on stderr and returns their number. A failed context leaves
/// nothing. Objects left by a context are counted once.
uint64_t jobsim_report_leaks(void);

#ifdef __cplusplus
}
#endif

#endif // JOBRT_SIMULATORS_CUDA_CONTROL_H
