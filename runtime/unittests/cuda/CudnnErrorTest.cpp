//===- CudnnErrorTest.cpp - Engines and errors of cuDNN's stand-in --------===//

#include "drivers/cuda/cudnn/Cudnn.h"
#include "unittests/cuda/CudnnCases.h"
#include "unittests/cuda/LibraryTest.h"
#include "unittests/cuda/Simulated.h"

using namespace jobrt;
using namespace jobrt::test;
using calls::CudnnConv2d;
using calls::CudnnConv2dDataGrad;
using calls::CudnnConv2dFilterGrad;
using calls::CudnnConv2dForward;
using cuda::DevicePointer;

namespace {
class CudnnErrorTest : public LibraryTest {
protected:
  void SetUp() override {
    setenv("JOBMLIR_CUDA_LIBRARY", JOBRT_SIMULATED_CUDA, 1);
    LibraryTest::SetUp();
  }
  void TearDown() override {
    LibraryTest::TearDown();
    unsetenv("JOBMLIR_CUDNN_LIBRARY");
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

TEST_F(CudnnErrorTest, TF32RoundsTheFactors) {
  CudnnConv2dForward config{simple(1, 1, 1, 1, 1, 0)};
  config.workspace = kWorkspace;
  std::vector<float> values;
  for (int64_t tf32 : {0, 1}) {
    config.tf32 = tf32;
    auto call = libraries->prepare(makeCommand(config));
    ASSERT_TRUE(call.ok()) << call.status().toString();
    auto input = allocate(4), filter = allocate(4), out = allocate(4),
         workspace = allocate(kWorkspace);
    std::vector<std::byte> factor(4);
    float third = 1.0f / 3, one = 1;
    std::memcpy(factor.data(), &third, 4);
    copyIn(input->pointer(), factor);
    std::memcpy(factor.data(), &one, 4);
    copyIn(filter->pointer(), factor);
    DevicePointer args[] = {input->pointer(), filter->pointer(), out->pointer(),
                            workspace->pointer()};
    ASSERT_TRUE((*call)->enqueue(args, stream.get()).ok());
    std::memcpy(&values.emplace_back(), copyOut(out->pointer(), 4).data(), 4);
  }
  EXPECT_EQ(values[0], 1.0f / 3);
  EXPECT_EQ(values[1], 0x1.554p-2f);
}

/// Of the stand-in's engines, 5 to 9 may not be used, 4 is refused by the
/// library, 3 needs tensor cores, and 0 is what is left without workspace.
TEST_F(CudnnErrorTest, TheEngineIsTheFirstThatMayBeUsed) {
  CudnnConv2dForward forward{simple(2, 3, 4, 5, 3, 1)};
  CudnnConv2dFilterGrad filterGrad{simple(2, 3, 4, 5, 3, 1)};
  int64_t arrays = 4 * (2 * 3 * 16 + 5 * 3 * 9 + 2 * 5 * 16);
  EXPECT_EQ(algorithmOf(makeCommand(forward)),
            "engine 0, 0 bytes of workspace");
  forward.workspace = filterGrad.workspace = kWorkspace;
  EXPECT_EQ(algorithmOf(makeCommand(forward)), "engine 1, knobs 2=1, " +
                                                   std::to_string(arrays) +
                                                   " bytes of workspace");
  EXPECT_EQ(algorithmOf(makeCommand(filterGrad)),
            "engine 2, knobs 2=2 12=2, 1080 bytes of workspace");
  filterGrad.workspace = 1024;
  EXPECT_EQ(algorithmOf(makeCommand(filterGrad)),
            "engine 0, 0 bytes of workspace");
  forward.tf32 = 1;
  EXPECT_EQ(algorithmOf(makeCommand(forward)), "engine 3, knobs 2=3, " +
                                                   std::to_string(arrays) +
                                                   " bytes of workspace");
  forward.layout = int64_t(calls::Layout::kNHWC);
  EXPECT_EQ(algorithmOf(makeCommand(forward)),
            "engine 3, knobs 2=3, 0 bytes of workspace");
  forward.tf32 = 0;
  forward.type = int64_t(calls::Element::kBF16);
  EXPECT_EQ(algorithmOf(makeCommand(forward)),
            "engine 3, knobs 2=3, 0 bytes of workspace");
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST_F(CudnnErrorTest, ErrorsNameTheFunction) {
  CudnnConv2dForward config{simple(2, 3, 4, 5, 3, 1)};
  config.workspace = 64;
  Command command = makeCommand(config);
  // The simulator knows the functions of a library that is open.
  ASSERT_TRUE(prepare(command).ok());
  for (auto [function, error, code] :
       {std::tuple{"cudnnCreate",
                   "CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED",
                   StatusCode::kResourceExhausted},
        {"cudnnBackendCreateDescriptor",
         "CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED",
         StatusCode::kResourceExhausted},
        {"cudnnBackendSetAttribute", "CUDNN_STATUS_BAD_PARAM",
         StatusCode::kInternal},
        {"cudnnBackendGetAttribute", "CUDNN_STATUS_BAD_PARAM",
         StatusCode::kInternal},
        {"cudnnBackendFinalize", "CUDNN_STATUS_INTERNAL_ERROR",
         StatusCode::kInternal}}) {
    // Each test has its own handle.
    libraries = std::make_unique<cuda::Libraries>(context);
    ASSERT_EQ(
        SIMULATOR(jobsim_set_failures)((std::string(function) + ":1").c_str()),
        0);
    // What the library says has no line breaks here.
    expectError(prepare(command), code,
                std::string(function) + " failed with " + error +
                    " (the failure was asked for): ");
  }
  SIMULATOR(jobsim_set_failures)("cudnnBackendFinalize:1:3000");
  expectError(prepare(command), StatusCode::kUnimplemented,
              "cudnnBackendFinalize failed with CUDNN_STATUS_NOT_SUPPORTED");
}

/// Each call of the library that fails is an error, of `prepare` or of
/// `enqueue`, or leads to another engine, and leaves nothing behind.
TEST_F(CudnnErrorTest, EachFailingCallIsAnError) {
  CudnnConv2dFilterGrad config{simple(2, 3, 4, 5, 3, 1)};
  config.workspace = kWorkspace;
  Command command = makeCommand(config);
  std::string usual = algorithmOf(command);
  std::vector<std::unique_ptr<cuda::CudaMemory>> memories;
  std::vector<DevicePointer> args;
  for (const BufferRef &buffer : command.args) {
    memories.push_back(allocate(buffer.bytes));
    args.push_back(memories.back()->pointer());
  }
  for (const char *function :
       {"cudnnCreate", "cudnnSetStream", "cudnnBackendCreateDescriptor",
        "cudnnBackendSetAttribute", "cudnnBackendGetAttribute",
        "cudnnBackendFinalize", "cudnnBackendExecute"}) {
    // A plan that is not made may be of an engine that is not taken anyway.
    int number = 0, last = 0;
    while (number < last + 4 && number < 1000) {
      libraries = std::make_unique<cuda::Libraries>(context);
      std::string failure =
          std::string(function) + ":" + std::to_string(++number);
      ASSERT_EQ(SIMULATOR(jobsim_set_failures)(failure.c_str()), 0);
      auto call = libraries->prepare(command);
      Status status = call.ok() ? (*call)->enqueue(args.data(), stream.get())
                                : call.status();
      if (!status.ok() || (*call)->algorithm() != usual)
        last = number;
      if (!status.ok()) {
        EXPECT_TRUE(contains(status.message(),
                             std::string(function) + " failed with CUDNN_"))
            << failure << ": " << status.message();
      }
    }
    EXPECT_GT(last, 0) << function;
    EXPECT_LT(number, 1000) << function;
    // Graph, choice, the plans of engines 4 and 1, the arguments.
    if (function == std::string("cudnnBackendFinalize")) {
      EXPECT_EQ(last, 10);
    }
  }
  SIMULATOR(jobsim_set_failures)(nullptr);
  ASSERT_EQ(api().streamSynchronize(stream.get()), cuda::kSuccess);
}

TEST_F(CudnnErrorTest, AnEngineThatIsNotCompiledIsNotUsed) {
  CudnnConv2dForward config{simple(2, 3, 4, 5, 3, 1)};
  config.workspace = kWorkspace;
  ASSERT_TRUE(prepare(makeCommand(config)).ok());
  // Six descriptors of the graph, one of the heuristics, the plan that is
  // refused, and that of engine 1.
  for (const char *failure :
       {"cudnnBackendFinalize:9:4001", "cudnnBackendFinalize:9:5000"}) {
    SIMULATOR(jobsim_set_failures)(failure);
    EXPECT_EQ(algorithmOf(makeCommand(config)),
              "engine 0, 0 bytes of workspace");
  }
  SIMULATOR(jobsim_set_failures)("cudnnBackendFinalize:9:4004");
  expectError(prepare(makeCommand(config)), StatusCode::kResourceExhausted,
              "cudnnBackendFinalize failed with "
              "CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED");
  // A mistake in what the library was given.
  SIMULATOR(jobsim_set_failures)("cudnnBackendFinalize:9:2000");
  expectError(prepare(makeCommand(config)), StatusCode::kInternal,
              "cudnnBackendFinalize failed with CUDNN_STATUS_BAD_PARAM");
}

TEST_F(CudnnErrorTest, EqualCallsHaveOnePlan) {
  CudnnConv2dForward config{simple(2, 3, 4, 5, 3, 1)};
  config.workspace = kWorkspace;
  Command command = makeCommand(config);
  auto first = libraries->prepare(command);
  ASSERT_TRUE(first.ok()) << first.status().toString();
  auto failNext = [] {
    SIMULATOR(jobsim_set_failures)("cudnnBackendFinalize:1:4000");
  };
  failNext();
  auto second = libraries->prepare(command);
  ASSERT_TRUE(second.ok()) << second.status().toString();
  EXPECT_EQ((*second)->algorithm(), (*first)->algorithm());
  EXPECT_EQ((*second)->elements, (*first)->elements);
  // What the artifact says of each is checked.
  Command damaged = command;
  damaged.args.pop_back();
  EXPECT_EQ(prepare(damaged).code(), StatusCode::kDataLoss);
  config.pad_top = 0;
  config.oh -= 1;
  EXPECT_EQ(prepare(makeCommand(config)).code(), StatusCode::kInternal);
  // The plan stays as long as one of its calls.
  first->reset();
  failNext();
  EXPECT_TRUE(prepare(command).ok());
  second->reset();
  EXPECT_EQ(prepare(command).code(), StatusCode::kInternal);
}

TEST_F(CudnnErrorTest, NoEngineIsAnError) {
  CudnnConv2dForward config{simple(2, 3, 4, 5, 3, 1)};
  ASSERT_TRUE(prepare(makeCommand(config)).ok());
  // The heuristics do not support the graph: no mode suggests an engine.
  SIMULATOR(jobsim_set_failures)
  ("cudnnBackendFinalize:7:3000,cudnnBackendFinalize:8:3001");
  expectError(prepare(makeCommand(config)), StatusCode::kUnimplemented,
              "cuDNN has no deterministic engine for it with a workspace of 0 "
              "bytes");
  // No engine can be loaded.
  std::string failures;
  for (int number : {8, 9, 11, 12})
    failures += (failures.empty() ? "" : ",") +
                ("cudnnBackendFinalize:" + std::to_string(number)) + ":5000";
  SIMULATOR(jobsim_set_failures)(failures.c_str());
  expectError(prepare(makeCommand(config)), StatusCode::kInternal,
              "cuDNN could prepare no deterministic engine for it with a "
              "workspace of 0 bytes; the last one that failed: "
              "cudnnBackendFinalize failed with CUDNN_STATUS_EXECUTION_FAILED");
}

//===----------------------------------------------------------------------===//
// Libraries
//===----------------------------------------------------------------------===//

TEST_F(CudnnErrorTest, AMissingLibraryIsNotFound) {
  setenv("JOBMLIR_CUDNN_LIBRARY", "/nowhere/libcudnn.so", 1);
  Status status = prepare(makeCommand(CudnnConv2dForward()));
  expectError(status, StatusCode::kNotFound,
              "cannot open cuDNN: /nowhere/libcudnn.so: ");
  expectError(status, StatusCode::kNotFound,
              "; the environment variable JOBMLIR_CUDNN_LIBRARY names the "
              "library's file");
}

TEST_F(CudnnErrorTest, ALibraryForTheOtherCudaIsRefused) {
  setenv("JOBMLIR_CUDNN_LIBRARY", JOBRT_OLD_CUDNN, 1);
  expectError(prepare(makeCommand(CudnnConv2dForward())),
              StatusCode::kInvalidArgument,
              "expects a cuDNN for the simulated CUDA but got '");
}

TEST_F(CudnnErrorTest, AnOldLibraryIsRefused) {
  auto real = cuda::Api::open(JOBRT_FAKE_CUDA_UNMARKED);
  ASSERT_TRUE(real.ok()) << real.status().toString();
  setenv("JOBMLIR_CUDNN_LIBRARY", JOBRT_OLD_CUDNN, 1);
  expectError(cuda::cudnn::Api::open(**real).status(),
              StatusCode::kUnimplemented,
              "expects cuDNN 9 but got version 8.9 in '");
  setenv("JOBMLIR_CUDNN_LIBRARY", JOBRT_OLD_CUDA, 1);
  expectError(cuda::cudnn::Api::open(**real).status(),
              StatusCode::kUnimplemented,
              "has no function 'cudnnGetVersion': expects a newer cuDNN");
}

/// The vendor's library finalizes operations without a GPU.
TEST_F(CudnnErrorTest, TheVendorsLibraryAcceptsTheOperations) {
  if (!*JOBRT_VENDOR_CUDNN)
    GTEST_SKIP() << "no libcudnn.so.9 on this machine";
  auto real = cuda::Api::open(JOBRT_FAKE_CUDA_UNMARKED);
  ASSERT_TRUE(real.ok()) << real.status().toString();
  setenv("JOBMLIR_CUDNN_LIBRARY", JOBRT_VENDOR_CUDNN, 1);
  auto cudnn = cuda::cudnn::Api::open(**real);
  ASSERT_TRUE(cudnn.ok()) << cudnn.status().toString();
  auto expectOperations = [&](const auto &config) {
    auto operations = cuda::cudnn::createConv2d(**cudnn, config);
    EXPECT_TRUE(operations.ok()) << operations.status().toString();
  };
  for (CudnnConv2d conv : {simple(2, 3, 8, 5, 3, 1), uneven()})
    for (int64_t type : {0, 1, 2})
      for (int64_t layout : {0, 1}) {
        conv.type = type;
        conv.layout = layout;
        expectOperations(CudnnConv2dDataGrad{conv});
        expectOperations(CudnnConv2dFilterGrad{conv});
        for (int64_t epilogue : {0, 1, 2}) {
          CudnnConv2dForward forward{conv};
          forward.epilogue = epilogue;
          expectOperations(forward);
        }
      }
  // An output of another height.
  CudnnConv2dForward wrong{uneven()};
  ++wrong.oh;
  expectError(cuda::cudnn::createConv2d(**cudnn, wrong).status(),
              StatusCode::kInternal,
              "cudnnBackendFinalize failed with CUDNN_STATUS_BAD_PARAM");
}
