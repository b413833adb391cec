//===- Norm.cpp - Reference of normalisations -----------------------------===//

#include "Models.h"
#include "SoftmaxRow.h"

#include <cmath>

using namespace mlir;
using namespace mlir::job;

static LogicalResult computeBatchNorm(BatchNormOp op,
                                      ReferenceOperands operands,
                                      ReferenceResults results) {
  const std::vector<double> &x = operands[0]->getFloats();
  const std::vector<double> &gamma = operands[1]->getFloats();
  const std::vector<double> &beta = operands[2]->getFloats();
  std::vector<double> &y = results[0].getFloats();
  std::vector<double> &mean = results[1].getFloats();
  std::vector<double> &variance = results[2].getFloats();
  int64_t channels = gamma.size();
  int64_t stride = getRowMajorStrides(operands[0]->getShape())[op.getAxis()];
  auto channelOf = [&](size_t index) { return index / stride % channels; };
  double count = static_cast<double>(x.size()) / channels;
  for (size_t i = 0; i < x.size(); ++i)
    mean[channelOf(i)] += x[i] / count;
  for (size_t i = 0; i < x.size(); ++i)
    variance[channelOf(i)] += std::pow(x[i] - mean[channelOf(i)], 2) / count;
  double epsilon = op.getEpsilon().convertToDouble();
  for (size_t i = 0; i < x.size(); ++i) {
    int64_t c = channelOf(i);
    y[i] = gamma[c] * (x[i] - mean[c]) / std::sqrt(variance[c] + epsilon) +
           beta[c];
  }
  return success();
}

static LogicalResult computeLayerNorm(LayerNormOp op,
                                      ReferenceOperands operands,
                                      ReferenceResults results) {
  const std::vector<double> &gamma = operands[1]->getFloats();
  const std::vector<double> &beta = operands[2]->getFloats();
  std::vector<double> &means = results[1].getFloats();
  std::vector<double> &rstds = results[2].getFloats();
  int64_t length = gamma.size();
  for (size_t row = 0; row < means.size(); ++row) {
    auto x = ArrayRef(operands[0]->getFloats()).slice(row * length, length);
    double mean = 0, variance = 0;
    for (double value : x)
      mean += value / length;
    for (double value : x)
      variance += (value - mean) * (value - mean) / length;
    double rstd = 1 / std::sqrt(variance + op.getEpsilon().convertToDouble());
    means[row] = mean;
    rstds[row] = rstd;
    for (int64_t i = 0; i < length; ++i)
      results[0].getFloats()[row * length + i] =
          gamma[i] * (x[i] - mean) * rstd + beta[i];
  }
  return success();
}

static LogicalResult computeLayerNormGrad(LayerNormGradOp op,
                                          ReferenceOperands operands,
                                          ReferenceResults results) {
  const std::vector<double> &grad = operands[0]->getFloats();
  const std::vector<double> &x = operands[1]->getFloats();
  const std::vector<double> &gamma = operands[2]->getFloats();
  const std::vector<double> &mean = operands[3]->getFloats();
  const std::vector<double> &rstd = operands[4]->getFloats();
  std::vector<double> &result = results[0].getFloats();
  int64_t length = gamma.size();
  for (size_t row = 0; row < mean.size(); ++row) {
    auto g = [&](int64_t i) { return grad[row * length + i] * gamma[i]; };
    auto n = [&](int64_t i) {
      return (x[row * length + i] - mean[row]) * rstd[row];
    };
    double meanGrad = 0, meanProduct = 0;
    for (int64_t i = 0; i < length; ++i) {
      meanGrad += g(i) / length;
      meanProduct += g(i) * n(i) / length;
    }
    for (int64_t i = 0; i < length; ++i)
      result[row * length + i] =
          rstd[row] * (g(i) - meanGrad - n(i) * meanProduct);
  }
  return success();
}

/// Calls `element(row, i)` for each element of the result.
template <typename Function>
static void computeRows(const ReferenceTensor &operand, ReferenceTensor &result,
                        Function element) {
  int64_t length = operand.getShape().back();
  for (int64_t index = 0, e = operand.getNumElements(); index < e;
       index += length) {
    SoftmaxRow row(operand, index / length);
    for (int64_t i = 0; i < length; ++i)
      result.getFloats()[index + i] = element(row, i);
  }
}

static LogicalResult computeSoftmax(SoftmaxOp op, ReferenceOperands operands,
                                    ReferenceResults results) {
  computeRows(*operands[0], results[0], [](const SoftmaxRow &row, int64_t i) {
    return row.getSoftmax(i);
  });
  return success();
}

static LogicalResult computeLogSoftmax(LogSoftmaxOp op,
                                       ReferenceOperands operands,
                                       ReferenceResults results) {
  computeRows(*operands[0], results[0], [](const SoftmaxRow &row, int64_t i) {
    return row.getLogSoftmax(i);
  });
  return success();
}

void job::attachNormReferences(MLIRContext *context) {
  BatchNormOp::attachInterface<ReferenceModel<BatchNormOp, computeBatchNorm>>(
      *context);
  LayerNormOp::attachInterface<ReferenceModel<LayerNormOp, computeLayerNorm>>(
      *context);
  LayerNormGradOp::attachInterface<
      ReferenceModel<LayerNormGradOp, computeLayerNormGrad>>(*context);
  SoftmaxOp::attachInterface<ReferenceModel<SoftmaxOp, computeSoftmax>>(
      *context);
  LogSoftmaxOp::attachInterface<
      ReferenceModel<LogSoftmaxOp, computeLogSoftmax>>(*context);
}
