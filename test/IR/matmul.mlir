// RUN: job-opt %s | FileCheck %s
// RUN: job-opt %s | job-opt | FileCheck %s
// RUN: job-opt %s --mlir-print-op-generic | job-opt | FileCheck %s
// RUN: job-opt %s --emit-bytecode | job-opt | FileCheck %s

// Flags that are not set are not printed.
// CHECK-LABEL: job.func @products(
// CHECK-SAME:    %[[A:[^ ]*]]: !job.blob<2x3xf32>, %[[B:[^ ]*]]: !job.blob<3x5xf32>,
// CHECK-SAME:    %[[AT:[^ ]*]]: !job.blob<3x2xf32>, %[[BT:[^ ]*]]: !job.blob<5x3xf32>,
// CHECK-SAME:    %[[D:[^ ]*]]: !job.blob<1x1xf64>)
job.func @products(%a: !job.blob<2x3xf32>, %b: !job.blob<3x5xf32>,
                   %at: !job.blob<3x2xf32>, %bt: !job.blob<5x3xf32>,
                   %d: !job.blob<1x1xf64>)
    -> (!job.blob<2x5xf32>, !job.blob<2x5xf32>, !job.blob<2x5xf32>,
        !job.blob<2x5xf32>, !job.blob<1x1xf64>) kind predict {
  // CHECK-NEXT: job.matmul %[[A]], %[[B]] : <2x3xf32>, <3x5xf32>
  %0 = job.matmul %a, %b : !job.blob<2x3xf32>, !job.blob<3x5xf32>
  // CHECK-NEXT: job.matmul %[[AT]], %[[B]] {transpose_lhs = true} : <3x2xf32>, <3x5xf32>
  %1 = job.matmul %at, %b {transpose_lhs = true} : !job.blob<3x2xf32>, !job.blob<3x5xf32>
  // CHECK-NEXT: job.matmul %[[A]], %[[BT]] {transpose_rhs = true} : <2x3xf32>, <5x3xf32>
  %2 = job.matmul %a, %bt {transpose_lhs = false, transpose_rhs = true} : !job.blob<2x3xf32>, !job.blob<5x3xf32>
  // CHECK-NEXT: job.matmul %[[AT]], %[[BT]] {transpose_lhs = true, transpose_rhs = true} : <3x2xf32>, <5x3xf32>
  %3 = job.matmul %at, %bt {transpose_lhs = true, transpose_rhs = true} : !job.blob<3x2xf32>, !job.blob<5x3xf32>
  // CHECK-NEXT: job.matmul %[[D]], %[[D]] : <1x1xf64>, <1x1xf64>
  %4 = job.matmul %d, %d : !job.blob<1x1xf64>, !job.blob<1x1xf64>
  job.return %0, %1, %2, %3, %4 : !job.blob<2x5xf32>, !job.blob<2x5xf32>,
    !job.blob<2x5xf32>, !job.blob<2x5xf32>, !job.blob<1x1xf64>
}

// CHECK-LABEL: job.func @batches(
// CHECK-SAME:    %[[A:[^ ]*]]: !job.blob<4x2x3xf32>, %[[B:[^ ]*]]: !job.blob<4x5x3xf32>,
// CHECK-SAME:    %[[C:[^ ]*]]: !job.blob<6x4x3x2xf64>)
job.func @batches(%a: !job.blob<4x2x3xf32>, %b: !job.blob<4x5x3xf32>,
                  %c: !job.blob<6x4x3x2xf64>)
    -> (!job.blob<4x2x5xf32>, !job.blob<6x4x2x2xf64>) kind predict {
  // CHECK-NEXT: job.matmul %[[A]], %[[B]] {transpose_rhs = true} : <4x2x3xf32>, <4x5x3xf32>
  %0 = job.matmul %a, %b {transpose_rhs = true} : !job.blob<4x2x3xf32>, !job.blob<4x5x3xf32>
  // CHECK-NEXT: job.matmul %[[C]], %[[C]] {transpose_lhs = true} : <6x4x3x2xf64>, <6x4x3x2xf64>
  %1 = job.matmul %c, %c {transpose_lhs = true} : !job.blob<6x4x3x2xf64>, !job.blob<6x4x3x2xf64>
  job.return %0, %1 : !job.blob<4x2x5xf32>, !job.blob<6x4x2x2xf64>
}
