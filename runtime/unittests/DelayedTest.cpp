//===- DelayedTest.cpp - Sessions on a device that completes later --------===//
//
// The other tests of sessions run on this driver as well (JOBRT_TEST_DRIVER).
// These are about what only such a driver shows: several steps on the device,
// completions in another order, failures at any place.
//
//===----------------------------------------------------------------------===//

#include "unittests/DelayedDriver.h"
#include "unittests/TestArtifact.h"
#include "unittests/TestCalls.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <random>
#include <thread>

using namespace jobrt;
using namespace jobrt::test;
using nlohmann::json;

namespace {
class DelayedTest : public testing::Test {
protected:
  DelayedTest() { registerDelayedDriver(); }

  static std::unique_ptr<Session> makeDelayed(int credits = 4) {
    SessionOptions options;
    options.driver = "delayed";
    options.credits = credits;
    options.threads = 2;
    return makeSession(options);
  }

  Blob x{1};
};
} // namespace

static int64_t countOf(const Future &future) {
  int64_t count;
  std::memcpy(&count, future.outputData(1), sizeof(count));
  return count;
}

TEST_F(DelayedTest, FuturesCompleteInOrderWhateverTheDeviceDoes) {
  int64_t overtaking = numOvertakingCompletions();
  std::unique_ptr<Session> session = makeDelayed(/*credits=*/16);
  ASSERT_TRUE(session->initialize(1).ok());
  std::vector<Future> futures;
  std::vector<int64_t> order;
  for (int i = 1; i <= 300; ++i) {
    Expected<Future> future = session->submit("train_job", {x.view()});
    ASSERT_TRUE(future.ok());
    future->onDone([&](const Future &done) { order.push_back(countOf(done)); });
    futures.push_back(*future);
    // Whatever is done has nothing before it that is not.
    size_t first = std::find_if(futures.begin(), futures.end(),
                                [](const Future &f) { return !f.done(); }) -
                   futures.begin();
    for (size_t j = futures.size(); j-- > first;)
      if (futures[j].done())
        EXPECT_TRUE(futures[first].done());
  }
  ASSERT_TRUE(session->synchronize().ok());
  ASSERT_EQ(order.size(), 300u);
  for (int64_t i = 0; i < 300; ++i)
    EXPECT_EQ(order[i], i + 1);
  EXPECT_GT(numOvertakingCompletions(), overtaking)
      << "the device kept the order of itself";
}

TEST_F(DelayedTest, CallsDoNotWaitForTheDevice) {
  Gate gate;
  CallScope scope({.beforeChunk = [&](int64_t) {
    gate.wait();
    return Status();
  }});
  std::unique_ptr<Session> session = makeDelayed();
  std::vector<Future> futures;
  for (int i = 0; i < 4; ++i)
    futures.push_back(*session->submit("copy_job", {x.view()}));
  gate.waitForArrivals(1);
  for (const Future &future : futures)
    EXPECT_FALSE(future.done());
  gate.open();
  EXPECT_TRUE(session->synchronize().ok());
}

TEST_F(DelayedTest, CancelledStepsAreThoseThatHaveNotBegun) {
  Gate gate;
  CallScope scope({.beforeChunk = [&](int64_t) {
    gate.wait();
    return Status();
  }});
  std::unique_ptr<Session> session = makeDelayed();
  Future running = *session->submit("copy_job", {x.view()});
  gate.waitForArrivals(1);
  std::vector<Future> futures;
  for (int i = 0; i < 3; ++i)
    futures.push_back(*session->submit("train_job", {x.view()}));
  session->cancel();
  gate.open();
  EXPECT_TRUE(session->synchronize().ok());
  EXPECT_TRUE(running.wait().ok());
  int64_t trained = 0;
  for (const Future &future : futures) {
    Status status = future.wait();
    if (status.ok())
      EXPECT_EQ(countOf(future), ++trained);
    else
      EXPECT_EQ(status.code(), StatusCode::kCancelled);
  }
  Expected<Tensor> count = session->readVariable("count");
  ASSERT_TRUE(count.ok());
  EXPECT_EQ(*static_cast<int64_t *>(count->data()), trained);
}

TEST_F(DelayedTest, EachFailureReachesItsFuture) {
  uint64_t seed = testSeed();
  DelayedScope scope({.seed = seed, .failOneOf = 5});
  std::unique_ptr<Session> session = makeDelayed(/*credits=*/8);
  std::vector<Future> futures;
  int callbacks = 0;
  for (int i = 0; i < 200; ++i) {
    futures.push_back(*session->submit("train_job", {x.view()}));
    futures.back().onDone([&](const Future &) { ++callbacks; });
  }
  Status first = session->synchronize();
  EXPECT_EQ(callbacks, 200);
  int64_t trained = 0, failed = 0;
  for (const Future &future : futures) {
    Status status = future.wait();
    if (status.ok()) {
      EXPECT_EQ(countOf(future), ++trained);
      continue;
    }
    EXPECT_EQ(status.message(), kInjectedFailure);
    ++failed;
  }
  EXPECT_GT(trained, 0);
  EXPECT_GT(failed, 0);
  EXPECT_EQ(first.message(), kInjectedFailure);
  EXPECT_TRUE(session->synchronize().ok()) << "each error is reported once";
}

TEST_F(DelayedTest, CopiesThatFailAreErrors) {
  DelayedScope scope({.seed = testSeed(), .failOneOf = 1});
  std::unique_ptr<Session> session = makeDelayed();
  EXPECT_EQ(session->readVariable("weight").status().message(),
            kInjectedFailure);
  EXPECT_EQ(session->writeVariable("weight", x.view()).message(),
            kInjectedFailure);
  EXPECT_EQ(session->initialize(1).message(), kInjectedFailure);
}

TEST_F(DelayedTest, VariablesAreReadBetweenSteps) {
  std::unique_ptr<Session> session = makeDelayed(/*credits=*/8);
  for (int64_t round = 0; round < 20; ++round) {
    for (int i = 0; i < 5; ++i)
      ASSERT_TRUE(session->submit("train_job", {x.view()}).ok());
    Expected<Tensor> count = session->readVariable("count");
    ASSERT_TRUE(count.ok());
    EXPECT_EQ(*static_cast<int64_t *>(count->data()), 5 * (round + 1));
  }
}

TEST_F(DelayedTest, ATraceHasTheStepsOfItsTime) {
  TemporaryFolder folder;
  std::unique_ptr<Session> session = makeDelayed(/*credits=*/8);
  auto submitMany = [&](int count) {
    for (int i = 0; i < count; ++i)
      ASSERT_TRUE(session->submit("train_job", {x.view()}).ok());
  };
  for (int kept : {1, 3, 100}) {
    std::string path = folder.file("trace.json");
    submitMany(7);
    ASSERT_TRUE(session->startTrace({path, kept}).ok());
    submitMany(20);
    ASSERT_TRUE(session->finishTrace().ok());
    submitMany(7);
    std::ifstream stream(path);
    json trace = json::parse(stream, nullptr, /*allow_exceptions=*/false);
    ASSERT_FALSE(trace.is_discarded());
    EXPECT_EQ(trace["otherData"]["steps"], std::min(kept, 20));
    EXPECT_EQ(trace["otherData"]["dropped_steps"], 20 - std::min(kept, 20));
    // Rows of a track begin when the ones before have ended.
    for (const char *category : {"step", "completion"}) {
      double last = 0;
      for (const json &event : trace["traceEvents"])
        if (event["ph"] == "X" && event["cat"] == category) {
          // Times have three decimals.
          EXPECT_GE(event["ts"].get<double>(), last - 0.002) << event;
          last = event["ts"].get<double>() + event["dur"].get<double>();
        }
    }
  }
}

TEST_F(DelayedTest, ASessionEndsWithStepsOnTheDevice) {
  std::mt19937_64 random(testSeed());
  for (int round = 0; round < 60; ++round) {
    std::unique_ptr<Session> session =
        makeDelayed(static_cast<int>(random() % 6) + 1);
    std::vector<Future> kept;
    std::atomic<int> callbacks{0};
    int count = static_cast<int>(random() % 8);
    for (int i = 0; i < count; ++i) {
      Future future = *session->submit("copy_job", {x.view()});
      future.onDone([&](const Future &) { ++callbacks; });
      if (random() % 2)
        kept.push_back(std::move(future));
    }
    session.reset();
    EXPECT_EQ(callbacks, count);
    for (const Future &future : kept) {
      EXPECT_TRUE(future.wait().ok());
      EXPECT_EQ(floats(future.output(0)), x.values);
    }
  }
}

TEST_F(DelayedTest, ASessionEndsInItsCallback) {
  std::mt19937_64 random(testSeed());
  for (int round = 0; round < 60; ++round) {
    auto session = std::make_shared<std::unique_ptr<Session>>(makeDelayed());
    std::atomic<int> callbacks{0};
    int count = static_cast<int>(random() % 4) + 1;
    auto last = static_cast<int>(random() % count);
    std::vector<Future> futures;
    for (int i = 0; i < count; ++i)
      futures.push_back(*(*session)->submit("train_job", {x.view()}));
    for (int i = 0; i < count; ++i)
      futures[i].onDone([&, i, last, session](const Future &) {
        if (i == last)
          session->reset();
        ++callbacks;
      });
    while (callbacks < count)
      std::this_thread::yield();
    for (const Future &future : futures)
      EXPECT_TRUE(future.wait().ok());
  }
}

/// Several callers on several sessions at once do everything at random, with
/// failures; some of the sessions are cancelled meanwhile.
static void stress(uint64_t seed, int round) {
  std::mt19937_64 random(seed + round);
  DelayedScope scope({.seed = random(),
                      .maxDelayMicroseconds = 40,
                      .failOneOf = static_cast<int>(random() % 3) * 10});
  constexpr int kSessions = 3, kCallers = 2;
  std::vector<std::unique_ptr<Session>> sessions;
  for (int i = 0; i < kSessions; ++i) {
    SessionOptions options;
    options.driver = "delayed";
    options.threads = static_cast<int>(random() % 3) + 1;
    options.credits = static_cast<int>(random() % 6) + 1;
    sessions.push_back(makeSession(options));
    ASSERT_NE(sessions.back(), nullptr);
  }
  std::vector<std::atomic<int64_t>> trained(kSessions);
  std::atomic<int64_t> registered{0}, called{0};
  auto use = [&](int index, std::mt19937_64 random) {
    Session &session = *sessions[index];
    std::vector<Future> kept;
    auto isExpected = [](const Status &status) {
      return status.ok() || status.code() == StatusCode::kCancelled ||
             status.message() == kInjectedFailure;
    };
    for (int step = 0; step < 40; ++step) {
      auto value = static_cast<float>(random() % 100);
      Blob x(value, 1);
      bool train = random() % 2 == 0;
      const char *entry = train ? "train_job" : "predict_job";
      Expected<Future> future = random() % 2 ? session.submit(entry, {x.view()})
                                             : session.run(entry, {x.view()});
      if (!future.ok()) {
        EXPECT_EQ(future.status().code(), StatusCode::kCancelled);
        continue;
      }
      ++registered;
      future->onDone([&, index, train, isExpected](const Future &done) {
        ++called;
        Status status = done.wait();
        EXPECT_TRUE(isExpected(status)) << status.toString();
        if (status.ok() && train)
          ++trained[index];
      });
      kept.push_back(std::move(*future));
      if (random() % 8 == 0)
        kept.clear();
      if (random() % 8 == 0)
        EXPECT_TRUE(isExpected(session.synchronize()));
      if (random() % 8 == 0)
        EXPECT_TRUE(isExpected(session.readVariable("weight").status()));
      if (random() % 200 == 0)
        session.cancel();
    }
  };
  std::vector<std::thread> callers;
  for (int i = 0; i < kSessions * kCallers; ++i)
    callers.emplace_back(use, i % kSessions, std::mt19937_64(random()));
  for (std::thread &caller : callers)
    caller.join();
  for (int i = 0; i < kSessions; ++i) {
    (void)sessions[i]->synchronize();
    // A copy may fail as well.
    Expected<Tensor> count = sessions[i]->readVariable("count");
    if (count.ok())
      EXPECT_EQ(*static_cast<int64_t *>(count->data()), trained[i].load());
    if (random() % 2)
      sessions[i].reset();
  }
  sessions.clear();
  EXPECT_EQ(called, registered);
}

TEST_F(DelayedTest, Stress) {
  uint64_t seed = testSeed();
  SCOPED_TRACE("JOBRT_TEST_SEED=" + std::to_string(seed));
  for (int round = 0; round < 15; ++round)
    stress(seed, round);
}
