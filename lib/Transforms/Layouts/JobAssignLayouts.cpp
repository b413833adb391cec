//===- JobAssignLayouts.cpp - The layouts of images -----------------------===//
//
// Describes the jobs and variables of a module as a LayoutGraph, and rewrites
// them as the plan says. What an op allows comes from its interfaces, and where
// images are rows of matrices, from FlattenedImages.
//
//===----------------------------------------------------------------------===//

#include "FlattenedImages.h"

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
#include "mlir/IR/SymbolTable.h"
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

/// Assigns one of two layouts to the ops and variables of a module: the plain
/// one, or the permuted one.
class LayoutAssigner {
public:
  LayoutAssigner(ModuleOp module, Permutation permutation, Preference prefers);

  void run();

  unsigned numPermuted = 0, numVariables = 0, numCopies = 0;

private:
  /// A block of ops: that of a job, or of its micro-steps.
  struct Body {
    Block *block;
    const MicroSteps *microSteps;
    JobKind kind;
  };

  /// Of an op that can be permuted.
  bool isPermuted(OpOperand &operand) const {
    if (flattened->contains(operand.getOwner()))
      return isPermutedByRows(operand.get());
    auto layoutOp = dyn_cast<LayoutOpInterface>(operand.getOwner());
    return !layoutOp || layoutOp.isOperandPermuted(operand, permutation);
  }
  bool isPermuted(OpResult result) const {
    if (flattened->contains(result.getOwner()))
      return isPermutedByRows(result);
    auto layoutOp = dyn_cast<LayoutOpInterface>(result.getOwner());
    return !layoutOp || layoutOp.isResultPermuted(result, permutation);
  }
  bool isPermutedByRows(Value blob) const {
    return flattened->get(blob) || hasRankOf(blob.getType(), permutation);
  }
  bool reads(Operation *op) const {
    return llvm::any_of(op->getOpOperands(),
                        [&](OpOperand &use) { return isPermuted(use); });
  }

  bool buildGraph();
  void addVariables();
  bool addOp(Operation &op, const Body &body);
  void addBlob(Value blob, const Body &body);
  int64_t getCost(Value blob, const Body &body) const;
  Value getPermuted(Value blob, OpBuilder &builder);
  SmallVector<Value> buildPermuted(Operation *op, OpBuilder &builder,
                                   ValueRange operands);
  void permute(Operation *op);
  void restoreResults(Operation *op);
  void rewrite(Block &block, ArrayRef<bool> plan);

  ModuleOp module;
  Permutation permutation;
  SmallVector<int64_t> inverse;
  Preference prefers;
  SmallVector<Body> bodies;
  SmallVector<std::unique_ptr<MicroSteps>> microSteps;

  std::optional<FlattenedImages> flattened;
  LayoutGraph graph;
  /// Variables that can be permuted, and their numbers in the graph.
  llvm::MapVector<VariableOp, unsigned> variables;
  /// The ops that can be permuted, by number. Those that read or assign a
  /// variable have its number: they have its layout.
  DenseMap<Operation *, unsigned> numbers;
  /// The names of variables that training jobs assign.
  DenseSet<StringAttr> trained;
  /// Whether it is known how these are stored.
  bool isTrainedKnown = false;
  /// Blobs of a block as they are after the pass, by the plain ones.
  DenseMap<Value, Value> permuted;
  /// What is built for an op is on its device.
  PlacementListener listener;
};

} // namespace

LayoutAssigner::LayoutAssigner(ModuleOp module, Permutation permutation,
                               Preference prefers)
    : module(module), permutation(permutation),
      inverse(invertPermutationVector(permutation)), prefers(prefers) {
  for (auto func : module.getOps<job::FuncOp>()) {
    microSteps.push_back(std::make_unique<MicroSteps>(func));
    Block &block = func.getBody().front();
    bodies.push_back({&block, microSteps.back().get(), func.getKind()});
    for (auto steps : block.getOps<MicroStepsOp>())
      bodies.push_back(
          {&steps.getBody().front(), microSteps.back().get(), func.getKind()});
  }
}

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

/// What it costs to read a blob and write it in the other layout: the bytes of
/// a step. Nothing before the first step; and where a job trains a variable,
/// what others make of it does not count until it is known how that is stored,
/// so that jobs that come later do not change what a step computes, not in the
/// last bits of a sum over a filter.
int64_t LayoutAssigner::getCost(Value blob, const Body &body) const {
  auto type = cast<BlobType>(blob.getType());
  if (body.kind == JobKind::Init ||
      (!flattened->get(blob) && movesNoElement(type, permutation)))
    return 0;
  if (auto read = blob.getDefiningOp<ReadOp>();
      !isTrainedKnown && read && body.kind != JobKind::Train &&
      trained.contains(read.getVariableAttr().getAttr()))
    return 0;
  int64_t count = body.microSteps->getCount(blob).value_or(1);
  return std::min(getOperationCount({2, count, type.getBytes()}),
                  kMaxLayoutCost);
}

/// Whether an op gains from the permuted layout, or from the plain one.
bool LayoutAssigner::buildGraph() {
  graph = {};
  numbers.clear();
  variables.clear();
  addVariables();
  bool gains = false;
  for (const Body &body : bodies)
    for (Operation &op : *body.block)
      gains |= addOp(op, body);
  for (const Body &body : bodies) {
    for (BlockArgument argument : body.block->getArguments())
      addBlob(argument, body);
    for (Operation &op : *body.block)
      for (Value result : op.getResults())
        addBlob(result, body);
  }
  return gains;
}

/// Adds the variables that can be stored permuted: their type has the rank or a
/// flattened dimension, and only reads and assignments in the jobs use them.
void LayoutAssigner::addVariables() {
  SmallPtrSet<Block *, 4> blocks;
  for (const Body &body : bodies) {
    blocks.insert(body.block);
    if (body.kind == JobKind::Train)
      for (auto assign : body.block->getOps<AssignOp>())
        trained.insert(assign.getVariableAttr().getAttr());
  }
  SymbolTableCollection symbols;
  SymbolUserMap users(symbols, module);
  for (auto variable : module.getOps<VariableOp>()) {
    if ((!hasRankOf(variable.getType(), permutation) &&
         !flattened->get(variable)) ||
        variable.getPermutation() || variable.getSharding())
      continue;
    ArrayRef<Operation *> uses = users.getUsers(variable);
    if (!llvm::all_of(uses, [&](Operation *user) {
          return isa<ReadOp, AssignOp>(user) &&
                 blocks.contains(user->getBlock());
        }))
      continue;
    variables[variable] = graph.ops.size();
    for (Operation *user : uses)
      numbers[user] = graph.ops.size();
    graph.ops.push_back({});
  }
}

/// Adds an op that can be permuted. Whether it gains from that.
bool LayoutAssigner::addOp(Operation &op, const Body &body) {
  if (isa<ReadOp, AssignOp>(op))
    return false;
  // Ops that read no permuted blob, such as broadcasts, are built in both
  // layouts where both are used.
  bool isOfRows = flattened->contains(&op);
  if (!isOfRows && (!isa<LayoutOpInterface>(op) || !reads(&op)))
    return false;
  LayoutGraph::Op node;
  std::optional<bool> gains;
  if (!isOfRows && isa<LibraryCallOpInterface>(op)) {
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
      node.plainCost += isPermuted(use) ? getCost(use.get(), body) : 0;
    for (OpResult result : op.getResults())
      node.plainCost += isPermuted(result) ? getCost(result, body) : 0;
  }
  numbers[&op] = graph.ops.size();
  graph.ops.push_back(node);
  return gains.has_value();
}

void LayoutAssigner::addBlob(Value blob, const Body &body) {
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
  node.copyCost = isFree ? 0 : getCost(blob, body);
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
  if (flattened->get(blob)) {
    ++numCopies;
    return known = flattened->buildPermuted(
               builder, builder.getInsertionPoint()->getLoc(), blob);
  }
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

SmallVector<Value> LayoutAssigner::buildPermuted(Operation *op,
                                                 OpBuilder &builder,
                                                 ValueRange operands) {
  bool accesses = isa<ReadOp, AssignOp>(op);
  numPermuted += !accesses;
  if (!accesses && !flattened->contains(op))
    return cast<LayoutOpInterface>(op).buildPermuted(builder, operands,
                                                     permutation);
  Operation *copy = builder.clone(*op);
  copy->setOperands(operands);
  for (Value result : copy->getResults())
    if (hasRankOf(result.getType(), permutation))
      result.setType(
          getPermutedType(cast<BlobType>(result.getType()), permutation));
  return SmallVector<Value>(copy->getResults());
}

/// Builds the permuted op before the op.
void LayoutAssigner::permute(Operation *op) {
  PlacementScope scope(listener, getOwnPlacement(op));
  OpBuilder builder(op, &listener);
  SmallVector<Value> operands;
  for (OpOperand &use : op->getOpOperands())
    operands.push_back(isPermuted(use) ? getPermuted(use.get(), builder)
                                       : use.get());
  SmallVector<Value> results = buildPermuted(op, builder, operands);
  for (auto [result, built] : llvm::zip_equal(op->getResults(), results)) {
    if (isPermuted(result)) {
      permuted[result] = built;
      continue;
    }
    flattened->replace(result, built);
    result.replaceAllUsesWith(built);
  }
}

/// Lets the plain users of an op that has been permuted read plain copies.
/// Others have been replaced.
void LayoutAssigner::restoreResults(Operation *op) {
  PlacementScope scope(listener, getOwnPlacement(op));
  OpBuilder builder(op, &listener);
  for (OpResult result : op->getResults()) {
    if (result.use_empty())
      continue;
    if (const FlattenedDim *dim = flattened->get(result)) {
      ++numCopies;
      result.replaceAllUsesWith(flattened->buildPlain(
          builder, op->getLoc(), permuted.lookup(result), *dim));
      continue;
    }
    numCopies += !movesNoElement(cast<BlobType>(result.getType()), permutation);
    result.replaceAllUsesWith(buildPermutation(
        builder, op->getLoc(), permuted.lookup(result), inverse));
  }
}

void LayoutAssigner::rewrite(Block &block, ArrayRef<bool> plan) {
  SmallVector<Operation *> replaced;
  for (Operation &op : llvm::make_early_inc_range(block))
    if (auto it = numbers.find(&op); it != numbers.end() && plan[it->second]) {
      permute(&op);
      replaced.push_back(&op);
    }
  if (replaced.empty())
    return;
  // A new op may have the address of one that is gone.
  auto erase = [&](Operation *op) {
    flattened->erase(op);
    op->erase();
  };
  for (Operation *op : llvm::reverse(replaced)) {
    restoreResults(op);
    erase(op);
  }
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isa<LayoutOpInterface>(op) && isOpTriviallyDead(&op))
      erase(&op);
  permuted.clear();
}

void LayoutAssigner::run() {
  // The order of a training job is kept where it meets another.
  SmallVector<Block *> blocks;
  for (const Body &body : bodies)
    if (body.kind == JobKind::Train)
      blocks.push_back(body.block);
  size_t numTraining = blocks.size();
  for (const Body &body : bodies)
    if (body.kind != JobKind::Train)
      blocks.push_back(body.block);
  flattened.emplace(module, blocks, numTraining, permutation);
  if (!buildGraph())
    return;
  std::vector<bool> cut = planLayouts(graph);
  isTrainedKnown = true;
  buildGraph();
  for (auto [variable, number] : variables)
    if (trained.contains(variable.getSymNameAttr()))
      graph.ops[number].isPermuted = cut[number];
  cut = planLayouts(graph);
  SmallVector<bool> plan(cut.begin(), cut.end());
  for (const Body &body : bodies)
    rewrite(*body.block, plan);
  for (auto [variable, number] : variables) {
    if (!plan[number])
      continue;
    auto type = cast<BlobType>(variable.getType());
    if (const FlattenedDim *dim = flattened->get(variable)) {
      variable.setExpandedShape(
          flattened->getExpandedShape(type.getShape(), *dim));
      variable.setPermutation(flattened->getPermutation(type.getShape(), *dim));
    } else {
      variable.setType(getPermutedType(type, permutation));
      variable.setPermutation(permutation);
    }
    ++numVariables;
  }
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
    auto prefers = [&](Operation *op) -> std::optional<bool> {
      bool allowsTF32 =
          op->getParentOfType<job::FuncOp>().getTf32().value_or(tf32);
      std::optional<ImageLayout> preference =
          layout.empty() ? getPreference(op, allowsTF32)
                         : symbolizeImageLayout(layout);
      if (!preference)
        return std::nullopt;
      return preference == ImageLayout::NHWC;
    };
    LayoutAssigner assigner(getOperation(), permutation, prefers);
    assigner.run();
    numPermuted += assigner.numPermuted;
    numVariables += assigner.numVariables;
    numCopies += assigner.numCopies;
    if (assigner.numPermuted + assigner.numVariables == 0)
      markAllAnalysesPreserved();
  }
};
} // namespace
