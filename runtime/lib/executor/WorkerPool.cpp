//===- WorkerPool.cpp - Threads that share the chunks of commands ---------===//

#include "lib/executor/WorkerPool.h"
#include "lib/base/Cores.h"
#include "lib/base/Fork.h"
#include "lib/base/Threads.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <chrono>
#include <memory>

using namespace jobrt;

/// A worker that waits longer than this inside a step gives its core back;
/// waking it again costs some ten microseconds, little beside the serial
/// command that it waited for.
static constexpr int64_t kSpinInStep = 1'000'000;
/// Steps of a training loop follow each other closely.
static constexpr int64_t kSpinAfterStep = 100'000;
/// With more threads than cores a spinning worker keeps another one from
/// working.
static constexpr int64_t kSpinOversubscribed = 2'000;
/// After this time a waiting thread offers its core to others between looks.
static constexpr int64_t kYieldAfter = 20'000;

namespace {
/// Waits in small steps: pauses first, then yields.
class Spinner {
public:
  /// Waits a moment; the nanoseconds waited so far, now and then.
  int64_t wait() {
    if (elapsed < kYieldAfter)
      cpuPause();
    else
      std::this_thread::yield();
    if (++count % 32 == 0)
      elapsed = std::chrono::duration_cast<std::chrono::nanoseconds>(
                    std::chrono::steady_clock::now() - start)
                    .count();
    return elapsed;
  }
  void restart() { *this = Spinner(); }

private:
  std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
  int64_t elapsed = 0;
  unsigned count = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// The pool of the process
//===----------------------------------------------------------------------===//

namespace {
struct SharedPool {
  std::mutex mutex;
  std::weak_ptr<WorkerPool> pool;
  const uint64_t generation = forkGeneration();
};
} // namespace

/// The place of this process's pool. A forked child gets another one: its
/// parent may have held the lock of the first.
static SharedPool &sharedPool() {
  static std::atomic<SharedPool *> current{new SharedPool()};
  SharedPool *found = current.load();
  while (found->generation != forkGeneration()) {
    auto made = std::make_unique<SharedPool>();
    if (current.compare_exchange_strong(found, made.get()))
      return *made.release();
  }
  return *found;
}

Expected<std::shared_ptr<WorkerPool>>
WorkerPool::shared(int threads, void (*prepareWorker)()) {
  SharedPool &place = sharedPool();
  std::lock_guard lock(place.mutex);
  std::shared_ptr<WorkerPool> pool = place.pool.lock();
  if (!pool) {
    pool = std::make_shared<WorkerPool>(prepareWorker);
    place.pool = pool;
  }
  if (Status status = pool->ensureWorkers(threads - 1); !status.ok())
    return status;
  return pool;
}

WorkerPool::WorkerPool(void (*prepareWorker)())
    : prepareWorker(prepareWorker) {}

WorkerPool::~WorkerPool() {
  assert(taken.load() == 0 && "a team is still there");
  stopping.store(true);
  wakeCount.fetch_add(1);
  wakeCount.notify_all();
  for (std::thread &thread : threads)
    thread.join();
}

Status WorkerPool::ensureWorkers(int count) {
  std::lock_guard lock(mutex);
  threads.reserve(std::max(count, 0));
  while (static_cast<int>(threads.size()) < count) {
    int worker = static_cast<int>(threads.size()) + 1;
    Expected<std::thread> thread =
        startThread("jobrt-worker", [this, worker] { workerMain(worker); });
    if (!thread.ok())
      return thread.status();
    threads.push_back(std::move(*thread));
    numWorkers.store(worker);
  }
  oversubscribed.store(numWorkers.load() + 1 > availableCores());
  return {};
}

//===----------------------------------------------------------------------===//
// Teams
//===----------------------------------------------------------------------===//

WorkerPool::Team::Team(WorkerPool &pool, int threads) : pool(pool) {
  assert(threads >= 1 && threads <= kMaxThreads);
  int seats = std::min(threads - 1, pool.workers());
  if (seats == 0)
    return;
  uint64_t seen = pool.taken.load();
  do {
    if (seen == ~uint64_t(0))
      return;
    slot = &pool.slots[std::countr_one(seen)];
  } while (!pool.taken.compare_exchange_weak(seen, seen | (seen + 1)));
  slot->numSeats.store(seats, std::memory_order_release);
  pool.wanted.fetch_add(seats);
  pool.wakeMissing();
}

WorkerPool::Team::~Team() {
  if (!slot)
    return;
  pool.wanted.fetch_sub(slot->numSeats.load(std::memory_order_relaxed));
  pool.taken.fetch_and(~(uint64_t(1) << (slot - pool.slots.data())));
}

void WorkerPool::Team::run(int64_t chunks, Body body, void *context) {
  if (chunks > 1 && slot)
    return slot->run(pool, chunks, body, context);
  for (int64_t chunk = 0; chunk < chunks; ++chunk)
    body(context, chunk, 0);
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

void WorkerPool::Slot::run(WorkerPool &pool, int64_t chunks, Body newBody,
                           void *newContext) {
  assert(chunks < static_cast<int64_t>(kClosed));
  // `work` is closed here, and the stores below are seen only by a worker that
  // sees it closed too: no thread claims a chunk with half of the new fields.
  numChunks.store(chunks, std::memory_order_release);
  body.store(newBody, std::memory_order_release);
  context.store(newContext, std::memory_order_release);
  finished.store(0, std::memory_order_release);
  work.store(static_cast<uint64_t>(++generation) << 32);
  // Either a worker that is about to park sees the work, or we see it parked.
  pool.wakeMissing();

  while (runOneChunk(/*worker=*/0))
    continue;
  Spinner spinner;
  while (finished.load(std::memory_order_acquire) != chunks)
    spinner.wait();
  work.store(static_cast<uint64_t>(generation) << 32 | kClosed);
}

bool WorkerPool::Slot::runOneChunk(int worker) {
  uint64_t seen = work.load(std::memory_order_acquire);
  while (true) {
    auto chunk = static_cast<int64_t>(seen & kClosed);
    if (chunk >= numChunks.load(std::memory_order_acquire) ||
        worker > numSeats.load(std::memory_order_acquire))
      return false;
    Body chunkBody = body.load(std::memory_order_acquire);
    void *chunkContext = context.load(std::memory_order_acquire);
    if (!work.compare_exchange_weak(seen, seen + 1, std::memory_order_acq_rel,
                                    std::memory_order_acquire))
      continue;
    chunkBody(chunkContext, chunk, worker);
    finished.fetch_add(1, std::memory_order_release);
    return true;
  }
}

bool WorkerPool::Slot::hasChunk() const {
  return static_cast<int64_t>(work.load() & kClosed) < numChunks.load();
}

/// The bits of a word that stand for seats of `numSeats`.
static uint64_t seatBits(size_t word, int numSeats) {
  int count = numSeats - static_cast<int>(word) * 64;
  return count >= 64 ? ~uint64_t(0) : (uint64_t(1) << std::max(count, 0)) - 1;
}

bool WorkerPool::Slot::hasFreeSeat() const {
  int count = numSeats.load();
  for (size_t word = 0; static_cast<int>(word) * kSeatsPerWord < count; ++word)
    if (~seats[word].load() & seatBits(word, count))
      return true;
  return false;
}

int WorkerPool::Slot::takeSeat(int preferred) {
  int count = numSeats.load(std::memory_order_acquire);
  if (count == 0)
    return -1;
  preferred %= count;
  uint64_t bit = uint64_t(1) << preferred % kSeatsPerWord;
  if (!(seats[preferred / kSeatsPerWord].fetch_or(bit,
                                                  std::memory_order_acquire) &
        bit))
    return preferred;
  for (size_t word = 0; static_cast<int>(word) * kSeatsPerWord < count;
       ++word) {
    uint64_t seen = seats[word].load(std::memory_order_relaxed);
    while (uint64_t open = ~seen & seatBits(word, count)) {
      int index = std::countr_zero(open);
      if (seats[word].compare_exchange_weak(seen, seen | uint64_t(1) << index,
                                            std::memory_order_acquire))
        return static_cast<int>(word) * kSeatsPerWord + index;
    }
  }
  return -1;
}

void WorkerPool::Slot::leaveSeat(int seat) {
  seats[seat / kSeatsPerWord].fetch_and(~(uint64_t(1) << seat % kSeatsPerWord),
                                        std::memory_order_release);
}

//===----------------------------------------------------------------------===//
// Workers
//===----------------------------------------------------------------------===//

void WorkerPool::workerMain(int worker) {
  // A new thread has its creator's floating-point settings.
  FloatEnvironmentScope floats;
  if (prepareWorker)
    prepareWorker();
  Spinner spinner;
  while (!stopping.load(std::memory_order_relaxed)) {
    if (help(worker)) {
      spinner.restart();
      continue;
    }
    // Those that no team has a seat for go first.
    bool isWanted = numAwake() <= wanted.load(std::memory_order_relaxed);
    int64_t limit = isWanted ? kSpinInStep : kSpinAfterStep;
    if (oversubscribed.load(std::memory_order_relaxed))
      limit = isWanted ? kSpinOversubscribed : 0;
    if (spinner.wait() < limit)
      continue;
    park();
    spinner.restart();
  }
}

bool WorkerPool::help(int worker) {
  uint64_t open = taken.load(std::memory_order_acquire);
  while (open) {
    // Workers begin at different slots.
    int start = worker % kNumSlots;
    int index = (std::countr_zero(std::rotr(open, start)) + start) % kNumSlots;
    open &= ~(uint64_t(1) << index);
    Slot &slot = slots[index];
    if (!slot.hasChunk())
      continue;
    int seat = slot.takeSeat(worker - 1);
    if (seat < 0)
      continue;
    bool hasRun = false;
    while (slot.runOneChunk(seat + 1))
      hasRun = true;
    slot.leaveSeat(seat);
    if (hasRun)
      return true;
  }
  return false;
}

void WorkerPool::park() {
  int before = wakeCount.load();
  parked.fetch_add(1);
  bool hasWork = false;
  for (uint64_t open = taken.load(); open; open &= open - 1) {
    const Slot &slot = slots[std::countr_zero(open)];
    hasWork |= slot.hasChunk() && slot.hasFreeSeat();
  }
  if (!hasWork && !stopping.load())
    wakeCount.wait(before);
  parked.fetch_sub(1);
}

void WorkerPool::wakeMissing() {
  int sleeping = parked.load();
  if (sleeping == 0)
    return;
  int total = numWorkers.load();
  int missing = std::min(wanted.load(), total) - (total - sleeping);
  if (missing <= 0)
    return;
  wakeCount.fetch_add(1);
  if (missing >= sleeping) {
    wakeCount.notify_all();
    return;
  }
  for (int i = 0; i < missing; ++i)
    wakeCount.notify_one();
}
