// RUN: job-opt %s --job-form-kernels | FileCheck %s

// A kernel of %g1 and %g2 would need %r, whose kernel stands
// before both and needs, through the product, what runs with %m. That needs
// %g1: each would wait for the other.

// CHECK-LABEL: job.func @f
// CHECK: job.kernel
// CHECK-NEXT: job.exp
// CHECK-NEXT: job.yield
// CHECK: job.kernel
// CHECK: job.broadcast_in_dim
// CHECK: job.matmul
// CHECK: job.kernel
// CHECK: job.reduce_sum
// CHECK: job.kernel
// CHECK-NEXT: job.add
// CHECK: job.return
job.func @f(%x: !job.blob<8x8xf32>, %y: !job.blob<8xf32>) -> (!job.blob<8x8xf32>, !job.blob<8xf32>) kind predict {
  %d = job.exp %x : !job.blob<8x8xf32>
  %u = job.matmul %d, %d : !job.blob<8x8xf32>, !job.blob<8x8xf32>
  %r = job.reduce_sum %u {axes = array<i64: 0>} : !job.blob<8x8xf32>
  %g1 = job.exp %y : !job.blob<8xf32>
  %b = job.broadcast_in_dim %g1 {dims = array<i64: 1>} : !job.blob<8xf32> to !job.blob<8x8xf32>
  %m = job.add %d, %b : !job.blob<8x8xf32>
  %g2 = job.add %g1, %r : !job.blob<8xf32>
  job.return %m, %g2 : !job.blob<8x8xf32>, !job.blob<8xf32>
}
