//===- ConstantSchedule.cpp - One learning rate for all steps -------------===//

#include "Models.h"

using namespace mlir;
using namespace mlir::job;

namespace {
struct ConstantScheduleModel
    : public ScheduleAttrInterface::ExternalModel<ConstantScheduleModel,
                                                  ConstantScheduleAttr> {
  Value buildLearningRate(Attribute attr, OpBuilder &builder, Location loc,
                          Value step) const {
    return RateBuilder(builder, loc).constant(getInitialLearningRate(attr));
  }

  double getInitialLearningRate(Attribute attr) const {
    return cast<ConstantScheduleAttr>(attr).getLearningRate();
  }
};
} // namespace

void job::attachConstantSchedule(MLIRContext &context) {
  ConstantScheduleAttr::attachInterface<ConstantScheduleModel>(context);
}
