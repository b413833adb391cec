//===- Repeat.cpp - Gradients of micro-steps ------------------------------===//

#include "Gradient.h"

using namespace mlir;
using namespace mlir::job;

static void unpackGradient(UnpackOp op, Gradient &gradient) {
  gradient.set(0, gradient.create<PackOp>(gradient.get(), op.getCountAttr()));
}

static void packGradient(PackOp op, Gradient &gradient) {
  gradient.set(0, gradient.create<UnpackOp>(gradient.get(), op.getCountAttr()));
}

static void repeatGradient(RepeatOp op, Gradient &gradient) {
  gradient.set(0, gradient.create<AccOp>(gradient.get(), op.getCountAttr()));
}

static void accGradient(AccOp op, Gradient &gradient) {
  gradient.set(0, gradient.create<RepeatOp>(gradient.get(), op.getCountAttr()));
}

void job::attachRepeatGradients(MLIRContext &context) {
  attachGradient<UnpackOp, unpackGradient>(context);
  attachGradient<PackOp, packGradient>(context);
  attachGradient<RepeatOp, repeatGradient>(context);
  attachGradient<AccOp, accGradient>(context);
}
