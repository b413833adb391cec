//===- OpGraph.h - A block of a job as a graph ------------------*- C++ -*-===//
//
// Tells the pure functions of lib/Support what the plan will keep in the arena.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_LIB_TRANSFORMS_MEMORY_OPGRAPH_H
#define JOBDIALECT_LIB_TRANSFORMS_MEMORY_OPGRAPH_H

#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Support/Schedule.h"

namespace mlir::job {

/// The value whose memory `value` is, seen through reshapes.
Value getMemory(Value value);

/// The graph of a block with kernels, a job's or that of its micro-steps: op
/// number i is the i-th of the block. A blob has bytes when it will be in the
/// arena: inputs, constants, variables read, new values that are written
/// straight into their variables, returned and yielded blobs have none. The
/// last blob that a `job.micro_steps` makes is what its region needs for
/// itself. With `inPlace`, kernels may overwrite inputs.
ScheduleProblem buildGraph(Block &block, bool inPlace);

/// The ops in the order in which the graph has them.
SmallVector<unsigned> getGivenOrder(const ScheduleProblem &problem);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_TRANSFORMS_MEMORY_OPGRAPH_H
