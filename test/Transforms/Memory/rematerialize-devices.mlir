// A budget is for each device: what is on the GPU is computed again, what is on
// the CPU has room.
//
// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-form-kernels{fuse=false}),job-rematerialize{budget=180000 schedule=false})' --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-form-kernels{fuse=false}),job-rematerialize{budget=180000 schedule=false})' --explain=memory -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

#cpu = #job.placement<cpu, "0:0">
#gpu = #job.placement<gpu, "0:0">

// The staging is on the host: with it the two blobs that the CPU keeps are above
// the budget of both devices together, but not above its own.
// CHECK-LABEL: job.func @two
// CHECK: job.exp
// CHECK: job.kernel
// CHECK: job.cos
// CHECK: job.transfer
// CHECK: %[[AGAIN:.*]] = job.kernel
// CHECK: job.exp
// CHECK: loc(fused<"recomputation of">["on gpu"("model.py":1:1)])
// CHECK-NOT: recomputation
// WHY: model.py:1:1: memory: two: recomputation of on gpu: is computed again, which frees 65,536 bytes
// WHY: memory: two: 1 op runs again, {{.*}} so that at most 131,136 bytes are live at the peak instead of 196,672; the budget leaves 179,872 for the arena of gpu0
// WHY-NOT: cpu0
job.variable @v : !job.blob<4xf32> init #job.constant_init<1.0> {placement = #gpu}
job.func @two(%x: !job.blob<4xf32>) -> !job.blob<1xf32> kind predict attributes {placement = #gpu} {
  %v = job.read @v : !job.blob<4xf32>
  %b = job.broadcast_in_dim %v {dims = array<i64: 1>} : !job.blob<4xf32> to !job.blob<4096x4xf32>
  %0 = job.exp %b : !job.blob<4096x4xf32> loc("on gpu"("model.py":1:1))
  %1 = job.sin %0 : !job.blob<4096x4xf32>
  %2 = job.abs %1 : !job.blob<4096x4xf32>
  %c = job.broadcast_in_dim %x {dims = array<i64: 1>, job.placement = #cpu} : !job.blob<4xf32> to !job.blob<4096x4xf32>
  %3 = job.exp %c {job.placement = #cpu} : !job.blob<4096x4xf32> loc("on cpu"("model.py":2:1))
  %4 = job.cos %3 {job.placement = #cpu} : !job.blob<4096x4xf32>
  %s = job.reduce_sum %4 {axes = array<i64: 0, 1>, job.placement = #cpu} : !job.blob<4096x4xf32>
  %t = job.transfer %s to #gpu : !job.blob<1xf32>
  %5 = job.mul %2, %1 : !job.blob<4096x4xf32>
  %6 = job.mul %5, %0 : !job.blob<4096x4xf32>
  %7 = job.reduce_sum %6 {axes = array<i64: 0, 1>} : !job.blob<4096x4xf32>
  %8 = job.add %7, %t : !job.blob<1xf32>
  job.return %8 : !job.blob<1xf32>
}
