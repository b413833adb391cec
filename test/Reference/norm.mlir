// RUN: job-opt %s --job-interpret -o /dev/null --verify-diagnostics

// The expected values are numpy's.

// expected-remark@+3 {{y = [[4.819823, 1.608758], [3.28003, 8.230659], [2.400148, 2.160583]]}}
// expected-remark@+2 {{mean = [0.5, 1.333333]}}
// expected-remark@+1 {{variance = [5.166667, 7.388889]}}
job.func @batch_norm_rank2() -> (!job.blob<3x2xf64> {job.name = "y"}, !job.blob<2xf64> {job.name = "mean"}, !job.blob<2xf64> {job.name = "variance"}) kind predict {
  %x = job.constant dense<[[3.5, 3.5], [0.0, -2.5], [-2.0, 3.0]]> : tensor<3x2xf64>
  %gamma = job.constant dense<[1.0, -3.0]> : tensor<2xf64>
  %beta = job.constant dense<[3.5, 4.0]> : tensor<2xf64>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<3x2xf64>, !job.blob<2xf64>
  job.return %y, %mean, %variance : !job.blob<3x2xf64>, !job.blob<2xf64>, !job.blob<2xf64>
}

// expected-remark@+3 {{y = [[[-3.456443, -4.209061, -3.456443], [-3.411031, -3.055153, -4.478664]], [[-4.209061, -3.832752, -4.836242], [-3.944847, -4.478664, -1.631641]]]}}
// expected-remark@+2 {{mean = [1.833333, 1.25]}}
// expected-remark@+1 {{variance = [3.722222, 7.645833]}}
job.func @batch_norm_channels() -> (!job.blob<2x2x3xf32> {job.name = "y"}, !job.blob<2xf32> {job.name = "mean"}, !job.blob<2xf32> {job.name = "variance"}) kind predict {
  %x = job.constant dense<[[[4.0, 1.0, 4.0], [1.0, 0.0, 4.0]], [[1.0, 2.5, -1.5], [2.5, 4.0, -4.0]]]> : tensor<2x2x3xf32>
  %gamma = job.constant dense<[0.5, -1.0]> : tensor<2xf32>
  %beta = job.constant dense<[-4.0, -3.5]> : tensor<2xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 2.500000e-01 : f64} : !job.blob<2x2x3xf32>, !job.blob<2xf32>
  job.return %y, %mean, %variance : !job.blob<2x2x3xf32>, !job.blob<2xf32>, !job.blob<2xf32>
}

// expected-remark@+3 {{y = [[0.890757, 1.817928, -6.526614, 1.817928], [-0.5196147, -1.905254, 0.1732049, 2.251664]]}}
// expected-remark@+2 {{mean = [-1.25, 0.25]}}
// expected-remark@+1 {{variance = [3.5625, 4.6875]}}
job.func @batch_norm_first() -> (!job.blob<2x4xf64> {job.name = "y"}, !job.blob<2xf64> {job.name = "mean"}, !job.blob<2xf64> {job.name = "variance"}) kind predict {
  %x = job.constant dense<[[-2.0, -2.5, 2.0, -2.5], [1.0, 3.0, 0.0, -3.0]]> : tensor<2x4xf64>
  %gamma = job.constant dense<[-3.5, -1.5]> : tensor<2xf64>
  %beta = job.constant dense<[-0.5, 0.0]> : tensor<2xf64>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 0 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<2x4xf64>, !job.blob<2xf64>
  job.return %y, %mean, %variance : !job.blob<2x4xf64>, !job.blob<2xf64>, !job.blob<2xf64>
}

// Without other dimensions the variance is zero.
// expected-remark@+3 {{y = [-4, -2.5, 2]}}
// expected-remark@+2 {{mean = [-1.5, 3, 0.5]}}
// expected-remark@+1 {{variance = [0, 0, 0]}}
job.func @batch_norm_alone() -> (!job.blob<3xf64> {job.name = "y"}, !job.blob<3xf64> {job.name = "mean"}, !job.blob<3xf64> {job.name = "variance"}) kind predict {
  %x = job.constant dense<[-1.5, 3.0, 0.5]> : tensor<3xf64>
  %gamma = job.constant dense<[4.0, 3.5, 2.0]> : tensor<3xf64>
  %beta = job.constant dense<[-4.0, -2.5, 2.0]> : tensor<3xf64>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 0 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<3xf64>, !job.blob<3xf64>
  job.return %y, %mean, %variance : !job.blob<3xf64>, !job.blob<3xf64>, !job.blob<3xf64>
}

// expected-remark@+4 {{y = [4.599982, -5.099993, 0.700001, -3.300001]}}
// expected-remark@+3 {{mean = [2.25]}}
// expected-remark@+2 {{rstd = [0.7999974]}}
// expected-remark@+1 {{d = [-2.039997, -1.359992, 4.079986, -0.6799973]}}
job.func @layer_norm_rank1() -> (!job.blob<4xf64> {job.name = "y"}, !job.blob<1xf64> {job.name = "mean"}, !job.blob<1xf64> {job.name = "rstd"}, !job.blob<4xf64> {job.name = "d"}) kind predict {
  %x = job.constant dense<[0.5, 4.0, 2.0, 2.5]> : tensor<4xf64>
  %gamma = job.constant dense<[-4.0, -1.5, 1.5, 1.0]> : tensor<4xf64>
  %beta = job.constant dense<[-1.0, -3.0, 1.0, -3.5]> : tensor<4xf64>
  %dy = job.constant dense<[1.5, 2.5, 1.5, -3.5]> : tensor<4xf64>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<4xf64>, !job.blob<4xf64>
  %d = job.layer_norm_grad %dy, %x, %gamma, %mean, %rstd : !job.blob<4xf64>, !job.blob<4xf64>, !job.blob<1xf64>
  job.return %y, %mean, %rstd, %d : !job.blob<4xf64>, !job.blob<1xf64>, !job.blob<1xf64>, !job.blob<4xf64>
}

// expected-remark@+4 {{y = [[3.5, -1.183216, 1.464537], [3.5, -0.3509312, 6.947822]]}}
// expected-remark@+3 {{mean = [-0.3333333, -1.666667]}}
// expected-remark@+2 {{rstd = [1.014185, 0.4211174]}}
// expected-remark@+1 {{d = [[2.854207, 0.405674, -3.259881], [-0.1213565, 0.5860378, -0.4646813]]}}
job.func @layer_norm_rank2() -> (!job.blob<2x3xf32> {job.name = "y"}, !job.blob<2xf32> {job.name = "mean"}, !job.blob<2xf32> {job.name = "rstd"}, !job.blob<2x3xf32> {job.name = "d"}) kind predict {
  %x = job.constant dense<[[0.0, -1.5, 0.5], [1.5, -2.5, -4.0]]> : tensor<2x3xf32>
  %gamma = job.constant dense<[0.0, 1.0, -3.0]> : tensor<3xf32>
  %beta = job.constant dense<[3.5, 0.0, 4.0]> : tensor<3xf32>
  %dy = job.constant dense<[[0.5, 2.0, 2.5], [0.0, -1.0, 1.5]]> : tensor<2x3xf32>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 2.500000e-01 : f64} : !job.blob<2x3xf32>, !job.blob<3xf32>
  %d = job.layer_norm_grad %dy, %x, %gamma, %mean, %rstd : !job.blob<2x3xf32>, !job.blob<3xf32>, !job.blob<2xf32>
  job.return %y, %mean, %rstd, %d : !job.blob<2x3xf32>, !job.blob<2xf32>, !job.blob<2xf32>, !job.blob<2x3xf32>
}

// expected-remark@+4 {{y = [[[-8.86055, -4.740367, 1.53709], [-3.064598, -5.241609, 3.336289]], [[-0.8885059, -3.277997, 3.396997], [0.932993, 0.6141399, 2.805387]]]}}
// expected-remark@+3 {{mean = [[-1, -3.166667], [0.8333333, 0.5]]}}
// expected-remark@+2 {{rstd = [[0.4629096, 1.603547], [0.7619985, 0.4026933]]}}
// expected-remark@+1 {{d = [[[-0.05786704, -0.2314525, 0.2893196], [-21.56195, 14.37477, 7.187182]], [[-4.194048, 5.032887, -0.838839], [0.01769121, -0.1945467, 0.1768555]]]}}
job.func @layer_norm_rank3() -> (!job.blob<2x2x3xf64> {job.name = "y"}, !job.blob<2x2xf64> {job.name = "mean"}, !job.blob<2x2xf64> {job.name = "rstd"}, !job.blob<2x2x3xf64> {job.name = "d"}) kind predict {
  %x = job.constant dense<[[[-4.0, 1.0, 0.0], [-3.0, -2.5, -4.0]], [[2.0, 1.5, -1.0], [4.0, -1.0, -1.5]]]> : tensor<2x2x3xf64>
  %gamma = job.constant dense<[3.5, -3.5, -1.0]> : tensor<3xf64>
  %beta = job.constant dense<[-4.0, -1.5, 2.0]> : tensor<3xf64>
  %dy = job.constant dense<[[[-1.5, 0.0, 0.0], [-3.5, -3.5, -1.5]], [[0.5, -3.5, 3.5], [3.0, 0.5, 2.0]]]> : tensor<2x2x3xf64>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<2x2x3xf64>, !job.blob<3xf64>
  %d = job.layer_norm_grad %dy, %x, %gamma, %mean, %rstd : !job.blob<2x2x3xf64>, !job.blob<3xf64>, !job.blob<2x2xf64>
  job.return %y, %mean, %rstd, %d : !job.blob<2x2x3xf64>, !job.blob<2x2xf64>, !job.blob<2x2xf64>, !job.blob<2x2x3xf64>
}

// expected-remark@+1 {{y = [0.1191325, 0.0002953, 0.8802769, 0.0002953]}}
job.func @softmax_rank1() -> (!job.blob<4xf64> {job.name = "y"}) kind predict {
  %x = job.constant dense<[2.0, -4.0, 4.0, -4.0]> : tensor<4xf64>
  %y = job.softmax %x : !job.blob<4xf64>
  job.return %y : !job.blob<4xf64>
}

// expected-remark@+1 {{y = [[[0.4223188, 0.4223188, 0.1553624], [0.000744976, 0.1822896, 0.8169654]], [[0.7251692, 0.2667749, 0.008055903], [0.07252145, 0.04398648, 0.8834921]]]}}
job.func @softmax_rank3() -> (!job.blob<2x2x3xf32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[[3.0, 3.0, 2.0], [-3.0, 2.5, 4.0]], [[2.5, 1.5, -2.0], [0.5, 0.0, 3.0]]]> : tensor<2x2x3xf32>
  %y = job.softmax %x : !job.blob<2x2x3xf32>
  job.return %y : !job.blob<2x2x3xf32>
}

// Large values stay finite.
// expected-remark@+1 {{y = [[0.5, 0.5, 0], [0, 0.2689414, 0.7310586]]}}
job.func @softmax_large() -> (!job.blob<2x3xf64> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[1000.0, 1000.0, -1000.0], [-2.0e300, 0.0, 1.0]]> : tensor<2x3xf64>
  %y = job.softmax %x : !job.blob<2x3xf64>
  job.return %y : !job.blob<2x3xf64>
}

// expected-remark@+1 {{y = [-2.046006, -1.546006, -2.546006, -0.5460064]}}
job.func @log_softmax_rank1() -> (!job.blob<4xf64> {job.name = "y"}) kind predict {
  %x = job.constant dense<[-1.5, -1.0, -2.0, 0.0]> : tensor<4xf64>
  %y = job.log_softmax %x : !job.blob<4xf64>
  job.return %y : !job.blob<4xf64>
}

// expected-remark@+1 {{y = [[[-0.407606, -1.407606, -2.407606], [-0.9854132, -0.4854132, -4.485413]], [[-1.704749, -0.2047489, -5.704749], [-2.595674, -4.095674, -0.09567433]]]}}
job.func @log_softmax_rank3() -> (!job.blob<2x2x3xf32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[[0.5, -0.5, -1.5], [0.5, 1.0, -3.0]], [[0.5, 2.0, -3.5], [1.0, -0.5, 3.5]]]> : tensor<2x2x3xf32>
  %y = job.log_softmax %x : !job.blob<2x2x3xf32>
  job.return %y : !job.blob<2x2x3xf32>
}

// Large values stay finite.
// expected-remark@+1 {{y = [[-0.6931472, -0.6931472, -2000.693], [-2e+300, -1.313262, -0.3132617]]}}
job.func @log_softmax_large() -> (!job.blob<2x3xf64> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[1000.0, 1000.0, -1000.0], [-2.0e300, 0.0, 1.0]]> : tensor<2x3xf64>
  %y = job.log_softmax %x : !job.blob<2x3xf64>
  job.return %y : !job.blob<2x3xf64>
}
