// A plan on two queues of a GPU with collectives of a communicator of one rank:
// a gradient is reduced while the other queue computes, then a group of two.

#arena = #plan.space<arena>
#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>
#variables = #plan.space<variables>

plan.device @gpu0 kind(cuda) queues(2)
plan.communicator @world ranks(1)
plan.variable @weight : memref<8x16xf32, #variables>

plan.executable @square {
  func.func @body(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x16xf32>) outs(%y : tensor<8x16xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.mulf %a, %a : f32
      linalg.yield %1 : f32
    } -> tensor<8x16xf32>
    return %0 : tensor<8x16xf32>
  }
}
plan.executable @add {
  func.func @body(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>, %z: tensor<8x16xf32>) -> tensor<8x16xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<8x16xf32>, tensor<8x16xf32>) outs(%z : tensor<8x16xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %1 = arith.addf %a, %b : f32
      linalg.yield %1 : f32
    } -> tensor<8x16xf32>
    return %0 : tensor<8x16xf32>
  }
}

plan.program @train kind train {
  %x = plan.input 0 "x" : memref<8x16xf32, #inputs>
  %y = plan.output 0 "y" : memref<8x16xf32, #outputs>
  %w = plan.get_variable @weight : memref<8x16xf32, #variables>
  %here = plan.alloc : memref<8x16xf32, #arena>
  %a = plan.alloc : memref<8x16xf32, #arena>
  %b = plan.alloc : memref<8x16xf32, #arena>
  %c = plan.alloc : memref<8x16xf32, #arena>
  %d = plan.alloc : memref<8x16xf32, #arena>
  plan.copy %x to %here : memref<8x16xf32, #inputs> to memref<8x16xf32, #arena>
  plan.dispatch @square ins(%here : memref<8x16xf32, #arena>) outs(%a : memref<8x16xf32, #arena>)
  %first = plan.record
  plan.wait %first queue(1)
  plan.collective all_reduce on @world avg queue(1) inouts(%a : memref<8x16xf32, #arena>)
  %second = plan.record queue(1)
  plan.dispatch @add ins(%here, %w : memref<8x16xf32, #arena>, memref<8x16xf32, #variables>) outs(%b : memref<8x16xf32, #arena>)
  plan.wait %second
  plan.collective broadcast on @world root(0) ins(%a : memref<8x16xf32, #arena>) outs(%c : memref<8x16xf32, #arena>)
  plan.collective all_gather on @world joined ins(%b : memref<8x16xf32, #arena>) outs(%d : memref<8x16xf32, #arena>)
  plan.dispatch @add ins(%c, %d : memref<8x16xf32, #arena>, memref<8x16xf32, #arena>) outs(%b : memref<8x16xf32, #arena>)
  plan.copy %a to %w : memref<8x16xf32, #arena> to memref<8x16xf32, #variables>
  plan.copy %b to %y : memref<8x16xf32, #arena> to memref<8x16xf32, #outputs>
  plan.return
}

plan.program @jobmlir_init kind init {
  %seed = plan.input 0 "seed" : memref<1xi64, #inputs>
  %w = plan.get_variable @weight : memref<8x16xf32, #variables>
  plan.fill %w with 0 : memref<8x16xf32, #variables>
  plan.return
}
