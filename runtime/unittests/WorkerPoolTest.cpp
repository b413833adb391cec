//===- WorkerPoolTest.cpp - Threads that share chunks ---------------------===//

#include "lib/executor/WorkerPool.h"
#include "unittests/TestArtifact.h"
#include "unittests/TestCalls.h"

#include <chrono>
#include <random>
#include <set>

using namespace jobrt;
using namespace jobrt::test;

static std::unique_ptr<WorkerPool> makePool(int threads,
                                            void (*prepare)() = nullptr) {
  Expected<std::unique_ptr<WorkerPool>> pool =
      WorkerPool::create(threads, prepare);
  EXPECT_TRUE(pool.ok()) << pool.status().toString();
  return std::move(*pool);
}

/// How often each chunk has been run.
struct Counts {
  explicit Counts(int64_t chunks) : counts(chunks) {}
  static void body(void *context, int64_t chunk, int) {
    ++static_cast<Counts *>(context)->counts[chunk];
  }
  bool allOnce() const {
    for (const std::atomic<int> &count : counts)
      if (count != 1)
        return false;
    return true;
  }
  std::vector<std::atomic<int>> counts;
};

TEST(WorkerPoolTest, RunsEveryChunkOnce) {
  for (int threads : {1, 2, 3, 8}) {
    std::unique_ptr<WorkerPool> pool = makePool(threads);
    EXPECT_EQ(pool->threads(), threads);
    for (int64_t chunks : {0, 1, 2, 7, 100, 10000}) {
      Counts counts(chunks);
      pool->beginStep();
      pool->run(chunks, Counts::body, &counts);
      pool->endStep();
      EXPECT_TRUE(counts.allOnce()) << threads << " threads " << chunks;
    }
  }
}

TEST(WorkerPoolTest, OneChunkStaysOnTheCallingThread) {
  std::unique_ptr<WorkerPool> pool = makePool(4);
  pool->beginStep();
  std::thread::id ranOn;
  pool->run(
      1,
      [](void *context, int64_t, int worker) {
        EXPECT_EQ(worker, 0);
        *static_cast<std::thread::id *>(context) = std::this_thread::get_id();
      },
      &ranOn);
  pool->endStep();
  EXPECT_EQ(ranOn, std::this_thread::get_id());
}

TEST(WorkerPoolTest, ChunksRunAtTheSameTime) {
  // Each of the chunks waits for the others: only as many threads can do it.
  constexpr int kThreads = 4;
  std::unique_ptr<WorkerPool> pool = makePool(kThreads);
  struct {
    Gate gate;
    std::atomic<int> arrived{0};
  } shared;
  pool->beginStep();
  pool->run(
      kThreads,
      [](void *context, int64_t, int) {
        auto *s = static_cast<decltype(shared) *>(context);
        if (++s->arrived == kThreads)
          s->gate.open();
        s->gate.wait();
      },
      &shared);
  pool->endStep();
  EXPECT_EQ(shared.arrived, kThreads);
}

TEST(WorkerPoolTest, WorksWithoutAStep) {
  // beginStep() is for speed only.
  std::unique_ptr<WorkerPool> pool = makePool(3);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  for (int i = 0; i < 100; ++i) {
    Counts counts(16);
    pool->run(16, Counts::body, &counts);
    EXPECT_TRUE(counts.allOnce());
  }
}

static std::atomic<int> preparedThreads{0};

TEST(WorkerPoolTest, PreparesEachWorkerOnce) {
  preparedThreads = 0;
  {
    std::unique_ptr<WorkerPool> pool = makePool(5, [] { ++preparedThreads; });
    Counts counts(1000);
    pool->run(1000, Counts::body, &counts);
  }
  EXPECT_EQ(preparedThreads, 4);
}

TEST(WorkerPoolTest, ManyCommandsOfRandomSizes) {
  uint64_t seed = testSeed();
  SCOPED_TRACE("JOBRT_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int threads : {2, 3, 16}) {
    std::unique_ptr<WorkerPool> pool = makePool(threads);
    for (int step = 0; step < 200; ++step) {
      if (random() % 8 == 0)
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 300));
      pool->beginStep();
      for (int command = 0; command < 20; ++command) {
        Counts counts(static_cast<int64_t>(random() % 40));
        pool->run(static_cast<int64_t>(counts.counts.size()), Counts::body,
                  &counts);
        ASSERT_TRUE(counts.allOnce()) << step << " " << command;
      }
      pool->endStep();
    }
  }
}

TEST(WorkerPoolTest, StopsWhileSpinningAndWhileParked) {
  for (int round = 0; round < 50; ++round) {
    std::unique_ptr<WorkerPool> pool = makePool(3);
    pool->beginStep();
    Counts counts(4);
    pool->run(4, Counts::body, &counts);
    pool->endStep();
    if (round % 2)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}
