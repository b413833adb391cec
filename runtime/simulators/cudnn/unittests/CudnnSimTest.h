//===- CudnnSimTest.h - What tests of the stand-in share --------*- C++ -*-===//

#ifndef JOBRT_SIMULATORS_CUDNN_UNITTESTS_CUDNNSIMTEST_H
#define JOBRT_SIMULATORS_CUDNN_UNITTESTS_CUDNNSIMTEST_H

// First: both libraries have errors and types of the same names.
#include "simulators/cudnn/State.h"

#include "simulators/cuda/unittests/SimTest.h"

namespace dnn = jobrt::cuda::cudnn;

#define ASSERT_DNN_OK(call)                                                    \
  ASSERT_EQ(call, dnn::kSuccess) << jobsim_last_fault()
#define EXPECT_DNN_OK(call)                                                    \
  EXPECT_EQ(call, dnn::kSuccess) << jobsim_last_fault()

/// A handle, and descriptors that end with the test.
class CudnnSimTest : public SimTest {
protected:
  void SetUp() override {
    SimTest::SetUp();
    ASSERT_DNN_OK(cudnnCreate(&handle));
    ASSERT_DNN_OK(cudnnSetStream(handle, stream));
  }

  void TearDown() override {
    for (Descriptor descriptor : descriptors)
      cudnnBackendDestroyDescriptor(descriptor);
    cudnnDestroy(handle);
    SimTest::TearDown();
  }

  Descriptor create(int type) {
    Descriptor descriptor = nullptr;
    EXPECT_DNN_OK(cudnnBackendCreateDescriptor(type, &descriptor));
    descriptors.push_back(descriptor);
    return descriptor;
  }
  template <typename T>
  Result set(Descriptor descriptor, int attribute, int type,
             const std::vector<T> &values) {
    return cudnnBackendSetAttribute(descriptor, attribute, type, values.size(),
                                    values.data());
  }
  template <typename T>
  Result set(Descriptor descriptor, int attribute, int type, T value) {
    return set(descriptor, attribute, type, std::vector<T>{value});
  }
  Result setInts(Descriptor descriptor, int attribute,
                 const std::vector<int64_t> &values) {
    return set(descriptor, attribute, dnn::kInt64Type, values);
  }

  /// A tensor that is not finalized.
  Descriptor makeTensor(int64_t id, const std::vector<int64_t> &dims) {
    Descriptor tensor = create(dnn::kTensorDescriptor);
    std::vector<int64_t> strides(dims.size());
    int64_t stride = 1;
    for (size_t i = dims.size(); i-- > 0; stride *= dims[i])
      strides[i] = stride;
    EXPECT_DNN_OK(setInts(tensor, dnn::kTensorUniqueId, {id}));
    EXPECT_DNN_OK(setInts(tensor, dnn::kTensorAlignment, {16}));
    EXPECT_DNN_OK(setInts(tensor, dnn::kTensorDimensions, dims));
    EXPECT_DNN_OK(setInts(tensor, dnn::kTensorStrides, strides));
    EXPECT_DNN_OK(
        set(tensor, dnn::kTensorDataType, dnn::kDataTypeType, dnn::kTypeF32));
    return tensor;
  }
  Descriptor finalized(Descriptor descriptor) {
    EXPECT_DNN_OK(cudnnBackendFinalize(descriptor));
    return descriptor;
  }
  Descriptor makeVirtual(int64_t id, const std::vector<int64_t> &dims) {
    Descriptor tensor = makeTensor(id, dims);
    EXPECT_DNN_OK(cudnnBackendSetAttribute(tensor, dnn::kTensorIsVirtual,
                                           dnn::kBooleanType, 1, &kTrue));
    return finalized(tensor);
  }
  /// A graph that is not finalized.
  Descriptor makeGraph(const std::vector<Descriptor> &operations) {
    Descriptor graph = create(dnn::kGraphDescriptor);
    EXPECT_DNN_OK(set(graph, dnn::kGraphHandle, dnn::kHandleType, handle));
    EXPECT_DNN_OK(
        set(graph, dnn::kGraphOperations, dnn::kDescriptorType, operations));
    return graph;
  }
  /// The configuration of an engine that the heuristics suggest.
  Descriptor findConfig(Descriptor graph, int64_t engine,
                        int mode = dnn::kModeA) {
    Descriptor heuristics = create(dnn::kHeuristicsDescriptor);
    EXPECT_DNN_OK(
        set(heuristics, dnn::kHeuristicsGraph, dnn::kDescriptorType, graph));
    EXPECT_DNN_OK(
        set(heuristics, dnn::kHeuristicsMode, dnn::kHeuristicsModeType, mode));
    finalized(heuristics);
    int64_t count = 0;
    EXPECT_DNN_OK(cudnnBackendGetAttribute(heuristics, dnn::kHeuristicsResults,
                                           dnn::kDescriptorType, 0, &count,
                                           nullptr));
    std::vector<Descriptor> configs;
    for (int64_t i = 0; i < count; ++i)
      configs.push_back(create(dnn::kEngineConfigDescriptor));
    EXPECT_DNN_OK(cudnnBackendGetAttribute(heuristics, dnn::kHeuristicsResults,
                                           dnn::kDescriptorType, count, &count,
                                           configs.data()));
    EXPECT_LT(count, static_cast<int64_t>(configs.size()));
    for (int64_t i = 0; i < count; ++i) {
      Descriptor found = create(dnn::kEngineDescriptor);
      int64_t one = 0, index = -1;
      EXPECT_DNN_OK(
          cudnnBackendGetAttribute(configs[i], dnn::kEngineConfigEngine,
                                   dnn::kDescriptorType, 1, &one, &found));
      EXPECT_DNN_OK(cudnnBackendGetAttribute(found, dnn::kEngineGlobalIndex,
                                             dnn::kInt64Type, 1, &one, &index));
      if (index == engine)
        return configs[i];
    }
    ADD_FAILURE() << "no engine " << engine;
    return nullptr;
  }
  Descriptor makePlan(Descriptor config) {
    Descriptor plan = create(dnn::kPlanDescriptor);
    EXPECT_DNN_OK(set(plan, dnn::kPlanHandle, dnn::kHandleType, handle));
    EXPECT_DNN_OK(
        set(plan, dnn::kPlanEngineConfig, dnn::kDescriptorType, config));
    return plan;
  }
  /// A pack that is not finalized.
  Descriptor makePack(const std::vector<int64_t> &ids,
                      const std::vector<DevicePointer> &pointers) {
    Descriptor pack = create(dnn::kVariantPackDescriptor);
    EXPECT_DNN_OK(setInts(pack, dnn::kVariantPackUniqueIds, ids));
    EXPECT_DNN_OK(
        set(pack, dnn::kVariantPackPointers, dnn::kPointerType, pointers));
    return pack;
  }
  /// The call is refused for this reason, which is the library's last error.
  void expectRefused(Result got, Result error, const std::string &reason) {
    EXPECT_EQ(got, error) << jobsim_last_fault();
    EXPECT_NE(std::string(jobsim_last_fault()).find(reason), std::string::npos)
        << jobsim_last_fault();
    char text[256];
    cudnnGetLastErrorString(text, sizeof(text));
    EXPECT_NE(std::string(text).find(reason), std::string::npos) << text;
  }

  static constexpr bool kTrue = true;

  Handle handle = nullptr;
  std::vector<Descriptor> descriptors;
};

/// A convolution that is not finalized: of stride 1, without padding.
class CudnnConvolutionTest : public CudnnSimTest {
protected:
  Descriptor makeConvolution() {
    Descriptor convolution = create(dnn::kConvolutionDescriptor);
    EXPECT_DNN_OK(setInts(convolution, dnn::kConvolutionSpatialDims, {2}));
    EXPECT_DNN_OK(setInts(convolution, dnn::kConvolutionPrePaddings, {0, 0}));
    EXPECT_DNN_OK(setInts(convolution, dnn::kConvolutionPostPaddings, {0, 0}));
    EXPECT_DNN_OK(setInts(convolution, dnn::kConvolutionDilations, {1, 1}));
    EXPECT_DNN_OK(setInts(convolution, dnn::kConvolutionStrides, {1, 1}));
    EXPECT_DNN_OK(set(convolution, dnn::kConvolutionComputeType,
                      dnn::kDataTypeType, dnn::kTypeF32));
    EXPECT_DNN_OK(set(convolution, dnn::kConvolutionMode,
                      dnn::kConvolutionModeType, dnn::kCrossCorrelation));
    return convolution;
  }
  /// The forward operation of finalized parts, not finalized itself.
  Descriptor makeOperation(Descriptor convolution, Descriptor x, Descriptor w,
                           Descriptor y, float beta = 0) {
    Descriptor operation = create(dnn::kConvolutionForwardDescriptor);
    EXPECT_DNN_OK(set(operation, dnn::kForwardAlpha, dnn::kFloatType, 1.0f));
    EXPECT_DNN_OK(set(operation, dnn::kForwardBeta, dnn::kFloatType, beta));
    for (auto [attribute, value] :
         {std::pair{dnn::kForwardConvolution, convolution},
          {dnn::kForwardInput, x},
          {dnn::kForwardFilter, w},
          {dnn::kForwardOutput, y}}) {
      EXPECT_DNN_OK(set(operation, attribute, dnn::kDescriptorType, value));
    }
    return operation;
  }
};

#endif // JOBRT_SIMULATORS_CUDNN_UNITTESTS_CUDNNSIMTEST_H
