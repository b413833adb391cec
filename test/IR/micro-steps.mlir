// RUN: job-opt %s | FileCheck %s
// RUN: job-opt %s | job-opt | FileCheck %s
// RUN: job-opt %s --mlir-print-op-generic | job-opt | FileCheck %s
// RUN: job-opt %s --emit-bytecode | job-opt | FileCheck %s

// CHECK-LABEL: job.func @ops(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<8x3xf32>, %[[W:[^ ]*]]: !job.blob<2x3xi32>)
job.func @ops(%x: !job.blob<8x3xf32>, %w: !job.blob<2x3xi32>) kind predict {
  // CHECK-NEXT: %[[U:.*]] = job.unpack %[[X]] {count = 4 : i64} : <8x3xf32>
  %u = job.unpack %x {count = 4 : i64} : !job.blob<8x3xf32>
  // CHECK-NEXT: %[[R:.*]] = job.broadcast_micro_steps %[[W]] {count = 4 : i64} : <2x3xi32>
  %r = job.broadcast_micro_steps %w {count = 4 : i64} : !job.blob<2x3xi32>
  // CHECK-NEXT: %[[C:.*]] = job.cast %[[U]] : <2x3xf32> to <2x3xi32>
  %c = job.cast %u : !job.blob<2x3xf32> to !job.blob<2x3xi32>
  // CHECK-NEXT: %[[S:.*]] = job.add %[[R]], %[[C]] : <2x3xi32>
  %s = job.add %r, %c : !job.blob<2x3xi32>
  // CHECK-NEXT: job.acc %[[S]] {count = 4 : i64} : <2x3xi32>
  %a = job.acc %s {count = 4 : i64} : !job.blob<2x3xi32>
  // CHECK-NEXT: %[[P:.*]] = job.pack %[[S]] {count = 4 : i64} : <2x3xi32>
  %p = job.pack %s {count = 4 : i64} : !job.blob<2x3xi32>
  // CHECK-NEXT: job.neg %[[P]] : <8x3xi32>
  %n = job.neg %p : !job.blob<8x3xi32>
  job.return
}

// CHECK-LABEL: job.func @loop(
job.func @loop(%x: !job.blob<8xf32>, %w: !job.blob<4xf32>) -> (!job.blob<4xf32>, !job.blob<8xf32>) kind predict {
  // CHECK-NEXT: %[[SUM:.*]], %[[ALL:.*]] = job.micro_steps count(2) rows(%{{.*}} : !job.blob<8xf32>) shared(%{{.*}} : !job.blob<4xf32>) sums(!job.blob<4xf32>) packed(!job.blob<8xf32>) {
  // CHECK-NEXT: ^bb0(%[[PART:.*]]: !job.blob<4xf32>, %[[V:.*]]: !job.blob<4xf32>, %[[SOFAR:.*]]: !job.blob<4xf32>):
  %sum, %all = job.micro_steps count(2) rows(%x : !job.blob<8xf32>) shared(%w : !job.blob<4xf32>) sums(!job.blob<4xf32>) packed(!job.blob<8xf32>) {
  ^bb0(%part: !job.blob<4xf32>, %v: !job.blob<4xf32>, %sofar: !job.blob<4xf32>):
    // CHECK-NEXT: %[[M:.*]] = job.mul %[[PART]], %[[V]]
    %0 = job.mul %part, %v : !job.blob<4xf32>
    // CHECK-NEXT: %[[A:.*]] = job.add %[[SOFAR]], %[[M]]
    %1 = job.add %sofar, %0 : !job.blob<4xf32>
    // CHECK-NEXT: job.yield %[[A]], %[[M]] : !job.blob<4xf32>, !job.blob<4xf32>
    job.yield %1, %0 : !job.blob<4xf32>, !job.blob<4xf32>
  }
  // CHECK: job.micro_steps count(3) {
  // CHECK-NEXT: job.yield
  job.micro_steps count(3) {
    job.yield
  }
  job.return %sum, %all : !job.blob<4xf32>, !job.blob<8xf32>
}
