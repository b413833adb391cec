//===- InPlaceTest.cpp - Which kernels may overwrite their inputs ---------===//

#include "JobDialect/Analysis/InPlace.h"
#include "JobDialect/Conversion/Passes.h"
#include "JobDialect/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::job;

namespace {

class InPlaceTest : public testing::Test {
protected:
  InPlaceTest() {
    DialectRegistry registry;
    registry.insert<JobDialect>();
    registerDecompositionModels(registry);
    registerKernelModels(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// The first kernel of a job with the inputs %x and %y, 8x8 of f32, and %r, 8
  /// of f32.
  KernelOp parse(StringRef kernel) {
    std::string text =
        "job.func @f(%x: !job.blob<8x8xf32>, %y: !job.blob<8x8xf32>, "
        "%r: !job.blob<8xf32>) kind predict {\n" +
        kernel.str() + "\njob.return\n}";
    module = parseSourceString<ModuleOp>(text, &context);
    KernelOp found;
    if (module)
      module->walk([&](KernelOp op) { found = op; });
    EXPECT_TRUE(found);
    return found;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

} // namespace

TEST_F(InPlaceTest, ElementwiseInputsMayBeOverwritten) {
  KernelOp kernel = parse(R"(
    %0 = job.kernel(%a = %x : !job.blob<8x8xf32>, %b = %y : !job.blob<8x8xf32>)
        -> !job.blob<8x8xf32> {
      %1 = job.exp %a : !job.blob<8x8xf32>
      %2 = job.add %1, %b : !job.blob<8x8xf32>
      job.yield %2 : !job.blob<8x8xf32>
    })");
  EXPECT_TRUE(canOverwrite(kernel, 0, 0));
  EXPECT_TRUE(canOverwrite(kernel, 1, 0));
}

TEST_F(InPlaceTest, BroadcastInputsMayNot) {
  KernelOp kernel = parse(R"(
    %0, %1 = job.kernel(%a = %x : !job.blob<8x8xf32>, %b = %r : !job.blob<8xf32>)
        -> (!job.blob<8x8xf32>, !job.blob<8xf32>) {
      %2 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<8xf32> to !job.blob<8x8xf32>
      %3 = job.add %a, %2 : !job.blob<8x8xf32>
      %4 = job.reduce_sum %3 {axes = array<i64: 0>} : !job.blob<8x8xf32>
      job.yield %3, %4 : !job.blob<8x8xf32>, !job.blob<8xf32>
    })");
  EXPECT_TRUE(canOverwrite(kernel, 0, 0));
  // Another type.
  EXPECT_FALSE(canOverwrite(kernel, 1, 0));
  EXPECT_FALSE(canOverwrite(kernel, 0, 1));
  // The right type, but each element is read eight times, and a sum.
  EXPECT_FALSE(canOverwrite(kernel, 1, 1));
}

TEST_F(InPlaceTest, OneReadAtOtherPlacesIsEnough) {
  KernelOp kernel = parse(R"(
    %0 = job.kernel(%a = %x : !job.blob<8x8xf32>) -> !job.blob<8x8xf32> {
      %1 = job.transpose %a {permutation = array<i64: 1, 0>} : !job.blob<8x8xf32>
      %2 = job.add %a, %1 : !job.blob<8x8xf32>
      job.yield %2 : !job.blob<8x8xf32>
    })");
  EXPECT_FALSE(canOverwrite(kernel, 0, 0));
}

TEST_F(InPlaceTest, OpsWithLoopsSaySo) {
  KernelOp concat = parse(R"(
    %0 = job.kernel(%a = %x : !job.blob<8x8xf32>) -> !job.blob<8x8xf32> {
      %1 = job.concat %a {axis = 1 : i64} : !job.blob<8x8xf32>
      job.yield %1 : !job.blob<8x8xf32>
    })");
  EXPECT_TRUE(getLoopKernel(concat));
  EXPECT_FALSE(canOverwrite(concat, 0, 0));
}

TEST_F(InPlaceTest, OpsOfOtherOpsSaySo) {
  KernelOp softmax = parse(R"(
    %0 = job.kernel(%a = %x : !job.blob<8x8xf32>) -> !job.blob<8x8xf32> {
      %1 = job.softmax %a : !job.blob<8x8xf32>
      job.yield %1 : !job.blob<8x8xf32>
    })");
  EXPECT_FALSE(getLoopKernel(softmax));
  EXPECT_TRUE(canOverwrite(softmax, 0, 0));
}
