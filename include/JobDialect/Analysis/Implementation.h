//===- Implementation.h - How an op is computed -----------------*- C++ -*-===//

#ifndef JOBDIALECT_ANALYSIS_IMPLEMENTATION_H
#define JOBDIALECT_ANALYSIS_IMPLEMENTATION_H

#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Plan/PlanDialect.h"

namespace mlir::job {

/// The implementation of an op that a library function can compute: its
/// attribute `plan.implementation` or, before `job-select-implementations`, the
/// choice of the table. A plan::CallConfigAttrInterface or a
/// plan::GeneratedKernelAttr.
Attribute getImplementation(LibraryCallOpInterface op);

/// The choice of the table for a target.
Attribute chooseImplementation(LibraryCallOpInterface op, StringRef target);

/// The configuration of the library function that computes an op, or null if
/// none does.
plan::CallConfigAttrInterface getCallConfig(Operation *op);

} // namespace mlir::job

#endif // JOBDIALECT_ANALYSIS_IMPLEMENTATION_H
