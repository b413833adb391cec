//===- FormKernels.cpp - Group ops into kernels ---------------------------===//
//
// Describes a block of a job as a FusionProblem, and rewrites it as the plan
// says. What an op allows comes from its interfaces.
//
//===----------------------------------------------------------------------===//

#include "CallParts.h"

#include "JobDialect/Analysis/Implementation.h"
#include "JobDialect/IR/Placement.h"
#include "JobDialect/Support/Explain.h"
#include "JobDialect/Support/Fusion.h"
#include "JobDialect/Support/Locations.h"
#include "JobDialect/Support/Targets.h"
#include "JobDialect/Support/Units.h"
#include "JobDialect/Transforms/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

namespace mlir::job {
#define GEN_PASS_DEF_JOBFORMKERNELS
#include "JobDialect/Transforms/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

/// Splats up to this size are carried in the artifact where a kernel cannot
/// have them inside.
static constexpr int64_t kMaxConstantBytes = 4096;

static int64_t getBytes(Value value) {
  return cast<BlobType>(value.getType()).getBytes();
}

static ArrayRef<int64_t> getShape(Value value) {
  return cast<BlobType>(value.getType()).getShape();
}

/// A variable may have a new value by the time that another kernel runs.
static bool isVariable(Value value) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getOperand();
  return value.getDefiningOp<ReadOp>() != nullptr;
}

//===----------------------------------------------------------------------===//
// The problem
//===----------------------------------------------------------------------===//

namespace {

/// Describes a block, a job's or that of its micro-steps, for one of the
/// devices that its ops run on.
class ProblemBuilder {
public:
  /// Without `fuseUpdates`, an op that makes the new value of a variable is a
  /// kernel by itself.
  ProblemBuilder(Block &block, PlacementAttr device, const CallParts &parts,
                 bool fuseUpdates)
      : block(block), device(device), parts(parts), fuseUpdates(fuseUpdates) {}

  FusionProblem build();

private:
  void orderAccesses();
  FusionOp describe(Operation *op);
  void describeAccess(Operation *op, FusionOp &described);
  void describeReduction(Value operand, ArrayRef<int64_t> axes,
                         FusionOp &described);
  void describeRows(DecomposableOpInterface op, FusionOp &described);
  unsigned getNumber(ArrayRef<int64_t> list) {
    return lists.try_emplace(llvm::to_vector(list), lists.size()).first->second;
  }

  bool isNewValue(OpOperand &use) const;
  bool isUpdate(Operation *op) const;

  Block &block;
  PlacementAttr device;
  const CallParts &parts;
  bool fuseUpdates;
  DenseMap<Operation *, unsigned> number;
  DenseMap<Value, unsigned> blobs;
  /// The variables that the block reads.
  llvm::SmallDenseSet<StringAttr> readVariables;
  /// The other accesses of its variable that a read or an assignment waits for.
  DenseMap<Operation *, SmallVector<Operation *>> earlierAccesses;
  /// Numbers of shapes and of sets of axes.
  std::map<SmallVector<int64_t>, unsigned> lists;
};

} // namespace

/// Reads and assignments of a variable keep their order.
void ProblemBuilder::orderAccesses() {
  DenseMap<StringAttr, SmallVector<Operation *>> readsSinceAssign;
  DenseMap<StringAttr, Operation *> lastAssign;
  for (Operation &op : block) {
    if (auto read = dyn_cast<ReadOp>(op)) {
      StringAttr name = read.getVariableAttr().getAttr();
      readsSinceAssign[name].push_back(read);
      readVariables.insert(name);
      if (Operation *assign = lastAssign.lookup(name))
        earlierAccesses[read].push_back(assign);
    } else if (auto assign = dyn_cast<AssignOp>(op)) {
      StringAttr name = assign.getVariableAttr().getAttr();
      earlierAccesses[assign] = std::move(readsSinceAssign[name]);
      readsSinceAssign[name].clear();
      if (Operation *previous = lastAssign.lookup(name))
        earlierAccesses[assign].push_back(previous);
      lastAssign[name] = assign;
    }
  }
}

void ProblemBuilder::describeAccess(Operation *op, FusionOp &described) {
  described.role = FusionRole::Access;
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    // It would have to be carried in the artifact otherwise. Zeros are cheaper
    // still: they are filled in.
    described.isWorthKernel =
        *constant.getSplat() != 0 && described.bytes > kMaxConstantBytes;
    return;
  }
  described.isWorthKernel = true;
  auto read = cast<StridedReadOpInterface>(op);
  llvm::SmallBitVector moving(getShape(op->getResult(0)).size());
  for (const StridedRead::Dim &dim : read.getStridedRead().dims)
    if (dim.resultDim)
      moving.set(*dim.resultDim);
  SmallVector<int64_t> axes;
  for (auto [dim, extent] : llvm::enumerate(getShape(op->getResult(0))))
    if (!moving[dim] && extent != 1)
      axes.push_back(dim);
  // Whether the other dimensions are those of the operand, whole and in order.
  std::optional<unsigned> last;
  for (auto [dim, extent] : llvm::zip_equal(read.getStridedRead().dims,
                                            getShape(op->getOperand(0)))) {
    bool isWhole =
        dim.resultDim
            ? dim.offset == 0 && dim.step == 1 &&
                  getShape(op->getResult(0))[*dim.resultDim] == extent &&
                  (!last || *last < *dim.resultDim)
            : extent == 1;
    if (!isWhole)
      return;
    if (dim.resultDim)
      last = dim.resultDim;
  }
  described.axes = getNumber(axes);
  described.rows = getNumber(getShape(op->getOperand(0)));
}

/// What a reduction of `operand` over `axes` allows.
void ProblemBuilder::describeReduction(Value operand, ArrayRef<int64_t> axes,
                                       FusionOp &described) {
  ArrayRef<int64_t> shape = getShape(operand);
  described.domain = getNumber(shape);
  SmallVector<int64_t> reduced, rows;
  llvm::copy_if(axes, std::back_inserter(reduced),
                [&](int64_t axis) { return shape[axis] != 1; });
  described.axes = getNumber(reduced);
  described.allAxes = getNumber(axes);
  // The elements of a row follow one another where the axes are the last ones.
  bool isContiguous = true;
  int64_t length = 1, count = 1;
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    if (llvm::is_contained(reduced, dim)) {
      length *= extent;
      continue;
    }
    count *= extent;
    if (length != 1 && extent != 1)
      isContiguous = false;
  }
  if (!isContiguous)
    return;
  auto type = cast<BlobType>(operand.getType());
  described.rowBytes = type.getBytes() / type.getNumElements() * length;
  described.numRows = count;
}

/// An op whose parts go over rows; they are those of the largest operand, and
/// of the reductions of the parts.
void ProblemBuilder::describeRows(DecomposableOpInterface op,
                                  FusionOp &described) {
  described.role = FusionRole::Alone;
  described.goesOverRows = true;
  auto getSize = [](Value operand) {
    auto type = cast<BlobType>(operand.getType());
    return std::pair(type.getNumElements(), type.getRank());
  };
  Value largest = *llvm::max_element(op->getOperands(), [&](Value a, Value b) {
    return getSize(a) < getSize(b);
  });
  described.domain = getNumber(getShape(largest));
  Block parts;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointToStart(&parts);
  op.decompose(builder);
  auto reductions = parts.getOps<ReductionKernelOpInterface>();
  if (!reductions.empty())
    describeReduction(largest, (*reductions.begin()).getReducedAxes(),
                      described);
  for (Operation &part : llvm::make_early_inc_range(llvm::reverse(parts))) {
    part.dropAllUses();
    part.erase();
  }
}

/// Whether a blob becomes the value of a variable whose old value is used as
/// well.
bool ProblemBuilder::isNewValue(OpOperand &use) const {
  auto assign = dyn_cast<AssignOp>(use.getOwner());
  return assign && readVariables.contains(assign.getVariableAttr().getAttr());
}

/// Whether the result is the new value of a variable, or of a sum over
/// micro-steps.
bool ProblemBuilder::isUpdate(Operation *op) const {
  return llvm::any_of(op->getUses(), [&](OpOperand &use) {
    if (isNewValue(use))
      return true;
    auto steps = dyn_cast<MicroStepsOp>(block.getParentOp());
    return steps && isa<YieldOp>(use.getOwner()) &&
           use.getOperandNumber() < steps.getYieldedSums().size();
  });
}

/// Whether a scalar op takes the result as one number, such as a count or a
/// seed, and not element by element: a copy in its kernel would have another
/// domain.
static bool isUsedAsNumber(Operation *op) {
  return llvm::any_of(op->getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    return isa<ScalarKernelOpInterface>(user) &&
           getShape(use.get()) != getShape(user->getResult(0));
  });
}

FusionOp ProblemBuilder::describe(Operation *op) {
  FusionOp described;
  for (Value operand : op->getOperands()) {
    FusionOp::Operand &entry = described.operands.emplace_back();
    if (Operation *producer = operand.getDefiningOp())
      entry.producer = number.lookup(producer);
    entry.blob = blobs.try_emplace(operand, blobs.size()).first->second;
    entry.isVariable = isVariable(operand);
  }
  for (Operation *other : earlierAccesses.lookup(op))
    described.after.push_back(number.lookup(other));
  if (op->getNumResults() == 1 && isa<BlobType>(op->getResult(0).getType())) {
    described.bytes = getBytes(op->getResult(0));
    described.domain = getNumber(getShape(op->getResult(0)));
  }

  if (getPlacement(op) != device)
    return described;
  if (auto part = parts.find(op); part != parts.end())
    described.fixedKernel = part->second;
  auto constant = dyn_cast<ConstantOp>(op);
  if (isa<StridedReadOpInterface>(op) && isUsedAsNumber(op)) {
    described.role = FusionRole::Alone;
  } else if ((constant && constant.getSplat()) ||
             isa<StridedReadOpInterface>(op)) {
    describeAccess(op, described);
  } else if (auto scalar = dyn_cast<ScalarKernelOpInterface>(op)) {
    described.role = FusionRole::Scalar;
    described.overwrites = isUpdate(op);
    // Numbers below are those of calls.
    if (!fuseUpdates && llvm::any_of(op->getUses(), [&](OpOperand &use) {
          return isNewValue(use);
        }))
      described.fixedKernel = parts.size() + number.size();
    if (!described.overwrites)
      described.duplication = scalar.getDuplication();
  } else if (auto reduction = dyn_cast<ReductionKernelOpInterface>(op)) {
    described.role = FusionRole::Reduction;
    describeReduction(op->getOperand(0), reduction.getReducedAxes(), described);
    described.rows = getNumber(getShape(op->getResult(0)));
  } else if (auto rows = dyn_cast<DecomposableOpInterface>(op)) {
    describeRows(rows, described);
  } else if (isa<LoopKernelOpInterface>(op)) {
    if (!getCallConfig(op))
      described.role = FusionRole::Alone;
  }
  return described;
}

FusionProblem ProblemBuilder::build() {
  orderAccesses();
  FusionProblem problem;
  problem.costs = getTargetCosts(getTarget(device));
  for (Operation &op : block) {
    problem.ops.push_back(describe(&op));
    number[&op] = problem.ops.size() - 1;
  }
  return problem;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {

/// Forms the kernels of one device.
class KernelFormer {
public:
  KernelFormer(FuncOp func, Block &block, PlacementAttr device, bool fuse)
      : func(func), block(block), device(device), fuse(fuse) {}

  /// Rewrites the block; returns the number of kernels.
  unsigned run();

private:
  bool contains(unsigned group, Operation *op) const {
    return llvm::is_contained(plan.groups[group].ops, number.lookup(op));
  }
  const FusionOp &getDescription(Operation *op) const {
    return problem.ops[number.lookup(op)];
  }
  /// Whether a member of a kernel has a copy of the op that defines its operand
  /// there.
  bool isCopied(Operation *def, Operation *user) const {
    const FusionOp &described = getDescription(user);
    // A kernel of an access alone has a copy of the constant that it reads.
    return (described.isFusible() ||
            (described.role == FusionRole::Access && isa<ConstantOp>(def))) &&
           getDescription(def).role == FusionRole::Access;
  }
  bool isNeededOutside(Value result, unsigned group) const;
  void buildKernel(unsigned group, OpBuilder &builder);
  void explainGroups();
  ArrayRef<int64_t> getGroupDomain(unsigned group) const;
  void explainKernel(unsigned group);
  void explainEdge(Operation *def, Operation *user, unsigned groupOfUser);

  FuncOp func;
  Block &block;
  PlacementAttr device;
  bool fuse;
  FusionProblem problem;
  FusionPlan plan;
  SmallVector<Operation *> ops;
  DenseMap<Operation *, unsigned> number;
  /// The groups that an op is in.
  std::vector<SmallVector<unsigned, 1>> groupsOf;
  /// What stands for the results of kernels.
  IRMapping results;
};

} // namespace

static bool fusesUpdates(FuncOp func) {
  return func.getFuseUpdates().value_or(true);
}

/// Whether an op reads a result of a group from memory.
bool KernelFormer::isNeededOutside(Value result, unsigned group) const {
  Operation *def = result.getDefiningOp();
  if (plan.groupOf[number.lookup(def)] != group)
    return false;
  auto isOutside = [&](Operation *user) {
    return llvm::any_of(groupsOf[number.lookup(user)],
                        [&](unsigned other) { return !contains(other, def); });
  };
  return llvm::any_of(result.getUsers(), [&](Operation *user) {
    // A copied access is in the kernels that use it.
    if (getDescription(user).role != FusionRole::Access ||
        plan.groups[groupsOf[number.lookup(user)].front()].isKernel)
      return isOutside(user);
    return llvm::any_of(user->getUsers(), [&](Operation *other) {
      return !isCopied(user, other) || isOutside(other);
    });
  });
}

void KernelFormer::buildKernel(unsigned group, OpBuilder &builder) {
  ArrayRef<unsigned> members = plan.groups[group].ops;

  // What comes in from outside, seen through accesses, unless a member, or the
  // copy of another access, needs the result of the access in memory anyway.
  // Accesses of what the kernel computes are copied behind that.
  auto forEachOperand = [&](auto visit) {
    for (unsigned member : members)
      for (Value operand : ops[member]->getOperands()) {
        Operation *def = operand.getDefiningOp();
        if (!def || !contains(group, def))
          visit(operand, def && isCopied(def, ops[member]));
      }
  };
  DenseSet<Value> inMemory;
  forEachOperand([&](Value operand, bool isCopied) {
    if (isCopied)
      inMemory.insert_range(operand.getDefiningOp()->getOperands());
    else
      inMemory.insert(operand);
  });
  llvm::SetVector<Value> inputs;
  llvm::SetVector<Operation *> copied;
  forEachOperand([&](Value operand, bool) {
    if (inMemory.contains(operand)) {
      inputs.insert(operand);
      return;
    }
    copied.insert(operand.getDefiningOp());
    for (Value source : operand.getDefiningOp()->getOperands())
      if (Operation *def = source.getDefiningOp();
          !def || !contains(group, def))
        inputs.insert(source);
  });

  SmallVector<Value> outputs;
  for (unsigned member : members)
    for (Value result : ops[member]->getResults())
      if (isNeededOutside(result, group))
        outputs.push_back(result);

  SmallVector<Location> locs;
  for (unsigned member : members)
    locs.push_back(ops[member]->getLoc());
  Location loc = builder.getFusedLoc(locs);
  SmallVector<Type> types =
      llvm::map_to_vector(outputs, [](Value value) { return value.getType(); });
  SmallVector<Value> operands = llvm::map_to_vector(
      inputs, [&](Value input) { return results.lookupOrDefault(input); });
  auto kernel = KernelOp::create(builder, loc, types, operands);
  setPlacement(kernel, device);
  Block &body = kernel.getBody().emplaceBlock();
  IRMapping mapping;
  for (Value input : inputs)
    mapping.map(input, body.addArgument(input.getType(), input.getLoc()));
  OpBuilder inner = OpBuilder::atBlockEnd(&body);
  auto cloneAccesses = [&](auto isReady) {
    for (Operation *op : copied)
      if (!mapping.contains(op) && llvm::all_of(op->getOperands(), isReady))
        inner.clone(*op, mapping);
  };
  cloneAccesses([&](Value operand) { return inputs.contains(operand); });
  for (unsigned member : members) {
    inner.clone(*ops[member], mapping);
    for (Value result : ops[member]->getResults())
      cloneAccesses([&](Value operand) { return operand == result; });
  }
  YieldOp::create(inner, loc, llvm::map_to_vector(outputs, [&](Value value) {
                    return mapping.lookup(value);
                  }));
  // The kernel has the placement of its ops.
  for (Operation &op : body)
    setPlacement(&op, device);
  results.map(outputs, kernel.getResults());
}

//===----------------------------------------------------------------------===//
// Explanations
//===----------------------------------------------------------------------===//

/// "conv1 (conv2d)", or the op alone.
static std::string describeOp(Operation *op) {
  StringRef mnemonic = op->getName().stripDialect();
  std::string name = getUserName(op->getLoc());
  return name.empty() ? mnemonic.str() : (name + " (" + mnemonic + ")").str();
}

static std::string joinNumbers(ArrayRef<int64_t> numbers, StringRef separator) {
  return llvm::join(
      llvm::map_range(numbers, [](int64_t n) { return std::to_string(n); }),
      separator);
}

/// The iteration space of an op.
static ArrayRef<int64_t> getDomain(Operation *op) {
  return getShape(isa<ReductionKernelOpInterface>(op) ? op->getOperand(0)
                                                      : op->getResult(0));
}

/// The iteration space of a group.
ArrayRef<int64_t> KernelFormer::getGroupDomain(unsigned group) const {
  ArrayRef<unsigned> members = plan.groups[group].ops;
  for (unsigned member : members)
    if (isa<ReductionKernelOpInterface>(ops[member]))
      return getDomain(ops[member]);
  // An op that goes over rows may have results of the rows.
  for (unsigned member : members)
    if (!isa<DecomposableOpInterface>(ops[member]))
      return getDomain(ops[member]);
  return getDomain(ops[members.front()]);
}

/// Says which ops a kernel has and what that saves.
void KernelFormer::explainKernel(unsigned group) {
  ArrayRef<unsigned> members = plan.groups[group].ops;
  auto remark = explainDone(ops[members.back()]->getLoc(),
                            ExplainCategory::Fusion, func.getSymName());
  if (!remark)
    return;
  int64_t written = 0, read = 0;
  for (unsigned member : members)
    for (Value result : ops[member]->getResults()) {
      llvm::SmallPtrSet<Operation *, 4> readers(llvm::from_range,
                                                result.getUsers());
      for (Operation *user : readers)
        if (contains(group, user))
          read += getBytes(result);
      written += isNeededOutside(result, group) ? 0 : getBytes(result);
    }
  // What several read from memory is read once.
  llvm::SmallDenseSet<Value> inputs;
  for (unsigned member : members)
    for (Value operand : llvm::SmallSetVector<Value, 4>(
             llvm::from_range, ops[member]->getOperands())) {
      Operation *producer = operand.getDefiningOp();
      bool isInput =
          !producer || (!contains(group, producer) &&
                        getDescription(producer).role != FusionRole::Access);
      if (isInput && !inputs.insert(operand).second)
        read += getBytes(operand);
    }
  auto names = llvm::map_range(
      members, [&](unsigned member) { return describeOp(ops[member]); });
  remark << std::to_string(members.size()) << " ops run as one kernel over "
         << joinNumbers(getGroupDomain(group), "x") << ", which saves writing "
         << formatDigits(written) << " and reading " << formatDigits(read)
         << " bytes: " << llvm::join(names, ", ");
}

/// Says why `user` does not run in the kernel that makes its operand.
void KernelFormer::explainEdge(Operation *def, Operation *user,
                               unsigned groupOfUser) {
  auto remark =
      explainMissed(user->getLoc(), ExplainCategory::Fusion, func.getSymName());
  if (!remark)
    return;
  remark << user->getName().stripDialect() << " is not fused with "
         << describeOp(def) << ": ";
  // Of two units that have loops of one kind, what the others are is told.
  Operation *other = getDescription(def).isFusible() ? user : def;
  unsigned groupOfDef = *plan.groupOf[number.lookup(def)];
  auto getAxes = [&](unsigned group) {
    for (unsigned op : plan.groups[group].ops)
      if (auto reduction = dyn_cast<ReductionKernelOpInterface>(ops[op]))
        return reduction.getReducedAxes();
    llvm_unreachable("the group has no reduction");
  };
  FusionObstacle obstacle =
      findFusionObstacle(problem, plan, groupOfDef, groupOfUser);
  switch (obstacle.kind) {
  case FusionObstacle::None:
    if (fuse)
      remark << "a path between them was removed only by later fusion";
    else
      remark << "fusion is off";
    break;
  case FusionObstacle::Role:
    if (auto config = getCallConfig(other);
        config && getDescription(other).role == FusionRole::Outside)
      remark << describeOp(other) << " is a call of " << config.getCallee();
    else
      remark << describeOp(other) << " has loops of its own";
    break;
  case FusionObstacle::Fixed:
    if (!fusesUpdates(func) &&
        (getDescription(def).overwrites || getDescription(user).overwrites))
      remark << "updates of variables are not fused";
    else
      remark << "a library computes one of them with a product";
    break;
  case FusionObstacle::Domain:
    remark << "its iteration space is "
           << joinNumbers(getGroupDomain(groupOfUser), "x") << " and not "
           << joinNumbers(getGroupDomain(groupOfDef), "x");
    break;
  case FusionObstacle::ReducedAxes:
    remark << "it reduces axes " << joinNumbers(getAxes(groupOfUser), ", ")
           << " and the other " << joinNumbers(getAxes(groupOfDef), ", ");
    break;
  case FusionObstacle::NeedsReduction:
    remark << "it needs the finished reduction, whose rows are not contiguous, "
              "too long or too few to go over them again in the same kernel";
    break;
  case FusionObstacle::Overwrites:
    remark << "it needs the finished reduction, and one of them updates a "
              "variable or a sum in place";
    break;
  case FusionObstacle::Path:
    remark << "a path leads from one to the other through "
           << describeOp(ops[obstacle.through]);
    break;
  }
  int64_t bytes = 0;
  for (Value result : def->getResults())
    if (llvm::is_contained(result.getUsers(), user))
      bytes += getBytes(result);
  remark << "; " << formatDigits(bytes) << " bytes go through memory";
}

/// Explains all groups.
void KernelFormer::explainGroups() {
  if (!func.getContext()->getRemarkEngine())
    return;
  auto isWork = [&](Operation *op) {
    return isa<ScalarKernelOpInterface, ReductionKernelOpInterface,
               LoopKernelOpInterface, DecomposableOpInterface,
               LibraryCallOpInterface>(op);
  };
  llvm::SmallSet<std::pair<unsigned, unsigned>, 16> told;
  for (auto [index, op] : llvm::enumerate(ops))
    for (unsigned group : groupsOf[index]) {
      const FusionGroup &members = plan.groups[group];
      if (members.isKernel && members.ops.size() > 1 &&
          members.ops.back() == index)
        explainKernel(group);
      for (Value operand : op->getOperands()) {
        Operation *def = operand.getDefiningOp();
        if (!def || contains(group, def))
          continue;
        // A decision there is where one of both could be in a fused kernel, and
        // the other computes something.
        bool isDecision =
            isWork(def) && isWork(op) &&
            (getDescription(def).isFusible() || problem.ops[index].isFusible());
        unsigned groupOfDef = *plan.groupOf[number.lookup(def)];
        if (isDecision && told.insert({groupOfDef, group}).second)
          explainEdge(def, op, group);
      }
    }
}

unsigned KernelFormer::run() {
  // A kernel is there for its results.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
  CallParts parts;
  if (fuse)
    parts = takeCallParts(block, device);
  problem = ProblemBuilder(block, device, parts, fusesUpdates(func)).build();
  plan = planFusion(problem, fuse);
  for (Operation &op : block) {
    number[&op] = ops.size();
    ops.push_back(&op);
  }
  groupsOf.resize(ops.size());
  for (auto [index, group] : llvm::enumerate(plan.groups))
    for (unsigned op : group.ops)
      groupsOf[op].push_back(index);
  explainGroups();

  OpBuilder builder(func.getContext());
  unsigned numKernels = 0;
  SmallPtrSet<Operation *, 16> replaced;
  for (auto [index, group] : llvm::enumerate(plan.groups)) {
    if (group.isKernel) {
      builder.setInsertionPointToEnd(&block);
      buildKernel(index, builder);
      ++numKernels;
      for (unsigned op : group.ops)
        replaced.insert(ops[op]);
      continue;
    }
    Operation *op = ops[group.ops.front()];
    op->moveBefore(&block, block.end());
    // Kernels still look for what an access reads; it has no other users.
    if (getDescription(op).role == FusionRole::Access)
      continue;
    for (OpOperand &operand : op->getOpOperands())
      operand.set(results.lookupOrDefault(operand.get()));
  }
  // Kernels have what they need of these, and of accesses.
  for (Operation *op : llvm::reverse(ops))
    if (replaced.contains(op) ||
        (getDescription(op).role == FusionRole::Access && op->use_empty())) {
      op->dropAllUses();
      op->erase();
    }
  return numKernels;
}

/// The devices that ops of a block run on, in the order of the block.
static llvm::SetVector<PlacementAttr> getDevices(Block &block) {
  llvm::SetVector<PlacementAttr> devices;
  for (Operation &op : block.without_terminator())
    if (!isa<MicroStepsOp>(op))
      devices.insert(getPlacement(&op));
  return devices;
}

/// Ops of other devices are in no kernel while those of one device are formed,
/// so none has ops of two devices.
static unsigned formKernels(FuncOp func, Block &block, bool fuse) {
  unsigned numKernels = 0;
  for (PlacementAttr device : getDevices(block))
    numKernels += KernelFormer(func, block, device, fuse).run();
  return numKernels;
}

namespace {

struct FormKernelsPass : public job::impl::JobFormKernelsBase<FormKernelsPass> {
  using JobFormKernelsBase::JobFormKernelsBase;

  void runOnOperation() override {
    FuncOp func = getOperation();
    Block &block = func.getBody().front();
    numKernels += formKernels(func, block, fuse);
    for (auto loop : block.getOps<MicroStepsOp>())
      numKernels += formKernels(func, loop.getBody().front(), fuse);
  }
};

} // namespace
