//===- Schedule.h - Orders with few live bytes ------------------*- C++ -*-===//
//
// A pure function from a graph of ops and blobs to an order of the ops,
// independent of IR; job-schedule calls it.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_SUPPORT_SCHEDULE_H
#define JOBDIALECT_SUPPORT_SCHEDULE_H

#include "JobDialect/Support/MemoryPlanner.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace mlir::job {

/// The group of an op that may stand among the ops of any group.
inline constexpr unsigned kNoGroup = ~0u;

/// An op. Blobs and ops are numbered from 0.
struct ScheduledOp {
  /// Blobs that it reads and blobs that it defines. Each blob is defined at
  /// most once, by an op before all ops that read it.
  llvm::SmallVector<unsigned> reads, makes;
  /// Ops that must run before this one, in addition to those that define the
  /// blobs it reads.
  llvm::SmallVector<unsigned> after;
  /// Pairs of a blob that it defines and a blob that it reads: the first may
  /// alias the second if no later op reads the second.
  llvm::SmallVector<std::pair<unsigned, unsigned>> overwrites;
  /// Ops of one group run best one after another, such as those of a device.
  unsigned group = kNoGroup;
};

/// A graph whose ops are in a valid order.
struct ScheduleProblem {
  std::vector<ScheduledOp> ops;
  /// The bytes of each blob, which is live from its definition to its last
  /// reader; without a definition, from before the first op.
  std::vector<int64_t> bytes;
};

/// For each blob the last op that reads it or, without readers, the op that
/// defines it.
std::vector<unsigned> getLastReads(const ScheduleProblem &problem);

/// The number of a blob or buffer that does not exist.
inline constexpr unsigned kNoBlob = ~0u;

/// The buffers of the blobs when the ops run in the order of the graph. A
/// result takes the buffer of the first blob that its op may overwrite, that no
/// later op reads, and whose buffer no other result of the op has taken.
struct BlobBuffers {
  /// Of each blob, the number of its buffer, kNoBlob without bytes, and the
  /// blob whose buffer it takes, or kNoBlob.
  std::vector<unsigned> bufferOf, overwritten;
  /// From the definition of the first to the last reader of the last blob.
  std::vector<BufferInterval> buffers;
};
BlobBuffers assignBuffers(const ScheduleProblem &problem);

/// The sum of live bytes while each op of an order runs, in that order.
std::vector<int64_t> getLiveBytes(const ScheduleProblem &problem,
                                  llvm::ArrayRef<unsigned> order);

/// The largest sum of live bytes at any op.
int64_t getPeakBytes(const ScheduleProblem &problem,
                     llvm::ArrayRef<unsigned> order);

/// How often an order goes from a group to another one.
unsigned countGroupChanges(const ScheduleProblem &problem,
                           llvm::ArrayRef<unsigned> order);

/// An order that keeps all dependences and whose peak is below that of the
/// order in which the ops are given; that order when none is found. Of orders
/// with one peak, one with few changes of the group. Depends on the problem
/// only: effort is counted, not timed. With `steps`, adds to it the number of
/// visits of ops, blobs and dependences.
llvm::SmallVector<unsigned> findOrder(const ScheduleProblem &problem,
                                      size_t *steps = nullptr);

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_SCHEDULE_H
