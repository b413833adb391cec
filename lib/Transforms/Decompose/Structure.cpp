//===- Structure.cpp - Gradients that users give, without their region ----===//

#include "Decompose.h"

using namespace mlir;
using namespace mlir::job;

namespace {
/// The gradients have been built.
struct CustomGradientModel
    : DecomposableOpInterface::ExternalModel<CustomGradientModel,
                                             CustomGradientOp> {
  SmallVector<Value> decompose(Operation *op, OpBuilder &) const {
    return SmallVector<Value>(cast<CustomGradientOp>(op).getValues());
  }
};
} // namespace

void job::attachStructureDecompositions(MLIRContext &context) {
  CustomGradientOp::attachInterface<CustomGradientModel>(context);
}
