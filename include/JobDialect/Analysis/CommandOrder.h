//===- CommandOrder.h - Which commands happen before which ------*- C++ -*-===//
//
// The order of a program's commands: that of the text within a queue and
// between devices, events between queues of a device, and the start and end of
// each iteration of a plan.repeat, where all queues join. The commands of a
// repeat stand for one iteration.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_ANALYSIS_COMMANDORDER_H
#define JOBDIALECT_ANALYSIS_COMMANDORDER_H

#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Support/HappensBefore.h"

namespace mlir::plan {

/// Valid until a command of the program is added, moved or removed.
class CommandOrder {
public:
  explicit CommandOrder(ProgramOp program);

  /// By number; the order of the text.
  ArrayRef<PlanCommandOpInterface> getCommands() const { return commands; }
  int64_t getNumber(Operation *command) const { return numbers.at(command); }
  /// One more than the largest queue of a command.
  unsigned getNumQueues() const { return numQueues; }
  /// Whether commands run in the order of the text: no device has two queues
  /// with commands.
  bool isOrderOfText() const { return !hasQueuesOfOneDevice; }

  /// The first and last command of the launch of a command: those that a device
  /// may run at once with it.
  std::pair<int64_t, int64_t> getLaunch(int64_t number) const {
    return launches[number];
  }

  /// Whether command `a` is complete whenever `b` starts, by their numbers.
  bool isBefore(int64_t a, int64_t b) const { return order->isBefore(a, b); }

private:
  SmallVector<PlanCommandOpInterface> commands;
  llvm::DenseMap<Operation *, int64_t> numbers;
  SmallVector<std::pair<int64_t, int64_t>> launches;
  unsigned numQueues = 1;
  bool hasQueuesOfOneDevice = false;
  std::optional<job::HappensBefore> order;
};

/// The commands that use a buffer: on each queue the first and the last one, by
/// number. The commands of one queue between them count as uses.
class QueueUses {
public:
  void add(unsigned queue, int64_t command);
  /// Whether all uses happen before all uses of the other buffer.
  bool areBefore(const QueueUses &other, const CommandOrder &order) const;

private:
  struct Range {
    unsigned queue;
    int64_t first, last;
  };
  SmallVector<Range, 1> ranges;
};

} // namespace mlir::plan

#endif // JOBDIALECT_ANALYSIS_COMMANDORDER_H
