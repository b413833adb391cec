//===- Shape.cpp - Reference of the shape ops -----------------------------===//

#include "Models.h"

using namespace mlir;
using namespace mlir::job;

static LogicalResult computeReshape(ReshapeOp op, ReferenceOperands operands,
                                    ReferenceResults results) {
  results[0] = operands[0]->reshape(results[0].getType());
  return success();
}

static LogicalResult computeBroadcastInDim(BroadcastInDimOp op,
                                           ReferenceOperands operands,
                                           ReferenceResults results) {
  const ReferenceTensor &from = *operands[0];
  ReferenceTensor &to = results[0];
  SmallVector<int64_t> fromStrides = getRowMajorStrides(from.getShape());
  SmallVector<int64_t> toStrides = getRowMajorStrides(to.getShape());
  for (int64_t i = 0, e = to.getNumElements(); i < e; ++i) {
    int64_t index = 0;
    for (auto [extent, stride, dim] :
         llvm::zip_equal(from.getShape(), fromStrides, op.getDims()))
      if (extent != 1)
        index += i / toStrides[dim] % extent * stride;
    if (from.isFloat())
      to.getFloats()[i] = from.getFloats()[index];
    else
      to.setInteger(i, from.getIntegers()[index]);
  }
  return success();
}

void job::attachShapeReferences(MLIRContext *context) {
  ReshapeOp::attachInterface<ReferenceModel<ReshapeOp, computeReshape>>(
      *context);
  BroadcastInDimOp::attachInterface<
      ReferenceModel<BroadcastInDimOp, computeBroadcastInDim>>(*context);
}
