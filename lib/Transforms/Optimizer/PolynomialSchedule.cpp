//===- PolynomialSchedule.cpp - A power of the part that is left ---------===//

#include "Models.h"

using namespace mlir;
using namespace mlir::job;

namespace {
struct PolynomialScheduleModel
    : public ScheduleAttrInterface::ExternalModel<PolynomialScheduleModel,
                                                  PolynomialScheduleAttr> {
  /// The part of the steps that is left, from 1 down to 0.
  static Value getRest(RateBuilder &rates, PolynomialScheduleAttr schedule,
                       Value step) {
    int64_t steps = schedule.getSteps();
    if (!schedule.getCycle()) {
      Value end = rates.stepConstant(steps);
      Value left = rates.create<SubOp>(end, rates.create<MinimumOp>(step, end));
      return rates.getProgress(left, steps);
    }
    Value progress = rates.getProgress(step, steps);
    Value cycles = rates.create<MaximumOp>(rates.create<CeilOp>(progress),
                                           rates.constant(1));
    return rates.create<SubOp>(rates.constant(1),
                               rates.create<DivOp>(progress, cycles));
  }

  Value buildLearningRate(Attribute attr, OpBuilder &builder, Location loc,
                          Value step) const {
    auto schedule = cast<PolynomialScheduleAttr>(attr);
    RateBuilder rates(builder, loc);
    double base = schedule.getBase(), end = schedule.getEnd(),
           power = schedule.getPower();
    Value rate = getRest(rates, schedule, step);
    if (power != 1)
      rate = rates.create<PowOp>(rate, rates.constant(power));
    rate = rates.create<MulOp>(rate, rates.constant(base - end));
    if (end == 0)
      return rate;
    return rates.create<AddOp>(rate, rates.constant(end));
  }

  double getInitialLearningRate(Attribute attr) const {
    return cast<PolynomialScheduleAttr>(attr).getBase();
  }
};
} // namespace

void job::attachPolynomialSchedule(MLIRContext &context) {
  PolynomialScheduleAttr::attachInterface<PolynomialScheduleModel>(context);
}
