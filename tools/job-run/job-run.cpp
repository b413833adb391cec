//===- job-run.cpp - Runs the jobs of an artifact or a module -------------===//

#include "Backend.h"
#include "Inputs.h"
#include "Report.h"

#include "../common/CompilerFlags.h"
#include "../common/DistinctFiles.h"
#include "../common/FileDiagnostics.h"
#include "../common/InputFile.h"
#include "../common/Startup.h"

#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Pipelines/Pipelines.h"
#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Reference/Interpreter.h"
#include "jobrt/checkpoint.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace jobrt;
using namespace jobrun;

namespace cl = llvm::cl;

using mlir::job::BlobType;

namespace {

/// The command line.
struct Options {
  std::string inputFile;
  bool list;
  std::vector<std::string> entryNames;
  std::vector<std::string> inputPaths;
  std::string outputPath;
  int steps;
  int64_t initSeed;
  int64_t integerRange;
  int64_t firstStep;
  std::string loadPath;
  std::string savePath;
  bool reference;
  /// Without one, that of the jobs.
  std::optional<std::string> device;
  /// Empty for the default of SessionOptions.
  std::string cudaLibrary;
  int threads;
  std::string tracePath;
  std::optional<int64_t> traceSteps;
  bool json;
  mlir::job::CompilerOptions compiler;
  /// Whether --gpu-target is on the command line.
  bool hasGPUTargets;
  std::vector<mlir::job::ExplainCategory> explained;
  /// An option that only compiling heeds; empty for none.
  std::string compilerOption;
  /// An option that only running heeds; empty for none.
  std::string runOption;
};

} // namespace

static Options parseOptions(int argc, char **argv) {
  // LLVM's libraries have registered hundreds of options, some of our names
  // among them.
  cl::ResetCommandLineParser();
  static cl::OptionCategory category("job-run options");
  static cl::opt<std::string> inputFile(
      cl::Positional, cl::desc("<artifact.so or module.mlir>"), cl::Required,
      cl::cat(category));
  static cl::opt<bool> list("list",
                            cl::desc("Print entries, variables and memory"),
                            cl::cat(category));
  static cl::list<std::string> entryNames(
      "entry",
      cl::desc("Job to run; of several, each starts from the same variables "
               "and has a folder of its name for --output and --save"),
      cl::value_desc("name"), cl::CommaSeparated, cl::cat(category));
  static cl::list<std::string> inputPaths(
      "input", cl::desc("Inputs in order, as .npy (default: drawn)"),
      cl::value_desc("path"), cl::cat(category));
  static cl::opt<std::string, false, jobmlir::PathParser> outputPath(
      "output", cl::desc("Folder for the last step's outputs, .npy"),
      cl::value_desc("folder"), cl::cat(category));
  static cl::opt<int> steps("steps", cl::desc("Number of steps (default: 1)"),
                            cl::init(1), cl::cat(category));
  static cl::opt<int64_t> initSeed("init",
                                   cl::desc("Seed of the initial variables and "
                                            "of drawn inputs (default: 1)"),
                                   cl::init(1), cl::cat(category));
  static cl::opt<int64_t> integerRange(
      "int-range", cl::desc("Drawn integers are below this (default: 2)"),
      cl::init(2), cl::cat(category));
  static cl::opt<int64_t> firstStep(
      "first-step",
      cl::desc("Number of the first step, for drawn inputs: how many "
               "an earlier run has done (default: 0)"),
      cl::init(0), cl::cat(category));
  static cl::opt<std::string, false, jobmlir::PathParser> loadPath(
      "load", cl::desc("Checkpoint to start from"), cl::value_desc("folder"),
      cl::cat(category));
  static cl::opt<std::string, false, jobmlir::PathParser> savePath(
      "save", cl::desc("Checkpoint to write at the end"),
      cl::value_desc("folder"), cl::cat(category));
  static cl::opt<bool> reference(
      "reference", cl::desc("Run the interpreter (a module only)"),
      cl::cat(category));
  static const std::string deviceHelp =
      "Device that runs the steps: " + llvm::join(driverNames(), ", ") +
      ", or cuda:1 for the second GPU (default: the device that the jobs are "
      "placed on); null completes them without computing. For jobs on several "
      "devices one for each, with commas between them";
  static cl::opt<std::string> device("device", cl::desc(deviceHelp),
                                     cl::value_desc("name"), cl::cat(category));
  static cl::opt<std::string, false, jobmlir::PathParser> cudaLibrary(
      "cuda-library",
      cl::desc("Library of CUDA to run on (default: $JOBMLIR_CUDA_LIBRARY, "
               "otherwise libcuda.so.1)"),
      cl::value_desc("path"), cl::cat(category));
  static cl::opt<int> threads("threads",
                              cl::desc("Threads that compute (default: cores)"),
                              cl::init(0), cl::cat(category));
  static cl::opt<std::string, false, jobmlir::PathParser> tracePath(
      "trace", cl::desc("File for a trace of the steps, for ui.perfetto.dev"),
      cl::value_desc("file"), cl::cat(category));
  static cl::opt<int64_t> traceSteps(
      "trace-steps",
      cl::desc("Steps that the trace keeps, the last ones (default: 100)"),
      cl::cat(category));
  static cl::opt<bool> json("json", cl::desc("Print one line of JSON"),
                            cl::cat(category));
  static jobmlir::CompilerFlags compiler(category);
  cl::HideUnrelatedOptions(category);
  jobmlir::setVersion();
  cl::ParseCommandLineOptions(argc, argv, "runs compiled jobs\n");
  Options options{inputFile,
                  list,
                  entryNames,
                  inputPaths,
                  outputPath,
                  steps,
                  initSeed,
                  integerRange,
                  firstStep,
                  loadPath,
                  savePath,
                  reference,
                  std::nullopt,
                  cudaLibrary,
                  threads,
                  tracePath,
                  std::nullopt,
                  json,
                  compiler.get(),
                  compiler.hasGPUTargets(),
                  compiler.getExplained(),
                  compiler.getGiven().str(),
                  jobmlir::findGiven(
                      {entryNames, inputPaths, outputPath, steps, initSeed,
                       integerRange, firstStep, loadPath, savePath, reference,
                       device, cudaLibrary, threads, tracePath, traceSteps})
                      .str()};
  if (device.getNumOccurrences() > 0)
    options.device = device;
  if (traceSteps.getNumOccurrences() > 0)
    options.traceSteps = traceSteps;
  // The linker runs in this process and resets all options that it finds.
  cl::ResetCommandLineParser();
  return options;
}

static int fail(const llvm::Twine &message) {
  llvm::errs() << "job-run: error: " << message << '\n';
  return 1;
}

static int fail(const Status &status) { return fail(status.toString()); }

namespace {

/// The module behind a .mlir file, and the artifact that it was compiled to.
struct CompiledModule {
  mlir::MLIRContext context;
  llvm::SourceMgr sourceMgr;
  std::optional<mlir::SourceMgrDiagnosticHandler> diagnostics;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string artifactPath;

  explicit CompiledModule(const mlir::DialectRegistry &registry)
      : context(registry) {}

  /// Diagnostics are printed; false on failure.
  bool open(const Options &options);
};

} // namespace

/// The device that runs the jobs of the module, for jobs without a placement,
/// and the target of its code, unless the options name them.
static Status chooseTarget(const Options &options, mlir::ModuleOp module,
                           mlir::job::CompilerOptions &compiler) {
  if (options.device &&
      llvm::StringRef(*options.device).split(':').first == "cuda")
    compiler.device = "gpu";
  // Code that nothing runs is for the GPUs of the options.
  if (options.list || options.hasGPUTargets || options.reference)
    return {};
  std::optional<int64_t> gpu = mlir::job::findGPU(module, compiler);
  if (!gpu)
    return {};
  SessionOptions settings;
  settings.driver = "cuda:" + std::to_string(*gpu);
  // The first GPU of several devices; all run the same code.
  if (options.device)
    for (llvm::StringRef device : llvm::split(*options.device, ',')) {
      settings.driver = device.str();
      if (device.split(':').first == "cuda")
        break;
    }
  settings.cudaLibrary = options.cudaLibrary;
  Expected<std::string> target = codeTarget(settings);
  if (!target.ok())
    return target.status();
  // Another driver than that of the jobs runs no code of theirs.
  if (!target->empty())
    compiler.gpuTargets = {mlir::job::selectGPUTarget(*target)};
  return {};
}

/// Leaves of each job but the initializer's what an artifact says to those who
/// call it: types and names. The interpreter runs the jobs themselves.
/// The session that holds the variables is on the host.
static void emptyJobs(mlir::ModuleOp module) {
  for (auto variable : module.getOps<mlir::job::VariableOp>())
    variable.removePlacementAttr();
  for (auto job : module.getOps<mlir::job::FuncOp>()) {
    job.removePlacementAttr();
    llvm::StringRef placement = job.getBlobPlacementAttrName();
    for (unsigned i = 0, e = job.getNumArguments(); i < e; ++i)
      job.removeArgAttr(i, placement);
    for (unsigned i = 0, e = job.getNumResults(); i < e; ++i)
      job.removeResultAttr(
          i, mlir::StringAttr::get(module.getContext(), placement));
    job.walk([&](mlir::Operation *op) { op->removeAttr(placement); });
    if (job.getKind() == mlir::job::JobKind::Init)
      continue;
    mlir::job::ReturnOp end = job.getReturn();
    mlir::OpBuilder builder(end);
    // One blob of zeros for each value, so that a count stays that of its blob.
    llvm::DenseMap<mlir::Value, mlir::Value> zeros;
    auto makeZero = [&](mlir::OpOperand &operand) {
      mlir::Value &zero = zeros[operand.get()];
      if (!zero) {
        mlir::OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPointToStart(&job.getBody().front());
        zero = mlir::job::ConstantOp::create(
            builder, end.getLoc(),
            mlir::cast<BlobType>(operand.get().getType()), 0.0);
      }
      operand.set(zero);
    };
    // An op that makes a bounded result and perhaps its count stays, with other
    // operands.
    llvm::SetVector<mlir::Operation *> producers;
    for (mlir::Value result : end.getOperands())
      if (mlir::cast<BlobType>(result.getType()).isBounded())
        producers.insert(result.getDefiningOp());
    auto makeOthersZero = [&](mlir::Operation *user) {
      for (mlir::OpOperand &operand : user->getOpOperands())
        if (!producers.contains(operand.get().getDefiningOp()))
          makeZero(operand);
    };
    makeOthersZero(end);
    llvm::for_each(producers, makeOthersZero);
    for (mlir::Operation &op :
         llvm::make_early_inc_range(llvm::reverse(job.getBody().front())))
      // All but the return and the constants.
      if (&op != end && op.use_empty())
        op.erase();
  }
}

bool CompiledModule::open(const Options &options) {
  std::string error;
  auto file = jobmlir::openInput(options.inputFile, error);
  if (!file) {
    fail(error);
    return false;
  }
  if (!options.explained.empty())
    mlir::job::enableExplanations(context, options.explained, llvm::errs());
  sourceMgr.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  diagnostics.emplace(sourceMgr, &context);
  jobmlir::handleFileDiagnostics(context);
  // The user's line is the place, not what has become of it.
  context.printOpOnDiagnostic(false);
  module = mlir::parseSourceFile<mlir::ModuleOp>(sourceMgr,
                                                 mlir::ParserConfig(&context));
  if (!module)
    return false;
  if (options.reference && !module->getOps<mlir::plan::ProgramOp>().empty()) {
    fail("expects jobs with --reference, which runs no plans, but got one");
    return false;
  }
  if (options.reference) {
    // The interpreter runs what the train pipeline makes, before any kernel.
    mlir::PassManager pm(&context);
    mlir::job::PipelineOptions pipeline;
    pipeline.simplify = options.compiler.simplify;
    pipeline.precision = options.compiler.precision;
    if (!mlir::job::isTrainPipelineDone(*module))
      mlir::job::buildTrainPipeline(pm, pipeline);
    if (failed(pm.run(*module)) || failed(mlir::job::verifyFitsMemory(*module)))
      return false;
  }
  mlir::OwningOpRef<mlir::ModuleOp> compiled = module->clone();
  if (options.reference)
    emptyJobs(*compiled);
  mlir::job::CompilerOptions compiler = options.compiler;
  if (Status status = chooseTarget(options, *compiled, compiler);
      !status.ok()) {
    fail(status);
    return false;
  }
  llvm::FailureOr<std::string> artifact =
      mlir::job::compileThroughCache(*compiled, compiler);
  if (failed(artifact))
    return false;
  artifactPath = *artifact;
  return true;
}

/// A user's name as the name of a file: what is no letter, digit, dash,
/// underscore or inner dot becomes an underscore.
static std::string asFileName(llvm::StringRef name) {
  std::string result = name.str();
  for (char &c : result)
    if (!llvm::isAlnum(c) && c != '.' && c != '-' && c != '_')
      c = '_';
  if (llvm::StringRef(result).starts_with("."))
    result.front() = '_';
  return result;
}

/// Where an entry writes: `folder`, or a folder inside for each of several.
static std::string getFolder(const Options &options, llvm::StringRef folder,
                             const EntryInfo &entry) {
  llvm::SmallString<128> path(folder);
  if (options.entryNames.size() > 1)
    llvm::sys::path::append(path, asFileName(entry.name));
  return std::string(path);
}

static Status writeOutputs(llvm::StringRef folder, const EntryInfo &entry,
                           std::vector<Tensor> &outputs) {
  if (std::error_code error = llvm::sys::fs::create_directories(folder))
    return Status(StatusCode::kIo, "'" + folder.str() + "': cannot create: " +
                                       mlir::job::describeSystemError(error));
  for (auto [port, output] : llvm::zip(entry.outputs, outputs)) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, asFileName(port.name) + ".npy");
    if (Status status = writeNpy(path.str().str(), output.view()); !status.ok())
      return status;
  }
  return {};
}

/// Runs the steps of one entry and fills the report.
static Status runSteps(const Options &options, Session &session,
                       Backend &backend, const EntryInfo &entry,
                       RunReport &report) {
  std::vector<Tensor> inputs, outputs;
  if (!options.inputPaths.empty()) {
    Expected<std::vector<Tensor>> given = readInputs(entry, options.inputPaths);
    if (!given.ok())
      return given.status();
    inputs = std::move(*given);
  }
  for (int step = 0; step < options.steps; ++step) {
    if (options.inputPaths.empty()) {
      Expected<std::vector<Tensor>> drawn =
          drawInputs(entry, options.initSeed, options.firstStep + step,
                     options.integerRange);
      if (!drawn.ok())
        return drawn.status();
      inputs = std::move(*drawn);
    }
    Expected<std::vector<Tensor>> result = backend.run(entry, inputs);
    if (!result.ok())
      return result.status();
    outputs = std::move(*result);
    if (!outputs.empty())
      report.losses.push_back(mean(outputs.front().view()));
  }
  report.allocations = session.lastAllocations();
  if (Status status = backend.finish(); !status.ok())
    return status;
  if (!options.outputPath.empty())
    return writeOutputs(getFolder(options, options.outputPath, entry), entry,
                        outputs);
  return {};
}

/// Runs one entry from the session's variables and prints the report.
static Status runEntry(const Options &options, Session &session,
                       CompiledModule &compiled, const EntryInfo &entry) {
  RunReport report;
  report.entry = entry.name;
  report.reference = options.reference;
  report.device = options.device.value_or("");
  report.threads = options.reference ? 1 : session.threads();
  report.memory = session.memory();
  const std::vector<ArtifactDevice> &devices = session.artifact().devices();
  for (size_t i = 0; devices.size() > 1 && i < devices.size(); ++i)
    report.devices.emplace_back(devices[i].name, session.memory(i));
  for (CallReport &call : session.calls())
    if (call.entry == entry.name)
      report.calls.push_back(std::move(call));
  report.arenaLowerBound = entry.arenaLowerBound;
  std::unique_ptr<Backend> backend;
  if (options.reference) {
    Expected<std::unique_ptr<Backend>> created = createReferenceBackend(
        session, *compiled.module, entry.name, report.seconds);
    if (!created.ok())
      return created.status();
    backend = std::move(*created);
  } else {
    backend = createCompiledBackend(session, report.seconds);
  }
  if (Status status = runSteps(options, session, *backend, entry, report);
      !status.ok())
    return status;
  if (!options.savePath.empty())
    if (Status status =
            saveCheckpoint(session, getFolder(options, options.savePath, entry),
                           CheckpointLayout::kNative);
        !status.ok())
      return status;
  llvm::outs() << formatReport(report, options.json);
  return {};
}

/// Runs the entries one after another, each from the variables as they are.
static Status runEntries(const Options &options, Session &session,
                         CompiledModule &compiled,
                         llvm::ArrayRef<const EntryInfo *> entries) {
  const Artifact &artifact = session.artifact();
  if (entries.size() == 1)
    return runEntry(options, session, compiled, *entries.front());

  std::vector<Tensor> values;
  std::vector<std::pair<std::string, TensorView>> start;
  for (const VariableInfo &variable : artifact.variables()) {
    Expected<Tensor> value = session.readVariable(variable.name);
    if (!value.ok())
      return value.status();
    values.push_back(std::move(*value));
    start.emplace_back(variable.name, values.back().view());
  }
  for (const EntryInfo *entry : entries) {
    if (Status status = session.writeVariables(start); !status.ok())
      return status;
    if (Status status = runEntry(options, session, compiled, *entry);
        !status.ok())
      return status;
  }
  return {};
}

/// Runs the entries from the variables that the options ask for, and writes
/// the trace.
static Status runAll(const Options &options, Session &session,
                     CompiledModule &compiled,
                     llvm::ArrayRef<const EntryInfo *> entries) {
  if (!session.artifact().variables().empty())
    if (Status status = session.initialize(options.initSeed); !status.ok())
      return status;
  if (!options.loadPath.empty())
    if (Status status = loadCheckpoint(session, options.loadPath); !status.ok())
      return status;
  if (options.tracePath.empty())
    return runEntries(options, session, compiled, entries);

  TraceOptions trace;
  trace.path = options.tracePath;
  trace.steps = options.traceSteps.value_or(trace.steps);
  if (Status status = session.startTrace(trace); !status.ok())
    return status;
  // A step that failed is in the trace too.
  Status ran = runEntries(options, session, compiled, entries);
  Status written = session.finishTrace();
  return ran.ok() ? written : ran;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  jobmlir::reportOutputErrors("job-run");
  Options options = parseOptions(argc, argv);
  if (options.steps < 1)
    return fail("expects --steps of at least 1 but got " +
                llvm::Twine(options.steps));
  if (options.integerRange < 1)
    return fail("expects --int-range of at least 1 but got " +
                llvm::Twine(options.integerRange));
  if (options.firstStep < 0)
    return fail("expects --first-step of at least 0 but got " +
                llvm::Twine(options.firstStep));
  // Steps have numbers of 64 bits.
  if (int64_t limit = INT64_MAX - options.steps; options.firstStep > limit)
    return fail("expects --first-step of at most " + llvm::Twine(limit) +
                " but got " + llvm::Twine(options.firstStep));

  if (options.list && !options.runOption.empty())
    return fail("expects --" + options.runOption +
                " without --list, which runs nothing");

  const std::vector<std::string> devices = driverNames();
  if (options.device)
    for (llvm::StringRef device : llvm::split(*options.device, ','))
      // One of several has an index: cuda:1.
      if (!llvm::is_contained(devices, device.split(':').first))
        return fail("expects --device of " + llvm::join(devices, ", ") +
                    " but got '" + device + "'");
  if (options.reference && options.device)
    return fail("expects --device without --reference, which runs on none");
  if (options.reference && !options.cudaLibrary.empty())
    return fail("expects --cuda-library without --reference, which runs on no "
                "GPU");
  if (options.reference && !options.tracePath.empty())
    return fail("expects --trace without --reference, which runs no commands");
  if (options.reference && options.compiler.checkNumerics)
    return fail("expects --check-numerics without --reference, which checks "
                "no values");
  if (options.tracePath.empty() && options.traceSteps)
    return fail("expects --trace with --trace-steps");
  llvm::SmallVector<jobmlir::NamedFile> files{
      {"the artifact or module", options.inputFile},
      {"--trace", options.tracePath},
      {"--output", options.outputPath},
      {"--save", options.savePath}};
  if (std::optional<std::string> same = jobmlir::findSameFiles(files))
    return fail(*same);
  // One array may well be several inputs.
  for (const std::string &input : options.inputPaths)
    if (std::optional<std::string> same = jobmlir::findSameFiles(
            {{"--input", input}, {"--trace", options.tracePath}}))
      return fail(*same);

  mlir::DialectRegistry registry;
  mlir::job::registerAllDialects(registry);
  CompiledModule compiled(registry);
  std::string artifactPath = options.inputFile;
  bool isModule = llvm::StringRef(options.inputFile).ends_with(".mlir");
  if (isModule) {
    if (!compiled.open(options))
      return 1;
    artifactPath = compiled.artifactPath;
  } else if (options.reference || !options.compilerOption.empty()) {
    return fail("expects a module (.mlir) with --" +
                (options.reference ? "reference" : options.compilerOption) +
                " but got '" + options.inputFile + "'");
  }

  Expected<std::shared_ptr<const Artifact>> artifact =
      Artifact::load(artifactPath);
  if (!artifact.ok())
    return fail(artifact.status());
  if (options.list) {
    llvm::outs() << formatList(**artifact, options.json);
    return 0;
  }

  if (options.entryNames.empty())
    return fail("expects --entry or --list");
  llvm::SmallVector<const EntryInfo *> entries;
  for (const std::string &name : options.entryNames) {
    entries.push_back((*artifact)->findEntry(name));
    if (entries.back())
      continue;
    if ((*artifact)->entries().empty())
      return fail("expects an artifact with jobs but got '" +
                  options.inputFile + "' without any");
    auto names =
        llvm::map_range((*artifact)->entries(), [](const EntryInfo &other) {
          return "'" + other.name + "'";
        });
    return fail("expects an entry of " + llvm::join(names, ", ") +
                " but got '" + name + "'");
  }

  SessionOptions settings;
  settings.threads = options.threads;
  settings.cudaLibrary = options.cudaLibrary;
  if (!options.device)
    options.device = (*artifact)->driver();
  settings.driver = *options.device;
  Expected<std::unique_ptr<Session>> session =
      Session::create(*artifact, settings);
  if (!session.ok())
    return fail(session.status());
  if (Status status = runAll(options, **session, compiled, entries);
      !status.ok())
    return fail(status);
  return 0;
}
