//===- StressTest.cpp - Many threads, steps and sizes by chance -----------===//

#include "unittests/TestArtifact.h"
#include "unittests/TestCalls.h"

#include <random>
#include <thread>

using namespace jobrt;
using namespace jobrt::test;
using nlohmann::json;

/// Callers on several threads do everything a session offers at random; the
/// number of steps comes out right, and so does each step.
static void stress(uint64_t seed, int round) {
  std::mt19937_64 random(seed + round);
  SessionOptions options;
  options.threads = static_cast<int>(random() % 4) + 1;
  options.credits = static_cast<int>(random() % 5) + 1;
  json manifest = testManifest();
  for (json &entry : manifest["entries"])
    for (json &command : entry["commands"])
      if (command["op"] == "call") {
        int chunks[] = {1, 2, 4, 8, 64};
        command["chunks"] = chunks[random() % 5];
      }
  std::unique_ptr<Session> session = makeSession(options, manifest);
  ASSERT_TRUE(session->initialize(0).ok());

  std::atomic<int64_t> trained{0}, called{0};
  int numCallers = static_cast<int>(random() % 4) + 1;
  std::vector<std::thread> callers;
  for (int caller = 0; caller < numCallers; ++caller)
    callers.emplace_back([&, callerSeed = random()] {
      std::mt19937_64 random(callerSeed);
      std::vector<std::pair<Future, float>> kept;
      for (int step = 0; step < 60; ++step) {
        auto value = static_cast<float>(random() % 100);
        Blob x(value, 1);
        bool train = random() % 2 == 0;
        const char *entry = train ? "train_job" : "copy_job";
        trained += train;
        Expected<Future> future = random() % 2
                                      ? session->submit(entry, {x.view()})
                                      : session->run(entry, {x.view()});
        ASSERT_TRUE(future.ok());
        if (random() % 3 == 0)
          future->onDone([&, value, train](const Future &done) {
            ++called;
            if (!train)
              EXPECT_EQ(floats(done.output(0)), Blob(value, 1).values);
          });
        else
          ++called;
        if (!train)
          kept.emplace_back(*future, value);
        if (random() % 10 == 0)
          EXPECT_TRUE(session->synchronize().ok());
        if (random() % 10 == 0)
          EXPECT_TRUE(session->readVariable("weight").ok());
        if (random() % 5 == 0)
          kept.clear();
      }
      for (auto &[future, value] : kept) {
        EXPECT_TRUE(future.wait().ok());
        EXPECT_EQ(floats(future.output(0)), Blob(value, 1).values);
      }
    });
  for (std::thread &caller : callers)
    caller.join();
  ASSERT_TRUE(session->synchronize().ok());
  EXPECT_EQ(called, numCallers * 60);
}

TEST(StressTest, ManyCallers) {
  uint64_t seed = testSeed();
  SCOPED_TRACE("JOBRT_TEST_SEED=" + std::to_string(seed));
  for (int round = 0; round < 30; ++round)
    stress(seed, round);
}

TEST(StressTest, ResultsDoNotDependOnThreads) {
  std::vector<float> expected;
  for (int threads : {1, 2, 3, 7}) {
    SessionOptions options;
    options.threads = threads;
    std::unique_ptr<Session> session = makeSession(options);
    ASSERT_TRUE(session->initialize(1).ok());
    for (int step = 0; step < 100; ++step) {
      Blob x(0.1f * static_cast<float>(step), 0.01f);
      ASSERT_TRUE(session->submit("train_job", {x.view()}).ok());
    }
    Expected<Tensor> weight = session->readVariable("weight");
    ASSERT_TRUE(weight.ok());
    if (expected.empty())
      expected = floats(weight->view());
    EXPECT_EQ(floats(weight->view()), expected) << threads;
  }
}

/// The variables after 100 steps.
static std::vector<float> train(const SessionOptions &options) {
  std::unique_ptr<Session> session = makeSession(options);
  EXPECT_TRUE(session->initialize(1).ok());
  for (int step = 0; step < 100; ++step) {
    Blob x(0.1f * static_cast<float>(step), 0.01f);
    EXPECT_TRUE(session->run("copy_job", {x.view()}).ok());
    EXPECT_TRUE(session->run("train_job", {x.view()}).ok());
  }
  Expected<Tensor> weight = session->readVariable("weight");
  EXPECT_TRUE(weight.ok());
  return floats(weight->view());
}

TEST(StressTest, SessionsAtOnceHaveTheBitsOfOneAlone) {
  std::vector<float> expected = train({});
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([&, caller] {
      SessionOptions options;
      options.threads = caller;
      EXPECT_EQ(train(options), expected) << caller;
    });
  for (std::thread &caller : callers)
    caller.join();
}
