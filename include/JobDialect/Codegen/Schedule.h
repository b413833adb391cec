//===- Schedule.h - Schedules of kernels for any target ---------*- C++ -*-===//

#ifndef JOBDIALECT_CODEGEN_SCHEDULE_H
#define JOBDIALECT_CODEGEN_SCHEDULE_H

#include "JobDialect/Codegen/ItemLoop.h"
#include "JobDialect/Codegen/KernelNest.h"
#include "JobDialect/Plan/PlanDialect.h"

namespace mlir::plan {

/// The number of chunks that a distribution cuts a kernel into.
int64_t getNumChunks(const KernelNest &nest,
                     ArrayRef<DistributedDim> distribute);
int64_t getNumChunks(const ItemLoop &loop, ArrayRef<DistributedDim> distribute);

/// The same for a schedule of any target.
inline int64_t getNumChunks(ScheduleAttrInterface schedule,
                            const KernelNest &nest) {
  return schedule.getNumKernelChunks(nest);
}
inline int64_t getNumChunks(ScheduleAttrInterface schedule,
                            const ItemLoop &loop) {
  return schedule.getNumItemLoopChunks(loop);
}

/// Checks that the schedule of a variant is one of its target.
LogicalResult verifyTarget(VariantOp variant);

/// Attaches the models of ScheduleAttrInterface, one for each target.
void registerScheduleModels(DialectRegistry &registry);

} // namespace mlir::plan

#endif // JOBDIALECT_CODEGEN_SCHEDULE_H
