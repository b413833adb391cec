// A relu computes on the smaller result of the pooling that uses it.
// RUN: job-opt %s --job-move-relus | FileCheck %s
// RUN: job-opt %s --job-move-relus | job-opt --job-move-relus | FileCheck %s
// RUN: job-opt %s --job-move-relus --job-autodiff --canonicalize | FileCheck %s --check-prefix=GRAD
// RUN: job-opt %s --job-check-lowering -o /dev/null
// RUN: job-opt %s --job-move-relus --job-autodiff --job-build-initializer --job-check-gradients -o /dev/null

job.variable @w : !job.blob<1x2x4x6xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>

// CHECK-LABEL: job.func @train(
// CHECK: %[[W:.*]] = job.read @w
// CHECK: %[[POOL:.*]] = job.max_pool2d %[[W]]
// CHECK: %[[RELU:.*]] = job.relu %[[POOL]] : <1x2x2x3xf32>
// CHECK: job.mul %[[RELU]], %arg0

// Its gradient does, too.
// GRAD-LABEL: job.func @train(
// GRAD: %[[RELU:.*]] = job.relu
// GRAD: job.compare gt %[[RELU]], %{{.*}} : <1x2x2x3xf32>
// GRAD: %[[D:.*]] = job.select {{.*}}<1x2x2x3xf32>
// GRAD: job.max_pool2d_grad %[[D]]
job.func @train(%g: !job.blob<1x2x2x3xf32>) kind train {
  %w = job.read @w : !job.blob<1x2x4x6xf32>
  %0 = job.relu %w : !job.blob<1x2x4x6xf32>
  %1 = job.max_pool2d %0 {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x4x6xf32>
  %loss = job.mul %1, %g : !job.blob<1x2x2x3xf32>
  job.loss %loss : !job.blob<1x2x2x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// Windows that overlap, with padding.
// CHECK-LABEL: job.func @overlap(
// CHECK: %[[POOL:.*]] = job.max_pool2d %{{.*}} : <1x2x4x6xf32>
// CHECK: job.relu %[[POOL]] : <1x2x2x3xf32>
job.func @overlap(%g: !job.blob<1x2x2x3xf32>) kind train {
  %w = job.read @w : !job.blob<1x2x4x6xf32>
  %0 = job.relu %w : !job.blob<1x2x4x6xf32>
  %1 = job.max_pool2d %0 {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 0, 0>} : !job.blob<1x2x4x6xf32>
  %loss = job.mul %1, %g : !job.blob<1x2x2x3xf32>
  job.loss %loss : !job.blob<1x2x2x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// A relu with another user, and a pooling whose result is as large.
// CHECK-LABEL: job.func @stays(
// CHECK: %[[A:.*]] = job.relu %{{.*}} : <1x2x4x6xf32>
// CHECK: %[[B:.*]] = job.max_pool2d %[[A]]
// CHECK: %[[C:.*]] = job.tanh %[[A]]
// CHECK: %[[D:.*]] = job.relu %[[C]] : <1x2x4x6xf32>
// CHECK: job.max_pool2d %[[D]]
job.func @stays(%g: !job.blob<1x2x2x3xf32>) -> (!job.blob<1x2x4x6xf32>) kind train {
  %w = job.read @w : !job.blob<1x2x4x6xf32>
  %0 = job.relu %w : !job.blob<1x2x4x6xf32>
  %1 = job.max_pool2d %0 {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x4x6xf32>
  %2 = job.tanh %0 : !job.blob<1x2x4x6xf32>
  %3 = job.relu %2 : !job.blob<1x2x4x6xf32>
  %4 = job.max_pool2d %3 {ksize = array<i64: 3, 3>, strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<1x2x4x6xf32>
  %loss = job.mul %1, %g : !job.blob<1x2x2x3xf32>
  job.loss %loss : !job.blob<1x2x2x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return %4 : !job.blob<1x2x4x6xf32>
}

// Without gradients, the relu is best behind what computes its operand.
// CHECK-LABEL: job.func @predict(
// CHECK: %[[A:.*]] = job.relu %arg0
// CHECK: job.max_pool2d %[[A]]
job.func @predict(%x: !job.blob<1x2x4x6xf32>) -> !job.blob<1x2x2x3xf32> kind predict {
  %0 = job.relu %x : !job.blob<1x2x4x6xf32>
  %1 = job.max_pool2d %0 {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x4x6xf32>
  job.return %1 : !job.blob<1x2x2x3xf32>
}
