//===- TruncatedNormalInit.cpp - Normal, cut off on both sides ----------===//

#include "Distributions.h"
#include "Models.h"

using namespace mlir;
using namespace mlir::job;

namespace {
struct TruncatedNormalInitModel
    : public InitializerAttrInterface::ExternalModel<TruncatedNormalInitModel,
                                                     TruncatedNormalInitAttr> {
  Value buildInitialValue(Attribute attr, OpBuilder &builder, Location loc,
                          BlobType type, Value seed, int64_t id) const {
    auto init = cast<TruncatedNormalInitAttr>(attr);
    return RandomBuilder(builder, loc, type, seed, id)
        .truncatedNormal(init.getMean(), init.getStddev());
  }
};
} // namespace

void job::attachTruncatedNormalInit(MLIRContext &context) {
  TruncatedNormalInitAttr::attachInterface<TruncatedNormalInitModel>(context);
}
