//===- GradientCheck.h - Gradients against differences ----------*- C++ -*-===//

#ifndef JOBDIALECT_REFERENCE_GRADIENTCHECK_H
#define JOBDIALECT_REFERENCE_GRADIENTCHECK_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"

namespace mlir::job {

/// What `job-check-gradients` describes.
struct GradientCheckOptions {
  int64_t seed = 1;
  /// Relative to the largest magnitude of the gradient.
  double tolerance = 1e-6;
  /// Absolute step of the differences.
  double step = 2e-4;
  /// Elements compared for each variable, at most.
  int64_t samples = 64;
};

/// Compares the gradient of each `job.update` with central differences of the
/// reference. Errors are diagnostics at the updates that differ; a remark at
/// each job without one says how much was compared. The module,
/// after `job-autodiff` and `job-build-initializer`, stays as it is.
LogicalResult checkGradients(ModuleOp module,
                             const GradientCheckOptions &options);

} // namespace mlir::job

#endif // JOBDIALECT_REFERENCE_GRADIENTCHECK_H
