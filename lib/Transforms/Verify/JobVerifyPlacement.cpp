//===- JobVerifyPlacement.cpp - Refuse devices that are not there ---------===//

#include "JobDialect/IR/Placement.h"
#include "JobDialect/Transforms/Passes.h"

namespace mlir::job {
#define GEN_PASS_DEF_JOBVERIFYPLACEMENT
#include "JobDialect/Transforms/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

/// Whether it is a device that code is made for: the CPU, or one GPU, of the
/// first machine.
static bool isSupported(PlacementAttr placement) {
  ArrayRef<DeviceRange> ranges = placement.getRanges();
  return ranges.size() == 1 && ranges[0].machine == 0 &&
         ranges[0].first == ranges[0].last &&
         (placement.getDevice() == DeviceKind::GPU || ranges[0].first == 0);
}

/// `placement` may be null, which leaves the choice to the compiler.
static LogicalResult verifyDevices(Location loc, PlacementAttr placement) {
  if (!placement || isSupported(placement))
    return success();
  return emitError(loc)
         << "expects "
         << PlacementAttr::get(loc.getContext(), DeviceKind::CPU,
                               {DeviceRange{0, 0, 0}})
         << " or one gpu of machine 0, the devices of this build, but got "
         << placement;
}

static PlacementAttr getBlobPlacement(DictionaryAttr attributes) {
  return attributes ? attributes.getAs<PlacementAttr>(
                          FuncOp::getBlobPlacementAttrName())
                    : PlacementAttr();
}

static LogicalResult verifyDevices(FuncOp func) {
  if (failed(verifyDevices(func.getLoc(), func.getPlacementAttr())))
    return failure();
  for (BlockArgument argument : func.getArguments())
    if (failed(verifyDevices(
            argument.getLoc(),
            getBlobPlacement(func.getArgAttrDict(argument.getArgNumber())))))
      return failure();
  for (auto [index, result] : llvm::enumerate(func.getReturn().getOperands()))
    if (failed(verifyDevices(result.getLoc(),
                             getBlobPlacement(func.getResultAttrDict(index)))))
      return failure();
  WalkResult walked = func.getBody().walk([](Operation *op) -> WalkResult {
    return verifyDevices(op->getLoc(), getOwnPlacement(op));
  });
  return failure(walked.wasInterrupted());
}

namespace {
struct JobVerifyPlacement
    : public job::impl::JobVerifyPlacementBase<JobVerifyPlacement> {
  void runOnOperation() override {
    // One run reports the first error of each job and variable.
    bool ok = true;
    for (auto variable : getOperation().getOps<VariableOp>())
      ok &= succeeded(
          verifyDevices(variable.getLoc(), variable.getPlacementAttr()));
    for (auto func : getOperation().getOps<FuncOp>())
      ok &= succeeded(verifyDevices(func));
    if (!ok)
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
