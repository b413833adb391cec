// RUN: job-opt %s --job-lower-cuda-kernels="targets=sm_80,sm_100,simulated cpu=haswell features=-f16c" | FileCheck %s
// CHECK: gpu.module @cuda_kernels [#nvvm.target<O = 3, chip = "sm_80", features = "+ptx81">, #nvvm.target<O = 3, chip = "sm_100", features = "+ptx86">, #plan.simulated_cuda<cpu = "haswell", features = "-f16c">]

// RUN: not job-opt %s --job-lower-cuda-kernels=targets=sm_1 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: expects targets that are sm_80, sm_86, sm_89, sm_90, sm_100, sm_103, sm_120, or simulated but got 'sm_1'

plan.executable @fill {
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 1, threads = 32>) chunks(1) function(@cuda_code)
  func.func @cuda_code(%x: memref<64xf32>, %value: f32, %block: index) {
    %thread = gpu.thread_id x
    memref.store %value, %x[%thread] : memref<64xf32>
    return
  }
}
