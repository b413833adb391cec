//===- Clipping.cpp - Limits of gradients ---------------------------------===//

#include "Clipping.h"

using namespace mlir;
using namespace mlir::job;

Value job::buildSquaredNorm(OpBuilder &builder, Location loc, Value gradient) {
  auto rank = cast<BlobType>(gradient.getType()).getRank();
  auto axes = llvm::to_vector(llvm::seq<int64_t>(rank));
  Value squares = builder.createOrFold<MulOp>(loc, gradient, gradient);
  return builder.createOrFold<ReduceSumOp>(loc, squares, axes);
}

Value job::buildClippingFactor(OpBuilder &builder, Location loc,
                               ClipByGlobalNormAttr clipping,
                               ArrayRef<Value> squaredNorms) {
  Type element = builder.getF32Type();
  for (Value square : squaredNorms)
    if (cast<BlobType>(square.getType()).getElementType().isF64())
      element = builder.getF64Type();
  auto type = BlobType::get({1}, element);
  Value sum;
  for (Value square : squaredNorms) {
    Value term = builder.createOrFold<CastOp>(loc, type, square);
    sum = sum ? builder.createOrFold<AddOp>(loc, sum, term) : term;
  }
  Value norm = builder.createOrFold<SqrtOp>(loc, sum);
  Value limit = ConstantOp::create(builder, loc, type, clipping.getClipNorm());
  // A quotient of two equal numbers is exactly 1: gradients within the limit do
  // not change.
  Value divisor = builder.createOrFold<MaximumOp>(loc, norm, limit);
  Value dividend = clipping.getLegacy()
                       ? ConstantOp::create(builder, loc, type, 1.0)
                       : limit;
  return builder.createOrFold<DivOp>(loc, dividend, divisor);
}
