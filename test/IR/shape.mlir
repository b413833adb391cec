// RUN: job-opt %s | FileCheck %s
// RUN: job-opt %s | job-opt | FileCheck %s
// RUN: job-opt %s --mlir-print-op-generic | job-opt | FileCheck %s
// RUN: job-opt %s --emit-bytecode | job-opt | FileCheck %s

// CHECK-LABEL: job.func @shapes(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x6xf32>, %[[B:[^ ]*]]: !job.blob<3x1xi1>)
job.func @shapes(%x: !job.blob<2x6xf32>, %b: !job.blob<3x1xi1>) kind predict {
  // CHECK-NEXT: job.reshape %[[X]] : <2x6xf32> to <3x1x4xf32>
  %0 = job.reshape %x : !job.blob<2x6xf32> to !job.blob<3x1x4xf32>
  // CHECK-NEXT: job.broadcast_in_dim %[[X]] {dims = array<i64: 0, 2>} : <2x6xf32> to <2x5x6xf32>
  %1 = job.broadcast_in_dim %x {dims = array<i64: 0, 2>} : !job.blob<2x6xf32> to !job.blob<2x5x6xf32>
  // CHECK-NEXT: job.broadcast_in_dim %[[B]] {dims = array<i64: 1, 2>} : <3x1xi1> to <4x3x7xi1>
  %2 = job.broadcast_in_dim %b {dims = array<i64: 1, 2>} : !job.blob<3x1xi1> to !job.blob<4x3x7xi1>
  job.return
}
