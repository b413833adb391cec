// What a step computes once is where job.minimize is; what it computes of one
// variable is where the variable is.

// RUN: job-opt %s --job-optimizer --canonicalize | FileCheck %s

#cpu = #job.placement<cpu, "0:0">
#gpu0 = #job.placement<gpu, "0:0">
#gpu1 = #job.placement<gpu, "0:1">

job.variable @v : !job.blob<3xf32> init #job.constant_init<1.0>
job.variable @w : !job.blob<3xf32> init #job.constant_init<1.0>

// CHECK-DAG: #[[CPU:.*]] = #job.placement<cpu, "0:0">
// CHECK-DAG: #[[GPU0:.*]] = #job.placement<gpu, "0:0">
// CHECK-DAG: #[[GPU1:.*]] = #job.placement<gpu, "0:1">
// CHECK-LABEL: job.func @step
// CHECK-SAME: placement = #[[GPU0]]
// CHECK: job.step {job.placement = #[[CPU]]}
// CHECK: job.compare {{.*}}job.placement = #[[CPU]]
// CHECK: %[[V:.*]] = job.reduce_sum %{{.*}} {axes = array<i64: 0>} : <3xf64>
// CHECK: %[[W:.*]] = job.reduce_sum %{{.*}} {axes = array<i64: 0>, job.placement = #[[GPU1]]}
// CHECK: %[[SUM:.*]] = job.add %[[V]], %[[W]] {job.placement = #[[CPU]]}
// CHECK: job.sqrt %[[SUM]] {job.placement = #[[CPU]]}
// CHECK: job.assign @v, %{{[^ ]*}} : <3xf32>
// CHECK: job.assign @w, %{{.*}} {job.placement = #[[GPU1]]}
job.func @step(%g: !job.blob<3xf32>) kind train attributes {placement = #gpu0} {
  %v = job.read @v : !job.blob<3xf32>
  %w = job.read @w {job.placement = #gpu1} : !job.blob<3xf32>
  job.loss %v : !job.blob<3xf32>
  job.minimize #job.sgd schedule #job.piecewise_constant_schedule<boundaries = [1], values = [0.5, 0.25]> {clipping = #job.clip_by_global_norm<clip_norm = 2.0, legacy = false>, job.placement = #cpu}
  job.update @v, %g : !job.blob<3xf32>
  job.update @w, %g {job.placement = #gpu1} : !job.blob<3xf32>
  job.return
}

// Of a dynamic loss scale as well.
job.variable @scale : !job.blob<1xf32> init #job.constant_init<1024.0> {trainable = false}
job.variable @good_steps : !job.blob<1xi64> init #job.constant_init<0.0> {trainable = false}

// CHECK-LABEL: job.func @scaled
// CHECK: job.read @scale {job.placement = #[[GPU1]]}
// CHECK: job.assign @scale, %{{.*}} {job.placement = #[[GPU1]]}
job.func @scaled(%g: !job.blob<3xf32>) kind train attributes {placement = #gpu0} {
  %v = job.read @v : !job.blob<3xf32>
  job.loss %v : !job.blob<3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<1.0> {dynamic_loss_scale = #job.dynamic_loss_scale<scale = @scale, good_steps = @good_steps, period = 2, multiplier = 2.0>, job.placement = #gpu1}
  job.update @v, %g : !job.blob<3xf32>
  job.return
}
