//===- ProgramChecks.cpp - Who checks what for NaN and infinity -----------===//

#include "ProgramBuilder.h"

using namespace mlir;
using namespace mlir::job;

/// Reshapes are the same values.
static Value getReshaped(Value blob) {
  while (auto reshape = blob.getDefiningOp<ReshapeOp>())
    blob = reshape.getOperand();
  return blob;
}

/// Says that `loc` made the blob and did not check it itself: the next that
/// reads it has to, or a kernel before that one.
void ProgramBuilder::expectCheck(Value blob, Location loc) {
  auto type = cast<BlobType>(blob.getType());
  if (!checkNumerics || !isa<FloatType>(type.getElementType()) ||
      type.getNumElements() == 0)
    return;
  unchecked.insert({blob, loc});
  // Nobody need read a result of the job before the updates.
  if (auto result = dyn_cast<OpResult>(blob);
      result &&
      (isAt(result, BlobPlace::Output) || isAt(result, BlobPlace::Variable)))
    check(blob);
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

/// Checks a blob now, unless that was done, and before it what was made before.
void ProgramBuilder::check(Value blob) {
  blob = getReshaped(blob);
  while (unchecked.contains(blob))
    checkNext(unchecked.begin());
}

/// Checks what nobody has yet, except for blobs that are about to be.
void ProgramBuilder::checkAllBut(ArrayRef<Value> exceptions) {
  for (auto it = unchecked.begin(); it != unchecked.end();)
    it = llvm::is_contained(exceptions, it->first) ? std::next(it)
                                                   : checkNext(it);
}

/// Checks one blob. Returns what follows it.
ProgramBuilder::Unchecked::iterator
ProgramBuilder::checkNext(Unchecked::iterator it) {
  auto [blob, loc] = *it;
  it = unchecked.erase(it);
  // What a caller gives and no op looks at may be anything.
  if (blob.use_empty() && isa<BlockArgument>(blob))
    return it;
  auto type = cast<BlobType>(blob.getType());
  dispatch(loc, context.getCheckKernel(loc, type.getMemRefType()),
           type.getNumElements(), getBuffer(blob), {}, {});
  return it;
}

/// Which of its inputs a kernel checks on the way; all others are checked now.
/// What goes into a variable is, so that a wrong value does not get there.
SmallVector<KernelCheck> ProgramBuilder::takeInputChecks(KernelOp op) {
  SmallVector<Value> taken;
  SmallVector<KernelCheck> checks;
  bool writesVariable = llvm::any_of(op->getResults(), [&](OpResult result) {
    return isAt(result, BlobPlace::Variable);
  });
  if (!writesVariable)
    for (auto [blob, loc] : unchecked) {
      auto indices = llvm::seq<unsigned>(op.getInputs().size());
      auto index = llvm::find_if(indices, [&, blob = blob](unsigned index) {
        return getReshaped(op.getInputs()[index]) == blob &&
               canCheckInput(op, index);
      });
      if (index == indices.end())
        continue;
      taken.push_back(blob);
      checks.push_back({*index, loc});
    }
  checkAllBut(taken);
  unchecked.clear();
  return checks;
}
