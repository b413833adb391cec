//===- LaneTest.cpp - Copies of inputs and outputs beside the steps -------===//

#include "unittests/cuda/Simulated.h"

#include <fstream>

using namespace jobrt;
using namespace jobrt::test;
using nlohmann::json;

namespace {
class LaneTest : public SimulatedCuda {
protected:
  void SetUp() override {
    SimulatedCuda::SetUp();
    Expected<std::unique_ptr<Session>> created = create(load(cudaManifest()));
    ASSERT_TRUE(created.ok()) << created.status().toString();
    session = std::move(*created);
    ASSERT_TRUE(session->initialize(0).ok());
  }
  void TearDown() override {
    SIMULATOR(jobsim_drop_waits)(0, 0);
    session.reset();
    SimulatedCuda::TearDown();
  }

  /// Outputs with another value than copies of the inputs, after `steps` of
  /// copy_job with inputs of their own.
  int countWrongCopies(int steps) {
    std::vector<Future> futures;
    for (int i = 0; i < steps; ++i) {
      Blob x(static_cast<float>(i));
      Expected<Future> future = session->submit("copy_job", {x.view()});
      EXPECT_TRUE(future.ok());
      futures.push_back(*future);
    }
    EXPECT_TRUE(session->synchronize().ok());
    int wrong = 0;
    for (int i = 0; i < steps; ++i)
      wrong +=
          floats(futures[i].output(0)) != Blob(static_cast<float>(i)).values;
    return wrong;
  }

  std::unique_ptr<Session> session;
};

/// From and to, in microseconds.
using Span = std::pair<double, double>;
} // namespace

/// By step, from its number 1 on, the rows of that name, or of commands.
static std::map<int64_t, Span> spansOf(const json &trace, const char *category,
                                       const char *name = nullptr) {
  std::map<int64_t, Span> spans;
  for (const json &event : trace["traceEvents"]) {
    if (event["ph"] != "X" || event["cat"] != category ||
        (name && event["name"] != name))
      continue;
    double begin = event["ts"];
    spans[event["args"]["step"]] = {begin, begin + double(event["dur"])};
  }
  return spans;
}

TEST_F(LaneTest, CopiesOverlapWithOtherSteps) {
  TemporaryFolder folder;
  constexpr int kSteps = 200;
  ASSERT_TRUE(session->startTrace({folder.file("trace.json"), kSteps}).ok());
  Blob x(1);
  for (int i = 0; i < kSteps; ++i)
    ASSERT_TRUE(session->submit("train_job", {x.view()}).ok());
  ASSERT_TRUE(session->synchronize().ok());
  ASSERT_TRUE(session->finishTrace().ok());
  std::ifstream stream(folder.file("trace.json"));
  json trace = json::parse(stream);
  auto steps = spansOf(trace, "step"),
       uploads = spansOf(trace, "copy", "copy inputs to the device"),
       downloads = spansOf(trace, "copy", "copy outputs to the host");
  ASSERT_EQ(steps.size(), size_t(kSteps));
  ASSERT_EQ(uploads.size(), size_t(kSteps));
  ASSERT_EQ(downloads.size(), size_t(kSteps));
  int early = 0, late = 0;
  for (auto next = steps.begin(), step = next++; next != steps.end();
       step = next++) {
    auto [number, span] = *next;
    // Steps are in order, and between their copies.
    EXPECT_LE(step->second.second, span.first + 0.01);
    EXPECT_LE(uploads[number].second, span.first + 0.01);
    EXPECT_LE(span.second, downloads[number].first + 0.01);
    early += uploads[number].second < step->second.second;
    late += downloads[step->first].second > span.first;
  }
  EXPECT_GT(early, kSteps / 20) << "inputs arrive before the last step's end";
  EXPECT_GT(late, kSteps / 20) << "outputs leave after the next step's start";
}

TEST_F(LaneTest, EachWaitOfTheLanesIsNeeded) {
  EXPECT_EQ(countWrongCopies(300), 0);
  // In each step, the inputs wait for the step that had their slot, the
  // commands for the inputs and for the outputs of that step, the outputs for
  // the commands.
  for (int wait = 0; wait < 4; ++wait) {
    SCOPED_TRACE(wait);
    SIMULATOR(jobsim_drop_waits)(wait, 4);
    // Where it shows depends on the order of the streams.
    bool isWrong = false;
    for (int tries = 0; tries < 100 && !isWrong; ++tries)
      isWrong = countWrongCopies(300) > 0;
    EXPECT_TRUE(isWrong);
    SIMULATOR(jobsim_drop_waits)(0, 0);
  }
  EXPECT_EQ(countWrongCopies(300), 0);
}

TEST_F(LaneTest, GraphsAreMadeAtLoad) {
  auto calls = [](const char *name) { return SIMULATOR(jobsim_calls)(name); };
  const char *made[] = {"cuGraphInstantiateWithFlags", "cuMemAlloc_v2",
                        "cuEventCreate", "cuStreamCreate", "cuLaunchKernel"};
  EXPECT_EQ(countWrongCopies(20), 0);
  std::vector<uint64_t> before;
  for (const char *name : made)
    before.push_back(calls(name));
  // All futures are kept.
  EXPECT_EQ(countWrongCopies(50), 0);
  for (size_t i = 0; i < before.size(); ++i)
    if (std::string_view(made[i]) != "cuEventCreate")
      EXPECT_EQ(calls(made[i]), before[i]) << made[i];
  EXPECT_LE(calls("cuEventCreate"), before[2] + 8) << "one a step in flight";
}

TEST_F(LaneTest, MemoryOfTheSlotsIsReported) {
  // The largest entry has inputs of 256 bytes and outputs of 320: of each, two
  // slots on the device, and on the host one for each credit.
  EXPECT_EQ(session->memory().staging, (2 + 8) * (256 + 320));
}
