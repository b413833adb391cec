// RUN: job-opt %s --job-interpret -o /dev/null --verify-diagnostics

// The expected values are those of numpy on padded arrays; the gradients are the
// transposes of the linear functions of input and filter.

// expected-remark@+3 {{y = [[[[-4.75, -16, -9], [-4, -6.25, 6.25]], [[6.25, -6.25, -13.5], [-4.5, 2.25, -18.5]]]]}}
// expected-remark@+2 {{dx = [[[[1.5, -11.75, -2.5, -15.25], [7.75, 9.75, -0.25, -11.25], [-4.75, 12, 0, -0.5]], [[13.5, -25, 14, 1.5], [3.25, 2.25, -9.5, -4], [4.75, 8.25, -3.5, -1.5]]]]}}
// expected-remark@+1 {{df = [[[[10.75, 1.75], [-3.25, -13.5]], [[0.25, -16], [-1, 0.5]]], [[[-1.5, 31.5], [10.5, -28.75]], [[18, -11.25], [-27, 29.75]]]]}}
job.func @conv2d_plain() -> (!job.blob<1x2x2x3xf32> {job.name = "y"}, !job.blob<1x2x3x4xf32> {job.name = "dx"}, !job.blob<2x2x2x2xf32> {job.name = "df"}) kind predict {
  %x = job.constant dense<[[[[1.5, -1.5, -4.0, 4.0], [-1.5, -1.5, 3.0, 0.5], [-0.0, 2.0, -4.0, 1.5]], [[-1.0, -3.5, 1.5, 3.5], [-2.5, 1.0, -1.5, 2.0], [2.0, -2.5, 2.5, 1.5]]]]> : tensor<1x2x3x4xf32>
  %f = job.constant dense<[[[[1.5, 2.5], [-0.5, 2.0]], [[3.0, -3.0], [3.0, -1.0]]], [[[-0.0, -3.0], [1.5, -1.5]], [[3.0, -2.0], [0.5, -1.0]]]]> : tensor<2x2x2x2xf32>
  %dy = job.constant dense<[[[[1.0, -2.5, -2.5], [2.0, 2.0, 0.5]], [[3.5, -2.5, 3.0], [-2.5, 3.5, 1.0]]]]> : tensor<1x2x2x3xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<1x2x3x4xf32>, !job.blob<2x2x2x2xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<1x2x2x3xf32>, !job.blob<2x2x2x2xf32> -> !job.blob<1x2x3x4xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<1x2x2x3xf32>, !job.blob<1x2x3x4xf32> -> !job.blob<2x2x2x2xf32>
  job.return %y, %dx, %df : !job.blob<1x2x2x3xf32>, !job.blob<1x2x3x4xf32>, !job.blob<2x2x2x2xf32>
}

// expected-remark@+3 {{y = [[[[-3, -12, -10, -17.5, -6.25], [5.75, -9.5, 8.25, -5.75, 2.25]]], [[[0, -9, -10.5, -12, -8.75], [-5.75, 3.25, -8.25, -3, 1]]]]}}
// expected-remark@+2 {{dx = [[[[-5, 1, 4, 3], [3, -2.75, -0.5, -0.5], [-5, 10, -3.5, 3]]], [[[-8, 5.5, 3, 3], [3.5, 1, 4.75, 0.25], [1.75, -2.75, -15.5, -1.5]]]]}}
// expected-remark@+1 {{df = [[[[-8, 7, 10.5], [-14.25, 6.75, -18.75]]]]}}
job.func @conv2d_strided_padded() -> (!job.blob<2x1x2x5xf32> {job.name = "y"}, !job.blob<2x1x3x4xf32> {job.name = "dx"}, !job.blob<1x1x2x3xf32> {job.name = "df"}) kind predict {
  %x = job.constant dense<[[[[1.0, 4.0, 2.5, 2.5], [-3.5, -1.0, -3.5, -2.5], [-2.5, 3.0, -3.0, -1.5]]], [[[-0.0, 3.0, 3.5, 1.5], [-2.5, 0.5, 1.5, -3.5], [1.5, -1.0, 0.5, 1.5]]]]> : tensor<2x1x3x4xf32>
  %f = job.constant dense<[[[[1.5, 0.0, 0.5], [-2.5, -0.0, -3.0]]]]> : tensor<1x1x2x3xf32>
  %dy = job.constant dense<[[[[-0.0, 0.5, 2.0, -1.0, -4.0], [0.0, -2.5, 2.0, -1.0, -1.0]]], [[[3.5, -1.0, -1.0, -1.0, -0.0], [-3.5, 0.5, 3.5, 0.5, 2.0]]]]> : tensor<2x1x2x5xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 2, 1>, padding = array<i64: 1, 2, 0, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x1x3x4xf32>, !job.blob<1x1x2x3xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 2, 1>, padding = array<i64: 1, 2, 0, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x1x2x5xf32>, !job.blob<1x1x2x3xf32> -> !job.blob<2x1x3x4xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 2, 1>, padding = array<i64: 1, 2, 0, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x1x2x5xf32>, !job.blob<2x1x3x4xf32> -> !job.blob<1x1x2x3xf32>
  job.return %y, %dx, %df : !job.blob<2x1x2x5xf32>, !job.blob<2x1x3x4xf32>, !job.blob<1x1x2x3xf32>
}

// expected-remark@+3 {{y = [[[[1.75, 1], [6.5, -1.5], [0.75, -1.75]]]]}}
// expected-remark@+2 {{dx = [[[[0, 2, 5.25, 0, -3], [0, 2, -4.5, 0, -3], [0, 5, -11, 0, 2], [0, 3, 7.5, 0, 5]]]]}}
// expected-remark@+1 {{df = [[[[-7, 5.75], [-5, 13.25]]]]}}
job.func @conv2d_dilated() -> (!job.blob<1x1x3x2xf32> {job.name = "y"}, !job.blob<1x1x4x5xf32> {job.name = "dx"}, !job.blob<1x1x2x2xf32> {job.name = "df"}) kind predict {
  %x = job.constant dense<[[[[3.5, 2.5, 2.0, 2.5, 2.5], [-2.0, -0.0, -1.5, -2.0, 0.5], [-1.5, 1.0, 0.5, -3.0, -0.5], [-1.0, 1.5, -3.5, -2.5, 0.0]]]]> : tensor<1x1x4x5xf32>
  %f = job.constant dense<[[[[-1.0, 1.5], [-1.5, -2.5]]]]> : tensor<1x1x2x2xf32>
  %dy = job.constant dense<[[[[3.5, -2.0], [-3.0, -2.0], [-1.5, -2.0]]]]> : tensor<1x1x3x2xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 1, 2>, padding = array<i64: 0, 1, 1, 0>, dilations = array<i64: 2, 3>, groups = 1 : i64} : !job.blob<1x1x4x5xf32>, !job.blob<1x1x2x2xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 1, 2>, padding = array<i64: 0, 1, 1, 0>, dilations = array<i64: 2, 3>, groups = 1 : i64} : !job.blob<1x1x3x2xf32>, !job.blob<1x1x2x2xf32> -> !job.blob<1x1x4x5xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 2>, padding = array<i64: 0, 1, 1, 0>, dilations = array<i64: 2, 3>, groups = 1 : i64} : !job.blob<1x1x3x2xf32>, !job.blob<1x1x4x5xf32> -> !job.blob<1x1x2x2xf32>
  job.return %y, %dx, %df : !job.blob<1x1x3x2xf32>, !job.blob<1x1x4x5xf32>, !job.blob<1x1x2x2xf32>
}

// expected-remark@+3 {{y = [[[[19.75, -22.75]], [[-10.75, -8.25]]]]}}
// expected-remark@+2 {{dx = [[[[-6, 6], [-5.25, 5.25]], [[-0.75, 0.75], [4.5, -4.5]], [[2, -4], [-1.5, 3]], [[1, -2], [2, -4]]]]}}
// expected-remark@+1 {{df = [[[[-4.5], [-3.75]], [[-2.25], [10.5]]], [[[5.5], [4.5]], [[6.5], [-2.5]]]]}}
job.func @conv2d_groups() -> (!job.blob<1x2x1x2xf32> {job.name = "y"}, !job.blob<1x4x2x2xf32> {job.name = "dx"}, !job.blob<2x2x2x1xf32> {job.name = "df"}) kind predict {
  %x = job.constant dense<[[[[0.5, 3.5], [-3.0, -0.5]], [[1.5, 3.0], [4.0, -3.0]], [[0.5, 3.0], [-3.5, 0.5]], [[-2.5, 2.0], [3.5, 0.5]]]]> : tensor<1x4x2x2xf32>
  %f = job.constant dense<[[[[-4.0], [-3.5]], [[-0.5], [3.0]]], [[[-2.0], [1.5]], [[-1.0], [-2.0]]]]> : tensor<2x2x2x1xf32>
  %dy = job.constant dense<[[[[1.5, -1.5]], [[-1.0, 2.0]]]]> : tensor<1x2x1x2xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : !job.blob<1x4x2x2xf32>, !job.blob<2x2x2x1xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : !job.blob<1x2x1x2xf32>, !job.blob<2x2x2x1xf32> -> !job.blob<1x4x2x2xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : !job.blob<1x2x1x2xf32>, !job.blob<1x4x2x2xf32> -> !job.blob<2x2x2x1xf32>
  job.return %y, %dx, %df : !job.blob<1x2x1x2xf32>, !job.blob<1x4x2x2xf32>, !job.blob<2x2x2x1xf32>
}

// The same with the channels last.
// expected-remark@+3 {{y = [[[[-3, -12, -10, -17.5, -6.25], [5.75, -9.5, 8.25, -5.75, 2.25]]], [[[0, -9, -10.5, -12, -8.75], [-5.75, 3.25, -8.25, -3, 1]]]]}}
// expected-remark@+2 {{dx = [[[[-5, 1, 4, 3], [3, -2.75, -0.5, -0.5], [-5, 10, -3.5, 3]]], [[[-8, 5.5, 3, 3], [3.5, 1, 4.75, 0.25], [1.75, -2.75, -15.5, -1.5]]]]}}
// expected-remark@+1 {{df = [[[[-8, 7, 10.5], [-14.25, 6.75, -18.75]]]]}}
job.func @conv2d_nhwc() -> (!job.blob<2x1x2x5xf32> {job.name = "y"}, !job.blob<2x1x3x4xf32> {job.name = "dx"}, !job.blob<1x1x2x3xf32> {job.name = "df"}) kind predict {
  %x_nchw = job.constant dense<[[[[1.0, 4.0, 2.5, 2.5], [-3.5, -1.0, -3.5, -2.5], [-2.5, 3.0, -3.0, -1.5]]], [[[-0.0, 3.0, 3.5, 1.5], [-2.5, 0.5, 1.5, -3.5], [1.5, -1.0, 0.5, 1.5]]]]> : tensor<2x1x3x4xf32>
  %x = job.transpose %x_nchw {permutation = array<i64: 0, 2, 3, 1>} : !job.blob<2x1x3x4xf32>
  %f_nchw = job.constant dense<[[[[1.5, 0.0, 0.5], [-2.5, -0.0, -3.0]]]]> : tensor<1x1x2x3xf32>
  %f = job.transpose %f_nchw {permutation = array<i64: 0, 2, 3, 1>} : !job.blob<1x1x2x3xf32>
  %dy_nchw = job.constant dense<[[[[-0.0, 0.5, 2.0, -1.0, -4.0], [0.0, -2.5, 2.0, -1.0, -1.0]]], [[[3.5, -1.0, -1.0, -1.0, -0.0], [-3.5, 0.5, 3.5, 0.5, 2.0]]]]> : tensor<2x1x2x5xf32>
  %dy = job.transpose %dy_nchw {permutation = array<i64: 0, 2, 3, 1>} : !job.blob<2x1x2x5xf32>
  %y_nhwc = job.conv2d %x, %f {strides = array<i64: 2, 1>, padding = array<i64: 1, 2, 0, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<2x3x4x1xf32>, !job.blob<1x2x3x1xf32>
  %dx_nhwc = job.conv2d_data_grad %dy, %f {strides = array<i64: 2, 1>, padding = array<i64: 1, 2, 0, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<2x2x5x1xf32>, !job.blob<1x2x3x1xf32> -> !job.blob<2x3x4x1xf32>
  %df_nhwc = job.conv2d_filter_grad %dy, %x {strides = array<i64: 2, 1>, padding = array<i64: 1, 2, 0, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<2x2x5x1xf32>, !job.blob<2x3x4x1xf32> -> !job.blob<1x2x3x1xf32>
  %y = job.transpose %y_nhwc {permutation = array<i64: 0, 3, 1, 2>} : !job.blob<2x2x5x1xf32>
  %dx = job.transpose %dx_nhwc {permutation = array<i64: 0, 3, 1, 2>} : !job.blob<2x3x4x1xf32>
  %df = job.transpose %df_nhwc {permutation = array<i64: 0, 3, 1, 2>} : !job.blob<1x2x3x1xf32>
  job.return %y, %dx, %df : !job.blob<2x1x2x5xf32>, !job.blob<2x1x3x4xf32>, !job.blob<1x1x2x3xf32>
}

// The same with the channels last.
// expected-remark@+3 {{y = [[[[-4.75, -16, -9], [-4, -6.25, 6.25]], [[6.25, -6.25, -13.5], [-4.5, 2.25, -18.5]]]]}}
// expected-remark@+2 {{dx = [[[[1.5, -11.75, -2.5, -15.25], [7.75, 9.75, -0.25, -11.25], [-4.75, 12, 0, -0.5]], [[13.5, -25, 14, 1.5], [3.25, 2.25, -9.5, -4], [4.75, 8.25, -3.5, -1.5]]]]}}
// expected-remark@+1 {{df = [[[[10.75, 1.75], [-3.25, -13.5]], [[0.25, -16], [-1, 0.5]]], [[[-1.5, 31.5], [10.5, -28.75]], [[18, -11.25], [-27, 29.75]]]]}}
job.func @conv2d_plain_nhwc() -> (!job.blob<1x2x2x3xf32> {job.name = "y"}, !job.blob<1x2x3x4xf32> {job.name = "dx"}, !job.blob<2x2x2x2xf32> {job.name = "df"}) kind predict {
  %x_nchw = job.constant dense<[[[[1.5, -1.5, -4.0, 4.0], [-1.5, -1.5, 3.0, 0.5], [-0.0, 2.0, -4.0, 1.5]], [[-1.0, -3.5, 1.5, 3.5], [-2.5, 1.0, -1.5, 2.0], [2.0, -2.5, 2.5, 1.5]]]]> : tensor<1x2x3x4xf32>
  %x = job.transpose %x_nchw {permutation = array<i64: 0, 2, 3, 1>} : !job.blob<1x2x3x4xf32>
  %f_nchw = job.constant dense<[[[[1.5, 2.5], [-0.5, 2.0]], [[3.0, -3.0], [3.0, -1.0]]], [[[-0.0, -3.0], [1.5, -1.5]], [[3.0, -2.0], [0.5, -1.0]]]]> : tensor<2x2x2x2xf32>
  %f = job.transpose %f_nchw {permutation = array<i64: 0, 2, 3, 1>} : !job.blob<2x2x2x2xf32>
  %dy_nchw = job.constant dense<[[[[1.0, -2.5, -2.5], [2.0, 2.0, 0.5]], [[3.5, -2.5, 3.0], [-2.5, 3.5, 1.0]]]]> : tensor<1x2x2x3xf32>
  %dy = job.transpose %dy_nchw {permutation = array<i64: 0, 2, 3, 1>} : !job.blob<1x2x2x3xf32>
  %y_nhwc = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<1x3x4x2xf32>, !job.blob<2x2x2x2xf32>
  %dx_nhwc = job.conv2d_data_grad %dy, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<1x2x3x2xf32>, !job.blob<2x2x2x2xf32> -> !job.blob<1x3x4x2xf32>
  %df_nhwc = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<1x2x3x2xf32>, !job.blob<1x3x4x2xf32> -> !job.blob<2x2x2x2xf32>
  %y = job.transpose %y_nhwc {permutation = array<i64: 0, 3, 1, 2>} : !job.blob<1x2x3x2xf32>
  %dx = job.transpose %dx_nhwc {permutation = array<i64: 0, 3, 1, 2>} : !job.blob<1x3x4x2xf32>
  %df = job.transpose %df_nhwc {permutation = array<i64: 0, 3, 1, 2>} : !job.blob<2x2x2x2xf32>
  job.return %y, %dx, %df : !job.blob<1x2x2x3xf32>, !job.blob<1x2x3x4xf32>, !job.blob<2x2x2x2xf32>
}
