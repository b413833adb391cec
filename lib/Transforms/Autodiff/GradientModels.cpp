//===- GradientModels.cpp - The gradients of all families -----------------===//

#include "Gradient.h"

#include "JobDialect/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::job;

void job::registerGradientModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, JobDialect *) {
    attachConvGradients(*context);
    attachElementwiseGradients(*context);
    attachLossGradients(*context);
    attachMatMulGradients(*context);
    attachPoolGradients(*context);
    attachRandomGradients(*context);
    attachReduceGradients(*context);
    attachShapeGradients(*context);
  });
}
