// RUN: job-opt %s --pass-pipeline='builtin.module(plan-fuse-call-epilogues,plan-select-schedules,plan-assign-offsets,plan.program(plan-pack-memory),plan-verify-memory,plan-verify)' | FileCheck %s

// A convolution of cuDNN computes a bias, and a relu after it. The bias has a
// number for each channel, in both layouts.

plan.device @gpu0 kind(cuda) queues(1)

#arena = #plan.space<arena>
#variables = #plan.space<variables>

#image = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#second = affine_map<(d0, d1, d2, d3) -> (d1)>
#third = affine_map<(d0, d1, d2, d3) -> (d2)>
#last = affine_map<(d0, d1, d2, d3) -> (d3)>

plan.variable @x : memref<2x3x4x4xf32, #variables>
plan.variable @x_last : memref<2x4x4x3xf32, #variables>
plan.variable @w : memref<4x3x1x1xf32, #variables>
plan.variable @w_last : memref<4x1x1x3xf32, #variables>
plan.variable @b : memref<4xf32, #variables>
plan.variable @y : memref<2x4x4x4xf32, #variables>

// CHECK-NOT: plan.executable @bias_relu
plan.executable @bias_relu {
  func.func @body(%b: tensor<4xf32>, %x: tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32> {
    %0 = linalg.generic {indexing_maps = [#image, #second, #image], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %b : tensor<2x4x4x4xf32>, tensor<4xf32>) outs(%x : tensor<2x4x4x4xf32>) {
    ^bb0(%p: f32, %q: f32, %r: f32):
      %1 = arith.addf %p, %q : f32
      %zero = arith.constant 0.0 : f32
      %2 = arith.cmpf olt, %1, %zero : f32
      %3 = arith.select %2, %zero, %1 : f32
      linalg.yield %3 : f32
    } -> tensor<2x4x4x4xf32>
    return %0 : tensor<2x4x4x4xf32>
  }
}

// CHECK: plan.executable @bias_of_rows
plan.executable @bias_of_rows {
  func.func @body(%b: tensor<4xf32>, %x: tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32> {
    %0 = linalg.generic {indexing_maps = [#image, #third, #image], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %b : tensor<2x4x4x4xf32>, tensor<4xf32>) outs(%x : tensor<2x4x4x4xf32>) {
    ^bb0(%p: f32, %q: f32, %r: f32):
      %1 = arith.addf %p, %q : f32
      linalg.yield %1 : f32
    } -> tensor<2x4x4x4xf32>
    return %0 : tensor<2x4x4x4xf32>
  }
}

// CHECK: plan.executable @bias_of_last
plan.executable @bias_of_last {
  func.func @body(%b: tensor<4xf32>, %x: tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32> {
    %0 = linalg.generic {indexing_maps = [#image, #last, #image], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %b : tensor<2x4x4x4xf32>, tensor<4xf32>) outs(%x : tensor<2x4x4x4xf32>) {
    ^bb0(%p: f32, %q: f32, %r: f32):
      %1 = arith.addf %p, %q : f32
      linalg.yield %1 : f32
    } -> tensor<2x4x4x4xf32>
    return %0 : tensor<2x4x4x4xf32>
  }
}

// CHECK: plan.executable @relu
plan.executable @relu {
  func.func @body(%x: tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32> {
    %0 = linalg.generic {indexing_maps = [#image, #image], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x4x4x4xf32>) outs(%x : tensor<2x4x4x4xf32>) {
    ^bb0(%p: f32, %r: f32):
      %zero = arith.constant 0.0 : f32
      %1 = arith.cmpf olt, %p, %zero : f32
      %2 = arith.select %1, %zero, %p : f32
      linalg.yield %2 : f32
    } -> tensor<2x4x4x4xf32>
    return %0 : tensor<2x4x4x4xf32>
  }
}

// CHECK-LABEL: plan.program @planes
// CHECK: plan.call #plan.cudnn.conv2d<n = 2, c = 3, h = 4, w = 4, oc = 4, kh = 1, kw = 1, oh = 4, ow = 4, epilogue = bias_relu> ins(%{{.*}}, %{{.*}}, %{{.*}} : memref<2x3x4x4xf32, #variables>, memref<4x3x1x1xf32, #variables>, memref<4xf32, #variables>) outs(
// CHECK-NOT: plan.dispatch
// A number for each row, or for each column, is no bias of a channel.
// CHECK: plan.call #plan.cudnn.conv2d<n = 2, c = 3, h = 4, w = 4, oc = 4, kh = 1, kw = 1, oh = 4, ow = 4> ins(
// CHECK-NEXT: plan.dispatch @bias_of_rows
// CHECK-NEXT: plan.call #plan.cudnn.conv2d<n = 2, c = 3, h = 4, w = 4, oc = 4, kh = 1, kw = 1, oh = 4, ow = 4> ins(
// CHECK-NEXT: plan.dispatch @bias_of_last
plan.program @planes kind predict {
  %x = plan.get_variable @x : memref<2x3x4x4xf32, #variables>
  %w = plan.get_variable @w : memref<4x3x1x1xf32, #variables>
  %b = plan.get_variable @b : memref<4xf32, #variables>
  %y = plan.get_variable @y : memref<2x4x4x4xf32, #variables>
  plan.call #plan.cudnn.conv2d<n = 2, c = 3, h = 4, w = 4, oc = 4, kh = 1, kw = 1, oh = 4, ow = 4> ins(%x, %w : memref<2x3x4x4xf32, #variables>, memref<4x3x1x1xf32, #variables>) outs(%y : memref<2x4x4x4xf32, #variables>)
  plan.dispatch @bias_relu ins(%b : memref<4xf32, #variables>) inouts(%y : memref<2x4x4x4xf32, #variables>)
  plan.call #plan.cudnn.conv2d<n = 2, c = 3, h = 4, w = 4, oc = 4, kh = 1, kw = 1, oh = 4, ow = 4> ins(%x, %w : memref<2x3x4x4xf32, #variables>, memref<4x3x1x1xf32, #variables>) outs(%y : memref<2x4x4x4xf32, #variables>)
  plan.dispatch @bias_of_rows ins(%b : memref<4xf32, #variables>) inouts(%y : memref<2x4x4x4xf32, #variables>)
  plan.call #plan.cudnn.conv2d<n = 2, c = 3, h = 4, w = 4, oc = 4, kh = 1, kw = 1, oh = 4, ow = 4> ins(%x, %w : memref<2x3x4x4xf32, #variables>, memref<4x3x1x1xf32, #variables>) outs(%y : memref<2x4x4x4xf32, #variables>)
  plan.dispatch @bias_of_last ins(%b : memref<4xf32, #variables>) inouts(%y : memref<2x4x4x4xf32, #variables>)
  plan.return
}

// The library has no engine for a relu alone that is not compiled at load.
// CHECK-LABEL: plan.program @channels_last
// CHECK: plan.call #plan.cudnn.conv2d<n = 2, c = 3, h = 4, w = 4, oc = 4, kh = 1, kw = 1, oh = 4, ow = 4, layout = nhwc, tf32 = 1, epilogue = bias> ins(
// CHECK-NEXT: plan.call #plan.cudnn.conv2d<n = 2, c = 3, h = 4, w = 4, oc = 4, kh = 1, kw = 1, oh = 4, ow = 4, layout = nhwc> ins(
// CHECK-NEXT: plan.dispatch @relu
plan.program @channels_last kind predict {
  %x = plan.get_variable @x_last : memref<2x4x4x3xf32, #variables>
  %w = plan.get_variable @w_last : memref<4x1x1x3xf32, #variables>
  %b = plan.get_variable @b : memref<4xf32, #variables>
  %y = plan.get_variable @y : memref<2x4x4x4xf32, #variables>
  plan.call #plan.cudnn.conv2d<n = 2, c = 3, h = 4, w = 4, oc = 4, kh = 1, kw = 1, oh = 4, ow = 4, layout = nhwc, tf32 = 1> ins(%x, %w : memref<2x4x4x3xf32, #variables>, memref<4x1x1x3xf32, #variables>) outs(%y : memref<2x4x4x4xf32, #variables>)
  plan.dispatch @bias_of_last ins(%b : memref<4xf32, #variables>) inouts(%y : memref<2x4x4x4xf32, #variables>)
  plan.call #plan.cudnn.conv2d<n = 2, c = 3, h = 4, w = 4, oc = 4, kh = 1, kw = 1, oh = 4, ow = 4, layout = nhwc> ins(%x, %w : memref<2x4x4x3xf32, #variables>, memref<4x1x1x3xf32, #variables>) outs(%y : memref<2x4x4x4xf32, #variables>)
  plan.dispatch @relu inouts(%y : memref<2x4x4x4xf32, #variables>)
  plan.return
}
