//===- OptimizerModels.cpp - All optimizers, schedules, warm-ups ----------===//

#include "Models.h"

#include "JobDialect/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::job;

void job::registerOptimizerModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, JobDialect *) {
    attachAdam(*context);
    attachLAMB(*context);
    attachLARS(*context);
    attachLazyAdam(*context);
    attachMomentum(*context);
    attachRMSProp(*context);
    attachSGD(*context);
    attachConstantSchedule(*context);
    attachCosineSchedule(*context);
    attachExponentialSchedule(*context);
    attachInverseTimeSchedule(*context);
    attachLinearCosineSchedule(*context);
    attachNaturalExpSchedule(*context);
    attachPiecewiseConstantSchedule(*context);
    attachPolynomialSchedule(*context);
    attachConstantWarmup(*context);
    attachLinearWarmup(*context);
  });
}
