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
