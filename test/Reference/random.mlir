// RUN: job-opt %s --job-interpret -o /dev/null --verify-diagnostics

// The expected values are those of Philox4x32-10 in Python.

// expected-remark@+1 {{u = [0.3990465, 0.9722412, 0.01944941, 0.7873678]}}
job.func @uniform_zeros() -> (!job.blob<4xf32> {job.name = "u"}) kind predict {
  %seed = job.constant dense<0> : tensor<1xi64>
  %step = job.constant dense<0> : tensor<1xi64>
  %u = job.random_uniform %seed, %step {id = 0 : i64} : !job.blob<4xf32>
  job.return %u : !job.blob<4xf32>
}

// expected-remark@+1 {{u = [[0.665227, 0.7936501, 0.9806107], [0.4429844, 0.09349507, 0.7231304]]}}
job.func @uniform_words() -> (!job.blob<2x3xf64> {job.name = "u"}) kind predict {
  %seed = job.constant dense<-2> : tensor<1xi64>
  %step = job.constant dense<21474836483> : tensor<1xi64>
  %u = job.random_uniform %seed, %step {id = 4294967295 : i64} : !job.blob<2x3xf64>
  job.return %u : !job.blob<2x3xf64>
}

// expected-remark@+1 {{y = [0, 3.333333, 5, 6.666667, 8.333333, 10, 11.66667, 0, 15, 16.66667]}}
job.func @dropout() -> (!job.blob<10xf64> {job.name = "y"}) kind predict {
  %x = job.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]> : tensor<10xf64>
  %step = job.constant dense<3> : tensor<1xi64>
  %y = job.dropout %x, %step {rate = 0.4, seed = 11 : i64, id = 1 : i64} : !job.blob<10xf64>
  job.return %y : !job.blob<10xf64>
}
