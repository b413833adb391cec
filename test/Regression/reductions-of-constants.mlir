// Where all that a pass reads are constants, no operand tells the extents of its
// loops. Reading the kernel crashed.
//
// RUN: job-opt %s --job-check-lowering="pipeline=job-plan-pipeline,job-lower-pipeline" -o /dev/null 2>&1 | FileCheck %s --check-prefix=AGREE
// RUN: job-opt %s --job-plan-pipeline=simplify=false | FileCheck %s

// AGREE: and the artifact agree with the reference

// CHECK: plan.executable @kernel_0 {
// CHECK: %[[EXTENTS:.*]] = tensor.empty() : tensor<2x300xi1>
// CHECK: linalg.generic {{.*}} ins(%[[EXTENTS]] : tensor<2x300xi1>) outs(%{{.*}} : tensor<2xf32>)
job.func @by_hand(%x: !job.blob<2xf32>) -> !job.blob<2xf32> kind predict {
  %0 = job.kernel(%a = %x : !job.blob<2xf32>) -> !job.blob<2xf32> {
    %c = job.constant dense<0.1> : tensor<2x300xf32>
    %e = job.exp %c : !job.blob<2x300xf32>
    %s = job.reduce_sum %e {axes = array<i64: 1>} : !job.blob<2x300xf32>
    %y = job.add %s, %a : !job.blob<2xf32>
    job.yield %y : !job.blob<2xf32>
  }
  job.return %0 : !job.blob<2xf32>
}

// Nor is a result of the shape where the reduction is long: its parts have
// extents of their own.
// CHECK: plan.executable @kernel_1_parts {
// CHECK: tensor.empty() : tensor<50x20000xi1>
job.func @long(%x: !job.blob<1xf32>) -> !job.blob<1xf32> kind predict {
  %b = job.broadcast_in_dim %x {dims = array<i64: 0>} : !job.blob<1xf32> to !job.blob<1000000xf32>
  %s = job.reduce_max %b {axes = array<i64: 0>} : !job.blob<1000000xf32>
  job.return %s : !job.blob<1xf32>
}

// A result of the shape is not written by the pass of the sum.
job.func @normalized(%gamma: !job.blob<2xf32>) -> !job.blob<2x2xf32> kind predict {
  %beta = job.constant dense<0.125> : tensor<2xf32>
  %c = job.constant dense<-0.093> : tensor<2x2xf32>
  %x = job.round %c : !job.blob<2x2xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 0 : i64, epsilon = 0.1 : f64} : !job.blob<2x2xf32>, !job.blob<2xf32>
  job.return %y : !job.blob<2x2xf32>
}
