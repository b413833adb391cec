// RUN: job-opt %s "--job-precision=type=bf16" --job-autodiff --canonicalize --cse | FileCheck %s
// RUN: job-opt %s "--job-precision=type=bf16" --job-autodiff --job-optimizer "--job-precision=type=bf16" | FileCheck %s --check-prefix=DONE

job.variable @w : !job.blob<8x4xf32> init #job.constant_init<0.5>
job.variable @bias : !job.blob<8xf32> init #job.constant_init<0.5>

// The loss is in f32, the gradients of products are narrow, and so is the sum
// over the rows of a bias; those of variables are in f32.
// CHECK-LABEL: job.func @train(
// CHECK:         job.loss %{{.*}} : <2xf32>
// CHECK:         %[[DL:.*]] = job.sparse_softmax_cross_entropy_grad {{.*}} : <2xf32>, <2x8xf32>, <2xi32>
// CHECK:         %[[DY:.*]] = job.cast %[[DL]] : <2x8xf32> to <2x8xbf16>
// CHECK:         %[[DB:.*]] = job.reduce_sum %[[DY]] {axes = array<i64: 0>} : <2x8xbf16>
// CHECK:         %[[DBW:.*]] = job.cast %[[DB]] : <8xbf16> to <8xf32>
// CHECK:         %[[DW:.*]] = job.matmul %[[DY]], %{{.*}} {transpose_lhs = true} : <2x8xbf16>, <2x4xbf16>
// CHECK:         %[[DWW:.*]] = job.cast %[[DW]] : <8x4xbf16> to <8x4xf32>
// CHECK:         job.update @w, %[[DWW]] : <8x4xf32>
// CHECK:         job.update @bias, %[[DBW]] : <8xf32>
// A job that has its gradients stays as it is: the update is in f32.
// DONE-LABEL: job.func @train(
// DONE:         job.assign @w, %{{.*}} : <8x4xf32>
job.func @train(%x: !job.blob<2x4xf32>, %labels: !job.blob<2xi32>) kind train {
  %w = job.read @w : !job.blob<8x4xf32>
  %0 = job.matmul %x, %w {transpose_rhs = true} : !job.blob<2x4xf32>, !job.blob<8x4xf32>
  %b = job.read @bias : !job.blob<8xf32>
  %1 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<8xf32> to !job.blob<2x8xf32>
  %2 = job.add %0, %1 : !job.blob<2x8xf32>
  %loss = job.sparse_softmax_cross_entropy %2, %labels : !job.blob<2x8xf32>, !job.blob<2xi32>
  job.loss %loss : !job.blob<2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// Gradients of micro-steps add up in f32.
// CHECK-LABEL: job.func @micro_steps(
// CHECK:         job.acc %{{.*}} {count = 2 : i64} : <8x4xf32>
job.func @micro_steps(%x: !job.blob<4x4xf32>) kind train {
  %part = job.unpack %x {count = 2 : i64} : !job.blob<4x4xf32>
  %w = job.read @w : !job.blob<8x4xf32>
  %shared = job.broadcast_micro_steps %w {count = 2 : i64} : !job.blob<8x4xf32>
  %0 = job.matmul %part, %shared {transpose_rhs = true} : !job.blob<2x4xf32>, !job.blob<8x4xf32>
  job.loss %0 : !job.blob<2x8xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}
