//===- FusionObstacle.cpp - Why two groups are not one kernel -------------===//

#include "JobDialect/Support/Fusion.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::job;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

/// The groups of a finished plan as a graph.
class GroupGraph {
public:
  GroupGraph(const FusionProblem &problem, const FusionPlan &plan)
      : problem(problem), plan(plan) {}

  ArrayRef<unsigned> getOps(unsigned group) const {
    return plan.groups[group].ops;
  }
  bool contains(unsigned group, unsigned op) const {
    return llvm::is_contained(getOps(group), op);
  }
  bool fuses(unsigned group) const {
    return plan.groups[group].isKernel &&
           llvm::all_of(getOps(group), [&](unsigned op) {
             return problem.ops[op].isFusible();
           });
  }
  bool overwrites(unsigned group) const {
    return llvm::any_of(
        getOps(group), [&](unsigned op) { return problem.ops[op].overwrites; });
  }
  /// The first reduction of a group, or null.
  const FusionOp *getReduction(unsigned group) const;
  unsigned getDomain(unsigned group) const;
  /// Calls a function with each op of a group and what it needs from others: an
  /// op and, if a copy of an access is between them, that one.
  template <typename Function>
  bool findNeeded(unsigned group, Function function) const;

private:
  const FusionProblem &problem;
  const FusionPlan &plan;
};

} // namespace

const FusionOp *GroupGraph::getReduction(unsigned group) const {
  for (unsigned op : getOps(group))
    if (problem.ops[op].role == FusionRole::Reduction)
      return &problem.ops[op];
  return nullptr;
}

unsigned GroupGraph::getDomain(unsigned group) const {
  const FusionOp *reduction = getReduction(group);
  return reduction ? reduction->domain
                   : problem.ops[getOps(group).front()].domain;
}

/// Until the function returns true; returns whether it did.
template <typename Function>
bool GroupGraph::findNeeded(unsigned group, Function function) const {
  using Access = std::optional<unsigned>;
  auto visit = [&](unsigned op, unsigned needed, Access access = {}) {
    return !contains(group, needed) && function(op, needed, access);
  };
  for (unsigned op : getOps(group)) {
    for (unsigned other : problem.ops[op].after)
      if (visit(op, other))
        return true;
    for (const FusionOp::Operand &operand : problem.ops[op].operands) {
      if (!operand.producer)
        continue;
      const FusionOp &producer = problem.ops[*operand.producer];
      if (!problem.ops[op].isFusible() || producer.role != FusionRole::Access) {
        if (visit(op, *operand.producer))
          return true;
        continue;
      }
      for (const FusionOp::Operand &inner : producer.operands)
        if (inner.producer && visit(op, *inner.producer, operand.producer))
          return true;
    }
  }
  return false;
}

FusionObstacle mlir::job::findFusionObstacle(const FusionProblem &problem,
                                             const FusionPlan &plan,
                                             unsigned groupA, unsigned groupB) {
  GroupGraph graph(problem, plan);
  for (unsigned group : {groupA, groupB})
    if (problem.ops[graph.getOps(group).front()].fixedKernel)
      return {FusionObstacle::Fixed};
  if (!graph.fuses(groupA) || !graph.fuses(groupB))
    return {FusionObstacle::Role};
  const FusionOp *reductionA = graph.getReduction(groupA);
  const FusionOp *reductionB = graph.getReduction(groupB);
  unsigned domainA = graph.getDomain(groupA), domainB = graph.getDomain(groupB);
  auto isBesideRows = [](const FusionOp *other, unsigned domain,
                         const FusionOp *reduction) {
    return !other && reduction && reduction->rows == domain;
  };
  if (domainA != domainB && !isBesideRows(reductionA, domainA, reductionB) &&
      !isBesideRows(reductionB, domainB, reductionA))
    return {FusionObstacle::Domain};
  if (domainA == domainB && reductionA && reductionB &&
      reductionA->allAxes != reductionB->allAxes)
    return {FusionObstacle::ReducedAxes};

  // What one needs of the other directly.
  bool overwrites = graph.overwrites(groupA) || graph.overwrites(groupB);
  FusionObstacle obstacle;
  auto findDirect = [&](unsigned user, unsigned owner) {
    const FusionOp *reduction = graph.getReduction(owner);
    return graph.findNeeded(user, [&](unsigned, unsigned needed,
                                      std::optional<unsigned> access) {
      if (!graph.contains(owner, needed))
        return false;
      bool isOfRows =
          access ? reduction && problem.ops[*access].axes == reduction->axes &&
                       problem.ops[*access].rows == reduction->rows
                 : problem.ops[needed].role == FusionRole::Reduction;
      if (isOfRows && !(reduction->allowsFollowers(problem.costs) &&
                        (access || domainA != domainB)))
        obstacle.kind = FusionObstacle::NeedsReduction;
      else if (isOfRows && overwrites)
        obstacle.kind = FusionObstacle::Overwrites;
      else if (access && !isOfRows)
        obstacle = {FusionObstacle::Path, *access};
      return obstacle.kind != FusionObstacle::None;
    });
  };
  if (findDirect(groupA, groupB) || findDirect(groupB, groupA))
    return obstacle;

  auto isEnd = [&](unsigned group) {
    return group == groupA || group == groupB;
  };
  std::vector<bool> visited(plan.groups.size());
  SmallVector<unsigned> worklist;
  auto visit = [&](unsigned, unsigned needed, std::optional<unsigned>) {
    unsigned group = *plan.groupOf[needed];
    if (!isEnd(group) && !visited[group]) {
      visited[group] = true;
      worklist.push_back(group);
    }
    return false;
  };
  graph.findNeeded(groupA, visit);
  graph.findNeeded(groupB, visit);
  while (!worklist.empty()) {
    unsigned group = worklist.pop_back_val();
    if (graph.findNeeded(
            group, [&](unsigned op, unsigned needed, std::optional<unsigned>) {
              obstacle.through = op;
              return isEnd(*plan.groupOf[needed]);
            }))
      return {FusionObstacle::Path, obstacle.through};
    graph.findNeeded(group, visit);
  }
  return {};
}
