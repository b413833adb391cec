// RUN: job-opt %s --pass-pipeline='builtin.module(plan.executable(plan-generate-code),job-lower-cuda-kernels{targets=simulated})' --split-input-file --verify-diagnostics

// Threads that wait for each other are all of a block.
#arena = #plan.space<arena>
#id = affine_map<(i) -> (i)>
#row = affine_map<(i, j) -> (i, j)>
#item = affine_map<(i, j) -> (i)>
plan.device @gpu0 kind(cuda) queues(1)
plan.executable @negate {
  func.func @body(%x: tensor<512xf32>, %y: tensor<512xf32>) -> tensor<512xf32> {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<512xf32>) outs(%y : tensor<512xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.negf %a : f32
      linalg.yield %1 : f32
    } -> tensor<512xf32>
    return %0 : tensor<512xf32>
  }
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 2, threads = 256>) chunks(2)
}
plan.executable @sums {
  func.func @body(%x: tensor<4x64xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    %zero = arith.constant 0.0 : f32
    %0 = linalg.fill ins(%zero : f32) outs(%y : tensor<4xf32>) -> tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [#row, #item], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x64xf32>) outs(%0 : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32):
      %2 = arith.addf %b, %a : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  // expected-error @below {{expects 256 threads, as the launch has that it joins, since its threads wait for each other, but got 64}}
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 2, threads = 64, lanes = 32>) chunks(2)
}
plan.program @p kind predict {
  %a = plan.alloc {offset = 0 : i64} : memref<512xf32, #arena>
  %b = plan.alloc {offset = 2048 : i64} : memref<512xf32, #arena>
  %c = plan.alloc {offset = 4096 : i64} : memref<4x64xf32, #arena>
  %d = plan.alloc {offset = 5120 : i64} : memref<4xf32, #arena>
  plan.dispatch @negate ins(%a : memref<512xf32, #arena>) outs(%b : memref<512xf32, #arena>)
  plan.dispatch @sums joined ins(%c : memref<4x64xf32, #arena>) outs(%d : memref<4xf32, #arena>)
  plan.return
}
