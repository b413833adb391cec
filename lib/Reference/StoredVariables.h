//===- StoredVariables.h - Values in the order of a variable ----*- C++ -*-===//

#ifndef JOBDIALECT_LIB_REFERENCE_STOREDVARIABLES_H
#define JOBDIALECT_LIB_REFERENCE_STOREDVARIABLES_H

#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Reference/ReferenceTensor.h"

namespace mlir::job {

/// The value that the user sees, as jobs read the variable.
ReferenceTensor toStored(const ReferenceTensor &value, VariableOp variable);

/// The value that jobs read and assign, as the user sees it.
ReferenceTensor toDeclared(const ReferenceTensor &value, VariableOp variable);

} // namespace mlir::job

#endif // JOBDIALECT_LIB_REFERENCE_STOREDVARIABLES_H
