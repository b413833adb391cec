//===- JobVerifyPlacement.cpp - Refuse devices that are not there ---------===//

#include "JobDialect/IR/JobOps.h"
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

namespace {
/// Compares all placements with the first one.
class PlacementVerifier {
public:
  /// `placement` may be null, which leaves the choice to the compiler.
  LogicalResult verify(Location loc, PlacementAttr placement);
  LogicalResult verify(FuncOp func);

private:
  PlacementAttr first;
  std::optional<Location> firstLoc;
};
} // namespace

LogicalResult PlacementVerifier::verify(Location loc, PlacementAttr placement) {
  if (!placement)
    return success();
  if (!isSupported(placement))
    return emitError(loc)
           << "expects "
           << PlacementAttr::get(loc.getContext(), DeviceKind::CPU,
                                 {DeviceRange{0, 0, 0}})
           << " or one gpu of machine 0, the devices of this build, but got "
           << placement;
  if (!first) {
    first = placement;
    firstLoc = loc;
  }
  if (placement == first)
    return success();
  InFlightDiagnostic error =
      emitError(loc) << "expects one device for all jobs and variables but got "
                     << placement << " and " << first;
  error.attachNote(*firstLoc) << "this one is on " << first;
  return error;
}

static PlacementAttr getBlobPlacement(DictionaryAttr attributes) {
  return attributes ? attributes.getAs<PlacementAttr>(
                          FuncOp::getBlobPlacementAttrName())
                    : PlacementAttr();
}

LogicalResult PlacementVerifier::verify(FuncOp func) {
  if (failed(verify(func.getLoc(), func.getPlacementAttr())))
    return failure();
  for (BlockArgument argument : func.getArguments())
    if (failed(verify(argument.getLoc(), getBlobPlacement(func.getArgAttrDict(
                                             argument.getArgNumber())))))
      return failure();
  for (auto [index, result] : llvm::enumerate(func.getReturn().getOperands()))
    if (failed(verify(result.getLoc(),
                      getBlobPlacement(func.getResultAttrDict(index)))))
      return failure();
  return success();
}

namespace {
struct JobVerifyPlacement
    : public job::impl::JobVerifyPlacementBase<JobVerifyPlacement> {
  void runOnOperation() override {
    // One run reports the first error of each job and variable.
    PlacementVerifier verifier;
    bool ok = true;
    for (auto variable : getOperation().getOps<VariableOp>())
      ok &= succeeded(
          verifier.verify(variable.getLoc(), variable.getPlacementAttr()));
    for (auto func : getOperation().getOps<FuncOp>())
      ok &= succeeded(verifier.verify(func));
    if (!ok)
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
