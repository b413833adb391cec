//===- InPlace.cpp - Which kernels may overwrite their inputs -------------===//

#include "JobDialect/Analysis/InPlace.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::job;

LoopKernelOpInterface job::getLoopKernel(KernelOp kernel) {
  return dyn_cast<LoopKernelOpInterface>(kernel.getBody().front().front());
}

bool job::canOverwrite(KernelOp kernel, unsigned input, unsigned result) {
  if (kernel.getInputs()[input].getType() !=
      kernel->getResult(result).getType())
    return false;
  Block &body = kernel.getBody().front();
  BlockArgument argument = body.getArgument(input);
  Value yielded = body.getTerminator()->getOperand(result);

  // Loops may read any element at any time.
  if (getLoopKernel(kernel))
    return false;
  if (auto only = dyn_cast<DecomposableOpInterface>(body.front()))
    return yielded.getDefiningOp() == only &&
           llvm::all_of(argument.getUses(), [&](OpOperand &use) {
             return use.getOwner() == only &&
                    only.canOverwrite(
                        use.getOperandNumber(),
                        cast<OpResult>(yielded).getResultNumber());
           });
  // Kernels that others write down may have several passes over their domain.
  if (llvm::any_of(body, llvm::IsaPred<DecomposableOpInterface>))
    return false;

  // A reduction is built up where its terms are still read.
  if (isa_and_present<ReductionKernelOpInterface>(yielded.getDefiningOp()))
    return false;
  // What needs a reduction, or another value that a row has one of, is in
  // another pass, which may read the input again.
  auto getShape = [](Operation *op) {
    return cast<BlobType>(op->getResult(0).getType()).getShape();
  };
  for (auto reduction : body.getOps<ReductionKernelOpInterface>())
    for (Operation &op : body.without_terminator())
      if (isa<ReductionKernelOpInterface, ScalarKernelOpInterface>(op) &&
          getShape(&op) == getShape(reduction) &&
          !llvm::all_of(op.getUsers(), llvm::IsaPred<YieldOp>))
        return false;
  // A strided read reads other elements; a shared element is read by all.
  auto shape = cast<BlobType>(argument.getType()).getShape();
  return llvm::all_of(argument.getUsers(), [&](Operation *user) {
    return isa<ScalarKernelOpInterface>(user) &&
           cast<BlobType>(user->getResult(0).getType()).getShape() == shape;
  });
}

bool job::canBeNonFinite(BlobType type) {
  return isa<FloatType>(type.getElementType()) && type.getNumElements() > 0;
}

namespace {

/// The reads and assignments of one variable, in their order.
struct VariableAccesses {
  SmallVector<ReadOp, 1> reads;
  SmallVector<AssignOp, 1> assigns;
};

} // namespace

/// Whether an op can write each element of a result only when all checks that
/// the element depends on hold.
static bool canCheckBeforeWrite(Operation *op) {
  auto kernel = dyn_cast<KernelOp>(op);
  // Loops may write elements several times. What follows a reduction is
  // computed in a later pass, which does not know what was checked before it.
  return kernel && !getLoopKernel(kernel) &&
         llvm::none_of(kernel.getBody().front(),
                       llvm::IsaPred<DecomposableOpInterface,
                                     ReductionKernelOpInterface>);
}

/// Why the assigned blob may not be written straight into the variable; empty
/// when it may. `taken` are the values that are another variable's.
static StringRef findObstacle(AssignOp assign, const VariableAccesses &accesses,
                              const DenseSet<Value> &taken,
                              bool checkNumerics) {
  auto result = dyn_cast<OpResult>(assign.getValue());
  if (!result || !isa<KernelOp, LibraryCallOpInterface>(result.getOwner()))
    return "no kernel or call computes the new value";
  if (taken.contains(result))
    return "the new value is also assigned to another variable";
  Operation *producer = result.getOwner();
  for (ReadOp read : accesses.reads) {
    // Of two obstacles the first in the job is named.
    if (llvm::any_of(accesses.assigns, [&](AssignOp other) {
          return other != assign && other->isBeforeInBlock(read);
        }))
      break;
    if (producer->isBeforeInBlock(read))
      return "it is read after the new value is computed";
    for (OpOperand &use : read.getResult().getUses()) {
      Operation *user = use.getOwner();
      if (isa<ReturnOp>(user))
        continue; // copied where it is read
      if (producer->isBeforeInBlock(user))
        return "the old value is used after the new one is computed";
      if (isa<ReshapeOp>(user))
        return "the old value is used with another shape";
      if (user != producer)
        continue;
      auto kernel = dyn_cast<KernelOp>(user);
      if (!kernel || !canOverwrite(kernel, use.getOperandNumber(),
                                   result.getResultNumber()))
        return "the new value is computed from other elements of the old one";
    }
  }
  // A second assignment needs both values.
  if (accesses.assigns.size() > 1)
    return "it is assigned twice";
  if (checkNumerics && canBeNonFinite(assign.getValue().getType()) &&
      !canCheckBeforeWrite(producer))
    return "the new value is checked for NaN and infinity first";
  return "";
}

SmallVector<VariableUpdate> job::findVariableUpdates(FuncOp func,
                                                     bool checkNumerics) {
  DenseMap<StringAttr, VariableAccesses> accesses;
  for (Operation &op : func.getBody().front()) {
    if (auto read = dyn_cast<ReadOp>(op))
      accesses[read.getVariableAttr().getAttr()].reads.push_back(read);
    else if (auto assign = dyn_cast<AssignOp>(op))
      accesses[assign.getVariableAttr().getAttr()].assigns.push_back(assign);
  }
  SmallVector<VariableUpdate> updates;
  DenseSet<Value> taken;
  for (auto assign : func.getOps<AssignOp>()) {
    const VariableAccesses &ofVariable =
        accesses[assign.getVariableAttr().getAttr()];
    updates.push_back(
        {assign, findObstacle(assign, ofVariable, taken, checkNumerics)});
    if (updates.back().isInPlace())
      taken.insert(assign.getValue());
  }
  return updates;
}
