//===- Passes.td - Passes that run the reference -----------*- tablegen -*-===//

#ifndef JOBDIALECT_REFERENCE_PASSES_TD
#define JOBDIALECT_REFERENCE_PASSES_TD

include "mlir/Pass/PassBase.td"

def JobInterpret : Pass<"job-interpret", "::mlir::ModuleOp"> {
  let summary = "Run a job in the reference interpreter";
  let description = [{
    Runs the job `entry`, or all jobs except those of kind `init`, in order, and
    reports each result as a remark at the job: `name = [[1, 2], [3, 4]]`. The
    module's job of kind `init` first initializes the variables. Inputs are random
    numbers from the seed: floats uniform in (-1, 1), integers 0 or 1.
    Precondition: the train pipeline has run on training jobs. Does not change the
    IR.
  }];
  let options = [
    Option<"entry", "entry", "std::string", "\"\"",
           "The job to run (default: all)">,
    Option<"steps", "steps", "int64_t", "1",
           "Number of steps of each job">,
    Option<"seed", "seed", "int64_t", "1",
           "Seed of the initial values of variables and of the inputs">,
    Option<"roundEachOp", "round", "bool", "false",
           "Round the result of every op to its type, as a compiled program "
           "does">,
    Option<"printVariables", "variables", "bool", "false",
           "Report the variables at the end, as remarks at the variables">,
    Option<"digits", "digits", "int64_t", "7",
           "Significant digits of floats">
  ];
}

def JobCheckGradients : Pass<"job-check-gradients", "::mlir::ModuleOp"> {
  let summary = "Compare gradients with central differences";
  let description = [{
    For each training job and each trainable variable that it reads: compares
    elements of the gradient (the operand of its `job.update`, or zero if there is
    none) with central differences, in double precision, of the sum of all
    elements of all losses times the loss scale. An element that differs by more
    than `tolerance` times the largest magnitude of the gradient, by more than
    rounding of the losses can explain, and by more than the effect of noise of
    one f32 unit in the last place on the gradient, is an error at the
    `job.update`, at most one per variable:

    ```
    expects d loss / d weight[3, 5] = 0.1234 but got 0.1
    ```

    A job without errors gets a remark with the number of elements compared:

    ```
    seed 1: the gradients of 2 variables of @train agree with central differences in 67 elements
    ```

    The module's job of kind `init` initializes the variables. Trainable variables
    whose elements are all equal are perturbed around that value, since errors
    that permute elements would not be detected otherwise. Inputs are those of
    `job-interpret`. Preconditions: `job-autodiff` and `job-build-initializer`
    have run, `job-optimizer` has not. Does not change the IR.
  }];
  let options = [
    Option<"seed", "seed", "int64_t", "1",
           "Seed of variables, inputs and the choice of elements">,
    Option<"tolerance", "tolerance", "double", "1e-6",
           "Largest difference, relative to the largest magnitude of the "
           "gradient">,
    Option<"step", "step", "double", "2e-4",
           "Step size of the differences; reduced if they do not converge, for "
           "example near a kink">,
    Option<"samples", "samples", "int64_t", "64",
           "Maximum number of elements compared per variable; chosen by seed if "
           "the variable has more">
  ];
}

#endif // JOBDIALECT_REFERENCE_PASSES_TD
