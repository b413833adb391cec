//===- DynamicLossScale.h - A loss scale that follows gradients -*- C++ -*-===//

#ifndef JOBDIALECT_LIB_TRANSFORMS_OPTIMIZER_DYNAMICLOSSSCALE_H
#define JOBDIALECT_LIB_TRANSFORMS_OPTIMIZER_DYNAMICLOSSSCALE_H

#include "Models.h"

namespace mlir::job {

/// Builds the ops of a dynamic loss scale (#job.dynamic_loss_scale) in a
/// training job.
class DynamicLossScale {
public:
  DynamicLossScale(OpBuilder &builder, Location loc, DynamicLossScaleAttr attr)
      : builder(builder), loc(loc), attr(attr), build(builder, loc) {}

  /// The scale of this step's gradients, a `!job.blob<1xf32>`.
  Value readScale();
  /// Whether all elements of a gradient are finite, a `!job.blob<1xi1>`.
  Value checkFinite(Value gradient);
  /// Assigns the scale and the counter of the next step.
  void advance(Value scale, Value isFinite);

private:
  Value createCompare(ComparePredicate predicate, Value lhs, Value rhs) {
    return CompareOp::create(builder, loc, predicate, lhs, rhs);
  }

  OpBuilder &builder;
  Location loc;
  DynamicLossScaleAttr attr;
  RateBuilder build;
};

} // namespace mlir::job

#endif // JOBDIALECT_LIB_TRANSFORMS_OPTIMIZER_DYNAMICLOSSSCALE_H
