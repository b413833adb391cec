//===- FusionSiblings.cpp - Kernels that join without using each other ----===//
//
// Reductions of one iteration space join that read the same blobs: each of
// these is read once for all. Kernels so small that starting them takes longer
// than running them join others that wait for the same.
//
//===----------------------------------------------------------------------===//

#include "FusionPlanner.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetOperations.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace mlir::job;
using llvm::SmallVector;

/// Up to this many ops join in one kernel of small results, so that large jobs
/// have several that are alike, and code is generated for one of them.
static constexpr unsigned kMaxSmallOps = 128;

/// A kernel is compared with up to this many others that read one of its blobs,
/// so that the effort does not grow with the square of their number.
static constexpr unsigned kMaxCompared = 32;

/// The blobs that a unit reads from memory, also through accesses.
const llvm::DenseSet<unsigned> &FusionPlanner::getReadBlobs(unsigned unit) {
  auto &[numNodes, blobs] = readBlobs[unit];
  if (numNodes == units[unit].nodes.size())
    return blobs;
  numNodes = units[unit].nodes.size();
  blobs.clear();
  for (unsigned node : units[unit].nodes)
    for (auto [described, operand] :
         llvm::zip_equal(getOp(node).operands, nodes[node].operands)) {
      ++numSteps;
      if (isAccess(operand)) {
        numSteps += getOp(operand).operands.size();
        for (const FusionOp::Operand &inner : getOp(operand).operands)
          blobs.insert(inner.blob);
      } else if (operand == kNone || nodes[operand].unit != unit) {
        blobs.insert(described.blob);
      }
    }
  return blobs;
}

/// Whether one of two kernels with reductions reads nothing that the other does
/// not read. Run as one, they keep no operand alive for longer.
bool FusionPlanner::areSiblings(unsigned a, unsigned b) {
  if (units[a].numReductions + units[b].numReductions >
      problem.costs.reductions)
    return false;
  if (getReadBlobs(a).size() < getReadBlobs(b).size())
    std::swap(a, b);
  const llvm::DenseSet<unsigned> &some = getReadBlobs(b),
                                 &all = getReadBlobs(a);
  numSteps += some.size();
  return llvm::set_is_subset(some, all);
}

/// Joins kernels that reduce the same axes of one domain and read the same blob
/// of that domain.
void FusionPlanner::joinSiblings() {
  readBlobs.resize(units.size());
  // By blob, domain and axes, a node of the last kernel.
  using Key = std::tuple<unsigned, unsigned, unsigned>;
  std::map<Key, unsigned> kernels;
  // For each kernel, how many it was compared with. For each two that did not
  // join, the number of their nodes at that time: kernels that read a blob in
  // turns are compared again only if one of them has grown since.
  std::vector<unsigned> numCompared(units.size(), 0);
  llvm::DenseMap<std::pair<unsigned, unsigned>, size_t> refused;
  auto canBeOne = [&](unsigned a, unsigned b) {
    size_t numNodes = units[a].nodes.size() + units[b].nodes.size();
    size_t &numRefused = refused[std::minmax(a, b)];
    if (numRefused == numNodes ||
        std::max(numCompared[a], numCompared[b]) == kMaxCompared)
      return false;
    ++numCompared[a];
    ++numCompared[b];
    numRefused = numNodes;
    return areSiblings(a, b) && canJoin(a, b);
  };
  for (unsigned node = 0, e = nodes.size(); node < e; ++node) {
    for (auto [described, operand] :
         llvm::zip_equal(getOp(node).operands, nodes[node].operands)) {
      ++numSteps;
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
      if (canBeOne(other, current))
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
          return getOp(node).bytes <= problem.costs.smallBytes;
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
    size_t kernelOps = units[kernel].nodes.size(),
           unitOps = units[unit].nodes.size();
    bool fits = kernelOps + unitOps <= kMaxSmallOps;
    if (fits && canJoin(kernel, unit))
      join(kernel, unit);
    else if (fits || unitOps < kernelOps) // Others join the one with more room.
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
