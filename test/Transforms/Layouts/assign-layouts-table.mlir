// RUN: job-opt %s --job-place --job-assign-layouts | FileCheck %s --check-prefixes=CHECK,F32
// RUN: job-opt %s --job-place --job-assign-layouts=tf32=true | FileCheck %s --check-prefixes=CHECK,TF32

// The layout that the library function prefers.

// CHECK-LABEL: job.func @cuda_bf16(
// CHECK-COUNT-2: layout nhwc
job.func @cuda_bf16(%x: !job.blob<2x4x8x8xbf16>, %f: !job.blob<4x4x3x3xbf16>) -> !job.blob<2x4x8x8xbf16> kind predict attributes {placement = #job.placement<gpu, "0:0">} {
  %0 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x8xbf16>, !job.blob<4x4x3x3xbf16>
  %1 = job.conv2d %0, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x8xbf16>, !job.blob<4x4x3x3xbf16>
  job.return %1 : !job.blob<2x4x8x8xbf16>
}

// CHECK-LABEL: job.func @cuda_f32(
// F32-NOT: nhwc
// TF32-COUNT-2: layout nhwc
job.func @cuda_f32(%x: !job.blob<2x4x8x8xf32>, %f: !job.blob<4x4x3x3xf32>) -> !job.blob<2x4x8x8xf32> kind predict attributes {placement = #job.placement<gpu, "0:0">} {
  %0 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x8xf32>, !job.blob<4x4x3x3xf32>
  %1 = job.conv2d %0, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x8xf32>, !job.blob<4x4x3x3xf32>
  job.return %1 : !job.blob<2x4x8x8xf32>
}

// The attribute of a job decides for it.
// CHECK-LABEL: job.func @allows(
// CHECK-COUNT-2: layout nhwc
job.func @allows(%x: !job.blob<2x4x8x8xf32>, %f: !job.blob<4x4x3x3xf32>) -> !job.blob<2x4x8x8xf32> kind predict attributes {placement = #job.placement<gpu, "0:0">, tf32 = true} {
  %0 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x8xf32>, !job.blob<4x4x3x3xf32>
  %1 = job.conv2d %0, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x8xf32>, !job.blob<4x4x3x3xf32>
  job.return %1 : !job.blob<2x4x8x8xf32>
}

// CHECK-LABEL: job.func @forbids(
// CHECK-NOT: nhwc
job.func @forbids(%x: !job.blob<2x4x8x8xf32>, %f: !job.blob<4x4x3x3xf32>) -> !job.blob<2x4x8x8xf32> kind predict attributes {placement = #job.placement<gpu, "0:0">, tf32 = false} {
  %0 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x8xf32>, !job.blob<4x4x3x3xf32>
  %1 = job.conv2d %0, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x8xf32>, !job.blob<4x4x3x3xf32>
  job.return %1 : !job.blob<2x4x8x8xf32>
}

// CHECK-LABEL: job.func @cpu_f32(
// CHECK-COUNT-2: layout nhwc
job.func @cpu_f32(%x: !job.blob<2x4x8x8xf32>, %f: !job.blob<4x4x3x3xf32>) -> !job.blob<2x4x8x8xf32> kind predict {
  %0 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x8xf32>, !job.blob<4x4x3x3xf32>
  %1 = job.conv2d %0, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x8xf32>, !job.blob<4x4x3x3xf32>
  job.return %1 : !job.blob<2x4x8x8xf32>
}

// CHECK-LABEL: job.func @cpu_bf16(
// CHECK-COUNT-2: layout nhwc
job.func @cpu_bf16(%x: !job.blob<2x4x8x8xbf16>, %f: !job.blob<4x4x3x3xbf16>) -> !job.blob<2x4x8x8xbf16> kind predict {
  %0 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x8xbf16>, !job.blob<4x4x3x3xbf16>
  %1 = job.conv2d %0, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x8xbf16>, !job.blob<4x4x3x3xbf16>
  job.return %1 : !job.blob<2x4x8x8xbf16>
}

// CHECK-LABEL: job.func @cpu_bf16_data_grad(
// CHECK: job.conv2d_data_grad {{.*}}layout nhwc
job.func @cpu_bf16_data_grad(%x: !job.blob<2x4x8x8xbf16>, %f: !job.blob<4x4x3x3xbf16>) -> !job.blob<2x4x8x8xbf16> kind predict {
  %0 = job.conv2d_data_grad %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x8xbf16>, !job.blob<4x4x3x3xbf16> -> !job.blob<2x4x8x8xbf16>
  %1 = job.conv2d_data_grad %0, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x8xbf16>, !job.blob<4x4x3x3xbf16> -> !job.blob<2x4x8x8xbf16>
  job.return %1 : !job.blob<2x4x8x8xbf16>
}

// CHECK-LABEL: job.func @cpu_bf16_filter_grad(
// CHECK: job.conv2d_filter_grad {{.*}}layout nhwc
job.func @cpu_bf16_filter_grad(%x: !job.blob<2x4x8x8xbf16>, %f: !job.blob<4x4x3x3xbf16>) -> !job.blob<4x4x3x3xbf16> kind predict {
  %0 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x8xbf16>, !job.blob<4x4x3x3xbf16>
  %1 = job.conv2d_filter_grad %0, %0 {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x8xbf16>, !job.blob<2x4x8x8xbf16> -> !job.blob<4x4x3x3xbf16>
  job.return %1 : !job.blob<4x4x3x3xbf16>
}

// No library computes f64: no layout is better than the other.
// CHECK-LABEL: job.func @cpu_f64(
// CHECK-NOT: nhwc
job.func @cpu_f64(%x: !job.blob<2x4x8x8xf64>, %f: !job.blob<4x4x3x3xf64>) -> !job.blob<2x4x8x8xf64> kind predict {
  %0 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x8xf64>, !job.blob<4x4x3x3xf64>
  %1 = job.conv2d %0, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x8xf64>, !job.blob<4x4x3x3xf64>
  job.return %1 : !job.blob<2x4x8x8xf64>
}
