//===- Rematerialize.h - Compute again instead of keeping -------*- C++ -*-===//
//
// A pure function from a graph of ops and a budget to the order in which they
// run, some of them more than once. It knows nothing of IR; job-rematerialize
// calls it.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_SUPPORT_REMATERIALIZE_H
#define JOBDIALECT_SUPPORT_REMATERIALIZE_H

#include "JobDialect/Support/Schedule.h"

namespace mlir::job {

/// A graph, its ops in the order in which they run without recomputation.
struct RematerializeProblem {
  ScheduleProblem schedule;
  /// Of each op, what it costs to run it again, in any unit; negative when that
  /// must not be.
  std::vector<int64_t> costs;
  /// Whether first runs have to stay in the order of the ops.
  bool keepsOrder = false;
};

/// The graph of `runs`, a list of ops of `problem`, as ops that run once each,
/// in this order, each with blobs of its own. Who reads a blob reads what its
/// maker made last.
ScheduleProblem expandRuns(const ScheduleProblem &problem,
                           llvm::ArrayRef<unsigned> runs);

/// Effort of packing (see planMemory) unless the caller says otherwise: small,
/// since it is done several times. plan-pack-memory may find a smaller arena.
inline constexpr int64_t kRematerializePackingEffort = 50;

/// Bytes of an arena for ops in this order.
int64_t getPackedBytes(const ScheduleProblem &problem,
                       int64_t effort = kRematerializePackingEffort);

/// The ops as they have to run so that the arena has at most `budget` bytes;
/// when that cannot be reached, with the least bytes that were found. Each op
/// runs at least once, behind those that make what it reads; no op runs again
/// once one has run that has to come after it (`ScheduledOp::after`). The
/// result has a lower peak of live bytes than the order that was given, or is
/// that order. Depends on the arguments only: effort is counted, not timed.
llvm::SmallVector<unsigned>
findRecomputations(const RematerializeProblem &problem, int64_t budget,
                   int64_t effort = kRematerializePackingEffort);

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_REMATERIALIZE_H
