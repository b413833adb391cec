// RUN: not job-compile %s -o %t.so --gpu-target=simulated 2>&1 | FileCheck %s
// CHECK: infinite-scalar.mlir:[[#@LINE+13]]:3: error: 'plan.dispatch' op expects finite scalars on a device of kind cuda but got 0x7F800000 : f32

plan.device @gpu0 kind(cuda) queues(1)
plan.executable @fill {
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 1, threads = 32>) chunks(1) function(@cuda_code)
  func.func @cuda_code(%x: memref<32xf32>, %value: f32, %block: index) {
    %thread = gpu.thread_id x
    memref.store %value, %x[%thread] : memref<32xf32>
    return
  }
}
plan.program @p kind predict {
  %y = plan.output 0 "y" : memref<32xf32, #plan.space<outputs>>
  plan.dispatch @fill outs(%y : memref<32xf32, #plan.space<outputs>>) scalars [0x7F800000 : f32]
  plan.return
}
