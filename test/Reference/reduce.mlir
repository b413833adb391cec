// RUN: job-opt %s --job-interpret -o /dev/null --verify-diagnostics

// The expected values are numpy's.

// expected-remark@+1 {{y = [[-0.5, 2], [0, -1], [0, 0]]}}
job.func @sum_0() -> (!job.blob<3x2xf32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[[-0.0, 1.5], [2.0, -4.0], [2.5, -0.5]], [[-0.5, 0.5], [-2.0, 3.0], [-2.5, 0.5]]]> : tensor<2x3x2xf32>
  %y = job.reduce_sum %x {axes = array<i64: 0>} : !job.blob<2x3x2xf32>
  job.return %y : !job.blob<3x2xf32>
}

// expected-remark@+1 {{y = [[[-0.5, 2], [0, -1], [0, 0]]]}}
job.func @sum_0_keepdims() -> (!job.blob<1x3x2xf32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[[-0.0, 1.5], [2.0, -4.0], [2.5, -0.5]], [[-0.5, 0.5], [-2.0, 3.0], [-2.5, 0.5]]]> : tensor<2x3x2xf32>
  %y = job.reduce_sum %x {axes = array<i64: 0>, keepdims = true} : !job.blob<2x3x2xf32>
  job.return %y : !job.blob<1x3x2xf32>
}

// expected-remark@+1 {{y = [[4.5, -3], [-5, 4]]}}
job.func @sum_1() -> (!job.blob<2x2xf32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[[-0.0, 1.5], [2.0, -4.0], [2.5, -0.5]], [[-0.5, 0.5], [-2.0, 3.0], [-2.5, 0.5]]]> : tensor<2x3x2xf32>
  %y = job.reduce_sum %x {axes = array<i64: 1>} : !job.blob<2x3x2xf32>
  job.return %y : !job.blob<2x2xf32>
}

// expected-remark@+1 {{y = [[[4.5, -3]], [[-5, 4]]]}}
job.func @sum_1_keepdims() -> (!job.blob<2x1x2xf32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[[-0.0, 1.5], [2.0, -4.0], [2.5, -0.5]], [[-0.5, 0.5], [-2.0, 3.0], [-2.5, 0.5]]]> : tensor<2x3x2xf32>
  %y = job.reduce_sum %x {axes = array<i64: 1>, keepdims = true} : !job.blob<2x3x2xf32>
  job.return %y : !job.blob<2x1x2xf32>
}

// expected-remark@+1 {{y = [1.5, -1, 0]}}
job.func @sum_0_2() -> (!job.blob<3xf32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[[-0.0, 1.5], [2.0, -4.0], [2.5, -0.5]], [[-0.5, 0.5], [-2.0, 3.0], [-2.5, 0.5]]]> : tensor<2x3x2xf32>
  %y = job.reduce_sum %x {axes = array<i64: 0, 2>} : !job.blob<2x3x2xf32>
  job.return %y : !job.blob<3xf32>
}

// expected-remark@+1 {{y = [[[1.5], [-1], [0]]]}}
job.func @sum_0_2_keepdims() -> (!job.blob<1x3x1xf32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[[-0.0, 1.5], [2.0, -4.0], [2.5, -0.5]], [[-0.5, 0.5], [-2.0, 3.0], [-2.5, 0.5]]]> : tensor<2x3x2xf32>
  %y = job.reduce_sum %x {axes = array<i64: 0, 2>, keepdims = true} : !job.blob<2x3x2xf32>
  job.return %y : !job.blob<1x3x1xf32>
}

// expected-remark@+1 {{y = [0.5]}}
job.func @sum_0_1_2() -> (!job.blob<1xf32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[[-0.0, 1.5], [2.0, -4.0], [2.5, -0.5]], [[-0.5, 0.5], [-2.0, 3.0], [-2.5, 0.5]]]> : tensor<2x3x2xf32>
  %y = job.reduce_sum %x {axes = array<i64: 0, 1, 2>} : !job.blob<2x3x2xf32>
  job.return %y : !job.blob<1xf32>
}

// expected-remark@+1 {{y = [[[0.5]]]}}
job.func @sum_0_1_2_keepdims() -> (!job.blob<1x1x1xf32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[[-0.0, 1.5], [2.0, -4.0], [2.5, -0.5]], [[-0.5, 0.5], [-2.0, 3.0], [-2.5, 0.5]]]> : tensor<2x3x2xf32>
  %y = job.reduce_sum %x {axes = array<i64: 0, 1, 2>, keepdims = true} : !job.blob<2x3x2xf32>
  job.return %y : !job.blob<1x1x1xf32>
}

// expected-remark@+1 {{y = [[[0, 1.5], [2, -4], [2.5, -0.5]], [[-0.5, 0.5], [-2, 3], [-2.5, 0.5]]]}}
job.func @sum_nothing() -> (!job.blob<2x3x2xf32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[[-0.0, 1.5], [2.0, -4.0], [2.5, -0.5]], [[-0.5, 0.5], [-2.0, 3.0], [-2.5, 0.5]]]> : tensor<2x3x2xf32>
  %y = job.reduce_sum %x {axes = array<i64>} : !job.blob<2x3x2xf32>
  job.return %y : !job.blob<2x3x2xf32>
}

// expected-remark@+1 {{y = [[[0, 1.5], [2, -4], [2.5, -0.5]], [[-0.5, 0.5], [-2, 3], [-2.5, 0.5]]]}}
job.func @sum_nothing_keepdims() -> (!job.blob<2x3x2xf32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[[-0.0, 1.5], [2.0, -4.0], [2.5, -0.5]], [[-0.5, 0.5], [-2.0, 3.0], [-2.5, 0.5]]]> : tensor<2x3x2xf32>
  %y = job.reduce_sum %x {axes = array<i64>, keepdims = true} : !job.blob<2x3x2xf32>
  job.return %y : !job.blob<2x3x2xf32>
}

// Overflow wraps.
// expected-remark@+1 {{y = [-2, -4]}}
job.func @sum_i8() -> (!job.blob<2xi8> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[127, 1], [127, -5]]> : tensor<2x2xi8>
  %y = job.reduce_sum %x {axes = array<i64: 0>} : !job.blob<2x2xi8>
  job.return %y : !job.blob<2xi8>
}

// expected-remark@+1 {{y = [-2, -4]}}
job.func @sum_i32() -> (!job.blob<2xi32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[2147483647, 1], [2147483647, -5]]> : tensor<2x2xi32>
  %y = job.reduce_sum %x {axes = array<i64: 0>} : !job.blob<2x2xi32>
  job.return %y : !job.blob<2xi32>
}

// expected-remark@+1 {{y = [-2, -4]}}
job.func @sum_i64() -> (!job.blob<2xi64> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[9223372036854775807, 1], [9223372036854775807, -5]]> : tensor<2x2xi64>
  %y = job.reduce_sum %x {axes = array<i64: 0>} : !job.blob<2x2xi64>
  job.return %y : !job.blob<2xi64>
}
