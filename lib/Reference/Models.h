//===- Models.h - The models of ReferenceOpInterface ------------*- C++ -*-===//

#ifndef JOBDIALECT_LIB_REFERENCE_MODELS_H
#define JOBDIALECT_LIB_REFERENCE_MODELS_H

#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Reference/ReferenceTensor.h"

namespace mlir::job {

/// Operands and zero-filled results of ReferenceOpInterface::evaluate.
using ReferenceOperands = ArrayRef<const ReferenceTensor *>;
using ReferenceResults = MutableArrayRef<ReferenceTensor>;

/// The model of an op whose meaning is a function
/// `LogicalResult(Op, ReferenceOperands, ReferenceResults)`.
template <typename Op, auto compute>
struct ReferenceModel
    : public ReferenceOpInterface::ExternalModel<ReferenceModel<Op, compute>,
                                                 Op> {
  LogicalResult evaluate(Operation *op, ReferenceOperands operands,
                         ReferenceResults results) const {
    return compute(cast<Op>(op), operands, results);
  }
};

// Each attaches the models of a family to a context with the job dialect.
void attachStructureReferences(MLIRContext *context);
void attachElementwiseReferences(MLIRContext *context);
void attachMatMulReferences(MLIRContext *context);
void attachConvReferences(MLIRContext *context);
void attachPoolReferences(MLIRContext *context);
void attachReduceReferences(MLIRContext *context);
void attachShapeReferences(MLIRContext *context);
void attachRandomReferences(MLIRContext *context);
void attachLossReferences(MLIRContext *context);
void attachAttentionReferences(MLIRContext *context);
void attachIndexReferences(MLIRContext *context);
void attachNormReferences(MLIRContext *context);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_REFERENCE_MODELS_H
