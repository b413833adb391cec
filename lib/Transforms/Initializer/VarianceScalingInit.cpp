//===- VarianceScalingInit.cpp - Scaled by the fan of the variable --------===//

#include "Distributions.h"
#include "Models.h"

#include <cmath>

using namespace mlir;
using namespace mlir::job;

/// How many inputs, outputs or both on average one element of a weight meets.
static double getFan(BlobType type, FanMode mode) {
  ArrayRef<int64_t> shape = type.getShape();
  double window = 1;
  for (int64_t extent : shape.drop_front(std::min<size_t>(2, shape.size())))
    window *= static_cast<double>(extent);
  double fanOut = static_cast<double>(shape[0]) * window;
  // A vector has as many inputs as outputs.
  double fanIn = static_cast<double>(shape[shape.size() > 1]) * window;
  switch (mode) {
  case FanMode::FanIn:
    return fanIn;
  case FanMode::FanOut:
    return fanOut;
  case FanMode::FanAvg:
    return (fanIn + fanOut) / 2;
  }
  llvm_unreachable("all fan modes are covered");
}

namespace {
struct VarianceScalingInitModel
    : public InitializerAttrInterface::ExternalModel<VarianceScalingInitModel,
                                                     VarianceScalingInitAttr> {
  Value buildInitialValue(Attribute attr, OpBuilder &builder, Location loc,
                          BlobType type, Value seed, int64_t id) const {
    auto init = cast<VarianceScalingInitAttr>(attr);
    double variance = init.getScale() / getFan(type, init.getMode());
    RandomBuilder random(builder, loc, type, seed, id);
    switch (init.getDistribution()) {
    case Distribution::TruncatedNormal:
      // The standard deviation of a unit normal that is cut off at 2.
      return random.truncatedNormal(0,
                                    std::sqrt(variance) / 0.87962566103423978);
    case Distribution::RandomNormal:
      return random.normal(0, std::sqrt(variance));
    case Distribution::RandomUniform: {
      double limit = std::sqrt(3 * variance);
      return random.uniform(-limit, limit);
    }
    }
    llvm_unreachable("all distributions are covered");
  }
};
} // namespace

void job::attachVarianceScalingInit(MLIRContext &context) {
  VarianceScalingInitAttr::attachInterface<VarianceScalingInitModel>(context);
}
