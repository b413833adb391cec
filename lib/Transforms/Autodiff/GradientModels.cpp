//===- GradientModels.cpp - The gradients of all families -----------------===//

#include "Gradient.h"

#include "JobDialect/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::job;

void job::registerGradientModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, JobDialect *) {
    attachAttentionGradients(*context);
    attachConvGradients(*context);
    attachElementwiseGradients(*context);
    attachIndexGradients(*context);
    attachLossGradients(*context);
    attachMatMulGradients(*context);
    attachNormGradients(*context);
    attachPoolGradients(*context);
    attachRandomGradients(*context);
    attachReduceGradients(*context);
    attachMicroStepsGradients(*context);
    attachShapeGradients(*context);
    attachStructureGradients(*context);
  });
}
