//===- ScalarBuilder.h - Short names for arithmetic -------------*- C++ -*-===//
//
// Builds arith and math ops on scalars of one floating-point type, or on
// vectors of it: constants follow the shape of the type. Nothing carries a
// fast-math flag, so that the bits of a result are the same at every
// optimization level and in every kernel that an op is fused into.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_SCALARBUILDER_H
#define JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_SCALARBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

#include <limits>

namespace mlir::job {

class ScalarBuilder {
public:
  /// `type` is f32, f64 or a vector of either.
  ScalarBuilder(OpBuilder &builder, Location loc, Type type)
      : builder(builder), loc(loc), type(type) {}

  OpBuilder &getBuilder() const { return builder; }
  Location getLoc() const { return loc; }
  Type getType() const { return type; }
  bool isF64() const { return getElementTypeOrSelf(type).isF64(); }
  /// The same builder for another floating-point element type.
  ScalarBuilder withElementType(Type element) const {
    return {builder, loc, like(element)};
  }

  /// Bits of the type, of its mantissa as stored, and its exponent's bias.
  int64_t getWidth() const { return isF64() ? 64 : 32; }
  int64_t getMantissaBits() const { return isF64() ? 52 : 23; }
  int64_t getBias() const { return isF64() ? 1023 : 127; }

  /// The type of this shape with another element type.
  Type like(Type element) const {
    if (auto vector = dyn_cast<VectorType>(type))
      return vector.clone(element);
    return element;
  }
  /// The integer type of the same width.
  Type intType() const { return like(builder.getIntegerType(getWidth())); }

  /// A floating-point constant, rounded to the type.
  Value constant(double value) const {
    return splat(type, builder.getFloatAttr(getElementTypeOrSelf(type), value));
  }
  Value infinity() const {
    return constant(std::numeric_limits<double>::infinity());
  }
  Value nan() const {
    return constant(std::numeric_limits<double>::quiet_NaN());
  }
  /// An integer constant of the same width.
  Value intConstant(int64_t value) const {
    return intConstant(intType(), value);
  }
  Value intConstant(Type intType, int64_t value) const {
    unsigned width = getElementTypeOrSelf(intType).getIntOrFloatBitWidth();
    return splat(intType,
                 builder.getIntegerAttr(
                     getElementTypeOrSelf(intType),
                     APInt(64, value, /*isSigned=*/true).sextOrTrunc(width)));
  }

  template <typename Op, typename... Args> Value make(Args &&...args) const {
    return Op::create(builder, loc, std::forward<Args>(args)...);
  }

  Value add(Value a, Value b) const { return make<arith::AddFOp>(a, b); }
  Value sub(Value a, Value b) const { return make<arith::SubFOp>(a, b); }
  Value mul(Value a, Value b) const { return make<arith::MulFOp>(a, b); }
  Value div(Value a, Value b) const { return make<arith::DivFOp>(a, b); }
  Value neg(Value a) const { return make<arith::NegFOp>(a); }
  Value abs(Value a) const { return make<math::AbsFOp>(a); }
  /// a * b + c, rounded once.
  Value fma(Value a, Value b, Value c) const {
    return make<math::FmaOp>(a, b, c);
  }
  Value select(Value condition, Value a, Value b) const {
    return make<arith::SelectOp>(condition, a, b);
  }
  Value compare(arith::CmpFPredicate predicate, Value a, Value b) const {
    return make<arith::CmpFOp>(predicate, a, b);
  }
  /// Ordered a < b.
  Value less(Value a, Value b) const {
    return compare(arith::CmpFPredicate::OLT, a, b);
  }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) const {
    return make<arith::CmpIOp>(predicate, a, b);
  }

  Value addI(Value a, Value b) const { return make<arith::AddIOp>(a, b); }
  Value subI(Value a, Value b) const { return make<arith::SubIOp>(a, b); }
  Value mulI(Value a, Value b) const { return make<arith::MulIOp>(a, b); }
  Value andI(Value a, Value b) const { return make<arith::AndIOp>(a, b); }
  Value orI(Value a, Value b) const { return make<arith::OrIOp>(a, b); }
  Value xorI(Value a, Value b) const { return make<arith::XOrIOp>(a, b); }
  Value shl(Value a, Value b) const { return make<arith::ShLIOp>(a, b); }
  Value shr(Value a, Value b) const { return make<arith::ShRUIOp>(a, b); }
  /// Arithmetic shift.
  Value ashr(Value a, Value b) const { return make<arith::ShRSIOp>(a, b); }

  /// The bits of a float as an integer, and back.
  Value bits(Value a) const { return make<arith::BitcastOp>(intType(), a); }
  Value fromBits(Value a) const { return make<arith::BitcastOp>(type, a); }

  /// c[0] + c[1] x + c[2] x^2 + ..., by Horner's rule.
  Value polynomial(Value x, ArrayRef<double> c) const {
    Value sum = constant(c.back());
    for (double coefficient : llvm::reverse(c.drop_back()))
      sum = fma(sum, x, constant(coefficient));
    return sum;
  }

private:
  Value splat(Type type, TypedAttr value) const {
    if (auto vector = dyn_cast<VectorType>(type))
      value = DenseElementsAttr::get(vector, Attribute(value));
    return make<arith::ConstantOp>(type, value);
  }

  OpBuilder &builder;
  Location loc;
  Type type;
};

} // namespace mlir::job

#endif // JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_SCALARBUILDER_H
