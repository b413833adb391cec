// What the simulated CUDA cannot check is refused.

// RUN: job-opt %s --pass-pipeline='builtin.module(gpu.module(job-simulate-cuda-kernels))' --split-input-file --verify-diagnostics

gpu.module @no_threads {
  // expected-error @+1 {{expects the number of threads of a block, 'nvvm.maxntid'}}
  llvm.func @kernel() attributes {nvvm.kernel} {
    llvm.return
  }
}

// -----

gpu.module @constants {
  llvm.mlir.global internal constant @table(dense<1> : tensor<4xi32>) : !llvm.array<4 x i32>
  llvm.func @kernel() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 32, 1, 1>} {
    // expected-error @+1 {{expects a global in shared memory but got 'table'}}
    %0 = llvm.mlir.addressof @table : !llvm.ptr
    llvm.return
  }
}

// -----

gpu.module @validity {
  llvm.func @kernel(%x: !llvm.ptr, %v: i32) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 32, 1, 1>} {
    // expected-error @+1 {{expects users of its value alone, as the simulated CUDA does not say whether it is valid}}
    %pair = nvvm.shfl.sync bfly %v, %v, %v, %v {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
    %is = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
    llvm.return
  }
}

// -----

gpu.module @other {
  llvm.func @f()
  llvm.func @kernel() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 32, 1, 1>} {
    // expected-error @+1 {{has no counterpart in the simulated CUDA}}
    llvm.call @f() : () -> ()
    llvm.return
  }
}
