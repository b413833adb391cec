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
