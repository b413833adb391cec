// RUN: job-opt %s --plan-fuse-bias-gradients | FileCheck %s

// The function stores sums in the type of the factor, which is right where all
// kernels that read them round them to it first.

plan.device @gpu0 kind(cuda) queues(1)

#arena = #plan.space<arena>
#variables = #plan.space<variables>

#all = affine_map<(d0, d1) -> (d0, d1)>
#columns = affine_map<(d0, d1) -> (d1)>
#id = affine_map<(d0) -> (d0)>

// CHECK-NOT: plan.executable @columns {
plan.executable @columns {
  func.func @body(%x: tensor<6x4xbf16>, %out: tensor<4xf32>) -> tensor<4xf32> {
    %zero = arith.constant 0.0 : f32
    %0 = linalg.fill ins(%zero : f32) outs(%out : tensor<4xf32>) -> tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [#all, #columns], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<6x4xbf16>) outs(%0 : tensor<4xf32>) {
    ^bb0(%p: bf16, %sum: f32):
      %wide = arith.extf %p : bf16 to f32
      %2 = arith.addf %sum, %wide : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
// CHECK: plan.executable @other_columns {
plan.executable @other_columns {
  func.func @body(%x: tensor<6x4xbf16>, %out: tensor<4xf32>) -> tensor<4xf32> {
    %zero = arith.constant 0.0 : f32
    %0 = linalg.fill ins(%zero : f32) outs(%out : tensor<4xf32>) -> tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [#all, #columns], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<6x4xbf16>) outs(%0 : tensor<4xf32>) {
    ^bb0(%p: bf16, %sum: f32):
      %wide = arith.extf %p : bf16 to f32
      %2 = arith.addf %sum, %wide : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
// The update of a bias.
// CHECK:      plan.executable @rounds {
// CHECK-NEXT:   func.func @body(%{{.*}}: tensor<4xbf16>, %{{.*}}: tensor<4xf32>) -> tensor<4xf32>
// CHECK:        ^bb0(%[[SUM:.*]]: bf16, %[[B:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:     %[[WIDE:.*]] = arith.extf %[[SUM]] : bf16 to f32
// CHECK-NEXT:     arith.subf %[[B]], %[[WIDE]]
plan.executable @rounds {
  func.func @body(%sums: tensor<4xf32>, %bias: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%sums, %bias : tensor<4xf32>, tensor<4xf32>) outs(%bias : tensor<4xf32>) {
    ^bb0(%sum: f32, %b: f32, %out: f32):
      %rounded = arith.truncf %sum : f32 to bf16
      %wide = arith.extf %rounded : bf16 to f32
      %1 = arith.subf %b, %wide : f32
      linalg.yield %1 : f32
    } -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
// CHECK:      plan.executable @twice {
// CHECK-NEXT:   func.func @body(%{{.*}}: tensor<4xf32>, %{{.*}}: tensor<4xbf16>)
plan.executable @twice {
  func.func @body(%sums: tensor<4xf32>, %out: tensor<4xbf16>) -> tensor<4xbf16> {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%sums : tensor<4xf32>) outs(%out : tensor<4xbf16>) {
    ^bb0(%sum: f32, %b: bf16):
      %rounded = arith.truncf %sum : f32 to bf16
      linalg.yield %rounded : bf16
    } -> tensor<4xbf16>
    return %0 : tensor<4xbf16>
  }
}
plan.executable @keeps {
  func.func @body(%sums: tensor<4xf32>, %out: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%sums : tensor<4xf32>) outs(%out : tensor<4xf32>) {
    ^bb0(%sum: f32, %b: f32):
      %1 = arith.negf %sum : f32
      linalg.yield %1 : f32
    } -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

plan.variable @x : memref<6x5xbf16, #variables>
plan.variable @bias : memref<4xf32, #variables>

// CHECK-LABEL: plan.program @rounded
// CHECK:         %[[SUMS:.*]] = plan.alloc : memref<4xbf16, #arena>
// CHECK-NEXT:    plan.call #plan.cublaslt.matmul<m = 4, n = 5, k = 6, transpose_a = 1, type = bf16, epilogue = bias_grad_a> ins(%{{.*}}, %{{.*}}) outs(%{{.*}}, %[[SUMS]] : memref<4x5xbf16, #arena>, memref<4xbf16, #arena>)
// CHECK-NEXT:    plan.dispatch @rounds ins(%[[SUMS]] : memref<4xbf16, #arena>)
plan.program @rounded kind predict {
  %x = plan.get_variable @x : memref<6x5xbf16, #variables>
  %bias = plan.get_variable @bias : memref<4xf32, #variables>
  %g = plan.alloc : memref<6x4xbf16, #arena>
  plan.fill %g with 0 : memref<6x4xbf16, #arena>
  %w = plan.alloc : memref<4x5xbf16, #arena>
  %sums = plan.alloc : memref<4xf32, #arena>
  plan.dispatch @columns ins(%g : memref<6x4xbf16, #arena>) outs(%sums : memref<4xf32, #arena>)
  plan.call #plan.cublaslt.matmul<m = 4, n = 5, k = 6, transpose_a = 1, type = bf16> ins(%g, %x : memref<6x4xbf16, #arena>, memref<6x5xbf16, #variables>) outs(%w : memref<4x5xbf16, #arena>)
  plan.dispatch @rounds ins(%sums : memref<4xf32, #arena>) inouts(%bias : memref<4xf32, #variables>)
  plan.return
}

// One that reads them as they are, a kernel that reads other sums as well, and
// a command that is no kernel.
// CHECK-LABEL: plan.program @wide
// CHECK-COUNT-3: plan.dispatch @other_columns
plan.program @wide kind predict {
  %x = plan.get_variable @x : memref<6x5xbf16, #variables>
  %bias = plan.get_variable @bias : memref<4xf32, #variables>
  %g = plan.alloc : memref<6x4xbf16, #arena>
  plan.fill %g with 0 : memref<6x4xbf16, #arena>
  %w = plan.alloc : memref<4x5xbf16, #arena>
  %kept = plan.alloc : memref<4xf32, #arena>
  plan.dispatch @other_columns ins(%g : memref<6x4xbf16, #arena>) outs(%kept : memref<4xf32, #arena>)
  plan.call #plan.cublaslt.matmul<m = 4, n = 5, k = 6, transpose_a = 1, type = bf16> ins(%g, %x : memref<6x4xbf16, #arena>, memref<6x5xbf16, #variables>) outs(%w : memref<4x5xbf16, #arena>)
  plan.dispatch @keeps ins(%kept : memref<4xf32, #arena>) outs(%bias : memref<4xf32, #variables>)
  %shared = plan.alloc : memref<4xf32, #arena>
  %r = plan.alloc : memref<4xbf16, #arena>
  plan.dispatch @other_columns ins(%g : memref<6x4xbf16, #arena>) outs(%shared : memref<4xf32, #arena>)
  plan.call #plan.cublaslt.matmul<m = 4, n = 5, k = 6, transpose_a = 1, type = bf16> ins(%g, %x : memref<6x4xbf16, #arena>, memref<6x5xbf16, #variables>) outs(%w : memref<4x5xbf16, #arena>)
  plan.dispatch @twice ins(%shared : memref<4xf32, #arena>) outs(%r : memref<4xbf16, #arena>)
  plan.dispatch @twice ins(%bias : memref<4xf32, #variables>) outs(%r : memref<4xbf16, #arena>)
  %copied = plan.alloc : memref<4xf32, #arena>
  plan.dispatch @other_columns ins(%g : memref<6x4xbf16, #arena>) outs(%copied : memref<4xf32, #arena>)
  plan.call #plan.cublaslt.matmul<m = 4, n = 5, k = 6, transpose_a = 1, type = bf16> ins(%g, %x : memref<6x4xbf16, #arena>, memref<6x5xbf16, #variables>) outs(%w : memref<4x5xbf16, #arena>)
  plan.copy %copied to %bias : memref<4xf32, #arena> to memref<4xf32, #variables>
  plan.return
}
