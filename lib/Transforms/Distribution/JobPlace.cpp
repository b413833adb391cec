//===- JobPlace.cpp - Devices of jobs and variables without one -----------===//

#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Transforms/Passes.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::job {
#define GEN_PASS_DEF_JOBPLACE
#include "JobDialect/Transforms/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

namespace {
struct JobPlacePass : public job::impl::JobPlaceBase<JobPlacePass> {
  using JobPlaceBase::JobPlaceBase;

  LogicalResult initialize(MLIRContext *context) override {
    std::optional<DeviceKind> kind = symbolizeDeviceKind(device);
    if (!kind)
      return emitError(UnknownLoc::get(context))
             << "expects a device of cpu or gpu but got '" << device << "'";
    placement = PlacementAttr::get(context, *kind, {DeviceRange{0, 0, 0}});
    return success();
  }

  void runOnOperation() override;

private:
  /// Of what has none and depends on nothing that has one.
  PlacementAttr placement;
};
} // namespace

/// The variables that the jobs of a kind access, and the first job of each.
static void addHomes(ModuleOp module, JobKind kind,
                     llvm::MapVector<StringAttr, PlacementAttr> &homes) {
  for (auto func : module.getOps<FuncOp>()) {
    if (func.getKind() != kind)
      continue;
    func.walk([&](Operation *op) {
      if (auto read = dyn_cast<ReadOp>(op))
        homes.try_emplace(read.getVariableAttr().getAttr(),
                          func.getPlacementAttr());
      else if (auto assign = dyn_cast<AssignOp>(op))
        homes.try_emplace(assign.getVariableAttr().getAttr(),
                          func.getPlacementAttr());
    });
  }
}

void JobPlacePass::runOnOperation() {
  ModuleOp module = getOperation();
  PlacementAttr firstJob;
  for (auto func : module.getOps<FuncOp>()) {
    if (func.getKind() == JobKind::Init)
      continue;
    if (!func.getPlacementAttr())
      func.setPlacementAttr(placement);
    if (!firstJob)
      firstJob = func.getPlacementAttr();
  }
  PlacementAttr unused = firstJob ? firstJob : placement;
  // A variable is where it is trained.
  llvm::MapVector<StringAttr, PlacementAttr> homes;
  addHomes(module, JobKind::Train, homes);
  addHomes(module, JobKind::Predict, homes);
  PlacementAttr first;
  for (auto variable : module.getOps<VariableOp>()) {
    if (!variable.getPlacementAttr()) {
      PlacementAttr home = homes.lookup(variable.getSymNameAttr());
      variable.setPlacementAttr(home ? home : unused);
    }
    if (!first)
      first = variable.getPlacementAttr();
  }
  for (auto func : module.getOps<FuncOp>())
    if (!func.getPlacementAttr())
      func.setPlacementAttr(first ? first : unused);
}
