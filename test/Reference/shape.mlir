// RUN: job-opt %s --job-interpret -o /dev/null --verify-diagnostics

// The expected values are numpy's.

// expected-remark@+1 {{y = [[[0, 1]], [[2, 3]], [[4, 5]]]}}
job.func @reshape() -> (!job.blob<3x1x2xf32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %y = job.reshape %x : !job.blob<2x3xf32> to !job.blob<3x1x2xf32>
  job.return %y : !job.blob<3x1x2xf32>
}

// expected-remark@+1 {{y = [1, 0, 0, 1]}}
job.func @reshape_integers() -> (!job.blob<4xi1> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[true, false], [false, true]]> : tensor<2x2xi1>
  %y = job.reshape %x : !job.blob<2x2xi1> to !job.blob<4xi1>
  job.return %y : !job.blob<4xi1>
}

// expected-remark@+1 {{y = [[1, 2, 3], [1, 2, 3]]}}
job.func @broadcast_new_first() -> (!job.blob<2x3xf32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %y = job.broadcast_in_dim %x {dims = array<i64: 1>} : !job.blob<3xf32> to !job.blob<2x3xf32>
  job.return %y : !job.blob<2x3xf32>
}

// expected-remark@+1 {{y = [[1, 1, 1], [2, 2, 2]]}}
job.func @broadcast_new_last() -> (!job.blob<2x3xf32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = job.broadcast_in_dim %x {dims = array<i64: 0>} : !job.blob<2xf32> to !job.blob<2x3xf32>
  job.return %y : !job.blob<2x3xf32>
}

// expected-remark@+1 {{y = [[1, 1, 1], [2, 2, 2]]}}
job.func @broadcast_unit() -> (!job.blob<2x3xf32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %y = job.broadcast_in_dim %x {dims = array<i64: 0, 1>} : !job.blob<2x1xf32> to !job.blob<2x3xf32>
  job.return %y : !job.blob<2x3xf32>
}

// expected-remark@+1 {{y = [[[1, 2], [1, 2]], [[3, 4], [3, 4]]]}}
job.func @broadcast_new_middle() -> (!job.blob<2x2x2xf32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %y = job.broadcast_in_dim %x {dims = array<i64: 0, 2>} : !job.blob<2x2xf32> to !job.blob<2x2x2xf32>
  job.return %y : !job.blob<2x2x2xf32>
}

// expected-remark@+1 {{y = [[7, 7], [7, 7]]}}
job.func @broadcast_one() -> (!job.blob<2x2xf32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[7.0]> : tensor<1xf32>
  %y = job.broadcast_in_dim %x {dims = array<i64: 1>} : !job.blob<1xf32> to !job.blob<2x2xf32>
  job.return %y : !job.blob<2x2xf32>
}

// expected-remark@+1 {{y = [[[1, 2], [1, 2], [1, 2]], [[1, 2], [1, 2], [1, 2]]]}}
job.func @broadcast_unit_and_new() -> (!job.blob<2x3x2xf32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %y = job.broadcast_in_dim %x {dims = array<i64: 1, 2>} : !job.blob<1x2xf32> to !job.blob<2x3x2xf32>
  job.return %y : !job.blob<2x3x2xf32>
}

// expected-remark@+1 {{y = [[1, 1], [-2, -2]]}}
job.func @broadcast_integers() -> (!job.blob<2x2xi8> {job.name = "y"}) kind predict {
  %x = job.constant dense<[1, -2]> : tensor<2xi8>
  %y = job.broadcast_in_dim %x {dims = array<i64: 0>} : !job.blob<2xi8> to !job.blob<2x2xi8>
  job.return %y : !job.blob<2x2xi8>
}

// expected-remark@+2 {{all = [[[0, 4, 8], [12, 16, 20]], [[1, 5, 9], [13, 17, 21]], [[2, 6, 10], [14, 18, 22]], [[3, 7, 11], [15, 19, 23]]]}}
// expected-remark@+1 {{last = [[[0, 4, 8], [1, 5, 9], [2, 6, 10], [3, 7, 11]], [[12, 16, 20], [13, 17, 21], [14, 18, 22], [15, 19, 23]]]}}
job.func @transpose() -> (!job.blob<4x2x3xf32> {job.name = "all"}, !job.blob<2x4x3xf32> {job.name = "last"}) kind predict {
  %x = job.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]], [[12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0]]]> : tensor<2x3x4xf32>
  %all = job.transpose %x {permutation = array<i64: 2, 0, 1>} : !job.blob<2x3x4xf32>
  %last = job.transpose %x {permutation = array<i64: 0, 2, 1>} : !job.blob<2x3x4xf32>
  job.return %all, %last : !job.blob<4x2x3xf32>, !job.blob<2x4x3xf32>
}

// expected-remark@+2 {{y = [[[13, 14, 15], [21, 22, 23]]]}}
// expected-remark@+1 {{z = [[[8, 11]], [[20, 23]]]}}
job.func @slice() -> (!job.blob<1x2x3xf32> {job.name = "y"}, !job.blob<2x1x2xf32> {job.name = "z"}) kind predict {
  %x = job.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]], [[12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0]]]> : tensor<2x3x4xf32>
  %y = job.slice %x {offsets = array<i64: 1, 0, 1>, sizes = array<i64: 1, 2, 3>, strides = array<i64: 1, 2, 1>} : !job.blob<2x3x4xf32>
  %z = job.slice %x {offsets = array<i64: 0, 2, 0>, sizes = array<i64: 2, 1, 2>, strides = array<i64: 1, 1, 3>} : !job.blob<2x3x4xf32>
  job.return %y, %z : !job.blob<1x2x3xf32>, !job.blob<2x1x2xf32>
}

// expected-remark@+1 {{y = [[0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1], [0.1, 0.1, 1, 0.1, 2, 0.1, 3, 0.1], [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1], [0.1, 0.1, 4, 0.1, 5, 0.1, 6, 0.1], [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]]}}
job.func @pad() -> (!job.blob<5x8xf32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %y = job.pad %x {low = array<i64: 1, 2>, high = array<i64: 1, 1>, interior = array<i64: 1, 1>, value = 0.1 : f64} : !job.blob<2x3xf32>
  job.return %y : !job.blob<5x8xf32>
}

// Rounded to nearest even, saturating.
// expected-remark@+1 {{y = [[1, 2, 3], [4, 5, 6], [2, 2, 2]]}}
job.func @pad_i32() -> (!job.blob<3x3xi32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %y = job.pad %x {low = array<i64: 0, 0>, high = array<i64: 1, 0>, interior = array<i64: 0, 0>, value = 2.5 : f64} : !job.blob<2x3xi32>
  job.return %y : !job.blob<3x3xi32>
}

// expected-remark@+1 {{y = [[1, 2, 3], [4, 5, 6], [127, 127, 127]]}}
job.func @pad_i8() -> (!job.blob<3x3xi8> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %y = job.pad %x {low = array<i64: 0, 0>, high = array<i64: 1, 0>, interior = array<i64: 0, 0>, value = 1.0e30 : f64} : !job.blob<2x3xi8>
  job.return %y : !job.blob<3x3xi8>
}

// expected-remark@+1 {{y = [[1, 2, 3], [4, 5, 6], [-9223372036854775808, -9223372036854775808, -9223372036854775808]]}}
job.func @pad_i64() -> (!job.blob<3x3xi64> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %y = job.pad %x {low = array<i64: 0, 0>, high = array<i64: 1, 0>, interior = array<i64: 0, 0>, value = -1.0e30 : f64} : !job.blob<2x3xi64>
  job.return %y : !job.blob<3x3xi64>
}

// expected-remark@+1 {{y = [[1, 2, 3], [4, 5, 6], [0, 0, 0]]}}
job.func @pad_i32_nan() -> (!job.blob<3x3xi32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %y = job.pad %x {low = array<i64: 0, 0>, high = array<i64: 1, 0>, interior = array<i64: 0, 0>, value = 0x7FF8000000000000 : f64} : !job.blob<2x3xi32>
  job.return %y : !job.blob<3x3xi32>
}

// expected-remark@+2 {{y = [[1, 2, 3, 7, 1, 2, 3], [4, 5, 6, 8, 4, 5, 6]]}}
// expected-remark@+1 {{z = [[1, 2, 3], [4, 5, 6], [1, 2, 3], [4, 5, 6]]}}
job.func @concat() -> (!job.blob<2x7xf32> {job.name = "y"}, !job.blob<4x3xf32> {job.name = "z"}) kind predict {
  %a = job.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %b = job.constant dense<[[7.0], [8.0]]> : tensor<2x1xf32>
  %y = job.concat %a, %b, %a {axis = 1 : i64} : !job.blob<2x3xf32>, !job.blob<2x1xf32>, !job.blob<2x3xf32>
  %z = job.concat %a, %a {axis = 0 : i64} : !job.blob<2x3xf32>, !job.blob<2x3xf32>
  job.return %y, %z : !job.blob<2x7xf32>, !job.blob<4x3xf32>
}

// expected-remark@+3 {{t = [[1, 0], [1, 1], [0, 0]]}}
// expected-remark@+2 {{c = [[1, 1, 0], [0, 1, 0], [1, 1, 0], [0, 1, 0]]}}
// expected-remark@+1 {{s = [[1, 0]]}}
job.func @moves_of_integers() -> (!job.blob<3x2xi1> {job.name = "t"}, !job.blob<4x3xi1> {job.name = "c"}, !job.blob<1x2xi1> {job.name = "s"}) kind predict {
  %x = job.constant dense<[[true, true, false], [false, true, false]]> : tensor<2x3xi1>
  %t = job.transpose %x {permutation = array<i64: 1, 0>} : !job.blob<2x3xi1>
  %c = job.concat %x, %x {axis = 0 : i64} : !job.blob<2x3xi1>, !job.blob<2x3xi1>
  %s = job.slice %x {offsets = array<i64: 0, 0>, sizes = array<i64: 1, 2>, strides = array<i64: 1, 2>} : !job.blob<2x3xi1>
  job.return %t, %c, %s : !job.blob<3x2xi1>, !job.blob<4x3xi1>, !job.blob<1x2xi1>
}

// expected-remark@+3 {{rows = [[0, 0, 0], [1, 1, 1]]}}
// expected-remark@+2 {{columns = [[0, 1, 2], [0, 1, 2]]}}
// expected-remark@+1 {{middle = [[[0, 0], [1, 1], [2, 2]], [[0, 0], [1, 1], [2, 2]]]}}
job.func @iota() -> (!job.blob<2x3xf32> {job.name = "rows"}, !job.blob<2x3xi8> {job.name = "columns"}, !job.blob<2x3x2xi64> {job.name = "middle"}) kind predict {
  %rows = job.iota {axis = 0 : i64} : !job.blob<2x3xf32>
  %columns = job.iota {axis = 1 : i64} : !job.blob<2x3xi8>
  %middle = job.iota {axis = 1 : i64} : !job.blob<2x3x2xi64>
  job.return %rows, %columns, %middle : !job.blob<2x3xf32>, !job.blob<2x3xi8>, !job.blob<2x3x2xi64>
}

// expected-remark@+1 {{y = [-128, -127]}}
job.func @iota_wraps() -> (!job.blob<2xi8> {job.name = "y"}) kind predict {
  %0 = job.iota {axis = 0 : i64} : !job.blob<130xi8>
  %y = job.slice %0 {offsets = array<i64: 128>, sizes = array<i64: 2>, strides = array<i64: 1>} : !job.blob<130xi8>
  job.return %y : !job.blob<2xi8>
}
