//===- AllocationCounter.h - Counting malloc --------------------*- C++ -*-===//
//
// Linked into an executable, AllocationCounter.cpp puts a counter before the
// malloc family of glibc and installs it in the runtime, which then fills
// AllocationReport. In a build with a sanitizer, which has a malloc of its
// own, it does nothing and counts stay unknown.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_LIB_BASE_ALLOCATIONCOUNTER_H
#define JOBRT_LIB_BASE_ALLOCATIONCOUNTER_H

#include <cstdint>

namespace jobrt {

/// Heap allocations that the calling thread has made so far.
int64_t threadAllocations();

/// False in a build with a sanitizer.
bool countsAllocations();

} // namespace jobrt

#endif // JOBRT_LIB_BASE_ALLOCATIONCOUNTER_H
