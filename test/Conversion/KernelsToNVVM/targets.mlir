// RUN: job-opt %s --job-lower-cuda-kernels="targets=sm_80,sm_100,simulated cpu=haswell features=-f16c" | FileCheck %s
// CHECK: gpu.module @cuda_kernels [#nvvm.target<O = 3, chip = "sm_80", features = "+ptx81">, #nvvm.target<O = 3, chip = "sm_100", features = "+ptx86">, #plan.simulated_cuda<cpu = "haswell", features = "-f16c">]

// RUN: job-opt %s --job-lower-cuda-kernels="targets=compute_90,sm_90,compute_90" | FileCheck %s --check-prefix=PTX
// PTX: gpu.module @cuda_kernels [#plan.ptx<chip = "sm_90", features = "+ptx81">, #nvvm.target<O = 3, chip = "sm_90", features = "+ptx81">]
// RUN: job-opt %s --job-lower-cuda-kernels=targets=compute_80 --gpu-module-to-binary | FileCheck %s --check-prefix=TEXT
// TEXT: gpu.binary @cuda_kernels [#gpu.object<#plan.ptx<chip = "sm_80", features = "+ptx81">, assembly = "//{{.*}}.version 8.1{{.*}}.visible .entry fill({{.*}}\00">]

// RUN: not job-opt %s --job-lower-cuda-kernels=targets=sm_1 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: expects targets that are sm_80, sm_86, sm_89, sm_90, sm_100, sm_103, sm_120, the same with compute_ in place of sm_, or simulated but got 'sm_1'

plan.executable @fill {
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 1, threads = 32>) chunks(1) function(@cuda_code)
  func.func @cuda_code(%x: memref<64xf32>, %value: f32, %block: index) {
    %thread = gpu.thread_id x
    memref.store %value, %x[%thread] : memref<64xf32>
    return
  }
}
