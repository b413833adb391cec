//===- KillTest.cpp - Saves that are killed -------------------------------===//
//
// A child saves one state after the other and is killed (SIGKILL) at a random
// moment, 200 times. Whatever is at a checkpoint's path then is one whole
// state, and none that a save had finished is lost.
//
//===----------------------------------------------------------------------===//

#include "unittests/checkpoint/SavedStates.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <random>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace jobrt;
using namespace jobrt::test;
namespace fs = std::filesystem;

static constexpr int kKillsEach = 50; // of four ways to save

namespace {
/// What the child has done, in memory that outlives it.
struct Progress {
  std::atomic<int64_t> started, finished;
};

class KillTest : public testing::Test {
protected:
  void SetUp() override {
    void *memory = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    progress = new (memory) Progress{};
  }
  void TearDown() override { munmap(progress, sizeof(Progress)); }

  std::string pathOf(int64_t number) const {
    return folder.file(existing == ExistingCheckpoint::kReplace
                           ? "c"
                           : "c" + std::to_string(number));
  }
  Status save(Session &session, int64_t number) const {
    setNumber(session, number);
    return saveCheckpoint(session, pathOf(number), layout, existing);
  }

  [[noreturn]] void saveUntilKilled(int64_t number) const {
    std::unique_ptr<Session> session = sessionAt(number);
    for (;; ++number) {
      progress->started = number;
      if (!save(*session, number).ok())
        _exit(1);
      progress->finished = number;
    }
  }

  void killOnce(int64_t first, std::chrono::microseconds delay);
  void expectWholeStates(int64_t first);
  void killOften(uint64_t seed);

  TemporaryFolder folder{memoryDisk()};
  Progress *progress = nullptr;
  CheckpointLayout layout = CheckpointLayout::kNative;
  ExistingCheckpoint existing = ExistingCheckpoint::kRefuse;
};
} // namespace

void KillTest::killOnce(int64_t first, std::chrono::microseconds delay) {
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0)
    saveUntilKilled(first);
  int result;
  while (progress->started < first) {
    ASSERT_EQ(waitpid(child, &result, WNOHANG), 0) << "the child cannot start";
    usleep(100);
  }
  usleep(delay.count());
  kill(child, SIGKILL);
  ASSERT_EQ(waitpid(child, &result, 0), child);
  ASSERT_TRUE(WIFSIGNALED(result)) << "a save of the child failed";
}

void KillTest::expectWholeStates(int64_t first) {
  int64_t started = progress->started, finished = progress->finished;
  if (existing == ExistingCheckpoint::kReplace) {
    int64_t saved = savedNumber(folder.file("c"));
    EXPECT_TRUE(saved == finished || saved == started)
        << "saved " << saved << ", finished " << finished << ", started "
        << started;
    progress->finished = saved;
    return;
  }
  for (int64_t number = first; number <= started; ++number) {
    EXPECT_TRUE(number == started || fs::exists(pathOf(number)));
    if (fs::exists(pathOf(number)))
      EXPECT_EQ(savedNumber(pathOf(number)), number);
    fs::remove_all(pathOf(number));
  }
}

void KillTest::killOften(uint64_t seed) {
  std::mt19937_64 random(seed);
  // The child's delays are spread over a save's time.
  auto begin = std::chrono::steady_clock::now();
  ASSERT_TRUE(save(*sessionAt(1), 1).ok());
  auto time = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - begin);
  progress->started = progress->finished = 1;
  std::uniform_int_distribution<int64_t> delay(0, 2 * time.count());
  for (int round = 0; round < kKillsEach; ++round) {
    int64_t first = progress->started + 1;
    killOnce(first, std::chrono::microseconds(delay(random)));
    if (HasFatalFailure())
      return;
    expectWholeStates(first);
    // The next save removes what a killed one left, so they do not pile up.
    EXPECT_LE(countStaging(folder.file("")), 1);
    if (HasFailure())
      return;
  }
  int64_t last = progress->started + 1;
  EXPECT_TRUE(save(*sessionAt(last), last).ok());
  EXPECT_EQ(countStaging(folder.file("")), 0);
  EXPECT_EQ(savedNumber(pathOf(last)), last);
}

TEST_F(KillTest, Native) { killOften(testSeed()); }

TEST_F(KillTest, Legacy) {
  layout = CheckpointLayout::kLegacy;
  killOften(testSeed());
}

TEST_F(KillTest, NativeReplaced) {
  existing = ExistingCheckpoint::kReplace;
  killOften(testSeed());
}

TEST_F(KillTest, LegacyReplaced) {
  layout = CheckpointLayout::kLegacy;
  existing = ExistingCheckpoint::kReplace;
  killOften(testSeed());
}
