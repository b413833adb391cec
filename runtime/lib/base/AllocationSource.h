//===- AllocationSource.h - Who counts heap allocations ---------*- C++ -*-===//
//
// The library cannot count allocations itself: replacing malloc is a choice of
// the executable. An executable that links AllocationCounter.cpp installs a
// source here; without one, counts are unknown.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_LIB_BASE_ALLOCATIONSOURCE_H
#define JOBRT_LIB_BASE_ALLOCATIONSOURCE_H

#include "jobrt/session.h"

#include <atomic>

namespace jobrt {

/// The installed source, null when there is none.
AllocationSource allocationSource();

/// Adds up the allocations of the threads that work on one step. Each thread
/// measures pieces of its own time with the scopes below.
class AllocationMeter {
public:
  void reset() {
    ours.store(0, std::memory_order_relaxed);
    library.store(0, std::memory_order_relaxed);
  }
  AllocationReport report() const {
    return {ours.load(std::memory_order_relaxed),
            library.load(std::memory_order_relaxed)};
  }
  std::atomic<int64_t> ours{0}, library{0};
};

/// Counts what this thread allocates during the scope as `counter`'s. A scope
/// inside another one takes its share away from `outer`.
class AllocationScope {
public:
  explicit AllocationScope(std::atomic<int64_t> &counter,
                           std::atomic<int64_t> *outer = nullptr)
      : source(allocationSource()), counter(counter), outer(outer),
        start(source ? source() : 0) {}
  ~AllocationScope() {
    if (!source)
      return;
    int64_t count = source() - start;
    if (count == 0)
      return;
    counter.fetch_add(count, std::memory_order_relaxed);
    if (outer)
      outer->fetch_sub(count, std::memory_order_relaxed);
  }
  AllocationScope(const AllocationScope &) = delete;
  AllocationScope &operator=(const AllocationScope &) = delete;

private:
  AllocationSource source;
  std::atomic<int64_t> &counter;
  std::atomic<int64_t> *outer;
  int64_t start;
};

} // namespace jobrt

#endif // JOBRT_LIB_BASE_ALLOCATIONSOURCE_H
