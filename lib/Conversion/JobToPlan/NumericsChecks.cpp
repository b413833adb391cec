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
#include "mlir/Interfaces/ViewLikeInterface.h"

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

/// A float, or a vector, of the type that ops compute with.
static Value widen(OpBuilder &builder, Location loc, Value value) {
  Type wide = getComputeType(getElementTypeOrSelf(value));
  if (wide == getElementTypeOrSelf(value))
    return value;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    wide = vector.clone(wide);
  return arith::ExtFOp::create(builder, loc, wide, value);
}

Value job::buildIsFinite(OpBuilder &builder, Location loc, Value value) {
  value = widen(builder, loc, value);
  Value infinity = arith::ConstantOp::create(
      builder, loc,
      builder.getFloatAttr(value.getType(),
                           std::numeric_limits<double>::infinity()));
  return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT,
                               math::AbsFOp::create(builder, loc, value),
                               infinity);
}

Value job::buildOverflow(OpBuilder &builder, Location loc, Value operand,
                         Value result) {
  if (!isa<FloatType>(operand.getType()))
    return result;
  result = widen(builder, loc, result);
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getFloatAttr(result.getType(), 0));
  return arith::SelectOp::create(
      builder, loc, buildIsFinite(builder, loc, operand), result, zero);
}

/// Whether a constant of floats has an element that is a NaN.
static bool containsNaN(Attribute constant) {
  if (auto number = dyn_cast<FloatAttr>(constant))
    return number.getValue().isNaN();
  auto elements = dyn_cast<DenseFPElementsAttr>(constant);
  return elements && llvm::any_of(elements, [](const APFloat &number) {
           return number.isNaN();
         });
}

void job::checkStores(Operation *body, ArrayRef<Value> results, Location loc) {
  auto isResult = [&](Value memref) {
    while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
      memref = view.getViewSource();
    return llvm::is_contained(results, memref);
  };
  auto check = [&](Operation *store, Value memref, Value value, Value mask) {
    if (!isResult(memref) || !isa<FloatType>(getElementTypeOrSelf(value)))
      return;
    // A NaN stands for an element that does not exist, such as the row of an
    // index that is out of range. An infinity is what the user pads with.
    Attribute constant;
    if (matchPattern(value, m_Constant(&constant)) && !containsNaN(constant))
      return;
    OpBuilder builder(store);
    if (mask) {
      Value zeros = arith::ConstantOp::create(
          builder, loc, builder.getZeroAttr(value.getType()));
      value = arith::SelectOp::create(builder, loc, mask, value, zeros);
    }
    createCheck(builder, loc, value);
  };
  body->walk([&](Operation *op) {
    if (auto store = dyn_cast<memref::StoreOp>(op))
      check(op, store.getMemRef(), store.getValue(), Value());
    else if (auto store = dyn_cast<vector::StoreOp>(op))
      check(op, store.getBase(), store.getValueToStore(), Value());
    else if (auto store = dyn_cast<vector::MaskedStoreOp>(op))
      check(op, store.getBase(), store.getValueToStore(), store.getMask());
  });
}

plan::CheckOp job::createCheck(OpBuilder &builder, Location loc, Value value) {
  return plan::CheckOp::create(builder, loc, widen(builder, loc, value),
                               /*number=*/0, /*count=*/1);
}
