//===- VerifyCalls.h - Calls against their library functions ----*- C++ -*-===//

#ifndef JOBDIALECT_LIB_PLAN_VERIFYCALLS_H
#define JOBDIALECT_LIB_PLAN_VERIFYCALLS_H

#include "JobDialect/Plan/PlanDialect.h"

namespace mlir::plan {

/// Checks that a call is one of the functions of docs/artifact.md, and that its
/// config, buffers, chunks and workspace are those of the function.
LogicalResult verifyLibraryCall(CallOp call);

} // namespace mlir::plan

#endif // JOBDIALECT_LIB_PLAN_VERIFYCALLS_H
