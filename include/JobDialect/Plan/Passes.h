//===- Passes.h - Passes on the plan dialect --------------------*- C++ -*-===//

#ifndef JOBDIALECT_PLAN_PASSES_H
#define JOBDIALECT_PLAN_PASSES_H

#include "JobDialect/Plan/PlanDialect.h"
#include "JobDialect/Support/MemoryPlanner.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::plan {

#define GEN_PASS_DECL
#include "JobDialect/Plan/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "JobDialect/Plan/Passes.h.inc"

} // namespace mlir::plan

#endif // JOBDIALECT_PLAN_PASSES_H
