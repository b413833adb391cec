//===- HappensBefore.h - The order of commands on queues --------*- C++ -*-===//
//
// Commands of one queue run in order. Commands of different queues are ordered
// only through events: a queue records one, and another queue waits for it.
// The happens-before relation is computed with vector clocks, independent of
// IR.
//
// Commands, events and waits are added in an order in which each event is
// recorded before it is waited for, such as program order. So the order in
// which they are added is one in which they may run, and no cycle can be built.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_SUPPORT_HAPPENSBEFORE_H
#define JOBDIALECT_SUPPORT_HAPPENSBEFORE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <vector>

namespace mlir::job {

class HappensBefore {
public:
  /// Precondition: numQueues >= 1.
  explicit HappensBefore(unsigned numQueues);

  /// Adds a command at the end of a queue and returns its number, from 0 on.
  int64_t addCommand(unsigned queue);

  /// Adds an event after all commands that the queue has, and returns its
  /// number, from 0 on.
  int64_t addEvent(unsigned queue);

  /// Commands that are added to `queue` from now on happen after `event`, that
  /// is, after all commands before it on its queue.
  void addWait(unsigned queue, int64_t event);

  /// Commands that are added from now on, to any queue, happen after all
  /// commands that were added before.
  void joinQueues();

  /// Whether command `a` is complete whenever command `b` starts. False for a
  /// command and itself. Two commands of which neither happens before the
  /// other may run at once.
  bool isBefore(int64_t a, int64_t b) const;

private:
  /// For each queue, the number of its commands that happen before.
  using Clock = llvm::SmallVector<int32_t, 4>;

  llvm::ArrayRef<int32_t> getClock(int64_t command) const;

  const unsigned numQueues;
  /// For each queue, the clock of its next command.
  std::vector<Clock> queues;
  std::vector<Clock> events;
  /// The queue of each command.
  std::vector<uint32_t> queueOf;
  /// The clock of each command, the command itself included, one after the
  /// other.
  std::vector<int32_t> clocks;
};

} // namespace mlir::job

#endif // JOBDIALECT_SUPPORT_HAPPENSBEFORE_H
