//===- job-opt.cpp - Passes on IR files -----------------------------------===//

#include "../common/ExplainFlag.h"
#include "../common/FileDiagnostics.h"
#include "../common/InputFile.h"
#include "../common/Startup.h"

#include "JobDialect/CheckLowering/Passes.h"
#include "JobDialect/Pipelines/Pipelines.h"
#include "JobDialect/Support/OutputFile.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir;

static LogicalResult fail(const Twine &message) {
  llvm::errs() << "job-opt: error: " << message << '\n';
  return failure();
}

/// MlirOptMain with explanations and errors of our form. The contexts are made
/// behind it and set up anew after parsing, so that a pipeline is the first
/// place to ask for them.
static LogicalResult run(const MlirOptMainConfig &plain, StringRef inputPath,
                         StringRef outputPath, DialectRegistry &registry,
                         const std::vector<job::ExplainCategory> &categories) {
  MlirOptMainConfig config = plain;
  config.setPassPipelineSetupFn([&](PassManager &pm) {
    MLIRContext &context = *pm.getContext();
    if (!categories.empty())
      job::enableExplanations(context, categories, llvm::errs());
    // Those that a test expects go to MLIR's verifier of diagnostics.
    if (!plain.shouldVerifyDiagnostics())
      jobmlir::handleFileDiagnostics(context);
    return plain.setupPassPipeline(pm);
  });
  std::string error;
  auto input = jobmlir::openInput(inputPath.str(), error);
  if (!input)
    return fail(error);
  // Text comes as soon as it is there, also before an error.
  if (outputPath == "-")
    return MlirOptMain(llvm::outs(), std::move(input), registry, config);
  std::string text;
  llvm::raw_string_ostream os(text);
  if (failed(MlirOptMain(os, std::move(input), registry, config)))
    return failure();
  if (llvm::Error error = job::writeFile(outputPath, StringRef(text)))
    return fail(llvm::toString(std::move(error)));
  return success();
}

/// The user's line is the place of an error, not the op that it was
/// converted to, which an option shows.
static void hideOpsOfDiagnostics() {
  registerMLIRContextCLOptions();
  llvm::cl::Option *option =
      llvm::cl::getRegisteredOptions().lookup("mlir-print-op-on-diagnostic");
  static_cast<llvm::cl::opt<bool> *>(option)->setInitialValue(false);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  jobmlir::reportOutputErrors("job-opt");
  jobmlir::setVersion();
  static jobmlir::ExplainFlag explain;
  DialectRegistry registry;
  job::registerAllDialects(registry);
  job::registerAllPasses();
  job::registerJobCheckLoweringPasses();
  job::registerPipelines();
  registerTransformsPasses();
  hideOpsOfDiagnostics();
  auto [inputPath, outputPath] =
      registerAndParseCLIOptions(argc, argv, "JobMLIR's passes\n", registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(
        MlirOptMain(argc, argv, inputPath, outputPath, registry));
  return asMainReturnCode(
      run(config, inputPath, outputPath, registry, explain.get()));
}
