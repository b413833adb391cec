// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-form-kernels))' | FileCheck %s
// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-form-kernels{fuse=false}))' | FileCheck %s --check-prefix=ALONE

// What is cheap to compute from a blob in memory is computed by each kernel
// that needs it: the deviations of a normalisation are never written.
// CHECK-LABEL: job.func @deviations(
// CHECK: job.kernel(%{{.*}} = %arg0 : !job.blob<8x4xf32>, %{{.*}} = %arg1 : !job.blob<4xf32>) -> !job.blob<4xf32>
// CHECK-NEXT: job.broadcast_in_dim
// CHECK-NEXT: %[[LEFT:.*]] = job.sub
// CHECK-NEXT: %[[SQUARE:.*]] = job.mul %[[LEFT]], %[[LEFT]]
// CHECK-NEXT: %[[SUM:.*]] = job.reduce_sum %[[SQUARE]]
// CHECK-NEXT: job.yield %[[SUM]]
// CHECK: job.kernel(%{{.*}} = %arg0 : !job.blob<8x4xf32>, %{{.*}} = %arg1 : !job.blob<4xf32>, %{{.*}} = %{{.*}} : !job.blob<4xf32>) -> !job.blob<8x4xf32>
// CHECK-NEXT: job.broadcast_in_dim
// CHECK-NEXT: job.broadcast_in_dim
// CHECK-NEXT: %[[AGAIN:.*]] = job.sub
// CHECK-NEXT: %[[SCALED:.*]] = job.mul %[[AGAIN]]
// CHECK-NEXT: job.yield %[[SCALED]]
// ALONE-LABEL: job.func @deviations(
// ALONE-COUNT-1: job.sub
// ALONE-NOT: job.sub
// ALONE-LABEL: job.func @returned(
job.func @deviations(%x: !job.blob<8x4xf32>, %mean: !job.blob<4xf32>) -> !job.blob<8x4xf32> kind predict {
  %means = job.broadcast_in_dim %mean {dims = array<i64: 1>} : !job.blob<4xf32> to !job.blob<8x4xf32>
  %left = job.sub %x, %means : !job.blob<8x4xf32>
  %square = job.mul %left, %left : !job.blob<8x4xf32>
  %sum = job.reduce_sum %square {axes = array<i64: 0>} : !job.blob<8x4xf32>
  %scale = job.rsqrt %sum : !job.blob<4xf32>
  %scales = job.broadcast_in_dim %scale {dims = array<i64: 1>} : !job.blob<4xf32> to !job.blob<8x4xf32>
  %y = job.mul %left, %scales : !job.blob<8x4xf32>
  job.return %y : !job.blob<8x4xf32>
}

// The caller needs the value: it is written, and read.
// CHECK-LABEL: job.func @returned(
// CHECK-COUNT-1: job.sub
// CHECK-NOT: job.sub
job.func @returned(%x: !job.blob<8x4xf32>, %mean: !job.blob<4xf32>) -> (!job.blob<8x4xf32>, !job.blob<8x4xf32>) kind predict {
  %means = job.broadcast_in_dim %mean {dims = array<i64: 1>} : !job.blob<4xf32> to !job.blob<8x4xf32>
  %left = job.sub %x, %means : !job.blob<8x4xf32>
  %sum = job.reduce_sum %left {axes = array<i64: 0>} : !job.blob<8x4xf32>
  %sums = job.broadcast_in_dim %sum {dims = array<i64: 1>} : !job.blob<4xf32> to !job.blob<8x4xf32>
  %y = job.mul %left, %sums : !job.blob<8x4xf32>
  job.return %left, %y : !job.blob<8x4xf32>, !job.blob<8x4xf32>
}

// So is what needs two blobs, or something that its own kernel computes.
// CHECK-LABEL: job.func @two_blobs(
// CHECK-COUNT-1: job.sub
// CHECK-NOT: job.sub
job.func @two_blobs(%x: !job.blob<8x4xf32>, %z: !job.blob<8x4xf32>) -> !job.blob<8x4xf32> kind predict {
  %left = job.sub %x, %z : !job.blob<8x4xf32>
  %sum = job.reduce_sum %left {axes = array<i64: 0>} : !job.blob<8x4xf32>
  %sums = job.broadcast_in_dim %sum {dims = array<i64: 1>} : !job.blob<4xf32> to !job.blob<8x4xf32>
  %y = job.mul %left, %sums : !job.blob<8x4xf32>
  job.return %y : !job.blob<8x4xf32>
}

// CHECK-LABEL: job.func @computed(
// CHECK-COUNT-1: job.sub
// CHECK-NOT: job.sub
job.func @computed(%x: !job.blob<8x4xf32>) -> !job.blob<8x4xf32> kind predict {
  %one = job.constant dense<1.0> : tensor<8x4xf32>
  %e = job.exp %x : !job.blob<8x4xf32>
  %left = job.sub %e, %one : !job.blob<8x4xf32>
  %sum = job.reduce_sum %left {axes = array<i64: 0>} : !job.blob<8x4xf32>
  %sums = job.broadcast_in_dim %sum {dims = array<i64: 1>} : !job.blob<4xf32> to !job.blob<8x4xf32>
  %y = job.mul %left, %sums : !job.blob<8x4xf32>
  job.return %y : !job.blob<8x4xf32>
}

// A variable may be assigned to before the second kernel runs.
// CHECK-LABEL: job.func @variable(
// CHECK-COUNT-1: job.sub
// CHECK-NOT: job.sub
job.variable @w : !job.blob<8x4xf32> init #job.constant_init<0.0>
job.func @variable() -> !job.blob<8x4xf32> kind predict {
  %one = job.constant dense<1.0> : tensor<8x4xf32>
  %w = job.read @w : !job.blob<8x4xf32>
  %left = job.sub %w, %one : !job.blob<8x4xf32>
  %sum = job.reduce_sum %left {axes = array<i64: 0>} : !job.blob<8x4xf32>
  %sums = job.broadcast_in_dim %sum {dims = array<i64: 1>} : !job.blob<4xf32> to !job.blob<8x4xf32>
  %y = job.mul %left, %sums : !job.blob<8x4xf32>
  job.return %y : !job.blob<8x4xf32>
}

// An op alone, needed by two kernels, is computed in both and nowhere else.
// CHECK-LABEL: job.func @alone(
// CHECK-COUNT-3: job.kernel
// CHECK-NOT: job.kernel
job.func @alone(%x: !job.blob<8x4xf32>) -> (!job.blob<8x4xf32>, !job.blob<8xf32>) kind predict {
  %one = job.constant dense<1.0> : tensor<8x4xf32>
  %left = job.sub %x, %one : !job.blob<8x4xf32>
  %sum = job.reduce_sum %left {axes = array<i64: 0>} : !job.blob<8x4xf32>
  %sums = job.broadcast_in_dim %sum {dims = array<i64: 1>} : !job.blob<4xf32> to !job.blob<8x4xf32>
  %y = job.mul %left, %sums : !job.blob<8x4xf32>
  %rows = job.reduce_sum %left {axes = array<i64: 1>} : !job.blob<8x4xf32>
  job.return %y, %rows : !job.blob<8x4xf32>, !job.blob<8xf32>
}
