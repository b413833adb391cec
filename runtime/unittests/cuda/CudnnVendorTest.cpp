//===- CudnnVendorTest.cpp - Graphs and the heuristics of cuDNN -----------===//
//
// The vendor's library tells the engines for a GPU from a description of it,
// without one: what docs/rationale.md says of them.
//
//===----------------------------------------------------------------------===//

#include "drivers/cuda/cudnn/Cudnn.h"
#include "unittests/cuda/CudnnCases.h"
#include "unittests/cuda/LibraryTest.h"
#include "unittests/cuda/VendorLeaks.h"

using namespace jobrt;
using namespace jobrt::test;
using namespace jobrt::cuda::cudnn;
using cuda::cudnn::Api;

// What the driver does not use: cudnnBackendDescriptorType_t,
// cudnnBackendAttributeName_t and cudnnBackendAttributeType_t.
static constexpr int kDevicePropertiesDescriptor = 38;
static constexpr int kHeuristicsDeviceProperties = 204,
                     kEngineBehaviorNotes = 1305, kDevicePropertiesJson = 2702;
static constexpr int kCharType = 24, kBehaviorNoteType = 19;
/// cudnnBackendBehaviorNote_t: the engine is compiled when a plan is made.
static constexpr int kNoteRuntimeCompilation = 0;

/// An H200, as the library writes one (CUDNN_ATTR_DEVICEPROP_JSON_
/// REPRESENTATION).
static constexpr std::string_view kDevice = R"({
  "maxGridSize": [2147483647, 65535, 65535], "maxBlockSize": [1024, 1024, 64],
  "regsPerBlock": 65536, "multiProcessorCount": 132, "warpSize": 32,
  "maxSharedMemoryPerBlock": 49152, "maxSharedMemoryPerBlockOptin": 232448,
  "reservedSharedMemoryPerBlock": 1024, "maxRegistersPerSM": 65536,
  "maxCtasPerSM": 32, "maxThreadsPerBlock": 1024, "maxThreadsPerSM": 2048,
  "pciDeviceId": 0, "isTccDriver": 0, "supportCoopLaunch": 1,
  "totalGlobalMem": 150000000000, "smClockRateKHz": 1980000,
  "memClockRateKHz": 2619000, "memoryBusWidth": 6144,
  "l2CacheSize": 52428800, "cudaDeviceId": 0, "smCountOrigin": 0,
  "oversizedSharedMemoryPerBlock": 232448,
  "deviceVer": 900, "driverVer": 13000, "deviceName": "NVIDIA H200"})";

namespace {
/// An engine that the library suggests.
struct Suggestion {
  std::vector<int> numericalNotes, behaviorNotes;

  bool has(std::initializer_list<int> notes) const {
    return std::find_first_of(numericalNotes.begin(), numericalNotes.end(),
                              notes.begin(),
                              notes.end()) != numericalNotes.end();
  }
  bool isCompiledAtLoad() const {
    return std::count(behaviorNotes.begin(), behaviorNotes.end(),
                      kNoteRuntimeCompilation);
  }
};

class CudnnVendorTest : public LibraryTest {
  VendorLeaks leaks;

protected:
  void SetUp() override {
    setenv("JOBMLIR_CUDA_LIBRARY", JOBRT_SIMULATED_CUDA, 1);
    LibraryTest::SetUp();
    if (!*JOBRT_VENDOR_CUDNN)
      GTEST_SKIP() << "no libcudnn.so.9 on this machine";
    auto real = cuda::Api::open(JOBRT_FAKE_CUDA_UNMARKED);
    ASSERT_TRUE(real.ok()) << real.status().toString();
    setenv("JOBMLIR_CUDNN_LIBRARY", JOBRT_VENDOR_CUDNN, 1);
    auto opened = Api::open(**real);
    ASSERT_TRUE(opened.ok()) << opened.status().toString();
    cudnn = *opened;
    // Before 9.8 there is no such descriptor.
    if (cudnn->getVersion() < 90800)
      GTEST_SKIP() << "cuDNN is older than 9.8";
    device =
        take(DescriptorBuilder(*cudnn, kDevicePropertiesDescriptor, "a device")
                 .set(kDevicePropertiesJson, kCharType,
                      std::span<const char>(kDevice))
                 .finish());
  }
  void TearDown() override {
    device = {};
    LibraryTest::TearDown();
    unsetenv("JOBMLIR_CUDNN_LIBRARY");
  }

  static OwnedDescriptor take(Expected<OwnedDescriptor> descriptor) {
    EXPECT_TRUE(descriptor.ok()) << descriptor.status().toString();
    return descriptor.ok() ? std::move(*descriptor) : OwnedDescriptor();
  }

  std::vector<Suggestion>
  suggest(const std::vector<OwnedDescriptor> &operations, int mode);

  std::shared_ptr<const Api> cudnn;
  OwnedDescriptor device;
};
} // namespace

std::vector<Suggestion>
CudnnVendorTest::suggest(const std::vector<OwnedDescriptor> &operations,
                         int mode) {
  std::vector<Descriptor> descriptors;
  for (const OwnedDescriptor &operation : operations)
    descriptors.push_back(operation.get());
  OwnedDescriptor graph =
      take(DescriptorBuilder(*cudnn, kGraphDescriptor, "a graph")
               .set(kGraphOperations, kDescriptorType, descriptors)
               .finish());
  OwnedDescriptor heuristics =
      take(DescriptorBuilder(*cudnn, kHeuristicsDescriptor, "the heuristics")
               .setDescriptor(kHeuristicsGraph, graph)
               .setValue(kHeuristicsMode, kHeuristicsModeType, mode)
               .setDescriptor(kHeuristicsDeviceProperties, device)
               .finish());
  auto count = getCount(*cudnn, heuristics, kHeuristicsResults, "heuristics");
  EXPECT_TRUE(count.ok()) << count.status().toString();
  auto configs = getDescriptors(*cudnn, heuristics, kHeuristicsResults,
                                kEngineConfigDescriptor, *count, "heuristics");
  EXPECT_TRUE(configs.ok()) << configs.status().toString();
  std::vector<Suggestion> suggestions;
  for (const OwnedDescriptor &config : *configs) {
    auto engines = getDescriptors(*cudnn, config, kEngineConfigEngine,
                                  kEngineDescriptor, 1, "a configuration");
    auto numerical = getEnums(*cudnn, engines->front(), kEngineNumericalNotes,
                              kNumericalNoteType, 64, "an engine");
    auto behavior = getEnums(*cudnn, engines->front(), kEngineBehaviorNotes,
                             kBehaviorNoteType, 64, "an engine");
    if (!numerical.ok() || !behavior.ok()) {
      ADD_FAILURE() << numerical.status().toString()
                    << behavior.status().toString();
      return {};
    }
    suggestions.push_back({*numerical, *behavior});
  }
  return suggestions;
}

/// An engine for a bias, and a relu after it, that rounds nothing and is not
/// compiled at load, of every type, layout and shape.
TEST_F(CudnnVendorTest, ConvolutionsHaveEpilogues) {
  calls::CudnnConv2d depthwise = simple(8, 32, 14, 32, 3, 1);
  depthwise.groups = 32;
  for (calls::CudnnConv2d conv :
       {simple(100, 32, 14, 64, 5, 2), depthwise, uneven()})
    for (int64_t type : {0, 1, 2})
      for (int64_t layout : {0, 1})
        for (int64_t epilogue : {1, 2}) {
          calls::CudnnConv2dForward config{conv};
          config.type = type;
          config.layout = layout;
          config.epilogue = epilogue;
          SCOPED_TRACE(testing::Message()
                       << conv.groups << " groups, type " << type << ", layout "
                       << layout << ", epilogue " << epilogue);
          auto operations = createConv2d(*cudnn, config);
          ASSERT_TRUE(operations.ok()) << operations.status().toString();
          std::vector<Suggestion> suggestions = suggest(*operations, kModeA);
          EXPECT_TRUE(std::any_of(
              suggestions.begin(), suggestions.end(), [&](const Suggestion &s) {
                bool isExact =
                    !s.has({kNoteDownConvertInputs, kNoteReducedPrecision,
                            kNoteFFT, kNoteNondeterministic, kNoteWinograd});
                return isExact && (type != 0 || !s.has({kNoteTensorCore})) &&
                       !s.isCompiledAtLoad();
              }));
        }
}

/// Planes have one engine, of the fallback; images with the channels last have
/// none that is not compiled at load.
TEST_F(CudnnVendorTest, PoolingsOfPlanesNeedNoCompiler) {
  calls::CudnnAvgPool2dBase pool;
  pool.n = 32;
  pool.c = 64;
  pool.h = pool.w = 112;
  pool.kh = pool.kw = 3;
  pool.stride_h = pool.stride_w = 2;
  pool.pad_bottom = pool.pad_right = 1;
  pool.oh = pool.ow = 56;
  for (int64_t type : {0, 1, 2})
    for (int64_t layout : {0, 1})
      for (bool isGradient : {false, true}) {
        pool.type = type;
        pool.layout = layout;
        SCOPED_TRACE(testing::Message() << "type " << type << ", layout "
                                        << layout << ", " << isGradient);
        auto operation = createAvgPool2d(*cudnn, pool, isGradient);
        ASSERT_TRUE(operation.ok()) << operation.status().toString();
        std::vector<OwnedDescriptor> operations;
        operations.push_back(std::move(*operation));
        std::vector<Suggestion> suggestions;
        for (int mode : {kModeA, kModeFallback})
          for (const Suggestion &suggestion : suggest(operations, mode))
            if (!suggestion.isCompiledAtLoad())
              suggestions.push_back(suggestion);
        ASSERT_EQ(suggestions.size(), layout == 0 ? 1u : 0u);
        for (const Suggestion &suggestion : suggestions)
          EXPECT_TRUE(suggestion.numericalNotes.empty());
      }
}
