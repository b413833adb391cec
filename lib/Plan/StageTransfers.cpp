//===- StageTransfers.cpp - Copies between staging and device memory ------===//

#include "JobDialect/Plan/Passes.h"

namespace mlir::plan {
#define GEN_PASS_DEF_PLANSTAGETRANSFERS
#include "JobDialect/Plan/Passes.h.inc"
} // namespace mlir::plan

using namespace mlir;
using namespace mlir::plan;

static SpaceRole getRole(Value buffer) {
  return getSpace(buffer.getType()).getRole();
}

namespace {
/// Stages what a device with memory of its own uses.
class DeviceStaging {
public:
  /// `name` is null for the first device. Its queues are `firstQueue` and the
  /// `numQueues - 1` after it.
  DeviceStaging(MLIRContext *context, FlatSymbolRefAttr name,
                uint64_t firstQueue, uint64_t numQueues)
      : builder(context),
        arena(SpaceAttr::get(context, name, SpaceRole::Arena)),
        firstQueue(firstQueue), numQueues(numQueues) {}

  void run(ProgramOp program);

private:
  bool isHere(Operation *command) const {
    uint64_t queue = cast<PlanCommandOpInterface>(command).getQueue();
    return firstQueue <= queue && queue < firstQueue + numQueues;
  }
  bool isInputUsed(Value buffer) const;
  bool isOutputUsed(Value buffer) const;
  void moveUses(Value from, Value to, bool all);
  Value allocate(Operation *port);

  OpBuilder builder;
  SpaceAttr arena;
  uint64_t firstQueue, numQueues;
};
} // namespace

/// Whether an input is used here by anything but copies from it to the device:
/// a copy reaches staging memory, a kernel does not, nor does a copy from
/// staging memory to staging memory.
bool DeviceStaging::isInputUsed(Value buffer) const {
  return llvm::any_of(buffer.getUsers(), [&](Operation *user) {
    if (isa<ViewOp, MicroViewOp>(user))
      return isInputUsed(user->getResult(0));
    auto copy = dyn_cast<CopyOp>(user);
    return isHere(user) && (!copy || copy.getTarget() == buffer ||
                            getRole(copy.getTarget()) == SpaceRole::Outputs);
  });
}

/// Whether an output is used here by anything but copies between it and the
/// device.
bool DeviceStaging::isOutputUsed(Value buffer) const {
  return llvm::any_of(buffer.getUsers(), [&](Operation *user) {
    if (isa<ViewOp, MicroViewOp>(user))
      return isOutputUsed(user->getResult(0));
    auto copy = dyn_cast<CopyOp>(user);
    return isHere(user) &&
           (!copy || (copy.getSource() == buffer &&
                      getRole(copy.getTarget()) == SpaceRole::Outputs));
  });
}

/// Lets the commands on this device, or on all devices, use another buffer,
/// with views of their own.
void DeviceStaging::moveUses(Value from, Value to, bool all) {
  for (OpOperand &use : llvm::make_early_inc_range(from.getUses())) {
    Operation *user = use.getOwner();
    if (!isa<ViewOp, MicroViewOp>(user)) {
      if (all || isHere(user))
        use.set(to);
      continue;
    }
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(user);
    Operation *view = builder.clone(*user);
    view->setOperand(0, to);
    Value result = view->getResult(0);
    result.setType(getBufferType(cast<MemRefType>(result.getType()), arena));
    moveUses(user->getResult(0), result, all);
    if (result.use_empty())
      view->erase();
    if (user->use_empty())
      user->erase();
  }
}

/// A buffer of the arena in the place of an input or an output.
Value DeviceStaging::allocate(Operation *port) {
  builder.setInsertionPointAfter(port);
  return AllocOp::create(
      builder, port->getLoc(),
      getBufferType(cast<MemRefType>(port->getResult(0).getType()), arena),
      /*offset=*/nullptr);
}

void DeviceStaging::run(ProgramOp program) {
  Block &body = program.getBody().front();
  IntegerAttr queue =
      firstQueue ? builder.getI64IntegerAttr(static_cast<int64_t>(firstQueue))
                 : IntegerAttr();
  for (auto input : llvm::make_early_inc_range(body.getOps<InputOp>())) {
    if (!isInputUsed(input.getResult()))
      continue;
    Value buffer = allocate(input);
    moveUses(input.getResult(), buffer, /*all=*/false);
    builder.setInsertionPointAfterValue(buffer);
    CopyOp::create(builder, input.getLoc(), input.getResult(), buffer, queue);
  }
  for (auto output : llvm::make_early_inc_range(body.getOps<OutputOp>())) {
    if (!isOutputUsed(output.getResult()))
      continue;
    // Other devices copy from there, too.
    Value buffer = allocate(output);
    moveUses(output.getResult(), buffer, /*all=*/true);
    builder.setInsertionPoint(body.getTerminator());
    CopyOp::create(builder, output.getLoc(), buffer, output.getResult(), queue);
  }
}

namespace {
struct PlanStageTransfersPass
    : public plan::impl::PlanStageTransfersBase<PlanStageTransfersPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    // A program on one device has its inputs and outputs there.
    SmallVector<ProgramOp> programs;
    llvm::copy_if(module.getOps<ProgramOp>(), std::back_inserter(programs),
                  [](ProgramOp program) { return !isOnOneDevice(program); });
    uint64_t firstQueue = 0;
    for (auto device : module.getOps<DeviceOp>()) {
      auto name = firstQueue ? FlatSymbolRefAttr::get(device.getSymNameAttr())
                             : FlatSymbolRefAttr();
      DeviceStaging staging(&getContext(), name, firstQueue,
                            device.getQueues());
      if (device.getKind() != DeviceKind::Host)
        for (ProgramOp program : programs)
          staging.run(program);
      firstQueue += device.getQueues();
    }
  }
};
} // namespace
