//===- OperationCount.h - Operation counts of commands ----------*- C++ -*-===//
//
// Counts are for reports: traces and tables of achieved FLOP/s. A blob may have
// up to 2^48 bytes, so products of extents may exceed int64_t; counts saturate.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_SUPPORT_OPERATIONCOUNT_H
#define JOBDIALECT_SUPPORT_OPERATIONCOUNT_H

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>

namespace mlir::job {

/// A count as it is stored, saturated to the largest int64_t.
inline int64_t toOperationCount(uint64_t count) {
  return static_cast<int64_t>(std::min<uint64_t>(count, INT64_MAX));
}

/// The saturated product of non-negative factors.
inline int64_t getOperationCount(std::initializer_list<int64_t> factors) {
  uint64_t product = 1;
  for (int64_t factor : factors)
    product = llvm::SaturatingMultiply(product, static_cast<uint64_t>(factor));
  return toOperationCount(product);
}

/// The saturated sum of two counts.
inline int64_t addOperationCounts(int64_t a, int64_t b) {
  return toOperationCount(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_OPERATIONCOUNT_H
