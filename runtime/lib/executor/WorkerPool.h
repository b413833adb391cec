//===- WorkerPool.h - Threads that share the chunks of commands -*- C++ -*-===//
//
// One pool serves all sessions of a process. The thread that runs a step makes
// a Team, which takes one of the pool's slots, and puts one command after the
// other there; workers look through the slots that are taken and claim chunks
// one by one, as does the thread itself. A team has seats for as many workers
// as its session may use, and a worker takes one while it claims chunks.
//
// Nothing waits for a worker that has not come: one that is late finds no chunk
// left, and a step without workers, or without a slot, runs all chunks itself.
// So steps of several sessions always make progress. Workers spin while there
// are steps, so that handing over costs about a microsecond, and park between
// them. Nothing allocates but the start of further workers.
//
//===----------------------------------------------------------------------===//

#ifndef JOBRT_LIB_EXECUTOR_WORKERPOOL_H
#define JOBRT_LIB_EXECUTOR_WORKERPOOL_H

#include "jobrt/status.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace jobrt {

class WorkerPool {
  struct Slot;

public:
  /// Work on one chunk. `worker` is the number of the team's thread that it
  /// runs on, less than the team's `threads`; 0 on the thread that called
  /// run().
  using Body = void (*)(void *context, int64_t chunk, int worker);

  /// The most threads of a team.
  static constexpr int kMaxThreads = 4096;
  /// Teams with workers at one time; further ones run alone.
  static constexpr int kNumSlots = 64;

  /// The pool of this process, with workers for at least one team of `threads`
  /// threads. It lives as long as it has owners; the next call after that,
  /// or in a forked child, makes a new one. `prepareWorker` is the same in all
  /// calls. Any thread.
  static Expected<std::shared_ptr<WorkerPool>> shared(int threads,
                                                      void (*prepareWorker)());

  /// A pool without workers. `prepareWorker` is called once on each of them.
  explicit WorkerPool(void (*prepareWorker)());
  /// When there is no team. Not on a worker.
  ~WorkerPool();
  WorkerPool(const WorkerPool &) = delete;
  WorkerPool &operator=(const WorkerPool &) = delete;

  /// Starts workers until there are that many. Any thread.
  Status ensureWorkers(int count);
  int workers() const { return numWorkers.load(); }

  /// The threads of one step: the one that makes the team and workers. While
  /// there are teams, workers spin for work.
  class Team {
  public:
    /// At most `threads` threads, that one included, from 1 to kMaxThreads.
    Team(WorkerPool &pool, int threads);
    ~Team();
    Team(const Team &) = delete;
    Team &operator=(const Team &) = delete;

    /// Calls body(context, i, worker) for each i in [0, chunks), in any order
    /// and on any thread of the team, and returns when all calls have. A single
    /// chunk stays on the calling thread. Only the thread that made the team.
    void run(int64_t chunks, Body body, void *context);

  private:
    WorkerPool &pool;
    /// Null when the team has no workers.
    Slot *slot = nullptr;
  };

private:
  static constexpr int kSeatsPerWord = 64;
  /// A chunk number that no command has: nothing to claim.
  static constexpr uint64_t kClosed = 0xffffffffu;

  /// Where a team's commands are found. Slots belong to the pool, so a worker
  /// may read one whose team has been destroyed.
  struct alignas(64) Slot {
    /// The open command: its number in the upper half, its next chunk in the
    /// lower one. A worker that claims a chunk by compare-and-swap thereby
    /// knows that the fields below are this command's.
    std::atomic<uint64_t> work{kClosed};
    std::atomic<int64_t> numChunks{0};
    std::atomic<Body> body{nullptr};
    std::atomic<void *> context{nullptr};
    std::atomic<int> numSeats{0};
    /// Number of the last command; of the slot's owner.
    uint32_t generation = 0;

    /// Chunks that have been run.
    alignas(64) std::atomic<int64_t> finished{0};
    /// A bit for each seat that a worker has. A worker may keep one for a
    /// moment after the step, and the next team's commands are closed to it if
    /// the team has no such seat.
    alignas(64)
        std::array<std::atomic<uint64_t>, kMaxThreads / kSeatsPerWord> seats{};

    bool hasChunk() const;
    bool hasFreeSeat() const;
    /// The seat, preferably that one; -1 when there is none.
    int takeSeat(int preferred);
    void leaveSeat(int seat);
    /// Claims and runs a chunk as the team's thread of that number.
    bool runOneChunk(int worker);
    void run(WorkerPool &pool, int64_t chunks, Body body, void *context);
  };

  void workerMain(int worker);
  /// Runs chunks of one slot that has some and a seat; false when there is
  /// none.
  bool help(int worker);
  void park();
  /// Wakes as many workers as the teams have seats for.
  void wakeMissing();
  int numAwake() const { return numWorkers.load() - parked.load(); }

  std::array<Slot, kNumSlots> slots;

  /// A bit for each slot that a team has.
  alignas(64) std::atomic<uint64_t> taken{0};
  /// Seats of all teams.
  std::atomic<int> wanted{0};
  std::atomic<bool> stopping{false};
  std::atomic<int> numWorkers{0}, parked{0};
  /// Changes whenever parked workers are to look again.
  std::atomic<int> wakeCount{0};
  /// More threads than cores: a spinning worker keeps another from working.
  std::atomic<bool> oversubscribed{false};

  void (*const prepareWorker)();
  /// For `threads`.
  std::mutex mutex;
  std::vector<std::thread> threads;
};

} // namespace jobrt

#endif // JOBRT_LIB_EXECUTOR_WORKERPOOL_H
