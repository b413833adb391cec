// RUN: job-opt %s | FileCheck %s
// RUN: job-opt %s | job-opt | FileCheck %s
// RUN: job-opt %s --mlir-print-op-generic | job-opt | FileCheck %s
// RUN: job-opt %s --emit-bytecode | job-opt | FileCheck %s

// CHECK-LABEL: job.func @reduce(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x3x4xf32>, %[[I:[^ ]*]]: !job.blob<4xi64>)
job.func @reduce(%x: !job.blob<2x3x4xf32>, %i: !job.blob<4xi64>)
    -> (!job.blob<2x4xf32>, !job.blob<1x3x1xf32>, !job.blob<1xf32>,
        !job.blob<2x3x4xf32>, !job.blob<1xi64>) kind predict {
  // CHECK-NEXT: job.reduce_sum %[[X]] {axes = array<i64: 1>} : <2x3x4xf32>
  %0 = job.reduce_sum %x {axes = array<i64: 1>} : !job.blob<2x3x4xf32>
  // CHECK-NEXT: job.reduce_sum %[[X]] {axes = array<i64: 0, 2>, keepdims = true} : <2x3x4xf32>
  %1 = job.reduce_sum %x {axes = array<i64: 0, 2>, keepdims = true} : !job.blob<2x3x4xf32>
  // CHECK-NEXT: job.reduce_sum %[[X]] {axes = array<i64: 0, 1, 2>} : <2x3x4xf32>
  %2 = job.reduce_sum %x {axes = array<i64: 0, 1, 2>, keepdims = false} : !job.blob<2x3x4xf32>
  // CHECK-NEXT: job.reduce_sum %[[X]] {axes = array<i64>} : <2x3x4xf32>
  %3 = job.reduce_sum %x {axes = array<i64>} : !job.blob<2x3x4xf32>
  // CHECK-NEXT: job.reduce_sum %[[I]] {axes = array<i64: 0>} : <4xi64>
  %4 = job.reduce_sum %i {axes = array<i64: 0>} : !job.blob<4xi64>
  job.return %0, %1, %2, %3, %4 : !job.blob<2x4xf32>, !job.blob<1x3x1xf32>,
    !job.blob<1xf32>, !job.blob<2x3x4xf32>, !job.blob<1xi64>
}
