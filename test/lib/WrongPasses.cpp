//===- WrongPasses.cpp - Passes with a mistake ----------------------------===//
//
// What job-check-lowering has to find. They know ops by name only: a plugin
// that linked our dialects would have a second copy of them.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"

using namespace mlir;

/// Puts an op of another name in the place of each op of a name.
static void replaceAll(ModuleOp module, StringRef from, StringRef to) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (op->getName().getStringRef() == from)
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    OpBuilder builder(op);
    OperationState state(op->getLoc(), to, op->getOperands(),
                         op->getResultTypes());
    op->replaceAllUsesWith(builder.create(state));
    op->erase();
  }
}

namespace {
struct WrongJobPass
    : public PassWrapper<WrongJobPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(WrongJobPass)
  StringRef getArgument() const override { return "test-wrong-job"; }
  StringRef getDescription() const override {
    return "Subtract where a job adds";
  }
  void runOnOperation() override {
    replaceAll(getOperation(), "job.add", "job.sub");
  }
};

struct WrongKernelsPass
    : public PassWrapper<WrongKernelsPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(WrongKernelsPass)
  StringRef getArgument() const override { return "test-wrong-kernels"; }
  StringRef getDescription() const override {
    return "Multiply where a kernel divides";
  }
  void runOnOperation() override {
    replaceAll(getOperation(), "arith.divf", "arith.mulf");
  }
};

struct WrongPlanPass
    : public PassWrapper<WrongPlanPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(WrongPlanPass)
  StringRef getArgument() const override { return "test-wrong-plan"; }
  StringRef getDescription() const override {
    return "Forget all copies of the jobs' steps";
  }
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (op->getName().getStringRef() != "plan.copy")
        return;
      auto name = op->getParentOp()->getAttrOfType<StringAttr>("sym_name");
      if (!name || name.getValue() != "jobmlir_init")
        op->erase();
    });
  }
};
} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "JobMLIRTestPasses", LLVM_VERSION_STRING,
          [] {
            PassRegistration<WrongJobPass>();
            PassRegistration<WrongKernelsPass>();
            PassRegistration<WrongPlanPass>();
          }};
}
