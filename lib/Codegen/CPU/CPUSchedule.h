//===- CPUSchedule.h - Schedules of kernels for the CPU ---------*- C++ -*-===//

#ifndef JOBDIALECT_LIB_CODEGEN_CPU_CPUSCHEDULE_H
#define JOBDIALECT_LIB_CODEGEN_CPU_CPUSCHEDULE_H

#include "JobDialect/Codegen/ItemLoop.h"
#include "JobDialect/Codegen/KernelNest.h"
#include "JobDialect/Plan/PlanDialect.h"

namespace mlir::plan {

/// The schedule that plan-select-schedules chooses, which it explains.
CPUScheduleAttr selectCPUSchedule(ExecutableOp executable,
                                  const KernelNest &nest);
CPUScheduleAttr selectCPUSchedule(ExecutableOp executable,
                                  const ItemLoop &loop);
/// The same without an explanation.
CPUScheduleAttr chooseSchedule(MLIRContext *context, const KernelNest &nest);
/// The same schedule with a different distribution to chunks. Sums keep the
/// order of their terms.
CPUScheduleAttr withDistribution(const KernelNest &nest,
                                 CPUScheduleAttr schedule,
                                 ArrayRef<DistributedDim> distribute);

/// Attaches the model of ScheduleAttrInterface.
void attachCPUScheduleModel(MLIRContext &context);

/// Checks that a schedule fits a kernel. Errors are at `op`.
LogicalResult verifySchedule(Operation *op, const KernelNest &nest,
                             CPUScheduleAttr schedule);
LogicalResult verifySchedule(Operation *op, const ItemLoop &loop,
                             CPUScheduleAttr schedule);

} // namespace mlir::plan

#endif // JOBDIALECT_LIB_CODEGEN_CPU_CPUSCHEDULE_H
