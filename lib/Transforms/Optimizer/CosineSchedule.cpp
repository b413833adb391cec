//===- CosineSchedule.cpp - Half a cosine from the base rate down ---------===//

#include "Models.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::job;

namespace {
struct CosineScheduleModel
    : public ScheduleAttrInterface::ExternalModel<CosineScheduleModel,
                                                  CosineScheduleAttr> {
  /// amplitude * (1 + cos(angle)) + floor, where the cosine is -1 at the end,
  /// so that the last rate is the floor and nothing else.
  Value buildLearningRate(Attribute attr, OpBuilder &builder, Location loc,
                          Value step) const {
    auto schedule = cast<CosineScheduleAttr>(attr);
    double base = schedule.getBase(), alpha = schedule.getAlpha();
    int64_t steps = schedule.getSteps();
    RateBuilder rates(builder, loc);
    Value done = rates.create<MinimumOp>(step, rates.stepConstant(steps));
    Value angle = rates.create<MulOp>(
        rates.toRate(done),
        rates.constant(llvm::numbers::pi / static_cast<double>(steps)));
    Value raised =
        rates.create<AddOp>(rates.create<CosOp>(angle), rates.constant(1));
    Value rate =
        rates.create<MulOp>(raised, rates.constant(base * (1 - alpha) / 2));
    double floor = base * alpha;
    if (floor == 0)
      return rate;
    return rates.create<AddOp>(rate, rates.constant(floor));
  }

  double getInitialLearningRate(Attribute attr) const {
    return cast<CosineScheduleAttr>(attr).getBase();
  }
};
} // namespace

void job::attachCosineSchedule(MLIRContext &context) {
  CosineScheduleAttr::attachInterface<CosineScheduleModel>(context);
}
