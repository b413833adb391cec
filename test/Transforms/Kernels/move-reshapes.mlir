// On a GPU elementwise ops compute in the shape of the ops around them.
// RUN: job-opt %s --pass-pipeline='builtin.module(job-place{device=gpu},job.func(job-move-reshapes,canonicalize))' | FileCheck %s
// RUN: job-opt %s --pass-pipeline='builtin.module(job-place,job.func(job-move-reshapes,canonicalize))' | FileCheck %s --check-prefix=CPU
// CPU-LABEL: job.func @residual(
// CPU: job.add %{{.*}} : <2x4x8xf32>
// CPU: job.layer_norm

// A residual, whose other operand and whose user have the rows of a matrix.
// CHECK-LABEL: job.func @residual(%arg0: !job.blob<2x4x8xf32>
// CHECK-DAG: %[[X:.*]] = job.reshape %arg0 : <2x4x8xf32> to <8x8xf32>
// CHECK-DAG: %[[Y:.*]] = job.tanh %arg1 : <8x8xf32>
// CHECK: %[[SUM:.*]] = job.add %[[X]], %[[Y]] : <8x8xf32>
// CHECK-DAG: job.layer_norm %[[SUM]]
// CHECK-DAG: job.reshape %[[SUM]] : <8x8xf32> to <2x4x8xf32>
job.func @residual(%x: !job.blob<2x4x8xf32>, %y: !job.blob<8x8xf32>, %g: !job.blob<8xf32>) -> (!job.blob<8x8xf32>, !job.blob<2x4x8xf32>) kind predict {
  %0 = job.tanh %y : !job.blob<8x8xf32>
  %1 = job.reshape %0 : !job.blob<8x8xf32> to !job.blob<2x4x8xf32>
  %2 = job.add %x, %1 : !job.blob<2x4x8xf32>
  %3 = job.reshape %2 : !job.blob<2x4x8xf32> to !job.blob<8x8xf32>
  %4:3 = job.layer_norm %3, %g, %g {epsilon = 1.0e-5 : f64} : !job.blob<8x8xf32>, !job.blob<8xf32>
  job.return %4#0, %2 : !job.blob<8x8xf32>, !job.blob<2x4x8xf32>
}

// One after the other.
// CHECK-LABEL: job.func @chain(
// CHECK: %[[A:.*]] = job.exp %arg0 : <8x8xf32>
// CHECK: %[[B:.*]] = job.cast %[[A]] : <8x8xf32> to <8x8xbf16>
// CHECK: %[[C:.*]] = job.cast %[[B]] : <8x8xbf16> to <8x8xf32>
// CHECK: %[[D:.*]] = job.reshape %[[C]]
// CHECK: job.return %[[D]]
job.func @chain(%x: !job.blob<8x8xf32>) -> !job.blob<2x4x8xf32> kind predict {
  %0 = job.exp %x : !job.blob<8x8xf32>
  %1 = job.reshape %0 : !job.blob<8x8xf32> to !job.blob<2x4x8xf32>
  %2 = job.cast %1 : !job.blob<2x4x8xf32> to !job.blob<2x4x8xbf16>
  %3 = job.cast %2 : !job.blob<2x4x8xbf16> to !job.blob<2x4x8xf32>
  job.return %3 : !job.blob<2x4x8xf32>
}

// Nothing that may be in its kernel has the other shape.
// CHECK-LABEL: job.func @product(
// CHECK: job.reshape
// CHECK: job.add %{{.*}} : <2x4x8xf32>
job.func @product(%x: !job.blob<8x8xf32>, %y: !job.blob<2x4x8xf32>) -> !job.blob<2x4x8xf32> kind predict {
  %0 = job.matmul %x, %x : !job.blob<8x8xf32>, !job.blob<8x8xf32>
  %1 = job.reshape %0 : !job.blob<8x8xf32> to !job.blob<2x4x8xf32>
  %2 = job.add %1, %y : !job.blob<2x4x8xf32>
  job.return %2 : !job.blob<2x4x8xf32>
}
