//===- NumericsChecks.cpp - NaN and infinity in kernels -------------------===//

#include "NumericsChecks.h"

#include "JobDialect/IR/ElementTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

#include <limits>

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

bool job::containsNonFiniteMaker(Operation *op) {
  return op
      ->walk([](Operation *part) {
        return canMakeNonFinite(part) ? WalkResult::interrupt()
                                      : WalkResult::advance();
      })
      .wasInterrupted();
}

/// A float of the type that ops compute with.
static Value widen(OpBuilder &builder, Location loc, Value value) {
  Type wide = getComputeType(value.getType());
  return wide == value.getType()
             ? value
             : arith::ExtFOp::create(builder, loc, wide, value).getResult();
}

Value job::buildOverflow(OpBuilder &builder, Location loc, Value operand,
                         Value result) {
  if (!isa<FloatType>(operand.getType()))
    return result;
  operand = widen(builder, loc, operand);
  result = widen(builder, loc, result);
  auto constant = [&](Type type, double value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(type, value));
  };
  Value magnitude = math::AbsFOp::create(builder, loc, operand);
  Value isFinite = arith::CmpFOp::create(
      builder, loc, arith::CmpFPredicate::OLT, magnitude,
      constant(operand.getType(), std::numeric_limits<double>::infinity()));
  return arith::SelectOp::create(builder, loc, isFinite, result,
                                 constant(result.getType(), 0));
}

plan::CheckOp job::createCheck(OpBuilder &builder, Location loc, Value value) {
  return plan::CheckOp::create(builder, loc, widen(builder, loc, value),
                               /*number=*/0, /*count=*/1);
}
