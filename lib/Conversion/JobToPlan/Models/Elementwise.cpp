//===- Elementwise.cpp - Kernels of elementwise ops -----------------------===//

#include "Models.h"

#include "JobDialect/Conversion/Math.h"
#include "JobDialect/IR/ElementTypes.h"
#include "JobDialect/IR/JobOps.h"

using namespace mlir;
using namespace mlir::job;

/// What the functions below compute with: the element type of the operands.
static KernelBuilder getBuilder(Operation *op, OpBuilder &builder,
                                ValueRange x) {
  return {builder, op->getLoc(), x.front().getType()};
}

static bool isFloat(Value value) { return isa<FloatType>(value.getType()); }

//===----------------------------------------------------------------------===//
// Unary ops
//===----------------------------------------------------------------------===//

static Value buildOp(NegOp, const KernelBuilder &b, ValueRange x) {
  if (isFloat(x[0]))
    return b.neg(x[0]);
  return b.sub(b.intConstant(x[0].getType(), 0), x[0]);
}

static Value buildOp(AbsOp, const KernelBuilder &b, ValueRange x) {
  return isFloat(x[0]) ? b.abs(x[0]) : b.make<math::AbsIOp>(x[0]);
}

static Value buildOp(ExpOp, const KernelBuilder &b, ValueRange x) {
  return buildExp(b, x[0]);
}
static Value buildOp(LogOp, const KernelBuilder &b, ValueRange x) {
  return buildLog(b, x[0]);
}
static Value buildOp(SqrtOp, const KernelBuilder &b, ValueRange x) {
  return b.make<math::SqrtOp>(x[0]);
}
static Value buildOp(RsqrtOp, const KernelBuilder &b, ValueRange x) {
  return b.div(b.constant(1), b.make<math::SqrtOp>(x[0]));
}
static Value buildOp(CosOp, const KernelBuilder &b, ValueRange x) {
  return buildCos(b, x[0]);
}
static Value buildOp(SinOp, const KernelBuilder &b, ValueRange x) {
  return buildSin(b, x[0]);
}
static Value buildOp(TanhOp, const KernelBuilder &b, ValueRange x) {
  return buildTanh(b, x[0]);
}
static Value buildOp(SigmoidOp, const KernelBuilder &b, ValueRange x) {
  return buildSigmoid(b, x[0]);
}
static Value buildOp(ErfOp, const KernelBuilder &b, ValueRange x) {
  return buildErf(b, x[0]);
}
static Value buildOp(GeluOp op, const KernelBuilder &b, ValueRange x) {
  return op.getApproximate() == GeluApproximation::Tanh ? buildGeluTanh(b, x[0])
                                                        : buildGelu(b, x[0]);
}
static Value buildOp(GeluGradOp op, const KernelBuilder &b, ValueRange x) {
  Value slope = op.getApproximate() == GeluApproximation::Tanh
                    ? buildGeluTanhSlope(b, x[1])
                    : buildGeluSlope(b, x[1]);
  return b.mul(x[0], slope);
}
static Value buildOp(Expm1Op, const KernelBuilder &b, ValueRange x) {
  return buildExpm1(b, x[0]);
}
static Value buildOp(Log1pOp, const KernelBuilder &b, ValueRange x) {
  return buildLog1p(b, x[0]);
}
static Value buildOp(FloorOp, const KernelBuilder &b, ValueRange x) {
  return b.make<math::FloorOp>(x[0]);
}
static Value buildOp(StopGradientOp, const KernelBuilder &, ValueRange x) {
  return x[0];
}
static Value buildOp(CeilOp, const KernelBuilder &b, ValueRange x) {
  return b.make<math::CeilOp>(x[0]);
}
static Value buildOp(RoundOp, const KernelBuilder &b, ValueRange x) {
  return b.make<math::RoundEvenOp>(x[0]);
}
static Value buildOp(ErfInvOp, const KernelBuilder &b, ValueRange x) {
  return buildErfInv(b, x[0]);
}
static Value buildOp(TanOp, const KernelBuilder &b, ValueRange x) {
  return buildTan(b, x[0]);
}
static Value buildOp(AcosOp, const KernelBuilder &b, ValueRange x) {
  return buildAcos(b, x[0]);
}
static Value buildOp(AsinOp, const KernelBuilder &b, ValueRange x) {
  return buildAsin(b, x[0]);
}
static Value buildOp(AtanOp, const KernelBuilder &b, ValueRange x) {
  return buildAtan(b, x[0]);
}
static Value buildOp(CoshOp, const KernelBuilder &b, ValueRange x) {
  return buildCosh(b, x[0]);
}
static Value buildOp(SinhOp, const KernelBuilder &b, ValueRange x) {
  return buildSinh(b, x[0]);
}
static Value buildOp(AcoshOp, const KernelBuilder &b, ValueRange x) {
  return buildAcosh(b, x[0]);
}
static Value buildOp(AsinhOp, const KernelBuilder &b, ValueRange x) {
  return buildAsinh(b, x[0]);
}
static Value buildOp(AtanhOp, const KernelBuilder &b, ValueRange x) {
  return buildAtanh(b, x[0]);
}
static Value buildOp(ErfcOp, const KernelBuilder &b, ValueRange x) {
  return buildErfc(b, x[0]);
}
static Value buildOp(LgammaOp, const KernelBuilder &b, ValueRange x) {
  return buildLgamma(b, x[0]);
}
static Value buildOp(DigammaOp, const KernelBuilder &b, ValueRange x) {
  return buildDigamma(b, x[0]);
}

static Value buildOp(ReluOp, const KernelBuilder &b, ValueRange x) {
  // NaN is not less than 0 and stays. One instruction on most machines.
  Value zero = b.constant(0);
  return b.select(b.less(x[0], zero), zero, x[0]);
}

static Value buildOp(SignOp, const KernelBuilder &b, ValueRange x) {
  Type type = x[0].getType();
  if (!isFloat(x[0])) {
    Value zero = b.intConstant(type, 0);
    Value isNegative = b.compare(arith::CmpIPredicate::slt, x[0], zero);
    Value isPositive = b.compare(arith::CmpIPredicate::sgt, x[0], zero);
    return b.select(isNegative, b.intConstant(type, -1),
                    b.select(isPositive, b.intConstant(type, 1), zero));
  }
  // What is neither below nor above 0 stays: zeros and NaN.
  Value zero = b.constant(0);
  return b.select(b.less(x[0], zero), b.constant(-1),
                  b.select(b.less(zero, x[0]), b.constant(1), x[0]));
}

static Value buildOp(LogicalNotOp, const KernelBuilder &b, ValueRange x) {
  return b.xorI(x[0], b.intConstant(x[0].getType(), 1));
}

//===----------------------------------------------------------------------===//
// Binary ops, comparison, selection
//===----------------------------------------------------------------------===//

template <typename FloatOp, typename IntOp>
static Value buildEither(const KernelBuilder &b, ValueRange x) {
  return isFloat(x[0]) ? b.make<FloatOp>(x[0], x[1])
                       : b.make<IntOp>(x[0], x[1]);
}

static Value buildOp(AddOp, const KernelBuilder &b, ValueRange x) {
  return buildEither<arith::AddFOp, arith::AddIOp>(b, x);
}
static Value buildOp(SubOp, const KernelBuilder &b, ValueRange x) {
  return buildEither<arith::SubFOp, arith::SubIOp>(b, x);
}
static Value buildOp(MulOp, const KernelBuilder &b, ValueRange x) {
  return buildEither<arith::MulFOp, arith::MulIOp>(b, x);
}
static Value buildOp(DivOp, const KernelBuilder &b, ValueRange x) {
  return b.div(x[0], x[1]);
}
static Value buildOp(MaximumOp, const KernelBuilder &b, ValueRange x) {
  return buildEither<arith::MaximumFOp, arith::MaxSIOp>(b, x);
}
static Value buildOp(MinimumOp, const KernelBuilder &b, ValueRange x) {
  return buildEither<arith::MinimumFOp, arith::MinSIOp>(b, x);
}
/// The exponent, if the power is a product that is as exact as the logarithm
/// and the exponential are.
static std::optional<int64_t> getNumFactors(PowOp op) {
  auto constant = op.getRhs().getDefiningOp<ConstantOp>();
  std::optional<double> exponent =
      constant ? constant.getSplat() : std::nullopt;
  if (!exponent || *exponent == 0 || *exponent != std::rint(*exponent))
    return std::nullopt;
  // Products of f32 are computed in f64.
  bool isF64 = op.getType().getElementType().isF64();
  double least = isF64 ? -1 : -16, most = isF64 ? 4 : 16;
  if (*exponent < least || *exponent > most)
    return std::nullopt;
  return static_cast<int64_t>(*exponent);
}
static Value buildOp(PowOp op, const KernelBuilder &b, ValueRange x) {
  if (std::optional<int64_t> exponent = getNumFactors(op))
    return buildPow(b, x[0], *exponent);
  return buildPow(b, x[0], x[1]);
}
static Value buildOp(Atan2Op, const KernelBuilder &b, ValueRange x) {
  return buildAtan2(b, x[0], x[1]);
}
static Value buildOp(FloorDivOp, const KernelBuilder &b, ValueRange x) {
  return buildFloorDiv(b, x[0], x[1]);
}
static Value buildOp(ModOp, const KernelBuilder &b, ValueRange x) {
  return buildMod(b, x[0], x[1]);
}

static Value buildOp(LogicalAndOp, const KernelBuilder &b, ValueRange x) {
  return b.andI(x[0], x[1]);
}
static Value buildOp(LogicalOrOp, const KernelBuilder &b, ValueRange x) {
  return b.orI(x[0], x[1]);
}

static Value buildOp(CompareOp op, const KernelBuilder &b, ValueRange x) {
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  std::pair<F, I> predicate;
  switch (op.getPredicate()) {
  case ComparePredicate::EQ:
    predicate = {F::OEQ, I::eq};
    break;
  case ComparePredicate::NE:
    predicate = {F::UNE, I::ne};
    break;
  case ComparePredicate::LT:
    predicate = {F::OLT, I::slt};
    break;
  case ComparePredicate::LE:
    predicate = {F::OLE, I::sle};
    break;
  case ComparePredicate::GT:
    predicate = {F::OGT, I::sgt};
    break;
  case ComparePredicate::GE:
    predicate = {F::OGE, I::sge};
    break;
  }
  return isFloat(x[0]) ? b.compare(predicate.first, x[0], x[1])
                       : b.compare(predicate.second, x[0], x[1]);
}

static Value buildOp(SelectOp, const KernelBuilder &b, ValueRange x) {
  return b.select(x[0], x[1], x[2]);
}

//===----------------------------------------------------------------------===//
// Cast
//===----------------------------------------------------------------------===//

/// Saturating, NaN to 0: the conversion itself is poison out of range, so it
/// sees only values in range.
static Value buildFloatToInt(const KernelBuilder &b, Value x, Type target) {
  unsigned width = target.getIntOrFloatBitWidth();
  Value limit = b.constant(std::ldexp(1.0, width - 1));
  Value lowest = b.neg(limit);
  Value tooLow = b.less(x, lowest);
  Value tooHigh = b.compare(arith::CmpFPredicate::OGE, x, limit);
  // Neither holds for NaN, and both comparisons below do.
  Value inRange = b.make<arith::AndIOp>(
      b.compare(arith::CmpFPredicate::OGE, x, lowest), b.less(x, limit));
  Value safe = b.select(inRange, x, b.constant(0));
  Value converted = b.make<arith::FPToSIOp>(target, safe);
  int64_t minimum = std::numeric_limits<int64_t>::min() >> (64 - width);
  converted = b.select(tooLow, b.intConstant(target, minimum), converted);
  return b.select(tooHigh, b.intConstant(target, ~minimum), converted);
}

/// A number as one of the type that ops compute with.
static Value buildWidened(const KernelBuilder &b, Value x, Type source) {
  Type wide = getComputeType(source);
  if (wide == source)
    return x;
  return isa<FloatType>(source) ? b.make<arith::ExtFOp>(wide, x)
                                : b.make<arith::ExtUIOp>(wide, x);
}

/// An integer that a float with so many bits of significand holds: `x`, or one
/// near it that is rounded to a float of 16 bits as `x` is. Its last bits,
/// which are then too many, only say whether they are all zero; the first of
/// them does that.
static Value buildHeldInt(const KernelBuilder &b, Value x, unsigned precision) {
  Type type = x.getType();
  unsigned numRest = type.getIntOrFloatBitWidth() - precision;
  auto constant = [&](int64_t value) { return b.intConstant(type, value); };
  Value rest = b.andI(x, constant((int64_t(1) << numRest) - 1));
  Value hasRest = b.compare(arith::CmpIPredicate::ne, rest, constant(0));
  Value first = constant(int64_t(1) << (numRest - 1));
  Value kept = b.orI(b.sub(x, rest), b.select(hasRest, first, constant(0)));
  Value offset = b.add(x, constant(int64_t(1) << precision));
  Value isHeld = b.compare(arith::CmpIPredicate::ule, offset,
                           constant(int64_t(1) << (precision + 1)));
  return b.select(isHeld, x, kept);
}

/// A float as one of 16 bits, rounded once: LLVM would lead an f64 through an
/// f32 if it comes from an integer.
static Value buildFloatToNarrow(const KernelBuilder &b, Value x, Type target) {
  if (x.getType().isF64())
    x = buildRoundToOdd(b.withElementType(b.getBuilder().getF32Type()), x);
  return b.make<arith::TruncFOp>(target, x);
}

/// An integer as a float of 16 bits, rounded once.
static Value buildIntToNarrow(const KernelBuilder &b, Value x, Type target) {
  unsigned width = x.getType().getIntOrFloatBitWidth();
  Type wide =
      width > 32 ? b.getBuilder().getF64Type() : b.getBuilder().getF32Type();
  unsigned precision = cast<FloatType>(wide).getFPMantissaWidth();
  if (width > precision)
    x = buildHeldInt(b, x, precision);
  Value exact = width == 1 ? b.make<arith::UIToFPOp>(wide, x)
                           : b.make<arith::SIToFPOp>(wide, x);
  return buildFloatToNarrow(b, exact, target);
}

/// A float as a byte without a sign: saturating, NaN to 0.
static Value buildFloatToByte(const KernelBuilder &b, Value x) {
  Type i32 = b.getBuilder().getI32Type();
  Value number = buildFloatToInt(b, x, i32);
  number = b.make<arith::MaxSIOp>(number, b.intConstant(i32, 0));
  number = b.make<arith::MinSIOp>(number, b.intConstant(i32, 255));
  return b.make<arith::TruncIOp>(b.getBuilder().getI8Type(), number);
}

static Value buildOp(CastOp op, const KernelBuilder &builder,
                     ValueRange operands) {
  Type from = op.getOperand().getType().getElementType();
  Type to = op.getType().getElementType();
  if (from == to)
    return operands[0];
  // The parts of this are exact.
  Value x = buildWidened(builder, operands[0], from);
  Type source = x.getType(), target = getBodyType(to);
  bool fromFloat = isa<FloatType>(source), toFloat = isa<FloatType>(target);
  bool fromBool = source.isInteger(1);
  KernelBuilder b = fromFloat ? builder.withElementType(source) : builder;
  if (source == target)
    return x;
  if (target.isInteger(1))
    return fromFloat ? b.compare(arith::CmpFPredicate::UNE, x, b.constant(0))
                     : b.compare(arith::CmpIPredicate::ne, x,
                                 b.intConstant(source, 0));
  if (fromFloat && toFloat) {
    if (source.getIntOrFloatBitWidth() < target.getIntOrFloatBitWidth())
      return b.make<arith::ExtFOp>(target, x);
    return isStorageOnly(to) ? buildFloatToNarrow(b, x, target)
                             : b.make<arith::TruncFOp>(target, x);
  }
  if (fromFloat)
    return to.isUnsignedInteger() ? buildFloatToByte(b, x)
                                  : buildFloatToInt(b, x, target);
  if (toFloat && isStorageOnly(to))
    return buildIntToNarrow(b, x, target);
  if (toFloat)
    return fromBool ? b.make<arith::UIToFPOp>(target, x)
                    : b.make<arith::SIToFPOp>(target, x);
  if (fromBool)
    return b.make<arith::ExtUIOp>(target, x);
  return source.getIntOrFloatBitWidth() < target.getIntOrFloatBitWidth()
             ? b.make<arith::ExtSIOp>(target, x)
             : b.make<arith::TruncIOp>(target, x);
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

/// The other operand of a sum or a product is a constant or a broadcast.
static Duplication getDuplication(AddOp) { return Duplication::FromMemory; }
static Duplication getDuplication(SubOp) { return Duplication::FromMemory; }
static Duplication getDuplication(MulOp) { return Duplication::FromMemory; }
static Duplication getDuplication(PowOp op) {
  return getNumFactors(op) == 2 ? Duplication::FromMemory : Duplication::Never;
}
/// To read narrow elements takes less time than to read wide ones.
static Duplication getDuplication(CastOp op) {
  auto getBits = [](Type type) {
    return getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  };
  return getBits(op.getOperand().getType()) < getBits(op.getType())
             ? Duplication::FromMemory
             : Duplication::Never;
}
/// The operands are in memory anyway, and a mask in memory is a blob more to
/// write, to read and to keep.
static Duplication getDuplication(CompareOp) { return Duplication::AtUse; }
static Duplication getDuplication(Operation *) { return Duplication::Never; }

namespace {
template <typename Op>
struct ElementwiseModel
    : ScalarKernelOpInterface::ExternalModel<ElementwiseModel<Op>, Op> {
  Duplication getDuplication(Operation *op) const {
    return ::getDuplication(cast<Op>(op));
  }
  Value buildScalar(Operation *op, OpBuilder &builder, ValueRange operands,
                    const ElementIndices &indices) const {
    return buildOp(cast<Op>(op), getBuilder(op, builder, operands), operands);
  }
};
} // namespace

template <typename... Ops> static void attach(MLIRContext *context) {
  (Ops::template attachInterface<ElementwiseModel<Ops>>(*context), ...);
}

void job::attachElementwiseModels(MLIRContext *context) {
  attach<NegOp, AbsOp, ExpOp, LogOp, SqrtOp, RsqrtOp, CosOp, SinOp, TanhOp,
         SigmoidOp, ReluOp, ErfOp, GeluOp, GeluGradOp, Expm1Op, Log1pOp,
         FloorOp, CeilOp, RoundOp, SignOp, StopGradientOp, LogicalNotOp,
         ErfInvOp, TanOp, AcosOp, AsinOp, AtanOp, CoshOp, SinhOp, AcoshOp,
         AsinhOp, AtanhOp, ErfcOp, LgammaOp, DigammaOp, AddOp, SubOp, MulOp,
         DivOp, MaximumOp, MinimumOp, PowOp, Atan2Op, FloorDivOp, ModOp,
         LogicalAndOp, LogicalOrOp, CompareOp, SelectOp, CastOp>(context);
}
