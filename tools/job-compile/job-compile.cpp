//===- job-compile.cpp - A module to an artifact --------------------------===//

#include "../common/CompilerFlags.h"
#include "../common/DistinctFiles.h"
#include "../common/FileDiagnostics.h"
#include "../common/InputFile.h"
#include "../common/Startup.h"

#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Pipelines/Pipelines.h"
#include "JobDialect/Target/HeaderEmission.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace cl = llvm::cl;

namespace {

/// The command line.
struct Options {
  std::string inputPath, outputPath, headerPath;
  job::CompilerOptions compiler;
  bool hasGPUTargets;
  std::vector<job::ExplainCategory> explained;
};

} // namespace

static Options parseOptions(int argc, char **argv) {
  // LLVM's libraries have registered hundreds of options, some of our names
  // among them.
  cl::ResetCommandLineParser();
  static cl::OptionCategory category("job-compile options");
  static cl::opt<std::string> inputPath(cl::Positional,
                                        cl::desc("<module.mlir>"), cl::Required,
                                        cl::cat(category));
  static cl::opt<std::string> outputPath(
      "o", cl::desc("File to write, or - for standard output"),
      cl::value_desc("path"), cl::Required, cl::cat(category));
  static cl::opt<std::string, false, jobmlir::PathParser> headerPath(
      "emit-header",
      cl::desc("Also write a C header for the artifact; the file's stem is the "
               "prefix of its names"),
      cl::value_desc("path"), cl::cat(category));
  static jobmlir::CompilerFlags compiler(category);
  cl::HideUnrelatedOptions(category);
  jobmlir::setVersion();
  cl::ParseCommandLineOptions(argc, argv, "compiles jobs to an artifact\n");
  Options options{inputPath,
                  outputPath,
                  headerPath,
                  compiler.get(),
                  compiler.hasGPUTargets(),
                  compiler.getExplained()};
  // The linker runs in this process and resets all options that it finds.
  cl::ResetCommandLineParser();
  return options;
}

static int fail(const llvm::Twine &message) {
  llvm::errs() << "job-compile: error: " << message << '\n';
  return 1;
}

static bool isOnStandardOutput(const std::string &path) {
  if (path.empty() || jobmlir::isSameFile("/dev/null", path))
    return false;
  return path == "-" || jobmlir::isSameFile("/dev/stdout", path);
}

/// Functions of the program that wrote the module see some results; nothing
/// calls them in another program.
static LogicalResult verifyHasNoObservers(ModuleOp module) {
  for (auto func : module.getOps<job::FuncOp>())
    for (unsigned index : llvm::seq(func.getNumResults()))
      if (auto observer = func.getResultAttrOfType<StringAttr>(
              index, job::FuncOp::getObserverAttrName()))
        return mlir::emitError(func.getReturn().getOperand(index).getLoc())
               << "expects job @" << func.getSymName()
               << " to have no results for functions of Python, which only the "
                  "program that defines it has, but got one for "
               << observer.getValue();
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  jobmlir::reportOutputErrors("job-compile");
  const Options options = parseOptions(argc, argv);
  if (std::optional<std::string> same =
          jobmlir::findSameFiles({{"the input", options.inputPath},
                                  {"-o", options.outputPath},
                                  {"--emit-header", options.headerPath}}))
    return fail(*same);
  if (isOnStandardOutput(options.outputPath) &&
      isOnStandardOutput(options.headerPath))
    return fail("expects one output on standard output but got '" +
                options.outputPath + "' for -o and '" + options.headerPath +
                "' for --emit-header");

  DialectRegistry registry;
  job::registerAllDialects(registry);
  MLIRContext context(registry);
  if (!options.explained.empty())
    job::enableExplanations(context, options.explained, llvm::errs());

  std::string error;
  auto file = jobmlir::openInput(options.inputPath, error);
  if (!file)
    return fail(error);
  llvm::SourceMgr sourceMgr;
  sourceMgr.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  SourceMgrDiagnosticHandler diagnostics(sourceMgr, &context);
  jobmlir::handleFileDiagnostics(context);
  // The user's line is the place, not what has become of it.
  context.printOpOnDiagnostic(false);
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(sourceMgr, ParserConfig(&context));
  if (!module || failed(verifyHasNoObservers(*module)))
    return 1;
  if (options.hasGPUTargets && !job::findGPU(*module, options.compiler))
    mlir::emitWarning(
        module->getLoc(),
        "expects something on a GPU with --gpu-target but got "
        "placements on the CPU only: the artifact has no code for "
        "a GPU");
  if (failed(job::compileToArtifact(*module, options.compiler,
                                    options.outputPath)))
    return 1;
  if (options.headerPath.empty())
    return 0;
  FailureOr<job::TargetDescription> target = job::TargetDescription::create(
      module->getLoc(), options.compiler.cpu, options.compiler.features);
  return failed(target) ||
         failed(job::writeHeader(*module, *target, options.headerPath));
}
