//===- JobOptimizer.cpp - Turn updates into the optimizer's plain ops -----===//

#include "../Verify/TrainingJob.h"
#include "DynamicLossScale.h"

#include "JobDialect/Analysis/BlobDevices.h"
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

/// `gradient` in the type that updates compute with.
static Value widenGradient(UpdateOp update, OpBuilder &builder) {
  return builder.createOrFold<CastOp>(
      update.getLoc(),
      UpdateContext::getComputeBlob(update.getGradient().getType()),
      update.getGradient());
}

/// The gradient of the mean of the losses without the loss scale, in the type
/// that updates compute with.
static Value buildMeanGradient(UpdateOp update, double divisor,
                               OpBuilder &builder) {
  Value gradient = widenGradient(update, builder);
  if (divisor == 1)
    return gradient;
  Value factor =
      ConstantOp::create(builder, update.getLoc(),
                         cast<BlobType>(gradient.getType()), 1 / divisor);
  return builder.createOrFold<MulOp>(update.getLoc(), gradient, factor);
}

namespace {
/// Builds the updates of one job.
class Updates {
public:
  Updates(FuncOp func, MinimizeOp minimize, SymbolTable &symbols)
      : func(func), minimize(minimize), symbols(symbols),
        homes(findVariableHomes(func->getParentOfType<ModuleOp>())),
        updates(func.getOps<UpdateOp>()),
        builder(func.getContext(), &listener) {
    LossOp loss = *func.getOps<LossOp>().begin();
    numElements = MicroSteps(func).getNumLossElements(loss);
  }

  LogicalResult build();

private:
  LogicalResult buildScaled(double lossScale);
  LogicalResult buildDynamicallyScaled(DynamicLossScaleAttr attr);
  LogicalResult buildUpdate(UpdateOp update, Value gradient, Value rate,
                            Value condition = {});

  PlacementAttr getHome(UpdateOp update);

  FuncOp func;
  MinimizeOp minimize;
  SymbolTable &symbols;
  /// The devices of variables that have no placement.
  llvm::MapVector<StringAttr, PlacementAttr> homes;
  SmallVector<UpdateOp> updates;
  PlacementListener listener;
  OpBuilder builder;
  /// Of the losses, over all micro-steps.
  double numElements;
};
} // namespace

/// The placement of the ops of an update, where it is not that of the job: the
/// device of the variable.
PlacementAttr Updates::getHome(UpdateOp update) {
  PlacementAttr ofJob = func.getPlacementAttr();
  if (!ofJob)
    return getOwnPlacement(update);
  auto variable = symbols.lookup<VariableOp>(update.getVariable());
  PlacementAttr home = variable.getPlacementAttr()
                           ? variable.getPlacementAttr()
                           : homes.lookup(variable.getSymNameAttr());
  return home == ofJob ? PlacementAttr() : home;
}

LogicalResult Updates::buildUpdate(UpdateOp update, Value gradient, Value rate,
                                   Value condition) {
  UpdateContext context(builder, update.getLoc(), symbols,
                        symbols.lookup<VariableOp>(update.getVariable()),
                        gradient, rate, condition);
  if (failed(minimize.getOptimizer().buildUpdate(context)))
    return failure();
  update.erase();
  return success();
}

LogicalResult Updates::buildScaled(double lossScale) {
  builder.setInsertionPoint(updates.front());
  Value rate = buildLearningRate(minimize, builder);
  for (UpdateOp update : updates) {
    PlacementScope scope(listener, getHome(update));
    builder.setInsertionPoint(update);
    if (failed(buildUpdate(
            update, buildMeanGradient(update, numElements * lossScale, builder),
            rate)))
      return failure();
  }
  return success();
}

LogicalResult Updates::buildDynamicallyScaled(DynamicLossScaleAttr attr) {
  // All gradients say whether there are updates.
  builder.setInsertionPointAfter(updates.back());
  Location loc = minimize.getLoc();
  DynamicLossScale lossScale(builder, loc, attr);
  Value isFinite;
  for (UpdateOp update : updates) {
    Value ofGradient;
    {
      PlacementScope scope(listener, getHome(update));
      ofGradient = lossScale.checkFinite(update.getGradient());
    }
    isFinite =
        isFinite ? builder.createOrFold<LogicalAndOp>(loc, isFinite, ofGradient)
                 : ofGradient;
  }
  Value scale = lossScale.readScale();
  Value one = ConstantOp::create(builder, loc, cast<BlobType>(scale.getType()),
                                 1 / numElements);
  Value factor = builder.createOrFold<DivOp>(loc, one, scale);
  Value rate = buildLearningRate(minimize, builder);
  for (UpdateOp update : updates) {
    PlacementScope scope(listener, getHome(update));
    Value gradient = widenGradient(update, builder);
    auto type = cast<BlobType>(gradient.getType());
    Value converted = builder.createOrFold<CastOp>(
        update.getLoc(), BlobType::get({1}, type.getElementType()), factor);
    Value factors = builder.createOrFold<BroadcastInDimOp>(
        update.getLoc(), type, converted, ArrayRef<int64_t>{0});
    Value mean =
        builder.createOrFold<MulOp>(update.getLoc(), gradient, factors);
    if (failed(buildUpdate(update, mean, rate, isFinite)))
      return failure();
  }
  lossScale.advance(scale, isFinite);
  return success();
}

LogicalResult Updates::build() {
  if (updates.empty())
    return minimize.emitError()
           << "expects job.update ops, created by job-autodiff, but got none "
              "in @"
           << minimize->getParentOfType<FuncOp>().getSymName();
  if (std::optional<DynamicLossScaleAttr> attr = minimize.getDynamicLossScale())
    return buildDynamicallyScaled(*attr);
  return buildScaled(minimize.getLossScale().convertToDouble());
}

static LogicalResult buildOptimizer(FuncOp func, SymbolTable &symbols) {
  if (failed(verifyTrainingJob(func)))
    return failure();
  auto minimize = *func.getOps<MinimizeOp>().begin();
  if (failed(Updates(func, minimize, symbols).build()))
    return failure();
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
