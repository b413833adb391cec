//===- Math.cpp - Exponentials and logarithms -----------------------------===//

#include "JobDialect/Conversion/Math.h"

using namespace mlir;
using namespace mlir::job;

// ln 2 in two parts: the first is short enough that its product with any
// exponent is exact.
static double getLn2High(const KernelBuilder &b) {
  return b.isF64() ? 0x1.62e42fefa2000p-1 : 0x1.62e4p-1;
}
static double getLn2Low(const KernelBuilder &b) {
  return b.isF64() ? 0x1.9ef35793c7673p-41 : 1.4286068203094173e-06;
}

//===----------------------------------------------------------------------===//
// Exponential
//===----------------------------------------------------------------------===//

namespace {
/// x = exponent * ln 2 + r with |r| <= ln 2 / 2, and e^r - 1.
struct ReducedExp {
  Value exponent; // integer of the float's width
  Value expm1;
};
} // namespace

/// Reduces `high + low`; `low`, which may be null, is below an ulp of `high`.
static ReducedExp reduceExp(const KernelBuilder &b, Value high, Value low) {
  // Adding 1.5 * 2^mantissa rounds to an integer, which then stands in the low
  // bits.
  double magic = b.isF64() ? 0x1.8p52 : 0x1.8p23;
  Value shifter = b.constant(magic);
  Value shifted = b.fma(high, b.constant(1.4426950408889634074), shifter);
  Value rounded = b.sub(shifted, shifter);
  Value r = b.fma(rounded, b.constant(-getLn2High(b)), high);
  r = b.fma(rounded, b.constant(-getLn2Low(b)), r);
  if (low)
    r = b.add(r, low);
  // (e^r - 1 - r) / r^2; error after scaling 2^-61 and 2^-26.
  Value quotient = b.polynomial(
      r, b.isF64()
             ? ArrayRef<double>{0.5, 0.1666666666666667, 0.04166666666666667,
                                0.008333333333326084, 0.0013888888888883711,
                                0.0001984126987500228, 2.480158732567746e-05,
                                2.755725517000089e-06, 2.755727347871858e-07,
                                2.5105312729622103e-08, 2.09147553258932e-09}
             : ArrayRef<double>{0.5, 0.16666576666119928, 0.04166655421298415,
                                0.008363232883682618, 0.0013926250831497611});
  Value expm1 = b.fma(b.mul(r, r), quotient, r);
  Value exponent = b.sub(b.bits(shifted), b.bits(shifter));
  return {exponent, expm1};
}

/// 2^exponent for exponents of normal numbers.
static Value buildPowerOfTwo(const KernelBuilder &b, Value exponent) {
  return b.fromBits(b.shl(b.add(exponent, b.intConstant(b.getBias())),
                          b.intConstant(b.getMantissaBits())));
}

/// value * 2^exponent, rounded once: two factors, because 2^exponent may not be
/// a normal number. The first product is exact.
static Value buildScaled(const KernelBuilder &b, Value value, Value exponent) {
  Value half = b.ashr(exponent, b.intConstant(1));
  Value rest = b.sub(exponent, half);
  return b.mul(b.mul(value, buildPowerOfTwo(b, half)),
               buildPowerOfTwo(b, rest));
}

Value job::buildExpOfSum(const KernelBuilder &b, Value high, Value low) {
  // Beyond these bounds the result is 0 or infinite anyway. The comparisons
  // let NaN through.
  Value lowest = b.constant(b.isF64() ? -746 : -104);
  Value highest = b.constant(b.isF64() ? 710 : 89);
  Value x = b.select(b.less(high, lowest), lowest, high);
  x = b.select(b.less(highest, x), highest, x);
  ReducedExp reduced = reduceExp(b, x, low);
  return buildScaled(b, b.add(b.constant(1), reduced.expm1), reduced.exponent);
}

Value job::buildExp(const KernelBuilder &b, Value x) {
  return buildExpOfSum(b, x, /*low=*/Value());
}

Value job::buildExpm1(const KernelBuilder &b, Value x) {
  // Beyond these bounds the result rounds to -1 or is infinite anyway.
  Value lowest = b.constant(b.isF64() ? -40 : -20);
  Value highest = b.constant(b.isF64() ? 710 : 89);
  Value bounded = b.select(b.less(x, lowest), lowest, x);
  bounded = b.select(b.less(highest, x), highest, bounded);
  ReducedExp reduced = reduceExp(b, bounded, /*low=*/Value());
  // One half of the result, because 2^exponent may be too large for a float.
  Value half = buildPowerOfTwo(b, b.sub(reduced.exponent, b.intConstant(1)));
  Value m = b.fma(half, reduced.expm1, b.sub(half, b.constant(0.5)));
  // Halves of denormal numbers would be rounded.
  Value isSmall =
      b.compare(arith::CmpIPredicate::eq, reduced.exponent, b.intConstant(0));
  Value result = b.select(isSmall, reduced.expm1, b.add(m, m));
  // That of -0 is -0.
  return b.make<math::CopySignOp>(result, x);
}

Value job::buildTanh(const KernelBuilder &b, Value x) {
  // tanh |x| = m / (m + 2) with m = e^(2 |x|) - 1, which keeps its relative
  // precision at 0. From the bound on the result rounds to 1.
  Value bound = b.constant(b.isF64() ? 40 : 20);
  Value twice = b.mul(b.abs(x), b.constant(2));
  twice = b.select(b.less(bound, twice), bound, twice);
  ReducedExp reduced = reduceExp(b, twice, /*low=*/Value());
  Value scale = buildPowerOfTwo(b, reduced.exponent);
  Value m = b.fma(scale, reduced.expm1, b.sub(scale, b.constant(1)));
  Value result = b.div(m, b.add(m, b.constant(2)));
  return b.make<math::CopySignOp>(result, x);
}

namespace {
/// (e^y - 1) / 2 and e^y / 2 of y = |x|, which are finite where the hyperbolic
/// functions are, though e^y is not.
struct HalfExp {
  Value expm1, exp;
  /// Whether y is below ln 2 / 2, and e^y - 1 there: the half of a denormal
  /// number would be rounded.
  Value isSmall, smallExpm1;
};
} // namespace

static HalfExp buildHalfExp(const KernelBuilder &b, Value x) {
  // From the bound on the results are infinite, and the power below is not.
  Value bound = b.constant(b.isF64() ? 710.5 : 89.5), magnitude = b.abs(x);
  magnitude = b.select(b.less(bound, magnitude), bound, magnitude);
  ReducedExp reduced = reduceExp(b, magnitude, /*low=*/Value());
  Value quarter = buildPowerOfTwo(b, b.sub(reduced.exponent, b.intConstant(2)));
  auto twice = [&](Value value) { return b.add(value, value); };
  Value isSmall =
      b.compare(arith::CmpIPredicate::eq, reduced.exponent, b.intConstant(0));
  return {
      twice(b.fma(quarter, reduced.expm1, b.sub(quarter, b.constant(0.25)))),
      twice(b.fma(quarter, reduced.expm1, quarter)), isSmall, reduced.expm1};
}

Value job::buildCosh(const KernelBuilder &b, Value x) {
  Value half = buildHalfExp(b, x).exp;
  return b.add(half, b.div(b.constant(0.25), half));
}

Value job::buildSinh(const KernelBuilder &b, Value x) {
  // With m = e^|x| - 1 this is (m + m / (m + 1)) / 2, which keeps its relative
  // precision at 0; elsewhere m / (m + 1) is 1 - 1 / (m + 1), which is finite.
  HalfExp half = buildHalfExp(b, x);
  Value one = b.constant(1), oneHalf = b.constant(0.5);
  Value smallExp = b.add(half.smallExpm1, one);
  Value exp = b.select(half.isSmall, smallExp, b.add(half.exp, half.exp));
  Value quotient = b.div(b.select(half.isSmall, half.smallExpm1, oneHalf), exp);
  Value small = b.mul(b.add(half.smallExpm1, quotient), oneHalf);
  Value large = b.add(half.expm1, b.sub(oneHalf, quotient));
  Value result = b.select(half.isSmall, small, large);
  return b.make<math::CopySignOp>(result, x);
}

Value job::buildSigmoid(const KernelBuilder &b, Value x) {
  // e^-|x| never overflows; below 0 the result is e^x / (1 + e^x).
  Value exp = buildExp(b, b.neg(b.abs(x)));
  Value one = b.constant(1);
  Value numerator = b.select(b.less(x, b.constant(0)), exp, one);
  return b.div(numerator, b.add(one, exp));
}

//===----------------------------------------------------------------------===//
// Logarithm
//===----------------------------------------------------------------------===//

namespace {
/// x = 2^exponent * (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)).
struct ReducedLog {
  Value exponent; // as a float
  Value f;
};
} // namespace

static ReducedLog reduceLog(const KernelBuilder &b, Value x) {
  // Denormals are scaled to normal numbers first.
  Value tiny = b.less(x, b.constant(b.isF64() ? 0x1p-1022 : 0x1p-126));
  int64_t shift = b.isF64() ? 54 : 25;
  Value scaled =
      b.select(tiny, b.mul(x, b.constant(b.isF64() ? 0x1p54 : 0x1p25)), x);
  Value bits = b.bits(scaled);
  int64_t sqrtHalf = b.isF64() ? 0x3fe6a09e667f3bcd : 0x3f3504f3;
  Value mantissaBits = b.intConstant(b.getMantissaBits());
  Value exponent = b.ashr(b.sub(bits, b.intConstant(sqrtHalf)), mantissaBits);
  Value f = b.sub(b.fromBits(b.sub(bits, b.shl(exponent, mantissaBits))),
                  b.constant(1));
  Value asFloat = b.make<arith::SIToFPOp>(b.getType(), exponent);
  asFloat =
      b.add(asFloat, b.select(tiny, b.constant(-double(shift)), b.constant(0)));
  return {asFloat, f};
}

/// The logarithm with what the reduction does not cover: x of 0, infinity,
/// NaN and negative numbers.
static Value selectLogSpecials(const KernelBuilder &b, Value x, Value log) {
  log = b.select(b.less(x, b.infinity()), log, x);
  log = b.select(b.less(x, b.constant(0)), b.nan(), log);
  return b.select(b.compare(arith::CmpFPredicate::OEQ, x, b.constant(0)),
                  b.neg(b.infinity()), log);
}

/// ln x + `correction`, which may be null and is small beside the logarithm or
/// alone.
static Value buildLogF32(const KernelBuilder &b, Value x, Value correction) {
  ReducedLog reduced = reduceLog(b, x);
  Value f = reduced.f;
  // (ln(1 + f) - f + f^2 / 2) / f^3; error 2^-25.
  Value p = b.polynomial(
      f, {0.33333331160649854, -0.24999996931631013, 0.20000720743861544,
          -0.1666780977128316, 0.14248876978003902, -0.12425359822014156,
          0.11687024882537142, -0.11483081330249757, 0.06971346319412433});
  Value tail = b.mul(b.mul(f, f), b.fma(f, p, b.constant(-0.5)));
  Value low = b.fma(reduced.exponent, b.constant(getLn2Low(b)), tail);
  if (correction)
    low = b.add(low, correction);
  Value log = b.fma(reduced.exponent, b.constant(getLn2High(b)), b.add(f, low));
  return selectLogSpecials(b, x, log);
}

/// The same.
static Value buildLogF64(const KernelBuilder &b, Value x, Value correction) {
  ReducedLog reduced = reduceLog(b, x);
  Value f = reduced.f;
  // ln(1 + f) = 2 atanh(s) with s = f / (2 + f), as
  // f - (f^2 / 2 - s (f^2 / 2 + R)) with R = s^2 (2/3 + 2/5 s^2 + ...).
  Value s = b.div(f, b.add(b.constant(2), f));
  Value z = b.mul(s, s);
  Value remainder =
      b.mul(z, b.polynomial(z, {0.6666666666666666, 0.40000000000000885,
                                0.28571428570799784, 0.22222222392581045,
                                0.18181795547521137, 0.15386244737621665,
                                0.13268638369266825, 0.13088034850927555}));
  Value half = b.mul(b.constant(0.5), b.mul(f, f));
  Value low = b.fma(reduced.exponent, b.constant(getLn2Low(b)),
                    b.mul(s, b.add(half, remainder)));
  if (correction)
    low = b.add(low, correction);
  Value rest = b.sub(b.sub(half, low), f);
  Value log = b.sub(b.mul(reduced.exponent, b.constant(getLn2High(b))), rest);
  return selectLogSpecials(b, x, log);
}

static Value buildCorrectedLog(const KernelBuilder &b, Value x,
                               Value correction) {
  return b.isF64() ? buildLogF64(b, x, correction)
                   : buildLogF32(b, x, correction);
}

Value job::buildLog(const KernelBuilder &b, Value x) {
  return buildCorrectedLog(b, x, /*correction=*/Value());
}

Value job::buildLog1p(const KernelBuilder &b, Value x) {
  // ln(1 + x) = ln u + ln(1 + e / u) with the rounded sum u and its error e,
  // which are found without looking which summand is larger (Knuth, The Art of
  // Computer Programming 2, 4.2.2).
  Value one = b.constant(1);
  Value u = b.add(one, x);
  Value summand = b.sub(u, one);
  Value error = b.add(b.sub(one, b.sub(u, summand)), b.sub(x, summand));
  Value log = buildCorrectedLog(b, u, b.div(error, u));
  // That of -0 is -0.
  return b.make<math::CopySignOp>(log, x);
}

//===----------------------------------------------------------------------===//
// Inverse hyperbolic functions
//===----------------------------------------------------------------------===//

/// ln(1 + t), and ln 2 + ln x where x is too large for t.
static Value buildInverseHyperbolic(const KernelBuilder &b, Value x, Value t) {
  Value isLarge = b.less(b.constant(b.isF64() ? 0x1p500 : 0x1p60), x);
  Value log = buildLog1p(b, b.select(isLarge, x, t));
  return b.select(isLarge, b.add(log, b.constant(0.69314718055994530942)), log);
}

Value job::buildAsinh(const KernelBuilder &b, Value x) {
  // |x| + sqrt(x^2 + 1) is 1 more than |x| + x^2 / (1 + sqrt(x^2 + 1)).
  Value magnitude = b.abs(x), one = b.constant(1);
  Value square = b.mul(x, x);
  Value root = b.make<math::SqrtOp>(b.add(square, one));
  Value t = b.add(magnitude, b.div(square, b.add(one, root)));
  return b.make<math::CopySignOp>(buildInverseHyperbolic(b, magnitude, t), x);
}

Value job::buildAcosh(const KernelBuilder &b, Value x) {
  // x + sqrt(x^2 - 1) is 1 more than d + sqrt(d (d + 2)) with d = x - 1.
  Value d = b.sub(x, b.constant(1));
  Value root = b.make<math::SqrtOp>(b.mul(d, b.add(d, b.constant(2))));
  Value result = buildInverseHyperbolic(b, x, b.add(d, root));
  return b.select(b.less(d, b.constant(0)), b.nan(), result);
}

Value job::buildAtanh(const KernelBuilder &b, Value x) {
  // (1 + |x|) / (1 - |x|) is 1 more than 2 |x| / (1 - |x|).
  Value magnitude = b.abs(x);
  Value t = b.div(b.add(magnitude, magnitude), b.sub(b.constant(1), magnitude));
  Value half = b.mul(buildLog1p(b, t), b.constant(0.5));
  return b.make<math::CopySignOp>(half, x);
}

//===----------------------------------------------------------------------===//
// Power
//===----------------------------------------------------------------------===//

namespace {
/// The sum of two floats, the second below an ulp of the first.
struct FloatPair {
  Value high, low;
};
} // namespace

/// a + b exactly, for |a| >= |b| (or a = 0).
static FloatPair addFast(const KernelBuilder &b, Value x, Value y) {
  Value high = b.add(x, y);
  return {high, b.sub(y, b.sub(high, x))};
}

/// x * y exactly.
static FloatPair multiplyExact(const KernelBuilder &b, Value x, Value y) {
  Value high = b.mul(x, y);
  return {high, b.fma(x, y, b.neg(high))};
}

static FloatPair multiply(const KernelBuilder &b, FloatPair x, FloatPair y) {
  FloatPair product = multiplyExact(b, x.high, y.high);
  Value cross = b.fma(x.high, y.low, b.mul(x.low, y.high));
  return addFast(b, product.high, b.add(product.low, cross));
}

/// ln x with about 64 bits, so that y ln x, up to 745, has 54 behind the point.
static FloatPair buildLogPair(const KernelBuilder &b, Value x) {
  ReducedLog reduced = reduceLog(b, x);
  Value f = reduced.f;
  // s = f / (2 + f) as a pair: the rounding errors of the sum and of the
  // quotient are known.
  FloatPair denominator = addFast(b, b.constant(2), f);
  Value s = b.div(f, denominator.high);
  Value error = b.fma(b.neg(s), denominator.high, f);
  error = b.fma(b.neg(s), denominator.low, error);
  FloatPair sPair{s, b.div(error, denominator.high)};
  FloatPair z = multiply(b, sPair, sPair);
  // ln(1 + f) = 2 s + s z (2/3 + z (2/5 + ...)).
  Value tail = b.mul(
      z.high, b.polynomial(z.high, {0.4000000000000003, 0.2857142857133801,
                                    0.22222222271326808, 0.18181808210921882,
                                    0.15385577463308145, 0.13285868837545742,
                                    0.1291471218393509}));
  FloatPair sum = addFast(b, b.constant(0x1.5555555555555p-1), tail);
  sum.low = b.add(sum.low, b.constant(0x1.5555555555555p-55));
  FloatPair cubic = multiply(b, multiply(b, sPair, z), sum);
  Value two = b.constant(2);
  FloatPair log = addFast(b, b.mul(two, sPair.high), cubic.high);
  log.low = b.add(log.low, b.fma(two, sPair.low, cubic.low));
  // The first part of exponent * ln 2 is exact, and 0 or above the logarithm
  // of the mantissa.
  FloatPair whole =
      addFast(b, b.mul(reduced.exponent, b.constant(getLn2High(b))), log.high);
  Value low = b.fma(reduced.exponent, b.constant(getLn2Low(b)), log.low);
  FloatPair result = addFast(b, whole.high, b.add(whole.low, low));
  // Nothing below an infinite or undefined logarithm.
  Value regular =
      b.make<arith::AndIOp>(b.less(b.constant(0), x), b.less(x, b.infinity()));
  return {selectLogSpecials(b, x, result.high),
          b.select(regular, result.low, b.constant(0))};
}

/// x ^ y of x without a sign, as e^(y ln x): NaN where that is 0 times
/// infinity.
static Value buildPowOfMagnitude(const KernelBuilder &b, Value x, Value y) {
  if (!b.isF64()) {
    // Twice the precision is there.
    KernelBuilder wide = b.withElementType(b.getBuilder().getF64Type());
    Value log = buildLog(wide, b.make<arith::ExtFOp>(wide.getType(), x));
    Value product = wide.mul(b.make<arith::ExtFOp>(wide.getType(), y), log);
    return b.make<arith::TruncFOp>(b.getType(), buildExp(wide, product));
  }
  FloatPair log = buildLogPair(b, x);
  FloatPair product = multiplyExact(b, y, log.high);
  Value low = b.fma(y, log.low, product.low);
  // Past the range of exp, below 746, the remainder is no small number.
  Value inRange = b.less(b.abs(product.high), b.constant(1024));
  low = b.select(inRange, low, b.constant(0));
  FloatPair power = addFast(b, product.high, low);
  return buildExpOfSum(b, power.high,
                       b.select(inRange, power.low, b.constant(0)));
}

Value job::buildPow(const KernelBuilder &b, Value x, Value y) {
  auto equal = [&](Value lhs, Value rhs) {
    return b.compare(arith::CmpFPredicate::OEQ, lhs, rhs);
  };
  Value zero = b.constant(0), one = b.constant(1);
  Value magnitude = b.abs(x);
  Value power = buildPowOfMagnitude(b, magnitude, y);
  // 1 even where the other operand is NaN; that of -1 is not.
  Value isOne = b.orI(equal(x, one), equal(y, zero));
  Value isLimit = b.andI(equal(magnitude, one), equal(b.abs(y), b.infinity()));
  power = b.select(b.orI(isOne, isLimit), one, power);
  // Infinities are even integers here.
  Value half = b.mul(y, b.constant(0.5));
  Value isInteger = equal(b.make<math::FloorOp>(y), y);
  Value isEven = equal(b.make<math::FloorOp>(half), half);
  Value withSign = b.make<math::CopySignOp>(power, x);
  Value isRegular =
      b.orI(isInteger, b.compare(arith::CmpFPredicate::UGE, x, zero));
  isRegular = b.orI(isRegular, equal(magnitude, b.infinity()));
  Value result = b.select(isInteger, b.select(isEven, power, withSign), power);
  return b.select(isRegular, result, b.nan());
}

Value job::buildPow(const KernelBuilder &b, Value x, int64_t exponent) {
  assert(exponent != 0 && "which is no product");
  // Of an f32, the powers that f64 does not hold are 0 or infinite in f32.
  KernelBuilder wide = b.withElementType(b.getBuilder().getF64Type());
  bool isWidened = !b.isF64() && exponent != 1 && exponent != 2;
  const KernelBuilder &product = isWidened ? wide : b;
  Value square = isWidened ? b.make<arith::ExtFOp>(wide.getType(), x) : x;
  Value power;
  for (uint64_t left = std::abs(exponent); left; left >>= 1) {
    if (left & 1)
      power = power ? product.mul(power, square) : square;
    if (left > 1)
      square = product.mul(square, square);
  }
  if (exponent < 0)
    power = product.div(product.constant(1), power);
  return isWidened ? b.make<arith::TruncFOp>(b.getType(), power) : power;
}

//===----------------------------------------------------------------------===//
// Gelu by tanh
//===----------------------------------------------------------------------===//

// 2 sqrt(2 / pi), and its product with 0.044715, as sums of two f64.
static constexpr double geluLinear = 2 * 0.7978845608028654,
                        geluLinearLow = 2 * -4.98465440455546e-17,
                        geluCubic = 2 * 0.035677408136300125,
                        geluCubicLow = 2 * -3.0875749590776575e-19;

/// A constant, given as the sum of two f64, as one of two floats.
static FloatPair getConstantPair(const KernelBuilder &b, double high,
                                 double low) {
  if (b.isF64())
    return {b.constant(high), b.constant(low)};
  return {b.constant(high), b.constant(high - static_cast<float>(high))};
}

/// a + b exactly.
static FloatPair addExact(const KernelBuilder &b, Value x, Value y) {
  Value high = b.add(x, y), part = b.sub(high, x);
  return {high, b.add(b.sub(x, b.sub(high, part)), b.sub(y, part))};
}

namespace {
/// With u = sqrt(2/pi) (y + 0.044715 y^3): y and e^-2u = mantissa 2^exponent.
struct GeluTerms {
  Value y, mantissa, exponent;
};
} // namespace

/// The terms for y = |x|, or where that is less a bound from which on the
/// result rounds to 0 or x and the derivative to 0 or 1; NaN stays. The
/// rounding error of u would be one of the exponential, so u is a sum of two
/// floats.
static GeluTerms buildGeluTerms(const KernelBuilder &b, Value x) {
  Value bound = b.constant(b.isF64() ? 24 : 12), magnitude = b.abs(x);
  Value y = b.select(b.less(bound, magnitude), bound, magnitude);
  FloatPair cubic = multiply(b, getConstantPair(b, geluCubic, geluCubicLow),
                             multiplyExact(b, y, y));
  FloatPair linear = getConstantPair(b, geluLinear, geluLinearLow);
  FloatPair factor = addExact(b, linear.high, cubic.high);
  factor.low = b.add(factor.low, b.add(linear.low, cubic.low));
  FloatPair twice = multiplyExact(b, y, factor.high);
  twice.low = b.fma(y, factor.low, twice.low);
  ReducedExp reduced = reduceExp(b, b.neg(twice.high), b.neg(twice.low));
  return {y, b.add(b.constant(1), reduced.expm1), reduced.exponent};
}

Value job::buildGeluTanh(const KernelBuilder &b, Value x) {
  // -y e / (1 + e) below 0 and x / (1 + e) above, with e = e^-2u: no difference
  // of near numbers occurs, so that small results far below 0 keep their
  // relative precision. There e may be denormal where y e is not.
  GeluTerms terms = buildGeluTerms(b, x);
  Value exp = buildScaled(b, terms.mantissa, terms.exponent);
  Value below =
      buildScaled(b, b.mul(b.neg(terms.y), terms.mantissa), terms.exponent);
  Value numerator = b.select(b.less(x, b.constant(0)), below, x);
  return b.div(numerator, b.add(b.constant(1), exp));
}

Value job::buildGeluTanhSlope(const KernelBuilder &b, Value x) {
  // With the logistic functions s of 2u and 1 - s of -2u it is
  // s + y s (1 - s) 2u' above 0, and 1 less that below.
  GeluTerms terms = buildGeluTerms(b, x);
  Value exp = buildScaled(b, terms.mantissa, terms.exponent);
  Value above = b.div(b.constant(1), b.add(b.constant(1), exp));
  Value below = b.mul(exp, above);
  Value derivative = b.fma(b.mul(terms.y, terms.y), b.constant(3 * geluCubic),
                           b.constant(geluLinear));
  Value bell = b.mul(b.mul(terms.y, derivative), b.mul(above, below));
  return b.select(b.less(x, b.constant(0)), b.sub(below, bell),
                  b.add(above, bell));
}

Value job::buildRoundToOdd(const KernelBuilder &b, Value x) {
  Value nearest = b.make<arith::TruncFOp>(b.getType(), x);
  Value back = b.make<arith::ExtFOp>(x.getType(), nearest);
  Value bits = b.bits(nearest);
  Value one = b.intConstant(bits.getType(), 1);
  // Of the neighbours on both sides of an f64 one is odd.
  Value isExact = b.compare(arith::CmpFPredicate::UEQ, back, x);
  Value isOdd =
      b.make<arith::TruncIOp>(b.like(b.getBuilder().getI1Type()), bits);
  Value isBelow =
      b.compare(arith::CmpFPredicate::OLT, b.make<math::AbsFOp>(back),
                b.make<math::AbsFOp>(x));
  Value other = b.select(isBelow, b.add(bits, one), b.sub(bits, one));
  return b.fromBits(b.select(b.orI(isExact, isOdd), bits, other));
}
