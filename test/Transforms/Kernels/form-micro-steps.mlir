// RUN: job-opt %s --job-form-micro-steps --split-input-file | FileCheck %s

// CHECK-LABEL: job.func @all(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<8xf32>, %[[W:[^ ]*]]: !job.blob<2xf32>)
// CHECK-NEXT: %[[N:.*]] = job.neg %[[W]]
// CHECK-NEXT: %[[SUM:.*]], %[[ALL:.*]] = job.micro_steps count(4) rows(%[[X]] : !job.blob<8xf32>) shared(%[[N]] : !job.blob<2xf32>) sums(!job.blob<2xf32>) packed(!job.blob<8xf32>) {
// CHECK-NEXT: ^bb0(%[[PART:.*]]: !job.blob<2xf32>, %[[V:.*]]: !job.blob<2xf32>, %[[SOFAR:.*]]: !job.blob<2xf32>):
// CHECK-NEXT:   %[[M:.*]] = job.mul %[[PART]], %[[V]]
// CHECK-NEXT:   %[[C:.*]] = job.constant
// CHECK-NEXT:   %[[B:.*]] = job.broadcast_in_dim %[[C]]
// CHECK-NEXT:   %[[D:.*]] = job.add %[[M]], %[[B]]
// CHECK-NEXT:   %[[NEXT:.*]] = job.add %[[SOFAR]], %[[D]]
// CHECK-NEXT:   job.yield %[[NEXT]], %[[M]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[E:.*]] = job.exp %[[SUM]]
// CHECK-NEXT: job.return %[[E]], %[[ALL]]
job.func @all(%x: !job.blob<8xf32>, %w: !job.blob<2xf32>) -> (!job.blob<2xf32>, !job.blob<8xf32>) kind predict {
  %c = job.constant dense<1.0> : tensor<1xf32>
  %b = job.broadcast_in_dim %c {dims = array<i64: 0>} : !job.blob<1xf32> to !job.blob<2xf32>
  %u = job.unpack %x {count = 4 : i64} : !job.blob<8xf32>
  %n = job.neg %w : !job.blob<2xf32>
  %r = job.broadcast_micro_steps %n {count = 4 : i64} : !job.blob<2xf32>
  %m = job.mul %u, %r : !job.blob<2xf32>
  %d = job.add %m, %b : !job.blob<2xf32>
  %a = job.acc %d {count = 4 : i64} : !job.blob<2xf32>
  %e = job.exp %a : !job.blob<2xf32>
  %p = job.pack %m {count = 4 : i64} : !job.blob<2xf32>
  job.return %e, %p : !job.blob<2xf32>, !job.blob<8xf32>
}

// -----

// What needs a sum moves behind the loop, and with it what is ordered after it by
// a variable; the loop stands behind all that it needs.

job.variable @m : !job.blob<2xf32> init #job.constant_init<0.0> {trainable = false}
job.variable @w : !job.blob<2xf32> init #job.constant_init<0.0>

// CHECK-LABEL: job.func @moved(
// CHECK-NEXT: %[[W:.*]] = job.read @w
// CHECK-NEXT: %[[SUMS:.*]]:2 = job.micro_steps
// CHECK:      job.assign @m, %[[SUMS]]#0
// CHECK-NEXT: %[[M:.*]] = job.read @m
// CHECK-NEXT: job.return %[[M]], %[[SUMS]]#1
job.func @moved(%x: !job.blob<8xf32>) -> (!job.blob<2xf32>, !job.blob<2xf32>) kind train {
  %u = job.unpack %x {count = 4 : i64} : !job.blob<8xf32>
  %a = job.acc %u {count = 4 : i64} : !job.blob<2xf32>
  job.assign @m, %a : !job.blob<2xf32>
  %m = job.read @m : !job.blob<2xf32>
  %w = job.read @w : !job.blob<2xf32>
  %r = job.broadcast_micro_steps %w {count = 4 : i64} : !job.blob<2xf32>
  %y = job.mul %u, %r : !job.blob<2xf32>
  %b = job.acc %y {count = 4 : i64} : !job.blob<2xf32>
  job.return %m, %b : !job.blob<2xf32>, !job.blob<2xf32>
}

// -----

// No micro-steps, no loop; and none for what has no use.

// CHECK-LABEL: job.func @none(
// CHECK-NEXT: %[[Y:.*]] = job.neg
// CHECK-NEXT: job.return %[[Y]]
job.func @none(%x: !job.blob<8xf32>) -> !job.blob<8xf32> kind predict {
  %u = job.unpack %x {count = 4 : i64} : !job.blob<8xf32>
  %a = job.acc %u {count = 4 : i64} : !job.blob<2xf32>
  %y = job.neg %x : !job.blob<8xf32>
  job.return %y : !job.blob<8xf32>
}
