//===- NaturalExpSchedule.cpp - A power of e -----------------------------===//

#include "Models.h"

using namespace mlir;
using namespace mlir::job;

namespace {
struct NaturalExpScheduleModel
    : public ScheduleAttrInterface::ExternalModel<NaturalExpScheduleModel,
                                                  NaturalExpScheduleAttr> {
  Value buildLearningRate(Attribute attr, OpBuilder &builder, Location loc,
                          Value step) const {
    auto schedule = cast<NaturalExpScheduleAttr>(attr);
    RateBuilder rates(builder, loc);
    Value progress =
        rates.getProgress(step, schedule.getSteps(), schedule.getStaircase());
    Value decay = rates.create<ExpOp>(
        rates.create<MulOp>(progress, rates.constant(-schedule.getRate())));
    return rates.create<MulOp>(decay, rates.constant(schedule.getBase()));
  }

  double getInitialLearningRate(Attribute attr) const {
    return cast<NaturalExpScheduleAttr>(attr).getBase();
  }
};
} // namespace

void job::attachNaturalExpSchedule(MLIRContext &context) {
  NaturalExpScheduleAttr::attachInterface<NaturalExpScheduleModel>(context);
}
