//===- Counts.h - Counts of bounded blobs -----------------------*- C++ -*-===//

#ifndef JOBDIALECT_ANALYSIS_COUNTS_H
#define JOBDIALECT_ANALYSIS_COUNTS_H

#include "JobDialect/IR/JobOps.h"

namespace mlir::job {

/// Whether `count` is the count of `bounded`: what the op that computes it
/// says, looking through the regions of kernels. Expects IR that MLIR has
/// verified.
bool isCountOf(Value count, Value bounded);

/// The result of the job that is the count of its bounded result `index`, or
/// none.
std::optional<unsigned> findCountResult(FuncOp func, unsigned index);

/// Checks that each bounded result of a job is returned together with its
/// count, and that an op with both as operands has the count of its blob.
LogicalResult verifyCounts(FuncOp func);

} // namespace mlir::job

#endif // JOBDIALECT_ANALYSIS_COUNTS_H
