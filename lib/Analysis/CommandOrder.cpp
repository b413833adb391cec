//===- CommandOrder.cpp - Which commands happen before which --------------===//

#include "JobDialect/Analysis/CommandOrder.h"

#include <map>

using namespace mlir;
using namespace mlir::plan;

/// A launch is a command and those that directly follow and have joined it.
static SmallVector<std::pair<int64_t, int64_t>>
findLaunches(ArrayRef<PlanCommandOpInterface> commands) {
  SmallVector<std::pair<int64_t, int64_t>> launches;
  for (auto [index, op] : llvm::enumerate(commands)) {
    PlanCommandOpInterface command = op;
    int64_t number = index, first = number;
    if (command.isInLaunchBefore() && number > 0)
      first = launches.back().first;
    launches.push_back({first, number});
    for (int64_t member : llvm::seq(first, number))
      launches[member].second = number;
  }
  return launches;
}

CommandOrder::CommandOrder(ProgramOp program)
    : commands(plan::getCommands(program)), launches(findLaunches(commands)) {
  for (PlanCommandOpInterface command : commands)
    numQueues =
        std::max(numQueues, static_cast<unsigned>(command.getQueue()) + 1);
  order.emplace(numQueues);
  SmallVector<unsigned> devices =
      getDevicesOfQueues(program->getParentOfType<ModuleOp>());
  // plan-verify refuses queues of no device.
  devices.resize(std::max<size_t>(devices.size(), numQueues), devices.back());
  std::map<unsigned, unsigned> queueOfDevice;
  llvm::DenseMap<Value, int64_t> events;
  Operation *parent = program;
  std::optional<unsigned> device;
  for (PlanCommandOpInterface command : commands) {
    auto queue = static_cast<unsigned>(command.getQueue());
    // Into a repeat, out of one, or from one to the next; to another device.
    if (command->getParentOp() != parent ||
        device.value_or(devices[queue]) != devices[queue])
      order->joinQueues();
    parent = command->getParentOp();
    device = devices[queue];
    hasQueuesOfOneDevice |=
        queueOfDevice.try_emplace(*device, queue).first->second != queue;
    if (auto wait = dyn_cast<WaitOp>(*command))
      order->addWait(queue, events.at(wait.getEvent()));
    numbers[command] = order->addCommand(queue);
    if (auto record = dyn_cast<RecordOp>(*command))
      events[record.getEvent()] = order->addEvent(queue);
  }
}

void QueueUses::add(unsigned queue, int64_t command) {
  for (Range &range : ranges)
    if (range.queue == queue) {
      range.first = std::min(range.first, command);
      range.last = std::max(range.last, command);
      return;
    }
  ranges.push_back({queue, command, command});
}

bool QueueUses::areBefore(const QueueUses &other,
                          const CommandOrder &order) const {
  return llvm::all_of(ranges, [&](const Range &range) {
    return llvm::all_of(other.ranges, [&](const Range &later) {
      return order.isBefore(range.last, later.first);
    });
  });
}
