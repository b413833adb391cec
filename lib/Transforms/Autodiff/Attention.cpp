//===- Attention.cpp - Gradients of attention -----------------------------===//

#include "Gradient.h"

using namespace mlir;
using namespace mlir::job;

/// The gradient of `result` is an op of its own. With the weights P, the one of
/// `logsumexp`, l, adds P * dl to the gradient of the scores, and so
/// `scale * dl * (P K)` to dQ and `scale * P^T (dl * Q)` to dK. Both are what
/// attention makes of other values: P K is its result for the values K, and
/// P^T (dl * Q) the gradient of these values for the gradient dl * Q. The ops
/// of the gradient of `logsumexp` are wide, as it is. Heads of larger blobs are
/// sliced first, and the rest of the gradients of these blobs is zeros.
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
        createGrad(grad, slice(op, 0), slice(op, 1), slice(op, 2),
                   op.getResult(), op.getLogsumexp());
    for (auto [index, value] : llvm::enumerate(grads.getGrads()))
      add(index, value);
  }

  void addLogSumExp(AttentionOp wide, Value grad) {
    bool needsQuery = gradient.isNeeded(0), needsKey = gradient.isNeeded(1);
    if (!needsQuery && !needsKey)
      return;
    Value query = slice(wide, 0), key = slice(wide, 1);
    Value scaled = scaleRows(grad, cast<BlobType>(query.getType()));
    auto keys = gradient.createOp<AttentionOp>(query, key, key, op.getScale(),
                                               op.getCausal());
    if (needsQuery)
      add(0, gradient.create<MulOp>(scaled, keys.getResult()));
    if (needsKey)
      add(1, createGrad(gradient.create<MulOp>(scaled, query), query, key, key,
                        keys.getResult(), keys.getLogsumexp())
                 .getGrads()[2]);
  }

  bool isPart(unsigned index) {
    return op.getHeadsBefore()[index] || op.getHeadsAfter()[index];
  }

  /// The heads of operand `index` that `of` reads.
  Value slice(AttentionOp of, unsigned index) {
    Value blob = of->getOperand(index);
    if (!isPart(index))
      return blob;
    SmallVector<int64_t> sizes(cast<BlobType>(blob.getType()).getShape());
    sizes[2] = of.getResult().getType().getDimSize(2);
    return gradient.create<SliceOp>(
        blob, ArrayRef<int64_t>{0, 0, op.getHeadsBefore()[index], 0}, sizes,
        ArrayRef<int64_t>{1, 1, 1, 1});
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

  AttentionGradOp createGrad(Value grad, Value query, Value key, Value value,
                             Value result, Value logsumexp) {
    return gradient.createOp<AttentionGradOp>(grad, query, key, value, result,
                                              logsumexp, op.getScale(),
                                              op.getCausal());
  }

  void add(unsigned index, Value value) {
    if (!gradient.isNeeded(index))
      return;
    if (isPart(index))
      value = gradient.create<PadOp>(
          value, ArrayRef<int64_t>{0, 0, op.getHeadsBefore()[index], 0},
          ArrayRef<int64_t>{0, 0, op.getHeadsAfter()[index], 0},
          ArrayRef<int64_t>{0, 0, 0, 0}, APFloat(0.0));
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
