// RUN: job-opt %s --pass-pipeline='builtin.module(plan-assign-offsets,plan.program(plan-pack-memory),plan-verify-memory)' | FileCheck %s

// 64 bytes each. Within an iteration %a and %b take turns; %kept and %sum are
// alive during the whole loop, and %kept dies with it: %after takes its place.

// CHECK-LABEL: plan.program @repeats
// CHECK-SAME: arena_bytes = 192 : i64, arena_lower_bound = 192 : i64
// CHECK: %[[KEPT:.*]] = plan.alloc {offset = [[AT:[0-9]+]] : i64}
plan.program @repeats kind predict {
  %x = plan.input 0 "x" : memref<64xf32>
  %y = plan.output 0 "y" : memref<16xf32>
  %all = plan.output 1 "all" : memref<64xf32>
  %kept = plan.alloc : memref<16xf32>
  %sum = plan.alloc : memref<16xf32>
  plan.fill %kept with 0 : memref<16xf32>
  plan.fill %sum with 0 : memref<16xf32>
  // CHECK: plan.repeat
  plan.repeat count(4) {
    %part = plan.micro_view %x : memref<64xf32> to memref<16xf32>
    %rows = plan.micro_view %all : memref<64xf32> to memref<16xf32>
    // CHECK: plan.alloc {offset = [[INNER:[0-9]+]] : i64}
    // CHECK: plan.alloc {offset = [[INNER]] : i64}
    %a = plan.alloc : memref<16xf32>
    %b = plan.alloc : memref<16xf32>
    plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%part, %kept : memref<16xf32>, memref<16xf32>) outs(%a : memref<16xf32>)
    plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%a : memref<16xf32>) outs(%sum : memref<16xf32>)
    plan.fill %b with 0 : memref<16xf32>
    plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%b : memref<16xf32>) outs(%rows : memref<16xf32>)
  }
  %after = plan.alloc : memref<16xf32>
  plan.copy %sum to %after : memref<16xf32>
  plan.copy %after to %y : memref<16xf32>
  plan.return
}
