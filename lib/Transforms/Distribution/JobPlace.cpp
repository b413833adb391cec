//===- JobPlace.cpp - Devices of jobs, variables and ops without one ------===//

#include "JobDialect/Analysis/BlobDevices.h"
#include "JobDialect/Transforms/Passes.h"

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
  void placeJobsAndVariables();

  /// Of what has none and depends on nothing that has one.
  PlacementAttr placement;
};
} // namespace

void JobPlacePass::placeJobsAndVariables() {
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
  llvm::MapVector<StringAttr, PlacementAttr> homes = findVariableHomes(module);
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

/// The variable that an op reads or assigns.
static FlatSymbolRefAttr getVariable(Operation *op) {
  if (auto read = dyn_cast<ReadOp>(op))
    return read.getVariableAttr();
  if (auto assign = dyn_cast<AssignOp>(op))
    return assign.getVariableAttr();
  if (auto update = dyn_cast<UpdateOp>(op))
    return update.getVariableAttr();
  return {};
}

/// Places the ops of a job: those on variables where these are, calls of host
/// functions on the host, and in the initializer others where their first user
/// is.
static void placeOps(FuncOp func, SymbolTable &symbols) {
  auto place = [&](Operation *op) {
    if (isa<TransferOp>(op))
      return;
    if (isa<HostCallOp>(op))
      return setPlacement(op,
                          PlacementAttr::get(op->getContext(), DeviceKind::CPU,
                                             {DeviceRange{0, 0, 0}}));
    if (FlatSymbolRefAttr symbol = getVariable(op)) {
      auto variable = symbols.lookup<VariableOp>(symbol.getValue());
      return setPlacement(op, variable.getPlacementAttr());
    }
    PlacementAttr own = getOwnPlacement(op);
    if (func.getKind() == JobKind::Init && !own && !op->use_empty())
      own = getPlacement(
          *llvm::min_element(op->getUsers(), [](Operation *a, Operation *b) {
            return a->isBeforeInBlock(b);
          }));
    setPlacement(op, own);
  };
  // Users come first.
  for (Operation &op :
       llvm::reverse(func.getBody().front().without_terminator())) {
    auto loop = dyn_cast<MicroStepsOp>(op);
    if (!loop) {
      place(&op);
      continue;
    }
    for (Operation &inner : loop.getBody().front().without_terminator())
      place(&inner);
  }
}

void JobPlacePass::runOnOperation() {
  placeJobsAndVariables();
  SymbolTable symbols(getOperation());
  for (auto func : getOperation().getOps<FuncOp>())
    placeOps(func, symbols);
}
