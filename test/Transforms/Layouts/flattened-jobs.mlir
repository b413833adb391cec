// RUN: job-opt %s --job-assign-layouts=layout=nhwc | FileCheck %s
// RUN: job-opt %s --job-check-lowering="pipeline=job-assign-layouts{layout=nhwc}" -o /dev/null

// Jobs that come before or after a training job do not change how it stores its
// matrix, whatever order they need.

// CHECK: job.variable @matrix : !job.blob<8x64xf32> init {{.*}} {expanded_shape = array<i64: 8, 4, 4, 4>, permutation = array<i64: 0, 2, 3, 1>}
job.variable @matrix : !job.blob<8x64xf32> init #job.random_normal_init<mean = 0.0, stddev = 1.0>

// CHECK-LABEL: job.func @before(
job.func @before(%y: !job.blob<1x16x2x2xf32>, %g: !job.blob<16x16x1x1xf32>) -> !job.blob<1x8xf32> kind predict {
  %w = job.read @matrix : !job.blob<8x64xf32>
  %0 = job.conv2d %y, %g {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<1x16x2x2xf32>, !job.blob<16x16x1x1xf32>
  %1 = job.reshape %0 : !job.blob<1x16x2x2xf32> to !job.blob<1x64xf32>
  %2 = job.matmul %1, %w {transpose_rhs = true} : !job.blob<1x64xf32>, !job.blob<8x64xf32>
  job.return %2 : !job.blob<1x8xf32>
}

// CHECK-LABEL: job.func @train(
// CHECK:       job.conv2d %{{.*}} layout = #job<layout nhwc>
// CHECK-NEXT:  %[[IMAGES:.*]] = job.conv2d %{{.*}} layout = #job<layout nhwc>
// CHECK-NEXT:  job.reshape %[[IMAGES]] : <3x4x4x4xf32> to <3x64xf32>
job.func @train(%x: !job.blob<3x4x4x4xf32>, %f: !job.blob<4x4x1x1xf32>) -> !job.blob<3x8xf32> kind train {
  %w = job.read @matrix : !job.blob<8x64xf32>
  %0 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<3x4x4x4xf32>, !job.blob<4x4x1x1xf32>
  %1 = job.conv2d %0, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<3x4x4x4xf32>, !job.blob<4x4x1x1xf32>
  %2 = job.reshape %1 : !job.blob<3x4x4x4xf32> to !job.blob<3x64xf32>
  %3 = job.matmul %2, %w {transpose_rhs = true} : !job.blob<3x64xf32>, !job.blob<8x64xf32>
  %4 = job.matmul %3, %2 {transpose_lhs = true} : !job.blob<3x8xf32>, !job.blob<3x64xf32>
  %5 = job.sub %w, %4 : !job.blob<8x64xf32>
  job.assign @matrix, %5 : !job.blob<8x64xf32>
  job.return %3 : !job.blob<3x8xf32>
}

// A job that only reads what another trains reads it as it is stored: here a
// dropout sees the order of the user, and the copy of a few images is smaller
// than that of the matrix.
// CHECK: job.variable @plain : !job.blob<32x64xf32> init {{.*}}>{{$}}
job.variable @plain : !job.blob<32x64xf32> init #job.random_normal_init<mean = 0.0, stddev = 1.0>
// CHECK-LABEL: job.func @train_with_dropout(
job.func @train_with_dropout(%x: !job.blob<2x4x4x4xf32>, %f: !job.blob<4x4x1x1xf32>) -> !job.blob<2x32xf32> kind train {
  %w = job.read @plain : !job.blob<32x64xf32>
  %0 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x4x4xf32>, !job.blob<4x4x1x1xf32>
  %1 = job.conv2d %0, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x4x4xf32>, !job.blob<4x4x1x1xf32>
  %2 = job.reshape %1 : !job.blob<2x4x4x4xf32> to !job.blob<2x64xf32>
  %step = job.step
  %3 = job.dropout %2, %step {id = 5 : i64, rate = 0.5 : f64, seed = 1 : i64} : !job.blob<2x64xf32>
  %4 = job.matmul %3, %w {transpose_rhs = true} : !job.blob<2x64xf32>, !job.blob<32x64xf32>
  %5 = job.matmul %4, %3 {transpose_lhs = true} : !job.blob<2x32xf32>, !job.blob<2x64xf32>
  %6 = job.sub %w, %5 : !job.blob<32x64xf32>
  job.assign @plain, %6 : !job.blob<32x64xf32>
  job.return %4 : !job.blob<2x32xf32>
}

// CHECK-LABEL: job.func @predict_without(
// CHECK:       %[[PLAIN:.*]] = job.read @plain
// CHECK-NOT:   job.reshape %[[PLAIN]]
// CHECK:       job.transpose %{{.*}} {permutation = array<i64: 0, 3, 1, 2>} : <1x4x4x4xf32>
// CHECK:       job.matmul %{{.*}}, %[[PLAIN]] {transpose_rhs = true}
job.func @predict_without(%x: !job.blob<1x4x4x4xf32>, %f: !job.blob<4x4x1x1xf32>) -> !job.blob<1x32xf32> kind predict {
  %w = job.read @plain : !job.blob<32x64xf32>
  %0 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<1x4x4x4xf32>, !job.blob<4x4x1x1xf32>
  %1 = job.conv2d %0, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<1x4x4x4xf32>, !job.blob<4x4x1x1xf32>
  %2 = job.reshape %1 : !job.blob<1x4x4x4xf32> to !job.blob<1x64xf32>
  %3 = job.matmul %2, %w {transpose_rhs = true} : !job.blob<1x64xf32>, !job.blob<32x64xf32>
  job.return %3 : !job.blob<1x32xf32>
}
