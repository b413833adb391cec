//===- Loss.cpp - Reference of losses -------------------------------------===//

#include "Models.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::job;

static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

namespace {

/// A row of logits after the row's maximum was subtracted, which keeps the
/// exponentials finite.
struct SoftmaxRow {
  SoftmaxRow(const ReferenceTensor &logits, int64_t row)
      : classes(logits.getShape().back()),
        logits(ArrayRef(logits.getFloats()).slice(row * classes, classes)) {
    for (double value : this->logits)
      maximum = value > maximum ? value : maximum;
    for (double value : this->logits)
      sum += std::exp(value - maximum);
  }

  bool hasClass(int64_t label) const { return label >= 0 && label < classes; }

  int64_t classes;
  ArrayRef<double> logits;
  double maximum = -std::numeric_limits<double>::infinity();
  double sum = 0;
};

} // namespace

static LogicalResult computeCrossEntropy(SparseSoftmaxCrossEntropyOp op,
                                         ReferenceOperands operands,
                                         ReferenceResults results) {
  for (auto [index, loss] : llvm::enumerate(results[0].getFloats())) {
    SoftmaxRow row(*operands[0], index);
    int64_t label = operands[1]->getIntegers()[index];
    loss = row.hasClass(label)
               ? std::log(row.sum) - (row.logits[label] - row.maximum)
               : kNaN;
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
    for (int64_t j = 0; j < row.classes; ++j) {
      double probability = std::exp(row.logits[j] - row.maximum) / row.sum;
      results[0].getFloats()[index * row.classes + j] =
          row.hasClass(label) ? (probability - (j == label)) * grad[index]
                              : kNaN;
    }
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
