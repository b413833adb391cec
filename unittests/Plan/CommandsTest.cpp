//===- CommandsTest.cpp - Tests of the interface of commands --------------===//

#include "JobDialect/Plan/PlanDialect.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;

/// A device captures runs of commands as graphs, which it replays. A function
/// of the session runs on the host each time, so it ends one graph, and the
/// next one begins after it.
TEST(CommandsTest, GraphsOfADevice) {
  MLIRContext context;
  context.loadDialect<plan::PlanDialect>();
  auto module = parseSourceString<ModuleOp>(R"(
    #arena = #plan.space<arena>
    plan.executable @set {}
    plan.program @p kind predict {
      %a = plan.alloc : memref<4xf32, #arena>
      %b = plan.alloc : memref<4xf32, #arena>
      plan.fill %a with 0 : memref<4xf32, #arena>
      plan.dispatch @set outs(%b : memref<4xf32, #arena>)
      plan.host_call "watch" ins(%b : memref<4xf32, #arena>)
      plan.copy %a to %b : memref<4xf32, #arena> to memref<4xf32, #arena>
      %event = plan.record
      plan.wait %event
      plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1>
      plan.host_call "watch" ins(%a : memref<4xf32, #arena>)
      plan.return
    })",
                                            &context);
  ASSERT_TRUE(module);
  std::vector<size_t> graphs(1);
  for (plan::PlanCommandOpInterface command :
       plan::getCommands(*module->getOps<plan::ProgramOp>().begin()))
    if (command.canBeCaptured())
      ++graphs.back();
    else
      graphs.push_back(0);
  EXPECT_EQ(graphs, (std::vector<size_t>{2, 4, 0}));
}
