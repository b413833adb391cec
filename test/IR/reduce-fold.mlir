// RUN: job-opt %s --canonicalize | FileCheck %s

// Reductions over nothing.
// CHECK-LABEL: job.func @no_axes(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x6xf32>)
// CHECK-NEXT:    job.return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]] :
job.func @no_axes(%x: !job.blob<2x6xf32>)
    -> (!job.blob<2x6xf32>, !job.blob<2x6xf32>, !job.blob<2x6xf32>, !job.blob<2x6xf32>, !job.blob<2x6xf32>) kind predict {
  %0 = job.reduce_sum %x {axes = array<i64>} : !job.blob<2x6xf32>
  %1 = job.reduce_sum %x {axes = array<i64>, keepdims = true} : !job.blob<2x6xf32>
  %2 = job.reduce_prod %x {axes = array<i64>} : !job.blob<2x6xf32>
  %3 = job.reduce_max %x {axes = array<i64>} : !job.blob<2x6xf32>
  %4 = job.reduce_min %x {axes = array<i64>} : !job.blob<2x6xf32>
  job.return %0, %1, %2, %3, %4 : !job.blob<2x6xf32>, !job.blob<2x6xf32>, !job.blob<2x6xf32>, !job.blob<2x6xf32>, !job.blob<2x6xf32>
}

// A sum over one element: 0 + (-0) is 0 in a kernel that starts from 0, so the
// element itself would be another answer.
// CHECK-LABEL: job.func @one_element
// CHECK:         job.reduce_sum
job.func @one_element(%x: !job.blob<1x6xf32>) -> !job.blob<1x6xf32> kind predict {
  %0 = job.reduce_sum %x {axes = array<i64: 0>, keepdims = true} : !job.blob<1x6xf32>
  job.return %0 : !job.blob<1x6xf32>
}

// The order of a sum's additions belongs to the kernel, so constants are not
// summed.
// CHECK-LABEL: job.func @constant
// CHECK:         job.reduce_sum
job.func @constant() -> !job.blob<1xf32> kind predict {
  %0 = job.constant dense<0.1> : tensor<100xf32>
  %1 = job.reduce_sum %0 {axes = array<i64: 0>} : !job.blob<100xf32>
  job.return %1 : !job.blob<1xf32>
}
