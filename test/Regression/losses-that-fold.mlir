// The second loss becomes, when it is folded, the value that the first is
// computed from. The job is what it was.
//
// RUN: job-opt %s --canonicalize --job-autodiff --canonicalize --job-optimizer | FileCheck %s
// RUN: job-opt %s --job-train-pipeline

// CHECK-LABEL: job.func @train
// CHECK-NOT: job.update
// CHECK: job.assign @v
// CHECK: job.return

job.variable @v : !job.blob<3xf32> init #job.constant_init<1.0>

job.func @train() kind train {
  %v = job.read @v : !job.blob<3xf32>
  %weights = job.constant dense<[0.5, 1.0, 2.0]> : tensor<3xf32>
  %first = job.mul %v, %weights : !job.blob<3xf32>
  job.loss %first : !job.blob<3xf32>
  %ones = job.constant dense<1.0> : tensor<3xf32>
  %second = job.mul %v, %ones : !job.blob<3xf32>
  job.loss %second : !job.blob<3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return
}
