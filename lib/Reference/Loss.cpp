//===- Loss.cpp - Reference of losses -------------------------------------===//

#include "Models.h"
#include "SoftmaxRow.h"

using namespace mlir;
using namespace mlir::job;

static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

static bool hasClass(const SoftmaxRow &row, int64_t label) {
  return label >= 0 && label < row.length;
}

static LogicalResult computeCrossEntropy(SparseSoftmaxCrossEntropyOp op,
                                         ReferenceOperands operands,
                                         ReferenceResults results) {
  for (auto [index, loss] : llvm::enumerate(results[0].getFloats())) {
    SoftmaxRow row(*operands[0], index);
    int64_t label = operands[1]->getIntegers()[index];
    loss = hasClass(row, label) ? -row.getLogSoftmax(label) : kNaN;
  }
  return success();
}

static LogicalResult computeCrossEntropyGrad(SparseSoftmaxCrossEntropyGradOp op,
                                             ReferenceOperands operands,
                                             ReferenceResults results) {
  const std::vector<double> &grad = operands[0]->getFloats();
  for (size_t index = 0; index < grad.size(); ++index) {
    SoftmaxRow row(*operands[1], index);
    int64_t label = operands[2]->getIntegers()[index];
    for (int64_t j = 0; j < row.length; ++j)
      results[0].getFloats()[index * row.length + j] =
          hasClass(row, label)
              ? (row.getSoftmax(j) - (j == label)) * grad[index]
              : kNaN;
  }
  return success();
}

void job::attachLossReferences(MLIRContext *context) {
  SparseSoftmaxCrossEntropyOp::attachInterface<
      ReferenceModel<SparseSoftmaxCrossEntropyOp, computeCrossEntropy>>(
      *context);
  SparseSoftmaxCrossEntropyGradOp::attachInterface<
      ReferenceModel<SparseSoftmaxCrossEntropyGradOp, computeCrossEntropyGrad>>(
      *context);
}
