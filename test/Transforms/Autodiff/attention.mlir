// RUN: job-opt %s --job-autodiff --canonicalize | FileCheck %s
// RUN: job-opt %s --job-autodiff --job-build-initializer --job-check-gradients

// The loss is %g times the result, so the argument %g, %arg0 when printed, is
// the result's gradient.

job.variable @q : !job.blob<2x3x2x4xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @k : !job.blob<2x5x2x4xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @v : !job.blob<2x5x2x6xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>

// CHECK-LABEL: job.func @all(%arg0: !job.blob<2x3x2x6xf64>
// CHECK: %[[Y:.*]], %[[L:.*]] = job.attention %[[Q:.*]], %[[K:.*]], %[[V:[^ ]*]] {
// CHECK: %[[D:.*]]:3 = job.attention_grad %arg0, %[[Q]], %[[K]], %[[V]], %[[Y]], %[[L]] {causal = true, scale = 5.000000e-01 : f64}
// CHECK-DAG: job.update @q, %[[D]]#0
// CHECK-DAG: job.update @k, %[[D]]#1
// CHECK-DAG: job.update @v, %[[D]]#2
job.func @all(%g: !job.blob<2x3x2x6xf64>) kind train {
  %q = job.read @q : !job.blob<2x3x2x4xf64>
  %k = job.read @k : !job.blob<2x5x2x4xf64>
  %v = job.read @v : !job.blob<2x5x2x6xf64>
  %y, %l = job.attention %q, %k, %v {causal = true, scale = 0.5 : f64} : !job.blob<2x3x2x4xf64>, !job.blob<2x5x2x4xf64>, !job.blob<2x5x2x6xf64>
  %loss = job.mul %y, %g : !job.blob<2x3x2x6xf64>
  job.loss %loss : !job.blob<2x3x2x6xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// P (dl * scale) K and P^T (dl * scale * Q), the weights P from attention to
// other values.
// CHECK-LABEL: job.func @logsumexp(%arg0: !job.blob<2x2x3xf64>
// CHECK-DAG: %[[Q:.*]] = job.read @q :
// CHECK-DAG: %[[K:.*]] = job.read @k :
// CHECK-DAG: %[[SCALED:.*]] = job.mul %arg0, %
// CHECK-DAG: %[[ROWS:.*]] = job.transpose %[[SCALED]] {permutation = array<i64: 0, 2, 1>}
// CHECK-DAG: %[[DL:.*]] = job.broadcast_in_dim %[[ROWS]] {dims = array<i64: 0, 1, 2>} : <2x3x2xf64> to <2x3x2x4xf64>
// CHECK-DAG: %[[Z:.*]], %[[LZ:.*]] = job.attention %[[Q]], %[[K]], %[[K]] {scale = 5.000000e-01 : f64}
// CHECK-DAG: %[[DQ:.*]] = job.mul %[[DL]], %[[Z]]
// CHECK-DAG: %[[DZ:.*]] = job.mul %[[DL]], %[[Q]]
// CHECK-DAG: %[[D:.*]]:3 = job.attention_grad %[[DZ]], %[[Q]], %[[K]], %[[K]], %[[Z]], %[[LZ]]
// CHECK-DAG: job.update @q, %[[DQ]]
// CHECK-DAG: job.update @k, %[[D]]#2
// CHECK-NOT: job.update
job.func @logsumexp(%g: !job.blob<2x2x3xf64>) kind train {
  %q = job.read @q : !job.blob<2x3x2x4xf64>
  %k = job.read @k : !job.blob<2x5x2x4xf64>
  %v = job.read @v : !job.blob<2x5x2x6xf64>
  %y, %l = job.attention %q, %k, %v {scale = 0.5 : f64} : !job.blob<2x3x2x4xf64>, !job.blob<2x5x2x4xf64>, !job.blob<2x5x2x6xf64>
  %loss = job.mul %l, %g : !job.blob<2x2x3xf64>
  job.loss %loss : !job.blob<2x2x3xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// Only the gradients that have a use are added up.
// CHECK-LABEL: job.func @self(
// CHECK: %[[D:.*]]:3 = job.attention_grad
// CHECK: %[[SUM:.*]] = job.add
// CHECK: job.update @k, %
// CHECK-NOT: job.update
job.func @self(%g: !job.blob<2x5x2x4xf64>, %q: !job.blob<2x5x2x4xf64>) kind train {
  %k = job.read @k : !job.blob<2x5x2x4xf64>
  %y, %l = job.attention %q, %k, %k {causal = true, scale = 0.5 : f64} : !job.blob<2x5x2x4xf64>, !job.blob<2x5x2x4xf64>, !job.blob<2x5x2x4xf64>
  %loss = job.mul %y, %g : !job.blob<2x5x2x4xf64>
  job.loss %loss : !job.blob<2x5x2x4xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// Values alone: the gradients of query and key are not needed.
// CHECK-LABEL: job.func @values(
// CHECK: %[[D:.*]]:3 = job.attention_grad
// CHECK-NOT: job.add
// CHECK: job.update @v, %[[D]]#2
job.func @values(%g: !job.blob<2x3x2x6xf64>, %q: !job.blob<2x3x2x4xf64>, %k: !job.blob<2x5x2x4xf64>) kind train {
  %v = job.read @v : !job.blob<2x5x2x6xf64>
  %y, %l = job.attention %q, %k, %v {scale = 0.5 : f64} : !job.blob<2x3x2x4xf64>, !job.blob<2x5x2x4xf64>, !job.blob<2x5x2x6xf64>
  %loss = job.mul %y, %g : !job.blob<2x3x2x6xf64>
  job.loss %loss : !job.blob<2x3x2x6xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

job.variable @qkv : !job.blob<2x3x6x4xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @more : !job.blob<2x3x9x4xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>

// The gradient of heads of a blob is that of slices, and zeros beside them.
// CHECK-LABEL: job.func @heads(%arg0: !job.blob<2x3x2x4xf64>
// CHECK: %[[X:.*]] = job.read @qkv
// CHECK: %[[Y:.*]], %[[L:.*]] = job.attention %[[X]], %[[X]], %[[X]] {heads_after
// CHECK-DAG: %[[Q:.*]] = job.slice %[[X]] {offsets = array<i64: 0, 0, 0, 0>
// CHECK-DAG: %[[K:.*]] = job.slice %[[X]] {offsets = array<i64: 0, 0, 2, 0>
// CHECK-DAG: %[[V:.*]] = job.slice %[[X]] {offsets = array<i64: 0, 0, 4, 0>
// CHECK: %[[D:.*]]:3 = job.attention_grad %arg0, %[[Q]], %[[K]], %[[V]], %[[Y]], %[[L]] {scale
// CHECK: %[[DX:.*]] = job.concat %[[D]]#0, %[[D]]#1, %[[D]]#2
// CHECK: job.update @qkv, %[[DX]]
job.func @heads(%g: !job.blob<2x3x2x4xf64>) kind train {
  %x = job.read @qkv : !job.blob<2x3x6x4xf64>
  %y, %l = job.attention %x, %x, %x {heads_before = array<i64: 0, 2, 4>, heads_after = array<i64: 4, 2, 0>, scale = 0.5 : f64} : !job.blob<2x3x6x4xf64>, !job.blob<2x3x6x4xf64>, !job.blob<2x3x6x4xf64>
  %loss = job.mul %y, %g : !job.blob<2x3x2x4xf64>
  job.loss %loss : !job.blob<2x3x2x4xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// Of both results, with heads that nothing reads, and some that are read twice.
// CHECK-LABEL: job.func @heads_of_both(
// CHECK: job.update @more
job.func @heads_of_both(%g: !job.blob<2x3x3x4xf64>, %h: !job.blob<2x3x3xf64>) kind train {
  %x = job.read @more : !job.blob<2x3x9x4xf64>
  %y, %l = job.attention %x, %x, %x {heads_before = array<i64: 0, 1, 5>, heads_after = array<i64: 6, 5, 1>, scale = 0.5 : f64} : !job.blob<2x3x9x4xf64>, !job.blob<2x3x9x4xf64>, !job.blob<2x3x9x4xf64>
  %0 = job.mul %y, %g : !job.blob<2x3x3x4xf64>
  %1 = job.reduce_sum %0 {axes = array<i64: 3>} : !job.blob<2x3x3x4xf64>
  %2 = job.transpose %1 {permutation = array<i64: 0, 2, 1>} : !job.blob<2x3x3xf64>
  %3 = job.mul %l, %h : !job.blob<2x3x3xf64>
  %loss = job.add %2, %3 : !job.blob<2x3x3xf64>
  job.loss %loss : !job.blob<2x3x3xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}
