//===- PiecewiseConstantSchedule.cpp - A rate for each range of steps -----===//

#include "Models.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::job;

namespace {
struct PiecewiseConstantScheduleModel
    : public ScheduleAttrInterface::ExternalModel<
          PiecewiseConstantScheduleModel, PiecewiseConstantScheduleAttr> {
  /// A chain of choices, the last range innermost.
  Value buildLearningRate(Attribute attr, OpBuilder &builder, Location loc,
                          Value step) const {
    auto schedule = cast<PiecewiseConstantScheduleAttr>(attr);
    ArrayRef<int64_t> boundaries = schedule.getBoundaries();
    ArrayRef<double> values = schedule.getValues();
    RateBuilder rates(builder, loc);
    Value rate = rates.constant(values.back());
    for (size_t range = boundaries.size(); range-- > 0;) {
      Value isWithin = rates.create<CompareOp>(
          ComparePredicate::LE, step, rates.stepConstant(boundaries[range]));
      rate =
          rates.create<SelectOp>(isWithin, rates.constant(values[range]), rate);
    }
    return rate;
  }

  double getInitialLearningRate(Attribute attr) const {
    auto schedule = cast<PiecewiseConstantScheduleAttr>(attr);
    ArrayRef<int64_t> boundaries = schedule.getBoundaries();
    const int64_t *range =
        llvm::find_if(boundaries, [](int64_t last) { return 0 <= last; });
    return schedule.getValues()[range - boundaries.begin()];
  }
};
} // namespace

void job::attachPiecewiseConstantSchedule(MLIRContext &context) {
  PiecewiseConstantScheduleAttr::attachInterface<
      PiecewiseConstantScheduleModel>(context);
}
