// RUN: job-opt %s --job-optimizer --canonicalize | FileCheck %s

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
job.variable @b : !job.blob<4xf32> init #job.constant_init<1.0>

// The variable is read once: w - 0.5 * (g + 0.25 * w).
// CHECK-LABEL: job.func @all
// CHECK-DAG: %[[RATE:.*]] = job.constant dense<5.000000e-01> : tensor<4xf32>
// CHECK-DAG: %[[DECAY:.*]] = job.constant dense<2.500000e-01> : tensor<4xf32>
// CHECK: %[[W:.*]] = job.read @w
// CHECK: %[[TERM:.*]] = job.mul %[[W]], %[[DECAY]]
// CHECK: %[[SUM:.*]] = job.add %{{.*}}, %[[TERM]]
// CHECK: %[[STEP:.*]] = job.mul %[[SUM]], %[[RATE]]
// CHECK: %[[NEW:.*]] = job.sub %[[W]], %[[STEP]]
// CHECK: job.assign @w, %[[NEW]]
job.func @all(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  job.loss %w : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.5> {weight_decay = #job.weight_decay<rate = 0.25>}
  job.update @w, %g : !job.blob<4xf32>
  job.return
}

// Only @w decays.
// CHECK-LABEL: job.func @some
// CHECK: job.read @b
// CHECK-NEXT: job.sub
// CHECK-NEXT: job.assign @b
// CHECK: %[[W:.*]] = job.read @w
// CHECK: job.mul %[[W]], %{{.*}}
// CHECK: job.assign @w
job.func @some(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  job.loss %w : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.5> {weight_decay = #job.weight_decay<rate = 0.25, variables = [@w]>}
  job.update @b, %g : !job.blob<4xf32>
  job.update @w, %g : !job.blob<4xf32>
  job.return
}

// A rate of 0, and an empty list, leave plain descent.
// CHECK-LABEL: job.func @none
// CHECK: job.read @b
// CHECK-NEXT: job.sub
// CHECK: job.read @w
// CHECK-NEXT: job.sub
job.func @none(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  job.loss %w : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.5> {variables = [@b], weight_decay = #job.weight_decay<rate = 0.0>}
  job.minimize #job.sgd schedule #job.constant_schedule<0.5> {weight_decay = #job.weight_decay<rate = 0.25, variables = []>}
  job.update @b, %g : !job.blob<4xf32>
  job.update @w, %g : !job.blob<4xf32>
  job.return
}
