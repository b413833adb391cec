// RUN: job-opt %s --job-autodiff --canonicalize | FileCheck %s
// RUN: job-opt %s --job-autodiff --job-build-initializer --job-check-gradients

// The loss is %g times the result, so the argument %g, %arg0 when printed, is
// the result's gradient.

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
job.variable @unit : !job.blob<1x4x1xf32> init #job.constant_init<1.0>

// CHECK-LABEL: job.func @reshape(%arg0: !job.blob<2x2xf32>
// CHECK: %[[D:.*]] = job.reshape %arg0 : <2x2xf32> to <4xf32>
// CHECK: job.update @w, %[[D]]
job.func @reshape(%g: !job.blob<2x2xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %y = job.reshape %w : !job.blob<4xf32> to !job.blob<2x2xf32>
  %loss = job.mul %y, %g : !job.blob<2x2xf32>
  job.loss %loss : !job.blob<2x2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @new_dims(%arg0: !job.blob<2x4x3xf32>
// CHECK: %[[D:.*]] = job.reduce_sum %arg0 {axes = array<i64: 0, 2>} : <2x4x3xf32>
// CHECK: job.update @w, %[[D]]
job.func @new_dims(%g: !job.blob<2x4x3xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %y = job.broadcast_in_dim %w {dims = array<i64: 1>} : !job.blob<4xf32> to !job.blob<2x4x3xf32>
  %loss = job.mul %y, %g : !job.blob<2x4x3xf32>
  job.loss %loss : !job.blob<2x4x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @unit_dims(%arg0: !job.blob<1x4x3xf32>
// CHECK: %[[SUM:.*]] = job.reduce_sum %arg0 {axes = array<i64: 2>} : <1x4x3xf32>
// CHECK: %[[D:.*]] = job.reshape %[[SUM]] : <1x4xf32> to <1x4x1xf32>
// CHECK: job.update @unit, %[[D]]
job.func @unit_dims(%g: !job.blob<1x4x3xf32>) kind train {
  %w = job.read @unit : !job.blob<1x4x1xf32>
  %y = job.broadcast_in_dim %w {dims = array<i64: 0, 1, 2>} : !job.blob<1x4x1xf32> to !job.blob<1x4x3xf32>
  %loss = job.mul %y, %g : !job.blob<1x4x3xf32>
  job.loss %loss : !job.blob<1x4x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}
