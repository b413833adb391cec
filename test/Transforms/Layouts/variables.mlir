// RUN: job-opt %s --job-assign-layouts=layout=nhwc | FileCheck %s
// RUN: job-opt %s --job-assign-layouts=layout=nhwc --job-assign-layouts=layout=nhwc | FileCheck %s
// RUN: job-opt %s --job-check-lowering="pipeline=job-assign-layouts{layout=nhwc}" -o /dev/null
// RUN: job-opt %s --job-build-initializer --job-assign-layouts=layout=nhwc --job-check-lowering -o /dev/null
// RUN: job-opt %s --job-assign-layouts=layout=nhwc --job-build-initializer --job-check-lowering -o /dev/null

// Filters are stored as they are read, and so is what their update reads and
// assigns: nothing is copied.
// CHECK: job.variable @filter : !job.blob<6x3x3x4xf32> init {{.*}} {permutation = array<i64: 0, 2, 3, 1>}
// CHECK: job.variable @"filter-momentum" : !job.blob<6x3x3x4xf32> init {{.*}} {permutation = array<i64: 0, 2, 3, 1>, trainable = false}
job.variable @filter : !job.blob<6x4x3x3xf32> init #job.random_normal_init<mean = 0.0, stddev = 1.0>
job.variable @"filter-momentum" : !job.blob<6x4x3x3xf32> init #job.constant_init<0.0> {trainable = false}
// Values in the text have the order of the user.
// CHECK: job.variable @given : !job.blob<1x2x2x6xf32> init #job.dense_init<{{.*}} : tensor<1x6x2x2xf32>> {permutation = array<i64: 0, 2, 3, 1>}
job.variable @given : !job.blob<1x6x2x2xf32> init #job.dense_init<dense<[[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]], [[9.0, 1.0], [2.0, 3.0]], [[4.0, 5.0], [6.0, 7.0]], [[8.0, 9.0], [1.0, 2.0]], [[3.0, 4.0], [5.0, 6.0]]]]> : tensor<1x6x2x2xf32>>
// A copy that moves no element is none.
// CHECK: job.variable @pixel : !job.blob<5x6x1x1xf32> init #job.constant_init<1.000000e+00>{{$}}
job.variable @pixel : !job.blob<5x6x1x1xf32> init #job.constant_init<1.0>
// The jobs read it more often in the user's order.
// CHECK: job.variable @shared : !job.blob<6x6x3x3xf32> init #job.constant_init<1.000000e+00>{{$}}
job.variable @shared : !job.blob<6x6x3x3xf32> init #job.constant_init<1.0>
// Not of the rank.
// CHECK: job.variable @bias : !job.blob<6xf32> init #job.constant_init<1.000000e+00>{{$}}
job.variable @bias : !job.blob<6xf32> init #job.constant_init<1.0>
// CHECK-LABEL: job.func @step(
job.func @step(%x: !job.blob<2x4x8x8xf32>) -> !job.blob<2x5x7x7xf32> kind train {
  // CHECK-NEXT: %[[F:.*]] = job.read @filter : <6x3x3x4xf32>
  // CHECK-NEXT: %[[X:.*]] = job.transpose %{{.*}} {permutation = array<i64: 0, 2, 3, 1>} : <2x4x8x8xf32>
  // CHECK-NEXT: job.conv2d %[[X]], %[[F]] {{.*}} layout = #job<layout nhwc>
  // CHECK-NOT:  job.transpose
  // CHECK:      %[[GRAD:.*]] = job.conv2d_filter_grad {{.*}} -> <6x3x3x4xf32>
  // CHECK-NEXT: %[[M:.*]] = job.read @"filter-momentum" : <6x3x3x4xf32>
  // CHECK-NEXT: %[[SUM:.*]] = job.add %[[M]], %[[GRAD]] : <6x3x3x4xf32>
  // CHECK-NEXT: job.assign @"filter-momentum", %[[SUM]] : <6x3x3x4xf32>
  // CHECK-NEXT: %[[NEW:.*]] = job.sub %[[F]], %[[SUM]] : <6x3x3x4xf32>
  // CHECK-NEXT: job.assign @filter, %[[NEW]] : <6x3x3x4xf32>
  %f = job.read @filter : !job.blob<6x4x3x3xf32>
  %0 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x8xf32>, !job.blob<6x4x3x3xf32>
  %b = job.read @bias : !job.blob<6xf32>
  %1 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<6xf32> to !job.blob<2x6x8x8xf32>
  %2 = job.add %0, %1 : !job.blob<2x6x8x8xf32>
  %g = job.read @given : !job.blob<1x6x2x2xf32>
  %3 = job.conv2d %2, %g {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x6x8x8xf32>, !job.blob<1x6x2x2xf32>
  %4 = job.conv2d_filter_grad %2, %x {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x6x8x8xf32>, !job.blob<2x4x8x8xf32> -> !job.blob<6x4x3x3xf32>
  %m = job.read @"filter-momentum" : !job.blob<6x4x3x3xf32>
  %5 = job.add %m, %4 : !job.blob<6x4x3x3xf32>
  job.assign @"filter-momentum", %5 : !job.blob<6x4x3x3xf32>
  %6 = job.sub %f, %5 : !job.blob<6x4x3x3xf32>
  job.assign @filter, %6 : !job.blob<6x4x3x3xf32>
  %p = job.read @pixel : !job.blob<5x6x1x1xf32>
  %7 = job.conv2d %2, %p {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x6x8x8xf32>, !job.blob<5x6x1x1xf32>
  %8 = job.slice %7 {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 2, 5, 7, 7>, strides = array<i64: 1, 1, 1, 1>} : !job.blob<2x5x8x8xf32>
  %9 = job.broadcast_in_dim %3 {dims = array<i64: 0, 1, 2, 3>} : !job.blob<2x1x7x7xf32> to !job.blob<2x5x7x7xf32>
  %10 = job.add %8, %9 : !job.blob<2x5x7x7xf32>
  job.return %10 : !job.blob<2x5x7x7xf32>
}

// The convolutions share one copy of @shared, which two jobs return as it is.
// CHECK-LABEL: job.func @export(
job.func @export(%x: !job.blob<2x6x8x8xf32>) -> (!job.blob<2x6x8x8xf32>, !job.blob<6x6x3x3xf32>, !job.blob<6x4x3x3xf32>) kind predict {
  // CHECK-NEXT: %[[SHARED:.*]] = job.read @shared : <6x6x3x3xf32>
  // CHECK-NEXT: job.transpose %{{.*}} : <2x6x8x8xf32>
  // CHECK-NEXT: %[[COPY:.*]] = job.transpose %[[SHARED]] {permutation = array<i64: 0, 2, 3, 1>}
  // CHECK-NEXT: job.conv2d %{{.*}}, %[[COPY]] {{.*}}layout = #job<layout nhwc>
  // CHECK-NEXT: job.conv2d %{{.*}}, %[[COPY]] {{.*}}layout = #job<layout nhwc>
  // CHECK-NEXT: job.transpose %{{.*}} : <2x8x8x6xf32>
  // CHECK-NEXT: %[[F:.*]] = job.read @filter : <6x3x3x4xf32>
  // CHECK-NEXT: %[[PLAIN:.*]] = job.transpose %[[F]] {permutation = array<i64: 0, 3, 1, 2>}
  // CHECK-NEXT: job.return %{{.*}}, %[[SHARED]], %[[PLAIN]]
  %s = job.read @shared : !job.blob<6x6x3x3xf32>
  %0 = job.conv2d %x, %s {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x6x8x8xf32>, !job.blob<6x6x3x3xf32>
  %1 = job.conv2d %0, %s {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x6x8x8xf32>, !job.blob<6x6x3x3xf32>
  %f = job.read @filter : !job.blob<6x4x3x3xf32>
  job.return %1, %s, %f : !job.blob<2x6x8x8xf32>, !job.blob<6x6x3x3xf32>, !job.blob<6x4x3x3xf32>
}

job.func @export_again() -> !job.blob<6x6x3x3xf32> kind predict {
  %s = job.read @shared : !job.blob<6x6x3x3xf32>
  job.return %s : !job.blob<6x6x3x3xf32>
}

// Only the job that trains @filter decides how it is stored.
job.func @export_trained() -> !job.blob<6x4x3x3xf32> kind predict {
  %f = job.read @filter : !job.blob<6x4x3x3xf32>
  job.return %f : !job.blob<6x4x3x3xf32>
}
job.func @export_trained_again() -> !job.blob<6x4x3x3xf32> kind predict {
  %f = job.read @filter : !job.blob<6x4x3x3xf32>
  job.return %f : !job.blob<6x4x3x3xf32>
}
job.func @export_trained_and_again() -> !job.blob<6x4x3x3xf32> kind predict {
  %f = job.read @filter : !job.blob<6x4x3x3xf32>
  job.return %f : !job.blob<6x4x3x3xf32>
}

// What the user has permuted is not copied. The ops of the jobs before are gone.
// CHECK-LABEL: job.func @transposed(
job.func @transposed(%x: !job.blob<2x8x8x4xf32>, %g: !job.blob<4x4x3x3xf32>) -> !job.blob<2x4x8x8xf32> kind predict {
  // CHECK-NEXT: job.transpose %{{.*}} : <4x4x3x3xf32>
  // CHECK-NEXT: %[[Y:.*]] = job.conv2d %{{.*}} {{.*}}layout = #job<layout nhwc>
  // CHECK-NEXT: %[[Z:.*]] = job.conv2d %[[Y]], %{{.*}} {{.*}}layout = #job<layout nhwc>
  // CHECK-NEXT: job.transpose %[[Z]]
  %0 = job.transpose %x {permutation = array<i64: 0, 3, 1, 2>} : !job.blob<2x8x8x4xf32>
  %1 = job.conv2d %0, %g {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x8xf32>, !job.blob<4x4x3x3xf32>
  %2 = job.transpose %1 {permutation = array<i64: 0, 2, 3, 1>} : !job.blob<2x4x8x8xf32>
  %3 = job.transpose %2 {permutation = array<i64: 0, 3, 1, 2>} : !job.blob<2x8x8x4xf32>
  %4 = job.conv2d %3, %g {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x8xf32>, !job.blob<4x4x3x3xf32>
  job.return %4 : !job.blob<2x4x8x8xf32>
}
