// A plan on two queues, written by hand: queue 1 computes x * x and a product
// with a variable, while queue 0 computes another product; then queue 0 adds
// both, and queue 1 updates the variable after queue 0 has read it.

plan.device @cpu0 kind(host) queues(2)

plan.variable @weight : memref<8x8xf32>

plan.executable @square {
  func.func @body(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x8xf32>) outs(%y : tensor<8x8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.mulf %a, %a : f32
      linalg.yield %1 : f32
    } -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
plan.executable @add {
  func.func @body(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>, %z: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%z : tensor<8x8xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %1 = arith.addf %a, %b : f32
      linalg.yield %1 : f32
    } -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}

plan.program @train kind train {
  %x = plan.input 0 "x" : memref<8x8xf32>
  %y = plan.output 0 "y" : memref<8x8xf32>
  %w = plan.get_variable @weight : memref<8x8xf32>
  %a = plan.alloc : memref<8x8xf32>
  %b = plan.alloc : memref<8x8xf32>
  %c = plan.alloc : memref<8x8xf32>
  %d = plan.alloc : memref<8x8xf32>
  plan.call #plan.onednn.matmul<m = 8, n = 8, k = 8> ins(%x, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  plan.dispatch @square queue(1) ins(%x : memref<8x8xf32>) outs(%b : memref<8x8xf32>)
  plan.call #plan.onednn.matmul<m = 8, n = 8, k = 8> queue(1) ins(%b, %w : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  %product = plan.record queue(1)
  plan.dispatch @add ins(%a, %w : memref<8x8xf32>, memref<8x8xf32>) outs(%d : memref<8x8xf32>)
  %read = plan.record
  plan.wait %product
  plan.dispatch @add ins(%c, %d : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  plan.wait %read queue(1)
  plan.copy %b to %w queue(1) : memref<8x8xf32>
  plan.return
}

plan.program @jobmlir_init kind init {
  %seed = plan.input 0 "seed" : memref<1xi64>
  %w = plan.get_variable @weight : memref<8x8xf32>
  plan.fill %w with 0 : memref<8x8xf32>
  plan.return
}
