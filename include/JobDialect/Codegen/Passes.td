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
    : Pass<"plan-select-schedules", "::mlir::ModuleOp"> {
  let summary = "Choose how kernels run on their devices";
  let description = [{
    Adds variants with schedules to an executable that has a body: a
    `plan.variant @cpu` with a `#plan.cpu_schedule` if a device of kind `host`
    runs it, and a `plan.variant @cuda` with a `#plan.cuda_schedule` if one of kind
    `cuda` does; that of the first device if none runs it. An existing variant is
    kept. Schedules depend on the extents and operations of the body alone, never
    on the number of cores, so that results have the same bits everywhere.
  }];
  let dependentDialects = ["::mlir::plan::PlanDialect"];
}

def PlanGenerateCode
    : Pass<"plan-generate-code", "::mlir::plan::ExecutableOp"> {
  let summary = "Turn bodies of kernels into code for their targets";
  let description = [{
    Precondition: `plan-select-schedules` has run. Each variant that has no code
    gets a function on memrefs with the chunk as its last argument, in scf and
    vector, the terms of each sum in a fixed order:

    - for the CPU, one loop nest over the items of a chunk, vectors along the
      dimension that the schedule names;
    - for CUDA, what one thread of the block of that number does, in the gpu
      dialect besides: the threads of a team compute an item together and join
      their parts of a sum through shuffles and shared memory, which is a
      `memref.alloca` in the space `#gpu.address_space<workgroup>`.

    The body does not change. Fails when the schedule does not fit the kernel.
  }];
  let dependentDialects = [
    "::mlir::plan::PlanDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

#endif // JOBDIALECT_CODEGEN_PASSES_TD
