//===- PermutationsTest.cpp - Blobs with permuted dimensions --------------===//

#include "JobDialect/IR/Permutations.h"

#include "JobDialect/IR/JobOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::job;

/// Images with the channels last.
static constexpr int64_t kNHWC[] = {0, 2, 3, 1};

namespace {
class PermutationsTest : public testing::Test {
protected:
  PermutationsTest() { context.loadDialect<JobDialect>(); }

  BlobType type(ArrayRef<int64_t> shape) {
    return BlobType::get(shape, Float32Type::get(&context));
  }
  /// The name of the op that permutes a blob.
  StringRef build(ArrayRef<int64_t> shape) {
    OpBuilder builder(&context);
    Location loc = builder.getUnknownLoc();
    module = ModuleOp::create(loc);
    builder.setInsertionPointToStart(module->getBody());
    Value blob = IotaOp::create(builder, loc, type(shape), /*axis=*/0);
    Value permuted = buildPermutation(builder, loc, blob, kNHWC);
    EXPECT_EQ(permuted.getType(), getPermutedType(type(shape), kNHWC));
    return permuted.getDefiningOp()->getName().getStringRef();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};
} // namespace

TEST_F(PermutationsTest, TypesAndDimensions) {
  EXPECT_EQ(getPermutedType(type({2, 3, 4, 5}), kNHWC), type({2, 4, 5, 3}));
  // The channels are the last dimension then.
  EXPECT_EQ(permuteDims({1, 3}, kNHWC), (SmallVector<int64_t>{3, 2}));
  EXPECT_TRUE(permuteDims({}, kNHWC).empty());
}

TEST_F(PermutationsTest, OfOneChannelOrOnePixelNothingMoves) {
  EXPECT_FALSE(movesNoElement(type({2, 3, 4, 5}), kNHWC));
  EXPECT_FALSE(movesNoElement(type({1, 3, 1, 5}), kNHWC));
  EXPECT_TRUE(movesNoElement(type({2, 1, 4, 5}), kNHWC));
  EXPECT_TRUE(movesNoElement(type({2, 3, 1, 1}), kNHWC));
  EXPECT_EQ(build({2, 3, 4, 5}), "job.transpose");
  EXPECT_EQ(build({2, 1, 4, 5}), "job.reshape");
}
