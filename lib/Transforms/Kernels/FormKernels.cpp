//===- FormKernels.cpp - Group ops into kernels ---------------------------===//
//
// Greedy fusion in program order. A group is a set of ops that share one
// iteration space, the *domain*: scalar ops whose result has the domain's
// shape, and sums whose operand has it. An op joins the groups of its operands
// when no path leads from a group out through another op and back to it; what
// remains is ordered anew by dependences.
//
// Constants and broadcasts cost nothing inside of a kernel and are repeated in
// each one that needs them. Comparisons are computed where they are used: their
// operands are in memory anyway, and a mask in memory is a blob more to write,
// to read and to keep.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Transforms/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <queue>

namespace mlir::job {
#define GEN_PASS_DEF_JOBFORMKERNELS
#include "JobDialect/Transforms/Passes.h.inc"
} // namespace mlir::job

using namespace mlir;
using namespace mlir::job;

/// Splats up to this size are carried in the artifact where a kernel cannot
/// have them inside.
static constexpr int64_t kMaxConstantBytes = 4096;

namespace {

/// Ops that run as one: a kernel, or a single op that stays as it is.
struct Unit {
  /// In program order.
  SmallVector<Operation *> ops;
  bool isKernel = false;
  /// Shape of the iteration space; empty for units that do not fuse.
  SmallVector<int64_t> domain;
  /// Axes that the sums of the unit reduce; all sums agree.
  std::optional<SmallVector<int64_t>> reducedAxes;
};

/// Groups the ops of one job.
class KernelFormer {
public:
  KernelFormer(FuncOp func, bool fuse) : func(func), fuse(fuse) {}

  /// Rewrites the body; returns the number of kernels.
  unsigned run();

private:
  bool isRepeated(Operation *op) const;
  bool isRepeatedIn(Operation *def, Operation *user) const;
  bool isComputedAtUse(Operation *op) const;
  void copyMasksToUses();
  bool isFusible(Operation *op) const;
  ArrayRef<int64_t> getDomain(Operation *op) const;
  void assignUnits();
  void joinOperandUnits(Operation *op);
  /// True for the members of kernels that repeat constants and broadcasts.
  bool joinsKernel(Operation *op) const {
    auto it = unitOf.find(op);
    return it != unitOf.end() && units[it->second].isKernel &&
           !units[it->second].domain.empty() && isFusible(op);
  }
  bool canMerge(const Unit &a, const Unit &b) const;
  bool
  reachesThroughOthers(ArrayRef<Operation *> from,
                       const llvm::SmallPtrSetImpl<Operation *> &group) const;
  SmallVector<unsigned> orderUnits();
  void collectPredecessors(unsigned unit, llvm::SetVector<unsigned> &result);
  KernelOp buildKernel(const Unit &unit, OpBuilder &builder);

  FuncOp func;
  bool fuse;
  DenseMap<Operation *, unsigned> position, unitOf;
  std::vector<Unit> units;
};

} // namespace

/// Constants and broadcasts cost nothing inside of a kernel: each kernel that
/// needs one has its own copy, and none is ever a member of a group.
bool KernelFormer::isRepeated(Operation *op) const {
  if (auto constant = dyn_cast_if_present<ConstantOp>(op))
    return constant.getSplat().has_value();
  return isa_and_present<BroadcastInDimOp>(op);
}

/// Masks: each user has a copy of its own, which waits for that user.
bool KernelFormer::isComputedAtUse(Operation *op) const {
  return isa<CompareOp>(op);
}

void KernelFormer::copyMasksToUses() {
  for (auto compare :
       llvm::make_early_inc_range(func.getBody().front().getOps<CompareOp>()))
    for (OpOperand &use :
         llvm::make_early_inc_range(compare.getResult().getUses())) {
      if (compare.getResult().hasOneUse())
        break;
      OpBuilder builder(use.getOwner());
      use.set(builder.clone(*compare)->getResult(0));
    }
}

/// A sum reads its operand from memory or from a member of its kernel: the
/// repeated op alone would not say how large the iteration space is.
bool KernelFormer::isRepeatedIn(Operation *def, Operation *user) const {
  return isRepeated(def) && !isa<ReduceSumOp>(user);
}

bool KernelFormer::isFusible(Operation *op) const {
  return isa<ScalarKernelOpInterface, ReduceSumOp>(op);
}

ArrayRef<int64_t> KernelFormer::getDomain(Operation *op) const {
  if (auto sum = dyn_cast<ReduceSumOp>(op))
    return sum.getOperand().getType().getShape();
  return cast<BlobType>(op->getResult(0).getType()).getShape();
}

/// True when a path of at least one op outside of `group` leads from `group`
/// to one of the ops `from`, which are not followed into the group itself.
bool KernelFormer::reachesThroughOthers(
    ArrayRef<Operation *> from,
    const llvm::SmallPtrSetImpl<Operation *> &group) const {
  if (group.empty())
    return false;
  unsigned first = ~0u;
  for (Operation *op : group)
    first = std::min(first, position.lookup(op));
  SmallVector<Operation *> worklist;
  llvm::SmallPtrSet<Operation *, 32> visited;
  auto visitOperands = [&](Operation *op, bool outside) {
    for (Value operand : op->getOperands()) {
      Operation *def = operand.getDefiningOp();
      if (!def)
        continue;
      if (group.contains(def)) {
        if (outside)
          return true;
        continue;
      }
      // Whatever stands before the group cannot depend on it.
      if (position.lookup(def) > first && visited.insert(def).second)
        worklist.push_back(def);
    }
    return false;
  };
  for (Operation *op : from)
    if (visitOperands(op, /*outside=*/false))
      return true;
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    if (visitOperands(op, /*outside=*/true))
      return true;
    // A group runs as a whole: whoever needs one member waits for all.
    const Unit &unit = units[unitOf.lookup(op)];
    if (!unit.isKernel)
      continue;
    for (Operation *member : unit.ops)
      if (visited.insert(member).second)
        worklist.push_back(member);
  }
  return false;
}

bool KernelFormer::canMerge(const Unit &a, const Unit &b) const {
  if (!a.isKernel || !b.isKernel || a.domain.empty() || a.domain != b.domain)
    return false;
  if (a.reducedAxes && b.reducedAxes && *a.reducedAxes != *b.reducedAxes)
    return false;
  // A sum's result is no value of the domain: within one kernel nobody may
  // need it.
  auto usesSumOf = [](const Unit &user, const Unit &owner) {
    for (Operation *op : owner.ops)
      if (isa<ReduceSumOp>(op))
        for (Operation *consumer : op->getUsers())
          if (llvm::is_contained(user.ops, consumer))
            return true;
    return false;
  };
  if (usesSumOf(a, b) || usesSumOf(b, a))
    return false;
  llvm::SmallPtrSet<Operation *, 8> members;
  members.insert(a.ops.begin(), a.ops.end());
  members.insert(b.ops.begin(), b.ops.end());
  SmallVector<Operation *> all(a.ops);
  all.append(b.ops);
  return !reachesThroughOthers(all, members);
}

void KernelFormer::joinOperandUnits(Operation *op) {
  unsigned current = unitOf[op];
  // Grows while ops join: the operands of a comparison that joins count too.
  SmallVector<Value> operands(op->getOperands());
  for (unsigned i = 0; i < operands.size(); ++i) {
    Operation *def = operands[i].getDefiningOp();
    if (!def)
      continue;
    unsigned other = unitOf[def];
    if (other == current || !canMerge(units[current], units[other]))
      continue;
    if (isComputedAtUse(def))
      llvm::append_range(operands, def->getOperands());
    // The earlier unit takes the later one in.
    unsigned target = std::min(current, other);
    unsigned source = std::max(current, other);
    for (Operation *moved : units[source].ops)
      unitOf[moved] = target;
    units[target].ops.append(units[source].ops);
    llvm::sort(units[target].ops, [&](Operation *x, Operation *y) {
      return position.lookup(x) < position.lookup(y);
    });
    if (!units[target].reducedAxes)
      units[target].reducedAxes = units[source].reducedAxes;
    units[source] = Unit();
    current = target;
  }
}

void KernelFormer::assignUnits() {
  for (Operation &op : func.getBody().front()) {
    unsigned index = units.size();
    position[&op] = index;
    unitOf[&op] = index;
    Unit &unit = units.emplace_back();
    unit.ops.push_back(&op);
    if (isFusible(&op)) {
      unit.isKernel = true;
      unit.domain.assign(getDomain(&op).begin(), getDomain(&op).end());
      if (auto sum = dyn_cast<ReduceSumOp>(&op))
        unit.reducedAxes = llvm::to_vector(sum.getAxes());
      if (fuse && !isComputedAtUse(&op))
        joinOperandUnits(&op);
    } else if (isa<LoopKernelOpInterface>(op) &&
               !isa<LibraryCallOpInterface>(op)) {
      unit.isKernel = true;
    } else if (auto loops = dyn_cast<LoopKernelOpInterface>(op)) {
      // Libraries compute f32; our own loops take the other types.
      unit.isKernel =
          !cast<BlobType>(op.getResult(0).getType()).getElementType().isF32();
    }
  }
}

void KernelFormer::collectPredecessors(unsigned index,
                                       llvm::SetVector<unsigned> &result) {
  for (Operation *op : units[index].ops)
    for (Value operand : op->getOperands())
      if (Operation *def = operand.getDefiningOp()) {
        if (units[index].isKernel && isRepeatedIn(def, op)) {
          // The kernel's own copy needs what the original needs.
          for (Value inner : def->getOperands())
            if (Operation *innerDef = inner.getDefiningOp())
              result.insert(unitOf[innerDef]);
        }
        result.insert(unitOf[def]);
      }
  result.remove(index);
}

/// The units in an order that respects dependences and, where these leave a
/// choice, the program.
SmallVector<unsigned> KernelFormer::orderUnits() {
  std::vector<llvm::SetVector<unsigned>> predecessors(units.size());
  std::vector<SmallVector<unsigned>> successors(units.size());
  // Reads and assignments of a variable keep their order.
  llvm::MapVector<StringAttr, SmallVector<unsigned>> readsSinceAssign;
  DenseMap<StringAttr, unsigned> lastAssign;
  for (auto [index, unit] : llvm::enumerate(units)) {
    collectPredecessors(index, predecessors[index]);
    for (Operation *op : unit.ops) {
      if (auto read = dyn_cast<ReadOp>(op)) {
        StringAttr name = read.getVariableAttr().getAttr();
        readsSinceAssign[name].push_back(index);
        if (auto it = lastAssign.find(name); it != lastAssign.end())
          predecessors[index].insert(it->second);
      } else if (auto assign = dyn_cast<AssignOp>(op)) {
        StringAttr name = assign.getVariableAttr().getAttr();
        for (unsigned read : readsSinceAssign[name])
          predecessors[index].insert(read);
        readsSinceAssign[name].clear();
        if (auto it = lastAssign.find(name); it != lastAssign.end())
          predecessors[index].insert(it->second);
        lastAssign[name] = index;
      } else if (op->hasTrait<OpTrait::IsTerminator>()) {
        for (unsigned other = 0; other < index; ++other)
          predecessors[index].insert(other);
      }
    }
  }

  std::vector<unsigned> missing(units.size());
  using Entry = std::pair<unsigned, unsigned>; // last position, unit
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> ready;
  auto push = [&](unsigned index) {
    const Unit &unit = units[index];
    ready.emplace(unit.ops.empty() ? 0 : position.lookup(unit.ops.back()),
                  index);
  };
  for (unsigned index = 0; index < units.size(); ++index) {
    missing[index] = predecessors[index].size();
    for (unsigned predecessor : predecessors[index])
      successors[predecessor].push_back(index);
    if (missing[index] == 0)
      push(index);
  }
  SmallVector<unsigned> order;
  while (!ready.empty()) {
    unsigned index = ready.top().second;
    ready.pop();
    order.push_back(index);
    for (unsigned successor : successors[index])
      if (--missing[successor] == 0)
        push(successor);
  }
  assert(order.size() == units.size() && "units depend on one another");
  return order;
}

KernelOp KernelFormer::buildKernel(const Unit &unit, OpBuilder &builder) {
  llvm::SmallPtrSet<Operation *, 8> members(unit.ops.begin(), unit.ops.end());
  bool inlines = !unit.domain.empty();

  // What comes in from outside, seen through repeated ops.
  llvm::SetVector<Value> inputs;
  llvm::SetVector<Operation *> repeated;
  for (Operation *op : unit.ops)
    for (Value operand : op->getOperands()) {
      Operation *def = operand.getDefiningOp();
      if (def && members.contains(def))
        continue;
      if (inlines && def && isRepeatedIn(def, op)) {
        repeated.insert(def);
        for (Value inner : def->getOperands())
          inputs.insert(inner);
        continue;
      }
      inputs.insert(operand);
    }

  // What others need.
  SmallVector<Value> outputs;
  for (Operation *op : unit.ops)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !members.contains(user);
          }))
        outputs.push_back(result);

  // Something must have the domain's shape: where all inputs are broadcast and
  // all results are sums, a member is written out.
  auto spansDomain = [&](Value value) {
    return cast<BlobType>(value.getType()).getShape() ==
               ArrayRef<int64_t>(unit.domain) &&
           !value.getDefiningOp<ReduceSumOp>();
  };
  if (unit.reducedAxes && llvm::none_of(inputs, spansDomain) &&
      llvm::none_of(outputs, spansDomain))
    outputs.push_back(unit.ops.front()->getResult(0));

  SmallVector<Location> locs;
  for (Operation *op : unit.ops)
    locs.push_back(op->getLoc());
  Location loc = builder.getFusedLoc(locs);
  SmallVector<Type> types =
      llvm::map_to_vector(outputs, [](Value value) { return value.getType(); });
  auto kernel = KernelOp::create(builder, loc, types, inputs.getArrayRef());
  Block &block = kernel.getBody().emplaceBlock();
  IRMapping mapping;
  for (Value input : inputs)
    mapping.map(input, block.addArgument(input.getType(), input.getLoc()));
  OpBuilder inner = OpBuilder::atBlockEnd(&block);
  for (Operation *op : repeated)
    inner.clone(*op, mapping);
  for (Operation *op : unit.ops)
    inner.clone(*op, mapping);
  YieldOp::create(inner, loc, llvm::map_to_vector(outputs, [&](Value value) {
                    return mapping.lookup(value);
                  }));
  for (auto [output, result] : llvm::zip(outputs, kernel.getResults()))
    output.replaceUsesWithIf(result, [&](OpOperand &use) {
      // Kernels that are built later still look for the repeated op.
      Operation *def = output.getDefiningOp(), *user = use.getOwner();
      return !(isRepeatedIn(def, user) && joinsKernel(user));
    });
  return kernel;
}

unsigned KernelFormer::run() {
  // A kernel is there for its results.
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(func.getBody().front())))
    if (isOpTriviallyDead(&op))
      op.erase();
  if (fuse)
    copyMasksToUses();
  assignUnits();

  // A broadcast that somebody outside of the kernels needs is computed by a
  // kernel of its own; the kernels keep their copies. So is a large constant,
  // which would have to be carried in the artifact. Zeros are cheaper still:
  // they are filled in.
  auto isWorthComputing = [](ConstantOp constant) {
    std::optional<double> splat = constant.getSplat();
    return splat && *splat != 0 &&
           cast<BlobType>(constant.getResult().getType()).getBytes() >
               kMaxConstantBytes;
  };
  for (Operation &op : func.getBody().front()) {
    auto constant = dyn_cast<ConstantOp>(op);
    if (!isa<BroadcastInDimOp>(op) && !(constant && isWorthComputing(constant)))
      continue;
    bool neededOutside = llvm::any_of(op.getUsers(), [&](Operation *user) {
      // The copy of a broadcast of a broadcast reads the inner one.
      return !joinsKernel(user) || !isRepeatedIn(&op, user);
    });
    if (neededOutside) {
      Unit &unit = units[unitOf[&op]];
      unit.isKernel = true;
      unit.domain.assign(getDomain(&op).begin(), getDomain(&op).end());
    }
  }

  SmallVector<unsigned> order = orderUnits();
  Block &block = func.getBody().front();
  OpBuilder builder(func.getContext());
  unsigned numKernels = 0;
  SmallVector<Operation *> dead;
  for (unsigned index : order) {
    const Unit &unit = units[index];
    if (unit.ops.empty())
      continue;
    if (!unit.isKernel) {
      unit.ops.front()->moveBefore(&block, block.end());
      continue;
    }
    builder.setInsertionPointToEnd(&block);
    buildKernel(unit, builder);
    ++numKernels;
    dead.append(unit.ops.begin(), unit.ops.end());
  }
  for (Operation *op : llvm::reverse(dead)) {
    op->dropAllUses();
    op->erase();
  }
  // Originals of what every user has its own copy of.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isRepeated(&op) && op.use_empty())
      op.erase();
  return numKernels;
}

namespace {

struct FormKernelsPass : public job::impl::JobFormKernelsBase<FormKernelsPass> {
  using JobFormKernelsBase::JobFormKernelsBase;

  void runOnOperation() override {
    numKernels += KernelFormer(getOperation(), fuse).run();
  }
};

} // namespace
