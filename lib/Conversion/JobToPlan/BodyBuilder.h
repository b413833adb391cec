//===- BodyBuilder.h - Kernel regions as structured operations --*- C++ -*-===//

#ifndef JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_BODYBUILDER_H
#define JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_BODYBUILDER_H

#include "KernelEmitter.h"

namespace mlir::job {

/// Builds the body of an executable for a kernel of scalar ops, reductions,
/// constants and strided reads, at the builder's place: a list of
/// linalg.generic operations as KernelNest.h describes them. Fills in the
/// checks of `emitted`.
func::FuncOp buildKernelBody(OpBuilder &builder, KernelOp kernel,
                             const KernelSignature &signature,
                             bool checkNumerics, EmittedKernel &emitted);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_BODYBUILDER_H
