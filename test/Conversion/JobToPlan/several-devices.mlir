// Each command is on the queue of its device, buffers are in the spaces of
// theirs, and transfers are copies on the queue of the GPU.

// RUN: job-opt %s --job-plan-pipeline | FileCheck %s
// RUN: job-opt %s --job-plan-pipeline --job-lower-pipeline=gpu-targets=simulated -o /dev/null

#cpu = #job.placement<cpu, "0:0">
#gpu = #job.placement<gpu, "0:0">

// The first device is that of the first job.
// CHECK: plan.device @gpu0 kind(cuda) queues(1){{$}}
// CHECK: plan.device @cpu0 kind(host) queues(1){{$}}
// CHECK: plan.variable @w : memref<4xf32, #variables>
job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0> {placement = #gpu}
// CHECK: plan.variable @v : memref<4xf32, #cpu0_variables>
job.variable @v : !job.blob<4xf32> init #job.constant_init<1.0> {placement = #cpu}

// CHECK-LABEL: plan.program @f
// CHECK-SAME: @cpu0 arena =
// CHECK: %[[X:.*]] = plan.input 0 "x" {{.*}} : memref<4xf32, #inputs>
// The host reads the input itself, the GPU a copy.
// CHECK: plan.copy %[[X]] to %[[X_THERE:.*]] : memref<4xf32, #inputs> to memref<4xf32, #arena>
// CHECK: %[[V:.*]] = plan.get_variable @v : memref<4xf32, #cpu0_variables>
// CHECK: plan.dispatch @{{.*}} queue(1) ins(%[[X]], %[[V]] : memref<4xf32, #inputs>, memref<4xf32, #cpu0_variables>) outs(%[[A:.*]] : memref<4xf32, #cpu0_arena>)
// CHECK: plan.copy %[[A]] to %[[A_THERE:.*]] : memref<4xf32, #cpu0_arena> to memref<4xf32, #arena>
// CHECK: plan.dispatch @{{.*}} ins(%[[A_THERE]], %[[X_THERE]] : memref<4xf32, #arena>, memref<4xf32, #arena>) inouts(%{{.*}} : memref<4xf32, #variables>)
job.func @f(%x: !job.blob<4xf32> {job.name = "x"}) kind predict attributes {placement = #gpu} {
  %v = job.read @v : !job.blob<4xf32>
  %0 = job.mul %x, %v {job.placement = #cpu} : !job.blob<4xf32>
  %w = job.read @w : !job.blob<4xf32>
  %1 = job.sub %w, %0 : !job.blob<4xf32>
  %2 = job.add %1, %x : !job.blob<4xf32>
  job.assign @w, %2 : !job.blob<4xf32>
  job.return
}

// What is returned as it came in is copied by the host.
// CHECK-LABEL: plan.program @returned
// CHECK: plan.copy %{{.*}} to %{{.*}} queue(1) : memref<4xf32, #inputs> to memref<4xf32, #outputs>
job.func @returned(%x: !job.blob<4xf32>) -> !job.blob<4xf32> kind predict attributes {placement = #gpu} {
  job.return %x : !job.blob<4xf32>
}

// Rows of a result that are copied from the memory of the GPU leave it by its
// own queue, although the loop is on both devices.
// CHECK-LABEL: plan.program @rows
// CHECK: plan.repeat count(2)
// CHECK: plan.copy %{{.*}} to %[[ROW:.*]] : memref<2xf32, #inputs> to memref<2xf32, #arena>
// CHECK: plan.copy %[[ROW]] to %{{.*}} : memref<2xf32, #arena> to memref<2xf32, #outputs>
job.func @rows(%x: !job.blob<4xf32>, %y: !job.blob<2xf32>) -> (!job.blob<4xf32>, !job.blob<2xf32>) kind predict attributes {placement = #gpu} {
  %0 = job.unpack %x {count = 2 : i64} : !job.blob<4xf32>
  %1 = job.pack %0 {count = 2 : i64} : !job.blob<2xf32>
  %2 = job.broadcast_micro_steps %y {count = 2 : i64} : !job.blob<2xf32>
  %3 = job.acc %2 {count = 2 : i64, job.placement = #cpu} : !job.blob<2xf32>
  job.return %1, %3 : !job.blob<4xf32>, !job.blob<2xf32>
}

// Initial values are computed where the variables are.
// CHECK-LABEL: plan.program @jobmlir_init
// CHECK-DAG: plan.dispatch @{{.*}} ins({{.*}}) outs(%{{.*}} : memref<4xf32, #variables>)
// CHECK-DAG: plan.dispatch @{{.*}} queue(1) ins({{.*}}) outs(%{{.*}} : memref<4xf32, #cpu0_variables>)
job.func @jobmlir_init(%seed: !job.blob<1xi64> {job.name = "seed"}) kind init {
  %0 = job.cast %seed : !job.blob<1xi64> to !job.blob<1xf32>
  %1 = job.broadcast_in_dim %0 {dims = array<i64: 0>} : !job.blob<1xf32> to !job.blob<4xf32>
  job.assign @w, %1 : !job.blob<4xf32>
  %2 = job.neg %seed : !job.blob<1xi64>
  %3 = job.cast %2 : !job.blob<1xi64> to !job.blob<1xf32>
  %4 = job.broadcast_in_dim %3 {dims = array<i64: 0>} : !job.blob<1xf32> to !job.blob<4xf32>
  job.assign @v, %4 : !job.blob<4xf32>
  job.return
}
