//===- MicroSteps.cpp - Gradients of micro-steps --------------------------===//

#include "Gradient.h"

using namespace mlir;
using namespace mlir::job;

static void unpackGradient(UnpackOp op, Gradient &gradient) {
  gradient.set(0, gradient.create<PackOp>(gradient.get(), op.getCountAttr()));
}

static void packGradient(PackOp op, Gradient &gradient) {
  gradient.set(0, gradient.create<UnpackOp>(gradient.get(), op.getCountAttr()));
}

static void broadcastMicroStepsGradient(BroadcastMicroStepsOp op,
                                        Gradient &gradient) {
  gradient.set(0, gradient.create<AccOp>(gradient.get(), op.getCountAttr()));
}

static void accGradient(AccOp op, Gradient &gradient) {
  gradient.set(0, gradient.create<BroadcastMicroStepsOp>(gradient.get(),
                                                         op.getCountAttr()));
}

void job::attachMicroStepsGradients(MLIRContext &context) {
  attachGradient<UnpackOp, unpackGradient>(context);
  attachGradient<PackOp, packGradient>(context);
  attachGradient<BroadcastMicroStepsOp, broadcastMicroStepsGradient>(context);
  attachGradient<AccOp, accGradient>(context);
}
