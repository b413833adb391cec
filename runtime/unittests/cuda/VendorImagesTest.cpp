//===- VendorImagesTest.cpp - Convolutions and poolings of NVIDIA's cuDNN -===//
//
// The vendor's library tells the engines for a GPU from a description of it,
// without one: what docs/rationale.md says of them.
//
//===----------------------------------------------------------------------===//

#include "unittests/cuda/CudnnCases.h"
#include "unittests/cuda/VendorCudnnTest.h"

#include <algorithm>

using namespace jobrt;
using namespace jobrt::test;
using namespace jobrt::cuda::cudnn;

// What the driver does not use: cudnnBackendAttributeName_t and
// cudnnBackendAttributeType_t.
static constexpr int kEngineBehaviorNotes = 1305, kBehaviorNoteType = 19;
/// cudnnBackendBehaviorNote_t: the engine is compiled when a plan is made.
static constexpr int kNoteRuntimeCompilation = 0;

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

using VendorImagesTest = VendorCudnnTest;

/// What the heuristics suggest.
class VendorSuggestionsTest : public VendorCudnnTest {
protected:
  static OwnedDescriptor take(Expected<OwnedDescriptor> descriptor) {
    EXPECT_TRUE(descriptor.ok()) << descriptor.status().toString();
    return descriptor.ok() ? std::move(*descriptor) : OwnedDescriptor();
  }

  std::vector<Suggestion>
  suggest(const std::vector<OwnedDescriptor> &operations, int mode);
};
} // namespace

std::vector<Suggestion>
VendorSuggestionsTest::suggest(const std::vector<OwnedDescriptor> &operations,
                               int mode) {
  std::vector<Descriptor> descriptors;
  for (const OwnedDescriptor &operation : operations)
    descriptors.push_back(operation.get());
  OwnedDescriptor graph =
      take(DescriptorBuilder(api(), kGraphDescriptor, "a graph")
               .set(kGraphOperations, kDescriptorType, descriptors)
               .finish());
  OwnedDescriptor heuristics =
      take(DescriptorBuilder(api(), kHeuristicsDescriptor, "the heuristics")
               .setDescriptor(kHeuristicsGraph, graph)
               .setValue(kHeuristicsMode, kHeuristicsModeType, mode)
               .finish());
  auto count = getCount(api(), heuristics, kHeuristicsResults, "heuristics");
  EXPECT_TRUE(count.ok()) << count.status().toString();
  auto configs = getDescriptors(api(), heuristics, kHeuristicsResults,
                                kEngineConfigDescriptor, *count, "heuristics");
  EXPECT_TRUE(configs.ok()) << configs.status().toString();
  std::vector<Suggestion> suggestions;
  for (const OwnedDescriptor &config : *configs) {
    auto engines = getDescriptors(api(), config, kEngineConfigEngine,
                                  kEngineDescriptor, 1, "a configuration");
    auto numerical = getEnums(api(), engines->front(), kEngineNumericalNotes,
                              kNumericalNoteType, 64, "an engine");
    auto behavior = getEnums(api(), engines->front(), kEngineBehaviorNotes,
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

/// In every type, layout and direction, with the workspace that the compiler
/// plans at least.
TEST_P(VendorImagesTest, PreparesConvolutions) {
  constexpr int64_t kWorkspaceBytes = 32 << 20;
  calls::CudnnConv2d depthwise = simple(8, 32, 14, 32, 3, 1);
  depthwise.groups = 32;
  calls::CudnnConv2d convs[] = {simple(100, 1, 28, 32, 5, 2),
                                simple(100, 32, 14, 64, 5, 2), depthwise,
                                uneven()};
  for (calls::CudnnConv2d conv : convs)
    for (int64_t type : {0, 1, 2})
      for (int64_t layout : {0, 1})
        for (int64_t tf32 : {0, 1}) {
          if (tf32 && type != 0)
            continue;
          conv.type = type;
          conv.layout = layout;
          conv.tf32 = tf32;
          conv.workspace = kWorkspaceBytes;
          for (int64_t epilogue : {0, 1, 2}) {
            calls::CudnnConv2dForward forward{conv};
            forward.epilogue = epilogue;
            expectCall(forward);
          }
          expectCall(calls::CudnnConv2dDataGrad{conv});
          expectCall(calls::CudnnConv2dFilterGrad{conv});
        }
}

TEST_P(VendorImagesTest, PreparesPoolings) {
  for (int64_t type : {0, 1, 2}) {
    calls::CudnnAvgPool2dBase pool = unevenPool();
    pool.type = type;
    expectCall(calls::CudnnAvgPool2d{pool});
    expectCall(calls::CudnnAvgPool2dGrad{pool});
  }
}

/// An engine for a bias, and a relu after it, that rounds nothing and is not
/// compiled at load, of every type, layout and shape. For f32, cuDNN 9.28 has
/// such a one in the fallback alone.
TEST_P(VendorSuggestionsTest, ConvolutionsHaveEpilogues) {
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
          auto operations = createConv2d(api(), config);
          ASSERT_TRUE(operations.ok()) << operations.status().toString();
          std::vector<Suggestion> suggestions = suggest(*operations, kModeA);
          for (const Suggestion &suggestion :
               suggest(*operations, kModeFallback))
            suggestions.push_back(suggestion);
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
TEST_P(VendorSuggestionsTest, PoolingsOfPlanesNeedNoCompiler) {
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
        auto operation = createAvgPool2d(api(), pool, isGradient);
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

INSTANTIATE_TEST_SUITE_P(, VendorImagesTest, testing::ValuesIn(kVendorGpus),
                         VendorImagesTest::nameOf);
INSTANTIATE_TEST_SUITE_P(, VendorSuggestionsTest,
                         testing::Values(kVendorGpus[1]),
                         VendorSuggestionsTest::nameOf);
