//===- QueueTest.cpp - Commands on several queues -------------------------===//

#include "drivers/host/HostDriver.h"
#include "lib/executor/Manifest.h"
#include "unittests/TestArtifact.h"
#include "unittests/TestCalls.h"

#include <chrono>
#include <fstream>
#include <set>
#include <thread>

using namespace jobrt;
using namespace jobrt::test;
using nlohmann::json;

namespace {
/// Lets queues choose at random until the end of the scope.
class RandomOrders {
public:
  explicit RandomOrders(uint64_t seed) { randomizeQueues(seed); }
  ~RandomOrders() { randomizeQueues(0); }
};

/// What queue_job computes, step by step.
class Reference {
public:
  std::vector<float> step(const std::vector<float> &x) {
    std::vector<float> y(kBlobSize);
    for (int64_t i = 0; i < kBlobSize; ++i) {
      float constant = i % 16 < 4 ? 0.5f + static_cast<float>(i % 16) : 0.0f;
      float sum = x[i] * weight[i] + constant;
      weight[i] += x[i];
      y[i] = sum * weight[i];
    }
    return y;
  }

private:
  std::vector<float> weight = std::vector<float>(kBlobSize);
};
} // namespace

static json &commandsOf(json &manifest) {
  return manifest["entries"][4]["commands"];
}

static std::unique_ptr<Session> makeQueueSession(int threads,
                                                 const json &manifest) {
  SessionOptions options;
  options.threads = threads;
  return makeSession(options, manifest);
}

/// The number of steps of `count` whose result is not the reference's.
static int countWrongSteps(const json &manifest, int threads, int count) {
  std::unique_ptr<Session> session = makeQueueSession(threads, manifest);
  Reference reference;
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    Blob x(0.1f, 0.3f);
    Expected<Future> future = session->run("queue_job", {x.view()});
    EXPECT_TRUE(future.ok() && future->wait().ok());
    wrong += floats(future->output(0)) != reference.step(x.values);
  }
  return wrong;
}

TEST(QueueTest, AThousandRandomOrdersHaveTheSameBits) {
  uint64_t seed = testSeed();
  SCOPED_TRACE("JOBRT_TEST_SEED=" + std::to_string(seed));
  EXPECT_EQ(countWrongSteps(queueManifest(), /*threads=*/1, 10), 0);
  RandomOrders orders(seed | 1);
  for (int threads : {1, 2, 3})
    EXPECT_EQ(countWrongSteps(queueManifest(), threads, 1000), 0)
        << threads << " threads";
}

TEST(QueueTest, AMissingWaitShowsInRandomOrders) {
  RandomOrders orders(/*seed=*/1);
  for (size_t wait : {3, 7}) {
    json manifest = queueManifest();
    commandsOf(manifest).erase(wait);
    EXPECT_GT(countWrongSteps(manifest, /*threads=*/1, 1000), 0)
        << "without command " << wait;
  }
}

TEST(QueueTest, QueuesOfARepeatJoinAtItsBorders) {
  // All commands run four times, and the second queue of an iteration begins
  // with the update, which the first one of the iteration before reads.
  json manifest = queueManifest();
  json repeat = {{"op", "repeat"}, {"count", 4}, {"commands", json::array()}};
  repeat["commands"] = commandsOf(manifest);
  commandsOf(manifest) = json::array({repeat});
  RandomOrders orders(/*seed=*/1);
  for (int threads : {1, 3}) {
    std::unique_ptr<Session> session = makeQueueSession(threads, manifest);
    Reference reference;
    for (int i = 0; i < 50; ++i) {
      Blob x(0.1f, 0.3f);
      Expected<Future> future = session->run("queue_job", {x.view()});
      ASSERT_TRUE(future.ok() && future->wait().ok());
      std::vector<float> expected;
      for (int iteration = 0; iteration < 4; ++iteration)
        expected = reference.step(x.values);
      EXPECT_EQ(floats(future->output(0)), expected);
    }
  }
}

/// Two calls of one chunk, on two queues: from x to the arena and to y.
static json twoCalls() {
  json manifest = queueManifest();
  json call = commandsOf(manifest)[2];
  call["chunks"] = 1;
  json other = call;
  other["queue"] = 0;
  other["args"][1] = json::array({"output", 0, 256});
  other["args"][2] = json::array({"workspace", 128, 128});
  manifest["entries"][4]["workspace_bytes"] = 256;
  commandsOf(manifest) = json::array({call, other});
  return manifest;
}

TEST(QueueTest, QueuesOverlapAndTheTraceShowsIt) {
  // Each call waits until the other has begun.
  std::atomic<int> begun{0};
  CallScope scope({.beforeChunk = [&](int64_t) -> Status {
    ++begun;
    auto start = std::chrono::steady_clock::now();
    while (begun < 2) {
      std::this_thread::yield();
      if (std::chrono::steady_clock::now() - start > std::chrono::seconds(20))
        return Status(StatusCode::kInternal, "the queues do not overlap");
    }
    return {};
  }});
  TemporaryFolder folder;
  std::string path = folder.file("trace.json");
  std::unique_ptr<Session> session =
      makeQueueSession(/*threads=*/2, twoCalls());
  ASSERT_TRUE(session->startTrace({path, /*steps=*/1}).ok());
  Blob x(1);
  Expected<Future> future = session->run("queue_job", {x.view()});
  ASSERT_TRUE(future.ok());
  ASSERT_TRUE(future->wait().ok()) << future->wait().toString();
  EXPECT_EQ(floats(future->output(0)), x.values);
  ASSERT_TRUE(session->finishTrace().ok());

  std::ifstream stream(path);
  json trace = json::parse(stream, nullptr, /*allow_exceptions=*/false);
  ASSERT_FALSE(trace.is_discarded());
  std::map<std::string, int64_t> tracks;
  std::vector<json> calls;
  for (const json &event : trace["traceEvents"]) {
    if (event["ph"] == "M" && event["name"] == "thread_name")
      tracks[event["args"]["name"]] = event["tid"];
    if (event["ph"] == "X" && event["cat"] == "call" &&
        event["args"].contains("command"))
      calls.push_back(event);
  }
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0]["tid"], tracks.at("queue 1"));
  EXPECT_EQ(calls[1]["tid"], tracks.at("queue 0"));
  auto endOf = [](const json &event) {
    return event["ts"].get<double>() + event["dur"].get<double>();
  };
  EXPECT_LT(calls[0]["ts"], endOf(calls[1]));
  EXPECT_LT(calls[1]["ts"], endOf(calls[0]));
}

TEST(QueueTest, ATraceHasAllCommandsOfAStep) {
  for (int threads : {1, 3}) {
    TemporaryFolder folder;
    std::string path = folder.file("trace.json");
    std::unique_ptr<Session> session =
        makeQueueSession(threads, queueManifest());
    ASSERT_TRUE(session->startTrace({path, /*steps=*/10}).ok());
    Blob x(1);
    for (int i = 0; i < 5; ++i)
      ASSERT_TRUE(session->run("queue_job", {x.view()})->wait().ok());
    ASSERT_TRUE(session->finishTrace().ok());
    std::ifstream stream(path);
    json trace = json::parse(stream, nullptr, /*allow_exceptions=*/false);
    std::map<std::pair<int64_t, int64_t>, std::pair<double, double>> spans;
    std::map<int64_t, int> chunks;
    for (const json &event : trace["traceEvents"]) {
      if (event["ph"] != "X" || !event["args"].contains("command"))
        continue;
      int64_t step = event["args"]["step"], number = event["args"]["command"];
      if (event["cat"] == "chunk") {
        ++chunks[number];
        continue;
      }
      double begin = event["ts"];
      EXPECT_TRUE(spans
                      .try_emplace({step, number}, begin,
                                   begin + event["dur"].get<double>())
                      .second);
    }
    EXPECT_EQ(spans.size(), 5u * 10u);
    for (int64_t number : {0, 2, 4, 6, 8})
      EXPECT_EQ(chunks[number], 5 * 4);
    // Pairs of which the first ends before the second begins.
    const std::pair<int, int> ordered[] = {{0, 1}, {0, 4}, {2, 4}, {4, 5},
                                           {0, 6}, {4, 8}, {6, 8}, {5, 9}};
    for (int64_t step = 1; step <= 5; ++step)
      for (auto [before, after] : ordered)
        EXPECT_LE((spans[{step, before}].second),
                  (spans[{step, after}].first + 0.002))
            << step << ": " << before << " and " << after;
  }
}

TEST(QueueTest, TheFirstErrorOfTheListIsReported) {
  // Both calls fail, the one on queue 1 is the first of the list.
  json manifest = twoCalls();
  commandsOf(manifest)[1]["name"] = "other";
  CallScope scope({.beforeChunk = [](int64_t) {
    return Status(StatusCode::kInternal, "no");
  }});
  RandomOrders orders(/*seed=*/1);
  for (int threads : {1, 3}) {
    std::unique_ptr<Session> session = makeQueueSession(threads, manifest);
    for (int i = 0; i < 50; ++i) {
      Blob x(1);
      Status status = session->run("queue_job", {x.view()})->wait();
      EXPECT_EQ(status.message(), "job 'queue_job', 'hidden': test.call: no; "
                                  "variables are as they were before this "
                                  "step");
    }
  }
}

TEST(QueueTest, AFailedStepEndsAndTheNextOneRuns) {
  std::atomic<bool> fails{true};
  CallScope scope({.beforeChunk = [&](int64_t chunk) -> Status {
    if (fails && chunk == 2)
      return Status(StatusCode::kInternal, "no");
    return {};
  }});
  RandomOrders orders(/*seed=*/1);
  for (int threads : {1, 3}) {
    fails = true;
    std::unique_ptr<Session> session =
        makeQueueSession(threads, queueManifest());
    for (int i = 0; i < 50; ++i) {
      Blob x(1);
      Status status = session->run("queue_job", {x.view()})->wait();
      EXPECT_EQ(status.message(), "job 'queue_job', 'hidden': test.call: no; "
                                  "variables may have been changed by this "
                                  "step");
    }
    fails = false;
    ASSERT_TRUE(session->initialize(1).ok());
    Blob x(1);
    EXPECT_TRUE(session->run("queue_job", {x.view()})->wait().ok());
  }
}

namespace {
struct BadRow {
  const char *pointer, *value, *message;
};
} // namespace

static const BadRow kBadRows[] = {
    {"/devices", "[]", "devices: expects 1 to 64 devices but got 0"},
    {"/devices/0/kind", "\"tpu\"",
     "devices[0].kind: expects host or cuda but got 'tpu'"},
    {"/devices/0/queues", "65",
     "devices[0].queues: expects an integer from 1 to 64 but got 65"},
    {"/devices/0/queues", "1",
     "entries[4].commands[2].queue: expects an integer from 0 to 0 but got 1"},
    {"/entries/4/commands/2/queue", "2",
     "entries[4].commands[2].queue: expects an integer from 0 to 1 but got 2"},
    {"/entries/4/commands/2/queue", "-1",
     "entries[4].commands[2].queue: expects an integer from 0 to 1 but got -1"},
    {"/entries/4/commands/1/event", "1",
     "entries[4].commands[1].event: expects 0, the number of events recorded "
     "before, but got 1"},
    // With it, each queue would wait for the other one.
    {"/entries/4/commands/3/event", "1",
     "entries[4].commands[3].event: expects an event that was recorded before, "
     "one of 1, but got 1"},
    {"/entries/4/commands/3/args", "[[\"arena\", 0, 64]]",
     "entries[4].commands[3].args: expects 0 buffers but got 1"},
    {"/entries/4/commands/3/chunks", "2",
     "entries[4].commands[3].chunks: expects an integer from 1 to 1 but got 2"},
    {"/entries/4/commands/2/chunks", "1073741824",
     "entries[4].commands: expects at most 1073741824 chunks in commands of "
     "several queues but got more"},
};

TEST(QueueTest, RefusesABadManifest) {
  ASSERT_TRUE(parseManifest(queueManifest().dump()).ok());
  for (const BadRow &row : kBadRows) {
    json manifest = queueManifest();
    manifest[json::json_pointer(row.pointer)] = json::parse(row.value);
    Expected<Manifest> parsed = parseManifest(manifest.dump());
    ASSERT_FALSE(parsed.ok()) << row.message;
    EXPECT_EQ(parsed.status().code(), StatusCode::kDataLoss);
    EXPECT_TRUE(contains(parsed.status().message(), row.message));
  }
}

TEST(QueueTest, IsReadWithItsQueuesAndEvents) {
  Expected<Manifest> manifest = parseManifest(queueManifest().dump());
  ASSERT_TRUE(manifest.ok()) << manifest.status().toString();
  EXPECT_EQ(manifest->devices[0].numQueues, 2);
  EXPECT_EQ(manifest->entries[1].numQueues, 1);
  const EntryInfo &entry = manifest->entries[4];
  EXPECT_EQ(entry.numQueues, 2);
  EXPECT_EQ(entry.numEvents, 2);
  EXPECT_EQ(entry.commands[1].kind, Command::Kind::kRecord);
  EXPECT_EQ(entry.commands[7].kind, Command::Kind::kWait);
  EXPECT_EQ(entry.commands[7].event, 1);
  EXPECT_EQ(entry.commands[7].queue, 0);
  EXPECT_EQ(entry.commands[9].queue, 1);
}
