//===- Norm.cpp - Normalisations by other ops -----------------------------===//

#include "Decompose.h"

using namespace mlir;
using namespace mlir::job;

namespace {

/// Three passes over the operand: the sum, the sum of squared deviations (exact
/// where a mean of squares would cancel), the result. What follows elementwise
/// is fused with the last.
struct BatchNormModel
    : public DecomposableOpInterface::ExternalModel<BatchNormModel,
                                                    BatchNormOp> {
  SmallVector<Value> decompose(Operation *op, OpBuilder &builder) const {
    auto norm = cast<BatchNormOp>(op);
    Location loc = op->getLoc();
    BlobType type = norm.getOperand().getType();
    BlobType statistics = norm.getGamma().getType();
    int64_t axis = norm.getAxis();
    SmallVector<int64_t> axes;
    for (int64_t dim = 0, e = type.getRank(); dim < e; ++dim)
      if (dim != axis)
        axes.push_back(dim);
    double count = static_cast<double>(type.getNumElements()) /
                   static_cast<double>(type.getDimSize(axis));

    auto mean = [&](Value value) -> Value {
      Value sum = builder.createOrFold<ReduceSumOp>(loc, value, axes,
                                                    /*keepdims=*/false);
      return DivOp::create(builder, loc, sum,
                           ConstantOp::create(builder, loc, statistics, count));
    };
    auto broadcast = [&](Value value) -> Value {
      return builder.createOrFold<BroadcastInDimOp>(loc, type, value,
                                                    ArrayRef<int64_t>(axis));
    };
    Value center = mean(norm.getOperand());
    Value deviation =
        SubOp::create(builder, loc, norm.getOperand(), broadcast(center));
    // `center` has only the digits of the element type. What it is off by is
    // the mean of the deviations, whose sum costs nothing beside the other one
    // (the corrected two-pass algorithm: Chan, Golub and LeVeque 1983).
    Value rest = mean(deviation);
    Value square = MulOp::create(builder, loc, deviation, deviation);
    Value spread = mean(square);
    Value variance = SubOp::create(builder, loc, spread,
                                   MulOp::create(builder, loc, rest, rest));
    // Rounding may have made a zero negative.
    variance =
        MaximumOp::create(builder, loc, variance,
                          ConstantOp::create(builder, loc, statistics, 0));
    Value epsilon = ConstantOp::create(builder, loc, statistics,
                                       norm.getEpsilon().convertToDouble());
    Value scale = RsqrtOp::create(
        builder, loc, AddOp::create(builder, loc, variance, epsilon));
    scale = MulOp::create(builder, loc, scale, norm.getGamma());
    Value shift = SubOp::create(builder, loc, norm.getBeta(),
                                MulOp::create(builder, loc, rest, scale));
    Value result = MulOp::create(builder, loc, deviation, broadcast(scale));
    result = AddOp::create(builder, loc, result, broadcast(shift));
    return {result, AddOp::create(builder, loc, center, rest), variance};
  }
};

//===----------------------------------------------------------------------===//
// Kernels that go over rows several times
//===----------------------------------------------------------------------===//

/// The corrected two-pass algorithm (Chan, Golub and LeVeque 1983): what the
/// first mean is off by is the mean of the deviations from it.
struct LayerNormModel
    : DecomposableOpInterface::ExternalModel<LayerNormModel, LayerNormOp> {
  SmallVector<Value> decompose(Operation *op, OpBuilder &builder) const {
    auto norm = cast<LayerNormOp>(op);
    RowOps r(builder, op->getLoc(), norm.getOperand().getType());
    Value x = norm.getOperand();
    Value center = r.mean(x);
    Value deviation = r.sub(x, r.broadcast(center));
    Value rest = r.mean(deviation);
    Value spread = r.mean(r.mul(deviation, deviation));
    Value variance = r.sub(spread, r.mul(rest, rest));
    // Rounding may have made a zero negative.
    variance = r.make<MaximumOp>(variance, r.rowConstant(0));
    double epsilon = norm.getEpsilon().convertToDouble();
    Value rstd = r.make<RsqrtOp>(r.add(variance, r.rowConstant(epsilon)));
    Value normalized =
        r.mul(r.sub(deviation, r.broadcast(rest)), r.broadcast(rstd));
    Value result = r.add(r.mul(normalized, r.broadcastVector(norm.getGamma())),
                         r.broadcastVector(norm.getBeta()));
    return {result, r.add(center, rest), rstd};
  }
  bool isKernel(Operation *) const { return true; }
  bool canOverwrite(Operation *, unsigned operand, unsigned result) const {
    return operand == 0 && result == 0;
  }
};

struct LayerNormGradModel
    : DecomposableOpInterface::ExternalModel<LayerNormGradModel,
                                             LayerNormGradOp> {
  SmallVector<Value> decompose(Operation *op, OpBuilder &builder) const {
    auto norm = cast<LayerNormGradOp>(op);
    RowOps r(builder, op->getLoc(), norm.getType());
    // The gradient of the normalised row, and that row.
    Value g = r.mul(norm.getGrad(), r.broadcastVector(norm.getGamma()));
    Value rstd = r.broadcast(norm.getRstd());
    Value normalized =
        r.mul(r.sub(norm.getOperand(), r.broadcast(norm.getMean())), rstd);
    Value meanGrad = r.broadcast(r.mean(g));
    Value meanProduct = r.broadcast(r.mean(r.mul(g, normalized)));
    Value rest = r.sub(r.sub(g, meanGrad), r.mul(normalized, meanProduct));
    return {r.mul(rstd, rest)};
  }
  bool isKernel(Operation *) const { return true; }
  bool canOverwrite(Operation *, unsigned operand, unsigned) const {
    return operand <= 1;
  }
};

struct SoftmaxModel
    : DecomposableOpInterface::ExternalModel<SoftmaxModel, SoftmaxOp> {
  SmallVector<Value> decompose(Operation *op, OpBuilder &builder) const {
    auto softmax = cast<SoftmaxOp>(op);
    RowOps r(builder, op->getLoc(), softmax.getType());
    Value x = softmax.getOperand();
    Value exp = r.make<ExpOp>(r.sub(x, r.broadcast(r.maximum(x))));
    Value factor = r.div(r.rowConstant(1), r.sum(exp));
    return {r.mul(exp, r.broadcast(factor))};
  }
  bool isKernel(Operation *) const { return true; }
  bool canOverwrite(Operation *, unsigned, unsigned) const { return true; }
};

struct LogSoftmaxModel
    : DecomposableOpInterface::ExternalModel<LogSoftmaxModel, LogSoftmaxOp> {
  SmallVector<Value> decompose(Operation *op, OpBuilder &builder) const {
    auto softmax = cast<LogSoftmaxOp>(op);
    RowOps r(builder, op->getLoc(), softmax.getType());
    Value x = softmax.getOperand();
    Value shifted = r.sub(x, r.broadcast(r.maximum(x)));
    Value sum = r.sum(r.make<ExpOp>(shifted));
    return {r.sub(shifted, r.broadcast(r.make<LogOp>(sum)))};
  }
  bool isKernel(Operation *) const { return true; }
  bool canOverwrite(Operation *, unsigned, unsigned) const { return true; }
};

} // namespace

void job::attachNormDecompositions(MLIRContext &context) {
  BatchNormOp::attachInterface<BatchNormModel>(context);
  LayerNormOp::attachInterface<LayerNormModel>(context);
  LayerNormGradOp::attachInterface<LayerNormGradModel>(context);
  SoftmaxOp::attachInterface<SoftmaxModel>(context);
  LogSoftmaxOp::attachInterface<LogSoftmaxModel>(context);
}
