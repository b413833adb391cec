//===- MixedTest.cpp - Sessions on the processor and GPUs -----------------===//

#include "unittests/MixedArtifact.h"
#include "unittests/TestCalls.h"
#include "unittests/cuda/Simulated.h"

#include <cstring>

using namespace jobrt;
using namespace jobrt::test;
using nlohmann::json;

namespace {
/// The simulator reads the number at the first call of any test.
class TwoDevices : public testing::Environment {
  void SetUp() override { setenv("JOBSIM_DEVICES", "2", 0); }
};

class MixedCudaTest : public testing::Test {
protected:
  void SetUp() override {
    registerTestCall();
    setenv("JOBMLIR_CUDA_LIBRARY", JOBRT_SIMULATED_CUDA, 1);
    SIMULATOR(jobsim_set_failures)(nullptr);
    SIMULATOR(jobsim_set_schedule)(JOBSIM_SCHEDULE_RANDOM);
    SIMULATOR(jobsim_set_seed)(testSeed());
  }
  void TearDown() override {
    SIMULATOR(jobsim_set_failures)(nullptr);
    EXPECT_EQ(SIMULATOR(jobsim_report_leaks)(), 0u);
  }

  static Expected<std::unique_ptr<Session>>
  create(const json &manifest = mixedManifest("cuda")) {
    Expected<std::shared_ptr<const Artifact>> artifact =
        loadMixedArtifact(manifest);
    if (!artifact.ok())
      return artifact.status();
    SessionOptions options;
    options.credits = 8;
    options.threads = 2;
    return Session::create(*artifact, options);
  }

  Blob x{1, 0.5f};
};
} // namespace

static testing::Environment *const kTwoDevices =
    testing::AddGlobalTestEnvironment(new TwoDevices);

static int64_t countOf(const Future &future) {
  int64_t count;
  std::memcpy(&count, future.outputData(1), sizeof(count));
  return count;
}

TEST_F(MixedCudaTest, ComputesTheSameAsTheProcessorAlone) {
  Expected<std::unique_ptr<Session>> mixed = create();
  ASSERT_TRUE(mixed.ok()) << mixed.status().toString();
  EXPECT_EQ((*mixed)->artifact().driver(), "host,cuda:0");
  std::unique_ptr<Session> host = makeSession();
  ASSERT_TRUE((*mixed)->initialize(5).ok() && host->initialize(5).ok());
  std::vector<Future> futures, expected;
  for (int step = 0; step < 300; ++step) {
    const char *entry = step % 5 == 4 ? "predict_job" : "train_job";
    Expected<Future> future = step % 3 ? (*mixed)->submit(entry, {x.view()})
                                       : (*mixed)->run(entry, {x.view()});
    ASSERT_TRUE(future.ok());
    futures.push_back(*future);
    expected.push_back(*host->run(entry, {x.view()}));
  }
  for (int step = 0; step < 300; ++step) {
    Status status = futures[step].wait();
    ASSERT_TRUE(status.ok()) << status.toString();
    EXPECT_EQ(floats(futures[step].output(0)), floats(expected[step].output(0)))
        << step;
  }
  EXPECT_EQ(countOf(futures[298]), 240);
  // The same value by a job on the GPU alone.
  Expected<Future> evaluated = (*mixed)->run("predict_job", {x.view()});
  Expected<Future> other = (*mixed)->run("other_job", {x.view()});
  ASSERT_TRUE(evaluated.ok() && other.ok() && other->wait().ok());
  EXPECT_EQ(floats(evaluated->output(0)), floats(other->output(0)));
}

TEST_F(MixedCudaTest, RepeatsGoThroughBothDevices) {
  Expected<std::unique_ptr<Session>> session = create();
  ASSERT_TRUE(session.ok()) << session.status().toString();
  ASSERT_TRUE((*session)->initialize(0).ok());
  for (int step = 1; step <= 20; ++step) {
    Expected<Future> future = (*session)->run("repeat_job", {x.view()});
    ASSERT_TRUE(future.ok() && future->wait().ok());
    EXPECT_EQ(floats(future->output(0)), x.values);
    EXPECT_EQ(countOf(*future), 4 * step);
  }
}

TEST_F(MixedCudaTest, ConstantsAndResultsAreCopiedToOutputs) {
  json manifest = mixedManifest("cuda");
  json &commands = manifest["entries"][1]["commands"];
  auto toOutput = [](json from, int64_t offset) {
    return json{
        {"op", "copy"},
        {"queue", 2},
        {"args", {std::move(from), json::array({"output", offset, 64})}}};
  };
  commands.push_back(toOutput(json::array({"constant@1", 0, 64}), 0));
  commands.push_back(toOutput(json::array({"bank@1", 64, 64}), 128));
  Expected<std::unique_ptr<Session>> session = create(manifest);
  ASSERT_TRUE(session.ok()) << session.status().toString();
  ASSERT_TRUE((*session)->initialize(0).ok());
  Expected<Future> future = (*session)->run("train_job", {x.view()});
  ASSERT_TRUE(future.ok() && future->wait().ok());
  std::vector<float> product = floats(future->output(0));
  EXPECT_EQ(product[1], 1.5f);
  EXPECT_EQ(product[20], 11.0f * 20);
  // The weight 16 and its update.
  EXPECT_EQ(product[32], 16 + 9.0f);
  EXPECT_EQ(countOf(*future), 1);
}

TEST_F(MixedCudaTest, OutputsAndInputsAreCopiedToTheDevice) {
  json manifest = mixedManifest("cuda");
  json &commands = manifest["entries"][1]["commands"];
  auto copy = [](json from, json to) {
    return json{{"op", "copy"},
                {"queue", 2},
                {"args", {std::move(from), std::move(to)}}};
  };
  // In one part of the step, after the processor has written the output.
  commands.push_back(
      copy(json::array({"output", 0, 64}), json::array({"arena@1", 512, 64})));
  commands.push_back(
      copy(json::array({"input", 64, 64}), json::array({"arena@1", 576, 64})));
  commands.push_back(copy(json::array({"arena@1", 512, 128}),
                          json::array({"output", 128, 128})));
  Expected<std::unique_ptr<Session>> session = create(manifest);
  ASSERT_TRUE(session.ok()) << session.status().toString();
  ASSERT_TRUE((*session)->initialize(3).ok());
  Expected<Future> future = (*session)->run("train_job", {x.view()});
  ASSERT_TRUE(future.ok() && future->wait().ok());
  std::vector<float> product = floats(future->output(0));
  EXPECT_NE(product[1], x.values[1]);
  for (int i = 0; i < 16; ++i) {
    EXPECT_EQ(product[32 + i], product[i]);
    EXPECT_EQ(product[48 + i], x.values[16 + i]);
  }
}

/// Both devices are GPUs; what is on cpu0 alone goes.
static json twoGpus() {
  json manifest = mixedManifest("cuda");
  manifest["devices"][0]["kind"] = "cuda";
  manifest["devices"][0]["index"] = 1;
  json train = manifest["entries"][1], init = manifest["entries"][0];
  train["commands"][4]["kernel"] = "jobk_3";
  train["commands"][4]["threads"] = 1;
  manifest["entries"] = {init, train};
  return manifest;
}

TEST_F(MixedCudaTest, TwoGpusAreTwoDevices) {
  Expected<std::unique_ptr<Session>> session = create(twoGpus());
  ASSERT_TRUE(session.ok()) << session.status().toString();
  EXPECT_EQ((*session)->artifact().driver(), "cuda:1,cuda:0");
  ASSERT_TRUE((*session)->initialize(3).ok());
  for (int step = 1; step <= 50; ++step) {
    Expected<Future> future = (*session)->submit("train_job", {x.view()});
    ASSERT_TRUE(future.ok() && future->wait().ok());
    EXPECT_EQ(countOf(*future), step);
    // (3 + i) + x for each step before this one.
    EXPECT_EQ(floats(future->output(0))[2], 2 * (5 + 2.0f * (step - 1)));
  }
}

TEST_F(MixedCudaTest, AGpuThatIsNotThereIsAnError) {
  json manifest = mixedManifest("cuda");
  manifest["devices"][1]["index"] = 7;
  Expected<std::unique_ptr<Session>> session = create(manifest);
  ASSERT_FALSE(session.ok());
  EXPECT_EQ(session.status().code(), StatusCode::kInvalidArgument);
  EXPECT_TRUE(contains(session.status().message(), "7"));
}

TEST_F(MixedCudaTest, EachFailingCallIsACleanError) {
  auto live = [&]() -> Status {
    Expected<std::unique_ptr<Session>> session = create();
    if (!session.ok())
      return session.status();
    Status status = (*session)->initialize(1);
    for (const char *entry : {"train_job", "predict_job", "train_job"}) {
      Expected<Future> future = (*session)->submit(entry, {x.view()});
      Status result = future.ok() ? future->wait() : future.status();
      if (future.ok() && !result.ok())
        // Before the driver has begun, there is no command to speak of.
        EXPECT_TRUE(contains(result.message(), "; variables ") ||
                    contains(result.message(), "cuCtx"));
      if (status.ok())
        status = result;
    }
    Status read = (*session)->readVariables({"weight", "count"}).status();
    return status.ok() ? read : status;
  };
  SIMULATOR(jobsim_reset_counters)();
  Status good = live();
  ASSERT_TRUE(good.ok()) << good.toString();
  uint64_t numCalls = SIMULATOR(jobsim_calls)("any"), numReached = 0;
  for (uint64_t call = 1; call <= numCalls; ++call) {
    std::string failure = "any:" + std::to_string(call) + ":2";
    SCOPED_TRACE(failure);
    ASSERT_EQ(SIMULATOR(jobsim_set_failures)(failure.c_str()), 0);
    Status status = live();
    numReached += expectCleanError(status, /*isUnrecoverable=*/false);
    SIMULATOR(jobsim_set_failures)(nullptr);
    EXPECT_EQ(SIMULATOR(jobsim_report_leaks)(), 0u);
  }
  // The driver polls a few times more or less.
  EXPECT_GT(numReached, numCalls * 9 / 10);
  EXPECT_TRUE(live().ok()) << "a new session works";
}
