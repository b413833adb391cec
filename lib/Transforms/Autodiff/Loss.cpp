//===- Loss.cpp - Gradients of losses -------------------------------------===//

#include "Gradient.h"

using namespace mlir;
using namespace mlir::job;

static void crossEntropyGradient(SparseSoftmaxCrossEntropyOp op,
                                 Gradient &gradient) {
  gradient.set(0, gradient.create<SparseSoftmaxCrossEntropyGradOp>(
                      op.getLogits().getType(), gradient.get(), op.getLogits(),
                      op.getLabels()));
}

void job::attachLossGradients(MLIRContext &context) {
  attachGradient<SparseSoftmaxCrossEntropyOp, crossEntropyGradient>(context);
}
