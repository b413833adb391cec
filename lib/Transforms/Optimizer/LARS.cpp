//===- LARS.cpp - Layer-wise adaptive rate scaling ------------------------===//

#include "Models.h"

#include "JobDialect/Transforms/UpdateContext.h"

using namespace mlir;
using namespace mlir::job;

namespace {
struct LARSModel
    : public OptimizerAttrInterface::ExternalModel<LARSModel, LARSAttr> {
  LogicalResult buildUpdate(Attribute attr, UpdateContext &context) const;
};
} // namespace

/// The learning rate of the variable, a scalar of the type of its elements.
static Value buildLocalRate(LARSAttr lars, UpdateContext &context) {
  Value weights = context.getMagnitude(context.read());
  Value gradients = context.getMagnitude(context.getGradient());
  auto type = cast<BlobType>(weights.getType());
  Value divisor =
      context.add(gradients, context.constant(type, lars.getEpsilon()));
  if (double decay = context.getWeightDecay()) {
    Value term = context.mul(weights, context.constant(type, decay));
    Value step = context.getStep();
    Value first = context.constant(cast<BlobType>(step.getType()), 0);
    Value isFirst = context.compare(ComparePredicate::EQ, step, first);
    divisor = context.add(
        divisor,
        context.create<SelectOp>(isFirst, context.constant(type, 0), term));
  }
  Value rate =
      context.mul(context.create<CastOp>(type, context.getLearningRate()),
                  context.constant(type, lars.getCoefficient()));
  return context.div(context.mul(rate, weights), divisor);
}

LogicalResult LARSModel::buildUpdate(Attribute attr,
                                     UpdateContext &context) const {
  auto lars = cast<LARSAttr>(attr);
  VariableOp state = context.getState("momentum", context.getType(), 0);
  if (!state)
    return failure();
  Value rate = context.broadcast(buildLocalRate(lars, context));
  Value step = context.mul(rate, context.addDecay(context.getGradient()));
  Value kept =
      context.mul(context.read(state), context.constant(lars.getBeta()));
  Value momentum = context.sub(kept, step);
  context.assign(state, momentum);
  context.assign(context.add(context.read(), momentum));
  return success();
}

void job::attachLARS(MLIRContext &context) {
  LARSAttr::attachInterface<LARSModel>(context);
}
