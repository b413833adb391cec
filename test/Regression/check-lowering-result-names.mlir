// Two results of one name were compared with each other, and the check crashed.
//
// RUN: not job-opt %s --job-check-lowering 2>&1 | FileCheck %s
// CHECK: error: job @f expects names of results to be unique but got 'y' for results 0 and 1

job.func @f(%x: !job.blob<2xf32>) -> (!job.blob<2xf32> {job.name = "y"}, !job.blob<3xf32> {job.name = "y"}) kind predict {
  %0 = job.exp %x : !job.blob<2xf32>
  %1 = job.constant dense<1.0> : tensor<3xf32>
  job.return %0, %1 : !job.blob<2xf32>, !job.blob<3xf32>
}
