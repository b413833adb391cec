//===- SGD.cpp - Stochastic gradient descent ------------------------------===//

#include "Models.h"

#include "JobDialect/Transforms/UpdateContext.h"

using namespace mlir;
using namespace mlir::job;

namespace {
struct SGDModel
    : public OptimizerAttrInterface::ExternalModel<SGDModel, SGDAttr> {
  LogicalResult buildUpdate(Attribute, UpdateContext &context) const {
    Value rate = context.broadcast(context.getLearningRate());
    Value step = context.mul(rate, context.addDecay(context.getGradient()));
    context.assign(context.sub(context.read(), step));
    return success();
  }
};
} // namespace

void job::attachSGD(MLIRContext &context) {
  SGDAttr::attachInterface<SGDModel>(context);
}
