// RUN: job-opt %s | FileCheck %s
// RUN: job-opt %s | job-opt | FileCheck %s
// RUN: job-opt %s --mlir-print-op-generic | job-opt | FileCheck %s
// RUN: job-opt %s --emit-bytecode | job-opt | FileCheck %s

// CHECK-LABEL: job.func @unary(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x4xf32>, %[[D:[^ ]*]]: !job.blob<4xf64>)
job.func @unary(%x: !job.blob<2x4xf32>, %d: !job.blob<4xf64>) kind predict {
  // CHECK-NEXT: job.tan %[[X]] : <2x4xf32>
  %tan_x = job.tan %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.tan %[[D]] : <4xf64>
  %tan_d = job.tan %d : !job.blob<4xf64>
  // CHECK-NEXT: job.acos %[[X]] : <2x4xf32>
  %acos_x = job.acos %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.acos %[[D]] : <4xf64>
  %acos_d = job.acos %d : !job.blob<4xf64>
  // CHECK-NEXT: job.asin %[[X]] : <2x4xf32>
  %asin_x = job.asin %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.asin %[[D]] : <4xf64>
  %asin_d = job.asin %d : !job.blob<4xf64>
  // CHECK-NEXT: job.atan %[[X]] : <2x4xf32>
  %atan_x = job.atan %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.atan %[[D]] : <4xf64>
  %atan_d = job.atan %d : !job.blob<4xf64>
  // CHECK-NEXT: job.cosh %[[X]] : <2x4xf32>
  %cosh_x = job.cosh %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.cosh %[[D]] : <4xf64>
  %cosh_d = job.cosh %d : !job.blob<4xf64>
  // CHECK-NEXT: job.sinh %[[X]] : <2x4xf32>
  %sinh_x = job.sinh %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.sinh %[[D]] : <4xf64>
  %sinh_d = job.sinh %d : !job.blob<4xf64>
  // CHECK-NEXT: job.acosh %[[X]] : <2x4xf32>
  %acosh_x = job.acosh %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.acosh %[[D]] : <4xf64>
  %acosh_d = job.acosh %d : !job.blob<4xf64>
  // CHECK-NEXT: job.asinh %[[X]] : <2x4xf32>
  %asinh_x = job.asinh %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.asinh %[[D]] : <4xf64>
  %asinh_d = job.asinh %d : !job.blob<4xf64>
  // CHECK-NEXT: job.atanh %[[X]] : <2x4xf32>
  %atanh_x = job.atanh %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.atanh %[[D]] : <4xf64>
  %atanh_d = job.atanh %d : !job.blob<4xf64>
  // CHECK-NEXT: job.erfc %[[X]] : <2x4xf32>
  %erfc_x = job.erfc %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.erfc %[[D]] : <4xf64>
  %erfc_d = job.erfc %d : !job.blob<4xf64>
  // CHECK-NEXT: job.lgamma %[[X]] : <2x4xf32>
  %lgamma_x = job.lgamma %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.lgamma %[[D]] : <4xf64>
  %lgamma_d = job.lgamma %d : !job.blob<4xf64>
  // CHECK-NEXT: job.digamma %[[X]] : <2x4xf32>
  %digamma_x = job.digamma %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.digamma %[[D]] : <4xf64>
  %digamma_d = job.digamma %d : !job.blob<4xf64>
  job.return
}

// CHECK-LABEL: job.func @binary(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x4xf32>, %[[I:[^ ]*]]: !job.blob<4xi32>)
job.func @binary(%x: !job.blob<2x4xf32>, %i: !job.blob<4xi32>) kind predict {
  // CHECK-NEXT: job.atan2 %[[X]], %[[X]] : <2x4xf32>
  %0 = job.atan2 %x, %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.floor_div %[[X]], %[[X]] : <2x4xf32>
  %1 = job.floor_div %x, %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.floor_div %[[I]], %[[I]] : <4xi32>
  %2 = job.floor_div %i, %i : !job.blob<4xi32>
  // CHECK-NEXT: job.mod %[[X]], %[[X]] : <2x4xf32>
  %3 = job.mod %x, %x : !job.blob<2x4xf32>
  // CHECK-NEXT: job.mod %[[I]], %[[I]] : <4xi32>
  %4 = job.mod %i, %i : !job.blob<4xi32>
  job.return
}
