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

/// Attaches the models of ScheduleAttrInterface, one for each target.
void registerScheduleModels(DialectRegistry &registry);

} // namespace mlir::plan

#endif // JOBDIALECT_CODEGEN_SCHEDULE_H
