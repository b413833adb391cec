//===- CheckLowering.h - The compiler against the reference -----*- C++ -*-===//

#ifndef JOBDIALECT_CHECKLOWERING_CHECKLOWERING_H
#define JOBDIALECT_CHECKLOWERING_CHECKLOWERING_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include <string>

namespace mlir::job {

/// What `job-check-lowering` describes.
struct LoweringCheckOptions {
  int64_t seed = 1, steps = 2;
  double tolerance = 1e-6;
  /// Textual; empty for the compiler's own.
  std::string pipeline;
};

/// Compiles a copy of the module pass by pass, runs it, and compares with the
/// reference interpreter. Differences are diagnostics: errors at the first op
/// that differs. The module stays as it is. Turns the context's threads off
/// meanwhile.
LogicalResult checkLowering(ModuleOp module,
                            const LoweringCheckOptions &options);

/// Adds the pipeline that is checked, for a module that is at the stage of
/// `module` (null: from the start). What is wrong with the text goes to
/// `error`.
LogicalResult buildCheckedPipeline(OpPassManager &pm, ModuleOp module,
                                   StringRef pipeline, raw_ostream &error);

} // namespace mlir::job

#endif // JOBDIALECT_CHECKLOWERING_CHECKLOWERING_H
