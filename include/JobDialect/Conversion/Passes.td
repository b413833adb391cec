//===- Passes.td - Passes to other dialects ----------------*- tablegen -*-===//

#ifndef JOBDIALECT_CONVERSION_PASSES_TD
#define JOBDIALECT_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertJobToPlan : Pass<"convert-job-to-plan", "::mlir::ModuleOp"> {
  let summary = "Turn jobs into programs of the plan dialect and kernels";
  let description = [{
    Precondition: `job-form-kernels` has run; no `job.loss`, `job.update` or
    `job.step` is left. Every job becomes a `plan.program`, every kernel a
    `func.func` on memrefs with a chunk number as its last argument, in linalg
    and scf; equal kernels are shared. Blobs become buffers: an assigned variable
    is written in place when nothing can see the difference, a returned blob is
    written where the caller reads it. With `in-place`, a kernel writes a result
    into the memory of an input in the arena when nobody looks at the input
    later and the kernel reads it element by element.

    With `check-numerics`, a kernel also notes the first of its ops, in their
    order, with a result that is NaN or infinite, and which of the two: one `i32`
    for each chunk in one more buffer, and the ops' locations in the `checks` of
    the `plan.dispatch`. Ops that only move or compare are left out: they make
    nothing that was not there. Inputs of a job, and results of library calls and
    of ops with loops of their own, are checked by the first kernel that reads
    them element by element, where that is the first reader and writes no
    variable, else by a kernel of its own.
  }];
  let options = [
    Option<"inPlace", "in-place", "bool", "true",
           "Let kernels overwrite inputs that nobody needs any more">,
    Option<"checkNumerics", "check-numerics", "bool", "false",
           "Check what kernels and library calls compute for NaN and infinity">
  ];
  let statistics = [
    Statistic<"numInPlace", "in-place",
              "Results written into the memory of an input in the arena">
  ];
  let dependentDialects = [
    "::mlir::plan::PlanDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::affine::AffineDialect",
    "::mlir::ub::UBDialect", "::mlir::vector::VectorDialect"
  ];
}

def LowerKernels : Pass<"job-lower-kernels", "::mlir::ModuleOp"> {
  let summary = "Lower kernels to the LLVM dialect";
  let description = [{
    Every kernel function becomes an `llvm.func` with bare pointers, and beside
    it stands the function `jobk_<n>` that the artifact exports
    (docs/artifact.md). Programs of the plan dialect stay as they are.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // JOBDIALECT_CONVERSION_PASSES_TD
