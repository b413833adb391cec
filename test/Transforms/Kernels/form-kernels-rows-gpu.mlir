// On a GPU the ops around one that goes over rows are in its kernel.
// RUN: job-opt %s --pass-pipeline='builtin.module(job-place{device=gpu},job.func(job-form-kernels))' | FileCheck %s
// RUN: job-opt %s --job-plan-pipeline=device=gpu | FileCheck %s --check-prefix=PLAN

// CHECK-LABEL: job.func @norm(
// CHECK-NEXT: %[[K:.*]]:2 = job.kernel(
// CHECK-NEXT: %[[SUM:.*]] = job.add
// CHECK-NEXT: %[[Y:.*]], %{{.*}}, %{{.*}} = job.layer_norm %[[SUM]]
// CHECK-NEXT: %[[NARROW:.*]] = job.cast %[[Y]]
// CHECK-NEXT: job.yield %[[SUM]], %[[NARROW]]
// PLAN-LABEL: plan.program @norm
// PLAN-COUNT-1: plan.dispatch
// PLAN-NOT: plan.dispatch
// PLAN: plan.return
job.func @norm(%x: !job.blob<512x6xf32>, %y: !job.blob<512x6xf32>, %g: !job.blob<6xf32>) -> (!job.blob<512x6xf32>, !job.blob<512x6xbf16>) kind predict {
  %0 = job.add %x, %y : !job.blob<512x6xf32>
  %1:3 = job.layer_norm %0, %g, %g {epsilon = 1.0e-5 : f64} : !job.blob<512x6xf32>, !job.blob<6xf32>
  %2 = job.cast %1#0 : !job.blob<512x6xf32> to !job.blob<512x6xbf16>
  job.return %0, %2 : !job.blob<512x6xf32>, !job.blob<512x6xbf16>
}

// A loss and its gradient read the logits once, and the gradient is written over
// them.
// CHECK-LABEL: job.func @loss(
// CHECK: %[[K:.*]]:2 = job.kernel(
// CHECK: %[[WIDE:.*]] = job.cast %{{.*}} : <4x6xbf16> to <4x6xf32>
// CHECK: %[[LOSS:.*]] = job.sparse_softmax_cross_entropy %[[WIDE]],
// CHECK: %[[GRAD:.*]] = job.sparse_softmax_cross_entropy_grad %{{.*}}, %[[WIDE]],
// CHECK: %[[NARROW:.*]] = job.cast %[[GRAD]] : <4x6xf32> to <4x6xbf16>
// CHECK-NEXT: job.yield %[[LOSS]], %[[NARROW]]
// The products around it are small.
// PLAN-LABEL: plan.program @loss
// PLAN: plan.dispatch @{{.*}}_rows ins
// PLAN-NOT: plan.dispatch
// PLAN-NOT: plan.call
// PLAN: plan.return
job.func @loss(%x: !job.blob<4x8xbf16>, %w: !job.blob<8x6xbf16>, %labels: !job.blob<4xi32>, %d: !job.blob<4xf32>) -> (!job.blob<4xf32>, !job.blob<4x8xbf16>) kind predict {
  %0 = job.matmul %x, %w : !job.blob<4x8xbf16>, !job.blob<8x6xbf16>
  %1 = job.cast %0 : !job.blob<4x6xbf16> to !job.blob<4x6xf32>
  %2 = job.sparse_softmax_cross_entropy %1, %labels : !job.blob<4x6xf32>, !job.blob<4xi32>
  %3 = job.sparse_softmax_cross_entropy_grad %d, %1, %labels : !job.blob<4xf32>, !job.blob<4x6xf32>, !job.blob<4xi32>
  %4 = job.cast %3 : !job.blob<4x6xf32> to !job.blob<4x6xbf16>
  %5 = job.matmul %4, %w {transpose_rhs = true} : !job.blob<4x6xbf16>, !job.blob<8x6xbf16>
  job.return %2, %5 : !job.blob<4xf32>, !job.blob<4x8xbf16>
}

// The library adds the bias, which it reads as bf16; gelu has a kernel of its own.
// PLAN-LABEL: plan.program @dense
// PLAN: plan.dispatch @[[ROUND:.*]] ins(%{{.*}} : memref<6xf32, #inputs>) outs(%[[BIAS:.*]] : memref<6xbf16, #arena>)
// PLAN: plan.call #plan.cublaslt.matmul<{{.*}}type = bf16, epilogue = bias{{.*}}> ins(%{{.*}}, %{{.*}}, %[[BIAS]] :
// PLAN: plan.dispatch
// PLAN-NOT: plan.dispatch
// PLAN: plan.return
job.func @dense(%x: !job.blob<4x8xbf16>, %w: !job.blob<8x6xbf16>, %b: !job.blob<6xf32>) -> (!job.blob<4x6xbf16>, !job.blob<4x6xbf16>) kind predict {
  %1 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<6xf32> to !job.blob<4x6xf32>
  %2 = job.cast %1 : !job.blob<4x6xf32> to !job.blob<4x6xbf16>
  %0 = job.matmul %x, %w : !job.blob<4x8xbf16>, !job.blob<8x6xbf16>
  %3 = job.add %0, %2 : !job.blob<4x6xbf16>
  %4 = job.gelu %3 : !job.blob<4x6xbf16>
  %5 = job.mul %3, %4 : !job.blob<4x6xbf16>
  job.return %4, %5 : !job.blob<4x6xbf16>, !job.blob<4x6xbf16>
}

// With the relu after it.
// PLAN-LABEL: plan.program @dense_relu
// PLAN: plan.dispatch
// PLAN: plan.call #plan.cublaslt.matmul<{{.*}}type = bf16, epilogue = bias_relu
// PLAN-NOT: plan.dispatch
// PLAN: plan.return
job.func @dense_relu(%x: !job.blob<4x8xbf16>, %w: !job.blob<8x6xbf16>, %b: !job.blob<6xf32>, %v: !job.blob<6x2xbf16>) -> !job.blob<4x2xbf16> kind predict {
  %1 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<6xf32> to !job.blob<4x6xf32>
  %2 = job.cast %1 : !job.blob<4x6xf32> to !job.blob<4x6xbf16>
  %0 = job.matmul %x, %w : !job.blob<4x8xbf16>, !job.blob<8x6xbf16>
  %3 = job.add %0, %2 : !job.blob<4x6xbf16>
  %4 = job.relu %3 : !job.blob<4x6xbf16>
  %5 = job.matmul %4, %v : !job.blob<4x6xbf16>, !job.blob<6x2xbf16>
  job.return %5 : !job.blob<4x2xbf16>
}

// A residual connection. The library adds the stream, which is read again later,
// and the bias, in f32.
// PLAN-LABEL: plan.program @residual
// PLAN: %[[STREAM:.*]] = plan.input 0
// PLAN: %[[BIAS:.*]] = plan.input 3
// PLAN: plan.call #plan.cublaslt.matmul<{{.*}}type = bf16, beta = 1, out_f32 = 1, epilogue = bias{{.*}}> ins(%{{.*}}, %{{.*}}, %[[STREAM]], %[[BIAS]] : {{.*}}) outs(%[[SUM:.*]] : memref<4x6xf32,
// PLAN-NEXT: plan.dispatch @{{.*}} ins(%[[SUM]], %[[STREAM]] :
// PLAN-NOT: plan.dispatch
// PLAN: plan.return
job.func @residual(%s: !job.blob<4x6xf32>, %x: !job.blob<4x8xbf16>, %w: !job.blob<8x6xbf16>, %b: !job.blob<6xf32>) -> (!job.blob<4x6xf32>, !job.blob<4x6xf32>) kind predict {
  %0 = job.matmul %x, %w : !job.blob<4x8xbf16>, !job.blob<8x6xbf16>
  %1 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<6xf32> to !job.blob<4x6xf32>
  %2 = job.cast %1 : !job.blob<4x6xf32> to !job.blob<4x6xbf16>
  %3 = job.add %0, %2 : !job.blob<4x6xbf16>
  %4 = job.cast %3 : !job.blob<4x6xbf16> to !job.blob<4x6xf32>
  %5 = job.add %s, %4 : !job.blob<4x6xf32>
  %6 = job.exp %5 : !job.blob<4x6xf32>
  %7 = job.mul %6, %s : !job.blob<4x6xf32>
  job.return %5, %7 : !job.blob<4x6xf32>, !job.blob<4x6xf32>
}

// The same where the stream is read again in another shape.
// PLAN-LABEL: plan.program @residual_of_sequences
// PLAN: plan.call #plan.cublaslt.matmul<{{.*}}type = bf16, beta = 1, out_f32 = 1,
// PLAN: plan.return
job.func @residual_of_sequences(%s: !job.blob<2x2x6xf32>, %x: !job.blob<4x8xbf16>, %w: !job.blob<8x6xbf16>) -> (!job.blob<4x6xf32>, !job.blob<4x6xf32>, !job.blob<2x2x6xf32>) kind predict {
  %0 = job.matmul %x, %w : !job.blob<4x8xbf16>, !job.blob<8x6xbf16>
  %1 = job.cast %0 : !job.blob<4x6xbf16> to !job.blob<4x6xf32>
  %2 = job.reshape %s : !job.blob<2x2x6xf32> to !job.blob<4x6xf32>
  %3 = job.add %2, %1 : !job.blob<4x6xf32>
  %4 = job.softmax %3 : !job.blob<4x6xf32>
  %5 = job.softmax %s : !job.blob<2x2x6xf32>
  job.return %3, %4, %5 : !job.blob<4x6xf32>, !job.blob<4x6xf32>, !job.blob<2x2x6xf32>
}

// What is added in place stays in a kernel: the stream is not read again.
// PLAN-LABEL: plan.program @last
// PLAN: plan.call #plan.cublaslt.matmul<m = 4, n = 6, k = 8, type = bf16, epilogue = bias
// PLAN: plan.dispatch
job.func @last(%s: !job.blob<4x6xf32>, %x: !job.blob<4x8xbf16>, %w: !job.blob<8x6xbf16>, %b: !job.blob<6xf32>) -> (!job.blob<4x6xf32>, !job.blob<4x6xf32>) kind predict {
  %0 = job.matmul %x, %w : !job.blob<4x8xbf16>, !job.blob<8x6xbf16>
  %1 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<6xf32> to !job.blob<4x6xf32>
  %2 = job.cast %1 : !job.blob<4x6xf32> to !job.blob<4x6xbf16>
  %3 = job.add %0, %2 : !job.blob<4x6xbf16>
  %4 = job.cast %3 : !job.blob<4x6xbf16> to !job.blob<4x6xf32>
  %5 = job.add %s, %4 : !job.blob<4x6xf32>
  %6 = job.exp %5 : !job.blob<4x6xf32>
  job.return %5, %6 : !job.blob<4x6xf32>, !job.blob<4x6xf32>
}
