// RUN: job-opt %s --job-assign-layouts=layout=nhwc | FileCheck %s
// RUN: job-opt %s --job-check-lowering="pipeline=job-assign-layouts{layout=nhwc}" -o /dev/null
// RUN: job-opt %s --job-assign-layouts=layout=nchw | FileCheck %s --check-prefix=OFF

// OFF-NOT: nhwc

// The ops between two convolutions follow them. Blobs at the border are copied.
// CHECK-LABEL: job.func @chain(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x4x8x8xf32>, %[[F:[^ ]*]]: !job.blob<6x4x3x3xf32>, %[[G:[^ ]*]]: !job.blob<5x6x1x1xf32>)
job.func @chain(%x: !job.blob<2x4x8x8xf32>, %f: !job.blob<6x4x3x3xf32>, %g: !job.blob<5x6x1x1xf32>) -> !job.blob<2x5x4x4xf32> kind predict {
  // CHECK-NEXT: %[[XT:.*]] = job.transpose %[[X]] {permutation = array<i64: 0, 2, 3, 1>}
  // CHECK-NEXT: %[[FT:.*]] = job.transpose %[[F]] {permutation = array<i64: 0, 2, 3, 1>}
  // CHECK-NEXT: %[[Y:.*]] = job.conv2d %[[XT]], %[[FT]] {{.*}}layout = #job<layout nhwc>{{.*}} : <2x8x8x4xf32>, <6x3x3x4xf32>
  // CHECK-NEXT: %[[RELU:.*]] = job.relu %[[Y]] : <2x8x8x6xf32>
  // CHECK-NEXT: %[[POOL:.*]] = job.max_pool2d %[[RELU]] {{.*}}layout = #job<layout nhwc>{{.*}} : <2x8x8x6xf32>
  // CHECK-NEXT: %[[GT:.*]] = job.reshape %[[G]] : <5x6x1x1xf32> to <5x1x1x6xf32>
  // CHECK-NEXT: %[[Z:.*]] = job.conv2d %[[POOL]], %[[GT]] {{.*}} : <2x4x4x6xf32>, <5x1x1x6xf32>
  // CHECK-NEXT: %[[ZT:.*]] = job.transpose %[[Z]] {permutation = array<i64: 0, 3, 1, 2>} : <2x4x4x5xf32>
  // CHECK-NEXT: job.return %[[ZT]]
  %0 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x8xf32>, !job.blob<6x4x3x3xf32>
  %1 = job.relu %0 : !job.blob<2x6x8x8xf32>
  %2 = job.max_pool2d %1 {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<2x6x8x8xf32>
  %3 = job.conv2d %2, %g {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x6x4x4xf32>, !job.blob<5x6x1x1xf32>
  job.return %3 : !job.blob<2x5x4x4xf32>
}

// Statistics over all dimensions but the channels, and what is broadcast along
// them, as in a batch normalisation. The sums have one dimension: no copies.
// CHECK-LABEL: job.func @statistics(
job.func @statistics(%x: !job.blob<2x4x8x8xf32>, %f: !job.blob<4x4x3x3xf32>, %b: !job.blob<4xf32>) -> (!job.blob<4xf32>, !job.blob<2x4xf32>, !job.blob<1x4x1x1xf32>, !job.blob<4xf32>) kind predict {
  // CHECK-COUNT-2: job.transpose
  // CHECK-NEXT: job.conv2d
  // CHECK-NEXT: %[[B:.*]] = job.broadcast_in_dim %{{.*}} {dims = array<i64: 3>} : <4xf32> to <2x8x8x4xf32>
  // CHECK-NEXT: job.add %{{.*}}, %[[B]]
  // CHECK-NEXT: %[[HALF:.*]] = job.constant dense<5.000000e-01> : tensor<2x8x8x4xf32>
  // CHECK-NEXT: job.mul %{{.*}}, %[[HALF]]
  // CHECK-NEXT: %[[SUM:.*]] = job.reduce_sum %{{.*}} {axes = array<i64: 0, 1, 2>}
  // CHECK-NEXT: %[[MAX:.*]] = job.reduce_max %{{.*}} {axes = array<i64: 1, 2>}
  // CHECK-NEXT: %[[KEPT:.*]] = job.reduce_sum %{{.*}} {axes = array<i64: 0, 1, 2>, keepdims = true}
  // CHECK-NEXT: %[[KEPTT:.*]] = job.reshape %[[KEPT]] : <1x1x1x4xf32> to <1x4x1x1xf32>
  // CHECK-NEXT: %[[DF:.*]] = job.conv2d_filter_grad {{.*}} -> <4x3x3x4xf32>
  // CHECK-NEXT: %[[SUMDF:.*]] = job.reduce_sum %[[DF]] {axes = array<i64: 1, 2, 3>}
  // CHECK-NEXT: job.return %[[SUM]], %[[MAX]], %[[KEPTT]], %[[SUMDF]]
  %0 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x8xf32>, !job.blob<4x4x3x3xf32>
  %1 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<4xf32> to !job.blob<2x4x8x8xf32>
  %half = job.constant dense<0.5> : tensor<2x4x8x8xf32>
  %2 = job.add %0, %1 : !job.blob<2x4x8x8xf32>
  %3 = job.mul %2, %half : !job.blob<2x4x8x8xf32>
  %4 = job.reduce_sum %3 {axes = array<i64: 0, 2, 3>} : !job.blob<2x4x8x8xf32>
  %5 = job.reduce_max %3 {axes = array<i64: 2, 3>} : !job.blob<2x4x8x8xf32>
  %6 = job.reduce_sum %3 {axes = array<i64: 0, 2, 3>, keepdims = true} : !job.blob<2x4x8x8xf32>
  %7 = job.conv2d_filter_grad %3, %x {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x8xf32>, !job.blob<2x4x8x8xf32> -> !job.blob<4x4x3x3xf32>
  %8 = job.reduce_sum %7 {axes = array<i64: 1, 2, 3>} : !job.blob<4x4x3x3xf32>
  job.return %4, %5, %6, %8 : !job.blob<4xf32>, !job.blob<2x4xf32>, !job.blob<1x4x1x1xf32>, !job.blob<4xf32>
}

// Attributes that name dimensions follow. Blobs of three dimensions get the
// order of those of four.
// CHECK-LABEL: job.func @dimensions(
job.func @dimensions(%x: !job.blob<2x4x8x9xf32>, %f: !job.blob<4x4x1x1xf32>, %g: !job.blob<1x8x1x1xf32>, %plane: !job.blob<4x8x9xf32>) -> (!job.blob<2x1x4x12xf32>, !job.blob<4x8x9xf32>) kind predict {
  // CHECK:      job.conv2d {{.*}} : <2x8x9x4xf32>, <4x1x1x4xf32>
  // CHECK-NEXT: %[[PLANE:.*]] = job.transpose %{{.*}} {permutation = array<i64: 1, 2, 0>} : <4x8x9xf32>
  // CHECK-NEXT: %[[B:.*]] = job.broadcast_in_dim %[[PLANE]] {dims = array<i64: 1, 2, 3>} : <8x9x4xf32> to <2x8x9x4xf32>
  // CHECK-NEXT: job.concat %{{.*}}, %[[B]] {axis = 3 : i64}
  // CHECK-NEXT: job.pad %{{.*}} {high = array<i64: 0, 0, 2, 0>, interior = array<i64: 0, 0, 0, 0>, low = array<i64: 0, 0, 1, 0>
  // CHECK-NEXT: job.slice %{{.*}} {offsets = array<i64: 0, 1, 0, 0>, sizes = array<i64: 2, 4, 12, 8>, strides = array<i64: 1, 2, 1, 1>}
  // CHECK:      %[[Y:.*]] = job.conv2d {{.*}} : <2x4x12x8xf32>, <1x1x1x8xf32>
  // CHECK:      %[[SUM:.*]] = job.reduce_sum %{{.*}} {axes = array<i64: 0>} : <2x8x9x4xf32>
  // CHECK-NEXT: job.transpose %[[SUM]] {permutation = array<i64: 2, 0, 1>} : <8x9x4xf32>
  %0 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x9xf32>, !job.blob<4x4x1x1xf32>
  %1 = job.broadcast_in_dim %plane {dims = array<i64: 1, 2, 3>} : !job.blob<4x8x9xf32> to !job.blob<2x4x8x9xf32>
  %2 = job.concat %0, %1 {axis = 1 : i64} : !job.blob<2x4x8x9xf32>, !job.blob<2x4x8x9xf32>
  %3 = job.pad %2 {low = array<i64: 0, 0, 0, 1>, high = array<i64: 0, 0, 0, 2>, interior = array<i64: 0, 0, 0, 0>, value = 0.0 : f64} : !job.blob<2x8x8x9xf32>
  %4 = job.slice %3 {offsets = array<i64: 0, 0, 1, 0>, sizes = array<i64: 2, 8, 4, 12>, strides = array<i64: 1, 1, 2, 1>} : !job.blob<2x8x8x12xf32>
  %5 = job.conv2d %4, %g {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x8x4x12xf32>, !job.blob<1x8x1x1xf32>
  %6 = job.reduce_sum %0 {axes = array<i64: 0>} : !job.blob<2x4x8x9xf32>
  job.return %5, %6 : !job.blob<2x1x4x12xf32>, !job.blob<4x8x9xf32>
}

// Copies that move no element are reshapes: of one channel, of one pixel. Where
// all of them are, nothing is gained.
// CHECK-LABEL: job.func @free(
job.func @free(%x: !job.blob<2x1x8x8xf32>, %f: !job.blob<6x1x8x8xf32>) -> !job.blob<2x6xf32> kind predict {
  // CHECK-NOT:  nhwc
  %0 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x1x8x8xf32>, !job.blob<6x1x8x8xf32>
  %1 = job.reshape %0 : !job.blob<2x6x1x1xf32> to !job.blob<2x6xf32>
  job.return %1 : !job.blob<2x6xf32>
}

// The user's images have the channels last: nothing is left of the transposes.
// CHECK-LABEL: job.func @cancels(
job.func @cancels(%x: !job.blob<2x8x8x4xf32>, %f: !job.blob<4x3x3x4xf32>) -> !job.blob<2x8x8x4xf32> kind predict {
  // CHECK-NEXT: %[[Y:.*]] = job.conv2d %{{.*}}, %{{.*}} {{.*}}layout = #job<layout nhwc>{{.*}} : <2x8x8x4xf32>, <4x3x3x4xf32>
  // CHECK-NEXT: %[[RELU:.*]] = job.relu %[[Y]]
  // CHECK-NEXT: job.return %[[RELU]]
  %0 = job.transpose %x {permutation = array<i64: 0, 3, 1, 2>} : !job.blob<2x8x8x4xf32>
  %1 = job.transpose %f {permutation = array<i64: 0, 3, 1, 2>} : !job.blob<4x3x3x4xf32>
  %2 = job.conv2d %0, %1 {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x8xf32>, !job.blob<4x4x3x3xf32>
  %3 = job.relu %2 : !job.blob<2x4x8x8xf32>
  %4 = job.transpose %3 {permutation = array<i64: 0, 2, 3, 1>} : !job.blob<2x4x8x8xf32>
  job.return %4 : !job.blob<2x8x8x4xf32>
}

// A softmax is along the last dimension, and the gradient of a maximum is slow
// with large windows that overlap: these ops stay. A blob is copied once for all
// its users.
// CHECK-LABEL: job.func @stays(
job.func @stays(%x: !job.blob<2x4x8x8xf32>, %f: !job.blob<4x4x3x3xf32>, %dy: !job.blob<2x4x8x8xf32>) -> (!job.blob<2x4x8x8xf32>, !job.blob<2x4x8x8xf32>, !job.blob<2x4x8x8xf32>) kind predict {
  // CHECK-COUNT-2: job.transpose
  // CHECK-COUNT-3: job.conv2d {{.*}}layout = #job<layout nhwc>
  // CHECK-NEXT: %[[Y:.*]] = job.transpose
  // CHECK-NEXT: job.softmax %[[Y]] : <2x4x8x8xf32>
  // CHECK-NEXT: job.log_softmax %[[Y]]
  // CHECK-NEXT: job.max_pool2d_grad %{{.*}}, %[[Y]]
  %0 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x8xf32>, !job.blob<4x4x3x3xf32>
  %1 = job.conv2d %0, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x8xf32>, !job.blob<4x4x3x3xf32>
  %2 = job.conv2d %1, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x8xf32>, !job.blob<4x4x3x3xf32>
  %3 = job.softmax %2 : !job.blob<2x4x8x8xf32>
  %4 = job.log_softmax %2 : !job.blob<2x4x8x8xf32>
  %5 = job.max_pool2d_grad %dy, %2 {ksize = array<i64: 5, 5>, strides = array<i64: 1, 1>, padding = array<i64: 2, 2, 2, 2>} : !job.blob<2x4x8x8xf32>, !job.blob<2x4x8x8xf32>
  job.return %3, %4, %5 : !job.blob<2x4x8x8xf32>, !job.blob<2x4x8x8xf32>, !job.blob<2x4x8x8xf32>
}

// Alone, a convolution gains no more than its copies cost; nor does one whose
// implementation is in the text.
// CHECK-LABEL: job.func @alone(
job.func @alone(%x: !job.blob<2x4x8x8xf32>, %f: !job.blob<4x4x3x3xf32>) -> (!job.blob<2x4x8x8xf32>, !job.blob<2x4x8x8xf32>) kind predict {
  // CHECK-NOT:  nhwc
  %0 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x8xf32>, !job.blob<4x4x3x3xf32>
  %1 = job.conv2d %0, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64, plan.implementation = #plan.generated_kernel} : !job.blob<2x4x8x8xf32>, !job.blob<4x4x3x3xf32>
  job.return %0, %1 : !job.blob<2x4x8x8xf32>, !job.blob<2x4x8x8xf32>
}

// What is built for an op runs where the op does.
// CHECK-LABEL: job.func @placed(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x4x8x8xf32>
job.func @placed(%x: !job.blob<2x4x8x8xf32>, %f: !job.blob<4x4x3x3xf32>) -> !job.blob<4xf32> kind predict {
  // CHECK-NEXT: job.transpose %[[X]] {job.placement = #[[GPU:[a-z0-9_]+]], permutation
  // CHECK:      job.conv2d {{.*}}job.placement = #[[GPU]]
  // CHECK:      job.reduce_sum {{.*}}axes = array<i64: 0, 1, 2>, job.placement = #[[GPU]]
  %0 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64, job.placement = #job.placement<gpu, "0:0">} : !job.blob<2x4x8x8xf32>, !job.blob<4x4x3x3xf32>
  %1 = job.reduce_sum %0 {axes = array<i64: 0, 2, 3>, job.placement = #job.placement<gpu, "0:0">} : !job.blob<2x4x8x8xf32>
  job.return %1 : !job.blob<4xf32>
}

// Across the border of micro-steps.
// CHECK-LABEL: job.func @micro_steps(
job.func @micro_steps(%x: !job.blob<4x4x8x8xf32>, %f: !job.blob<4x4x3x3xf32>) -> (!job.blob<4x4x3x3xf32>, !job.blob<4x4x8x8xf32>) kind predict {
  // CHECK-DAG: %[[F:.*]] = job.transpose %arg1
  // CHECK-DAG: job.broadcast_micro_steps %[[F]] {count = 2 : i64} : <4x3x3x4xf32>
  // CHECK:     %[[SUM:.*]] = job.acc %{{.*}} {count = 2 : i64} : <4x3x3x4xf32>
  // CHECK:     job.transpose %[[SUM]] {permutation = array<i64: 0, 3, 1, 2>}
  %0 = job.unpack %x {count = 2 : i64} : !job.blob<4x4x8x8xf32>
  %1 = job.broadcast_micro_steps %f {count = 2 : i64} : !job.blob<4x4x3x3xf32>
  %2 = job.conv2d %0, %1 {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x8xf32>, !job.blob<4x4x3x3xf32>
  %3 = job.conv2d_filter_grad %2, %0 {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x8xf32>, !job.blob<2x4x8x8xf32> -> !job.blob<4x4x3x3xf32>
  %4 = job.acc %3 {count = 2 : i64} : !job.blob<4x4x3x3xf32>
  %5 = job.pack %2 {count = 2 : i64} : !job.blob<2x4x8x8xf32>
  job.return %4, %5 : !job.blob<4x4x3x3xf32>, !job.blob<4x4x8x8xf32>
}
