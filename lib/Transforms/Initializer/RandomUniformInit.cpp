//===- RandomUniformInit.cpp - Uniform between two bounds ----------------===//

#include "Distributions.h"
#include "Models.h"

using namespace mlir;
using namespace mlir::job;

namespace {
struct RandomUniformInitModel
    : public InitializerAttrInterface::ExternalModel<RandomUniformInitModel,
                                                     RandomUniformInitAttr> {
  Value buildInitialValue(Attribute attr, OpBuilder &builder, Location loc,
                          BlobType type, Value seed, int64_t id) const {
    auto init = cast<RandomUniformInitAttr>(attr);
    return RandomBuilder(builder, loc, type, seed, id)
        .uniform(init.getMin(), init.getMax());
  }
};
} // namespace

void job::attachRandomUniformInit(MLIRContext &context) {
  RandomUniformInitAttr::attachInterface<RandomUniformInitModel>(context);
}
