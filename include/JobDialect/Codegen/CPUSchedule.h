//===- CPUSchedule.h - Schedules of kernels for the CPU ---------*- C++ -*-===//

#ifndef JOBDIALECT_CODEGEN_CPUSCHEDULE_H
#define JOBDIALECT_CODEGEN_CPUSCHEDULE_H

#include "JobDialect/Codegen/ItemLoop.h"
#include "JobDialect/Codegen/KernelNest.h"
#include "JobDialect/Plan/PlanDialect.h"

namespace mlir::plan {

/// The number of chunks that a schedule cuts a kernel into.
int64_t getNumChunks(const KernelNest &nest, CPUScheduleAttr schedule);
int64_t getNumChunks(const ItemLoop &loop, CPUScheduleAttr schedule);

/// The schedule that plan-select-schedules chooses.
CPUScheduleAttr chooseSchedule(MLIRContext *context, const KernelNest &nest);
/// The same schedule with a different distribution to chunks. Sums keep the
/// order of their terms.
CPUScheduleAttr withDistribution(const KernelNest &nest,
                                 CPUScheduleAttr schedule,
                                 ArrayRef<DistributedDim> distribute);

/// Checks that a schedule fits a kernel. Errors are at `op`.
LogicalResult verifySchedule(Operation *op, const KernelNest &nest,
                             CPUScheduleAttr schedule);
LogicalResult verifySchedule(Operation *op, const ItemLoop &loop,
                             CPUScheduleAttr schedule);

} // namespace mlir::plan

#endif // JOBDIALECT_CODEGEN_CPUSCHEDULE_H
