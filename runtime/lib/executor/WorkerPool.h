//===- WorkerPool.h - Threads that share the chunks of a command -*- C++ -*-==//
//
// One thread runs the steps and hands each command's chunks to the pool, in
// which it takes part itself. Workers spin during a step, so that handing over
// costs about a microsecond, and park between steps. Nothing here allocates
// after creation, and nothing waits for a worker that has not come: chunks are
// claimed one by one, and whoever is late finds none left.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_LIB_EXECUTOR_WORKERPOOL_H
#define JOBRT_LIB_EXECUTOR_WORKERPOOL_H

#include "jobrt/status.h"

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace jobrt {

class WorkerPool {
public:
  /// Work on one chunk. `worker` is the number of the pool's thread that it
  /// runs on, 0 on the thread that called run().
  using Body = void (*)(void *context, int64_t chunk, int worker);

  /// A pool of `threads` threads, the one that will call run() included; at
  /// least 1. `prepareWorker` is called once on each worker.
  static Expected<std::unique_ptr<WorkerPool>> create(int threads,
                                                      void (*prepareWorker)());
  ~WorkerPool();
  WorkerPool(const WorkerPool &) = delete;
  WorkerPool &operator=(const WorkerPool &) = delete;

  int threads() const { return static_cast<int>(workers.size()) + 1; }

  /// Between these calls workers spin for work; beginStep() wakes them. One
  /// step at a time.
  void beginStep();
  void endStep();

  /// Calls body(context, i) for each i in [0, chunks), in any order and on any
  /// thread of the pool, and returns when all calls have. A single chunk stays
  /// on the calling thread. One call at a time.
  void run(int64_t chunks, Body body, void *context);

private:
  WorkerPool() = default;
  void workerMain(int worker);
  bool runOneChunk(int worker);
  void park();
  void wakeParked();

  /// The open command: its number in the upper half, its next chunk in the
  /// lower one. A worker that claims a chunk by compare-and-swap thereby knows
  /// that the fields below are this command's.
  alignas(64) std::atomic<uint64_t> work{kClosed};
  std::atomic<int64_t> numChunks{0};
  std::atomic<Body> body{nullptr};
  std::atomic<void *> context{nullptr};

  /// Chunks that have been run.
  alignas(64) std::atomic<int64_t> finished{0};

  alignas(64) std::atomic<bool> inStep{false};
  std::atomic<bool> stopping{false};
  std::atomic<int> parked{0};
  /// Changes whenever parked workers are to look again.
  std::atomic<int> wakeCount{0};

  uint32_t generation = 0;
  /// How long an idle worker spins before it parks, in and after a step, in
  /// nanoseconds.
  int64_t spinInStep = 0, spinAfterStep = 0;
  void (*prepareWorker)() = nullptr;
  std::vector<std::thread> workers;

  /// A chunk number that no command has: nothing to claim.
  static constexpr uint64_t kClosed = 0xffffffffu;
};

} // namespace jobrt

#endif // JOBRT_LIB_EXECUTOR_WORKERPOOL_H
