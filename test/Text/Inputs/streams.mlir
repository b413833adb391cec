// A plan on three queues, written by hand: a value goes from queue to queue and
// back, buffers are written again once all queues have read them, and two
// variables are updated on different queues.

#arena = #plan.space<arena>
#variables = #plan.space<variables>
#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

plan.device @cpu0 kind(host) queues(3)

plan.variable @scale : memref<8x8xf32, #variables>
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
  %s = plan.get_variable @scale : memref<8x8xf32, #variables>
  %a = plan.alloc : memref<8x8xf32, #arena>
  %b = plan.alloc : memref<8x8xf32, #arena>
  %c = plan.alloc : memref<8x8xf32, #arena>
  %d = plan.alloc : memref<8x8xf32, #arena>
  %e = plan.alloc : memref<8x8xf32, #arena>
  plan.dispatch @square ins(%x : memref<8x8xf32, #inputs>) outs(%a : memref<8x8xf32, #arena>)
  %first = plan.record
  plan.wait %first queue(1)
  plan.dispatch @add queue(1) ins(%a, %w : memref<8x8xf32, #arena>, memref<8x8xf32, #variables>) outs(%b : memref<8x8xf32, #arena>)
  %second = plan.record queue(1)
  plan.wait %second queue(2)
  plan.dispatch @square queue(2) ins(%b : memref<8x8xf32, #arena>) outs(%c : memref<8x8xf32, #arena>)
  %third = plan.record queue(2)
  plan.dispatch @add ins(%a, %s : memref<8x8xf32, #arena>, memref<8x8xf32, #variables>) outs(%d : memref<8x8xf32, #arena>)
  %read = plan.record
  plan.wait %first queue(2)
  plan.dispatch @add queue(2) ins(%a, %x : memref<8x8xf32, #arena>, memref<8x8xf32, #inputs>) outs(%e : memref<8x8xf32, #arena>)
  %fourth = plan.record queue(2)
  plan.wait %third
  plan.dispatch @add ins(%c, %d : memref<8x8xf32, #arena>, memref<8x8xf32, #arena>) outs(%y : memref<8x8xf32, #outputs>)
  plan.wait %fourth queue(1)
  plan.wait %read queue(1)
  plan.dispatch @square queue(1) ins(%e : memref<8x8xf32, #arena>) outs(%a : memref<8x8xf32, #arena>)
  plan.copy %a to %w queue(1) : memref<8x8xf32, #arena> to memref<8x8xf32, #variables>
  %last = plan.record queue(1)
  plan.wait %last queue(2)
  plan.dispatch @add queue(2) ins(%a, %b : memref<8x8xf32, #arena>, memref<8x8xf32, #arena>) outs(%e : memref<8x8xf32, #arena>)
  plan.copy %e to %s queue(2) : memref<8x8xf32, #arena> to memref<8x8xf32, #variables>
  plan.return
}

plan.program @jobmlir_init kind init {
  %seed = plan.input 0 "seed" : memref<1xi64, #inputs>
  %w = plan.get_variable @weight : memref<8x8xf32, #variables>
  %s = plan.get_variable @scale : memref<8x8xf32, #variables>
  plan.fill %s with 0 : memref<8x8xf32, #variables>
  plan.fill %w with 0 : memref<8x8xf32, #variables>
  plan.return
}
