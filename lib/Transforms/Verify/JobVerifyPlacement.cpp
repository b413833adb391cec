//===- JobVerifyPlacement.cpp - Refuse devices that are not there ---------===//

#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Transforms/Passes.h"

namespace mlir::job {
#define GEN_PASS_DEF_JOBVERIFYPLACEMENT
#include "JobDialect/Transforms/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

/// `placement` may be null, which leaves the choice to the compiler.
static LogicalResult verifyPlacement(Location loc, PlacementAttr placement) {
  if (!placement)
    return success();
  auto available = PlacementAttr::get(loc.getContext(), DeviceKind::CPU,
                                      {DeviceRange{0, 0, 0}});
  if (placement == available)
    return success();
  return emitError(loc) << "expects " << available
                        << ", the only device of this build, but got "
                        << placement;
}

static PlacementAttr getBlobPlacement(DictionaryAttr attributes) {
  return attributes ? attributes.getAs<PlacementAttr>(
                          FuncOp::getBlobPlacementAttrName())
                    : PlacementAttr();
}

static LogicalResult verifyJob(FuncOp func) {
  if (failed(verifyPlacement(func.getLoc(), func.getPlacementAttr())))
    return failure();
  for (BlockArgument argument : func.getArguments())
    if (failed(verifyPlacement(
            argument.getLoc(),
            getBlobPlacement(func.getArgAttrDict(argument.getArgNumber())))))
      return failure();
  for (auto [index, result] : llvm::enumerate(func.getReturn().getOperands()))
    if (failed(verifyPlacement(
            result.getLoc(), getBlobPlacement(func.getResultAttrDict(index)))))
      return failure();
  return success();
}

namespace {
struct JobVerifyPlacement
    : public job::impl::JobVerifyPlacementBase<JobVerifyPlacement> {
  void runOnOperation() override {
    // One run reports the first error of each job and variable.
    bool ok = true;
    for (auto variable : getOperation().getOps<VariableOp>())
      ok &= succeeded(
          verifyPlacement(variable.getLoc(), variable.getPlacementAttr()));
    for (auto func : getOperation().getOps<FuncOp>())
      ok &= succeeded(verifyJob(func));
    if (!ok)
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
