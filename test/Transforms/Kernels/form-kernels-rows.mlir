// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-form-kernels))' | FileCheck %s

// The gradient of a softmax goes over each row twice.
// CHECK-LABEL: job.func @softmax_gradient(
// CHECK-NEXT: %[[V0:.*]] = job.kernel(%[[G:.*]] = %arg1 : {{.*}}, %[[Y:.*]] = %arg0 : {{.*}}) -> !job.blob<100x50xf32> {
// CHECK-NEXT: %[[TERM:.*]] = job.mul %[[G]], %[[Y]]
// CHECK-NEXT: %[[SUM:.*]] = job.reduce_sum %[[TERM]] {axes = array<i64: 1>}
// CHECK-NEXT: %[[ROW:.*]] = job.broadcast_in_dim %[[SUM]] {dims = array<i64: 0>}
// CHECK-NEXT: %[[SUB:.*]] = job.sub %[[G]], %[[ROW]]
// CHECK-NEXT: %[[RESULT:.*]] = job.mul %[[Y]], %[[SUB]]
// CHECK-NEXT: job.yield %[[RESULT]]
// CHECK-NEXT: }
// CHECK-NEXT: job.return %[[V0]]
job.func @softmax_gradient(%y: !job.blob<100x50xf32>, %g: !job.blob<100x50xf32>) -> !job.blob<100x50xf32> kind predict {
  %0 = job.mul %g, %y : !job.blob<100x50xf32>
  %1 = job.reduce_sum %0 {axes = array<i64: 1>} : !job.blob<100x50xf32>
  %2 = job.broadcast_in_dim %1 {dims = array<i64: 0>} : !job.blob<100xf32> to !job.blob<100x50xf32>
  %3 = job.sub %g, %2 : !job.blob<100x50xf32>
  %4 = job.mul %y, %3 : !job.blob<100x50xf32>
  job.return %4 : !job.blob<100x50xf32>
}

// Numbers of rows may be computed between, and be read by others.
// CHECK-LABEL: job.func @normalize(
// CHECK-NEXT: %[[V0:.*]]:2 = job.kernel(%{{.*}} = %arg0
// CHECK: job.reduce_sum
// CHECK-NEXT: %[[MEAN:.*]] = job.div
// CHECK-NEXT: job.broadcast_in_dim %[[MEAN]]
// CHECK: %[[RESULT:.*]] = job.sub
// CHECK-NEXT: job.yield %[[MEAN]], %[[RESULT]]
// CHECK-NEXT: }
// CHECK-NEXT: job.return %[[V0]]#1, %[[V0]]#0
job.func @normalize(%x: !job.blob<4x25x64xf32>) -> (!job.blob<4x25x64xf32>, !job.blob<4x25x1xf32>) kind predict {
  %0 = job.reduce_sum %x {axes = array<i64: 2>, keepdims = true} : !job.blob<4x25x64xf32>
  %n = job.constant dense<64.0> : tensor<4x25x1xf32>
  %1 = job.div %0, %n : !job.blob<4x25x1xf32>
  %2 = job.broadcast_in_dim %1 {dims = array<i64: 0, 1, 2>} : !job.blob<4x25x1xf32> to !job.blob<4x25x64xf32>
  %3 = job.sub %x, %2 : !job.blob<4x25x64xf32>
  job.return %3, %1 : !job.blob<4x25x64xf32>, !job.blob<4x25x1xf32>
}

// Another reduction of the same rows joins, but not one of other axes, which the
// difference would have to be finished for.
// CHECK-LABEL: job.func @other_axes(
// CHECK-NEXT: %[[V0:.*]]:2 = job.kernel(
// CHECK: job.reduce_max
// CHECK: job.sub
// CHECK: job.reduce_sum {{.*}} {axes = array<i64: 1>}
// CHECK: }
// CHECK-NEXT: %[[V1:.*]] = job.kernel(
// CHECK-NEXT: job.reduce_sum {{.*}} {axes = array<i64: 0>}
job.func @other_axes(%x: !job.blob<100x50xf32>) -> (!job.blob<100xf32>, !job.blob<50xf32>) kind predict {
  %0 = job.reduce_max %x {axes = array<i64: 1>} : !job.blob<100x50xf32>
  %1 = job.broadcast_in_dim %0 {dims = array<i64: 0>} : !job.blob<100xf32> to !job.blob<100x50xf32>
  %2 = job.sub %x, %1 : !job.blob<100x50xf32>
  %3 = job.exp %2 : !job.blob<100x50xf32>
  %4 = job.reduce_sum %3 {axes = array<i64: 1>} : !job.blob<100x50xf32>
  %5 = job.reduce_sum %3 {axes = array<i64: 0>} : !job.blob<100x50xf32>
  job.return %4, %5 : !job.blob<100xf32>, !job.blob<50xf32>
}

// The sums of the rows are broadcast along the columns: each element needs those
// of all rows.
// CHECK-LABEL: job.func @along_columns(
// CHECK-COUNT-2: job.kernel
job.func @along_columns(%x: !job.blob<64x64xf32>) -> !job.blob<64x64xf32> kind predict {
  %0 = job.reduce_sum %x {axes = array<i64: 1>} : !job.blob<64x64xf32>
  %1 = job.broadcast_in_dim %0 {dims = array<i64: 1>} : !job.blob<64xf32> to !job.blob<64x64xf32>
  %2 = job.sub %x, %1 : !job.blob<64x64xf32>
  job.return %2 : !job.blob<64x64xf32>
}

// A column is no run of memory, and a long row does not stay in a cache.
// CHECK-LABEL: job.func @columns(
// CHECK-COUNT-2: job.kernel
// CHECK-LABEL: job.func @long(
// CHECK-COUNT-2: job.kernel
// CHECK-LABEL: job.func @few(
// CHECK-COUNT-2: job.kernel
// CHECK-NOT: job.kernel
job.func @columns(%x: !job.blob<100x50xf32>) -> !job.blob<100x50xf32> kind predict {
  %0 = job.reduce_sum %x {axes = array<i64: 0>} : !job.blob<100x50xf32>
  %1 = job.broadcast_in_dim %0 {dims = array<i64: 1>} : !job.blob<50xf32> to !job.blob<100x50xf32>
  %2 = job.sub %x, %1 : !job.blob<100x50xf32>
  job.return %2 : !job.blob<100x50xf32>
}

job.func @long(%x: !job.blob<100x100000xf32>) -> !job.blob<100x100000xf32> kind predict {
  %0 = job.reduce_sum %x {axes = array<i64: 1>} : !job.blob<100x100000xf32>
  %1 = job.broadcast_in_dim %0 {dims = array<i64: 0>} : !job.blob<100xf32> to !job.blob<100x100000xf32>
  %2 = job.sub %x, %1 : !job.blob<100x100000xf32>
  job.return %2 : !job.blob<100x100000xf32>
}

job.func @few(%x: !job.blob<2x50000xf32>) -> !job.blob<2x50000xf32> kind predict {
  %0 = job.reduce_sum %x {axes = array<i64: 1>} : !job.blob<2x50000xf32>
  %1 = job.broadcast_in_dim %0 {dims = array<i64: 0>} : !job.blob<2xf32> to !job.blob<2x50000xf32>
  %2 = job.sub %x, %1 : !job.blob<2x50000xf32>
  job.return %2 : !job.blob<2x50000xf32>
}
