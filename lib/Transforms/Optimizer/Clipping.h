//===- Clipping.h - Limits of gradients -------------------------*- C++ -*-===//

#ifndef JOBDIALECT_LIB_TRANSFORMS_OPTIMIZER_CLIPPING_H
#define JOBDIALECT_LIB_TRANSFORMS_OPTIMIZER_CLIPPING_H

#include "JobDialect/IR/JobOps.h"

namespace mlir::job {

/// Builds the square of the Euclidean norm of a gradient, a scalar of f64.
Value buildSquaredNorm(OpBuilder &builder, Location loc, Value gradient);

/// Builds the factor of all gradients of a #job.clip_by_global_norm from the
/// squares of their norms, which are added in this order: a scalar of f64.
Value buildClippingFactor(OpBuilder &builder, Location loc,
                          ClipByGlobalNormAttr clipping,
                          ArrayRef<Value> squaredNorms);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_TRANSFORMS_OPTIMIZER_CLIPPING_H
