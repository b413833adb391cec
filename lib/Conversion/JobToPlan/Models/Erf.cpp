//===- Erf.cpp - Error function and what is made of it --------------------===//
//
// erf is x (1 + P(x^2)) near 0. Elsewhere, and for the Gaussian distribution,
// the complement is e^(-t^2) erfcx(t). The scaled complement erfcx is, times t,
// a polynomial in (t - k) / (t + k) for all larger t, after Shepherd and
// Laframboise, "Chebyshev approximation of (1 + 2x) exp(x^2) erfc x in
// 0 <= x < infinity" (Mathematics of Computation 36, 1981). The polynomials are
// our own fits.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Conversion/Math.h"

using namespace mlir;
using namespace mlir::job;

// erf(x) / x - 1 in x^2, |x| < 3/4; error 2^-29.
static constexpr double centerF32[] = {
    0.12837916557875168,   -0.37612619469437675, 0.11283386538414544,
    -0.026835114568609705, 0.005115332112532226, -0.0006756479568680047};

// The same for |x| < 1/2; error 2^-56.
static constexpr double centerF64[] = {
    0.1283791670955126,      -0.37612638903183754,    0.11283791670955123,
    -0.026866170645130034,   0.005223977625403192,    -0.0008548327016159163,
    0.00012055332131175981,  -1.4925586560096415e-05, 1.6459034327218912e-06,
    -1.6273138761686977e-07, 1.3214378238338438e-08};

// t erfcx(t) / sqrt(2) in (t - 5/2) / (t + 5/2), 0.749 <= t <= 10.7; error
// 2^-29.
static constexpr double scaledF32[] = {
    0.37265652364037155,   0.08816913070177096,   -0.12400448496643246,
    0.09993664805151573,   -0.0505197470960146,   0.012991755629868911,
    0.0012687240615292638, -0.001841136276657528, 7.675731397947386e-05,
    0.00022230897612228023};

// The same in (t - 3) / (t + 3), 0.499 <= t <= 28; error 2^-55.
static constexpr double scaledF64[] = {
    0.37971878352167765,     0.06739167937217422,    -0.1036498672710504,
    0.09891048376530852,     -0.06750730784002362,   0.03277458551096008,
    -0.009913513770682126,   0.0006440489069554686,  0.0008788461503030512,
    -0.00029171258344832835, -5.982694734091717e-05, 4.8776634001603186e-05,
    4.570142755201366e-06,   -7.857930695387446e-06, -6.995264196634084e-07,
    1.335870229512187e-06,   2.040290329125357e-07,  -2.342922801390743e-07,
    -5.831623118613079e-08,  4.048182973892897e-08,  1.0102137693611859e-08,
    -5.605602789468013e-09};

/// t erfcx(t) / sqrt(2) for t = scale * x. The scale goes into the constant, so
/// that it is not another rounding.
static Value buildScaledComplement(const KernelBuilder &b, Value x,
                                   double scale) {
  Value k = b.constant((b.isF64() ? 3 : 2.5) / scale);
  Value q = b.div(b.sub(x, k), b.add(x, k));
  return b.polynomial(q, b.isF64() ? ArrayRef<double>(scaledF64)
                                   : ArrayRef<double>(scaledF32));
}

/// |x|, or `bound` where that is less; NaN stays.
static Value buildBoundedMagnitude(const KernelBuilder &b, Value x,
                                   double bound) {
  Value magnitude = b.abs(x), limit = b.constant(bound);
  return b.select(b.less(limit, magnitude), limit, magnitude);
}

/// erf(x) near 0, which is where `isNearZero` holds.
static Value buildCenter(const KernelBuilder &b, Value x) {
  Value p = b.polynomial(b.mul(x, x), b.isF64() ? ArrayRef<double>(centerF64)
                                                : ArrayRef<double>(centerF32));
  return b.fma(x, p, x);
}

static Value isNearZero(const KernelBuilder &b, Value x) {
  return b.less(b.abs(x), b.constant(b.isF64() ? 0.5 : 0.75));
}

Value job::buildErf(const KernelBuilder &b, Value x) {
  // From the bound on the result rounds to 1. The complement is below one half,
  // so that its errors count little.
  Value t = buildBoundedMagnitude(b, x, b.isF64() ? 6 : 4);
  Value scaled = b.mul(buildScaledComplement(b, t, /*scale=*/1),
                       b.constant(1.41421356237309504880));
  Value complement = b.mul(buildExp(b, b.neg(b.mul(t, t))), b.div(scaled, t));
  Value tail = b.make<math::CopySignOp>(b.sub(b.constant(1), complement), x);
  return b.select(isNearZero(b, x), buildCenter(b, x), tail);
}

Value job::buildErfc(const KernelBuilder &b, Value x) {
  // Near 0 this is 1 - erf(x), elsewhere e^(-t^2) erfcx(t) with t = |x|, or 2
  // minus that below 0. From the bound on that rounds to 0.
  Value t = buildBoundedMagnitude(b, x, b.isF64() ? 28 : 10.5);
  Value square = b.mul(t, t);
  // The rounding error of the square would be one of the exponential.
  Value error = b.fma(t, t, b.neg(square));
  Value exp = buildExpOfSum(b, b.neg(square), b.neg(error));
  Value scaled = b.mul(buildScaledComplement(b, t, /*scale=*/1),
                       b.constant(1.41421356237309504880));
  Value tail = b.mul(b.div(scaled, t), exp);
  Value outer =
      b.select(b.less(x, b.constant(0)), b.sub(b.constant(2), tail), tail);
  Value center = b.sub(b.constant(1), buildCenter(b, x));
  return b.select(isNearZero(b, x), center, outer);
}

Value job::buildGelu(const KernelBuilder &b, Value x) {
  // Near 0 this is x/2 (1 + erf(x / sqrt(2))). Elsewhere, with y = |x| and the
  // tail Q = e^(-y^2 / 2) erfcx(y / sqrt(2)) / 2 of the distribution, it is
  // -y Q below 0 and x - x Q above: no difference of near numbers occurs, so
  // that small results far below 0 keep their relative precision. From the
  // bound on Q rounds to 0.
  constexpr double sqrtHalf = 0.70710678118654752440;
  Value scaledX = b.mul(x, b.constant(sqrtHalf));
  Value halfX = b.mul(x, b.constant(0.5));
  Value center = b.mul(halfX, b.add(b.constant(1), buildCenter(b, scaledX)));

  Value y = buildBoundedMagnitude(b, x, b.isF64() ? 39 : 15);
  // The rounding error of the square would be one of the exponential.
  Value square = b.mul(y, y);
  Value error = b.fma(y, y, b.neg(square));
  Value half = b.constant(-0.5);
  Value exp = buildExpOfSum(b, b.mul(half, square), b.mul(half, error));
  Value tail = b.neg(b.mul(buildScaledComplement(b, y, sqrtHalf), exp));
  Value outer = b.select(b.less(x, b.constant(0)), tail, b.add(x, tail));
  return b.select(isNearZero(b, scaledX), center, outer);
}

Value job::buildGeluSlope(const KernelBuilder &b, Value x) {
  // Phi(x) + x phi(x) with the distribution's density
  // phi(x) = e^(-x^2 / 2) / sqrt(2 pi). From the bound on it rounds to 0 or 1,
  // and an infinite x would be multiplied with 0.
  Value y = b.make<math::CopySignOp>(
      buildBoundedMagnitude(b, x, b.isF64() ? 39 : 15), x);
  Value half = b.constant(0.5);
  Value erf = buildErf(b, b.mul(y, b.constant(0.70710678118654752440)));
  Value distribution = b.fma(erf, half, half);
  Value exp = buildExp(b, b.mul(b.mul(y, y), b.constant(-0.5)));
  Value density = b.mul(exp, b.constant(0.39894228040143267794));
  return b.fma(y, density, distribution);
}
