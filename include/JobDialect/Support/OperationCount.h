//===- OperationCount.h - How many operations a command is ------*- C++ -*-===//
//
// Counts serve reports: traces and tables of achieved FLOP/s. A blob may have
// up to 2^48 bytes, so that products of extents may exceed an int64_t.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_SUPPORT_OPERATIONCOUNT_H
#define JOBDIALECT_SUPPORT_OPERATIONCOUNT_H

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>

namespace mlir::job {

/// A count as it is stored; the largest number where it is larger.
inline int64_t toOperationCount(uint64_t count) {
  return static_cast<int64_t>(std::min<uint64_t>(count, INT64_MAX));
}

/// The product of factors that are not negative, as a count.
inline int64_t getOperationCount(std::initializer_list<int64_t> factors) {
  uint64_t product = 1;
  for (int64_t factor : factors)
    product = llvm::SaturatingMultiply(product, static_cast<uint64_t>(factor));
  return toOperationCount(product);
}

/// The sum of two counts, as a count.
inline int64_t addOperationCounts(int64_t a, int64_t b) {
  return toOperationCount(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_OPERATIONCOUNT_H
