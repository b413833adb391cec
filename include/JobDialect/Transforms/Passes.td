//===- Passes.td - Passes from job to job ------------------*- tablegen -*-===//

#ifndef JOBDIALECT_TRANSFORMS_PASSES_TD
#define JOBDIALECT_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def JobVerify : Pass<"job-verify", "::mlir::ModuleOp"> {
  let summary = "Verify what a single op cannot verify";
  let description = [{
    A training job has at least one loss and at least one `job.minimize`, its
    losses have the same number of elements, none is marked twice or computed
    from another, and at least one depends on a variable that it trains. Several
    `job.minimize` have lists of variables without a common one, except for one of
    them, and the same loss scale. Any other job has no `job.loss`, `job.minimize` or `job.update`. No op has both per-step
    and per-micro-step operands, a job has one number of micro-steps, variables
    and results are per-step, and no `job.unpack` or `job.broadcast_micro_steps`
    depends on a `job.acc` or `job.pack`. User-visible names of arguments and of
    results are unique in a job; a job of kind init assigns every variable before
    it reads it; no two random ops of a job share an id and a seed. No blob has
    more than 2^48 bytes, the limit of artifacts. All ops except jobs and
    variables are in a job, and none has an attribute that is neither its own nor
    of a dialect, such as a misspelt one. Runs before all other passes, so that
    errors refer to the user's program. Does not change the IR.

    A training job that has its gradients is text of a later stage: it has
    `job.update`, or neither losses nor `job.minimize` but an assignment of a
    trainable variable or, in its module, a job of kind init. Its random ops may
    share an id and a seed, as a dropout and its gradient do, and its losses may be
    computed from each other.
  }];
}

def JobPlace : Pass<"job-place", "::mlir::ModuleOp"> {
  let summary = "Place jobs, variables and ops that have no placement";
  let description = [{
    Gives a job without a placement the first device of the kind `device`. A
    variable without one is on the device of the first op of a training job that
    reads or assigns it, else of the first op of another job that does, else of the
    first job. Ops without a placement of their own (`job.placement`) are where
    their job is, except for these:

    - an op that reads or assigns a variable is on the device of the variable,
      whatever its placement was;
    - an op of a job of kind init is on the device of its first user, so that
      initial values are computed where the variables are. The job itself is on
      the device of the first variable.

    Other placements in the text do not change, so the pass is idempotent. An op
    has no `job.placement` afterwards if its job is on the same device.
  }];
  let dependentDialects = ["::mlir::job::JobDialect"];
  let options = [
    Option<"device", "device", "std::string", /*default=*/"\"cpu\"",
           "The kind of device of jobs without a placement: cpu or gpu">
  ];
}

def JobVerifyPlacement : Pass<"job-verify-placement", "::mlir::ModuleOp"> {
  let summary = "Refuse devices that this build does not run";
  let description = [{
    Checks that each placement, of jobs, of arguments and results, of variables
    and of ops, is a single device of the first machine: the CPU
    `#job.placement<cpu, "0:0">`, or a GPU such as `#job.placement<gpu, "0:1">`. On
    one device every `#job.sharding` is the whole blob. Runs at the start of the
    plan pipeline, after `job-place`: later passes support no placement on several
    devices; the train pipeline and the reference interpreter support any. Does not
    change the IR.
  }];
}

def JobInsertTransfers : Pass<"job-insert-transfers", "::mlir::job::FuncOp"> {
  let summary = "Copy blobs between devices";
  let description = [{
    Precondition: `job-place` has run. Inserts a `job.transfer` behind each value
    that an op on another device uses, once for each such device. A variable is
    read where it is; other devices use a transfer of the value that was read, and
    what is assigned is transferred to the device of the variable.

    Constants, reshapes, and strided reads with a result that is larger than their
    operand (broadcasts) run again on the device of the user, so that less or
    nothing is transferred. Arguments and results of the job are in the memory of
    the host, which every device copies from and to: they need no transfer.

    Runs after simplifications, which may replace a value by that of an op on
    another device, and before `job-form-micro-steps`. A job on one device does not
    change. The pass is idempotent.
  }];
  let statistics = [
    Statistic<"numTransfers", "transfers", "Transfers inserted">,
    Statistic<"numRepeated", "repeated", "Ops that run on several devices">
  ];
}

def JobPrecision : Pass<"job-precision", "::mlir::job::FuncOp"> {
  let summary = "Compute in f16 or bf16 where it is safe";
  let description = [{
    Lets ops of `f32` compute in the `precision` of their job, or in `type` where
    the job has none. Ops are in one of three lists (docs/generated/JobPrecision.md),
    by a trait of their definition:

    - allow (`AllowsNarrowTypes`): matrix products, convolutions, attention. Their
      operands are converted.
    - infer (`InfersNarrowTypes`): elementwise ops, ops that move elements, poolings.
      They are narrow if one operand is and no other one needs `f32`. Values that
      depend on variables and constants alone need no type of their own, and are
      converted where they are combined with a narrow blob. In bf16, a broadcast is
      converted before it repeats its elements.
    - deny: all others. Their operands are converted back to `f32`.

    Variables, arguments, results and losses keep their type, so that each variable
    is a master copy in `f32`, of which a step makes one narrow copy for all ops that
    use it. Blobs that the text has in other types than `f32` do not change.

    Runs before `job-autodiff`: the gradient of an op is computed in the type of the
    op, and that of a conversion converts back, so gradients of variables are `f32`.
    A training job that has its gradients does not change; it is an error if it has a
    `precision` other than `f32`. That attribute is removed, so the pass is
    idempotent.
  }];
  let options = [
    Option<"type", "type", "std::string", /*default=*/"\"f32\"",
           "The precision of jobs that have none: f32, bf16 or f16">
  ];
  let statistics = [
    Statistic<"numNarrowed", "narrowed", "Ops that compute in the narrow type">,
    Statistic<"numCasts", "casts", "Conversions inserted">
  ];
}

def JobMoveRelus : Pass<"job-move-relus", "::mlir::job::FuncOp"> {
  let summary = "Compute relus behind maximum poolings";
  let description = [{
    The relu of a maximum is the maximum of the relus. In a training job, a relu
    that only a `job.max_pool2d` uses computes on the result of the pooling, if that
    has fewer elements. So does its gradient: maps of the input's size are then read
    and written by the pooling and its gradient alone.

    Results and gradients are equal: the first maximum of a window is the same unless
    all elements of the relu are zero, where no element gets a gradient. (A maximum
    of zeros may have another sign.)

    Runs before `job-autodiff`; a training job that has its gradients uses relus
    there as well, and does not change. The pass is idempotent.
  }];
  let statistics = [
    Statistic<"numMoved", "moved", "Relus that compute on fewer elements">
  ];
}

def JobAutodiff : Pass<"job-autodiff", "::mlir::job::FuncOp"> {
  let summary = "Build the gradients of the losses";
  let description = [{
    Precondition: `job-verify` accepts the training job. A training job that has
    its gradients does not change, so the pass is idempotent; other jobs do not
    change either. Builds gradients backwards from the
    losses through `DifferentiableOpInterface`, and ends with one `job.update` for
    each variable that a `job.minimize` of the job trains, independent of the
    number of its reads. Gradients that neither an update nor a `job.gradient`
    depends on (for example those of inputs) are not built. The
    gradient of a value with several uses is the sum of their gradients, added in
    the order of the uses in the job, last use first. The losses and
    `job.minimize` remain for `job-optimizer`.
  }];
  let statistics = [
    Statistic<"numGradientOps", "gradient-ops", "Ops built for gradients">
  ];
}

def JobOptimizer : Pass<"job-optimizer", "::mlir::ModuleOp"> {
  let summary = "Expand updates into the ops of the optimizer";
  let description = [{
    Precondition: `job-autodiff` has run. For each training job: computes the
    learning rate of each `job.minimize` once, where that is placed, as are
    clipping and the loss scale, divides every gradient by the number
    of elements of the loss over all micro-steps and by the loss scale, limits
    their norm where there is `clipping`, and replaces each `job.update` by the
    update rule of the optimizer. The optimizer's state
    becomes variables of the module, shared by all jobs that update the same
    variable. Removes `job.loss`, `job.minimize` and, in all jobs,
    `job.stop_gradient`. Jobs without any of these do not change, so the pass is
    idempotent.

    The division is a multiplication by `1 / (elements * micro_steps *
    loss_scale)`, computed in double precision and rounded once to the gradient's
    type. Unless that divisor is a power of two, the product may differ from the
    quotient in its last bit.
  }];
}

def JobStepCounter : Pass<"job-step-counter", "::mlir::ModuleOp"> {
  let summary = "Add a step counter to jobs that use their step";
  let description = [{
    A training job, and any job with `job.step`, gets the variable
    `System-Train-TrainStep-<job>`, or its `step_counter` (i64, not trainable,
    initially 0). `job.step`
    becomes a read of it at the start of the job, and the end of the job
    increments it. A job that increments its counter already gets no second
    increment.
  }];
}

def JobBuildInitializer : Pass<"job-build-initializer", "::mlir::ModuleOp"> {
  let summary = "Build the job that initializes all variables";
  let description = [{
    Adds `job.func @jobmlir_init kind init`, whose only argument is the seed, or
    replaces an existing one. The random numbers of a variable depend on the seed
    and the name of the variable only, not on the order of variables. Does nothing
    in a module without variables.
  }];
}

def JobDecompose : Pass<"job-decompose", "::mlir::job::FuncOp"> {
  let summary = "Decompose ops into other ops";
  let description = [{
    Replaces every `DecomposableOpInterface` op by ops that have kernels: a batch
    normalisation by sums and elementwise ops, an `argwhere` by counts of blocks
    and their rows. Runs after autodiff, which differentiates the whole op, and
    before `job-form-kernels`, which fuses the parts with their producers and
    users. Required, since these ops have no kernel.
  }];
  let statistics = [
    Statistic<"numDecomposed", "decomposed", "Ops decomposed">
  ];
}

def JobWidenTypes : Pass<"job-widen-types", "::mlir::job::FuncOp"> {
  let summary = "Compute in types that ops can compute with";
  let description = [{
    `f16`, `bf16` and `ui8` are for storage. Every op that computes with one of
    them is changed to compute in `f32` or `i32`, with a `job.cast` before each
    operand and after each result, so that each op rounds its results once, or
    wraps them. Ops that move elements (transposes, slices, gathers) and casts
    stay as they are. Runs before `job-decompose`, so that the parts of an op
    are not rounded one by one. Required, since these ops have no kernel. An op
    that a function of a library computes with these types does not change, if the
    processor has the feature that the function needs, or the text chooses the
    function.
  }];
  let dependentDialects = ["::mlir::plan::PlanDialect"];
  let options = [
    ListOption<"cpuFeatures", "cpu-features", "std::string",
               "Features of the processor that functions of libraries may use: "
               "avx512bf16 (default: none)">
  ];
  let statistics = [
    Statistic<"numWidened", "widened", "Ops widened">
  ];
}

def JobAssignLayouts : Pass<"job-assign-layouts", "::mlir::ModuleOp"> {
  let summary = "Choose the layouts of images and filters";
  let description = [{
    Lets convolutions compute on NHWC images, with OHWI filters, where the library
    function that computes them is faster with those
    (lib/Support/PreferredLayouts.inc), and with them the ops between them: poolings,
    elementwise ops, broadcasts, reductions and other `LayoutOpInterface` ops. So
    only blobs at the border of such a region are copied (`job.transpose`): inputs,
    filters that are inputs. A copy that moves no element, such as that of images
    with one channel, is a `job.reshape`. A variable is stored as OHWI
    (`permutation`) if the jobs of the module copy fewer bytes with that in all
    their steps, and so are the variables of its optimizer.

    Rows of a matrix that images are reshaped to follow them: a product with such
    rows is the same if the other matrix has their order, which is stored so if it
    is a variable (`expanded_shape`). The order goes through products, elementwise
    ops, broadcasts, reductions and micro-steps, to images that rows are reshaped
    to.

    Where the border is, is computed by a pure function, a minimum cut
    (include/JobDialect/Support/Layouts.h): a convolution in the layout that its
    library does not prefer costs what it takes the library to copy its blobs, and
    a border costs the bytes of the copies. A copy is in the kernel that needs it,
    if one does: of a filter in the one that converts it, of a gradient in that of
    the update. The runtime permutes the elements of a variable where the user reads,
    writes or saves it, so that users and checkpoints know one layout. Initial
    values are computed in it, too.

    Precondition: `job-decompose` has run, if there are normalisations. Runs before
    `job-form-kernels`. A convolution with a `plan.implementation` does not change.
    Optional.
  }];
  let dependentDialects = ["::mlir::plan::PlanDialect"];
  let options = [
    Option<"layout", "layout", "std::string", "",
           "The layout that all convolutions prefer, nchw or nhwc, whatever "
           "computes them; empty: use the table">,
    Option<"tf32", "tf32", "bool", "false",
           "Functions on a GPU round factors in f32 to TF32, as "
           "job-select-implementations lets them">
  ];
  let statistics = [
    Statistic<"numPermuted", "permuted", "Ops that compute on NHWC images">,
    Statistic<"numVariables", "variables", "Variables stored permuted">,
    Statistic<"numCopies", "copies", "Blobs copied to another layout">
  ];
}

def JobConvertConvToMatMul : Pass<"job-convert-conv-to-matmul",
                                  "::mlir::job::FuncOp"> {
  let summary = "Compute convolutions as matrix products where these are faster";
  let description = [{
    The gradient of a filter of one pixel is the product of two matrices if the
    images are NHWC and no pixel is skipped: rows of channels of the images, one
    for each pixel. It becomes a `job.matmul` where the function of the library that
    would compute it is slower: on the CPU in bf16, for images of at most 14 x 14
    pixels (docs/rationale.md).

    Precondition: `job-assign-layouts` has run, if images may be NHWC. A convolution
    with a `plan.implementation` does not change. Optional.
  }];
  let dependentDialects = ["::mlir::plan::PlanDialect"];
  let options = [
    Option<"maxPixels", "max-pixels", "int64_t", "-1",
           "Convert gradients of filters for images of at most so many pixels, "
           "whatever computes them; negative: where the product is faster">
  ];
  let statistics = [
    Statistic<"numConverted", "converted", "Convolutions that became products">
  ];
}

def JobFormMicroSteps : Pass<"job-form-micro-steps", "::mlir::job::FuncOp"> {
  let summary = "Move the ops of micro-steps into one loop";
  let description = [{
    Moves all ops with per-micro-step results into one `job.micro_steps` region:
    operands of `job.unpack` become its rows, operands of
    `job.broadcast_micro_steps` its shared blobs, results of `job.acc` its sums
    and results of `job.pack` its packed results. Constants and strided reads of
    constants are cloned into the region. Ops that depend on results of the loop
    move after it. Fails if an operand of the loop depends, through a variable, on
    a result of the loop. A job without micro-steps does not change.

    Precondition: `job-verify` accepts the job, and it has no kernel regions. Runs
    before `job-form-kernels`, so that no kernel crosses the boundary of the loop.
  }];
  let statistics = [
    Statistic<"numMicroOps", "micro-ops", "Ops moved into the loop">
  ];
}

def JobSelectImplementations
    : Pass<"job-select-implementations", "::mlir::job::FuncOp"> {
  let summary = "Choose how matrix products, convolutions and attention run";
  let description = [{
    Sets `plan.implementation` on each op that a library function can compute and
    that has none yet: the function and its configuration, which says how the work
    is split into chunks, or `#plan.generated_kernel`. The choice is that of a
    table by op, target, element type and number of operations
    (lib/Support/Implementations.inc); no time is measured. An attribute in the
    text is obeyed, and verified. Ops in a `job.kernel` are generated kernels
    already. With `tf32`, functions that can do so round factors in `f32` to
    TF32; a job's attribute `tf32` decides for it.
  }];
  let dependentDialects = ["::mlir::plan::PlanDialect"];
  let options = [
    Option<"tf32", "tf32", "bool", "false",
           "Let functions on a GPU round factors in f32 to TF32">,
    Option<"maxChunks", "max-chunks", "int64_t", "0",
           "Call libraries with their work split into at most this number of "
           "chunks (1 to 64), to measure rows of the table; 0: use the table">
  ];
  let statistics = [
    Statistic<"numCalls", "calls", "Ops computed by library functions">,
    Statistic<"numGenerated", "generated", "Ops computed by generated kernels">
  ];
}

def JobReturnRelus : Pass<"job-return-relus", "::mlir::job::FuncOp"> {
  let summary = "Compute relus of poolings in the calls of convolutions";
  let description = [{
    Undoes `job-move-relus` where the gradient stays as it is and the relu costs
    nothing: a relu of a `job.max_pool2d` computes on the input of the pooling, if
    that is the result of a convolution whose library call computes relus
    (`cudnn.conv2d`), with or without a bias. Else the relu is a kernel of its own.

    Everything else that uses the input of the pooling is a gradient of it, whose
    own gradient is 0 where the relu is: it reads the relu then. Results are equal;
    a maximum of zeros may have another sign.

    Runs after `job-select-implementations`. Idempotent and optional.
  }];
  let statistics = [
    Statistic<"numReturned", "returned", "Relus that a call computes">
  ];
}

def JobSaveArgmax : Pass<"job-save-argmax", "::mlir::job::FuncOp"> {
  let summary = "Keep where the maxima of poolings are for their gradients";
  let description = [{
    A `job.max_pool2d` with a gradient, on a GPU or of NHWC images, becomes a
    `job.max_pool2d_argmax`, and its gradients become `job.max_pool2d_argmax_grad`:
    they read a byte for each window instead of the window, and the input of the
    pooling need not be in memory until then. Where something else needs it that
    long, the bytes come on top. Windows of more than 128 cells stay as they are.

    A gradient that is 0 wherever the maximum is not positive, as that of a relu, is
    read without this mask, which `positive` of the pooling replaces. Nothing computes
    the mask then, unless something else reads it, such as the sum for a bias. Results
    are equal; a maximum of zeros may have another sign, that of the first one.

    Runs after `job-return-relus`. Idempotent and optional.
  }];
  let statistics = [
    Statistic<"numSaved", "saved", "Poolings whose argmax is kept">
  ];
}

def JobFoldHeadSlices : Pass<"job-fold-head-slices", "::mlir::job::FuncOp"> {
  let summary = "Let attention read and write parts of blobs";
  let description = [{
    Where a call of cuDNN computes attention or its gradient, and its queries, keys
    or values are slices of a blob that are whole heads of it, the op reads them
    in that blob (`heads_before`, `heads_after`). It does so only where the slices
    have no other users than such ops, and those that it reads are together as
    large as the blob, which is in memory for longer in their place. A
    concatenation of gradients that have no other users becomes a result of the op
    (`join_query_key`, `join_key_value`). Reshapes may be between the ops. Slices
    of parts of heads, and concatenations in another order, are copied as before.

    Precondition: `job-select-implementations` has run.
  }];
  let dependentDialects = ["::mlir::plan::PlanDialect"];
  let statistics = [
    Statistic<"numOperands", "operands", "Operands that are read in a larger blob">,
    Statistic<"numJoined", "joined", "Gradients that are written into one blob">
  ];
}

def JobMoveReshapes : Pass<"job-move-reshapes", "::mlir::job::FuncOp"> {
  let summary = "Move reshapes behind elementwise ops";
  let description = [{
    Ops are in one kernel if they have one iteration space, so a reshape between
    two of them keeps them apart. On devices where a kernel takes long to start
    (GPUs), an elementwise op computes in the shape that an operand was reshaped
    from, which has fewer dimensions, and its result is reshaped instead: if at
    least as many ops that may be in its kernel are of this shape as of its own.
    Reshapes move no elements, and results have the same bits.
  }];
  let statistics = [
    Statistic<"numMoved", "moved", "Ops that compute in another shape">
  ];
}

def JobFormKernels : Pass<"job-form-kernels", "::mlir::job::FuncOp"> {
  let summary = "Group ops into kernels";
  let description = [{
    Groups elementwise ops with the same shape, and reductions of their results,
    into one `job.kernel`, so that values used only inside it are not written to
    memory. Users of the result of a reduction of contiguous rows join as well
    if the rows are short enough to stay in a cache and many enough for all cores.
    Reductions of the same axes join if they read the same blob, and one of them
    reads none that the other does not read. Independent kernels join if their results are of at most 64 bytes and they
    wait for the same calls. Constants and broadcasts are duplicated into each
    kernel that uses them. So are ops that are cheaper to compute again than to
    keep in memory (`getDuplication` of ScalarKernelOpInterface): an addition, subtraction
    or product of constants and one blob that is in memory anyway, a conversion of
    one to a wider type, if then its result need not be in memory, and comparisons.
    An op that goes over rows as other ops do, such as a softmax, becomes a kernel by
    itself, with conversions of its operands and results. Where a kernel takes long
    to start, on a GPU, the elementwise ops that make its operands or use its
    results join it, and so do other such ops that read the same blob: a loss and
    its gradient are one kernel. The addition of a bias to a product, and the relu
    after it, are a kernel of their own if the library that computes the product
    can compute them. In a job with `fuse_updates = false`, so is the op that
    computes the new value of a variable. An op with
    custom loops becomes a kernel by itself; library calls, reshapes, reads and
    assignments stay outside. With `fuse=false` every op is a kernel by itself.
    The region of a `job.micro_steps` is grouped separately, and so are the ops of
    each device.
  }];
  let dependentDialects = ["::mlir::plan::PlanDialect"];
  let options = [
    Option<"fuse", "fuse", "bool", "true", "Group several ops into one kernel">
  ];
  let statistics = [
    Statistic<"numKernels", "kernels", "Kernels formed">
  ];
}

def JobSchedule : Pass<"job-schedule", "::mlir::job::FuncOp"> {
  let summary = "Order ops for a lower peak of live bytes";
  let description = [{
    Precondition: `job-form-kernels` has run. Searches for an order with a lower
    peak of live bytes, counted as in the plan: a blob is live from its definition
    to its last use or the last use of a reshape of it; inputs, constants, read
    variables, returned blobs and new values of variables are not in the arena; a
    result may alias an input at its last use (`in-place`). With
    `check-numerics`, a kernel has a status, and a new value that is only known
    to be finite when all of it has been computed is in the arena. The region of
    a `job.micro_steps` is ordered first, and counts with its peak. Respects
    dependences and the order of reads of a variable, of the users of these reads
    and of assignments to it. In a job on several devices, ops of one device
    stand together as far as the peak of all arenas stays the same: the executor
    runs each run of commands of one device, or of copies between two, as a part
    of the step. Does not change the order if no better one is found.
  }];
  let options = [
    Option<"inPlace", "in-place", "bool", "true",
           "Assume that kernels overwrite inputs that no later op reads">,
    Option<"checkNumerics", "check-numerics", "bool", "false",
           "Count what checks for NaN and infinity need">
  ];
  let statistics = [
    Statistic<"peakBytesBefore", "peak-bytes-before",
              "Peak of live bytes in the original order">,
    Statistic<"peakBytesAfter", "peak-bytes-after",
              "Peak of live bytes in the final order">
  ];
}

def JobRematerialize : Pass<"job-rematerialize", "::mlir::ModuleOp"> {
  let summary = "Recompute blobs instead of keeping them";
  let description = [{
    Precondition: `job-form-kernels` has run. Best after `job-schedule`, which
    lowers the peak at no run time. If a job would need more than `budget` bytes,
    blobs are recomputed right before a later use instead of being kept: a whole
    kernel or library call runs again on the same inputs, so that no bit of any
    result changes. The choice is greedy, by bytes freed per cost; inputs that are
    no longer live are recomputed as well. If recomputation alone cannot meet the
    budget, the ops are reordered, for which recomputed values leave more freedom.
    Recomputations that turn out to be unnecessary are removed.

    The budget covers all memory of the job: arena, variables, constants,
    workspace and the staging of one call. All parts but the arena are known from
    the job and are subtracted. In a module of several devices the budget is for
    each of them; the staging is in the memory of the host, and of a GPU that runs
    the job alone. A device is processed as if blobs on others had no bytes, and
    all of them twice, since what one gains another may lose. Ops that assign variables, that define a returned
    blob or the new value of a variable, or that read a variable which has been
    assigned in between are never recomputed. Each job is processed separately,
    the region of a `job.micro_steps` first. A recomputed op has the location
    `recomputation of` the original. If the budget cannot be met, the job keeps
    the smallest memory that was found, and `plan-check-budget` fails.
  }];
  let dependentDialects = ["::mlir::plan::PlanDialect"];
  let options = [
    Option<"budget", "budget", "int64_t", "0",
           "Limit of a job's memory on each device in bytes (0: no limit)">,
    Option<"inPlace", "in-place", "bool", "true",
           "Assume that kernels overwrite inputs that no later op reads">,
    Option<"checkNumerics", "check-numerics", "bool", "false",
           "Count what checks for NaN and infinity need">,
    Option<"schedule", "schedule", "bool", "true",
           "Reorder ops if recomputation is not enough">
  ];
  let statistics = [
    Statistic<"numRecomputed", "recomputed", "Recomputed ops">,
    Statistic<"flopsAdded", "flops-added", "Operations of these ops">
  ];
}

#endif // JOBDIALECT_TRANSFORMS_PASSES_TD
