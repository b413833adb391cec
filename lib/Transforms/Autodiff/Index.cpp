//===- Index.cpp - Gradients of gathering and scattering ------------------===//

#include "Gradient.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::job;

/// What was gathered goes back to where it came from; an index outside of the
/// dimension came from nowhere.
static void gatherGradient(GatherOp op, Gradient &gradient) {
  int64_t extent = op.getOperand().getType().getDimSize(op.getAxis());
  gradient.set(0, gradient.create<ScatterAddOp>(gradient.get(), op.getIndices(),
                                                op.getAxis(), extent,
                                                op.getBatchDims()));
}

/// For each index whether it is in [0, extent).
static Value buildIsInside(Gradient &gradient, Value indices, int64_t extent) {
  Value zero = gradient.splat(indices, 0);
  Value isInside =
      gradient.create<CompareOp>(ComparePredicate::GE, indices, zero);
  Type element = cast<BlobType>(indices.getType()).getElementType();
  // Indices of a narrow type never reach an extent that it cannot hold.
  unsigned width = element.getIntOrFloatBitWidth();
  if (element.isUnsignedInteger() ? !llvm::isUIntN(width, extent)
                                  : !llvm::isIntN(width, extent))
    return isInside;
  Value isBelow = gradient.create<CompareOp>(ComparePredicate::LT, indices,
                                             gradient.splat(indices, extent));
  return gradient.create<LogicalAndOp>(isInside, isBelow);
}

/// Every update gets the gradient of where it was added to, and zero when it
/// was added to nothing. A gather from there would give NaN, which checks of
/// the numbers would report, so such updates first get any other's.
static void scatterAddGradient(ScatterAddOp op, Gradient &gradient) {
  BlobType type = op.getUpdates().getType();
  int64_t batchDims = op.getBatchDims(), axis = op.getAxis();
  Value indices = op.getIndices();
  Value isInside = buildIsInside(gradient, indices, op.getExtent());
  SmallVector<int64_t> dims;
  for (int64_t dim = 0, e = op.getIndices().getType().getRank(); dim < e; ++dim)
    dims.push_back(dim < batchDims ? dim : axis + dim - batchDims);
  auto isInsideType = cast<BlobType>(isInside.getType());
  Value mask = gradient.create<BroadcastInDimOp>(
      type.withElementType(isInsideType.getElementType()), isInside, dims);
  Value existing = gradient.create<SelectOp>(isInside, indices,
                                             gradient.splat(indices, 0));
  Value gathered =
      gradient.create<GatherOp>(gradient.get(), existing, axis, batchDims);
  gradient.set(0, gradient.create<SelectOp>(mask, gathered,
                                            gradient.splat(gathered, 0)));
}

void job::attachIndexGradients(MLIRContext &context) {
  attachGradient<GatherOp, gatherGradient>(context);
  attachGradient<ScatterAddOp, scatterAddGradient>(context);
}
