// A kernel had a copy of a comparison for one of its members, and a transpose in
// it read the copy in place of the comparison in memory, whose kernel then had
// no result. A padding, which is also computed where it is used, and a
// comparison of rows had the same fault.

// RUN: job-opt %s --job-plan-pipeline | job-opt --job-lower-pipeline -o /dev/null
// RUN: job-opt %s --job-form-kernels | FileCheck %s

// CHECK-LABEL: job.func @mask(
// CHECK: %[[MADE:.*]]:2 = job.kernel(
// CHECK-NEXT: %[[MASK:.*]] = job.compare
// CHECK-NEXT: %[[KEPT:.*]] = job.select %[[MASK]]
// CHECK-NEXT: job.yield %[[MASK]], %[[KEPT]]
// CHECK: job.kernel(%[[IN:arg[0-9]+]] = %[[MADE]]#0 :
// CHECK: %[[TURNED:.*]] = job.transpose %[[IN]]
// CHECK: job.select %[[TURNED]]
job.func @mask(%x: !job.blob<8x8xf32>, %y: !job.blob<8x8xf32>) -> !job.blob<8x8xf32> kind predict {
  %0 = job.compare lt %x, %y : !job.blob<8x8xf32>
  %1 = job.select %0, %x, %y : !job.blob<8x8xi1>, !job.blob<8x8xf32>
  %2 = job.transpose %0 {permutation = array<i64: 1, 0>} : !job.blob<8x8xi1>
  %3 = job.select %2, %1, %x : !job.blob<8x8xi1>, !job.blob<8x8xf32>
  job.return %3 : !job.blob<8x8xf32>
}

// CHECK-LABEL: job.func @padding(
// CHECK: %[[PADDED:.*]] = job.kernel(
// CHECK: job.pad_to_static
// CHECK-NEXT: job.yield
// CHECK: job.kernel(%[[IN:arg[0-9]+]] = %[[PADDED]] :
// CHECK-NEXT: %[[TURNED:.*]] = job.transpose %[[IN]]
// CHECK-NEXT: job.maximum %[[IN]], %[[TURNED]]
job.func @padding(%x: !job.blob<8x8xf32>) -> !job.blob<8x8xf32> kind predict {
  %n = job.constant dense<3> : tensor<1xi64>
  %0 = job.slice_to_dynamic %x, %n {dim = 1 : i64} : !job.blob<8x8xf32>
  %1 = job.pad_to_static %0, %n {value = 0.5 : f64} : !job.blob<8x?<=8>xf32>
  %2 = job.transpose %1 {permutation = array<i64: 1, 0>} : !job.blob<8x8xf32>
  %3 = job.maximum %1, %2 : !job.blob<8x8xf32>
  job.return %3 : !job.blob<8x8xf32>
}

// One kernel computes all: a broadcast along rows is of the kernel's own value.
// CHECK-LABEL: job.func @rows(
// CHECK: job.kernel(
// CHECK: %[[SUM:.*]] = job.reduce_sum
// CHECK: %[[MASK:.*]] = job.compare {{.*}}%[[SUM]]
// CHECK: job.broadcast_in_dim %[[MASK]]
// CHECK-NOT: job.kernel
// CHECK: job.return
job.func @rows(%x: !job.blob<64x8xf32>) -> (!job.blob<64x8xf32>, !job.blob<64xf32>) kind predict {
  %0 = job.reduce_sum %x {axes = array<i64: 1>} : !job.blob<64x8xf32>
  %1 = job.constant dense<0.0> : tensor<64xf32>
  %2 = job.compare lt %0, %1 : !job.blob<64xf32>
  %3 = job.select %2, %0, %1 : !job.blob<64xi1>, !job.blob<64xf32>
  %4 = job.broadcast_in_dim %2 {dims = array<i64: 0>} : !job.blob<64xi1> to !job.blob<64x8xi1>
  %5 = job.neg %x : !job.blob<64x8xf32>
  %6 = job.select %4, %x, %5 : !job.blob<64x8xi1>, !job.blob<64x8xf32>
  job.return %6, %3 : !job.blob<64x8xf32>, !job.blob<64xf32>
}
