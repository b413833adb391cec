//===- LongSum.h - Sums of many terms ---------------------------*- C++ -*-===//
//
// Sums of floating-point numbers, or vectors of them, in loops. No accumulator
// takes more than plan::kDefaultAccumulate terms: the terms are added in blocks
// of so many, and the error of each addition of a block is added up and
// corrected at the end (TwoSum: Ogita, Rump and Oishi, Accurate sum and dot
// product, SIAM J. Sci. Comput. 26, 2005). So the error of a sum does not grow
// with its length (docs/numerics.md). The order is that of the loops.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_LONGSUM_H
#define JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_LONGSUM_H

#include "JobDialect/Conversion/KernelBuilder.h"

namespace mlir::job {

/// Adds the terms lower <= i < upper, at most `maxTerms`, to zeros of the
/// builder's type. `accumulate` returns a sum with term i added.
Value buildSum(const KernelBuilder &b, Value lower, Value upper,
               int64_t maxTerms, function_ref<Value(Value, Value)> accumulate);

/// The same for the elements of an array, in row-major order.
Value buildSum(const KernelBuilder &b, ArrayRef<int64_t> extents,
               function_ref<Value(ArrayRef<Value>, Value)> accumulate);

/// A sum in loops of one's own, which carry its state.
class LongSum {
public:
  explicit LongSum(const KernelBuilder &b) : b(b) {}

  /// The state before the first term.
  SmallVector<Value> getInitial() const;
  /// The state after one more number: a term, or the sum of a block of at most
  /// plan::kDefaultAccumulate terms.
  SmallVector<Value> add(ValueRange state, Value number) const;
  /// The state after the terms lower <= i < upper, at most `maxTerms`.
  SmallVector<Value> add(ValueRange state, Value lower, Value upper,
                         int64_t maxTerms,
                         function_ref<Value(Value, Value)> accumulate) const;
  Value getSum(ValueRange state) const;

private:
  const KernelBuilder &b;
};

} // namespace mlir::job

#endif // JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_LONGSUM_H
