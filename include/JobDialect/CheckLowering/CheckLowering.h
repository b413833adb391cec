//===- CheckLowering.h - Compare compiler and reference ---------*- C++ -*-===//

#ifndef JOBDIALECT_CHECKLOWERING_CHECKLOWERING_H
#define JOBDIALECT_CHECKLOWERING_CHECKLOWERING_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include <string>

namespace mlir::job {

/// The options of `job-check-lowering`.
struct LoweringCheckOptions {
  int64_t seed = 1, steps = 2;
  double tolerance = 1e-6;
  /// A textual pipeline; empty for the compiler's default pipelines.
  std::string pipeline;
};

/// Compiles a copy of the module pass by pass, runs it, and compares the
/// results with the reference interpreter. Emits an error at the first op that
/// differs. The module does not change. Disables multithreading of the context
/// meanwhile.
LogicalResult checkLowering(ModuleOp module,
                            const LoweringCheckOptions &options);

/// Adds the pipeline to check for a module at the stage of `module` (null: the
/// first stage), with code for `gpuTargets` where it is the default one. Parse
/// errors of `pipeline` go to `error`.
LogicalResult buildCheckedPipeline(OpPassManager &pm, ModuleOp module,
                                   StringRef pipeline,
                                   ArrayRef<std::string> gpuTargets,
                                   raw_ostream &error);

} // namespace mlir::job

#endif // JOBDIALECT_CHECKLOWERING_CHECKLOWERING_H
