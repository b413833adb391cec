// What a job forbids is said as the reason.
//
// RUN: job-opt %s --job-plan-pipeline --explain=fusion,memory -o /dev/null 2>&1 | FileCheck %s

job.variable @w : !job.blob<64x64xf32> init #job.constant_init<1.0>

// CHECK-DAG: sub is not fused with {{.*}}: updates of variables are not fused; 16,384 bytes go through memory
// CHECK-DAG: memory: step: the arena has {{.*}}, by strategy time, size; by others:
job.func @step(%x: !job.blob<64x64xf32>) kind predict attributes {fuse_updates = false, packing = ["time", "size"]} {
  %w = job.read @w : !job.blob<64x64xf32>
  %0 = job.exp %x : !job.blob<64x64xf32>
  %1 = job.mul %0, %x : !job.blob<64x64xf32>
  %2 = job.sub %w, %1 : !job.blob<64x64xf32>
  job.assign @w, %2 : !job.blob<64x64xf32>
  job.return
}
