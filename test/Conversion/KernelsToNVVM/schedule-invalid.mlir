// RUN: job-opt %s --job-lower-cuda-kernels=targets=simulated --verify-diagnostics

plan.executable @fill {
  // expected-error @below {{expects a #plan.cuda_schedule, which says how many threads a block has, but got none}}
  plan.variant @cuda chunks(1) function(@cuda_code)
  func.func @cuda_code(%x: memref<64xf32>, %block: index) {
    %thread = gpu.thread_id x
    %value = arith.constant 0.0 : f32
    memref.store %value, %x[%thread] : memref<64xf32>
    return
  }
}
