//===- Adam.cpp - Adam ----------------------------------------------------===//

#include "Models.h"
#include "Moments.h"

using namespace mlir;
using namespace mlir::job;

namespace {
struct AdamModel
    : public OptimizerAttrInterface::ExternalModel<AdamModel, AdamAttr> {
  LogicalResult buildUpdate(Attribute attr, UpdateContext &context) const {
    auto adam = cast<AdamAttr>(attr);
    return buildAdam(context, adam.getBeta1(), adam.getBeta2(),
                     adam.getEpsilon(), adam.getBiasCorrection());
  }
};
} // namespace

void job::attachAdam(MLIRContext &context) {
  AdamAttr::attachInterface<AdamModel>(context);
}
