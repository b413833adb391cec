// RUN: job-opt %s --job-interpret -o /dev/null --verify-diagnostics

// The expected values are numpy's.

// expected-remark@+5 {{y = [[[[-1.418165], [-1.415648]], [[-0.4415782], [-0.7848455]]]]}}
// expected-remark@+4 {{l = [[[1.714369, 1.109899], [0.9051758, 1.609899]]]}}
// expected-remark@+3 {{dq = [[[[0, 0], [0.1270153, 0.4312957]], [[-0.355836, -0.1000065], [0, 0]]]]}}
// expected-remark@+2 {{dk = [[[[0.02790821, -0.04186232], [-0.02558853, 0.02558853]], [[-0.1279147, 0.1918721], [-0.1772651, 0.1772651]], [[0.1000065, -0.1500098], [0.2028536, -0.2028536]]]]}}
// expected-remark@+1 {{dv = [[[[0.09995388], [0.6067062]], [[0.2717028], [0.6067062]], [[0.1283433], [0.2865877]]]]}}
job.func @attention() -> (!job.blob<1x2x2x1xf64> {job.name = "y"}, !job.blob<1x2x2xf64> {job.name = "l"}, !job.blob<1x2x2x2xf64> {job.name = "dq"}, !job.blob<1x3x2x2xf64> {job.name = "dk"}, !job.blob<1x3x2x1xf64> {job.name = "dv"}) kind predict {
  %q = job.constant dense<[[[[0.5, 1.5], [1.0, -1.0]], [[-1.0, 1.5], [-2.0, 1.5]]]]> : tensor<1x2x2x2xf64>
  %k = job.constant dense<[[[[1.0, 0.0], [-1.0, -1.0]], [[-1.0, 0.0], [0.0, 0.0]], [[2.0, 1.0], [0.5, 2.0]]]]> : tensor<1x3x2x2xf64>
  %v = job.constant dense<[[[[-1.0], [-1.5]], [[0.5], [-2.0]], [[-2.0], [0.0]]]]> : tensor<1x3x2x1xf64>
  %dy = job.constant dense<[[[[0.0], [1.5]], [[0.5], [0.0]]]]> : tensor<1x2x2x1xf64>
  %y, %l = job.attention %q, %k, %v {scale = 0.5 : f64} : !job.blob<1x2x2x2xf64>, !job.blob<1x3x2x2xf64>, !job.blob<1x3x2x1xf64>
  %dq, %dk, %dv = job.attention_grad %dy, %q, %k, %v, %y, %l {scale = 0.5 : f64} : !job.blob<1x2x2x1xf64>, !job.blob<1x2x2x2xf64>, !job.blob<1x3x2x2xf64>, !job.blob<1x3x2x1xf64>, !job.blob<1x2x2xf64>
  job.return %y, %l, %dq, %dk, %dv : !job.blob<1x2x2x1xf64>, !job.blob<1x2x2xf64>, !job.blob<1x2x2x2xf64>, !job.blob<1x3x2x2xf64>, !job.blob<1x3x2x1xf64>
}

// Query 0 sees the keys 0 and 1, query 1 all three.
// expected-remark@+5 {{y = [[[[-0.2689414, 1.5]], [[-0.01239638, 1.494604]]]]}}
// expected-remark@+4 {{l = [[[2.313262, 3.029]]]}}
// expected-remark@+3 {{dq = [[[[0.4423768, 0.2949179]], [[-0.01579651, -0.003859125]]]]}}
// expected-remark@+2 {{dk = [[[[-0.0002880044, -0.2950619]], [[-0.0157245, 0.2870556]], [[0.01601251, 0.008006255]]]]}}
// expected-remark@+1 {{dv = [[[[-0.4034121, 0.02668817]], [[-1.096588, 1.457125]], [[0, 0.01618719]]]]}}
job.func @causal() -> (!job.blob<1x2x1x2xf64> {job.name = "y"}, !job.blob<1x1x2xf64> {job.name = "l"}, !job.blob<1x2x1x2xf64> {job.name = "dq"}, !job.blob<1x3x1x2xf64> {job.name = "dk"}, !job.blob<1x3x1x2xf64> {job.name = "dv"}) kind predict {
  %q = job.constant dense<[[[[0.0, -1.0]], [[-2.0, -1.0]]]]> : tensor<1x2x1x2xf64>
  %k = job.constant dense<[[[[1.0, -1.0]], [[-0.5, -2.0]], [[1.5, -1.5]]]]> : tensor<1x3x1x2xf64>
  %v = job.constant dense<[[[[-1.0, 1.5]], [[0.0, 1.5]], [[0.5, 1.0]]]]> : tensor<1x3x1x2xf64>
  %dy = job.constant dense<[[[[-1.5, 0.0]], [[0.0, 1.5]]]]> : tensor<1x2x1x2xf64>
  %y, %l = job.attention %q, %k, %v {causal = true, scale = 1.0 : f64} : !job.blob<1x2x1x2xf64>, !job.blob<1x3x1x2xf64>, !job.blob<1x3x1x2xf64>
  %dq, %dk, %dv = job.attention_grad %dy, %q, %k, %v, %y, %l {causal = true, scale = 1.0 : f64} : !job.blob<1x2x1x2xf64>, !job.blob<1x2x1x2xf64>, !job.blob<1x3x1x2xf64>, !job.blob<1x3x1x2xf64>, !job.blob<1x1x2xf64>
  job.return %y, %l, %dq, %dk, %dv : !job.blob<1x2x1x2xf64>, !job.blob<1x1x2xf64>, !job.blob<1x2x1x2xf64>, !job.blob<1x3x1x2xf64>, !job.blob<1x3x1x2xf64>
}

// The largest score is subtracted first.
// expected-remark@+5 {{y = [[[[-1]]]]}}
// expected-remark@+4 {{l = [[[750]]]}}
// expected-remark@+3 {{dq = [[[[0]]]]}}
// expected-remark@+2 {{dk = [[[[0]], [[0]]]]}}
// expected-remark@+1 {{dv = [[[[0]], [[1]]]]}}
job.func @large_scores() -> (!job.blob<1x1x1x1xf64> {job.name = "y"}, !job.blob<1x1x1xf64> {job.name = "l"}, !job.blob<1x1x1x1xf64> {job.name = "dq"}, !job.blob<1x2x1x1xf64> {job.name = "dk"}, !job.blob<1x2x1x1xf64> {job.name = "dv"}) kind predict {
  %q = job.constant dense<[[[[1.5]]]]> : tensor<1x1x1x1xf64>
  %k = job.constant dense<[[[[0.5]], [[-0.5]]]]> : tensor<1x2x1x1xf64>
  %v = job.constant dense<[[[[2.0]], [[-1.0]]]]> : tensor<1x2x1x1xf64>
  %dy = job.constant dense<[[[[1.0]]]]> : tensor<1x1x1x1xf64>
  %y, %l = job.attention %q, %k, %v {scale = -1000.0 : f64} : !job.blob<1x1x1x1xf64>, !job.blob<1x2x1x1xf64>, !job.blob<1x2x1x1xf64>
  %dq, %dk, %dv = job.attention_grad %dy, %q, %k, %v, %y, %l {scale = -1000.0 : f64} : !job.blob<1x1x1x1xf64>, !job.blob<1x1x1x1xf64>, !job.blob<1x2x1x1xf64>, !job.blob<1x2x1x1xf64>, !job.blob<1x1x1xf64>
  job.return %y, %l, %dq, %dk, %dv : !job.blob<1x1x1x1xf64>, !job.blob<1x1x1xf64>, !job.blob<1x1x1x1xf64>, !job.blob<1x2x1x1xf64>, !job.blob<1x2x1x1xf64>
}
