//===- QueuesTest.cpp - Memory of commands on several queues --------------===//
//
// Random programs on several queues, against a search for paths between every
// two commands.
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

struct Command {
  enum Kind { Write, Read, Record, Wait } kind;
  unsigned queue;
  /// The buffer of a write or a read, the command that recorded the event of a
  /// wait.
  size_t operand;
};

struct QueueProgram {
  std::vector<int64_t> bytes;
  std::vector<Command> commands;

  bool isUsed(size_t buffer, size_t command) const {
    return commands[command].kind <= Command::Read &&
           commands[command].operand == buffer;
  }

  /// Whether there is a path from `a` to `b`: to the next command of the queue,
  /// or from a record to its waits.
  bool isBefore(size_t a, size_t b) const {
    std::vector<bool> reached(commands.size());
    reached[a] = true;
    for (size_t i = a + 1; i <= b; ++i)
      for (size_t j = a; j < i; ++j)
        reached[i] =
            reached[i] ||
            (reached[j] &&
             (commands[i].queue == commands[j].queue ||
              (commands[i].kind == Command::Wait && commands[i].operand == j)));
    return a < b && reached[b];
  }

  bool hasRace() const {
    for (size_t b = 0; b < commands.size(); ++b)
      for (size_t a = 0; a < b; ++a)
        if (commands[a].kind <= Command::Read &&
            isUsed(commands[a].operand, b) &&
            (commands[a].kind == Command::Write ||
             commands[b].kind == Command::Write) &&
            !isBefore(a, b))
          return true;
    return false;
  }

  /// Whether all uses of one buffer happen before all of the other.
  bool areBefore(size_t first, size_t second) const {
    for (size_t a = 0; a < commands.size(); ++a)
      for (size_t b = 0; b < commands.size(); ++b)
        if (isUsed(first, a) && isUsed(second, b) && !isBefore(a, b))
          return false;
    return true;
  }

  bool isAlive(size_t buffer, size_t command) const {
    bool before = false, after = false;
    for (size_t i = 0; i < commands.size(); ++i) {
      before |= i <= command && isUsed(buffer, i);
      after |= i >= command && isUsed(buffer, i);
    }
    return before && after;
  }

  bool isUsed(size_t buffer) const {
    for (size_t i = 0; i < commands.size(); ++i)
      if (isUsed(buffer, i))
        return true;
    return false;
  }

  /// Whether buffers that may be live at once are disjoint.
  bool isDisjoint(ArrayRef<int64_t> offsets) const {
    for (size_t a = 0; a < bytes.size(); ++a)
      for (size_t b = a + 1; b < bytes.size(); ++b)
        if (isUsed(a) && isUsed(b) && offsets[a] < offsets[b] + bytes[b] &&
            offsets[b] < offsets[a] + bytes[a] && !areBefore(a, b) &&
            !areBefore(b, a))
          return false;
    return true;
  }

  std::string str(StringRef sizes, ArrayRef<int64_t> offsets) const {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << "plan.program @p kind predict " << sizes << " {\n";
    for (size_t i = 0; i < bytes.size(); ++i) {
      os << "%b" << i << " = plan.alloc";
      if (!offsets.empty())
        os << " {offset = " << offsets[i] << " : i64}";
      os << " : memref<" << bytes[i] << "xi8, #plan.space<arena>>\n";
    }
    for (auto [number, command] : llvm::enumerate(commands)) {
      std::string queue = "queue(" + std::to_string(command.queue) + ")";
      size_t operand = command.operand;
      switch (command.kind) {
      case Command::Write:
        os << "plan.fill %b" << operand << " with 0 " << queue << " : memref<"
           << bytes[operand] << "xi8, #plan.space<arena>>\n";
        break;
      case Command::Read:
        os << "plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> " << queue
           << " ins(%b" << operand << " : memref<" << bytes[operand]
           << "xi8, #plan.space<arena>>)\n";
        break;
      case Command::Record:
        os << "%e" << number << " = plan.record " << queue << "\n";
        break;
      case Command::Wait:
        os << "plan.wait %e" << operand << " " << queue << "\n";
        break;
      }
    }
    os << "plan.return\n}\n";
    return text;
  }
};

class QueuesTest : public testing::Test {
protected:
  QueuesTest()
      : handler(&context, [this](Diagnostic &diagnostic) {
          message = diagnostic.str();
          return success();
        }) {
    context.loadDialect<plan::PlanDialect>();
  }

  MLIRContext context;
  std::string message;
  ScopedDiagnosticHandler handler;
};

} // namespace

/// Each buffer is written before it is read, in program order.
static QueueProgram drawProgram(std::mt19937 &random) {
  QueueProgram program;
  size_t numBuffers = 1 + random() % 5;
  for (size_t i = 0; i < numBuffers; ++i)
    program.bytes.push_back(1 + random() % 200);
  unsigned numQueues = 1 + random() % 3;
  std::vector<size_t> records;
  std::vector<bool> written(numBuffers);
  for (size_t i = 0, e = 2 + random() % 14; i < e; ++i) {
    unsigned queue = random() % numQueues;
    size_t buffer = random() % numBuffers;
    switch (random() % 6) {
    case 0:
      records.push_back(i);
      program.commands.push_back({Command::Record, queue, 0});
      break;
    case 1:
    case 2:
      if (!records.empty()) {
        // Mostly the newest event, which orders the most.
        size_t event =
            random() % 3 ? records.back() : records[random() % records.size()];
        program.commands.push_back({Command::Wait, queue, event});
        break;
      }
      [[fallthrough]];
    case 3:
      if (written[buffer]) {
        program.commands.push_back({Command::Read, queue, buffer});
        break;
      }
      [[fallthrough]];
    default:
      written[buffer] = true;
      program.commands.push_back({Command::Write, queue, buffer});
    }
  }
  return program;
}

TEST_F(QueuesTest, WhatIsPackedIsDisjoint) {
  int packed = 0, races = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    QueueProgram program = drawProgram(random);
    auto module = parseSourceString<ModuleOp>(program.str("", {}), &context);
    ASSERT_TRUE(module) << message;
    PassManager pm(&context);
    pm.addPass(plan::createPlanAssignOffsets());
    plan::PlanPackMemoryOptions options;
    const char *strategies[] = {"best", "size", "conflicts", "time", "none"};
    options.strategy = strategies[seed % 5];
    pm.addNestedPass<plan::ProgramOp>(plan::createPlanPackMemory(options));
    ASSERT_TRUE(succeeded(pm.run(*module)));
    std::vector<int64_t> offsets;
    module->walk(
        [&](plan::AllocOp alloc) { offsets.push_back(*alloc.getOffset()); });
    EXPECT_TRUE(program.isDisjoint(offsets));

    PassManager verify(&context);
    verify.addPass(plan::createPlanVerifyMemory());
    message.clear();
    bool hasRace = program.hasRace();
    EXPECT_EQ(failed(verify.run(*module)), hasRace) << message;
    if (hasRace) {
      EXPECT_NE(message.find("to wait for command"), std::string::npos)
          << message;
    }
    ++(hasRace ? races : packed);
  }
  // Both happen often enough to mean something.
  EXPECT_GT(packed, 300);
  EXPECT_GT(races, 300);
}

TEST_F(QueuesTest, VerifierAgreesWithASearchForPaths) {
  int accepted = 0, refused = 0;
  for (unsigned seed = 0; seed < 6000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    QueueProgram program = drawProgram(random);
    if (program.hasRace())
      continue;
    std::vector<int64_t> offsets;
    for (size_t i = 0; i < program.bytes.size(); ++i)
      offsets.push_back(random() % 6 * 64);
    auto alignUp = [](int64_t bytes) { return (bytes + 63) / 64 * 64; };
    int64_t arena = 0, peak = 0;
    for (size_t i = 0; i < program.bytes.size(); ++i)
      if (program.isUsed(i))
        arena = std::max(arena, offsets[i] + alignUp(program.bytes[i]));
    for (size_t command = 0; command < program.commands.size(); ++command) {
      int64_t live = 0;
      for (size_t i = 0; i < program.bytes.size(); ++i)
        if (program.isAlive(i, command))
          live += alignUp(program.bytes[i]);
      peak = std::max(peak, live);
    }
    std::string sizes = "sizes<arena = " + std::to_string(arena) + " above " +
                        std::to_string(peak) +
                        ", inputs = 0, outputs = 0, workspace = 0>";
    auto module =
        parseSourceString<ModuleOp>(program.str(sizes, offsets), &context);
    ASSERT_TRUE(module) << message;
    bool isRight = program.isDisjoint(offsets);
    PassManager pm(&context);
    pm.addPass(plan::createPlanVerifyMemory());
    message.clear();
    EXPECT_EQ(succeeded(pm.run(*module)), isRight) << message;
    if (!isRight) {
      EXPECT_NE(message.find("expects no overlap"), std::string::npos)
          << message;
    }
    ++(isRight ? accepted : refused);
  }
  EXPECT_GT(accepted, 300);
  EXPECT_GT(refused, 300);
}
