// RUN: job-opt %s --job-interpret -o /dev/null --verify-diagnostics

// The expected values are numpy's.

// Large logits stay finite; a label outside of the classes gives NaN.
// expected-remark@+2 {{y = [0.2413113, 0.6931472, nan, nan]}}
// expected-remark@+1 {{d = [[0.1752904, 0.03911257, -0.214403], [1, -1, 0], [nan, nan, nan], [nan, nan, nan]]}}
job.func @cross_entropy_i8() -> (!job.blob<4xf64> {job.name = "y"}, !job.blob<4x3xf64> {job.name = "d"}) kind predict {
  %x = job.constant dense<[[0.5, -1.0, 2.0], [1000.0, 1000.0, -1000.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]> : tensor<4x3xf64>
  %labels = job.constant dense<[2, 1, 3, -1]> : tensor<4xi8>
  %grad = job.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %y = job.sparse_softmax_cross_entropy %x, %labels : !job.blob<4x3xf64>, !job.blob<4xi8>
  %d = job.sparse_softmax_cross_entropy_grad %grad, %x, %labels : !job.blob<4xf64>, !job.blob<4x3xf64>, !job.blob<4xi8>
  job.return %y, %d : !job.blob<4xf64>, !job.blob<4x3xf64>
}

// expected-remark@+2 {{y = [0.2413113, 0.6931472, nan, nan]}}
// expected-remark@+1 {{d = [[0.1752904, 0.03911257, -0.214403], [1, -1, 0], [nan, nan, nan], [nan, nan, nan]]}}
job.func @cross_entropy_i32() -> (!job.blob<4xf64> {job.name = "y"}, !job.blob<4x3xf64> {job.name = "d"}) kind predict {
  %x = job.constant dense<[[0.5, -1.0, 2.0], [1000.0, 1000.0, -1000.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]> : tensor<4x3xf64>
  %labels = job.constant dense<[2, 1, 3, -1]> : tensor<4xi32>
  %grad = job.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %y = job.sparse_softmax_cross_entropy %x, %labels : !job.blob<4x3xf64>, !job.blob<4xi32>
  %d = job.sparse_softmax_cross_entropy_grad %grad, %x, %labels : !job.blob<4xf64>, !job.blob<4x3xf64>, !job.blob<4xi32>
  job.return %y, %d : !job.blob<4xf64>, !job.blob<4x3xf64>
}

// expected-remark@+2 {{y = [0.2413113, 0.6931472, nan, nan]}}
// expected-remark@+1 {{d = [[0.1752904, 0.03911257, -0.214403], [1, -1, 0], [nan, nan, nan], [nan, nan, nan]]}}
job.func @cross_entropy_i64() -> (!job.blob<4xf64> {job.name = "y"}, !job.blob<4x3xf64> {job.name = "d"}) kind predict {
  %x = job.constant dense<[[0.5, -1.0, 2.0], [1000.0, 1000.0, -1000.0], [0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]> : tensor<4x3xf64>
  %labels = job.constant dense<[2, 1, 3, -1]> : tensor<4xi64>
  %grad = job.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %y = job.sparse_softmax_cross_entropy %x, %labels : !job.blob<4x3xf64>, !job.blob<4xi64>
  %d = job.sparse_softmax_cross_entropy_grad %grad, %x, %labels : !job.blob<4xf64>, !job.blob<4x3xf64>, !job.blob<4xi64>
  job.return %y, %d : !job.blob<4xf64>, !job.blob<4x3xf64>
}

// expected-remark@+2 {{y = [[3.52975, 0.6931472], [0.01814993, 0.004078443]]}}
// expected-remark@+1 {{d = [[[-0.9706878, 0.9706878], [0.5, -0.5]], [[0.01798621, -0.01798621], [-0.004070138, 0.004070138]]]}}
job.func @cross_entropy_rank3() -> (!job.blob<2x2xf32> {job.name = "y"}, !job.blob<2x2x2xf32> {job.name = "d"}) kind predict {
  %x = job.constant dense<[[[-2.5, 1.0], [3.0, 3.0]], [[-3.0, 1.0], [3.0, -2.5]]]> : tensor<2x2x2xf32>
  %labels = job.constant dense<[[0, 1], [1, 0]]> : tensor<2x2xi32>
  %grad = job.constant dense<1.0> : tensor<2x2xf32>
  %y = job.sparse_softmax_cross_entropy %x, %labels : !job.blob<2x2x2xf32>, !job.blob<2x2xi32>
  %d = job.sparse_softmax_cross_entropy_grad %grad, %x, %labels : !job.blob<2x2xf32>, !job.blob<2x2x2xf32>, !job.blob<2x2xi32>
  job.return %y, %d : !job.blob<2x2xf32>, !job.blob<2x2x2xf32>
}
