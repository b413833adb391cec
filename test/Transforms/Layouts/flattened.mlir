// RUN: job-opt %s --job-assign-layouts=layout=nhwc | FileCheck %s
// RUN: job-opt %s --job-assign-layouts=layout=nhwc --job-assign-layouts=layout=nhwc | FileCheck %s
// RUN: job-opt %s --job-check-lowering="pipeline=job-assign-layouts{layout=nhwc}" -o /dev/null
// RUN: job-opt %s --job-build-initializer --job-assign-layouts=layout=nhwc --job-check-lowering -o /dev/null
// RUN: job-opt %s --job-assign-layouts=layout=nhwc --job-build-initializer --job-check-lowering -o /dev/null

// A matrix that multiplies rows of images is stored in their order, and so is
// what its update reads and assigns: nothing is copied.
// CHECK: job.variable @weight : !job.blob<6x64xf32> init {{.*}} {expanded_shape = array<i64: 6, 4, 4, 4>, permutation = array<i64: 0, 2, 3, 1>}
// CHECK: job.variable @"weight-momentum" : !job.blob<6x64xf32> init {{.*}} {expanded_shape = array<i64: 6, 4, 4, 4>, permutation = array<i64: 0, 2, 3, 1>, trainable = false}
// CHECK-LABEL: job.func @step(
// CHECK-NOT:   job.transpose
// CHECK:       job.conv2d %{{.*}} layout = #job<layout nhwc>
// CHECK-NEXT:  %[[ROWS:.*]] = job.reshape %{{.*}} : <3x4x4x4xf32> to <3x64xf32>
// CHECK-NEXT:  %[[MAX:.*]] = job.maximum %[[ROWS]]
// CHECK-NEXT:  %[[W:.*]] = job.read @weight : <6x64xf32>
// CHECK-NEXT:  %[[Y:.*]] = job.matmul %[[MAX]], %[[W]] {transpose_rhs = true}
// CHECK-NEXT:  %[[DX:.*]] = job.matmul %[[Y]], %[[W]] :
// CHECK-NEXT:  job.matmul %[[Y]], %[[MAX]] {transpose_lhs = true}
// CHECK-NEXT:  %[[IMAGES:.*]] = job.reshape %[[DX]] : <3x64xf32> to <3x4x4x4xf32>
// CHECK-NEXT:  job.conv2d_filter_grad %[[IMAGES]], {{.*}} layout = #job<layout nhwc>
// CHECK-NOT:   job.transpose
job.variable @filter : !job.blob<4x1x3x3xf32> init #job.random_normal_init<mean = 0.0, stddev = 1.0>
job.variable @weight : !job.blob<6x64xf32> init #job.random_normal_init<mean = 0.0, stddev = 1.0>
job.variable @"weight-momentum" : !job.blob<6x64xf32> init #job.constant_init<0.0> {trainable = false}
job.func @step(%x: !job.blob<3x1x4x4xf32>) -> !job.blob<3x6xf32> kind train {
  %zero = job.constant dense<0.0> : tensor<3x64xf32>
  %rate = job.constant dense<0.1> : tensor<6x64xf32>
  %f = job.read @filter : !job.blob<4x1x3x3xf32>
  %0 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<3x1x4x4xf32>, !job.blob<4x1x3x3xf32>
  %1 = job.reshape %0 : !job.blob<3x4x4x4xf32> to !job.blob<3x64xf32>
  %2 = job.maximum %1, %zero : !job.blob<3x64xf32>
  %w = job.read @weight : !job.blob<6x64xf32>
  %3 = job.matmul %2, %w {transpose_rhs = true} : !job.blob<3x64xf32>, !job.blob<6x64xf32>
  %4 = job.matmul %3, %w : !job.blob<3x6xf32>, !job.blob<6x64xf32>
  %5 = job.matmul %3, %2 {transpose_lhs = true} : !job.blob<3x6xf32>, !job.blob<3x64xf32>
  %6 = job.reshape %4 : !job.blob<3x64xf32> to !job.blob<3x4x4x4xf32>
  %7 = job.conv2d_filter_grad %6, %x {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<3x4x4x4xf32>, !job.blob<3x1x4x4xf32> -> !job.blob<4x1x3x3xf32>
  job.assign @filter, %7 : !job.blob<4x1x3x3xf32>
  %m = job.read @"weight-momentum" : !job.blob<6x64xf32>
  %8 = job.add %m, %5 : !job.blob<6x64xf32>
  job.assign @"weight-momentum", %8 : !job.blob<6x64xf32>
  %9 = job.mul %8, %rate : !job.blob<6x64xf32>
  %10 = job.sub %w, %9 : !job.blob<6x64xf32>
  job.assign @weight, %10 : !job.blob<6x64xf32>
  job.return %3 : !job.blob<3x6xf32>
}

// Rows of a matrix with one for each element of an image; a scale of each
// element, the largest of an image and a sum over all of the matrix.
// CHECK: job.variable @rows : !job.blob<48x2xf32> init {{.*}} {expanded_shape = array<i64: 3, 4, 4, 2>, permutation = array<i64: 1, 2, 0, 3>}
// CHECK: job.variable @scale : !job.blob<48xf32> init {{.*}} {expanded_shape = array<i64: 3, 4, 4>, permutation = array<i64: 1, 2, 0>}
// CHECK-LABEL: job.func @others(
// CHECK:       job.conv2d %{{.*}} layout = #job<layout nhwc>
// CHECK-NOT:   job.transpose
job.variable @rows : !job.blob<48x2xf32> init #job.dense_init<dense<1.0> : tensor<48x2xf32>>
job.variable @scale : !job.blob<48xf32> init #job.random_normal_init<mean = 0.0, stddev = 1.0>
job.func @others(%x: !job.blob<2x3x4x4xf32>, %f: !job.blob<3x3x3x3xf32>) -> (!job.blob<2x2xf32>, !job.blob<2x1xf32>, !job.blob<1xf32>) kind predict {
  %0 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x3x4x4xf32>, !job.blob<3x3x3x3xf32>
  %1 = job.reshape %0 : !job.blob<2x3x4x4xf32> to !job.blob<2x48xf32>
  %s = job.read @scale : !job.blob<48xf32>
  %2 = job.broadcast_in_dim %s {dims = array<i64: 1>} : !job.blob<48xf32> to !job.blob<2x48xf32>
  %3 = job.mul %1, %2 : !job.blob<2x48xf32>
  %4 = job.reduce_max %3 {axes = array<i64: 1>, keepdims = true} : !job.blob<2x48xf32>
  %5 = job.broadcast_in_dim %4 {dims = array<i64: 0, 1>} : !job.blob<2x1xf32> to !job.blob<2x48xf32>
  %6 = job.sub %3, %5 : !job.blob<2x48xf32>
  %r = job.read @rows : !job.blob<48x2xf32>
  %7 = job.matmul %6, %r : !job.blob<2x48xf32>, !job.blob<48x2xf32>
  %8 = job.reduce_sum %r {axes = array<i64: 0, 1>} : !job.blob<48x2xf32>
  job.return %7, %4, %8 : !job.blob<2x2xf32>, !job.blob<2x1xf32>, !job.blob<1xf32>
}

// Images are made of rows of a product.
// CHECK: job.variable @decoder : !job.blob<5x32xf32> init {{.*}} {expanded_shape = array<i64: 5, 2, 4, 4>, permutation = array<i64: 0, 2, 3, 1>}
// CHECK-LABEL: job.func @decode(
// CHECK:       %[[PRODUCT:.*]] = job.matmul
// CHECK-NEXT:  %[[IMAGES:.*]] = job.reshape %[[PRODUCT]] : <2x32xf32> to <2x4x4x2xf32>
// CHECK:       job.conv2d %[[IMAGES]], %{{.*}} layout = #job<layout nhwc>
job.variable @decoder : !job.blob<5x32xf32> init #job.random_normal_init<mean = 0.0, stddev = 1.0>
job.func @decode(%x: !job.blob<2x5xf32>, %f: !job.blob<1x2x3x3xf32>) -> !job.blob<2x1x4x4xf32> kind predict {
  %w = job.read @decoder : !job.blob<5x32xf32>
  %0 = job.matmul %x, %w : !job.blob<2x5xf32>, !job.blob<5x32xf32>
  %1 = job.reshape %0 : !job.blob<2x32xf32> to !job.blob<2x2x4x4xf32>
  %2 = job.conv2d %1, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x2x4x4xf32>, !job.blob<1x2x3x3xf32>
  job.return %2 : !job.blob<2x1x4x4xf32>
}

// The same matrix multiplies rows of other images: it keeps the order of the
// user.
// CHECK: job.variable @both : !job.blob<8x64xf32> init {{.*}}>{{$}}
// CHECK-LABEL: job.func @two_orders(
// CHECK:       job.transpose %{{.*}} {permutation = array<i64: 0, 3, 1, 2>} : <1x4x4x4xf32>
// CHECK:       job.transpose %{{.*}} {permutation = array<i64: 0, 3, 1, 2>} : <1x2x2x16xf32>
job.variable @both : !job.blob<8x64xf32> init #job.random_normal_init<mean = 0.0, stddev = 1.0>
job.func @two_orders(%x: !job.blob<1x4x4x4xf32>, %y: !job.blob<1x16x2x2xf32>, %f: !job.blob<4x4x1x1xf32>, %g: !job.blob<16x16x1x1xf32>) -> (!job.blob<1x8xf32>, !job.blob<1x8xf32>) kind predict {
  %w = job.read @both : !job.blob<8x64xf32>
  %x1 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<1x4x4x4xf32>, !job.blob<4x4x1x1xf32>
  %x11 = job.conv2d %x1, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<1x4x4x4xf32>, !job.blob<4x4x1x1xf32>
  %0 = job.conv2d %x11, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<1x4x4x4xf32>, !job.blob<4x4x1x1xf32>
  %1 = job.reshape %0 : !job.blob<1x4x4x4xf32> to !job.blob<1x64xf32>
  %2 = job.matmul %1, %w {transpose_rhs = true} : !job.blob<1x64xf32>, !job.blob<8x64xf32>
  %y1 = job.conv2d %y, %g {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<1x16x2x2xf32>, !job.blob<16x16x1x1xf32>
  %y11 = job.conv2d %y1, %g {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<1x16x2x2xf32>, !job.blob<16x16x1x1xf32>
  %3 = job.conv2d %y11, %g {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<1x16x2x2xf32>, !job.blob<16x16x1x1xf32>
  %4 = job.reshape %3 : !job.blob<1x16x2x2xf32> to !job.blob<1x64xf32>
  %5 = job.matmul %4, %w {transpose_rhs = true} : !job.blob<1x64xf32>, !job.blob<8x64xf32>
  job.return %2, %5 : !job.blob<1x8xf32>, !job.blob<1x8xf32>
}

// The index of the largest tells the order, and what is returned has that of the
// user.
// CHECK: job.variable @seen : !job.blob<3x36xf32> init {{.*}}>{{$}}
// CHECK-LABEL: job.func @seen_order(
// CHECK:       %[[PLAIN:.*]] = job.transpose %{{.*}} {permutation = array<i64: 0, 3, 1, 2>} : <2x3x3x4xf32>
// CHECK-NEXT:  %[[ROWS:.*]] = job.reshape %[[PLAIN]] : <2x4x3x3xf32> to <2x36xf32>
// CHECK-NEXT:  job.argmax %[[ROWS]]
job.variable @seen : !job.blob<3x36xf32> init #job.random_normal_init<mean = 0.0, stddev = 1.0>
job.func @seen_order(%x: !job.blob<2x4x3x3xf32>, %f: !job.blob<4x4x1x1xf32>) -> (!job.blob<2x36xf32>, !job.blob<2xi64>, !job.blob<2x3xf32>, !job.blob<3x36xf32>) kind predict {
  %x1 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x3x3xf32>, !job.blob<4x4x1x1xf32>
  %x11 = job.conv2d %x1, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x3x3xf32>, !job.blob<4x4x1x1xf32>
  %0 = job.conv2d %x11, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x3x3xf32>, !job.blob<4x4x1x1xf32>
  %1 = job.reshape %0 : !job.blob<2x4x3x3xf32> to !job.blob<2x36xf32>
  %2 = job.argmax %1 {axis = 1 : i64} : !job.blob<2x36xf32>
  %w = job.read @seen : !job.blob<3x36xf32>
  %3 = job.matmul %1, %w {transpose_rhs = true} : !job.blob<2x36xf32>, !job.blob<3x36xf32>
  job.return %1, %2, %3, %w : !job.blob<2x36xf32>, !job.blob<2xi64>, !job.blob<2x3xf32>, !job.blob<3x36xf32>
}

// Images are made of the maxima of other images, which is another order.
// CHECK-LABEL: job.func @maxima(
// CHECK:       %[[MAX:.*]] = job.reduce_max
// CHECK-NEXT:  %[[IMAGES:.*]] = job.reshape %[[MAX]] : <2x36xbf16> to <2x4x3x3xbf16>
// CHECK-NEXT:  job.transpose %[[IMAGES]] {permutation = array<i64: 0, 2, 3, 1>}
// CHECK:       job.cast
// CHECK:       job.conv2d %{{.*}} layout = #job<layout nhwc>
job.func @maxima(%x: !job.blob<2x4x3x3xbf16>, %f: !job.blob<36x4x1x1xbf16>, %g: !job.blob<4x4x1x1xf32>) -> !job.blob<2x4x3x3xf32> kind predict {
  %0 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x3x3xbf16>, !job.blob<36x4x1x1xbf16>
  %1 = job.reduce_max %0 {axes = array<i64: 2, 3>} : !job.blob<2x36x3x3xbf16>
  %2 = job.cast %1 : !job.blob<2x36xbf16> to !job.blob<2x36xf32>
  %3 = job.reshape %2 : !job.blob<2x36xf32> to !job.blob<2x4x3x3xf32>
  %4 = job.conv2d %3, %g {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x3x3xf32>, !job.blob<4x4x1x1xf32>
  %5 = job.conv2d %4, %g {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x3x3xf32>, !job.blob<4x4x1x1xf32>
  %6 = job.conv2d %5, %g {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x3x3xf32>, !job.blob<4x4x1x1xf32>
  job.return %6 : !job.blob<2x4x3x3xf32>
}

// Elements that are all equal become images.
// CHECK-LABEL: job.func @uniform(
// CHECK:       job.reduce_sum %{{.*}} {axes = array<i64: 2, 3>} : <2x36x2x2xf32>
job.func @uniform(%s: !job.blob<1xf32>, %g: !job.blob<4x4x1x1xf32>) -> !job.blob<2x4x3x3xf32> kind predict {
  %0 = job.broadcast_in_dim %s {dims = array<i64: 0>} : !job.blob<1xf32> to !job.blob<2x36x2x2xf32>
  %1 = job.reduce_sum %0 {axes = array<i64: 2, 3>} : !job.blob<2x36x2x2xf32>
  %2 = job.reshape %1 : !job.blob<2x36xf32> to !job.blob<2x4x3x3xf32>
  %3 = job.conv2d %2, %g {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x3x3xf32>, !job.blob<4x4x1x1xf32>
  %4 = job.conv2d %3, %g {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x3x3xf32>, !job.blob<4x4x1x1xf32>
  job.return %4 : !job.blob<2x4x3x3xf32>
}

// Rows of micro-steps, and their sum of gradients.
// CHECK: job.variable @shared : !job.blob<2x36xf32> init {{.*}} {expanded_shape = array<i64: 2, 4, 3, 3>, permutation = array<i64: 0, 2, 3, 1>}
// CHECK-LABEL: job.func @micro_steps(
// CHECK:       job.conv2d %{{.*}} layout = #job<layout nhwc>
// CHECK-NOT:   job.transpose
job.variable @shared : !job.blob<2x36xf32> init #job.random_normal_init<mean = 0.0, stddev = 1.0>
job.func @micro_steps(%x: !job.blob<4x4x3x3xf32>, %f: !job.blob<4x4x1x1xf32>) -> !job.blob<4x2xf32> kind train {
  %part = job.unpack %x {count = 2 : i64} : !job.blob<4x4x3x3xf32>
  %filter = job.broadcast_micro_steps %f {count = 2 : i64} : !job.blob<4x4x1x1xf32>
  %0 = job.conv2d %part, %filter {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x3x3xf32>, !job.blob<4x4x1x1xf32>
  %1 = job.conv2d %0, %filter {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x3x3xf32>, !job.blob<4x4x1x1xf32>
  %2 = job.conv2d %1, %filter {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x3x3xf32>, !job.blob<4x4x1x1xf32>
  %3 = job.reshape %2 : !job.blob<2x4x3x3xf32> to !job.blob<2x36xf32>
  %w = job.read @shared : !job.blob<2x36xf32>
  %own = job.broadcast_micro_steps %w {count = 2 : i64} : !job.blob<2x36xf32>
  %4 = job.matmul %3, %own {transpose_rhs = true} : !job.blob<2x36xf32>, !job.blob<2x36xf32>
  %5 = job.matmul %4, %3 {transpose_lhs = true} : !job.blob<2x2xf32>, !job.blob<2x36xf32>
  %sum = job.acc %5 {count = 2 : i64} : !job.blob<2x36xf32>
  %new = job.sub %w, %sum : !job.blob<2x36xf32>
  job.assign @shared, %new : !job.blob<2x36xf32>
  %6 = job.pack %4 {count = 2 : i64} : !job.blob<2x2xf32>
  job.return %6 : !job.blob<4x2xf32>
}
