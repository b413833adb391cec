// RUN: job-opt %s --convert-job-to-plan | FileCheck %s

// The second product needs a value of the row, so it is in a second pass, which
// reads %p again. The first product, which the first pass writes, may not
// overwrite it.
// CHECK-LABEL: plan.program @f
// CHECK:         plan.dispatch
// CHECK-NOT:     inouts
// CHECK:         plan.dispatch
// CHECK-NOT:     inouts
// CHECK:         plan.dispatch
job.func @f(%x: !job.blob<8x16xf32>, %s: !job.blob<1xf32>) -> (!job.blob<16xf32>, !job.blob<1xf32>, !job.blob<16xf32>) kind predict {
  %g = job.kernel(%a = %x : !job.blob<8x16xf32>) -> !job.blob<16xf32> {
    %0 = job.reduce_sum %a {axes = array<i64: 0>} : !job.blob<8x16xf32>
    job.yield %0 : !job.blob<16xf32>
  }
  %r:3 = job.kernel(%p = %g : !job.blob<16xf32>, %q = %s : !job.blob<1xf32>) -> (!job.blob<16xf32>, !job.blob<1xf32>, !job.blob<16xf32>) {
    %0 = job.mul %p, %p : !job.blob<16xf32>
    %1 = job.reduce_max %0 {axes = array<i64: 0>} : !job.blob<16xf32>
    %2 = job.sqrt %q : !job.blob<1xf32>
    %3 = job.broadcast_in_dim %2 {dims = array<i64: 0>} : !job.blob<1xf32> to !job.blob<16xf32>
    %4 = job.mul %0, %3 : !job.blob<16xf32>
    job.yield %0, %1, %4 : !job.blob<16xf32>, !job.blob<1xf32>, !job.blob<16xf32>
  }
  %t = job.kernel(%b = %r#0 : !job.blob<16xf32>) -> !job.blob<16xf32> {
    %0 = job.neg %b : !job.blob<16xf32>
    job.yield %0 : !job.blob<16xf32>
  }
  job.return %t, %r#1, %r#2 : !job.blob<16xf32>, !job.blob<1xf32>, !job.blob<16xf32>
}
