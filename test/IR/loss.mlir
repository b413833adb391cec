// RUN: job-opt %s | FileCheck %s
// RUN: job-opt %s | job-opt | FileCheck %s
// RUN: job-opt %s --mlir-print-op-generic | job-opt | FileCheck %s
// RUN: job-opt %s --emit-bytecode | job-opt | FileCheck %s

// CHECK-LABEL: job.func @losses(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x6xf32>, %[[L:[^ ]*]]: !job.blob<2xi32>, %[[D:[^ ]*]]: !job.blob<2x3x6xf64>, %[[M:[^ ]*]]: !job.blob<2x3xi8>)
job.func @losses(%x: !job.blob<2x6xf32>, %l: !job.blob<2xi32>, %d: !job.blob<2x3x6xf64>, %m: !job.blob<2x3xi8>)
    -> (!job.blob<2xf32>, !job.blob<2x3xf64>, !job.blob<2x6xf32>) kind predict {
  // CHECK-NEXT: %[[LOSS:.*]] = job.sparse_softmax_cross_entropy %[[X]], %[[L]] : <2x6xf32>, <2xi32>
  %0 = job.sparse_softmax_cross_entropy %x, %l : !job.blob<2x6xf32>, !job.blob<2xi32>
  // CHECK-NEXT: job.sparse_softmax_cross_entropy %[[D]], %[[M]] : <2x3x6xf64>, <2x3xi8>
  %1 = job.sparse_softmax_cross_entropy %d, %m : !job.blob<2x3x6xf64>, !job.blob<2x3xi8>
  // CHECK-NEXT: job.sparse_softmax_cross_entropy_grad %[[LOSS]], %[[X]], %[[L]] : <2xf32>, <2x6xf32>, <2xi32>
  %2 = job.sparse_softmax_cross_entropy_grad %0, %x, %l : !job.blob<2xf32>, !job.blob<2x6xf32>, !job.blob<2xi32>
  job.return %0, %1, %2 : !job.blob<2xf32>, !job.blob<2x3xf64>, !job.blob<2x6xf32>
}
