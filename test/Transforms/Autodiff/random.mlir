// RUN: job-opt %s --job-autodiff --canonicalize | FileCheck %s
// RUN: job-opt %s --job-autodiff --job-build-initializer --job-check-gradients

// The loss is %g times the result, so the argument %g, %arg0 when printed, is
// the result's gradient.

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>

// The same mask again: the same op on the gradient.
// CHECK-LABEL: job.func @dropout(%arg0: !job.blob<4xf32>
// CHECK: %[[STEP:.*]] = job.step
// CHECK: %[[D:.*]] = job.dropout %arg0, %[[STEP]] {id = 7 : i64, rate = 2.500000e-01 : f64, seed = 3 : i64} : <4xf32>
// CHECK: job.update @w, %[[D]]
job.func @dropout(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %step = job.step
  %y = job.dropout %w, %step {rate = 0.25, seed = 3 : i64, id = 7 : i64} : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @shard(%arg0: !job.blob<4xf32>
// CHECK: job.dropout %arg0, %{{.*}} {id = 7 : i64, rate = 2.500000e-01 : f64, seed = 3 : i64, shard = #job.shard<[8] of [12]>} : <4xf32>
job.func @shard(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %step = job.step
  %y = job.dropout %w, %step {rate = 0.25, seed = 3 : i64, id = 7 : i64, shard = #job.shard<[8] of [12]>} : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}
