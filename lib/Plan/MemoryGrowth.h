//===- MemoryGrowth.h - Whether a change needs more memory ------*- C++ -*-===//
//
// A prediction, before buffers have offsets: passes that move commands or their
// buffers ask for it where memory is limited.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_LIB_PLAN_MEMORYGROWTH_H
#define JOBDIALECT_LIB_PLAN_MEMORYGROWTH_H

#include "JobDialect/Plan/PlanDialect.h"

namespace mlir::plan {

/// Bytes of the arenas of a program, planned with little effort, and of the
/// workspaces of its queues. Nothing if they are too many for a number.
std::optional<int64_t> predictMemory(ProgramOp program);

/// Whether a change may be made to a program.
using ProgramFilter = function_ref<bool(ProgramOp)>;
/// Changes programs of a module, each by itself, and returns a count.
using ProgramChange = function_ref<int64_t(ModuleOp, ProgramFilter)>;

/// Makes a change, but not to programs that would need more memory then than
/// before, and more than `budget` bytes with their variables, constants and
/// ports; a budget of 0 is no limit, and a negative one an error. Returns what
/// the change returns.
/// Precondition: buffers of the arena have no offsets yet.
FailureOr<int64_t> changeWithinBudget(ModuleOp module, int64_t budget,
                                      ProgramChange change);

} // namespace mlir::plan

#endif // JOBDIALECT_LIB_PLAN_MEMORYGROWTH_H
