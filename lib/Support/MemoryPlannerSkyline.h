//===- MemoryPlannerSkyline.h - Packing below a capacity --------*- C++ -*-===//

#ifndef JOBDIALECT_LIB_SUPPORT_MEMORYPLANNERSKYLINE_H
#define JOBDIALECT_LIB_SUPPORT_MEMORYPLANNERSKYLINE_H

#include "JobDialect/Support/MemoryPlanner.h"

#include <vector>

namespace mlir::job {

/// SplitMix64 (Steele, Lea and Flood 2014): the standard library's
/// distributions differ between implementations.
class RandomNumbers {
public:
  explicit RandomNumbers(uint64_t seed = 0) : state(seed) {}

  uint64_t next() {
    state += 0x9e3779b97f4a7c15;
    uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// A number from 0 to bound - 1.
  size_t below(size_t bound) { return next() % bound; }
  /// A number from 0 to 1, without 1; a multiple of 2^-53.
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

private:
  uint64_t state;
};

/// Packs `buffers` (of at least one byte each) into arenas smaller and smaller,
/// from one below `best` down to `target` bytes, until `effort` (in numbers
/// visited) is spent, which it counts down. Returns the size reached and
/// replaces `offsets`; returns `best` when nothing was found. `lowerBound` is
/// the largest sum of live bytes.
int64_t packSkyline(llvm::ArrayRef<BufferInterval> buffers, int64_t lowerBound,
                    int64_t target, int64_t best, int64_t &effort,
                    std::vector<int64_t> &offsets);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_SUPPORT_MEMORYPLANNERSKYLINE_H
