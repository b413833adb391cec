// A sum over micro-steps in the kernel of a reduction over an axis of extent 1 was
// refused: values of the reduction's shape counted as those that a row has one of,
// which are read again in a later pass. Here they are the elements themselves.
//
// RUN: job-opt %s --job-train-pipeline --job-plan-pipeline | FileCheck %s
// RUN: job-opt %s --job-check-lowering 2>&1 | FileCheck %s --check-prefix=AGREE
// AGREE: and the artifact agree with the reference

// CHECK: plan.repeat
// CHECK: plan.dispatch @{{.*}} inouts({{.*}} : memref<3x4x1xf64, #outputs>)
job.func @job(%x: !job.blob<6x4x1xf32>) -> (!job.blob<3x4x1xf64> {job.name = "sum"}, !job.blob<6x4x1xf32> {job.name = "parts"}) kind predict {
  %rows = job.unpack %x {count = 2 : i64} : !job.blob<6x4x1xf32>
  %y = job.sinh %rows : !job.blob<3x4x1xf32>
  %wide = job.cast %y : !job.blob<3x4x1xf32> to !job.blob<3x4x1xf64>
  %max = job.reduce_max %y {axes = array<i64: 2>, keepdims = true} : !job.blob<3x4x1xf32>
  %sum = job.acc %wide {count = 2 : i64} : !job.blob<3x4x1xf64>
  %parts = job.pack %max {count = 2 : i64} : !job.blob<3x4x1xf32>
  job.return %sum, %parts : !job.blob<3x4x1xf64>, !job.blob<6x4x1xf32>
}
