//===- LAMB.cpp - Layer-wise adaptive moments -----------------------------===//

#include "Models.h"
#include "Moments.h"

using namespace mlir;
using namespace mlir::job;

namespace {
struct LAMBModel
    : public OptimizerAttrInterface::ExternalModel<LAMBModel, LAMBAttr> {
  LogicalResult buildUpdate(Attribute attr, UpdateContext &context) const;
};
} // namespace

/// |w| / |r| if both are positive, else 1; a scalar of the variable's type. The
/// quotient of root mean squares is that of the norms.
static Value buildRatio(UpdateContext &context, Value direction) {
  Value weights = context.getMagnitude(context.read());
  Value directions = context.getMagnitude(direction);
  auto type = cast<BlobType>(weights.getType());
  Value zero = context.constant(type, 0);
  Value arePositive = context.create<LogicalAndOp>(
      context.compare(ComparePredicate::GT, weights, zero),
      context.compare(ComparePredicate::GT, directions, zero));
  return context.create<SelectOp>(arePositive, context.div(weights, directions),
                                  context.constant(type, 1));
}

LogicalResult LAMBModel::buildUpdate(Attribute attr,
                                     UpdateContext &context) const {
  auto lamb = cast<LAMBAttr>(attr);
  VariableOp firstMoment = context.getState("m", context.getType(), 0);
  VariableOp secondMoment = context.getState("v", context.getType(), 0);
  if (!firstMoment || !secondMoment)
    return failure();
  Value first = buildCorrection(context, "beta1_t", lamb.getBeta1());
  Value second = buildCorrection(context, "beta2_t", lamb.getBeta2());
  if (!first || !second)
    return failure();

  Value gradient = context.getGradient();
  Value m = updateAverage(context, firstMoment, lamb.getBeta1(), gradient);
  Value v = updateAverage(context, secondMoment, lamb.getBeta2(),
                          context.mul(gradient, gradient));
  Value spread = context.add(context.div(v, context.broadcast(second)),
                             context.constant(lamb.getEpsilon()));
  Value direction = context.div(context.div(m, context.broadcast(first)),
                                context.sqrt(spread));
  Value ratio = buildRatio(context, direction);
  Value rate = context.mul(
      context.create<CastOp>(ratio.getType(), context.getLearningRate()),
      ratio);
  Value step =
      context.mul(context.broadcast(rate), context.addDecay(direction));
  context.assign(context.sub(context.read(), step));
  return success();
}

void job::attachLAMB(MLIRContext &context) {
  LAMBAttr::attachInterface<LAMBModel>(context);
}
