// RUN: job-opt %s --job-autodiff --canonicalize | FileCheck %s
// RUN: job-opt %s --job-autodiff --job-build-initializer --job-check-gradients

// The loss is %g times the result, so the argument %g, %arg0 when printed, is
// the result's gradient.

job.variable @w : !job.blob<4x10xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>

// CHECK-LABEL: job.func @cross_entropy(%arg0: !job.blob<4xf32>
// CHECK: %[[W:.*]] = job.read @w
// CHECK: %[[D:.*]] = job.sparse_softmax_cross_entropy_grad %arg0, %[[W]], %arg1
// CHECK: job.update @w, %[[D]]
job.func @cross_entropy(%g: !job.blob<4xf32>, %labels: !job.blob<4xi32>) kind train {
  %w = job.read @w : !job.blob<4x10xf32>
  %y = job.sparse_softmax_cross_entropy %w, %labels : !job.blob<4x10xf32>, !job.blob<4xi32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}
