//===- CudnnAttentionErrorTest.cpp - Engines and errors of attention ------===//

#include "drivers/cuda/cudnn/Cudnn.h"
#include "unittests/cuda/CudnnAttentionCases.h"
#include "unittests/cuda/LibraryTest.h"
#include "unittests/cuda/Simulated.h"

using namespace jobrt;
using namespace jobrt::test;
using calls::CudnnAttention;
using calls::CudnnAttentionGrad;
using cuda::DevicePointer;

namespace {
class CudnnAttentionErrorTest : public LibraryTest {
protected:
  void SetUp() override {
    setenv("JOBMLIR_CUDA_LIBRARY", JOBRT_SIMULATED_CUDA, 1);
    LibraryTest::SetUp();
  }

  std::string algorithmOf(const Command &command) {
    auto call = libraries->prepare(command);
    EXPECT_TRUE(call.ok()) << call.status().toString();
    return call.ok() ? (*call)->algorithm() : "";
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Engines
//===----------------------------------------------------------------------===//

TEST_F(CudnnAttentionErrorTest, TheEngineIsTheFirstThatMayBeUsed) {
  auto forward = of<CudnnAttention>(shape(4, 2, 100, 130, 8, 8, true));
  auto grad = of<CudnnAttentionGrad>(forward);
  EXPECT_EQ(algorithmOf(makeCommand(forward)),
            "engine 1, knobs 2=1, 256 bytes of workspace");
  // 8 heads of 128 x 256 gradients of scores.
  EXPECT_EQ(algorithmOf(makeCommand(grad)),
            "engine 1, knobs 2=1, 524544 bytes of workspace");
  grad.batch_parts = 2;
  EXPECT_EQ(algorithmOf(makeCommand(grad)),
            "engine 1, knobs 2=1, 262400 bytes of workspace");
  grad.workspace = 64;
  expectError(prepare(makeCommand(grad)), StatusCode::kUnimplemented,
              "cuDNN has no deterministic engine for it with a workspace of 64 "
              "bytes");
}

/// On Blackwell the library does not suggest the engine that is deterministic.
TEST_F(CudnnAttentionErrorTest, AnEngineIsChosenByItsConfiguration) {
  auto config = of<CudnnAttentionGrad>(shape(2, 2, 5, 7, 8, 8, true));
  auto cudnn = cuda::cudnn::Api::open(api());
  ASSERT_TRUE(cudnn.ok()) << cudnn.status().toString();
  cuda::cudnn::Handle handle = nullptr;
  ASSERT_EQ((*cudnn)->create(&handle), cuda::cudnn::kSuccess);
  {
    auto graph = cuda::cudnn::createAttentionGrad(**cudnn, handle, config);
    ASSERT_TRUE(graph.ok()) << graph.status().toString();
    cuda::cudnn::EngineLimits limits;
    limits.allowsTensorCores = true;
    cuda::cudnn::EngineChoice choice =
        cuda::cudnn::getBlackwellAttentionGrad((*cudnn)->version, 0);
    auto create = [&] {
      return cuda::cudnn::ExecutionPlan::create(**cudnn, handle, *graph, limits,
                                                15, choice);
    };
    auto plan = create();
    ASSERT_TRUE(plan.ok()) << plan.status().toString();
    EXPECT_EQ(plan->algorithm(),
              "engine 5, knobs 24=31 14=2, 0 bytes of workspace");
    choice.knobs.pop_back();
    expectError(create().status(), StatusCode::kUnimplemented,
                "cuDNN has no deterministic engine for it with a workspace of "
                "0 bytes");
    choice.index = 99;
    expectError(create().status(), StatusCode::kUnimplemented,
                "cuDNN has no deterministic engine for it");
  }
  ASSERT_EQ((*cudnn)->destroy(handle), cuda::cudnn::kSuccess);
}

/// As NVIDIA's frontend 1.32 has them.
TEST(CudnnAttentionChoice, DependsOnVersionAndDevice) {
  using Knobs = std::vector<std::pair<int, int64_t>>;
  const Knobs byNumber = {{24, 31}, {14, 2}},
              byTile = {{40, 3}, {41, 2}, {24, 2}, {38, 0}, {27, 0}, {14, 2}};
  for (auto [version, knobs] : {std::pair(91800, byNumber),
                                {92299, byNumber},
                                {92300, byTile},
                                {92800, byTile}})
    for (auto [minor, engine] : {std::pair(0, 5), {3, 5}, {4, 17}}) {
      SCOPED_TRACE(testing::Message()
                   << "cuDNN " << version << ", device 10." << minor);
      auto choice = cuda::cudnn::getBlackwellAttentionGrad(version, minor);
      EXPECT_EQ(choice.index, engine);
      EXPECT_EQ(choice.knobs, knobs);
    }
}

TEST_F(CudnnAttentionErrorTest, OldVersionsAreRefused) {
  auto opened = cuda::cudnn::Api::open(api());
  ASSERT_TRUE(opened.ok()) << opened.status().toString();
  cuda::cudnn::Api cudnn = **opened;
  cuda::cudnn::Handle handle = nullptr;
  ASSERT_EQ(cudnn.create(&handle), cuda::cudnn::kSuccess);
  auto getStatus = [&](size_t version, const Command &command) {
    cudnn.version = version;
    cuda::cudnn::ExecutionPlans plans(cudnn, handle);
    return cuda::cudnn::prepareAttention(plans, *context, command).status();
  };
  auto forward = of<CudnnAttention>(shape(1, 1, 3, 5, 8, 8, true));
  auto whole = of<CudnnAttentionGrad>(shape(1, 1, 3, 128, 8, 8, true));
  auto partial = of<CudnnAttentionGrad>(forward);
  expectError(getStatus(90501, makeCommand(forward)),
              StatusCode::kUnimplemented,
              "expects cuDNN 9.6 or newer for attention but got 9.5 in '");
  EXPECT_TRUE(getStatus(90600, makeCommand(forward)).ok());
  expectError(getStatus(90501, makeCommand(whole)), StatusCode::kUnimplemented,
              "expects cuDNN 9.6 or newer for the gradient of attention but "
              "got 9.5 in '");
  EXPECT_TRUE(getStatus(90600, makeCommand(whole)).ok());
  expectError(getStatus(91501, makeCommand(partial)),
              StatusCode::kUnimplemented,
              "expects cuDNN 9.16 or newer for the gradient of attention but "
              "got 9.15 in '");
  EXPECT_TRUE(getStatus(91600, makeCommand(partial)).ok());
  ASSERT_EQ(cudnn.destroy(handle), cuda::cudnn::kSuccess);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST_F(CudnnAttentionErrorTest, RefusesDamagedCommands) {
  auto config = of<CudnnAttentionGrad>(shape(4, 2, 7, 9, 8, 8, true));
  auto expectDamage = [&](auto change, const std::string &text) {
    Command command = makeCommand(config);
    change(command);
    expectError(prepare(command), StatusCode::kDataLoss, text);
  };
  auto set = [](const char *key, int64_t value) {
    return [=](Command &command) { command.config[key] = value; };
  };
  expectDamage(set("type", 0), "expects 'type' f16 or bf16 but got f32");
  expectDamage(set("channels", 12),
               "expects 'channels' to be a multiple of 8 up to 128 but got 12");
  expectDamage(
      set("value_channels", 136),
      "expects 'value_channels' to be a multiple of 8 up to 128 but got 136");
  expectDamage(set("keys", 6), "expects at least 7 for 'keys' but got 6");
  expectDamage(set("workspace", 65), "expects 'workspace' to be 64 but got 65");
  expectDamage(set("batch_parts", 3),
               "expects 'batch_parts' to divide 4 but got 3");
  expectDamage(set("heads", 3), "expects 1344 bytes for grad but got 896");
  expectDamage(set("batch_parts", 2), "expects a workspace of ");
  expectDamage(set("query_before", -1),
               "expects 'query_before' from 0 to 2147483647 but got -1");
  expectDamage(set("value_after", 2),
               "expects 2304 bytes for value but got 1152");
  expectDamage(set("join_query_key", 1), "expects 'keys' to be 7 but got 9");
  expectDamage(set("join_key_value", 1), "expects 9 buffers but got 10");
}

TEST_F(CudnnAttentionErrorTest, EachFailingCallIsAnError) {
  auto config = of<CudnnAttentionGrad>(shape(2, 1, 3, 5, 8, 8, true));
  config.batch_parts = 2;
  Command command = makeCommand(config);
  ASSERT_TRUE(prepare(command).ok());
  std::vector<std::unique_ptr<cuda::CudaMemory>> memories;
  std::vector<DevicePointer> args;
  for (const BufferRef &buffer : command.args) {
    memories.push_back(allocate(buffer.bytes));
    args.push_back(memories.back()->pointer());
  }
  for (const char *function :
       {"cudnnSetStream", "cudnnBackendCreateDescriptor",
        "cudnnBackendSetAttribute", "cudnnBackendGetAttribute",
        "cudnnBackendFinalize", "cudnnBackendExecute"}) {
    bool hasFailed = true;
    int number = 0;
    while (hasFailed && number < 2000) {
      libraries = std::make_unique<cuda::Libraries>(context);
      std::string failure =
          std::string(function) + ":" + std::to_string(++number);
      ASSERT_EQ(SIMULATOR(jobsim_set_failures)(failure.c_str()), 0);
      auto call = libraries->prepare(command);
      Status status = call.ok() ? (*call)->enqueue(args.data(), stream.get())
                                : call.status();
      hasFailed = !status.ok();
      if (hasFailed) {
        EXPECT_TRUE(contains(status.message(),
                             std::string(function) + " failed with CUDNN_"))
            << failure << ": " << status.message();
      }
    }
    EXPECT_GT(number, 2) << function;
    EXPECT_LT(number, 2000) << function;
  }
  SIMULATOR(jobsim_set_failures)(nullptr);
  ASSERT_EQ(api().streamSynchronize(stream.get()), cuda::kSuccess);
}
