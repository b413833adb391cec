//===- Placement.h - The devices that ops run on ----------------*- C++ -*-===//
//
// An op of a job runs on the devices of the job, unless it has a placement of
// its own: the attribute `job.placement` of an op directly in a job or in its
// micro-steps.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_IR_PLACEMENT_H
#define JOBDIALECT_IR_PLACEMENT_H

#include "JobDialect/IR/JobOps.h"

namespace mlir::job {

/// The devices that an op of a job runs on, or that hold a variable. Null if
/// neither the op nor what it is in has a placement.
PlacementAttr getPlacement(Operation *op);

/// The placement that an op has itself, or null.
PlacementAttr getOwnPlacement(Operation *op);

/// Places an op of a job. It has no attribute where the job is there as well.
void setPlacement(Operation *op, PlacementAttr placement);

/// The target of the code for a device (JobDialect/Support/Targets.h); that of
/// CPUs for null.
StringRef getTarget(PlacementAttr placement);

/// Gives the ops that a builder inserts a placement of their own.
class PlacementListener : public OpBuilder::Listener {
public:
  void notifyOperationInserted(Operation *op,
                               OpBuilder::InsertPoint previous) override {
    // An op that was there before has been moved.
    if (placement && !previous.isSet())
      op->setAttr(FuncOp::getBlobPlacementAttrName(), placement);
  }

private:
  friend class PlacementScope;
  PlacementAttr placement;
};

/// While it exists, new ops have a placement of their own, or none if it is
/// null.
class PlacementScope {
public:
  PlacementScope(PlacementListener &listener, PlacementAttr placement)
      : listener(listener), outer(listener.placement) {
    listener.placement = placement;
  }
  ~PlacementScope() { listener.placement = outer; }
  PlacementScope(const PlacementScope &) = delete;
  PlacementScope &operator=(const PlacementScope &) = delete;

private:
  PlacementListener &listener;
  PlacementAttr outer;
};

/// The placement that the op which defines a value has itself; null for an
/// argument.
inline PlacementAttr getDefiningPlacement(Value value) {
  Operation *op = value.getDefiningOp();
  return op ? getOwnPlacement(op) : PlacementAttr();
}

} // namespace mlir::job

#endif // JOBDIALECT_IR_PLACEMENT_H
