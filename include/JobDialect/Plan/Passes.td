//===- Passes.td - Passes on the plan dialect --------------*- tablegen -*-===//

#ifndef JOBDIALECT_PLAN_PASSES_TD
#define JOBDIALECT_PLAN_PASSES_TD

include "mlir/Pass/PassBase.td"

def PlanMergeKernels : Pass<"plan-merge-kernels", "::mlir::ModuleOp"> {
  let summary = "Replace kernels that are alike by one";
  let description = [{
    Two executables are alike if they differ in names, locations and the values
    of `i32` and `i64` constants of their bodies only. One of them is kept. It
    takes the constants that differ as scalars, and each dispatch passes its own.
    A constant can become a scalar if integer `arith` operations use it, or yield
    it, but not if one divides or shifts by it, or computes an index from it,
    since that would make the code slower. Dispatches keep their locations.
    Executables that have scalars already, or code, are replaced by equal ones
    only.

    Names of the executables that are kept do not change.
  }];
  let statistics = [
    Statistic<"numMerged", "num-merged", "Executables replaced by another one">
  ];
}

def PlanStageTransfers : Pass<"plan-stage-transfers", "::mlir::ModuleOp"> {
  let summary = "Copy inputs and outputs to and from the memory of a device";
  let description = [{
    The inputs and outputs of a program on one device are in memory of that
    device: its driver copies them from and to the host beside other steps, and
    nothing changes. Those of a program on several devices are in staging memory
    of the host. Commands on a device with memory of its own compute with copies
    of them in its arena: an input is copied at the start of the program, an
    output at its end. One that is only copied to the device, or from it, stays
    as it is.
  }];
}

def PlanAssignOffsets : Pass<"plan-assign-offsets", "::mlir::ModuleOp"> {
  let summary = "Lay out variables, constants and staging slots";
  let description = [{
    Packs the variables into one bank and the constants into one section, in the
    order of the module, and the inputs and outputs of each program, by index,
    into one staging slot each, at multiples of 64 bytes. Records the sizes of
    slots and workspace on the program, as multiples of 64. Each queue has a
    workspace of its own, one after the other. Replaces existing offsets and
    sizes. Fails if a space would be larger than 2^48 bytes.
  }];
  // Sizes are attributes of it, also for a module without a program.
  let dependentDialects = ["::mlir::plan::PlanDialect"];
}

def PlanPackMemory : Pass<"plan-pack-memory", "::mlir::plan::ProgramOp"> {
  let summary = "Assign offsets to all buffers of the arena";
  let description = [{
    Lifetimes are ranges of commands, with the commands in a `plan.repeat` counted
    once; two buffers with overlapping lifetimes get disjoint memory. So do two
    buffers that commands of several queues use, unless all uses of one happen
    before all uses of the other. Tries
    several orders, keeps the smallest arena, and searches further if it is above
    the lower bound. A program with a list of strategies, `packing`, gets the
    smallest result of these, whatever `strategy` is. Records the size of the
    arena and the lower bound on the program. A buffer that no command uses gets
    offset 0 and takes no memory.
    Fails if the arena is larger than 2^48 bytes.
  }];
  let options = [
    Option<"strategy", "strategy", "std::string", "\"best\"",
           "Order of buffers: best (the smallest result of all), size, "
           "conflicts, time, or none (no sharing of memory)">,
    Option<"effort", "effort", "int64_t",
           "::mlir::job::kDefaultPackingEffort",
           "Effort of the search if simple orders do not reach the lower bound, "
           "in millions of numbers read (1000 takes some seconds)">
  ];
  let statistics = [
    Statistic<"arenaBytes", "arena-bytes", "Bytes of the arena">,
    Statistic<"lowerBoundBytes", "lower-bound-bytes",
              "Peak of live bytes">
  ];
}

def PlanFuseCallEpilogues
    : Pass<"plan-fuse-call-epilogues", "::mlir::ModuleOp"> {
  let summary = "Compute kernels with the library calls before them";
  let description = [{
    Removes a dispatch that updates the result of a call in place, if the call's
    function has an `epilogue` that computes the same (`cublaslt.matmul`,
    `cudnn.conv2d`):

    - `bias`, `relu`, `bias_relu`: adds a bias, the same for each row, computes
      the relu, or does both;
    - `bias_gelu`: adds a bias and computes the gelu by tanh;
    - `bias_gelu_input`: does the same and stores the sum as well, for example for
      the gradient of the gelu;
    - `gelu_grad`: multiplies with the derivative of the gelu by tanh at another
      array.

    It also removes a dispatch that adds a buffer, or a buffer and a bias, to the
    result of a call whose function can add an array (`beta` of
    `cublaslt.matmul`), such as a residual connection. The call writes the sum, in
    f32 if the dispatch converts a narrow product to add it (`out_f32`): the
    product and the bias are not rounded then. The dispatch updates the result of
    the call, or nothing else uses that result; the buffer is another one than
    that of the sum.

    The fused call is where the dispatch was. Between the two are only commands
    of the same queue, which do not access the result of the call nor write what
    the call reads. A kernel with another schedule than `plan-select-schedules`
    chooses does not change. A gelu and its gradient are recognised in the form in
    which the compiler builds them.

    A dispatch with a result of its own is fused only while buffers have no
    offsets: that result might be in the place of one that the call reads.
  }];
  let statistics = [
    Statistic<"numFused", "fused", "Dispatches made a part of a call">
  ];
}

def PlanFuseBiasGradients
    : Pass<"plan-fuse-bias-gradients", "::mlir::ModuleOp"> {
  let summary = "Compute sums of a factor with the product";
  let description = [{
    Removes a dispatch that only computes the sums of a buffer's columns, if a
    call of the same queue multiplies that buffer and its function has an
    `epilogue` for these sums (`bias_grad_a` with `transpose_a`, `bias_grad_b`
    without `transpose_b` of `cublaslt.matmul`): the gradient of a bias is a sum
    of the gradient with which the gradient of the weights is a product. The sums
    become the last result of the call, which reads the buffer once for both. No
    command between the two writes the buffer or the sums; both are in the arena,
    and neither command is checked. A call behind the first command that reads the
    sums moves in front of it, if none of those that it passes conflicts with it.

    The function stores the sums in the type of the factor. Sums in f32 of a
    buffer in f16 or bf16 take this type, if all that read them are kernels that
    round them to it first; these kernels then read the rounded sums.

    Precondition: buffers of the arena have no offsets yet, since a call may write
    the sums earlier or later than the dispatch. Runs before
    `plan-split-reductions`.
  }];
  let statistics = [
    Statistic<"numFused", "fused", "Dispatches made a part of a call">
  ];
  let options = [
    Option<"moveCalls", "move-calls", "bool", "true",
           "Move a call in front of the first reader of the sums">
  ];
}

def PlanFuseRows : Pass<"plan-fuse-rows", "::mlir::ModuleOp"> {
  let summary = "Compute small matrix products with the kernels of their rows";
  let description = [{
    On a GPU, makes one kernel of a small matrix product and of the commands around
    it that compute row by row: before it, what its rows are made of (a dropout);
    behind it, what is computed of them (a softmax and its gradient), further small
    products (the gradient of the operand), and what follows these (the mask of a
    relu). The items of the kernel are the rows. Such commands compute so little
    that most of their time is that of their launches. Where nothing reduces the
    rows, a product stays a call.

    A product takes part if it has no epilogue other than a bias, if each of its rows
    reads at most 64 KiB of the second factor, and all together no more than is read
    while a kernel starts. Its sums are in f32; those of f16 and bf16 have a buffer
    of their own, in which they are not rounded yet. Other commands are
    dispatches that access as little. Each accesses, of what another one writes, the
    elements of one row for that row. Between them are only commands that none of
    them conflicts with. Where one would overwrite what a command between them
    reads, it has a result of its own.

    Sums of the columns of what a dispatch writes row by row, which it computes as
    well, become a dispatch of their own.

    Precondition: buffers of the arena have no offsets yet, since some are live
    earlier or later than before; with a memory budget, the pass runs only if the
    programs fit it then. Runs after `plan-fuse-call-epilogues`, which
    gives large products what these kernels could compute as well, and before
    `plan-fuse-bias-gradients`, which gives them sums of columns.
  }];
  let statistics = [
    Statistic<"numFused", "fused", "Commands that are in one kernel with others">
  ];
}

def PlanFuseColumnSums : Pass<"plan-fuse-column-sums", "::mlir::ModuleOp"> {
  let summary = "Compute sums of columns with reductions of the same rows";
  let description = [{
    Joins two dispatches on a GPU that read the same rows: one computes sums of
    columns (the gradients of the scale and the shift of a normalization), and the
    other reduces each row (the gradient of the normalized blob). One kernel
    computes both, and reads the rows once. Its blocks have a part of the rows each
    and sum the columns of their parts; a second kernel joins these sums.

    The first dispatch reads only what the second one reads as well, and nothing
    between the two accesses what it writes or writes what it reads. The second one
    may write over what both read. The rows are many enough that there is a part
    for each multiprocessor, and their columns are a multiple of 128.

    Precondition: buffers of the arena have no offsets yet, since the sums are
    written later than before. Runs before `plan-split-reductions`, which would
    give the sums of columns parts of their own.
  }];
  let statistics = [
    Statistic<"numFused", "fused", "Dispatches that joined another one">
  ];
}

def PlanFuseEpilogues : Pass<"plan-fuse-epilogues", "::mlir::ModuleOp"> {
  let summary = "Run kernels chunk by chunk after library calls";
  let description = [{
    Makes a dispatch an `epilogue` of the call or dispatch before it (for example a
    bias) where dimensions of its kernel can be cut into the blocks of the result
    that the chunks of that command write, and chunks of different numbers have
    no conflicting accesses. A kernel whose dimensions were collapsed gets back
    those along which the result is cut, unless it uses indices, starts from a
    fill, or the rows of the blocks have less than 4 KiB. The kernel gets the
    schedule for these blocks; a kernel with other dispatches is copied. A kernel
    with another schedule than `plan-select-schedules` chooses does not change.

    The command before it is the one directly before it in the text, which must
    be on the same queue. A program with several queues has epilogues only where
    commands of one queue follow one another in its text; commands are not
    reordered, and a `plan.record`, a `plan.wait` or a command of another queue
    in between prevents an epilogue.

    Precondition: buffers have offsets. They do not change.
  }];
  let statistics = [
    Statistic<"numEpilogues", "epilogues", "Dispatches made epilogues">
  ];
}

def PlanJoinLaunches : Pass<"plan-join-launches", "::mlir::ModuleOp"> {
  let summary = "Run small kernels in the launch of another one";
  let description = [{
    On a device whose kernels take long to start, moves a dispatch of a small
    kernel to another one that is independent of it and of all commands between
    them, and makes them one launch: updates of variables meet behind all
    gradients, and a weight is converted where another kernel runs. The nearest
    one after it is taken, or else the nearest one before it. Small kernels that
    already are one launch move together. A kernel is small if its accesses take up
    to eight times as long as its launch.
    Both have the same number of threads, or the one with fewer threads has no
    threads that work together. A kernel with loops of its own, one with checks and
    an epilogue have launches of their own.

    Precondition: kernels have schedules; the arena is packed after it, since
    buffers may be live for longer.
  }];
  let statistics = [
    Statistic<"numJoined", "joined", "Dispatches that joined a launch">
  ];
}

def PlanAssignQueues : Pass<"plan-assign-queues", "::mlir::ModuleOp"> {
  let summary = "Run independent commands of a GPU on two queues";
  let description = [{
    On a device whose kernels take long to start, a kernel can be started while
    another one runs, if they are independent: the gradient of a weight and its
    update beside the gradients of the layers before it. The pass gives such a
    device a second queue, moves launches there, orders the commands of both, and
    adds a `plan.record` and a `plan.wait` where one queue needs what the other one
    has computed, or writes what it has read. Kernels that run for more than twice
    as long as a launch takes leave theirs if that is faster.

    A program that trains or predicts, on one such device alone, changes with
    `queues=auto` if by the times of `job-report-time`, for the rates of an H200,
    it becomes 5 % faster at least, and if its arena and the workspace of the
    second queue need at most an eighth, or 64 MiB, more than before: buffers of
    two queues share memory only where events order them. With `two` it changes
    unless it would become slower, whatever memory it needs. Programs with a `plan.repeat`, with
    calls of the host, collectives, checks, several queues or more than 4,096
    commands do not change, nor do any if there are 64 queues.

    Results have the same bits. Precondition: kernels have schedules, and the
    arena's buffers no offsets yet; `plan-assign-offsets` gives each queue its
    workspace after it.
  }];
  let options = [
    Option<"queues", "queues", "std::string", "\"auto\"",
           "Queues of a program: one, two, or auto, two where that is faster">,
    Option<"growth", "growth", "int64_t", "64 << 20",
           "Bytes that a program may need more with auto, if an eighth is less">
  ];
  let statistics = [
    Statistic<"numMoved", "moved", "Commands moved to a second queue">
  ];
}

def PlanCheckBudget : Pass<"plan-check-budget", "::mlir::ModuleOp"> {
  let summary = "Check that programs fit into a memory budget";
  let description = [{
    Precondition: `plan-assign-offsets` and `plan-pack-memory` have run. Fails
    if arena, variables, constants, workspace and the staging of one call of a
    program together exceed `budget` bytes, and names the largest buffers that are
    live at the peak and the largest variables. The initializer is reported where
    no other program exceeds them. Of several devices, each may use as many; the
    staging is in the memory of the host, and of a GPU that runs the program alone.
    Does not change the IR.
  }];
  let options = [
    Option<"budget", "budget", "int64_t", "0",
           "Limit of a program's memory on each device in bytes (0: no limit)">
  ];
}

def PlanVerifyMemory : Pass<"plan-verify-memory", "::mlir::ModuleOp"> {
  let summary = "Verify that live buffers do not overlap";
  let description = [{
    Shares no code with the passes whose results it verifies. Fails if

    - a buffer has no offset, is not aligned to 64 bytes or leaves its space;
    - two variables, constants, inputs or outputs overlap;
    - two buffers of the arena overlap and are live at the same command, or may
      be live at once, since commands of several queues use them;
    - two commands access one buffer, one of them writes it, and neither happens
      before the other;
    - two buffers of one command overlap and one of them is written;
    - a kernel reads and writes one buffer other than element by element, that is,
      unless each point of its only loop nest accesses only its own element, which
      cannot be verified for a loop over items; or it writes a buffer in `ins`;
    - a buffer of the arena or an output is read before it is written, a workspace
      is read, a constant is written, or an output is never written;
    - a command in a `plan.repeat` other than `plan.copy` uses a `plan.micro_view`
      that is not aligned in all iterations;
    - the recorded sizes or the lower bound do not match the buffers.

    Does not change the IR.
  }];
}

def PlanVerify : Pass<"plan-verify", "::mlir::ModuleOp"> {
  let summary = "Verify commands against kernels and library functions";
  let description = [{
    Checks that need more than one op. `plan-verify-memory` verifies the places of
    buffers, this pass their use. Text of a plan may be edited by hand; later
    passes and the runtime trust plans that these two passes accept. Fails if

    - the body of a kernel breaks a rule of its form, `KernelNest` or `ItemLoop`
      (include/JobDialect/Codegen);
    - a variant is for another target than `cpu`, a schedule does not fit its
      kernel, or a variant has another number of chunks than its schedule;
    - a dispatch has another number of checks than its kernel;
    - an epilogue has another number of chunks than the command before it, or one
      of its chunks and a chunk of another number of the commands before it have
      conflicting accesses, or that command is in a launch of several on a GPU;
    - a program of kind init does not write a variable, or reads one before that;
    - a command is on a queue that the module's devices do not have;
    - a command of a GPU in a program of several devices uses an input or an
      output, memory of the host, other than by a copy from or to the device;
    - an operation has an attribute that is neither its own nor of a dialect;
    - a call is of a function that the runtime does not have, or its config,
      buffers, chunks or workspace are not those of the function for this config.

    The memory accesses of loops on memrefs are trusted, in bodies and in
    functions of variants, and so are lowered kernels. Does not change the IR.
  }];
}

#endif // JOBDIALECT_PLAN_PASSES_TD
