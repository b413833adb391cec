//===- LinearCosineSchedule.cpp - A cosine that falls linearly -----------===//

#include "Models.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::job;

namespace {
struct LinearCosineScheduleModel
    : public ScheduleAttrInterface::ExternalModel<LinearCosineScheduleModel,
                                                  LinearCosineScheduleAttr> {
  Value buildLearningRate(Attribute attr, OpBuilder &builder, Location loc,
                          Value step) const {
    auto schedule = cast<LinearCosineScheduleAttr>(attr);
    RateBuilder rates(builder, loc);
    int64_t steps = schedule.getSteps();
    Value end = rates.stepConstant(steps);
    Value done = rates.create<MinimumOp>(step, end);
    Value linear = rates.create<AddOp>(
        rates.getProgress(rates.create<SubOp>(end, done), steps),
        rates.constant(schedule.getAlpha()));
    double turn = 2 * llvm::numbers::pi * schedule.getPeriods();
    Value cosine = rates.create<CosOp>(rates.create<MulOp>(
        rates.getProgress(done, steps), rates.constant(turn)));
    Value wave = rates.create<AddOp>(cosine, rates.constant(1));
    Value rate = rates.create<MulOp>(rates.create<MulOp>(linear, wave),
                                     rates.constant(schedule.getBase() / 2));
    return rates.create<AddOp>(
        rate, rates.constant(schedule.getBase() * schedule.getBeta()));
  }

  double getInitialLearningRate(Attribute attr) const {
    return cast<LinearCosineScheduleAttr>(attr).getBase();
  }
};
} // namespace

void job::attachLinearCosineSchedule(MLIRContext &context) {
  LinearCosineScheduleAttr::attachInterface<LinearCosineScheduleModel>(context);
}
