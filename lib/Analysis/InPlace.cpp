//===- InPlace.cpp - Which kernels may overwrite their inputs -------------===//

#include "JobDialect/Analysis/InPlace.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::job;

LoopKernelOpInterface job::getLoopKernel(KernelOp kernel) {
  return dyn_cast<LoopKernelOpInterface>(kernel.getBody().front().front());
}

static ArrayRef<int64_t> getShape(Value value) {
  return cast<BlobType>(value.getType()).getShape();
}

/// Replaces ops that other ops compute.
static void decompose(Block &body) {
  for (Operation &op : llvm::make_early_inc_range(body)) {
    auto decomposable = dyn_cast<DecomposableOpInterface>(op);
    if (!decomposable)
      continue;
    OpBuilder builder(&op);
    op.replaceAllUsesWith(decomposable.decompose(builder));
    op.erase();
  }
}

/// As canOverwrite(), for a kernel of several ops of which some go over rows:
/// whether no pass after the one that writes the result reads the input. A
/// value of the domain may be computed again in each pass that needs it; what
/// needs a reduction is in a later pass.
static bool canOverwriteInPasses(KernelOp kernel, unsigned input,
                                 unsigned result) {
  OwningOpRef<Operation *> scratch = kernel->clone();
  Block &body = cast<KernelOp>(*scratch).getBody().front();
  decompose(body);
  BlockArgument argument = body.getArgument(input);
  Value yielded = body.getTerminator()->getOperand(result);
  auto isReduction = llvm::IsaPred<ReductionKernelOpInterface>;
  auto first = llvm::find_if(body, isReduction);
  if (first == body.end() ||
      getShape(argument) != getShape(first->getOperand(0)) ||
      !isa_and_present<ScalarKernelOpInterface>(yielded.getDefiningOp()) ||
      llvm::any_of(argument.getUsers(), [](Operation *user) {
        return !isa<ScalarKernelOpInterface, ReductionKernelOpInterface>(user);
      }))
    return false;
  // The pass of each value, and whether it is computed from the input in its
  // pass.
  DenseMap<Value, unsigned> passOf;
  DenseSet<Value> readers{argument};
  unsigned lastRead = 0;
  for (Operation &op : body.without_terminator()) {
    Value value = op.getResult(0);
    unsigned pass = 0;
    bool reads = false;
    for (Value operand : op.getOperands()) {
      pass = std::max(pass, passOf.lookup(operand));
      reads |= readers.contains(operand);
    }
    bool isYielded =
        llvm::is_contained(body.getTerminator()->getOperands(), value);
    if (reads && (isReduction(op) || isYielded))
      lastRead = std::max(lastRead, pass);
    if (isReduction(op))
      ++pass;
    else if (reads)
      readers.insert(value);
    passOf[value] = pass;
  }
  return lastRead <= passOf.lookup(yielded);
}

/// Whether a reduction, or another value that a row has one of, is needed in
/// another pass, which may read the inputs again. Where rows have one element,
/// each value has the shape of the reduction's.
static bool hasPasses(Block &body) {
  auto isNeeded = [](Operation &op) {
    return !llvm::all_of(op.getUsers(), llvm::IsaPred<YieldOp>);
  };
  for (auto reduction : body.getOps<ReductionKernelOpInterface>()) {
    ArrayRef<int64_t> rows = getShape(reduction->getResult(0));
    bool hasRows = rows != getShape(reduction->getOperand(0));
    for (Operation &op : body.without_terminator())
      if (isa<ReductionKernelOpInterface, ScalarKernelOpInterface>(op) &&
          (hasRows ? getShape(op.getResult(0)) == rows : &op == reduction) &&
          isNeeded(op))
        return true;
  }
  return false;
}

KernelOverwrites::KernelOverwrites(KernelOp kernel) : kernel(kernel) {
  Block &body = kernel.getBody().front();
  // Loops may read any element at any time.
  if (getLoopKernel(kernel))
    kind = Kind::kNone;
  else if (isa<DecomposableOpInterface>(body.front()) &&
           llvm::hasSingleElement(body.without_terminator()))
    kind = Kind::kOneOp;
  else if (llvm::any_of(body, llvm::IsaPred<DecomposableOpInterface>))
    kind = Kind::kPasses;
  else
    kind = hasPasses(body) ? Kind::kNone : Kind::kElements;
}

bool KernelOverwrites::canOverwrite(unsigned input, unsigned result) const {
  if (kind == Kind::kNone || kernel->getOperand(input).getType() !=
                                 kernel->getResult(result).getType())
    return false;
  Block &body = kernel->getRegion(0).front();
  BlockArgument argument = body.getArgument(input);
  Value yielded = body.getTerminator()->getOperand(result);

  if (kind == Kind::kOneOp) {
    auto only = cast<DecomposableOpInterface>(body.front());
    return yielded.getDefiningOp() == only &&
           llvm::all_of(argument.getUses(), [&](OpOperand &use) {
             return use.getOwner() == only &&
                    only.canOverwrite(
                        use.getOperandNumber(),
                        cast<OpResult>(yielded).getResultNumber());
           });
  }
  if (kind == Kind::kPasses)
    return canOverwriteInPasses(kernel, input, result);

  // A reduction is built up where its terms are still read.
  if (isa_and_present<ReductionKernelOpInterface>(yielded.getDefiningOp()))
    return false;
  // A strided read reads other elements; a shared element is read by all.
  auto shape = cast<BlobType>(argument.getType()).getShape();
  return llvm::all_of(argument.getUsers(), [&](Operation *user) {
    return isa<ScalarKernelOpInterface>(user) &&
           cast<BlobType>(user->getResult(0).getType()).getShape() == shape;
  });
}

bool job::canOverwrite(KernelOp kernel, unsigned input, unsigned result) {
  return KernelOverwrites(kernel).canOverwrite(input, result);
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

/// Whether an op, or one that uses a reshape of its result, is not before
/// another op.
static bool isUsedFrom(Operation *op, Operation *producer) {
  auto reshape = dyn_cast<ReshapeOp>(op);
  return !reshape ? !op->isBeforeInBlock(producer)
                  : llvm::any_of(reshape->getUsers(), [&](Operation *user) {
                      return isUsedFrom(user, producer);
                    });
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
      if (isa<ReshapeOp>(user)) {
        if (isUsedFrom(user, producer))
          return "the old value is used with another shape";
        continue;
      }
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
