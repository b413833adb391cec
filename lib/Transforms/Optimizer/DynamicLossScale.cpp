//===- DynamicLossScale.cpp - A loss scale that follows gradients ---------===//

#include "DynamicLossScale.h"

#include "JobDialect/Transforms/UpdateContext.h"

#include <cfloat>

using namespace mlir;
using namespace mlir::job;

Value DynamicLossScale::readScale() {
  return ReadOp::create(builder, loc, build.getRateType(), attr.getScale());
}

/// The largest finite number of a type.
static double getLargest(FloatType type) {
  return APFloat::getLargest(type.getFloatSemantics()).convertToDouble();
}

Value DynamicLossScale::checkFinite(Value gradient) {
  // The largest magnitude is NaN where an element is, and then not less.
  BlobType type =
      UpdateContext::getComputeBlob(cast<BlobType>(gradient.getType()));
  Value magnitudes = build.create<AbsOp>(build.create<CastOp>(type, gradient));
  auto axes = llvm::to_vector(llvm::seq<int64_t>(type.getRank()));
  Value largest = build.create<ReduceMaxOp>(magnitudes, axes);
  auto scalar = cast<BlobType>(largest.getType());
  Value limit =
      ConstantOp::create(builder, loc, scalar,
                         getLargest(cast<FloatType>(scalar.getElementType())));
  return createCompare(ComparePredicate::LE, largest, limit);
}

void DynamicLossScale::advance(Value scale, Value isFinite) {
  Value multiplier = build.constant(attr.getMultiplier());
  Value larger = build.create<MinimumOp>(build.create<MulOp>(scale, multiplier),
                                         build.constant(FLT_MAX));
  Value smaller = build.create<MaximumOp>(
      build.create<DivOp>(scale, multiplier), build.constant(FLT_MIN));

  Value zero = build.stepConstant(0);
  Value steps =
      ReadOp::create(builder, loc, zero.getType(), attr.getGoodSteps());
  Value next = build.create<AddOp>(steps, build.stepConstant(1));
  Value isPeriodOver = createCompare(ComparePredicate::GE, next,
                                     build.stepConstant(attr.getPeriod()));
  Value kept = build.create<SelectOp>(isPeriodOver, larger, scale);
  Value counted = build.create<SelectOp>(isPeriodOver, zero, next);
  AssignOp::create(builder, loc, attr.getScale(),
                   build.create<SelectOp>(isFinite, kept, smaller));
  AssignOp::create(builder, loc, attr.getGoodSteps(),
                   build.create<SelectOp>(isFinite, counted, zero));
}
