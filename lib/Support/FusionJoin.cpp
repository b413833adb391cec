//===- FusionJoin.cpp - Whether two units of the fusion planner join ------===//
//
// The units are kept in a topological order. Whether a path leads from one to
// another is searched from both ends among the units that lie between the two
// in that order; where two units join, those that the search has found move to
// the other side. Most paths are long: from a layer through the loss to the
// gradient of the layer. These are found without a search, from what is known
// of one chain of ops that never join, the longest of the graph.
//
//===----------------------------------------------------------------------===//

#include "FusionPlanner.h"

#include <algorithm>

using namespace mlir::job;
using llvm::ArrayRef;
using llvm::SmallVector;

/// A search for a path ends after this many steps from either end, and the
/// units that it is about do not join: few searches are that long, and those
/// that are would make the effort quadratic.
static constexpr unsigned kMaxSearchSteps = 1 << 14;

//===----------------------------------------------------------------------===//
// Paths
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

//===----------------------------------------------------------------------===//
// Two units
//===----------------------------------------------------------------------===//

/// Whether an op of one unit uses a reduction of the other.
bool FusionPlanner::usesReduction(unsigned a, unsigned b) {
  if (units[a].numReductions + units[b].numReductions == 0)
    return false;
  if (units[a].nodes.size() > units[b].nodes.size())
    std::swap(a, b);
  numSteps += units[a].nodes.size();
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
bool FusionPlanner::goOverRowsAgain(unsigned a, unsigned b) {
  if (units[a].numReductions + units[b].numReductions == 0)
    return false;
  numSteps += units[a].nodes.size() + units[b].nodes.size();
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

/// Whether an access broadcasts rows of `source` for a member of a kernel, and
/// both are one kernel, or can be: then the kernel has what it needs inside.
bool FusionPlanner::isInside(unsigned access, unsigned user,
                             unsigned source) const {
  const FusionOp &op = getOp(access);
  unsigned broadcast =
      nodes[access].operands.empty() ? kNone : nodes[access].operands[0];
  if (!op.axes || broadcast == kNone || nodes[broadcast].unit != source ||
      getOp(user).role != FusionRole::Scalar)
    return false;
  unsigned unit = nodes[user].unit;
  const Unit &kernel = units[units[unit].reducedAxes ? unit : source];
  return unit == source ||
         (units[source].fuses && units[unit].fuses && kernel.allowsFollowers &&
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
  return hasNoPath(a, b);
}

/// Whether no path leads from one unit through others to the other.
bool FusionPlanner::hasNoPath(unsigned a, unsigned b) {
  if (!order.isBefore(a, b))
    std::swap(a, b);
  return units[a].firstAfter > units[b].lastBefore && !findPath(a, b);
}

/// Makes one unit of two, right after hasNoPath().
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
  to.isKernel |= from.isKernel;
  to.goesOverRows |= from.goesOverRows;
  to.fuses &= from.fuses;
  if (to.reducedAxes && from.reducedAxes) {
    to.allowsFollowers &= from.allowsFollowers;
  } else if (from.reducedAxes) {
    to.domain = from.domain;
    to.reducedAxes = from.reducedAxes;
    to.allReducedAxes = from.allReducedAxes;
    to.rows = from.rows;
    to.allowsFollowers = from.allowsFollowers;
  }
  to.numReductions += from.numReductions;
  to.overwrites |= from.overwrites;
  to.lastBefore = std::max(to.lastBefore, from.lastBefore);
  to.firstAfter = std::min(to.firstAfter, from.firstAfter);
  from = Unit();
}

/// Makes the kernels whose ops are given.
void FusionPlanner::joinFixedKernels() {
  llvm::DenseMap<unsigned, unsigned> firstOf;
  SmallVector<unsigned> parts;
  for (unsigned node = 0, e = nodes.size(); node < e; ++node) {
    std::optional<unsigned> kernel = getOp(node).fixedKernel;
    if (!kernel)
      continue;
    parts.push_back(node);
    unsigned first = firstOf.try_emplace(*kernel, node).first->second;
    if (first != node && canJoin(nodes[first].unit, nodes[node].unit))
      join(nodes[first].unit, nodes[node].unit);
  }
  for (unsigned node : parts) {
    Unit &unit = units[nodes[node].unit];
    unit.fuses = false;
    unit.fixedKernel = getOp(node).fixedKernel;
  }
}
