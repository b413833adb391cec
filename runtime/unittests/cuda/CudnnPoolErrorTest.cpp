//===- CudnnPoolErrorTest.cpp - Poolings of cuDNN's stand-in --------------===//

#include "drivers/cuda/cudnn/Cudnn.h"
#include "unittests/cuda/CudnnCases.h"
#include "unittests/cuda/LibraryTest.h"
#include "unittests/cuda/Simulated.h"

using namespace jobrt;
using namespace jobrt::test;
using calls::CudnnAvgPool2d;
using calls::CudnnAvgPool2dBase;
using calls::CudnnAvgPool2dGrad;

namespace {
class CudnnPoolErrorTest : public LibraryTest {
protected:
  void SetUp() override {
    setenv("JOBMLIR_CUDA_LIBRARY", JOBRT_SIMULATED_CUDA, 1);
    LibraryTest::SetUp();
  }
  void TearDown() override {
    LibraryTest::TearDown();
    unsetenv("JOBMLIR_CUDNN_LIBRARY");
  }
};
} // namespace

/// Engine 0 is what the fallback has for planes, 3 what is suggested for images
/// with the channels last: its note of tensor cores means nothing here.
TEST_F(CudnnPoolErrorTest, EnginesMayHaveTensorCores) {
  CudnnAvgPool2d config{unevenPool()};
  for (auto [layout, algorithm] :
       {std::pair{0, "engine 0, 0 bytes of workspace"},
        {1, "engine 3, knobs 2=3, 0 bytes of workspace"}}) {
    config.layout = layout;
    auto call = libraries->prepare(makeCommand(config));
    ASSERT_TRUE(call.ok()) << call.status().toString();
    EXPECT_EQ((*call)->algorithm(), algorithm);
  }
}

/// Each call of the library that fails is an error, and leaves nothing behind.
TEST_F(CudnnPoolErrorTest, EachFailingCallIsAnError) {
  Command command = makeCommand(CudnnAvgPool2dGrad{unevenPool()});
  ASSERT_TRUE(prepare(command).ok());
  for (const char *function :
       {"cudnnBackendCreateDescriptor", "cudnnBackendSetAttribute",
        "cudnnBackendFinalize"}) {
    bool hasFailed = true;
    int number = 0;
    while (hasFailed && number < 1000) {
      libraries = std::make_unique<cuda::Libraries>(context);
      std::string failure =
          std::string(function) + ":" + std::to_string(++number);
      ASSERT_EQ(SIMULATOR(jobsim_set_failures)(failure.c_str()), 0);
      Status status = prepare(command);
      hasFailed = !status.ok();
      if (hasFailed) {
        EXPECT_TRUE(contains(status.message(),
                             std::string(function) + " failed with CUDNN_"))
            << failure << ": " << status.message();
      }
    }
    EXPECT_GT(number, 4) << function;
    EXPECT_LT(number, 1000) << function;
  }
}

/// The vendor's library finalizes operations without a GPU.
TEST_F(CudnnPoolErrorTest, TheVendorsLibraryAcceptsTheOperations) {
  if (!*JOBRT_VENDOR_CUDNN)
    GTEST_SKIP() << "no libcudnn.so.9 on this machine";
  auto real = cuda::Api::open(JOBRT_FAKE_CUDA_UNMARKED);
  ASSERT_TRUE(real.ok()) << real.status().toString();
  setenv("JOBMLIR_CUDNN_LIBRARY", JOBRT_VENDOR_CUDNN, 1);
  auto cudnn = cuda::cudnn::Api::open(**real);
  ASSERT_TRUE(cudnn.ok()) << cudnn.status().toString();
  for (CudnnAvgPool2dBase pool : {unevenPool(), globalPool()})
    for (int64_t type : {0, 1, 2})
      for (int64_t layout : {0, 1})
        for (bool isGradient : {false, true}) {
          pool.type = type;
          pool.layout = layout;
          auto operation =
              cuda::cudnn::createAvgPool2d(**cudnn, pool, isGradient);
          EXPECT_TRUE(operation.ok()) << operation.status().toString();
        }
}
