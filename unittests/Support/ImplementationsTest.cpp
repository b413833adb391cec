//===- ImplementationsTest.cpp - The table of implementations -------------===//

#include "JobDialect/Support/Implementations.h"

#include "gtest/gtest.h"

#include <set>

using namespace mlir::job;

/// Rows of one op, target and element type are together, by class, from 0 on.
TEST(Implementations, RowsAreOrdered) {
  std::set<std::string> seen;
  const Implementation *last = nullptr;
  for (const Implementation &row : getImplementations()) {
    std::string key =
        row.op.str() + " " + row.target.str() + " " + row.element.str();
    if (seen.insert(key).second) {
      EXPECT_EQ(row.workClass, 0) << key;
    } else {
      EXPECT_EQ(last->op, row.op) << key;
      EXPECT_LT(last->workClass, row.workClass) << key;
    }
    EXPECT_GE(row.maxChunks, 1) << key;
    EXPECT_LE(row.maxChunks, 64) << key;
    last = &row;
  }
}

TEST(Implementations, TheLastRowThatIsReached) {
  const Implementation *least = findImplementation("matmul", "cpu", "f32", 0);
  ASSERT_TRUE(least);
  EXPECT_EQ(least->maxChunks, 1);
  const Implementation *most =
      findImplementation("matmul", "cpu", "f32", INT64_MAX);
  ASSERT_TRUE(most);
  EXPECT_EQ(most->maxChunks, 64);
  for (const Implementation &row : getImplementations()) {
    EXPECT_EQ(findImplementation(row.op, row.target, row.element,
                                 int64_t(1) << row.workClass),
              &row);
  }
  EXPECT_FALSE(findImplementation("matmul", "cpu", "f64", 1));
  EXPECT_FALSE(findImplementation("relu", "cpu", "f32", 1));
}

TEST(Implementations, Layouts) {
  EXPECT_EQ(findLayout("cudnn.conv2d", "bf16"), "nhwc");
  EXPECT_EQ(findLayout("cudnn.conv2d", "tf32"), "nhwc");
  EXPECT_EQ(findLayout("cudnn.conv2d", "f32"), "");
  EXPECT_EQ(findLayout("cudnn.avg_pool2d", "f32"), "any");
  EXPECT_EQ(findLayout("onednn.matmul", "f32"), "");
  // One row for each function and type.
  std::set<std::string> seen;
  for (const PreferredLayout &row : getPreferredLayouts())
    EXPECT_TRUE(seen.insert(row.callee.str() + " " + row.element.str()).second)
        << row.callee.str() << " " << row.element.str();
}
