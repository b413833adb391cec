//===- Attention.cpp - Gradients of attention -----------------------------===//

#include "Gradient.h"

using namespace mlir;
using namespace mlir::job;

/// The gradient of `result` is an op of its own. With the weights P, the one of
/// `logsumexp`, l, adds P * dl to the gradient of the scores, and so
/// `scale * dl * (P K)` to dQ and `scale * P^T (dl * Q)` to dK. Both are what
/// attention makes of other values: P K is its result for the values K, and
/// P^T (dl * Q) the gradient of these values for the gradient dl * Q.
namespace {
class AttentionGradient {
public:
  AttentionGradient(AttentionOp op, Gradient &gradient)
      : op(gradient.wideOp(op)), result(gradient.wide(op.getResult())),
        gradient(gradient) {}

  void build() {
    if (Value grad = gradient.wide(gradient.get(0)))
      addResult(grad);
    if (Value grad = gradient.wide(gradient.get(1)))
      addLogSumExp(grad);
    for (unsigned index = 0; index < 3; ++index)
      if (sums[index])
        gradient.set(index, sums[index]);
  }

private:
  void addResult(Value grad) {
    AttentionGradOp grads =
        createGrad(grad, op.getValue(), result, op.getLogsumexp());
    for (auto [index, value] : llvm::enumerate(grads.getResults()))
      add(index, value);
  }

  void addLogSumExp(Value grad) {
    bool needsQuery = gradient.isNeeded(0), needsKey = gradient.isNeeded(1);
    if (!needsQuery && !needsKey)
      return;
    Value scaled = scaleRows(grad);
    auto keys =
        gradient.createOp<AttentionOp>(op.getQuery(), op.getKey(), op.getKey(),
                                       op.getScaleAttr(), op.getCausalAttr());
    if (needsQuery)
      add(0, gradient.create<MulOp>(scaled, keys.getResult()));
    if (needsKey)
      add(1, createGrad(gradient.create<MulOp>(scaled, op.getQuery()),
                        op.getKey(), keys.getResult(), keys.getLogsumexp())
                 .getValueGrad());
  }

  /// scale * dl, (batch, head, position), for each channel of the queries.
  Value scaleRows(Value grad) {
    BlobType queries = op.getQuery().getType();
    Value factor = gradient.splat(grad, op.getScale().convertToDouble());
    Value scaled = gradient.create<MulOp>(grad, factor);
    Value transposed =
        gradient.create<TransposeOp>(scaled, ArrayRef<int64_t>{0, 2, 1});
    return gradient.create<BroadcastInDimOp>(queries, transposed,
                                             ArrayRef<int64_t>{0, 1, 2});
  }

  AttentionGradOp createGrad(Value grad, Value value, Value result,
                             Value logsumexp) {
    return gradient.createOp<AttentionGradOp>(
        op.getQuery().getType(), op.getKey().getType(), value.getType(), grad,
        op.getQuery(), op.getKey(), value, result, logsumexp, op.getScaleAttr(),
        op.getCausalAttr());
  }

  void add(unsigned index, Value value) {
    if (!gradient.isNeeded(index))
      return;
    Value &sum = sums[index];
    sum = sum ? gradient.create<AddOp>(sum, value) : value;
  }

  AttentionOp op;
  /// As the step keeps it: not wide, unlike the small `logsumexp`.
  Value result;
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
