//===- ConstantInit.cpp - Every element is one value ----------------------===//

#include "Distributions.h"
#include "Models.h"

using namespace mlir;
using namespace mlir::job;

namespace {
struct ConstantInitModel
    : public InitializerAttrInterface::ExternalModel<ConstantInitModel,
                                                     ConstantInitAttr> {
  Value buildInitialValue(Attribute attr, OpBuilder &builder, Location loc,
                          BlobType type, Value seed, int64_t id) const {
    double value = cast<ConstantInitAttr>(attr).getValue();
    if (failed(verifyIsHeld(loc, type.getElementType(), value)))
      return {};
    return ConstantOp::create(builder, loc, type, value);
  }
};
} // namespace

void job::attachConstantInit(MLIRContext &context) {
  ConstantInitAttr::attachInterface<ConstantInitModel>(context);
}
