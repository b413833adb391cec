// An epilogue follows the command before it in the text, which is on the same
// queue.
//
// RUN: job-opt %s --pass-pipeline='builtin.module(plan-select-schedules,plan-assign-offsets,plan.program(plan-pack-memory),plan-fuse-epilogues,plan-verify-memory,plan-verify)' | FileCheck %s

#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

#all = affine_map<(d0, d1) -> (d0, d1)>

plan.device @cpu0 kind(host) queues(2)

plan.executable @negate {
  func.func @body(%x: tensor<64x96xf32>) -> tensor<64x96xf32> {
    %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x96xf32>) outs(%x : tensor<64x96xf32>) {
    ^bb0(%p: f32, %q: f32):
      %1 = arith.negf %p : f32
      linalg.yield %1 : f32
    } -> tensor<64x96xf32>
    return %0 : tensor<64x96xf32>
  }
}

// Each queue may have epilogues.
// CHECK-LABEL: plan.program @each
// CHECK: plan.dispatch @[[COPY:negate_[0-9]+]] epilogue inouts
// CHECK: plan.dispatch @[[COPY]] epilogue queue(1) inouts
plan.program @each kind predict {
  %x = plan.input 0 "x" : memref<64x128xf32, #inputs>
  %w = plan.input 1 "w" : memref<128x96xf32, #inputs>
  %y = plan.output 0 "y" : memref<64x96xf32, #outputs>
  %z = plan.output 1 "z" : memref<64x96xf32, #outputs>
  plan.call #plan.onednn.matmul<m = 64, n = 96, k = 128, row_parts = 2> ins(%x, %w : memref<64x128xf32, #inputs>, memref<128x96xf32, #inputs>) outs(%y : memref<64x96xf32, #outputs>) {flops = 1572864 : i64}
  plan.dispatch @negate inouts(%y : memref<64x96xf32, #outputs>) {flops = 6144 : i64}
  plan.call #plan.onednn.matmul<m = 64, n = 96, k = 128, row_parts = 2> queue(1) ins(%x, %w : memref<64x128xf32, #inputs>, memref<128x96xf32, #inputs>) outs(%z : memref<64x96xf32, #outputs>) {flops = 1572864 : i64}
  plan.dispatch @negate queue(1) inouts(%z : memref<64x96xf32, #outputs>) {flops = 6144 : i64}
  plan.return
}

// With a command of another queue in between there is none, although the queue
// has no command in between.
// CHECK-LABEL: plan.program @interleaved
// CHECK-NOT: epilogue
plan.program @interleaved kind predict {
  %x = plan.input 0 "x" : memref<64x128xf32, #inputs>
  %w = plan.input 1 "w" : memref<128x96xf32, #inputs>
  %y = plan.output 0 "y" : memref<64x96xf32, #outputs>
  %z = plan.output 1 "z" : memref<64x96xf32, #outputs>
  plan.call #plan.onednn.matmul<m = 64, n = 96, k = 128, row_parts = 2> ins(%x, %w : memref<64x128xf32, #inputs>, memref<128x96xf32, #inputs>) outs(%y : memref<64x96xf32, #outputs>) {flops = 1572864 : i64}
  plan.call #plan.onednn.matmul<m = 64, n = 96, k = 128, row_parts = 2> queue(1) ins(%x, %w : memref<64x128xf32, #inputs>, memref<128x96xf32, #inputs>) outs(%z : memref<64x96xf32, #outputs>) {flops = 1572864 : i64}
  plan.dispatch @negate inouts(%y : memref<64x96xf32, #outputs>) {flops = 6144 : i64}
  plan.dispatch @negate queue(1) inouts(%z : memref<64x96xf32, #outputs>) {flops = 6144 : i64}
  plan.return
}

// Nor is there one for a result of another queue.
// CHECK-LABEL: plan.program @waits
// CHECK-NOT: epilogue
plan.program @waits kind predict {
  %x = plan.input 0 "x" : memref<64x128xf32, #inputs>
  %w = plan.input 1 "w" : memref<128x96xf32, #inputs>
  %y = plan.output 0 "y" : memref<64x96xf32, #outputs>
  plan.call #plan.onednn.matmul<m = 64, n = 96, k = 128, row_parts = 2> queue(1) ins(%x, %w : memref<64x128xf32, #inputs>, memref<128x96xf32, #inputs>) outs(%y : memref<64x96xf32, #outputs>) {flops = 1572864 : i64}
  %done = plan.record queue(1)
  plan.wait %done
  plan.dispatch @negate inouts(%y : memref<64x96xf32, #outputs>) {flops = 6144 : i64}
  plan.return
}
