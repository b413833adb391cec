// RUN: job-opt %s --job-place=device=gpu --job-select-implementations | FileCheck %s
// RUN: job-opt %s --job-place=device=gpu --job-select-implementations=tf32=true | FileCheck %s --check-prefix=TF32
// RUN: job-opt %s --job-place=device=gpu --job-widen-types --job-select-implementations --job-form-kernels --convert-job-to-plan | FileCheck %s --check-prefix=PLAN

// cuBLASLt has products of f32, f16 and bf16, of any size.
// CHECK-LABEL: job.func @small
// CHECK: job.matmul
// CHECK-SAME: plan.implementation = #plan.cublaslt.matmul<m = 2, n = 3, k = 4, transpose_b = 1, workspace = 33554432>
// TF32-LABEL: job.func @small
// TF32: #plan.cublaslt.matmul<m = 2, n = 3, k = 4, transpose_b = 1, tf32 = 1, workspace = 33554432>
// PLAN-LABEL: plan.program @small
// PLAN: %[[WORKSPACE:.*]] = plan.workspace : memref<33554432xi8, #workspace>
// PLAN: plan.call #plan.cublaslt.matmul<m = 2, n = 3, k = 4, transpose_b = 1, workspace = 33554432>
// PLAN-SAME: workspace(%[[WORKSPACE]] :
job.func @small(%a: !job.blob<2x4xf32>, %b: !job.blob<3x4xf32>) -> !job.blob<2x3xf32> kind predict {
  %0 = job.matmul %a, %b {transpose_rhs = true} : !job.blob<2x4xf32>, !job.blob<3x4xf32>
  job.return %0 : !job.blob<2x3xf32>
}

// CHECK-LABEL: job.func @batched
// CHECK: #plan.cublaslt.matmul<batch = 6, m = 5, n = 5, k = 4, transpose_a = 1, workspace = 33554432>
job.func @batched(%a: !job.blob<2x3x4x5xf32>) -> !job.blob<2x3x5x5xf32> kind predict {
  %0 = job.matmul %a, %a {transpose_lhs = true} : !job.blob<2x3x4x5xf32>, !job.blob<2x3x4x5xf32>
  job.return %0 : !job.blob<2x3x5x5xf32>
}

// Narrow types are not widened for the library.
// CHECK-LABEL: job.func @narrow
// CHECK: #plan.cublaslt.matmul<m = 4, n = 4, k = 4, type = bf16, workspace = 33554432>
// TF32-LABEL: job.func @narrow
// TF32: #plan.cublaslt.matmul<m = 4, n = 4, k = 4, type = bf16, workspace = 33554432>
// PLAN-LABEL: plan.program @narrow
// PLAN-NOT: plan.dispatch
// PLAN: plan.call #plan.cublaslt.matmul<m = 4, n = 4, k = 4, type = bf16
// PLAN-SAME: memref<4x4xbf16, #inputs>
job.func @narrow(%a: !job.blob<4x4xbf16>) -> !job.blob<4x4xbf16> kind predict {
  %0 = job.matmul %a, %a : !job.blob<4x4xbf16>, !job.blob<4x4xbf16>
  job.return %0 : !job.blob<4x4xbf16>
}

// The attribute of a job decides for it.
// CHECK-LABEL: job.func @allows
// CHECK: #plan.cublaslt.matmul<m = 4, n = 4, k = 4, tf32 = 1, workspace
job.func @allows(%a: !job.blob<4x4xf32>) -> !job.blob<4x4xf32> kind predict attributes {tf32 = true} {
  %0 = job.matmul %a, %a : !job.blob<4x4xf32>, !job.blob<4x4xf32>
  job.return %0 : !job.blob<4x4xf32>
}

// TF32-LABEL: job.func @forbids
// TF32: #plan.cublaslt.matmul<m = 4, n = 4, k = 4, workspace
job.func @forbids(%a: !job.blob<4x4xf32>) -> !job.blob<4x4xf32> kind predict attributes {tf32 = false} {
  %0 = job.matmul %a, %a : !job.blob<4x4xf32>, !job.blob<4x4xf32>
  job.return %0 : !job.blob<4x4xf32>
}

// The library has no f64.
// CHECK-LABEL: job.func @double
// CHECK: plan.implementation = #plan.generated_kernel
job.func @double(%a: !job.blob<4x4xf64>) -> !job.blob<4x4xf64> kind predict {
  %0 = job.matmul %a, %a : !job.blob<4x4xf64>, !job.blob<4x4xf64>
  job.return %0 : !job.blob<4x4xf64>
}

// What is written in the text is obeyed: TF32, another workspace, a kernel.
// CHECK-LABEL: job.func @by_hand
// CHECK: #plan.cublaslt.matmul<m = 4, n = 4, k = 4, tf32 = 1, workspace = 64>
// TF32-LABEL: job.func @by_hand
// TF32: #plan.cublaslt.matmul<m = 4, n = 4, k = 4, tf32 = 1, workspace = 64>
// CHECK: plan.implementation = #plan.generated_kernel
job.func @by_hand(%a: !job.blob<4x4xf32>) -> !job.blob<4x4xf32> kind predict attributes {placement = #job.placement<gpu, "0:0">} {
  %0 = job.matmul %a, %a {plan.implementation = #plan.cublaslt.matmul<m = 4, n = 4, k = 4, tf32 = 1, workspace = 64>} : !job.blob<4x4xf32>, !job.blob<4x4xf32>
  %1 = job.matmul %0, %a {plan.implementation = #plan.generated_kernel} : !job.blob<4x4xf32>, !job.blob<4x4xf32>
  job.return %1 : !job.blob<4x4xf32>
}

// cuDNN has convolutions and their gradients of the same types. The workspace is
// 32 MiB and the bytes of the three arrays, whose channels are padded to 16 bytes
// for tensor cores.
// CHECK-LABEL: job.func @convolutions
// CHECK: #plan.cudnn.conv2d<n = 2, c = 3, h = 8, w = 7, oc = 4, kh = 3, kw = 3, oh = 8, ow = 6, pad_top = 1, pad_left = 1, pad_bottom = 1, workspace = 33557760>
// CHECK: #plan.cudnn.conv2d_data_grad<n = 2, c = 3, h = 8, w = 7, oc = 4, kh = 3, kw = 3, oh = 8, ow = 6, pad_top = 1, pad_left = 1, pad_bottom = 1, workspace = 33557760>
// CHECK: #plan.cudnn.conv2d_filter_grad<n = 2, c = 3, h = 8, w = 7, oc = 4, kh = 3, kw = 3, oh = 8, ow = 6, pad_top = 1, pad_left = 1, pad_bottom = 1, workspace = 33557760>
// TF32-LABEL: job.func @convolutions
// TF32: #plan.cudnn.conv2d<{{.*}}tf32 = 1, workspace = 33558336>
// TF32: #plan.cudnn.conv2d_data_grad<{{.*}}tf32 = 1, workspace = 33558336>
// TF32: #plan.cudnn.conv2d_filter_grad<{{.*}}tf32 = 1, workspace = 33558336>
// PLAN-LABEL: plan.program @convolutions
// PLAN-NOT: plan.dispatch
// PLAN: plan.call #plan.cudnn.conv2d<
// PLAN-SAME: workspace(
// PLAN: plan.call #plan.cudnn.conv2d_data_grad<
// PLAN: plan.call #plan.cudnn.conv2d_filter_grad<
job.func @convolutions(%x: !job.blob<2x3x8x7xf32>, %f: !job.blob<4x3x3x3xf32>) -> (!job.blob<2x3x8x7xf32>, !job.blob<4x3x3x3xf32>) kind predict {
  %0 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x3x8x7xf32>, !job.blob<4x3x3x3xf32>
  %1 = job.conv2d_data_grad %0, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x6xf32>, !job.blob<4x3x3x3xf32> -> !job.blob<2x3x8x7xf32>
  %2 = job.conv2d_filter_grad %0, %x {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x6xf32>, !job.blob<2x3x8x7xf32> -> !job.blob<4x3x3x3xf32>
  job.return %1, %2 : !job.blob<2x3x8x7xf32>, !job.blob<4x3x3x3xf32>
}

// CHECK-LABEL: job.func @narrow_convolution
// CHECK: #plan.cudnn.conv2d<n = 2, c = 3, h = 1, w = 1, oc = 4, kh = 1, kw = 1, oh = 1, ow = 1, type = f16, workspace = 33554624>
// PLAN-LABEL: plan.program @narrow_convolution
// PLAN-NOT: plan.dispatch
// PLAN: plan.call #plan.cudnn.conv2d<
job.func @narrow_convolution(%x: !job.blob<2x3x1x1xf16>, %f: !job.blob<4x3x1x1xf16>) -> !job.blob<2x4x1x1xf16> kind predict {
  %0 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x3x1x1xf16>, !job.blob<4x3x1x1xf16>
  job.return %0 : !job.blob<2x4x1x1xf16>
}

// The library does not have it: a kernel.
// CHECK-LABEL: job.func @wide_convolution
// CHECK: plan.implementation = #plan.generated_kernel
// PLAN-LABEL: plan.program @wide_convolution
// PLAN: plan.dispatch
job.func @wide_convolution(%x: !job.blob<2x3x1x1xf64>, %f: !job.blob<4x3x1x1xf64>) -> !job.blob<2x4x1x1xf64> kind predict {
  %0 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x3x1x1xf64>, !job.blob<4x3x1x1xf64>
  job.return %0 : !job.blob<2x4x1x1xf64>
}

// So it has means of windows, and their gradients.
// CHECK-LABEL: job.func @pooling
// CHECK: #plan.cudnn.avg_pool2d<n = 2, c = 3, h = 8, w = 7, kh = 3, kw = 2, oh = 4, ow = 7, stride_h = 2, pad_top = 1, pad_right = 1>
// CHECK: #plan.cudnn.avg_pool2d_grad<n = 2, c = 3, h = 8, w = 7, kh = 3, kw = 2, oh = 4, ow = 7, stride_h = 2, pad_top = 1, pad_right = 1>
// PLAN-LABEL: plan.program @pooling
// PLAN-NOT: plan.dispatch
// PLAN: plan.call #plan.cudnn.avg_pool2d<
// PLAN: plan.call #plan.cudnn.avg_pool2d_grad<
job.func @pooling(%x: !job.blob<2x3x8x7xf32>) -> !job.blob<2x3x8x7xf32> kind predict {
  %0 = job.avg_pool2d %x {ksize = array<i64: 3, 2>, strides = array<i64: 2, 1>, padding = array<i64: 1, 0, 0, 1>} : !job.blob<2x3x8x7xf32>
  %1 = job.avg_pool2d_grad %0 {ksize = array<i64: 3, 2>, strides = array<i64: 2, 1>, padding = array<i64: 1, 0, 0, 1>} : !job.blob<2x3x4x7xf32> -> !job.blob<2x3x8x7xf32>
  job.return %1 : !job.blob<2x3x8x7xf32>
}

// CHECK-LABEL: job.func @narrow_pooling
// CHECK: #plan.cudnn.avg_pool2d<n = 2, c = 3, h = 2, w = 2, kh = 2, kw = 2, oh = 1, ow = 1, stride_h = 2, stride_w = 2, type = bf16>
// PLAN-LABEL: plan.program @narrow_pooling
// PLAN-NOT: plan.dispatch
// PLAN: plan.call #plan.cudnn.avg_pool2d<
job.func @narrow_pooling(%x: !job.blob<2x3x2x2xbf16>) -> !job.blob<2x3x1x1xbf16> kind predict {
  %0 = job.avg_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<2x3x2x2xbf16>
  job.return %0 : !job.blob<2x3x1x1xbf16>
}

// Images with the channels last, long sums and maxima are kernels.
// CHECK-LABEL: job.func @generated_poolings
// CHECK-COUNT-2: plan.implementation = #plan.generated_kernel
// CHECK: job.max_pool2d
// CHECK-NOT: plan.implementation
job.func @generated_poolings(%x: !job.blob<1x16x16x16xf32>) -> (!job.blob<1x8x8x16xf32>, !job.blob<1x16x1x1xf32>, !job.blob<1x16x8x8xf32>) kind predict {
  %0 = job.avg_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x16x16x16xf32>
  %1 = job.avg_pool2d %x {ksize = array<i64: 16, 16>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x16x16x16xf32>
  %2 = job.max_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x16x16x16xf32>
  job.return %0, %1, %2 : !job.blob<1x8x8x16xf32>, !job.blob<1x16x1x1xf32>, !job.blob<1x16x8x8xf32>
}

// cuDNN has attention and its gradient of f16 and bf16, where channels are a
// multiple of 8 up to 128. Gradients of scores are in the workspace: for a large
// batch, those of a part of it. Nothing is widened: the logarithms of sums are f32.
// CHECK-LABEL: job.func @attention(
// CHECK: #plan.cudnn.attention<batch = 2, heads = 3, queries = 4, keys = 5, channels = 8, value_channels = 16, causal = 1, scale = 5.000000e-01, type = bf16, workspace = 1048576>
// CHECK: #plan.cudnn.attention_grad<batch = 2, heads = 3, queries = 4, keys = 5, channels = 8, value_channels = 16, causal = 1, scale = 5.000000e-01, type = bf16, workspace = 1245184>
// PLAN-LABEL: plan.program @attention
// PLAN-NOT: plan.dispatch
// PLAN: plan.call #plan.cudnn.attention<
// PLAN-SAME: memref<2x3x4xf32, #arena>
// PLAN: plan.call #plan.cudnn.attention_grad<
// PLAN-SAME: workspace(
job.func @attention(%q: !job.blob<2x4x3x8xbf16>, %k: !job.blob<2x5x3x8xbf16>, %v: !job.blob<2x5x3x16xbf16>, %g: !job.blob<2x4x3x16xbf16>) -> (!job.blob<2x4x3x8xbf16>, !job.blob<2x5x3x8xbf16>, !job.blob<2x5x3x16xbf16>) kind predict {
  %y, %l = job.attention %q, %k, %v {causal = true, scale = 0.5 : f64} : !job.blob<2x4x3x8xbf16>, !job.blob<2x5x3x8xbf16>, !job.blob<2x5x3x16xbf16>
  %dq, %dk, %dv = job.attention_grad %g, %q, %k, %v, %y, %l {causal = true, scale = 0.5 : f64} : !job.blob<2x4x3x16xbf16>, !job.blob<2x4x3x8xbf16>, !job.blob<2x5x3x8xbf16>, !job.blob<2x5x3x16xbf16>, !job.blob<2x3x4xf32>
  job.return %dq, %dk, %dv : !job.blob<2x4x3x8xbf16>, !job.blob<2x5x3x8xbf16>, !job.blob<2x5x3x16xbf16>
}

// The engines have neither f32 nor these channels: kernels, which are wide.
// CHECK-LABEL: job.func @wide_attention
// CHECK: plan.implementation = #plan.generated_kernel
// PLAN-LABEL: plan.program @wide_attention
// PLAN: plan.dispatch
job.func @wide_attention(%q: !job.blob<2x4x3x8xf32>) -> !job.blob<2x4x3x8xf32> kind predict {
  %y, %l = job.attention %q, %q, %q {scale = 0.5 : f64} : !job.blob<2x4x3x8xf32>, !job.blob<2x4x3x8xf32>, !job.blob<2x4x3x8xf32>
  job.return %y : !job.blob<2x4x3x8xf32>
}
// CHECK-LABEL: job.func @odd_attention
// CHECK: plan.implementation = #plan.generated_kernel
// PLAN-LABEL: plan.program @odd_attention
// PLAN-NOT: plan.call
// PLAN: plan.return
job.func @odd_attention(%q: !job.blob<2x4x3x12xf16>) -> !job.blob<2x4x3x12xf16> kind predict {
  %y, %l = job.attention %q, %q, %q {scale = 0.5 : f64} : !job.blob<2x4x3x12xf16>, !job.blob<2x4x3x12xf16>, !job.blob<2x4x3x12xf16>
  job.return %y : !job.blob<2x4x3x12xf16>
}

// A limit of the workspace of convolutions, rounded down to the alignment.
// CHECK-LABEL: job.func @limited
// CHECK: #plan.cudnn.conv2d<{{.*}}workspace = 960>
// CHECK: #plan.cudnn.conv2d_data_grad<{{.*}}workspace = 960>
// CHECK: #plan.cudnn.conv2d_filter_grad<{{.*}}workspace = 960>
// TF32-LABEL: job.func @limited
// TF32-COUNT-3: tf32 = 1, workspace = 960>
// PLAN-LABEL: plan.program @limited
// PLAN: plan.workspace : memref<960xi8, #workspace>
job.func @limited(%x: !job.blob<2x3x8x7xf32>, %f: !job.blob<4x3x3x3xf32>) -> (!job.blob<2x3x8x7xf32>, !job.blob<4x3x3x3xf32>) kind predict attributes {workspace_limit = 1000 : i64} {
  %0 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x3x8x7xf32>, !job.blob<4x3x3x3xf32>
  %1 = job.conv2d_data_grad %0, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x6xf32>, !job.blob<4x3x3x3xf32> -> !job.blob<2x3x8x7xf32>
  %2 = job.conv2d_filter_grad %0, %x {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x8x6xf32>, !job.blob<2x3x8x7xf32> -> !job.blob<4x3x3x3xf32>
  job.return %1, %2 : !job.blob<2x3x8x7xf32>, !job.blob<4x3x3x3xf32>
}

// Without a library, what has loops is kernels; others of it remain.
// CHECK-LABEL: job.func @excluded
// CHECK: job.matmul
// CHECK-SAME: #plan.cublaslt.matmul
// CHECK: job.conv2d
// CHECK-SAME: plan.implementation = #plan.generated_kernel
// PLAN-LABEL: plan.program @excluded
// PLAN: plan.call #plan.cublaslt.matmul
// PLAN-NOT: plan.cudnn
// PLAN: plan.dispatch
// PLAN-NOT: plan.cudnn
// PLAN: plan.return
job.func @excluded(%x: !job.blob<2x3x8x7xf32>, %f: !job.blob<4x3x3x3xf32>, %a: !job.blob<4x4xf32>) -> (!job.blob<4x4xf32>, !job.blob<2x4x8x6xf32>) kind predict attributes {excluded_libraries = ["cudnn"]} {
  %0 = job.matmul %a, %a : !job.blob<4x4xf32>, !job.blob<4x4xf32>
  %1 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x3x8x7xf32>, !job.blob<4x3x3x3xf32>
  job.return %0, %1 : !job.blob<4x4xf32>, !job.blob<2x4x8x6xf32>
}
