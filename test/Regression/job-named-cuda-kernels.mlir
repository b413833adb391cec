// A job may have the name of the module of all kernels.
//
// RUN: job-opt %s --job-plan-pipeline=device=gpu --job-lower-pipeline=gpu-targets=simulated | FileCheck %s
// CHECK-DAG: plan.program @cuda_kernels
// CHECK-DAG: gpu.binary @cuda_kernels_0
job.func @cuda_kernels(%x: !job.blob<4xf32>) -> !job.blob<4xf32> kind predict {
  %0 = job.exp %x : !job.blob<4xf32>
  job.return %0 : !job.blob<4xf32>
}
