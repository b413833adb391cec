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

// CHECK-LABEL: job.func @moves(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x6xf32>, %[[B:[^ ]*]]: !job.blob<3x1x2xi1>)
job.func @moves(%x: !job.blob<2x6xf32>, %b: !job.blob<3x1x2xi1>)
    -> (!job.blob<6x2xf32>, !job.blob<2x3x1xi1>, !job.blob<1x3xf32>, !job.blob<4x11xf32>,
        !job.blob<2x12xf32>, !job.blob<6x1x2xi1>) kind predict {
  // CHECK-NEXT: job.transpose %[[X]] {permutation = array<i64: 1, 0>} : <2x6xf32>
  %0 = job.transpose %x {permutation = array<i64: 1, 0>} : !job.blob<2x6xf32>
  // CHECK-NEXT: job.transpose %[[B]] {permutation = array<i64: 2, 0, 1>} : <3x1x2xi1>
  %1 = job.transpose %b {permutation = array<i64: 2, 0, 1>} : !job.blob<3x1x2xi1>
  // CHECK-NEXT: job.slice %[[X]] {offsets = array<i64: 1, 0>, sizes = array<i64: 1, 3>, strides = array<i64: 1, 2>} : <2x6xf32>
  %2 = job.slice %x {offsets = array<i64: 1, 0>, sizes = array<i64: 1, 3>, strides = array<i64: 1, 2>} : !job.blob<2x6xf32>
  // CHECK-NEXT: job.pad %[[X]] {high = array<i64: 0, 3>, interior = array<i64: 1, 0>, low = array<i64: 1, 2>, value = -5.000000e-01 : f64} : <2x6xf32>
  %3 = job.pad %x {low = array<i64: 1, 2>, high = array<i64: 0, 3>, interior = array<i64: 1, 0>, value = -0.5 : f64} : !job.blob<2x6xf32>
  // CHECK-NEXT: job.concat %[[X]], %[[X]] {axis = 1 : i64} : !job.blob<2x6xf32>, !job.blob<2x6xf32>
  %4 = job.concat %x, %x {axis = 1 : i64} : !job.blob<2x6xf32>, !job.blob<2x6xf32>
  // CHECK-NEXT: job.concat %[[B]], %[[B]] {axis = 0 : i64} : !job.blob<3x1x2xi1>, !job.blob<3x1x2xi1>
  %5 = job.concat %b, %b {axis = 0 : i64} : !job.blob<3x1x2xi1>, !job.blob<3x1x2xi1>
  // CHECK-NEXT: job.iota {axis = 1 : i64} : <8x32xi32>
  %6 = job.iota {axis = 1 : i64} : !job.blob<8x32xi32>
  // CHECK-NEXT: job.iota {axis = 0 : i64} : <5xf64>
  %7 = job.iota {axis = 0 : i64} : !job.blob<5xf64>
  job.return %0, %1, %2, %3, %4, %5 : !job.blob<6x2xf32>, !job.blob<2x3x1xi1>, !job.blob<1x3xf32>,
    !job.blob<4x11xf32>, !job.blob<2x12xf32>, !job.blob<6x1x2xi1>
}
