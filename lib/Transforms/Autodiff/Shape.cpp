//===- Shape.cpp - Gradients of changes of shape --------------------------===//

#include "Gradient.h"

using namespace mlir;
using namespace mlir::job;

static void reshapeGradient(ReshapeOp op, Gradient &gradient) {
  gradient.set(
      0, gradient.create<ReshapeOp>(op.getOperand().getType(), gradient.get()));
}

/// The sum over all dimensions along which the operand was broadcast.
static void broadcastInDimGradient(BroadcastInDimOp op, Gradient &gradient) {
  BlobType from = op.getOperand().getType(), to = op.getResult().getType();
  SmallVector<int64_t> axes;
  for (int64_t dim = 0, e = to.getRank(); dim < e; ++dim) {
    const int64_t *place = llvm::find(op.getDims(), dim);
    bool isBroadcast =
        place == op.getDims().end() ||
        from.getDimSize(place - op.getDims().begin()) != to.getDimSize(dim);
    if (isBroadcast)
      axes.push_back(dim);
  }
  Value sum =
      gradient.create<ReduceSumOp>(gradient.get(), axes, /*keepdims=*/false);
  gradient.set(0, gradient.create<ReshapeOp>(from, sum));
}

/// The inverse permutation.
static void transposeGradient(TransposeOp op, Gradient &gradient) {
  SmallVector<int64_t> inverse(op.getPermutation().size());
  for (auto [index, dim] : llvm::enumerate(op.getPermutation()))
    inverse[dim] = index;
  gradient.set(0, gradient.create<TransposeOp>(gradient.get(), inverse));
}

/// Zeros around and between the elements of the slice.
static void sliceGradient(SliceOp op, Gradient &gradient) {
  SmallVector<int64_t> high, interior;
  for (auto [extent, offset, size, stride] :
       llvm::zip_equal(op.getOperand().getType().getShape(), op.getOffsets(),
                       op.getSizes(), op.getStrides())) {
    high.push_back(extent - offset - (size - 1) * stride - 1);
    interior.push_back(stride - 1);
  }
  gradient.set(0, gradient.create<PadOp>(gradient.get(), op.getOffsets(), high,
                                         interior, APFloat(0.0)));
}

static void padGradient(PadOp op, Gradient &gradient) {
  SmallVector<int64_t> strides;
  for (int64_t count : op.getInterior())
    strides.push_back(count + 1);
  gradient.set(0, gradient.create<SliceOp>(gradient.get(), op.getLow(),
                                           op.getOperand().getType().getShape(),
                                           strides));
}

/// Each operand's part.
static void concatGradient(ConcatOp op, Gradient &gradient) {
  SmallVector<int64_t> offsets(op.getType().getRank(), 0);
  SmallVector<int64_t> strides(op.getType().getRank(), 1);
  for (auto [index, operand] : llvm::enumerate(op.getOperands())) {
    ArrayRef<int64_t> shape = cast<BlobType>(operand.getType()).getShape();
    if (gradient.isNeeded(index))
      gradient.set(index, gradient.create<SliceOp>(gradient.get(), offsets,
                                                   shape, strides));
    offsets[op.getAxis()] += shape[op.getAxis()];
  }
}

void job::attachShapeGradients(MLIRContext &context) {
  attachGradient<ReshapeOp, reshapeGradient>(context);
  attachGradient<BroadcastInDimOp, broadcastInDimGradient>(context);
  attachGradient<TransposeOp, transposeGradient>(context);
  attachGradient<SliceOp, sliceGradient>(context);
  attachGradient<PadOp, padGradient>(context);
  attachGradient<ConcatOp, concatGradient>(context);
}
