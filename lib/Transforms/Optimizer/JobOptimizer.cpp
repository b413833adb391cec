//===- JobOptimizer.cpp - Turn updates into the optimizer's plain ops -----===//

#include "../Verify/TrainingJob.h"
#include "Clipping.h"
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

/// The rate of the step `step`, a `!job.blob<1xf32>`.
static Value buildLearningRate(MinimizeOp minimize, OpBuilder &builder,
                               Value step) {
  if (Value rate = minimize.getRate())
    return rate;
  Location loc = minimize.getLoc();
  ScheduleAttrInterface schedule = minimize.getScheduleAttr();
  Value rate = schedule.buildLearningRate(builder, loc, step);
  if (std::optional<WarmupAttrInterface> warmup = minimize.getWarmup())
    rate = warmup->buildLearningRate(builder, loc, step,
                                     schedule.getInitialLearningRate(), rate);
  return rate;
}

/// `gradient` in the type that updates compute with.
static Value widenGradient(UpdateOp update, OpBuilder &builder) {
  return builder.createOrFold<CastOp>(
      update.getLoc(),
      UpdateContext::getComputeBlob(update.getGradient().getType()),
      update.getGradient());
}

/// A gradient times a scalar of floats.
static Value scaleGradient(Value gradient, Value factor, Location loc,
                           OpBuilder &builder) {
  auto type = cast<BlobType>(gradient.getType());
  Value converted = builder.createOrFold<CastOp>(
      loc, BlobType::get({1}, type.getElementType()), factor);
  Value factors = builder.createOrFold<BroadcastInDimOp>(loc, type, converted,
                                                         ArrayRef<int64_t>{0});
  return builder.createOrFold<MulOp>(loc, gradient, factors);
}

namespace {
/// A job.minimize and the updates that it makes.
struct Group {
  MinimizeOp minimize;
  SmallVector<UpdateOp> updates;
  /// The step that the learning rate is of, and the rate.
  Value step, rate;
  /// The factor of clipped gradients; null without clipping.
  Value clippingFactor;
};

/// Builds the updates of one job.
class Updates {
public:
  Updates(FuncOp func, SymbolTable &symbols)
      : func(func), symbols(symbols),
        homes(findVariableHomes(func->getParentOfType<ModuleOp>())),
        updates(func.getOps<UpdateOp>()),
        builder(func.getContext(), &listener) {
    LossOp loss = *func.getOps<LossOp>().begin();
    numElements = MicroSteps(func).getNumLossElements(loss);
  }

  LogicalResult build();

private:
  LogicalResult formGroups();
  void setInsertionPoint();
  void checkFinite(DynamicLossScale &dynamic);
  void buildMeanFactor(Location loc);
  void buildRate(Group &group);
  Value buildMeanGradient(UpdateOp update);
  void addSquaredNorms(Group &group, SmallVectorImpl<Value> &squaredNorms);
  void buildClipping(Group &group);
  LogicalResult buildUpdate(Group &group, UpdateOp update);

  PlacementAttr getHome(UpdateOp update);

  FuncOp func;
  SymbolTable &symbols;
  /// The devices of variables that have no placement.
  llvm::MapVector<StringAttr, PlacementAttr> homes;
  SmallVector<UpdateOp> updates;
  PlacementListener listener;
  OpBuilder builder;
  SmallVector<Group> groups;
  DenseMap<UpdateOp, Group *> groupOf;
  /// The gradients of the means, where they are clipped.
  DenseMap<UpdateOp, Value> meanGradients;
  /// Of the losses, over all micro-steps.
  double numElements;
  /// What gradients are divided by. With a dynamic loss scale, that is a value
  /// and gradients have a factor.
  double divisor = 1;
  Value lossScale, meanFactor;
  /// Whether there are updates; null if always.
  Value isFinite;
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

/// Whether `minimize` has a list with the variable of `update`.
static bool lists(MinimizeOp minimize, UpdateOp update) {
  ArrayAttr variables = minimize.getVariablesAttr();
  return variables &&
         llvm::is_contained(variables, Attribute(update.getVariableAttr()));
}

LogicalResult Updates::formGroups() {
  for (auto minimize : func.getOps<MinimizeOp>())
    groups.push_back({minimize, {}, {}, {}, {}});
  for (UpdateOp update : updates) {
    Group *found = nullptr;
    for (Group &group : groups)
      if (lists(group.minimize, update) ||
          (!found && !group.minimize.getVariablesAttr()))
        found = &group;
    if (!found)
      return update.emitError() << "expects a job.minimize that updates "
                                << update.getVariableAttr() << " but got none";
    found->updates.push_back(update);
    groupOf[update] = found;
  }
  return success();
}

/// Behind all gradients, and the operands of all job.minimize.
void Updates::setInsertionPoint() {
  Operation *last = updates.back();
  for (Group &group : groups)
    if (last->isBeforeInBlock(group.minimize))
      last = group.minimize;
  builder.setInsertionPointAfter(last);
}

/// All gradients of the job say whether there are updates.
void Updates::checkFinite(DynamicLossScale &dynamic) {
  for (UpdateOp update : updates) {
    Value ofGradient;
    {
      PlacementScope scope(listener, getHome(update));
      ofGradient = dynamic.checkFinite(update.getGradient());
    }
    isFinite = isFinite
                   ? builder.createOrFold<LogicalAndOp>(
                         groups.front().minimize.getLoc(), isFinite, ofGradient)
                   : ofGradient;
  }
}

/// The factor of gradients under a dynamic loss scale.
void Updates::buildMeanFactor(Location loc) {
  Value one = ConstantOp::create(
      builder, loc, cast<BlobType>(lossScale.getType()), 1 / numElements);
  meanFactor = builder.createOrFold<DivOp>(loc, one, lossScale);
}

void Updates::buildRate(Group &group) {
  PlacementScope scope(listener, getOwnPlacement(group.minimize));
  group.step = group.minimize.getStep();
  if (!group.step)
    group.step = StepOp::create(builder, group.minimize.getLoc());
  group.rate = buildLearningRate(group.minimize, builder, group.step);
}

/// The gradient of the mean of the losses without the loss scale, in the type
/// that updates compute with.
Value Updates::buildMeanGradient(UpdateOp update) {
  Location loc = update.getLoc();
  Value gradient = widenGradient(update, builder);
  if (meanFactor)
    return scaleGradient(gradient, meanFactor, loc, builder);
  if (divisor == 1)
    return gradient;
  Value factor = ConstantOp::create(
      builder, loc, cast<BlobType>(gradient.getType()), 1 / divisor);
  return builder.createOrFold<MulOp>(loc, gradient, factor);
}

/// Also keeps the gradients that they are of.
void Updates::addSquaredNorms(Group &group,
                              SmallVectorImpl<Value> &squaredNorms) {
  for (UpdateOp update : group.updates) {
    PlacementScope scope(listener, getHome(update));
    Value gradient = buildMeanGradient(update);
    meanGradients[update] = gradient;
    squaredNorms.push_back(
        buildSquaredNorm(builder, update.getLoc(), gradient));
  }
}

/// For this group, or for all that are clipped together, of which the first
/// call takes care.
void Updates::buildClipping(Group &group) {
  std::optional<ClipByGlobalNormAttr> clipping = group.minimize.getClipping();
  if (!clipping || group.clippingFactor)
    return;
  SmallVector<Group *> clipped;
  for (Group &other : groups)
    if (&other == &group ||
        (clipping->getJoint() && other.minimize.getClipping() == clipping))
      clipped.push_back(&other);
  SmallVector<Value> squaredNorms;
  for (Group *other : clipped)
    addSquaredNorms(*other, squaredNorms);
  if (squaredNorms.empty())
    return;
  PlacementScope scope(listener, getOwnPlacement(group.minimize));
  Value factor = buildClippingFactor(builder, group.minimize.getLoc(),
                                     *clipping, squaredNorms);
  for (Group *other : clipped)
    other->clippingFactor = factor;
}

LogicalResult Updates::buildUpdate(Group &group, UpdateOp update) {
  PlacementScope scope(listener, getHome(update));
  UpdateInputs inputs;
  inputs.gradient =
      group.clippingFactor
          ? scaleGradient(meanGradients.lookup(update), group.clippingFactor,
                          update.getLoc(), builder)
          : buildMeanGradient(update);
  inputs.learningRate = group.rate;
  inputs.step = group.step;
  inputs.condition = isFinite;
  auto variable = symbols.lookup<VariableOp>(update.getVariable());
  if (std::optional<WeightDecayAttr> decay = group.minimize.getWeightDecay())
    inputs.weightDecay = decay->getRateOf(variable.getSymNameAttr());
  UpdateContext context(builder, update.getLoc(), symbols, variable, inputs);
  return group.minimize.getOptimizer().buildUpdate(context);
}

LogicalResult Updates::build() {
  if (updates.empty())
    return (*func.getOps<MinimizeOp>().begin()).emitError()
           << "expects job.update ops, created by job-autodiff, but got none "
              "in @"
           << func.getSymName();
  if (failed(formGroups()))
    return failure();
  setInsertionPoint();
  // All of a job have the same loss scale.
  MinimizeOp first = groups.front().minimize;
  PlacementScope scope(listener, getOwnPlacement(first));
  divisor = numElements * first.getLossScale().convertToDouble();
  std::optional<DynamicLossScale> dynamic;
  if (std::optional<DynamicLossScaleAttr> attr = first.getDynamicLossScale()) {
    dynamic.emplace(builder, first.getLoc(), *attr);
    checkFinite(*dynamic);
    lossScale = dynamic->readScale();
    buildMeanFactor(first.getLoc());
  }
  for (Group &group : groups)
    buildRate(group);
  for (Group &group : groups)
    buildClipping(group);
  for (UpdateOp update : updates)
    if (failed(buildUpdate(*groupOf.lookup(update), update)))
      return failure();
  if (dynamic)
    dynamic->advance(lossScale, isFinite);
  for (UpdateOp update : updates)
    update.erase();
  for (Group &group : groups) {
    auto step = group.step.getDefiningOp<StepOp>();
    if (step && step->use_empty())
      step.erase();
  }
  return success();
}

static LogicalResult buildOptimizer(FuncOp func, SymbolTable &symbols) {
  if (failed(verifyTrainingJob(func)) || failed(Updates(func, symbols).build()))
    return failure();
  for (Operation &op : llvm::make_early_inc_range(func.getBody().front()))
    if (isa<LossOp, MinimizeOp>(op))
      op.erase();
  return success();
}

/// No gradients are built after this pass.
static void removeStopGradients(FuncOp func) {
  for (auto stop : llvm::make_early_inc_range(func.getOps<StopGradientOp>())) {
    stop.replaceAllUsesWith(stop.getOperand());
    stop.erase();
  }
}

namespace {
struct JobOptimizer : public job::impl::JobOptimizerBase<JobOptimizer> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (FuncOp func : getOperation().getOps<FuncOp>()) {
      if (func.getKind() == JobKind::Train &&
          !func.getOps<MinimizeOp>().empty() &&
          failed(buildOptimizer(func, symbols)))
        return signalPassFailure();
      removeStopGradients(func);
    }
  }
};
} // namespace
