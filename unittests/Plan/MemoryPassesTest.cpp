//===- MemoryPassesTest.cpp - Tests of the passes on memory ---------------===//
//
// Programs that are too large or too random for a text; the others stand in
// test/Plan.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Plan/Passes.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

#include <random>

using namespace mlir;

namespace {

/// A program of fills: `commands[i]` is the buffer that command i fills.
struct Program {
  std::vector<int64_t> bytes;
  std::vector<size_t> commands;

  bool isAlive(size_t buffer, size_t command) const {
    auto begin = commands.begin(), end = commands.end();
    return std::find(begin, begin + command + 1, buffer) !=
               begin + command + 1 &&
           std::find(begin + command, end, buffer) != end;
  }

  /// As text; every other command goes through a view.
  std::string str(StringRef sizes, ArrayRef<int64_t> offsets) const {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << "plan.program @p kind predict " << sizes << " {\n";
    for (size_t i = 0; i < bytes.size(); ++i) {
      os << "%b" << i << " = plan.alloc";
      if (!offsets.empty())
        os << " {offset = " << offsets[i] << " : i64}";
      os << " : memref<" << bytes[i] << "xi8, #plan.space<arena>>\n";
      os << "%v" << i << " = plan.view %b" << i << " : memref<" << bytes[i]
         << "xi8, #plan.space<arena>> to memref<1x" << bytes[i]
         << "xi8, #plan.space<arena>>\n";
    }
    for (size_t i = 0; i < commands.size(); ++i) {
      size_t buffer = commands[i];
      bool isView = i % 2;
      os << "plan.fill %" << (isView ? "v" : "b") << buffer
         << " with 0 : memref<" << (isView ? "1x" : "") << bytes[buffer]
         << "xi8, #plan.space<arena>>\n";
    }
    os << "plan.return\n}\n";
    return text;
  }
};

class MemoryPassesTest : public testing::Test {
protected:
  MemoryPassesTest() { context.loadDialect<plan::PlanDialect>(); }

  OwningOpRef<ModuleOp> parse(const std::string &text) {
    return parseSourceString<ModuleOp>(text, &context);
  }

  /// Runs assign, pack and verify.
  LogicalResult pack(ModuleOp module, StringRef strategy) {
    PassManager pm(&context);
    pm.addPass(plan::createPlanAssignOffsets());
    plan::PlanPackMemoryOptions options;
    options.strategy = strategy.str();
    pm.addNestedPass<plan::ProgramOp>(plan::createPlanPackMemory(options));
    pm.addPass(plan::createPlanVerifyMemory());
    return pm.run(module);
  }

  MLIRContext context;
};

} // namespace

static Program drawProgram(std::mt19937 &random, size_t maxBuffers) {
  Program program;
  size_t numBuffers = 1 + random() % maxBuffers;
  for (size_t i = 0; i < numBuffers; ++i) {
    program.bytes.push_back(random() % 300);
    for (int n = random() % 3; n > 0; --n)
      program.commands.push_back(i);
  }
  for (size_t i = program.commands.size(); i > 1; --i)
    std::swap(program.commands[i - 1], program.commands[random() % i]);
  return program;
}

TEST_F(MemoryPassesTest, WhatIsPackedIsAccepted) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    std::string text = drawProgram(random, 30).str("", {});
    for (StringRef strategy : {"best", "size", "conflicts", "time", "none"}) {
      OwningOpRef<ModuleOp> module = parse(text);
      ASSERT_TRUE(module);
      EXPECT_TRUE(succeeded(pack(*module, strategy))) << strategy.str();
    }
  }
}

/// plan-verify-memory on offsets drawn at random, against counting the owners
/// of every 64 bytes at every command.
TEST_F(MemoryPassesTest, VerifierAgreesWithCounting) {
  int accepted = 0, refused = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    Program program = drawProgram(random, 5);
    std::vector<int64_t> offsets;
    for (size_t i = 0; i < program.bytes.size(); ++i)
      offsets.push_back(random() % 8 * 64);

    bool isRight = true;
    int64_t arenaUnits = 0, liveUnits = 0;
    for (size_t command = 0; command < program.commands.size(); ++command) {
      std::vector<int> owners(16, 0);
      int64_t live = 0;
      for (size_t i = 0; i < program.bytes.size(); ++i) {
        if (!program.isAlive(i, command))
          continue;
        int64_t begin = offsets[i] / 64;
        int64_t end = begin + (program.bytes[i] + 63) / 64;
        live += end - begin;
        for (int64_t unit = begin; unit < end; ++unit)
          isRight &= ++owners[unit] == 1;
        if (end > begin)
          arenaUnits = std::max(arenaUnits, end);
      }
      liveUnits = std::max(liveUnits, live);
    }

    // Without overlaps the sizes below are right; an empty buffer may lie
    // anywhere in the arena.
    for (size_t i = 0; i < program.bytes.size(); ++i)
      if (program.bytes[i] == 0)
        offsets[i] = 0;
    std::string sizes = "sizes<arena = " + std::to_string(arenaUnits * 64) +
                        " above " + std::to_string(liveUnits * 64) +
                        ", inputs = 0, outputs = 0, workspace = 0>";
    OwningOpRef<ModuleOp> module = parse(program.str(sizes, offsets));
    ASSERT_TRUE(module);
    std::string message;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      message = diagnostic.str();
      return success();
    });
    PassManager pm(&context);
    pm.addPass(plan::createPlanVerifyMemory());
    EXPECT_EQ(succeeded(pm.run(*module)), isRight) << message;
    if (!isRight) {
      EXPECT_NE(message.find("expects no overlap"), std::string::npos)
          << message;
    }
    ++(isRight ? accepted : refused);
  }
  // Both happen often enough to mean something.
  EXPECT_GT(accepted, 300);
  EXPECT_GT(refused, 300);
}

TEST_F(MemoryPassesTest, RefusesMoreThanCanBeCounted) {
  // 2^15 buffers of 2^48 bytes are 2^63 bytes, although one at a time is alive.
  Program program;
  for (size_t i = 0; i < 1 << 15; ++i) {
    program.bytes.push_back(int64_t(1) << 48);
    program.commands.push_back(i);
  }
  OwningOpRef<ModuleOp> module = parse(program.str("", {}));
  ASSERT_TRUE(module);
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  EXPECT_TRUE(failed(pack(*module, "best")));
  EXPECT_EQ(message,
            "'plan.program' op expects an arena of at most 281474976710656 "
            "bytes but needs more than can be counted");
}
