//===- ConstantWarmup.cpp - A part of the rate over the first steps ------===//

#include "Models.h"

using namespace mlir;
using namespace mlir::job;

namespace {
struct ConstantWarmupModel
    : public WarmupAttrInterface::ExternalModel<ConstantWarmupModel,
                                                ConstantWarmupAttr> {
  Value buildLearningRate(Attribute attr, OpBuilder &builder, Location loc,
                          Value step, double base, Value scheduled) const {
    auto warmup = cast<ConstantWarmupAttr>(attr);
    RateBuilder rates(builder, loc);
    Value isWarm = rates.create<CompareOp>(
        ComparePredicate::LT, step, rates.stepConstant(warmup.getSteps()));
    return rates.create<SelectOp>(
        isWarm, rates.constant(base * warmup.getMultiplier()), scheduled);
  }
};
} // namespace

void job::attachConstantWarmup(MLIRContext &context) {
  ConstantWarmupAttr::attachInterface<ConstantWarmupModel>(context);
}
