//===- DelayedDriver.h - A device that completes later ----------*- C++ -*-===//
//
// For tests of what a driver's user must bear: "delayed" executes steps and
// copies in order on a thread of its own, some time after they were submitted,
// and completes them later still, on other threads and in random order. It can
// also let some of them fail. It computes with the kernels of the host.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_UNITTESTS_DELAYEDDRIVER_H
#define JOBRT_UNITTESTS_DELAYEDDRIVER_H

#include "jobrt/session.h"

namespace jobrt::test {

struct DelayedOptions {
  uint64_t seed = 0;
  /// The longest time for which the device and each completion are held back.
  int maxDelayMicroseconds = 100;
  /// One of so many steps and copies fails at random, without being executed;
  /// 0 for none.
  int failOneOf = 0;
};

/// The message of such a failure, which is kInternal.
inline constexpr char kInjectedFailure[] =
    "injected failure; variables are as they were before this step";

/// Makes the driver known to the runtime.
void registerDelayedDriver();

/// The options of "delayed" drivers that are made in the scope, one at a time.
/// Others have a seed that the first one prints.
class DelayedScope {
public:
  explicit DelayedScope(const DelayedOptions &options);
  ~DelayedScope();
  DelayedScope(const DelayedScope &) = delete;
  DelayedScope &operator=(const DelayedScope &) = delete;
};

/// Completions of "delayed" drivers so far that were called before that of
/// earlier work of the same driver.
int64_t numOvertakingCompletions();

/// Heap allocations inside all completions of "delayed" drivers so far; counted
/// while a source is installed.
int64_t numAllocationsInCompletions();

} // namespace jobrt::test

#endif // JOBRT_UNITTESTS_DELAYEDDRIVER_H
