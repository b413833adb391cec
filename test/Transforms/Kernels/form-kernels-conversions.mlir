// Ops that are kernels by themselves convert their operands and results in them.
// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-form-kernels))' | FileCheck %s
// RUN: job-opt %s --job-plan-pipeline | FileCheck %s --check-prefix=PLAN

// The logits stay narrow in memory: both kernels read them so, and the gradient is
// written so.
// CHECK-LABEL: job.func @loss(
// CHECK-NEXT: %[[LOSS:.*]] = job.kernel(%arg3 = %arg0{{.*}}%arg4 = %arg1
// CHECK-NEXT: %[[WIDE:.*]] = job.cast %arg3 : <4x6xbf16> to <4x6xf32>
// CHECK-NEXT: job.sparse_softmax_cross_entropy %[[WIDE]], %arg4
// CHECK-NEXT: job.yield {{.*}} : !job.blob<4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %[[GRAD:.*]] = job.kernel(
// CHECK-NEXT: %[[AGAIN:.*]] = job.cast %{{.*}} : <4x6xbf16> to <4x6xf32>
// CHECK-NEXT: %[[D:.*]] = job.sparse_softmax_cross_entropy_grad %{{.*}}, %[[AGAIN]],
// CHECK-NEXT: %[[NARROW:.*]] = job.cast %[[D]] : <4x6xf32> to <4x6xbf16>
// CHECK-NEXT: job.yield %[[NARROW]] : !job.blob<4x6xbf16>
// CHECK-NEXT: }
// CHECK-NEXT: job.return %[[LOSS]], %[[GRAD]]
// PLAN-LABEL: plan.program @loss
// PLAN-COUNT-2: plan.dispatch
// PLAN-NOT: plan.dispatch
// PLAN: plan.return
job.func @loss(%x: !job.blob<4x6xbf16>, %labels: !job.blob<4xi32>, %d: !job.blob<4xf32>) -> (!job.blob<4xf32>, !job.blob<4x6xbf16>) kind predict {
  %0 = job.cast %x : !job.blob<4x6xbf16> to !job.blob<4x6xf32>
  %1 = job.sparse_softmax_cross_entropy %0, %labels : !job.blob<4x6xf32>, !job.blob<4xi32>
  %2 = job.sparse_softmax_cross_entropy_grad %d, %0, %labels : !job.blob<4xf32>, !job.blob<4x6xf32>, !job.blob<4xi32>
  %3 = job.cast %2 : !job.blob<4x6xf32> to !job.blob<4x6xbf16>
  job.return %1, %3 : !job.blob<4xf32>, !job.blob<4x6xbf16>
}

// A result that others need wide is written twice and not read again.
// CHECK-LABEL: job.func @norm(
// CHECK-NEXT: %[[K:.*]]:2 = job.kernel(
// CHECK-NEXT: %[[Y:.*]] = job.softmax
// CHECK-NEXT: %[[NARROW:.*]] = job.cast %[[Y]]
// CHECK-NEXT: job.yield %[[Y]], %[[NARROW]]
job.func @norm(%x: !job.blob<4x6xf32>) -> (!job.blob<4x6xf32>, !job.blob<4x6xbf16>) kind predict {
  %0 = job.softmax %x : !job.blob<4x6xf32>
  %1 = job.cast %0 : !job.blob<4x6xf32> to !job.blob<4x6xbf16>
  job.return %0, %1 : !job.blob<4x6xf32>, !job.blob<4x6xbf16>
}
