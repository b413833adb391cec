//===- Structure.cpp - Reference of the structure ops ---------------------===//
//
// Variables, steps and kernels are the interpreter's own business; what is left
// are constants, transfers and gradients that users give.
//
//===----------------------------------------------------------------------===//

#include "Models.h"

using namespace mlir;
using namespace mlir::job;

static LogicalResult computeConstant(ConstantOp op, ReferenceOperands,
                                     ReferenceResults results) {
  results[0] = ReferenceTensor::fromElements(op.getValue());
  return success();
}

static LogicalResult computeTransfer(TransferOp, ReferenceOperands operands,
                                     ReferenceResults results) {
  results[0] = *operands[0];
  return success();
}

static LogicalResult computeCustomGradient(CustomGradientOp op,
                                           ReferenceOperands operands,
                                           ReferenceResults results) {
  for (auto [index, result] : llvm::enumerate(results))
    result = *operands[index];
  return success();
}

void job::attachStructureReferences(MLIRContext *context) {
  ConstantOp::attachInterface<ReferenceModel<ConstantOp, computeConstant>>(
      *context);
  CustomGradientOp::attachInterface<
      ReferenceModel<CustomGradientOp, computeCustomGradient>>(*context);
  TransferOp::attachInterface<ReferenceModel<TransferOp, computeTransfer>>(
      *context);
}
