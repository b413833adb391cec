//===- HappensBefore.cpp - The order of commands on several queues --------===//
//
// Vector clocks (Fidge 1988, Mattern 1989). A queue is a chain, so a command is
// identified by its queue and its place there, and what happens before a
// command is the first so many commands of each queue. One number for each
// command and queue answers every question in constant time; with one queue
// that is as much as the numbers of the commands.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Support/HappensBefore.h"

#include <algorithm>
#include <cassert>

using namespace mlir::job;

HappensBefore::HappensBefore(unsigned numQueues)
    : numQueues(numQueues), queues(numQueues, Clock(numQueues, 0)) {
  assert(numQueues >= 1 && "there are no commands without a queue");
}

int64_t HappensBefore::addCommand(unsigned queue) {
  Clock &clock = queues[queue];
  ++clock[queue];
  clocks.insert(clocks.end(), clock.begin(), clock.end());
  queueOf.push_back(queue);
  return static_cast<int64_t>(queueOf.size()) - 1;
}

int64_t HappensBefore::addEvent(unsigned queue) {
  events.push_back(queues[queue]);
  return static_cast<int64_t>(events.size()) - 1;
}

/// Both have happened.
static void join(llvm::MutableArrayRef<int32_t> clock,
                 llvm::ArrayRef<int32_t> other) {
  for (size_t i = 0; i < clock.size(); ++i)
    clock[i] = std::max(clock[i], other[i]);
}

void HappensBefore::addWait(unsigned queue, int64_t event) {
  join(queues[queue], events[event]);
}

void HappensBefore::joinQueues() {
  Clock all = queues.front();
  for (const Clock &clock : queues)
    join(all, clock);
  std::fill(queues.begin(), queues.end(), all);
}

llvm::ArrayRef<int32_t> HappensBefore::getClock(int64_t command) const {
  return llvm::ArrayRef<int32_t>(clocks).slice(command * numQueues, numQueues);
}

bool HappensBefore::isBefore(int64_t a, int64_t b) const {
  uint32_t queue = queueOf[a];
  return a != b && getClock(a)[queue] <= getClock(b)[queue];
}
