//===- ArenaProblem.h - What the memory planner sees ------------*- C++ -*-===//

#ifndef JOBDIALECT_LIB_PLAN_ARENAPROBLEM_H
#define JOBDIALECT_LIB_PLAN_ARENAPROBLEM_H

#include "JobDialect/Analysis/Lifetimes.h"
#include "JobDialect/Support/MemoryPlanner.h"

namespace mlir::plan {

/// The buffers of one arena that commands touch, and for planMemory() their
/// intervals and the pairs that no order separates.
struct ArenaProblem {
  SmallVector<AllocOp> buffers;
  SmallVector<job::BufferInterval> intervals;
  SmallVector<job::UnorderedBuffers> unordered;
};

ArenaProblem getArenaProblem(ArrayRef<AllocOp> allocated,
                             const Lifetimes &lifetimes);

} // namespace mlir::plan

#endif // JOBDIALECT_LIB_PLAN_ARENAPROBLEM_H
