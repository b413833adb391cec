// RUN: job-opt %s --job-interpret -o /dev/null --verify-diagnostics
// RUN: job-opt %s --job-form-kernels --job-interpret -o /dev/null --verify-diagnostics
// RUN: job-opt %s --job-form-micro-steps --job-interpret -o /dev/null --verify-diagnostics
// RUN: job-opt %s --job-form-micro-steps --job-form-kernels --job-schedule --job-interpret -o /dev/null --verify-diagnostics

// expected-remark@+2 {{sum = [15, 18]}}
// expected-remark@+1 {{all = [1, 2, 5, 6, 9, 10]}}
job.func @parts() -> (!job.blob<2xf32> {job.name = "sum"}, !job.blob<6xf32> {job.name = "all"}) kind predict {
  %x = job.constant dense<[1.0, 2.0, 5.0, 6.0, 9.0, 10.0]> : tensor<6xf32>
  %u = job.unpack %x {count = 3 : i64} : !job.blob<6xf32>
  %a = job.acc %u {count = 3 : i64} : !job.blob<2xf32>
  %p = job.pack %u {count = 3 : i64} : !job.blob<2xf32>
  job.return %a, %p : !job.blob<2xf32>, !job.blob<6xf32>
}

// Micro-step i sees row i, and the same factor.
// expected-remark@+2 {{y = [[10, 20], [60, 80]]}}
// expected-remark@+1 {{s = [[70, 100]]}}
job.func @rows() -> (!job.blob<2x2xf32> {job.name = "y"}, !job.blob<1x2xf32> {job.name = "s"}) kind predict {
  %x = job.constant dense<[[1.0, 1.0], [3.0, 2.0]]> : tensor<2x2xf32>
  %w = job.constant dense<[[10.0, 20.0]]> : tensor<1x2xf32>
  %u = job.unpack %x {count = 2 : i64} : !job.blob<2x2xf32>
  %r = job.broadcast_micro_steps %w {count = 2 : i64} : !job.blob<1x2xf32>
  %z = job.mul %u, %r : !job.blob<1x2xf32>
  %i = job.constant dense<[[0], [1]]> : tensor<2x1xi64>
  %j = job.unpack %i {count = 2 : i64} : !job.blob<2x1xi64>
  %k = job.reshape %j : !job.blob<1x1xi64> to !job.blob<1xi64>
  %l = job.cast %k : !job.blob<1xi64> to !job.blob<1xf32>
  %one = job.constant dense<1.0> : tensor<1xf32>
  %m = job.add %l, %one : !job.blob<1xf32>
  %f = job.broadcast_in_dim %m {dims = array<i64: 1>} : !job.blob<1xf32> to !job.blob<1x2xf32>
  %y = job.mul %z, %f : !job.blob<1x2xf32>
  %p = job.pack %y {count = 2 : i64} : !job.blob<1x2xf32>
  %s = job.acc %y {count = 2 : i64} : !job.blob<1x2xf32>
  job.return %p, %s : !job.blob<2x2xf32>, !job.blob<1x2xf32>
}

// What constants alone make is the same in every micro-step; sums wrap.
// expected-remark@+3 {{a = [4, -56]}}
// expected-remark@+2 {{p = [1, 50, 1, 50, 1, 50, 1, 50]}}
// expected-remark@+1 {{b = [1, 0, 1, 0, 1, 0, 1, 0]}}
job.func @constants() -> (!job.blob<2xi8> {job.name = "a"}, !job.blob<8xi8> {job.name = "p"}, !job.blob<8xi1> {job.name = "b"}) kind predict {
  %c = job.constant dense<[1, 50]> : tensor<2xi8>
  %d = job.constant dense<[1, 0]> : tensor<2xi8>
  %m = job.compare eq %c, %d : !job.blob<2xi8>
  %a = job.acc %c {count = 4 : i64} : !job.blob<2xi8>
  %p = job.pack %c {count = 4 : i64} : !job.blob<2xi8>
  %b = job.pack %m {count = 4 : i64} : !job.blob<2xi1>
  job.return %a, %p, %b : !job.blob<2xi8>, !job.blob<8xi8>, !job.blob<8xi1>
}
