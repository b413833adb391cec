//===- Elementwise.cpp - Reference of the elementwise ops -----------------===//

#include "JobDialect/Reference/Numerics.h"
#include "Models.h"

#include "llvm/ADT/APFloat.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

using namespace mlir;
using namespace mlir::job;

//===----------------------------------------------------------------------===//
// Scalar functions
//===----------------------------------------------------------------------===//

// Integers go through uint64_t, whose overflow is defined; the tensor wraps the
// result to its width.

static double neg(double x) { return -x; }
static uint64_t negInt(uint64_t x) { return -x; }
static double absolute(double x) { return std::abs(x); }
static uint64_t absoluteInt(uint64_t x) {
  return static_cast<int64_t>(x) < 0 ? -x : x;
}
static double exponential(double x) { return std::exp(x); }
static double logarithm(double x) { return std::log(x); }
static double squareRoot(double x) { return std::sqrt(x); }
static double reciprocalRoot(double x) { return 1 / std::sqrt(x); }
static double cosine(double x) { return std::cos(x); }
static double sine(double x) { return std::sin(x); }
static double hyperbolicTangent(double x) { return std::tanh(x); }
static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
static double errorFunction(double x) { return std::erf(x); }
/// The complement keeps its precision far below 0, and has a limit there.
static double gelu(double x) {
  if (x == -std::numeric_limits<double>::infinity())
    return -0.0;
  return x / 2 * std::erfc(-x / std::numbers::sqrt2);
}
static double geluSlope(double x) {
  if (std::isinf(x))
    return x > 0;
  return std::erfc(-x / std::numbers::sqrt2) / 2 +
         x * std::exp(-x * x / 2) * std::numbers::inv_sqrtpi /
             std::numbers::sqrt2;
}
/// The argument of the hyperbolic tangent.
static double geluTangentArgument(double x) {
  return std::numbers::sqrt2 * std::numbers::inv_sqrtpi *
         (x + 0.044715 * x * x * x);
}
/// (1 + tanh u) / 2 is the logistic function of 2u, which keeps its precision
/// far below 0.
static double geluTanh(double x) {
  if (x == -std::numeric_limits<double>::infinity())
    return -0.0;
  return x * sigmoid(2 * geluTangentArgument(x));
}
static double geluTanhSlope(double x) {
  double u = geluTangentArgument(x);
  // That of -2u is 1 less that of 2u, without a difference of near numbers.
  double bell = sigmoid(2 * u) * sigmoid(-2 * u);
  if (bell == 0)
    return sigmoid(2 * u);
  return sigmoid(2 * u) + 2 * x * bell * std::numbers::sqrt2 *
                              std::numbers::inv_sqrtpi *
                              (1 + 3 * 0.044715 * x * x);
}
static double exponentialMinus1(double x) { return std::expm1(x); }
static double logarithm1Plus(double x) { return std::log1p(x); }
static double identity(double x) { return x; }
static double tangent(double x) { return std::tan(x); }
static double arcCosine(double x) { return std::acos(x); }
static double arcSine(double x) { return std::asin(x); }
static double arcTangent(double x) { return std::atan(x); }
static double hyperbolicCosine(double x) { return std::cosh(x); }
static double hyperbolicSine(double x) { return std::sinh(x); }
static double inverseCosh(double x) { return std::acosh(x); }
static double inverseSinh(double x) { return std::asinh(x); }
static double inverseTanh(double x) { return std::atanh(x); }
static double errorComplement(double x) { return std::erfc(x); }
static double logGamma(double x) { return std::lgamma(x); }
static double nextBelow(double x) { return std::floor(x); }
static double nextAbove(double x) { return std::ceil(x); }
/// To even in the middle, which is the mode of a program that sets none.
static double nearest(double x) { return std::nearbyint(x); }
static double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }
static uint64_t signInt(uint64_t x) {
  return static_cast<int64_t>(x) > 0 ? 1 : x == 0 ? 0 : -1;
}
static uint64_t logicalNot(uint64_t x) { return x ^ 1; }
static double relu(double x) { return x > 0 || std::isnan(x) ? x : 0; }

static double add(double x, double y) { return x + y; }
static uint64_t addInt(uint64_t x, uint64_t y) { return x + y; }
static double sub(double x, double y) { return x - y; }
static uint64_t subInt(uint64_t x, uint64_t y) { return x - y; }
static double mul(double x, double y) { return x * y; }
static uint64_t mulInt(uint64_t x, uint64_t y) { return x * y; }
static double quotient(double x, double y) { return x / y; }
static double maximum(double x, double y) {
  if (std::isnan(x) || std::isnan(y))
    return std::numeric_limits<double>::quiet_NaN();
  if (x == y) // 0 is the larger of 0 and -0.
    return std::signbit(x) ? y : x;
  return x > y ? x : y;
}
static uint64_t maximumInt(uint64_t x, uint64_t y) {
  return std::max<int64_t>(x, y);
}
static double minimum(double x, double y) { return -maximum(-x, -y); }
static uint64_t minimumInt(uint64_t x, uint64_t y) {
  return std::min<int64_t>(x, y);
}
static double arcTangent2(double x, double y) { return std::atan2(x, y); }
/// The remainder of C has the sign of x.
static double floorMod(double x, double y) {
  double rest = std::fmod(x, y);
  return std::copysign(rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest, y);
}
static double floorQuotient(double x, double y) {
  double quotient = std::floor(x / y);
  if (std::isinf(x) && y != 0)
    return std::numeric_limits<double>::quiet_NaN();
  if (std::isinf(y) && std::isfinite(x))
    return x != 0 && (x < 0) != (y < 0) ? -1 : 0;
  // The quotient may have been rounded up to an integer.
  double rest = std::fma(-quotient, y, x);
  return (y > 0 ? rest < 0 : rest > 0) ? quotient - 1 : quotient;
}
static uint64_t floorModInt(uint64_t x, uint64_t y) {
  auto dividend = static_cast<int64_t>(x), divisor = static_cast<int64_t>(y);
  // The least integer has no quotient by -1.
  if (divisor == 0 || divisor == -1)
    return 0;
  int64_t rest = dividend % divisor;
  return rest != 0 && (rest < 0) != (divisor < 0) ? rest + divisor : rest;
}
static uint64_t floorQuotientInt(uint64_t x, uint64_t y) {
  auto dividend = static_cast<int64_t>(x), divisor = static_cast<int64_t>(y);
  if (divisor == 0)
    return 0;
  if (divisor == -1)
    return -x;
  bool isRounded = dividend % divisor != 0 && (dividend < 0) != (divisor < 0);
  return dividend / divisor - isRounded;
}
static uint64_t logicalAnd(uint64_t x, uint64_t y) { return x & y; }
static uint64_t logicalOr(uint64_t x, uint64_t y) { return x | y; }
static double power(double x, double y) { return std::pow(x, y); }

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// A unary op of floats where `onFloat` is given, and of integers where `onInt`
/// is.
template <typename Op, auto onFloat, auto onInt = nullptr>
static LogicalResult computeUnary(Op, ReferenceOperands operands,
                                  ReferenceResults results) {
  const ReferenceTensor &x = *operands[0];
  for (int64_t i = 0, e = x.getNumElements(); i < e; ++i) {
    if (x.isFloat()) {
      if constexpr (onFloat != nullptr)
        results[0].getFloats()[i] = onFloat(x.getFloats()[i]);
    } else if constexpr (onInt != nullptr) {
      results[0].setInteger(i, onInt(x.getIntegers()[i]));
    }
  }
  return success();
}

/// The same of two operands.
template <typename Op, auto onFloat, auto onInt = nullptr>
static LogicalResult computeBinary(Op, ReferenceOperands operands,
                                   ReferenceResults results) {
  const ReferenceTensor &x = *operands[0], &y = *operands[1];
  for (int64_t i = 0, e = x.getNumElements(); i < e; ++i) {
    if (x.isFloat()) {
      if constexpr (onFloat != nullptr)
        results[0].getFloats()[i] = onFloat(x.getFloats()[i], y.getFloats()[i]);
    } else if constexpr (onInt != nullptr) {
      results[0].setInteger(i, onInt(x.getIntegers()[i], y.getIntegers()[i]));
    }
  }
  return success();
}

static LogicalResult computeGelu(GeluOp op, ReferenceOperands operands,
                                 ReferenceResults results) {
  bool isTanh = op.getApproximate() == GeluApproximation::Tanh;
  const ReferenceTensor &x = *operands[0];
  for (int64_t i = 0, e = x.getNumElements(); i < e; ++i)
    results[0].getFloats()[i] = (isTanh ? geluTanh : gelu)(x.getFloats()[i]);
  return success();
}

static LogicalResult computeGeluGrad(GeluGradOp op, ReferenceOperands operands,
                                     ReferenceResults results) {
  bool isTanh = op.getApproximate() == GeluApproximation::Tanh;
  const ReferenceTensor &grad = *operands[0], &x = *operands[1];
  for (int64_t i = 0, e = x.getNumElements(); i < e; ++i)
    results[0].getFloats()[i] =
        grad.getFloats()[i] *
        (isTanh ? geluTanhSlope : geluSlope)(x.getFloats()[i]);
  return success();
}

template <typename Number>
static bool compare(ComparePredicate predicate, Number x, Number y) {
  switch (predicate) {
  case ComparePredicate::EQ:
    return x == y;
  case ComparePredicate::NE:
    return x != y;
  case ComparePredicate::LT:
    return x < y;
  case ComparePredicate::LE:
    return x <= y;
  case ComparePredicate::GT:
    return x > y;
  case ComparePredicate::GE:
    return x >= y;
  }
  llvm_unreachable("no such comparison");
}

static LogicalResult computeCompare(CompareOp op, ReferenceOperands operands,
                                    ReferenceResults results) {
  const ReferenceTensor &x = *operands[0], &y = *operands[1];
  for (int64_t i = 0, e = x.getNumElements(); i < e; ++i)
    results[0].setInteger(
        i, x.isFloat()
               ? compare(op.getPredicate(), x.getFloats()[i], y.getFloats()[i])
               : compare(op.getPredicate(), x.getIntegers()[i],
                         y.getIntegers()[i]));
  return success();
}

static LogicalResult computeSelect(SelectOp, ReferenceOperands operands,
                                   ReferenceResults results) {
  for (int64_t i = 0, e = results[0].getNumElements(); i < e; ++i) {
    const ReferenceTensor &chosen =
        *operands[operands[0]->getIntegers()[i] ? 1 : 2];
    if (chosen.isFloat())
      results[0].getFloats()[i] = chosen.getFloats()[i];
    else
      results[0].setInteger(i, chosen.getIntegers()[i]);
  }
  return success();
}

/// A float as an integer of `width` bits: without its fraction, saturated.
static int64_t castToInteger(double value, unsigned width, bool isUnsigned) {
  if (std::isnan(value))
    return 0;
  if (isUnsigned)
    return static_cast<int64_t>(
        std::clamp(value, 0.0, std::ldexp(1.0, width) - 1));
  double limit = std::ldexp(1.0, width - 1);
  if (value >= limit)
    return llvm::maxIntN(width);
  if (value < -limit)
    return llvm::minIntN(width);
  return static_cast<int64_t>(value);
}

/// An integer as a float: rounded once, to the float's own precision.
static double castToFloat(int64_t value, Type type) {
  APFloat number(cast<FloatType>(type).getFloatSemantics());
  number.convertFromAPInt(APInt(64, value, /*isSigned=*/true),
                          /*IsSigned=*/true, APFloat::rmNearestTiesToEven);
  return number.convertToDouble();
}

static LogicalResult computeCast(CastOp op, ReferenceOperands operands,
                                 ReferenceResults results) {
  const ReferenceTensor &from = *operands[0];
  ReferenceTensor &to = results[0];
  unsigned width = to.getType().getElementTypeBitWidth();
  for (int64_t i = 0, e = from.getNumElements(); i < e; ++i) {
    if (to.isFloat())
      to.getFloats()[i] = from.isFloat()
                              ? from.getFloats()[i]
                              : castToFloat(from.getIntegers()[i],
                                            to.getType().getElementType());
    else if (width == 1)
      to.setInteger(i, from.isFloat() ? from.getFloats()[i] != 0
                                      : from.getIntegers()[i] != 0);
    else
      to.setInteger(
          i,
          from.isFloat()
              ? castToInteger(from.getFloats()[i], width,
                              to.getType().getElementType().isUnsignedInteger())
              : from.getIntegers()[i]);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

template <typename Op, auto... functions>
static void attachUnary(MLIRContext *context) {
  Op::template attachInterface<
      ReferenceModel<Op, computeUnary<Op, functions...>>>(*context);
}

template <typename Op, auto... functions>
static void attachBinary(MLIRContext *context) {
  Op::template attachInterface<
      ReferenceModel<Op, computeBinary<Op, functions...>>>(*context);
}

void job::attachElementwiseReferences(MLIRContext *context) {
  attachUnary<NegOp, neg, negInt>(context);
  attachUnary<AbsOp, absolute, absoluteInt>(context);
  attachUnary<ExpOp, exponential>(context);
  attachUnary<LogOp, logarithm>(context);
  attachUnary<SqrtOp, squareRoot>(context);
  attachUnary<RsqrtOp, reciprocalRoot>(context);
  attachUnary<CosOp, cosine>(context);
  attachUnary<SinOp, sine>(context);
  attachUnary<TanhOp, hyperbolicTangent>(context);
  attachUnary<SigmoidOp, sigmoid>(context);
  attachUnary<ReluOp, relu>(context);
  attachUnary<ErfOp, errorFunction>(context);
  GeluOp::attachInterface<ReferenceModel<GeluOp, computeGelu>>(*context);
  GeluGradOp::attachInterface<ReferenceModel<GeluGradOp, computeGeluGrad>>(
      *context);
  attachUnary<Expm1Op, exponentialMinus1>(context);
  attachUnary<Log1pOp, logarithm1Plus>(context);
  attachUnary<StopGradientOp, identity>(context);
  attachUnary<FloorOp, nextBelow>(context);
  attachUnary<CeilOp, nextAbove>(context);
  attachUnary<RoundOp, nearest>(context);
  attachUnary<SignOp, sign, signInt>(context);
  attachUnary<LogicalNotOp, nullptr, logicalNot>(context);
  attachUnary<ErfInvOp, erfInv>(context);
  attachUnary<TanOp, tangent>(context);
  attachUnary<AcosOp, arcCosine>(context);
  attachUnary<AsinOp, arcSine>(context);
  attachUnary<AtanOp, arcTangent>(context);
  attachUnary<CoshOp, hyperbolicCosine>(context);
  attachUnary<SinhOp, hyperbolicSine>(context);
  attachUnary<AcoshOp, inverseCosh>(context);
  attachUnary<AsinhOp, inverseSinh>(context);
  attachUnary<AtanhOp, inverseTanh>(context);
  attachUnary<ErfcOp, errorComplement>(context);
  attachUnary<LgammaOp, logGamma>(context);
  attachUnary<DigammaOp, digamma>(context);
  attachBinary<AddOp, add, addInt>(context);
  attachBinary<SubOp, sub, subInt>(context);
  attachBinary<MulOp, mul, mulInt>(context);
  attachBinary<DivOp, quotient>(context);
  attachBinary<MaximumOp, maximum, maximumInt>(context);
  attachBinary<MinimumOp, minimum, minimumInt>(context);
  attachBinary<PowOp, power>(context);
  attachBinary<Atan2Op, arcTangent2>(context);
  attachBinary<FloorDivOp, floorQuotient, floorQuotientInt>(context);
  attachBinary<ModOp, floorMod, floorModInt>(context);
  attachBinary<LogicalAndOp, nullptr, logicalAnd>(context);
  attachBinary<LogicalOrOp, nullptr, logicalOr>(context);
  CompareOp::attachInterface<ReferenceModel<CompareOp, computeCompare>>(
      *context);
  SelectOp::attachInterface<ReferenceModel<SelectOp, computeSelect>>(*context);
  CastOp::attachInterface<ReferenceModel<CastOp, computeCast>>(*context);
}
