//===- EpilogueTest.cpp - What follows a convolution in its graph ---------===//

#include "simulators/cudnn/unittests/CudnnSimTest.h"

#include <limits>

namespace {

/// A convolution of an image of 1 x 1 x 1 x 3 with filters of 1 x 2 for two
/// channels, a bias, and a relu.
class CudnnEpilogueTest : public CudnnConvolutionTest {
protected:
  static constexpr float kInfinity = std::numeric_limits<float>::infinity();

  void SetUp() override {
    CudnnSimTest::SetUp();
    xData = upload(std::vector<float>{1, 2, 3});
    wData = upload(std::vector<float>{1, 10, -1, 0});
    biasData = upload(std::vector<float>{100, 1.5});
    yData = allocate(16);
  }

  /// Not finalized, of finalized tensors.
  Descriptor makeConv(Descriptor y) {
    Descriptor operation = create(dnn::kConvolutionForwardDescriptor);
    EXPECT_DNN_OK(set(operation, dnn::kForwardAlpha, dnn::kFloatType, 1.0f));
    EXPECT_DNN_OK(set(operation, dnn::kForwardBeta, dnn::kFloatType, 0.0f));
    for (auto [attribute, value] :
         {std::pair{dnn::kForwardConvolution, finalized(makeConvolution())},
          {dnn::kForwardInput, finalized(makeTensor(1, {1, 1, 1, 3}))},
          {dnn::kForwardFilter, finalized(makeTensor(2, {2, 1, 1, 2}))},
          {dnn::kForwardOutput, y}})
      EXPECT_DNN_OK(set(operation, attribute, dnn::kDescriptorType, value));
    return operation;
  }
  Descriptor makePointwise(int mode, bool propagatesNaN = false) {
    Descriptor pointwise = create(dnn::kPointwiseDescriptor);
    EXPECT_DNN_OK(
        set(pointwise, dnn::kPointwiseMode, dnn::kPointwiseModeType, mode));
    EXPECT_DNN_OK(set(pointwise, dnn::kPointwiseComputeType, dnn::kDataTypeType,
                      dnn::kTypeF32));
    if (propagatesNaN)
      EXPECT_DNN_OK(set(pointwise, dnn::kPointwiseNaNPropagation,
                        dnn::kNaNPropagationType, dnn::kPropagateNaN));
    return pointwise;
  }
  /// Not finalized, of finalized parts; `b` is null for a relu.
  Descriptor makeOperation(Descriptor pointwise, Descriptor x, Descriptor b,
                           Descriptor y) {
    Descriptor operation = create(dnn::kPointwiseOperationDescriptor);
    EXPECT_DNN_OK(set(operation, dnn::kPointwiseOperationPointwise,
                      dnn::kDescriptorType, pointwise));
    EXPECT_DNN_OK(
        set(operation, dnn::kPointwiseInput, dnn::kDescriptorType, x));
    if (b)
      EXPECT_DNN_OK(
          set(operation, dnn::kPointwiseSecond, dnn::kDescriptorType, b));
    EXPECT_DNN_OK(
        set(operation, dnn::kPointwiseOutput, dnn::kDescriptorType, y));
    return operation;
  }
  Descriptor add(Descriptor x, Descriptor b, Descriptor y) {
    return finalized(
        makeOperation(finalized(makePointwise(dnn::kPointwiseAdd)), x, b, y));
  }
  Descriptor relu(Descriptor x, Descriptor y, bool propagatesNaN = false) {
    return finalized(makeOperation(
        finalized(makePointwise(dnn::kPointwiseRelu, propagatesNaN)), x,
        nullptr, y));
  }
  Descriptor makeBias() { return finalized(makeTensor(3, {1, 2, 1, 1})); }
  Descriptor makeResult() { return finalized(makeTensor(4, kShape)); }

  void execute(const std::vector<Descriptor> &operations) {
    Descriptor plan = finalized(makePlan(
        findConfig(finalized(makeGraph(operations)), 0, dnn::kModeFallback)));
    Descriptor pack =
        finalized(makePack({1, 2, 3, 4}, {xData, wData, biasData, yData}));
    EXPECT_DNN_OK(cudnnBackendExecute(handle, plan, pack));
  }
  void executeBiasRelu(bool propagatesNaN) {
    Descriptor sums = makeVirtual(5, kShape), biased = makeVirtual(6, kShape);
    execute({finalized(makeConv(sums)), add(sums, makeBias(), biased),
             relu(biased, makeResult(), propagatesNaN)});
  }
  std::vector<float> runBiasRelu(bool propagatesNaN) {
    executeBiasRelu(propagatesNaN);
    return download<float>(yData, 4);
  }

  const std::vector<int64_t> kShape = {1, 2, 1, 2};
  DevicePointer xData = 0, wData = 0, biasData = 0, yData = 0;
};

TEST_F(CudnnEpilogueTest, AddsABias) {
  Descriptor sums = makeVirtual(5, kShape);
  execute({finalized(makeConv(sums)), add(sums, makeBias(), makeResult())});
  EXPECT_EQ(download<float>(yData, 4),
            (std::vector<float>{121, 132, 0.5, -0.5}));
}

TEST_F(CudnnEpilogueTest, AddsABiasAndHidesWhatIsNegative) {
  EXPECT_EQ(runBiasRelu(false), (std::vector<float>{121, 132, 0.5, 0}));
}

/// Of a NaN only if it is asked for.
TEST_F(CudnnEpilogueTest, PropagatesNaN) {
  biasData = upload(std::vector<float>{kInfinity - kInfinity, 1.5});
  EXPECT_EQ(runBiasRelu(false), (std::vector<float>{0, 0, 0.5, 0}));
  std::vector<float> values = runBiasRelu(true);
  EXPECT_NE(values[0], values[0]);
  EXPECT_NE(values[1], values[1]);
  EXPECT_EQ(values[2], 0.5);
}

TEST_F(CudnnEpilogueTest, FindsABiasOutOfBounds) {
  biasData = allocate(4);
  executeBiasRelu(false);
  expectFault(kErrorIllegalAddress,
              "cudnnBackendExecute: read of 8 bytes of the bias out of bounds");
}

TEST_F(CudnnEpilogueTest, RefusesWrongGraphs) {
  Descriptor sums = makeVirtual(5, kShape), biased = makeVirtual(6, kShape),
             other = makeVirtual(7, kShape), y = makeResult(),
             bias = makeBias(), stored = finalized(makeTensor(8, kShape));
  auto expectGraph = [&](const std::vector<Descriptor> &operations,
                         const char *reason) {
    expectRefused(cudnnBackendFinalize(makeGraph(operations)),
                  dnn::kNotSupportedGraphPattern, reason);
  };
  Descriptor conv = finalized(makeConv(sums));
  expectGraph({conv, relu(sums, y)},
              "the stand-in has no graph of these 2 operations");
  expectGraph({add(sums, bias, y)},
              "the stand-in has no graph of these 1 operations");
  expectGraph({conv, add(sums, bias, biased), relu(other, y)},
              "expects each operation to read the result of the one before it");
  expectGraph({finalized(makeConv(stored)), add(stored, bias, y)},
              "expects virtual tensors between operations");
  expectGraph({conv, add(sums, bias, biased)},
              "expects virtual tensors between operations only");
  Descriptor narrow = makeTensor(9, kShape);
  ASSERT_DNN_OK(
      set(narrow, dnn::kTensorDataType, dnn::kDataTypeType, dnn::kTypeBF16));
  ASSERT_DNN_OK(cudnnBackendSetAttribute(narrow, dnn::kTensorIsVirtual,
                                         dnn::kBooleanType, 1, &kTrue));
  finalized(narrow);
  expectGraph({conv, add(sums, bias, narrow), relu(narrow, y)},
              "expects virtual tensors of f32");
  expectGraph({conv, add(sums, finalized(makeTensor(3, {1, 1, 1, 1})), y)},
              "the stand-in has a bias of (1, 2, 1, 1) but got (1, 1, 1, 1)");
}

} // namespace
