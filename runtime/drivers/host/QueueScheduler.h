//===- QueueScheduler.h - Chunks of several queues --------------*- C++ -*-===//
//
// Distributes the chunks of commands that are ready to run, one per take(). A
// queue's command is ready when the one before it is complete and the queue
// does not wait for an event. Threads take the chunks of any queue,
// so queues overlap on however many threads there are; one thread is enough.
//
// The order of the commands in the list is one in which they may run. So while
// commands are left, a chunk is ready or runs on some thread, and no thread
// waits forever.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_DRIVERS_HOST_QUEUESCHEDULER_H
#define JOBRT_DRIVERS_HOST_QUEUESCHEDULER_H

#include "jobrt/artifact.h"
#include "lib/trace/TraceRecorder.h"

#include <atomic>
#include <mutex>
#include <random>

namespace jobrt {

class QueueScheduler {
public:
  /// The entry outlives the scheduler.
  explicit QueueScheduler(const EntryInfo &entry);

  /// Begins with the commands [begin, end), when those before are complete.
  /// `spans` takes when they ran, unless it is null. With a seed, ready
  /// commands are taken in random order. Does not allocate. One thread.
  void start(size_t begin, size_t end, TraceSpan *spans,
             std::optional<uint64_t> seed);

  /// How often take() has a chunk, if no command fails.
  int64_t numChunks() const { return numTasks; }

  struct Chunk {
    size_t command;
    int64_t number;
  };
  /// Claims a chunk; waits until one is ready. Nothing if all have been
  /// claimed, or a command failed and no earlier one is left. `thread` is the
  /// number of the calling thread. Any thread.
  std::optional<Chunk> take(int thread);

  /// Notes that a chunk has run. True for the last one of its command; then the
  /// caller ends the command, with complete() or fail().
  bool finish(const Chunk &chunk);
  /// The command has ended: its queue continues with the next one.
  void complete(size_t command);
  /// The command failed: its queue ends here, and later commands of the list
  /// are not started. Earlier ones are, so that the first command of the list
  /// that fails does not depend on the order in which they ran.
  void fail(size_t command);

private:
  struct Queue {
    /// The command that runs or is waited for; `end` if there is none left.
    size_t head;
    /// Chunks of it that have been claimed, and that have run.
    int64_t claimed, finished;
    /// When it became the head; 0 without a trace.
    uint64_t since;
  };

  // With the lock held.
  bool isLeft(const Queue &queue) const;
  bool isReady(const Queue &queue) const;
  void advance(Queue &queue);
  void passEvents();

  Queue &queueOf(size_t command) {
    return queues[entry.commands[command].queue];
  }

  const EntryInfo &entry;
  /// The next command of the same queue.
  std::vector<size_t> next;

  std::mutex mutex;
  std::vector<Queue> queues;
  std::vector<bool> isRecorded;
  size_t end = 0, begin = 0;
  int64_t numTasks = 0;
  /// The first command of the list that failed, or `end`.
  size_t firstFailed = 0;
  TraceSpan *spans = nullptr;
  std::optional<std::mt19937_64> random;
  /// Counts changes that may make a chunk ready.
  std::atomic<uint64_t> changes{0};
};

} // namespace jobrt

#endif // JOBRT_DRIVERS_HOST_QUEUESCHEDULER_H
