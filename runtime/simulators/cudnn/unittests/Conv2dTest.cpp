//===- Conv2dTest.cpp - What the stand-in for cuDNN finds -----------------===//

#include "simulators/cudnn/unittests/CudnnSimTest.h"

namespace {

/// A convolution of an image of 1 x 1 x 2 x 3 with a filter of 1 x 1 x 1 x 2.
class CudnnConv2dTest : public CudnnConvolutionTest {
protected:
  using CudnnSimTest::makeGraph;
  using CudnnSimTest::makePack;
  using CudnnSimTest::makePlan;

  void SetUp() override {
    CudnnSimTest::SetUp();
    xData = upload(std::vector<float>{1, 2, 3, 4, 5, 6});
    wData = upload(std::vector<float>{1, 10});
    yData = allocate(16);
    workspace = allocate(64);
  }

  Descriptor makeGraph(float beta = 0) {
    Descriptor operation = finalized(makeOperation(
        finalized(makeConvolution()), finalized(makeTensor(1, {1, 1, 2, 3})),
        finalized(makeTensor(2, {1, 1, 1, 2})),
        finalized(makeTensor(3, {1, 1, 2, 2})), beta));
    return finalized(makeGraph({operation}));
  }
  Descriptor makePlan(float beta = 0) {
    return finalized(
        makePlan(findConfig(makeGraph(beta), 0, dnn::kModeFallback)));
  }
  Descriptor makePack() {
    return finalized(makePack({1, 2, 3}, {xData, wData, yData}));
  }

  DevicePointer xData = 0, wData = 0, yData = 0, workspace = 0;
};

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

TEST_F(CudnnConv2dTest, ComputesOnTheStream) {
  jobsim_set_schedule(JOBSIM_SCHEDULE_LAZY);
  ASSERT_DNN_OK(cudnnBackendExecute(handle, makePlan(), makePack()));
  EXPECT_EQ(download<float>(yData, 4), (std::vector<float>{21, 32, 54, 65}));
  ASSERT_DNN_OK(cudnnBackendExecute(handle, makePlan(2), makePack()));
  EXPECT_EQ(download<float>(yData, 4), (std::vector<float>{63, 96, 162, 195}));
}

TEST_F(CudnnConv2dTest, IsReplayedByAGraph) {
  Descriptor plan = makePlan(1);
  Graph graph;
  // Not in its first use.
  ASSERT_OK(cuStreamBeginCapture_v2(stream, kCaptureThreadLocal));
  EXPECT_EQ(cudnnBackendExecute(handle, plan, makePack()),
            dnn::kExecutionFailed);
  EXPECT_EQ(cuStreamEndCapture(stream, &graph), kErrorStreamCaptureInvalidated);
  ASSERT_DNN_OK(cudnnBackendExecute(handle, plan, makePack()));
  ASSERT_OK(cuStreamBeginCapture_v2(stream, kCaptureThreadLocal));
  ASSERT_DNN_OK(cudnnBackendExecute(handle, plan, makePack()));
  GraphExec exec;
  ASSERT_OK(cuStreamEndCapture(stream, &graph));
  ASSERT_OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
  ASSERT_OK(cuGraphDestroy(graph));
  ASSERT_OK(cuMemsetD8Async(yData, 0, 16, stream));
  for (int i = 0; i < 2; ++i)
    ASSERT_OK(cuGraphLaunch(exec, stream));
  EXPECT_EQ(download<float>(yData, 4), (std::vector<float>{42, 64, 108, 130}));
  ASSERT_OK(cuGraphExecDestroy(exec));
}

TEST_F(CudnnConv2dTest, ShowsAMissingWait) {
  Descriptor plan = makePlan(), pack = makePack();
  Stream other;
  ASSERT_OK(cuStreamCreate(&other, kStreamNonBlocking));
  float *result = allocatePinned<float>(4);
  int early = 0, late = 0;
  for (int i = 0; i < 200; ++i) {
    ASSERT_OK(cuMemsetD8Async(yData, 0, 16, stream));
    ASSERT_OK(cuStreamSynchronize(stream));
    ASSERT_DNN_OK(cudnnBackendExecute(handle, plan, pack));
    ASSERT_OK(cuMemcpyDtoHAsync_v2(result, yData, 16, other));
    ASSERT_OK(cuStreamSynchronize(other));
    ASSERT_OK(cuStreamSynchronize(stream));
    (result[0] == 0 ? early : late)++;
  }
  EXPECT_GT(early, 20);
  EXPECT_GT(late, 20);
  ASSERT_OK(cuStreamDestroy_v2(other));
}

TEST_F(CudnnConv2dTest, FindsTensorsOutOfBounds) {
  yData = allocate(12);
  ASSERT_DNN_OK(cudnnBackendExecute(handle, makePlan(), makePack()));
  expectFault(kErrorIllegalAddress,
              "cudnnBackendExecute: write of 16 bytes of the output out of "
              "bounds: allocation of 12 bytes + 0");
}

TEST_F(CudnnConv2dTest, FindsTensorsOfTheHost) {
  xData = reinterpret_cast<DevicePointer>(allocatePinned<float>(6));
  ASSERT_DNN_OK(cudnnBackendExecute(handle, makePlan(), makePack()));
  expectFault(kErrorIllegalAddress,
              "cudnnBackendExecute: read of 24 bytes of the input of memory "
              "that is not the device's");
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

TEST_F(CudnnConv2dTest, RefusesWrongAttributes) {
  Descriptor tensor = makeTensor(1, {1, 1, 1, 1});
  int64_t values[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1}, count = 0;
  expectRefused(setInts(tensor, dnn::kConvolutionDilations, {1, 1}),
                dnn::kBadParam, "a descriptor of type 17 has no attribute 102");
  expectRefused(set(tensor, dnn::kTensorDimensions, dnn::kFloatType, 1.0f),
                dnn::kBadParamAttributeType,
                "expects type 3 for attribute 902 but got 4");
  expectRefused(cudnnBackendSetAttribute(tensor, dnn::kTensorDimensions,
                                         dnn::kInt64Type, 9, values),
                dnn::kBadParam,
                "expects 1 to 8 values for attribute 902 but got 9");
  expectRefused(cudnnBackendSetAttribute(tensor, dnn::kTensorUniqueId,
                                         dnn::kInt64Type, 2, values),
                dnn::kBadParam, "expects 1 values for attribute 906 but got 2");
  expectRefused(cudnnBackendSetAttribute(tensor, dnn::kTensorUniqueId,
                                         dnn::kInt64Type, 1, nullptr),
                dnn::kBadParamNullPointer, "expects values for attribute 906");
  expectRefused(cudnnBackendGetAttribute(tensor, dnn::kTensorUniqueId,
                                         dnn::kInt64Type, 1, &count, values),
                dnn::kNotInitialized, "the descriptor is not finalized");
  finalized(tensor);
  expectRefused(setInts(tensor, dnn::kTensorUniqueId, {2}), dnn::kBadParam,
                "the descriptor is finalized");
  expectRefused(cudnnBackendFinalize(tensor), dnn::kBadParam,
                "the descriptor is finalized");
  expectRefused(cudnnBackendGetAttribute(tensor, dnn::kTensorUniqueId,
                                         dnn::kInt64Type, 1, &count, nullptr),
                dnn::kBadParam, "expects room for the values of attribute 906");
  ASSERT_DNN_OK(cudnnBackendGetAttribute(tensor, dnn::kTensorDimensions,
                                         dnn::kInt64Type, 8, &count, values));
  EXPECT_EQ(count, 4);
}

TEST_F(CudnnConv2dTest, RefusesWrongDescriptors) {
  Descriptor operation = create(dnn::kConvolutionForwardDescriptor);
  Descriptor tensor = makeTensor(1, {1, 1, 1, 1});
  auto setInput = [&](Descriptor value) {
    return set(operation, dnn::kForwardInput, dnn::kDescriptorType, value);
  };
  expectRefused(setInput(tensor), dnn::kBadParamNotFinalized,
                "expects a finalized descriptor for attribute 704");
  expectRefused(setInput(finalized(makeConvolution())),
                dnn::kBadParamDescriptorType,
                "expects a descriptor of type 17 for attribute 704 but got 1");
  expectRefused(setInput(nullptr), dnn::kBadParamNullPointer,
                "no such descriptor in the attribute 704");
  expectRefused(cudnnBackendFinalize(operation), dnn::kBadParam,
                "expects the attribute 700");
  expectRefused(setInts(nullptr, dnn::kTensorUniqueId, {1}), dnn::kBadParam,
                "no such descriptor");
  expectRefused(cudnnBackendFinalize(nullptr), dnn::kBadParam,
                "no such descriptor");
  expectRefused(cudnnBackendDestroyDescriptor(nullptr), dnn::kBadParam,
                "no such descriptor");
  Descriptor unknown;
  expectRefused(cudnnBackendCreateDescriptor(999, &unknown), dnn::kNotSupported,
                "the stand-in has no descriptor of type 999");
  expectRefused(cudnnBackendCreateDescriptor(dnn::kTensorDescriptor, nullptr),
                dnn::kBadParamNullPointer,
                "expects a place for the descriptor");
  expectRefused(cudnnBackendFinalize(create(dnn::kEngineConfigDescriptor)),
                dnn::kBadParam, "expects the attribute 300");
  Descriptor heuristics = create(dnn::kHeuristicsDescriptor);
  expectRefused(set(heuristics, dnn::kHeuristicsResults, dnn::kDescriptorType,
                    finalized(tensor)),
                dnn::kBadParam, "attribute 202 cannot be set");
  // A copy was made of what was set.
  Descriptor input = makeTensor(7, {1, 1, 1, 1});
  ASSERT_DNN_OK(setInput(finalized(input)));
  ASSERT_DNN_OK(cudnnBackendDestroyDescriptor(input));
  descriptors.erase(std::find(descriptors.begin(), descriptors.end(), input));
}

TEST_F(CudnnConv2dTest, RefusesWrongHandles) {
  expectRefused(cudnnSetStream(nullptr, stream), dnn::kBadParam,
                "no such handle");
  expectRefused(cudnnDestroy(nullptr), dnn::kBadParam, "no such handle");
  expectRefused(cudnnCreate(nullptr), dnn::kBadParamNullPointer,
                "expects a place for the handle");
  Descriptor graph = makeGraph();
  Descriptor config = findConfig(graph, 0, dnn::kModeFallback);
  Descriptor plan = finalized(makePlan(config)), pack = makePack();
  Handle other, right = handle;
  ASSERT_DNN_OK(cudnnCreate(&other));
  expectRefused(cudnnBackendExecute(other, plan, pack), dnn::kBadParam,
                "the plan is of another handle");
  handle = other;
  expectRefused(cudnnBackendFinalize(makePlan(config)), dnn::kBadParam,
                "the graph is of another handle");
  ASSERT_DNN_OK(cudnnDestroy(other));
  expectRefused(cudnnBackendFinalize(makePlan(config)), dnn::kBadParam,
                "no such handle");
  expectRefused(cudnnBackendExecute(other, plan, pack), dnn::kBadParam,
                "no such handle");
  Descriptor late = create(dnn::kGraphDescriptor);
  ASSERT_DNN_OK(set(late, dnn::kGraphHandle, dnn::kHandleType, other));
  ASSERT_DNN_OK(set(late, dnn::kGraphOperations, dnn::kDescriptorType, graph));
  expectRefused(cudnnBackendFinalize(late), dnn::kBadParam, "no such handle");
  handle = right;
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

TEST_F(CudnnConv2dTest, RefusesWrongTensors) {
  auto expectTensor = [&](int attribute, std::vector<int64_t> values,
                          const char *reason) {
    Descriptor tensor = makeTensor(1, {1, 1, 2, 3});
    ASSERT_DNN_OK(setInts(tensor, attribute, values));
    expectRefused(cudnnBackendFinalize(tensor), dnn::kBadParam, reason);
  };
  expectTensor(dnn::kTensorStrides, {6, 3, 1}, "expects 4 strides but got 3");
  expectTensor(dnn::kTensorStrides, {6, 6, 3, 0},
               "expects dimensions and strides of at least 1 but got (6, 6, "
               "3, 0)");
  expectTensor(dnn::kTensorDimensions, {1, 1, -2, 3},
               "expects dimensions and strides of at least 1 but got (1, 1, "
               "-2, 3)");
  for (int64_t alignment : {2, 12})
    expectTensor(dnn::kTensorAlignment, {alignment},
                 "expects an alignment that is a power of two of at least an "
                 "element but got ");
  Descriptor tensor = makeTensor(1, {1, 1, 2, 3});
  ASSERT_DNN_OK(set(tensor, dnn::kTensorDataType, dnn::kDataTypeType, 3));
  expectRefused(cudnnBackendFinalize(tensor), dnn::kNotSupportedDataType,
                "the stand-in has no data type 3");
}

TEST_F(CudnnConv2dTest, RefusesWrongConvolutions) {
  auto expectConvolution = [&](int attribute, std::vector<int64_t> values,
                               Result error, const char *reason) {
    Descriptor convolution = makeConvolution();
    ASSERT_DNN_OK(setInts(convolution, attribute, values));
    expectRefused(cudnnBackendFinalize(convolution), error, reason);
  };
  expectConvolution(dnn::kConvolutionSpatialDims, {3}, dnn::kNotSupported,
                    "the stand-in has 2 spatial dimensions but got 3");
  expectConvolution(dnn::kConvolutionStrides, {1}, dnn::kBadParam,
                    "expects 2 values of attribute 103 but got 1");
  expectConvolution(dnn::kConvolutionStrides, {1, 0}, dnn::kBadParam,
                    "expects values of at least 1 for attribute 103 but got "
                    "0");
  expectConvolution(dnn::kConvolutionPostPaddings, {-1, 0}, dnn::kBadParam,
                    "expects values of at least 0 for attribute 104 but got "
                    "-1");
  Descriptor convolution = makeConvolution();
  ASSERT_DNN_OK(set(convolution, dnn::kConvolutionComputeType,
                    dnn::kDataTypeType, dnn::kTypeF16));
  expectRefused(cudnnBackendFinalize(convolution), dnn::kNotSupportedDataType,
                "expects f32 as the type of computing but got 2");
  convolution = makeConvolution();
  ASSERT_DNN_OK(
      set(convolution, dnn::kConvolutionMode, dnn::kConvolutionModeType, 0));
  expectRefused(cudnnBackendFinalize(convolution), dnn::kNotSupported,
                "the stand-in has cross-correlations only but got mode 0");
}

TEST_F(CudnnConv2dTest, RefusesWrongOperations) {
  using Dims = std::vector<int64_t>;
  auto expectOperation = [&](const Dims &x, const Dims &w, const Dims &y,
                             const char *reason) {
    expectRefused(
        cudnnBackendFinalize(makeOperation(
            finalized(makeConvolution()), finalized(makeTensor(1, x)),
            finalized(makeTensor(2, w)), finalized(makeTensor(3, y)))),
        dnn::kBadParamShapeMismatch, reason);
  };
  expectOperation({2, 1, 2, 3}, {1, 1, 1, 2}, {1, 1, 2, 2},
                  "the batches of the input (2, 1, 2, 3), the filter (1, 1, "
                  "1, 2) and the output (1, 1, 2, 2) do not match");
  expectOperation({1, 3, 2, 3}, {1, 2, 1, 2}, {1, 1, 2, 2}, "the channels of");
  expectOperation({1, 2, 2, 3}, {1, 1, 1, 2}, {1, 1, 2, 2}, "the channels of");
  expectOperation({1, 1, 2, 3}, {1, 1, 3, 2}, {1, 1, 1, 2}, "the heights of");
  expectOperation({1, 1, 2, 3}, {1, 1, 1, 2}, {1, 1, 2, 3}, "the widths of");
  expectOperation({1, 1, 2}, {1, 1, 1}, {1, 1, 2},
                  "expects 4 dimensions but got 3");

  Descriptor convolution = finalized(makeConvolution()),
             x = finalized(makeTensor(1, {1, 1, 2, 3})),
             w = finalized(makeTensor(2, {1, 1, 1, 2}));
  expectRefused(cudnnBackendFinalize(makeOperation(
                    convolution, x, w, finalized(makeTensor(2, {1, 1, 2, 2})))),
                dnn::kBadParamDuplicatedEntries,
                "two tensors have the unique id 2");
  Descriptor narrow = makeTensor(3, {1, 1, 2, 2});
  ASSERT_DNN_OK(
      set(narrow, dnn::kTensorDataType, dnn::kDataTypeType, dnn::kTypeBF16));
  expectRefused(
      cudnnBackendFinalize(makeOperation(convolution, x, w, finalized(narrow))),
      dnn::kNotSupportedDataType, "expects tensors of one type");
  Descriptor dense = makeTensor(3, {1, 1, 2, 2});
  ASSERT_DNN_OK(setInts(dense, dnn::kTensorStrides, {4, 4, 1, 1}));
  expectRefused(
      cudnnBackendFinalize(makeOperation(convolution, x, w, finalized(dense))),
      dnn::kNotSupportedLayout, "elements of the result overlap");
}

TEST_F(CudnnConv2dTest, RefusesWrongGraphs) {
  Descriptor operation = finalized(makeOperation(
      finalized(makeConvolution()), finalized(makeTensor(1, {1, 1, 2, 3})),
      finalized(makeTensor(2, {1, 1, 1, 2})),
      finalized(makeTensor(3, {1, 1, 2, 2}))));
  auto expectGraph = [&](std::vector<Descriptor> operations, Result error,
                         const char *reason) {
    expectRefused(cudnnBackendFinalize(makeGraph(operations)), error, reason);
  };
  expectGraph({operation, operation}, dnn::kNotSupportedGraphPattern,
              "the stand-in has no graph of these 2 operations");
  expectGraph({finalized(makeConvolution())}, dnn::kBadParamDescriptorType,
              "expects operations in the graph");
  Descriptor heuristics = create(dnn::kHeuristicsDescriptor);
  ASSERT_DNN_OK(set(heuristics, dnn::kHeuristicsGraph, dnn::kDescriptorType,
                    makeGraph()));
  ASSERT_DNN_OK(
      set(heuristics, dnn::kHeuristicsMode, dnn::kHeuristicsModeType, 4));
  expectRefused(cudnnBackendFinalize(heuristics), dnn::kBadParam,
                "expects a mode from 0 to 3 but got 4");
}

//===----------------------------------------------------------------------===//
// Plans and arguments
//===----------------------------------------------------------------------===//

TEST_F(CudnnConv2dTest, SuggestsAnEngineThatItRefuses) {
  expectRefused(cudnnBackendFinalize(makePlan(findConfig(makeGraph(), 4))),
                dnn::kNotSupported, "engine 4 cannot compute it");
}

TEST_F(CudnnConv2dTest, AnEngineNeedsItsWorkspace) {
  Descriptor plan = finalized(makePlan(findConfig(makeGraph(), 1)));
  int64_t bytes = 0, count = 0;
  ASSERT_DNN_OK(cudnnBackendGetAttribute(plan, dnn::kPlanWorkspaceBytes,
                                         dnn::kInt64Type, 1, &count, &bytes));
  EXPECT_EQ(bytes, 24 + 8 + 16);
  expectRefused(cudnnBackendExecute(handle, plan, makePack()),
                dnn::kBadParamNullPointer,
                "expects an address of the workspace");
  auto execute = [&](DevicePointer pointer) {
    Descriptor pack = makePack({1, 2, 3}, {xData, wData, yData});
    EXPECT_DNN_OK(
        set(pack, dnn::kVariantPackWorkspace, dnn::kPointerType, pointer));
    return cudnnBackendExecute(handle, plan, finalized(pack));
  };
  expectRefused(execute(workspace + 8), dnn::kBadParamMisaligned,
                "expects the workspace to be aligned to 16 bytes");
  expectRefused(execute(yData), dnn::kBadParam,
                "the output and the workspace overlap");
  ASSERT_DNN_OK(execute(workspace));
  EXPECT_EQ(download<float>(yData, 4), (std::vector<float>{21, 32, 54, 65}));
  // What is in it is the library's.
  EXPECT_NE(download<float>(workspace, 1)[0], download<float>(workspace, 1)[0]);
  DevicePointer small = allocate(32);
  ASSERT_DNN_OK(execute(small));
  expectFault(kErrorIllegalAddress,
              "cudnnBackendExecute: write of 48 bytes of the workspace out of "
              "bounds");
}

TEST_F(CudnnConv2dTest, RefusesWrongPacks) {
  Descriptor plan = makePlan();
  auto expectPack = [&](std::vector<int64_t> ids,
                        std::vector<DevicePointer> pointers, Result error,
                        const char *reason) {
    expectRefused(
        cudnnBackendExecute(handle, plan, finalized(makePack(ids, pointers))),
        error, reason);
  };
  expectPack({1, 2, 4}, {xData, wData, yData}, dnn::kBadParam,
             "expects a pointer for the unique id 3");
  expectPack({1, 2, 3, 4}, {xData, wData, yData, workspace}, dnn::kBadParam,
             "expects 3 unique ids but got 4");
  expectPack({1, 2, 3}, {xData, 0, yData}, dnn::kBadParamNullPointer,
             "expects an address of the filter");
  expectPack({1, 2, 3}, {xData, wData, yData + 4}, dnn::kBadParamMisaligned,
             "expects the output to be aligned to 16 bytes");
  expectPack({1, 2, 3}, {yData, wData, yData}, dnn::kBadParam,
             "the input and the output overlap");
  expectRefused(cudnnBackendFinalize(makePack({1, 2, 3}, {xData, wData})),
                dnn::kBadParam, "expects 3 pointers, as unique ids, but got 2");
  expectRefused(
      cudnnBackendFinalize(makePack({1, 2, 1}, {xData, wData, yData})),
      dnn::kBadParamDuplicatedEntries, "the unique id 1 is there twice");
  expectRefused(cudnnBackendExecute(handle, plan,
                                    makePack({1, 2, 3}, {xData, wData, yData})),
                dnn::kBadParamNotFinalized,
                "expects a variant pack that is finalized");
  expectRefused(cudnnBackendExecute(handle, makePack(), plan),
                dnn::kBadParamDescriptorType, "expects an execution plan");
}

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

TEST_F(CudnnConv2dTest, FailsWhereItIsAsked) {
  Descriptor plan = makePlan(), pack = makePack();
  ASSERT_EQ(jobsim_set_failures("cudnnBackendExecute:2,cudnnCreate:1:4000"), 0);
  ASSERT_DNN_OK(cudnnBackendExecute(handle, plan, pack));
  EXPECT_EQ(cudnnBackendExecute(handle, plan, pack), dnn::kExecutionFailed);
  EXPECT_EQ(jobsim_calls("cudnnBackendExecute"), 2u);
  Handle other;
  EXPECT_EQ(cudnnCreate(&other), dnn::kInternalError);
  EXPECT_STREQ(cudnnGetErrorString(dnn::kInternalError),
               "CUDNN_STATUS_INTERNAL_ERROR");
  EXPECT_EQ(jobsim_set_failures("cudnnNothing:1"), -1);
}

TEST_F(CudnnConv2dTest, TellsWhatIsLeft) {
  uint64_t before = jobsim_report_leaks();
  Descriptor descriptor;
  ASSERT_DNN_OK(
      cudnnBackendCreateDescriptor(dnn::kTensorDescriptor, &descriptor));
  EXPECT_EQ(jobsim_report_leaks(), before + 1);
  ASSERT_DNN_OK(cudnnBackendDestroyDescriptor(descriptor));
}

TEST_F(CudnnConv2dTest, NeedsAContext) {
  Context context;
  ASSERT_OK(cuDevicePrimaryCtxRetain(&context, 0));
  ASSERT_OK(cuCtxSetCurrent(nullptr));
  Handle other;
  expectRefused(cudnnCreate(&other), dnn::kNotInitialized,
                "no context is current on this thread");
  ASSERT_OK(cuCtxSetCurrent(context));
  ASSERT_OK(cuDevicePrimaryCtxRelease_v2(0));
}

} // namespace
