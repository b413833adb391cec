//===- JobOptimizer.cpp - Turn updates into the optimizer's plain ops -----===//

#include "../Verify/TrainingJob.h"

#include "JobDialect/Analysis/MicroSteps.h"
#include "JobDialect/Transforms/Passes.h"
#include "JobDialect/Transforms/UpdateContext.h"

namespace mlir::job {
#define GEN_PASS_DEF_JOBOPTIMIZER
#include "JobDialect/Transforms/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

/// The rate of this step, a `!job.blob<1xf32>`.
static Value buildLearningRate(MinimizeOp minimize, OpBuilder &builder) {
  Location loc = minimize.getLoc();
  auto step = StepOp::create(builder, loc);
  ScheduleAttrInterface schedule = minimize.getSchedule();
  Value rate = schedule.buildLearningRate(builder, loc, step);
  if (std::optional<WarmupAttrInterface> warmup = minimize.getWarmup())
    rate = warmup->buildLearningRate(builder, loc, step,
                                     schedule.getInitialLearningRate(), rate);
  if (step.use_empty())
    step.erase();
  return rate;
}

/// The gradient of the mean of the losses without the loss scale, in the type
/// that updates compute with.
static Value buildMeanGradient(UpdateOp update, double divisor,
                               OpBuilder &builder) {
  BlobType type = UpdateContext::getComputeBlob(update.getGradient().getType());
  Value gradient =
      builder.createOrFold<CastOp>(update.getLoc(), type, update.getGradient());
  if (divisor == 1)
    return gradient;
  Value factor =
      ConstantOp::create(builder, update.getLoc(), type, 1 / divisor);
  return builder.createOrFold<MulOp>(update.getLoc(), gradient, factor);
}

static LogicalResult buildOptimizer(FuncOp func, SymbolTable &symbols) {
  if (failed(verifyTrainingJob(func)))
    return failure();
  auto minimize = *func.getOps<MinimizeOp>().begin();
  SmallVector<UpdateOp> updates(func.getOps<UpdateOp>());
  if (updates.empty())
    return minimize.emitError() << "expects job.update ops, created by "
                                   "job-autodiff, but got none in @"
                                << func.getSymName();

  LossOp loss = *func.getOps<LossOp>().begin();
  double divisor =
      static_cast<double>(MicroSteps(func).getNumLossElements(loss)) *
      minimize.getLossScale().convertToDouble();
  OpBuilder builder(updates.front());
  Value rate = buildLearningRate(minimize, builder);
  for (UpdateOp update : updates) {
    builder.setInsertionPoint(update);
    UpdateContext context(builder, update.getLoc(), symbols,
                          symbols.lookup<VariableOp>(update.getVariable()),
                          buildMeanGradient(update, divisor, builder), rate);
    if (failed(minimize.getOptimizer().buildUpdate(context)))
      return failure();
    update.erase();
  }
  for (LossOp loss : llvm::make_early_inc_range(func.getOps<LossOp>()))
    loss.erase();
  minimize.erase();
  return success();
}

namespace {
struct JobOptimizer : public job::impl::JobOptimizerBase<JobOptimizer> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (FuncOp func : getOperation().getOps<FuncOp>())
      if (func.getKind() == JobKind::Train &&
          !func.getOps<MinimizeOp>().empty() &&
          failed(buildOptimizer(func, symbols)))
        return signalPassFailure();
  }
};
} // namespace
