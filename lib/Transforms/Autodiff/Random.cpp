//===- Random.cpp - Gradients of random ops -------------------------------===//

#include "Gradient.h"

using namespace mlir;
using namespace mlir::job;

/// The mask is computed again from the same numbers.
static void dropoutGradient(DropoutOp op, Gradient &gradient) {
  gradient.set(0, gradient.create<DropoutOp>(
                      op.getResult().getType(), gradient.get(), op.getStep(),
                      op.getRateAttr(), op.getSeedAttr(), op.getIdAttr(),
                      op.getShardAttr()));
}

void job::attachRandomGradients(MLIRContext &context) {
  attachGradient<DropoutOp, dropoutGradient>(context);
}
