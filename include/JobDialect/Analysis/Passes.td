//===- Passes.td - Passes that show analyses ---------------*- tablegen -*-===//

#ifndef JOBDIALECT_ANALYSIS_PASSES_TD
#define JOBDIALECT_ANALYSIS_PASSES_TD

include "mlir/Pass/PassBase.td"

def JobPrintActivity : Pass<"job-print-activity", "::mlir::job::FuncOp"> {
  let summary = "Show which values gradients flow through";
  let description = [{
    Emits a remark at each op with an active result: one that depends on a
    trainable variable and that a loss depends on. Changes nothing.
  }];
}

def PlanPrintLifetimes
    : Pass<"plan-print-lifetimes", "::mlir::plan::ProgramOp"> {
  let summary = "Show when buffers of the arena are alive";
  let description = [{
    Emits a remark at each `plan.alloc`: its size and the first and the last
    command that touch it. Changes nothing.
  }];
}

#endif // JOBDIALECT_ANALYSIS_PASSES_TD
