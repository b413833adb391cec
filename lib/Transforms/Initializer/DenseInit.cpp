//===- DenseInit.cpp - Each element has a value of its own ----------------===//

#include "Distributions.h"
#include "Models.h"

using namespace mlir;
using namespace mlir::job;

namespace {
struct DenseInitModel
    : public InitializerAttrInterface::ExternalModel<DenseInitModel,
                                                     DenseInitAttr> {
  Value buildInitialValue(Attribute attr, OpBuilder &builder, Location loc,
                          BlobType type, Value seed, int64_t id) const {
    return ConstantOp::create(builder, loc,
                              cast<DenseInitAttr>(attr).getValues());
  }
};
} // namespace

void job::attachDenseInit(MLIRContext &context) {
  DenseInitAttr::attachInterface<DenseInitModel>(context);
}
