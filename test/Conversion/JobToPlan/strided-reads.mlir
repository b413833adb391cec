// How kernels walk through what they read at other places.
//
// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-form-kernels),convert-job-to-plan)' | FileCheck %s

// The parts of a row are 2 apart, rows 32; the offset is one row and a half.
// CHECK-LABEL: func.func @kernel_0(
// CHECK: memref.reinterpret_cast %arg0 to offset: [48], sizes: [4, 8], strides: [32, 2]
// CHECK: linalg.generic
job.func @slice(%x: !job.blob<8x32xf32>) -> !job.blob<4x8xf32> kind predict {
  %0 = job.slice %x {offsets = array<i64: 1, 16>, sizes = array<i64: 4, 8>, strides = array<i64: 1, 2>} : !job.blob<8x32xf32>
  %1 = job.neg %0 : !job.blob<4x8xf32>
  job.return %1 : !job.blob<4x8xf32>
}

// Heads and positions change places, channels stay together: three dimensions
// are left of four.
// CHECK-LABEL: func.func @kernel_1(
// CHECK: memref.reinterpret_cast %arg0 to offset: [0], sizes: [3, 4, 10], strides: [10, 30, 1]
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel"]
job.func @transpose(%x: !job.blob<1x4x3x2x5xf32>) -> !job.blob<1x3x4x2x5xf32> kind predict {
  %0 = job.transpose %x {permutation = array<i64: 0, 2, 1, 3, 4>} : !job.blob<1x4x3x2x5xf32>
  %1 = job.neg %0 : !job.blob<1x3x4x2x5xf32>
  job.return %1 : !job.blob<1x3x4x2x5xf32>
}

// Whole rows from the first on are as dense as the blob: one dimension.
// CHECK-LABEL: func.func @kernel_2(
// CHECK: memref.reinterpret_cast %arg0 to offset: [0], sizes: [128], strides: [1] : memref<8x32xf32> to memref<128xf32>
// CHECK: iterator_types = ["parallel"]
job.func @rows(%x: !job.blob<8x32xf32>) -> !job.blob<4x32xf32> kind predict {
  %0 = job.slice %x {offsets = array<i64: 0, 0>, sizes = array<i64: 4, 32>, strides = array<i64: 1, 1>} : !job.blob<8x32xf32>
  %1 = job.neg %0 : !job.blob<4x32xf32>
  job.return %1 : !job.blob<4x32xf32>
}
