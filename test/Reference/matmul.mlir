// RUN: job-opt %s --job-interpret -o /dev/null --verify-diagnostics

// The expected values are numpy's.

// expected-remark@+1 {{z = [[7, 17.5, -9.75, 12], [2, -3, 3.25, -3.5]]}}
job.func @matmul_nn() -> (!job.blob<2x4xf32> {job.name = "z"}) kind predict {
  %x = job.constant dense<[[-3.5, -2.0, 2.5], [0.5, -3.0, -0.5]]> : tensor<2x3xf32>
  %y = job.constant dense<[[-0.0, -2.5, 2.0, -3.0], [-1.0, 0.0, -0.5, 0.5], [2.0, 3.5, -1.5, 1.0]]> : tensor<3x4xf32>
  %z = job.matmul %x, %y : !job.blob<2x3xf32>, !job.blob<3x4xf32>
  job.return %z : !job.blob<2x4xf32>
}

// expected-remark@+1 {{z = [[7, 17.5, -9.75, 12], [2, -3, 3.25, -3.5]]}}
job.func @matmul_nt() -> (!job.blob<2x4xf32> {job.name = "z"}) kind predict {
  %x = job.constant dense<[[-3.5, -2.0, 2.5], [0.5, -3.0, -0.5]]> : tensor<2x3xf32>
  %y = job.constant dense<[[-0.0, -1.0, 2.0], [-2.5, 0.0, 3.5], [2.0, -0.5, -1.5], [-3.0, 0.5, 1.0]]> : tensor<4x3xf32>
  %z = job.matmul %x, %y {transpose_rhs = true} : !job.blob<2x3xf32>, !job.blob<4x3xf32>
  job.return %z : !job.blob<2x4xf32>
}

// expected-remark@+1 {{z = [[7, 17.5, -9.75, 12], [2, -3, 3.25, -3.5]]}}
job.func @matmul_tn() -> (!job.blob<2x4xf32> {job.name = "z"}) kind predict {
  %x = job.constant dense<[[-3.5, 0.5], [-2.0, -3.0], [2.5, -0.5]]> : tensor<3x2xf32>
  %y = job.constant dense<[[-0.0, -2.5, 2.0, -3.0], [-1.0, 0.0, -0.5, 0.5], [2.0, 3.5, -1.5, 1.0]]> : tensor<3x4xf32>
  %z = job.matmul %x, %y {transpose_lhs = true} : !job.blob<3x2xf32>, !job.blob<3x4xf32>
  job.return %z : !job.blob<2x4xf32>
}

// expected-remark@+1 {{z = [[7, 17.5, -9.75, 12], [2, -3, 3.25, -3.5]]}}
job.func @matmul_tt() -> (!job.blob<2x4xf32> {job.name = "z"}) kind predict {
  %x = job.constant dense<[[-3.5, 0.5], [-2.0, -3.0], [2.5, -0.5]]> : tensor<3x2xf32>
  %y = job.constant dense<[[-0.0, -1.0, 2.0], [-2.5, 0.0, 3.5], [2.0, -0.5, -1.5], [-3.0, 0.5, 1.0]]> : tensor<4x3xf32>
  %z = job.matmul %x, %y {transpose_lhs = true, transpose_rhs = true} : !job.blob<3x2xf32>, !job.blob<4x3xf32>
  job.return %z : !job.blob<2x4xf32>
}

// expected-remark@+1 {{z = [[[4.5, -1.25, 1, -1], [0.75, 0.5, 1, 0.25]], [[-2.75, -3, 1, 2.5], [0.25, 0, 0.5, -0.25]]]}}
job.func @matmul_batch() -> (!job.blob<2x2x4xf32> {job.name = "z"}) kind predict {
  %x = job.constant dense<[[[1.5, -0.5, 2.0], [0.5, 0.5, 0.5]], [[0.5, -1.5, 0.0], [-1.0, -0.5, -1.5]]]> : tensor<2x2x3xf32>
  %y = job.constant dense<[[[2.0, -1.0, 0.5], [-1.0, 1.5, 0.5], [-1.5, 1.5, 2.0], [1.5, 0.5, -1.5]], [[-1.0, 1.5, 0.0], [-1.5, 1.5, 0.5], [0.5, -0.5, -0.5], [-1.0, -2.0, 1.5]]]> : tensor<2x4x3xf32>
  %z = job.matmul %x, %y {transpose_rhs = true} : !job.blob<2x2x3xf32>, !job.blob<2x4x3xf32>
  job.return %z : !job.blob<2x2x4xf32>
}
