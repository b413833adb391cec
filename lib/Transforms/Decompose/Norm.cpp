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

} // namespace

void job::attachNormDecompositions(MLIRContext &context) {
  BatchNormOp::attachInterface<BatchNormModel>(context);
}
