//===- Passes.td - Passes from job to job ------------------*- tablegen -*-===//

#ifndef JOBDIALECT_TRANSFORMS_PASSES_TD
#define JOBDIALECT_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def JobVerify : Pass<"job-verify", "::mlir::ModuleOp"> {
  let summary = "Check what a single op cannot see";
  let description = [{
    A training job has at least one loss and exactly one `job.minimize`, its
    losses have the same number of elements, none is marked twice or computed
    from another, and at least one depends on a trainable variable; any other
    job has no `job.loss`, `job.minimize` or `job.update`. Values of one step and of
    micro-steps do not mix: an op's operands are alike, a job has one number of
    micro-steps, variables and results are of one step, and no `job.acc` or
    `job.pack` leads to a `job.unpack` or `job.repeat`. User-visible names of arguments
    are unique in a job; no two random ops of a job share an id and a seed. No
    blob has more than 2^48 bytes, which no artifact holds. All
    other ops than jobs and variables stand in a job. Speaks of what a user
    wrote, so it comes before all other passes. Changes nothing.
  }];
}

def JobVerifyPlacement : Pass<"job-verify-placement", "::mlir::ModuleOp"> {
  let summary = "Refuse devices that this build does not run";
  let description = [{
    Every placement, of a job, of an argument or result and of a variable, is
    the one device that this build runs: `#job.placement<cpu, "0:0">`. On one
    device every `#job.sharding` is the whole blob. First of the plan pipeline:
    the passes after it are for that device, those before it and the reference
    interpreter for any. Changes nothing.
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
    number of elements, in all micro-steps, and the loss scale, and replaces each `job.update` by the
    rule of the optimizer, whose state becomes variables of the module, shared
    by all jobs that update the same variable. Removes `job.loss` and
    `job.minimize`. Leaves jobs without `job.minimize` alone, so that it may run
    again.

    The division is a multiplication by
    `1 / (elements * micro_steps * loss_scale)`, computed
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

def JobDecompose : Pass<"job-decompose", "::mlir::job::FuncOp"> {
  let summary = "Compute ops by other ops";
  let description = [{
    Replaces every `DecomposableOpInterface` op (batch normalisation) by the
    sums and elementwise ops that compute it. After autodiff, which wants it
    whole; before `job-form-kernels`, which fuses the parts with their
    neighbours. An op that has no kernel of its own must not be left.
  }];
  let statistics = [
    Statistic<"numDecomposed", "decomposed", "Ops decomposed">
  ];
}

def JobFormRepeat : Pass<"job-form-repeat", "::mlir::job::FuncOp"> {
  let summary = "Put the ops of micro-steps into one loop";
  let description = [{
    Precondition: a job as `job-verify` accepts it, of plain ops. What is of
    micro-steps goes into one `job.micro_steps`: `job.unpack` becomes its rows,
    `job.repeat` its shared blobs, `job.acc` its sums, `job.pack` its packed
    results. Constants, and what only reads one at other places, are copied into
    the region. Ops that need what the loop makes are moved behind it. Fails when
    an op before the loop would need, through a variable, what the loop makes.
    Other jobs are left alone. Before `job-form-kernels`, so that no kernel
    reaches across the border of the loop.
  }];
  let statistics = [
    Statistic<"numMicroOps", "micro-ops", "Ops of micro-steps">
  ];
}

def JobFormKernels : Pass<"job-form-kernels", "::mlir::job::FuncOp"> {
  let summary = "Group ops into kernels";
  let description = [{
    Elementwise ops that work on the same shape, and the sums over what they
    compute, become one `job.kernel`, so that what only they use never reaches
    memory. Constants and broadcasts are repeated in each kernel that needs
    them; so is an addition, subtraction or product of constants and one blob
    that is in memory anyway, where then its own result is not. An op with loops of its own becomes a kernel by itself; library calls,
    reshapes, reads and assignments stay outside. With `fuse=false` every op is
    a kernel by itself. The region of a `job.micro_steps` is grouped apart from
    what is around it.
  }];
  let options = [
    Option<"fuse", "fuse", "bool", "true", "Group several ops into one kernel">
  ];
  let statistics = [
    Statistic<"numKernels", "kernels", "Kernels formed">
  ];
}

def JobSchedule : Pass<"job-schedule", "::mlir::job::FuncOp"> {
  let summary = "Order ops so that less memory is alive at once";
  let description = [{
    Precondition: `job-form-kernels` has run. Looks for an order with a lower
    peak of live bytes, counted as the plan will: a blob lives from the op that
    makes it to the last that looks at it or at a reshape of it; inputs,
    constants, variables read, returned blobs and new values of variables are
    not in the arena; a result may take the memory of an input that dies
    (`in-place`). The region of a `job.micro_steps` is ordered first, and
    counts with its peak where it stands. Dependences stay, and so does the order of each read of a
    variable, of whoever looks at it, and of the assignments. Changes nothing
    when no better order is found.
  }];
  let options = [
    Option<"inPlace", "in-place", "bool", "true",
           "Count on kernels that overwrite inputs that nobody needs any more">
  ];
  let statistics = [
    Statistic<"peakBytesBefore", "peak-bytes-before",
              "Largest sum of live bytes in the order that was found">,
    Statistic<"peakBytesAfter", "peak-bytes-after",
              "Largest sum of live bytes in the order that was left">
  ];
}

def JobRematerialize : Pass<"job-rematerialize", "::mlir::ModuleOp"> {
  let summary = "Compute blobs again instead of keeping them";
  let description = [{
    Precondition: `job-form-kernels` has run; best after `job-schedule`, which
    costs no time. A job that would need more than `budget` bytes computes
    blobs, which it would have to keep for later, a second time right before
    they are used: a whole kernel or library call runs again on the same
    inputs, so that no bit of any result changes. What frees most bytes for
    least time comes first; inputs that are gone are computed again as well.
    Where that does not help any more, the ops are ordered again, which what is
    repeated leaves more freedom. What was repeated and turns out not to be
    needed is taken back.

    The budget is for all memory of the job: arena, variables, constants,
    workspace and the staging of one call; all but the arena is known from the
    job and is subtracted. Never repeated: what changes variables, what makes a
    returned blob or the new value of a variable, and what reads a variable
    that has changed. Each job is looked at alone, of `job.micro_steps` the
    region first. What runs again has the location `recomputation of` its
    first run's. When the budget cannot be met, the job is left with the least
    memory that was found; `plan-check-budget` fails then.
  }];
  let options = [
    Option<"budget", "budget", "int64_t", "0",
           "Bytes that a job may need (0: no limit)">,
    Option<"inPlace", "in-place", "bool", "true",
           "Count on kernels that overwrite inputs that nobody needs any more">,
    Option<"schedule", "schedule", "bool", "true",
           "Order ops again where repeating them is not enough">
  ];
  let statistics = [
    Statistic<"numRecomputed", "recomputed", "Ops that run again">,
    Statistic<"flopsAdded", "flops-added", "Operations of these ops">
  ];
}

#endif // JOBDIALECT_TRANSFORMS_PASSES_TD
