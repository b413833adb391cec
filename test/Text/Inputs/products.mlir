// A plan whose kernel computes the rows of two small products, and what is before,
// between and behind them: reductions that keep dimensions which others reduce.

#arena = #plan.space<arena>
#inputs = #plan.space<inputs>
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d1)>
#map5 = affine_map<(d0, d1) -> (d0)>
#outputs = #plan.space<outputs>
module attributes {plan.sizes = #plan.sizes<variables = 0, constants = 0>} {
  plan.device @gpu0 kind(cuda) queues(1)
  plan.executable @before_rows {
    func.func @body(%arg0: tensor<8x16xf32>, %arg1: tensor<4x16xf32>, %arg2: tensor<4xf32>, %arg3: tensor<8x16xf32>, %arg4: tensor<8x4xf32>, %arg5: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x4xf32>, tensor<8x16xf32>) {
      %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<8x16xf32>) outs(%arg3 : tensor<8x16xf32>) {
      ^bb0(%in: f32, %out: f32):
        %11 = linalg.index 0 : index
        %12 = linalg.index 1 : index
        %c16 = arith.constant 16 : index
        %13 = arith.muli %11, %c16 : index
        %14 = arith.addi %13, %12 : index
        %15 = arith.index_cast %14 : index to i32
        %16 = arith.sitofp %15 : i32 to f32
        %17 = arith.addf %in, %16 : f32
        linalg.yield %17 : f32
      } -> tensor<8x16xf32>
      %cst = arith.constant 0.000000e+00 : f32
      %1 = linalg.fill ins(%cst : f32) outs(%arg4 : tensor<8x4xf32>) -> tensor<8x4xf32>
      %2 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%0, %arg1 : tensor<8x16xf32>, tensor<4x16xf32>) outs(%1 : tensor<8x4xf32>) {
      ^bb0(%in: f32, %in_2: f32, %out: f32):
        %11 = arith.mulf %in, %in_2 : f32
        %12 = arith.addf %out, %11 : f32
        linalg.yield %12 : f32
      } -> tensor<8x4xf32>
      %3 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %arg2 : tensor<8x4xf32>, tensor<4xf32>) outs(%arg4 : tensor<8x4xf32>) {
      ^bb0(%in: f32, %in_2: f32, %out: f32):
        %11 = arith.addf %in, %in_2 : f32
        linalg.yield %11 : f32
      } -> tensor<8x4xf32>
      %cst_0 = arith.constant 0xFF800000 : f32
      %4 = tensor.empty() : tensor<8xf32>
      %5 = linalg.fill ins(%cst_0 : f32) outs(%4 : tensor<8xf32>) -> tensor<8xf32>
      %6 = linalg.generic {indexing_maps = [#map, #map5], iterator_types = ["parallel", "reduction"]} ins(%3 : tensor<8x4xf32>) outs(%5 : tensor<8xf32>) {
      ^bb0(%in: f32, %out: f32):
        %11 = arith.maximumf %out, %in : f32
        linalg.yield %11 : f32
      } -> tensor<8xf32>
      %7 = linalg.generic {indexing_maps = [#map, #map5, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %6 : tensor<8x4xf32>, tensor<8xf32>) outs(%arg4 : tensor<8x4xf32>) {
      ^bb0(%in: f32, %in_2: f32, %out: f32):
        %11 = arith.subf %in, %in_2 : f32
        linalg.yield %11 : f32
      } -> tensor<8x4xf32>
      %cst_1 = arith.constant 0.000000e+00 : f32
      %8 = linalg.fill ins(%cst_1 : f32) outs(%arg5 : tensor<8x16xf32>) -> tensor<8x16xf32>
      %9 = linalg.generic {indexing_maps = [#map3, #map2, #map1], iterator_types = ["parallel", "reduction", "parallel"]} ins(%7, %arg1 : tensor<8x4xf32>, tensor<4x16xf32>) outs(%8 : tensor<8x16xf32>) {
      ^bb0(%in: f32, %in_2: f32, %out: f32):
        %11 = arith.mulf %in, %in_2 : f32
        %12 = arith.addf %out, %11 : f32
        linalg.yield %12 : f32
      } -> tensor<8x16xf32>
      %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %9 : tensor<8x16xf32>, tensor<8x16xf32>) outs(%arg5 : tensor<8x16xf32>) {
      ^bb0(%in: f32, %in_2: f32, %out: f32):
        %cst_3 = arith.constant 0.000000e+00 : f32
        %11 = arith.cmpf ogt, %in, %cst_3 : f32
        %12 = arith.select %11, %in_2, %cst_3 : f32
        linalg.yield %12 : f32
      } -> tensor<8x16xf32>
      return %0, %7, %10 : tensor<8x16xf32>, tensor<8x4xf32>, tensor<8x16xf32>
    }
    plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 1, threads = 32, lanes = 4, vectorize = [2, 4], accumulate = 128>) chunks(1)
  }
  plan.executable @mask_columns {
    func.func @body(%arg0: tensor<8x16xf32>, %arg1: tensor<16xf32>) -> tensor<16xf32> {
      %cst = arith.constant 0.000000e+00 : f32
      %0 = linalg.fill ins(%cst : f32) outs(%arg1 : tensor<16xf32>) -> tensor<16xf32>
      %1 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["reduction", "parallel"]} ins(%arg0 : tensor<8x16xf32>) outs(%0 : tensor<16xf32>) {
      ^bb0(%in: f32, %out: f32):
        %2 = arith.addf %out, %in : f32
        linalg.yield %2 : f32
      } -> tensor<16xf32>
      return %1 : tensor<16xf32>
    }
    plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 1, threads = 32, lanes = 1, vectorize = [1, 4], accumulate = 128>) chunks(1)
  }
  plan.program @step kind predict sizes<arena = 1152 above 1152, inputs = 832, outputs = 320, workspace = 0> {
    %0 = plan.input 0 "x" {offset = 0 : i64} : memref<8x16xf32, #inputs>
    %1 = plan.input 1 "w" {offset = 512 : i64} : memref<4x16xf32, #inputs>
    %2 = plan.input 2 "b" {offset = 768 : i64} : memref<4xf32, #inputs>
    %3 = plan.alloc {offset = 512 : i64} : memref<8x16xf32, #arena>
    %4 = plan.alloc {offset = 1024 : i64} : memref<8x4xf32, #arena>
    %5 = plan.alloc {offset = 0 : i64} : memref<8x16xf32, #arena>
    plan.dispatch @before_rows ins(%0, %1, %2 : memref<8x16xf32, #inputs>, memref<4x16xf32, #inputs>, memref<4xf32, #inputs>) outs(%3, %4, %5 : memref<8x16xf32, #arena>, memref<8x4xf32, #arena>, memref<8x16xf32, #arena>) {flops = 1184 : i64}
    %6 = plan.output 0 "dw" {offset = 0 : i64} : memref<4x16xf32, #outputs>
    plan.call #plan.cublaslt.matmul<m = 4, n = 16, k = 8, transpose_a = 1> ins(%4, %3 : memref<8x4xf32, #arena>, memref<8x16xf32, #arena>) outs(%6 : memref<4x16xf32, #outputs>) {flops = 1024 : i64}
    %7 = plan.output 1 "sums" {offset = 256 : i64} : memref<16xf32, #outputs>
    plan.dispatch @mask_columns ins(%5 : memref<8x16xf32, #arena>) outs(%7 : memref<16xf32, #outputs>) {flops = 128 : i64}
    plan.return
  }
}

