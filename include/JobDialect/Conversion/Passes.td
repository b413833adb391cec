//===- Passes.td - Passes to other dialects ----------------*- tablegen -*-===//

#ifndef JOBDIALECT_CONVERSION_PASSES_TD
#define JOBDIALECT_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertJobToPlan : Pass<"convert-job-to-plan", "::mlir::ModuleOp"> {
  let summary = "Convert jobs to programs of the plan dialect and kernels";
  let description = [{
    Precondition: `job-form-kernels` has run; there is no `job.loss`, `job.update`
    or `job.step`. Every job becomes a `plan.program`, every kernel a
    `plan.executable` with a `@body` in linalg on tensors or, for an op with
    custom loops, in scf on memrefs. Blobs become buffers: an assigned variable
    is written in place if no op can observe the difference, a returned blob is
    written directly to the output's staging slot. With `in-place`, a result of a
    kernel aliases an input in the arena if no later op reads the input and the
    kernel reads it element by element.

    With `check-numerics`, a kernel also records the first of its ops, in order,
    whose result is NaN or infinite, and which of the two: one `i32` per chunk in
    an additional buffer, with the locations of the ops in the `checks` of the
    `plan.dispatch`. Ops that only move or compare values are not checked, since
    they cannot create such values. Inputs that some op reads and library calls
    are marked `checked`: the runtime checks them. A kernel that updates a
    variable in place keeps the old value of an element for which a check fails;
    if it cannot (ops with custom loops, kernels with reductions, library calls),
    the new value is written to the arena and copied.
  }];
  let options = [
    Option<"inPlace", "in-place", "bool", "true",
           "Let kernels overwrite inputs that no later op reads">,
    Option<"checkNumerics", "check-numerics", "bool", "false",
           "Check results of kernels and library calls for NaN and infinity">
  ];
  let statistics = [
    Statistic<"numInPlace", "in-place",
              "Results that alias an input in the arena">
  ];
  let dependentDialects = [
    "::mlir::plan::PlanDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::affine::AffineDialect",
    "::mlir::tensor::TensorDialect", "::mlir::ub::UBDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def ConvertLinalgToJob : Pass<"convert-linalg-to-job", "::mlir::ModuleOp"> {
  let summary = "Convert functions in linalg on tensors to jobs";
  let description = [{
    Every `func.func` of tensors becomes a job of kind predict, as users write it
    for an op of their own (`importKernel` in
    include/JobDialect/Conversion/LinalgToJob.h, which states what such a function
    may contain): a structured operation becomes broadcasts and transposes of its
    inputs, elementwise ops and reductions, which `job-form-kernels` joins into
    kernels again. A tensor without dimensions becomes a blob of shape `1`.

    ```mlir
    func.func @scale(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = arith.mulf %x, %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::job::JobDialect"];
}

def LowerKernels : Pass<"job-lower-kernels", "::mlir::ModuleOp"> {
  let summary = "Lower kernels to the LLVM dialect";
  let description = [{
    Every kernel function becomes an `llvm.func` with bare pointers, and gets a
    wrapper function `jobk_<n>`, which the artifact exports (docs/artifact.md). A
    kernel with scalars has a wrapper, and an executable that names it, for each
    list of scalars that a dispatch passes; the wrapper calls the kernel with
    them, and they are removed from the dispatch. Nothing else of the plan
    changes.
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect"
  ];
}

def LowerCUDAKernels : Pass<"job-lower-cuda-kernels", "::mlir::ModuleOp"> {
  let summary = "Lower kernels for CUDA to the NVVM dialect";
  let description = [{
    The code of every `plan.variant @cuda` becomes a kernel of `gpu.module
    @cuda_kernels`, in the LLVM and NVVM dialects, with bare pointers: the buffers
    of the dispatch, then its scalars. The chunk is the number of the block, and
    the block has the threads of the schedule. Kernels call no library of CUDA.
    Dispatches of one launch become one kernel, whose blocks are those of all,
    and one dispatch. Nothing else of the plan changes.

    The `gpu.module` gets `targets`, for which `gpu-module-to-binary` makes code:
    GPUs as `sm_90`, PTX for the compute capability of one as `compute_90`, and
    the simulated CUDA as `simulated`, on the processor `cpu` with LLVM's
    `features`.
  }];
  let options = [
    ListOption<"targets", "targets", "std::string",
               "GPUs to make code for, such as sm_90, compute_90 (PTX), or "
               "simulated">,
    Option<"cpu", "cpu", "std::string", "\"native\"",
           "Processor that runs the simulated CUDA">,
    Option<"features", "features", "std::string", "\"\"",
           "Its features, as LLVM writes them">
  ];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::gpu::GPUDialect"
  ];
}

def SimulateCUDAKernels
    : Pass<"job-simulate-cuda-kernels", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower NVVM kernels to code for the simulated CUDA";
  let description = [{
    The kernels of a `gpu.module` in the LLVM and NVVM dialects become functions
    for the host that the simulated CUDA runs, one call for each thread
    (runtime/simulators/cuda/kernel_abi.h). A call of `access` stands before each
    access to global and shared memory, one for each lane where there is a mask;
    barriers and shuffles are calls. Each of them has a number, its site, in the
    order of the text. The constant `jobsim_module` describes the kernels.
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect"
  ];
}

#endif // JOBDIALECT_CONVERSION_PASSES_TD
