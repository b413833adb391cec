// The device of the jobs is declared, and kernels are for it.

// RUN: job-opt %s --job-plan-pipeline | FileCheck %s

// CHECK: plan.device @gpu1 kind(cuda) queues(1) index(1)
// CHECK: plan.executable @kernel_0
// CHECK-NOT: @cpu
// CHECK: plan.variant @cuda schedule(#plan.cuda_schedule<
// CHECK-NOT: @cpu
job.func @twice(%x: !job.blob<4xf32> {job.name = "x"}) -> (!job.blob<4xf32> {job.name = "y"}) kind predict attributes {placement = #job.placement<gpu, "0:1">} {
  %0 = job.add %x, %x : !job.blob<4xf32>
  job.return %0 : !job.blob<4xf32>
}
