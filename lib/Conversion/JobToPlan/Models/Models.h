//===- Models.h - Models of the kernel interfaces ---------------*- C++ -*-===//
//
// One function a family attaches the models of its ops.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_MODELS_H
#define JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_MODELS_H

#include "JobDialect/Support/Targets.h"

#include "mlir/IR/MLIRContext.h"

namespace mlir::job {

void attachElementwiseModels(MLIRContext *context);
void attachRandomModels(MLIRContext *context);
void attachMatMulModels(MLIRContext *context);
void attachConvModels(MLIRContext *context);
void attachPoolModels(MLIRContext *context);
void attachPoolCallModels(MLIRContext *context);
void attachAttentionModels(MLIRContext *context);
void attachIndexModels(MLIRContext *context);
void attachSortModels(MLIRContext *context);
void attachOrdinalModels(MLIRContext *context);
void attachReduceModels(MLIRContext *context);
void attachReduceGradModels(MLIRContext *context);
void attachShapeModels(MLIRContext *context);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_MODELS_MODELS_H
