//===- JobDialect.h - The job dialect ---------------------------*- C++ -*-===//
//
// The dialect, its types and its attributes. Ops are in JobOps.h.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_IR_JOBDIALECT_H
#define JOBDIALECT_IR_JOBDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "JobDialect/IR/JobEnums.h.inc"

#include "JobDialect/IR/JobDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "JobDialect/IR/JobTypes.h.inc"

#include "JobDialect/IR/JobParameters.h"
#include "JobDialect/IR/PrecisionTraits.h"
#include "JobDialect/Interfaces/Interfaces.h"

#define GET_ATTRDEF_CLASSES
#include "JobDialect/IR/JobAttributes.h.inc"

namespace mlir::job {

/// The values of variables, as a side-effect resource.
struct VariableResource : public SideEffects::Resource::Base<VariableResource> {
  StringRef getName() final { return "JobVariable"; }
};

} // namespace mlir::job

#endif // JOBDIALECT_IR_JOBDIALECT_H
