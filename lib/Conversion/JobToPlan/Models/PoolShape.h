//===- PoolShape.h - The extents of a pooling -------------------*- C++ -*-===//

#ifndef JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_POOLSHAPE_H
#define JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_POOLSHAPE_H

#include "PoolSpan.h"

#include "JobDialect/IR/ImageLayout.h"
#include "JobDialect/IR/JobOps.h"

namespace mlir::job {

// The blobs of a pooling by their roles in the forward op.
inline BlobType getInputType(MaxPool2DOp op) { return op.getInput().getType(); }
inline BlobType getInputType(AvgPool2DOp op) { return op.getInput().getType(); }
inline BlobType getInputType(MaxPool2DArgmaxOp op) {
  return op.getInput().getType();
}
inline BlobType getInputType(MaxPool2DArgmaxGradOp op) { return op.getType(); }
inline BlobType getInputType(MaxPool2DGradOp op) { return op.getType(); }
inline BlobType getInputType(AvgPool2DGradOp op) { return op.getType(); }
inline BlobType getOutputType(MaxPool2DOp op) { return op.getType(); }
inline BlobType getOutputType(AvgPool2DOp op) { return op.getType(); }
inline BlobType getOutputType(MaxPool2DArgmaxOp op) {
  return op.getResult().getType();
}
inline BlobType getOutputType(MaxPool2DArgmaxGradOp op) {
  return op.getGrad().getType();
}
inline BlobType getOutputType(MaxPool2DGradOp op) {
  return op.getGrad().getType();
}
inline BlobType getOutputType(AvgPool2DGradOp op) {
  return op.getGrad().getType();
}

/// The extents of a pooling.
struct PoolShape {
  ImageDims<int64_t> input, output;
  PoolSpan rows, columns;

  template <typename Op>
  explicit PoolShape(Op op)
      : input(getImageDims(op.getLayout(), getInputType(op).getShape())),
        output(getImageDims(op.getLayout(), getOutputType(op).getShape())),
        rows{input.h, output.h, op.getKsize()[0], op.getStrides()[0],
             op.getPadding()[0]},
        columns{input.w, output.w, op.getKsize()[1], op.getStrides()[1],
                op.getPadding()[1]} {}
};

} // namespace mlir::job

#endif // JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_POOLSHAPE_H
