//===- CostTest.cpp - Bytes and operations of an op -----------------------===//

#include "JobDialect/Analysis/Cost.h"

#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Pipelines/Pipelines.h"
#include "JobDialect/Plan/PlanDialect.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::job;

namespace {

class CostTest : public testing::Test {
protected:
  CostTest() : context(makeRegistry()) {}

  /// The cost of the first op called `name` in a module.
  OpCost getCost(StringRef name, StringRef text) {
    std::string spaces = "#arena = #plan.space<arena>\n"
                         "#outputs = #plan.space<outputs>\n";
    module = parseSourceString<ModuleOp>(spaces + text.str(), &context);
    EXPECT_TRUE(module);
    Operation *found = nullptr;
    module->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op->getName().getStringRef() != name)
        return WalkResult::advance();
      found = op;
      return WalkResult::interrupt();
    });
    EXPECT_TRUE(found);
    return getOpCost(found);
  }

  /// The same in a job with arguments.
  OpCost getJobCost(StringRef name, StringRef arguments, StringRef body) {
    return getCost(name, ("job.func @f(" + arguments + ") kind predict {" +
                          body + "\njob.return\n}")
                             .str());
  }

private:
  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registerAllDialects(registry);
    return registry;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

} // namespace

static void expect(const OpCost &cost, int64_t flops, int64_t read,
                   int64_t written) {
  EXPECT_EQ(cost.flops, flops);
  EXPECT_EQ(cost.bytesRead, read);
  EXPECT_EQ(cost.bytesWritten, written);
}

TEST_F(CostTest, AScalarOpIsOneAnElement) {
  expect(getJobCost("job.add", "%x: !job.blob<4x8xf32>, %y: !job.blob<4x8xf32>",
                    "%0 = job.add %x, %y : !job.blob<4x8xf32>"),
         32, 256, 128);
}

TEST_F(CostTest, AnOperandCountsOnce) {
  expect(getJobCost("job.mul", "%x: !job.blob<4x8xf64>",
                    "%0 = job.mul %x, %x : !job.blob<4x8xf64>"),
         32, 256, 256);
}

TEST_F(CostTest, AReductionIsOneAnElementOfItsOperand) {
  expect(getJobCost("job.reduce_sum", "%x: !job.blob<4x8xf32>",
                    "%0 = job.reduce_sum %x {axes = array<i64: 1>} : "
                    "!job.blob<4x8xf32>"),
         32, 128, 16);
}

TEST_F(CostTest, AMatrixProductIsTwoATerm) {
  // In f64 it is a loop, not a library's call: the same count.
  for (StringRef type : {"f32", "f64"}) {
    std::string a = ("!job.blob<4x8x" + type + ">").str();
    std::string b = ("!job.blob<8x3x" + type + ">").str();
    int64_t bytes = type == "f32" ? 4 : 8;
    expect(getJobCost("job.matmul", "%x: " + a + ", %y: " + b,
                      "%0 = job.matmul %x, %y : " + a + ", " + b),
           2 * 4 * 8 * 3, (32 + 24) * bytes, 12 * bytes);
  }
}

TEST_F(CostTest, AConvolutionIsTwoATap) {
  expect(getJobCost(
             "job.conv2d",
             "%x: !job.blob<2x4x8x8xf32>, %w: !job.blob<6x2x3x3xf32>",
             "%0 = job.conv2d %x, %w {strides = array<i64: 1, 1>, padding = "
             "array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 2 "
             ": i64} : !job.blob<2x4x8x8xf32>, !job.blob<6x2x3x3xf32>"),
         2 * (2 * 6 * 8 * 8) * (2 * 3 * 3), 4 * (512 + 108), 4 * 768);
}

TEST_F(CostTest, LargeCountsDoNotWrap) {
  EXPECT_EQ(getJobCost("job.matmul",
                       "%x: !job.blob<35184372088832x1xf32>, "
                       "%y: !job.blob<1x35184372088832xf32>",
                       "%0 = job.matmul %y, %x : "
                       "!job.blob<1x35184372088832xf32>, "
                       "!job.blob<35184372088832x1xf32>")
                .flops,
            int64_t(70368744177664));
}

TEST_F(CostTest, WhatOnlyNamesMemoryCostsNothing) {
  expect(getJobCost("job.reshape", "%x: !job.blob<4x8xf32>",
                    "%0 = job.reshape %x : !job.blob<4x8xf32> to "
                    "!job.blob<32xf32>"),
         0, 0, 0);
}

TEST_F(CostTest, AKernelIsTheSumOfItsOps) {
  expect(getJobCost("job.kernel", "%x: !job.blob<4x8xf32>", R"(
    %0 = job.kernel (%a = %x : !job.blob<4x8xf32>) -> !job.blob<4xf32> {
      %1 = job.tanh %a : !job.blob<4x8xf32>
      %2 = job.mul %1, %1 : !job.blob<4x8xf32>
      %3 = job.reduce_sum %2 {axes = array<i64: 1>} : !job.blob<4x8xf32>
      job.yield %3 : !job.blob<4xf32>
    })"),
         3 * 32, 128, 16);
}

TEST_F(CostTest, ACommandHasWhatWasRecorded) {
  expect(getCost("plan.dispatch", R"(
    plan.executable @k {
      plan.variant @cpu chunks(1)
    }
    plan.program @p kind predict {
      %a = plan.alloc : memref<4xf32, #arena>
      %b = plan.alloc : memref<8xf32, #arena>
      %c = plan.alloc : memref<2xf32, #arena>
      plan.dispatch @k ins(%a : memref<4xf32, #arena>)
        inouts(%b : memref<8xf32, #arena>) outs(%c : memref<2xf32, #arena>) {flops = 7 : i64}
      plan.return
    })"),
         7, 48, 40);
}

TEST_F(CostTest, CopiesAndFillsMoveBytes) {
  constexpr StringRef text = R"(
    plan.program @p kind predict {
      %a = plan.alloc : memref<4xf32, #arena>
      %y = plan.output 0 "y" : memref<4xf32, #outputs>
      plan.fill %a with 0 : memref<4xf32, #arena>
      plan.copy %a to %y : memref<4xf32, #arena> to memref<4xf32, #outputs>
      plan.return
    })";
  expect(getCost("plan.fill", text), 0, 0, 16);
  expect(getCost("plan.copy", text), 0, 16, 16);
}
