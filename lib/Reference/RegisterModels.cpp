//===- RegisterModels.cpp - All models of the reference -------------------===//

#include "JobDialect/Reference/Interpreter.h"

#include "Models.h"

using namespace mlir;
using namespace mlir::job;

void job::registerReferenceModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, JobDialect *) {
    attachStructureReferences(context);
    attachElementwiseReferences(context);
    attachMatMulReferences(context);
    attachConvReferences(context);
    attachPoolReferences(context);
    attachReduceReferences(context);
    attachShapeReferences(context);
    attachRandomReferences(context);
    attachLossReferences(context);
    attachAttentionReferences(context);
    attachIndexReferences(context);
    attachNormReferences(context);
  });
}
