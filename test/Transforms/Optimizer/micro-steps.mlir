// RUN: job-opt %s --job-optimizer | FileCheck %s

// The objective is the mean over all 2 * 4 elements of the loss.

job.variable @w : !job.blob<4xf32> init #job.constant_init<0.0>

// CHECK-LABEL: job.func @losses
// CHECK: %[[A:.*]] = job.acc
// CHECK: %[[F:.*]] = job.constant dense<1.250000e-01> : tensor<4xf32>
// CHECK: job.mul %[[A]], %[[F]]
job.func @losses() kind train {
  %w = job.read @w : !job.blob<4xf32>
  %r = job.broadcast_micro_steps %w {count = 2 : i64} : !job.blob<4xf32>
  job.loss %r : !job.blob<4xf32>
  %ones = job.constant dense<1.0> : tensor<4xf32>
  %g = job.acc %ones {count = 2 : i64} : !job.blob<4xf32>
  job.update @w, %g : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}
