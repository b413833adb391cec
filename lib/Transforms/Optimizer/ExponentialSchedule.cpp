//===- ExponentialSchedule.cpp - A power of the decay rate ---------------===//

#include "Models.h"

using namespace mlir;
using namespace mlir::job;

namespace {
struct ExponentialScheduleModel
    : public ScheduleAttrInterface::ExternalModel<ExponentialScheduleModel,
                                                  ExponentialScheduleAttr> {
  Value buildLearningRate(Attribute attr, OpBuilder &builder, Location loc,
                          Value step) const {
    auto schedule = cast<ExponentialScheduleAttr>(attr);
    RateBuilder rates(builder, loc);
    Value progress =
        rates.getProgress(step, schedule.getSteps(), schedule.getStaircase());
    Value decay =
        rates.create<PowOp>(rates.constant(schedule.getRate()), progress);
    return rates.create<MulOp>(decay, rates.constant(schedule.getBase()));
  }

  double getInitialLearningRate(Attribute attr) const {
    return cast<ExponentialScheduleAttr>(attr).getBase();
  }
};
} // namespace

void job::attachExponentialSchedule(MLIRContext &context) {
  ExponentialScheduleAttr::attachInterface<ExponentialScheduleModel>(context);
}
