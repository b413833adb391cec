// RUN: job-opt %s --job-autodiff --canonicalize | FileCheck %s
// RUN: job-opt %s --job-autodiff --job-build-initializer --job-check-gradients

// The loss is %g times the result, so the argument %g, %arg0 when printed, is
// the result's gradient.

job.variable @w : !job.blob<2x3x4xf32> init #job.constant_init<1.0>
job.variable @mixed : !job.blob<2x3x4xf32> init #job.random_uniform_init<min = -2.0, max = 2.0>

// CHECK-LABEL: job.func @some(%arg0: !job.blob<3xf32>
// CHECK: %[[D:.*]] = job.broadcast_in_dim %arg0 {dims = array<i64: 1>} : <3xf32> to <2x3x4xf32>
// CHECK: job.update @w, %[[D]]
job.func @some(%g: !job.blob<3xf32>) kind train {
  %w = job.read @w : !job.blob<2x3x4xf32>
  %y = job.reduce_sum %w {axes = array<i64: 0, 2>} : !job.blob<2x3x4xf32>
  %loss = job.mul %y, %g : !job.blob<3xf32>
  job.loss %loss : !job.blob<3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @kept(%arg0: !job.blob<1x3x1xf32>
// CHECK: %[[D:.*]] = job.broadcast_in_dim %arg0 {dims = array<i64: 0, 1, 2>} : <1x3x1xf32> to <2x3x4xf32>
// CHECK: job.update @w, %[[D]]
job.func @kept(%g: !job.blob<1x3x1xf32>) kind train {
  %w = job.read @w : !job.blob<2x3x4xf32>
  %y = job.reduce_sum %w {axes = array<i64: 0, 2>, keepdims = true} : !job.blob<2x3x4xf32>
  %loss = job.mul %y, %g : !job.blob<1x3x1xf32>
  job.loss %loss : !job.blob<1x3x1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @all(%arg0: !job.blob<1xf32>
// CHECK: %[[D:.*]] = job.broadcast_in_dim %arg0 {dims = array<i64: 0>} : <1xf32> to <2x3x4xf32>
// CHECK: job.update @w, %[[D]]
job.func @all(%g: !job.blob<1xf32>) kind train {
  %w = job.read @w : !job.blob<2x3x4xf32>
  %y = job.reduce_sum %w {axes = array<i64: 0, 1, 2>} : !job.blob<2x3x4xf32>
  %loss = job.mul %y, %g : !job.blob<1xf32>
  job.loss %loss : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @max(%arg0: !job.blob<3xf32>
// CHECK-DAG: %[[W:.*]] = job.read @mixed
// CHECK-DAG: %[[Y:.*]] = job.reduce_max %[[W]]
// CHECK: %[[D:.*]] = job.reduce_extremum_grad %arg0, %[[W]], %[[Y]] {axes = array<i64: 0, 2>} : <3xf32>, <2x3x4xf32>
// CHECK: job.update @mixed, %[[D]]
job.func @max(%g: !job.blob<3xf32>) kind train {
  %w = job.read @mixed : !job.blob<2x3x4xf32>
  %y = job.reduce_max %w {axes = array<i64: 0, 2>} : !job.blob<2x3x4xf32>
  %loss = job.mul %y, %g : !job.blob<3xf32>
  job.loss %loss : !job.blob<3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @min(%arg0: !job.blob<3xf32>
// CHECK-DAG: %[[W:.*]] = job.read @mixed
// CHECK-DAG: %[[Y:.*]] = job.reduce_min %[[W]]
// CHECK: %[[D:.*]] = job.reduce_extremum_grad %arg0, %[[W]], %[[Y]] {axes = array<i64: 0, 2>} : <3xf32>, <2x3x4xf32>
// CHECK: job.update @mixed, %[[D]]
job.func @min(%g: !job.blob<3xf32>) kind train {
  %w = job.read @mixed : !job.blob<2x3x4xf32>
  %y = job.reduce_min %w {axes = array<i64: 0, 2>} : !job.blob<2x3x4xf32>
  %loss = job.mul %y, %g : !job.blob<3xf32>
  job.loss %loss : !job.blob<3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @prod(%arg0: !job.blob<3xf32>
// CHECK-DAG: %[[W:.*]] = job.read @mixed
// CHECK-DAG: %[[Y:.*]] = job.reduce_prod %[[W]]
// CHECK: %[[D:.*]] = job.reduce_prod_grad %arg0, %[[W]], %[[Y]] {axes = array<i64: 0, 2>} : <3xf32>, <2x3x4xf32>
// CHECK: job.update @mixed, %[[D]]
job.func @prod(%g: !job.blob<3xf32>) kind train {
  %w = job.read @mixed : !job.blob<2x3x4xf32>
  %y = job.reduce_prod %w {axes = array<i64: 0, 2>} : !job.blob<2x3x4xf32>
  %loss = job.mul %y, %g : !job.blob<3xf32>
  job.loss %loss : !job.blob<3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @max_kept(%arg0: !job.blob<2x1x4xf32>
// CHECK-DAG: %[[W:.*]] = job.read @mixed
// CHECK-DAG: %[[Y:.*]] = job.reduce_max %[[W]]
// CHECK: %[[D:.*]] = job.reduce_extremum_grad %arg0, %[[W]], %[[Y]] {axes = array<i64: 1>} : <2x1x4xf32>, <2x3x4xf32>
// CHECK: job.update @mixed, %[[D]]
job.func @max_kept(%g: !job.blob<2x1x4xf32>) kind train {
  %w = job.read @mixed : !job.blob<2x3x4xf32>
  %y = job.reduce_max %w {axes = array<i64: 1>, keepdims = true} : !job.blob<2x3x4xf32>
  %loss = job.mul %y, %g : !job.blob<2x1x4xf32>
  job.loss %loss : !job.blob<2x1x4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}
