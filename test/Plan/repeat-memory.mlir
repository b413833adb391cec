// RUN: job-opt %s --pass-pipeline='builtin.module(plan-assign-offsets,plan.program(plan-pack-memory),plan-verify-memory)' | FileCheck %s

#arena = #plan.space<arena>
#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

// 64 bytes each. Within an iteration %a and %b take turns; %kept and %sum are
// alive during the whole loop, and %kept dies with it: %after takes its place.

// CHECK-LABEL: plan.program @repeats
// CHECK-SAME: arena = 192 above 192
// CHECK: %[[KEPT:.*]] = plan.alloc {offset = [[AT:[0-9]+]] : i64}
plan.program @repeats kind predict {
  %x = plan.input 0 "x" : memref<64xf32, #inputs>
  %y = plan.output 0 "y" : memref<16xf32, #outputs>
  %all = plan.output 1 "all" : memref<64xf32, #outputs>
  %kept = plan.alloc : memref<16xf32, #arena>
  %sum = plan.alloc : memref<16xf32, #arena>
  plan.fill %kept with 0 : memref<16xf32, #arena>
  plan.fill %sum with 0 : memref<16xf32, #arena>
  // CHECK: plan.repeat
  plan.repeat count(4) {
    %part = plan.micro_view %x : memref<64xf32, #inputs> to memref<16xf32, #inputs>
    %rows = plan.micro_view %all : memref<64xf32, #outputs> to memref<16xf32, #outputs>
    // CHECK: plan.alloc {offset = [[INNER:[0-9]+]] : i64}
    // CHECK: plan.alloc {offset = [[INNER]] : i64}
    %a = plan.alloc : memref<16xf32, #arena>
    %b = plan.alloc : memref<16xf32, #arena>
    plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%part, %kept : memref<16xf32, #inputs>, memref<16xf32, #arena>) outs(%a : memref<16xf32, #arena>)
    plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%a : memref<16xf32, #arena>) outs(%sum : memref<16xf32, #arena>)
    plan.fill %b with 0 : memref<16xf32, #arena>
    plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%b : memref<16xf32, #arena>) outs(%rows : memref<16xf32, #outputs>)
  }
  %after = plan.alloc : memref<16xf32, #arena>
  plan.copy %sum to %after : memref<16xf32, #arena> to memref<16xf32, #arena>
  plan.copy %after to %y : memref<16xf32, #arena> to memref<16xf32, #outputs>
  plan.return
}
