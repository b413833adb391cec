//===- SimulatedTest.cpp - The driver cuda on the simulated CUDA ----------===//

#include "unittests/cuda/Simulated.h"
#include "drivers/cuda/CudaContext.h"

using namespace jobrt;
using namespace jobrt::test;
using nlohmann::json;

namespace {
class SimulatedTest : public SimulatedCuda {
protected:
  static Status live(const std::shared_ptr<const Artifact> &artifact);
};
} // namespace

/// Adds a product of two matrices of 4 x 4 to an entry: a call of cuBLASLt.
static void addProduct(json &entry) {
  int64_t arena = entry["arena_bytes"];
  entry["arena_bytes"] = arena + 192;
  entry["workspace_bytes"] = 64;
  entry["commands"].push_back({{"op", "call"},
                               {"callee", "cublaslt.matmul"},
                               {"config",
                                {{"batch", 1},
                                 {"m", 4},
                                 {"n", 4},
                                 {"k", 4},
                                 {"transpose_a", 0},
                                 {"transpose_b", 0},
                                 {"beta", 0},
                                 {"out_f32", 0},
                                 {"type", 0},
                                 {"epilogue", 0},
                                 {"tf32", 0},
                                 {"workspace", 64}}},
                               {"chunks", 1},
                               {"flops", 128},
                               {"reads", {0, 1}},
                               {"writes", {2}},
                               {"name", "product"},
                               {"location", 1},
                               {"args",
                                {{"arena", arena, 64},
                                 {"arena", arena + 64, 64},
                                 {"arena", arena + 128, 64},
                                 {"workspace", 0, 64}}}});
}

TEST_F(SimulatedTest, TenThousandStepsInRandomOrdersOfTheStreams) {
  std::shared_ptr<const Artifact> artifact =
      load(cudaManifest(queueManifest()));
  for (int schedule : {JOBSIM_SCHEDULE_RANDOM, JOBSIM_SCHEDULE_LAZY}) {
    SIMULATOR(jobsim_set_schedule)(schedule);
    Expected<std::unique_ptr<Session>> session = create(artifact);
    ASSERT_TRUE(session.ok()) << session.status().toString();
    ASSERT_TRUE((*session)->initialize(0).ok());
    Blob x(1);
    for (int i = 0; i < 2500; ++i)
      for (const char *job : {"train_job", "queue_job"}) {
        Expected<Future> future = (*session)->submit(job, {x.view()});
        ASSERT_TRUE(future.ok()) << future.status().toString();
        if (i % 100 != 0 || std::string_view(job) != "train_job")
          continue;
        ASSERT_TRUE(future->wait().ok());
        // The product is of the weight before the step.
        EXPECT_EQ(floats(future->output(0)),
                  Blob(static_cast<float>(2 * i), 1).values);
      }
    Status status = (*session)->synchronize();
    ASSERT_TRUE(status.ok()) << status.toString();
    Expected<Tensor> weight = (*session)->readVariable("weight");
    ASSERT_TRUE(weight.ok());
    EXPECT_EQ(floats(weight->view()), Blob(5000, 1).values);
    Expected<Tensor> count = (*session)->readVariable("count");
    ASSERT_TRUE(count.ok());
    EXPECT_EQ(*static_cast<const int64_t *>(count->view().data), 5000);
  }
}

/// A session from its start to its end; its first error.
Status SimulatedTest::live(const std::shared_ptr<const Artifact> &artifact) {
  Expected<std::unique_ptr<Session>> session = create(artifact);
  if (!session.ok())
    return session.status();
  auto nothing = [](std::span<const HostBuffer>) { return Status(); };
  for (const char *name : {"twice", "watch"})
    if (Status status = (*session)->registerFunction(name, nothing);
        !status.ok())
      return status;
  if (Status status = (*session)->initialize(1); !status.ok())
    return status;
  Blob x(1);
  for (int i = 0; i < 2; ++i)
    for (const EntryInfo &entry : artifact->entries()) {
      if (entry.kind == JobKind::kInit)
        continue;
      Expected<Future> future = (*session)->submit(entry.name, {x.view()});
      if (!future.ok())
        return future.status();
    }
  if (Status status = (*session)->synchronize(); !status.ok())
    return status;
  return (*session)->readVariable("weight").status();
}

TEST_F(SimulatedTest, EachFailingCallIsACleanError) {
  json manifest = queueManifest();
  manifest["entries"].push_back(hostCallManifest()["entries"].back());
  manifest = cudaManifest(manifest);
  addProduct(manifest["entries"][2]);
  std::shared_ptr<const Artifact> artifact = load(manifest);
  SIMULATOR(jobsim_reset_counters)();
  Status good = live(artifact);
  ASSERT_TRUE(good.ok()) << good.toString();
  uint64_t numCalls = SIMULATOR(jobsim_calls)("any");
  for (const char *error : {"2", "719"}) {
    uint64_t numReached = 0;
    for (uint64_t call = 1; call <= numCalls; ++call) {
      std::string failure = "any:" + std::to_string(call) + ":" + error;
      SCOPED_TRACE(failure);
      ASSERT_EQ(SIMULATOR(jobsim_set_failures)(failure.c_str()), 0);
      Status status = live(artifact);
      numReached += expectCleanError(status, std::string_view(error) == "719");
      SIMULATOR(jobsim_set_failures)(nullptr);
      SIMULATOR(jobsim_relaunch)();
      EXPECT_EQ(SIMULATOR(jobsim_report_leaks)(), 0u);
    }
    // The driver polls a few times more or less.
    EXPECT_GT(numReached, numCalls * 9 / 10);
    EXPECT_TRUE(live(artifact).ok()) << "a new session works";
  }
}

TEST_F(SimulatedTest, CallsOfLibrariesAreReportedAndNamed) {
  json manifest = cudaManifest();
  addProduct(manifest["entries"][2]);
  const std::string entry = manifest["entries"][2]["name"];
  {
    Expected<std::unique_ptr<Session>> session = create(load(manifest));
    ASSERT_TRUE(session.ok()) << session.status().toString();
    std::vector<CallReport> calls = (*session)->calls();
    ASSERT_EQ(calls.size(), 1u);
    EXPECT_EQ(calls[0].entry, entry);
    EXPECT_EQ(calls[0].name, "product");
    EXPECT_EQ(calls[0].callee, "cublaslt.matmul");
    EXPECT_EQ(calls[0].algorithm,
              "algorithm 1, tile 0, stages 0, 0 bytes of workspace");
  }
  // At load, and in a step.
  SIMULATOR(jobsim_set_failures)("cublasLtMatmulAlgoGetHeuristic:1");
  Expected<std::unique_ptr<Session>> refused = create(load(manifest));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.status().code(), StatusCode::kUnimplemented);
  EXPECT_TRUE(contains(refused.status().message(),
                       "job '" + entry +
                           "': 'product': cublaslt.matmul: "
                           "cublasLtMatmulAlgoGetHeuristic failed with "
                           "CUBLAS_STATUS_NOT_SUPPORTED"))
      << refused.status().message();
  EXPECT_FALSE(refused.status().location().empty());
  // Where the graphs of the steps are made, at load as well.
  SIMULATOR(jobsim_set_failures)("cublasLtMatmul:1");
  refused = create(load(manifest));
  ASSERT_FALSE(refused.ok());
  EXPECT_TRUE(contains(refused.status().message(),
                       "job '" + entry +
                           "', 'product': cublaslt.matmul: cublasLtMatmul "
                           "failed with CUBLAS_STATUS_EXECUTION_FAILED"))
      << refused.status().message();
  EXPECT_FALSE(refused.status().location().empty());
}

TEST_F(SimulatedTest, TheContextOfTheCallerStaysCurrent) {
  json manifest = cudaManifest();
  addProduct(manifest["entries"][2]);
  Expected<std::shared_ptr<const cuda::Api>> api = cuda::Api::open("");
  ASSERT_TRUE(api.ok()) << api.status().toString();
  cuda::Context other = nullptr;
  ASSERT_EQ((*api)->devicePrimaryCtxRetain(&other, 1), cuda::kSuccess);
  for (cuda::Context own : {cuda::Context(), other}) {
    ASSERT_EQ((*api)->ctxSetCurrent(own), cuda::kSuccess);
    auto expectOwn = [&](const char *call) {
      cuda::Context current = nullptr;
      EXPECT_EQ((*api)->ctxGetCurrent(&current), cuda::kSuccess);
      EXPECT_EQ(current, own) << "after " << call;
    };
    Expected<std::unique_ptr<Session>> session = create(load(manifest));
    ASSERT_TRUE(session.ok()) << session.status().toString();
    expectOwn("create");
    EXPECT_TRUE((*session)->initialize(1).ok());
    expectOwn("initialize");
    {
      Blob x(1);
      Expected<Future> future = (*session)->submit("predict_job", {x.view()});
      ASSERT_TRUE(future.ok());
      expectOwn("submit");
      EXPECT_TRUE(future->wait().ok());
      expectOwn("wait");
    }
    EXPECT_TRUE((*session)->readVariable("weight").ok());
    expectOwn("readVariable");
    (*session).reset();
    expectOwn("the end of the session");
  }
  (void)(*api)->ctxSetCurrent(nullptr);
  EXPECT_EQ((*api)->devicePrimaryCtxRelease(1), cuda::kSuccess);
}

TEST_F(SimulatedTest, GlobalCapturesOfOtherThreadsStayValid) {
  Expected<std::shared_ptr<const cuda::Api>> api = cuda::Api::open("");
  ASSERT_TRUE(api.ok()) << api.status().toString();
  Expected<std::unique_ptr<Session>> session = create(load(cudaManifest()));
  ASSERT_TRUE(session.ok()) << session.status().toString();
  ASSERT_TRUE((*session)->initialize(1).ok());
  ASSERT_TRUE((*session)->synchronize().ok());
  Expected<std::shared_ptr<cuda::DeviceContext>> context =
      cuda::DeviceContext::create(*api, 0);
  ASSERT_TRUE(context.ok()) << context.status().toString();
  cuda::ContextScope scope(**context);
  Expected<cuda::Owned<cuda::Stream>> stream = cuda::createStream(**context);
  ASSERT_TRUE(stream.ok()) << stream.status().toString();
  ASSERT_EQ((*api)->streamBeginCapture(stream->get(), cuda::kCaptureGlobal),
            cuda::kSuccess);
  // The driver's thread waits for the step.
  Blob x(1);
  Expected<Future> future = (*session)->submit("predict_job", {x.view()});
  ASSERT_TRUE(future.ok()) << future.status().toString();
  EXPECT_TRUE(future->wait().ok());
  cuda::Graph graph = nullptr;
  EXPECT_EQ((*api)->streamEndCapture(stream->get(), &graph), cuda::kSuccess)
      << SIMULATOR(jobsim_last_fault)();
  EXPECT_EQ((*api)->graphDestroy(graph), cuda::kSuccess);
}

TEST_F(SimulatedTest,
       MemoryThatLibrariesAndGraphsDoNotGetIsAnErrorWithTheRest) {
  json manifest = cudaManifest();
  json &entry = manifest["entries"][2];
  addProduct(entry);
  entry["arena_bytes"] = 1 << 20;
  entry["peak"] = {{{"bytes", 256},
                    {"type", "64xf32"},
                    {"name", "hidden"},
                    {"location", 1}}};
  // The simulator knows the functions of a library that is open.
  ASSERT_TRUE(create(load(manifest)).ok());
  for (const char *call : {"cublasLtCreate", "cuGraphInstantiateWithFlags"}) {
    SIMULATOR(jobsim_set_failures)((std::string(call) + ":1").c_str());
    Expected<std::unique_ptr<Session>> session = create(load(manifest));
    ASSERT_FALSE(session.ok());
    Status status = session.status();
    EXPECT_EQ(status.code(), StatusCode::kResourceExhausted);
    EXPECT_TRUE(contains(status.message(), std::string(call) + " failed with"));
    for (const char *part :
         {"; libraries and graphs need memory of cuda:0, of which ",
          " bytes are free, beside the ",
          " bytes of the session: an arena of 1048576, variables of ",
          "; the largest blobs of job 'predict_job':\n  256 bytes, 64xf32 of "
          "'hidden', train.py:20:8"})
      EXPECT_TRUE(contains(status.message(), part)) << status.message();
  }
}

TEST_F(SimulatedTest, AfterAStepThatFaultsTheProcessHasToBeRestarted) {
  json manifest = cudaManifest();
  json &dispatch = manifest["entries"][2]["commands"][2];
  ASSERT_EQ(dispatch["op"], "dispatch");
  dispatch["kernel"] = "fault";
  dispatch["args"] = json::array({dispatch["args"][2]});
  dispatch["reads"] = json::array();
  dispatch["writes"] = json::array({0});
  {
    Expected<std::unique_ptr<Session>> session = create(load(manifest));
    ASSERT_TRUE(session.ok()) << session.status().toString();
    ASSERT_TRUE((*session)->initialize(1).ok());
    Blob x(1);
    Expected<Future> future = (*session)->submit("predict_job", {x.view()});
    ASSERT_TRUE(future.ok());
    Status status = future->wait();
    ASSERT_FALSE(status.ok());
    EXPECT_TRUE(contains(status.message(), "job 'predict_job', step 1: "));
    EXPECT_TRUE(contains(status.message(), "CUDA_ERROR_"));
    EXPECT_TRUE(contains(status.message(),
                         "; restart the process to use the GPU again"));
    EXPECT_TRUE(contains(status.message(),
                         "; variables are as they were before this step"));
    // The device does nothing any more.
    EXPECT_FALSE((*session)->readVariable("weight").ok());
    (void)(*session)->synchronize();
  }
  Expected<std::unique_ptr<Session>> session = create(load(cudaManifest()));
  ASSERT_FALSE(session.ok());
  EXPECT_TRUE(contains(session.status().message(),
                       "; restart the process to use the GPU again"));
  SIMULATOR(jobsim_relaunch)();
  session = create(load(cudaManifest()));
  ASSERT_TRUE(session.ok()) << session.status().toString();
  ASSERT_TRUE((*session)->initialize(1).ok());
  Blob x(1);
  Expected<Future> future = (*session)->run("predict_job", {x.view()});
  ASSERT_TRUE(future.ok());
  ASSERT_TRUE(future->wait().ok());
  EXPECT_EQ(floats(future->output(0))[0], 1.5f);
}
