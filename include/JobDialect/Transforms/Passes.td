//===- Passes.td - Passes from job to job ------------------*- tablegen -*-===//

#ifndef JOBDIALECT_TRANSFORMS_PASSES_TD
#define JOBDIALECT_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def JobVerify : Pass<"job-verify", "::mlir::ModuleOp"> {
  let summary = "Check what a single op cannot see";
  let description = [{
    A training job has at least one loss and exactly one `job.minimize`, its
    losses have the same number of elements, none is computed from another, and
    at least one depends on a trainable variable; any other job has no
    `job.loss`, `job.minimize` or `job.update`. User-visible names of arguments
    are unique in a job; no two random ops of a job share an id and a seed. All
    other ops than jobs and variables stand in a job. Speaks of what a user
    wrote, so it comes before all other passes. Changes nothing.
  }];
}

def JobAutodiff : Pass<"job-autodiff", "::mlir::job::FuncOp"> {
  let summary = "Build the gradients of the losses";
  let description = [{
    Precondition: a training job as `job-verify` accepts it, without
    `job.update`; other jobs are left alone. Goes backwards from the losses
    through `DifferentiableOpInterface` and ends each path in a `job.update` of
    a trainable variable, one for each variable however often it is read.
    Gradients that no variable needs (those of inputs, say) are not built. A
    value with several uses gets the sum of their gradients, added in the order
    of the uses in the job, last use first. The losses and `job.minimize` stay
    for `job-optimizer`.
  }];
  let statistics = [
    Statistic<"numGradientOps", "gradient-ops", "Ops built for gradients">
  ];
}

def JobOptimizer : Pass<"job-optimizer", "::mlir::ModuleOp"> {
  let summary = "Turn updates into the optimizer's plain ops";
  let description = [{
    Precondition: `job-autodiff` has run. For each training job: computes the
    learning rate of `job.step` once, divides every gradient by the loss's
    number of elements and the loss scale, and replaces each `job.update` by the
    rule of the optimizer, whose state becomes variables of the module, shared
    by all jobs that update the same variable. Removes `job.loss` and
    `job.minimize`. Leaves jobs without `job.minimize` alone, so that it may run
    again.

    The division is a multiplication by `1 / (elements * loss_scale)`, computed
    in double precision and rounded once to the gradient's type. Unless that
    divisor is a power of two, the product may differ from the quotient in its
    last bit.
  }];
}

def JobStepCounter : Pass<"job-step-counter", "::mlir::ModuleOp"> {
  let summary = "Give each job that asks for its step a counter";
  let description = [{
    A training job, and any job with `job.step`, gets the variable
    `System-Train-TrainStep-<job>` (i64, not trainable, 0 at first). `job.step`
    becomes a read of it at the start of the job, and the job ends by adding
    one. A job that advances its counter already does not do so twice.
  }];
}

def JobBuildInitializer : Pass<"job-build-initializer", "::mlir::ModuleOp"> {
  let summary = "Build the job that gives every variable its first value";
  let description = [{
    Adds `job.func @jobmlir_init kind init`, whose one argument is the seed, or
    replaces the one that is there. A variable's random numbers depend on the
    seed and the variable's name only, not on the order of variables. Does
    nothing in a module without variables.
  }];
}

def JobFormKernels : Pass<"job-form-kernels", "::mlir::job::FuncOp"> {
  let summary = "Group ops into kernels";
  let description = [{
    Elementwise ops that work on the same shape, and the sums over what they
    compute, become one `job.kernel`, so that what only they use never reaches
    memory. Constants and broadcasts are repeated in each kernel that needs
    them. An op with loops of its own becomes a kernel by itself; library calls,
    reshapes, reads and assignments stay outside. With `fuse=false` every op is
    a kernel by itself.
  }];
  let options = [
    Option<"fuse", "fuse", "bool", "true", "Group several ops into one kernel">
  ];
  let statistics = [
    Statistic<"numKernels", "kernels", "Kernels formed">
  ];
}

#endif // JOBDIALECT_TRANSFORMS_PASSES_TD
