//===- Elementwise.cpp - Gradients of elementwise ops ---------------------===//
//
// Where a function has no derivative (a kink, a tie) the gradient is the one
// that the op's description names.
//
//===----------------------------------------------------------------------===//

#include "Gradient.h"

#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::job;

//===----------------------------------------------------------------------===//
// Of one operand
//===----------------------------------------------------------------------===//

static void negGradient(NegOp op, Gradient &gradient) {
  gradient.set(0, gradient.create<NegOp>(gradient.get()));
}

/// g * sign(x).
static void absGradient(AbsOp op, Gradient &gradient) {
  Value x = op.getOperand(), zero = gradient.splat(x, 0);
  Value isZero = gradient.create<CompareOp>(ComparePredicate::EQ, x, zero);
  Value isNegative = gradient.create<CompareOp>(ComparePredicate::LT, x, zero);
  Value negated = gradient.create<NegOp>(gradient.get());
  Value other = gradient.create<SelectOp>(isNegative, negated, gradient.get());
  gradient.set(0, gradient.create<SelectOp>(isZero, zero, other));
}

static void expGradient(ExpOp op, Gradient &gradient) {
  gradient.set(0, gradient.create<MulOp>(gradient.get(), op.getResult()));
}

static void logGradient(LogOp op, Gradient &gradient) {
  gradient.set(0, gradient.create<DivOp>(gradient.get(), op.getOperand()));
}

/// g / (2 * y).
static void sqrtGradient(SqrtOp op, Gradient &gradient) {
  Value twice = gradient.create<AddOp>(op.getResult(), op.getResult());
  gradient.set(0, gradient.create<DivOp>(gradient.get(), twice));
}

/// g * -y^3 / 2.
static void rsqrtGradient(RsqrtOp op, Gradient &gradient) {
  Value y = gradient.wide(op.getResult());
  Value square = gradient.create<MulOp>(y, y);
  Value cube = gradient.create<MulOp>(square, y);
  Value factor = gradient.create<MulOp>(cube, gradient.splat(y, -0.5));
  gradient.set(0, gradient.create<MulOp>(gradient.getWide(), factor));
}

static void cosGradient(CosOp op, Gradient &gradient) {
  Value sine = gradient.create<SinOp>(gradient.wide(op.getOperand()));
  Value product = gradient.create<MulOp>(gradient.getWide(), sine);
  gradient.set(0, gradient.create<NegOp>(product));
}

static void sinGradient(SinOp op, Gradient &gradient) {
  Value cosine = gradient.create<CosOp>(gradient.wide(op.getOperand()));
  gradient.set(0, gradient.create<MulOp>(gradient.getWide(), cosine));
}

/// g * (1 - y^2).
static void tanhGradient(TanhOp op, Gradient &gradient) {
  Value y = gradient.wide(op.getResult());
  Value square = gradient.create<MulOp>(y, y);
  Value factor = gradient.create<SubOp>(gradient.splat(y, 1), square);
  gradient.set(0, gradient.create<MulOp>(gradient.getWide(), factor));
}

/// g * y * (1 - y).
static void sigmoidGradient(SigmoidOp op, Gradient &gradient) {
  Value y = gradient.wide(op.getResult());
  Value other = gradient.create<SubOp>(gradient.splat(y, 1), y);
  Value factor = gradient.create<MulOp>(y, other);
  gradient.set(0, gradient.create<MulOp>(gradient.getWide(), factor));
}

/// Asks the result, so that the operand need not be kept for it.
static void reluGradient(ReluOp op, Gradient &gradient) {
  Value y = op.getResult(), zero = gradient.splat(y, 0);
  Value isPositive = gradient.create<CompareOp>(ComparePredicate::GT, y, zero);
  gradient.set(0, gradient.create<SelectOp>(isPositive, gradient.get(), zero));
}

/// g * 2 / sqrt(pi) * e^(-x^2).
static void erfGradient(ErfOp op, Gradient &gradient) {
  Value x = gradient.wide(op.getOperand());
  Value exponent = gradient.create<NegOp>(gradient.create<MulOp>(x, x));
  Value slope =
      gradient.create<MulOp>(gradient.create<ExpOp>(exponent),
                             gradient.splat(x, 2 * llvm::numbers::inv_sqrtpi));
  gradient.set(0, gradient.create<MulOp>(gradient.getWide(), slope));
}

static void geluGradient(GeluOp op, Gradient &gradient) {
  gradient.set(0, gradient.create<GeluGradOp>(gradient.get(), op.getOperand(),
                                              op.getApproximate()));
}

/// g * (y + 1).
static void expm1Gradient(Expm1Op op, Gradient &gradient) {
  Value y = gradient.wide(op.getResult());
  Value slope = gradient.create<AddOp>(y, gradient.splat(y, 1));
  gradient.set(0, gradient.create<MulOp>(gradient.getWide(), slope));
}

/// g / (x + 1).
static void log1pGradient(Log1pOp op, Gradient &gradient) {
  Value x = gradient.wide(op.getOperand());
  Value sum = gradient.create<AddOp>(x, gradient.splat(x, 1));
  gradient.set(0, gradient.create<DivOp>(gradient.getWide(), sum));
}

/// Of a step function: zero, which is what no answer means.
template <typename OpTy> static void zeroGradient(OpTy, Gradient &) {}

/// g * sqrt(pi) / 2 * e^(y^2).
static void erfInvGradient(ErfInvOp op, Gradient &gradient) {
  Value y = gradient.wide(op.getResult());
  Value square = gradient.create<MulOp>(y, y);
  Value exponential = gradient.create<ExpOp>(square);
  Value factor = gradient.create<MulOp>(
      exponential, gradient.splat(y, std::sqrt(llvm::numbers::pi) / 2));
  gradient.set(0, gradient.create<MulOp>(gradient.getWide(), factor));
}

/// g * (y^2 + 1).
static void tanGradient(TanOp op, Gradient &gradient) {
  Value y = gradient.wide(op.getResult());
  Value square = gradient.create<MulOp>(y, y);
  Value slope = gradient.create<AddOp>(square, gradient.splat(y, 1));
  gradient.set(0, gradient.create<MulOp>(gradient.getWide(), slope));
}

/// (1 - x)(1 + x), which keeps its precision at 1 and -1.
static Value buildOneMinusSquare(Gradient &gradient, Value x) {
  Value one = gradient.splat(x, 1);
  return gradient.create<MulOp>(gradient.create<SubOp>(one, x),
                                gradient.create<AddOp>(one, x));
}

/// g / sqrt(1 - x^2).
static void asinGradient(AsinOp op, Gradient &gradient) {
  Value square = buildOneMinusSquare(gradient, gradient.wide(op.getOperand()));
  Value root = gradient.create<SqrtOp>(square);
  gradient.set(0, gradient.create<DivOp>(gradient.getWide(), root));
}

static void acosGradient(AcosOp op, Gradient &gradient) {
  Value square = buildOneMinusSquare(gradient, gradient.wide(op.getOperand()));
  Value root = gradient.create<SqrtOp>(square);
  Value quotient = gradient.create<DivOp>(gradient.getWide(), root);
  gradient.set(0, gradient.create<NegOp>(quotient));
}

/// x^2 + 1.
static Value buildOnePlusSquare(Gradient &gradient, Value x) {
  return gradient.create<AddOp>(gradient.create<MulOp>(x, x),
                                gradient.splat(x, 1));
}

static void atanGradient(AtanOp op, Gradient &gradient) {
  Value square = buildOnePlusSquare(gradient, gradient.wide(op.getOperand()));
  gradient.set(0, gradient.create<DivOp>(gradient.getWide(), square));
}

static void coshGradient(CoshOp op, Gradient &gradient) {
  Value sinh = gradient.create<SinhOp>(gradient.wide(op.getOperand()));
  gradient.set(0, gradient.create<MulOp>(gradient.getWide(), sinh));
}

static void sinhGradient(SinhOp op, Gradient &gradient) {
  Value cosh = gradient.create<CoshOp>(gradient.wide(op.getOperand()));
  gradient.set(0, gradient.create<MulOp>(gradient.getWide(), cosh));
}

/// g / (sqrt(x - 1) sqrt(x + 1)), of which no part overflows.
static void acoshGradient(AcoshOp op, Gradient &gradient) {
  Value x = gradient.wide(op.getOperand()), one = gradient.splat(x, 1);
  Value less = gradient.create<SqrtOp>(gradient.create<SubOp>(x, one));
  Value more = gradient.create<SqrtOp>(gradient.create<AddOp>(x, one));
  Value root = gradient.create<MulOp>(less, more);
  gradient.set(0, gradient.create<DivOp>(gradient.getWide(), root));
}

/// sqrt(a^2 + b^2) as max sqrt(1 + (min / max)^2): no square overflows, nor
/// vanishes. NaN if both are 0.
static Value buildHypot(Gradient &gradient, Value a, Value b) {
  Value x = gradient.create<AbsOp>(a), y = gradient.create<AbsOp>(b);
  Value larger = gradient.create<MaximumOp>(x, y);
  Value ratio =
      gradient.create<DivOp>(gradient.create<MinimumOp>(x, y), larger);
  Value root = gradient.create<SqrtOp>(buildOnePlusSquare(gradient, ratio));
  return gradient.create<MulOp>(larger, root);
}

/// g / sqrt(x^2 + 1).
static void asinhGradient(AsinhOp op, Gradient &gradient) {
  Value x = gradient.wide(op.getOperand());
  Value root = buildHypot(gradient, x, gradient.splat(x, 1));
  gradient.set(0, gradient.create<DivOp>(gradient.getWide(), root));
}

/// g / (1 - x^2).
static void atanhGradient(AtanhOp op, Gradient &gradient) {
  Value square = buildOneMinusSquare(gradient, gradient.wide(op.getOperand()));
  gradient.set(0, gradient.create<DivOp>(gradient.getWide(), square));
}

/// The negative of the gradient of erf.
static void erfcGradient(ErfcOp op, Gradient &gradient) {
  Value x = gradient.wide(op.getOperand());
  Value exponent = gradient.create<NegOp>(gradient.create<MulOp>(x, x));
  Value slope =
      gradient.create<MulOp>(gradient.create<ExpOp>(exponent),
                             gradient.splat(x, -2 * llvm::numbers::inv_sqrtpi));
  gradient.set(0, gradient.create<MulOp>(gradient.getWide(), slope));
}

static void lgammaGradient(LgammaOp op, Gradient &gradient) {
  Value slope = gradient.create<DigammaOp>(gradient.wide(op.getOperand()));
  gradient.set(0, gradient.create<MulOp>(gradient.getWide(), slope));
}

/// Only casts from float to float are asked.
static void castGradient(CastOp op, Gradient &gradient) {
  gradient.set(
      0, gradient.create<CastOp>(op.getOperand().getType(), gradient.get()));
}

//===----------------------------------------------------------------------===//
// Of two operands
//===----------------------------------------------------------------------===//

static void addGradient(AddOp op, Gradient &gradient) {
  for (unsigned index : {0, 1})
    if (gradient.isNeeded(index))
      gradient.set(index, gradient.get());
}

static void subGradient(SubOp op, Gradient &gradient) {
  if (gradient.isNeeded(0))
    gradient.set(0, gradient.get());
  if (gradient.isNeeded(1))
    gradient.set(1, gradient.create<NegOp>(gradient.get()));
}

static void mulGradient(MulOp op, Gradient &gradient) {
  if (gradient.isNeeded(0))
    gradient.set(0, gradient.create<MulOp>(gradient.get(), op.getRhs()));
  if (gradient.isNeeded(1))
    gradient.set(1, gradient.create<MulOp>(gradient.get(), op.getLhs()));
}

/// g / b, and -(g / b) * (a / b).
static void divGradient(DivOp op, Gradient &gradient) {
  Value grad = gradient.getWide(), rhs = gradient.wide(op.getRhs());
  Value quotient = gradient.create<DivOp>(grad, rhs);
  if (gradient.isNeeded(0))
    gradient.set(0, quotient);
  if (!gradient.isNeeded(1))
    return;
  Value product =
      gradient.create<MulOp>(quotient, gradient.wide(op.getResult()));
  gradient.set(1, gradient.create<NegOp>(product));
}

/// The side that `predicate` names gets the gradient, the other one zero.
template <typename OpTy, ComparePredicate predicate>
static void extremumGradient(OpTy op, Gradient &gradient) {
  Value zero = gradient.splat(op.getResult(), 0);
  Value isLhs = gradient.create<CompareOp>(predicate, op.getLhs(), op.getRhs());
  if (gradient.isNeeded(0))
    gradient.set(0, gradient.create<SelectOp>(isLhs, gradient.get(), zero));
  if (gradient.isNeeded(1))
    gradient.set(1, gradient.create<SelectOp>(isLhs, zero, gradient.get()));
}

/// y * x^(y-1), and 0 where y is 0: x^-1 may be infinite.
static Value powBaseDerivative(PowOp op, Gradient &gradient) {
  Value x = gradient.wide(op.getLhs()), y = gradient.wide(op.getRhs());
  auto constant = op.getRhs().getDefiningOp<ConstantOp>();
  std::optional<double> exponent =
      constant ? constant.getSplat() : std::nullopt;
  // Either y itself.
  if (exponent && (*exponent == 0 || *exponent == 1))
    return y;
  if (exponent) {
    Value power = gradient.create<PowOp>(x, gradient.splat(y, *exponent - 1));
    return gradient.create<MulOp>(power, y);
  }
  Value zero = gradient.splat(y, 0);
  Value power = gradient.create<PowOp>(
      x, gradient.create<SubOp>(y, gradient.splat(y, 1)));
  Value isZero = gradient.create<CompareOp>(ComparePredicate::EQ, y, zero);
  return gradient.create<SelectOp>(isZero, zero,
                                   gradient.create<MulOp>(y, power));
}

/// x^y * ln x, and 0 at x = 0, its limit. NaN below 0, where the power is
/// defined for integers only.
static Value powExponentDerivative(PowOp op, Gradient &gradient) {
  Value x = gradient.wide(op.getLhs());
  Value isZero =
      gradient.create<CompareOp>(ComparePredicate::EQ, x, gradient.splat(x, 0));
  Value safe = gradient.create<SelectOp>(isZero, gradient.splat(x, 1), x);
  return gradient.create<MulOp>(gradient.wide(op.getResult()),
                                gradient.create<LogOp>(safe));
}

static void powGradient(PowOp op, Gradient &gradient) {
  if (gradient.isNeeded(0))
    gradient.set(0, gradient.create<MulOp>(gradient.getWide(),
                                           powBaseDerivative(op, gradient)));
  if (gradient.isNeeded(1))
    gradient.set(1,
                 gradient.create<MulOp>(gradient.getWide(),
                                        powExponentDerivative(op, gradient)));
}

/// g * b / (a^2 + b^2), and -g * a / (a^2 + b^2).
static void atan2Gradient(Atan2Op op, Gradient &gradient) {
  Value a = gradient.wide(op.getLhs()), b = gradient.wide(op.getRhs());
  Value root = buildHypot(gradient, a, b);
  Value quotient = gradient.create<DivOp>(gradient.getWide(), root);
  auto build = [&](Value value) {
    return gradient.create<MulOp>(quotient,
                                  gradient.create<DivOp>(value, root));
  };
  if (gradient.isNeeded(0))
    gradient.set(0, build(b));
  if (gradient.isNeeded(1))
    gradient.set(1, gradient.create<NegOp>(build(a)));
}

/// g, and -g * floor(a / b).
static void modGradient(ModOp op, Gradient &gradient) {
  if (gradient.isNeeded(0))
    gradient.set(0, gradient.get());
  if (!gradient.isNeeded(1))
    return;
  Value quotient = gradient.create<FloorDivOp>(gradient.wide(op.getLhs()),
                                               gradient.wide(op.getRhs()));
  Value product = gradient.create<MulOp>(gradient.getWide(), quotient);
  gradient.set(1, gradient.create<NegOp>(product));
}

static void selectGradient(SelectOp op, Gradient &gradient) {
  Value zero = gradient.splat(op.getResult(), 0);
  Value condition = op.getCondition();
  if (gradient.isNeeded(1))
    gradient.set(1, gradient.create<SelectOp>(condition, gradient.get(), zero));
  if (gradient.isNeeded(2))
    gradient.set(2, gradient.create<SelectOp>(condition, zero, gradient.get()));
}

void job::attachElementwiseGradients(MLIRContext &context) {
  attachGradient<NegOp, negGradient>(context);
  attachGradient<AbsOp, absGradient>(context);
  attachGradient<ExpOp, expGradient>(context);
  attachGradient<LogOp, logGradient>(context);
  attachGradient<SqrtOp, sqrtGradient>(context);
  attachGradient<RsqrtOp, rsqrtGradient>(context);
  attachGradient<CosOp, cosGradient>(context);
  attachGradient<SinOp, sinGradient>(context);
  attachGradient<TanhOp, tanhGradient>(context);
  attachGradient<SigmoidOp, sigmoidGradient>(context);
  attachGradient<ReluOp, reluGradient>(context);
  attachGradient<ErfOp, erfGradient>(context);
  attachGradient<GeluOp, geluGradient>(context);
  attachGradient<Expm1Op, expm1Gradient>(context);
  attachGradient<Log1pOp, log1pGradient>(context);
  attachGradient<FloorOp, zeroGradient<FloorOp>>(context);
  attachGradient<CeilOp, zeroGradient<CeilOp>>(context);
  attachGradient<RoundOp, zeroGradient<RoundOp>>(context);
  attachGradient<SignOp, zeroGradient<SignOp>>(context);
  attachGradient<StopGradientOp, zeroGradient<StopGradientOp>>(context);
  attachGradient<ErfInvOp, erfInvGradient>(context);
  attachGradient<TanOp, tanGradient>(context);
  attachGradient<AcosOp, acosGradient>(context);
  attachGradient<AsinOp, asinGradient>(context);
  attachGradient<AtanOp, atanGradient>(context);
  attachGradient<CoshOp, coshGradient>(context);
  attachGradient<SinhOp, sinhGradient>(context);
  attachGradient<AcoshOp, acoshGradient>(context);
  attachGradient<AsinhOp, asinhGradient>(context);
  attachGradient<AtanhOp, atanhGradient>(context);
  attachGradient<ErfcOp, erfcGradient>(context);
  attachGradient<LgammaOp, lgammaGradient>(context);
  attachGradient<CastOp, castGradient>(context);
  attachGradient<AddOp, addGradient>(context);
  attachGradient<SubOp, subGradient>(context);
  attachGradient<MulOp, mulGradient>(context);
  attachGradient<DivOp, divGradient>(context);
  attachGradient<MaximumOp, extremumGradient<MaximumOp, ComparePredicate::GE>>(
      context);
  attachGradient<MinimumOp, extremumGradient<MinimumOp, ComparePredicate::LE>>(
      context);
  attachGradient<PowOp, powGradient>(context);
  attachGradient<Atan2Op, atan2Gradient>(context);
  attachGradient<FloorDivOp, zeroGradient<FloorDivOp>>(context);
  attachGradient<ModOp, modGradient>(context);
  attachGradient<SelectOp, selectGradient>(context);
}
