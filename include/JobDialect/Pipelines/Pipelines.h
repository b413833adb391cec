//===- Pipelines.h - The named pipelines ------------------------*- C++ -*-===//
//
// Python, job-opt, job-compile and job-run all use these functions.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_PIPELINES_PIPELINES_H
#define JOBDIALECT_PIPELINES_PIPELINES_H

#include "JobDialect/Support/ByteCountParser.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::job {

/// Options that several pipelines share.
struct PipelineOptions : public PassPipelineOptions<PipelineOptions> {
  Option<bool> simplify{*this, "simplify",
                        llvm::cl::desc("Canonicalize and remove common "
                                       "subexpressions (default: true)"),
                        llvm::cl::init(true)};
  Option<bool> fuse{*this, "fuse",
                    llvm::cl::desc("Group several ops into one kernel "
                                   "(default: true)"),
                    llvm::cl::init(true)};
  Option<bool> schedule{*this, "schedule",
                        llvm::cl::desc("Order ops for a lower peak of live "
                                       "bytes (default: true)"),
                        llvm::cl::init(true)};
  Option<bool> inPlace{*this, "in-place",
                       llvm::cl::desc("Let kernels overwrite inputs that no "
                                      "later op reads (default: true)"),
                       llvm::cl::init(true)};
  Option<bool> joinLaunches{*this, "join-launches",
                            llvm::cl::desc("Run small kernels in the launch of "
                                           "another one (default: true)"),
                            llvm::cl::init(true)};
  Option<std::string> queues{
      *this, "queues",
      llvm::cl::desc("The queues that run the commands of a GPU: one, two, or "
                     "auto, two where that is faster (default: auto)"),
      llvm::cl::init("auto")};
  Option<bool> layouts{*this, "layouts",
                       llvm::cl::desc("Store images with the channels last "
                                      "where libraries are faster with them "
                                      "(default: true)"),
                       llvm::cl::init(true)};
  Option<bool> epilogues{*this, "epilogues",
                         llvm::cl::desc("Run kernels chunk by chunk after "
                                        "library calls (default: true)"),
                         llvm::cl::init(true)};
  Option<bool> checkNumerics{
      *this, "check-numerics",
      llvm::cl::desc("Stop at the first op that computes a NaN or infinity "
                     "(default: false)"),
      llvm::cl::init(false)};
  Option<std::string> precision{
      *this, "precision",
      llvm::cl::desc(
          "The type that job-precision lets jobs compute in which do "
          "not have one: f32, bf16 or f16 (default: f32)"),
      llvm::cl::init("f32")};
  Option<bool> tf32{*this, "tf32",
                    llvm::cl::desc("Let functions of libraries on a GPU round "
                                   "factors in f32 to TF32 (default: false)"),
                    llvm::cl::init(false)};
  ListOption<std::string> cpuFeatures{
      *this, "cpu-features",
      llvm::cl::desc("Features of the processor that functions of libraries "
                     "may use: avx512bf16 (default: none)")};
  Option<std::string> device{
      *this, "device",
      llvm::cl::desc("The kind of device of jobs without a placement: cpu or "
                     "gpu (default: cpu)"),
      llvm::cl::init("cpu")};
  ListOption<std::string> gpuTargets{
      *this, "gpu-targets",
      llvm::cl::desc("GPUs to make code for, such as sm_90, or simulated "
                     "(default: none)")};
  Option<std::string> packing{
      *this, "packing",
      llvm::cl::desc("Strategy of plan-pack-memory (default: best)"),
      llvm::cl::init("best")};
  Option<int64_t, ByteCountParser> memoryBudget{
      *this, "memory-budget",
      llvm::cl::desc("Limit of a job's memory in bytes, such as 1048576 or "
                     "512M; blobs are recomputed instead of kept where needed "
                     "(default: no limit)"),
      llvm::cl::init(0)};
};

/// Verifies jobs and expands training: gradients, optimizer, step counters, the
/// init job.
void buildTrainPipeline(OpPassManager &pm, const PipelineOptions &options);
/// Converts jobs without losses and optimizers to the plan dialect, assigns all
/// offsets and verifies them.
void buildPlanPipeline(OpPassManager &pm, const PipelineOptions &options);
/// Lowers kernels to the LLVM dialect.
void buildLowerPipeline(OpPassManager &pm, const PipelineOptions &options);

/// Whether the train pipeline has run on a module of jobs.
bool isTrainPipelineDone(ModuleOp module);
/// Builds the remaining pipelines for a module, which may be text of any stage.
void buildRemainingPipelines(OpPassManager &pm, ModuleOp module,
                             const PipelineOptions &options);

/// Registers the three pipelines as --job-train-pipeline, --job-plan-pipeline
/// and --job-lower-pipeline.
void registerPipelines();

/// Registers every dialect of any stage, and all interface models.
void registerAllDialects(DialectRegistry &registry);
/// Registers every pass of the project.
void registerAllPasses();

} // namespace mlir::job

#endif // JOBDIALECT_PIPELINES_PIPELINES_H
