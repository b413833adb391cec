//===- RandomNormalInit.cpp - Normal distribution ------------------------===//

#include "Distributions.h"
#include "Models.h"

using namespace mlir;
using namespace mlir::job;

namespace {
struct RandomNormalInitModel
    : public InitializerAttrInterface::ExternalModel<RandomNormalInitModel,
                                                     RandomNormalInitAttr> {
  Value buildInitialValue(Attribute attr, OpBuilder &builder, Location loc,
                          BlobType type, Value seed, int64_t id) const {
    auto init = cast<RandomNormalInitAttr>(attr);
    return RandomBuilder(builder, loc, type, seed, id)
        .normal(init.getMean(), init.getStddev());
  }
};
} // namespace

void job::attachRandomNormalInit(MLIRContext &context) {
  RandomNormalInitAttr::attachInterface<RandomNormalInitModel>(context);
}
