//===- Schedule.h - Orders with few live bytes ------------------*- C++ -*-===//
//
// A pure function from a graph of ops and blobs to an order of the ops. It
// knows nothing of IR; job-schedule calls it.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_SUPPORT_SCHEDULE_H
#define JOBDIALECT_SUPPORT_SCHEDULE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace mlir::job {

/// An op; blobs and ops have numbers from 0.
struct ScheduledOp {
  /// Blobs that it looks at and blobs that it makes. Each blob is made once, by
  /// an op that stands before all that read it, or never and takes no bytes.
  llvm::SmallVector<unsigned> reads, makes;
  /// Ops that have to come before, beside those that make what it reads.
  llvm::SmallVector<unsigned> after;
  /// Blobs that it makes, each with a blob that it reads whose memory it may
  /// take when nobody reads that one later.
  llvm::SmallVector<std::pair<unsigned, unsigned>> overwrites;
};

/// A graph, its ops in an order that works.
struct ScheduleProblem {
  std::vector<ScheduledOp> ops;
  /// Of each blob; a blob lives from the op that makes it to its last reader.
  std::vector<int64_t> bytes;
};

/// The sum of live bytes while each op of an order runs, in that order.
std::vector<int64_t> getLiveBytes(const ScheduleProblem &problem,
                                  llvm::ArrayRef<unsigned> order);

/// The largest sum of live bytes at any op.
int64_t getPeakBytes(const ScheduleProblem &problem,
                     llvm::ArrayRef<unsigned> order);

/// An order that keeps all dependences and whose peak is below that of the
/// order in which the ops are given; that order when none is found. Depends on
/// the argument only: effort is counted, not timed.
llvm::SmallVector<unsigned> findOrder(const ScheduleProblem &problem);

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_SCHEDULE_H
