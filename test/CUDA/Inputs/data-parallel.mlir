// One rank of data-parallel SGD, as a plan: the weight of least squares moves
// along the mean of the gradients that the ranks have for their parts of the
// batch. A test replaces @RANKS@ and @ROWS@, the rows of a rank.

#arena = #plan.space<arena>
#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>
#variables = #plan.space<variables>

plan.device @gpu0 kind(cuda) queues(1)
plan.communicator @world ranks(@RANKS@)
plan.variable @weight : memref<8x16xf32, #variables>

plan.program @train kind train {
  %x = plan.input 0 "x" : memref<@ROWS@x16xf32, #inputs>
  %y = plan.input 1 "y" : memref<@ROWS@x8xf32, #inputs>
  %loss = plan.output 0 "loss" : memref<@ROWS@x8xf32, #outputs>
  %w = plan.get_variable @weight : memref<8x16xf32, #variables>
  %error = plan.alloc : memref<@ROWS@x8xf32, #arena>
  %gradient = plan.alloc : memref<8x16xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = @ROWS@, n = 8, k = 16, transpose_b = 1> ins(%x, %w : memref<@ROWS@x16xf32, #inputs>, memref<8x16xf32, #variables>) outs(%error : memref<@ROWS@x8xf32, #arena>)
  plan.dispatch @subtract ins(%y : memref<@ROWS@x8xf32, #inputs>) inouts(%error : memref<@ROWS@x8xf32, #arena>) outs(%loss : memref<@ROWS@x8xf32, #outputs>)
  plan.call #plan.cublaslt.matmul<m = 8, n = 16, k = @ROWS@, transpose_a = 1> ins(%error, %x : memref<@ROWS@x8xf32, #arena>, memref<@ROWS@x16xf32, #inputs>) outs(%gradient : memref<8x16xf32, #arena>)
  plan.collective all_reduce on @world avg inouts(%gradient : memref<8x16xf32, #arena>) loc("gradient"("train.py":7:3))
  plan.dispatch @update ins(%gradient : memref<8x16xf32, #arena>) inouts(%w : memref<8x16xf32, #variables>)
  plan.return
}

plan.program @jobmlir_init kind init {
  %seed = plan.input 0 "seed" : memref<1xi64, #inputs>
  %w = plan.get_variable @weight : memref<8x16xf32, #variables>
  plan.fill %w with 0 : memref<8x16xf32, #variables>
  plan.return
}

plan.executable @subtract {
  func.func @body(%y: tensor<@ROWS@x8xf32>, %p: tensor<@ROWS@x8xf32>, %l: tensor<@ROWS@x8xf32>) -> (tensor<@ROWS@x8xf32>, tensor<@ROWS@x8xf32>) {
    %0:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%p, %y : tensor<@ROWS@x8xf32>, tensor<@ROWS@x8xf32>) outs(%p, %l : tensor<@ROWS@x8xf32>, tensor<@ROWS@x8xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
      %1 = arith.subf %a, %b : f32
      %2 = arith.mulf %1, %1 : f32
      linalg.yield %1, %2 : f32, f32
    } -> (tensor<@ROWS@x8xf32>, tensor<@ROWS@x8xf32>)
    return %0#0, %0#1 : tensor<@ROWS@x8xf32>, tensor<@ROWS@x8xf32>
  }
}

plan.executable @update {
  func.func @body(%g: tensor<8x16xf32>, %w: tensor<8x16xf32>) -> tensor<8x16xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%w, %g : tensor<8x16xf32>, tensor<8x16xf32>) outs(%w : tensor<8x16xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %rate = arith.constant 0.0078125 : f32
      %rows = arith.constant @ROWS@.0 : f32
      %mean = arith.divf %b, %rows : f32
      %1 = arith.mulf %mean, %rate : f32
      %2 = arith.subf %a, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<8x16xf32>
    return %0 : tensor<8x16xf32>
  }
}
