//===- Attention.cpp - Reference of attention -----------------------------===//

#include "Models.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::job;

namespace {

/// An array of (batch, position, head, channel), or heads of one.
struct Heads {
  ArrayRef<int64_t> shape;
  int64_t first;

  explicit Heads(Value blob, int64_t first = 0)
      : shape(cast<BlobType>(blob.getType()).getShape()), first(first) {}

  /// The first channel of a row.
  int64_t operator()(int64_t b, int64_t position, int64_t h) const {
    return ((b * shape[1] + position) * shape[2] + first + h) * shape[3];
  }
};

/// Where the elements of query, key and value lie, and which keys are seen.
struct Layout {
  int64_t batch, queries, keys, heads, channels, valueChannels;
  double scale;
  bool causal;
  // The places of rows.
  Heads atQuery, atKey, atValue, atResult;

  template <typename Op>
  explicit Layout(Op op)
      : batch(op.getQuery().getType().getDimSize(0)),
        queries(op.getQuery().getType().getDimSize(1)),
        keys(op.getKey().getType().getDimSize(1)),
        heads(op.getResult().getType().getDimSize(2)),
        channels(op.getQuery().getType().getDimSize(3)),
        valueChannels(op.getValue().getType().getDimSize(3)),
        scale(op.getScale().convertToDouble()), causal(op.getCausal()),
        atQuery(op.getQuery(), op.getHeadsBefore()[0]),
        atKey(op.getKey(), op.getHeadsBefore()[1]),
        atValue(op.getValue(), op.getHeadsBefore()[2]),
        atResult(op.getResult()) {}

  int64_t getNumVisible(int64_t query) const {
    return causal ? query + keys - queries + 1 : keys;
  }
  int64_t atRow(int64_t b, int64_t t, int64_t h) const {
    return (b * heads + h) * queries + t;
  }

  /// Calls `function(b, h, t)` for each row of weights.
  template <typename Function> void forEachRow(Function function) const {
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t h = 0; h < heads; ++h)
        for (int64_t t = 0; t < queries; ++t)
          function(b, h, t);
  }
};

} // namespace

static double dot(const double *x, const double *y, int64_t count) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i)
    sum += x[i] * y[i];
  return sum;
}

static LogicalResult computeAttention(AttentionOp op,
                                      ReferenceOperands operands,
                                      ReferenceResults results) {
  Layout layout(op);
  const double *query = operands[0]->getFloats().data();
  const double *key = operands[1]->getFloats().data();
  const double *value = operands[2]->getFloats().data();
  std::vector<double> &result = results[0].getFloats();
  std::vector<double> &logsumexp = results[1].getFloats();
  layout.forEachRow([&](int64_t b, int64_t h, int64_t t) {
    std::vector<double> weights(layout.getNumVisible(t));
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (auto [s, weight] : llvm::enumerate(weights)) {
      weight = layout.scale * dot(query + layout.atQuery(b, t, h),
                                  key + layout.atKey(b, s, h), layout.channels);
      largest = weight > largest ? weight : largest;
    }
    for (double &weight : weights)
      sum += weight = std::exp(weight - largest);
    for (auto [s, weight] : llvm::enumerate(weights))
      for (int64_t c = 0; c < layout.valueChannels; ++c)
        result[layout.atResult(b, t, h) + c] +=
            weight / sum * value[layout.atValue(b, s, h) + c];
    logsumexp[layout.atRow(b, t, h)] = largest + std::log(sum);
  });
  return success();
}

static LogicalResult computeAttentionGrad(AttentionGradOp op,
                                          ReferenceOperands operands,
                                          ReferenceResults results) {
  Layout layout(op);
  const double *grad = operands[0]->getFloats().data();
  const double *query = operands[1]->getFloats().data();
  const double *key = operands[2]->getFloats().data();
  const double *value = operands[3]->getFloats().data();
  const double *result = operands[4]->getFloats().data();
  const double *logsumexp = operands[5]->getFloats().data();
  SmallVector<double *> grads;
  SmallVector<Heads> atGrad;
  for (unsigned index = 0; index < 3; ++index) {
    auto [number, first] = op.getGradPlace(index);
    grads.push_back(results[number].getFloats().data());
    atGrad.emplace_back(op.getGrads()[number], first);
  }
  layout.forEachRow([&](int64_t b, int64_t h, int64_t t) {
    int64_t q = layout.atQuery(b, t, h), y = layout.atResult(b, t, h);
    double *queryGrad = grads[0] + atGrad[0](b, t, h);
    double mean = dot(grad + y, result + y, layout.valueChannels);
    for (int64_t s = 0; s < layout.getNumVisible(t); ++s) {
      int64_t k = layout.atKey(b, s, h), v = layout.atValue(b, s, h);
      double score = layout.scale * dot(query + q, key + k, layout.channels);
      double weight = std::exp(score - logsumexp[layout.atRow(b, t, h)]);
      double weightGrad = dot(grad + y, value + v, layout.valueChannels);
      double scoreGrad = layout.scale * weight * (weightGrad - mean);
      double *keyGrad = grads[1] + atGrad[1](b, s, h);
      double *valueGrad = grads[2] + atGrad[2](b, s, h);
      for (int64_t c = 0; c < layout.valueChannels; ++c)
        valueGrad[c] += weight * grad[y + c];
      for (int64_t c = 0; c < layout.channels; ++c) {
        queryGrad[c] += scoreGrad * key[k + c];
        keyGrad[c] += scoreGrad * query[q + c];
      }
    }
  });
  return success();
}

void job::attachAttentionReferences(MLIRContext *context) {
  AttentionOp::attachInterface<ReferenceModel<AttentionOp, computeAttention>>(
      *context);
  AttentionGradOp::attachInterface<
      ReferenceModel<AttentionGradOp, computeAttentionGrad>>(*context);
}
