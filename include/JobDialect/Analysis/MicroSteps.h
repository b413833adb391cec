//===- MicroSteps.h - Which values are of micro-steps -----------*- C++ -*-===//
//
// Gradient accumulation runs a part of a step n times, once for each
// *micro-step*. A value is of one step (inputs, variables, what `job.acc` and
// `job.pack` make), of n micro-steps (what `job.unpack` and `job.repeat` make,
// and what is computed from it), or computed from constants alone, which is as
// good as either.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_ANALYSIS_MICROSTEPS_H
#define JOBDIALECT_ANALYSIS_MICROSTEPS_H

#include "JobDialect/IR/JobOps.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir::job {

/// Valid until the job changes, as far as the values asked about are concerned.
/// Where an op mixes values, which `job-verify` refuses, its results are of
/// micro-steps.
class MicroSteps {
public:
  explicit MicroSteps(FuncOp func);

  /// Whether the value is computed from constants alone.
  bool isConstant(Value value) const { return lookup(value) == 0; }
  bool isOfOneStep(Value value) const { return lookup(value) == 1; }
  /// The number of micro-steps that the value is of, at least 2; nothing when
  /// it is of one step or of none.
  std::optional<int64_t> getCount(Value value) const {
    int64_t count = lookup(value);
    return count > 1 ? std::optional(count) : std::nullopt;
  }

  /// Elements of a loss in all micro-steps: what its sum is divided by.
  int64_t getNumLossElements(LossOp loss) const {
    return loss.getValue().getType().getNumElements() *
           getCount(loss.getValue()).value_or(1);
  }

private:
  int64_t lookup(Value value) const;

  /// 0 for what is computed from constants alone.
  llvm::DenseMap<Value, int64_t> counts;
};

/// Emits an error where a job mixes values of one step and of micro-steps, has
/// two numbers of micro-steps, or leads from their results back to them.
LogicalResult verifyMicroSteps(FuncOp func);

} // namespace mlir::job

#endif // JOBDIALECT_ANALYSIS_MICROSTEPS_H
