// RUN: job-opt %s --job-optimizer --canonicalize | FileCheck %s

job.variable @w : !job.blob<2x4xf32> init #job.constant_init<1.0>
job.variable @b : !job.blob<3xf32> init #job.constant_init<1.0>
job.variable @wide : !job.blob<3xf64> init #job.constant_init<1.0>
job.variable @narrow : !job.blob<3xbf16> init #job.constant_init<1.0>

// The norm is of the gradients of the mean: those without the factor 1/4. It is
// computed in f64, where no square of an f32 overflows.
// CHECK-LABEL: job.func @global
// CHECK-DAG: %[[LIMIT:.*]] = job.constant dense<2.000000e+00> : tensor<1xf64>
// CHECK: %[[W:.*]] = job.mul %arg0, %{{.*}} : <2x4xf32>
// CHECK: %[[WIDE:.*]] = job.cast %[[W]] : <2x4xf32> to <2x4xf64>
// CHECK: %[[WW:.*]] = job.mul %[[WIDE]], %[[WIDE]]
// CHECK: %[[SW:.*]] = job.reduce_sum %[[WW]] {axes = array<i64: 0, 1>}
// CHECK: %[[B:.*]] = job.mul %arg1, %{{.*}} : <3xf32>
// CHECK: %[[SB:.*]] = job.reduce_sum
// CHECK: %[[SUM:.*]] = job.add %[[SW]], %[[SB]]
// CHECK: %[[NORM:.*]] = job.sqrt %[[SUM]]
// CHECK: %[[MAX:.*]] = job.maximum %[[NORM]], %[[LIMIT]]
// CHECK: %[[WIDE_FACTOR:.*]] = job.div %[[LIMIT]], %[[MAX]]
// CHECK: %[[FACTOR:.*]] = job.cast %[[WIDE_FACTOR]] : <1xf64> to <1xf32>
// CHECK: %[[FW:.*]] = job.broadcast_in_dim %[[FACTOR]]
// CHECK: job.mul %[[W]], %[[FW]]
// CHECK: job.assign @w
// CHECK: %[[FB:.*]] = job.broadcast_in_dim
// CHECK: job.mul %[[B]], %[[FB]]
// CHECK: job.assign @b
job.func @global(%g: !job.blob<2x4xf32>, %h: !job.blob<3xf32>) kind train {
  %w = job.read @w : !job.blob<2x4xf32>
  %loss = job.reduce_sum %w {axes = array<i64: 0>} : !job.blob<2x4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<1.0> {clipping = #job.clip_by_global_norm<clip_norm = 2.0, legacy = false>}
  job.update @w, %g : !job.blob<2x4xf32>
  job.update @b, %h : !job.blob<3xf32>
  job.return
}

// CHECK-LABEL: job.func @legacy
// CHECK-DAG: %[[ONE:.*]] = job.constant dense<1.000000e+00> : tensor<1xf64>
// CHECK-DAG: %[[LIMIT:.*]] = job.constant dense<2.000000e+00> : tensor<1xf64>
// CHECK: %[[MAX:.*]] = job.maximum %{{.*}}, %[[LIMIT]]
// CHECK: job.div %[[ONE]], %[[MAX]]
job.func @legacy(%h: !job.blob<3xf32>) kind train {
  %b = job.read @b : !job.blob<3xf32>
  job.loss %b : !job.blob<3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<1.0> {clipping = #job.clip_by_global_norm<clip_norm = 2.0, legacy = true>}
  job.update @b, %h : !job.blob<3xf32>
  job.return
}

// Factors have the type of their gradient.
// CHECK-LABEL: job.func @types
// CHECK: %[[H:.*]] = job.cast %arg1 : <3xbf16> to <3xf32>
// CHECK: job.cast %{{.*}} : <3xf32> to <3xf64>
// CHECK: %[[FACTOR:.*]] = job.div %{{.*}} : <1xf64>
// CHECK: job.broadcast_in_dim %[[FACTOR]] {dims = array<i64: 0>} : <1xf64> to <3xf64>
// CHECK: job.cast %[[FACTOR]] : <1xf64> to <1xf32>
job.func @types(%g: !job.blob<3xf64>, %h: !job.blob<3xbf16>) kind train {
  %w = job.read @wide : !job.blob<3xf64>
  job.loss %w : !job.blob<3xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<1.0> {clipping = #job.clip_by_global_norm<clip_norm = 2.0, legacy = false>}
  job.update @wide, %g : !job.blob<3xf64>
  job.update @narrow, %h : !job.blob<3xbf16>
  job.return
}

// Two optimizers with one norm, of the gradients of both.
// CHECK-LABEL: job.func @joint
// CHECK: %[[SW:.*]] = job.reduce_sum %{{.*}} {axes = array<i64: 0, 1>} : <2x4xf64>
// CHECK: %[[SB:.*]] = job.reduce_sum %{{.*}} {axes = array<i64: 0>} : <3xf64>
// CHECK: %[[SUM:.*]] = job.add %[[SW]], %[[SB]]
// CHECK: job.sqrt %[[SUM]]
// CHECK-NOT: job.sqrt
// CHECK: %[[FACTOR:.*]] = job.div
// CHECK: %[[FW:.*]] = job.cast %[[FACTOR]]
// CHECK: job.broadcast_in_dim %[[FW]] {{.*}} to <2x4xf32>
// CHECK: job.assign @w
// CHECK: %[[FB:.*]] = job.cast %[[FACTOR]]
// CHECK: job.broadcast_in_dim %[[FB]] {{.*}} to <3xf32>
// CHECK: job.assign @b
job.func @joint(%g: !job.blob<2x4xf32>, %h: !job.blob<3xf32>) kind train {
  %w = job.read @w : !job.blob<2x4xf32>
  %loss = job.reduce_sum %w {axes = array<i64: 0>} : !job.blob<2x4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<1.0> {clipping = #job.clip_by_global_norm<clip_norm = 2.0, legacy = false, joint = true>}
  job.minimize #job.sgd schedule #job.constant_schedule<0.5> {clipping = #job.clip_by_global_norm<clip_norm = 2.0, legacy = false, joint = true>, variables = [@b]}
  job.update @w, %g : !job.blob<2x4xf32>
  job.update @b, %h : !job.blob<3xf32>
  job.return
}

// Otherwise each has its own.
// CHECK-LABEL: job.func @apart
// CHECK-COUNT-2: job.sqrt
job.func @apart(%g: !job.blob<2x4xf32>, %h: !job.blob<3xf32>) kind train {
  %w = job.read @w : !job.blob<2x4xf32>
  %loss = job.reduce_sum %w {axes = array<i64: 0>} : !job.blob<2x4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<1.0> {clipping = #job.clip_by_global_norm<clip_norm = 2.0, legacy = false>}
  job.minimize #job.sgd schedule #job.constant_schedule<0.5> {clipping = #job.clip_by_global_norm<clip_norm = 2.0, legacy = false>, variables = [@b]}
  job.update @w, %g : !job.blob<2x4xf32>
  job.update @b, %h : !job.blob<3xf32>
  job.return
}
