//===- MixedTest.cpp - Sessions on several devices ------------------------===//
//
// The device cpu0 and dev1 of MixedArtifact.h with several drivers: one that
// computes at once, and one that completes later and in random order.
//
//===----------------------------------------------------------------------===//

#include "unittests/DelayedDriver.h"
#include "unittests/MixedArtifact.h"
#include "unittests/TestCalls.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <random>
#include <set>

using namespace jobrt;
using namespace jobrt::test;
using nlohmann::json;

namespace {
class MixedTest : public testing::TestWithParam<const char *> {
protected:
  MixedTest() {
    registerDelayedDriver();
    registerTestCall();
  }

  std::unique_ptr<Session> make(const json &manifest = mixedManifest(),
                                int credits = 4) const {
    SessionOptions options;
    options.driver = GetParam();
    options.credits = credits;
    options.threads = 2;
    Expected<std::unique_ptr<Session>> session =
        Session::create(loadTestArtifact(manifest), options);
    EXPECT_TRUE(session.ok()) << session.status().toString();
    return session.ok() ? std::move(*session) : nullptr;
  }

  Blob x{1, 0.5f};
};

/// With drivers of dev1 that fail when they are told to.
class MixedFailureTest : public MixedTest {};

/// What the jobs compute.
struct Model {
  std::vector<float> weight = std::vector<float>(kBlobSize);
  int64_t count = 0;

  void initialize(int64_t seed) {
    for (int64_t i = 0; i < kBlobSize; ++i)
      weight[i] = static_cast<float>(seed + i);
    count = 0;
  }
  /// The first output of a job.
  std::vector<float> run(const std::string &entry,
                         const std::vector<float> &x) {
    static const float constants[16] = {0.5f, 1.5f, 2.5f, 3.5f};
    std::vector<float> y(kBlobSize);
    for (int64_t i = 0; i < kBlobSize; ++i) {
      y[i] = x[i];
      if (entry == "train_job" || entry == "predict_job" ||
          entry == "other_job")
        y[i] *= weight[i];
      if (entry == "predict_job" || entry == "other_job")
        y[i] += constants[i % 16];
      if (entry == "train_job")
        weight[i] += x[i];
    }
    if (entry == "train_job")
      ++count;
    if (entry == "repeat_job")
      count += 4;
    if (entry == "copy_job")
      count = 0;
    return y;
  }
};
} // namespace

static int64_t countOf(const Future &future) {
  int64_t count;
  std::memcpy(&count, future.outputData(1), sizeof(count));
  return count;
}

TEST_P(MixedTest, StepsAreInOrderOnAllDevices) {
  uint64_t seed = testSeed();
  SCOPED_TRACE("JOBRT_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  DelayedScope scope({.seed = seed});
  std::unique_ptr<Session> session = make(mixedManifest(), /*credits=*/8);
  ASSERT_NE(session, nullptr);
  Model model;
  ASSERT_TRUE(session->initialize(3).ok());
  model.initialize(3);
  const char *entries[] = {"train_job", "predict_job", "copy_job", "other_job",
                           "repeat_job"};
  std::vector<int> order;
  for (int step = 0; step < 200; ++step) {
    std::string entry = entries[random() % std::size(entries)];
    Blob input(static_cast<float>(random() % 8), 0.25f);
    bool blocks = random() % 3 == 0;
    Expected<Future> future = blocks ? session->run(entry, {input.view()})
                                     : session->submit(entry, {input.view()});
    ASSERT_TRUE(future.ok()) << future.status().toString();
    std::vector<float> expected = model.run(entry, input.values);
    bool hasCount = future->numOutputs() == 2;
    future->onDone([&, step, entry, expected, hasCount,
                    count = model.count](const Future &done) {
      order.push_back(step);
      ASSERT_TRUE(done.wait().ok()) << done.wait().toString();
      EXPECT_EQ(floats(done.output(0)), expected) << entry << " " << step;
      if (hasCount)
        EXPECT_EQ(countOf(done), count) << entry << " " << step;
    });
    if (random() % 16 == 0) {
      Expected<std::vector<Tensor>> values =
          session->readVariables({"count", "weight"});
      ASSERT_TRUE(values.ok());
      EXPECT_EQ(*static_cast<int64_t *>((*values)[0].data()), model.count);
      EXPECT_EQ(std::memcmp((*values)[1].data(), model.weight.data(), 256), 0);
    }
  }
  ASSERT_TRUE(session->synchronize().ok());
  ASSERT_EQ(order.size(), 200u);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST_P(MixedTest, VariablesAreAtTheirHomes) {
  std::unique_ptr<Session> session = make();
  ASSERT_NE(session, nullptr);
  Blob weight(7);
  int64_t count = 40;
  TensorView countView{DType::kI64, {1}, &count};
  ASSERT_TRUE(
      session->writeVariables({{"weight", weight.view()}, {"count", countView}})
          .ok());
  Expected<Future> trained = session->run("train_job", {x.view()});
  ASSERT_TRUE(trained.ok() && trained->wait().ok());
  EXPECT_EQ(countOf(*trained), 41);
  EXPECT_EQ(floats(trained->output(0))[2], 14);
  Expected<Tensor> read = session->readVariable("weight");
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(static_cast<float *>(read->data())[2], 9);
  ASSERT_TRUE(session->writeVariable("weight", weight.view()).ok());
  Expected<Future> evaluated = session->run("predict_job", {x.view()});
  ASSERT_TRUE(evaluated.ok() && evaluated->wait().ok());
  EXPECT_EQ(floats(evaluated->output(0))[2], 16.5f);
}

TEST_P(MixedTest, MemoryIsReportedByDeviceAndInTotal) {
  std::unique_ptr<Session> session = make();
  ASSERT_NE(session, nullptr);
  MemoryReport memory = session->memory(), first = session->memory(0),
               second = session->memory(1);
  EXPECT_EQ(first.arena, 512);
  EXPECT_EQ(first.bank, 320);
  EXPECT_EQ(first.workspace, 128);
  EXPECT_EQ(second.arena, 768);
  EXPECT_EQ(second.bank, 256);
  EXPECT_EQ(second.workspace, 0);
  EXPECT_EQ(memory.arena, 1280);
  EXPECT_EQ(memory.bank, 576);
  EXPECT_EQ(memory.constants, 128);
  // Four slots of inputs and outputs, and 256 bytes for copies.
  EXPECT_EQ(memory.staging, 4 * (256 + 320) + 256);
  EXPECT_EQ(memory.total(), first.total() + second.total() + memory.staging);
}

/// The part on cpu0 calls 'test.call' before it counts.
static json callingManifest() {
  json manifest = mixedManifest();
  json &train = manifest["entries"][1];
  train["workspace_bytes"] = 128;
  json call = manifest["entries"][3]["commands"][0];
  call["args"][1] = {"arena", 0, 256};
  json &commands = train["commands"];
  commands.insert(commands.begin() + 4, call);
  return manifest;
}

TEST_P(MixedTest, ErrorsSayWhatBecameOfTheVariablesOfAllDevices) {
  std::unique_ptr<Session> session = make(callingManifest());
  ASSERT_NE(session, nullptr);
  ASSERT_TRUE(session->initialize(0).ok());
  {
    CallScope scope({.beforeChunk = [](int64_t chunk) {
      return chunk == 1 ? Status(StatusCode::kInternal, "broken") : Status();
    }});
    Expected<Future> future = session->submit("train_job", {x.view()});
    ASSERT_TRUE(future.ok());
    Status status = future->wait();
    // That of dev1 was written before.
    EXPECT_EQ(status.message(), "job 'train_job', 'hidden': test.call: broken; "
                                "variables may have been changed by this step");
    EXPECT_EQ(status.location(), "train.py:20:8");
  }
  Expected<Future> next = session->run("train_job", {x.view()});
  ASSERT_TRUE(next.ok() && next->wait().ok());
  EXPECT_EQ(countOf(*next), 1) << "the part that failed has not counted";
}

TEST_P(MixedFailureTest, EachFailureReachesItsFuture) {
  uint64_t seed = testSeed();
  DelayedScope scope({.seed = seed, .failOneOf = 9});
  std::unique_ptr<Session> session = make();
  ASSERT_NE(session, nullptr);
  std::map<StatusCode, int> codes;
  for (int i = 0; i < 200; ++i) {
    const char *entry = i % 2 ? "train_job" : "predict_job";
    Expected<Future> future = session->submit(entry, {x.view()});
    ASSERT_TRUE(future.ok());
    Status status = future->wait();
    ++codes[status.code()];
    if (!status.ok())
      EXPECT_TRUE(contains(status.message(), "injected failure"));
  }
  EXPECT_GT(codes[StatusCode::kOk], 0);
  EXPECT_GT(codes[StatusCode::kInternal], 0);
  EXPECT_EQ(codes.size(), 2u);
}

TEST_P(MixedFailureTest, AFailedCopyNamesBothDevicesAndTheLine) {
  DelayedScope scope({.seed = testSeed(), .failOneOf = 1});
  std::unique_ptr<Session> session = make();
  ASSERT_NE(session, nullptr);
  Expected<Future> future = session->run("predict_job", {x.view()});
  ASSERT_TRUE(future.ok());
  Status status = future->wait();
  EXPECT_TRUE(contains(status.message(),
                       "job 'predict_job', 'weight': copy from dev1 to cpu0: "
                       "injected failure"));
  EXPECT_TRUE(contains(status.message(),
                       "; variables are as they were before this step"));
  EXPECT_EQ(status.location(), "train.py:20:8");
  EXPECT_TRUE(
      contains(session->readVariables({"count", "weight"}).status().message(),
               "injected failure"));
}

TEST_P(MixedTest, StepsThatHaveNotBegunAreCancelled) {
  Gate gate;
  CallScope scope({.beforeChunk = [&](int64_t) {
    gate.wait();
    return Status();
  }});
  std::unique_ptr<Session> session = make(callingManifest());
  ASSERT_NE(session, nullptr);
  ASSERT_TRUE(session->initialize(0).ok());
  Future running = *session->submit("train_job", {x.view()});
  gate.waitForArrivals(1);
  Future waiting = *session->submit("train_job", {x.view()});
  Future other = *session->submit("other_job", {x.view()});
  session->cancel();
  gate.open();
  EXPECT_TRUE(session->synchronize().ok());
  EXPECT_TRUE(running.wait().ok()) << "what has begun goes on on all devices";
  EXPECT_EQ(waiting.wait().code(), StatusCode::kCancelled);
  EXPECT_EQ(other.wait().code(), StatusCode::kCancelled);
  Expected<Tensor> weight = session->readVariable("weight");
  ASSERT_TRUE(weight.ok());
  EXPECT_EQ(static_cast<float *>(weight->data())[2], 4);
}

TEST_P(MixedTest, FunctionsOfTheHostAreCalledInAnyPart) {
  json manifest = mixedManifest();
  json type = json::array({"f32", json::array({64})});
  json call = {{"op", "host_call"}, {"callee", "negate"}, {"queue", 2},
               {"flops", 0},        {"reads", {0}},       {"writes", {0}},
               {"location", 0}};
  call["args"] = json::array({json::array({"bank@1", 0, 256})});
  call["types"] = json::array({type});
  json &commands = manifest["entries"][1]["commands"];
  commands.insert(commands.begin() + 3, call);
  std::unique_ptr<Session> session = make(manifest);
  ASSERT_NE(session, nullptr);
  ASSERT_TRUE(session
                  ->registerFunction("negate",
                                     [](std::span<const HostBuffer> buffers) {
                                       auto *data = static_cast<float *>(
                                           buffers[0].data);
                                       for (int i = 0; i < kBlobSize; ++i)
                                         data[i] = -data[i];
                                       return Status();
                                     })
                  .ok());
  ASSERT_TRUE(session->initialize(5).ok());
  Expected<Future> future = session->run("train_job", {x.view()});
  ASSERT_TRUE(future.ok() && future->wait().ok());
  Expected<Tensor> weight = session->readVariable("weight");
  ASSERT_TRUE(weight.ok());
  // -(5 + 2) + 2.
  EXPECT_EQ(static_cast<float *>(weight->data())[2], -5);
}

TEST_P(MixedTest, InputsAreCheckedBeforeTheFirstPart) {
  json manifest = mixedManifest();
  json &input = manifest["entries"][1]["inputs"][0];
  input["checked"] = true;
  input["location"] = 0;
  std::unique_ptr<Session> session = make(manifest);
  ASSERT_NE(session, nullptr);
  ASSERT_TRUE(session->initialize(0).ok());
  Blob bad(1);
  bad.values[3] = std::numeric_limits<float>::infinity();
  Expected<Future> future = session->run("train_job", {bad.view()});
  ASSERT_TRUE(future.ok());
  EXPECT_EQ(
      future->wait().message(),
      "job 'train_job', 'input x': expects finite values but got infinity "
      "in step 1 of this job; variables are as they were before this "
      "step");
  Expected<Tensor> weight = session->readVariable("weight");
  ASSERT_TRUE(weight.ok());
  EXPECT_EQ(static_cast<float *>(weight->data())[2], 2);
}

TEST_P(MixedTest, ConstantsOfOneDeviceAreCopiedToAnother) {
  json manifest = mixedManifest();
  manifest["entries"][2]["commands"][0]["args"] = {{"constant@1", 0, 64},
                                                   {"arena", 0, 64}};
  std::unique_ptr<Session> session = make(manifest);
  ASSERT_NE(session, nullptr);
  Expected<Future> future = session->run("predict_job", {x.view()});
  ASSERT_TRUE(future.ok() && future->wait().ok());
  // x * constant + constant.
  EXPECT_EQ(floats(future->output(0))[1], 1.5f * 1.5f + 1.5f);
}

TEST_P(MixedTest, ASessionEndsWithStepsInFlight) {
  std::unique_ptr<Session> session = make();
  ASSERT_NE(session, nullptr);
  ASSERT_TRUE(session->initialize(0).ok());
  std::vector<Future> futures;
  for (int i = 0; i < 4; ++i)
    futures.push_back(*session->submit("train_job", {x.view()}));
  session.reset();
  for (const Future &future : futures)
    EXPECT_TRUE(future.wait().ok());
  EXPECT_EQ(countOf(futures.back()), 4);
}

TEST_P(MixedTest, TracesHaveRowsForEachDevice) {
  TemporaryFolder folder;
  std::string path = folder.file("trace.json");
  std::unique_ptr<Session> session = make();
  ASSERT_NE(session, nullptr);
  ASSERT_TRUE(session->startTrace({path, 10}).ok());
  for (const char *entry : {"train_job", "repeat_job", "other_job"}) {
    Expected<Future> future = session->run(entry, {x.view()});
    ASSERT_TRUE(future.ok() && future->wait().ok());
  }
  ASSERT_TRUE(session->finishTrace().ok());
  std::ifstream stream(path);
  json trace = json::parse(stream);
  std::map<int, std::string> tracks;
  std::vector<std::string> parts;
  std::map<std::string, std::set<int>> commands;
  for (const json &event : trace["traceEvents"]) {
    if (event["ph"] == "M" && event["name"] == "thread_name")
      tracks[event["tid"]] = event["args"]["name"];
    if (event["ph"] != "X")
      continue;
    std::string category = event["cat"];
    if (category == "part" || category == "transfer")
      parts.push_back(std::string(event["name"]) + " on " +
                      tracks.at(event["tid"]));
    if (event["args"].contains("command") && category != "chunk" &&
        event["args"]["step"] == 1)
      commands[tracks.at(event["tid"])].insert(
          static_cast<int>(event["args"]["command"]));
  }
  std::vector<std::string> expected = {
      "train_job on device dev1", "copy from dev1 on device cpu0",
      "train_job on device dev1", "train_job on device cpu0",
      "repeat_job on device dev1"};
  for (int i = 0; i < 4; ++i)
    for (const char *row :
         {"copy from dev1 on device cpu0", "repeat_job on device cpu0"})
      expected.push_back(row);
  expected.push_back("repeat_job on device cpu0");
  expected.push_back("other_job on device dev1");
  EXPECT_EQ(parts, expected);
  EXPECT_EQ(commands["queue 2 of dev1"], (std::set<int>{0, 1, 3}));
  EXPECT_EQ(commands["queue 0 of cpu0"], (std::set<int>{2, 4, 5, 6}));
}

static std::string nameOf(const testing::TestParamInfo<const char *> &info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), ',', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(, MixedTest,
                         testing::Values("host,host", "delayed,delayed",
                                         "host,delayed", "delayed,host"),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(, MixedFailureTest,
                         testing::Values("delayed,delayed", "host,delayed"),
                         nameOf);

TEST(MixedOptionsTest, ADriverForEachDevice) {
  auto create = [](const char *driver, const json &manifest) {
    SessionOptions options;
    options.driver = driver;
    return Session::create(loadTestArtifact(manifest), options).status();
  };
  registerTestCall();
  EXPECT_TRUE(contains(create("null", mixedManifest()).message(),
                       "expects 2 drivers, one for each device of host,host, "
                       "but got 'null'"));
  EXPECT_TRUE(contains(create("host,host", testManifest()).message(),
                       "expects a driver but got 'host,host'"));
  EXPECT_TRUE(contains(create("host,disk", mixedManifest()).message(),
                       "but got 'disk'"));
  EXPECT_TRUE(create("", mixedManifest()).ok());
}

TEST(MixedOptionsTest, NullDevicesCompleteEachPart) {
  registerTestCall();
  SessionOptions options;
  options.driver = "null,null";
  Expected<std::unique_ptr<Session>> session =
      Session::create(loadTestArtifact(mixedManifest()), options);
  ASSERT_TRUE(session.ok()) << session.status().toString();
  ASSERT_TRUE((*session)->initialize(3).ok());
  Blob x(1), weight(5);
  ASSERT_TRUE((*session)->writeVariable("weight", weight.view()).ok());
  Expected<Future> future = (*session)->run("train_job", {x.view()});
  ASSERT_TRUE(future.ok() && future->wait().ok());
  EXPECT_EQ(floats(future->output(0)), std::vector<float>(kBlobSize, 0));
  Expected<Tensor> read = (*session)->readVariable("weight");
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(static_cast<float *>(read->data())[0], 5);
}
