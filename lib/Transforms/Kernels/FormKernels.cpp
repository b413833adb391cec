//===- FormKernels.cpp - Group ops into kernels ---------------------------===//
//
// Greedy fusion in program order. A group is a set of ops that share one
// iteration space, the *domain*: scalar ops whose result has the domain's
// shape, and reductions whose operand has it. An op joins the groups of its
// operands when no path leads from a group out through another op and back to
// it; what remains is ordered anew by dependences.
//
// Constants and strided reads (broadcasts, transposes, slices) cost nothing
// inside of a kernel and are duplicated in each one that needs them.
// Comparisons are computed where they are used: their operands are in memory
// anyway, and a mask in memory is a blob more to write, to read and to keep. So
// it is with a sum or a product of one blob in memory with constants and
// broadcasts: every kernel that needs it computes it again. What a kernel makes
// of its own result for one later kernel alone is computed there.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Transforms/Passes.h"

#include "JobDialect/Support/Explain.h"
#include "JobDialect/Support/Locations.h"
#include "JobDialect/Support/Units.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"
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
  /// Axes that the reductions of the unit reduce; all agree.
  std::optional<SmallVector<int64_t>> reducedAxes;
  /// The unit that has taken this one in.
  std::optional<unsigned> joined;
};

/// Why two units cannot run as one.
struct Obstacle {
  enum Kind {
    None,
    /// One of them is a library's call, a loop nest of its own or no work.
    NoScalars,
    Domains,
    ReducedAxes,
    /// One needs what the other has reduced.
    NeedsReduction,
    /// A path leads from one of them through `through` to the other.
    Path
  };
  Kind kind = None;
  Operation *through = nullptr;

  explicit operator bool() const { return kind != None; }
};

/// Groups the ops of one block: a job's, or that of its micro-steps.
class KernelFormer {
public:
  KernelFormer(FuncOp func, Block &block, bool fuse)
      : func(func), block(block), fuse(fuse) {}

  /// Rewrites the block; returns the number of kernels.
  unsigned run();

private:
  bool isDuplicated(Operation *op) const;
  bool isDuplicatedIn(Operation *def, Operation *user) const;
  bool isComputedAtUse(Operation *op) const;
  void copyMasksToUses();
  bool isFusible(Operation *op) const;
  ArrayRef<int64_t> getDomain(Operation *op) const;
  void assignUnits();
  SmallVector<Operation *> findPartForUser(Operation *op, unsigned user) const;
  void moveToOnlyUser();
  bool isCheapFromMemory(Operation *op) const;
  void duplicateCheapOps();
  void joinOperandUnits(Operation *op);
  /// True for the members of kernels that duplicate constants and strided
  /// reads.
  bool joinsKernel(Operation *op) const {
    auto it = unitOf.find(op);
    return it != unitOf.end() && units[it->second].isKernel &&
           !units[it->second].domain.empty() && isFusible(op);
  }
  Obstacle findObstacle(unsigned a, unsigned b);
  SmallVector<Operation *> getNeeded(Operation *op) const;
  ArrayRef<unsigned> getWaits(unsigned unit);
  unsigned getLatest(unsigned unit);
  Operation *findPathThroughOthers(unsigned a, unsigned b);
  void orderAccesses();
  SmallVector<unsigned> orderUnits();
  KernelOp buildKernel(const Unit &unit, OpBuilder &builder);
  void explainUnits();
  void explainKernel(const Unit &unit);
  void explainEdge(Operation *def, Operation *user);

  FuncOp func;
  Block &block;
  bool fuse;
  DenseMap<Operation *, unsigned> position, unitOf;
  /// What else of its variable a read or an assignment has to wait for.
  DenseMap<Operation *, SmallVector<Operation *>> earlierAccesses;
  std::vector<Unit> units;
  /// What getWaits() and, since units were last joined, getLatest() found. A
  /// kernel's copy of a duplicated op waits for what the original waits for.
  std::vector<std::optional<SmallVector<unsigned, 4>>> waitsOf;
  std::vector<unsigned> latest;
  llvm::BitVector visited;
};

} // namespace

/// Constants and strided reads cost nothing inside of a kernel: each kernel
/// that needs one has its own copy, and none is ever a member of a group.
bool KernelFormer::isDuplicated(Operation *op) const {
  if (auto constant = dyn_cast_if_present<ConstantOp>(op))
    return constant.getSplat().has_value();
  return isa_and_present<StridedReadOpInterface>(op);
}

/// Masks: each user has a copy of its own, which waits for that user.
bool KernelFormer::isComputedAtUse(Operation *op) const {
  return isa<CompareOp>(op);
}

void KernelFormer::copyMasksToUses() {
  for (auto compare : llvm::make_early_inc_range(block.getOps<CompareOp>()))
    for (OpOperand &use :
         llvm::make_early_inc_range(compare.getResult().getUses())) {
      if (compare.getResult().hasOneUse())
        break;
      OpBuilder builder(use.getOwner());
      use.set(builder.clone(*compare)->getResult(0));
    }
}

/// The dimensions of the result along which a strided read moves.
static llvm::SmallBitVector getMovingDims(StridedReadOpInterface read) {
  auto type = cast<BlobType>(read->getResult(0).getType());
  llvm::SmallBitVector moving(type.getRank());
  for (const StridedRead::Dim &dim : read.getStridedRead().dims)
    if (dim.resultDim)
      moving.set(*dim.resultDim);
  return moving;
}

/// A reduction's operand says how large the iteration space is, which a
/// constant or a broadcast alone cannot: the reduction then reads it from
/// memory.
bool KernelFormer::isDuplicatedIn(Operation *def, Operation *user) const {
  if (!isDuplicated(def))
    return false;
  if (!isa<ReductionKernelOpInterface>(user))
    return true;
  auto read = dyn_cast<StridedReadOpInterface>(def);
  if (!read)
    return false;
  llvm::SmallBitVector moving = getMovingDims(read);
  for (auto [dim, extent] :
       llvm::enumerate(cast<BlobType>(def->getResult(0).getType()).getShape()))
    if (extent != 1 && !moving[dim])
      return false;
  return true;
}

bool KernelFormer::isFusible(Operation *op) const {
  return isa<ScalarKernelOpInterface, ReductionKernelOpInterface>(op);
}

ArrayRef<int64_t> KernelFormer::getDomain(Operation *op) const {
  if (isa<ReductionKernelOpInterface>(op))
    return cast<BlobType>(op->getOperand(0).getType()).getShape();
  return cast<BlobType>(op->getResult(0).getType()).getShape();
}

/// The ops that have to run before an op.
SmallVector<Operation *> KernelFormer::getNeeded(Operation *op) const {
  SmallVector<Operation *> needed = earlierAccesses.lookup(op);
  for (Value operand : op->getOperands())
    if (Operation *def = operand.getDefiningOp())
      needed.push_back(def);
  return needed;
}

/// The units that have to run before a unit.
ArrayRef<unsigned> KernelFormer::getWaits(unsigned index) {
  waitsOf.resize(units.size());
  std::optional<SmallVector<unsigned, 4>> &waits = waitsOf[index];
  if (!waits) {
    waits.emplace();
    for (Operation *op : units[index].ops)
      for (Operation *def : getNeeded(op))
        waits->push_back(unitOf.lookup(def));
  }
  // Some may have been joined with others since then.
  for (unsigned &other : *waits)
    while (units[other].joined)
      other = *units[other].joined;
  return *waits;
}

/// The position of the last op in a unit and all that it waits for.
unsigned KernelFormer::getLatest(unsigned index) {
  latest.resize(units.size(), 0);
  SmallVector<unsigned> worklist{index};
  while (!worklist.empty()) {
    unsigned unit = worklist.back();
    bool isNew = latest[unit] == 0;
    // Until it is known: no position stands behind this one.
    if (isNew)
      latest[unit] = ~0u;
    unsigned result = position.lookup(units[unit].ops.back()) + 1;
    for (unsigned other : getWaits(unit)) {
      if (other == unit)
        continue;
      if (latest[other])
        result = std::max(result, latest[other]);
      else if (isNew)
        worklist.push_back(other);
    }
    if (worklist.back() != unit)
      continue;
    latest[unit] = result;
    worklist.pop_back();
  }
  return latest[index] - 1;
}

/// The op outside of two units on a path that leads from one of them through
/// others to one of them, which could not run as one then; null without such a
/// path.
Operation *KernelFormer::findPathThroughOthers(unsigned a, unsigned b) {
  unsigned first = std::min(position.lookup(units[a].ops.front()),
                            position.lookup(units[b].ops.front()));
  SmallVector<unsigned> worklist;
  visited.resize(units.size());
  visited.reset();
  auto visit = [&](unsigned unit) {
    // What waits for nothing that stands behind the first op of the two cannot
    // wait for them.
    if (unit == a || unit == b || visited.test(unit) ||
        getLatest(unit) <= first)
      return;
    visited.set(unit);
    worklist.push_back(unit);
  };
  llvm::for_each(getWaits(a), visit);
  llvm::for_each(getWaits(b), visit);
  while (!worklist.empty()) {
    unsigned unit = worklist.pop_back_val();
    ArrayRef<unsigned> waits = getWaits(unit);
    if (llvm::is_contained(waits, a) || llvm::is_contained(waits, b)) {
      for (Operation *op : units[unit].ops)
        for (Operation *def : getNeeded(op))
          if (unsigned other = unitOf.lookup(def); other == a || other == b)
            return op;
    }
    llvm::for_each(waits, visit);
  }
  return nullptr;
}

Obstacle KernelFormer::findObstacle(unsigned indexA, unsigned indexB) {
  const Unit &a = units[indexA], &b = units[indexB];
  if (!a.isKernel || !b.isKernel || a.domain.empty() || b.domain.empty())
    return {Obstacle::NoScalars};
  if (a.domain != b.domain)
    return {Obstacle::Domains};
  if (a.reducedAxes && b.reducedAxes && *a.reducedAxes != *b.reducedAxes)
    return {Obstacle::ReducedAxes};
  // A reduction's result is no value of the domain: within one kernel nobody
  // may need it.
  auto usesReductionOf = [](const Unit &user, const Unit &owner) {
    for (Operation *op : owner.ops)
      if (isa<ReductionKernelOpInterface>(op))
        for (Operation *consumer : op->getUsers())
          if (llvm::is_contained(user.ops, consumer))
            return true;
    return false;
  };
  if (usesReductionOf(a, b) || usesReductionOf(b, a))
    return {Obstacle::NeedsReduction};
  if (Operation *through = findPathThroughOthers(indexA, indexB))
    return {Obstacle::Path, through};
  return {};
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
    if (other == current || findObstacle(current, other))
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
    units[source].joined = target;
    waitsOf[target].reset();
    latest.clear();
    current = target;
  }
}

/// Reads and assignments of a variable keep their order.
void KernelFormer::orderAccesses() {
  DenseMap<StringAttr, SmallVector<Operation *>> readsSinceAssign;
  DenseMap<StringAttr, Operation *> lastAssign;
  for (Operation &op : block) {
    if (auto read = dyn_cast<ReadOp>(op)) {
      StringAttr name = read.getVariableAttr().getAttr();
      readsSinceAssign[name].push_back(read);
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

void KernelFormer::assignUnits() {
  for (Operation &op : block) {
    unsigned index = units.size();
    position[&op] = index;
    unitOf[&op] = index;
    Unit &unit = units.emplace_back();
    unit.ops.push_back(&op);
    if (isFusible(&op)) {
      unit.isKernel = true;
      unit.domain.assign(getDomain(&op).begin(), getDomain(&op).end());
      if (auto reduction = dyn_cast<ReductionKernelOpInterface>(&op))
        unit.reducedAxes = llvm::to_vector(reduction.getReducedAxes());
      if (fuse && !isComputedAtUse(&op))
        joinOperandUnits(&op);
    } else if (isa<DecomposableOpInterface>(op) ||
               (isa<LoopKernelOpInterface>(op) &&
                !isa<LibraryCallOpInterface>(op))) {
      unit.isKernel = true;
    } else if (auto loops = dyn_cast<LoopKernelOpInterface>(op)) {
      // Libraries compute f32; our own loops take the other types.
      unit.isKernel =
          !cast<BlobType>(op.getResult(0).getType()).getElementType().isF32();
    }
  }
}

/// A variable may have a new value by the time that another kernel runs.
static bool isVariable(Value value) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getOperand();
  return value.getDefiningOp<ReadOp>() != nullptr;
}

/// The part of its kernel that makes the result of `op` and nothing else, when
/// all that it needs is one blob of the kernel which is in memory anyway;
/// empty otherwise. In reverse program order.
SmallVector<Operation *> KernelFormer::findPartForUser(Operation *op,
                                                       unsigned user) const {
  unsigned home = unitOf.lookup(op);
  SmallVector<Operation *> part;
  Operation *source = nullptr;
  SmallPtrSet<Operation *, 8> needed = {op};
  for (Operation *member : llvm::reverse(units[home].ops)) {
    if (!needed.contains(member))
      continue;
    bool isOnlyForPart =
        isa<ScalarKernelOpInterface>(member) &&
        llvm::all_of(member->getUsers(), [&](Operation *other) {
          return llvm::is_contained(part, other) ||
                 (member == op && unitOf.lookup(other) == user);
        });
    if (!isOnlyForPart) {
      // What the kernel has to write for others may as well be read again.
      bool isInMemory = llvm::any_of(member->getUsers(), [&](Operation *other) {
        return unitOf.lookup(other) != home;
      });
      if (source || !isInMemory ||
          cast<BlobType>(member->getResult(0).getType()).getBytes() >
              cast<BlobType>(op->getResult(0).getType()).getBytes())
        return {};
      source = member;
      continue;
    }
    part.push_back(member);
    for (Value operand : member->getOperands()) {
      Operation *def = operand.getDefiningOp();
      if (def && isDuplicated(def) &&
          llvm::none_of(def->getOperands(), isVariable))
        continue;
      if (!def || unitOf.lookup(def) != home)
        return {};
      needed.insert(def);
    }
  }
  return source ? part : SmallVector<Operation *>();
}

/// What a kernel computes from its own result for one later kernel alone, the
/// slope of an activation, say, is computed there: the result is in memory
/// anyway, and the other blob need not be written, kept and read.
void KernelFormer::moveToOnlyUser() {
  for (Operation &op : llvm::reverse(block)) {
    if (!joinsKernel(&op) || !isa<ScalarKernelOpInterface>(op) ||
        op.use_empty())
      continue;
    unsigned home = unitOf.lookup(&op);
    unsigned user = unitOf.lookup(*op.user_begin());
    bool isForOne = llvm::all_of(op.getUsers(), [&](Operation *other) {
      return unitOf.lookup(other) == user && joinsKernel(other);
    });
    if (user == home || !isForOne || units[user].domain != units[home].domain)
      continue;
    for (Operation *member : findPartForUser(&op, user)) {
      llvm::erase(units[home].ops, member);
      units[user].ops.insert(units[user].ops.begin(), member);
      unitOf[member] = user;
    }
  }
}

/// True for an operation on one blob that is in memory whoever needs the
/// result, and on constants and strided reads.
bool KernelFormer::isCheapFromMemory(Operation *op) const {
  if (!isa<AddOp, SubOp, MulOp>(op) || !joinsKernel(op))
    return false;
  unsigned numReads = 0;
  for (Value operand : op->getOperands()) {
    Operation *def = operand.getDefiningOp();
    if (def && isDuplicated(def)) {
      if (llvm::any_of(def->getOperands(), isVariable))
        return false;
      continue;
    }
    if (isVariable(operand) || (def && unitOf.lookup(def) == unitOf.lookup(op)))
      return false;
    ++numReads;
  }
  return numReads == 1;
}

/// Gives each kernel that needs a cheap value a copy of the op, where that
/// leaves nobody who needs it in memory.
void KernelFormer::duplicateCheapOps() {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (!isCheapFromMemory(&op))
      continue;
    unsigned home = unitOf.lookup(&op);
    llvm::MapVector<unsigned, SmallVector<OpOperand *>> usesOf;
    bool onlyKernels = llvm::all_of(op.getUses(), [&](OpOperand &use) {
      unsigned unit = unitOf.lookup(use.getOwner());
      if (unit != home)
        usesOf[unit].push_back(&use);
      return joinsKernel(use.getOwner()) &&
             ArrayRef<int64_t>(units[unit].domain) == getDomain(&op);
    });
    if (!onlyKernels)
      continue;
    for (auto &[unit, uses] : usesOf) {
      OpBuilder builder(func.getContext());
      builder.setInsertionPointAfter(&op);
      Operation *copy = builder.clone(op);
      position[copy] = position.lookup(&op);
      unitOf[copy] = unit;
      // It needs nothing that the kernel computes.
      units[unit].ops.insert(units[unit].ops.begin(), copy);
      for (OpOperand *use : uses)
        use->set(copy->getResult(0));
    }
    if (!op.use_empty())
      continue;
    llvm::erase(units[home].ops, &op);
    if (units[home].ops.empty())
      units[home] = Unit();
    position.erase(&op);
    unitOf.erase(&op);
    op.erase();
  }
}

/// The units in an order that respects dependences and, where these leave a
/// choice, the program.
SmallVector<unsigned> KernelFormer::orderUnits() {
  std::vector<llvm::SetVector<unsigned>> predecessors(units.size());
  std::vector<SmallVector<unsigned>> successors(units.size());
  for (auto [index, unit] : llvm::enumerate(units)) {
    predecessors[index].insert_range(getWaits(index));
    for (Operation *op : unit.ops)
      if (op->hasTrait<OpTrait::IsTerminator>())
        for (unsigned other = 0; other < index; ++other)
          predecessors[index].insert(other);
    predecessors[index].remove(index);
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

  // What comes in from outside, seen through duplicated ops.
  llvm::SetVector<Value> inputs;
  llvm::SetVector<Operation *> duplicated;
  for (Operation *op : unit.ops)
    for (Value operand : op->getOperands()) {
      Operation *def = operand.getDefiningOp();
      if (def && members.contains(def))
        continue;
      if (inlines && def && isDuplicatedIn(def, op)) {
        duplicated.insert(def);
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

  // Something must move along every dimension of the domain: where all inputs
  // are broadcast and all results are reductions, a member is written out.
  auto spansDomain = [&] {
    llvm::SmallBitVector moving(unit.domain.size());
    for (auto [dim, extent] : llvm::enumerate(unit.domain))
      moving[dim] = extent == 1;
    for (Operation *op : duplicated)
      if (auto read = dyn_cast<StridedReadOpInterface>(op))
        moving |= getMovingDims(read);
    auto hasDomain = [&](Value value) {
      return cast<BlobType>(value.getType()).getShape() ==
             ArrayRef<int64_t>(unit.domain);
    };
    for (Operation *op : unit.ops)
      if (llvm::any_of(op->getOperands(), [&](Value operand) {
            return inputs.contains(operand) && hasDomain(operand);
          }))
        return true;
    return moving.all() || llvm::any_of(outputs, [&](Value value) {
             return hasDomain(value) &&
                    !isa<ReductionKernelOpInterface>(value.getDefiningOp());
           });
  };
  if (unit.reducedAxes && !spansDomain())
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
  for (Operation *op : duplicated)
    inner.clone(*op, mapping);
  for (Operation *op : unit.ops)
    inner.clone(*op, mapping);
  YieldOp::create(inner, loc, llvm::map_to_vector(outputs, [&](Value value) {
                    return mapping.lookup(value);
                  }));
  for (auto [output, result] : llvm::zip(outputs, kernel.getResults()))
    output.replaceUsesWithIf(result, [&](OpOperand &use) {
      // Kernels that are built later still look for the duplicated op.
      Operation *def = output.getDefiningOp(), *user = use.getOwner();
      return !(isDuplicatedIn(def, user) && joinsKernel(user));
    });
  return kernel;
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

static int64_t getBytes(Value value) {
  return cast<BlobType>(value.getType()).getBytes();
}

/// Says which ops a kernel has and what that saves.
void KernelFormer::explainKernel(const Unit &unit) {
  auto remark = explainDone(unit.ops.back()->getLoc(), ExplainCategory::Fusion,
                            func.getSymName());
  if (!remark)
    return;
  int64_t written = 0, read = 0;
  for (Operation *op : unit.ops)
    for (Value result : op->getResults()) {
      bool neededOutside = false;
      llvm::SmallPtrSet<Operation *, 4> readers;
      for (Operation *user : result.getUsers()) {
        if (!llvm::is_contained(unit.ops, user))
          neededOutside = true;
        else if (readers.insert(user).second)
          read += getBytes(result);
      }
      written += neededOutside ? 0 : getBytes(result);
    }
  auto names = llvm::map_range(unit.ops, describeOp);
  remark << std::to_string(unit.ops.size()) << " ops run as one kernel over "
         << joinNumbers(unit.domain, "x") << ", which saves writing "
         << formatDigits(written) << " and reading " << formatDigits(read)
         << " bytes: " << llvm::join(names, ", ");
}

/// Says why `user` does not run in the kernel that makes its operand.
void KernelFormer::explainEdge(Operation *def, Operation *user) {
  unsigned indexA = unitOf.lookup(def), indexB = unitOf.lookup(user);
  const Unit &a = units[indexA], &b = units[indexB];
  auto remark =
      explainMissed(user->getLoc(), ExplainCategory::Fusion, func.getSymName());
  if (!remark)
    return;
  remark << user->getName().stripDialect() << " is not fused with "
         << describeOp(def) << ": ";
  // Of two units that have loops of one kind, what the others are is told.
  Operation *other = isFusible(def) ? user : def;
  Obstacle obstacle = findObstacle(indexA, indexB);
  switch (obstacle.kind) {
  case Obstacle::None:
    if (fuse)
      remark << "a path between them was removed only by later fusion";
    else
      remark << "fusion is off";
    break;
  case Obstacle::NoScalars:
    if (auto call = dyn_cast<LibraryCallOpInterface>(other);
        call && !units[unitOf.lookup(other)].isKernel)
      remark << describeOp(other) << " is a call of "
             << call.getLibraryCall().callee;
    else
      remark << describeOp(other) << " has loops of its own";
    break;
  case Obstacle::Domains:
    remark << "its iteration space is " << joinNumbers(b.domain, "x")
           << " and not " << joinNumbers(a.domain, "x");
    break;
  case Obstacle::ReducedAxes:
    remark << "it reduces axes " << joinNumbers(*b.reducedAxes, ", ")
           << " and the other " << joinNumbers(*a.reducedAxes, ", ");
    break;
  case Obstacle::NeedsReduction:
    remark << "it needs the finished reduction";
    break;
  case Obstacle::Path:
    remark << "a path leads from one to the other through "
           << describeOp(obstacle.through);
    break;
  }
  int64_t bytes = 0;
  for (Value result : def->getResults())
    if (llvm::is_contained(result.getUsers(), user))
      bytes += getBytes(result);
  remark << "; " << formatDigits(bytes) << " bytes go through memory";
}

/// Explains all units, once they are final.
void KernelFormer::explainUnits() {
  if (!func.getContext()->getRemarkEngine())
    return;
  llvm::SmallSet<std::pair<unsigned, unsigned>, 16> told;
  for (Operation &op : block) {
    unsigned index = unitOf.lookup(&op);
    const Unit &unit = units[index];
    if (unit.isKernel && unit.ops.size() > 1 && unit.ops.back() == &op)
      explainKernel(unit);
    bool isWork = isa<ScalarKernelOpInterface, ReductionKernelOpInterface,
                      LoopKernelOpInterface, DecomposableOpInterface,
                      LibraryCallOpInterface>(op);
    for (Value operand : op.getOperands()) {
      Operation *def = operand.getDefiningOp();
      if (!def || !isWork || unitOf.lookup(def) == index)
        continue;
      // A decision there is where one of both could be in a fused kernel, and
      // the other computes something.
      bool isDecision = (isFusible(def) || isFusible(&op)) &&
                        isa<ScalarKernelOpInterface, ReductionKernelOpInterface,
                            LoopKernelOpInterface, DecomposableOpInterface,
                            LibraryCallOpInterface>(def);
      if (isDecision && told.insert({unitOf.lookup(def), index}).second)
        explainEdge(def, &op);
    }
  }
}

unsigned KernelFormer::run() {
  // A kernel is there for its results.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
  if (fuse)
    copyMasksToUses();
  orderAccesses();
  assignUnits();
  if (fuse) {
    moveToOnlyUser();
    duplicateCheapOps();
  }
  waitsOf.clear();
  latest.clear();
  explainUnits();

  // A strided read that somebody outside of the kernels needs is computed by a
  // kernel of its own; the kernels keep their copies. So is a large constant,
  // which would have to be carried in the artifact. Zeros are cheaper still:
  // they are filled in.
  auto isWorthComputing = [](ConstantOp constant) {
    std::optional<double> splat = constant.getSplat();
    return splat && *splat != 0 &&
           cast<BlobType>(constant.getResult().getType()).getBytes() >
               kMaxConstantBytes;
  };
  for (Operation &op : block) {
    auto constant = dyn_cast<ConstantOp>(op);
    if (!isa<StridedReadOpInterface>(op) &&
        !(constant && isWorthComputing(constant)))
      continue;
    bool neededOutside = llvm::any_of(op.getUsers(), [&](Operation *user) {
      // The copy of a broadcast of a broadcast reads the inner one.
      return !joinsKernel(user) || !isDuplicatedIn(&op, user);
    });
    if (neededOutside) {
      Unit &unit = units[unitOf[&op]];
      unit.isKernel = true;
      unit.domain.assign(getDomain(&op).begin(), getDomain(&op).end());
    }
  }

  SmallVector<unsigned> order = orderUnits();
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
    if (isDuplicated(&op) && op.use_empty())
      op.erase();
  return numKernels;
}

namespace {

struct FormKernelsPass : public job::impl::JobFormKernelsBase<FormKernelsPass> {
  using JobFormKernelsBase::JobFormKernelsBase;

  void runOnOperation() override {
    FuncOp func = getOperation();
    Block &block = func.getBody().front();
    numKernels += KernelFormer(func, block, fuse).run();
    for (auto loop : block.getOps<MicroStepsOp>())
      numKernels += KernelFormer(func, loop.getBody().front(), fuse).run();
  }
};

} // namespace
