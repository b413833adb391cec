// A program may fill its budget; 0 is none.
//
// RUN: job-opt %s --pass-pipeline='builtin.module(plan-assign-offsets,plan.program(plan-pack-memory),plan-check-budget{budget=1216})' | FileCheck %s
// RUN: not job-opt %s --pass-pipeline='builtin.module(plan-assign-offsets,plan.program(plan-pack-memory),plan-check-budget{budget=1215})' 2>&1 | FileCheck %s --check-prefix=BELOW
// RUN: job-opt %s --pass-pipeline='builtin.module(plan-check-budget)' | FileCheck %s --check-prefix=NONE
// RUN: echo "" | job-opt --pass-pipeline='builtin.module(plan-check-budget{budget=1})' | FileCheck %s --check-prefix=EMPTY

#arena = #plan.space<arena>

// 64 and 1024 and 128 bytes.
// CHECK: plan.program @p kind predict sizes<arena = 1216
// BELOW: error: expects job 'p' to need at most 1215 bytes but it needs 1216:
// Without offsets there is nothing to compare.
// NONE: plan.program @p kind predict {
// EMPTY: module {

plan.program @p kind predict {
  %a = plan.alloc : memref<1xf32, #arena>
  %b = plan.alloc : memref<256xf32, #arena>
  %c = plan.alloc : memref<32xf32, #arena>
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> outs(%a, %b, %c : memref<1xf32, #arena>, memref<256xf32, #arena>, memref<32xf32, #arena>)
  plan.return
}
