//===- FusionGraph.cpp - Nodes and units of the fusion planner ------------===//

#include "FusionPlanner.h"

#include <algorithm>

using namespace mlir::job;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Finds the ops whose result an access reads.
void FusionPlanner::findAccessed() {
  isAccessed.assign(problem.ops.size(), false);
  for (const FusionOp &op : problem.ops)
    if (op.role == FusionRole::Access)
      for (const FusionOp::Operand &operand : op.operands)
        if (operand.producer)
          isAccessed[*operand.producer] = true;
}

/// Whether each user in a kernel has a copy of its own. What is computed from
/// such an op is not copied as well, so that the copies are no more than the
/// operands. A kernel with a copy and an access of the same op would take the
/// copy for what the access reads, which needs elements of other indices: an op
/// that is accessed has no copies.
bool FusionPlanner::isMask(unsigned op) const {
  auto isDuplicated = [&](unsigned other) {
    return problem.ops[other].duplication == Duplication::AtUse &&
           !isAccessed[other];
  };
  return fuse && isDuplicated(op) &&
         llvm::none_of(
             problem.ops[op].operands, [&](const FusionOp::Operand &operand) {
               return operand.producer && isDuplicated(*operand.producer);
             });
}

/// Makes a node for an op, behind those for the masks that it uses.
unsigned FusionPlanner::addNode(unsigned op) {
  SmallVector<unsigned, 2> operands;
  llvm::SmallVector<std::pair<unsigned, unsigned>, 2> masks;
  for (const FusionOp::Operand &operand : problem.ops[op].operands) {
    if (!operand.producer) {
      operands.push_back(kNone);
      continue;
    }
    unsigned producer = *operand.producer;
    if (!isMask(producer) || !problem.ops[op].isFusible()) {
      operands.push_back(nodeOf[producer]);
      continue;
    }
    auto it = llvm::find_if(
        masks, [&](const auto &entry) { return entry.first == producer; });
    if (it == masks.end())
      it = masks.insert(it, {producer, addNode(producer)});
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
  findAccessed();
  // Masks that only kernels use have no node but those of the users.
  enum : uint8_t { Unused, InKernels, InMemory };
  std::vector<uint8_t> uses(problem.ops.size(), Unused);
  for (const FusionOp &op : problem.ops)
    for (const FusionOp::Operand &operand : op.operands)
      if (operand.producer)
        uses[*operand.producer] = std::max<uint8_t>(
            uses[*operand.producer], op.isFusible() ? InKernels : InMemory);
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
    unit.goesOverRows = takesOthers(number);
    if (op.role == FusionRole::Reduction || unit.goesOverRows) {
      unit.numReductions = 1;
      unit.reducedAxes = op.axes;
      unit.allReducedAxes = op.allAxes;
      unit.rows = op.rows;
      unit.allowsFollowers = op.allowsFollowers(problem.costs);
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
    bool isApart = role == FusionRole::Outside ||
                   (role == FusionRole::Alone && !takesOthers(node));
    return isApart && !nodes[node].waits.empty();
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
