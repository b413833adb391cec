// RUN: job-opt %s --job-autodiff --canonicalize | FileCheck %s
// RUN: job-opt %s --job-autodiff --job-build-initializer --job-check-gradients

// The loss is %g times the result, so the argument %g, %arg0 when printed, is
// the result's gradient.

job.variable @w : !job.blob<1x2x5x6xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>

// CHECK-LABEL: job.func @max_pool2d(%arg0: !job.blob<1x2x3x7xf32>
// CHECK: %[[W:.*]] = job.read @w
// CHECK: %[[D:.*]] = job.max_pool2d_grad %arg0, %[[W]] {ksize = array<i64: 2, 3>, padding = array<i64: 0, 1, 1, 2>, strides = array<i64: 2, 1>} : <1x2x3x7xf32>, <1x2x5x6xf32>
// CHECK: job.update @w, %[[D]]
job.func @max_pool2d(%g: !job.blob<1x2x3x7xf32>) kind train {
  %w = job.read @w : !job.blob<1x2x5x6xf32>
  %y = job.max_pool2d %w {ksize = array<i64: 2, 3>, strides = array<i64: 2, 1>, padding = array<i64: 0, 1, 1, 2>} : !job.blob<1x2x5x6xf32>
  %loss = job.mul %y, %g : !job.blob<1x2x3x7xf32>
  job.loss %loss : !job.blob<1x2x3x7xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @avg_pool2d(%arg0: !job.blob<1x2x3x7xf32>
// CHECK: %[[D:.*]] = job.avg_pool2d_grad %arg0 {ksize = array<i64: 2, 3>, padding = array<i64: 0, 1, 1, 2>, strides = array<i64: 2, 1>} : <1x2x3x7xf32> -> <1x2x5x6xf32>
// CHECK: job.update @w, %[[D]]
job.func @avg_pool2d(%g: !job.blob<1x2x3x7xf32>) kind train {
  %w = job.read @w : !job.blob<1x2x5x6xf32>
  %y = job.avg_pool2d %w {ksize = array<i64: 2, 3>, strides = array<i64: 2, 1>, padding = array<i64: 0, 1, 1, 2>} : !job.blob<1x2x5x6xf32>
  %loss = job.mul %y, %g : !job.blob<1x2x3x7xf32>
  job.loss %loss : !job.blob<1x2x3x7xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}
