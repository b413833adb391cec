//===- Passes.td - Code of kernels for targets -------------*- tablegen -*-===//

#ifndef JOBDIALECT_CODEGEN_PASSES_TD
#define JOBDIALECT_CODEGEN_PASSES_TD

include "mlir/Pass/PassBase.td"

def PlanSplitReductions : Pass<"plan-split-reductions", "::mlir::ModuleOp"> {
  let summary = "Cut long reductions to few results into two stages";
  let description = [{
    Precondition: buffers have no offsets yet. A kernel with work for four chunks
    or more that reduces a long dimension, and has too few results to be spread
    over cores, becomes two: the first reduces parts of the dimension, each to
    results of its own, and the second reduces these and computes the rest.
    What the kernel computes for each element of the dimension is written by the
    first, if the last dimension is not reduced. Columns of less than a page of
    memory count as one: their parts are whole rows. Of several dimensions, the
    outermost that has as many iterations as there are parts is cut. Where the
    dimension is no multiple of the parts, a third kernel reduces the rest. How
    many parts there are depends on the extents and operations of the body alone,
    so that sums have the same bits everywhere. If possible, each part has a power
    of two of iterations.

    A kernel does not change if it uses the elements of the dimension again after
    the reduction (a softmax), writes elements of a dimension that would have a
    rest, or has a schedule already.
  }];
  let dependentDialects = [
    "::mlir::plan::PlanDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"
  ];
  let statistics = [Statistic<"numSplit", "split", "Number of kernels split">];
}

def PlanSelectSchedules
    : Pass<"plan-select-schedules", "::mlir::plan::ExecutableOp"> {
  let summary = "Choose how kernels run on the CPU";
  let description = [{
    Adds a `plan.variant @cpu` with a `#plan.cpu_schedule` to an executable that
    has a body. An existing variant is kept. Schedules depend on the
    extents and operations of the body alone, never on the number of cores, so
    that results have the same bits everywhere.
  }];
  let dependentDialects = ["::mlir::plan::PlanDialect"];
}

def PlanGenerateCPUCode
    : Pass<"plan-generate-cpu-code", "::mlir::plan::ExecutableOp"> {
  let summary = "Turn bodies of kernels into loops for the CPU";
  let description = [{
    Precondition: `plan-select-schedules` has run. Each variant for the CPU that
    has no code gets a function on memrefs with the chunk as its last argument,
    in scf and vector: one loop nest over the items of a chunk, vectors along the
    dimension that the schedule names, the terms of each sum in a fixed order.
    The body does not change. Fails when the schedule does not fit the kernel.
  }];
  let dependentDialects = [
    "::mlir::plan::PlanDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

#endif // JOBDIALECT_CODEGEN_PASSES_TD
