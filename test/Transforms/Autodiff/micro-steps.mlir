// RUN: job-opt %s --job-autodiff --canonicalize --cse | FileCheck %s
// RUN: job-opt %s --job-autodiff --job-build-initializer --job-check-gradients

// The loss is %g times the result, so the argument %g, %arg0 when printed, is
// the result's gradient.

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
job.variable @all : !job.blob<8xf32> init #job.constant_init<1.0>

// CHECK-LABEL: job.func @broadcast(%arg0: !job.blob<8xf32>
// CHECK: %[[G:.*]] = job.unpack %arg0 {count = 2 : i64}
// CHECK: %[[D:.*]] = job.acc %[[G]] {count = 2 : i64} : <4xf32>
// CHECK: job.update @w, %[[D]]
job.func @broadcast(%g: !job.blob<8xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %y = job.broadcast_micro_steps %w {count = 2 : i64} : !job.blob<4xf32>
  %h = job.unpack %g {count = 2 : i64} : !job.blob<8xf32>
  %loss = job.mul %y, %h : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @unpack(%arg0: !job.blob<8xf32>
// CHECK: %[[G:.*]] = job.unpack %arg0 {count = 2 : i64}
// CHECK: %[[D:.*]] = job.pack %[[G]] {count = 2 : i64} : <4xf32>
// CHECK: job.update @all, %[[D]]
job.func @unpack(%g: !job.blob<8xf32>) kind train {
  %w = job.read @all : !job.blob<8xf32>
  %y = job.unpack %w {count = 2 : i64} : !job.blob<8xf32>
  %h = job.unpack %g {count = 2 : i64} : !job.blob<8xf32>
  %loss = job.mul %y, %h : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @acc(%arg0: !job.blob<4xf32>
// CHECK: %[[G:.*]] = job.broadcast_micro_steps %arg0 {count = 2 : i64}
// CHECK: %[[D:.*]] = job.pack %[[G]] {count = 2 : i64} : <4xf32>
// CHECK: job.update @all, %[[D]]
job.func @acc(%g: !job.blob<4xf32>) kind train {
  %w = job.read @all : !job.blob<8xf32>
  %u = job.unpack %w {count = 2 : i64} : !job.blob<8xf32>
  %y = job.acc %u {count = 2 : i64} : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @pack(%arg0: !job.blob<8xf32>
// CHECK: %[[G:.*]] = job.unpack %arg0 {count = 2 : i64}
// CHECK: %[[D:.*]] = job.acc %[[G]] {count = 2 : i64} : <4xf32>
// CHECK: job.update @w, %[[D]]
job.func @pack(%g: !job.blob<8xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %r = job.broadcast_micro_steps %w {count = 2 : i64} : !job.blob<4xf32>
  %y = job.pack %r {count = 2 : i64} : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<8xf32>
  job.loss %loss : !job.blob<8xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// The gradient of a sum of constants: one a micro-step.
// CHECK-LABEL: job.func @ones(
// CHECK: %[[ONES:.*]] = job.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK: %[[D:.*]] = job.acc %[[ONES]] {count = 3 : i64} : <4xf32>
// CHECK: job.update @w, %[[D]]
job.func @ones() kind train {
  %w = job.read @w : !job.blob<4xf32>
  %r = job.broadcast_micro_steps %w {count = 3 : i64} : !job.blob<4xf32>
  job.loss %r : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}
