// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-widen-types))' | FileCheck %s
// What is wide stays as it is.
// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-widen-types,job-widen-types))' | FileCheck %s

// Each op rounds its result once.
// CHECK-LABEL: job.func @chain
// CHECK-SAME: (%[[X:.*]]: !job.blob<4xbf16>, %[[Y:.*]]: !job.blob<4xbf16>)
// CHECK-NEXT: %[[WX:.*]] = job.cast %[[X]] : <4xbf16> to <4xf32>
// CHECK-NEXT: %[[WY:.*]] = job.cast %[[Y]] : <4xbf16> to <4xf32>
// CHECK-NEXT: %[[SUM:.*]] = job.add %[[WX]], %[[WY]] : <4xf32>
// CHECK-NEXT: %[[ROUNDED:.*]] = job.cast %[[SUM]] : <4xf32> to <4xbf16>
// CHECK-NEXT: %[[WIDE:.*]] = job.cast %[[ROUNDED]] : <4xbf16> to <4xf32>
// CHECK-NEXT: %[[EXP:.*]] = job.exp %[[WIDE]] : <4xf32>
// CHECK-NEXT: %[[Z:.*]] = job.cast %[[EXP]] : <4xf32> to <4xbf16>
// CHECK-NEXT: job.return %[[Z]] : !job.blob<4xbf16>
job.func @chain(%x: !job.blob<4xbf16>, %y: !job.blob<4xbf16>) -> !job.blob<4xbf16> kind predict {
  %0 = job.add %x, %y : !job.blob<4xbf16>
  %1 = job.exp %0 : !job.blob<4xbf16>
  job.return %1 : !job.blob<4xbf16>
}

// A sum accumulates in f32; a byte computes in i32 and wraps.
// CHECK-LABEL: job.func @sums
// CHECK: job.reduce_sum %{{.*}} {axes = array<i64: 1>} : <4x8xf32>
// CHECK-NEXT: job.cast %{{.*}} : <4xf32> to <4xf16>
// CHECK: job.mul %{{.*}}, %{{.*}} : <4xi32>
// CHECK-NEXT: job.cast %{{.*}} : <4xi32> to <4xui8>
// CHECK: job.compare lt %{{.*}}, %{{.*}} : <4xi32>
job.func @sums(%x: !job.blob<4x8xf16>, %b: !job.blob<4xui8>) -> (!job.blob<4xf16>, !job.blob<4xui8>, !job.blob<4xi1>) kind predict {
  %0 = job.reduce_sum %x {axes = array<i64: 1>} : !job.blob<4x8xf16>
  %1 = job.mul %b, %b : !job.blob<4xui8>
  %2 = job.compare lt %b, %1 : !job.blob<4xui8>
  job.return %0, %1, %2 : !job.blob<4xf16>, !job.blob<4xui8>, !job.blob<4xi1>
}

// Elements are moved as they are; indices are numbers.
// CHECK-LABEL: job.func @moves
// CHECK-NEXT: job.transpose %{{.*}} : <4x8xf16>
// CHECK-NEXT: job.reshape %{{.*}} : <8x4xf16> to <32xf16>
// CHECK-NEXT: %[[WIDE:.*]] = job.cast %{{.*}} : <3xui8> to <3xi32>
// CHECK-NEXT: job.gather %{{.*}}, %[[WIDE]] {{.*}} : <32xf16>, <3xi32>
// CHECK-NEXT: job.select %{{.*}}, %{{.*}}, %{{.*}} : <3xi1>, <3xf16>
// CHECK-NEXT: job.cast %{{.*}} : <3xf16> to <3xf64>
// CHECK-NEXT: job.return
job.func @moves(%x: !job.blob<4x8xf16>, %i: !job.blob<3xui8>, %c: !job.blob<3xi1>) -> !job.blob<3xf64> kind predict {
  %0 = job.transpose %x {permutation = array<i64: 1, 0>} : !job.blob<4x8xf16>
  %1 = job.reshape %0 : !job.blob<8x4xf16> to !job.blob<32xf16>
  %2 = job.gather %1, %i {axis = 0 : i64} : !job.blob<32xf16>, !job.blob<3xui8>
  %3 = job.select %c, %2, %2 : !job.blob<3xi1>, !job.blob<3xf16>
  %4 = job.cast %3 : !job.blob<3xf16> to !job.blob<3xf64>
  job.return %4 : !job.blob<3xf64>
}

// CHECK-LABEL: job.func @wide
// CHECK-NEXT: job.add %{{.*}}, %{{.*}} : <4xf32>
// CHECK-NEXT: job.return
job.func @wide(%x: !job.blob<4xf32>) -> !job.blob<4xf32> kind predict {
  %0 = job.add %x, %x : !job.blob<4xf32>
  job.return %0 : !job.blob<4xf32>
}

// Sums of micro-steps in text keep their type: each addition is rounded.
// CHECK-LABEL: job.func @micro_step_sums
// CHECK-NEXT: job.micro_steps count(4) rows(%{{.*}} : !job.blob<8xbf16>) sums(!job.blob<2xbf16>) {
// CHECK-NEXT: ^bb0(%[[PART:.*]]: !job.blob<2xbf16>, %[[SUM:.*]]: !job.blob<2xbf16>):
// CHECK-NEXT:   %[[WSUM:.*]] = job.cast %[[SUM]] : <2xbf16> to <2xf32>
// CHECK-NEXT:   %[[WPART:.*]] = job.cast %[[PART]] : <2xbf16> to <2xf32>
// CHECK-NEXT:   %[[ADDED:.*]] = job.add %[[WSUM]], %[[WPART]] : <2xf32>
// CHECK-NEXT:   %[[ROUNDED:.*]] = job.cast %[[ADDED]] : <2xf32> to <2xbf16>
// CHECK-NEXT:   job.yield %[[ROUNDED]] : !job.blob<2xbf16>
job.func @micro_step_sums(%x: !job.blob<8xbf16>) -> !job.blob<2xbf16> kind predict {
  %sum = job.micro_steps count(4) rows(%x : !job.blob<8xbf16>) sums(!job.blob<2xbf16>) {
  ^bb0(%part: !job.blob<2xbf16>, %sofar: !job.blob<2xbf16>):
    %0 = job.add %sofar, %part : !job.blob<2xbf16>
    job.yield %0 : !job.blob<2xbf16>
  }
  job.return %sum : !job.blob<2xbf16>
}
