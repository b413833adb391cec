//===- JobElementwiseFolds.cpp - Folds of elementwise ops -----------------===//
//
// Constants are folded when every operand is a splat, in the arithmetic of the
// result's type, so that a fold never changes the bits: the basic operations
// are rounded once, as the kernels round them. Functions that kernels
// approximate (exp, log, ...) have no fold.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/IR/JobOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::job;

/// The splat that `attr` holds, or nullopt.
template <typename Value> static std::optional<Value> getSplat(Attribute attr) {
  auto elements = dyn_cast_if_present<DenseElementsAttr>(attr);
  if (!elements || !elements.isSplat())
    return std::nullopt;
  if (isa<FloatType>(elements.getElementType()) !=
      std::is_same_v<Value, APFloat>)
    return std::nullopt;
  return elements.getSplatValue<Value>();
}

template <typename Value> static Attribute makeSplat(Type type, Value value) {
  return DenseElementsAttr::get(cast<BlobType>(type).getTensorType(), value);
}

template <typename OnFloat, typename OnInt>
static Attribute foldUnary(Attribute operand, Type type, OnFloat onFloat,
                           OnInt onInt) {
  if (auto value = getSplat<APFloat>(operand))
    return makeSplat(type, APFloat(onFloat(*value)));
  if (auto value = getSplat<APInt>(operand))
    return makeSplat(type, APInt(onInt(*value)));
  return {};
}

template <typename OnFloat, typename OnInt>
static Attribute foldBinary(Attribute lhs, Attribute rhs, Type type,
                            OnFloat onFloat, OnInt onInt) {
  auto x = getSplat<APFloat>(lhs), y = getSplat<APFloat>(rhs);
  if (x && y)
    return makeSplat(type, APFloat(onFloat(*x, *y)));
  auto i = getSplat<APInt>(lhs), j = getSplat<APInt>(rhs);
  if (i && j)
    return makeSplat(type, APInt(onInt(*i, *j)));
  return {};
}

/// True when `attr` is a splat of `value`, exactly and with that sign.
static bool isSplatOf(Attribute attr, double value) {
  if (auto splat = getSplat<APFloat>(attr))
    return splat->isExactlyValue(value);
  if (auto splat = getSplat<APInt>(attr))
    return *splat == static_cast<uint64_t>(value);
  return false;
}

/// Whether the elements are integers without a sign.
static bool isUnsigned(Type type) {
  Type element = cast<BlobType>(type).getElementType();
  return element.isInteger(1) || element.isUnsignedInteger();
}

static bool isInteger(Value value) {
  return isa<IntegerType>(cast<BlobType>(value.getType()).getElementType());
}

OpFoldResult NegOp::fold(FoldAdaptor adaptor) {
  // -(-x) is x.
  if (auto inner = getOperand().getDefiningOp<NegOp>())
    return inner.getOperand();
  return foldUnary(
      adaptor.getOperand(), getType(), [](APFloat x) { return -x; },
      [](APInt x) { return -x; });
}

OpFoldResult AbsOp::fold(FoldAdaptor adaptor) {
  return foldUnary(
      adaptor.getOperand(), getType(), [](APFloat x) { return abs(x); },
      [&](APInt x) { return isUnsigned(getType()) ? x : x.abs(); });
}

OpFoldResult ReluOp::fold(FoldAdaptor adaptor) {
  // relu(relu(x)) is relu(x).
  if (getOperand().getDefiningOp<ReluOp>())
    return getOperand();
  return foldUnary(
      adaptor.getOperand(), getType(),
      [](APFloat x) {
        return x.isNaN() || !(x.isNegative() || x.isZero())
                   ? x
                   : APFloat::getZero(x.getSemantics());
      },
      [](APInt x) { return x; });
}

OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  // x + 0 is x. For floats only -0 is neutral: (-0) + 0 is 0.
  if (isSplatOf(adaptor.getRhs(), isInteger(getRhs()) ? 0.0 : -0.0))
    return getLhs();
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(), getType(),
      [](APFloat x, APFloat y) { return x + y; },
      [](APInt x, APInt y) { return x + y; });
}

OpFoldResult SubOp::fold(FoldAdaptor adaptor) {
  // x - 0 is x, for floats too.
  if (isSplatOf(adaptor.getRhs(), 0.0))
    return getLhs();
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(), getType(),
      [](APFloat x, APFloat y) { return x - y; },
      [](APInt x, APInt y) { return x - y; });
}

OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  // x * 1 is x. x * 0 is not 0: x may be NaN or infinite.
  if (isSplatOf(adaptor.getRhs(), 1.0))
    return getLhs();
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(), getType(),
      [](APFloat x, APFloat y) { return x * y; },
      [](APInt x, APInt y) { return x * y; });
}

OpFoldResult DivOp::fold(FoldAdaptor adaptor) {
  // x / 1 is x.
  if (isSplatOf(adaptor.getRhs(), 1.0))
    return getLhs();
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(), getType(),
      [](APFloat x, APFloat y) { return x / y; },
      [](APInt x, APInt y) { return x; });
}

OpFoldResult MaximumOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs())
    return getLhs();
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(), getType(),
      [](APFloat x, APFloat y) { return maximum(x, y); },
      [&](APInt x, APInt y) {
        return (isUnsigned(getType()) ? x.ugt(y) : x.sgt(y)) ? x : y;
      });
}

OpFoldResult MinimumOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs())
    return getLhs();
  return foldBinary(
      adaptor.getLhs(), adaptor.getRhs(), getType(),
      [](APFloat x, APFloat y) { return minimum(x, y); },
      [&](APInt x, APInt y) {
        return (isUnsigned(getType()) ? x.ult(y) : x.slt(y)) ? x : y;
      });
}

OpFoldResult LogicalNotOp::fold(FoldAdaptor adaptor) {
  // !!x is x.
  if (auto inner = getOperand().getDefiningOp<LogicalNotOp>())
    return inner.getOperand();
  if (auto value = getSplat<APInt>(adaptor.getOperand()))
    return makeSplat(getType(), ~*value);
  return {};
}

OpFoldResult LogicalAndOp::fold(FoldAdaptor adaptor) {
  // x && x and x && true are x, x && false is false.
  if (getLhs() == getRhs() || isSplatOf(adaptor.getRhs(), 1.0))
    return getLhs();
  if (isSplatOf(adaptor.getRhs(), 0.0))
    return getRhs();
  return {};
}

OpFoldResult LogicalOrOp::fold(FoldAdaptor adaptor) {
  // x || x and x || false are x, x || true is true.
  if (getLhs() == getRhs() || isSplatOf(adaptor.getRhs(), 0.0))
    return getLhs();
  if (isSplatOf(adaptor.getRhs(), 1.0))
    return getRhs();
  return {};
}

OpFoldResult SelectOp::fold(FoldAdaptor adaptor) {
  if (getOnTrue() == getOnFalse())
    return getOnTrue();
  if (auto condition = getSplat<APInt>(adaptor.getCondition()))
    return condition->isZero() ? getOnFalse() : getOnTrue();
  return {};
}

/// Whether floats of type `to` have all values of type `from`.
static bool isExact(Type from, Type to) {
  auto fromFloat = dyn_cast<FloatType>(from), toFloat = dyn_cast<FloatType>(to);
  return fromFloat && toFloat &&
         APFloat::isRepresentableBy(fromFloat.getFloatSemantics(),
                                    toFloat.getFloatSemantics());
}

OpFoldResult CastOp::fold(FoldAdaptor adaptor) {
  if (getOperand().getType() == getType())
    return getOperand();
  // What is widened and narrowed again was not rounded in between.
  if (auto wide = getOperand().getDefiningOp<CastOp>())
    if (wide.getOperand().getType() == getType() &&
        isExact(getType().getElementType(), wide.getType().getElementType()))
      return wide.getOperand();
  auto type = cast<BlobType>(getType());
  Type element = type.getElementType();
  if (auto value = getSplat<APInt>(adaptor.getOperand())) {
    bool isSigned = !isUnsigned(getOperand().getType());
    if (auto floatType = dyn_cast<FloatType>(element)) {
      APFloat result(floatType.getFloatSemantics());
      result.convertFromAPInt(*value, isSigned, APFloat::rmNearestTiesToEven);
      return makeSplat(type, result);
    }
    unsigned width = element.getIntOrFloatBitWidth();
    if (width == 1)
      return makeSplat(type, APInt(1, value->isZero() ? 0 : 1));
    return makeSplat(type, isSigned ? value->sextOrTrunc(width)
                                    : value->zextOrTrunc(width));
  }
  if (auto value = getSplat<APFloat>(adaptor.getOperand()))
    if (auto floatType = dyn_cast<FloatType>(element)) {
      bool losesInfo;
      value->convert(floatType.getFloatSemantics(),
                     APFloat::rmNearestTiesToEven, &losesInfo);
      return makeSplat(type, *value);
    }
  return {};
}
