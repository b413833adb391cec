//===- Momentum.cpp - Gradient descent with momentum ----------------------===//

#include "Models.h"

#include "JobDialect/Transforms/UpdateContext.h"

using namespace mlir;
using namespace mlir::job;

namespace {
struct MomentumModel
    : public OptimizerAttrInterface::ExternalModel<MomentumModel,
                                                   MomentumAttr> {
  LogicalResult buildUpdate(Attribute attr, UpdateContext &context) const {
    VariableOp state = context.getState("momentum", context.getType(), 0);
    if (!state)
      return failure();
    Value rate = context.broadcast(context.getLearningRate());
    Value step = context.mul(rate, context.getGradient());
    Value kept =
        context.mul(context.read(state),
                    context.constant(cast<MomentumAttr>(attr).getBeta()));
    Value momentum = context.sub(kept, step);
    context.assign(state, momentum);
    Value updated = context.add(context.read(), momentum);
    if (double decay = context.getWeightDecay())
      updated = context.sub(
          updated, context.mul(rate, context.mul(context.read(),
                                                 context.constant(decay))));
    context.assign(updated);
    return success();
  }
};
} // namespace

void job::attachMomentum(MLIRContext &context) {
  MomentumAttr::attachInterface<MomentumModel>(context);
}
