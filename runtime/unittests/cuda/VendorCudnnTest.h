//===- VendorCudnnTest.h - Tests on the vendor's cuDNN ----------*- C++ -*-===//

#ifndef JOBRT_UNITTESTS_CUDA_VENDORCUDNNTEST_H
#define JOBRT_UNITTESTS_CUDA_VENDORCUDNNTEST_H

#include "unittests/CallCommand.h"
#include "unittests/cuda/VendorCudnn.h"
#include "unittests/cuda/VendorLeaks.h"

#include <gtest/gtest.h>

namespace jobrt::test {

/// For the name of a test in ctest.
inline void PrintTo(const VendorGpu &gpu, std::ostream *os) { *os << gpu.name; }

/// Without the library, a test is skipped.
class VendorCudnnTest : public testing::TestWithParam<VendorGpu> {
  VendorLeaks leaks;

public:
  /// "H200".
  static std::string nameOf(const testing::TestParamInfo<VendorGpu> &info) {
    return std::string(info.param.name).substr(sizeof("NVIDIA"));
  }

protected:
  void SetUp() override {
    auto opened = VendorCudnn::open(GetParam());
    if (opened.status().code() == StatusCode::kNotFound ||
        opened.status().code() == StatusCode::kUnimplemented)
      GTEST_SKIP() << opened.status().toString();
    ASSERT_TRUE(opened.ok()) << opened.status().toString();
    vendor = std::move(*opened);
  }

  const cuda::cudnn::Api &api() { return vendor->api(); }

  /// That the driver prepares the call, with the workspace that it has.
  template <typename Config> void expectCall(const Config &config) {
    ASSERT_EQ(calls::check(config), "");
    SCOPED_TRACE(describe(config));
    cuda::cudnn::ExecutionPlans plans(api(), /*handle=*/nullptr);
    auto call = prepareCall(plans, vendor->context(), makeCommand(config));
    EXPECT_TRUE(call.ok()) << call.status().toString();
  }

  /// "cudnn.conv2d n=8 c=32 ...".
  template <typename Config> static std::string describe(const Config &config) {
    std::string text = Config::kCallee;
    Config::visit(config, [&](const auto &parameter, auto value) {
      if constexpr (std::is_same_v<decltype(value), int64_t>)
        text += std::string(" ") + parameter.key + "=" + std::to_string(value);
    });
    return text;
  }

  std::unique_ptr<VendorCudnn> vendor;
};

} // namespace jobrt::test

#endif // JOBRT_UNITTESTS_CUDA_VENDORCUDNNTEST_H
