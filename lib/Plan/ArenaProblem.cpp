//===- ArenaProblem.cpp - What the memory planner sees --------------------===//

#include "ArenaProblem.h"

using namespace mlir;
using namespace mlir::plan;

ArenaProblem plan::getArenaProblem(ArrayRef<AllocOp> allocated,
                                   const Lifetimes &lifetimes) {
  ArenaProblem problem;
  SmallVector<const Lifetime *> live;
  for (AllocOp buffer : allocated)
    if (const Lifetime *lifetime = lifetimes.lookup(buffer)) {
      problem.buffers.push_back(buffer);
      live.push_back(lifetime);
      problem.intervals.push_back(
          {lifetime->first, lifetime->last, getBufferBytes(buffer.getType())});
    }
  // Elsewhere no order means an overlap of the intervals.
  if (!lifetimes.getOrder().isOrderOfText())
    for (unsigned i = 0; i < live.size(); ++i)
      for (unsigned j = i + 1; j < live.size(); ++j)
        if (lifetimes.conflict(*live[i], *live[j]))
          problem.unordered.push_back({i, j});
  return problem;
}
