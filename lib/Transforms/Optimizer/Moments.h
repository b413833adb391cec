//===- Moments.h - Moving averages of gradients -----------------*- C++ -*-===//
//
// What Adam and the rules that derive from it share.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_LIB_TRANSFORMS_OPTIMIZER_MOMENTS_H
#define JOBDIALECT_LIB_TRANSFORMS_OPTIMIZER_MOMENTS_H

#include "JobDialect/Transforms/UpdateContext.h"

namespace mlir::job {

/// decay * average + (1 - decay) * sample, the average's new value. Where
/// `touched`, a blob of the average's shape, is there and false, the average
/// keeps its value.
Value updateAverage(UpdateContext &context, VariableOp average, double decay,
                    Value sample, Value touched = {});

/// 1 - beta^t with the power kept in a state variable, which moves on to the
/// next step. Null after an error.
Value buildCorrection(UpdateContext &context, StringRef suffix, double beta);

/// Builds the step of Adam, with or without bias correction. Where `touched`, a
/// blob of the variable's shape, is there and false, the variable and its
/// moments keep their values.
LogicalResult buildAdam(UpdateContext &context, double beta1, double beta2,
                        double epsilon, bool biasCorrection,
                        Value touched = {});

} // namespace mlir::job

#endif // JOBDIALECT_LIB_TRANSFORMS_OPTIMIZER_MOMENTS_H
