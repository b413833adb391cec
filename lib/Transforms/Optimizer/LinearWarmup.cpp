//===- LinearWarmup.cpp - A rate that grows over the first steps ----------===//

#include "Models.h"

using namespace mlir;
using namespace mlir::job;

namespace {
struct LinearWarmupModel
    : public WarmupAttrInterface::ExternalModel<LinearWarmupModel,
                                                LinearWarmupAttr> {
  Value buildLearningRate(Attribute attr, OpBuilder &builder, Location loc,
                          Value step, double base, Value scheduled) const {
    auto warmup = cast<LinearWarmupAttr>(attr);
    auto steps = static_cast<int64_t>(warmup.getSteps());
    double first = base * warmup.getStart();
    double slope = (base - first) / static_cast<double>(steps);
    RateBuilder rates(builder, loc);
    Value rate = rates.create<MulOp>(rates.toRate(step), rates.constant(slope));
    if (first != 0)
      rate = rates.create<AddOp>(rate, rates.constant(first));
    Value isWarm = rates.create<CompareOp>(ComparePredicate::LT, step,
                                           rates.stepConstant(steps));
    return rates.create<SelectOp>(isWarm, rate, scheduled);
  }
};
} // namespace

void job::attachLinearWarmup(MLIRContext &context) {
  LinearWarmupAttr::attachInterface<LinearWarmupModel>(context);
}
