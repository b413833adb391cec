// A sum that a product reads is not computed by that product.
//
// RUN: job-opt %s --job-plan-pipeline=device=gpu | FileCheck %s
// CHECK-NOT: bias_grad
job.func @f(%x: !job.blob<8x8xf32>) -> !job.blob<8x1xf32> kind predict {
  %a = job.matmul %x, %x : !job.blob<8x8xf32>, !job.blob<8x8xf32>
  %s = job.reduce_sum %a {axes = array<i64: 0>} : !job.blob<8x8xf32>
  %v = job.reshape %s : !job.blob<8xf32> to !job.blob<8x1xf32>
  %y = job.matmul %a, %v {transpose_lhs = true} : !job.blob<8x8xf32>, !job.blob<8x1xf32>
  job.return %y : !job.blob<8x1xf32>
}
