//===- Attention.cpp - Gradients of attention -----------------------------===//

#include "Gradient.h"

using namespace mlir;
using namespace mlir::job;

/// The gradient of `result` is an op of its own. With the weights P, the one of
/// `logsumexp`, l, adds P * dl to the gradient of the scores, and so
/// `scale * dl * (P K)` to dQ and `scale * P^T (dl * Q)` to dK. Both are what
/// attention makes of other values: P K is its result for the values K, and
/// P^T (dl * Q) the gradient of these values for the gradient dl * Q. The ops
/// of the gradient of `logsumexp` are wide, as it is.
namespace {
class AttentionGradient {
public:
  AttentionGradient(AttentionOp op, Gradient &gradient)
      : op(op), gradient(gradient) {}

  void build() {
    if (Value grad = gradient.get(0))
      addResult(grad);
    if (Value grad = gradient.get(1))
      addLogSumExp(gradient.wideOp(op), grad);
    for (unsigned index = 0; index < 3; ++index)
      if (sums[index])
        gradient.set(index, sums[index]);
  }

private:
  void addResult(Value grad) {
    AttentionGradOp grads =
        createGrad(op, grad, op.getValue(), op.getResult(), op.getLogsumexp());
    for (auto [index, value] : llvm::enumerate(grads.getResults()))
      add(index, value);
  }

  void addLogSumExp(AttentionOp wide, Value grad) {
    bool needsQuery = gradient.isNeeded(0), needsKey = gradient.isNeeded(1);
    if (!needsQuery && !needsKey)
      return;
    Value scaled = scaleRows(grad, wide.getQuery().getType());
    auto keys = gradient.createOp<AttentionOp>(wide.getQuery(), wide.getKey(),
                                               wide.getKey(), op.getScaleAttr(),
                                               op.getCausalAttr());
    if (needsQuery)
      add(0, gradient.create<MulOp>(scaled, keys.getResult()));
    if (needsKey)
      add(1, createGrad(wide, gradient.create<MulOp>(scaled, wide.getQuery()),
                        wide.getKey(), keys.getResult(), keys.getLogsumexp())
                 .getValueGrad());
  }

  /// scale * dl, (batch, head, position), for each channel of the queries.
  Value scaleRows(Value grad, BlobType queries) {
    Value factor = gradient.splat(grad, op.getScale().convertToDouble());
    Value scaled = gradient.create<MulOp>(grad, factor);
    Value transposed =
        gradient.create<TransposeOp>(scaled, ArrayRef<int64_t>{0, 2, 1});
    return gradient.create<BroadcastInDimOp>(queries, transposed,
                                             ArrayRef<int64_t>{0, 1, 2});
  }

  AttentionGradOp createGrad(AttentionOp of, Value grad, Value value,
                             Value result, Value logsumexp) {
    return gradient.createOp<AttentionGradOp>(
        of.getQuery().getType(), of.getKey().getType(), value.getType(), grad,
        of.getQuery(), of.getKey(), value, result, logsumexp, of.getScaleAttr(),
        of.getCausalAttr());
  }

  void add(unsigned index, Value value) {
    if (!gradient.isNeeded(index))
      return;
    Value &sum = sums[index];
    sum = sum ? gradient.create<AddOp>(gradient.wide(sum), value) : value;
  }

  AttentionOp op;
  Gradient &gradient;
  Value sums[3];
};
} // namespace

static void attentionGradient(AttentionOp op, Gradient &gradient) {
  AttentionGradient(op, gradient).build();
}

void job::attachAttentionGradients(MLIRContext &context) {
  attachGradient<AttentionOp, attentionGradient>(context);
}
