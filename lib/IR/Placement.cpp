//===- Placement.cpp - The devices that ops run on ------------------------===//

#include "JobDialect/IR/Placement.h"

#include "JobDialect/Support/Targets.h"

using namespace mlir;
using namespace mlir::job;

PlacementAttr job::getOwnPlacement(Operation *op) {
  if (auto func = dyn_cast<FuncOp>(op))
    return func.getPlacementAttr();
  if (auto variable = dyn_cast<VariableOp>(op))
    return variable.getPlacementAttr();
  if (auto transfer = dyn_cast<TransferOp>(op))
    return transfer.getPlacementAttr();
  return op->getAttrOfType<PlacementAttr>(FuncOp::getBlobPlacementAttrName());
}

PlacementAttr job::getPlacement(Operation *op) {
  for (; op && isa_and_present<JobDialect>(op->getDialect());
       op = op->getParentOp())
    if (PlacementAttr placement = getOwnPlacement(op))
      return placement;
  return {};
}

void job::setPlacement(Operation *op, PlacementAttr placement) {
  StringRef name = FuncOp::getBlobPlacementAttrName();
  if (!placement || placement == getPlacement(op->getParentOp()))
    op->removeAttr(name);
  else
    op->setAttr(name, placement);
}

StringRef job::getTarget(PlacementAttr placement) {
  return placement && placement.getDevice() == DeviceKind::GPU ? kCUDATarget
                                                               : kCPUTarget;
}

StringRef job::getJobTarget(Operation *op) {
  return getTarget(getPlacement(op));
}

/// Whether an op can be placed by itself: the others are where their operands
/// are, or where those in their regions are.
static bool canBePlaced(Operation *op) {
  return isa_and_present<JobDialect>(op->getDialect()) &&
         isa_and_present<FuncOp, MicroStepsOp>(op->getParentOp()) &&
         !op->hasTrait<OpTrait::IsTerminator>() &&
         !isa<MicroStepsOp, TransferOp>(op);
}

LogicalResult JobDialect::verifyOperationAttribute(Operation *op,
                                                   NamedAttribute attr) {
  if (attr.getName() != FuncOp::getBlobPlacementAttrName())
    return success();
  if (!isa<PlacementAttr>(attr.getValue()))
    return op->emitOpError()
           << "expects " << attr.getName() << " to be a #job.placement but got "
           << attr.getValue();
  if (!canBePlaced(op))
    return op->emitOpError()
           << "expects no " << attr.getName()
           << ", which is for ops directly in a job or in its micro-steps, but "
              "got "
           << attr.getValue();
  return success();
}
