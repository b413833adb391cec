//===- ConvertConvToMatMul.cpp - Convolutions that are matrix products ----===//

#include "JobDialect/Analysis/Implementation.h"
#include "JobDialect/IR/JobOps.h"
#include "JobDialect/IR/Placement.h"
#include "JobDialect/Transforms/Passes.h"

namespace mlir::job {
#define GEN_PASS_DEF_JOBCONVERTCONVTOMATMUL
#include "JobDialect/Transforms/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

/// Whether each element of the filter multiplies one pixel of an image of the
/// result and the same one of the input, and channels are the rows of a matrix.
static bool isProduct(Conv2DFilterGradOp op) {
  auto isOne = [](int64_t value) { return value == 1; };
  ArrayRef<int64_t> filter = op.getResult().getType().getShape();
  return op.getLayout() == ImageLayout::NHWC && op.getGroups() == 1 &&
         filter[1] == 1 && filter[2] == 1 &&
         llvm::all_of(op.getStrides(), isOne) &&
         llvm::all_of(op.getPadding(), [](int64_t side) { return side == 0; });
}

/// The most pixels of an image for which the product is faster than the
/// function that computes the op, where that was measured (docs/rationale.md).
static int64_t getMaxPixels(Conv2DFilterGradOp op) {
  plan::CallConfigAttrInterface call = getCallConfig(op);
  bool isNarrow = op.getResult().getType().getElementType().isBF16();
  return call && call.getCallee() == "onednn.conv2d_filter_grad" && isNarrow
             ? 14 * 14
             : 0;
}

/// Reshapes a blob to a matrix whose rows have the extent of its last
/// dimension.
static Value buildRows(OpBuilder &builder, Location loc, Value blob) {
  auto type = cast<BlobType>(blob.getType());
  int64_t columns = type.getShape().back();
  return builder.createOrFold<ReshapeOp>(
      loc,
      BlobType::get({type.getNumElements() / columns, columns},
                    type.getElementType()),
      blob);
}

namespace {
struct JobConvertConvToMatMul
    : public job::impl::JobConvertConvToMatMulBase<JobConvertConvToMatMul> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<Conv2DFilterGradOp> ops;
    getOperation().walk([&](Conv2DFilterGradOp op) {
      ArrayRef<int64_t> images =
          cast<BlobType>(op.getGrad().getType()).getShape();
      // An implementation in the text is one of a convolution.
      if (isProduct(op) && !op->hasAttr(plan::kImplementationAttrName) &&
          images[1] * images[2] <=
              (maxPixels < 0 ? getMaxPixels(op) : int64_t(maxPixels)))
        ops.push_back(op);
    });
    if (ops.empty())
      return markAllAnalysesPreserved();
    PlacementListener listener;
    for (Conv2DFilterGradOp op : ops) {
      PlacementScope scope(listener, getOwnPlacement(op));
      OpBuilder builder(op, &listener);
      Location loc = op.getLoc();
      Value product = MatMulOp::create(
          builder, loc, buildRows(builder, loc, op.getGrad()),
          buildRows(builder, loc, op.getInput()), /*transpose_lhs=*/true,
          /*transpose_rhs=*/false);
      op.replaceAllUsesWith(
          ReshapeOp::create(builder, loc, op.getResult().getType(), product)
              .getResult());
      op.erase();
    }
    numConverted += ops.size();
  }
};
} // namespace
