//===- Pipelines.h - The named pipelines ------------------------*- C++ -*-===//
//
// Python, job-opt, job-compile and job-run all go through these functions.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_PIPELINES_PIPELINES_H
#define JOBDIALECT_PIPELINES_PIPELINES_H

#include "JobDialect/Support/ByteCountParser.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::job {

/// Options that more than one pipeline understands.
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
                       llvm::cl::desc("Let kernels overwrite inputs that "
                                      "nobody needs any more (default: true)"),
                       llvm::cl::init(true)};
  Option<bool> checkNumerics{
      *this, "check-numerics",
      llvm::cl::desc("Stop at the first op that makes a NaN or infinity "
                     "(default: false)"),
      llvm::cl::init(false)};
  Option<std::string> packing{
      *this, "packing",
      llvm::cl::desc("Strategy of plan-pack-memory (default: best)"),
      llvm::cl::init("best")};
  Option<int64_t, ByteCountParser> memoryBudget{
      *this, "memory-budget",
      llvm::cl::desc("Bytes that a job may need, as 1048576 or 512M; blobs are "
                     "computed again where that is less than they would take "
                     "(default: no limit)"),
      llvm::cl::init(0)};
};

/// Verified jobs to jobs of plain ops: gradients, optimizer, step counters,
/// the initializer entry.
void buildTrainPipeline(OpPassManager &pm, const PipelineOptions &options);
/// Jobs of plain ops to the plan dialect with all offsets, proved.
void buildPlanPipeline(OpPassManager &pm, const PipelineOptions &options);
/// Kernels to the LLVM dialect.
void buildLowerPipeline(OpPassManager &pm, const PipelineOptions &options);

/// The three as --job-train-pipeline, --job-plan-pipeline and
/// --job-lower-pipeline.
void registerPipelines();

/// Every dialect that a stage may hold, and all models of our interfaces.
void registerAllDialects(DialectRegistry &registry);
/// Every pass of ours.
void registerAllPasses();

} // namespace mlir::job

#endif // JOBDIALECT_PIPELINES_PIPELINES_H
