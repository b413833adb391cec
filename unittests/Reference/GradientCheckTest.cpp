//===- GradientCheckTest.cpp - Gradients against differences --------------===//
//
// That right gradients pass and wrong ones do not, whatever the values; the
// messages are tested in test/Reference.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Reference/GradientCheck.h"

#include "TestModule.h"

#include <random>

using namespace mlir;
using namespace mlir::job;

namespace {

using GradientCheckTest = TestModule;

/// loss = exp(w)^2 with the gradient factor * exp(w)^2; it is 2 that is right.
static std::string makeJob(const std::string &factor) {
  return R"(
job.variable @w : !job.blob<20x7xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.func @train() kind train {
  %w = job.read @w : !job.blob<20x7xf32>
  %e = job.exp %w : !job.blob<20x7xf32>
  %y = job.mul %e, %e : !job.blob<20x7xf32>
  job.loss %y : !job.blob<20x7xf32>
  %factor = job.constant dense<)" +
         factor + R"(> : tensor<20x7xf64>
  %wide = job.cast %y : !job.blob<20x7xf32> to !job.blob<20x7xf64>
  %product = job.mul %wide, %factor : !job.blob<20x7xf64>
  %g = job.cast %product : !job.blob<20x7xf64> to !job.blob<20x7xf32>
  job.update @w, %g : !job.blob<20x7xf32>
  job.return
}
job.func @start(%seed: !job.blob<1xi64>) kind init {
  %step = job.constant dense<0> : tensor<1xi64>
  %u = job.random_uniform %seed, %step {id = 1 : i64} : !job.blob<20x7xf32>
  %two = job.constant dense<2.0> : tensor<20x7xf32>
  %one = job.constant dense<1.0> : tensor<20x7xf32>
  %0 = job.mul %u, %two : !job.blob<20x7xf32>
  %1 = job.sub %0, %one : !job.blob<20x7xf32>
  job.assign @w, %1 : !job.blob<20x7xf32>
  job.return
}
)";
}

TEST_F(GradientCheckTest, TheToleranceDivides) {
  unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  GradientCheckOptions options;
  options.seed = seed;
  // All elements, so that the largest is among them.
  options.samples = 140;
  // Right, and wrong by less and by more than the tolerance.
  for (auto [factor, isRight] :
       {std::pair("2.0", true), std::pair("2.0000015", true),
        std::pair("1.9999985", true), std::pair("2.000003", false),
        std::pair("1.999997", false)}) {
    parse(makeJob(factor));
    EXPECT_EQ(succeeded(checkGradients(*module, options)), isRight)
        << factor << "\n"
        << takeErrors();
  }
}

TEST_F(GradientCheckTest, AnyNumberOfSamples) {
  parse(makeJob("2.0"));
  GradientCheckOptions options;
  options.samples = 139;
  EXPECT_TRUE(succeeded(checkGradients(*module, options))) << takeErrors();
  parse(makeJob("3.0"));
  options.samples = 1;
  EXPECT_TRUE(failed(checkGradients(*module, options)));
}

} // namespace
