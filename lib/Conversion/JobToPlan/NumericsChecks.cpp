//===- NumericsChecks.cpp - NaN and infinity in kernels -------------------===//

#include "NumericsChecks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
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

bool job::containsNonFiniteMaker(Operation *op) {
  return op
      ->walk([](Operation *part) {
        return canMakeNonFinite(part) ? WalkResult::interrupt()
                                      : WalkResult::advance();
      })
      .wasInterrupted();
}
