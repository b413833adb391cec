//===- Fusion.cpp - Which ops run as one kernel ---------------------------===//
//
// Greedy fusion in program order. A group is a set of ops that share one
// iteration space, the *domain*: scalar ops whose result has the domain's
// shape, and reductions whose operand has it. An op joins the groups of its
// operands when no path leads from a group out through another op and back to
// it.
//
// What needs a reduction joins as well where this saves memory traffic: the
// kernel then goes over each row again while the row is in a cache. It may
// compute with the numbers of rows, and with what repeats them along the rows.
//
// The groups are kept in a topological order. Whether a path leads from one to
// another is searched from both ends among the groups that lie between the two
// in that order; where two groups join, those that the search has found move to
// the other side. Most paths are long: from a layer through the loss to the
// gradient of the layer. These are found without a search, from what is known
// of one chain of ops that never join, the longest of the graph.
//
// Then reductions of one iteration space join that read the same blobs: each of
// these is read once for all. Kernels so small that starting them takes longer
// than running them join others that wait for the same. At last an op that is
// computed from what is in memory moves to its only user, or is copied to each
// of its users.
//
//===----------------------------------------------------------------------===//

#include "JobDialect/Support/Fusion.h"

#include "OrderedList.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetOperations.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <queue>

using namespace mlir::job;
using llvm::ArrayRef;
using llvm::SmallVector;

/// A search for a path ends after this many steps from either end, and the
/// units that it is about do not join: few searches are that long, and those
/// that are would make the effort quadratic.
static constexpr unsigned kMaxSearchSteps = 1 << 14;

/// A row of up to this size stays in a second-level cache from one pass over it
/// to the next, with what else the kernel reads and writes.
static constexpr int64_t kMaxRowBytes = 256 << 10;

/// A kernel with a reduction that others of its ops need runs on one core for
/// each row. It has this many rows, or as many as it has such amounts of data,
/// which are worth a core.
static constexpr int64_t kMinRows = 64, kMinBytesOfCore = 64 << 10;

/// A kernel whose results have up to this many bytes runs for less time than it
/// takes to start it. Up to this many ops join in one such kernel, so that
/// large jobs have several that are alike, and code is generated for one of
/// them.
static constexpr int64_t kMaxSmallBytes = 64;
static constexpr unsigned kMaxSmallOps = 128;

/// Reductions of kernels that join since they read the same blobs: a kernel has
/// some accumulators for each of them in registers.
static constexpr unsigned kMaxSiblings = 4;

static constexpr unsigned kNone = ~0u;

bool mlir::job::isCopiedInto(const FusionOp &maker, const FusionOp &user) {
  if (maker.role != FusionRole::Access)
    return false;
  return user.role != FusionRole::Reduction || maker.spansDomain;
}

bool FusionOp::allowsFollowers() const {
  if (rowBytes == 0 || rowBytes > kMaxRowBytes)
    return false;
  return numRows >= kMinRows || rowBytes <= kMinBytesOfCore;
}

namespace {

/// An op, or one of its copies. Nodes are numbered in program order, except for
/// copies that are made when all have joined. A node that has been replaced by
/// copies is in no unit.
struct Node {
  unsigned op;
  /// One an operand of the op: the node that defines it, or kNone.
  SmallVector<unsigned, 2> operands;
  /// Nodes that must run before this one.
  SmallVector<unsigned, 2> waits;
  /// Nodes that have this one among their operands, each once.
  SmallVector<unsigned, 2> users;
  /// Nodes that wait for this one.
  SmallVector<unsigned, 2> followers;
  unsigned unit = kNone;
};

/// Nodes that run as one: a kernel, or a single op that stays as it is.
struct Unit {
  SmallVector<unsigned, 2> nodes;
  bool isKernel = false;
  /// Whether it is a kernel of scalar ops and reductions.
  bool fuses = false;
  unsigned domain = 0;
  /// Axes that the reductions of the unit reduce, all the same, what is left of
  /// the domain, and whether other members may need a reduction.
  std::optional<unsigned> reducedAxes;
  unsigned allReducedAxes = 0;
  unsigned rows = 0;
  bool allowsFollowers = false;
  /// Whether one of the nodes overwrites an operand.
  bool overwrites = false;
  /// The last op of the chain from which a path leads to the unit, and the
  /// first to which a path leads from it.
  unsigned lastBefore = 0, firstAfter = kNone;
};

class FusionPlanner {
public:
  FusionPlanner(const FusionProblem &problem, bool fuse)
      : problem(problem), fuse(fuse) {}

  FusionPlan run();

  /// Number of visits of ops and dependences.
  size_t getNumSteps() const { return numSteps; }

private:
  const FusionOp &getOp(unsigned node) const {
    return problem.ops[nodes[node].op];
  }
  bool isAccess(unsigned node) const {
    return node != kNone && getOp(node).role == FusionRole::Access;
  }
  /// Whether the node is a member of a kernel that has copies of accesses.
  bool joinsKernel(unsigned node) const {
    return units[nodes[node].unit].fuses && getOp(node).isFusible();
  }

  bool isMask(unsigned op) const;
  unsigned addNode(unsigned op);
  void waitFor(unsigned node, unsigned other);
  void setOperands(unsigned node, ArrayRef<unsigned> operands);
  auto getUsers(unsigned node) const {
    return llvm::make_filter_range(nodes[node].users, [this](unsigned user) {
      return nodes[user].unit != kNone;
    });
  }
  void replaceOperand(unsigned user, unsigned operand, unsigned replacement);
  void buildNodes();
  void buildUnits();
  void findChain();
  void joinOperandUnits(unsigned node);
  llvm::DenseSet<unsigned> findReadBlobs(unsigned unit) const;
  bool areSiblings(unsigned a, unsigned b);
  void joinSiblings();
  void joinSmallKernels();
  bool findPath(unsigned first, unsigned second);
  bool usesReduction(unsigned a, unsigned b) const;
  bool goOverRowsAgain(unsigned a, unsigned b) const;
  bool isInside(unsigned access, unsigned user, unsigned source) const;
  bool isBesideRows(unsigned unit, unsigned kernel) const;
  bool canJoin(unsigned a, unsigned b);
  void join(unsigned a, unsigned b);
  void leave(unsigned node);
  void enter(unsigned node, unsigned unit);

  bool readsVariable(unsigned access) const;
  SmallVector<unsigned> findPartForUser(unsigned node, unsigned user) const;
  void moveToOnlyUsers();
  bool isCheapFromMemory(unsigned node) const;
  void copyToUsers();
  void shareMasks();
  void formAccessKernels();
  FusionPlan buildPlan();

  const FusionProblem &problem;
  bool fuse;
  std::vector<Node> nodes;
  std::vector<Unit> units;
  /// For each op its node; kNone for a mask that only kernels use.
  std::vector<unsigned> nodeOf;
  OrderedList order;

  /// One of the two ends that a path is searched from.
  struct Side {
    void start(unsigned unit);
    /// The unit whose edges are followed: the end, then those found.
    unsigned getUnit() const { return numDone ? units[numDone - 1] : end; }
    bool isComplete() const { return numDone > units.size(); }

    unsigned end = 0;
    /// The units found, and how many of these and the end are done.
    SmallVector<unsigned> units;
    unsigned numDone = 0;
    /// The next edge of the unit that is not done.
    unsigned node = 0, edge = 0;
    /// For each unit the number of the last search that has found it.
    std::vector<unsigned> metIn;
  };
  bool followEdge(Side &side, const Side &other);

  /// The last search: what follows the first unit, and what the second waits
  /// for.
  Side fromFirst, fromSecond;
  unsigned numSearches = 0;
  size_t numSteps = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Nodes and units
//===----------------------------------------------------------------------===//

/// Whether each user in a kernel has a copy of its own. What is computed from
/// such an op is not copied as well, so that the copies are no more than the
/// operands.
bool FusionPlanner::isMask(unsigned op) const {
  auto isRepeated = [&](unsigned other) {
    return problem.ops[other].repetition == Repetition::AtUse;
  };
  return fuse && isRepeated(op) &&
         llvm::none_of(problem.ops[op].operands,
                       [&](const FusionOp::Operand &operand) {
                         return operand.maker && isRepeated(*operand.maker);
                       });
}

/// Makes a node for an op, behind those for the masks that it uses.
unsigned FusionPlanner::addNode(unsigned op) {
  SmallVector<unsigned, 2> operands;
  llvm::SmallVector<std::pair<unsigned, unsigned>, 2> masks;
  for (const FusionOp::Operand &operand : problem.ops[op].operands) {
    if (!operand.maker) {
      operands.push_back(kNone);
      continue;
    }
    unsigned maker = *operand.maker;
    if (!isMask(maker) || !problem.ops[op].isFusible()) {
      operands.push_back(nodeOf[maker]);
      continue;
    }
    auto it = llvm::find_if(
        masks, [&](const auto &entry) { return entry.first == maker; });
    if (it == masks.end())
      it = masks.insert(it, {maker, addNode(maker)});
    operands.push_back(it->second);
  }
  unsigned number = nodes.size();
  Node &node = nodes.emplace_back();
  node.op = op;
  for (unsigned other : problem.ops[op].after)
    waitFor(number, nodeOf[other]);
  setOperands(number, operands);
  return number;
}

void FusionPlanner::waitFor(unsigned node, unsigned other) {
  if (llvm::is_contained(nodes[node].waits, other))
    return;
  nodes[node].waits.push_back(other);
  nodes[other].followers.push_back(node);
}

void FusionPlanner::setOperands(unsigned node, ArrayRef<unsigned> operands) {
  nodes[node].operands.assign(operands.begin(), operands.end());
  for (unsigned operand : operands) {
    if (operand == kNone)
      continue;
    waitFor(node, operand);
    // A node sets its operands once: equal ones follow one another.
    SmallVector<unsigned, 2> &users = nodes[operand].users;
    if (users.empty() || users.back() != node)
      users.push_back(node);
  }
}

/// Lets a user take another operand, as long as no paths are searched any more.
void FusionPlanner::replaceOperand(unsigned user, unsigned operand,
                                   unsigned replacement) {
  llvm::replace(nodes[user].operands, operand, replacement);
  llvm::replace(nodes[user].waits, operand, replacement);
  nodes[replacement].users.push_back(user);
}

void FusionPlanner::buildNodes() {
  // Masks that only kernels use have no node but those of the users.
  enum : uint8_t { Unused, InKernels, InMemory };
  std::vector<uint8_t> uses(problem.ops.size(), Unused);
  for (const FusionOp &op : problem.ops)
    for (const FusionOp::Operand &operand : op.operands)
      if (operand.maker)
        uses[*operand.maker] = std::max<uint8_t>(
            uses[*operand.maker], op.isFusible() ? InKernels : InMemory);
  nodeOf.assign(problem.ops.size(), kNone);
  for (unsigned op = 0; op < problem.ops.size(); ++op)
    if (uses[op] != InKernels || !isMask(op))
      nodeOf[op] = addNode(op);
}

void FusionPlanner::buildUnits() {
  for (const Node &node : nodes)
    numSteps += 1 + node.waits.size();
  units.resize(nodes.size());
  for (unsigned number = 0; number < nodes.size(); ++number) {
    const FusionOp &op = getOp(number);
    nodes[number].unit = number;
    Unit &unit = units[number];
    unit.nodes.push_back(number);
    unit.isKernel = op.isFusible() || op.role == FusionRole::Alone;
    // A mask in memory is alone, so that all may wait for it.
    unit.fuses = op.isFusible() && !(isMask(nodes[number].op) &&
                                     nodeOf[nodes[number].op] == number);
    unit.domain = op.domain;
    unit.overwrites = op.overwrites;
    if (op.role == FusionRole::Reduction) {
      unit.reducedAxes = op.axes;
      unit.allReducedAxes = op.allAxes;
      unit.rows = op.rows;
      unit.allowsFollowers = op.allowsFollowers();
    }
  }
  order.assign(units.size());
  fromFirst.metIn.assign(units.size(), 0);
  fromSecond.metIn.assign(units.size(), 0);
}

/// Finds the longest chain of ops outside of the kernels, and how it is
/// connected with all nodes.
void FusionPlanner::findChain() {
  auto isLink = [&](unsigned node) {
    FusionRole role = getOp(node).role;
    return (role == FusionRole::Outside || role == FusionRole::Alone) &&
           !nodes[node].waits.empty();
  };
  // The number of such nodes on the longest path to each node, and the node
  // before it on that path.
  std::vector<unsigned> depth(nodes.size(), 0), before(nodes.size(), kNone);
  unsigned deepest = kNone;
  for (unsigned number = 0; number < nodes.size(); ++number) {
    for (unsigned other : nodes[number].waits)
      if (before[number] == kNone || depth[other] > depth[number]) {
        depth[number] = depth[other];
        before[number] = other;
      }
    if (!isLink(number))
      continue;
    ++depth[number];
    if (deepest == kNone || depth[number] > depth[deepest])
      deepest = number;
  }
  // Counted from 1; 0 is before the chain.
  for (unsigned node = deepest; node != kNone; node = before[node])
    if (isLink(node))
      units[node].lastBefore = units[node].firstAfter = depth[node];
  for (unsigned number = 0; number < nodes.size(); ++number)
    for (unsigned other : nodes[number].waits)
      units[number].lastBefore =
          std::max(units[number].lastBefore, units[other].lastBefore);
  for (unsigned number = nodes.size(); number-- > 0;)
    for (unsigned other : nodes[number].waits)
      units[other].firstAfter =
          std::min(units[other].firstAfter, units[number].firstAfter);
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

/// Starts at the edges of a unit.
void FusionPlanner::Side::start(unsigned unit) {
  end = unit;
  units.clear();
  numDone = node = edge = 0;
}

/// Follows one edge from a unit that this side has found, and adds the unit
/// that it leads to if that lies between the two ends. Returns whether this
/// closes a path.
bool FusionPlanner::followEdge(Side &side, const Side &other) {
  bool isForward = &side == &fromFirst;
  unsigned from = side.getUnit(), node = units[from].nodes[side.node];
  ArrayRef<unsigned> edges =
      isForward ? nodes[node].followers : nodes[node].waits;
  ++numSteps;
  // On to the next edge, node or unit.
  if (side.edge == edges.size()) {
    side.edge = 0;
    if (++side.node == units[from].nodes.size()) {
      side.node = 0;
      ++side.numDone;
    }
    return false;
  }
  unsigned target = edges[side.edge++], unit = nodes[target].unit;
  unsigned access = isForward ? node : target;
  unsigned user = isForward ? target : node;
  if (isAccess(access) && (isInside(access, user, nodes[user].unit) ||
                           (nodes[user].unit == fromSecond.end &&
                            isInside(access, user, fromFirst.end))))
    return false;
  if (unit == other.end)
    return from != side.end;
  bool isBetween = isForward ? order.isBefore(unit, other.end)
                             : order.isBefore(other.end, unit);
  if (unit == side.end || !isBetween || side.metIn[unit] == numSearches)
    return false;
  side.metIn[unit] = numSearches;
  side.units.push_back(unit);
  return other.metIn[unit] == numSearches;
}

/// Searches for a path from one unit through others to a unit that comes later
/// in the order. If there is none, one of the sides has found all units between
/// the two that follow the first, or that the second waits for.
bool FusionPlanner::findPath(unsigned first, unsigned second) {
  ++numSearches;
  fromFirst.start(first);
  fromSecond.start(second);
  for (unsigned steps = 0; steps < kMaxSearchSteps; ++steps) {
    if (followEdge(fromFirst, fromSecond) || followEdge(fromSecond, fromFirst))
      return true;
    if (fromFirst.isComplete() || fromSecond.isComplete())
      return false;
  }
  return true;
}

/// Whether an op of one unit uses a reduction of the other.
bool FusionPlanner::usesReduction(unsigned a, unsigned b) const {
  if (units[a].nodes.size() > units[b].nodes.size())
    std::swap(a, b);
  auto isReductionOf = [&](unsigned node, unsigned unit) {
    return node != kNone && nodes[node].unit == unit &&
           getOp(node).role == FusionRole::Reduction;
  };
  for (unsigned node : units[a].nodes) {
    if (llvm::any_of(nodes[node].operands, [&](unsigned operand) {
          return isReductionOf(operand, b);
        }))
      return true;
    if (isReductionOf(node, a) &&
        llvm::any_of(nodes[node].users,
                     [&](unsigned user) { return nodes[user].unit == b; }))
      return true;
  }
  return false;
}

/// Whether two units of one domain, run as one, go over its rows again, as
/// members need numbers of the rows.
bool FusionPlanner::goOverRowsAgain(unsigned a, unsigned b) const {
  if (!units[a].reducedAxes && !units[b].reducedAxes)
    return false;
  auto isOfRows = [&](unsigned node) {
    return node != kNone && (nodes[node].unit == a || nodes[node].unit == b) &&
           (getOp(node).role == FusionRole::Reduction ||
            getOp(node).domain != units[a].domain);
  };
  auto needsRows = [&](unsigned node) {
    return llvm::any_of(nodes[node].operands, [&](unsigned operand) {
      return isOfRows(operand) ||
             (isAccess(operand) &&
              llvm::any_of(nodes[operand].operands, isOfRows));
    });
  };
  return llvm::any_of(units[a].nodes, needsRows) ||
         llvm::any_of(units[b].nodes, needsRows);
}

/// Whether an access repeats rows of `source` for a member of a kernel, and
/// both are one kernel, or can be: then the kernel has what it needs inside.
bool FusionPlanner::isInside(unsigned access, unsigned user,
                             unsigned source) const {
  const FusionOp &op = getOp(access);
  unsigned repeated =
      nodes[access].operands.empty() ? kNone : nodes[access].operands[0];
  if (!op.axes || repeated == kNone || nodes[repeated].unit != source ||
      getOp(user).role != FusionRole::Scalar)
    return false;
  unsigned unit = nodes[user].unit;
  const Unit &kernel = units[units[unit].reducedAxes ? unit : source];
  return unit == source ||
         (units[source].fuses && kernel.allowsFollowers &&
          !units[source].overwrites && !units[unit].overwrites &&
          kernel.reducedAxes == op.axes && kernel.domain == op.domain &&
          kernel.rows == op.rows);
}

/// Whether a unit computes with numbers of the rows of a kernel.
bool FusionPlanner::isBesideRows(unsigned unit, unsigned kernel) const {
  return units[kernel].allowsFollowers && !units[unit].reducedAxes &&
         units[kernel].rows == units[unit].domain;
}

/// Whether two units can run as one.
bool FusionPlanner::canJoin(unsigned a, unsigned b) {
  const Unit &unitA = units[a], &unitB = units[b];
  if (!unitA.fuses || !unitB.fuses)
    return false;
  if (unitA.domain == unitB.domain) {
    if (unitA.reducedAxes && unitB.reducedAxes &&
        unitA.allReducedAxes != unitB.allReducedAxes)
      return false;
    if (usesReduction(a, b))
      return false;
    if ((unitA.overwrites || unitB.overwrites) && goOverRowsAgain(a, b))
      return false;
  } else if (unitA.overwrites || unitB.overwrites ||
             (!isBesideRows(a, b) && !isBesideRows(b, a))) {
    return false;
  }
  if (!order.isBefore(a, b))
    std::swap(a, b);
  return units[a].firstAfter > units[b].lastBefore && !findPath(a, b);
}

/// Makes one unit of two, right after canJoin().
void FusionPlanner::join(unsigned a, unsigned b) {
  unsigned first = a, second = b;
  if (!order.isBefore(first, second))
    std::swap(first, second);
  auto isBefore = [&](unsigned x, unsigned y) { return order.isBefore(x, y); };
  // Where the joined unit stands.
  unsigned place = fromFirst.isComplete() ? second : first;
  if (fromFirst.isComplete()) {
    llvm::sort(fromFirst.units, isBefore);
    order.moveAfter(fromFirst.units, second);
  } else {
    llvm::sort(fromSecond.units, isBefore);
    order.moveBefore(fromSecond.units, first);
  }

  unsigned target = a, source = b;
  if (units[target].nodes.size() < units[source].nodes.size())
    std::swap(target, source);
  if (target != place)
    order.moveAfter(target, place);
  Unit &to = units[target], &from = units[source];
  for (unsigned node : from.nodes)
    nodes[node].unit = target;
  llvm::append_range(to.nodes, from.nodes);
  numSteps += from.nodes.size();
  if (to.reducedAxes && from.reducedAxes) {
    to.allowsFollowers &= from.allowsFollowers;
  } else if (from.reducedAxes) {
    to.domain = from.domain;
    to.reducedAxes = from.reducedAxes;
    to.allReducedAxes = from.allReducedAxes;
    to.rows = from.rows;
    to.allowsFollowers = from.allowsFollowers;
  }
  to.overwrites |= from.overwrites;
  to.lastBefore = std::max(to.lastBefore, from.lastBefore);
  to.firstAfter = std::min(to.firstAfter, from.firstAfter);
  from = Unit();
}

void FusionPlanner::joinOperandUnits(unsigned node) {
  // Grows: the operands of a mask that joins count too, and what an access
  // repeats.
  SmallVector<unsigned, 2> operands = nodes[node].operands;
  for (unsigned i = 0; i < operands.size(); ++i) {
    unsigned operand = operands[i];
    if (operand == kNone)
      continue;
    if (isAccess(operand) && getOp(operand).axes)
      operands.append(nodes[operand].operands);
    unsigned current = nodes[node].unit, other = nodes[operand].unit;
    if (other == current || !canJoin(current, other))
      continue;
    if (isMask(nodes[operand].op))
      operands.append(nodes[operand].operands);
    join(current, other);
  }
}

/// The blobs that a unit reads from memory, also through accesses.
llvm::DenseSet<unsigned> FusionPlanner::findReadBlobs(unsigned unit) const {
  llvm::DenseSet<unsigned> blobs;
  for (unsigned node : units[unit].nodes)
    for (auto [described, operand] :
         llvm::zip_equal(getOp(node).operands, nodes[node].operands)) {
      if (isAccess(operand))
        for (const FusionOp::Operand &inner : getOp(operand).operands)
          blobs.insert(inner.blob);
      else if (operand == kNone || nodes[operand].unit != unit)
        blobs.insert(described.blob);
    }
  return blobs;
}

/// Whether one of two kernels with reductions reads nothing that the other does
/// not read. Run as one, they keep no operand alive for longer.
bool FusionPlanner::areSiblings(unsigned a, unsigned b) {
  unsigned numReductions = 0;
  for (unsigned unit : {a, b}) {
    numSteps += units[unit].nodes.size();
    numReductions += llvm::count_if(units[unit].nodes, [&](unsigned node) {
      return getOp(node).role == FusionRole::Reduction;
    });
  }
  if (numReductions > kMaxSiblings)
    return false;
  llvm::DenseSet<unsigned> ofA = findReadBlobs(a), ofB = findReadBlobs(b);
  if (ofA.size() < ofB.size())
    std::swap(ofA, ofB);
  return llvm::set_is_subset(ofB, ofA);
}

/// Joins kernels that reduce the same axes of one domain and read the same blob
/// of that domain.
void FusionPlanner::joinSiblings() {
  // By blob, domain and axes, a node of the last kernel.
  using Key = std::tuple<unsigned, unsigned, unsigned>;
  std::map<Key, unsigned> kernels;
  for (unsigned node = 0, e = nodes.size(); node < e; ++node) {
    for (auto [described, operand] :
         llvm::zip_equal(getOp(node).operands, nodes[node].operands)) {
      unsigned current = nodes[node].unit;
      const Unit &unit = units[current];
      if (!unit.fuses || !unit.reducedAxes ||
          getOp(node).domain != unit.domain || isAccess(operand) ||
          (operand != kNone && nodes[operand].unit == current))
        continue;
      Key key(described.blob, unit.domain, unit.allReducedAxes);
      auto it = kernels.try_emplace(key, node).first;
      unsigned other = nodes[it->second].unit;
      if (other == current)
        continue;
      if (areSiblings(other, current) && canJoin(other, current))
        join(other, current);
      else
        it->second = node;
    }
  }
}

/// Joins small kernels that wait for the same op of the chain, so that none
/// runs later than it could.
void FusionPlanner::joinSmallKernels() {
  SmallVector<unsigned> small;
  for (const Unit &unit : units)
    if (unit.fuses && !unit.reducedAxes &&
        !isMask(nodes[unit.nodes.front()].op) &&
        llvm::all_of(unit.nodes, [&](unsigned node) {
          return getOp(node).bytes <= kMaxSmallBytes;
        }))
      small.push_back(unit.nodes.front());
  llvm::sort(small, [&](unsigned a, unsigned b) {
    return order.isBefore(nodes[a].unit, nodes[b].unit);
  });
  // By domain, op of the chain, and operand, a node of the kernel that others
  // join.
  using Key = std::tuple<unsigned, unsigned, unsigned>;
  std::map<Key, unsigned> kernels;
  auto joinKernel = [&](unsigned node, unsigned operand) {
    unsigned unit = nodes[node].unit;
    Key key(units[unit].domain, units[unit].lastBefore, operand);
    auto it = kernels.try_emplace(key, node).first;
    unsigned kernel = nodes[it->second].unit;
    if (kernel == unit)
      return;
    if (units[kernel].nodes.size() + units[unit].nodes.size() <= kMaxSmallOps &&
        canJoin(kernel, unit))
      join(kernel, unit);
    else
      it->second = node;
  };
  // First those that read the same: in one kernel they can overwrite it.
  for (unsigned node : small) {
    SmallVector<unsigned> operands;
    for (unsigned member : units[nodes[node].unit].nodes)
      llvm::copy_if(
          nodes[member].operands, std::back_inserter(operands),
          [&](unsigned other) { return other != kNone && !isAccess(other); });
    for (unsigned operand : operands)
      joinKernel(node, operand);
  }
  for (unsigned node : small)
    joinKernel(node, kNone);
}

//===----------------------------------------------------------------------===//
// Moving and copying what is computed from memory
//===----------------------------------------------------------------------===//

void FusionPlanner::leave(unsigned node) {
  Unit &unit = units[nodes[node].unit];
  unit.nodes.erase(llvm::find(unit.nodes, node));
  nodes[node].unit = kNone;
  if (unit.nodes.empty())
    unit = Unit();
}

void FusionPlanner::enter(unsigned node, unsigned unit) {
  nodes[node].unit = unit;
  units[unit].nodes.push_back(node);
}

/// Whether an access reads the memory of a variable.
bool FusionPlanner::readsVariable(unsigned access) const {
  return llvm::any_of(
      getOp(access).operands,
      [](const FusionOp::Operand &operand) { return operand.isVariable; });
}

/// The part of its kernel that makes the result of a node and nothing else, if
/// all that it needs is one blob of the kernel that is in memory anyway; empty
/// otherwise.
SmallVector<unsigned> FusionPlanner::findPartForUser(unsigned node,
                                                     unsigned user) const {
  unsigned home = nodes[node].unit;
  SmallVector<unsigned> part;
  std::optional<unsigned> source;
  // What the part needs; users come before what they use.
  std::priority_queue<unsigned> needed;
  needed.push(node);
  while (!needed.empty()) {
    unsigned member = needed.top();
    while (!needed.empty() && needed.top() == member)
      needed.pop();
    // Numbers of the rows stay with the reduction, updates where they are.
    bool isOnlyForPart = getOp(member).role == FusionRole::Scalar &&
                         !getOp(member).overwrites &&
                         getOp(member).domain == getOp(node).domain &&
                         llvm::all_of(getUsers(member), [&](unsigned other) {
                           return llvm::is_contained(part, other) ||
                                  (member == node && nodes[other].unit == user);
                         });
    if (!isOnlyForPart) {
      // What the kernel has to write for others may as well be read again.
      bool isInMemory = llvm::any_of(getUsers(member), [&](unsigned other) {
        return nodes[other].unit != home;
      });
      if (source || !isInMemory || getOp(member).bytes > getOp(node).bytes)
        return {};
      source = member;
      continue;
    }
    part.push_back(member);
    for (unsigned operand : nodes[member].operands) {
      if (isAccess(operand) && !readsVariable(operand))
        continue;
      if (operand == kNone || nodes[operand].unit != home)
        return {};
      needed.push(operand);
    }
  }
  return source ? part : SmallVector<unsigned>();
}

/// What a kernel computes from its own result for one later kernel alone, the
/// slope of an activation, for example, is computed there: the result is in
/// memory anyway, and the other blob need not be written, kept and read.
void FusionPlanner::moveToOnlyUsers() {
  for (unsigned node = nodes.size(); node-- > 0;) {
    const SmallVector<unsigned, 2> &users = nodes[node].users;
    if (!joinsKernel(node) || getOp(node).role != FusionRole::Scalar ||
        users.empty())
      continue;
    unsigned home = nodes[node].unit, user = nodes[users.front()].unit;
    if (user == home || units[user].domain != units[home].domain ||
        getOp(node).domain != units[home].domain ||
        !llvm::all_of(users, [&](unsigned other) {
          return nodes[other].unit == user && joinsKernel(other);
        }))
      continue;
    for (unsigned member : findPartForUser(node, user)) {
      leave(member);
      enter(member, user);
    }
  }
}

/// Whether an op has one operand that is in memory whatever else needs the
/// result; the others are accesses.
bool FusionPlanner::isCheapFromMemory(unsigned node) const {
  const FusionOp &op = getOp(node);
  if (op.repetition != Repetition::FromMemory || !joinsKernel(node))
    return false;
  unsigned numReads = 0;
  for (auto [described, operand] :
       llvm::zip_equal(op.operands, nodes[node].operands)) {
    if (isAccess(operand)) {
      if (readsVariable(operand))
        return false;
      continue;
    }
    if (described.isVariable ||
        (operand != kNone && nodes[operand].unit == nodes[node].unit))
      return false;
    ++numReads;
  }
  return numReads == 1;
}

/// Gives each kernel that needs a cheap value a copy of the op, if then no op
/// needs the value in memory.
void FusionPlanner::copyToUsers() {
  for (unsigned node = 0, e = nodes.size(); node < e; ++node) {
    if (!isCheapFromMemory(node))
      continue;
    unsigned home = nodes[node].unit;
    if (!llvm::all_of(getUsers(node), [&](unsigned user) {
          return joinsKernel(user) &&
                 units[nodes[user].unit].domain == getOp(node).domain;
        }))
      continue;
    llvm::MapVector<unsigned, SmallVector<unsigned>> usersIn;
    SmallVector<unsigned, 2> remaining;
    for (unsigned user : getUsers(node)) {
      if (nodes[user].unit == home)
        remaining.push_back(user);
      else
        usersIn[nodes[user].unit].push_back(user);
    }
    for (auto &[unit, users] : usersIn) {
      unsigned copy = nodes.size();
      nodes.emplace_back().op = nodes[node].op;
      setOperands(copy, SmallVector<unsigned, 2>(nodes[node].operands));
      enter(copy, unit);
      for (unsigned user : users)
        replaceOperand(user, node, copy);
    }
    nodes[node].users = remaining;
    if (remaining.empty() && !usersIn.empty())
      leave(node);
  }
}

/// Makes one of the copies of a mask that have not joined their users.
void FusionPlanner::shareMasks() {
  for (unsigned node = 0, e = nodes.size(); node < e; ++node) {
    unsigned &shared = nodeOf[nodes[node].op];
    if (!isMask(nodes[node].op) || node == shared ||
        units[nodes[node].unit].nodes.size() > 1)
      continue;
    if (shared == kNone) {
      shared = node;
      continue;
    }
    for (unsigned user : nodes[node].users)
      replaceOperand(user, node, shared);
    leave(node);
  }
}

/// An access that an op outside of the kernels needs is computed by a kernel of
/// its own; the kernels keep their copies.
void FusionPlanner::formAccessKernels() {
  for (unsigned node = 0, e = nodes.size(); node < e; ++node)
    if (isAccess(node) && getOp(node).isWorthKernel)
      units[nodes[node].unit].isKernel =
          llvm::any_of(getUsers(node), [&](unsigned user) {
            // The copy of a broadcast of a broadcast reads the inner one.
            return !joinsKernel(user) ||
                   !isCopiedInto(getOp(node), getOp(user));
          });
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

FusionPlan FusionPlanner::buildPlan() {
  // A valid order of the units, by their last ops.
  std::vector<unsigned> missing(units.size(), 0), lastOf(units.size(), 0);
  auto getLastOp = [&](unsigned unit) {
    unsigned last = 0;
    for (unsigned node : units[unit].nodes)
      last = std::max(last, nodes[node].op);
    return last;
  };
  std::vector<SmallVector<unsigned, 4>> followers(units.size());
  for (auto [index, unit] : llvm::enumerate(units)) {
    SmallVector<unsigned> waits;
    for (unsigned node : unit.nodes)
      for (unsigned wait : nodes[node].waits)
        if (unsigned other = nodes[wait].unit;
            other != index && !isInside(wait, node, index))
          waits.push_back(other);
    llvm::sort(waits);
    waits.erase(llvm::unique(waits), waits.end());
    missing[index] = waits.size();
    for (unsigned other : waits)
      followers[other].push_back(index);
    lastOf[index] = getLastOp(index);
  }

  FusionPlan plan;
  plan.groupOf.resize(problem.ops.size());
  using Entry = std::pair<unsigned, unsigned>; // last op, unit
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
  unsigned last = nodes[nodeOf.back()].unit;
  auto addGroup = [&](unsigned index) {
    FusionGroup &group = plan.groups.emplace_back();
    group.isKernel = units[index].isKernel;
    for (unsigned node : units[index].nodes) {
      group.ops.push_back(nodes[node].op);
      bool isNeeded = nodes[node].users.empty() ||
                      llvm::any_of(getUsers(node), [&](unsigned user) {
                        return nodes[user].unit != index;
                      });
      if (isNeeded)
        plan.groupOf[nodes[node].op] = plan.groups.size() - 1;
    }
    llvm::sort(group.ops);
    group.ops.erase(llvm::unique(group.ops), group.ops.end());
  };
  for (unsigned index = 0; index < units.size(); ++index)
    if (missing[index] == 0 && !units[index].nodes.empty() && index != last)
      ready.emplace(lastOf[index], index);
  while (!ready.empty()) {
    unsigned index = ready.top().second;
    ready.pop();
    addGroup(index);
    for (unsigned follower : followers[index])
      if (--missing[follower] == 0 && follower != last)
        ready.emplace(lastOf[follower], follower);
  }
  addGroup(last);
  assert(llvm::all_of(missing, [](unsigned count) { return count == 0; }) &&
         "groups depend on one another");
  return plan;
}

FusionPlan FusionPlanner::run() {
  buildNodes();
  buildUnits();
  if (fuse) {
    findChain();
    for (unsigned node = 0, e = nodes.size(); node < e; ++node)
      if (getOp(node).isFusible() && !isMask(nodes[node].op))
        joinOperandUnits(node);
    joinSiblings();
    joinSmallKernels();
    moveToOnlyUsers();
    copyToUsers();
    shareMasks();
  }
  formAccessKernels();
  return buildPlan();
}

FusionPlan mlir::job::planFusion(const FusionProblem &problem, bool fuse,
                                 size_t *steps) {
  if (problem.ops.empty())
    return {};
  FusionPlanner planner(problem, fuse);
  FusionPlan plan = planner.run();
  if (steps)
    *steps += planner.getNumSteps();
  return plan;
}
