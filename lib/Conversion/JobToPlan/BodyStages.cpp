//===- BodyStages.cpp - The passes of a kernel's body ---------------------===//
//
// A reduction ends a pass over the domain; what needs its result comes in the
// next one. A value of the domain that a later stage needs is computed again
// there, unless that takes many operations: then it is kept in the memory of a
// result that is written later.
//
//===----------------------------------------------------------------------===//

#include "BodyBuilder.h"

#include "JobDialect/IR/ElementTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::job;

/// Values that take more operations than this are kept for later stages: as
/// many as a store and a load cost in a first-level cache.
static constexpr int64_t kMinKeptCost = 8;

/// How many operations one element of the result takes: from the code that it
/// becomes.
static int64_t getOperationCount(Operation *op) {
  Block block;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointToStart(&block);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(block.addArgument(
        getBodyType(getElementTypeOrSelf(operand.getType())), op->getLoc()));
  auto buildIndex = [&]() -> Value {
    return arith::ConstantOp::create(builder, op->getLoc(),
                                     builder.getI64IntegerAttr(0));
  };
  cast<ScalarKernelOpInterface>(op).buildScalar(
      builder, operands,
      ElementIndices{buildIndex, [&](unsigned) { return buildIndex(); }});
  return llvm::count_if(
      block, [](Operation &op) { return !isa<arith::ConstantOp>(op); });
}

void BodyBuilder::findStages() {
  bool hasUnitRows =
      llvm::all_of_zip(domain, reduced, [](int64_t extent, bool isReduced) {
        return !isReduced || extent == 1;
      });
  for (auto [index, value] :
       llvm::enumerate(region.getTerminator()->getOperands()))
    yieldedAs[value].push_back(index);
  for (Operation &op : region.without_terminator()) {
    Value result = op.getResult(0);
    if (isa<ConstantOp>(op))
      continue;
    Stage stage;
    bool isReduction = isa<ReductionKernelOpInterface>(op);
    bool isRead = isa<StridedReadOpInterface>(op);
    bool usesRow = llvm::any_of(op.getOperands(), [&](Value operand) {
      return stageOf.lookup(operand).isRow;
    });
    ArrayRef<int64_t> shape = cast<BlobType>(result.getType()).getShape();
    // Rows of one element have the domain's shape.
    stage.isRow = isReduction || shape != ArrayRef<int64_t>(domain) ||
                  (hasUnitRows && !isRead && usesRow);
    for (Value operand : op.getOperands()) {
      Stage needed = stageOf.lookup(operand);
      // The domain's values follow those of its rows one stage later; so do
      // reductions, which go over the domain.
      bool isOnDomain = isReduction || !stage.isRow;
      unsigned number = needed.number + (needed.isRow && isOnDomain);
      stage.number = std::max(stage.number, number);
    }
    stageOf[result] = stage;
  }
}

/// About how many ops have to run for a value of the domain.
int64_t BodyBuilder::getCost(Value value,
                             llvm::SmallPtrSetImpl<Operation *> &seen) const {
  Operation *op = value.getDefiningOp();
  if (!op || stageOf.lookup(value).isRow || !isa<ScalarKernelOpInterface>(op) ||
      !seen.insert(op).second)
    return 0;
  int64_t cost = getOperationCount(op);
  for (Value operand : op->getOperands())
    cost += getCost(operand, seen);
  return cost;
}

/// The first stage in which a result may overwrite a value of the domain: what
/// is computed from the value may be computed again in later stages.
unsigned BodyBuilder::getLastRead(Value value) const {
  unsigned last = 0;
  SmallVector<Value> values = {value};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!values.empty())
    for (Operation *user : values.pop_back_val().getUsers()) {
      if (user == region.getTerminator() || !seen.insert(user).second)
        continue;
      Value result = user->getResult(0);
      Stage stage = stageOf.lookup(result);
      // A strided read is of elements that may have been overwritten.
      bool isStrided = isa<StridedReadOpInterface>(user);
      last = std::max(last, stage.number + isStrided);
      if (!stage.isRow && !yieldedAs.contains(result))
        values.push_back(result);
    }
  return last;
}

/// Values of the domain that a later stage uses and that are worth a store and
/// a load more: they take the memory of a result of that stage or a later one.
void BodyBuilder::findKeptValues() {
  if (!keepsValues)
    return;
  llvm::SmallPtrSet<Value, 4> taken;
  for (Operation &op : region.without_terminator()) {
    Value value = op.getResult(0);
    Stage stage = stageOf.lookup(value);
    if (!isComputed(value) || stage.isRow || yieldedAs.contains(value) ||
        !isa<ScalarKernelOpInterface>(op))
      continue;
    unsigned last = stage.number;
    for (Operation *user : op.getUsers())
      if (user->getNumResults() == 1 && !isa<ReductionKernelOpInterface>(user))
        last = std::max(last, stageOf.lookup(user->getResult(0)).number);
    llvm::SmallPtrSet<Operation *, 8> seen;
    if (last == stage.number || getCost(value, seen) < kMinKeptCost)
      continue;
    unsigned lastRead = getLastRead(value);
    for (Value result : region.getTerminator()->getOperands()) {
      Stage made = stageOf.lookup(result);
      if (isComputed(result) && !made.isRow && made.number >= lastRead &&
          result.getType() == value.getType() && taken.insert(result).second) {
        keptIn[value] = result;
        break;
      }
    }
  }
}
