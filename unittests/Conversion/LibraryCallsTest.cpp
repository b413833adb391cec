//===- LibraryCallsTest.cpp - Configurations of library calls -------------===//

#include "KernelTest.h"

#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Support/Targets.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::job;

namespace {

/// The configuration of an op in one chunk, and its operations.
Attribute getConfig(const ParsedOp &op, StringRef target = kCPUTarget) {
  op.get()->getContext()->loadDialect<plan::PlanDialect>();
  return cast<LibraryCallOpInterface>(op.get()).getCallConfig(target, 1);
}
int64_t getCallFlops(const ParsedOp &op) {
  return cast<LibraryCallOpInterface>(op.get()).getCallFlops();
}

TEST(LibraryCalls, MatMul) {
  std::string lhs = "!job.blob<784x100xf32>", rhs = "!job.blob<512x784xf32>";
  ParsedOp op(
      "job.matmul %0, %1 {transpose_lhs = true, transpose_rhs = true} : " +
          lhs + ", " + rhs,
      {lhs, rhs});
  auto config = cast<plan::MatMulAttr>(getConfig(op)).getConfig();
  jobrt::calls::MatMul expected{1, 100, 512, 784, 1, 1};
  EXPECT_EQ(config, expected);
  EXPECT_EQ(getCallFlops(op), 2 * 100 * 512 * 784);

  auto cuda =
      cast<plan::CublasLtMatMulAttr>(getConfig(op, kCUDATarget)).getConfig();
  jobrt::calls::CublasLtMatMul expectedOnCUDA{
      .batch = 1,
      .m = 100,
      .n = 512,
      .k = 784,
      .transpose_a = 1,
      .transpose_b = 1,
      .type = static_cast<int64_t>(jobrt::calls::Element::kF32)};
  expectedOnCUDA.workspace = cuda.workspace;
  EXPECT_GT(cuda.workspace, 0);
  EXPECT_EQ(cuda, expectedOnCUDA);
}

TEST(LibraryCalls, Conv) {
  std::string input = "!job.blob<100x4x28x30xf32>";
  std::string filter = "!job.blob<32x2x5x3xf32>";
  std::string attributes =
      " {strides = array<i64: 2, 1>, padding = array<i64: 1, 2, 3, 4>, "
      "dilations = array<i64: 1, 2>, groups = 2 : i64} : ";
  ParsedOp forward("job.conv2d %0, %1" + attributes + input + ", " + filter,
                   {input, filter});
  std::string output = forward.getResultTypeText();
  ParsedOp dataGrad("job.conv2d_data_grad %0, %1" + attributes + output + ", " +
                        filter + " -> " + input,
                    {output, filter});
  ParsedOp filterGrad("job.conv2d_filter_grad %0, %1" + attributes + output +
                          ", " + input + " -> " + filter,
                      {output, input});
  jobrt::calls::Conv2d expected{100, 4, 28, 30, 32, 5, 3, 14, 32,
                                2,   1, 1,  2,  3,  4, 1, 2,  2};
  auto check = [&](auto attr) {
    EXPECT_EQ(jobrt::calls::withoutSplit(attr.getConfig()),
              decltype(attr.getConfig()){expected});
  };
  check(cast<plan::Conv2dForwardAttr>(getConfig(forward)));
  check(cast<plan::Conv2dDataGradAttr>(getConfig(dataGrad)));
  check(cast<plan::Conv2dFilterGradAttr>(getConfig(filterGrad)));

  auto checkOnCUDA = [&](auto attr) {
    auto config = attr.getConfig();
    decltype(config) expectedOnCUDA{{expected}};
    expectedOnCUDA.workspace = config.workspace;
    EXPECT_GT(config.workspace, 0);
    EXPECT_EQ(config, expectedOnCUDA);
  };
  checkOnCUDA(cast<plan::CudnnConv2dAttr>(getConfig(forward, kCUDATarget)));
  checkOnCUDA(
      cast<plan::CudnnConv2dDataGradAttr>(getConfig(dataGrad, kCUDATarget)));
  checkOnCUDA(cast<plan::CudnnConv2dFilterGradAttr>(
      getConfig(filterGrad, kCUDATarget)));
}

/// The same parameters as for NCHW.
TEST(LibraryCalls, ConvChannelsLast) {
  std::string input = "!job.blob<100x28x30x4xf32>";
  std::string filter = "!job.blob<32x5x3x2xf32>";
  ParsedOp op("job.conv2d %0, %1 {strides = array<i64: 2, 1>, padding = "
              "array<i64: 1, 2, 3, 4>, dilations = array<i64: 1, 2>, groups = "
              "2 : i64, layout = #job<layout nhwc>} : " +
                  input + ", " + filter,
              {input, filter});
  jobrt::calls::Conv2d expected{100, 4, 28, 30, 32, 5, 3, 14, 32,
                                2,   1, 1,  2,  3,  4, 1, 2,  2};
  expected.layout = static_cast<int64_t>(jobrt::calls::Layout::kNHWC);
  auto host = cast<plan::Conv2dForwardAttr>(getConfig(op)).getConfig();
  EXPECT_EQ(jobrt::calls::withoutSplit(host),
            jobrt::calls::Conv2dForward{expected});
  EXPECT_EQ(host.buffers()[1].extents, (std::vector<int64_t>{32, 5, 3, 2}));
  auto cuda =
      cast<plan::CudnnConv2dAttr>(getConfig(op, kCUDATarget)).getConfig();
  EXPECT_EQ(static_cast<const jobrt::calls::ConvGeometry &>(cuda), expected);
}

TEST(LibraryCalls, NarrowConv) {
  std::string input = "!job.blob<2x3x4x5xbf16>",
              filter = "!job.blob<6x3x1x1xbf16>";
  ParsedOp op("job.conv2d %0, %1 {strides = array<i64: 1, 1>, padding = "
              "array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = "
              "1 : i64} : " +
                  input + ", " + filter,
              {input, filter});
  auto host = cast<plan::Conv2dForwardAttr>(getConfig(op)).getConfig();
  EXPECT_EQ(host.element(), jobrt::calls::Element::kBF16);
  auto cuda =
      cast<plan::CudnnConv2dAttr>(getConfig(op, kCUDATarget)).getConfig();
  EXPECT_EQ(cuda.element(), jobrt::calls::Element::kBF16);
}

/// Means of NCHW images are calls on a GPU, those with the channels last or
/// with many terms are not.
TEST(LibraryCalls, AvgPool) {
  std::string input = "!job.blob<2x3x8x7xbf16>";
  std::string attributes =
      "{ksize = array<i64: 3, 2>, strides = array<i64: 2, 1>, padding = "
      "array<i64: 1, 0, 0, 1>";
  jobrt::calls::CudnnAvgPool2dBase expected{2, 3, 8, 7, 3, 2, 4,
                                            7, 2, 1, 1, 0, 0, 1};
  expected.type = static_cast<int64_t>(jobrt::calls::Element::kBF16);
  ParsedOp forward("job.avg_pool2d %0 " + attributes + "} : " + input, {input});
  EXPECT_FALSE(getConfig(forward));
  EXPECT_EQ(cast<plan::CudnnAvgPool2dAttr>(getConfig(forward, kCUDATarget))
                .getConfig(),
            jobrt::calls::CudnnAvgPool2d{expected});
  std::string grad = "!job.blob<2x3x4x7xbf16>";
  ParsedOp gradient("job.avg_pool2d_grad %0 " + attributes + "} : " + grad +
                        " -> " + input,
                    {grad});
  EXPECT_FALSE(getConfig(gradient));
  EXPECT_EQ(cast<plan::CudnnAvgPool2dGradAttr>(getConfig(gradient, kCUDATarget))
                .getConfig(),
            jobrt::calls::CudnnAvgPool2dGrad{expected});

  ParsedOp last("job.avg_pool2d %0 " + attributes +
                    ", layout = #job<layout nhwc>} : " + input,
                {input});
  EXPECT_FALSE(getConfig(last, kCUDATarget));
  ParsedOp wide("job.avg_pool2d %0 " + attributes +
                    "} : !job.blob<2x3x8x7xf64>",
                {"!job.blob<2x3x8x7xf64>"});
  EXPECT_FALSE(getConfig(wide, kCUDATarget));
  std::string image = "!job.blob<1x1x12x12xf32>";
  auto isCall = [&](int64_t size) {
    std::string text = std::to_string(size);
    ParsedOp op("job.avg_pool2d %0 {ksize = array<i64: " + text + ", " + text +
                    ">, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, "
                    "0, 0>} : " +
                    image,
                {image});
    return bool(getConfig(op, kCUDATarget));
  };
  EXPECT_TRUE(isCall(11));
  EXPECT_FALSE(isCall(12));
}

TEST(LibraryCalls, Attention) {
  std::string query = "!job.blob<2x40x3x5xf32>",
              key = "!job.blob<2x70x3x5xf32>",
              value = "!job.blob<2x70x3x9xf32>",
              result = "!job.blob<2x40x3x9xf32>",
              rows = "!job.blob<2x3x40xf32>";
  std::string attributes = " {causal = true, scale = 0.1 : f64} : ";
  std::string operands = query + ", " + key + ", " + value;
  ParsedOp forward("job.attention %0, %1, %2" + attributes + operands,
                   {query, key, value});
  ParsedOp grad("job.attention_grad %0, %1, %2, %3, %4, %5" + attributes +
                    result + ", " + operands + ", " + rows,
                {result, query, key, value, result, rows});
  jobrt::calls::AttentionBase expected{2, 3, 40, 70, 5, 9, 1, 0.1};
  auto check = [&](auto attr, int64_t flops, int64_t terms) {
    EXPECT_EQ(attr.getConfig(), decltype(attr.getConfig()){expected});
    // 31 keys for the first query, 70 for the last.
    EXPECT_EQ(flops, 2 * 2 * 3 * 40 * (31 + 70) / 2 * terms);
  };
  check(cast<plan::AttentionAttr>(getConfig(forward)), getCallFlops(forward),
        5 + 9);
  check(cast<plan::AttentionGradAttr>(getConfig(grad)), getCallFlops(grad),
        3 * 5 + 2 * 9);
}

TEST(LibraryCalls, AttentionOnCUDA) {
  auto getTypes = [](const std::string &element, const std::string &channels) {
    return std::pair{"!job.blob<2x40x3x" + channels + "x" + element + ">",
                     "!job.blob<2x70x3x" + channels + "x" + element + ">"};
  };
  std::string attributes = " {causal = true, scale = 0.1 : f64} : ";
  auto [query, key] = getTypes("bf16", "16");
  ParsedOp forward("job.attention %0, %1, %1" + attributes + query + ", " +
                       key + ", " + key,
                   {query, key});
  ParsedOp grad("job.attention_grad %0, %0, %1, %1, %0, %2" + attributes +
                    query + ", " + query + ", " + key + ", " + key +
                    ", !job.blob<2x3x40xf32>",
                {query, key, "!job.blob<2x3x40xf32>"});
  jobrt::calls::AttentionGeometry expected{2, 3, 40, 70, 16, 16, 1, 0.1};
  auto check = [&](const auto &config) {
    EXPECT_EQ(static_cast<const jobrt::calls::AttentionGeometry &>(config),
              expected);
    EXPECT_EQ(config.element(), jobrt::calls::Element::kBF16);
    EXPECT_GT(config.workspace, 0);
  };
  check(cast<plan::CudnnAttentionAttr>(getConfig(forward, kCUDATarget))
            .getConfig());
  check(cast<plan::CudnnAttentionGradAttr>(getConfig(grad, kCUDATarget))
            .getConfig());
  // The CPU's function has f32 alone.
  EXPECT_FALSE(getConfig(forward));
  // What no engine has: f32, and other channels.
  for (auto [element, channels] :
       {std::pair{"f32", "16"}, {"bf16", "12"}, {"bf16", "136"}}) {
    auto [query, key] = getTypes(element, channels);
    ParsedOp op("job.attention %0, %1, %1" + attributes + query + ", " + key +
                    ", " + key,
                {query, key});
    EXPECT_FALSE(getConfig(op, kCUDATarget)) << element << " " << channels;
  }
}

TEST(LibraryCalls, AttentionOnHeadsOfBlobs) {
  auto build = [](const std::string &element, auto check) {
    std::string blob = "!job.blob<2x40x9x16x" + element + ">",
                result = "!job.blob<2x40x3x16x" + element + ">",
                rows = "!job.blob<2x3x40xf32>";
    std::string attributes =
        "heads_after = array<i64: 6, 3, 0>, heads_before = array<i64: 0, 3, 6>,"
        " scale = 0.1 : f64} : ";
    std::string operands = blob + ", " + blob + ", " + blob;
    ParsedOp forward("job.attention %0, %0, %0 {" + attributes + operands,
                     {blob});
    ParsedOp grad("job.attention_grad %0, %1, %1, %1, %0, %2 {join_query_key = "
                  "true, join_key_value = true, " +
                      attributes + result + ", " + operands + ", " + rows,
                  {result, blob, rows});
    check(forward, grad);
  };
  build("bf16", [](ParsedOp &forward, ParsedOp &grad) {
    auto check = [](const jobrt::calls::CudnnAttentionBase &config) {
      EXPECT_EQ(
          static_cast<const jobrt::calls::AttentionGeometry &>(config),
          (jobrt::calls::AttentionGeometry{2, 3, 40, 40, 16, 16, 0, 0.1}));
      EXPECT_EQ(config.query_before, 0);
      EXPECT_EQ(config.query_after, 6);
      EXPECT_EQ(config.key_before, 3);
      EXPECT_EQ(config.key_after, 3);
      EXPECT_EQ(config.value_before, 6);
      EXPECT_EQ(config.value_after, 0);
    };
    check(cast<plan::CudnnAttentionAttr>(getConfig(forward, kCUDATarget))
              .getConfig());
    jobrt::calls::CudnnAttentionGrad config =
        cast<plan::CudnnAttentionGradAttr>(getConfig(grad, kCUDATarget))
            .getConfig();
    check(config);
    EXPECT_EQ(config.join_query_key, 1);
    EXPECT_EQ(config.join_key_value, 1);
  });
  // The functions of the host have whole arrays alone.
  build("f32", [](ParsedOp &forward, ParsedOp &grad) {
    EXPECT_FALSE(getConfig(forward));
    EXPECT_FALSE(getConfig(grad));
  });
}

/// An extent that the library cannot take: the op is not called.
TEST(LibraryCalls, TooLarge) {
  std::string lhs = "!job.blob<2147483648x1xf32>", rhs = "!job.blob<1x1xf32>";
  ParsedOp op("job.matmul %0, %1 : " + lhs + ", " + rhs, {lhs, rhs});
  EXPECT_FALSE(getConfig(op));
}

} // namespace
