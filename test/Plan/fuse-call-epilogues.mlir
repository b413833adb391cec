// RUN: job-opt %s --pass-pipeline='builtin.module(plan-fuse-call-epilogues,plan-select-schedules,plan-assign-offsets,plan.program(plan-pack-memory),plan-verify-memory,plan-verify)' --explain=kernels 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WHY < %t

// A function of a library with epilogues computes a bias and a relu itself.

plan.device @gpu0 kind(cuda) queues(1)

#arena = #plan.space<arena>
#variables = #plan.space<variables>
#workspace = #plan.space<workspace>

#all = affine_map<(d0, d1) -> (d0, d1)>
#columns = affine_map<(d0, d1) -> (d1)>
#rows = affine_map<(d0, d1) -> (d0)>

plan.variable @x : memref<4x8xf32, #variables>
plan.variable @w : memref<8x4xf32, #variables>
plan.variable @b : memref<4xf32, #variables>

// CHECK-NOT: plan.executable @bias_relu
plan.executable @bias_relu {
  func.func @body(%b: tensor<4xf32>, %x: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = linalg.generic {indexing_maps = [#all, #columns, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %b : tensor<4x4xf32>, tensor<4xf32>) outs(%x : tensor<4x4xf32>) {
    ^bb0(%p: f32, %q: f32, %r: f32):
      %1 = arith.addf %p, %q : f32
      %zero = arith.constant 0.0 : f32
      %2 = arith.cmpf olt, %1, %zero : f32
      %3 = arith.select %2, %zero, %1 : f32
      linalg.yield %3 : f32
    } -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}

// CHECK: plan.executable @bias
plan.executable @bias {
  func.func @body(%b: tensor<4xf32>, %x: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = linalg.generic {indexing_maps = [#columns, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%b, %x : tensor<4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) {
    ^bb0(%p: f32, %q: f32, %r: f32):
      %1 = arith.addf %p, %q : f32
      linalg.yield %1 : f32
    } -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}

// One number for each row.
plan.executable @row_bias {
  func.func @body(%b: tensor<4xf32>, %x: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = linalg.generic {indexing_maps = [#rows, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%b, %x : tensor<4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) {
    ^bb0(%p: f32, %q: f32, %r: f32):
      %1 = arith.addf %p, %q : f32
      linalg.yield %1 : f32
    } -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}

// Another function of the two.
plan.executable @scale {
  func.func @body(%b: tensor<4xf32>, %x: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = linalg.generic {indexing_maps = [#columns, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%b, %x : tensor<4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) {
    ^bb0(%p: f32, %q: f32, %r: f32):
      %1 = arith.mulf %p, %q : f32
      linalg.yield %1 : f32
    } -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}

// One row.
plan.executable @row {
  func.func @body(%b: tensor<4xf32>, %x: tensor<1x4xf32>) -> tensor<1x4xf32> {
    %0 = linalg.generic {indexing_maps = [#columns, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%b, %x : tensor<4xf32>, tensor<1x4xf32>) outs(%x : tensor<1x4xf32>) {
    ^bb0(%p: f32, %q: f32, %r: f32):
      %1 = arith.addf %q, %p : f32
      linalg.yield %1 : f32
    } -> tensor<1x4xf32>
    return %0 : tensor<1x4xf32>
  }
}

// CHECK-NOT: plan.executable @relu
plan.executable @relu {
  func.func @body(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) {
    ^bb0(%p: f32, %r: f32):
      %zero = arith.constant 0.0 : f32
      %1 = arith.cmpf olt, %p, %zero : f32
      %2 = arith.select %1, %zero, %p : f32
      linalg.yield %2 : f32
    } -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}

// CHECK-LABEL: plan.program @without_bias
// CHECK: plan.call #plan.cublaslt.matmul<m = 4, n = 4, k = 8, epilogue = relu> ins(%{{.*}}, %{{.*}} : memref<4x8xf32, #variables>, memref<8x4xf32, #variables>)
// CHECK-NOT: plan.dispatch
plan.variable @relu_out : memref<4x4xf32, #variables>
plan.program @without_bias kind predict {
  %x = plan.get_variable @x : memref<4x8xf32, #variables>
  %w = plan.get_variable @w : memref<8x4xf32, #variables>
  %y = plan.get_variable @relu_out : memref<4x4xf32, #variables>
  plan.call #plan.cublaslt.matmul<m = 4, n = 4, k = 8> ins(%x, %w : memref<4x8xf32, #variables>, memref<8x4xf32, #variables>) outs(%y : memref<4x4xf32, #variables>)
  plan.dispatch @relu inouts(%y : memref<4x4xf32, #variables>)
  plan.return
}

// CHECK-LABEL: plan.program @fused
// CHECK: %[[X:.*]] = plan.get_variable @x
// CHECK: %[[W:.*]] = plan.get_variable @w
// CHECK: %[[B:.*]] = plan.get_variable @b
// CHECK-NEXT: plan.call #plan.cublaslt.matmul<m = 4, n = 4, k = 8, epilogue = bias_relu, workspace = 64> ins(%[[X]], %[[W]], %[[B]] : {{.*}}) outs(%[[OUT:.*]] : memref<4x4xf32, #arena>) workspace({{.*}}) {flops = 304 : i64}
// CHECK-NEXT: plan.call #plan.cublaslt.matmul<m = 4, n = 4, k = 4, epilogue = bias> ins(%[[OUT]], %[[OUT]], %[[B]] :
// CHECK-NEXT: plan.copy
// WHY: kernels: fused: is computed by the call of cublaslt.matmul before it
plan.variable @y : memref<4x4xf32, #variables>
plan.program @fused kind predict {
  %x = plan.get_variable @x : memref<4x8xf32, #variables>
  %w = plan.get_variable @w : memref<8x4xf32, #variables>
  %y = plan.get_variable @y : memref<4x4xf32, #variables>
  %a = plan.alloc : memref<4x4xf32, #arena>
  %c = plan.alloc : memref<4x4xf32, #arena>
  %ws = plan.workspace : memref<64xi8, #workspace>
  plan.call #plan.cublaslt.matmul<m = 4, n = 4, k = 8, workspace = 64> ins(%x, %w : memref<4x8xf32, #variables>, memref<8x4xf32, #variables>) outs(%a : memref<4x4xf32, #arena>) workspace(%ws : memref<64xi8, #workspace>) {flops = 256 : i64}
  %b = plan.get_variable @b : memref<4xf32, #variables>
  plan.dispatch @bias_relu ins(%b : memref<4xf32, #variables>) inouts(%a : memref<4x4xf32, #arena>) {flops = 48 : i64}
  plan.call #plan.cublaslt.matmul<m = 4, n = 4, k = 4> ins(%a, %a : memref<4x4xf32, #arena>, memref<4x4xf32, #arena>) outs(%c : memref<4x4xf32, #arena>)
  plan.dispatch @bias ins(%b : memref<4xf32, #variables>) inouts(%c : memref<4x4xf32, #arena>)
  plan.copy %c to %y : memref<4x4xf32, #arena> to memref<4x4xf32, #variables>
  plan.return
}

// CHECK-LABEL: plan.program @one_row
// CHECK: plan.call #plan.cublaslt.matmul<m = 1, n = 4, k = 8, epilogue = bias>
// CHECK-NOT: plan.dispatch
plan.variable @z : memref<1x8xf32, #variables>
plan.variable @out : memref<1x4xf32, #variables>
plan.program @one_row kind predict {
  %z = plan.get_variable @z : memref<1x8xf32, #variables>
  %w = plan.get_variable @w : memref<8x4xf32, #variables>
  %out = plan.get_variable @out : memref<1x4xf32, #variables>
  %b = plan.get_variable @b : memref<4xf32, #variables>
  plan.call #plan.cublaslt.matmul<m = 1, n = 4, k = 8> ins(%z, %w : memref<1x8xf32, #variables>, memref<8x4xf32, #variables>) outs(%out : memref<1x4xf32, #variables>)
  plan.dispatch @row ins(%b : memref<4xf32, #variables>) inouts(%out : memref<1x4xf32, #variables>)
  plan.return
}

// A second bias, one per row, another function, and another buffer between.
// CHECK-LABEL: plan.program @apart
// CHECK: plan.call #plan.cublaslt.matmul<m = 4, n = 4, k = 8, epilogue = bias>
// CHECK: plan.dispatch @bias
// CHECK: plan.call #plan.cublaslt.matmul<m = 4, n = 4, k = 8>
// CHECK: plan.dispatch @row_bias
// CHECK: plan.call #plan.cublaslt.matmul<m = 4, n = 4, k = 8>
// CHECK: plan.dispatch @scale
// CHECK: plan.call #plan.cublaslt.matmul<m = 4, n = 4, k = 8>
// CHECK: plan.fill
// CHECK: plan.dispatch @bias
// CHECK: plan.call #plan.cublaslt.matmul<batch = 2, m = 2, n = 4, k = 4>
// CHECK: plan.dispatch @bias
plan.variable @s : memref<4x4xf32, #variables>
plan.program @apart kind predict {
  %s = plan.get_variable @s : memref<4x4xf32, #variables>
  %x = plan.get_variable @x : memref<4x8xf32, #variables>
  %w = plan.get_variable @w : memref<8x4xf32, #variables>
  %y = plan.get_variable @y : memref<4x4xf32, #variables>
  %z = plan.get_variable @z : memref<1x8xf32, #variables>
  %b = plan.get_variable @b : memref<4xf32, #variables>
  plan.call #plan.cublaslt.matmul<m = 4, n = 4, k = 8> ins(%x, %w : memref<4x8xf32, #variables>, memref<8x4xf32, #variables>) outs(%y : memref<4x4xf32, #variables>)
  plan.dispatch @bias ins(%b : memref<4xf32, #variables>) inouts(%y : memref<4x4xf32, #variables>)
  plan.dispatch @bias ins(%b : memref<4xf32, #variables>) inouts(%y : memref<4x4xf32, #variables>)
  plan.call #plan.cublaslt.matmul<m = 4, n = 4, k = 8> ins(%x, %w : memref<4x8xf32, #variables>, memref<8x4xf32, #variables>) outs(%y : memref<4x4xf32, #variables>)
  plan.dispatch @row_bias ins(%b : memref<4xf32, #variables>) inouts(%y : memref<4x4xf32, #variables>)
  plan.call #plan.cublaslt.matmul<m = 4, n = 4, k = 8> ins(%x, %w : memref<4x8xf32, #variables>, memref<8x4xf32, #variables>) outs(%y : memref<4x4xf32, #variables>)
  plan.dispatch @scale ins(%b : memref<4xf32, #variables>) inouts(%y : memref<4x4xf32, #variables>)
  plan.call #plan.cublaslt.matmul<m = 4, n = 4, k = 8> ins(%x, %w : memref<4x8xf32, #variables>, memref<8x4xf32, #variables>) outs(%y : memref<4x4xf32, #variables>)
  plan.fill %z with 0 : memref<1x8xf32, #variables>
  plan.dispatch @bias ins(%b : memref<4xf32, #variables>) inouts(%y : memref<4x4xf32, #variables>)
  plan.call #plan.cublaslt.matmul<batch = 2, m = 2, n = 4, k = 4> ins(%s, %w : memref<4x4xf32, #variables>, memref<8x4xf32, #variables>) outs(%y : memref<4x4xf32, #variables>)
  plan.dispatch @bias ins(%b : memref<4xf32, #variables>) inouts(%y : memref<4x4xf32, #variables>)
  plan.return
}

// Commands between the two, of which the first accesses nothing of the call.
// CHECK-LABEL: plan.program @between
// CHECK-COUNT-2: plan.fill
// CHECK-NEXT: plan.call #plan.cublaslt.matmul<m = 4, n = 4, k = 8, epilogue = bias>
// CHECK-NEXT: plan.call #plan.cublaslt.matmul<m = 4, n = 4, k = 8>
// CHECK: plan.fill
// CHECK: plan.dispatch @bias
// CHECK: plan.call #plan.cublaslt.matmul<m = 4, n = 4, k = 8>
// CHECK: plan.copy
// CHECK: plan.dispatch @bias
plan.program @between kind predict {
  %w = plan.get_variable @w : memref<8x4xf32, #variables>
  %b = plan.get_variable @b : memref<4xf32, #variables>
  %y = plan.get_variable @y : memref<4x4xf32, #variables>
  %x = plan.alloc : memref<4x8xf32, #arena>
  %other = plan.alloc : memref<4x8xf32, #arena>
  %out = plan.alloc : memref<4x4xf32, #arena>
  plan.fill %x with 0 : memref<4x8xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 4, n = 4, k = 8> ins(%x, %w : memref<4x8xf32, #arena>, memref<8x4xf32, #variables>) outs(%out : memref<4x4xf32, #arena>)
  plan.fill %other with 0 : memref<4x8xf32, #arena>
  plan.dispatch @bias ins(%b : memref<4xf32, #variables>) inouts(%out : memref<4x4xf32, #arena>)
  plan.call #plan.cublaslt.matmul<m = 4, n = 4, k = 8> ins(%x, %w : memref<4x8xf32, #arena>, memref<8x4xf32, #variables>) outs(%out : memref<4x4xf32, #arena>)
  plan.fill %x with 0 : memref<4x8xf32, #arena>
  plan.dispatch @bias ins(%b : memref<4xf32, #variables>) inouts(%out : memref<4x4xf32, #arena>)
  plan.call #plan.cublaslt.matmul<m = 4, n = 4, k = 8> ins(%x, %w : memref<4x8xf32, #arena>, memref<8x4xf32, #variables>) outs(%out : memref<4x4xf32, #arena>)
  plan.copy %out to %y : memref<4x4xf32, #arena> to memref<4x4xf32, #variables>
  plan.dispatch @bias ins(%b : memref<4xf32, #variables>) inouts(%out : memref<4x4xf32, #arena>)
  plan.copy %out to %y : memref<4x4xf32, #arena> to memref<4x4xf32, #variables>
  plan.return
}
