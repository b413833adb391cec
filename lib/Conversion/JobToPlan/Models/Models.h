//===- Models.h - Models of the kernel interfaces ---------------*- C++ -*-===//
//
// One function a family attaches the models of its ops.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_MODELS_H
#define JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_MODELS_H

#include "mlir/IR/MLIRContext.h"

namespace mlir::job {

/// The elements that an item of a kernel computes where the model is free to
/// choose, about: enough that the overhead of an item is small beside them.
inline constexpr int64_t kItemElements = 4096;

void attachElementwiseModels(MLIRContext *context);
void attachRandomModels(MLIRContext *context);
void attachMatMulModels(MLIRContext *context);
void attachConvModels(MLIRContext *context);
void attachPoolModels(MLIRContext *context);
void attachPoolCallModels(MLIRContext *context);
void attachAttentionModels(MLIRContext *context);
void attachIndexModels(MLIRContext *context);
void attachReduceModels(MLIRContext *context);
void attachReduceGradModels(MLIRContext *context);
void attachShapeModels(MLIRContext *context);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_MODELS_H
