//===- Rematerialize.cpp - Compute again instead of keeping ---------------===//
//
// Asks lib/Support/Rematerialize.h which ops to run again, and clones them.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Support/Rematerialize.h"
#include "JobDialect/Analysis/BlobDevices.h"
#include "JobDialect/Analysis/BlobPlaces.h"
#include "JobDialect/Analysis/Cost.h"
#include "JobDialect/Analysis/FixedMemory.h"
#include "JobDialect/IR/Placement.h"
#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Support/Explain.h"
#include "JobDialect/Support/Locations.h"
#include "JobDialect/Support/OperationCount.h"
#include "JobDialect/Support/Targets.h"
#include "JobDialect/Support/Units.h"
#include "JobDialect/Transforms/Passes.h"
#include "jobrt/abi.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::job {
#define GEN_PASS_DEF_JOBREMATERIALIZE
#include "JobDialect/Transforms/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

/// A byte that goes through memory takes about as long as this many operations.
static constexpr int64_t kFlopsPerByte = 4;
/// How often the devices of a job are processed, one after another.
static constexpr int kDeviceRounds = 2;

namespace {

/// Puts the ops of a block into the order of `runs`, with a clone for every run
/// but the first of an op.
class BlockRewriter {
public:
  explicit BlockRewriter(Block &block);

  /// Returns the clones.
  SmallVector<Operation *> rewrite(ArrayRef<unsigned> runs);

private:
  Value getLatest(Value value);

  Block &block;
  OpBuilder builder;
  SmallVector<Operation *> ops;
  /// What the ops look at before anything is changed.
  SmallVector<SmallVector<Value>> operands;
  DenseMap<Operation *, unsigned> number;
  /// Values that were computed again, each with what its latest run made.
  DenseMap<Value, Value> latest;
  /// Reshapes, each with its operand and its result.
  DenseMap<std::pair<Operation *, Value>, Value> reshaped;
};

struct RematerializePass
    : public job::impl::JobRematerializeBase<RematerializePass> {
  using JobRematerializeBase::JobRematerializeBase;

  void runOnOperation() override;

private:
  SmallVector<Operation *> processBlock(Block &block, int64_t arena,
                                        const BlobPlacesOptions &options);
  void processJob(FuncOp func, PlacementAttr device);
};

} // namespace

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

BlockRewriter::BlockRewriter(Block &block)
    : block(block), builder(block.getParentOp()->getContext()) {
  for (Operation &op : block) {
    number[&op] = ops.size();
    ops.push_back(&op);
    operands.emplace_back(op.getOperands());
  }
}

/// The value that `value` has now: of a blob that was computed again the copy,
/// of its reshapes one of the copy.
Value BlockRewriter::getLatest(Value value) {
  auto reshape = value.getDefiningOp<ReshapeOp>();
  if (!reshape) {
    Value copy = latest.lookup(value);
    return copy ? copy : value;
  }
  Value source = getLatest(operands[number.lookup(reshape)].front());
  Value &result = reshaped[{reshape, source}];
  if (!result) {
    builder.setInsertionPointToEnd(&block);
    IRMapping mapping;
    mapping.map(reshape.getOperand(), source);
    result = builder.clone(*reshape, mapping)->getResult(0);
  }
  return result;
}

SmallVector<Operation *> BlockRewriter::rewrite(ArrayRef<unsigned> runs) {
  SmallVector<Operation *> clones;
  llvm::SmallDenseSet<unsigned> seen;
  for (unsigned index : runs) {
    Operation *op = ops[index];
    if (isa<ReshapeOp>(op)) {
      Value source = getLatest(operands[index].front());
      op->setOperand(0, source);
      op->moveBefore(&block, block.end());
      reshaped[{op, source}] = op->getResult(0);
      continue;
    }
    SmallVector<Value> inputs = llvm::map_to_vector(
        operands[index], [&](Value operand) { return getLatest(operand); });
    if (seen.insert(index).second) {
      op->setOperands(inputs);
      op->moveBefore(&block, block.end());
      continue;
    }
    builder.setInsertionPointToEnd(&block);
    Operation *clone = builder.clone(*op);
    clone->setOperands(inputs);
    clone->setLoc(getRecomputationLoc(op->getLoc()));
    for (auto [result, copy] :
         llvm::zip_equal(op->getResults(), clone->getResults()))
      latest[result] = copy;
    clones.push_back(clone);
  }
  return clones;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// What running `op` again costs; negative when it must not be.
static int64_t getCost(Operation *op, const ScheduledOp &scheduled,
                       ArrayRef<int64_t> bytes) {
  if (!isa<KernelOp, LibraryCallOpInterface>(op) || !isMemoryEffectFree(op) ||
      scheduled.makes.empty())
    return -1;
  // What is not in the arena is returned, yielded or a variable's new value.
  if (llvm::any_of(scheduled.makes,
                   [&](unsigned blob) { return bytes[blob] == 0; }))
    return -1;
  OpCost cost = getOpCost(op);
  return addOperationCounts(
      cost.flops, kFlopsPerByte * (cost.bytesRead + cost.bytesWritten));
}

static int64_t getResultBytes(Operation *op) {
  int64_t bytes = 0;
  for (Type type : op->getResultTypes())
    bytes += cast<BlobType>(type).getBytes();
  return bytes;
}

/// The bytes of partial results that plan-split-reductions gives a kernel, at
/// most.
static int64_t getPartialBytes(Operation *op) {
  auto kernel = dyn_cast<KernelOp>(op);
  if (!kernel)
    return 0;
  const TargetCosts &costs = getTargetCosts(getTarget(getPlacement(op)));
  int64_t flops = getFlops(op), bytes = 0;
  for (auto reduction :
       kernel.getBody().front().getOps<ReductionKernelOpInterface>()) {
    auto type = cast<BlobType>(reduction->getOperand(0).getType());
    int64_t chunks =
        std::min(costs.cores, addOperationCounts(flops, type.getNumElements()) /
                                  costs.chunkOperations);
    if (chunks < costs.stagedChunks)
      continue;
    // Chunks that there are without partial results.
    int64_t items = 1, terms = 1;
    for (auto [dim, extent] : llvm::enumerate(type.getShape())) {
      if (llvm::is_contained(reduction.getReducedAxes(), dim))
        terms *= extent;
      else if (dim + 1 < type.getShape().size())
        items = std::max(items, extent);
      else
        items = std::max(items, type.getBytes() / type.getNumElements() *
                                    extent / costs.pieceBytes);
    }
    int64_t parts = std::min(chunks / items, terms / kMinPartSize);
    // A part has a power of two terms, which may make twice as many.
    if (parts >= 2)
      for (Type result : reduction->getResultTypes())
        bytes += llvm::alignTo(2 * parts * cast<BlobType>(result).getBytes(),
                               JOBRT_ALIGNMENT);
  }
  return bytes;
}

/// The problem of a block, in which kernels have their partial results as well:
/// they are in the arena while it runs.
static ScheduleProblem buildProblem(Block &block,
                                    const BlobPlacesOptions &options) {
  ScheduleProblem problem = BlobPlaces(block, options).getGraph();
  for (auto [op, scheduled] : llvm::zip_equal(block, problem.ops)) {
    if (options.device && getPlacement(&op) != options.device)
      continue;
    if (int64_t bytes = getPartialBytes(&op)) {
      scheduled.makes.push_back(problem.bytes.size());
      problem.bytes.push_back(bytes);
    }
  }
  return problem;
}

/// Lets a block do with `arena` bytes, if it can; returns the clones.
SmallVector<Operation *>
RematerializePass::processBlock(Block &block, int64_t arena,
                                const BlobPlacesOptions &options) {
  SmallVector<Operation *> clones;
  RematerializeProblem problem;
  problem.keepsOrder = !schedule;
  auto func = block.getParent()->getParentOfType<FuncOp>();
  if (ArrayAttr packing = func.getPackingAttr())
    problem.packing = llvm::map_to_vector(
        packing.getAsValueRange<StringAttr>(),
        [](StringRef name) { return *symbolizePackingStrategy(name); });
  problem.schedule = buildProblem(block, options);
  // A loop gets what is left beside the blobs that are alive during all of it.
  std::vector<int64_t> live =
      getLiveBytes(problem.schedule, getGivenOrder(problem.schedule));
  for (auto [index, op] : llvm::enumerate(block))
    if (auto loop = dyn_cast<MicroStepsOp>(op)) {
      unsigned need = problem.schedule.ops[index].makes.back();
      int64_t around = live[index] - problem.schedule.bytes[need];
      llvm::append_range(clones, processBlock(loop.getBody().front(),
                                              arena - around, options));
    }
  if (!clones.empty())
    problem.schedule = buildProblem(block, options);
  for (auto [op, scheduled] : llvm::zip_equal(block, problem.schedule.ops))
    problem.costs.push_back(getCost(&op, scheduled, problem.schedule.bytes));
  SmallVector<unsigned> runs = findRecomputations(problem, arena);
  if (runs != getGivenOrder(problem.schedule))
    llvm::append_range(clones, BlockRewriter(block).rewrite(runs));
  return clones;
}

/// "128 for the arena", "none for the arena of gpu0": what a budget leaves.
static std::string formatRest(int64_t arena, PlacementAttr device) {
  return (arena > 0 ? formatDigits(arena) : "none") + " for the arena" +
         (device ? " of " + getDeviceName(device) : "");
}

/// Fits a job into the memory of the device; of its only one, if it is null.
void RematerializePass::processJob(FuncOp func, PlacementAttr device) {
  Block &block = func.getBody().front();
  BlobPlacesOptions options = {inPlace, checkNumerics, device};
  int64_t fixed = device ? getFixedBytes(func, device) : getFixedBytes(func);
  int64_t arena = budget - fixed;
  int64_t before = BlobPlaces(block, options).getPeakBytes();
  if (before <= 0)
    return;
  // What meets no budget is made as small as it can be, so that the error says
  // what the job needs.
  SmallVector<Operation *> clones =
      processBlock(block, std::max<int64_t>(arena, 0), options);
  int64_t after = BlobPlaces(block, options).getPeakBytes(), flops = 0;
  for (Operation *clone : clones) {
    auto loop = clone->getParentOfType<MicroStepsOp>();
    int64_t times = loop ? loop.getCount() : 1;
    flops =
        addOperationCounts(flops, getOperationCount({getFlops(clone), times}));
    if (auto remark = explainDone(clone->getLoc(), ExplainCategory::Memory,
                                  func.getSymName()))
      remark << "is computed again, which frees "
             << formatDigits(getResultBytes(clone)) << " bytes for "
             << formatFlops(getOperationCount({getFlops(clone), times}));
  }
  numRecomputed += clones.size();
  flopsAdded += flops;
  if (after > arena) {
    if (auto remark = explainMissed(func.getLoc(), ExplainCategory::Memory,
                                    func.getSymName()))
      remark << "the budget of " << formatDigits(budget) << " bytes leaves "
             << formatRest(arena, device) << ", but " << formatDigits(after)
             << " are live at the peak";
  }
  if (clones.empty() && after == before)
    return;
  auto remark =
      explainDone(func.getLoc(), ExplainCategory::Memory, func.getSymName());
  if (!remark)
    return;
  if (clones.empty()) {
    remark << "another order of the ops has a peak of " << formatDigits(after)
           << " live bytes instead of " << formatDigits(before);
    return;
  }
  int64_t step = 0;
  for (Operation &op : block)
    step = addOperationCounts(step, getFlops(&op));
  remark << std::to_string(clones.size())
         << (clones.size() == 1 ? " op runs" : " ops run") << " again, "
         << formatFlops(flops) << " of " << formatFlops(step)
         << ", so that at most " << formatDigits(after)
         << " bytes are live at the peak instead of " << formatDigits(before)
         << "; the budget leaves " << formatRest(arena, device);
}

void RematerializePass::runOnOperation() {
  if (budget < 0) {
    getOperation().emitError("expects a budget of at least 0 bytes but got ")
        << budget.getValue();
    return signalPassFailure();
  }
  if (budget == 0)
    return;
  llvm::MapVector<PlacementAttr, Location> devices =
      findDevices(getOperation());
  for (auto func : getOperation().getOps<FuncOp>()) {
    if (devices.size() <= 1) {
      processJob(func, PlacementAttr());
      continue;
    }
    // What one device gains by another order may be the loss of one before it.
    for (int round = 0; round < kDeviceRounds; ++round)
      for (PlacementAttr device : llvm::make_first_range(devices))
        processJob(func, device);
  }
}
