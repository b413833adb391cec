//===- Pipelines.cpp - The named pipelines --------------------------------===//

#include "JobDialect/Pipelines/Pipelines.h"

#include "JobDialect/Codegen/Passes.h"
#include "JobDialect/Conversion/Passes.h"
#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Plan/Passes.h"
#include "JobDialect/Support/Explain.h"
#include "JobDialect/Target/CUDAToolkit.h"
#include "JobDialect/Transforms/Passes.h"

#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::job;

static void addSimplify(OpPassManager &pm, const PipelineOptions &options) {
  if (!options.simplify)
    return;
  pm.addNestedPass<FuncOp>(createCanonicalizerPass());
  pm.addNestedPass<FuncOp>(createCSEPass());
}

void job::buildTrainPipeline(OpPassManager &pm,
                             const PipelineOptions &options) {
  // Whatever a single op cannot see is checked before anything is built on it.
  pm.addPass(createJobVerify());
  // Before gradients, which are of the type of what they are gradients of.
  JobPrecisionOptions precision;
  precision.type = options.precision;
  pm.addNestedPass<FuncOp>(createJobPrecision(precision));
  // The gradient of a relu is of the shape of the relu.
  if (options.simplify)
    pm.addNestedPass<FuncOp>(createJobMoveRelus());
  pm.addNestedPass<FuncOp>(createJobAutodiff());
  // Needs the updates of autodiff; asks for the step with job.step.
  pm.addPass(createJobOptimizer());
  // Last of those that may ask for the step.
  pm.addPass(createJobStepCounter());
  // After all that add variables.
  pm.addPass(createJobBuildInitializer());
  addSimplify(pm, options);
}

/// The passes on plans. Without `growsFree`, buffers are live when they were in
/// the jobs, whose order has met the budget, but for what few passes add.
static void addPlanning(OpPassManager &pm, const PipelineOptions &options,
                        bool growsFree) {
  // Both of the next two add buffers, so before offsets, and the latter
  // kernels, so before schedules.
  pm.addPass(plan::createPlanStageTransfers());
  // Before what has fewer kernels to look at then. Gradients of biases are sums
  // of what epilogues compute, and no reductions are split yet.
  if (options.epilogues)
    pm.addPass(plan::createPlanFuseCallEpilogues());
  // Small products, when large ones have their epilogues.
  if (options.fuse && growsFree)
    pm.addPass(plan::createPlanFuseRows());
  if (options.epilogues) {
    plan::PlanFuseBiasGradientsOptions gradients;
    gradients.moveCalls = growsFree;
    pm.addPass(plan::createPlanFuseBiasGradients(gradients));
  }
  // Those sums that are left, whose parts are those of another kernel then.
  if (options.fuse)
    pm.addPass(plan::createPlanFuseColumnSums());
  pm.addPass(plan::createPlanSplitReductions());
  // After all that adds kernels, and before what takes time for each of them.
  pm.addPass(plan::createPlanMergeKernels());
  // How each kernel runs, while a person can still change it.
  pm.addPass(plan::createPlanSelectSchedules());
  // Buffers of a launch are live at once.
  if (options.joinLaunches)
    pm.addPass(plan::createPlanJoinLaunches());
  // A budget is met by the order of the commands, which this changes.
  if (options.memoryBudget == 0) {
    plan::PlanAssignQueuesOptions queues;
    queues.queues = options.queues;
    pm.addPass(plan::createPlanAssignQueues(queues));
  }
  // Each queue has a workspace.
  pm.addPass(plan::createPlanAssignOffsets());
  plan::PlanPackMemoryOptions packing;
  packing.strategy = options.packing;
  pm.addNestedPass<plan::ProgramOp>(plan::createPlanPackMemory(packing));
  // All offsets are known now, and so what chunks share.
  if (options.epilogues)
    pm.addPass(plan::createPlanFuseEpilogues());
  plan::PlanCheckBudgetOptions budget;
  budget.budget = options.memoryBudget;
  pm.addPass(plan::createPlanCheckBudget(budget));
  // The phase ends with a proof that does not trust the planner.
  pm.addPass(plan::createPlanVerifyMemory());
}

namespace {
/// Plans programs that have a memory budget. Some passes let buffers be live
/// for longer than in the jobs, whose order has met the budget: they run if all
/// programs fit it then, which is tried on a copy.
class PlanWithinBudget
    : public PassWrapper<PlanWithinBudget, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PlanWithinBudget)

  explicit PlanWithinBudget(const PipelineOptions &pipelineOptions)
      : options(std::make_shared<PipelineOptions>()) {
    options->copyOptionValuesFrom(pipelineOptions);
  }
  StringRef getArgument() const override { return "plan-within-budget"; }
  StringRef getDescription() const override {
    return "Plan programs that have a memory budget";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    OpPassManager pm(ModuleOp::getOperationName());
    addPlanning(pm, *options, /*growsFree=*/true);
    pm.getDependentDialects(registry);
  }
  void runOnOperation() override {
    OpPassManager pm(ModuleOp::getOperationName());
    addPlanning(pm, *options, /*growsFree=*/fits());
    if (failed(runPipeline(pm, getOperation())))
      signalPassFailure();
  }

private:
  bool fits();

  /// Shared by the copies of the pass.
  std::shared_ptr<PipelineOptions> options;
};
} // namespace

/// Whether all programs do with the passes that are in question.
bool PlanWithinBudget::fits() {
  // All of them are for GPUs.
  if (llvm::all_of(getOperation().getOps<plan::DeviceOp>(),
                   [](plan::DeviceOp device) {
                     return device.getKind() == plan::DeviceKind::Host;
                   }))
    return true;
  // Without an error that the user would read, or an explanation.
  ScopedDiagnosticHandler silence(&getContext(),
                                  [](Diagnostic &) { return success(); });
  ExplanationSilencer silencer;
  OwningOpRef<ModuleOp> copy = getOperation().clone();
  PassManager pm(&getContext(), ModuleOp::getOperationName());
  addPlanning(pm, *options, /*growsFree=*/true);
  return succeeded(pm.run(*copy));
}

static void addPlanning(OpPassManager &pm, const PipelineOptions &options) {
  if (options.memoryBudget > 0)
    pm.addPass(std::make_unique<PlanWithinBudget>(options));
  else
    addPlanning(pm, options, /*growsFree=*/true);
}

void job::buildPlanPipeline(OpPassManager &pm, const PipelineOptions &options) {
  // Text may come in here.
  pm.addPass(createJobVerify());
  JobPlaceOptions place;
  place.device = options.device;
  pm.addPass(createJobPlace(place));
  // All that follows is for the devices of this build.
  pm.addPass(createJobVerifyPlacement());
  // Before an op is decomposed: its parts are not rounded one by one.
  JobWidenTypesOptions widening;
  llvm::append_range(widening.cpuFeatures, options.cpuFeatures);
  pm.addNestedPass<FuncOp>(createJobWidenTypes(widening));
  // What other ops compute, before these are simplified.
  pm.addNestedPass<FuncOp>(createJobDecompose());
  // Text that comes in here may be unsimplified.
  addSimplify(pm, options);
  // Ops that are decomposed have other ops with layouts; micro-steps have the
  // layouts of the ops around them.
  if (options.layouts) {
    JobAssignLayoutsOptions layouts;
    layouts.tf32 = options.tf32;
    pm.addPass(createJobAssignLayouts(layouts));
  }
  pm.addNestedPass<FuncOp>(createJobConvertConvToMatMul());
  // After simplifications, which may replace a value by one of another device.
  pm.addNestedPass<FuncOp>(createJobInsertTransfers());
  // Before kernels, none of which may reach across the border of the loop.
  pm.addNestedPass<FuncOp>(createJobFormMicroSteps());
  // What a library computes is in no kernel.
  JobSelectImplementationsOptions implementations;
  implementations.tf32 = options.tf32;
  pm.addNestedPass<FuncOp>(createJobSelectImplementations(implementations));
  // A relu that a call computes needs no kernel.
  if (options.simplify && options.epilogues)
    pm.addNestedPass<FuncOp>(createJobReturnRelus());
  // A gradient of a pooling that reads neither its input nor a mask.
  if (options.simplify)
    pm.addNestedPass<FuncOp>(createJobSaveArgmax());
  // A slice that a call reads where it is needs no kernel.
  if (options.fuse)
    pm.addNestedPass<FuncOp>(createJobFoldHeadSlices());
  // What has one shape may be in one kernel.
  if (options.fuse)
    pm.addNestedPass<FuncOp>(createJobMoveReshapes());
  JobFormKernelsOptions kernels;
  kernels.fuse = options.fuse;
  pm.addNestedPass<FuncOp>(createJobFormKernels(kernels));
  // Kernels are what is ordered: a blob inside of one takes no memory.
  if (options.schedule) {
    JobScheduleOptions schedule;
    schedule.inPlace = options.inPlace;
    schedule.checkNumerics = options.checkNumerics;
    pm.addNestedPass<FuncOp>(createJobSchedule(schedule));
  }
  // Of the best order, what is too much for the budget.
  JobRematerializeOptions recomputation;
  recomputation.budget = options.memoryBudget;
  recomputation.inPlace = options.inPlace;
  recomputation.checkNumerics = options.checkNumerics;
  recomputation.schedule = options.schedule;
  pm.addPass(createJobRematerialize(recomputation));
  ConvertJobToPlanOptions conversion;
  conversion.inPlace = options.inPlace;
  conversion.checkNumerics = options.checkNumerics;
  pm.addPass(createConvertJobToPlan(conversion));
  addPlanning(pm, options);
}

/// Text of a plan may come in here. Everything after these passes trusts it.
static void addPlanVerification(OpPassManager &pm) {
  pm.addPass(plan::createPlanVerifyMemory());
  pm.addPass(plan::createPlanVerify());
}

void job::buildLowerPipeline(OpPassManager &pm,
                             const PipelineOptions &options) {
  addPlanVerification(pm);
  // Plans in text may have kernels without a schedule.
  pm.addPass(plan::createPlanSelectSchedules());
  pm.addNestedPass<plan::ExecutableOp>(plan::createPlanGenerateCode());
  LowerCUDAKernelsOptions cuda;
  llvm::append_range(cuda.targets, options.gpuTargets);
  pm.addPass(createLowerCUDAKernels(cuda));
  if (!options.gpuTargets.empty()) {
    GpuModuleToBinaryPassOptions binary;
    binary.toolkitPath = findCUDAToolkit();
    pm.addPass(createGpuModuleToBinaryPass(binary));
  }
  pm.addPass(createLowerKernels());
}

bool job::isTrainPipelineDone(ModuleOp module) {
  // The initializer's job is the last thing that the pipeline adds.
  return llvm::any_of(module.getOps<FuncOp>(), [](FuncOp func) {
    return func.getKind() == JobKind::Init;
  });
}

/// Whether all buffers of a module have offsets, and its programs sizes.
static bool hasOffsets(ModuleOp module) {
  auto lacksOffset = [](Operation *op) {
    return TypeSwitch<Operation *, bool>(op)
        .Case<plan::VariableOp, plan::ConstantOp, plan::InputOp,
              plan::OutputOp>([](auto placed) { return !placed.getOffset(); })
        // What no command uses needs none.
        .Case([](plan::AllocOp alloc) {
          return !alloc.getOffset() && !alloc->use_empty();
        })
        .Case([](plan::ProgramOp program) {
          return !program.getSize(plan::SpaceRole::Arena) ||
                 !program.getSize(plan::SpaceRole::Inputs);
        })
        .Default(false);
  };
  return !module
              .walk([&](Operation *op) {
                return lacksOffset(op) ? WalkResult::interrupt()
                                       : WalkResult::advance();
              })
              .wasInterrupted();
}

void job::buildRemainingPipelines(OpPassManager &pm, ModuleOp module,
                                  const PipelineOptions &options) {
  if (!module.getOps<FuncOp>().empty()) {
    if (!isTrainPipelineDone(module))
      buildTrainPipeline(pm, options);
    buildPlanPipeline(pm, options);
    buildLowerPipeline(pm, options);
    return;
  }
  if (!hasOffsets(module))
    addPlanning(pm, options);
  // Programs without kernels to lower are verified as well.
  if (plan::hasKernelsToLower(module))
    buildLowerPipeline(pm, options);
  else
    addPlanVerification(pm);
}

void job::registerPipelines() {
  PassPipelineRegistration<PipelineOptions>(
      "job-train-pipeline",
      "Gradients, optimizer, step counters and the initializer entry",
      buildTrainPipeline);
  PassPipelineRegistration<PipelineOptions>(
      "job-plan-pipeline",
      "Jobs of plain ops to the plan dialect with all offsets",
      buildPlanPipeline);
  PassPipelineRegistration<PipelineOptions>(
      "job-lower-pipeline", "Kernels to the LLVM dialect", buildLowerPipeline);
}
