//===- Clipping.cpp - Limits of gradients ---------------------------------===//

#include "Clipping.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::job;

/// What an f32 is multiplied by so that its square does not overflow: the
/// squares of the largest numbers have 63 bits left for their sum. A square
/// that underflows is less than 2^-62 of a sum that overflows without the
/// factor.
static const double kScale = std::ldexp(1.0, -96);

static bool isF64(Value value) {
  return cast<BlobType>(value.getType()).getElementType().isF64();
}

static Value buildSum(OpBuilder &builder, Location loc, Value x) {
  auto rank = cast<BlobType>(x.getType()).getRank();
  auto axes = llvm::to_vector(llvm::seq<int64_t>(rank));
  Value squares = builder.createOrFold<MulOp>(loc, x, x);
  return builder.createOrFold<ReduceSumOp>(loc, squares, axes);
}

static Value buildConstant(OpBuilder &builder, Location loc, Value like,
                           double value) {
  return ConstantOp::create(builder, loc, cast<BlobType>(like.getType()),
                            value);
}

/// Whether a sum of squares has not overflowed.
static Value buildIsFinite(OpBuilder &builder, Location loc, Value sum) {
  return CompareOp::create(
      builder, loc, ComparePredicate::LT, sum,
      buildConstant(builder, loc, sum,
                    std::numeric_limits<double>::infinity()));
}

SquaredNorm job::buildSquaredNorm(OpBuilder &builder, Location loc,
                                  Value gradient) {
  SquaredNorm norm;
  norm.sum = buildSum(builder, loc, gradient);
  if (!isF64(gradient)) {
    Value scale = buildConstant(builder, loc, gradient, kScale);
    norm.scaledSum = buildSum(
        builder, loc, builder.createOrFold<MulOp>(loc, gradient, scale));
  }
  return norm;
}

/// limit / max(norm, limit), or 1 / max(norm, limit) if `legacy`, with both
/// sides of the quotient times `scale`. A quotient of two equal numbers is
/// exactly 1: gradients within the limit do not change.
static Value buildFactor(OpBuilder &builder, Location loc,
                         ClipByGlobalNormAttr clipping, Value squaredNorm,
                         double scale) {
  Value norm = builder.createOrFold<SqrtOp>(loc, squaredNorm);
  Value limit =
      buildConstant(builder, loc, norm, clipping.getClipNorm() * scale);
  Value divisor = builder.createOrFold<MaximumOp>(loc, norm, limit);
  Value dividend =
      clipping.getLegacy() ? buildConstant(builder, loc, norm, scale) : limit;
  return builder.createOrFold<DivOp>(loc, dividend, divisor);
}

static Value addTo(OpBuilder &builder, Location loc, Value sum, Value term) {
  return sum ? builder.createOrFold<AddOp>(loc, sum, term) : term;
}

/// In f64, which holds the square of any norm of f32.
static Value buildWideFactor(OpBuilder &builder, Location loc,
                             ClipByGlobalNormAttr clipping,
                             ArrayRef<SquaredNorm> norms) {
  auto type = BlobType::get({1}, builder.getF64Type());
  Value sum;
  for (const SquaredNorm &norm : norms) {
    Value term = norm.sum;
    if (norm.scaledSum) {
      Value isFinite = buildIsFinite(builder, loc, term);
      Value large = CastOp::create(builder, loc, type, norm.scaledSum);
      large = MulOp::create(
          builder, loc, large,
          buildConstant(builder, loc, large, 1 / (kScale * kScale)));
      term = SelectOp::create(builder, loc, type, isFinite,
                              CastOp::create(builder, loc, type, term), large);
    }
    sum = addTo(builder, loc, sum, term);
  }
  return buildFactor(builder, loc, clipping, sum, 1);
}

Value job::buildClippingFactor(OpBuilder &builder, Location loc,
                               ClipByGlobalNormAttr clipping,
                               ArrayRef<SquaredNorm> norms) {
  if (llvm::any_of(norms, [](auto &norm) { return isF64(norm.sum); }))
    return buildWideFactor(builder, loc, clipping, norms);
  Value sum, scaledSum;
  for (const SquaredNorm &norm : norms) {
    sum = addTo(builder, loc, sum, norm.sum);
    scaledSum = addTo(builder, loc, scaledSum, norm.scaledSum);
  }
  Value isFinite = buildIsFinite(builder, loc, sum);
  Value factor = buildFactor(builder, loc, clipping, sum, 1);
  Value ofLarge = buildFactor(builder, loc, clipping, scaledSum, kScale);
  return SelectOp::create(builder, loc, factor.getType(), isFinite, factor,
                          ofLarge);
}
