//===- JobAssignLayouts.cpp - The layouts of images -----------------------===//
//
// Describes a block of a job as a LayoutGraph, and rewrites it as the plan
// says. What an op allows comes from its interfaces.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Analysis/Implementation.h"
#include "JobDialect/Analysis/MicroSteps.h"
#include "JobDialect/IR/ImageLayout.h"
#include "JobDialect/IR/Permutations.h"
#include "JobDialect/IR/Placement.h"
#include "JobDialect/Support/Implementations.h"
#include "JobDialect/Support/Layouts.h"
#include "JobDialect/Support/OperationCount.h"
#include "JobDialect/Transforms/Passes.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::job {
#define GEN_PASS_DEF_JOBASSIGNLAYOUTS
#include "JobDialect/Transforms/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

/// The layout that the function of a library which computes an op prefers;
/// nothing if none computes it, or it has no preference.
static std::optional<ImageLayout> getPreference(Operation *op, bool tf32) {
  plan::CallConfigAttrInterface call = getCallConfig(op);
  if (!call)
    return std::nullopt;
  if (tf32)
    call = cast<plan::CallConfigAttrInterface>(call.getWithTF32());
  std::string element;
  if (call.usesTF32())
    element = "tf32";
  else
    llvm::raw_string_ostream(element)
        << cast<BlobType>(op->getResult(0).getType()).getElementType();
  StringRef layout = findLayout(call.getCallee(), element);
  if (layout == "any")
    return std::nullopt;
  return symbolizeImageLayout(layout).value_or(ImageLayout::NCHW);
}

namespace {

using Permutation = ArrayRef<int64_t>;
/// Whether an op that a library can compute gains from the permuted layout, or
/// loses; nothing if it does neither.
using Preference = function_ref<std::optional<bool>(Operation *)>;

/// Assigns one of two layouts to the ops of a block: the plain one, or the
/// permuted one.
class LayoutAssigner {
public:
  LayoutAssigner(Block &block, const MicroSteps &microSteps,
                 Permutation permutation, Preference prefers)
      : block(block), microSteps(microSteps), permutation(permutation),
        inverse(invertPermutationVector(permutation)), prefers(prefers) {}

  void run();

  unsigned numPermuted = 0, numCopies = 0;

private:
  bool isPermuted(OpOperand &operand) const {
    return cast<LayoutOpInterface>(operand.getOwner())
        .isOperandPermuted(operand, permutation);
  }
  bool isPermuted(OpResult result) const {
    return cast<LayoutOpInterface>(result.getOwner())
        .isResultPermuted(result, permutation);
  }
  bool reads(Operation *op) const {
    return llvm::any_of(op->getOpOperands(),
                        [&](OpOperand &use) { return isPermuted(use); });
  }
  bool writes(Operation *op) const {
    return llvm::any_of(op->getResults(),
                        [&](OpResult result) { return isPermuted(result); });
  }

  bool addOp(Operation &op);
  void addBlob(Value blob);
  int64_t getCost(Value blob) const;
  Value getPermuted(Value blob, OpBuilder &builder);
  void permute(LayoutOpInterface op);
  void restoreResults(Operation *op);

  Block &block;
  const MicroSteps &microSteps;
  Permutation permutation;
  SmallVector<int64_t> inverse;
  Preference prefers;

  LayoutGraph graph;
  /// The ops of the graph, and their numbers.
  SmallVector<LayoutOpInterface> ops;
  DenseMap<Operation *, unsigned> numbers;
  /// Blobs as they are after the pass, by the plain ones.
  DenseMap<Value, Value> permuted;
  /// What is built for an op is on its device.
  PlacementListener listener;
};

} // namespace

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

/// What it costs to read a blob and write it in the other layout: the bytes of
/// a step.
int64_t LayoutAssigner::getCost(Value blob) const {
  auto type = cast<BlobType>(blob.getType());
  if (movesNoElement(type, permutation))
    return 0;
  int64_t count = microSteps.getCount(blob).value_or(1);
  return std::min(getOperationCount({2, count, type.getBytes()}),
                  kMaxLayoutCost);
}

/// Adds an op that can be permuted. Whether it gains from that.
bool LayoutAssigner::addOp(Operation &op) {
  auto layoutOp = dyn_cast<LayoutOpInterface>(op);
  // Ops that read no permuted blob, such as broadcasts, are built in both
  // layouts where both are used.
  if (!layoutOp || !reads(&op))
    return false;
  LayoutGraph::Op node;
  std::optional<bool> gains;
  if (isa<LibraryCallOpInterface>(op)) {
    // An implementation in the text is for the layout in the text.
    if (op.hasAttr(plan::kImplementationAttrName))
      return false;
    gains = prefers(&op);
    if (gains == false)
      return false;
  }
  if (gains) {
    // In the plain layout the library copies the blobs itself.
    for (OpOperand &use : op.getOpOperands())
      node.plainCost += isPermuted(use) ? getCost(use.get()) : 0;
    for (OpResult result : op.getResults())
      node.plainCost += isPermuted(result) ? getCost(result) : 0;
  }
  numbers[&op] = ops.size();
  ops.push_back(layoutOp);
  graph.ops.push_back(node);
  return gains.has_value();
}

void LayoutAssigner::addBlob(Value blob) {
  LayoutGraph::Blob node;
  Operation *producer = blob.getDefiningOp();
  if (producer) {
    auto it = numbers.find(producer);
    if (it != numbers.end() && isPermuted(cast<OpResult>(blob)))
      node.producer = it->second;
  }
  for (OpOperand &use : blob.getUses()) {
    auto it = numbers.find(use.getOwner());
    if (it != numbers.end() && isPermuted(use))
      node.users.push_back(it->second);
    else
      node.hasPlainUser = true;
  }
  if (node.users.empty() && !node.producer)
    return;
  bool isFree = !node.producer && producer &&
                isa<LayoutOpInterface>(producer) && !reads(producer) &&
                isPermuted(cast<OpResult>(blob));
  node.copyCost = isFree ? 0 : getCost(blob);
  graph.blobs.push_back(std::move(node));
}

//===----------------------------------------------------------------------===//
// The rewrite
//===----------------------------------------------------------------------===//

/// The permuted blob, which is built where it is needed first.
Value LayoutAssigner::getPermuted(Value blob, OpBuilder &builder) {
  Value &known = permuted[blob];
  if (known)
    return known;
  Operation *producer = blob.getDefiningOp();
  auto layoutOp = dyn_cast_if_present<LayoutOpInterface>(producer);
  if (layoutOp && !reads(producer) && isPermuted(cast<OpResult>(blob))) {
    PlacementScope scope(listener, getOwnPlacement(producer));
    unsigned number = cast<OpResult>(blob).getResultNumber();
    return known = layoutOp.buildPermuted(builder, producer->getOperands(),
                                          permutation)[number];
  }
  numCopies += !movesNoElement(cast<BlobType>(blob.getType()), permutation);
  return known = buildPermutation(
             builder, builder.getInsertionPoint()->getLoc(), blob, permutation);
}

/// Builds the permuted op before the op.
void LayoutAssigner::permute(LayoutOpInterface op) {
  PlacementScope scope(listener, getOwnPlacement(op));
  OpBuilder builder(op, &listener);
  SmallVector<Value> operands;
  for (OpOperand &use : op->getOpOperands())
    operands.push_back(isPermuted(use) ? getPermuted(use.get(), builder)
                                       : use.get());
  SmallVector<Value> results = op.buildPermuted(builder, operands, permutation);
  for (auto [result, built] : llvm::zip_equal(op->getResults(), results)) {
    if (isPermuted(result))
      permuted[result] = built;
    else
      result.replaceAllUsesWith(built);
  }
  ++numPermuted;
}

/// Lets the plain users of an op that has been permuted read plain copies.
/// Others have been replaced.
void LayoutAssigner::restoreResults(Operation *op) {
  PlacementScope scope(listener, getOwnPlacement(op));
  OpBuilder builder(op, &listener);
  for (OpResult result : op->getResults()) {
    if (result.use_empty())
      continue;
    numCopies += !movesNoElement(cast<BlobType>(result.getType()), permutation);
    result.replaceAllUsesWith(buildPermutation(
        builder, op->getLoc(), permuted.lookup(result), inverse));
  }
}

void LayoutAssigner::run() {
  bool gains = false;
  for (Operation &op : block)
    gains |= addOp(op);
  if (!gains)
    return;
  for (BlockArgument argument : block.getArguments())
    addBlob(argument);
  for (Operation &op : block)
    for (Value result : op.getResults())
      addBlob(result);
  std::vector<bool> plan = planLayouts(graph);

  SmallVector<Operation *> replaced;
  for (auto [op, isPermuted] : llvm::zip_equal(ops, plan))
    if (isPermuted) {
      permute(op);
      replaced.push_back(op);
    }
  for (Operation *op : llvm::reverse(replaced)) {
    restoreResults(op);
    op->erase();
  }
  if (replaced.empty())
    return;
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isa<LayoutOpInterface>(op) && isOpTriviallyDead(&op))
      op.erase();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct JobAssignLayouts
    : public job::impl::JobAssignLayoutsBase<JobAssignLayouts> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    if (layout.empty() || symbolizeImageLayout(layout))
      return success();
    return emitError(UnknownLoc::get(context))
           << "expects layout to be nchw or nhwc but got '" << layout << "'";
  }

  void runOnOperation() override {
    std::array<int64_t, 4> permutation = getPermutation(ImageLayout::NHWC);
    bool allowsTF32 = getOperation().getTf32().value_or(tf32);
    auto prefers = [&](Operation *op) -> std::optional<bool> {
      std::optional<ImageLayout> preference =
          layout.empty() ? getPreference(op, allowsTF32)
                         : symbolizeImageLayout(layout);
      if (!preference)
        return std::nullopt;
      return preference == ImageLayout::NHWC;
    };
    // The job's block, and those of micro-steps.
    SmallVector<Block *> blocks = {&getOperation().getBody().front()};
    for (auto steps : blocks.front()->getOps<MicroStepsOp>())
      blocks.push_back(&steps.getBody().front());
    MicroSteps microSteps(getOperation());
    for (Block *block : blocks) {
      LayoutAssigner assigner(*block, microSteps, permutation, prefers);
      assigner.run();
      numPermuted += assigner.numPermuted;
      numCopies += assigner.numCopies;
    }
    if (numPermuted == 0)
      markAllAnalysesPreserved();
  }
};
} // namespace
