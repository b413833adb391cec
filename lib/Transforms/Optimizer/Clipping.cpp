//===- Clipping.cpp - Limits of gradients ---------------------------------===//

#include "Clipping.h"

using namespace mlir;
using namespace mlir::job;

// In f64, which holds the square of any f32.

Value job::buildSquaredNorm(OpBuilder &builder, Location loc, Value gradient) {
  auto type = cast<BlobType>(gradient.getType());
  auto wide = BlobType::get(type.getShape(), builder.getF64Type());
  Value x = builder.createOrFold<CastOp>(loc, wide, gradient);
  Value squares = builder.createOrFold<MulOp>(loc, x, x);
  auto axes = llvm::to_vector(llvm::seq<int64_t>(type.getRank()));
  return builder.createOrFold<ReduceSumOp>(loc, squares, axes);
}

Value job::buildClippingFactor(OpBuilder &builder, Location loc,
                               ClipByGlobalNormAttr clipping,
                               ArrayRef<Value> squaredNorms) {
  Value sum;
  for (Value square : squaredNorms)
    sum = sum ? builder.createOrFold<AddOp>(loc, sum, square) : square;
  Value norm = builder.createOrFold<SqrtOp>(loc, sum);
  auto type = cast<BlobType>(norm.getType());
  Value limit = ConstantOp::create(builder, loc, type, clipping.getClipNorm());
  // A quotient of two equal numbers is exactly 1: gradients within the limit do
  // not change.
  Value divisor = builder.createOrFold<MaximumOp>(loc, norm, limit);
  Value dividend = clipping.getLegacy()
                       ? ConstantOp::create(builder, loc, type, 1.0)
                       : limit;
  return builder.createOrFold<DivOp>(loc, dividend, divisor);
}
