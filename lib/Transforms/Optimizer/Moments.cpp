//===- Moments.cpp - Moving averages of gradients -------------------------===//

#include "Moments.h"

using namespace mlir;
using namespace mlir::job;

/// `value` where `touched` is true or not there, else `before`.
static Value choose(UpdateContext &context, Value touched, Value value,
                    Value before) {
  return touched ? context.create<SelectOp>(touched, value, before) : value;
}

Value job::updateAverage(UpdateContext &context, VariableOp average,
                         double decay, Value sample, Value touched) {
  Value before = context.read(average);
  Value kept = context.mul(before, context.constant(decay));
  Value added = context.mul(sample, context.constant(1 - decay));
  Value updated = context.add(kept, added);
  context.assign(average, choose(context, touched, updated, before));
  return updated;
}

Value job::buildCorrection(UpdateContext &context, StringRef suffix,
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
static Value buildCorrectedRate(UpdateContext &context, double beta1,
                                double beta2) {
  Value first = buildCorrection(context, "beta1_t", beta1);
  Value second = buildCorrection(context, "beta2_t", beta2);
  if (!first || !second)
    return {};
  Value rate = context.mul(context.getLearningRate(), context.sqrt(second));
  return context.div(rate, first);
}

LogicalResult job::buildAdam(UpdateContext &context, double beta1, double beta2,
                             double epsilon, bool biasCorrection,
                             Value touched) {
  VariableOp firstMoment = context.getState("m", context.getType(), 0);
  VariableOp secondMoment = context.getState("v", context.getType(), 0);
  if (!firstMoment || !secondMoment)
    return failure();
  Value rate = biasCorrection ? buildCorrectedRate(context, beta1, beta2)
                              : context.getLearningRate();
  if (!rate)
    return failure();

  Value gradient = context.getGradient();
  Value m = updateAverage(context, firstMoment, beta1, gradient, touched);
  Value v = updateAverage(context, secondMoment, beta2,
                          context.mul(gradient, gradient), touched);
  Value divisor = context.add(context.sqrt(v), context.constant(epsilon));
  Value direction = context.addDecay(context.div(m, divisor));
  Value step = context.mul(context.broadcast(rate), direction);
  Value updated = context.sub(context.read(), step);
  context.assign(choose(context, touched, updated, context.read()));
  return success();
}
