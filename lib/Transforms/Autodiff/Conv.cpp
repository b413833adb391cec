//===- Conv.cpp - Gradients of convolutions -------------------------------===//

#include "Gradient.h"

using namespace mlir;
using namespace mlir::job;

static void conv2DGradient(Conv2DOp op, Gradient &gradient) {
  if (gradient.isNeeded(0))
    gradient.set(0, gradient.create<Conv2DDataGradOp>(
                        op.getInput().getType(), gradient.get(), op.getFilter(),
                        op.getStridesAttr(), op.getPaddingAttr(),
                        op.getDilationsAttr(), op.getGroupsAttr(),
                        op.getLayoutAttr()));
  if (gradient.isNeeded(1))
    gradient.set(1, gradient.create<Conv2DFilterGradOp>(
                        op.getFilter().getType(), gradient.get(), op.getInput(),
                        op.getStridesAttr(), op.getPaddingAttr(),
                        op.getDilationsAttr(), op.getGroupsAttr(),
                        op.getLayoutAttr()));
}

// Both gradients of a convolution are linear in each operand: with the taps of
// the convolution, input, filter and output take turns.

static void conv2DDataGradGradient(Conv2DDataGradOp op, Gradient &gradient) {
  if (gradient.isNeeded(0))
    gradient.set(
        0, gradient.create<Conv2DOp>(op.getGrad().getType(), gradient.get(),
                                     op.getFilter(), op.getStridesAttr(),
                                     op.getPaddingAttr(), op.getDilationsAttr(),
                                     op.getGroupsAttr(), op.getLayoutAttr()));
  if (gradient.isNeeded(1))
    gradient.set(1, gradient.create<Conv2DFilterGradOp>(
                        op.getFilter().getType(), op.getGrad(), gradient.get(),
                        op.getStridesAttr(), op.getPaddingAttr(),
                        op.getDilationsAttr(), op.getGroupsAttr(),
                        op.getLayoutAttr()));
}

static void conv2DFilterGradGradient(Conv2DFilterGradOp op,
                                     Gradient &gradient) {
  if (gradient.isNeeded(0))
    gradient.set(
        0, gradient.create<Conv2DOp>(op.getGrad().getType(), op.getInput(),
                                     gradient.get(), op.getStridesAttr(),
                                     op.getPaddingAttr(), op.getDilationsAttr(),
                                     op.getGroupsAttr(), op.getLayoutAttr()));
  if (gradient.isNeeded(1))
    gradient.set(1, gradient.create<Conv2DDataGradOp>(
                        op.getInput().getType(), op.getGrad(), gradient.get(),
                        op.getStridesAttr(), op.getPaddingAttr(),
                        op.getDilationsAttr(), op.getGroupsAttr(),
                        op.getLayoutAttr()));
}

void job::attachConvGradients(MLIRContext &context) {
  attachGradient<Conv2DOp, conv2DGradient>(context);
  attachGradient<Conv2DDataGradOp, conv2DDataGradGradient>(context);
  attachGradient<Conv2DFilterGradOp, conv2DFilterGradGradient>(context);
}
