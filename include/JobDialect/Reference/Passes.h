//===- Passes.h - Passes that run the reference -----------------*- C++ -*-===//

#ifndef JOBDIALECT_REFERENCE_PASSES_H
#define JOBDIALECT_REFERENCE_PASSES_H

#include "JobDialect/Reference/Interpreter.h"

#include "mlir/Pass/Pass.h"

namespace mlir::job {

#define GEN_PASS_DECL
#include "JobDialect/Reference/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "JobDialect/Reference/Passes.h.inc"

} // namespace mlir::job

#endif // JOBDIALECT_REFERENCE_PASSES_H
