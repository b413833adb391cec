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

#endif // JOBDIALECT_IR_JOBOPS_H
