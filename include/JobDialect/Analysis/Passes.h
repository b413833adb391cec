//===- Passes.h - Passes that print analyses --------------------*- C++ -*-===//

#ifndef JOBDIALECT_ANALYSIS_PASSES_H
#define JOBDIALECT_ANALYSIS_PASSES_H

#include "JobDialect/Analysis/CommandTime.h"
#include "JobDialect/IR/JobOps.h"
#include "JobDialect/Plan/PlanDialect.h"

#include "mlir/Pass/Pass.h"

namespace mlir::job {

#define GEN_PASS_DECL
#include "JobDialect/Analysis/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "JobDialect/Analysis/Passes.h.inc"

} // namespace mlir::job

#endif // JOBDIALECT_ANALYSIS_PASSES_H
