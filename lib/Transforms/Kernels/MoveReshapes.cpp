//===- MoveReshapes.cpp - Elementwise ops in one shape --------------------===//

#include "JobDialect/IR/Placement.h"
#include "JobDialect/Support/Targets.h"
#include "JobDialect/Transforms/Passes.h"

#include "mlir/IR/IRMapping.h"

namespace mlir::job {
#define GEN_PASS_DEF_JOBMOVERESHAPES
#include "JobDialect/Transforms/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

static ArrayRef<int64_t> getShape(Value value) {
  return cast<BlobType>(value.getType()).getShape();
}

/// Whether an op may be in one kernel with elementwise ops of a shape.
static bool isFusible(Operation *op) {
  return op && isa<ScalarKernelOpInterface, ReductionKernelOpInterface,
                   DecomposableOpInterface>(op);
}

/// Whether an op adds to a sum of micro-steps, which grows in its own memory
/// and so keeps its shape.
static bool addsToSum(Operation *op) {
  auto steps = dyn_cast<MicroStepsOp>(op->getParentOp());
  return steps && llvm::any_of(op->getOperands(), [&](Value operand) {
           return llvm::is_contained(steps.getSumArguments(), operand);
         });
}

namespace {

/// The shape that an op may move to: that of fewer dimensions from which an
/// operand was reshaped.
class Move {
public:
  explicit Move(Operation *op) : op(op), result(op->getResult(0)) {}

  /// Whether the op moves.
  bool find();
  void apply();

private:
  bool isWorthIt() const;

  Operation *op;
  Value result;
  ArrayRef<int64_t> shape;
};

struct MoveReshapesPass
    : public job::impl::JobMoveReshapesBase<MoveReshapesPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (op->hasTrait<OpTrait::Elementwise>() && op->getNumResults() == 1 &&
          getTargetCosts(getTarget(getPlacement(op))).launchBytes > 0)
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      Move move(op);
      if (!move.find())
        continue;
      move.apply();
      ++numMoved;
    }
  }
};

} // namespace

bool Move::find() {
  if (addsToSum(op))
    return false;
  for (Value operand : op->getOperands())
    if (getShape(operand) != getShape(result))
      return false;
  for (Value operand : op->getOperands()) {
    auto reshape = operand.getDefiningOp<ReshapeOp>();
    if (!reshape ||
        getShape(reshape.getOperand()).size() >= getShape(result).size())
      continue;
    shape = getShape(reshape.getOperand());
    return isWorthIt();
  }
  return false;
}

/// Whether there are at least as many ops of the new shape that this one may be
/// in a kernel with as of the old one.
bool Move::isWorthIt() const {
  int64_t numNew = 0, numOld = 0;
  for (Value operand : op->getOperands()) {
    Operation *def = operand.getDefiningOp();
    auto reshape = dyn_cast_if_present<ReshapeOp>(def);
    if (reshape && getShape(reshape.getOperand()) == shape)
      numNew += isFusible(reshape.getOperand().getDefiningOp());
    else
      numOld += isFusible(def);
  }
  for (Operation *user : result.getUsers()) {
    auto reshape = dyn_cast<ReshapeOp>(user);
    if (reshape && getShape(reshape.getResult()) == shape)
      numNew += llvm::any_of(reshape->getUsers(), isFusible);
    else
      numOld += isFusible(user);
  }
  return numNew > 0 && numNew >= numOld;
}

void Move::apply() {
  OpBuilder builder(op);
  PlacementListener listener;
  PlacementScope scope(listener, getOwnPlacement(op));
  builder.setListener(&listener);
  auto getType = [&](Value value) {
    return BlobType::get(shape,
                         cast<BlobType>(value.getType()).getElementType());
  };
  IRMapping mapping;
  for (Value operand : op->getOperands())
    if (!mapping.contains(operand))
      mapping.map(operand, builder.createOrFold<ReshapeOp>(
                               op->getLoc(), getType(operand), operand));
  Operation *moved = builder.clone(*op, mapping);
  Value value = moved->getResult(0);
  value.setType(getType(result));
  for (Operation *user : llvm::make_early_inc_range(result.getUsers()))
    if (auto reshape = dyn_cast<ReshapeOp>(user);
        reshape && getShape(reshape.getResult()) == shape) {
      reshape.replaceAllUsesWith(value);
      reshape.erase();
    }
  if (!result.use_empty())
    result.replaceAllUsesWith(
        builder.createOrFold<ReshapeOp>(op->getLoc(), result.getType(), value));
  op->erase();
}
