//===- Passes.td - Passes that run the compiler ------------*- tablegen -*-===//

#ifndef JOBDIALECT_CHECKLOWERING_PASSES_TD
#define JOBDIALECT_CHECKLOWERING_PASSES_TD

include "mlir/Pass/PassBase.td"

def JobCheckLowering : Pass<"job-check-lowering", "::mlir::ModuleOp"> {
  let summary = "Compare every stage of the compiler with the reference";
  let description = [{
    Compiles a copy of the module and compares, for random inputs and initial
    values of variables from `seed`, the results of all jobs and the variables
    after `steps` steps:

    1. in the reference interpreter, in double precision, after each pass. A
       difference of more than `tolerance` times the largest magnitude is an error
       that names the first pass that causes it, and the first op whose value
       differs. A training job is compared from `job-optimizer` on: before that
       pass, the module does not define how a step updates the variables.
    2. for every kernel and library call separately, compiled and run on the
       values that it has in the first step. An error names the first op that
       differs, the element, and the expected and actual value.
    3. for the whole artifact, including its init entry. A difference only here is
       caused by the order of commands, the memory plan or an update in place.

    The compiled program computes in the types of the blobs. The tolerance is the
    effect of rounding on the reference itself plus the stated errors of kernels:
    4 units in the last place for an op, 1e-6 times the square root of the number
    of terms for a sum, both relative to the largest magnitude and multiplied by
    the sensitivity of the reference to rounding. If terms cancel, rounding alone
    does not show the sensitivity; before an error is emitted, in 1 as well, the
    reference runs again with noise of one unit in the last place.

    `pipeline` is the textual pipeline to check instead of the default,
    `job-train-pipeline,job-plan-pipeline,job-lower-pipeline`; without
    `convert-job-to-plan` in it only its passes are compared. A remark reports
    what was compared. Does not change the IR. Jobs that are placed on a GPU run
    there.
  }];
  let options = [
    Option<"seed", "seed", "int64_t", "1",
           "Seed of the initial values of variables and of the inputs">,
    Option<"steps", "steps", "int64_t", "2",
           "Number of steps of each job, each with different inputs">,
    Option<"tolerance", "tolerance", "double", "1e-6",
           "Largest difference between two stages in the interpreter, relative "
           "to the largest magnitude">,
    Option<"pipeline", "pipeline", "std::string", "\"\"",
           "The pipeline to check (default: the compiler's pipelines)">
  ];
}

#endif // JOBDIALECT_CHECKLOWERING_PASSES_TD
