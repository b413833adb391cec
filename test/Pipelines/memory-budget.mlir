// RUN: job-opt %s --job-plan-pipeline=memory-budget=1152 --explain=kernels 2>%t | FileCheck %s --check-prefix=ROOM
// RUN: FileCheck %s --check-prefix=EXPLAINED < %t
// RUN: job-opt %s --job-plan-pipeline=memory-budget=1151 --explain=kernels 2>&1 | FileCheck %s --check-prefix=TIGHT --implicit-check-not="one kernel"
// RUN: not job-opt %s --job-plan-pipeline=memory-budget=1023 --explain=kernels 2>&1 | FileCheck %s --check-prefix=LESS --implicit-check-not="one kernel"

// With a memory budget, passes that let buffers be live for longer run if the
// programs fit it then. The variable and the input need 768 bytes, the two buffers
// 256; for one kernel there are three, since what the copy reads is not
// overwritten.

// ROOM-NOT: plan.call
// ROOM: plan.dispatch @row_rows
// ROOM-NOT: plan.call
// EXPLAINED-COUNT-1: is computed by one kernel with 1 other command
// EXPLAINED-NOT: one kernel

// TIGHT: plan.call #plan.cublaslt.matmul
// TIGHT: plan.dispatch @row inouts

// LESS: error: expects job 'rows' to need at most 1023 bytes but it needs 1024: an arena of 256,

plan.device @gpu0 kind(cuda) queues(1)

#arena = #plan.space<arena>
#inputs = #plan.space<inputs>
#variables = #plan.space<variables>

#all = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>

plan.variable @w : memref<4x16xf32, #variables>

plan.executable @row {
  func.func @body(%z: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %least = arith.constant 0xFF800000 : f32
    %empty = tensor.empty() : tensor<8xf32>
    %0 = linalg.fill ins(%least : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%z : tensor<8x4xf32>) outs(%0 : tensor<8xf32>) {
    ^bb0(%p: f32, %most: f32):
      %m = arith.maximumf %most, %p : f32
      linalg.yield %m : f32
    } -> tensor<8xf32>
    %2 = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]} ins(%z, %1 : tensor<8x4xf32>, tensor<8xf32>) outs(%z : tensor<8x4xf32>) {
    ^bb0(%p: f32, %most: f32, %old: f32):
      %m = arith.subf %p, %most : f32
      linalg.yield %m : f32
    } -> tensor<8x4xf32>
    return %2 : tensor<8x4xf32>
  }
}

plan.program @rows kind predict {
  %y = plan.input 0 "y" : memref<8x16xf32, #inputs>
  %w = plan.get_variable @w : memref<4x16xf32, #variables>
  %0 = plan.alloc : memref<8x4xf32, #arena>
  %1 = plan.alloc : memref<8x4xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 8, n = 4, k = 16, transpose_b = 1> ins(%y, %w : memref<8x16xf32, #inputs>, memref<4x16xf32, #variables>) outs(%0 : memref<8x4xf32, #arena>)
  plan.copy %0 to %1 : memref<8x4xf32, #arena> to memref<8x4xf32, #arena>
  plan.dispatch @row inouts(%0 : memref<8x4xf32, #arena>)
  plan.copy %0 to %1 : memref<8x4xf32, #arena> to memref<8x4xf32, #arena>
  plan.return
}
