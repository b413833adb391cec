//===- Models.h - Initializers ----------------------------------*- C++ -*-===//
//
// Each attaches its model of InitializerAttrInterface and stands in the file of
// its name. A new one is a new file, a line here and a line in
// InitializerModels.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_LIB_TRANSFORMS_INITIALIZER_MODELS_H
#define JOBDIALECT_LIB_TRANSFORMS_INITIALIZER_MODELS_H

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace mlir::job {

void attachConstantInit(MLIRContext &context);
void attachDenseInit(MLIRContext &context);
void attachRandomNormalInit(MLIRContext &context);
void attachRandomUniformInit(MLIRContext &context);
void attachTruncatedNormalInit(MLIRContext &context);
void attachVarianceScalingInit(MLIRContext &context);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_TRANSFORMS_INITIALIZER_MODELS_H
