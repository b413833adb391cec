// RUN: job-opt %s --job-autodiff --canonicalize | FileCheck %s
// RUN: job-opt %s --job-autodiff --job-build-initializer --job-check-gradients

// The loss is %g times the result, so the argument %g, %arg0 when printed, is
// the result's gradient.

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
job.variable @cube : !job.blob<2x3x4xf32> init #job.constant_init<1.0>
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

// CHECK-LABEL: job.func @transpose(%arg0: !job.blob<4x2x3xf32>
// CHECK: %[[D:.*]] = job.transpose %arg0 {permutation = array<i64: 1, 2, 0>} : <4x2x3xf32>
// CHECK: job.update @cube, %[[D]]
job.func @transpose(%g: !job.blob<4x2x3xf32>) kind train {
  %w = job.read @cube : !job.blob<2x3x4xf32>
  %y = job.transpose %w {permutation = array<i64: 2, 0, 1>} : !job.blob<2x3x4xf32>
  %loss = job.mul %y, %g : !job.blob<4x2x3xf32>
  job.loss %loss : !job.blob<4x2x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @slice(%arg0: !job.blob<1x2x2xf32>
// CHECK: %[[D:.*]] = job.pad %arg0 {high = array<i64: 0, 0, 1>, interior = array<i64: 0, 1, 0>, low = array<i64: 1, 0, 1>, value = 0.000000e+00 : f64} : <1x2x2xf32>
// CHECK: job.update @cube, %[[D]]
job.func @slice(%g: !job.blob<1x2x2xf32>) kind train {
  %w = job.read @cube : !job.blob<2x3x4xf32>
  %y = job.slice %w {offsets = array<i64: 1, 0, 1>, sizes = array<i64: 1, 2, 2>, strides = array<i64: 1, 2, 1>} : !job.blob<2x3x4xf32>
  %loss = job.mul %y, %g : !job.blob<1x2x2xf32>
  job.loss %loss : !job.blob<1x2x2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// Parts that follow one another: their gradients do, too.
// CHECK-LABEL: job.func @split(
// CHECK: %[[LAST:.*]] = job.slice %{{.*}} {offsets = array<i64: 0, 2, 0>
// CHECK: %[[D2:.*]] = job.mul %{{.*}}, %arg0
// CHECK: %[[D2:.*]] = job.mul %{{.*}}, %arg0
// CHECK: %[[D1:.*]] = job.mul %[[LAST]], %arg0
// CHECK: %[[C:.*]] = job.concat %arg0, %[[D1]], %[[D2]] {axis = 1 : i64}
// CHECK-NOT: job.add
// CHECK: job.update @cube, %[[C]]
job.func @split(%g: !job.blob<2x1x4xf32>) kind train {
  %w = job.read @cube : !job.blob<2x3x4xf32>
  %0 = job.slice %w {offsets = array<i64: 0, 0, 0>, sizes = array<i64: 2, 1, 4>, strides = array<i64: 1, 1, 1>} : !job.blob<2x3x4xf32>
  %1 = job.slice %w {offsets = array<i64: 0, 1, 0>, sizes = array<i64: 2, 1, 4>, strides = array<i64: 1, 1, 1>} : !job.blob<2x3x4xf32>
  %2 = job.slice %w {offsets = array<i64: 0, 2, 0>, sizes = array<i64: 2, 1, 4>, strides = array<i64: 1, 1, 1>} : !job.blob<2x3x4xf32>
  %3 = job.mul %0, %g : !job.blob<2x1x4xf32>
  %4 = job.mul %1, %g : !job.blob<2x1x4xf32>
  %5 = job.mul %2, %4 : !job.blob<2x1x4xf32>
  job.loss %3 : !job.blob<2x1x4xf32>
  job.loss %5 : !job.blob<2x1x4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// Parts that overlap, or have others between them, are added.
// CHECK-LABEL: job.func @overlap(
// CHECK-NOT: job.concat
// CHECK: job.add
// CHECK: job.add
// CHECK-NOT: job.concat
// CHECK: job.update @cube
job.func @overlap(%g: !job.blob<2x1x4xf32>, %h: !job.blob<2x2x4xf32>) kind train {
  %w = job.read @cube : !job.blob<2x3x4xf32>
  %0 = job.slice %w {offsets = array<i64: 0, 0, 0>, sizes = array<i64: 2, 1, 4>, strides = array<i64: 1, 1, 1>} : !job.blob<2x3x4xf32>
  %1 = job.slice %w {offsets = array<i64: 0, 2, 0>, sizes = array<i64: 2, 1, 4>, strides = array<i64: 1, 1, 1>} : !job.blob<2x3x4xf32>
  %2 = job.slice %w {offsets = array<i64: 0, 1, 0>, sizes = array<i64: 2, 2, 4>, strides = array<i64: 1, 1, 1>} : !job.blob<2x3x4xf32>
  %3 = job.mul %0, %g : !job.blob<2x1x4xf32>
  %4 = job.mul %1, %g : !job.blob<2x1x4xf32>
  %5 = job.mul %2, %h : !job.blob<2x2x4xf32>
  %6 = job.reduce_max %5 {axes = array<i64: 1>, keepdims = true} : !job.blob<2x2x4xf32>
  job.loss %3 : !job.blob<2x1x4xf32>
  job.loss %4 : !job.blob<2x1x4xf32>
  job.loss %6 : !job.blob<2x1x4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @pad(%arg0: !job.blob<4x5x9xf32>
// CHECK: %[[D:.*]] = job.slice %arg0 {offsets = array<i64: 0, 1, 2>, sizes = array<i64: 2, 3, 4>, strides = array<i64: 3, 1, 2>} : <4x5x9xf32>
// CHECK: job.update @cube, %[[D]]
job.func @pad(%g: !job.blob<4x5x9xf32>) kind train {
  %w = job.read @cube : !job.blob<2x3x4xf32>
  %y = job.pad %w {low = array<i64: 0, 1, 2>, high = array<i64: 0, 1, 0>, interior = array<i64: 2, 0, 1>, value = 7.0 : f64} : !job.blob<2x3x4xf32>
  %loss = job.mul %y, %g : !job.blob<4x5x9xf32>
  job.loss %loss : !job.blob<4x5x9xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// Only of the operands that want one.
// CHECK-LABEL: job.func @concat(%arg0: !job.blob<1x9x1xf32>
// CHECK: %[[U:.*]] = job.slice %arg0 {offsets = array<i64: 0, 0, 0>, sizes = array<i64: 1, 4, 1>, strides = array<i64: 1, 1, 1>} : <1x9x1xf32>
// CHECK: %[[V:.*]] = job.slice %arg0 {offsets = array<i64: 0, 5, 0>, sizes = array<i64: 1, 4, 1>, strides = array<i64: 1, 1, 1>} : <1x9x1xf32>
// CHECK: %[[D:.*]] = job.add
// CHECK: job.update @unit, %[[D]]
job.func @concat(%g: !job.blob<1x9x1xf32>) kind train {
  %w = job.read @unit : !job.blob<1x4x1xf32>
  %c = job.constant dense<2.0> : tensor<1x1x1xf32>
  %y = job.concat %w, %c, %w {axis = 1 : i64} : !job.blob<1x4x1xf32>, !job.blob<1x1x1xf32>, !job.blob<1x4x1xf32>
  %loss = job.mul %y, %g : !job.blob<1x9x1xf32>
  job.loss %loss : !job.blob<1x9x1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}
