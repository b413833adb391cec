//===- Rematerialize.h - Recompute instead of keeping -----------*- C++ -*-===//
//
// A pure function from a graph of ops and a budget to an order of execution in
// which some ops run more than once, independent of IR; job-rematerialize calls
// it.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_SUPPORT_REMATERIALIZE_H
#define JOBDIALECT_SUPPORT_REMATERIALIZE_H

#include "JobDialect/Support/Schedule.h"

namespace mlir::job {

/// A graph whose ops are in the order of execution without recomputation.
struct RematerializeProblem {
  ScheduleProblem schedule;
  /// For each op, the cost of recomputing it, in any unit; negative if it must
  /// not be recomputed.
  std::vector<int64_t> costs;
  /// Whether the first runs of all ops must keep their order.
  bool keepsOrder = false;
  /// Those of which plan-pack-memory keeps the smallest result; at least one.
  llvm::SmallVector<PackingStrategy> packing = {PackingStrategy::Best};
};

/// Expands `runs`, a list of ops of `problem`, to a graph in which each op runs
/// once, in this order, and has its own result blobs. A reader uses the most
/// recently computed copy of a blob.
ScheduleProblem expandRuns(const ScheduleProblem &problem,
                           llvm::ArrayRef<unsigned> runs);

/// Default effort of packing (see planMemory): small, since packing runs
/// several times. plan-pack-memory may find a smaller arena.
inline constexpr int64_t kRematerializePackingEffort = 50;

/// Bytes of an arena for ops in this order, by the best of these strategies.
int64_t getPackedBytes(const ScheduleProblem &problem,
                       int64_t effort = kRematerializePackingEffort,
                       llvm::ArrayRef<PackingStrategy> packing = {
                           PackingStrategy::Best});

/// An order of execution for which the arena has at most `budget` bytes or, if
/// none is found, the smallest arena found. Each op runs at least once, after
/// the ops that define the blobs it reads; no op runs again after an op that
/// has to follow it (`ScheduledOp::after`). The result has a lower peak of live
/// bytes than the given order, or is that order. It depends on the arguments
/// only: effort is counted, not timed.
llvm::SmallVector<unsigned>
findRecomputations(const RematerializeProblem &problem, int64_t budget,
                   int64_t effort = kRematerializePackingEffort);

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_REMATERIALIZE_H
