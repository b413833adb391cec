//===- Adam.cpp - Adam ----------------------------------------------------===//

#include "Models.h"

#include "JobDialect/Transforms/UpdateContext.h"

using namespace mlir;
using namespace mlir::job;

namespace {
struct AdamModel
    : public OptimizerAttrInterface::ExternalModel<AdamModel, AdamAttr> {
  LogicalResult buildUpdate(Attribute attr, UpdateContext &context) const;
};
} // namespace

/// decay * average + (1 - decay) * sample, the average's new value.
static Value updateAverage(UpdateContext &context, VariableOp average,
                           double decay, Value sample) {
  Value kept = context.mul(context.read(average), context.constant(decay));
  Value added = context.mul(sample, context.constant(1 - decay));
  Value updated = context.add(kept, added);
  context.assign(average, updated);
  return updated;
}

/// 1 - beta^t with the power kept in a state variable, which moves on to the
/// next step. Null after an error.
static Value buildCorrection(UpdateContext &context, StringRef suffix,
                             double beta) {
  BlobType type = context.getScalarType();
  VariableOp state = context.getState(suffix, type, beta);
  if (!state)
    return {};
  Value power = context.read(state);
  context.assign(state, context.mul(power, context.constant(type, beta)));
  return context.sub(context.constant(type, 1), power);
}

/// lr * sqrt(1 - beta2^t) / (1 - beta1^t). Null after an error.
static Value buildCorrectedRate(AdamAttr adam, UpdateContext &context) {
  Value first = buildCorrection(context, "beta1_t", adam.getBeta1());
  Value second = buildCorrection(context, "beta2_t", adam.getBeta2());
  if (!first || !second)
    return {};
  Value rate = context.mul(context.getLearningRate(), context.sqrt(second));
  return context.div(rate, first);
}

LogicalResult AdamModel::buildUpdate(Attribute attr,
                                     UpdateContext &context) const {
  auto adam = cast<AdamAttr>(attr);
  VariableOp firstMoment = context.getState("m", context.getType(), 0);
  VariableOp secondMoment = context.getState("v", context.getType(), 0);
  if (!firstMoment || !secondMoment)
    return failure();
  Value rate = adam.getBiasCorrection() ? buildCorrectedRate(adam, context)
                                        : context.getLearningRate();
  if (!rate)
    return failure();

  Value gradient = context.getGradient();
  Value m = updateAverage(context, firstMoment, adam.getBeta1(), gradient);
  Value v = updateAverage(context, secondMoment, adam.getBeta2(),
                          context.mul(gradient, gradient));
  Value divisor =
      context.add(context.sqrt(v), context.constant(adam.getEpsilon()));
  Value direction = context.div(m, divisor);
  Value step = context.mul(context.broadcast(rate), direction);
  context.assign(context.sub(context.read(), step));
  return success();
}

void job::attachAdam(MLIRContext &context) {
  AdamAttr::attachInterface<AdamModel>(context);
}
