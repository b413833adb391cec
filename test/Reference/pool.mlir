// RUN: job-opt %s --job-interpret -o /dev/null --verify-diagnostics

// The expected values are numpy's.

// expected-remark@+4 {{max = [[[[3, 3.5]], [[1.5, 3]]]]}}
// expected-remark@+3 {{dmax = [[[[0, 0, 0, 0], [0, 1, 0, 2]], [[0, 0, 0, 0], [0, 3, 4, 0]]]]}}
// expected-remark@+2 {{avg = [[[[1.25, 0.375]], [[-0.875, 2]]]]}}
// expected-remark@+1 {{davg = [[[[0.25, 0.25, 0.5, 0.5], [0.25, 0.25, 0.5, 0.5]], [[0.75, 0.75, 1, 1], [0.75, 0.75, 1, 1]]]]}}
job.func @pool_halves() -> (!job.blob<1x2x1x2xf32> {job.name = "max"}, !job.blob<1x2x2x4xf32> {job.name = "dmax"}, !job.blob<1x2x1x2xf32> {job.name = "avg"}, !job.blob<1x2x2x4xf32> {job.name = "davg"}) kind predict {
  %x = job.constant dense<[[[[-0.0, 2.5, 0.0, -2.5], [-0.5, 3.0, 0.5, 3.5]], [[-4.0, -1.5, 2.0, 1.5], [0.5, 1.5, 3.0, 1.5]]]]> : tensor<1x2x2x4xf32>
  %dy = job.constant dense<[[[[1.0, 2.0]], [[3.0, 4.0]]]]> : tensor<1x2x1x2xf32>
  %max = job.max_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x2x4xf32>
  %dmax = job.max_pool2d_grad %dy, %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x1x2xf32>, !job.blob<1x2x2x4xf32>
  %avg = job.avg_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x2x4xf32>
  %davg = job.avg_pool2d_grad %dy {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x1x2xf32> -> !job.blob<1x2x2x4xf32>
  job.return %max, %dmax, %avg, %davg : !job.blob<1x2x1x2xf32>, !job.blob<1x2x2x4xf32>, !job.blob<1x2x1x2xf32>, !job.blob<1x2x2x4xf32>
}

// expected-remark@+4 {{max = [[[[1.5, 1.5, 2.5, 2.5], [1.5, 1.5, 3, 3]]]]}}
// expected-remark@+3 {{dmax = [[[[0, 0, 0, 0], [14, 0, 7, 0], [0, 0, 15, 0]]]]}}
// expected-remark@+2 {{avg = [[[[1, 0.875, 1.375, 0.625], [-1.25, -0.25, 1.75, 1.625]]]]}}
// expected-remark@+1 {{davg = [[[[1, 1.25, 1.75, 1], [5, 4.5, 5.5, 3], [4, 3.25, 3.75, 2]]]]}}
job.func @pool_padded() -> (!job.blob<1x1x2x4xf32> {job.name = "max"}, !job.blob<1x1x3x4xf32> {job.name = "dmax"}, !job.blob<1x1x2x4xf32> {job.name = "avg"}, !job.blob<1x1x3x4xf32> {job.name = "davg"}) kind predict {
  %x = job.constant dense<[[[[0.5, 0.5, 1.5, -1.5], [1.5, 1.0, 2.5, -0.0], [-4.0, 0.5, 3.0, 1.0]]]]> : tensor<1x1x3x4xf32>
  %dy = job.constant dense<[[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]]]> : tensor<1x1x2x4xf32>
  %max = job.max_pool2d %x {ksize = array<i64: 3, 2>, strides = array<i64: 2, 1>, padding = array<i64: 1, 1, 2, 0>} : !job.blob<1x1x3x4xf32>
  %dmax = job.max_pool2d_grad %dy, %x {ksize = array<i64: 3, 2>, strides = array<i64: 2, 1>, padding = array<i64: 1, 1, 2, 0>} : !job.blob<1x1x2x4xf32>, !job.blob<1x1x3x4xf32>
  %avg = job.avg_pool2d %x {ksize = array<i64: 3, 2>, strides = array<i64: 2, 1>, padding = array<i64: 1, 1, 2, 0>} : !job.blob<1x1x3x4xf32>
  %davg = job.avg_pool2d_grad %dy {ksize = array<i64: 3, 2>, strides = array<i64: 2, 1>, padding = array<i64: 1, 1, 2, 0>} : !job.blob<1x1x2x4xf32> -> !job.blob<1x1x3x4xf32>
  job.return %max, %dmax, %avg, %davg : !job.blob<1x1x2x4xf32>, !job.blob<1x1x3x4xf32>, !job.blob<1x1x2x4xf32>, !job.blob<1x1x3x4xf32>
}

// expected-remark@+4 {{max = [[[[3, 3.5], [3, 3.5]]]]}}
// expected-remark@+3 {{dmax = [[[[0, 0, 0, 0], [0, 4, 0, 6], [0, 0, 0, 0], [0, 0, 0, 0]]]]}}
// expected-remark@+2 {{avg = [[[[-0.1666667, 0.9444444], [-0.2222222, 0.7222222]]]]}}
// expected-remark@+1 {{davg = [[[[0.1111111, 0.3333333, 0.3333333, 0.2222222], [0.4444444, 1.111111, 1.111111, 0.6666667], [0.4444444, 1.111111, 1.111111, 0.6666667], [0.3333333, 0.7777778, 0.7777778, 0.4444444]]]]}}
job.func @pool_overlapping() -> (!job.blob<1x1x2x2xf32> {job.name = "max"}, !job.blob<1x1x4x4xf32> {job.name = "dmax"}, !job.blob<1x1x2x2xf32> {job.name = "avg"}, !job.blob<1x1x4x4xf32> {job.name = "davg"}) kind predict {
  %x = job.constant dense<[[[[1.0, -1.0, -1.0, 2.0], [-3.5, 3.0, 3.0, 3.5], [-3.0, -3.0, 3.0, -1.0], [-2.0, -1.0, 1.5, -2.5]]]]> : tensor<1x1x4x4xf32>
  %dy = job.constant dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32>
  %max = job.max_pool2d %x {ksize = array<i64: 3, 3>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x1x4x4xf32>
  %dmax = job.max_pool2d_grad %dy, %x {ksize = array<i64: 3, 3>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x1x2x2xf32>, !job.blob<1x1x4x4xf32>
  %avg = job.avg_pool2d %x {ksize = array<i64: 3, 3>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x1x4x4xf32>
  %davg = job.avg_pool2d_grad %dy {ksize = array<i64: 3, 3>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x1x2x2xf32> -> !job.blob<1x1x4x4xf32>
  job.return %max, %dmax, %avg, %davg : !job.blob<1x1x2x2xf32>, !job.blob<1x1x4x4xf32>, !job.blob<1x1x2x2xf32>, !job.blob<1x1x4x4xf32>
}

// A tie goes to the first, a NaN wins.
// expected-remark@+4 {{max = [[[[2, 2], [nan, nan]]]]}}
// expected-remark@+3 {{dmax = [[[[0, 0, 0], [0, 3, 0], [3, 0, 4]]]]}}
// expected-remark@+2 {{avg = [[[[1.25, 1.5], [nan, nan]]]]}}
// expected-remark@+1 {{davg = [[[[0.25, 0.75, 0.5], [1, 2.5, 1.5], [0.75, 1.75, 1]]]]}}
job.func @pool_ties_and_nan() -> (!job.blob<1x1x2x2xf32> {job.name = "max"}, !job.blob<1x1x3x3xf32> {job.name = "dmax"}, !job.blob<1x1x2x2xf32> {job.name = "avg"}, !job.blob<1x1x3x3xf32> {job.name = "davg"}) kind predict {
  %x = job.constant dense<[[[[1.0, 1.0, 1.0], [1.0, 2.0, 2.0], [0x7FC00000, 2.0, 0x7FC00000]]]]> : tensor<1x1x3x3xf32>
  %dy = job.constant dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32>
  %max = job.max_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x1x3x3xf32>
  %dmax = job.max_pool2d_grad %dy, %x {ksize = array<i64: 2, 2>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x1x2x2xf32>, !job.blob<1x1x3x3xf32>
  %avg = job.avg_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x1x3x3xf32>
  %davg = job.avg_pool2d_grad %dy {ksize = array<i64: 2, 2>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x1x2x2xf32> -> !job.blob<1x1x3x3xf32>
  job.return %max, %dmax, %avg, %davg : !job.blob<1x1x2x2xf32>, !job.blob<1x1x3x3xf32>, !job.blob<1x1x2x2xf32>, !job.blob<1x1x3x3xf32>
}

// The same with the channels last.
// expected-remark@+4 {{max = [[[[1.5, 1.5, 2.5, 2.5], [1.5, 1.5, 3, 3]]]]}}
// expected-remark@+3 {{dmax = [[[[0, 0, 0, 0], [14, 0, 7, 0], [0, 0, 15, 0]]]]}}
// expected-remark@+2 {{avg = [[[[1, 0.875, 1.375, 0.625], [-1.25, -0.25, 1.75, 1.625]]]]}}
// expected-remark@+1 {{davg = [[[[1, 1.25, 1.75, 1], [5, 4.5, 5.5, 3], [4, 3.25, 3.75, 2]]]]}}
job.func @pool_nhwc() -> (!job.blob<1x1x2x4xf32> {job.name = "max"}, !job.blob<1x1x3x4xf32> {job.name = "dmax"}, !job.blob<1x1x2x4xf32> {job.name = "avg"}, !job.blob<1x1x3x4xf32> {job.name = "davg"}) kind predict {
  %x_nchw = job.constant dense<[[[[0.5, 0.5, 1.5, -1.5], [1.5, 1.0, 2.5, -0.0], [-4.0, 0.5, 3.0, 1.0]]]]> : tensor<1x1x3x4xf32>
  %x = job.transpose %x_nchw {permutation = array<i64: 0, 2, 3, 1>} : !job.blob<1x1x3x4xf32>
  %dy_nchw = job.constant dense<[[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]]]> : tensor<1x1x2x4xf32>
  %dy = job.transpose %dy_nchw {permutation = array<i64: 0, 2, 3, 1>} : !job.blob<1x1x2x4xf32>
  %max_nhwc = job.max_pool2d %x {ksize = array<i64: 3, 2>, strides = array<i64: 2, 1>, padding = array<i64: 1, 1, 2, 0>, layout = #job<layout nhwc>} : !job.blob<1x3x4x1xf32>
  %dmax_nhwc = job.max_pool2d_grad %dy, %x {ksize = array<i64: 3, 2>, strides = array<i64: 2, 1>, padding = array<i64: 1, 1, 2, 0>, layout = #job<layout nhwc>} : !job.blob<1x2x4x1xf32>, !job.blob<1x3x4x1xf32>
  %avg_nhwc = job.avg_pool2d %x {ksize = array<i64: 3, 2>, strides = array<i64: 2, 1>, padding = array<i64: 1, 1, 2, 0>, layout = #job<layout nhwc>} : !job.blob<1x3x4x1xf32>
  %davg_nhwc = job.avg_pool2d_grad %dy {ksize = array<i64: 3, 2>, strides = array<i64: 2, 1>, padding = array<i64: 1, 1, 2, 0>, layout = #job<layout nhwc>} : !job.blob<1x2x4x1xf32> -> !job.blob<1x3x4x1xf32>
  %max = job.transpose %max_nhwc {permutation = array<i64: 0, 3, 1, 2>} : !job.blob<1x2x4x1xf32>
  %dmax = job.transpose %dmax_nhwc {permutation = array<i64: 0, 3, 1, 2>} : !job.blob<1x3x4x1xf32>
  %avg = job.transpose %avg_nhwc {permutation = array<i64: 0, 3, 1, 2>} : !job.blob<1x2x4x1xf32>
  %davg = job.transpose %davg_nhwc {permutation = array<i64: 0, 3, 1, 2>} : !job.blob<1x3x4x1xf32>
  job.return %max, %dmax, %avg, %davg : !job.blob<1x1x2x4xf32>, !job.blob<1x1x3x4xf32>, !job.blob<1x1x2x4xf32>, !job.blob<1x1x3x4xf32>
}

// The same with the channels last.
// expected-remark@+4 {{max = [[[[3, 3.5]], [[1.5, 3]]]]}}
// expected-remark@+3 {{dmax = [[[[0, 0, 0, 0], [0, 1, 0, 2]], [[0, 0, 0, 0], [0, 3, 4, 0]]]]}}
// expected-remark@+2 {{avg = [[[[1.25, 0.375]], [[-0.875, 2]]]]}}
// expected-remark@+1 {{davg = [[[[0.25, 0.25, 0.5, 0.5], [0.25, 0.25, 0.5, 0.5]], [[0.75, 0.75, 1, 1], [0.75, 0.75, 1, 1]]]]}}
job.func @pool_halves_nhwc() -> (!job.blob<1x2x1x2xf32> {job.name = "max"}, !job.blob<1x2x2x4xf32> {job.name = "dmax"}, !job.blob<1x2x1x2xf32> {job.name = "avg"}, !job.blob<1x2x2x4xf32> {job.name = "davg"}) kind predict {
  %x_nchw = job.constant dense<[[[[-0.0, 2.5, 0.0, -2.5], [-0.5, 3.0, 0.5, 3.5]], [[-4.0, -1.5, 2.0, 1.5], [0.5, 1.5, 3.0, 1.5]]]]> : tensor<1x2x2x4xf32>
  %x = job.transpose %x_nchw {permutation = array<i64: 0, 2, 3, 1>} : !job.blob<1x2x2x4xf32>
  %dy_nchw = job.constant dense<[[[[1.0, 2.0]], [[3.0, 4.0]]]]> : tensor<1x2x1x2xf32>
  %dy = job.transpose %dy_nchw {permutation = array<i64: 0, 2, 3, 1>} : !job.blob<1x2x1x2xf32>
  %max_nhwc = job.max_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x2x4x2xf32>
  %dmax_nhwc = job.max_pool2d_grad %dy, %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x1x2x2xf32>, !job.blob<1x2x4x2xf32>
  %avg_nhwc = job.avg_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x2x4x2xf32>
  %davg_nhwc = job.avg_pool2d_grad %dy {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x1x2x2xf32> -> !job.blob<1x2x4x2xf32>
  %max = job.transpose %max_nhwc {permutation = array<i64: 0, 3, 1, 2>} : !job.blob<1x1x2x2xf32>
  %dmax = job.transpose %dmax_nhwc {permutation = array<i64: 0, 3, 1, 2>} : !job.blob<1x2x4x2xf32>
  %avg = job.transpose %avg_nhwc {permutation = array<i64: 0, 3, 1, 2>} : !job.blob<1x1x2x2xf32>
  %davg = job.transpose %davg_nhwc {permutation = array<i64: 0, 3, 1, 2>} : !job.blob<1x2x4x2xf32>
  job.return %max, %dmax, %avg, %davg : !job.blob<1x2x1x2xf32>, !job.blob<1x2x2x4xf32>, !job.blob<1x2x1x2xf32>, !job.blob<1x2x2x4xf32>
}

// The first of a tie, the first NaN; with `positive`, none at a NaN and at 0.
// expected-remark@+5 {{y = [[[[2, 2], [nan, nan]]]]}}
// expected-remark@+4 {{at = [[[[3, 2], [2, 3]]]]}}
// expected-remark@+3 {{positive = [[[[3, 2], [-1, -1]]]]}}
// expected-remark@+2 {{zero = [[[[1]]]]}}
// expected-remark@+1 {{positive_zero = [[[[-1]]]]}}
job.func @pool_argmax() -> (!job.blob<1x1x2x2xf32> {job.name = "y"}, !job.blob<1x1x2x2xi8> {job.name = "at"}, !job.blob<1x1x2x2xi8> {job.name = "positive"}, !job.blob<1x1x1x1xi8> {job.name = "zero"}, !job.blob<1x1x1x1xi8> {job.name = "positive_zero"}) kind predict {
  %x = job.constant dense<[[[[1.0, 1.0, 1.0], [1.0, 2.0, 2.0], [0x7FC00000, 2.0, 0x7FC00000]]]]> : tensor<1x1x3x3xf32>
  %y, %at = job.max_pool2d_argmax %x {ksize = array<i64: 2, 2>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x1x3x3xf32>
  %0, %positive = job.max_pool2d_argmax %x {ksize = array<i64: 2, 2>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, positive = true} : !job.blob<1x1x3x3xf32>
  %zeros = job.constant dense<[[[[-1.0, 0.0], [-2.0, 0.0]]]]> : tensor<1x1x2x2xf32>
  %1, %zero = job.max_pool2d_argmax %zeros {ksize = array<i64: 2, 2>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x1x2x2xf32>
  %2, %positive_zero = job.max_pool2d_argmax %zeros {ksize = array<i64: 2, 2>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, positive = true} : !job.blob<1x1x2x2xf32>
  job.return %y, %at, %positive, %zero, %positive_zero : !job.blob<1x1x2x2xf32>, !job.blob<1x1x2x2xi8>, !job.blob<1x1x2x2xi8>, !job.blob<1x1x1x1xi8>, !job.blob<1x1x1x1xi8>
}

// No cell, or one that is padding, gets nothing.
// expected-remark@+3 {{dx = [[[[0, 0, 0], [0, 3, 0], [3, 0, 4]]]]}}
// expected-remark@+2 {{none = [[[[0, 0, 0], [0, 0, 0], [0, 0, 4]]]]}}
// expected-remark@+1 {{padded = [[[[3, 2, 0], [0, 0, 4]]]]}}
job.func @pool_argmax_grad() -> (!job.blob<1x1x3x3xf32> {job.name = "dx"}, !job.blob<1x1x3x3xf32> {job.name = "none"}, !job.blob<1x1x2x3xf32> {job.name = "padded"}) kind predict {
  %dy = job.constant dense<[[[[1.0, 2.0], [3.0, 4.0]]]]> : tensor<1x1x2x2xf32>
  %0 = job.constant dense<[[[[3, 2], [2, 3]]]]> : tensor<1x1x2x2xi8>
  %dx = job.max_pool2d_argmax_grad %dy, %0 {ksize = array<i64: 2, 2>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x1x2x2xf32>, !job.blob<1x1x2x2xi8> -> !job.blob<1x1x3x3xf32>
  %1 = job.constant dense<[[[[-1, 4], [127, 3]]]]> : tensor<1x1x2x2xi8>
  %none = job.max_pool2d_argmax_grad %dy, %1 {ksize = array<i64: 2, 2>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x1x2x2xf32>, !job.blob<1x1x2x2xi8> -> !job.blob<1x1x3x3xf32>
  %2 = job.constant dense<[[[[0, 2], [0, 3]]]]> : tensor<1x1x2x2xi8>
  %padded = job.max_pool2d_argmax_grad %dy, %2 {ksize = array<i64: 2, 2>, strides = array<i64: 1, 1>, padding = array<i64: 1, 0, 0, 0>} : !job.blob<1x1x2x2xf32>, !job.blob<1x1x2x2xi8> -> !job.blob<1x1x2x3xf32>
  job.return %dx, %none, %padded : !job.blob<1x1x3x3xf32>, !job.blob<1x1x3x3xf32>, !job.blob<1x1x2x3xf32>
}
