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
    written where the caller reads it.
  }];
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
