//===- GradientCheck.h - Compare gradients with differences -----*- C++ -*-===//

#ifndef JOBDIALECT_REFERENCE_GRADIENTCHECK_H
#define JOBDIALECT_REFERENCE_GRADIENTCHECK_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"

namespace mlir::job {

/// The options of `job-check-gradients`.
struct GradientCheckOptions {
  int64_t seed = 1;
  /// Relative to the largest magnitude of the gradient.
  double tolerance = 1e-6;
  /// Absolute step size of the differences.
  double step = 2e-4;
  /// Maximum number of elements compared per variable.
  int64_t samples = 64;
};

/// Compares the gradient of each `job.update` with central differences of the
/// reference. Emits an error at each update that differs, and for each job
/// without an error a remark with the number of elements compared. Requires a
/// module after `job-autodiff` and `job-build-initializer`, and does not change
/// it.
LogicalResult checkGradients(ModuleOp module,
                             const GradientCheckOptions &options);

} // namespace mlir::job

#endif // JOBDIALECT_REFERENCE_GRADIENTCHECK_H
