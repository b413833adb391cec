// RUN: job-opt %s --job-autodiff --canonicalize | FileCheck %s
// RUN: job-opt %s --job-autodiff --job-build-initializer --job-check-gradients

// The loss is %g times the result, so the argument %g, %arg0 when printed, is
// the result's gradient.

job.variable @x : !job.blob<1x4x6x7xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @f : !job.blob<2x2x3x2xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @dy : !job.blob<1x2x3x7xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>

// CHECK-LABEL: job.func @conv2d(%arg0: !job.blob<1x2x3x7xf32>
// CHECK: %[[X:.*]] = job.read @x
// CHECK: %[[F:.*]] = job.read @f
// CHECK: %[[DX:.*]] = job.conv2d_data_grad %arg0, %[[F]] {dilations = array<i64: 1, 2>, groups = 2 : i64, padding = array<i64: 1, 0, 1, 2>, strides = array<i64: 2, 1>} : <1x2x3x7xf32>, <2x2x3x2xf32> -> <1x4x6x7xf32>
// CHECK: %[[DF:.*]] = job.conv2d_filter_grad %arg0, %[[X]] {dilations = array<i64: 1, 2>, groups = 2 : i64, padding = array<i64: 1, 0, 1, 2>, strides = array<i64: 2, 1>} : <1x2x3x7xf32>, <1x4x6x7xf32> -> <2x2x3x2xf32>
// CHECK: job.update @x, %[[DX]]
// CHECK: job.update @f, %[[DF]]
job.func @conv2d(%g: !job.blob<1x2x3x7xf32>) kind train {
  %x = job.read @x : !job.blob<1x4x6x7xf32>
  %f = job.read @f : !job.blob<2x2x3x2xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 2, 1>, padding = array<i64: 1, 0, 1, 2>, dilations = array<i64: 1, 2>, groups = 2 : i64} : !job.blob<1x4x6x7xf32>, !job.blob<2x2x3x2xf32>
  %loss = job.mul %y, %g : !job.blob<1x2x3x7xf32>
  job.loss %loss : !job.blob<1x2x3x7xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// A first layer: the gradient of the images has no use.
// CHECK-LABEL: job.func @first_layer(%arg0: !job.blob<1x2x3x7xf32>
// CHECK-NOT: job.conv2d_data_grad
// CHECK: %[[DF:.*]] = job.conv2d_filter_grad %arg0, %arg1
// CHECK: job.update @f, %[[DF]]
job.func @first_layer(%g: !job.blob<1x2x3x7xf32>, %x: !job.blob<1x4x6x7xf32>) kind train {
  %f = job.read @f : !job.blob<2x2x3x2xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 2, 1>, padding = array<i64: 1, 0, 1, 2>, dilations = array<i64: 1, 2>, groups = 2 : i64} : !job.blob<1x4x6x7xf32>, !job.blob<2x2x3x2xf32>
  %loss = job.mul %y, %g : !job.blob<1x2x3x7xf32>
  job.loss %loss : !job.blob<1x2x3x7xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// The gradients of a convolution are linear in each operand, as itself is.
// CHECK-LABEL: job.func @data_grad(%arg0: !job.blob<1x4x6x7xf32>
// CHECK: %[[DY:.*]] = job.read @dy
// CHECK: %[[F:.*]] = job.read @f
// CHECK: %[[DDY:.*]] = job.conv2d %arg0, %[[F]] {dilations = array<i64: 1, 2>, groups = 2 : i64, padding = array<i64: 1, 0, 1, 2>, strides = array<i64: 2, 1>} : <1x4x6x7xf32>, <2x2x3x2xf32>
// CHECK: %[[DF:.*]] = job.conv2d_filter_grad %[[DY]], %arg0 {dilations = array<i64: 1, 2>, groups = 2 : i64, padding = array<i64: 1, 0, 1, 2>, strides = array<i64: 2, 1>} : <1x2x3x7xf32>, <1x4x6x7xf32> -> <2x2x3x2xf32>
// CHECK: job.update @dy, %[[DDY]]
// CHECK: job.update @f, %[[DF]]
job.func @data_grad(%g: !job.blob<1x4x6x7xf32>) kind train {
  %dy = job.read @dy : !job.blob<1x2x3x7xf32>
  %f = job.read @f : !job.blob<2x2x3x2xf32>
  %dx = job.conv2d_data_grad %dy, %f {dilations = array<i64: 1, 2>, groups = 2 : i64, padding = array<i64: 1, 0, 1, 2>, strides = array<i64: 2, 1>} : !job.blob<1x2x3x7xf32>, !job.blob<2x2x3x2xf32> -> !job.blob<1x4x6x7xf32>
  %loss = job.mul %dx, %g : !job.blob<1x4x6x7xf32>
  job.loss %loss : !job.blob<1x4x6x7xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @filter_grad(%arg0: !job.blob<2x2x3x2xf32>
// CHECK: %[[DY:.*]] = job.read @dy
// CHECK: %[[X:.*]] = job.read @x
// CHECK: %[[DDY:.*]] = job.conv2d %[[X]], %arg0 {dilations = array<i64: 1, 2>, groups = 2 : i64, padding = array<i64: 1, 0, 1, 2>, strides = array<i64: 2, 1>} : <1x4x6x7xf32>, <2x2x3x2xf32>
// CHECK: %[[DX:.*]] = job.conv2d_data_grad %[[DY]], %arg0 {dilations = array<i64: 1, 2>, groups = 2 : i64, padding = array<i64: 1, 0, 1, 2>, strides = array<i64: 2, 1>} : <1x2x3x7xf32>, <2x2x3x2xf32> -> <1x4x6x7xf32>
// CHECK: job.update @dy, %[[DDY]]
// CHECK: job.update @x, %[[DX]]
job.func @filter_grad(%g: !job.blob<2x2x3x2xf32>) kind train {
  %dy = job.read @dy : !job.blob<1x2x3x7xf32>
  %x = job.read @x : !job.blob<1x4x6x7xf32>
  %df = job.conv2d_filter_grad %dy, %x {dilations = array<i64: 1, 2>, groups = 2 : i64, padding = array<i64: 1, 0, 1, 2>, strides = array<i64: 2, 1>} : !job.blob<1x2x3x7xf32>, !job.blob<1x4x6x7xf32> -> !job.blob<2x2x3x2xf32>
  %loss = job.mul %df, %g : !job.blob<2x2x3x2xf32>
  job.loss %loss : !job.blob<2x2x3x2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}
