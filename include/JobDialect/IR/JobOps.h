//===- JobOps.h - Ops of the job dialect ------------------------*- C++ -*-===//

#ifndef JOBDIALECT_IR_JOBOPS_H
#define JOBDIALECT_IR_JOBOPS_H

#include "JobDialect/IR/JobDialect.h"

#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::job {
class ReturnOp;
} // namespace mlir::job

#define GET_OP_CLASSES
#include "JobDialect/IR/JobOps.h.inc"

namespace mlir::job {
/// The target of the code for an op of a job (JobDialect/Support/Targets.h), by
/// the placement of the op or of the job; that of CPUs if there is none.
StringRef getJobTarget(Operation *op);
} // namespace mlir::job

#endif // JOBDIALECT_IR_JOBOPS_H
