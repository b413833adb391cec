//===- NewKernels.h - Kernels that passes on plans make ---------*- C++ -*-===//

#ifndef JOBDIALECT_LIB_PLAN_NEWKERNELS_H
#define JOBDIALECT_LIB_PLAN_NEWKERNELS_H

#include "JobDialect/Codegen/KernelNest.h"
#include "JobDialect/Plan/PlanDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::plan {

/// The tensor that a buffer is in a body.
RankedTensorType getTensorType(Type buffer);
SmallVector<Type> getTensorTypes(ValueRange buffers);

/// Starts a kernel beside another one, after which it is named. Its body takes
/// tensors of these types, and returns the last `numWritten` of them; the
/// caller builds what is in the entry block.
func::FuncOp startKernel(SymbolTable &table, ExecutableOp like,
                         StringRef suffix, ArrayRef<Type> types,
                         size_t numWritten);

/// Builds the reduction over the first dimension of `terms`: what `out` is
/// then.
Value reduceColumns(OpBuilder &b, Location loc,
                    const KernelReduction &reduction, Value terms, Value out);

} // namespace mlir::plan

#endif // JOBDIALECT_LIB_PLAN_NEWKERNELS_H
