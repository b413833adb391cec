//===- Models.h - Optimizers, schedules, warm-ups ---------------*- C++ -*-===//
//
// Each attaches its model of OptimizerAttrInterface, ScheduleAttrInterface or
// WarmupAttrInterface, and stands in the file of its name. A new one is a new
// file, a line here and a line in OptimizerModels.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_LIB_TRANSFORMS_OPTIMIZER_MODELS_H
#define JOBDIALECT_LIB_TRANSFORMS_OPTIMIZER_MODELS_H

#include "JobDialect/IR/JobOps.h"

namespace mlir::job {

// Optimizers.
void attachAdam(MLIRContext &context);
void attachLAMB(MLIRContext &context);
void attachLARS(MLIRContext &context);
void attachLazyAdam(MLIRContext &context);
void attachMomentum(MLIRContext &context);
void attachRMSProp(MLIRContext &context);
void attachSGD(MLIRContext &context);

// Schedules.
void attachConstantSchedule(MLIRContext &context);
void attachCosineSchedule(MLIRContext &context);
void attachExponentialSchedule(MLIRContext &context);
void attachInverseTimeSchedule(MLIRContext &context);
void attachLinearCosineSchedule(MLIRContext &context);
void attachNaturalExpSchedule(MLIRContext &context);
void attachPiecewiseConstantSchedule(MLIRContext &context);
void attachPolynomialSchedule(MLIRContext &context);

// Warm-ups.
void attachConstantWarmup(MLIRContext &context);
void attachLinearWarmup(MLIRContext &context);

/// Builds scalars of a learning rate: ops on `!job.blob<1xf32>`, or what they
/// fold to.
class RateBuilder {
public:
  RateBuilder(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  BlobType getRateType() { return BlobType::get({1}, builder.getF32Type()); }

  Value constant(double value) {
    return ConstantOp::create(builder, loc, getRateType(), value);
  }
  /// A constant `!job.blob<1xi64>`, the type of a step.
  Value stepConstant(int64_t value) {
    auto type = RankedTensorType::get({1}, builder.getI64Type());
    return ConstantOp::create(builder, loc,
                              DenseElementsAttr::get(type, value));
  }
  Value toRate(Value step) { return create<CastOp>(getRateType(), step); }
  /// step / steps, if `isWhole` rounded down. Exact multiples of `steps` below
  /// 2^24 stay exact.
  Value getProgress(Value step, int64_t steps, bool isWhole = false) {
    Value progress =
        create<DivOp>(toRate(step), constant(static_cast<double>(steps)));
    return isWhole ? create<FloorOp>(progress) : progress;
  }

  template <typename OpTy, typename... Args> Value create(Args &&...args) {
    return builder.createOrFold<OpTy>(loc, std::forward<Args>(args)...);
  }

private:
  OpBuilder &builder;
  Location loc;
};

} // namespace mlir::job

#endif // JOBDIALECT_LIB_TRANSFORMS_OPTIMIZER_MODELS_H
