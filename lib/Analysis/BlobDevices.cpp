//===- BlobDevices.cpp - The devices of blobs and variables ---------------===//

#include "JobDialect/Analysis/BlobDevices.h"

#include "JobDialect/Analysis/BlobPlaces.h"
#include "JobDialect/Support/Targets.h"

using namespace mlir;
using namespace mlir::job;

static PlacementAttr getArgumentDevices(MicroStepsOp loop,
                                        BlockArgument argument) {
  // Rows and shared blobs have the memory of the operands.
  unsigned number = argument.getArgNumber(),
           numOperands = loop->getNumOperands();
  if (number < numOperands)
    return getBlobDevices(loop->getOperand(number));
  // A sum is where the op that adds to it is.
  Value sum = getMemory(loop.getYieldedSums()[number - numOperands]);
  auto result = dyn_cast<OpResult>(sum);
  return result ? getBlobDevices(result) : PlacementAttr();
}

PlacementAttr job::getBlobDevices(Value blob) {
  blob = getMemory(blob);
  if (auto argument = dyn_cast<BlockArgument>(blob)) {
    auto loop = dyn_cast<MicroStepsOp>(argument.getOwner()->getParentOp());
    return loop ? getArgumentDevices(loop, argument) : PlacementAttr();
  }
  auto result = cast<OpResult>(blob);
  if (auto loop = dyn_cast<MicroStepsOp>(result.getOwner()))
    return getBlobDevices(loop.getBody().front().getTerminator()->getOperand(
        result.getResultNumber()));
  return getPlacement(result.getOwner());
}

PlacementAttr job::getPartDevices(Value part) {
  if (PlacementAttr devices = getBlobDevices(part))
    return devices;
  PlacementAttr devices;
  for (Operation *user : part.getUsers()) {
    if (user->hasTrait<OpTrait::IsTerminator>())
      continue;
    devices = isa<ReshapeOp>(user) ? getPartDevices(user->getResult(0))
                                   : getPlacement(user);
    if (!isa<TransferOp>(user))
      return devices;
  }
  return devices;
}

OpOperand *job::findRemoteOperand(Operation *op) {
  if (isa<TransferOp, ReshapeOp, MicroStepsOp>(op) ||
      op->hasTrait<OpTrait::IsTerminator>())
    return nullptr;
  PlacementAttr own = getPlacement(op);
  for (OpOperand &operand : op->getOpOperands()) {
    PlacementAttr devices = getBlobDevices(operand.get());
    if (devices && devices != own)
      return &operand;
  }
  return nullptr;
}

llvm::MapVector<StringAttr, PlacementAttr>
job::findVariableHomes(ModuleOp module) {
  llvm::MapVector<StringAttr, PlacementAttr> homes;
  auto addHomes = [&](JobKind kind) {
    for (auto func : module.getOps<FuncOp>()) {
      if (func.getKind() != kind)
        continue;
      func.walk([&](Operation *op) {
        if (auto read = dyn_cast<ReadOp>(op))
          homes.try_emplace(read.getVariableAttr().getAttr(), getPlacement(op));
        else if (auto assign = dyn_cast<AssignOp>(op))
          homes.try_emplace(assign.getVariableAttr().getAttr(),
                            getPlacement(op));
      });
    }
  };
  addHomes(JobKind::Train);
  addHomes(JobKind::Predict);
  return homes;
}

llvm::MapVector<PlacementAttr, Location> job::findDevices(ModuleOp module) {
  llvm::MapVector<PlacementAttr, Location> devices;
  auto add = [&](Operation *op) {
    if (PlacementAttr placement = getOwnPlacement(op))
      devices.try_emplace(placement, op->getLoc());
  };
  for (auto func : module.getOps<FuncOp>())
    func.walk<WalkOrder::PreOrder>(add);
  for (auto variable : module.getOps<VariableOp>())
    add(variable);
  return devices;
}

std::string job::getDeviceName(PlacementAttr device) {
  // job-verify-placement leaves single devices.
  return (getTarget(device) == kCUDATarget ? "gpu" : "cpu") +
         std::to_string(device.getRanges().front().first);
}
