//===- RowOps.cpp - Ops on rows -------------------------------------------===//

#include "Decompose.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace mlir::job;

RowOps::RowOps(OpBuilder &builder, Location loc, BlobType type)
    : builder(builder), loc(loc), type(type) {}

BlobType RowOps::getRowType(Type element) const {
  ArrayRef<int64_t> shape = type.getShape().drop_back();
  return BlobType::get(shape.empty() ? ArrayRef<int64_t>(1) : shape, element);
}

Value RowOps::constant(double value) const {
  return ConstantOp::create(builder, loc, type, value);
}

Value RowOps::rowConstant(double value, Type element) const {
  return ConstantOp::create(
      builder, loc, getRowType(element ? element : type.getElementType()),
      value);
}

Value RowOps::broadcastAlong(Value value, ArrayRef<int64_t> dims,
                             BlobType to) const {
  return builder.createOrFold<BroadcastInDimOp>(loc, to, value, dims);
}

Value RowOps::broadcast(Value row) const {
  auto from = cast<BlobType>(row.getType());
  auto dims = llvm::to_vector(llvm::seq<int64_t>(0, from.getRank()));
  return broadcastAlong(row, dims,
                        BlobType::get(type.getShape(), from.getElementType()));
}

Value RowOps::broadcastVector(Value vector) const {
  return broadcastAlong(vector, type.getRank() - 1, type);
}

Value RowOps::sum(Value value) const {
  return builder.createOrFold<ReduceSumOp>(
      loc, value, ArrayRef<int64_t>(type.getRank() - 1), /*keepdims=*/false);
}

Value RowOps::maximum(Value value) const {
  return builder.createOrFold<ReduceMaxOp>(
      loc, value, ArrayRef<int64_t>(type.getRank() - 1), /*keepdims=*/false);
}

Value RowOps::mean(Value value) const {
  return div(sum(value), rowConstant(getLength()));
}
