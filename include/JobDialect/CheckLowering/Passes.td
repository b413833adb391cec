//===- Passes.td - Passes that run the compiler ------------*- tablegen -*-===//

#ifndef JOBDIALECT_CHECKLOWERING_PASSES_TD
#define JOBDIALECT_CHECKLOWERING_PASSES_TD

include "mlir/Pass/PassBase.td"

def JobCheckLowering : Pass<"job-check-lowering", "::mlir::ModuleOp"> {
  let summary = "Compare every stage of the compiler with the reference";
  let description = [{
    Compiles a copy of the module and compares, for inputs drawn by `seed` and
    the variables' first values, the results of all jobs and the variables after
    `steps` steps:

    1. by the reference interpreter, in double precision, after each pass. What
       differs by more than `tolerance` times the largest magnitude is an error
       that names the first pass after which it does, and the first op with
       another value. A training job is compared from the first pass on after
       which it consists of plain ops, `job-optimizer`: before, nothing says what
       a step does to the variables.
    2. every kernel and library call alone, compiled and run on the values that
       it has in the first step. An error names the first op that differs, the
       element, what is expected and what came out.
    3. the artifact as a whole, its initializer included. What differs only here
       is the fault of the order of commands, of the memory plan or of an update
       in place.

    The compiled program computes in the types of the blobs. What it may differ
    by is what rounding does to the reference itself, and the errors of kernels
    as the project states them: 4 units in the last place for an op, 1e-6 times
    the root of the number of terms for a sum, both of the largest magnitude,
    and as many times more as the reference is sensitive to rounding. Where terms
    cancel, rounding alone does not show that; before anything is an error, in 1
    as well, the reference runs again with noise of a unit in the last place.

    `pipeline` is the textual pipeline to check instead of the compiler's own,
    `job-train-pipeline,job-plan-pipeline,job-lower-pipeline`; without
    `convert-job-to-plan` in it only its passes are compared. Changes nothing.
    Reports what was compared as a remark.
  }];
  let options = [
    Option<"seed", "seed", "int64_t", "1",
           "Seed of the variables' first values and of the inputs">,
    Option<"steps", "steps", "int64_t", "2",
           "How often each job runs, with other inputs each time">,
    Option<"tolerance", "tolerance", "double", "1e-6",
           "Largest difference between two stages in the interpreter, relative "
           "to the largest magnitude">,
    Option<"pipeline", "pipeline", "std::string", "\"\"",
           "The pipeline to check (default: the compiler's own)">
  ];
}

#endif // JOBDIALECT_CHECKLOWERING_PASSES_TD
