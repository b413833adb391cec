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
// compute with the numbers of rows, and with what broadcasts them along the
// rows.
//
// Where kernels take long to start, an op that goes over rows, such as a
// normalisation, takes the scalar ops around it into its kernel.
//
// Then kernels join that do not use each other, and at last ops are moved or
// copied to their users.
// FusionPlanner.h lists the files of these steps.
//
//===----------------------------------------------------------------------===//

#include "FusionPlanner.h"

#include <algorithm>
#include <cassert>
#include <queue>

using namespace mlir::job;
using llvm::SmallVector;

bool FusionOp::allowsFollowers(const TargetCosts &costs) const {
  if (rowBytes == 0 || rowBytes > costs.cachedBytes)
    return false;
  // The kernel runs on one core for each row: it has as many rows as there are
  // cores, or as it has chunks.
  return numRows >= costs.cores || rowBytes <= costs.chunkBytes;
}

void FusionPlanner::joinOperandUnits(unsigned node) {
  // Grows: the operands of a mask that joins count too, and what an access
  // broadcasts.
  SmallVector<unsigned, 2> operands = nodes[node].operands;
  for (unsigned i = 0; i < operands.size(); ++i) {
    unsigned operand = operands[i];
    if (operand == kNone)
      continue;
    if (isAccess(operand) && getOp(operand).axes)
      operands.append(nodes[operand].operands);
    unsigned current = nodes[node].unit, other = nodes[operand].unit;
    if (other == current ||
        !(canJoin(current, other) || canJoinRows(current, other)))
      continue;
    if (isMask(nodes[operand].op))
      operands.append(nodes[operand].operands);
    join(current, other);
  }
}

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
    joinFixedKernels();
    for (unsigned node = 0, e = nodes.size(); node < e; ++node)
      if (takesOthers(node) ||
          (getOp(node).isFusible() && !isMask(nodes[node].op)))
        joinOperandUnits(node);
    joinSiblings();
    joinSmallKernels();
    joinRows();
    moveToOnlyUsers();
    copyToUsers();
    moveToProducers();
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
