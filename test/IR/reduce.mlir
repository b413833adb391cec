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

// CHECK-LABEL: job.func @products_and_extrema(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x3x4xf64>, %[[I:[^ ]*]]: !job.blob<4x5xi8>)
job.func @products_and_extrema(%x: !job.blob<2x3x4xf64>, %i: !job.blob<4x5xi8>)
    -> (!job.blob<2x4xf64>, !job.blob<1x1x1xf64>, !job.blob<1xf64>, !job.blob<5xi8>) kind predict {
  // CHECK-NEXT: job.reduce_prod %[[X]] {axes = array<i64: 1>} : <2x3x4xf64>
  %0 = job.reduce_prod %x {axes = array<i64: 1>} : !job.blob<2x3x4xf64>
  // CHECK-NEXT: job.reduce_max %[[X]] {axes = array<i64: 0, 1, 2>, keepdims = true} : <2x3x4xf64>
  %1 = job.reduce_max %x {axes = array<i64: 0, 1, 2>, keepdims = true} : !job.blob<2x3x4xf64>
  // CHECK-NEXT: job.reduce_min %[[X]] {axes = array<i64: 0, 1, 2>} : <2x3x4xf64>
  %2 = job.reduce_min %x {axes = array<i64: 0, 1, 2>} : !job.blob<2x3x4xf64>
  // CHECK-NEXT: job.reduce_max %[[I]] {axes = array<i64: 0>} : <4x5xi8>
  %3 = job.reduce_max %i {axes = array<i64: 0>} : !job.blob<4x5xi8>
  job.return %0, %1, %2, %3 : !job.blob<2x4xf64>, !job.blob<1x1x1xf64>, !job.blob<1xf64>, !job.blob<5xi8>
}

// With dropped and with kept dimensions.
// CHECK-LABEL: job.func @gradients(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x3xf32>, %[[Y:[^ ]*]]: !job.blob<2xf32>, %[[K:[^ ]*]]: !job.blob<2x1xf32>)
job.func @gradients(%x: !job.blob<2x3xf32>, %y: !job.blob<2xf32>, %k: !job.blob<2x1xf32>)
    -> (!job.blob<2x3xf32>, !job.blob<2x3xf32>) kind predict {
  // CHECK-NEXT: job.reduce_extremum_grad %[[Y]], %[[X]], %[[Y]] {axes = array<i64: 1>} : <2xf32>, <2x3xf32>
  %0 = job.reduce_extremum_grad %y, %x, %y {axes = array<i64: 1>} : !job.blob<2xf32>, !job.blob<2x3xf32>
  // CHECK-NEXT: job.reduce_prod_grad %[[K]], %[[X]], %[[K]] {axes = array<i64: 1>} : <2x1xf32>, <2x3xf32>
  %1 = job.reduce_prod_grad %k, %x, %k {axes = array<i64: 1>} : !job.blob<2x1xf32>, !job.blob<2x3xf32>
  job.return %0, %1 : !job.blob<2x3xf32>, !job.blob<2x3xf32>
}

// CHECK-LABEL: job.func @argmax(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x3xf32>, %[[I:[^ ]*]]: !job.blob<4xi8>)
job.func @argmax(%x: !job.blob<2x3xf32>, %i: !job.blob<4xi8>)
    -> (!job.blob<3xi64>, !job.blob<1xi64>) kind predict {
  // CHECK-NEXT: job.argmax %[[X]] {axis = 0 : i64} : <2x3xf32>
  %0 = job.argmax %x {axis = 0 : i64} : !job.blob<2x3xf32>
  // CHECK-NEXT: job.argmax %[[I]] {axis = 0 : i64} : <4xi8>
  %1 = job.argmax %i {axis = 0 : i64} : !job.blob<4xi8>
  job.return %0, %1 : !job.blob<3xi64>, !job.blob<1xi64>
}
