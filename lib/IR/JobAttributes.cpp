//===- JobAttributes.cpp - Attributes of the job dialect ------------------===//

#include "JobDialect/IR/JobDialect.h"

#include "DeviceRanges.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace mlir::job;

#define GET_ATTRDEF_CLASSES
#include "JobDialect/IR/JobAttributes.cpp.inc"

void JobDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "JobDialect/IR/JobAttributes.cpp.inc"
      >();
}

using EmitError = function_ref<InFlightDiagnostic()>;

/// Fails unless `ok`, telling what `name` is expected to be.
template <typename Number>
static LogicalResult expect(EmitError emitError, bool ok, StringRef name,
                            StringRef what, Number value) {
  if (ok)
    return success();
  return emitError() << "expects " << name << " to be " << what << " but got "
                     << value;
}

static LogicalResult expectFinite(EmitError emitError, StringRef name,
                                  double value) {
  return expect(emitError, std::isfinite(value), name, "finite", value);
}

static LogicalResult expectPositive(EmitError emitError, StringRef name,
                                    double value) {
  return expect(emitError, std::isfinite(value) && value > 0, name, "positive",
                value);
}

//===----------------------------------------------------------------------===//
// Initializers
//===----------------------------------------------------------------------===//

LogicalResult RandomUniformInitAttr::verify(EmitError emitError, F64 min,
                                            F64 max) {
  if (!(std::isfinite(min) && std::isfinite(max) && min <= max))
    return emitError() << "expects finite bounds with min <= max but got "
                       << min << " and " << max;
  return success();
}

static LogicalResult verifyNormal(EmitError emitError, double mean,
                                  double stddev) {
  if (failed(expectFinite(emitError, "mean", mean)))
    return failure();
  return expect(emitError, std::isfinite(stddev) && stddev >= 0, "stddev",
                "at least 0", stddev);
}

LogicalResult RandomNormalInitAttr::verify(EmitError emitError, F64 mean,
                                           F64 stddev) {
  return verifyNormal(emitError, mean, stddev);
}

LogicalResult TruncatedNormalInitAttr::verify(EmitError emitError, F64 mean,
                                              F64 stddev) {
  return verifyNormal(emitError, mean, stddev);
}

LogicalResult VarianceScalingInitAttr::verify(EmitError emitError, F64 scale,
                                              FanMode mode,
                                              Distribution distribution) {
  return expectPositive(emitError, "scale", scale);
}

//===----------------------------------------------------------------------===//
// Optimizers
//===----------------------------------------------------------------------===//

/// A decay rate lies in [0, 1).
static LogicalResult expectDecay(EmitError emitError, StringRef name,
                                 double value) {
  return expect(emitError, value >= 0 && value < 1, name, "in [0, 1)", value);
}

LogicalResult MomentumAttr::verify(EmitError emitError, F64 beta) {
  return expectDecay(emitError, "beta", beta);
}

LogicalResult AdamAttr::verify(EmitError emitError, F64 beta1, F64 beta2,
                               F64 epsilon, bool biasCorrection) {
  if (failed(expectDecay(emitError, "beta1", beta1)) ||
      failed(expectDecay(emitError, "beta2", beta2)))
    return failure();
  return expectPositive(emitError, "epsilon", epsilon);
}

/// Verifies a list of variables, which may be null.
static LogicalResult expectSymbols(EmitError emitError, StringRef name,
                                   ArrayAttr list) {
  if (!list || llvm::all_of(list, llvm::IsaPred<FlatSymbolRefAttr>))
    return success();
  return emitError() << "expects " << name
                     << " to be a list of symbols but got " << list;
}

LogicalResult LazyAdamAttr::verify(EmitError emitError, F64 beta1, F64 beta2,
                                   F64 epsilon, ArrayAttr sparse) {
  if (failed(AdamAttr::verify(emitError, beta1, beta2, epsilon, true)))
    return failure();
  return expectSymbols(emitError, "sparse", sparse);
}

LogicalResult RMSPropAttr::verify(EmitError emitError, F64 decayRate,
                                  F64 epsilon, bool) {
  if (failed(expectDecay(emitError, "decay_rate", decayRate)))
    return failure();
  return expectPositive(emitError, "epsilon", epsilon);
}

LogicalResult LARSAttr::verify(EmitError emitError, F64 beta, F64 epsilon,
                               F64 coefficient) {
  if (failed(expectDecay(emitError, "beta", beta)) ||
      failed(expectPositive(emitError, "epsilon", epsilon)))
    return failure();
  return expectPositive(emitError, "coefficient", coefficient);
}

LogicalResult LAMBAttr::verify(EmitError emitError, F64 beta1, F64 beta2,
                               F64 epsilon) {
  return AdamAttr::verify(emitError, beta1, beta2, epsilon, true);
}

LogicalResult WeightDecayAttr::verify(EmitError emitError, F64 rate,
                                      ArrayAttr variables) {
  if (failed(expect(emitError, std::isfinite(rate) && rate >= 0, "rate",
                    "at least 0", rate.value)))
    return failure();
  return expectSymbols(emitError, "variables", variables);
}

double WeightDecayAttr::getRateOf(StringAttr variable) {
  bool isDecayed =
      !getVariables() ||
      llvm::is_contained(getVariables(), FlatSymbolRefAttr::get(variable));
  return isDecayed ? getRate() : F64(0);
}

LogicalResult ClipByGlobalNormAttr::verify(EmitError emitError, F64 clipNorm,
                                           bool, bool) {
  return expectPositive(emitError, "clip_norm", clipNorm);
}

LogicalResult DynamicLossScaleAttr::verify(EmitError emitError,
                                           FlatSymbolRefAttr scale,
                                           FlatSymbolRefAttr goodSteps,
                                           int64_t period, F64 multiplier) {
  if (failed(expect(emitError, period > 0, "period", "positive", period)))
    return failure();
  return expect(emitError, std::isfinite(multiplier) && multiplier > 1,
                "multiplier", "finite and greater than 1",
                static_cast<double>(multiplier));
}

//===----------------------------------------------------------------------===//
// Schedules and warm-up
//===----------------------------------------------------------------------===//

LogicalResult ConstantScheduleAttr::verify(EmitError emitError,
                                           F64 learningRate) {
  return expectFinite(emitError, "the learning rate", learningRate);
}

LogicalResult
PiecewiseConstantScheduleAttr::verify(EmitError emitError,
                                      DenseI64ArrayAttr boundaries,
                                      DenseF64ArrayAttr values) {
  if (values.size() != boundaries.size() + 1)
    return emitError() << "expects one value more than boundaries but got "
                       << values.size() << " values and " << boundaries.size()
                       << " boundaries";
  for (int64_t i = 1; i < boundaries.size(); ++i)
    if (boundaries[i - 1] >= boundaries[i])
      return emitError() << "expects boundaries to increase but got "
                         << boundaries[i - 1] << " before " << boundaries[i];
  for (double value : values.asArrayRef())
    if (failed(expectFinite(emitError, "the learning rate", value)))
      return failure();
  return success();
}

LogicalResult CosineScheduleAttr::verify(EmitError emitError, F64 base,
                                         int64_t steps, F64 alpha) {
  if (failed(expectFinite(emitError, "base", base)) ||
      failed(expectFinite(emitError, "alpha", alpha)))
    return failure();
  return expect(emitError, steps > 0, "steps", "positive", steps);
}

static LogicalResult verifyDecay(EmitError emitError, F64 base, int64_t steps,
                                 F64 rate) {
  if (failed(expectFinite(emitError, "base", base)) ||
      failed(expectFinite(emitError, "rate", rate)))
    return failure();
  return expect(emitError, steps > 0, "steps", "positive", steps);
}

LogicalResult ExponentialScheduleAttr::verify(EmitError emitError, F64 base,
                                              int64_t steps, F64 rate, bool) {
  if (failed(verifyDecay(emitError, base, steps, rate)))
    return failure();
  return expect(emitError, rate > 0, "rate", "positive", rate.value);
}

LogicalResult NaturalExpScheduleAttr::verify(EmitError emitError, F64 base,
                                             int64_t steps, F64 rate, bool) {
  return verifyDecay(emitError, base, steps, rate);
}

LogicalResult InverseTimeScheduleAttr::verify(EmitError emitError, F64 base,
                                              int64_t steps, F64 rate, bool) {
  if (failed(verifyDecay(emitError, base, steps, rate)))
    return failure();
  return expect(emitError, rate >= 0, "rate", "at least 0", rate.value);
}

LogicalResult PolynomialScheduleAttr::verify(EmitError emitError, F64 base,
                                             int64_t steps, F64 end, F64 power,
                                             bool) {
  if (failed(expectFinite(emitError, "base", base)) ||
      failed(expectFinite(emitError, "end", end)) ||
      failed(expectFinite(emitError, "power", power)) ||
      failed(expect(emitError, steps > 0, "steps", "positive", steps)))
    return failure();
  return expect(emitError, power > 0, "power", "positive", power.value);
}

LogicalResult LinearCosineScheduleAttr::verify(EmitError emitError, F64 base,
                                               int64_t steps, F64 periods,
                                               F64 alpha, F64 beta) {
  if (failed(expectFinite(emitError, "base", base)) ||
      failed(expectFinite(emitError, "periods", periods)) ||
      failed(expectFinite(emitError, "alpha", alpha)) ||
      failed(expectFinite(emitError, "beta", beta)))
    return failure();
  return expect(emitError, steps > 0, "steps", "positive", steps);
}

LogicalResult ConstantWarmupAttr::verify(EmitError emitError, int64_t steps,
                                         F64 multiplier) {
  if (failed(expect(emitError, steps > 0, "steps", "positive", steps)))
    return failure();
  return expect(emitError, multiplier >= 0 && multiplier <= 1, "multiplier",
                "in [0, 1]", multiplier.value);
}

LogicalResult LinearWarmupAttr::verify(EmitError emitError, int64_t steps,
                                       F64 start) {
  if (failed(expect(emitError, steps > 0, "steps", "positive", steps)))
    return failure();
  return expect(emitError, start >= 0 && start <= 1, "start", "in [0, 1]",
                start.value);
}
