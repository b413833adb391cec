//===- FormRepeat.cpp - Put the ops of micro-steps into one loop ----------===//
//
// The loop stands behind the last op that it needs. What stands before that
// place and needs the loop's results, be it through a variable, moves behind
// the loop.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Analysis/MicroSteps.h"
#include "JobDialect/Transforms/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::job {
#define GEN_PASS_DEF_JOBFORMREPEAT
#include "JobDialect/Transforms/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

namespace {

/// Forms the loop of one job.
class RepeatFormer {
public:
  explicit RepeatFormer(FuncOp func)
      : func(func), block(func.getBody().front()), steps(func),
        builder(func.getContext()) {}

  /// Returns the number of ops in the loop.
  FailureOr<unsigned> run();

private:
  void collect();
  void collectShared(Value value);
  bool isCopied(Value value) const;
  LogicalResult makePlace();
  void build();
  Value getInner(Value value);

  FuncOp func;
  Block &block;
  MicroSteps steps;
  OpBuilder builder;
  /// In the job's order: all ops of the loop, and the kinds that lead in and
  /// out of it.
  SmallVector<Operation *> ops;
  SmallVector<AccOp> accs;
  SmallVector<PackOp> packs;
  /// What is cut into parts, and what every micro-step sees.
  llvm::SetVector<Value> rows, shared;
  /// The op behind which the loop stands, null for the start of the job, and
  /// ops before it that move behind the loop.
  Operation *place = nullptr;
  SmallVector<Operation *> late;
  IRMapping mapping;
};

} // namespace

/// Constants, and what only reads one at other places, cost nothing: the loop
/// has copies of its own, which kernels take in.
bool RepeatFormer::isCopied(Value value) const {
  Operation *def = value.getDefiningOp();
  if (!def || !steps.isConstant(value))
    return false;
  if (isa<ConstantOp>(def))
    return true;
  return isa<StridedReadOpInterface, ReshapeOp>(def) &&
         isCopied(def->getOperand(0));
}

void RepeatFormer::collectShared(Value value) {
  if (!steps.getCount(value) && !isCopied(value))
    shared.insert(value);
}

void RepeatFormer::collect() {
  for (Operation &op : block) {
    if (auto unpack = dyn_cast<UnpackOp>(op)) {
      rows.insert(unpack.getOperand());
    } else if (auto repeat = dyn_cast<RepeatOp>(op)) {
      collectShared(repeat.getOperand());
    } else {
      bool isExit = isa<AccOp, PackOp>(op);
      if (!isExit && llvm::none_of(op.getOperands(), [&](Value operand) {
            return steps.getCount(operand);
          }))
        continue;
      for (Value operand : op.getOperands())
        collectShared(operand);
    }
    ops.push_back(&op);
    if (auto acc = dyn_cast<AccOp>(op))
      accs.push_back(acc);
    if (auto pack = dyn_cast<PackOp>(op))
      packs.push_back(pack);
  }
}

/// Finds the loop's place and what has to move behind it.
LogicalResult RepeatFormer::makePlace() {
  DenseSet<Operation *> needed;
  for (ArrayRef<Value> values : {rows.getArrayRef(), shared.getArrayRef()})
    for (Value value : values)
      if (Operation *def = value.getDefiningOp()) {
        needed.insert(def);
        if (!place || place->isBeforeInBlock(def))
          place = def;
      }
  if (!place)
    return success();

  DenseSet<Operation *> inLoop(ops.begin(), ops.end()), isLate;
  DenseSet<StringAttr> lateReads, lateAssigns;
  for (Operation &op : block) {
    if (!inLoop.contains(&op)) {
      bool waits = llvm::any_of(op.getOperands(), [&](Value operand) {
        Operation *def = operand.getDefiningOp();
        return def && (isa<AccOp, PackOp>(def) || isLate.contains(def));
      });
      // Reads and assignments of a variable keep their order.
      auto read = dyn_cast<ReadOp>(op);
      auto assign = dyn_cast<AssignOp>(op);
      if (read)
        waits |= lateAssigns.contains(read.getVariableAttr().getAttr());
      if (assign)
        waits |= lateReads.contains(assign.getVariableAttr().getAttr()) ||
                 lateAssigns.contains(assign.getVariableAttr().getAttr());
      if (waits) {
        if (needed.contains(&op))
          return op.emitError()
                 << "expects what micro-steps need to be there before them but "
                    "got a value that needs their results";
        isLate.insert(&op);
        late.push_back(&op);
        if (read)
          lateReads.insert(read.getVariableAttr().getAttr());
        if (assign)
          lateAssigns.insert(assign.getVariableAttr().getAttr());
      }
    }
    if (&op == place)
      break;
  }
  return success();
}

/// The value inside of the loop.
Value RepeatFormer::getInner(Value value) {
  if (Value inner = mapping.lookupOrNull(value))
    return inner;
  Operation *def = value.getDefiningOp();
  assert(def && isCopied(value) && "the loop has all that its ops need");
  for (Value operand : def->getOperands())
    getInner(operand);
  return builder.clone(*def, mapping)->getResult(0);
}

void RepeatFormer::build() {
  // Of the op that leads in, which says the count.
  Location loc = ops.front()->getLoc();
  int64_t count = cast<IntegerAttr>(ops.front()->getAttr("count")).getInt();
  if (place)
    builder.setInsertionPointAfter(place);
  else
    builder.setInsertionPointToStart(&block);

  SmallVector<Type> sumTypes, packedTypes;
  for (AccOp acc : accs)
    sumTypes.push_back(acc.getResult().getType());
  for (PackOp pack : packs)
    packedTypes.push_back(pack.getResult().getType());
  auto loop = MicroStepsOp::create(builder, loc, sumTypes, packedTypes, count,
                                   rows.getArrayRef(), shared.getArrayRef());
  for (Operation *op : llvm::reverse(late))
    op->moveAfter(loop);

  Block &body = loop.getBody().emplaceBlock();
  builder.setInsertionPointToStart(&body);
  DenseMap<Value, Value> partOf;
  for (Value value : rows)
    partOf[value] = body.addArgument(
        MicroStepsOp::getPartType(cast<BlobType>(value.getType()), count),
        value.getLoc());
  for (Value value : shared)
    mapping.map(value, body.addArgument(value.getType(), value.getLoc()));
  DenseMap<Operation *, Value> sumOf;
  for (AccOp acc : accs)
    sumOf[acc] = body.addArgument(acc.getResult().getType(), acc.getLoc());

  SmallVector<Value> sums, parts;
  for (Operation *op : ops) {
    if (auto unpack = dyn_cast<UnpackOp>(op)) {
      mapping.map(unpack.getResult(), partOf.lookup(unpack.getOperand()));
    } else if (auto repeat = dyn_cast<RepeatOp>(op)) {
      mapping.map(repeat.getResult(), getInner(repeat.getOperand()));
    } else if (auto acc = dyn_cast<AccOp>(op)) {
      Value term = getInner(acc.getOperand());
      sums.push_back(
          AddOp::create(builder, acc.getLoc(), sumOf.lookup(acc), term));
    } else if (auto pack = dyn_cast<PackOp>(op)) {
      parts.push_back(getInner(pack.getOperand()));
    } else {
      for (Value operand : op->getOperands())
        getInner(operand);
      builder.clone(*op, mapping);
    }
  }
  sums.append(parts);
  YieldOp::create(builder, loc, sums);

  for (auto [acc, sum] : llvm::zip_equal(accs, loop.getSums()))
    acc.getResult().replaceAllUsesWith(sum);
  for (auto [pack, all] : llvm::zip_equal(packs, loop.getPacked()))
    pack.getResult().replaceAllUsesWith(all);
  for (Operation *op : llvm::reverse(ops))
    op->erase();
}

FailureOr<unsigned> RepeatFormer::run() {
  if (failed(verifyMicroSteps(func)))
    return failure();
  collect();
  if (ops.empty())
    return 0;
  if (failed(makePlace()))
    return failure();
  build();
  return ops.size();
}

static void eraseDeadOps(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

namespace {
struct FormRepeatPass : public job::impl::JobFormRepeatBase<FormRepeatPass> {
  void runOnOperation() override {
    Block &block = getOperation().getBody().front();
    // The loop is there for its results.
    eraseDeadOps(block);
    FailureOr<unsigned> numOps = RepeatFormer(getOperation()).run();
    if (failed(numOps))
      return signalPassFailure();
    // Originals of what only the loop needed.
    eraseDeadOps(block);
    numMicroOps += *numOps;
  }
};
} // namespace
