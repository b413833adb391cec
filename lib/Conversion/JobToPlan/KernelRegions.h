//===- KernelRegions.h - What a kernel region may be ------------*- C++ -*-===//

#ifndef JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_KERNELREGIONS_H
#define JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_KERNELREGIONS_H

#include "JobDialect/IR/JobOps.h"

namespace mlir::job {

/// Checks the rules of `job.kernel` that depend on the interfaces of the ops in
/// it (see the description of the op). Emits an error at the op that breaks
/// one.
LogicalResult verifyKernelRegion(KernelOp kernel);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_CONVERSION_JOBTOPLAN_KERNELREGIONS_H
