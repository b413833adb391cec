//===- LongSum.cpp - Sums of many terms -----------------------------------===//

#include "LongSum.h"

#include "JobDialect/Plan/PlanDialect.h"

using namespace mlir;
using namespace mlir::job;

static constexpr int64_t kBlock = plan::kDefaultAccumulate;

/// The sum of the terms of a block.
static Value buildBlock(const KernelBuilder &b, Value lower, Value upper,
                        function_ref<Value(Value, Value)> accumulate) {
  return b.reduce(lower, upper, 1, b.constant(0),
                  [&](Value i, ValueRange sum) -> SmallVector<Value> {
                    return {accumulate(i, sum[0])};
                  })[0];
}

SmallVector<Value> LongSum::getInitial() const {
  return {b.constant(0), b.constant(0)};
}

SmallVector<Value> LongSum::add(ValueRange state, Value number) const {
  Value sum = state[0], error = state[1];
  Value total = b.add(sum, number);
  Value added = b.sub(total, sum);
  Value lost = b.add(b.sub(sum, b.sub(total, added)), b.sub(number, added));
  return {total, b.add(error, lost)};
}

SmallVector<Value>
LongSum::add(ValueRange state, Value lower, Value upper, int64_t maxTerms,
             function_ref<Value(Value, Value)> accumulate) const {
  if (maxTerms <= kBlock)
    return add(state, buildBlock(b, lower, upper, accumulate));
  return b.reduce(
      lower, upper, kBlock, state, [&](Value begin, ValueRange carried) {
        Value end = b.make<arith::MinSIOp>(b.add(begin, kBlock), upper);
        return add(carried, buildBlock(b, begin, end, accumulate));
      });
}

Value LongSum::getSum(ValueRange state) const {
  Value sum = state[0], error = state[1];
  // The error of an infinite sum is NaN.
  return b.select(b.less(b.abs(error), b.infinity()), b.add(sum, error), sum);
}

Value job::buildSum(const KernelBuilder &b, Value lower, Value upper,
                    int64_t maxTerms,
                    function_ref<Value(Value, Value)> accumulate) {
  if (maxTerms <= kBlock)
    return buildBlock(b, lower, upper, accumulate);
  LongSum sum(b);
  return sum.getSum(
      sum.add(sum.getInitial(), lower, upper, maxTerms, accumulate));
}

namespace {

/// A sum over the elements of an array.
struct ArraySum {
  const KernelBuilder &b;
  ArrayRef<int64_t> extents;
  function_ref<Value(ArrayRef<Value>, Value)> accumulate;
  SmallVector<Value> indices;

  /// Loops over the dimensions from `indices.size()` to `end`, with `body` in
  /// them.
  SmallVector<Value> loop(size_t end, ValueRange initial,
                          function_ref<SmallVector<Value>(ValueRange)> body) {
    if (indices.size() == end)
      return body(initial);
    return b.reduce(extents[indices.size()], initial,
                    [&](Value i, ValueRange carried) {
                      indices.push_back(i);
                      SmallVector<Value> results = loop(end, carried, body);
                      indices.pop_back();
                      return results;
                    });
  }

  Value accumulateAt(Value last, Value sum) {
    indices.push_back(last);
    Value result = accumulate(indices, sum);
    indices.pop_back();
    return result;
  }

  /// The sum over the dimensions from `indices.size()` on.
  Value buildRest() {
    return loop(extents.size(), b.constant(0), [&](ValueRange sum) {
      return SmallVector<Value>{accumulate(indices, sum[0])};
    })[0];
  }
};

} // namespace

Value job::buildSum(const KernelBuilder &b, ArrayRef<int64_t> extents,
                    function_ref<Value(ArrayRef<Value>, Value)> accumulate) {
  // A block is as many of the last dimensions as it can be.
  size_t first = extents.size();
  for (int64_t terms = 1; first > 0; --first) {
    terms *= extents[first - 1];
    if (terms > kBlock)
      break;
  }
  ArraySum array{b, extents, accumulate, {}};
  if (first == 0)
    return array.buildRest();
  LongSum sum(b);
  // A long last dimension is cut.
  bool isCut = first == extents.size();
  return sum.getSum(
      array.loop(first - isCut, sum.getInitial(), [&](ValueRange state) {
        if (!isCut)
          return sum.add(state, array.buildRest());
        return sum.add(state, b.index(0), b.index(extents.back()),
                       extents.back(), [&](Value last, Value partial) {
                         return array.accumulateAt(last, partial);
                       });
      }));
}
