//===- InverseTrigonometry.cpp - Arc tangent and what is made of it -------===//
//
// One division reduces the quotient of two numbers to the tangent of an angle
// below pi/8: the quotient itself, or that of the point turned by pi/4 or pi/2.
// The polynomials are our own fits.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Conversion/Math.h"

using namespace mlir;
using namespace mlir::job;

// (atan(t) / t - 1) / t^2 in t^2, |t| < tan(pi/8); error 2^-33.
static constexpr double atanF32[] = {-0.33333333278951577, 0.19999977153974205,
                                     -0.14284145548273774, 0.11071260444313767,
                                     -0.08623896669600505, 0.05046128167603517};

// The same; error 2^-62.
static constexpr double atanF64[] = {
    -0.3333333333333333,  0.199999999999998,     -0.14285714285659326,
    0.11111111105106705,  -0.09090908751076636,  0.0769229630497447,
    -0.06666423628069258, 0.058789145444006215,  -0.052303478730160745,
    0.04551108126325172,  -0.034558092551413795, 0.01627194475162406};

/// A constant as a number of the type and what it lacks.
static std::pair<Value, Value> getParts(const KernelBuilder &b, double high,
                                        double low) {
  if (b.isF64())
    return {b.constant(high), b.constant(low)};
  return {b.constant(high), b.constant(high - static_cast<float>(high))};
}

static constexpr double halfPi = 1.5707963267948966;
static constexpr double halfPiLow = 6.123233995736766e-17;

/// The angle of the point with the abscissa x and the ordinate y, neither of
/// which is negative or -0.
static Value buildFirstQuadrant(const KernelBuilder &b, Value y, Value x) {
  Value zero = b.constant(0), one = b.constant(1);
  auto isInfinite = [&](Value value) {
    return b.compare(arith::CmpFPredicate::OEQ, value, b.infinity());
  };
  Value areInfinite = b.andI(isInfinite(x), isInfinite(y));
  // Their sum is finite then.
  Value isHuge = b.less(b.constant(b.isF64() ? 0x1p1020 : 0x1p124),
                        b.select(b.less(x, y), y, x));
  Value scale = b.select(isHuge, b.constant(0.125), one);
  y = b.mul(y, scale);
  x = b.mul(x, scale);
  Value isSteep = b.less(b.mul(x, b.constant(2.41421356237309504880)), y);
  Value isMiddle = b.less(b.mul(x, b.constant(0.41421356237309504880)), y);
  isMiddle = b.orI(isMiddle, areInfinite);
  Value numerator = b.select(isMiddle, b.sub(y, x), y);
  numerator = b.select(isSteep, b.neg(x), numerator);
  numerator = b.select(areInfinite, zero, numerator);
  Value denominator = b.select(isMiddle, b.add(y, x), x);
  denominator = b.select(isSteep, y, denominator);
  // The angle of the origin is 0.
  Value isOrigin = b.compare(arith::CmpFPredicate::OEQ, denominator, zero);
  denominator = b.select(b.orI(isOrigin, areInfinite), one, denominator);
  Value t = b.div(numerator, denominator);
  Value z = b.mul(t, t);
  Value p = b.polynomial(z, b.isF64() ? ArrayRef<double>(atanF64)
                                      : ArrayRef<double>(atanF32));
  Value angle = b.fma(b.mul(t, z), p, t);
  auto [half, halfLow] = getParts(b, halfPi, halfPiLow);
  auto [quarter, quarterLow] = getParts(b, halfPi / 2, halfPiLow / 2);
  auto turned = [&](Value high, Value low) {
    return b.add(high, b.add(angle, low));
  };
  return b.select(isSteep, turned(half, halfLow),
                  b.select(isMiddle, turned(quarter, quarterLow), angle));
}

/// The angle of the point whose abscissa has the other sign.
static Value buildMirrored(const KernelBuilder &b, Value angle) {
  auto [pi, piLow] = getParts(b, 2 * halfPi, 2 * halfPiLow);
  return b.sub(pi, b.sub(angle, piLow));
}

Value job::buildAtan(const KernelBuilder &b, Value x) {
  Value angle = buildFirstQuadrant(b, b.abs(x), b.constant(1));
  return b.make<math::CopySignOp>(angle, x);
}

Value job::buildAtan2(const KernelBuilder &b, Value y, Value x) {
  Value angle = buildFirstQuadrant(b, b.abs(y), b.abs(x));
  // The sign of -0 counts.
  Value isLeft =
      b.compare(arith::CmpIPredicate::slt, b.bits(x), b.intConstant(0));
  angle = b.select(isLeft, buildMirrored(b, angle), angle);
  return b.make<math::CopySignOp>(angle, y);
}

/// sqrt(1 - x^2), the other coordinate of a point of the unit circle.
static Value buildOtherCoordinate(const KernelBuilder &b, Value x) {
  Value one = b.constant(1);
  return b.make<math::SqrtOp>(b.mul(b.sub(one, x), b.add(one, x)));
}

Value job::buildAsin(const KernelBuilder &b, Value x) {
  Value angle = buildFirstQuadrant(b, b.abs(x), buildOtherCoordinate(b, x));
  return b.make<math::CopySignOp>(angle, x);
}

Value job::buildAcos(const KernelBuilder &b, Value x) {
  Value angle = buildFirstQuadrant(b, buildOtherCoordinate(b, x), b.abs(x));
  return b.select(b.less(x, b.constant(0)), buildMirrored(b, angle), angle);
}
