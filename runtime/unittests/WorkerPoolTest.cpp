//===- WorkerPoolTest.cpp - Threads that share chunks ---------------------===//

#include "lib/executor/WorkerPool.h"
#include "lib/base/Threads.h"
#include "unittests/TestArtifact.h"
#include "unittests/TestCalls.h"

#include <chrono>
#include <random>
#include <set>

using namespace jobrt;
using namespace jobrt::test;

using Team = WorkerPool::Team;

/// A pool for one team of that many threads.
static std::unique_ptr<WorkerPool> makePool(int threads,
                                            void (*prepare)() = nullptr) {
  auto pool = std::make_unique<WorkerPool>(prepare);
  Status status = pool->ensureWorkers(threads - 1);
  EXPECT_TRUE(status.ok()) << status.toString();
  return pool;
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
    EXPECT_EQ(pool->workers(), threads - 1);
    for (int64_t chunks : {0, 1, 2, 7, 100, 10000}) {
      Counts counts(chunks);
      Team team(*pool, threads);
      team.run(chunks, Counts::body, &counts);
      EXPECT_TRUE(counts.allOnce()) << threads << " threads " << chunks;
    }
  }
}

TEST(WorkerPoolTest, OneChunkStaysOnTheCallingThread) {
  std::unique_ptr<WorkerPool> pool = makePool(4);
  Team team(*pool, 4);
  std::thread::id ranOn;
  team.run(
      1,
      [](void *context, int64_t, int worker) {
        EXPECT_EQ(worker, 0);
        *static_cast<std::thread::id *>(context) = std::this_thread::get_id();
      },
      &ranOn);
  EXPECT_EQ(ranOn, std::this_thread::get_id());
}

namespace {
/// Chunks that wait for each other: only as many threads can run them.
struct Meeting {
  explicit Meeting(int expected) : expected(expected) {}
  static void body(void *context, int64_t, int) {
    auto &meeting = *static_cast<Meeting *>(context);
    if (++meeting.arrived == meeting.expected)
      meeting.gate.open();
    meeting.gate.wait();
  }
  const int expected;
  Gate gate;
  std::atomic<int> arrived{0};
};
} // namespace

TEST(WorkerPoolTest, ChunksRunAtTheSameTime) {
  constexpr int kThreads = 4;
  std::unique_ptr<WorkerPool> pool = makePool(kThreads);
  for (int round = 0; round < 20; ++round) {
    if (round % 2) // parked
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    Meeting meeting(kThreads);
    Team team(*pool, kThreads);
    team.run(kThreads, Meeting::body, &meeting);
    EXPECT_EQ(meeting.arrived, kThreads);
  }
}

TEST(WorkerPoolTest, TwoTeamsRunAtTheSameTime) {
  // Each has a chunk on its own thread and one on a worker, and all four wait
  // for each other.
  std::unique_ptr<WorkerPool> pool = makePool(3);
  Meeting meeting(4);
  std::thread other([&] {
    Team team(*pool, 2);
    team.run(2, Meeting::body, &meeting);
  });
  Team team(*pool, 2);
  team.run(2, Meeting::body, &meeting);
  other.join();
  EXPECT_EQ(meeting.arrived, 4);
}

TEST(WorkerPoolTest, ATeamGoesOnWhileAnotherHasAllWorkers) {
  std::unique_ptr<WorkerPool> pool = makePool(3);
  Gate gate;
  std::thread other([&] {
    Team team(*pool, 3);
    team.run(
        3,
        [](void *context, int64_t, int) {
          static_cast<Gate *>(context)->wait();
        },
        &gate);
  });
  gate.waitForArrivals(3);
  Counts counts(100);
  {
    Team team(*pool, 3);
    team.run(100, Counts::body, &counts);
  }
  EXPECT_TRUE(counts.allOnce());
  gate.open();
  other.join();
}

namespace {
/// How many threads are inside of a team's chunks, and their numbers.
struct Census {
  static void body(void *context, int64_t, int worker) {
    auto &census = *static_cast<Census *>(context);
    int now = ++census.inside;
    if (now > census.threads || worker >= census.threads ||
        census.present[worker].exchange(true))
      census.isWrong = true;
    cpuPause();
    census.present[worker] = false;
    --census.inside;
  }
  int threads;
  std::atomic<int> inside{0};
  std::array<std::atomic<bool>, 8> present{};
  std::atomic<bool> isWrong{false};
};
} // namespace

TEST(WorkerPoolTest, ATeamUsesNoMoreThanItsThreads) {
  std::unique_ptr<WorkerPool> pool = makePool(8);
  // The same slot is used by teams of all sizes in turn.
  for (int round = 0; round < 200; ++round) {
    Census census{round % 5 + 1};
    Team team(*pool, census.threads);
    for (int command = 0; command < 5; ++command)
      team.run(64, Census::body, &census);
    EXPECT_FALSE(census.isWrong) << census.threads;
  }
}

static std::atomic<int> preparedThreads{0};

TEST(WorkerPoolTest, PreparesEachWorkerOnce) {
  preparedThreads = 0;
  {
    std::unique_ptr<WorkerPool> pool = makePool(3, [] { ++preparedThreads; });
    EXPECT_TRUE(pool->ensureWorkers(4).ok());
    EXPECT_TRUE(pool->ensureWorkers(2).ok()) << "there are more";
    EXPECT_EQ(pool->workers(), 4);
    Counts counts(1000);
    Team(*pool, 5).run(1000, Counts::body, &counts);
  }
  EXPECT_EQ(preparedThreads, 4);
}

TEST(WorkerPoolTest, MoreTeamsThanSlots) {
  std::unique_ptr<WorkerPool> pool = makePool(2);
  std::vector<std::unique_ptr<Team>> teams;
  for (int i = 0; i < WorkerPool::kNumSlots + 2; ++i)
    teams.push_back(std::make_unique<Team>(*pool, 2));
  for (std::unique_ptr<Team> &team : teams) {
    Counts counts(10);
    team->run(10, Counts::body, &counts);
    EXPECT_TRUE(counts.allOnce());
  }
}

TEST(WorkerPoolTest, ManyCommandsOfRandomSizes) {
  uint64_t seed = testSeed();
  SCOPED_TRACE("JOBRT_TEST_SEED=" + std::to_string(seed));
  for (int workers : {1, 2, 15}) {
    std::unique_ptr<WorkerPool> pool = makePool(workers + 1);
    std::vector<std::thread> callers;
    for (int caller = 0; caller < 3; ++caller)
      callers.emplace_back([&, caller] {
        std::mt19937_64 random(seed + caller);
        for (int step = 0; step < 100; ++step) {
          if (random() % 8 == 0)
            std::this_thread::sleep_for(
                std::chrono::microseconds(random() % 300));
          Team team(*pool, static_cast<int>(random() % 5) + 1);
          for (int command = 0; command < 20; ++command) {
            Counts counts(static_cast<int64_t>(random() % 40));
            team.run(static_cast<int64_t>(counts.counts.size()), Counts::body,
                     &counts);
            ASSERT_TRUE(counts.allOnce()) << step << " " << command;
          }
        }
      });
    for (std::thread &caller : callers)
      caller.join();
  }
}

TEST(WorkerPoolTest, StopsWhileSpinningAndWhileParked) {
  for (int round = 0; round < 50; ++round) {
    std::unique_ptr<WorkerPool> pool = makePool(3);
    Counts counts(4);
    Team(*pool, 3).run(4, Counts::body, &counts);
    if (round % 2)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST(WorkerPoolTest, OneForTheProcess) {
  auto shared = [](int threads) {
    Expected<std::shared_ptr<WorkerPool>> pool =
        WorkerPool::shared(threads, nullptr);
    EXPECT_TRUE(pool.ok()) << pool.status().toString();
    return *pool;
  };
  std::shared_ptr<WorkerPool> pool = shared(2);
  EXPECT_EQ(pool->workers(), 1);
  EXPECT_EQ(shared(4), pool);
  EXPECT_EQ(pool->workers(), 3) << "what the largest team needs";
  EXPECT_EQ(shared(1), pool);
  EXPECT_EQ(pool->workers(), 3);
  std::weak_ptr<WorkerPool> watcher = pool;
  pool.reset();
  EXPECT_TRUE(watcher.expired());
}
