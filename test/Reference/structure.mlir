// RUN: job-opt %s --split-input-file --job-build-initializer --job-interpret="steps=2 variables=true digits=9" -o /dev/null --verify-diagnostics

// Constants of every type. Each remark comes once a step, here twice.

// expected-remark@+6 {{f32 = [[0.100000001, -2.5], [inf, nan]]}}
// expected-remark@+5 {{f64 = [0.1]}}
// expected-remark@+4 {{i1 = [1, 0]}}
// expected-remark@+3 {{i8 = [-128, 127]}}
// expected-remark@+2 {{i32 = [-2147483648, 7]}}
// expected-remark@+1 {{i64 = [[9223372036854775807, 9223372036854775807]]}}
job.func @constants() -> (!job.blob<2x2xf32> {job.name = "f32"}, !job.blob<1xf64> {job.name = "f64"}, !job.blob<2xi1> {job.name = "i1"}, !job.blob<2xi8> {job.name = "i8"}, !job.blob<2xi32> {job.name = "i32"}, !job.blob<1x2xi64> {job.name = "i64"}) kind predict {
  %0 = job.constant dense<[[0.1, -2.5], [0x7F800000, 0x7FC00000]]> : tensor<2x2xf32>
  %1 = job.constant dense<[0.1]> : tensor<1xf64>
  %2 = job.constant dense<[true, false]> : tensor<2xi1>
  %3 = job.constant dense<[-128, 127]> : tensor<2xi8>
  %4 = job.constant dense<[-2147483648, 7]> : tensor<2xi32>
  %5 = job.constant dense<9223372036854775807> : tensor<1x2xi64>
  job.return %0, %1, %2, %3, %4, %5 : !job.blob<2x2xf32>, !job.blob<1xf64>, !job.blob<2xi1>, !job.blob<2xi8>, !job.blob<2xi32>, !job.blob<1x2xi64>
}

// -----

// A read sees the assignments before it, a result is the value from before.

// expected-remark@+1 {{total = [7, 7]}}
job.variable @total : !job.blob<2xf32> init #job.constant_init<1.0> {trainable = false}

// expected-remark@+4 {{before = [1, 1]}}
// expected-remark@+3 {{after = [4, 4]}}
// expected-remark@+2 {{before = [4, 4]}}
// expected-remark@+1 {{after = [7, 7]}}
job.func @add_three() -> (!job.blob<2xf32> {job.name = "before"}, !job.blob<2xf32> {job.name = "after"}) kind predict {
  %before = job.read @total : !job.blob<2xf32>
  %three = job.constant dense<3.0> : tensor<2xf32>
  %sum = job.add %before, %three : !job.blob<2xf32>
  job.assign @total, %sum : !job.blob<2xf32>
  %after = job.read @total : !job.blob<2xf32>
  job.return %before, %after : !job.blob<2xf32>, !job.blob<2xf32>
}

// -----

// A variable has the order in which it was declared, the job that in which it is
// stored.

// expected-remark@+1 {{table = [[2, 3, 4], [5, 6, 7]]}}
job.variable @table : !job.blob<3x2xf32> init #job.dense_init<dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>> {permutation = array<i64: 1, 0>}

// expected-remark@+2 {{result0 = [[0, 3], [1, 4], [2, 5]]}}
// expected-remark@+1 {{result0 = [[1, 4], [2, 5], [3, 6]]}}
job.func @permuted() -> !job.blob<3x2xf32> kind predict {
  %table = job.read @table : !job.blob<3x2xf32>
  %one = job.constant dense<1.0> : tensor<3x2xf32>
  %sum = job.add %table, %one : !job.blob<3x2xf32>
  job.assign @table, %sum : !job.blob<3x2xf32>
  job.return %table : !job.blob<3x2xf32>
}

// -----

// A variable that is permuted within a dimension.

// expected-remark@+1 {{columns = [[2, 3, 4, 5, 6, 7]]}}
job.variable @columns : !job.blob<1x6xf32> init #job.dense_init<dense<[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]]> : tensor<1x6xf32>> {permutation = array<i64: 0, 2, 1>, expanded_shape = array<i64: 1, 2, 3>}

// expected-remark@+2 {{result0 = [[0, 3, 1, 4, 2, 5]]}}
// expected-remark@+1 {{result0 = [[1, 4, 2, 5, 3, 6]]}}
job.func @permuted_columns() -> !job.blob<1x6xf32> kind predict {
  %columns = job.read @columns : !job.blob<1x6xf32>
  %one = job.constant dense<1.0> : tensor<1x6xf32>
  %sum = job.add %columns, %one : !job.blob<1x6xf32>
  job.assign @columns, %sum : !job.blob<1x6xf32>
  job.return %columns : !job.blob<1x6xf32>
}

// -----

// Steps are counted for each job, from 0.

// expected-remark@+2 {{result0 = [0]}}
// expected-remark@+1 {{result0 = [1]}}
job.func @first() -> !job.blob<1xi64> kind predict {
  %step = job.step
  job.return %step : !job.blob<1xi64>
}

// expected-remark@+2 {{result0 = [0]}}
// expected-remark@+1 {{result0 = [1]}}
job.func @second() -> !job.blob<1xi64> kind predict {
  %step = job.step
  job.return %step : !job.blob<1xi64>
}

// -----

// A kernel computes what its ops compute outside of it; job.loss marks only.

// expected-remark@+2 {{sum = [3, 6]}}
// expected-remark@+1 {{negative = [-3, -6]}}
job.func @kernel() -> (!job.blob<2xf32> {job.name = "sum"}, !job.blob<2xf32> {job.name = "negative"}) kind predict {
  %x = job.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r:2 = job.kernel(%a = %x : !job.blob<2xf32>) -> (!job.blob<2xf32>, !job.blob<2xf32>) {
    %0 = job.add %a, %a : !job.blob<2xf32>
    %1 = job.add %0, %a : !job.blob<2xf32>
    %2 = job.neg %1 : !job.blob<2xf32>
    job.yield %1, %2 : !job.blob<2xf32>, !job.blob<2xf32>
  }
  job.loss %r#0 : !job.blob<2xf32>
  job.return %r#0, %r#1 : !job.blob<2xf32>, !job.blob<2xf32>
}

// -----

// A gradient of the user's changes no value.

// expected-remark@+1 {{y = [2, 4]}}
job.func @custom_gradient() -> (!job.blob<2xf32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = job.add %x, %x : !job.blob<2xf32>
  %1 = job.custom_gradient values(%0 : !job.blob<2xf32>) inputs(%x : !job.blob<2xf32>) {
  ^bb0(%in: !job.blob<2xf32>, %out: !job.blob<2xf32>, %grad: !job.blob<2xf32>):
    job.yield %in : !job.blob<2xf32>
  }
  job.return %1 : !job.blob<2xf32>
}
