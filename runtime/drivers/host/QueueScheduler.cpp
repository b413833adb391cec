//===- QueueScheduler.cpp - Chunks of several queues ----------------------===//

#include "drivers/host/QueueScheduler.h"
#include "lib/base/Threads.h"

#include <algorithm>

using namespace jobrt;

/// Reads of the counter of changes before a waiting thread yields its core.
static constexpr int kSpins = 2000;

QueueScheduler::QueueScheduler(const EntryInfo &entry)
    : entry(entry), next(entry.commands.size()), queues(entry.numQueues),
      isRecorded(entry.numEvents) {
  std::vector<size_t> following(entry.numQueues, entry.commands.size());
  for (size_t i = entry.commands.size(); i-- > 0;) {
    next[i] = following[entry.commands[i].queue];
    following[entry.commands[i].queue] = i;
  }
}

static bool isEvent(const Command &command) {
  return command.kind == Command::Kind::kRecord ||
         command.kind == Command::Kind::kWait;
}

void QueueScheduler::start(size_t newBegin, size_t newEnd, TraceSpan *newSpans,
                           std::optional<uint64_t> seed) {
  begin = newBegin;
  end = firstFailed = newEnd;
  spans = newSpans;
  random.reset();
  if (seed)
    random.emplace(*seed);
  uint64_t now = spans ? traceClock() : 0;
  for (Queue &queue : queues)
    queue = {end, 0, 0, now};
  numTasks = 0;
  for (size_t i = end; i-- > begin;) {
    const Command &command = entry.commands[i];
    queueOf(i).head = i;
    if (command.kind == Command::Kind::kRecord)
      isRecorded[command.event] = false;
    if (!isEvent(command))
      numTasks += command.chunks;
  }
  passEvents();
}

bool QueueScheduler::isLeft(const Queue &queue) const {
  return queue.head < firstFailed;
}

bool QueueScheduler::isReady(const Queue &queue) const {
  return isLeft(queue) && !isEvent(entry.commands[queue.head]) &&
         queue.claimed < entry.commands[queue.head].chunks;
}

void QueueScheduler::advance(Queue &queue) {
  queue.head = std::min(next[queue.head], end);
  queue.claimed = queue.finished = 0;
  queue.since = spans ? traceClock() : 0;
}

/// Lets queues pass records, and waits for events that are recorded.
void QueueScheduler::passEvents() {
  for (bool hasPassed = true; hasPassed;) {
    hasPassed = false;
    for (Queue &queue : queues)
      while (isLeft(queue) && isEvent(entry.commands[queue.head])) {
        const Command &command = entry.commands[queue.head];
        if (command.kind == Command::Kind::kRecord)
          isRecorded[command.event] = true;
        else if (!isRecorded[command.event])
          break;
        if (spans)
          spans[queue.head - begin] = {queue.since, traceClock()};
        advance(queue);
        hasPassed = true;
      }
  }
}

std::optional<QueueScheduler::Chunk> QueueScheduler::take(int thread) {
  while (true) {
    uint64_t seen = changes.load(std::memory_order_acquire);
    {
      std::lock_guard lock(mutex);
      // Threads begin at different queues, so that queues overlap.
      size_t first = random ? (*random)() : static_cast<size_t>(thread);
      bool anyLeft = false;
      for (size_t i = 0; i < queues.size(); ++i) {
        Queue &queue = queues[(first + i) % queues.size()];
        anyLeft |= isLeft(queue);
        if (!isReady(queue))
          continue;
        if (spans && queue.claimed == 0)
          spans[queue.head - begin].begin = traceClock();
        return Chunk{queue.head, queue.claimed++};
      }
      if (!anyLeft)
        return std::nullopt;
    }
    for (int spins = 0; changes.load(std::memory_order_acquire) == seen;) {
      if (spins < kSpins) {
        cpuPause();
        ++spins;
      } else {
        std::this_thread::yield();
      }
    }
  }
}

bool QueueScheduler::finish(const Chunk &chunk) {
  std::lock_guard lock(mutex);
  Queue &queue = queueOf(chunk.command);
  return ++queue.finished == entry.commands[chunk.command].chunks;
}

void QueueScheduler::complete(size_t command) {
  std::lock_guard lock(mutex);
  Queue &queue = queueOf(command);
  if (spans)
    spans[command - begin].end = traceClock();
  advance(queue);
  passEvents();
  changes.fetch_add(1, std::memory_order_release);
}

void QueueScheduler::fail(size_t command) {
  std::lock_guard lock(mutex);
  if (spans)
    spans[command - begin].end = traceClock();
  firstFailed = std::min(firstFailed, command);
  changes.fetch_add(1, std::memory_order_release);
}
