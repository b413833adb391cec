//===- StatusWord.cpp - The result of a check -----------------------------===//

#include "JobDialect/Codegen/StatusWord.h"

#include "jobrt/abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

Value plan::buildStatusWord(OpBuilder &builder, Location loc, Value value,
                            int64_t number, int64_t count) {
  Type element = getElementTypeOrSelf(value.getType());
  auto like = [&](Type type) -> Type {
    auto vector = dyn_cast<VectorType>(value.getType());
    return vector ? vector.clone(type) : type;
  };
  auto constant = [&](Type type, int64_t bits) -> Value {
    TypedAttr attr = builder.getIntegerAttr(getElementTypeOrSelf(type), bits);
    if (auto vector = dyn_cast<VectorType>(type))
      attr = DenseElementsAttr::get(vector, Attribute(attr));
    return arith::ConstantOp::create(builder, loc, attr);
  };
  Type i32 = like(builder.getI32Type());
  int64_t infinite = JOBRT_CHECK_FAILED | ((count - number) << 1);
  Value isNaN = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO,
                                      value, value);
  Value found;
  if (element.isF32()) {
    // The exponent alone tells, and is in the word's place for it already.
    Value bits = arith::BitcastOp::create(builder, loc, i32, value);
    Value exponent = arith::AndIOp::create(builder, loc, bits,
                                           constant(i32, JOBRT_CHECK_FAILED));
    found = arith::OrIOp::create(builder, loc, exponent,
                                 constant(i32, infinite & ~JOBRT_CHECK_FAILED));
  } else {
    Type i64 = like(builder.getI64Type());
    int64_t mask = int64_t(0x7ff) << 52;
    Value bits = arith::BitcastOp::create(builder, loc, i64, value);
    Value exponent =
        arith::AndIOp::create(builder, loc, bits, constant(i64, mask));
    Value isFound = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, exponent, constant(i64, mask));
    found = arith::SelectOp::create(builder, loc, isFound,
                                    constant(i32, infinite), constant(i32, 0));
  }
  Value foundNaN = arith::OrIOp::create(builder, loc, found, constant(i32, 1));
  return arith::SelectOp::create(builder, loc, isNaN, foundNaN, found);
}
