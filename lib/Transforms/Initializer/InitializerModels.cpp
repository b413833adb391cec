//===- InitializerModels.cpp - All initializers ---------------------------===//

#include "Models.h"

#include "JobDialect/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::job;

void job::registerInitializerModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, JobDialect *) {
    attachConstantInit(*context);
    attachDenseInit(*context);
    attachRandomNormalInit(*context);
    attachRandomUniformInit(*context);
    attachTruncatedNormalInit(*context);
    attachVarianceScalingInit(*context);
  });
}
