//===- WorkerPool.cpp - Threads that share the chunks of a command --------===//

#include "lib/executor/WorkerPool.h"
#include "lib/base/Threads.h"

#include <cassert>
#include <chrono>

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

Expected<std::unique_ptr<WorkerPool>>
WorkerPool::create(int threads, void (*prepareWorker)()) {
  assert(threads >= 1);
  std::unique_ptr<WorkerPool> pool(new WorkerPool());
  bool oversubscribed = threads > availableCores();
  pool->spinInStep = oversubscribed ? kSpinOversubscribed : kSpinInStep;
  pool->spinAfterStep = oversubscribed ? 0 : kSpinAfterStep;
  pool->prepareWorker = prepareWorker;
  pool->workers.reserve(threads - 1);
  for (int i = 1; i < threads; ++i) {
    Expected<std::thread> thread = startThread(
        "jobrt-worker", [raw = pool.get(), i] { raw->workerMain(i); });
    if (!thread.ok())
      return thread.status();
    pool->workers.push_back(std::move(*thread));
  }
  return pool;
}

WorkerPool::~WorkerPool() {
  stopping.store(true);
  wakeParked();
  for (std::thread &worker : workers)
    worker.join();
}

void WorkerPool::beginStep() {
  if (workers.empty())
    return;
  inStep.store(true);
  if (parked.load() > 0)
    wakeParked();
}

void WorkerPool::endStep() { inStep.store(false, std::memory_order_relaxed); }

void WorkerPool::wakeParked() {
  wakeCount.fetch_add(1);
  wakeCount.notify_all();
}

void WorkerPool::run(int64_t chunks, Body newBody, void *newContext) {
  if (chunks <= 1 || workers.empty()) {
    for (int64_t chunk = 0; chunk < chunks; ++chunk)
      newBody(newContext, chunk, 0);
    return;
  }
  assert(chunks < static_cast<int64_t>(kClosed));
  // `work` is closed here, and the stores below are seen only by a worker that
  // sees it closed too: nobody claims a chunk with half of the new fields.
  numChunks.store(chunks, std::memory_order_release);
  body.store(newBody, std::memory_order_release);
  context.store(newContext, std::memory_order_release);
  finished.store(0, std::memory_order_release);
  work.store(static_cast<uint64_t>(++generation) << 32);
  // Either a worker that is about to park sees the work, or we see it parked.
  if (parked.load() > 0)
    wakeParked();

  while (runOneChunk(/*worker=*/0))
    continue;
  Spinner spinner;
  while (finished.load(std::memory_order_acquire) != chunks)
    spinner.wait();
  work.store(static_cast<uint64_t>(generation) << 32 | kClosed);
}

bool WorkerPool::runOneChunk(int worker) {
  uint64_t seen = work.load(std::memory_order_acquire);
  while (true) {
    auto chunk = static_cast<int64_t>(seen & kClosed);
    if (chunk >= numChunks.load(std::memory_order_acquire))
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

void WorkerPool::workerMain(int worker) {
  // A new thread has its maker's floating-point settings.
  FloatEnvironmentScope floats;
  if (prepareWorker)
    prepareWorker();
  Spinner spinner;
  while (!stopping.load(std::memory_order_relaxed)) {
    if (runOneChunk(worker)) {
      spinner.restart();
      continue;
    }
    int64_t limit =
        inStep.load(std::memory_order_relaxed) ? spinInStep : spinAfterStep;
    if (spinner.wait() < limit)
      continue;
    park();
    spinner.restart();
  }
}

void WorkerPool::park() {
  int before = wakeCount.load();
  parked.fetch_add(1);
  uint64_t seen = work.load();
  bool hasWork = static_cast<int64_t>(seen & kClosed) < numChunks.load();
  if (!hasWork && !stopping.load())
    wakeCount.wait(before);
  parked.fetch_sub(1);
}
