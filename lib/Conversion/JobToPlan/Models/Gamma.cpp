//===- Gamma.cpp - Logarithm of the gamma function, and its derivative ----===//
//
// Stirling's series for large arguments, the recurrence to reach a short
// interval, and the reflection formula below 0. f32 is computed in f64: the
// sums cancel near the zeros of the functions. The polynomials are our own
// fits.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Conversion/Math.h"

using namespace mlir;
using namespace mlir::job;

static constexpr double pi = 3.14159265358979323846;

// lgamma(x) / (x - 2) in x - 15/8, 5/4 <= x <= 5/2; error 2^-60.
static constexpr double center[] = {
    0.3813814831935064,      0.3403312950724714,      -0.07582367520153381,
    0.024776589243981968,    -0.009510748009720673,   0.003980163690669501,
    -0.0017552919363199738,  0.0008012114482823171,   -0.00037458128575394164,
    0.0001782040428812915,   -8.59034148253707e-05,   4.183785529792475e-05,
    -2.054773788877529e-05,  1.015866096087798e-05,   -5.0376875401729e-06,
    2.5166132446863795e-06,  -1.3027957720737363e-06, 6.562507680902369e-07,
    -2.5460797568385664e-07, 1.2861172063127177e-07,  -1.4815259092514533e-07,
    7.558472696788447e-08};

// x (lgamma(x) - (x - 1/2) ln x + x - ln(2 pi) / 2) in 1 / x^2, x >= 8; error
// 2^-57.
static constexpr double lgammaSeries[] = {
    0.0833333333333333,     -0.002777777777606244, 0.0007936506649488252,
    -0.0005952025951802712, 0.0008372834512071336, -0.0016526004455595122};

// x^2 (ln x - 1 / (2 x) - digamma(x)) in 1 / x^2, x >= 10; error after scaling
// 2^-61.
static constexpr double digammaSeries[] = {
    0.0833333333333333,    -0.00833333333308159, 0.003968253673479358,
    -0.004166539940034663, 0.007550959652543505, -0.018818831275584015};

/// The function of a larger type, rounded.
static Value buildInF64(const KernelBuilder &b, Value x,
                        Value (*build)(const KernelBuilder &, Value)) {
  if (b.isF64())
    return build(b, x);
  KernelBuilder wide = b.withElementType(b.getBuilder().getF64Type());
  Value result = build(wide, b.make<arith::ExtFOp>(wide.getType(), x));
  return b.make<arith::TruncFOp>(b.getType(), result);
}

/// x minus the nearest integer, exactly; NaN for an infinite x.
static Value buildFraction(const KernelBuilder &b, Value x) {
  return b.sub(x, b.make<math::RoundEvenOp>(x));
}

/// Of x >= 0.
static Value buildPositiveLgamma(const KernelBuilder &b, Value x) {
  Value one = b.constant(1);
  auto isBelow = [&](double bound) { return b.less(x, b.constant(bound)); };
  // gamma(x) is `factor` gamma(y), or gamma(y) / `factor` below 5/4, with y in
  // [5/4, 5/2]. The distance of y from 2 is exact, so that the zero at 1 is.
  Value y = x, factor = one;
  for (int i = 0; i < 6; ++i) {
    Value isAbove = b.compare(arith::CmpFPredicate::OGE, y, b.constant(2.5));
    Value less = b.sub(y, one);
    factor = b.select(isAbove, b.mul(factor, less), factor);
    y = b.select(isAbove, less, y);
  }
  Value distance = b.sub(y, b.constant(2));
  distance = b.select(isBelow(1.25), b.sub(x, one), distance);
  factor = b.select(isBelow(1.25), x, factor);
  distance = b.select(isBelow(0.25), x, distance);
  factor = b.select(isBelow(0.25), b.mul(x, b.add(x, one)), factor);
  Value isLarge = b.compare(arith::CmpFPredicate::OGE, x, b.constant(8));
  Value log = buildLog(b, b.select(isLarge, x, factor));

  Value p = b.polynomial(b.add(distance, b.constant(0.125)), center);
  Value small = b.fma(distance, p, b.select(isBelow(1.25), b.neg(log), log));
  // ln(2 pi) / 2 - 1/2, as a half is taken from the product.
  Value inverse = b.div(one, x);
  Value series = b.polynomial(b.mul(inverse, inverse), lgammaSeries);
  Value rest = b.fma(inverse, series, b.constant(0.91893853320467274178 - 0.5));
  Value large = b.fma(b.sub(x, b.constant(0.5)), b.sub(log, one), rest);
  return b.select(isLarge, large, small);
}

static Value buildLgammaF64(const KernelBuilder &b, Value x) {
  // lgamma(-z) = ln pi - ln(z |sin(pi z)|) - lgamma(z). Near 0 that is -ln z.
  Value z = b.abs(x);
  Value positive = buildPositiveLgamma(b, z);
  Value sine = b.abs(buildSin(b, b.mul(buildFraction(b, z), b.constant(pi))));
  Value isNearZero = b.less(z, b.constant(0x1p-60));
  Value log = buildLog(b, b.select(isNearZero, z, b.mul(z, sine)));
  Value reflected =
      b.sub(b.sub(b.constant(1.14472988584940017414), log), positive);
  Value result = b.select(b.less(x, b.constant(0)), reflected, positive);
  result = b.select(isNearZero, b.neg(log), result);
  Value isPole =
      b.andI(b.compare(arith::CmpFPredicate::OLE, x, b.constant(0)),
             b.compare(arith::CmpFPredicate::OEQ, sine, b.constant(0)));
  Value isInfinite = b.compare(arith::CmpFPredicate::OEQ, z, b.infinity());
  return b.select(b.orI(isPole, isInfinite), b.infinity(), result);
}

Value job::buildLgamma(const KernelBuilder &b, Value x) {
  return buildInF64(b, x, buildLgammaF64);
}

static Value buildDigammaF64(const KernelBuilder &b, Value x) {
  // digamma(x) = digamma(1 - x) - pi / tan(pi x).
  Value zero = b.constant(0), one = b.constant(1);
  Value isLeft = b.compare(arith::CmpFPredicate::OLE, x, zero);
  Value fraction = buildFraction(b, x);
  Value slope =
      b.div(b.constant(pi), buildTan(b, b.mul(fraction, b.constant(pi))));
  Value y = b.select(isLeft, b.sub(one, x), x);

  // digamma(y) = digamma(y + 10) - 1 / y - ... - 1 / (y + 9): pairs of terms
  // with the same sum of denominators have one quotient.
  Value product = b.mul(y, b.add(y, b.constant(9))), sum;
  for (int i = 0; i < 5; ++i) {
    Value denominator = b.add(product, b.constant(i * (9 - i)));
    Value quotient = b.div(one, denominator);
    sum = sum ? b.add(sum, quotient) : quotient;
  }
  sum = b.mul(sum, b.fma(b.constant(2), y, b.constant(9)));
  Value isSmall = b.less(y, b.constant(10));
  Value large = b.select(isSmall, b.add(y, b.constant(10)), y);
  Value inverse = b.div(one, large);
  Value square = b.mul(inverse, inverse);
  Value series = b.mul(square, b.polynomial(square, digammaSeries));
  Value result =
      b.sub(b.fma(b.constant(-0.5), inverse, buildLog(b, large)), series);
  result = b.select(isSmall, b.sub(result, sum), result);
  result = b.select(isLeft, b.sub(result, slope), result);
  Value isPole =
      b.andI(isLeft, b.compare(arith::CmpFPredicate::OEQ, fraction, zero));
  return b.select(isPole, b.nan(), result);
}

Value job::buildDigamma(const KernelBuilder &b, Value x) {
  return buildInF64(b, x, buildDigammaF64);
}
