// RUN: job-opt %s --job-form-kernels | FileCheck %s

// The sum stands before the cast and has nothing to do with it, but runs with
// %w, which needs the cast. So the product, which needs the sum, cannot run with
// the cast: each of the two kernels would wait for the other.

job.variable @v : !job.blob<2x3xf32> init #job.constant_init<0.0> {trainable = false}
job.variable @w : !job.blob<3xf32> init #job.constant_init<0.0> {trainable = false}

// CHECK-LABEL: job.func @f
// CHECK: %[[CAST:.*]] = job.kernel
// CHECK-NEXT: job.cast
// CHECK-NEXT: job.yield
// CHECK: %[[BOTH:.*]]:2 = job.kernel({{.*}}%[[CAST]]
// CHECK: job.assign @v, %[[BOTH]]#1
// CHECK: job.kernel({{.*}}%[[CAST]]{{.*}}%[[BOTH]]#0
// CHECK: job.return
job.func @f(%x: !job.blob<2x3xf32>, %n: !job.blob<3xi64>) kind predict {
  %e = job.exp %x : !job.blob<2x3xf32>
  %sum = job.reduce_sum %e {axes = array<i64: 0>} : !job.blob<2x3xf32>
  %cast = job.cast %n : !job.blob<3xi64> to !job.blob<3xf32>
  %rows = job.broadcast_in_dim %cast {dims = array<i64: 1>} : !job.blob<3xf32> to !job.blob<2x3xf32>
  %y = job.mul %rows, %e : !job.blob<2x3xf32>
  job.assign @v, %y : !job.blob<2x3xf32>
  %z = job.mul %cast, %sum : !job.blob<3xf32>
  job.assign @w, %z : !job.blob<3xf32>
  job.return
}
