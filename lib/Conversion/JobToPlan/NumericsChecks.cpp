//===- NumericsChecks.cpp - NaN and infinity in kernels -------------------===//

#include "NumericsChecks.h"

#include "jobrt/abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::job;

static bool isMinOrMax(vector::CombiningKind kind) {
  using vector::CombiningKind;
  return kind == CombiningKind::MAXIMUMF || kind == CombiningKind::MINIMUMF ||
         kind == CombiningKind::MAXNUMF || kind == CombiningKind::MINNUMF;
}

bool job::canMakeNonFinite(Operation *op) {
  if (llvm::none_of(op->getResultTypes(), [](Type type) {
        return isa<FloatType>(getElementTypeOrSelf(type));
      }))
    return false;
  // Memory holds what was checked when it was written.
  if (isa<arith::SelectOp, arith::MaximumFOp, arith::MinimumFOp,
          arith::MaxNumFOp, arith::MinNumFOp, arith::NegFOp, arith::SIToFPOp,
          arith::UIToFPOp, arith::ExtFOp, math::AbsFOp, math::CopySignOp,
          math::FloorOp, math::CeilOp, math::RoundEvenOp, math::TruncOp,
          memref::LoadOp, memref::ReinterpretCastOp, memref::SubViewOp,
          memref::CollapseShapeOp, memref::ExpandShapeOp, memref::AllocaOp,
          scf::ForOp, scf::IfOp, vector::LoadOp, vector::MaskedLoadOp,
          vector::TransferReadOp, vector::BroadcastOp, vector::ExtractOp,
          vector::InsertOp, vector::ShuffleOp>(op))
    return false;
  if (auto reduction = dyn_cast<vector::ReductionOp>(op))
    return !isMinOrMax(reduction.getKind());
  Attribute constant;
  if (!matchPattern(op, m_Constant(&constant)))
    return true;
  if (auto number = dyn_cast<FloatAttr>(constant))
    return !number.getValue().isFinite();
  auto elements = dyn_cast<DenseFPElementsAttr>(constant);
  return !elements || llvm::any_of(elements, [](const APFloat &number) {
    return !number.isFinite();
  });
}

MemRefType job::getStatusType(MLIRContext *context, int64_t chunks) {
  return MemRefType::get({chunks}, IntegerType::get(context, 32));
}

Value job::buildStatusWord(OpBuilder &builder, Location loc, Value status,
                           Value chunk) {
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
  memref::StoreOp::create(builder, loc, zero, status, chunk);
  auto layout =
      StridedLayoutAttr::get(builder.getContext(), ShapedType::kDynamic, {});
  return memref::SubViewOp::create(
      builder, loc, MemRefType::get({}, builder.getI32Type(), layout), status,
      {OpFoldResult(chunk)}, {OpFoldResult(builder.getIndexAttr(1))},
      {OpFoldResult(builder.getIndexAttr(1))});
}

Value job::buildCheck(OpBuilder &builder, Location loc, Value word, Value value,
                      int64_t index, int64_t count) {
  auto constant = [&](Type type, int64_t bits) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, bits));
  };
  Type i32 = builder.getI32Type();
  int64_t infinite = JOBRT_CHECK_FAILED | ((count - index) << 1);
  Value isNaN = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO,
                                      value, value);
  Value found;
  if (value.getType().isF32()) {
    // The exponent alone tells, and is in the word's place for it already.
    Value bits = arith::BitcastOp::create(builder, loc, i32, value);
    Value exponent = arith::AndIOp::create(builder, loc, bits,
                                           constant(i32, JOBRT_CHECK_FAILED));
    found = arith::OrIOp::create(builder, loc, exponent,
                                 constant(i32, infinite & ~JOBRT_CHECK_FAILED));
  } else {
    Type i64 = builder.getI64Type();
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
  found = arith::SelectOp::create(builder, loc, isNaN, foundNaN, found);
  // No word has its highest bit set, so that both orders are the same.
  return word ? arith::MaxSIOp::create(builder, loc, word, found).getResult()
              : found;
}

void job::buildBufferCheck(OpBuilder &builder, Location loc, Value buffer,
                           Value word, int64_t index, int64_t count) {
  unsigned rank = cast<MemRefType>(buffer.getType()).getRank();
  AffineMap maps[] = {builder.getMultiDimIdentityMap(rank),
                      AffineMap::get(rank, 0, builder.getContext())};
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::reduction);
  linalg::GenericOp::create(
      builder, loc, ValueRange{buffer}, ValueRange{word}, maps, iterators,
      [&](OpBuilder &nested, Location, ValueRange scalars) {
        linalg::YieldOp::create(
            nested, loc,
            buildCheck(nested, loc, scalars[1], scalars[0], index, count));
      });
}
