// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-form-micro-steps,job-form-kernels{fuse=false}),job-rematerialize{budget=265600})' | FileCheck %s
// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-form-micro-steps,job-form-kernels{fuse=false}),job-rematerialize{budget=265600})' --explain=memory -o /dev/null 2>&1 | FileCheck %s --check-prefix=MICRO

// In micro-steps: the loop gets what is left beside the blobs around it, and
// what runs again does so in each of them.
// MICRO: memory: micro: recomputation of early: is computed again, which frees 65,536 bytes for 32.8 kFLOP
// CHECK-LABEL: job.func @micro
// CHECK: job.micro_steps
// CHECK-COUNT-2: job.exp
// CHECK: job.return
job.func @micro(%x: !job.blob<256x128xf32>) -> !job.blob<1xf32> kind predict {
  %p = job.unpack %x {count = 2 : i64} : !job.blob<256x128xf32>
  %0 = job.exp %p : !job.blob<128x128xf32> loc("early"("model.py":1:1))
  %1 = job.sin %0 : !job.blob<128x128xf32>
  %2 = job.matmul %1, %1 : !job.blob<128x128xf32>, !job.blob<128x128xf32>
  %3 = job.cos %2 : !job.blob<128x128xf32>
  %4 = job.mul %3, %0 : !job.blob<128x128xf32>
  %5 = job.reduce_sum %4 {axes = array<i64: 0, 1>} : !job.blob<128x128xf32>
  %6 = job.acc %5 {count = 2 : i64} : !job.blob<1xf32>
  job.return %6 : !job.blob<1xf32>
}
