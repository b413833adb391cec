//===- Passes.td - Passes that print analyses --------------*- tablegen -*-===//

#ifndef JOBDIALECT_ANALYSIS_PASSES_TD
#define JOBDIALECT_ANALYSIS_PASSES_TD

include "mlir/Pass/PassBase.td"

def JobPrintActivity : Pass<"job-print-activity", "::mlir::job::FuncOp"> {
  let summary = "Print which values gradients flow through";
  let description = [{
    Emits a remark at each op with an active result: one that depends on a
    trainable variable and that a loss depends on. Does not change the IR.
  }];
}

def JobPrintMicroSteps : Pass<"job-print-micro-steps", "::mlir::job::FuncOp"> {
  let summary = "Print which values are per-step or per-micro-step";
  let description = [{
    Emits a remark at each op with a result: whether the result is per-step,
    per-micro-step, or depends on constants only. Does not change the IR.
  }];
}

def JobPrintBlobPlaces : Pass<"job-print-blob-places", "::mlir::ModuleOp"> {
  let summary = "Print where the plan keeps the blobs of a job";
  let description = [{
    Precondition: `job-form-kernels`. Emits a remark at each job: the bytes of
    the arena that are live at the peak, and those of all other spaces; then one
    at each op that computes a blob: the memory that the plan writes it to, and
    at each blob that is copied to the arena. These are the decisions that
    `convert-job-to-plan` follows, for the order that the ops have. Does not
    change the IR.
  }];
  // A call's bytes are in its implementation.
  let dependentDialects = ["::mlir::plan::PlanDialect"];
  let options = [
    Option<"inPlace", "in-place", "bool", "true",
           "Kernels may overwrite their inputs">,
    Option<"checkNumerics", "check-numerics", "bool", "false",
           "Count what checks for NaN and infinity need">
  ];
}

def PlanPrintLifetimes
    : Pass<"plan-print-lifetimes", "::mlir::plan::ProgramOp"> {
  let summary = "Print lifetimes of buffers of the arena";
  let description = [{
    Emits a remark at each `plan.alloc`: its size and the first and the last
    command of its lifetime. Does not change the IR.
  }];
}

def JobPrintGraph : Pass<"job-print-graph", "::mlir::ModuleOp"> {
  let summary = "Draw jobs and programs as a picture (SVG)";
  let description = [{
    Writes one SVG picture of every `job.func` and `plan.program` of the module,
    so it works at any stage. Ops and commands are boxes coloured by family
    (white with a dashed border if they compute a gradient) with the user's name
    of the op, its line and its FLOPs. Edges are blobs and buffers: they begin at
    a label with shape and bytes, and their width grows with log10 of the bytes.
    Variables, inputs and outputs have round corners. `job.kernel`,
    `job.micro_steps` and `plan.repeat` are frames around their ops. An edge that
    would cross more than 32 rows begins at a copy of its op's box. The ops of an
    optimizer's update of a variable are one box unless `updates` is set. Dashed
    edges are the order between queues through `plan.record` and `plan.wait`.
    Does not change the IR.

    Graphviz's program `dot` draws the picture. If it is not on `PATH`, the text
    in Graphviz's language DOT is written instead, to a file `.dot` if `output`
    ends in `.svg`, with a warning. It is an error if `dot` fails or runs for
    more than a minute.
  }];
  let options = [
    Option<"output", "output", "std::string", "\"-\"",
           "File to write (-: standard output)">,
    Option<"entry", "entry", "std::string", "\"\"",
           "The job or program to draw (default: all)">,
    Option<"updates", "updates", "bool", "false",
           "Draw each op of an optimizer's update">,
    Option<"dot", "dot", "bool", "false", "Write the DOT text, not a picture">
  ];
}

def JobReportMemory : Pass<"job-report-memory", "::mlir::ModuleOp"> {
  let summary = "Report the memory of programs";
  let description = [{
    Precondition: `plan-assign-offsets` and `plan-pack-memory` have run. For
    each `plan.program`: the bytes of the arena, its lower bound and the gap
    between them, of the bank of variables, the staging slots of one call, the
    workspace and the constants, and their sum; then the command with the most
    live bytes of the arena, and the buffers that are live there, largest first,
    with the op's name and the user's line. With `html`, also writes one
    page with a picture: commands from left to right, offsets from bottom to
    top, a rectangle for each buffer. Does not change the IR.
  }];
  let options = [
    Option<"output", "output", "std::string", "\"-\"",
           "File for the text (-: standard output)">,
    Option<"html", "html", "std::string", "\"\"",
           "File for the HTML page (default: none)">,
    Option<"largest", "largest", "unsigned", "10",
           "Number of buffers of the peak in the text">
  ];
}

def JobReportTime : Pass<"job-report-time", "::mlir::ModuleOp"> {
  let summary = "Estimate the time of programs on a GPU";
  let description = [{
    For each `plan.program` an estimate from the bytes and operations of its
    commands, to judge a plan before there is a device. A command takes `launch`,
    unless it joins the launch of the one before it, and the longer one of two
    times: that of its bytes at `bandwidth` times `bandwidth-efficiency`, and that
    of its operations. Those of library calls run at the rate of the tensor cores for their element type, or for TF32 if
    the call rounds to it, times `matrix-efficiency`; all others at `f32-rate`. A
    collective takes the time of the bytes that it sends to other ranks at
    `network`, if that is longer. A command in a `plan.repeat` counts as often as
    that says. The device launches one command at a time and works on one at a
    time; where commands are on several queues, one is launched while the device
    works on another. Each buffer counts as read from memory, none from a cache,
    and so do the gradients of scores that a gradient of attention keeps in its workspace.

    The driver copies the inputs and outputs of a program on one device beside the
    steps before and after it, in both directions at once: the bytes of `inputs`
    and those of `outputs` at `link` are times of their own, and the total is the
    longest of these two and of the commands, the time of a step among others.
    In a program on several devices, copies between inputs, outputs and a device
    are commands, and `transfers` is their time at `link`.

    Defaults are an H200, whose rates are those that large products and copies
    reach. Does not change the IR.
  }];
  let options = [
    Option<"output", "output", "std::string", "\"-\"",
           "File for the text (-: standard output)">,
    Option<"largest", "largest", "unsigned", "10",
           "Number of commands in the text, those with the most time first">,
    Option<"bandwidth", "bandwidth", "double",
           "kH200Rates.bandwidth",
           "Of the device's memory, GB/s">,
    Option<"link", "link", "double",
           "kH200Rates.link",
           "Bandwidth between host and device, GB/s">,
    Option<"network", "network", "double",
           "kH200Rates.network",
           "Bandwidth between the devices of ranks, GB/s">,
    Option<"narrowRate", "narrow-rate", "double",
           "kH200Rates.narrowRate",
           "Products of f16 and bf16, TFLOP/s">,
    Option<"tf32Rate", "tf32-rate", "double",
           "kH200Rates.tf32Rate",
           "Products of f32 as TF32, TFLOP/s">,
    Option<"f32Rate", "f32-rate", "double",
           "kH200Rates.f32Rate",
           "All other operations, TFLOP/s">,
    Option<"launch", "launch", "double",
           "kH200Rates.launch",
           "A node of a graph, microseconds">,
    Option<"bandwidthEfficiency", "bandwidth-efficiency", "double",
           "kH200Rates.bandwidthEfficiency",
           "Part of the bandwidth that kernels reach">,
    Option<"matrixEfficiency", "matrix-efficiency", "double",
           "kH200Rates.matrixEfficiency",
           "Part of their rate that products reach">
  ];
}

def JobListImplementations
    : Pass<"job-list-implementations", "::mlir::ModuleOp"> {
  let summary = "List how each op of the dialect is computed on each target";
  let description = [{
    Writes lines of words about the ops of the `job` dialect, also of those that
    the module does not have: `job.add op` for each op, and what computes it on a
    target, which may be several things:

    | line | by |
    |---|---|
    | `job.add cuda elements` | a generated kernel, element by element |
    | `job.reduce_sum cuda reduction` | a generated kernel, a reduction |
    | `job.slice cuda access` | no kernel of its own: kernels that use it read its operand |
    | `job.conv2d cuda loops` | a generated kernel with loops over items |
    | `job.softmax cuda parts job.exp` | a kernel of these ops, or these ops |
    | `job.matmul cuda library cublaslt.matmul f32` | a function of a library, for this element type |
    | `job.minimize cuda pass job-optimizer` | nothing: the pass replaces it |
    | `job.read cuda plan plan.get_variable` | nothing: what the plan has in its place |

    All but the parts and the functions are known from the interfaces that an op
    implements. Those are listed for the ops of the module, the functions for
    each type of floats, as `job-select-implementations` would choose them. docs/generated/JobKernels.md is
    made of the lines of many modules. Does not change the IR.
  }];
  let options = [
    Option<"output", "output", "std::string", "\"-\"",
           "File to write (-: standard output)">
  ];
  let dependentDialects = ["::mlir::plan::PlanDialect"];
}

#endif // JOBDIALECT_ANALYSIS_PASSES_TD
