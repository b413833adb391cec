// RUN: job-opt %s | FileCheck %s
// RUN: job-opt %s | job-opt | FileCheck %s
// RUN: job-opt %s --mlir-print-op-generic | job-opt | FileCheck %s
// RUN: job-opt %s --emit-bytecode | job-opt | FileCheck %s

// CHECK-LABEL: job.func @batch_norm(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<4x3x5xf32>, %[[G:[^ ]*]]: !job.blob<3xf32>, %[[B:[^ ]*]]: !job.blob<3xf32>)
job.func @batch_norm(%x: !job.blob<4x3x5xf32>, %gamma: !job.blob<3xf32>, %beta: !job.blob<3xf32>)
    -> (!job.blob<4x3x5xf32>, !job.blob<3xf32>, !job.blob<3xf32>) kind predict {
  // CHECK-NEXT: job.batch_norm %[[X]], %[[G]], %[[B]] {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : <4x3x5xf32>, <3xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<4x3x5xf32>, !job.blob<3xf32>
  job.return %y, %mean, %variance : !job.blob<4x3x5xf32>, !job.blob<3xf32>, !job.blob<3xf32>
}

// CHECK-LABEL: job.func @layer_norm(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<4x3x5xf64>, %[[G:[^ ]*]]: !job.blob<5xf64>, %[[B:[^ ]*]]: !job.blob<5xf64>)
job.func @layer_norm(%x: !job.blob<4x3x5xf64>, %gamma: !job.blob<5xf64>, %beta: !job.blob<5xf64>)
    -> (!job.blob<4x3xf64>, !job.blob<4x3x5xf64>) kind predict {
  // CHECK-NEXT: %[[Y:[^,]*]], %[[M:[^,]*]], %[[R:[^ ]*]] = job.layer_norm %[[X]], %[[G]], %[[B]] {epsilon = 1.000000e-05 : f64} : <4x3x5xf64>, <5xf64>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<4x3x5xf64>, !job.blob<5xf64>
  // CHECK-NEXT: job.layer_norm_grad %[[Y]], %[[X]], %[[G]], %[[M]], %[[R]] : <4x3x5xf64>, <5xf64>, <4x3xf64>
  %d = job.layer_norm_grad %y, %x, %gamma, %mean, %rstd : !job.blob<4x3x5xf64>, !job.blob<5xf64>, !job.blob<4x3xf64>
  job.return %mean, %d : !job.blob<4x3xf64>, !job.blob<4x3x5xf64>
}

// The statistics of one row have the shape 1.
// CHECK-LABEL: job.func @layer_norm_row(
job.func @layer_norm_row(%x: !job.blob<5xf32>) -> (!job.blob<1xf32>, !job.blob<5xf32>) kind predict {
  // CHECK-NEXT: job.layer_norm %{{.*}} : <5xf32>, <5xf32>
  %y, %mean, %rstd = job.layer_norm %x, %x, %x {epsilon = 0.0 : f64} : !job.blob<5xf32>, !job.blob<5xf32>
  // CHECK-NEXT: job.layer_norm_grad %{{.*}} : <5xf32>, <5xf32>, <1xf32>
  %d = job.layer_norm_grad %y, %x, %x, %mean, %rstd : !job.blob<5xf32>, !job.blob<5xf32>, !job.blob<1xf32>
  job.return %rstd, %d : !job.blob<1xf32>, !job.blob<5xf32>
}

// CHECK-LABEL: job.func @softmax(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<5xf32>, %[[Y:[^ ]*]]: !job.blob<4x3x5xf64>)
job.func @softmax(%x: !job.blob<5xf32>, %y: !job.blob<4x3x5xf64>) -> (!job.blob<5xf32>, !job.blob<4x3x5xf64>) kind predict {
  // CHECK-NEXT: job.softmax %[[X]] : <5xf32>
  %0 = job.softmax %x : !job.blob<5xf32>
  // CHECK-NEXT: job.log_softmax %[[Y]] : <4x3x5xf64>
  %1 = job.log_softmax %y : !job.blob<4x3x5xf64>
  job.return %0, %1 : !job.blob<5xf32>, !job.blob<4x3x5xf64>
}
