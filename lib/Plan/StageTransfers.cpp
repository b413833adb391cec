//===- StageTransfers.cpp - Copies between staging and device memory ------===//

#include "JobDialect/Plan/Passes.h"

namespace mlir::plan {
#define GEN_PASS_DEF_PLANSTAGETRANSFERS
#include "JobDialect/Plan/Passes.h.inc"
} // namespace mlir::plan

using namespace mlir;
using namespace mlir::plan;

/// Gives the views of a buffer its memory space.
static void retypeViews(Value buffer) {
  auto space = cast<MemRefType>(buffer.getType()).getMemorySpace();
  for (Operation *user : buffer.getUsers()) {
    if (!isa<ViewOp, MicroViewOp>(user))
      continue;
    Value view = user->getResult(0);
    view.setType(MemRefType::Builder(cast<MemRefType>(view.getType()))
                     .setMemorySpace(space));
    retypeViews(view);
  }
}

static SpaceRole getRole(Value buffer) {
  return getSpace(buffer.getType()).getRole();
}

/// Whether an input is used by anything but copies from it to the device: a
/// copy reaches staging memory, a kernel does not, nor does a copy from staging
/// memory to staging memory.
static bool isInputUsed(Value buffer) {
  return llvm::any_of(buffer.getUsers(), [&](Operation *user) {
    if (isa<ViewOp, MicroViewOp>(user))
      return isInputUsed(user->getResult(0));
    auto copy = dyn_cast<CopyOp>(user);
    return !copy || copy.getTarget() == buffer ||
           getRole(copy.getTarget()) == SpaceRole::Outputs;
  });
}

/// Whether an output is used by anything but copies from the device to it.
static bool isOutputUsed(Value buffer) {
  return llvm::any_of(buffer.getUsers(), [&](Operation *user) {
    if (isa<ViewOp, MicroViewOp>(user))
      return isOutputUsed(user->getResult(0));
    auto copy = dyn_cast<CopyOp>(user);
    return !copy || copy.getSource() == buffer;
  });
}

/// Buffers of the arena in place of inputs and outputs.
static void stageTransfers(ProgramOp program) {
  Block &body = program.getBody().front();
  auto toArena = [&](Operation *port, OpBuilder &b) {
    Value staging = port->getResult(0);
    Value buffer = AllocOp::create(
        b, port->getLoc(),
        getBufferType(cast<MemRefType>(staging.getType()), SpaceRole::Arena),
        /*offset=*/nullptr);
    staging.replaceAllUsesWith(buffer);
    retypeViews(buffer);
    return buffer;
  };
  OpBuilder b(program.getContext());
  for (auto input : llvm::make_early_inc_range(body.getOps<InputOp>())) {
    if (!isInputUsed(input.getResult()))
      continue;
    b.setInsertionPointAfter(input);
    Value buffer = toArena(input, b);
    CopyOp::create(b, input.getLoc(), input.getResult(), buffer,
                   /*queue=*/nullptr);
  }
  for (auto output : llvm::make_early_inc_range(body.getOps<OutputOp>())) {
    if (!isOutputUsed(output.getResult()))
      continue;
    b.setInsertionPointAfter(output);
    Value buffer = toArena(output, b);
    b.setInsertionPoint(body.getTerminator());
    CopyOp::create(b, output.getLoc(), buffer, output.getResult(),
                   /*queue=*/nullptr);
  }
}

namespace {
struct PlanStageTransfersPass
    : public plan::impl::PlanStageTransfersBase<PlanStageTransfersPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    // Without devices there is the host alone, which computes in staging.
    auto devices = module.getOps<DeviceOp>();
    if (devices.empty() || (*devices.begin()).getKind() == DeviceKind::Host)
      return;
    for (auto program : module.getOps<ProgramOp>())
      stageTransfers(program);
  }
};
} // namespace
