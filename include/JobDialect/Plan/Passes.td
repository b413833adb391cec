//===- Passes.td - Passes on the plan dialect --------------*- tablegen -*-===//

#ifndef JOBDIALECT_PLAN_PASSES_TD
#define JOBDIALECT_PLAN_PASSES_TD

include "mlir/Pass/PassBase.td"

def PlanAssignOffsets : Pass<"plan-assign-offsets", "::mlir::ModuleOp"> {
  let summary = "Lay out variables, constants and staging slots";
  let description = [{
    Packs the variables into one bank and the constants into one section, in the
    order of the module, and the inputs and outputs of each program, by index,
    into one staging slot each, at multiples of 64 bytes. Records the sizes of
    slots and workspace on the program, as multiples of 64. Offsets and sizes
    that are there already are replaced. Fails when a space would be larger than
    2^48 bytes.
  }];
}

def PlanPackMemory : Pass<"plan-pack-memory", "::mlir::plan::ProgramOp"> {
  let summary = "Give every buffer of the arena its place";
  let description = [{
    Lifetimes are ranges of commands, those in the body of a `plan.repeat` counted
    once; two buffers whose ranges overlap get
    disjoint bytes. Tries several orders, keeps the smallest arena, and searches
    further when that is above the lower bound. Records arena size and lower
    bound on the program. A buffer that no command touches gets offset 0 and no
    bytes. Fails when the arena is larger than 2^48 bytes.
  }];
  let options = [
    Option<"strategy", "strategy", "std::string", "\"best\"",
           "How buffers are ordered: best (the smallest of all), size, "
           "conflicts, time, or none (no sharing)">,
    Option<"effort", "effort", "int64_t",
           "::mlir::job::kDefaultPackingEffort",
           "Effort of the search for what simple orders do not pack well, in "
           "millions of numbers looked at (1000 are some seconds)">
  ];
  let statistics = [
    Statistic<"arenaBytes", "arena-bytes", "Bytes of the arena">,
    Statistic<"lowerBoundBytes", "lower-bound-bytes",
              "Largest sum of live bytes">
  ];
}

def PlanCheckBudget : Pass<"plan-check-budget", "::mlir::ModuleOp"> {
  let summary = "Check that programs need no more memory than they may";
  let description = [{
    Precondition: `plan-assign-offsets` and `plan-pack-memory` have run. Fails
    when a program needs more than `budget` bytes of arena, variables,
    constants, workspace and the staging of one call together, and names the
    largest buffers that are alive when most are. Changes nothing.
  }];
  let options = [
    Option<"budget", "budget", "int64_t", "0",
           "Bytes that a program may need (0: no limit)">
  ];
}

def PlanVerifyMemory : Pass<"plan-verify-memory", "::mlir::ModuleOp"> {
  let summary = "Prove that no two live buffers share bytes";
  let description = [{
    Shares no code with the passes that it checks. Fails when

    - a buffer has no offset, is not aligned to 64 bytes or leaves its space;
    - two variables, constants, inputs or outputs share bytes;
    - two buffers of the arena that are alive at one command share bytes;
    - two buffers of one command share bytes and one of them is written;
    - a kernel reads and writes one buffer other than element by element: each
      point of its one loop nest the element that is its own (an op with loops of
      its own gives its word with `plan.in_place` on the argument);
    - a buffer of the arena or an output is read before anything was written to
      it, a workspace is read, or a constant is written;
    - a command in a `plan.repeat` other than `plan.copy` uses a view of this
      iteration's rows that is not aligned in all of them;
    - the recorded sizes or the lower bound are not those of the buffers.

    Changes nothing.
  }];
}

#endif // JOBDIALECT_PLAN_PASSES_TD
