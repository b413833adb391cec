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

// Parts of @uniform_words: its last columns, and its last row.
// expected-remark@+2 {{columns = [[0.7936501, 0.9806107], [0.09349507, 0.7231304]]}}
// expected-remark@+1 {{row = [[0.4429844, 0.09349507, 0.7231304]]}}
job.func @uniform_shards() -> (!job.blob<2x2xf64> {job.name = "columns"}, !job.blob<1x3xf64> {job.name = "row"}) kind predict {
  %seed = job.constant dense<-2> : tensor<1xi64>
  %step = job.constant dense<21474836483> : tensor<1xi64>
  %columns = job.random_uniform %seed, %step {id = 4294967295 : i64, shard = #job.shard<[0, 1] of [2, 3]>} : !job.blob<2x2xf64>
  %row = job.random_uniform %seed, %step {id = 4294967295 : i64, shard = #job.shard<[1, 0] of [2, 3]>} : !job.blob<1x3xf64>
  job.return %columns, %row : !job.blob<2x2xf64>, !job.blob<1x3xf64>
}

// Of @dropout: where its first and eighth element are 0.
// expected-remark@+1 {{y = [0, 1.666667, 1.666667]}}
job.func @dropout_shard() -> (!job.blob<3xf64> {job.name = "y"}) kind predict {
  %x = job.constant dense<1.0> : tensor<3xf64>
  %step = job.constant dense<3> : tensor<1xi64>
  %y = job.dropout %x, %step {rate = 0.4, seed = 11 : i64, id = 1 : i64, shard = #job.shard<[7] of [10]>} : !job.blob<3xf64>
  job.return %y : !job.blob<3xf64>
}
