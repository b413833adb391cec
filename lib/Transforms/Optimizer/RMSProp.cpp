//===- RMSProp.cpp - Gradients over their root mean square ----------------===//

#include "Models.h"
#include "Moments.h"

using namespace mlir;
using namespace mlir::job;

namespace {
struct RMSPropModel
    : public OptimizerAttrInterface::ExternalModel<RMSPropModel, RMSPropAttr> {
  LogicalResult buildUpdate(Attribute attr, UpdateContext &context) const;
};
} // namespace

/// s - a * a, the variance of the gradient, where rounding may give less than
/// 0.
static Value buildVariance(UpdateContext &context, Value meanSquare,
                           Value mean) {
  Value variance = context.sub(meanSquare, context.mul(mean, mean));
  return context.create<MaximumOp>(variance, context.constant(0));
}

LogicalResult RMSPropModel::buildUpdate(Attribute attr,
                                        UpdateContext &context) const {
  auto rmsprop = cast<RMSPropAttr>(attr);
  if (context.getWeightDecay() != 0)
    return context.emitError() << "expects no weight decay with " << attr
                               << " but got " << context.getWeightDecay();
  VariableOp square = context.getState("mean_square", context.getType(), 0);
  if (!square)
    return failure();
  Value gradient = context.getGradient();
  double decay = rmsprop.getDecayRate();
  Value spread =
      updateAverage(context, square, decay, context.mul(gradient, gradient));
  if (rmsprop.getCentered()) {
    VariableOp mean = context.getState("mean_gradient", context.getType(), 0);
    if (!mean)
      return failure();
    spread = buildVariance(context, spread,
                           updateAverage(context, mean, decay, gradient));
  }
  Value divisor =
      context.sqrt(context.add(spread, context.constant(rmsprop.getEpsilon())));
  Value rate = context.broadcast(context.getLearningRate());
  Value step = context.div(context.mul(rate, gradient), divisor);
  context.assign(context.sub(context.read(), step));
  return success();
}

void job::attachRMSProp(MLIRContext &context) {
  RMSPropAttr::attachInterface<RMSPropModel>(context);
}
