//===- LazyAdam.cpp - Adam that keeps rows without a gradient -------------===//

#include "Models.h"
#include "Moments.h"

using namespace mlir;
using namespace mlir::job;

/// Whether a row of the gradient has an element other than 0, for each element
/// of the variable.
static Value buildTouched(UpdateContext &context) {
  Value gradient = context.getGradient();
  BlobType type = context.getType();
  auto axes = llvm::to_vector(llvm::seq<int64_t>(1, type.getRank()));
  // The largest magnitude is NaN where an element is, and then not 0.
  Value rows = context.create<AbsOp>(gradient);
  if (!axes.empty())
    rows = context.create<ReduceMaxOp>(rows, axes);
  Value zero = context.constant(cast<BlobType>(rows.getType()), 0);
  Value touched = context.compare(ComparePredicate::NE, rows, zero);
  if (axes.empty())
    return touched;
  auto bools = cast<BlobType>(touched.getType()).getElementType();
  return context.create<BroadcastInDimOp>(type.withElementType(bools), touched,
                                          ArrayRef<int64_t>{0});
}

namespace {
struct LazyAdamModel
    : public OptimizerAttrInterface::ExternalModel<LazyAdamModel,
                                                   LazyAdamAttr> {
  LogicalResult buildUpdate(Attribute attr, UpdateContext &context) const {
    auto adam = cast<LazyAdamAttr>(attr);
    auto name = FlatSymbolRefAttr::get(context.getVariable().getSymNameAttr());
    bool isSparse =
        adam.getSparse() && llvm::is_contained(adam.getSparse(), name);
    return buildAdam(context, adam.getBeta1(), adam.getBeta2(),
                     adam.getEpsilon(), /*biasCorrection=*/true,
                     isSparse ? buildTouched(context) : Value());
  }
};
} // namespace

void job::attachLazyAdam(MLIRContext &context) {
  LazyAdamAttr::attachInterface<LazyAdamModel>(context);
}
