// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-widen-types{cpu-features=avx512bf16},job-select-implementations))' | FileCheck %s
// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-widen-types,job-select-implementations))' | FileCheck %s --check-prefix=WIDE

// Functions of libraries compute with bf16 if the processor does.
// CHECK-LABEL: job.func @product
// CHECK-NOT: job.cast
// CHECK: job.matmul
// CHECK-SAME: #plan.onednn.matmul<m = 4, n = 4, k = 4, type = bf16, slice = 263168>
// WIDE-LABEL: job.func @product
// WIDE: job.cast
// WIDE: #plan.onednn.matmul<m = 4, n = 4, k = 4>
// WIDE: job.cast
job.func @product(%a: !job.blob<4x4xbf16>) -> !job.blob<4x4xbf16> kind predict {
  %0 = job.matmul %a, %a : !job.blob<4x4xbf16>, !job.blob<4x4xbf16>
  job.return %0 : !job.blob<4x4xbf16>
}

// CHECK-LABEL: job.func @convolution
// CHECK-NOT: job.cast
// CHECK: #plan.onednn.conv2d<n = 1, c = 1, h = 4, w = 4, oc = 1, kh = 1, kw = 1, oh = 4, ow = 4, type = bf16, slice = {{[0-9]+}}>
// WIDE-LABEL: job.func @convolution
// WIDE: job.cast
job.func @convolution(%x: !job.blob<1x1x4x4xbf16>, %f: !job.blob<1x1x1x1xbf16>) -> !job.blob<1x1x4x4xbf16> kind predict {
  %0 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<1x1x4x4xbf16>, !job.blob<1x1x1x1xbf16>
  job.return %0 : !job.blob<1x1x4x4xbf16>
}

// The library has no fast kernels for several groups.
// CHECK-LABEL: job.func @groups
// CHECK: job.cast
// CHECK: #plan.onednn.conv2d<n = 1, c = 2, h = 4, w = 4, oc = 2, kh = 1, kw = 1, oh = 4, ow = 4, groups = 2, slice
job.func @groups(%x: !job.blob<1x2x4x4xbf16>, %f: !job.blob<2x1x1x1xbf16>) -> !job.blob<1x2x4x4xbf16> kind predict {
  %0 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : !job.blob<1x2x4x4xbf16>, !job.blob<2x1x1x1xbf16>
  job.return %0 : !job.blob<1x2x4x4xbf16>
}

// No library has products of f16 on a CPU.
// CHECK-LABEL: job.func @half
// CHECK: job.cast
// CHECK: #plan.onednn.matmul<m = 4, n = 4, k = 4>
job.func @half(%a: !job.blob<4x4xf16>) -> !job.blob<4x4xf16> kind predict {
  %0 = job.matmul %a, %a : !job.blob<4x4xf16>, !job.blob<4x4xf16>
  job.return %0 : !job.blob<4x4xf16>
}

// A function in the text is obeyed.
// WIDE-LABEL: job.func @by_hand
// WIDE-NOT: job.cast
// WIDE: #plan.onednn.matmul<m = 4, n = 4, k = 4, type = bf16, slice = 64>
// WIDE: job.return
job.func @by_hand(%a: !job.blob<4x4xbf16>) -> !job.blob<4x4xbf16> kind predict {
  %0 = job.matmul %a, %a {plan.implementation = #plan.onednn.matmul<m = 4, n = 4, k = 4, type = bf16, slice = 64>} : !job.blob<4x4xbf16>, !job.blob<4x4xbf16>
  job.return %0 : !job.blob<4x4xbf16>
}
