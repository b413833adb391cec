//===- Passes.h - Passes that run the compiler ------------------*- C++ -*-===//
//
// Separate from the other passes because they link the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_CHECKLOWERING_PASSES_H
#define JOBDIALECT_CHECKLOWERING_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::job {

#define GEN_PASS_DECL
#include "JobDialect/CheckLowering/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "JobDialect/CheckLowering/Passes.h.inc"

} // namespace mlir::job

#endif // JOBDIALECT_CHECKLOWERING_PASSES_H
