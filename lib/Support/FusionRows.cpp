//===- FusionRows.cpp - Ops that go over rows, and what joins them --------===//
//
// An op that goes over rows, such as a normalisation, is a kernel by itself.
// Where kernels take long to start, the scalar ops that make its operands or
// use its results join it: the kernel reads each row several times anyway, and
// what it computes of a row need not be read from memory again. Two such ops
// join that read the same blob, such as a loss and its gradient.
//
//===----------------------------------------------------------------------===//

#include "FusionPlanner.h"

#include <map>
#include <tuple>

using namespace mlir::job;
using llvm::SmallVector;

/// Whether a node of one unit needs a node of the other.
bool FusionPlanner::needsDirectly(unsigned a, unsigned b) const {
  auto needs = [&](unsigned unit, unsigned other) {
    return llvm::any_of(units[unit].nodes, [&](unsigned node) {
      return llvm::any_of(nodes[node].waits, [&](unsigned wait) {
        return nodes[wait].unit == other;
      });
    });
  };
  return needs(a, b) || needs(b, a);
}

/// Whether two units, of which one goes over rows, can run as one.
bool FusionPlanner::canJoinRows(unsigned a, unsigned b) {
  if (!units[a].goesOverRows)
    std::swap(a, b);
  const Unit &rows = units[a], &other = units[b];
  // What updates an operand in place must not stand in a pass before others.
  if (!rows.goesOverRows || rows.domain != other.domain || other.overwrites)
    return false;
  numSteps += rows.nodes.size() + other.nodes.size();
  if (other.goesOverRows)
    return rows.allReducedAxes == other.allReducedAxes &&
           !needsDirectly(a, b) && hasNoPath(a, b);
  // What is cheap is computed by each kernel that needs it.
  return other.fuses && !other.reducedAxes && rows.allowsFollowers &&
         !llvm::all_of(
             other.nodes,
             [&](unsigned node) { return isCheapFromMemory(node); }) &&
         hasNoPath(a, b);
}

/// Joins ops that go over the rows of the same blob.
void FusionPlanner::joinRows() {
  // By blob, domain and axes, a node that goes over these rows.
  using Key = std::tuple<unsigned, unsigned, unsigned>;
  std::map<Key, unsigned> kernels;
  for (unsigned node = 0, e = nodes.size(); node < e; ++node) {
    if (!takesOthers(node))
      continue;
    for (const FusionOp::Operand &operand : getOp(node).operands) {
      unsigned current = nodes[node].unit;
      Key key(operand.blob, units[current].domain,
              units[current].allReducedAxes);
      auto it = kernels.try_emplace(key, node).first;
      unsigned other = nodes[it->second].unit;
      if (other != current && canJoinRows(current, other))
        join(current, other);
      it->second = node;
    }
  }
}
