//===- JobAutodiff.cpp - Build the gradients of the losses ----------------===//
//
// Reverse mode over a straight line of ops: one walk from the last op to the
// first. A value's gradient is complete when the walk reaches the op that
// defines it, since all of its uses come later.
//
//===----------------------------------------------------------------------===//

#include "../Verify/TrainingJob.h"
#include "Gradient.h"

#include "JobDialect/Analysis/Activity.h"
#include "JobDialect/Analysis/MicroSteps.h"
#include "JobDialect/IR/Placement.h"
#include "JobDialect/Transforms/Passes.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::job {
#define GEN_PASS_DEF_JOBAUTODIFF
#include "JobDialect/Transforms/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

namespace {

class ReverseMode {
public:
  explicit ReverseMode(FuncOp func)
      : func(func), activity(func), steps(func),
        builder(func.getReturn(), &listener) {}

  LogicalResult run();

private:
  /// Adds to the gradient of `value`, which is at `loc` in the program.
  void accumulate(Value value, Value gradient, Location loc);
  LogicalResult differentiate(Operation *op);
  LogicalResult seed(LossOp loss, MinimizeOp minimize);
  /// The scale of a dynamic loss scale for each element of a loss.
  Value buildScales(LossOp loss, DynamicLossScaleAttr scale);
  void buildUpdates();
  void replaceGradientOps();

  FuncOp func;
  Activity activity;
  MicroSteps steps;
  /// A gradient is computed where the op is that it is of.
  PlacementListener listener;
  OpBuilder builder;
  DenseMap<Value, Value> gradients;
};

} // namespace

/// The sum of two pads with zeros, which are the gradients of parts of one
/// blob, if the parts follow one another along a dimension: the pad of both.
/// Null if they are something else.
static Value joinPads(OpBuilder &builder, Location loc, Value a, Value b) {
  auto first = a.getDefiningOp<PadOp>(), second = b.getDefiningOp<PadOp>();
  if (!first || !second)
    return {};
  for (PadOp pad : {first, second})
    if (!pad.getValue().isPosZero() ||
        llvm::any_of(pad.getInterior(),
                     [](int64_t count) { return count != 0; }))
      return {};
  std::optional<int64_t> axis;
  for (int64_t dim = 0, e = first.getType().getRank(); dim < e; ++dim) {
    if (first.getLow()[dim] == second.getLow()[dim] &&
        first.getHigh()[dim] == second.getHigh()[dim])
      continue;
    if (axis)
      return {};
    axis = dim;
  }
  if (!axis)
    return {};
  if (first.getLow()[*axis] > second.getLow()[*axis])
    std::swap(first, second);
  BlobType type = first.getOperand().getType();
  if (first.getLow()[*axis] + type.getDimSize(*axis) != second.getLow()[*axis])
    return {};
  SmallVector<Value> parts;
  for (PadOp pad : {first, second}) {
    auto inner = pad.getOperand().getDefiningOp<ConcatOp>();
    if (inner && static_cast<int64_t>(inner.getAxis()) == *axis &&
        inner->hasOneUse())
      llvm::append_range(parts, inner.getOperands());
    else
      parts.push_back(pad.getOperand());
  }
  Value joined = ConcatOp::create(builder, loc, parts, *axis);
  return builder.createOrFold<PadOp>(loc, joined, first.getLow(),
                                     second.getHigh(), first.getInterior(),
                                     APFloat(0.0));
}

void ReverseMode::accumulate(Value value, Value gradient, Location loc) {
  assert(value.getType() == gradient.getType() &&
         "a gradient has the type of its value");
  PlacementScope scope(listener, getDefiningPlacement(value));
  Value &sum = gradients[value];
  if (!sum) {
    sum = gradient;
    return;
  }
  loc = getGradientLoc(loc);
  if (Value joined = joinPads(builder, loc, sum, gradient))
    sum = joined;
  else
    sum = AddOp::create(builder, loc, sum, gradient);
}

Value ReverseMode::buildScales(LossOp loss, DynamicLossScaleAttr scale) {
  Location loc = getGradientLoc(loss.getLoc());
  BlobType type = loss.getValue().getType();
  Value value = ReadOp::create(
      builder, loc, BlobType::get({1}, builder.getF32Type()), scale.getScale());
  value = builder.createOrFold<CastOp>(
      loc, BlobType::get({1}, type.getElementType()), value);
  if (std::optional<int64_t> count = steps.getCount(loss.getValue()))
    value = BroadcastMicroStepsOp::create(builder, loc, value.getType(), value,
                                          *count);
  return builder.createOrFold<BroadcastInDimOp>(loc, type, value,
                                                ArrayRef<int64_t>{0});
}

LogicalResult ReverseMode::seed(LossOp loss, MinimizeOp minimize) {
  if (!activity.isActive(loss.getValue()))
    return success();
  PlacementScope scope(listener, getDefiningPlacement(loss.getValue()));
  if (std::optional<DynamicLossScaleAttr> scale =
          minimize.getDynamicLossScale()) {
    accumulate(loss.getValue(), buildScales(loss, *scale), loss.getLoc());
    return success();
  }
  double lossScale = minimize.getLossScale().convertToDouble();
  BlobType type = loss.getValue().getType();
  APFloat rounded(lossScale);
  bool losesInfo;
  rounded.convert(cast<FloatType>(type.getElementType()).getFloatSemantics(),
                  APFloat::rmNearestTiesToEven, &losesInfo);
  if (!rounded.isFiniteNonZero())
    return loss.emitError()
           << "expects a loss scale that " << type.getElementType()
           << ", the type of the loss, can hold but got " << lossScale;
  Value scales = ConstantOp::create(builder, getGradientLoc(loss.getLoc()),
                                    type, lossScale);
  accumulate(loss.getValue(), scales, loss.getLoc());
  return success();
}

LogicalResult ReverseMode::differentiate(Operation *op) {
  SmallVector<Value> resultGradients;
  for (Value result : op->getResults())
    resultGradients.push_back(gradients.lookup(result));
  SmallVector<bool> needed;
  for (Value operand : op->getOperands())
    needed.push_back(activity.isActive(operand));
  if (llvm::none_of(resultGradients, [](Value value) { return value; }) ||
      !llvm::is_contained(needed, true))
    return success();

  auto differentiable = dyn_cast<DifferentiableOpInterface>(op);
  if (!differentiable)
    return op->emitError() << "expects a differentiable op between a trainable "
                              "variable and a loss but got '"
                           << op->getName() << "'";
  SmallVector<Value> operandGradients(op->getNumOperands());
  PlacementScope scope(listener, getOwnPlacement(op));
  if (failed(differentiable.buildGradient(builder, resultGradients, needed,
                                          operandGradients)))
    return failure();
  // Last use first, within an op as between ops.
  for (unsigned index = op->getNumOperands(); index-- > 0;)
    if (Value gradient = operandGradients[index]) {
      Value operand = op->getOperand(index);
      accumulate(operand, gradient, operand.getLoc());
    }
  return success();
}

/// One update a variable that the job trains, in the order of the first reads;
/// what several reads give is added, last read first. Of other variables there
/// are gradients where the job asks for them.
void ReverseMode::buildUpdates() {
  TrainedVariables trained(func);
  llvm::MapVector<StringRef, SmallVector<ReadOp>> readsOf;
  for (auto read : func.getOps<ReadOp>())
    if (gradients.contains(read.getResult()) && trained.contains(read))
      readsOf[read.getVariable()].push_back(read);
  for (auto &[variable, reads] : readsOf) {
    Location loc = reads.front().getLoc();
    PlacementScope scope(listener, getOwnPlacement(reads.front()));
    Value sum;
    for (ReadOp read : llvm::reverse(reads)) {
      Value gradient = gradients.lookup(read.getResult());
      sum = sum ? AddOp::create(builder, getGradientLoc(loc), sum, gradient)
                : gradient;
    }
    UpdateOp::create(builder, getDerivedLoc("update of", loc), variable, sum);
  }
}

/// Gives the ops that ask for a gradient the one that was built. What is
/// computed from it moves behind it.
void ReverseMode::replaceGradientOps() {
  for (Operation *op : findGradientUsers(func))
    op->moveBefore(func.getReturn());
  for (auto op : llvm::make_early_inc_range(func.getOps<GradientOp>())) {
    Value gradient = gradients.lookup(op.getOperand());
    if (!gradient) {
      PlacementScope scope(listener, getDefiningPlacement(op.getOperand()));
      builder.setInsertionPoint(op);
      gradient = ConstantOp::create(builder, getGradientLoc(op.getLoc()),
                                    op.getResult().getType(), 0.0);
      builder.setInsertionPoint(func.getReturn());
    }
    op.replaceAllUsesWith(gradient);
    op.erase();
  }
}

LogicalResult ReverseMode::run() {
  auto minimize = *func.getOps<MinimizeOp>().begin();
  // What the walk adds stands behind all ops that it visits.
  SmallVector<Operation *> ops;
  for (Operation &op : func.getBody().front().without_terminator())
    ops.push_back(&op);
  for (Operation *op : llvm::reverse(ops)) {
    auto loss = dyn_cast<LossOp>(op);
    if (failed(loss ? seed(loss, minimize) : differentiate(op)))
      return failure();
  }
  buildUpdates();
  replaceGradientOps();
  // Activity knows which ops lie between a variable and a loss, not which of an
  // op's results depend on which operands: the mean that layer_norm gives does
  // not depend on its gamma.
  if (func.getOps<UpdateOp>().empty())
    return emitNoGradients(func);
  return success();
}

namespace {
struct JobAutodiff : public job::impl::JobAutodiffBase<JobAutodiff> {
  void runOnOperation() override {
    FuncOp func = getOperation();
    if (func.getKind() != JobKind::Train || hasGradients(func))
      return markAllAnalysesPreserved();
    Block &body = func.getBody().front();
    size_t opsBefore = body.getOperations().size();
    if (failed(verifyTrainingJob(func)) || failed(ReverseMode(func).run()))
      return signalPassFailure();
    numGradientOps += body.getOperations().size() - opsBefore -
                      llvm::range_size(func.getOps<UpdateOp>());
  }
};
} // namespace
