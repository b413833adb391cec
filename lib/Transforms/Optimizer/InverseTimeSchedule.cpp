//===- InverseTimeSchedule.cpp - The inverse of time ---------------------===//

#include "Models.h"

using namespace mlir;
using namespace mlir::job;

namespace {
struct InverseTimeScheduleModel
    : public ScheduleAttrInterface::ExternalModel<InverseTimeScheduleModel,
                                                  InverseTimeScheduleAttr> {
  Value buildLearningRate(Attribute attr, OpBuilder &builder, Location loc,
                          Value step) const {
    auto schedule = cast<InverseTimeScheduleAttr>(attr);
    RateBuilder rates(builder, loc);
    Value progress =
        rates.getProgress(step, schedule.getSteps(), schedule.getStaircase());
    Value divisor = rates.create<AddOp>(
        rates.create<MulOp>(progress, rates.constant(schedule.getRate())),
        rates.constant(1));
    return rates.create<DivOp>(rates.constant(schedule.getBase()), divisor);
  }

  double getInitialLearningRate(Attribute attr) const {
    return cast<InverseTimeScheduleAttr>(attr).getBase();
  }
};
} // namespace

void job::attachInverseTimeSchedule(MLIRContext &context) {
  InverseTimeScheduleAttr::attachInterface<InverseTimeScheduleModel>(context);
}
