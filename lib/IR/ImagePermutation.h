//===- ImagePermutation.h - Ops on images with another layout ---*- C++ -*-===//

#ifndef JOBDIALECT_LIB_IR_IMAGEPERMUTATION_H
#define JOBDIALECT_LIB_IR_IMAGEPERMUTATION_H

#include "JobDialect/IR/ImageLayout.h"
#include "JobDialect/IR/JobOps.h"

namespace mlir::job {

/// Whether the permutation turns the layout into NHWC.
inline bool becomesNHWC(ImageLayout layout, ArrayRef<int64_t> permutation) {
  return layout == ImageLayout::NCHW &&
         permutation == ArrayRef(getPermutation(ImageLayout::NHWC));
}

template <typename OpTy>
SmallVector<Value> buildNHWC(OpTy op, OpBuilder &builder, ValueRange operands,
                             ArrayRef<int64_t> permutation) {
  SmallVector<Value> results =
      clonePermuted(op, builder, operands, permutation);
  results.front().getDefiningOp<OpTy>().setLayout(ImageLayout::NHWC);
  return results;
}

} // namespace mlir::job

#endif // JOBDIALECT_LIB_IR_IMAGEPERMUTATION_H
