//===- Distributions.cpp - Random blobs from uniform numbers --------------===//

#include "Distributions.h"

#include "JobDialect/IR/ElementTypes.h"

#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::job;

LogicalResult job::verifyIsHeld(Location loc, Type element, double value) {
  auto fail = [&] {
    return emitError(loc) << "expects an initial value that " << element
                          << " can hold but got " << value;
  };
  if (isa<FloatType>(element)) {
    // An infinity may be meant; a finite number must not become one.
    bool isLost = std::isfinite(value) &&
                  !std::isfinite(roundToElementType(element, value));
    return isLost ? LogicalResult(fail()) : success();
  }
  unsigned width = element.getIntOrFloatBitWidth();
  // An i1 holds 0 and 1; those with a sign are two's complement.
  bool isSigned = width > 1 && !element.isUnsignedInteger();
  double least = isSigned ? -std::ldexp(1.0, width - 1) : 0;
  double limit = std::ldexp(1.0, isSigned ? width - 1 : width);
  if (value >= least && value < limit && std::trunc(value) == value)
    return success();
  return fail();
}

LogicalResult RandomBuilder::expectFloats(StringRef distribution) {
  if (type.isFloat())
    return success();
  return emitError(loc) << "expects a variable of floats for a " << distribution
                        << " distribution but got " << type;
}

/// The id is too wide for the op's: its low half becomes the op's id, its high
/// half the step. The step is made negative, so that no job, whose steps count
/// from 0, ever draws the numbers of a variable.
Value RandomBuilder::unitUniform(BlobType floatType) {
  auto bits = static_cast<uint64_t>(id);
  auto step = static_cast<int64_t>((bits >> 32) | (uint64_t(1) << 63));
  auto stepType = RankedTensorType::get({1}, builder.getI64Type());
  Value stepValue =
      ConstantOp::create(builder, loc, DenseElementsAttr::get(stepType, step));
  auto low = static_cast<int64_t>(bits & std::numeric_limits<uint32_t>::max());
  return create<RandomUniformOp>(floatType, seed, stepValue,
                                 builder.getI64IntegerAttr(low), ShardAttr());
}

/// An element of a short type is rounded once, at its end: a uniform number
/// would become 1.
BlobType RandomBuilder::wideType() {
  return type.withElementType(getComputeType(type.getElementType()));
}

Value RandomBuilder::symmetricUniform() {
  Value unit = unitUniform(wideType());
  Value doubled = create<AddOp>(unit, unit);
  return create<SubOp>(doubled,
                       ConstantOp::create(builder, loc, wideType(), 1.0));
}

Value RandomBuilder::scale(Value value, double factor, double offset) {
  auto constant = [&](double number) {
    return ConstantOp::create(builder, loc, wideType(), number);
  };
  if (factor != 1)
    value = create<MulOp>(value, constant(factor));
  if (offset != 0)
    value = create<AddOp>(value, constant(offset));
  return value;
}

/// In f64, where the product with the number of integers stays below it.
Value RandomBuilder::uniformIntegers(double min, double max) {
  Type element = type.getElementType();
  if (failed(verifyIsHeld(loc, element, min)) ||
      failed(verifyIsHeld(loc, element, max)))
    return {};
  BlobType wide = type.withElementType(builder.getF64Type());
  Value count = ConstantOp::create(builder, loc, wide, max - min + 1);
  Value offset = create<MulOp>(unitUniform(wide), count);
  // Dropping the fraction is rounding down, since the offset is positive. A
  // narrow type may not hold it.
  BlobType whole = type.withElementType(builder.getI64Type());
  Value floor = create<CastOp>(whole, offset);
  Value sum =
      create<AddOp>(floor, ConstantOp::create(builder, loc, whole, min));
  return create<CastOp>(type, sum);
}

Value RandomBuilder::uniform(double min, double max) {
  if (type.getElementType().isInteger() && !type.getElementType().isInteger(1))
    return uniformIntegers(min, max);
  if (failed(expectFloats("uniform")))
    return {};
  return create<CastOp>(type, scale(unitUniform(wideType()), max - min, min));
}

/// By the inverse of the distribution function, sqrt(2) * erf_inv(2u - 1).
Value RandomBuilder::normal(double mean, double stddev) {
  if (failed(expectFloats("normal")))
    return {};
  return create<CastOp>(type, scale(create<ErfInvOp>(symmetricUniform()),
                                    llvm::numbers::sqrt2 * stddev, mean));
}

/// As for the normal, with the uniform numbers narrowed to what the
/// distribution function reaches between -2 and 2 standard deviations.
Value RandomBuilder::truncatedNormal(double mean, double stddev) {
  if (failed(expectFloats("normal")))
    return {};
  Value narrowed = scale(symmetricUniform(), std::erf(llvm::numbers::sqrt2), 0);
  return create<CastOp>(type, scale(create<ErfInvOp>(narrowed),
                                    llvm::numbers::sqrt2 * stddev, mean));
}
