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

// expected-remark@+5 {{y0 = [[0.25, 0.75], [-4, -12], [-6.25, -0.25]]}}
// expected-remark@+4 {{y1 = [[-2.5, 3], [-2.5, 0.75]]}}
// expected-remark@+3 {{y02 = [0.1875, 48, 1.5625]}}
// expected-remark@+2 {{y012 = [14.0625]}}
// expected-remark@+1 {{kept = [[[-2.5, 3]], [[-2.5, 0.75]]]}}
job.func @prod() -> (!job.blob<3x2xf64> {job.name = "y0"}, !job.blob<2x2xf64> {job.name = "y1"}, !job.blob<3xf64> {job.name = "y02"}, !job.blob<1xf64> {job.name = "y012"}, !job.blob<2x1x2xf64> {job.name = "kept"}) kind predict {
  %x = job.constant dense<[[[-0.5, 1.5], [2.0, -4.0], [2.5, -0.5]], [[-0.5, 0.5], [-2.0, 3.0], [-2.5, 0.5]]]> : tensor<2x3x2xf64>
  %y0 = job.reduce_prod %x {axes = array<i64: 0>} : !job.blob<2x3x2xf64>
  %y1 = job.reduce_prod %x {axes = array<i64: 1>} : !job.blob<2x3x2xf64>
  %y02 = job.reduce_prod %x {axes = array<i64: 0, 2>} : !job.blob<2x3x2xf64>
  %y012 = job.reduce_prod %x {axes = array<i64: 0, 1, 2>} : !job.blob<2x3x2xf64>
  %kept = job.reduce_prod %x {axes = array<i64: 1>, keepdims = true} : !job.blob<2x3x2xf64>
  job.return %y0, %y1, %y02, %y012, %kept : !job.blob<3x2xf64>, !job.blob<2x2xf64>, !job.blob<3xf64>, !job.blob<1xf64>, !job.blob<2x1x2xf64>
}

// expected-remark@+5 {{y0 = [[-0.5, 1.5], [2, 3], [2.5, 0.5]]}}
// expected-remark@+4 {{y1 = [[2.5, 1.5], [-0.5, 3]]}}
// expected-remark@+3 {{y02 = [1.5, 3, 2.5]}}
// expected-remark@+2 {{y012 = [3]}}
// expected-remark@+1 {{kept = [[[2.5, 1.5]], [[-0.5, 3]]]}}
job.func @max() -> (!job.blob<3x2xf64> {job.name = "y0"}, !job.blob<2x2xf64> {job.name = "y1"}, !job.blob<3xf64> {job.name = "y02"}, !job.blob<1xf64> {job.name = "y012"}, !job.blob<2x1x2xf64> {job.name = "kept"}) kind predict {
  %x = job.constant dense<[[[-0.5, 1.5], [2.0, -4.0], [2.5, -0.5]], [[-0.5, 0.5], [-2.0, 3.0], [-2.5, 0.5]]]> : tensor<2x3x2xf64>
  %y0 = job.reduce_max %x {axes = array<i64: 0>} : !job.blob<2x3x2xf64>
  %y1 = job.reduce_max %x {axes = array<i64: 1>} : !job.blob<2x3x2xf64>
  %y02 = job.reduce_max %x {axes = array<i64: 0, 2>} : !job.blob<2x3x2xf64>
  %y012 = job.reduce_max %x {axes = array<i64: 0, 1, 2>} : !job.blob<2x3x2xf64>
  %kept = job.reduce_max %x {axes = array<i64: 1>, keepdims = true} : !job.blob<2x3x2xf64>
  job.return %y0, %y1, %y02, %y012, %kept : !job.blob<3x2xf64>, !job.blob<2x2xf64>, !job.blob<3xf64>, !job.blob<1xf64>, !job.blob<2x1x2xf64>
}

// expected-remark@+5 {{y0 = [[-0.5, 0.5], [-2, -4], [-2.5, -0.5]]}}
// expected-remark@+4 {{y1 = [[-0.5, -4], [-2.5, 0.5]]}}
// expected-remark@+3 {{y02 = [-0.5, -4, -2.5]}}
// expected-remark@+2 {{y012 = [-4]}}
// expected-remark@+1 {{kept = [[[-0.5, -4]], [[-2.5, 0.5]]]}}
job.func @min() -> (!job.blob<3x2xf64> {job.name = "y0"}, !job.blob<2x2xf64> {job.name = "y1"}, !job.blob<3xf64> {job.name = "y02"}, !job.blob<1xf64> {job.name = "y012"}, !job.blob<2x1x2xf64> {job.name = "kept"}) kind predict {
  %x = job.constant dense<[[[-0.5, 1.5], [2.0, -4.0], [2.5, -0.5]], [[-0.5, 0.5], [-2.0, 3.0], [-2.5, 0.5]]]> : tensor<2x3x2xf64>
  %y0 = job.reduce_min %x {axes = array<i64: 0>} : !job.blob<2x3x2xf64>
  %y1 = job.reduce_min %x {axes = array<i64: 1>} : !job.blob<2x3x2xf64>
  %y02 = job.reduce_min %x {axes = array<i64: 0, 2>} : !job.blob<2x3x2xf64>
  %y012 = job.reduce_min %x {axes = array<i64: 0, 1, 2>} : !job.blob<2x3x2xf64>
  %kept = job.reduce_min %x {axes = array<i64: 1>, keepdims = true} : !job.blob<2x3x2xf64>
  job.return %y0, %y1, %y02, %y012, %kept : !job.blob<3x2xf64>, !job.blob<2x2xf64>, !job.blob<3xf64>, !job.blob<1xf64>, !job.blob<2x1x2xf64>
}

// NaN wins, and 0 is larger than -0, which compares equal to it.
// expected-remark@+3 {{max = [nan, -inf, inf, 0]}}
// expected-remark@+2 {{min = [nan, -inf, -inf, -0]}}
// expected-remark@+1 {{place = [1, 0, 0, 0]}}
job.func @extrema_of_special_values() -> (!job.blob<4xf64> {job.name = "max"}, !job.blob<4xf64> {job.name = "min"}, !job.blob<4xi64> {job.name = "place"}) kind predict {
  %x = job.constant dense<[[1.0, 0x7FF8000000000000, 3.0], [0xFFF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000], [0x7FF0000000000000, 2.0, 0xFFF0000000000000], [-0.0, 0.0, -0.0]]> : tensor<4x3xf64>
  %max = job.reduce_max %x {axes = array<i64: 1>} : !job.blob<4x3xf64>
  %min = job.reduce_min %x {axes = array<i64: 1>} : !job.blob<4x3xf64>
  %place = job.argmax %x {axis = 1 : i64} : !job.blob<4x3xf64>
  job.return %max, %min, %place : !job.blob<4xf64>, !job.blob<4xf64>, !job.blob<4xi64>
}

// Products wrap.
// expected-remark@+3 {{prod = [0, -2]}}
// expected-remark@+2 {{max = [2, 127]}}
// expected-remark@+1 {{min = [-128, -2]}}
job.func @integers_i8() -> (!job.blob<2xi8> {job.name = "prod"}, !job.blob<2xi8> {job.name = "max"}, !job.blob<2xi8> {job.name = "min"}) kind predict {
  %x = job.constant dense<[[-128, 2, -3], [127, -2, 127]]> : tensor<2x3xi8>
  %prod = job.reduce_prod %x {axes = array<i64: 1>} : !job.blob<2x3xi8>
  %max = job.reduce_max %x {axes = array<i64: 1>} : !job.blob<2x3xi8>
  %min = job.reduce_min %x {axes = array<i64: 1>} : !job.blob<2x3xi8>
  job.return %prod, %max, %min : !job.blob<2xi8>, !job.blob<2xi8>, !job.blob<2xi8>
}

// expected-remark@+3 {{prod = [0, -2]}}
// expected-remark@+2 {{max = [2, 2147483647]}}
// expected-remark@+1 {{min = [-2147483648, -2]}}
job.func @integers_i32() -> (!job.blob<2xi32> {job.name = "prod"}, !job.blob<2xi32> {job.name = "max"}, !job.blob<2xi32> {job.name = "min"}) kind predict {
  %x = job.constant dense<[[-2147483648, 2, -3], [2147483647, -2, 2147483647]]> : tensor<2x3xi32>
  %prod = job.reduce_prod %x {axes = array<i64: 1>} : !job.blob<2x3xi32>
  %max = job.reduce_max %x {axes = array<i64: 1>} : !job.blob<2x3xi32>
  %min = job.reduce_min %x {axes = array<i64: 1>} : !job.blob<2x3xi32>
  job.return %prod, %max, %min : !job.blob<2xi32>, !job.blob<2xi32>, !job.blob<2xi32>
}

// expected-remark@+3 {{prod = [0, -2]}}
// expected-remark@+2 {{max = [2, 9223372036854775807]}}
// expected-remark@+1 {{min = [-9223372036854775808, -2]}}
job.func @integers_i64() -> (!job.blob<2xi64> {job.name = "prod"}, !job.blob<2xi64> {job.name = "max"}, !job.blob<2xi64> {job.name = "min"}) kind predict {
  %x = job.constant dense<[[-9223372036854775808, 2, -3], [9223372036854775807, -2, 9223372036854775807]]> : tensor<2x3xi64>
  %prod = job.reduce_prod %x {axes = array<i64: 1>} : !job.blob<2x3xi64>
  %max = job.reduce_max %x {axes = array<i64: 1>} : !job.blob<2x3xi64>
  %min = job.reduce_min %x {axes = array<i64: 1>} : !job.blob<2x3xi64>
  job.return %prod, %max, %min : !job.blob<2xi64>, !job.blob<2xi64>, !job.blob<2xi64>
}

// The first of a tie, and the first NaN.
// expected-remark@+3 {{rows = [[5, 0, 0], [6, 0, 0], [7, 0, 0]]}}
// expected-remark@+2 {{columns = [[5, 6], [0, 0], [0, 0]]}}
// expected-remark@+1 {{all = [[0, 0], [8, 0]]}}
job.func @extremum_grad() -> (!job.blob<3x3xf64> {job.name = "rows"}, !job.blob<3x2xf64> {job.name = "columns"}, !job.blob<2x2xf64> {job.name = "all"}) kind predict {
  %x = job.constant dense<[[3.0, 1.0, 3.0], [0x7FF8000000000000, 2.0, 0x7FF8000000000000], [0xFFF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000]]> : tensor<3x3xf64>
  %g = job.constant dense<[5.0, 6.0, 7.0]> : tensor<3xf64>
  %y = job.reduce_max %x {axes = array<i64: 1>} : !job.blob<3x3xf64>
  %rows = job.reduce_extremum_grad %g, %x, %y {axes = array<i64: 1>} : !job.blob<3xf64>, !job.blob<3x3xf64>
  %x0 = job.constant dense<[[3.0, 0x7FF8000000000000], [1.0, 2.0], [3.0, 0x7FF8000000000000]]> : tensor<3x2xf64>
  %g0 = job.constant dense<[[5.0, 6.0]]> : tensor<1x2xf64>
  %y0 = job.reduce_max %x0 {axes = array<i64: 0>, keepdims = true} : !job.blob<3x2xf64>
  %columns = job.reduce_extremum_grad %g0, %x0, %y0 {axes = array<i64: 0>} : !job.blob<1x2xf64>, !job.blob<3x2xf64>
  %x1 = job.constant dense<[[2.0, 3.0], [1.0, 1.0]]> : tensor<2x2xf64>
  %g1 = job.constant dense<8.0> : tensor<1xf64>
  %y1 = job.reduce_min %x1 {axes = array<i64: 0, 1>} : !job.blob<2x2xf64>
  %all = job.reduce_extremum_grad %g1, %x1, %y1 {axes = array<i64: 0, 1>} : !job.blob<1xf64>, !job.blob<2x2xf64>
  job.return %rows, %columns, %all : !job.blob<3x3xf64>, !job.blob<3x2xf64>, !job.blob<2x2xf64>
}

// Without, with one and with two zeros.
// expected-remark@+2 {{rows = [[12, 8, 6], [24, 0, 0], [0, 0, 0]]}}
// expected-remark@+1 {{columns = [[0, 18, 0], [0, 18, 0], [0, 18, 48]]}}
job.func @prod_grad() -> (!job.blob<3x3xf64> {job.name = "rows"}, !job.blob<3x3xf64> {job.name = "columns"}) kind predict {
  %x = job.constant dense<[[2.0, 3.0, 4.0], [0.0, 3.0, 4.0], [0.0, 3.0, 0.0]]> : tensor<3x3xf64>
  %g = job.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %y = job.reduce_prod %x {axes = array<i64: 1>} : !job.blob<3x3xf64>
  %rows = job.reduce_prod_grad %g, %x, %y {axes = array<i64: 1>} : !job.blob<3xf64>, !job.blob<3x3xf64>
  %z = job.reduce_prod %x {axes = array<i64: 0>} : !job.blob<3x3xf64>
  %columns = job.reduce_prod_grad %g, %x, %z {axes = array<i64: 0>} : !job.blob<3xf64>, !job.blob<3x3xf64>
  job.return %rows, %columns : !job.blob<3x3xf64>, !job.blob<3x3xf64>
}

// expected-remark@+4 {{y0 = [[0, 1, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]]}}
// expected-remark@+3 {{y1 = [[2, 2, 1], [0, 3, 1]]}}
// expected-remark@+2 {{y2 = [[0, 2, 0, 2], [0, 2, 2, 1]]}}
// expected-remark@+1 {{last = [2]}}
job.func @argmax() -> (!job.blob<4x3xi64> {job.name = "y0"}, !job.blob<2x3xi64> {job.name = "y1"}, !job.blob<2x4xi64> {job.name = "y2"}, !job.blob<1xi64> {job.name = "last"}) kind predict {
  %x = job.constant dense<[[[2, -3, -2], [-2, -2, 2], [3, 1, -3], [-3, -1, 0]], [[1, 0, -2], [-2, 1, 2], [-3, -3, 0], [-1, 3, 0]]]> : tensor<2x4x3xi32>
  %y0 = job.argmax %x {axis = 0 : i64} : !job.blob<2x4x3xi32>
  %y1 = job.argmax %x {axis = 1 : i64} : !job.blob<2x4x3xi32>
  %y2 = job.argmax %x {axis = 2 : i64} : !job.blob<2x4x3xi32>
  %v = job.constant dense<[1.0, 2.0, 5.0]> : tensor<3xf32>
  %last = job.argmax %v {axis = 0 : i64} : !job.blob<3xf32>
  job.return %y0, %y1, %y2, %last : !job.blob<4x3xi64>, !job.blob<2x3xi64>, !job.blob<2x4xi64>, !job.blob<1xi64>
}
