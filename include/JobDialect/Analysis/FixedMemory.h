//===- FixedMemory.h - Memory of a job outside the arena --------*- C++ -*-===//
//
// The sizes of variables, constants, staging and workspace do not depend on the
// order of the ops, so they are known before there is a plan.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_ANALYSIS_FIXEDMEMORY_H
#define JOBDIALECT_ANALYSIS_FIXEDMEMORY_H

#include "JobDialect/IR/JobOps.h"

namespace mlir::job {

/// True for a constant whose bytes are all zero.
bool isZeroConstant(Value value);

/// Bytes that the plan of `func` will need outside the arena: the variables and
/// constants of its module, the staging of one call, and the workspace.
/// Precondition: job-form-kernels has run on the module's jobs.
int64_t getFixedBytes(FuncOp func);

/// Those on one of several devices. The staging is in the memory of the host,
/// unless the job runs on one GPU alone.
int64_t getFixedBytes(FuncOp func, PlacementAttr device);

} // namespace mlir::job

#endif // JOBDIALECT_ANALYSIS_FIXEDMEMORY_H
