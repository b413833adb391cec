// RUN: job-opt %s --pass-pipeline='builtin.module(plan-assign-offsets,plan.program(plan-pack-memory),plan-verify-memory)' | FileCheck %s --check-prefixes=CHECK,BEST
// RUN: job-opt %s --pass-pipeline='builtin.module(plan-assign-offsets,plan.program(plan-pack-memory{strategy=size}),plan-verify-memory)' | FileCheck %s --check-prefixes=CHECK,SIZE
// RUN: job-opt %s --pass-pipeline='builtin.module(plan-assign-offsets,plan.program(plan-pack-memory{strategy=conflicts}),plan-verify-memory)' | FileCheck %s --check-prefixes=CHECK,CONFLICTS
// RUN: job-opt %s --pass-pipeline='builtin.module(plan-assign-offsets,plan.program(plan-pack-memory{strategy=time}),plan-verify-memory)' | FileCheck %s --check-prefixes=CHECK,TIME
// RUN: job-opt %s --pass-pipeline='builtin.module(plan-assign-offsets,plan.program(plan-pack-memory{strategy=none}),plan-verify-memory)' | FileCheck %s --check-prefixes=CHECK,NONE

#arena = #plan.space<arena>

//   buffer   bytes        commands   size   conflicts   time   none
//   a         64          0 to 1      0       64          0      0
//   b         64          1 to 3    128        0         64     64
//   c        128          2 to 3      0       64        128    128
//   d       4 -> 64       4 to 4      0        0          0    256
//   arena                           192      192        256    320
//
// Live bytes at command 2: b and c, 64 + 128 = 192, the lower bound. Time does
// not reach it: c, the last to come, fits into nothing that a left.

// CHECK-LABEL: plan.program @orders
// BEST-SAME: arena = 192 above 192
// SIZE-SAME: arena = 192 above 192
// CONFLICTS-SAME: arena = 192 above 192
// TIME-SAME: arena = 256 above 192
// NONE-SAME: arena = 320 above 192
plan.program @orders kind predict {
  // SIZE: plan.alloc {offset = 0 : i64} : memref<16xf32, #arena>
  // SIZE-NEXT: plan.alloc {offset = 128 : i64} : memref<16xf32, #arena>
  // SIZE-NEXT: plan.alloc {offset = 0 : i64} : memref<32xf32, #arena>
  // SIZE-NEXT: plan.alloc {offset = 0 : i64} : memref<1xf32, #arena>

  // CONFLICTS: plan.alloc {offset = 64 : i64} : memref<16xf32, #arena>
  // CONFLICTS-NEXT: plan.alloc {offset = 0 : i64} : memref<16xf32, #arena>
  // CONFLICTS-NEXT: plan.alloc {offset = 64 : i64} : memref<32xf32, #arena>
  // CONFLICTS-NEXT: plan.alloc {offset = 0 : i64} : memref<1xf32, #arena>

  // TIME: plan.alloc {offset = 0 : i64} : memref<16xf32, #arena>
  // TIME-NEXT: plan.alloc {offset = 64 : i64} : memref<16xf32, #arena>
  // TIME-NEXT: plan.alloc {offset = 128 : i64} : memref<32xf32, #arena>
  // TIME-NEXT: plan.alloc {offset = 0 : i64} : memref<1xf32, #arena>

  // NONE: plan.alloc {offset = 0 : i64} : memref<16xf32, #arena>
  // NONE-NEXT: plan.alloc {offset = 64 : i64} : memref<16xf32, #arena>
  // NONE-NEXT: plan.alloc {offset = 128 : i64} : memref<32xf32, #arena>
  // NONE-NEXT: plan.alloc {offset = 256 : i64} : memref<1xf32, #arena>
  %a = plan.alloc : memref<16xf32, #arena>
  %b = plan.alloc : memref<16xf32, #arena>
  %c = plan.alloc : memref<32xf32, #arena>
  %d = plan.alloc : memref<1xf32, #arena>
  plan.fill %a with 0 : memref<16xf32, #arena>
  plan.copy %a to %b : memref<16xf32, #arena> to memref<16xf32, #arena>
  plan.fill %c with 0 : memref<32xf32, #arena>
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%b, %c : memref<16xf32, #arena>, memref<32xf32, #arena>)
  plan.fill %d with 0 : memref<1xf32, #arena>
  plan.return
}

// A chain needs the largest pair of neighbours: 100 -> 128 bytes each.
// CHECK-LABEL: plan.program @chain
// BEST-SAME: arena = 256 above 256
plan.program @chain kind predict {
  // BEST-DAG: plan.alloc {offset = 0 : i64} : memref<100xi8, #arena>
  // BEST-DAG: plan.alloc {offset = 128 : i64} : memref<100xi8, #arena>
  // BEST-DAG: plan.alloc {offset = 0 : i64} : memref<100xi8, #arena>
  %a = plan.alloc : memref<100xi8, #arena>
  %b = plan.alloc : memref<100xi8, #arena>
  %c = plan.alloc : memref<100xi8, #arena>
  // Nothing touches it: no bytes.
  // CHECK: plan.alloc {offset = 0 : i64} : memref<1000xi8, #arena>
  %unused = plan.alloc : memref<1000xi8, #arena>
  plan.fill %a with 0 : memref<100xi8, #arena>
  plan.copy %a to %b : memref<100xi8, #arena> to memref<100xi8, #arena>
  plan.copy %b to %c : memref<100xi8, #arena> to memref<100xi8, #arena>
  plan.return
}

// CHECK-LABEL: plan.program @nothing
// CHECK-SAME: arena = 0 above 0
plan.program @nothing kind predict {
  plan.return
}

// The strategies of the program, whatever those of the pass: the buffers are those
// of @orders, and the first strategy with the smallest arena is kept.
// CHECK-LABEL: plan.program @strategies
// CHECK-SAME: arena = 192 above 192
// CHECK-SAME: packing = ["time", "conflicts", "size"]
plan.program @strategies kind predict attributes {packing = ["time", "conflicts", "size"]} {
  // CHECK: plan.alloc {offset = 64 : i64} : memref<16xf32, #arena>
  // CHECK-NEXT: plan.alloc {offset = 0 : i64} : memref<16xf32, #arena>
  // CHECK-NEXT: plan.alloc {offset = 64 : i64} : memref<32xf32, #arena>
  // CHECK-NEXT: plan.alloc {offset = 0 : i64} : memref<1xf32, #arena>
  %a = plan.alloc : memref<16xf32, #arena>
  %b = plan.alloc : memref<16xf32, #arena>
  %c = plan.alloc : memref<32xf32, #arena>
  %d = plan.alloc : memref<1xf32, #arena>
  plan.fill %a with 0 : memref<16xf32, #arena>
  plan.copy %a to %b : memref<16xf32, #arena> to memref<16xf32, #arena>
  plan.fill %c with 0 : memref<32xf32, #arena>
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%b, %c : memref<16xf32, #arena>, memref<32xf32, #arena>)
  plan.fill %d with 0 : memref<1xf32, #arena>
  plan.return
}

// CHECK-LABEL: plan.program @shares_nothing
// CHECK-SAME: arena = 256 above 128
plan.program @shares_nothing kind predict attributes {packing = ["none"]} {
  %a = plan.alloc : memref<16xf32, #arena>
  %b = plan.alloc : memref<16xf32, #arena>
  %c = plan.alloc : memref<16xf32, #arena>
  %d = plan.alloc : memref<16xf32, #arena>
  plan.fill %a with 0 : memref<16xf32, #arena>
  plan.copy %a to %b : memref<16xf32, #arena> to memref<16xf32, #arena>
  plan.copy %b to %c : memref<16xf32, #arena> to memref<16xf32, #arena>
  plan.copy %c to %d : memref<16xf32, #arena> to memref<16xf32, #arena>
  plan.return
}
