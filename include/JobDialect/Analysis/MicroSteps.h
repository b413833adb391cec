//===- MicroSteps.h - Per-step and per-micro-step values --------*- C++ -*-===//
//
// Gradient accumulation runs part of a step n times, once per *micro-step*. A
// value is one of
// - per-step: one value per step (inputs, variables, results of `job.acc` and
//   `job.pack`),
// - per-micro-step: n values per step (results of `job.unpack` and
//   `job.broadcast_micro_steps`, and whatever depends on them),
// - constant: it depends on constants only, and may be used as either.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_ANALYSIS_MICROSTEPS_H
#define JOBDIALECT_ANALYSIS_MICROSTEPS_H

#include "JobDialect/IR/JobOps.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir::job {

/// Classifies the values of a job. The class of a value stays valid until
/// the ops that the value depends on change. An op that mixes per-step and
/// per-micro-step operands, which `job-verify` rejects, has per-micro-step
/// results.
class MicroSteps {
public:
  explicit MicroSteps(FuncOp func);

  /// Whether the value depends on constants only.
  bool isConstant(Value value) const { return lookup(value) == 0; }
  bool isPerStep(Value value) const { return lookup(value) == 1; }
  /// The number of micro-steps, at least 2, of a per-micro-step value;
  /// std::nullopt for all other values.
  std::optional<int64_t> getCount(Value value) const {
    int64_t count = lookup(value);
    return count > 1 ? std::optional(count) : std::nullopt;
  }

  /// The number of elements of a loss over all micro-steps: the divisor of its
  /// mean.
  int64_t getNumLossElements(LossOp loss) const {
    return loss.getValue().getType().getNumElements() *
           getCount(loss.getValue()).value_or(1);
  }

private:
  int64_t lookup(Value value) const;

  /// 0 for constant values, 1 for per-step values.
  llvm::DenseMap<Value, int64_t> counts;
};

/// Emits an error if an op of the job mixes per-step and per-micro-step
/// operands, if the job has two micro-step counts, or if an operand of the
/// micro-steps depends on their results.
LogicalResult verifyMicroSteps(FuncOp func);

} // namespace mlir::job

#endif // JOBDIALECT_ANALYSIS_MICROSTEPS_H
