// RUN: job-opt %s --job-optimizer | FileCheck %s

// The state of an optimizer is where its variable is. What has the variable's
// shape is split in the same way.

// CHECK-DAG: #[[MESH:.*]] = #job.placement<gpu, "0:0-3">
// CHECK-DAG: #[[ROWS:.*]] = #job.sharding<[S(0)]>
// CHECK:      job.variable @w : !job.blob<8xf32>
// CHECK-SAME: {placement = #[[MESH]], sharding = #[[ROWS]]}
// CHECK-DAG:  job.variable @"w-m" : !job.blob<8xf32> init {{.*}} {placement = #[[MESH]], sharding = #[[ROWS]], trainable = false}
// CHECK-DAG:  job.variable @"w-beta1_t" : !job.blob<1xf32> init {{.*}} {placement = #[[MESH]], trainable = false}
job.variable @w : !job.blob<8xf32> init #job.constant_init<1.0> {placement = #job.placement<gpu, "0:0-3">, sharding = #job.sharding<[S(0)]>}
job.func @train() kind train {
  %w = job.read @w : !job.blob<8xf32>
  job.loss %w : !job.blob<8xf32>
  job.update @w, %w : !job.blob<8xf32>
  job.minimize #job.adam<beta1 = 0.9, beta2 = 0.999, epsilon = 1.0e-08, bias_correction = true> schedule #job.constant_schedule<0.1>
  job.return
}
