// Strided reads and reductions of all kinds.
//
// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-form-kernels))' | FileCheck %s

// A transpose is read where it is used.
// CHECK-LABEL: job.func @transposed(
// CHECK-NEXT: %[[K:.*]] = job.kernel(%arg2 = %arg0{{.*}}%arg3 = %arg1
// CHECK-NEXT: %[[T:.*]] = job.transpose %arg2
// CHECK-NEXT: %[[S:.*]] = job.add %[[T]], %arg3
// CHECK-NEXT: job.yield %[[S]]
// CHECK-NEXT: }
// CHECK-NEXT: job.return %[[K]]
job.func @transposed(%x: !job.blob<8x4xf32>, %y: !job.blob<4x8xf32>) -> !job.blob<4x8xf32> kind predict {
  %0 = job.transpose %x {permutation = array<i64: 1, 0>} : !job.blob<8x4xf32>
  %1 = job.add %0, %y : !job.blob<4x8xf32>
  job.return %1 : !job.blob<4x8xf32>
}

// Two parts of one blob: each kernel reads them itself.
// CHECK-LABEL: job.func @sliced(
// CHECK-NEXT: %[[K:.*]] = job.kernel(%arg1 = %arg0
// CHECK-NEXT: %[[A:.*]] = job.slice %arg1 {offsets = array<i64: 0, 0>
// CHECK-NEXT: %[[B:.*]] = job.slice %arg1 {offsets = array<i64: 0, 4>
// CHECK-NEXT: job.mul %[[A]], %[[B]]
// CHECK-NEXT: job.yield
// CHECK-NEXT: }
// CHECK-NEXT: job.return %[[K]]
job.func @sliced(%x: !job.blob<4x8xf32>) -> !job.blob<4x4xf32> kind predict {
  %0 = job.slice %x {offsets = array<i64: 0, 0>, sizes = array<i64: 4, 4>, strides = array<i64: 1, 1>} : !job.blob<4x8xf32>
  %1 = job.slice %x {offsets = array<i64: 0, 4>, sizes = array<i64: 4, 4>, strides = array<i64: 1, 1>} : !job.blob<4x8xf32>
  %2 = job.mul %0, %1 : !job.blob<4x4xf32>
  job.return %2 : !job.blob<4x4xf32>
}

// An op outside of all kernels uses it.
// CHECK-LABEL: job.func @outside(
// CHECK-NEXT: %[[K:.*]] = job.kernel(%arg1 = %arg0
// CHECK-NEXT: job.transpose %arg1
// CHECK-NEXT: job.yield
// CHECK-NEXT: }
// CHECK-NEXT: job.return %[[K]]
job.func @outside(%x: !job.blob<8x4xf32>) -> !job.blob<4x8xf32> kind predict {
  %0 = job.transpose %x {permutation = array<i64: 1, 0>} : !job.blob<8x4xf32>
  job.return %0 : !job.blob<4x8xf32>
}

// What is computed in the kernel is not in memory yet: the transpose of it is
// read by the next.
// CHECK-LABEL: job.func @of_computed(
// CHECK-NEXT: %[[E:.*]] = job.kernel(%arg1 = %arg0
// CHECK-NEXT: job.exp
// CHECK-NEXT: job.yield
// CHECK-NEXT: }
// CHECK-NEXT: %[[K:.*]] = job.kernel(%arg1 = %[[E]]
// CHECK-NEXT: job.transpose %arg1
// CHECK-NEXT: job.add %arg1,
// CHECK-NEXT: job.yield
// CHECK-NEXT: }
// CHECK-NEXT: job.return %[[K]]
job.func @of_computed(%x: !job.blob<4x4xf32>) -> !job.blob<4x4xf32> kind predict {
  %0 = job.exp %x : !job.blob<4x4xf32>
  %1 = job.transpose %0 {permutation = array<i64: 1, 0>} : !job.blob<4x4xf32>
  %2 = job.add %0, %1 : !job.blob<4x4xf32>
  job.return %2 : !job.blob<4x4xf32>
}

// A reduction reads a transpose or a broadcast without writing it to memory.
// CHECK-LABEL: job.func @reduced(
// CHECK: job.kernel(%arg2 = %arg0
// CHECK-NEXT: job.transpose %arg2
// CHECK-NEXT: job.reduce_max
// CHECK-NEXT: job.yield
// CHECK: job.kernel(%arg2 = %arg1
// CHECK-NEXT: job.broadcast_in_dim
// CHECK-NEXT: job.reduce_prod
// CHECK-NEXT: job.yield
job.func @reduced(%x: !job.blob<8x4xf32>, %y: !job.blob<4xf32>) -> (!job.blob<4xf32>, !job.blob<4xf32>) kind predict {
  %0 = job.transpose %x {permutation = array<i64: 1, 0>} : !job.blob<8x4xf32>
  %1 = job.reduce_max %0 {axes = array<i64: 1>} : !job.blob<4x8xf32>
  %2 = job.broadcast_in_dim %y {dims = array<i64: 1>} : !job.blob<4xf32> to !job.blob<3x4xf32>
  %3 = job.reduce_prod %2 {axes = array<i64: 0>} : !job.blob<3x4xf32>
  job.return %1, %3 : !job.blob<4xf32>, !job.blob<4xf32>
}

// Different reductions of one domain are one pass over it.
// CHECK-LABEL: job.func @together(
// CHECK: %[[K:.*]]:3 = job.kernel(%arg1 = %arg0
// CHECK-NEXT: job.exp
// CHECK-NEXT: job.reduce_sum
// CHECK-NEXT: job.reduce_max
// CHECK-NEXT: job.reduce_min
// CHECK-NEXT: job.yield
// CHECK-NEXT: }
// CHECK-NEXT: job.return
job.func @together(%x: !job.blob<8x4xf32>) -> (!job.blob<8xf32>, !job.blob<8xf32>, !job.blob<8xf32>) kind predict {
  %0 = job.exp %x : !job.blob<8x4xf32>
  %1 = job.reduce_sum %0 {axes = array<i64: 1>} : !job.blob<8x4xf32>
  %2 = job.reduce_max %0 {axes = array<i64: 1>} : !job.blob<8x4xf32>
  %3 = job.reduce_min %0 {axes = array<i64: 1>} : !job.blob<8x4xf32>
  job.return %1, %2, %3 : !job.blob<8xf32>, !job.blob<8xf32>, !job.blob<8xf32>
}
