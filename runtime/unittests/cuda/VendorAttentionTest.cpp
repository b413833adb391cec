//===- VendorAttentionTest.cpp - Graphs of attention in NVIDIA's cuDNN ----===//
//
// What the vendor's library has for the driver's graphs on GPUs that are not
// there. It looks for libcuda.so.1, of which these tests have their own; so
// they are a program of their own.
//
//===----------------------------------------------------------------------===//

#include "unittests/cuda/VendorCudnnTest.h"

using namespace jobrt;
using namespace jobrt::cuda::cudnn;
using namespace jobrt::test;

namespace {

class VendorAttentionTest : public VendorCudnnTest {
protected:
  /// The engines that the heuristics suggest for a graph.
  size_t countEngines(const OwnedDescriptor &graph) {
    auto heuristics =
        DescriptorBuilder(api(), kHeuristicsDescriptor, "the heuristics")
            .setDescriptor(kHeuristicsGraph, graph)
            .setValue(kHeuristicsMode, kHeuristicsModeType, kModeA)
            .finish();
    EXPECT_TRUE(heuristics.ok()) << heuristics.status().toString();
    auto count = getCount(api(), *heuristics, kHeuristicsResults, "engines");
    EXPECT_TRUE(count.ok()) << count.status().toString();
    auto engines = getDescriptors(api(), *heuristics, kHeuristicsResults,
                                  kEngineConfigDescriptor, *count, "engines");
    EXPECT_TRUE(engines.ok()) << engines.status().toString();
    return engines->size();
  }

  Expected<OwnedDescriptor> create(const calls::CudnnAttention &config) {
    return createAttention(api(), nullptr, config);
  }
  Expected<OwnedDescriptor> create(const calls::CudnnAttentionGrad &config) {
    return createAttentionGrad(api(), nullptr, config);
  }
  template <typename Config> void expectEngines(const Config &config) {
    ASSERT_EQ(calls::check(config), "");
    SCOPED_TRACE(describe(config));
    auto graph = create(config);
    ASSERT_TRUE(graph.ok()) << graph.status().toString();
    EXPECT_GT(countEngines(*graph), 0u);
  }
};

struct Shape {
  int64_t queries, keys, channels, valueChannels;
};
calls::CudnnAttentionGrad makeGrad(const Shape &shape, calls::Element type,
                                   bool isCausal) {
  calls::CudnnAttentionGrad grad;
  grad.batch = 2;
  grad.heads = 3;
  grad.queries = shape.queries;
  grad.keys = shape.keys;
  grad.channels = shape.channels;
  grad.value_channels = shape.valueChannels;
  grad.causal = isCausal;
  grad.type = static_cast<int64_t>(type);
  return grad;
}
calls::CudnnAttention makeForward(const calls::CudnnAttentionGrad &grad) {
  calls::CudnnAttention forward;
  static_cast<calls::CudnnAttentionBase &>(forward) = grad;
  return forward;
}

TEST_P(VendorAttentionTest, HasEnginesForAttention) {
  for (const Shape &shape : std::initializer_list<Shape>{{1024, 1024, 64, 64},
                                                         {1, 1, 8, 8},
                                                         {7, 13, 16, 24},
                                                         {1, 9, 64, 64},
                                                         {100, 130, 72, 64},
                                                         {65, 65, 128, 128}})
    for (calls::Element type : {calls::Element::kF16, calls::Element::kBF16})
      for (bool isCausal : {false, true}) {
        calls::CudnnAttentionGrad grad = makeGrad(shape, type, isCausal);
        expectEngines(makeForward(grad));
        expectEngines(grad);
      }
}

/// As those of a fused projection, or of keys and values of one.
TEST_P(VendorAttentionTest, HasEnginesForHeadsOfLargerArrays) {
  for (const Shape &shape : std::initializer_list<Shape>{
           {1024, 1024, 64, 64}, {65, 65, 128, 128}, {100, 130, 72, 72}})
    for (calls::Element type : {calls::Element::kF16, calls::Element::kBF16})
      for (bool isCausal : {false, true}) {
        calls::CudnnAttentionGrad grad = makeGrad(shape, type, isCausal);
        grad.key_before = grad.key_after = grad.heads;
        grad.value_before = grad.query_after = 2 * grad.heads;
        expectEngines(makeForward(grad));
        expectEngines(grad);
        grad.join_key_value = 1;
        expectEngines(grad);
        grad.join_query_key = shape.queries == shape.keys;
        expectEngines(grad);
      }
}

/// Compiled by the library, in about a second each.
TEST_P(VendorAttentionTest, PreparesAttention) {
  // Blackwell needs it, and the others for some of these shapes.
  if (api().version < 91800)
    GTEST_SKIP() << "cuDNN before 9.18";
  for (const Shape &shape :
       std::initializer_list<Shape>{{1024, 1024, 64, 64}, {100, 130, 72, 64}})
    for (bool isCausal : {false, true}) {
      calls::CudnnAttentionGrad grad =
          makeGrad(shape, calls::Element::kBF16, isCausal);
      grad.workspace = 16 << 20;
      expectCall(makeForward(grad));
      expectCall(grad);
    }
  calls::CudnnAttentionGrad grad =
      makeGrad({200, 200, 64, 64}, calls::Element::kF16, true);
  grad.workspace = 16 << 20;
  grad.key_before = grad.key_after = grad.heads;
  grad.query_after = grad.value_before = 2 * grad.heads;
  grad.join_query_key = grad.join_key_value = 1;
  expectCall(makeForward(grad));
  expectCall(grad);
}

/// The tests would notice a graph that no engine takes.
TEST_P(VendorAttentionTest, HasNoEngineForOtherShapes) {
  calls::CudnnAttentionGrad config;
  config.queries = config.keys = 64;
  config.channels = config.value_channels = 12;
  config.type = static_cast<int64_t>(calls::Element::kBF16);
  auto graph = create(config);
  ASSERT_TRUE(graph.ok()) << graph.status().toString();
  EXPECT_EQ(countEngines(*graph), 0u);
}

INSTANTIATE_TEST_SUITE_P(, VendorAttentionTest, testing::ValuesIn(kVendorGpus),
                         VendorAttentionTest::nameOf);

} // namespace
