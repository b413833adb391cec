// A plan on two queues, written by hand: queue 1 computes x * x and a product
// with a variable, while queue 0 computes another product; then queue 0 adds
// both, and queue 1 updates the variable after queue 0 has read it.

#arena = #plan.space<arena>
#variables = #plan.space<variables>
#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

plan.device @cpu0 kind(host) queues(2)

plan.variable @weight : memref<8x8xf32, #variables>

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
  %x = plan.input 0 "x" : memref<8x8xf32, #inputs>
  %y = plan.output 0 "y" : memref<8x8xf32, #outputs>
  %w = plan.get_variable @weight : memref<8x8xf32, #variables>
  %a = plan.alloc : memref<8x8xf32, #arena>
  %b = plan.alloc : memref<8x8xf32, #arena>
  %c = plan.alloc : memref<8x8xf32, #arena>
  %d = plan.alloc : memref<8x8xf32, #arena>
  plan.call #plan.onednn.matmul<m = 8, n = 8, k = 8> ins(%x, %x : memref<8x8xf32, #inputs>, memref<8x8xf32, #inputs>) outs(%a : memref<8x8xf32, #arena>)
  plan.dispatch @square queue(1) ins(%x : memref<8x8xf32, #inputs>) outs(%b : memref<8x8xf32, #arena>)
  plan.call #plan.onednn.matmul<m = 8, n = 8, k = 8> queue(1) ins(%b, %w : memref<8x8xf32, #arena>, memref<8x8xf32, #variables>) outs(%c : memref<8x8xf32, #arena>)
  %product = plan.record queue(1)
  plan.dispatch @add ins(%a, %w : memref<8x8xf32, #arena>, memref<8x8xf32, #variables>) outs(%d : memref<8x8xf32, #arena>)
  %read = plan.record
  plan.wait %product
  plan.dispatch @add ins(%c, %d : memref<8x8xf32, #arena>, memref<8x8xf32, #arena>) outs(%y : memref<8x8xf32, #outputs>)
  plan.wait %read queue(1)
  plan.copy %b to %w queue(1) : memref<8x8xf32, #arena> to memref<8x8xf32, #variables>
  plan.return
}

plan.program @jobmlir_init kind init {
  %seed = plan.input 0 "seed" : memref<1xi64, #inputs>
  %w = plan.get_variable @weight : memref<8x8xf32, #variables>
  plan.fill %w with 0 : memref<8x8xf32, #variables>
  plan.return
}
