//===- CudnnVendorGraphTest.cpp - Graphs of attention in NVIDIA's cuDNN ---===//
//
// The vendor's library tells without a GPU whether it has engines for a graph
// on a device whose properties it is given. It looks for libcuda.so.1, for
// which the toolkit has a stub; so these tests are a program of their own.
//
//===----------------------------------------------------------------------===//

#include "drivers/cuda/cudnn/Cudnn.h"
#include "unittests/cuda/VendorLeaks.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

using namespace jobrt;
using namespace jobrt::cuda::cudnn;

namespace {

// Names of the library that the driver does not need.
constexpr int kCharType = 24, kDevicePropertiesDescriptor = 38,
              kDevicePropertiesJson = 2702, kHeuristicsDevice = 204,
              kEngineDevice = 1307;
/// Device properties are in the library since then.
constexpr size_t kDevicePropertiesVersion = 90800;

/// What differs between the devices, in the library's form.
struct Gpu {
  const char *name;
  int version, multiprocessors, sharedBytes;
};
constexpr Gpu kGpus[] = {{"NVIDIA A100", 800, 108, 166912},
                         {"NVIDIA H100", 900, 132, 232448},
                         {"NVIDIA B200", 1000, 148, 232448},
                         {"NVIDIA B300", 1030, 148, 232448}};

class CudnnVendorGraphTest : public testing::Test {
  VendorLeaks leaks;

protected:
  void SetUp() override {
    if (!*JOBRT_VENDOR_CUDNN || !*JOBRT_CUDA_STUB)
      GTEST_SKIP() << "no libcudnn.so.9 with a CUDA toolkit on this machine";
    ASSERT_TRUE(dlopen(JOBRT_CUDA_STUB, RTLD_NOW | RTLD_GLOBAL)) << dlerror();
    auto cuda = cuda::Api::open(JOBRT_FAKE_CUDA_UNMARKED);
    ASSERT_TRUE(cuda.ok()) << cuda.status().toString();
    setenv("JOBMLIR_CUDNN_LIBRARY", JOBRT_VENDOR_CUDNN, 1);
    auto opened = Api::open(**cuda);
    ASSERT_TRUE(opened.ok()) << opened.status().toString();
    api = *opened;
    if (api->version < kDevicePropertiesVersion)
      GTEST_SKIP() << "a cuDNN without device properties";
  }

  /// Also what cuDNN 9.28 expects; older ones take no notice of the rest.
  Expected<OwnedDescriptor> describe(const Gpu &gpu) {
    std::string json =
        std::string("{\"deviceName\": \"") + gpu.name +
        "\", \"deviceVer\": " + std::to_string(gpu.version) +
        ", \"multiProcessorCount\": " + std::to_string(gpu.multiprocessors) +
        ", \"maxSharedMemoryPerBlockOptin\": " +
        std::to_string(gpu.sharedBytes) +
        ", \"oversizedSharedMemoryPerBlock\": " +
        std::to_string(gpu.sharedBytes) +
        R"(, "cudaDeviceId": 0, "smCountOrigin": 0, "driverVer": 13000,
             "maxGridSize": [2147483647, 65535, 65535],
             "maxBlockSize": [1024, 1024, 64], "regsPerBlock": 65536,
             "warpSize": 32, "maxSharedMemoryPerBlock": 49152,
             "reservedSharedMemoryPerBlock": 1024, "maxRegistersPerSM": 65536,
             "maxCtasPerSM": 32, "maxThreadsPerBlock": 1024,
             "maxThreadsPerSM": 2048, "pciDeviceId": 0, "isTccDriver": 0,
             "supportCoopLaunch": 1, "totalGlobalMem": 80000000000,
             "smClockRateKHz": 1980000, "memClockRateKHz": 2619000,
             "memoryBusWidth": 5120, "l2CacheSize": 52428800})";
    return DescriptorBuilder(*api, kDevicePropertiesDescriptor, "a device")
        .set(kDevicePropertiesJson, kCharType, std::span<const char>(json))
        .finish();
  }

  /// The engines that the heuristics suggest for a graph on a device.
  size_t countEngines(const OwnedDescriptor &graph, const Gpu &gpu) {
    auto device = describe(gpu);
    EXPECT_TRUE(device.ok()) << device.status().toString();
    auto heuristics =
        DescriptorBuilder(*api, kHeuristicsDescriptor, "the heuristics")
            .setDescriptor(kHeuristicsGraph, graph)
            .setValue(kHeuristicsMode, kHeuristicsModeType, kModeA)
            .setDescriptor(kHeuristicsDevice, *device)
            .finish();
    EXPECT_TRUE(heuristics.ok()) << heuristics.status().toString();
    auto count = getCount(*api, *heuristics, kHeuristicsResults, "engines");
    EXPECT_TRUE(count.ok()) << count.status().toString();
    auto engines = getDescriptors(*api, *heuristics, kHeuristicsResults,
                                  kEngineConfigDescriptor, *count, "engines");
    EXPECT_TRUE(engines.ok()) << engines.status().toString();
    return engines->size();
  }

  template <typename Config> void expectEngines(const Config &config) {
    ASSERT_EQ(calls::check(config), "");
    for (const Gpu &gpu : kGpus) {
      SCOPED_TRACE(testing::Message()
                   << Config::kCallee << " on " << gpu.name << ": "
                   << config.queries << " queries, " << config.keys << " keys, "
                   << config.channels << " and " << config.value_channels
                   << " channels, causal " << config.causal << ", type "
                   << config.type);
      auto graph = create(config);
      ASSERT_TRUE(graph.ok()) << graph.status().toString();
      EXPECT_GT(countEngines(*graph, gpu), 0u);
    }
  }
  Expected<OwnedDescriptor> create(const calls::CudnnAttention &config) {
    return createAttention(*api, nullptr, config);
  }
  Expected<OwnedDescriptor> create(const calls::CudnnAttentionGrad &config) {
    return createAttentionGrad(*api, nullptr, config);
  }

  /// That the deterministic engine of the gradient takes a graph.
  void expectBlackwellEngine(const calls::CudnnAttentionGrad &config,
                             const Gpu &gpu);

  std::shared_ptr<const Api> api;
};

TEST_F(CudnnVendorGraphTest, HasEnginesForAttention) {
  struct {
    int64_t queries, keys, channels, valueChannels;
  } shapes[] = {{1024, 1024, 64, 64}, {1, 1, 8, 8},       {7, 13, 16, 24},
                {1, 9, 64, 64},       {100, 130, 72, 64}, {65, 65, 128, 128}};
  for (auto [queries, keys, channels, valueChannels] : shapes)
    for (calls::Element type : {calls::Element::kF16, calls::Element::kBF16})
      for (int64_t causal : {0, 1}) {
        calls::CudnnAttentionBase base;
        base.batch = 2;
        base.heads = 3;
        base.queries = queries;
        base.keys = keys;
        base.channels = channels;
        base.value_channels = valueChannels;
        base.causal = causal;
        base.type = static_cast<int64_t>(type);
        calls::CudnnAttention forward;
        static_cast<calls::CudnnAttentionBase &>(forward) = base;
        expectEngines(forward);
        calls::CudnnAttentionGrad grad;
        static_cast<calls::CudnnAttentionBase &>(grad) = base;
        expectEngines(grad);
      }
}

/// As those of a fused projection, or of keys and values of one.
TEST_F(CudnnVendorGraphTest, HasEnginesForHeadsOfLargerArrays) {
  struct {
    int64_t queries, keys, channels;
  } shapes[] = {{1024, 1024, 64}, {65, 65, 128}, {100, 130, 72}};
  for (auto [queries, keys, channels] : shapes)
    for (calls::Element type : {calls::Element::kF16, calls::Element::kBF16})
      for (int64_t causal : {0, 1}) {
        calls::CudnnAttentionGrad grad;
        grad.batch = 2;
        grad.heads = 3;
        grad.queries = queries;
        grad.keys = keys;
        grad.channels = grad.value_channels = channels;
        grad.causal = causal;
        grad.type = static_cast<int64_t>(type);
        grad.key_before = grad.heads;
        grad.value_before = 2 * grad.heads;
        grad.query_after = 2 * grad.heads;
        grad.key_after = grad.heads;
        calls::CudnnAttention forward;
        static_cast<calls::CudnnAttentionBase &>(forward) = grad;
        expectEngines(forward);
        expectEngines(grad);
        grad.join_key_value = 1;
        expectEngines(grad);
        grad.join_query_key = queries == keys;
        expectEngines(grad);
      }
}

TEST_F(CudnnVendorGraphTest, HasTheDeterministicEngineOfBlackwell) {
  if (api->version < 91800)
    GTEST_SKIP() << "cuDNN before 9.18";
  calls::CudnnAttentionGrad config;
  config.batch = 2;
  config.heads = 3;
  config.queries = config.keys = 200;
  config.channels = config.value_channels = 64;
  config.causal = 1;
  config.type = static_cast<int64_t>(calls::Element::kBF16);
  for (int64_t packed : {0, 1}) {
    config.key_before = config.key_after = packed * config.heads;
    config.query_after = config.value_before = 2 * packed * config.heads;
    config.join_query_key = config.join_key_value = packed;
    for (const Gpu &gpu : kGpus)
      if (gpu.version >= 1000)
        expectBlackwellEngine(config, gpu);
  }
}

void CudnnVendorGraphTest::expectBlackwellEngine(
    const calls::CudnnAttentionGrad &config, const Gpu &gpu) {
  SCOPED_TRACE(gpu.name);
  auto graph = create(config);
  ASSERT_TRUE(graph.ok()) << graph.status().toString();
  auto device = describe(gpu);
  ASSERT_TRUE(device.ok()) << device.status().toString();
  EngineChoice choice =
      getBlackwellAttentionGrad(api->version, gpu.version % 100 / 10);
  auto engine = DescriptorBuilder(*api, kEngineDescriptor, "an engine")
                    .setDescriptor(kEngineGraph, *graph)
                    .setInt64(kEngineGlobalIndex, choice.index)
                    .setDescriptor(kEngineDevice, *device)
                    .finish();
  ASSERT_TRUE(engine.ok()) << engine.status().toString();
  std::vector<OwnedDescriptor> knobs;
  std::vector<Descriptor> values;
  for (auto [type, value] : choice.knobs) {
    auto knob = DescriptorBuilder(*api, kKnobChoiceDescriptor, "a knob")
                    .setValue(kKnobChoiceType, kKnobType, type)
                    .setInt64(kKnobChoiceValue, value)
                    .finish();
    ASSERT_TRUE(knob.ok()) << knob.status().toString();
    values.push_back(knob->get());
    knobs.push_back(std::move(*knob));
  }
  auto made =
      DescriptorBuilder(*api, kEngineConfigDescriptor, "a configuration")
          .setDescriptor(kEngineConfigEngine, *engine)
          .set(kEngineConfigKnobs, kDescriptorType, values)
          .finish();
  EXPECT_TRUE(made.ok()) << made.status().toString();
}

/// The test would notice a graph that no engine takes.
TEST_F(CudnnVendorGraphTest, HasNoEngineForOtherShapes) {
  calls::CudnnAttentionGrad config;
  config.queries = config.keys = 64;
  config.channels = config.value_channels = 12;
  config.type = static_cast<int64_t>(calls::Element::kBF16);
  auto graph = create(config);
  ASSERT_TRUE(graph.ok()) << graph.status().toString();
  for (const Gpu &gpu : kGpus)
    EXPECT_EQ(countEngines(*graph, gpu), 0u) << gpu.name;
}

} // namespace
