//===- Shape.cpp - Gradients of changes of shape --------------------------===//

#include "Gradient.h"

using namespace mlir;
using namespace mlir::job;

static void reshapeGradient(ReshapeOp op, Gradient &gradient) {
  gradient.set(
      0, gradient.create<ReshapeOp>(op.getOperand().getType(), gradient.get()));
}

/// The sum over all dimensions along which the operand was repeated.
static void broadcastInDimGradient(BroadcastInDimOp op, Gradient &gradient) {
  BlobType from = op.getOperand().getType(), to = op.getResult().getType();
  SmallVector<int64_t> axes;
  for (int64_t dim = 0, e = to.getRank(); dim < e; ++dim) {
    const int64_t *place = llvm::find(op.getDims(), dim);
    bool isRepeated =
        place == op.getDims().end() ||
        from.getDimSize(place - op.getDims().begin()) != to.getDimSize(dim);
    if (isRepeated)
      axes.push_back(dim);
  }
  Value sum =
      gradient.create<ReduceSumOp>(gradient.get(), axes, /*keepdims=*/false);
  gradient.set(0, gradient.create<ReshapeOp>(from, sum));
}

void job::attachShapeGradients(MLIRContext &context) {
  attachGradient<ReshapeOp, reshapeGradient>(context);
  attachGradient<BroadcastInDimOp, broadcastInDimGradient>(context);
}
