// RUN: job-opt %s --pass-pipeline='builtin.module(plan.executable(plan-generate-code),job-lower-cuda-kernels{targets=simulated})' --verify-diagnostics

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
plan.device @gpu0 kind(cuda) queues(1)
plan.executable @sums {
  func.func @body(%arg0: tensor<512x64xf32>, %arg1: tensor<64xf32>) -> tensor<64xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = linalg.fill ins(%cst : f32) outs(%arg1 : tensor<64xf32>) -> tensor<64xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "parallel"]} ins(%arg0 : tensor<512x64xf32>) outs(%0 : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.addf %out, %in : f32
      linalg.yield %2 : f32
    } -> tensor<64xf32>
    return %1 : tensor<64xf32>
  }
  // expected-error @below {{expects a block to have at most 49152 bytes of shared memory but got 65536 for this schedule}}
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 1, threads = 1024, lanes = 512, vectorize = [1, 16], accumulate = 128>) chunks(1)
}
