//===- InterpreterTest.cpp - The interpreter's interface ------------------===//
//
// What ops compute is tested in test/Reference.
//
//===----------------------------------------------------------------------===//

#include "TestModule.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::job;

namespace {

using InterpreterTest = TestModule;

constexpr StringLiteral counter = R"(
job.variable @total : !job.blob<2xf32> init #job.constant_init<0.5> {trainable = false}
job.func @accumulate(%x: !job.blob<2xf32> {job.name = "x"}) -> (!job.blob<2xf32>, !job.blob<1xi64>) kind predict {
  %0 = job.read @total : !job.blob<2xf32>
  %1 = job.add %0, %x : !job.blob<2xf32>
  job.assign @total, %1 : !job.blob<2xf32>
  %step = job.step
  job.return %1, %step : !job.blob<2xf32>, !job.blob<1xi64>
}
job.func @fails(%x: !job.blob<2xf32>) -> !job.blob<2xf32> kind predict {
  job.assign @total, %x : !job.blob<2xf32>
  %0 = builtin.unrealized_conversion_cast %x : !job.blob<2xf32> to !job.blob<2xf32>
  job.return %0 : !job.blob<2xf32>
}
job.func @start(%seed: !job.blob<1xi64>) kind init {
  %0 = job.constant dense<[0.5, 0.1]> : tensor<2xf64>
  %1 = job.cast %0 : !job.blob<2xf64> to !job.blob<2xf32>
  job.assign @total, %1 : !job.blob<2xf32>
  job.return
}
)";

TEST_F(InterpreterTest, VariablesAndStepsOutliveARun) {
  parse(counter);
  Interpreter interpreter(*module);
  EXPECT_EQ(interpreter.getVariable("total"), nullptr);
  ASSERT_TRUE(succeeded(interpreter.initializeVariables(1)));
  // First values are of the variable's type, whatever computed them.
  EXPECT_EQ(interpreter.getVariable("total")->getFloats(),
            (std::vector<double>{0.5, 0.1f}));

  SmallVector<ReferenceTensor> results;
  for (int64_t step = 0; step < 3; ++step) {
    ASSERT_TRUE(
        succeeded(interpreter.run("accumulate", floats({1, 2}), results)));
    ASSERT_EQ(results.size(), 2u);
    EXPECT_EQ(results[0].getFloats()[0], 0.5 + 1 + step);
    EXPECT_EQ(results[1].getIntegers()[0], step);
  }
  EXPECT_EQ(interpreter.getVariable("total")->getFloats()[0], 3.5);

  // A snapshot brings both back; so does a new start.
  Interpreter::State state = interpreter.getState();
  ASSERT_TRUE(succeeded(interpreter.initializeVariables(1)));
  EXPECT_EQ(interpreter.getVariable("total")->getFloats()[0], 0.5);
  ASSERT_TRUE(
      succeeded(interpreter.run("accumulate", floats({1, 2}), results)));
  EXPECT_EQ(results[1].getIntegers()[0], 0);
  interpreter.setState(state);
  ASSERT_TRUE(
      succeeded(interpreter.run("accumulate", floats({1, 2}), results)));
  EXPECT_EQ(results[0].getFloats()[0], 4.5);
  EXPECT_EQ(results[1].getIntegers()[0], 3);
}

TEST_F(InterpreterTest, AFailedRunChangesNothing) {
  parse(counter);
  Interpreter interpreter(*module);
  ASSERT_TRUE(succeeded(interpreter.initializeVariables(1)));
  SmallVector<ReferenceTensor> results = {floats({7})};
  EXPECT_TRUE(failed(interpreter.run("fails", floats({1, 2}), results)));
  EXPECT_EQ(takeErrors(), "expects an op with a reference model but got "
                          "builtin.unrealized_conversion_cast\n");
  EXPECT_EQ(interpreter.getVariable("total")->getFloats()[0], 0.5);
  EXPECT_EQ(interpreter.getState().completedSteps.count("fails"), 0u);
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].getFloats()[0], 7);
}

TEST_F(InterpreterTest, InputsAreCheckedAndRounded) {
  parse(counter);
  Interpreter interpreter(*module);
  ASSERT_TRUE(succeeded(interpreter.initializeVariables(1)));
  SmallVector<ReferenceTensor> results;
  EXPECT_TRUE(failed(interpreter.run("nothing", {}, results)));
  EXPECT_EQ(takeErrors(), "expects a job of the module but got @nothing, "
                          "which is none\n");
  EXPECT_TRUE(failed(interpreter.run("accumulate", {}, results)));
  EXPECT_EQ(takeErrors(), "expects 1 inputs for @accumulate but got 0\n");
  EXPECT_TRUE(failed(interpreter.run("accumulate", floats({1}), results)));
  EXPECT_EQ(takeErrors(), "expects input x of type '!job.blob<2xf32>' but got "
                          "'!job.blob<1xf32>'\n");
  ASSERT_TRUE(
      succeeded(interpreter.run("accumulate", floats({0.1, 0.1}), results)));
  EXPECT_EQ(results[0].getFloats()[0], 0.5 + double(0.1f));
}

TEST_F(InterpreterTest, VariablesAreChecked) {
  parse(counter);
  Interpreter interpreter(*module);
  EXPECT_TRUE(failed(interpreter.setVariable("nothing", floats({1}))));
  EXPECT_EQ(takeErrors(), "expects a variable of the module but got @nothing, "
                          "which is none\n");
  EXPECT_TRUE(failed(interpreter.setVariable("total", floats({1}))));
  EXPECT_EQ(takeErrors(),
            "expects a value of type '!job.blob<2xf32>' for variable @total "
            "but got '!job.blob<1xf32>'\n");
  EXPECT_TRUE(succeeded(interpreter.setVariable("total", floats({1, 2}))));
  EXPECT_EQ(interpreter.getVariable("total")->getFloats()[1], 2);
}

TEST_F(InterpreterTest, RoundingOfEachOpIsAnOption) {
  parse(R"(
job.func @third(%x: !job.blob<1xf32>) -> !job.blob<1xf32> kind predict {
  %0 = job.constant dense<3.0> : tensor<1xf32>
  %1 = job.div %x, %0 : !job.blob<1xf32>
  job.return %1 : !job.blob<1xf32>
}
)");
  SmallVector<ReferenceTensor> results;
  ASSERT_TRUE(
      succeeded(Interpreter(*module).run("third", floats({1}), results)));
  EXPECT_EQ(results[0].getFloats()[0], 1.0 / 3);
  Interpreter::Options options;
  options.roundEachOp = true;
  ASSERT_TRUE(succeeded(
      Interpreter(*module, options).run("third", floats({1}), results)));
  EXPECT_EQ(results[0].getFloats()[0], double(1.0f / 3));
}

TEST_F(InterpreterTest, NoiseMovesWhatIsRounded) {
  parse(R"(
job.func @noisy(%x: !job.blob<2xf32>) -> (!job.blob<2xf32>, !job.blob<1xi1>, !job.blob<1xf32>) kind predict {
  %c = job.constant dense<3.0> : tensor<2xf32>
  %0 = job.div %x, %c : !job.blob<2xf32>
  %max = job.reduce_max %x {axes = array<i64: 0>} : !job.blob<2xf32>
  %all = job.reduce_max %max {axes = array<i64: 0>} : !job.blob<1xf32>
  %same = job.compare eq %max, %all : !job.blob<1xf32>
  %y = job.neg %x : !job.blob<2xf32>
  %both = job.concat %x, %y {axis = 0 : i64} : !job.blob<2xf32>, !job.blob<2xf32>
  %sum = job.reduce_sum %both {axes = array<i64: 0>} : !job.blob<4xf32>
  job.return %0, %same, %sum : !job.blob<2xf32>, !job.blob<1xi1>, !job.blob<1xf32>
}
)");
  SmallVector<ReferenceTensor> exact;
  ASSERT_TRUE(
      succeeded(Interpreter(*module).run("noisy", floats({1, 0}), exact)));
  EXPECT_EQ(exact[2].getFloats()[0], 0);
  double quotient = 0, sum = 0;
  for (const Interpreter::Options &options : getNoiseOptions()) {
    SmallVector<ReferenceTensor> results, again;
    ASSERT_TRUE(succeeded(
        Interpreter(*module, options).run("noisy", floats({1, 0}), results)));
    ASSERT_TRUE(succeeded(
        Interpreter(*module, options).run("noisy", floats({1, 0}), again)));
    // A zero, and a maximum, which is not rounded, stay.
    EXPECT_EQ(results[0].getFloats()[1], 0);
    EXPECT_EQ(results[1].getIntegers()[0], 1);
    quotient = std::max(quotient, getSensitivity(exact[0], results[0]));
    sum = std::max(sum, getSensitivity(exact[2], results[2]));
    for (int i : {0, 2})
      EXPECT_EQ(results[i].getFloats(), again[i].getFloats());
  }
  EXPECT_GT(quotient, 0x1p-27);
  EXPECT_LT(quotient, 0x1p-23);
  // Terms that cancel are rounded on their way.
  EXPECT_GT(sum, 0x1p-25);
  EXPECT_LE(sum, 0x1p-21);
}

TEST_F(InterpreterTest, NoInitializer) {
  parse("module {}");
  EXPECT_TRUE(failed(Interpreter(*module).initializeVariables(1)));
  EXPECT_EQ(takeErrors(), "expects a job of kind init, created by "
                          "job-build-initializer, but got none\n");
}

TEST_F(InterpreterTest, DrawnInputs) {
  parse(R"(
job.func @inputs(%x: !job.blob<1000xf32>, %n: !job.blob<1000xi8>, %c: !job.blob<1000xi1>) kind predict {
  job.return
}
)");
  auto job = module->lookupSymbol<FuncOp>("inputs");
  SmallVector<ReferenceTensor> inputs = drawInputs(job, 4);
  ASSERT_EQ(inputs.size(), 3u);
  bool negative = false, positive = false;
  for (double value : inputs[0].getFloats()) {
    EXPECT_GT(value, -1);
    EXPECT_LT(value, 1);
    EXPECT_EQ(value, static_cast<float>(value));
    negative |= value < -0.9;
    positive |= value > 0.9;
  }
  EXPECT_TRUE(negative && positive);
  for (int64_t value : inputs[1].getIntegers())
    EXPECT_TRUE(value == 0 || value == 1);
  EXPECT_NE(inputs[1].getIntegers(), inputs[2].getIntegers());
  EXPECT_EQ(inputs[0].getFloats(), drawInputs(job, 4)[0].getFloats());
  EXPECT_NE(inputs[0].getFloats(), drawInputs(job, 5)[0].getFloats());
}

} // namespace
