// RUN: job-opt %s | job-opt | FileCheck %s
// RUN: job-opt %s --mlir-print-op-generic | job-opt | FileCheck %s
// RUN: job-opt %s --emit-bytecode | job-opt | FileCheck %s
// RUN: job-opt %s --pass-pipeline='builtin.module(plan-assign-offsets,plan.program(plan-pack-memory),plan-verify-memory)' | FileCheck %s --check-prefix=PACKED

#arena = #plan.space<arena>
#outputs = #plan.space<outputs>
#workspace = #plan.space<workspace>

// CHECK: plan.device @cpu0 kind(host) queues(3)
plan.device @cpu0 kind(host) queues(3)

// Buffers of one queue share memory; those of the other do not share it with
// them, although program order would let them: 64 bytes for %a and %b of queue
// 0, 64 for %c and %d of queue 1. What queue 0 does after its wait may take the
// place of all.
// CHECK-LABEL: plan.program @two
// PACKED-LABEL: plan.program @two
// PACKED-SAME: arena = 128 above 64
plan.program @two kind predict {
  // PACKED: plan.alloc {offset = [[FIRST:0|64]] : i64}
  %a = plan.alloc : memref<16xf32, #arena>
  // PACKED-NEXT: plan.alloc {offset = [[FIRST]] : i64}
  %b = plan.alloc : memref<16xf32, #arena>
  // PACKED-NEXT: plan.alloc {offset = [[SECOND:0|64]] : i64}
  %c = plan.alloc : memref<16xf32, #arena>
  // PACKED-NEXT: plan.alloc {offset = [[SECOND]] : i64}
  %d = plan.alloc : memref<16xf32, #arena>
  // PACKED-NEXT: plan.alloc {offset = {{0|64}} : i64}
  %e = plan.alloc : memref<16xf32, #arena>
  %y = plan.output 0 "y" : memref<16xf32, #outputs>
  // CHECK: plan.fill %{{.*}} with 1 : memref<16xf32, #arena>
  plan.fill %a with 1 : memref<16xf32, #arena>
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%a : memref<16xf32, #arena>)
  // CHECK: plan.fill %{{.*}} with 2 : memref<16xf32, #arena>
  plan.fill %b with 2 : memref<16xf32, #arena>
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%b : memref<16xf32, #arena>)
  // CHECK: plan.fill %{{.*}} with 3 queue(1) : memref<16xf32, #arena>
  plan.fill %c with 3 queue(1) : memref<16xf32, #arena>
  // CHECK: plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> queue(1)
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> queue(1) ins(%c : memref<16xf32, #arena>)
  plan.fill %d with 4 queue(1) : memref<16xf32, #arena>
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> queue(1) ins(%d : memref<16xf32, #arena>)
  // CHECK: %[[DONE:.*]] = plan.record queue(1)
  %done = plan.record queue(1)
  // CHECK: plan.wait %[[DONE]]{{$}}
  plan.wait %done
  plan.fill %e with 5 : memref<16xf32, #arena>
  plan.copy %e to %y : memref<16xf32, #arena> to memref<16xf32, #outputs>
  plan.return
}

// A workspace for each queue, at a multiple of 256 bytes.
// PACKED-LABEL: plan.program @workspaces
// PACKED-SAME: workspace = 640
plan.program @workspaces kind predict {
  // PACKED: plan.workspace : memref<100xi8, #workspace>
  %0 = plan.workspace : memref<100xi8, #workspace>
  // PACKED: plan.workspace {offset = 256 : i64} : memref<10xi8, #workspace>
  %1 = plan.workspace : memref<10xi8, #workspace>
  // PACKED: plan.workspace {offset = 512 : i64} : memref<65xi8, #workspace>
  %2 = plan.workspace : memref<65xi8, #workspace>
  // PACKED: plan.workspace : memref<1xi8, #workspace>
  %3 = plan.workspace : memref<1xi8, #workspace>
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> workspace(%0 : memref<100xi8, #workspace>)
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> queue(1) workspace(%1 : memref<10xi8, #workspace>)
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> queue(2) workspace(%2 : memref<65xi8, #workspace>)
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> workspace(%3 : memref<1xi8, #workspace>)
  plan.return
}
