//===- Passes.h - Code of kernels for targets -------------------*- C++ -*-===//

#ifndef JOBDIALECT_CODEGEN_PASSES_H
#define JOBDIALECT_CODEGEN_PASSES_H

#include "JobDialect/Plan/PlanDialect.h"

#include "mlir/Pass/Pass.h"

namespace mlir::plan {

#define GEN_PASS_DECL
#include "JobDialect/Codegen/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "JobDialect/Codegen/Passes.h.inc"

} // namespace mlir::plan

#endif // JOBDIALECT_CODEGEN_PASSES_H
