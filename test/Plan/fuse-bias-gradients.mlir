// RUN: job-opt %s --plan-fuse-bias-gradients --explain=kernels 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WHY < %t

// The gradient of a bias is a sum of the factor whose product with another one
// is the gradient of the weights.

plan.device @gpu0 kind(cuda) queues(1)

#arena = #plan.space<arena>
#variables = #plan.space<variables>

#all = affine_map<(d0, d1) -> (d0, d1)>
#columns = affine_map<(d0, d1) -> (d1)>
#rows = affine_map<(d0, d1) -> (d0)>

// Sums of the columns of 6 x 4, for the two programs, of the rows, and of
// squares.
// CHECK-NOT: plan.executable @columns {
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
// CHECK: plan.executable @other_columns {
plan.executable @other_columns {
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
// CHECK: plan.executable @rows {
plan.executable @rows {
  func.func @body(%x: tensor<6x4xf32>, %out: tensor<6xf32>) -> tensor<6xf32> {
    %zero = arith.constant 0.0 : f32
    %0 = linalg.fill ins(%zero : f32) outs(%out : tensor<6xf32>) -> tensor<6xf32>
    %1 = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<6x4xf32>) outs(%0 : tensor<6xf32>) {
    ^bb0(%p: f32, %sum: f32):
      %2 = arith.addf %p, %sum : f32
      linalg.yield %2 : f32
    } -> tensor<6xf32>
    return %1 : tensor<6xf32>
  }
}
// CHECK: plan.executable @squares {
plan.executable @squares {
  func.func @body(%x: tensor<6x4xf32>, %out: tensor<4xf32>) -> tensor<4xf32> {
    %zero = arith.constant 0.0 : f32
    %0 = linalg.fill ins(%zero : f32) outs(%out : tensor<4xf32>) -> tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [#all, #columns], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<6x4xf32>) outs(%0 : tensor<4xf32>) {
    ^bb0(%p: f32, %sum: f32):
      %square = arith.mulf %p, %p : f32
      %2 = arith.addf %sum, %square : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
// CHECK: plan.executable @one_row {
plan.executable @one_row {
  func.func @body(%x: tensor<1x4xf32>, %out: tensor<4xf32>) -> tensor<4xf32> {
    %zero = arith.constant 0.0 : f32
    %0 = linalg.fill ins(%zero : f32) outs(%out : tensor<4xf32>) -> tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [#all, #columns], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<1x4xf32>) outs(%0 : tensor<4xf32>) {
    ^bb0(%p: f32, %sum: f32):
      %2 = arith.addf %sum, %p : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}

plan.variable @gradient : memref<6x4xf32, #variables>
plan.variable @x : memref<6x5xf32, #variables>
plan.variable @out : memref<4xf32, #variables>

// The sum is before the product of the transposed gradient, with another command
// between, and behind the one in which it is the second factor.
// CHECK-LABEL: plan.program @sums
// CHECK: %[[G:.*]] = plan.alloc : memref<6x4xf32, #arena>
// CHECK: %[[A:.*]] = plan.alloc : memref<4xf32, #arena>
// CHECK-NOT: plan.dispatch
// CHECK: plan.fill
// CHECK-NEXT: plan.call #plan.cublaslt.matmul<m = 4, n = 5, k = 6, transpose_a = 1, epilogue = bias_grad_a> ins(%[[G]], %{{.*}}) outs(%{{.*}}, %[[A]] : memref<4x5xf32, #arena>, memref<4xf32, #arena>) {flops = 264 : i64}
// CHECK: %[[B:.*]] = plan.alloc : memref<4xf32, #arena>
// CHECK-NEXT: plan.call #plan.cublaslt.matmul<m = 5, n = 4, k = 6, transpose_a = 1, epilogue = bias_grad_b> ins(%{{.*}}, %{{.*}} : memref<6x5xf32, #variables>, memref<6x4xf32, #arena>) outs(%{{.*}}, %[[B]] : memref<5x4xf32, #arena>, memref<4xf32, #arena>)
// CHECK-NOT: plan.dispatch
// CHECK: plan.copy %[[B]]
// WHY: kernels: sums: is computed by a call of cublaslt.matmul, as sums of its factor
plan.program @sums kind predict {
  %gradient = plan.get_variable @gradient : memref<6x4xf32, #variables>
  %x = plan.get_variable @x : memref<6x5xf32, #variables>
  %out = plan.get_variable @out : memref<4xf32, #variables>
  %g = plan.alloc : memref<6x4xf32, #arena>
  plan.copy %gradient to %g : memref<6x4xf32, #variables> to memref<6x4xf32, #arena>
  %a = plan.alloc : memref<4xf32, #arena>
  plan.dispatch @columns ins(%g : memref<6x4xf32, #arena>) outs(%a : memref<4xf32, #arena>) {flops = 24 : i64}
  %w = plan.alloc : memref<4x5xf32, #arena>
  %other = plan.alloc : memref<6x4xf32, #arena>
  plan.fill %other with 0 : memref<6x4xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 4, n = 5, k = 6, transpose_a = 1> ins(%g, %x : memref<6x4xf32, #arena>, memref<6x5xf32, #variables>) outs(%w : memref<4x5xf32, #arena>) {flops = 240 : i64}
  plan.copy %a to %out : memref<4xf32, #arena> to memref<4xf32, #variables>

  %v = plan.alloc : memref<5x4xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 5, n = 4, k = 6, transpose_a = 1> ins(%x, %other : memref<6x5xf32, #variables>, memref<6x4xf32, #arena>) outs(%v : memref<5x4xf32, #arena>)
  %b = plan.alloc : memref<4xf32, #arena>
  plan.dispatch @columns ins(%other : memref<6x4xf32, #arena>) outs(%b : memref<4xf32, #arena>)
  plan.copy %b to %out : memref<4xf32, #arena> to memref<4xf32, #variables>
  plan.return
}

// A call behind the first reader of the sums moves in front of it, and with it what
// its buffers are.
// CHECK-LABEL: plan.program @read_before
// CHECK: %[[W:.*]] = plan.alloc : memref<4x5xf32, #arena>
// CHECK-NEXT: plan.call #plan.cublaslt.matmul<m = 4, n = 5, k = 6, transpose_a = 1, epilogue = bias_grad_a> ins({{.*}}) outs(%[[W]], %[[A:.*]] : memref<4x5xf32, #arena>, memref<4xf32, #arena>)
// CHECK-NEXT: plan.copy %[[A]]
// CHECK-NEXT: plan.fill %[[A]]
// CHECK-NEXT: plan.return
plan.program @read_before kind predict {
  %x = plan.get_variable @x : memref<6x5xf32, #variables>
  %out = plan.get_variable @out : memref<4xf32, #variables>
  %g = plan.alloc : memref<6x4xf32, #arena>
  plan.fill %g with 0 : memref<6x4xf32, #arena>
  %a = plan.alloc : memref<4xf32, #arena>
  plan.dispatch @columns ins(%g : memref<6x4xf32, #arena>) outs(%a : memref<4xf32, #arena>)
  plan.copy %a to %out : memref<4xf32, #arena> to memref<4xf32, #variables>
  %w = plan.alloc : memref<4x5xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 4, n = 5, k = 6, transpose_a = 1> ins(%g, %x : memref<6x4xf32, #arena>, memref<6x5xf32, #variables>) outs(%w : memref<4x5xf32, #arena>)
  plan.fill %a with 0 : memref<4xf32, #arena>
  plan.return
}

// What it reads changes behind the first reader.
// CHECK-LABEL: plan.program @changed_before
// CHECK: plan.dispatch @other_columns
// CHECK: plan.call #plan.cublaslt.matmul<m = 4, n = 5, k = 6, transpose_a = 1> ins
plan.program @changed_before kind predict {
  %x = plan.get_variable @x : memref<6x5xf32, #variables>
  %out = plan.get_variable @out : memref<4xf32, #variables>
  %g = plan.alloc : memref<6x4xf32, #arena>
  plan.fill %g with 0 : memref<6x4xf32, #arena>
  %a = plan.alloc : memref<4xf32, #arena>
  plan.dispatch @other_columns ins(%g : memref<6x4xf32, #arena>) outs(%a : memref<4xf32, #arena>)
  plan.copy %a to %out : memref<4xf32, #arena> to memref<4xf32, #variables>
  plan.fill %x with 0 : memref<6x5xf32, #variables>
  %w = plan.alloc : memref<4x5xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 4, n = 5, k = 6, transpose_a = 1> ins(%g, %x : memref<6x4xf32, #arena>, memref<6x5xf32, #variables>) outs(%w : memref<4x5xf32, #arena>)
  plan.return
}

// Not sums over k, another function, a buffer that changes between, and a call with
// an epilogue.
// CHECK-LABEL: plan.program @apart
// CHECK: plan.dispatch @rows
// CHECK: plan.dispatch @squares
// CHECK: plan.call #plan.cublaslt.matmul<m = 4, n = 5, k = 6, transpose_a = 1> ins
// CHECK: plan.dispatch @other_columns
// CHECK: plan.fill
// CHECK: plan.call #plan.cublaslt.matmul<m = 4, n = 5, k = 6, transpose_a = 1> ins
// CHECK: plan.fill
// CHECK: plan.dispatch @other_columns
// CHECK: plan.copy
// CHECK: plan.call #plan.cublaslt.matmul<m = 4, n = 5, k = 6, transpose_a = 1, epilogue = relu> ins
plan.program @apart kind predict {
  %x = plan.get_variable @x : memref<6x5xf32, #variables>
  %out = plan.get_variable @out : memref<4xf32, #variables>
  %g = plan.alloc : memref<6x4xf32, #arena>
  plan.fill %g with 0 : memref<6x4xf32, #arena>
  %r = plan.alloc : memref<6xf32, #arena>
  plan.dispatch @rows ins(%g : memref<6x4xf32, #arena>) outs(%r : memref<6xf32, #arena>)
  %s = plan.alloc : memref<4xf32, #arena>
  plan.dispatch @squares ins(%g : memref<6x4xf32, #arena>) outs(%s : memref<4xf32, #arena>)
  %w = plan.alloc : memref<4x5xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 4, n = 5, k = 6, transpose_a = 1> ins(%g, %x : memref<6x4xf32, #arena>, memref<6x5xf32, #variables>) outs(%w : memref<4x5xf32, #arena>)
  plan.fill %g with 0 : memref<6x4xf32, #arena>
  %a = plan.alloc : memref<4xf32, #arena>
  plan.dispatch @other_columns ins(%g : memref<6x4xf32, #arena>) outs(%a : memref<4xf32, #arena>)
  plan.fill %g with 0 : memref<6x4xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 4, n = 5, k = 6, transpose_a = 1> ins(%g, %x : memref<6x4xf32, #arena>, memref<6x5xf32, #variables>) outs(%w : memref<4x5xf32, #arena>)
  plan.fill %g with 0 : memref<6x4xf32, #arena>
  plan.dispatch @other_columns ins(%g : memref<6x4xf32, #arena>) outs(%a : memref<4xf32, #arena>)
  plan.copy %a to %out : memref<4xf32, #arena> to memref<4xf32, #variables>
  plan.call #plan.cublaslt.matmul<m = 4, n = 5, k = 6, transpose_a = 1, epilogue = relu> ins(%g, %x : memref<6x4xf32, #arena>, memref<6x5xf32, #variables>) outs(%w : memref<4x5xf32, #arena>)
  plan.return
}

// Sums of the rows, which are over k as well: cuBLASLt has none of a factor that
// is stored in this order. The product of one term has no sums.
// CHECK-LABEL: plan.program @other_order
// CHECK: plan.dispatch @rows
// CHECK: plan.call #plan.cublaslt.matmul<m = 6, n = 5, k = 4> ins
// CHECK: plan.dispatch @rows
// CHECK: plan.call #plan.cublaslt.matmul<m = 5, n = 6, k = 4, transpose_b = 1> ins
// CHECK: plan.dispatch @one_row
// CHECK: plan.call #plan.cublaslt.matmul<m = 4, n = 5, k = 1, transpose_a = 1> ins
plan.program @other_order kind predict {
  %w = plan.alloc : memref<4x5xf32, #arena>
  plan.fill %w with 0 : memref<4x5xf32, #arena>
  %g = plan.alloc : memref<6x4xf32, #arena>
  plan.fill %g with 0 : memref<6x4xf32, #arena>
  %a = plan.alloc : memref<6xf32, #arena>
  plan.dispatch @rows ins(%g : memref<6x4xf32, #arena>) outs(%a : memref<6xf32, #arena>)
  %y = plan.alloc : memref<6x5xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 6, n = 5, k = 4> ins(%g, %w : memref<6x4xf32, #arena>, memref<4x5xf32, #arena>) outs(%y : memref<6x5xf32, #arena>)
  plan.fill %g with 0 : memref<6x4xf32, #arena>
  %b = plan.alloc : memref<6xf32, #arena>
  plan.dispatch @rows ins(%g : memref<6x4xf32, #arena>) outs(%b : memref<6xf32, #arena>)
  %v = plan.alloc : memref<5x4xf32, #arena>
  plan.fill %v with 0 : memref<5x4xf32, #arena>
  %z = plan.alloc : memref<5x6xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 5, n = 6, k = 4, transpose_b = 1> ins(%v, %g : memref<5x4xf32, #arena>, memref<6x4xf32, #arena>) outs(%z : memref<5x6xf32, #arena>)

  %row = plan.alloc : memref<1x4xf32, #arena>
  plan.fill %row with 0 : memref<1x4xf32, #arena>
  %c = plan.alloc : memref<4xf32, #arena>
  plan.dispatch @one_row ins(%row : memref<1x4xf32, #arena>) outs(%c : memref<4xf32, #arena>)
  %x = plan.alloc : memref<1x5xf32, #arena>
  plan.fill %x with 0 : memref<1x5xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 4, n = 5, k = 1, transpose_a = 1> ins(%row, %x : memref<1x4xf32, #arena>, memref<1x5xf32, #arena>) outs(%w : memref<4x5xf32, #arena>)
  plan.return
}
