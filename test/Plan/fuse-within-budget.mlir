// RUN: job-opt %s --plan-fuse-rows=budget=1 --plan-fuse-bias-gradients=budget=1 --explain=kernels 2>%t | FileCheck %s --check-prefixes=CHECK,TIGHT
// RUN: FileCheck %s --check-prefix=WHY --implicit-check-not=grows < %t
// RUN: job-opt %s --plan-fuse-rows=budget=100000 --plan-fuse-bias-gradients=budget=100000 | FileCheck %s --check-prefixes=CHECK,LOOSE
// RUN: job-opt %s --plan-fuse-rows --plan-fuse-bias-gradients | FileCheck %s --check-prefixes=CHECK,LOOSE
// RUN: not job-opt %s --plan-fuse-rows=budget=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not job-opt %s --plan-fuse-bias-gradients=budget=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: error: expects a budget of at least 0 bytes but got -1

// With a memory budget, passes that make buffers live earlier or later do so where
// the program needs no more memory then, or fits the budget.

plan.device @gpu0 kind(cuda) queues(1)

#arena = #plan.space<arena>
#inputs = #plan.space<inputs>
#variables = #plan.space<variables>

#all = affine_map<(d0, d1) -> (d0, d1)>
#columns = affine_map<(d0, d1) -> (d1)>
#rows = affine_map<(d0, d1) -> (d0)>

plan.variable @w : memref<4x16xf32, #variables>
plan.variable @x : memref<6x5xf32, #variables>
plan.variable @out : memref<4xf32, #variables>
plan.variable @factor : memref<4x5xf32, #variables>
plan.variable @wide : memref<6x500xf32, #variables>
plan.variable @wide_factor : memref<4x500xf32, #variables>

plan.executable @row {
  func.func @body(%z: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %least = arith.constant 0xFF800000 : f32
    %empty = tensor.empty() : tensor<8xf32>
    %0 = linalg.fill ins(%least : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%z : tensor<8x4xf32>) outs(%0 : tensor<8xf32>) {
    ^bb0(%p: f32, %most: f32):
      %m = arith.maximumf %most, %p : f32
      linalg.yield %m : f32
    } -> tensor<8xf32>
    %2 = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]} ins(%z, %1 : tensor<8x4xf32>, tensor<8xf32>) outs(%z : tensor<8x4xf32>) {
    ^bb0(%p: f32, %most: f32, %old: f32):
      %m = arith.subf %p, %most : f32
      linalg.yield %m : f32
    } -> tensor<8x4xf32>
    return %2 : tensor<8x4xf32>
  }
}

plan.executable @columns {
  func.func @body(%x: tensor<6x4xf32>, %out: tensor<4xf32>) -> tensor<4xf32> {
    %zero = arith.constant 0.0 : f32
    %0 = linalg.fill ins(%zero : f32) outs(%out : tensor<4xf32>) -> tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [#all, #columns], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<6x4xf32>) outs(%0 : tensor<4xf32>) {
    ^bb0(%p: f32, %sum: f32):
      %2 = arith.addf %sum, %p : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}

// The kernel has the buffers of the two commands.
// WHY: kernels: rows: is computed by one kernel with 1 other command
// CHECK-LABEL: plan.program @rows
// CHECK-NOT: plan.call
// CHECK: plan.dispatch @row_rows
plan.program @rows kind predict {
  %y = plan.input 0 "y" : memref<8x16xf32, #inputs>
  %w = plan.get_variable @w : memref<4x16xf32, #variables>
  %0 = plan.alloc : memref<8x4xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 8, n = 4, k = 16, transpose_b = 1> ins(%y, %w : memref<8x16xf32, #inputs>, memref<4x16xf32, #variables>) outs(%0 : memref<8x4xf32, #arena>)
  plan.dispatch @row inouts(%0 : memref<8x4xf32, #arena>)
  plan.return
}

// What the copy reads would need a buffer beside the result.
// CHECK-LABEL: plan.program @rows_grows
// TIGHT: plan.call #plan.cublaslt.matmul
// TIGHT: plan.dispatch @row inouts
// LOOSE-NOT: plan.call
// LOOSE: plan.dispatch @row_rows
plan.program @rows_grows kind predict {
  %y = plan.input 0 "y" : memref<8x16xf32, #inputs>
  %w = plan.get_variable @w : memref<4x16xf32, #variables>
  %0 = plan.alloc : memref<8x4xf32, #arena>
  %1 = plan.alloc : memref<8x4xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 8, n = 4, k = 16, transpose_b = 1> ins(%y, %w : memref<8x16xf32, #inputs>, memref<4x16xf32, #variables>) outs(%0 : memref<8x4xf32, #arena>)
  plan.copy %0 to %1 : memref<8x4xf32, #arena> to memref<8x4xf32, #arena>
  plan.dispatch @row inouts(%0 : memref<8x4xf32, #arena>)
  plan.copy %0 to %1 : memref<8x4xf32, #arena> to memref<8x4xf32, #arena>
  plan.return
}

// The call moves past commands that need little.
// WHY: kernels: sums: is computed by a call of cublaslt.matmul
// CHECK-LABEL: plan.program @sums
// CHECK: plan.call #plan.cublaslt.matmul<{{.*}}epilogue = bias_grad_a>
// CHECK: plan.copy
plan.program @sums kind predict {
  %x = plan.get_variable @x : memref<6x5xf32, #variables>
  %out = plan.get_variable @out : memref<4xf32, #variables>
  %factor = plan.get_variable @factor : memref<4x5xf32, #variables>
  %g = plan.alloc : memref<6x4xf32, #arena>
  plan.fill %g with 0 : memref<6x4xf32, #arena>
  %a = plan.alloc : memref<4xf32, #arena>
  plan.dispatch @columns ins(%g : memref<6x4xf32, #arena>) outs(%a : memref<4xf32, #arena>)
  plan.copy %a to %out : memref<4xf32, #arena> to memref<4xf32, #variables>
  plan.call #plan.cublaslt.matmul<m = 4, n = 5, k = 6, transpose_a = 1> ins(%g, %x : memref<6x4xf32, #arena>, memref<6x5xf32, #variables>) outs(%factor : memref<4x5xf32, #variables>)
  plan.return
}

// The product would be live beside the large buffer.
// CHECK-LABEL: plan.program @sums_grows
// TIGHT: plan.dispatch @columns
// TIGHT: plan.call #plan.cublaslt.matmul<m = 4, n = 500, k = 6, transpose_a = 1> ins
// LOOSE: plan.call #plan.cublaslt.matmul<{{.*}}epilogue = bias_grad_a>
// LOOSE: plan.fill
plan.program @sums_grows kind predict {
  %x = plan.get_variable @wide : memref<6x500xf32, #variables>
  %out = plan.get_variable @out : memref<4xf32, #variables>
  %factor = plan.get_variable @wide_factor : memref<4x500xf32, #variables>
  %g = plan.alloc : memref<6x4xf32, #arena>
  plan.fill %g with 0 : memref<6x4xf32, #arena>
  %a = plan.alloc : memref<4xf32, #arena>
  plan.dispatch @columns ins(%g : memref<6x4xf32, #arena>) outs(%a : memref<4xf32, #arena>)
  plan.copy %a to %out : memref<4xf32, #arena> to memref<4xf32, #variables>
  %large = plan.alloc : memref<4096xf32, #arena>
  plan.fill %large with 0 : memref<4096xf32, #arena>
  %product = plan.alloc : memref<4x500xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 4, n = 500, k = 6, transpose_a = 1> ins(%g, %x : memref<6x4xf32, #arena>, memref<6x500xf32, #variables>) outs(%product : memref<4x500xf32, #arena>)
  plan.copy %product to %factor : memref<4x500xf32, #arena> to memref<4x500xf32, #variables>
  plan.return
}
