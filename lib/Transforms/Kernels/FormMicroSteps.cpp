//===- FormMicroSteps.cpp - Put the ops of micro-steps into one loop ------===//
//
// The loop is placed after the last op that defines one of its operands. Ops
// before that place that depend on the loop's results, directly or through a
// variable, move after the loop.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Analysis/MicroSteps.h"
#include "JobDialect/IR/Placement.h"
#include "JobDialect/Transforms/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::job {
#define GEN_PASS_DEF_JOBFORMMICROSTEPS
#include "JobDialect/Transforms/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

namespace {

/// Forms the loop of one job.
class MicroStepsFormer {
public:
  explicit MicroStepsFormer(FuncOp func)
      : func(func), block(func.getBody().front()), steps(func),
        builder(func.getContext()) {}

  /// Returns the number of ops in the loop.
  FailureOr<unsigned> run();

private:
  void collect();
  SmallVector<Value> getRowValues() const {
    return llvm::to_vector(llvm::make_first_range(rows));
  }
  void collectShared(Value value);
  bool isCopied(Value value) const;
  LogicalResult makePlace();
  void build();
  Value getInner(Value value);

  FuncOp func;
  Block &block;
  MicroSteps steps;
  OpBuilder builder;
  /// In the job's order: all ops of the loop, and among them those whose
  /// results leave it.
  SmallVector<Operation *> ops;
  SmallVector<AccOp> accs;
  SmallVector<PackOp> packs;
  /// The operands that are cut into parts, once for each device that uses the
  /// parts, and those that every micro-step uses whole.
  llvm::SetVector<std::pair<Value, PlacementAttr>> rows;
  llvm::SetVector<Value> shared;
  /// The op after which the loop is placed, null for the start of the job, and
  /// the ops before it that move after the loop.
  Operation *place = nullptr;
  SmallVector<Operation *> late;
  IRMapping mapping;
};

} // namespace

/// Constants and strided reads of constants are cloned into the loop: they cost
/// nothing, since kernels inline them.
bool MicroStepsFormer::isCopied(Value value) const {
  Operation *def = value.getDefiningOp();
  if (!def || !steps.isConstant(value))
    return false;
  if (isa<ConstantOp>(def))
    return true;
  return isa<StridedReadOpInterface, ReshapeOp>(def) &&
         isCopied(def->getOperand(0));
}

void MicroStepsFormer::collectShared(Value value) {
  if (!steps.getCount(value) && !isCopied(value))
    shared.insert(value);
}

void MicroStepsFormer::collect() {
  for (Operation &op : block) {
    if (auto unpack = dyn_cast<UnpackOp>(op)) {
      rows.insert({unpack.getOperand(), getPlacement(unpack)});
    } else if (auto broadcast = dyn_cast<BroadcastMicroStepsOp>(op)) {
      collectShared(broadcast.getOperand());
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

/// Finds the loop's place and the ops that have to move after it.
LogicalResult MicroStepsFormer::makePlace() {
  DenseSet<Operation *> needed;
  SmallVector<Value> rowValues = getRowValues();
  for (ArrayRef<Value> values :
       {ArrayRef<Value>(rowValues), shared.getArrayRef()})
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
                 << "expects an operand of the micro-steps to be independent "
                    "of "
                    "their results but got one that depends on them";
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

/// The value that stands for `value` inside the loop.
Value MicroStepsFormer::getInner(Value value) {
  if (Value inner = mapping.lookupOrNull(value))
    return inner;
  Operation *def = value.getDefiningOp();
  assert(def && isCopied(value) && "the loop has all operands of its ops");
  for (Value operand : def->getOperands())
    getInner(operand);
  return builder.clone(*def, mapping)->getResult(0);
}

void MicroStepsFormer::build() {
  // The first op enters the micro-steps and has their count.
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
                                   getRowValues(), shared.getArrayRef());
  for (Operation *op : llvm::reverse(late))
    op->moveAfter(loop);

  Block &body = loop.getBody().emplaceBlock();
  builder.setInsertionPointToStart(&body);
  DenseMap<std::pair<Value, Attribute>, Value> partOf;
  for (auto [value, device] : rows)
    partOf[{value, device}] = body.addArgument(
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
      mapping.map(unpack.getResult(),
                  partOf.lookup({unpack.getOperand(), getPlacement(unpack)}));
    } else if (auto broadcast = dyn_cast<BroadcastMicroStepsOp>(op)) {
      mapping.map(broadcast.getResult(), getInner(broadcast.getOperand()));
    } else if (auto acc = dyn_cast<AccOp>(op)) {
      Value term = getInner(acc.getOperand());
      auto sum = AddOp::create(builder, acc.getLoc(), sumOf.lookup(acc), term);
      setPlacement(sum, getPlacement(acc));
      sums.push_back(sum);
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

FailureOr<unsigned> MicroStepsFormer::run() {
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
struct FormMicroStepsPass
    : public job::impl::JobFormMicroStepsBase<FormMicroStepsPass> {
  void runOnOperation() override {
    Block &block = getOperation().getBody().front();
    // Dead ops of micro-steps do not get into the loop.
    eraseDeadOps(block);
    FailureOr<unsigned> numOps = MicroStepsFormer(getOperation()).run();
    if (failed(numOps))
      return signalPassFailure();
    // The originals of constants that only the loop uses are dead now.
    eraseDeadOps(block);
    numMicroOps += *numOps;
  }
};
} // namespace
