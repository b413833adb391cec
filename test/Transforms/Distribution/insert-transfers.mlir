// RUN: job-opt %s --pass-pipeline='builtin.module(job-place,job.func(job-insert-transfers))' --split-input-file | FileCheck %s
// RUN: job-opt %s --pass-pipeline='builtin.module(job-place,job.func(job-insert-transfers,job-insert-transfers))' --split-input-file | FileCheck %s

// A value is transferred once to each device that uses it, and arguments and
// results of the job are in the memory of the host.
// CHECK-DAG: #[[CPU:placement[0-9]*]] = #job.placement<cpu, "0:0">
// CHECK-DAG: #[[GPU:placement[0-9]*]] = #job.placement<gpu, "0:0">
// CHECK-DAG: #[[ONE:placement[0-9]*]] = #job.placement<gpu, "0:1">
// CHECK-LABEL: job.func @once
// CHECK-SAME: %[[X:.*]]: !job.blob<4xf32>
// CHECK: %[[A:.*]] = job.exp %[[X]] : <4xf32>
// CHECK-DAG: %[[A0:.*]] = job.transfer %[[A]] to #[[GPU]] : <4xf32>
// CHECK-DAG: %[[A1:.*]] = job.transfer %[[A]] to #[[ONE]] : <4xf32>
// CHECK: %[[B:.*]] = job.add %[[A0]], %[[X]] {job.placement = #[[GPU]]}
// CHECK: %[[C:.*]] = job.mul %[[A0]], %[[B]] {job.placement = #[[GPU]]}
// CHECK: %[[C1:.*]] = job.transfer %[[C]] to #[[ONE]]
// CHECK: %[[D:.*]] = job.mul %[[A1]], %[[C1]] {job.placement = #[[ONE]]}
// CHECK: job.return %[[C]], %[[D]]
job.func @once(%x: !job.blob<4xf32>) -> (!job.blob<4xf32>, !job.blob<4xf32>) kind predict attributes {placement = #job.placement<cpu, "0:0">} {
  %a = job.exp %x : !job.blob<4xf32>
  %b = job.add %a, %x {job.placement = #job.placement<gpu, "0:0">} : !job.blob<4xf32>
  %c = job.mul %a, %b {job.placement = #job.placement<gpu, "0:0">} : !job.blob<4xf32>
  %d = job.mul %a, %c {job.placement = #job.placement<gpu, "0:1">} : !job.blob<4xf32>
  job.return %c, %d : !job.blob<4xf32>, !job.blob<4xf32>
}

// -----

// Constants and broadcasts run again where they are used; a transpose does not.
// CHECK-DAG: #[[GPU:placement[0-9]*]] = #job.placement<gpu, "0:0">
// CHECK-LABEL: job.func @again
// CHECK: %[[ROW:.*]] = job.exp
// CHECK: %[[ROW_THERE:.*]] = job.transfer %[[ROW]] to #[[GPU]] : <4xf32>
// CHECK: %[[RESHAPED:.*]] = job.reshape %[[ROW_THERE]] {job.placement = #[[GPU]]}
// CHECK: %[[WIDE:.*]] = job.broadcast_in_dim %[[RESHAPED]] {dims = array<i64: 0, 1>, job.placement = #[[GPU]]}
// CHECK: %[[ONES:.*]] = job.constant {job.placement = #[[GPU]]} dense<1.0
// CHECK: %[[TURNED:.*]] = job.transpose
// CHECK: %[[TURNED_THERE:.*]] = job.transfer %[[TURNED]] to #[[GPU]]
// CHECK: %[[SUM:.*]] = job.add %[[WIDE]], %[[TURNED_THERE]]
// CHECK: job.add %[[SUM]], %[[ONES]]
job.func @again(%x: !job.blob<4xf32>, %y: !job.blob<4x8xf32>) -> !job.blob<8x4xf32> kind predict attributes {placement = #job.placement<cpu, "0:0">} {
  %row = job.exp %x : !job.blob<4xf32>
  %0 = job.reshape %row : !job.blob<4xf32> to !job.blob<1x4xf32>
  %wide = job.broadcast_in_dim %0 {dims = array<i64: 0, 1>} : !job.blob<1x4xf32> to !job.blob<8x4xf32>
  %ones = job.constant dense<1.0> : tensor<8x4xf32>
  %turned = job.transpose %y {permutation = array<i64: 1, 0>} : !job.blob<4x8xf32>
  %1 = job.add %wide, %turned {job.placement = #job.placement<gpu, "0:0">} : !job.blob<8x4xf32>
  %2 = job.add %1, %ones {job.placement = #job.placement<gpu, "0:0">} : !job.blob<8x4xf32>
  job.return %2 : !job.blob<8x4xf32>
}

// -----

// A job on another device than the variable reads a copy; what it assigns is
// transferred back.
// CHECK-DAG: #[[GPU:placement[0-9]*]] = #job.placement<gpu, "0:0">
// CHECK-DAG: #[[CPU:placement[0-9]*]] = #job.placement<cpu, "0:0">
// CHECK: job.variable @w {{.*}} {placement = #[[GPU]]}
job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
job.variable @n : !job.blob<4xf32> init #job.constant_init<1.0> {placement = #job.placement<gpu, "0:0">}
job.func @train() kind train attributes {placement = #job.placement<gpu, "0:0">} {
  %0 = job.read @w : !job.blob<4xf32>
  job.assign @w, %0 : !job.blob<4xf32>
  job.return
}
// CHECK-LABEL: job.func @evaluate
// CHECK: %[[W:.*]] = job.read @w {job.placement = #[[GPU]]}
// CHECK: %[[COPY:.*]] = job.transfer %[[W]] to #[[CPU]]
// CHECK: %[[E:.*]] = job.exp %[[COPY]] : <4xf32>
// CHECK: %[[BACK:.*]] = job.transfer %[[E]] to #[[GPU]]
// CHECK: job.assign @n, %[[BACK]] {job.placement = #[[GPU]]}
// CHECK: job.return %[[W]]
job.func @evaluate() -> !job.blob<4xf32> kind predict attributes {placement = #job.placement<cpu, "0:0">} {
  %0 = job.read @w : !job.blob<4xf32>
  %1 = job.exp %0 : !job.blob<4xf32>
  job.assign @n, %1 : !job.blob<4xf32>
  job.return %0 : !job.blob<4xf32>
}

// -----

// Inside of micro-steps: rows and shared blobs are where they are outside, sums
// where they grow.
// CHECK-DAG: #[[GPU:placement[0-9]*]] = #job.placement<gpu, "0:0">
// CHECK-DAG: #[[CPU:placement[0-9]*]] = #job.placement<cpu, "0:0">
// CHECK-LABEL: job.func @loop
// CHECK: %[[W:.*]] = job.exp
// CHECK: %[[SUMS:.*]], %[[PACKED:.*]] = job.micro_steps count(2)
// CHECK: ^bb0(%[[PART:.*]]: !job.blob<4xf32>, %[[V:.*]]: !job.blob<4xf32>, %[[SOFAR:.*]]: !job.blob<4xf32>):
// CHECK: %[[V_THERE:.*]] = job.transfer %[[V]] to #[[GPU]]
// CHECK: %[[T:.*]] = job.mul %[[PART]], %[[V_THERE]] {job.placement = #[[GPU]]}
// CHECK: %[[T_HERE:.*]] = job.transfer %[[T]] to #[[CPU]]
// CHECK: job.add %[[SOFAR]], %[[T_HERE]] : <4xf32>
// CHECK: %[[ALL_HERE:.*]] = job.transfer %[[PACKED]] to #[[CPU]]
// CHECK: job.exp %[[ALL_HERE]]
// CHECK: job.exp %[[SUMS]]
job.func @loop(%x: !job.blob<8xf32>, %w: !job.blob<4xf32>) -> (!job.blob<8xf32>, !job.blob<4xf32>) kind predict attributes {placement = #job.placement<cpu, "0:0">} {
  %v = job.exp %w : !job.blob<4xf32>
  %sum, %all = job.micro_steps count(2) rows(%x : !job.blob<8xf32>) shared(%v : !job.blob<4xf32>) sums(!job.blob<4xf32>) packed(!job.blob<8xf32>) {
  ^bb0(%part: !job.blob<4xf32>, %inner: !job.blob<4xf32>, %sofar: !job.blob<4xf32>):
    %0 = job.mul %part, %inner {job.placement = #job.placement<gpu, "0:0">} : !job.blob<4xf32>
    %1 = job.add %sofar, %0 : !job.blob<4xf32>
    job.yield %1, %0 : !job.blob<4xf32>, !job.blob<4xf32>
  }
  %2 = job.exp %all : !job.blob<8xf32>
  %3 = job.exp %sum : !job.blob<4xf32>
  job.return %2, %3 : !job.blob<8xf32>, !job.blob<4xf32>
}
