//===- Cost.h - Bytes and operations of an op -------------------*- C++ -*-===//
//
// The cost of an op, computed from shapes only. convert-job-to-plan records the
// operations on commands; the language server and the pictures show both.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_ANALYSIS_COST_H
#define JOBDIALECT_ANALYSIS_COST_H

#include "mlir/IR/Operation.h"

#include <cstdint>

namespace mlir::job {

/// Bytes that one execution of an op reads and writes, and its operations.
struct OpCost {
  int64_t bytesRead = 0, bytesWritten = 0;
  /// Operations, floating point and integer: one per element of the result of
  /// a scalar op, one per element of the operand of a reduction, two per term
  /// of a matrix product or convolution, the estimate of LoopKernelOpInterface
  /// for other ops with custom loops. A division or an exponential counts as
  /// one.
  int64_t flops = 0;
};

/// The operations of an op of the job dialect (for a job.kernel: of all ops in
/// it), or those recorded on a command of the plan dialect; 0 for other ops.
int64_t getFlops(Operation *op);

/// The cost of an op of the job dialect or of a command of the plan dialect.
/// Each operand and result counts once, as if all were in memory; a job.kernel
/// reads its inputs and writes its outputs. Ops that only alias memory (a read
/// of a variable, a reshape, a view) cost nothing.
OpCost getOpCost(Operation *op);

} // namespace mlir::job

#endif // JOBDIALECT_ANALYSIS_COST_H
