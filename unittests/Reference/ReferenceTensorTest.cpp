//===- ReferenceTensorTest.cpp - Values of the interpreter ----------------===//

#include "JobDialect/Reference/ReferenceTensor.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mlir::job;

namespace {

class ReferenceTensorTest : public testing::Test {
protected:
  ReferenceTensorTest() : builder(&context) {
    context.loadDialect<JobDialect>();
  }

  BlobType blob(ArrayRef<int64_t> shape, Type element) {
    return BlobType::get(shape, element);
  }

  MLIRContext context;
  Builder builder;
};

TEST_F(ReferenceTensorTest, IntegersWrap) {
  ReferenceTensor bytes(blob({3}, builder.getI8Type()));
  bytes.setInteger(0, 128);
  bytes.setInteger(1, -129);
  bytes.setInteger(2, 256 + 5);
  EXPECT_EQ(bytes.getIntegers(), (std::vector<int64_t>{-128, 127, 5}));
  ReferenceTensor words(blob({1}, builder.getI32Type()));
  words.setInteger(0, int64_t(1) << 31);
  EXPECT_EQ(words.getIntegers()[0], INT32_MIN);
  ReferenceTensor wide(blob({1}, builder.getI64Type()));
  wide.setInteger(0, INT64_MIN);
  EXPECT_EQ(wide.getIntegers()[0], INT64_MIN);
  ReferenceTensor flags(blob({2}, builder.getI1Type()));
  flags.setInteger(0, 1);
  flags.setInteger(1, 2);
  EXPECT_EQ(flags.getIntegers(), (std::vector<int64_t>{1, 0}));
}

TEST_F(ReferenceTensorTest, FloatsAreRoundedOnRequest) {
  ReferenceTensor tensor(blob({2}, builder.getF32Type()));
  tensor.getFloats() = {0.1, 1e300};
  EXPECT_EQ(tensor.getFloats()[0], 0.1);
  tensor.roundToType();
  EXPECT_EQ(tensor.getFloats()[0], double(0.1f));
  EXPECT_EQ(tensor.getFloats()[1], INFINITY);
  ReferenceTensor wide(blob({1}, builder.getF64Type()));
  wide.getFloats()[0] = 0.1;
  wide.roundToType();
  EXPECT_EQ(wide.getFloats()[0], 0.1);
}

TEST_F(ReferenceTensorTest, RoundsToNearestEven) {
  ReferenceTensor tensor(blob({2}, builder.getF32Type()));
  // Halfway between two floats, once below and once above an even one.
  tensor.getFloats() = {1 + 0x1p-24, 1 + 0x3p-24};
  tensor.roundToType();
  EXPECT_EQ(tensor.getFloats(), (std::vector<double>{1, 1 + 0x1p-22}));
}

/// Stores `values` as memory of `Element`, reads and writes it back.
template <typename Element>
void expectRoundTrip(BlobType type, ArrayRef<Element> values) {
  std::vector<char> bytes(values.size() * sizeof(Element));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  FailureOr<ReferenceTensor> tensor = ReferenceTensor::fromBytes(type, bytes);
  ASSERT_TRUE(succeeded(tensor));
  for (auto [index, value] : llvm::enumerate(values)) {
    double got = tensor->isFloat() ? tensor->getFloats()[index]
                                   : tensor->getIntegers()[index];
    EXPECT_EQ(got, double(value));
  }
  EXPECT_EQ(tensor->toBytes(), bytes);
}

TEST_F(ReferenceTensorTest, Bytes) {
  expectRoundTrip<float>(blob({2, 2}, builder.getF32Type()),
                         {0.1f, -2.5f, INFINITY, 1e-40f});
  expectRoundTrip<double>(blob({3}, builder.getF64Type()), {0.1, -1e300, 0});
  expectRoundTrip<int8_t>(blob({3}, builder.getI8Type()), {-128, 127, 5});
  expectRoundTrip<int32_t>(blob({2}, builder.getI32Type()),
                           {INT32_MIN, INT32_MAX});
  expectRoundTrip<int64_t>(blob({2}, builder.getI64Type()), {-1, 1});
  expectRoundTrip<int8_t>(blob({2}, builder.getI1Type()), {0, 1});
}

TEST_F(ReferenceTensorTest, AnyByteButZeroIsTrue) {
  char bytes[] = {0, 1, char(0xff)};
  FailureOr<ReferenceTensor> tensor =
      ReferenceTensor::fromBytes(blob({3}, builder.getI1Type()), bytes);
  ASSERT_TRUE(succeeded(tensor));
  EXPECT_EQ(tensor->getIntegers(), (std::vector<int64_t>{0, 1, 1}));
}

TEST_F(ReferenceTensorTest, BytesOfAnotherSize) {
  char bytes[7] = {};
  EXPECT_TRUE(failed(
      ReferenceTensor::fromBytes(blob({2}, builder.getF32Type()), bytes)));
}

TEST_F(ReferenceTensorTest, Elements) {
  auto splat = DenseElementsAttr::get(
      RankedTensorType::get({2, 2}, builder.getF32Type()), 2.5f);
  ReferenceTensor floats = ReferenceTensor::fromElements(splat);
  EXPECT_EQ(floats.getType(), blob({2, 2}, builder.getF32Type()));
  EXPECT_EQ(floats.getFloats(), std::vector<double>(4, 2.5));
  auto flags = DenseElementsAttr::get(
      RankedTensorType::get({3}, builder.getI1Type()), {true, false, true});
  EXPECT_EQ(ReferenceTensor::fromElements(flags).getIntegers(),
            (std::vector<int64_t>{1, 0, 1}));
}

TEST_F(ReferenceTensorTest, Print) {
  ReferenceTensor tensor(blob({2, 2}, builder.getF64Type()));
  tensor.getFloats() = {1, 1.0 / 3, -NAN, -INFINITY};
  EXPECT_EQ(tensor.toString(), "[[1, 0.3333333], [nan, -inf]]");
  EXPECT_EQ(tensor.toString(3), "[[1, 0.333], [nan, -inf]]");
  EXPECT_EQ(tensor.reshape(blob({4}, builder.getF64Type())).toString(2),
            "[1, 0.33, nan, -inf]");
  ReferenceTensor integers(blob({1, 2}, builder.getI64Type()));
  integers.setInteger(1, INT64_MIN);
  EXPECT_EQ(integers.toString(), "[[0, -9223372036854775808]]");
}

TEST(RowMajorStridesTest, Strides) {
  EXPECT_EQ(getRowMajorStrides({4, 3, 5}), (SmallVector<int64_t>{15, 5, 1}));
  EXPECT_EQ(getRowMajorStrides({7}), (SmallVector<int64_t>{1}));
  EXPECT_TRUE(getRowMajorStrides({}).empty());
}

} // namespace
