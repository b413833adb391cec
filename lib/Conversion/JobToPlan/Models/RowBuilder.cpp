//===- RowBuilder.cpp - Rows along the last dimension ---------------------===//

#include "RowBuilder.h"

#include "Math.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace mlir::job;

RowBuilder::RowBuilder(OpBuilder &builder, Location loc, BlobType type,
                       Value item)
    : b(builder, loc), scalar(builder, loc, type.getElementType()),
      vector(builder, loc, VectorType::get(numLanes, type.getElementType())),
      length(type.getShape().back()),
      row(b.delinearize(item, type.getShape().drop_back())) {}

SmallVector<Value> RowBuilder::at(Value column) const {
  SmallVector<Value> indices = row;
  indices.push_back(column);
  return indices;
}

SmallVector<Value> RowBuilder::atRow() const {
  if (row.empty())
    return {b.index(0)};
  return row;
}

SmallVector<Value> RowBuilder::forEachVector(
    ValueRange initial,
    function_ref<SmallVector<Value>(Value, Value, ValueRange)> body) const {
  int64_t tail = length % numLanes;
  SmallVector<Value> carried(initial);
  if (length >= numLanes)
    carried = b.reduce(b.index(0), b.index(length - tail), numLanes, carried,
                       [&](Value column, ValueRange values) {
                         return body(column, Value(), values);
                       });
  if (tail == 0)
    return carried;
  SmallVector<bool> lanes(numLanes, false);
  std::fill_n(lanes.begin(), tail, true);
  auto type = VectorType::get(numLanes, b.getBuilder().getI1Type());
  Value mask = b.make<arith::ConstantOp>(
      type, DenseElementsAttr::get(type, ArrayRef<bool>(lanes)));
  return body(b.index(length - tail), mask, carried);
}

Value RowBuilder::loadAt(Value memref, ValueRange indices, Value mask,
                         Value padding) const {
  auto type = cast<VectorType>(vector.getType());
  if (!mask)
    return b.make<vector::LoadOp>(type, memref, indices);
  return b.make<vector::MaskedLoadOp>(type, memref, indices, mask, padding);
}

Value RowBuilder::load(Value memref, Value column, Value mask,
                       Value padding) const {
  return loadAt(memref, at(column), mask, padding);
}

Value RowBuilder::loadShared(Value memref, Value column, Value mask,
                             Value padding) const {
  return loadAt(memref, column, mask, padding);
}

void RowBuilder::store(Value value, Value memref, Value column,
                       Value mask) const {
  if (!mask)
    vector::StoreOp::create(b.getBuilder(), b.getLoc(), value, memref,
                            at(column));
  else
    vector::MaskedStoreOp::create(b.getBuilder(), b.getLoc(), memref,
                                  at(column), mask, value);
}

Value RowBuilder::splat(Value value) const {
  return b.make<vector::BroadcastOp>(vector.getType(), value);
}

Value RowBuilder::sumLanes(Value value) const {
  // A tree: a vector.reduction adds one lane after the other.
  for (int64_t half = numLanes / 2; half > 0; half /= 2) {
    auto low = llvm::to_vector(llvm::seq<int64_t>(0, half));
    auto high = llvm::to_vector(llvm::seq<int64_t>(half, 2 * half));
    Value lower = b.make<vector::ShuffleOp>(value, value, low);
    Value upper = b.make<vector::ShuffleOp>(value, value, high);
    value = vector.add(lower, upper);
  }
  return b.make<vector::ExtractOp>(value, ArrayRef<int64_t>(0));
}

SmallVector<Value> RowBuilder::buildSums(
    unsigned numSums,
    function_ref<SmallVector<Value>(Value, Value)> terms) const {
  SmallVector<Value> zeros(numSums, vector.constant(0));
  SmallVector<Value> sums =
      forEachVector(zeros, [&](Value column, Value mask, ValueRange carried) {
        return llvm::map_to_vector(
            llvm::zip_equal(carried, terms(column, mask)), [&](auto pair) {
              return vector.add(std::get<0>(pair), std::get<1>(pair));
            });
      });
  return llvm::map_to_vector(sums, [&](Value sum) { return sumLanes(sum); });
}

Value RowBuilder::buildMaximum(Value memref) const {
  Value lowest = vector.neg(vector.infinity());
  Value maximum = forEachVector(
      lowest,
      [&](Value column, Value mask, ValueRange carried) -> SmallVector<Value> {
        return {b.make<arith::MaximumFOp>(carried[0],
                                          load(memref, column, mask, lowest))};
      })[0];
  return b.make<vector::ReductionOp>(vector::CombiningKind::MAXIMUMF, maximum);
}

Value RowBuilder::buildSumOfExponentials(
    Value memref, Value maximum,
    function_ref<void(Value, Value, Value)> each) const {
  Value shift = splat(maximum);
  Value lowest = vector.neg(vector.infinity());
  return buildSums(1, [&](Value column, Value mask) -> SmallVector<Value> {
    Value x = load(memref, column, mask, lowest);
    Value exp = buildExp(vector, vector.sub(x, shift));
    // A lane without an element must add nothing, whatever the maximum is.
    if (mask)
      exp = vector.select(mask, exp, vector.constant(0));
    each(column, mask, exp);
    return {exp};
  })[0];
}
