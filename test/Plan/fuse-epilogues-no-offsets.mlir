// RUN: job-opt %s --pass-pipeline='builtin.module(plan-select-schedules,plan-fuse-epilogues)' | FileCheck %s

// Without offsets nothing says which bytes meet.
// CHECK-NOT: epilogue

#arena = #plan.space<arena>
#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>
#all = affine_map<(d0, d1) -> (d0, d1)>
plan.executable @copy {
  func.func @body(%x: tensor<64x96xf32>, %y: tensor<64x96xf32>) -> tensor<64x96xf32> {
    %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x96xf32>) outs(%y : tensor<64x96xf32>) {
    ^bb0(%p: f32, %q: f32):
      linalg.yield %p : f32
    } -> tensor<64x96xf32>
    return %0 : tensor<64x96xf32>
  }
}
plan.program @p kind predict {
  %x = plan.input 0 "x" : memref<64x96xf32, #inputs>
  %w = plan.input 1 "w" : memref<96x96xf32, #inputs>
  %y = plan.output 0 "y" : memref<64x96xf32, #outputs>
  %a = plan.alloc : memref<64x96xf32, #arena>
  plan.call #plan.onednn.matmul<m = 64, n = 96, k = 96, row_parts = 2> ins(%x, %w : memref<64x96xf32, #inputs>, memref<96x96xf32, #inputs>) outs(%a : memref<64x96xf32, #arena>) {flops = 1179648 : i64}
  plan.dispatch @copy ins(%a : memref<64x96xf32, #arena>) outs(%y : memref<64x96xf32, #outputs>) {flops = 6144 : i64}
  plan.return
}
