//===- Pool.cpp - Gradients of pooling ------------------------------------===//

#include "Gradient.h"

using namespace mlir;
using namespace mlir::job;

static void maxPool2DGradient(MaxPool2DOp op, Gradient &gradient) {
  gradient.set(0, gradient.create<MaxPool2DGradOp>(
                      op.getInput().getType(), gradient.get(), op.getInput(),
                      op.getKsizeAttr(), op.getStridesAttr(),
                      op.getPaddingAttr(), op.getLayoutAttr()));
}

static void avgPool2DGradient(AvgPool2DOp op, Gradient &gradient) {
  gradient.set(0, gradient.create<AvgPool2DGradOp>(
                      op.getInput().getType(), gradient.get(),
                      op.getKsizeAttr(), op.getStridesAttr(),
                      op.getPaddingAttr(), op.getLayoutAttr()));
}

void job::attachPoolGradients(MLIRContext &context) {
  attachGradient<MaxPool2DOp, maxPool2DGradient>(context);
  attachGradient<AvgPool2DOp, avgPool2DGradient>(context);
}
