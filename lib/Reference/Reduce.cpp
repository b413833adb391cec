//===- Reduce.cpp - Reference of reductions -------------------------------===//

#include "Models.h"

using namespace mlir;
using namespace mlir::job;

static LogicalResult computeReduceSum(ReduceSumOp op,
                                      ReferenceOperands operands,
                                      ReferenceResults results) {
  const ReferenceTensor &from = *operands[0];
  ReferenceTensor &to = results[0];
  // A step along a dimension of the operand moves by this in the result: not at
  // all along summed ones. Kept dimensions lie in the result as in an array of
  // their extents alone, with or without keepdims.
  SmallVector<int64_t> keptExtents, resultStrides(from.getShape().size(), 0);
  SmallVector<int64_t> keptAxes = op.getKeptAxes();
  for (int64_t axis : keptAxes)
    keptExtents.push_back(from.getShape()[axis]);
  for (auto [axis, stride] :
       llvm::zip_equal(keptAxes, getRowMajorStrides(keptExtents)))
    resultStrides[axis] = stride;

  SmallVector<int64_t> strides = getRowMajorStrides(from.getShape());
  for (int64_t i = 0, e = from.getNumElements(); i < e; ++i) {
    int64_t index = 0;
    for (auto [extent, stride, resultStride] :
         llvm::zip_equal(from.getShape(), strides, resultStrides))
      index += i / stride % extent * resultStride;
    if (from.isFloat())
      to.getFloats()[index] += from.getFloats()[i];
    else
      // Unsigned, so that the overflow of an i64 is defined.
      to.setInteger(index, static_cast<uint64_t>(to.getIntegers()[index]) +
                               static_cast<uint64_t>(from.getIntegers()[i]));
  }
  return success();
}

void job::attachReduceReferences(MLIRContext *context) {
  ReduceSumOp::attachInterface<ReferenceModel<ReduceSumOp, computeReduceSum>>(
      *context);
}
