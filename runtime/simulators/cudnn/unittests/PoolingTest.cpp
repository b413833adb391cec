//===- PoolingTest.cpp - Poolings of the stand-in for cuDNN ---------------===//

#include "simulators/cudnn/unittests/CudnnSimTest.h"

namespace {

/// Means of windows of 2 x 2 of an image of 1 x 1 x 2 x 3, with a column of
/// padding at its end.
class CudnnPoolingTest : public CudnnSimTest {
protected:
  using Fractions = std::vector<dnn::Fraction>;

  Descriptor makeResample() {
    Descriptor resample = create(dnn::kResampleDescriptor);
    EXPECT_DNN_OK(set(resample, dnn::kResampleMode, dnn::kResampleModeType,
                      dnn::kAveragePooling));
    EXPECT_DNN_OK(set(resample, dnn::kResampleComputeType, dnn::kDataTypeType,
                      dnn::kTypeF32));
    EXPECT_DNN_OK(set(resample, dnn::kResamplePaddingMode,
                      dnn::kPaddingModeType, dnn::kZeroPadding));
    EXPECT_DNN_OK(setInts(resample, dnn::kResampleSpatialDims, {2}));
    for (auto [attribute, values] :
         {std::pair{dnn::kResampleWindow, Fractions{{2, 1}, {2, 1}}},
          {dnn::kResamplePrePaddings, {{0, 1}, {0, 1}}},
          {dnn::kResamplePostPaddings, {{0, 1}, {1, 1}}},
          {dnn::kResampleStrides, {{2, 1}, {2, 1}}}})
      EXPECT_DNN_OK(set(resample, attribute, dnn::kFractionType, values));
    return resample;
  }
  /// Not finalized.
  Descriptor makeOperation(bool isGradient, Descriptor x, Descriptor y) {
    Descriptor operation = create(isGradient ? dnn::kResampleGradDescriptor
                                             : dnn::kResampleForwardDescriptor);
    for (auto [forward, gradient, value] :
         {std::tuple{dnn::kResampleForwardInput, dnn::kResampleGradInput, x},
          {dnn::kResampleForwardOutput, dnn::kResampleGradOutput, y},
          {dnn::kResampleForwardResample, dnn::kResampleGradResample,
           finalized(makeResample())}})
      EXPECT_DNN_OK(set(operation, isGradient ? gradient : forward,
                        dnn::kDescriptorType, value));
    return operation;
  }
  Descriptor makePooling(bool isGradient) {
    return finalized(makeOperation(isGradient,
                                   finalized(makeTensor(1, {1, 1, 2, 3})),
                                   finalized(makeTensor(2, {1, 1, 1, 2}))));
  }
  void run(bool isGradient, DevicePointer x, DevicePointer y) {
    Descriptor plan = finalized(
        makePlan(findConfig(finalized(makeGraph({makePooling(isGradient)})), 0,
                            dnn::kModeFallback)));
    ASSERT_DNN_OK(
        cudnnBackendExecute(handle, plan, finalized(makePack({1, 2}, {x, y}))));
  }
};

TEST_F(CudnnPoolingTest, AddsWhatIsNoPadding) {
  DevicePointer x = upload(std::vector<float>{1, 2, 3, 4, 5, 7}),
                y = allocate(8);
  run(false, x, y);
  EXPECT_EQ(download<float>(y, 2), (std::vector<float>{3, 5}));
}

TEST_F(CudnnPoolingTest, SharesGradients) {
  DevicePointer x = allocate(24), y = upload(std::vector<float>{8, 6});
  run(true, x, y);
  EXPECT_EQ(download<float>(x, 6), (std::vector<float>{2, 2, 3, 2, 2, 3}));
}

TEST_F(CudnnPoolingTest, FindsArraysOutOfBounds) {
  run(false, allocate(20), allocate(8));
  expectFault(kErrorIllegalAddress,
              "cudnnBackendExecute: read of 24 bytes of the input out of "
              "bounds: allocation of 20 bytes + 0");
}

TEST_F(CudnnPoolingTest, FindsGradientsOutOfBounds) {
  run(true, allocate(20), allocate(8));
  expectFault(kErrorIllegalAddress,
              "cudnnBackendExecute: write of 24 bytes of the input out of "
              "bounds: allocation of 20 bytes + 0");
}

TEST_F(CudnnPoolingTest, RefusesWrongResamples) {
  auto expectFractions = [&](int attribute, Fractions values, Result error,
                             const char *reason) {
    Descriptor resample = makeResample();
    ASSERT_DNN_OK(set(resample, attribute, dnn::kFractionType, values));
    expectRefused(cudnnBackendFinalize(resample), error, reason);
  };
  expectFractions(dnn::kResampleWindow, {{2, 1}}, dnn::kBadParam,
                  "expects 2 values of attribute 1706 but got 1");
  expectFractions(dnn::kResampleStrides, {{1, 2}, {1, 1}}, dnn::kNotSupported,
                  "expects whole numbers of at least 1 for attribute 1705 but "
                  "got 1/2");
  expectFractions(dnn::kResamplePrePaddings, {{0, 1}, {-1, 1}},
                  dnn::kNotSupported,
                  "expects whole numbers of at least 0 for attribute 1704 but "
                  "got -1/1");
  auto expectValue = [&](int attribute, int type, int value, Result error,
                         const char *reason) {
    Descriptor resample = makeResample();
    ASSERT_DNN_OK(set(resample, attribute, type, value));
    expectRefused(cudnnBackendFinalize(resample), error, reason);
  };
  expectValue(dnn::kResampleMode, dnn::kResampleModeType, 3, dnn::kNotSupported,
              "the stand-in has means without padding only but got mode 3");
  expectValue(dnn::kResamplePaddingMode, dnn::kPaddingModeType, 1,
              dnn::kNotSupported, "expects padding with zeros but got mode 1");
  expectValue(dnn::kResampleComputeType, dnn::kDataTypeType, dnn::kTypeF16,
              dnn::kNotSupportedDataType,
              "expects f32 as the type of computing but got 2");
  Descriptor resample = makeResample();
  ASSERT_DNN_OK(setInts(resample, dnn::kResampleSpatialDims, {3}));
  expectRefused(cudnnBackendFinalize(resample), dnn::kNotSupported,
                "the stand-in has 2 spatial dimensions but got 3");
}

TEST_F(CudnnPoolingTest, RefusesWrongOperations) {
  Descriptor x = finalized(makeTensor(1, {1, 1, 2, 3})),
             y = finalized(makeTensor(2, {1, 1, 1, 2}));
  expectRefused(cudnnBackendFinalize(makeOperation(
                    false, x, finalized(makeTensor(2, {1, 1, 1, 3})))),
                dnn::kBadParamShapeMismatch,
                "the input (1, 1, 2, 3) and the output (1, 1, 1, 3) do not "
                "match");
  expectRefused(cudnnBackendFinalize(
                    makeOperation(true, makeVirtual(1, {1, 1, 2, 3}), y)),
                dnn::kNotSupported, "the stand-in has poolings in memory only");
  Descriptor dense = makeTensor(1, {1, 1, 2, 3});
  ASSERT_DNN_OK(setInts(dense, dnn::kTensorStrides, {6, 6, 1, 1}));
  finalized(dense);
  expectRefused(cudnnBackendFinalize(makeOperation(true, dense, y)),
                dnn::kNotSupportedLayout, "elements of the result overlap");
  // What is only read may overlap.
  EXPECT_DNN_OK(cudnnBackendFinalize(makeOperation(false, dense, y)));
  expectRefused(
      cudnnBackendFinalize(makeGraph({makePooling(false), makePooling(true)})),
      dnn::kNotSupportedGraphPattern,
      "the stand-in has no graph of these 2 operations");
}

} // namespace
