// The addition to a sum over micro-steps was put into the kernel of the
// reduction that it adds, which would read the sum again.
//
// RUN: job-opt %s --job-train-pipeline --job-plan-pipeline -o /dev/null
// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-decompose,job-form-micro-steps,job-form-kernels))' --explain=fusion -o /dev/null 2>&1 | FileCheck %s

// CHECK: fusion: job: add is not fused with reduce_min: it needs the finished reduction, and one of them updates a variable or a sum in place
job.func @job(%x: !job.blob<8x4xf32>) -> !job.blob<4xf32> kind predict {
  %rows = job.unpack %x {count = 2 : i64} : !job.blob<8x4xf32>
  %min = job.reduce_min %rows {axes = array<i64: 1>} : !job.blob<4x4xf32>
  %sum = job.acc %min {count = 2 : i64} : !job.blob<4xf32>
  job.return %sum : !job.blob<4xf32>
}
