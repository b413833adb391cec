//===- FloorDivision.cpp - Quotients that are rounded down ----------------===//

#include "JobDialect/Conversion/Math.h"

#include <limits>

using namespace mlir;
using namespace mlir::job;

namespace {
/// The quotient, rounded down, and the remainder, which is zero or of the sign
/// of the divisor.
struct Division {
  Value quotient, remainder;
};
} // namespace

/// Whether a number that is not zero has another sign than y.
static Value isOpposed(const KernelBuilder &b, Value number, Value y) {
  Value zero = b.constant(0);
  return b.orI(b.andI(b.less(number, zero), b.less(zero, y)),
               b.andI(b.less(zero, number), b.less(y, zero)));
}

static Division divideFloats(const KernelBuilder &b, Value x, Value y) {
  Value one = b.constant(1);
  auto getRest = [&](Value dividend, Value quotient) {
    return b.fma(b.neg(quotient), y, dividend);
  };
  Value floor = b.make<math::FloorOp>(b.div(x, y));
  // What a quotient of nearest integers leaves is exact. If the quotient has
  // more bits than a float, further quotients find the rest.
  Value rest = x;
  for (int i = 0; i < 3; ++i)
    rest = getRest(rest, b.make<math::RoundEvenOp>(b.div(rest, y)));
  Value isBelow = isOpposed(b, rest, y);
  Value remainder = b.select(isBelow, b.add(rest, y), rest);
  // The quotient may have been rounded up to an integer.
  Value tooLarge = isOpposed(b, getRest(x, floor), y);
  Value quotient = b.select(tooLarge, b.sub(floor, one), floor);

  Value isFar =
      b.andI(b.less(b.abs(x), b.infinity()),
             b.compare(arith::CmpFPredicate::OEQ, b.abs(y), b.infinity()));
  Value opposed = isOpposed(b, x, y);
  quotient = b.select(isFar, b.select(opposed, b.constant(-1), b.constant(0)),
                      quotient);
  remainder = b.select(isFar, b.select(opposed, y, x), remainder);
  // An infinite x has no remainder, so no quotient of integers either.
  Value isInfinite =
      b.andI(b.compare(arith::CmpFPredicate::OEQ, b.abs(x), b.infinity()),
             b.compare(arith::CmpFPredicate::UNE, y, b.constant(0)));
  quotient =
      b.select(isInfinite, b.constant(std::numeric_limits<double>::quiet_NaN()),
               quotient);
  return {quotient, b.make<math::CopySignOp>(remainder, y)};
}

/// The magnitudes are divided: their quotient has no overflow, and what the
/// divisor cannot be is known.
static Division divideIntegers(const KernelBuilder &b, Value x, Value y) {
  Type type = x.getType();
  Value zero = b.intConstant(type, 0), one = b.intConstant(type, 1);
  auto isNegative = [&](Value value) {
    return b.compare(arith::CmpIPredicate::slt, value, zero);
  };
  auto negateIf = [&](Value condition, Value value) {
    return b.select(condition, b.sub(zero, value), value);
  };
  Value isXNegative = isNegative(x), isYNegative = isNegative(y);
  Value dividend = negateIf(isXNegative, x);
  Value divisor = b.make<arith::MaxUIOp>(negateIf(isYNegative, y), one);
  Value quotient = b.make<arith::DivUIOp>(dividend, divisor);
  Value remainder = b.sub(dividend, b.mul(quotient, divisor));
  Value opposed = b.xorI(isXNegative, isYNegative);
  quotient = negateIf(opposed, quotient);
  Value hasRest = b.compare(arith::CmpIPredicate::ne, remainder, zero);
  remainder = negateIf(isXNegative, remainder);
  Value isBelow = b.andI(opposed, hasRest);
  quotient = b.select(isBelow, b.sub(quotient, one), quotient);
  remainder = b.select(isBelow, b.add(remainder, y), remainder);
  Value isZero = b.compare(arith::CmpIPredicate::eq, y, zero);
  return {b.select(isZero, zero, quotient), b.select(isZero, zero, remainder)};
}

/// f32 is computed in f64, whose quotients are exact up to 2^53.
static Value divide(const KernelBuilder &b, Value x, Value y,
                    Value Division::*part) {
  if (!isa<FloatType>(getElementTypeOrSelf(x.getType())))
    return divideIntegers(b, x, y).*part;
  if (b.isF64())
    return divideFloats(b, x, y).*part;
  KernelBuilder wide = b.withElementType(b.getBuilder().getF64Type());
  Division division =
      divideFloats(wide, wide.make<arith::ExtFOp>(wide.getType(), x),
                   wide.make<arith::ExtFOp>(wide.getType(), y));
  return b.make<arith::TruncFOp>(b.getType(), division.*part);
}

Value job::buildFloorDiv(const KernelBuilder &b, Value x, Value y) {
  return divide(b, x, y, &Division::quotient);
}

Value job::buildMod(const KernelBuilder &b, Value x, Value y) {
  return divide(b, x, y, &Division::remainder);
}
