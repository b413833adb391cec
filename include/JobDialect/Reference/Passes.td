//===- Passes.td - Passes that run the reference -----------*- tablegen -*-===//

#ifndef JOBDIALECT_REFERENCE_PASSES_TD
#define JOBDIALECT_REFERENCE_PASSES_TD

include "mlir/Pass/PassBase.td"

def JobInterpret : Pass<"job-interpret", "::mlir::ModuleOp"> {
  let summary = "Run a job by the reference interpreter";
  let description = [{
    Runs the job `entry`, or every job but those of kind `init` in their order,
    and reports each result as a remark at the job: `name = [[1, 2], [3, 4]]`.
    Variables first get the values that the module's job of kind `init` gives
    them; inputs are drawn by seed: floats uniform in (-1, 1), integers 0 or 1.
    Precondition: a training job has come through the train pipeline. Changes
    nothing.
  }];
  let options = [
    Option<"entry", "entry", "std::string", "\"\"",
           "The job to run (default: all)">,
    Option<"steps", "steps", "int64_t", "1",
           "How often each job runs, one after the other">,
    Option<"seed", "seed", "int64_t", "1",
           "Seed of the variables' first values and of the inputs">,
    Option<"roundEachOp", "round", "bool", "false",
           "Round the result of every op to its type, as a compiled program "
           "does">,
    Option<"printVariables", "variables", "bool", "false",
           "Report the variables at the end, as remarks at them">,
    Option<"digits", "digits", "int64_t", "7",
           "Significant digits of floats">
  ];
}

def JobCheckGradients : Pass<"job-check-gradients", "::mlir::ModuleOp"> {
  let summary = "Compare gradients with central differences";
  let description = [{
    For each training job and each trainable variable that it reads: compares
    elements of the gradient (that of its `job.update`, or zero where there is
    none) with central differences, in double precision, of the sum of all
    elements of all losses times the loss scale. An element that differs by more
    than `tolerance` times the largest magnitude of the gradient, and by more
    than what noise of a unit in the last place of f32 does to the gradient, is
    an error at the `job.update`, one for each variable:

    ```
    expects d loss / d weight[3, 5] = 0.1234 but got 0.1
    ```

    A job without errors gets a remark, which says how much was compared:

    ```
    seed 1: the gradients of 2 variables of @train agree with central differences in 67 elements
    ```

    Variables have the values that the module's job of kind `init` gives them;
    trainable ones whose elements are all equal are spread around that value,
    since errors that mix up elements would not show otherwise. Inputs are drawn
    as by `job-interpret`. Preconditions: `job-autodiff` and
    `job-build-initializer`; `job-optimizer` comes later. Changes nothing.
  }];
  let options = [
    Option<"seed", "seed", "int64_t", "1",
           "Seed of variables, inputs and the choice of elements">,
    Option<"tolerance", "tolerance", "double", "1e-6",
           "Largest difference, relative to the largest magnitude of the "
           "gradient">,
    Option<"step", "step", "double", "2e-4",
           "Step of the differences; made smaller where they do not converge, "
           "near a kink, say">,
    Option<"samples", "samples", "int64_t", "64",
           "Elements that are compared for each variable: all of a small one, "
           "else so many, drawn by seed">
  ];
}

#endif // JOBDIALECT_REFERENCE_PASSES_TD
