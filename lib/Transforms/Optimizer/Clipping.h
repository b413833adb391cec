//===- Clipping.h - Limits of gradients -------------------------*- C++ -*-===//

#ifndef JOBDIALECT_LIB_TRANSFORMS_OPTIMIZER_CLIPPING_H
#define JOBDIALECT_LIB_TRANSFORMS_OPTIMIZER_CLIPPING_H

#include "JobDialect/IR/JobOps.h"

namespace mlir::job {

/// The square of the Euclidean norm of a gradient, a scalar of the type of its
/// elements; for f32, whose squares overflow above 1.8e19, also that of the
/// gradient times a small power of two.
struct SquaredNorm {
  Value sum, scaledSum;
};

SquaredNorm buildSquaredNorm(OpBuilder &builder, Location loc, Value gradient);

/// Builds the factor of all gradients of a #job.clip_by_global_norm from the
/// squares of their norms, which are added in this order: a scalar of f64 if
/// one of these is, else of f32.
Value buildClippingFactor(OpBuilder &builder, Location loc,
                          ClipByGlobalNormAttr clipping,
                          ArrayRef<SquaredNorm> norms);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_TRANSFORMS_OPTIMIZER_CLIPPING_H
