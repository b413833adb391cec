//===- ExpandNarrowFloats.cpp - Floats of 16 bits in integers -------------===//
//
// A bf16 is the upper half of an f32. An f16 has 5 bits of exponent and 10 of
// mantissa, an f32 8 and 23: shifted by 13 bits the mantissas agree, and the
// exponents differ by 112.
//
//===----------------------------------------------------------------------===//

#include "ExpandNarrowFloats.h"

#include "JobDialect/Conversion/KernelBuilder.h"
#include "JobDialect/Conversion/Math.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::job;

static bool isNarrow(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF16() || element.isBF16();
}

namespace {
/// Builds conversions of one value.
struct Expansion {
  Expansion(OpBuilder &builder, Location loc, Value value)
      : b(builder, loc,
          KernelBuilder(builder, loc, value.getType())
              .like(builder.getF32Type())),
        i16(b.like(builder.getI16Type())), i32(b.like(builder.getI32Type())) {}

  Value constant(int64_t value) const { return b.intConstant(i32, value); }

  Value extend(Value value) const;
  Value truncate(Value value, Type type) const;

private:
  Value extendF16(Value bits) const;
  Value truncateToF16(Value bits) const;
  Value truncateToBF16(Value bits) const;

  KernelBuilder b;
  Type i16, i32;
};
} // namespace

Value Expansion::extendF16(Value bits) const {
  Value sign = b.shl(b.andI(bits, constant(0x8000)), constant(16));
  Value magnitude = b.andI(bits, constant(0x7fff));
  // As an f32 it is too small by 2^112, numbers below the least normal one too.
  Value small = b.fromBits(b.shl(magnitude, constant(13)));
  Value number = b.bits(b.mul(small, b.constant(0x1p112)));
  Value isFinite =
      b.compare(arith::CmpIPredicate::ult, magnitude, constant(0x7c00));
  Value special = b.orI(b.shl(magnitude, constant(13)), constant(0x7f800000));
  return b.fromBits(b.orI(sign, b.select(isFinite, number, special)));
}

/// An f16 or bf16 as an f32.
Value Expansion::extend(Value value) const {
  Value half = b.make<arith::BitcastOp>(i16, value);
  Value bits = b.make<arith::ExtUIOp>(i32, half);
  if (getElementTypeOrSelf(value.getType()).isF16())
    return extendF16(bits);
  return b.fromBits(b.shl(bits, constant(16)));
}

Value Expansion::truncateToBF16(Value bits) const {
  // One less than half of the last place, and one more where that is odd.
  Value isOdd = b.andI(b.shr(bits, constant(16)), constant(1));
  Value rounded = b.add(b.add(bits, constant(0x7fff)), isOdd);
  Value isNaN =
      b.compare(arith::CmpIPredicate::ugt, b.andI(bits, constant(0x7fffffff)),
                constant(0x7f800000));
  Value quiet = b.orI(bits, constant(0x400000));
  return b.shr(b.select(isNaN, quiet, rounded), constant(16));
}

Value Expansion::truncateToF16(Value bits) const {
  Value sign = b.andI(b.shr(bits, constant(16)), constant(0x8000));
  Value magnitude = b.andI(bits, constant(0x7fffffff));
  // From 2^-14 on: rounded as above, up to 2^16, which is an infinity.
  Value bounded = b.make<arith::MinUIOp>(magnitude, constant(0x47800000));
  Value isOdd = b.andI(b.shr(bounded, constant(13)), constant(1));
  Value rounded = b.add(b.add(bounded, constant(0xfff)), isOdd);
  Value normal = b.shr(b.sub(rounded, constant(112 << 23)), constant(13));
  // Below, the last place is that of 0.5 as an f32.
  Value sum = b.add(b.fromBits(magnitude), b.constant(0.5));
  Value tiny = b.sub(b.bits(sum), constant(0x3f000000));
  Value isTiny =
      b.compare(arith::CmpIPredicate::ult, magnitude, constant(0x38800000));
  Value isNaN =
      b.compare(arith::CmpIPredicate::ugt, magnitude, constant(0x7f800000));
  Value number = b.select(isTiny, tiny, normal);
  return b.orI(sign, b.select(isNaN, constant(0x7e00), number));
}

/// An f32 or f64 as an f16 or bf16.
Value Expansion::truncate(Value value, Type type) const {
  if (getElementTypeOrSelf(value.getType()).isF64())
    value = buildRoundToOdd(b, value);
  Value bits = b.bits(value);
  Value half = getElementTypeOrSelf(type).isF16() ? truncateToF16(bits)
                                                  : truncateToBF16(bits);
  return b.make<arith::BitcastOp>(type, b.make<arith::TruncIOp>(i16, half));
}

/// Replaces conversions from and to f16 and bf16 by operations on integers.
void job::expandNarrowConversions(Operation *root) {
  root->walk([](Operation *op) {
    if (!isa<arith::ExtFOp, arith::TruncFOp>(op))
      return;
    OpBuilder builder(op);
    Value value = op->getOperand(0), result = op->getResult(0);
    Expansion expansion(builder, op->getLoc(), value);
    Value expanded;
    if (isa<arith::TruncFOp>(op) && isNarrow(result.getType()))
      expanded = expansion.truncate(value, result.getType());
    else if (isa<arith::ExtFOp>(op) && isNarrow(value.getType()))
      expanded = expansion.extend(value);
    else
      return;
    // An f64 holds each f32.
    if (expanded.getType() != result.getType())
      expanded = arith::ExtFOp::create(builder, op->getLoc(), result.getType(),
                                       expanded);
    result.replaceAllUsesWith(expanded);
    op->erase();
  });
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

/// The type with i16 in place of f16 and bf16.
static Type getBitsType(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!isNarrow(type) || (!shaped && !isa<FloatType>(type)))
    return type;
  Type i16 = IntegerType::get(type.getContext(), 16);
  return shaped ? Type(shaped.clone(i16)) : i16;
}

/// Whether a function only moves f16 and bf16, as bodies of kernels do once
/// there are no conversions. Code that a person wrote may compute with them.
static bool movesNarrowFloats(func::FuncOp func) {
  auto isMove = [](Operation *op) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      return isa<FloatAttr, DenseElementsAttr>(constant.getValue());
    return !isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
               op->getDialect()) ||
           isa<arith::SelectOp, arith::BitcastOp>(op);
  };
  WalkResult result = func.walk([&](Operation *op) {
    bool isNarrowOp = llvm::any_of(op->getOperandTypes(), isNarrow) ||
                      llvm::any_of(op->getResultTypes(), isNarrow);
    return isNarrowOp && !isMove(op) ? WalkResult::interrupt()
                                     : WalkResult::advance();
  });
  return !result.wasInterrupted();
}

/// Makes integers of all f16 and bf16 of a function.
static void convertToBits(func::FuncOp func) {
  func.walk([](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setType(getBitsType(argument.getType()));
    if (auto constant = dyn_cast<arith::ConstantOp>(op);
        constant && isNarrow(constant.getType())) {
      Type i16 = IntegerType::get(op->getContext(), 16);
      if (auto number = dyn_cast<FloatAttr>(constant.getValue()))
        constant.setValueAttr(
            IntegerAttr::get(i16, number.getValue().bitcastToAPInt()));
      else
        constant.setValueAttr(
            cast<DenseElementsAttr>(constant.getValue()).bitcast(i16));
    }
    for (OpResult result : op->getResults())
      result.setType(getBitsType(result.getType()));
  });
  func.walk([](arith::BitcastOp cast) {
    if (cast.getIn().getType() != cast.getType())
      return;
    cast.replaceAllUsesWith(cast.getIn());
    cast.erase();
  });
  SmallVector<Type> inputs(
      llvm::map_range(func.getArgumentTypes(), getBitsType));
  func.setFunctionType(
      FunctionType::get(func.getContext(), inputs, func.getResultTypes()));
}

void job::expandNarrowFloats(Operation *root) {
  expandNarrowConversions(root);
  root->walk([](func::FuncOp func) {
    if (movesNarrowFloats(func))
      convertToBits(func);
  });
}
