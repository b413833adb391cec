//===- CheckLowering.cpp - The compiler against the reference -------------===//
//
// The stages are watched from inside of the pass manager, so that what is
// checked is the compiler's own pipeline with its own options.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/CheckLowering/CheckLowering.h"

#include "ArtifactRun.h"
#include "Compare.h"
#include "IsolatedOps.h"

#include "JobDialect/Pipelines/Compiler.h"
#include "JobDialect/Pipelines/Pipelines.h"
#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Support/Locations.h"
#include "JobDialect/Transforms/Passes.h"
#include "jobrt/session.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace mlir::job;

/// The pass that ends the job dialect.
static constexpr StringLiteral kConversion = "convert-job-to-plan";

static bool hasJobs(ModuleOp module) {
  return !module.getOps<job::FuncOp>().empty();
}

static FuncOp getInitializer(ModuleOp module) {
  for (auto job : module.getOps<job::FuncOp>())
    if (job.getKind() == JobKind::Init)
      return job;
  return {};
}

/// What code the GPU of a module's jobs runs; nothing for jobs of the host.
static FailureOr<SmallVector<std::string>> getGPUTargets(ModuleOp module) {
  SmallVector<std::string> targets;
  std::optional<int64_t> gpu = findGPU(module, CompilerOptions());
  if (!gpu)
    return targets;
  jobrt::SessionOptions settings;
  settings.driver = "cuda:" + std::to_string(*gpu);
  jobrt::Expected<std::string> target = jobrt::codeTarget(settings);
  if (!target.ok())
    return emitError(module.getLoc()) << target.status().message();
  targets.push_back(selectGPUTarget(*target));
  return targets;
}

/// Whether the interpreter can run a job.
static bool isPlain(FuncOp job) {
  return job.getOps<MinimizeOp>().empty() && job.getOps<UpdateOp>().empty();
}

LogicalResult job::buildCheckedPipeline(OpPassManager &pm, ModuleOp module,
                                        StringRef pipeline,
                                        ArrayRef<std::string> gpuTargets,
                                        raw_ostream &error) {
  if (!pipeline.empty())
    return parsePassPipeline(pipeline, pm, error);
  PipelineOptions options;
  options.gpuTargets = gpuTargets;
  if (!module || !isTrainPipelineDone(module))
    buildTrainPipeline(pm, options);
  buildPlanPipeline(pm, options);
  buildLowerPipeline(pm, options);
  return success();
}

namespace {

/// Something that a job computes: a result or a variable, after a step.
struct Observed {
  std::string what;
  /// Of what computes it.
  Location loc;
  ReferenceTensor value;
};

/// The observations of one job.
struct JobRun {
  std::string name;
  std::vector<Observed> observed;
};

/// Calls to run the jobs of a module, by the reference or compiled.
using RunJobFn = llvm::function_ref<LogicalResult(
    FuncOp job, ArrayRef<ReferenceTensor> inputs,
    SmallVectorImpl<ReferenceTensor> &results)>;
using GetVariableFn =
    llvm::function_ref<FailureOr<ReferenceTensor>(VariableOp)>;

class LoweringChecker {
public:
  LoweringChecker(ModuleOp module, const LoweringCheckOptions &options)
      : module(module), options(options) {}

  LogicalResult run();

  /// Compares a module after a pass with what was seen before.
  void checkStage(StringRef pass, ModuleOp stage);

private:
  using Variables = std::map<std::string, ReferenceTensor>;

  FailureOr<Variables>
  getFirstVariables(ModuleOp stage,
                    const Interpreter::Options &interpreterOptions = {});
  LogicalResult observe(FuncOp job, RunJobFn runJob, GetVariableFn getVariable,
                        JobRun &result);
  FailureOr<std::vector<JobRun>> interpret(ModuleOp stage,
                                           const Interpreter::Options &options);
  FailureOr<double> getNoise(const std::string &what);
  LogicalResult compareStage(StringRef pass, ModuleOp stage,
                             ArrayRef<JobRun> jobs);
  void reportStage(StringRef pass, ModuleOp stage, StringRef job,
                   const Observed &got, const Difference &difference);
  LogicalResult checkArtifact(ModuleOp lowered);
  LogicalResult checkInitializer(ArtifactRun &run, ModuleOp jobs);
  FailureOr<std::unique_ptr<ArtifactRun>> compileRest(ModuleOp jobs);
  int64_t getInputSeed(int64_t step) const { return options.seed + step; }

  ModuleOp module;
  const LoweringCheckOptions &options;
  /// What each job computes, from the first stage on that tells.
  std::map<std::string, ReferenceTensor> expected;
  /// How far noise moves that, where it was computed.
  std::map<std::string, double> noise;
  std::map<std::string, std::string> firstPass;
  /// The last module of jobs that was right.
  OwningOpRef<ModuleOp> previous;
  /// The passes from the conversion on, as text.
  std::string rest;
  bool isDone = false, isFailed = false;
  int64_t numPasses = 0;
};

/// Checks the module after each pass.
class StageWatcher : public PassInstrumentation {
public:
  explicit StageWatcher(LoweringChecker &checker) : checker(checker) {}

  void runAfterPass(Pass *pass, Operation *op) override {
    // Those that only hold other passes have no name.
    if (pass->getArgument().empty())
      return;
    auto module = dyn_cast<ModuleOp>(op);
    if (!module)
      module = op->getParentOfType<ModuleOp>();
    if (module && hasJobs(module))
      checker.checkStage(pass->getArgument(), module);
  }

private:
  LoweringChecker &checker;
};

} // namespace

//===----------------------------------------------------------------------===//
// Running the jobs of a stage
//===----------------------------------------------------------------------===//

/// The values that the module's initializer gives, or the one that it will get.
FailureOr<LoweringChecker::Variables> LoweringChecker::getFirstVariables(
    ModuleOp stage, const Interpreter::Options &interpreterOptions) {
  if (stage.getOps<VariableOp>().empty())
    return Variables();
  OwningOpRef<ModuleOp> copy;
  if (!getInitializer(stage)) {
    copy = stage.clone();
    stage = *copy;
    PassManager pm(stage.getContext());
    pm.addPass(createJobBuildInitializer());
    if (failed(pm.run(stage)))
      return failure();
  }
  Interpreter interpreter(stage, interpreterOptions);
  if (failed(interpreter.initializeVariables(options.seed)))
    return failure();
  return interpreter.getState().variables;
}

/// The location of what a job returns or assigns last.
static Location getAssignLocation(FuncOp job, StringRef variable) {
  Location loc = job.getLoc();
  for (auto assign : job.getOps<AssignOp>())
    if (assign.getVariable() == variable)
      loc = assign.getLoc();
  return loc;
}

/// Text may give two results one name.
static std::string getUniqueResultName(FuncOp job, unsigned index) {
  std::string name = job.getResultName(index);
  for (unsigned other : llvm::seq(index))
    if (job.getResultName(other) == name)
      return name + " (" + std::to_string(index) + ")";
  return name;
}

LogicalResult LoweringChecker::observe(FuncOp job, RunJobFn runJob,
                                       GetVariableFn getVariable,
                                       JobRun &result) {
  result.name = job.getSymName().str();
  for (int64_t step = 0; step < options.steps; ++step) {
    SmallVector<ReferenceTensor> results;
    if (failed(runJob(job, drawInputs(job, getInputSeed(step)), results)))
      return failure();
    for (auto [index, value] : llvm::enumerate(results))
      result.observed.push_back(
          {"result '" + getUniqueResultName(job, index) + "' of @" +
               result.name + " in step " + std::to_string(step + 1),
           job.getReturn()->getOperand(index).getLoc(), std::move(value)});
  }
  for (auto variable : job->getParentOfType<ModuleOp>().getOps<VariableOp>()) {
    FailureOr<ReferenceTensor> value = getVariable(variable);
    if (failed(value))
      return failure();
    result.observed.push_back(
        {"variable @" + variable.getSymName().str() + " after @" + result.name,
         getAssignLocation(job, variable.getSymName()), std::move(*value)});
  }
  return success();
}

FailureOr<std::vector<JobRun>>
LoweringChecker::interpret(ModuleOp stage,
                           const Interpreter::Options &interpreterOptions) {
  FailureOr<Variables> variables = getFirstVariables(stage);
  if (failed(variables))
    return failure();
  std::vector<JobRun> runs;
  for (auto job : stage.getOps<job::FuncOp>()) {
    if (job.getKind() == JobKind::Init || !isPlain(job))
      continue;
    Interpreter interpreter(stage, interpreterOptions);
    interpreter.setState({*variables, {}});
    LogicalResult result = observe(
        job,
        [&](FuncOp job, ArrayRef<ReferenceTensor> inputs,
            SmallVectorImpl<ReferenceTensor> &results) {
          return interpreter.run(job.getSymName(), inputs, results);
        },
        [&](VariableOp variable) -> FailureOr<ReferenceTensor> {
          if (auto *value = interpreter.getVariable(variable.getSymName()))
            return *value;
          return ReferenceTensor(variable.getDeclaredType());
        },
        runs.emplace_back());
    if (failed(result))
      return failure();
  }
  // The initializer's work is the variables' first values.
  JobRun &initial = runs.emplace_back();
  initial.name = "the initializer";
  for (auto variable : stage.getOps<VariableOp>())
    if (auto it = variables->find(variable.getSymName().str());
        it != variables->end())
      initial.observed.push_back({"variable @" + it->first + " at first",
                                  variable.getLoc(), it->second});
  return runs;
}

//===----------------------------------------------------------------------===//
// After each pass
//===----------------------------------------------------------------------===//

void LoweringChecker::checkStage(StringRef pass, ModuleOp stage) {
  if (isDone || isFailed)
    return;
  FailureOr<std::vector<JobRun>> runs = interpret(stage, {});
  if (failed(runs) || failed(compareStage(pass, stage, *runs))) {
    isFailed = true;
    return;
  }
  ++numPasses;
  previous = stage.clone();
}

/// How far noise of f32 moves an observation in the last module that was right.
/// Where terms cancel, nothing of it is left but such noise: constants that a
/// pass makes are f32.
FailureOr<double> LoweringChecker::getNoise(const std::string &what) {
  // Those of a job that a later pass has made plain may be missing.
  if (!noise.count(what))
    for (const Interpreter::Options &noisy : getNoiseOptions()) {
      FailureOr<std::vector<JobRun>> runs = interpret(*previous, noisy);
      if (failed(runs))
        return failure();
      for (const JobRun &job : *runs)
        for (const Observed &observed : job.observed) {
          double &distance = noise[observed.what];
          distance =
              std::max(distance, getSensitivity(expected.at(observed.what),
                                                observed.value));
        }
    }
  return noise.at(what);
}

LogicalResult LoweringChecker::compareStage(StringRef pass, ModuleOp stage,
                                            ArrayRef<JobRun> jobs) {
  for (const JobRun &job : jobs) {
    firstPass.try_emplace(job.name, pass);
    for (const Observed &observed : job.observed) {
      auto [it, isNew] = expected.try_emplace(observed.what, observed.value);
      if (isNew)
        continue;
      double allowed = options.tolerance * getMagnitude(it->second);
      if (!findDifference(it->second, observed.value, allowed))
        continue;
      FailureOr<double> moved = getNoise(observed.what);
      if (failed(moved))
        return failure();
      allowed += *moved;
      if (auto difference =
              findDifference(it->second, observed.value, allowed)) {
        reportStage(pass, stage, job.name, observed, *difference);
        return failure();
      }
    }
  }
  return success();
}

namespace {
/// The values of ops, by location: that of an op which a pass has replaced is
/// still there. Several ops of one location and type are told apart by their
/// order.
class ValueLog {
public:
  struct Entry {
    Operation *op;
    ReferenceTensor value;
  };

  void add(Operation *op,
           llvm::function_ref<const ReferenceTensor *(Value)> valueOf) {
    if (op->getNumResults() != 1 || isa<KernelOp>(op))
      return;
    if (const ReferenceTensor *value = valueOf(op->getResult(0))) {
      entries.push_back({op, *value});
      byLocation[op->getLoc()].push_back(entries.size() - 1);
    }
  }
  ArrayRef<Entry> getEntries() const { return entries; }
  /// The one entry of a location; null for none or several.
  const Entry *find(Location loc) const {
    auto it = byLocation.find(loc);
    return it == byLocation.end() || it->second.size() != 1
               ? nullptr
               : &entries[it->second.front()];
  }

private:
  std::vector<Entry> entries;
  DenseMap<Location, SmallVector<size_t, 1>> byLocation;
};
} // namespace

/// Says which pass changed a value, and which op is the first with another one.
void LoweringChecker::reportStage(StringRef pass, ModuleOp stage,
                                  StringRef jobName, const Observed &got,
                                  const Difference &difference) {
  auto log = [&](ModuleOp version, ValueLog &values) {
    FailureOr<Variables> variables = getFirstVariables(version);
    auto job = version.lookupSymbol<job::FuncOp>(jobName);
    if (failed(variables) || !job)
      return;
    for (int64_t step = 0; step < options.steps; ++step) {
      // The step in which the results differ, the last one for variables.
      bool isWanted =
          step + 1 == options.steps ||
          StringRef(got.what).ends_with(" in step " + std::to_string(step + 1));
      Interpreter::Options observing;
      if (isWanted)
        observing.observer =
            [&](Operation *op,
                llvm::function_ref<const ReferenceTensor *(Value)> valueOf) {
              values.add(op, valueOf);
            };
      Interpreter interpreter(version, observing);
      interpreter.setState({*variables, {{jobName.str(), step}}});
      SmallVector<ReferenceTensor> results;
      if (failed(interpreter.run(jobName, drawInputs(job, getInputSeed(step)),
                                 results)) ||
          isWanted)
        return;
      variables = interpreter.getState().variables;
    }
  };
  ValueLog before, after;
  if (previous)
    log(*previous, before);
  log(stage, after);

  const ValueLog::Entry *first = nullptr;
  std::optional<Difference> firstDifference;
  for (const ValueLog::Entry &entry : after.getEntries()) {
    const ValueLog::Entry *other = before.find(entry.op->getLoc());
    if (!other || !after.find(entry.op->getLoc()) ||
        other->value.getType() != entry.value.getType())
      continue;
    firstDifference =
        findDifference(other->value, entry.value,
                       options.tolerance * getMagnitude(other->value));
    if (firstDifference) {
      first = &entry;
      break;
    }
  }
  InFlightDiagnostic error =
      emitError(first ? first->op->getLoc() : got.loc)
      << "pass '" << pass << "' changes what the module computes (seed "
      << options.seed << "): " << difference.describe(got.what);
  if (first)
    error.attachNote(first->op->getLoc())
        << "the first op whose value differs is " << first->op->getName()
        << " here: " << firstDifference->describe("result");
}

//===----------------------------------------------------------------------===//
// The artifact
//===----------------------------------------------------------------------===//

/// Compiles jobs that stand before the conversion.
FailureOr<std::unique_ptr<ArtifactRun>>
LoweringChecker::compileRest(ModuleOp jobs) {
  OwningOpRef<ModuleOp> copy = jobs.clone();
  PassManager pm(copy->getContext());
  if (failed(parsePassPipeline(rest, pm)) || failed(pm.run(*copy)))
    return failure();
  return ArtifactRun::create(*copy);
}

LogicalResult LoweringChecker::checkInitializer(ArtifactRun &run,
                                                ModuleOp jobs) {
  FuncOp init = getInitializer(jobs);
  if (!init)
    return success();
  FailureOr<Variables> exact = getFirstVariables(jobs);
  FailureOr<Variables> rounded =
      getFirstVariables(jobs, {/*roundEachOp=*/true});
  if (failed(exact) || failed(rounded) || failed(run.initialize(options.seed)))
    return failure();
  Judge judge(getWork(init), [&](auto &noisy) {
    for (const Interpreter::Options &noisyOptions : getNoiseOptions()) {
      FailureOr<Variables> variables = getFirstVariables(jobs, noisyOptions);
      if (failed(variables))
        return failure();
      auto &values = noisy.emplace_back();
      for (auto &[name, value] : *variables)
        values.push_back(std::move(value));
    }
    return success();
  });
  for (auto [number, variable] : llvm::enumerate(*exact)) {
    auto &[name, value] = variable;
    FailureOr<ReferenceTensor> got = run.getVariable(name, value.getType());
    if (failed(got))
      return failure();
    auto difference = judge.find(number, value, rounded->at(name), *got);
    if (failed(difference))
      return failure();
    if (*difference)
      return emitError(jobs.lookupSymbol(name)->getLoc())
             << "the artifact's initializer differs from the reference (seed "
             << options.seed
             << "): " << (*difference)->describe("variable @" + name);
  }
  return success();
}

LogicalResult LoweringChecker::checkArtifact(ModuleOp lowered) {
  ModuleOp jobs = *previous;
  FailureOr<std::vector<JobRun>> exact = interpret(jobs, {});
  FailureOr<std::vector<JobRun>> rounded =
      interpret(jobs, {/*roundEachOp=*/true});
  FailureOr<Variables> variables = getFirstVariables(jobs);
  auto run = ArtifactRun::create(lowered);
  if (failed(exact) || failed(rounded) || failed(variables) || failed(run) ||
      failed(checkInitializer(**run, jobs)))
    return failure();

  for (auto [index, exactJob, roundedJob] : llvm::enumerate(*exact, *rounded)) {
    auto job = jobs.lookupSymbol<job::FuncOp>(exactJob.name);
    if (!job)
      continue; // the initializer
    JobRun got;
    if (failed((*run)->setVariables(*variables)) ||
        failed(observe(
            job,
            [&](FuncOp job, ArrayRef<ReferenceTensor> inputs,
                SmallVectorImpl<ReferenceTensor> &results) {
              return (*run)->run(job.getSymName(), inputs, job.getResultTypes(),
                                 results);
            },
            [&](VariableOp variable) {
              return (*run)->getVariable(variable.getSymName(),
                                         variable.getDeclaredType());
            },
            got)))
      return failure();
    Judge judge(getWork(job), [&, index = index](auto &noisy) {
      for (const Interpreter::Options &options : getNoiseOptions()) {
        FailureOr<std::vector<JobRun>> runs = interpret(jobs, options);
        if (failed(runs))
          return failure();
        auto &values = noisy.emplace_back();
        for (Observed &observed : (*runs)[index].observed)
          values.push_back(std::move(observed.value));
      }
      return success();
    });
    for (auto [number, a, b, c] : llvm::enumerate(
             exactJob.observed, roundedJob.observed, got.observed)) {
      auto difference = judge.find(number, a.value, b.value, c.value);
      if (failed(difference))
        return failure();
      if (!*difference)
        continue;
      InFlightDiagnostic error =
          emitError(a.loc) << "the artifact differs from the reference (seed "
                           << options.seed
                           << "): " << (*difference)->describe(a.what);
      error.attachNote()
          << "every kernel and library call agrees when it runs alone, so "
             "the order of commands, the memory plan or an "
             "update in place is wrong";
      return error;
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Everything
//===----------------------------------------------------------------------===//

LogicalResult LoweringChecker::run() {
  if (failed(verifyFitsMemory(module)))
    return failure();
  MLIRContext *context = module.getContext();
  OwningOpRef<ModuleOp> copy = module.clone();
  // Another pipeline says itself what it makes code for.
  FailureOr<SmallVector<std::string>> gpuTargets = SmallVector<std::string>();
  if (options.pipeline.empty())
    gpuTargets = getGPUTargets(module);
  if (failed(gpuTargets))
    return failure();
  PassManager pm(context);
  std::string message;
  llvm::raw_string_ostream os(message);
  if (failed(buildCheckedPipeline(pm, module, options.pipeline, *gpuTargets,
                                  os)))
    return emitError(module.getLoc())
           << "expects a pipeline of known passes but got '" << options.pipeline
           << "': " << StringRef(message).rtrim();
  if (!hasJobs(module))
    return emitError(module.getLoc()) << "expects jobs to compare but got none";
  std::string text;
  llvm::raw_string_ostream textStream(text);
  pm.printAsTextualPipeline(textStream);
  StringRef passes = StringRef(text);
  passes.consume_front("builtin.module(");
  passes.consume_back(")");
  if (size_t place = passes.find(kConversion); place != StringRef::npos)
    rest = passes.substr(place).str();

  // Passes on several jobs at once would change what is being interpreted.
  bool wasThreaded = context->isMultithreadingEnabled();
  context->disableMultithreading();
  auto restore =
      llvm::scope_exit([&] { context->enableMultithreading(wasThreaded); });
  checkStage("the start", module);
  --numPasses;
  if (isFailed)
    return failure();
  pm.addInstrumentation(std::make_unique<StageWatcher>(*this));
  if (failed(pm.run(*copy)) || isFailed)
    return failure();
  isDone = true;

  int64_t numOps = 0;
  bool isLowered = !rest.empty() && !copy->getOps<plan::ProgramOp>().empty() &&
                   !plan::hasKernelsToLower(*copy);
  if (isLowered) {
    FailureOr<Variables> variables = getFirstVariables(*previous);
    if (failed(variables))
      return failure();
    FailureOr<int64_t> count =
        checkIsolatedOps(*previous, *variables, options.seed,
                         [&](ModuleOp jobs) { return compileRest(jobs); });
    if (failed(count) || failed(checkArtifact(*copy)))
      return failure();
    numOps = *count;
  }
  for (auto job : module.getOps<job::FuncOp>())
    if (auto it = firstPass.find(job.getSymName().str());
        it != firstPass.end() && !isPlain(job))
      emitRemark(job.getLoc())
          << "@" << job.getSymName() << " is compared from after '"
          << it->second << "' on";
  InFlightDiagnostic remark = emitRemark(module.getLoc())
                              << "seed " << options.seed << ": " << numPasses
                              << " passes";
  if (isLowered)
    remark << ", " << numOps << " kernels and library calls, and the artifact";
  remark << " agree with the reference";
  return success();
}

LogicalResult job::checkLowering(ModuleOp module,
                                 const LoweringCheckOptions &options) {
  return LoweringChecker(module, options).run();
}
