//===- ProgramChecks.cpp - Checks for NaN and infinity --------------------===//
//
// Every command checks what it writes: a kernel what its ops compute, the
// runtime the results of a library call and the inputs of the job. The step
// ends at the first command whose check fails.
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

using namespace mlir;
using namespace mlir::job;

bool ProgramBuilder::isChecked(Value blob) const {
  return checkNumerics && canBeNonFinite(cast<BlobType>(blob.getType()));
}

/// Whether a kernel writes a result straight to a variable, except for elements
/// for which a check fails.
bool ProgramBuilder::isGuarded(OpResult result) const {
  return isAt(result, BlobPlace::Variable) && isChecked(result);
}

/// Moves kernels that only count (their own variables go in and come out) to
/// the end of the job, so that a step that fails a check has not counted.
void ProgramBuilder::postponeCounters() {
  Operation *end = func.getReturn();
  SmallVector<KernelOp> kernels(func.getOps<KernelOp>());
  for (KernelOp kernel : kernels) {
    SmallVector<AssignOp> assigns;
    bool onlyAssigned = llvm::all_of(kernel->getUsers(), [&](Operation *user) {
      if (auto assign = dyn_cast<AssignOp>(user))
        assigns.push_back(assign);
      return isa<AssignOp>(user);
    });
    auto isOwn = [&](StringAttr variable) {
      return llvm::any_of(assigns, [&](AssignOp assign) {
        return assign.getVariableAttr().getAttr() == variable;
      });
    };
    bool readsOwn = llvm::all_of(kernel.getInputs(), [&](Value input) {
      auto read = input.getDefiningOp<ReadOp>();
      return input.getDefiningOp<ConstantOp>() ||
             (read && isOwn(read.getVariableAttr().getAttr()));
    });
    if (!onlyAssigned || assigns.empty() || !readsOwn)
      continue;
    // Others see the new value from the assignment on.
    auto isSeenLater = [&](Operation &op) {
      auto read = dyn_cast<ReadOp>(op);
      auto assign = dyn_cast<AssignOp>(op);
      return (read && isOwn(read.getVariableAttr().getAttr()) &&
              !read->isBeforeInBlock(kernel)) ||
             (assign && isOwn(assign.getVariableAttr().getAttr()) &&
              !llvm::is_contained(assigns, assign));
    };
    if (llvm::any_of(func.getBody().front(), isSeenLater))
      continue;
    kernel->moveBefore(end);
    for (AssignOp assign : llvm::reverse(assigns))
      assign->moveBefore(end);
  }
}
