// RUN: job-opt %s | job-opt | FileCheck %s

// Parameters in any order; those that have the value that they have without
// text are not printed.
// CHECK-LABEL: plan.program @configs
plan.program @configs kind predict {
  // CHECK-NEXT: plan.call #plan.onednn.matmul<m = 1, n = 2, k = 3>
  plan.call #plan.onednn.matmul<k = 3, n = 2, batch = 1, m = 1, transpose_a = 0, row_parts = 1>
  // CHECK-NEXT: plan.call #plan.onednn.matmul<batch = 4, m = 32, n = 48, k = 3, transpose_a = 1, transpose_b = 1, batch_parts = 4, row_parts = 2, column_parts = 3> {flops = 24 : i64}
  plan.call #plan.onednn.matmul<batch = 4, m = 32, n = 48, k = 3, transpose_a = 1, transpose_b = 1, batch_parts = 4, row_parts = 2, column_parts = 3> {flops = 24 : i64}
  // CHECK-NEXT: plan.call #plan.cublaslt.matmul<m = 1, n = 2, k = 3>
  plan.call #plan.cublaslt.matmul<k = 3, n = 2, batch = 1, m = 1, type = f32, tf32 = 0, workspace = 0>
  // CHECK-NEXT: plan.call #plan.cublaslt.matmul<batch = 4, m = 32, n = 48, k = 3, transpose_b = 1, type = bf16, workspace = 1024>
  plan.call #plan.cublaslt.matmul<batch = 4, m = 32, n = 48, k = 3, transpose_b = 1, workspace = 1024, type = bf16>
  // CHECK-NEXT: plan.call #plan.cublaslt.matmul<m = 1, n = 2, k = 3, type = f16, beta = 1, out_f32 = 1, epilogue = bias>
  plan.call #plan.cublaslt.matmul<m = 1, n = 2, k = 3, out_f32 = 1, beta = 1, type = f16, epilogue = bias>
  // CHECK-NEXT: plan.call #plan.cublaslt.matmul<m = 1, n = 2, k = 3, transpose_a = 1, tf32 = 1>
  plan.call #plan.cublaslt.matmul<m = 1, n = 2, k = 3, transpose_a = 1, tf32 = 1>
  // CHECK-NEXT: plan.call #plan.cublaslt.matmul<m = 8, n = 8, k = 3, epilogue = relu_grad_bias_grad>
  plan.call #plan.cublaslt.matmul<m = 8, n = 8, k = 3, epilogue = relu_grad_bias_grad>
  // CHECK-NEXT: plan.call #plan.onednn.matmul<m = 1, n = 2, k = 3, type = bf16, slice = 128>
  plan.call #plan.onednn.matmul<m = 1, n = 2, k = 3, slice = 128, type = bf16>
  // CHECK-NEXT: plan.call #plan.onednn.conv2d<n = 1, c = 1, h = 1, w = 1, oc = 1, kh = 1, kw = 1, oh = 1, ow = 1, type = bf16>
  plan.call #plan.onednn.conv2d<n = 1, c = 1, h = 1, w = 1, oc = 1, kh = 1, kw = 1, oh = 1, ow = 1, type = bf16>
  // CHECK-NEXT: plan.call #plan.onednn.conv2d<n = 6, c = 8, h = 9, w = 7, oc = 40, kh = 3, kw = 2, oh = 5, ow = 4, stride_h = 2, pad_top = 1, pad_bottom = 2, dilation_w = 3, groups = 2, layout = nhwc, batch_parts = 2, tile = 3, slice = 128>
  plan.call #plan.onednn.conv2d<n = 6, c = 8, h = 9, w = 7, oc = 40, kh = 3, kw = 2, oh = 5, ow = 4, stride_h = 2, pad_top = 1, pad_bottom = 2, dilation_w = 3, groups = 2, layout = nhwc, batch_parts = 2, tile = 3, slice = 128>
  // CHECK-NEXT: plan.call #plan.onednn.conv2d_data_grad<n = 1, c = 33, h = 1, w = 1, oc = 1, kh = 1, kw = 1, oh = 1, ow = 1, channel_parts = 3>
  plan.call #plan.onednn.conv2d_data_grad<n = 1, c = 33, h = 1, w = 1, oc = 1, kh = 1, kw = 1, oh = 1, ow = 1, channel_parts = 3, slice = 64>
  // CHECK-NEXT: plan.call #plan.onednn.conv2d_filter_grad<n = 4, c = 1, h = 1, w = 1, oc = 17, kh = 1, kw = 1, oh = 1, ow = 1, batch_parts = 4, channel_parts = 2>
  plan.call #plan.onednn.conv2d_filter_grad<n = 4, c = 1, h = 1, w = 1, oc = 17, kh = 1, kw = 1, oh = 1, ow = 1, batch_parts = 4, channel_parts = 2>
  // CHECK-NEXT: plan.call #plan.cudnn.conv2d<n = 6, c = 8, h = 9, w = 7, oc = 40, kh = 3, kw = 2, oh = 5, ow = 4, stride_h = 2, pad_top = 1, pad_bottom = 2, dilation_w = 3, groups = 2, type = bf16, layout = nhwc, workspace = 128>
  plan.call #plan.cudnn.conv2d<workspace = 128, layout = nhwc, type = bf16, n = 6, c = 8, h = 9, w = 7, oc = 40, kh = 3, kw = 2, oh = 5, ow = 4, stride_h = 2, pad_top = 1, pad_bottom = 2, dilation_w = 3, groups = 2, tf32 = 0>
  // CHECK-NEXT: plan.call #plan.cudnn.conv2d<n = 1, c = 2, h = 1, w = 1, oc = 3, kh = 1, kw = 1, oh = 1, ow = 1, epilogue = bias_relu>
  plan.call #plan.cudnn.conv2d<n = 1, c = 2, h = 1, w = 1, oc = 3, kh = 1, kw = 1, oh = 1, ow = 1, epilogue = bias_relu>
  // CHECK-NEXT: plan.call #plan.cudnn.avg_pool2d<n = 2, c = 3, h = 9, w = 8, kh = 3, kw = 4, oh = 4, ow = 8, stride_h = 2, pad_top = 1, pad_right = 3, type = f16, layout = nhwc>
  plan.call #plan.cudnn.avg_pool2d<layout = nhwc, type = f16, n = 2, c = 3, h = 9, w = 8, kh = 3, kw = 4, oh = 4, ow = 8, stride_h = 2, pad_top = 1, pad_right = 3, pad_left = 0>
  // CHECK-NEXT: plan.call #plan.cudnn.avg_pool2d_grad<n = 1, c = 1, h = 2, w = 2, kh = 2, kw = 2, oh = 1, ow = 1>
  plan.call #plan.cudnn.avg_pool2d_grad<n = 1, c = 1, h = 2, w = 2, kh = 2, kw = 2, oh = 1, ow = 1>
  // CHECK-NEXT: plan.call #plan.cudnn.conv2d_data_grad<n = 1, c = 33, h = 1, w = 1, oc = 1, kh = 1, kw = 1, oh = 1, ow = 1, tf32 = 1>
  plan.call #plan.cudnn.conv2d_data_grad<n = 1, c = 33, h = 1, w = 1, oc = 1, kh = 1, kw = 1, oh = 1, ow = 1, type = f32, layout = nchw, tf32 = 1>
  // CHECK-NEXT: plan.call #plan.cudnn.conv2d_filter_grad<n = 4, c = 1, h = 1, w = 1, oc = 17, kh = 1, kw = 1, oh = 1, ow = 1, type = f16>
  plan.call #plan.cudnn.conv2d_filter_grad<n = 4, c = 1, h = 1, w = 1, oc = 17, kh = 1, kw = 1, oh = 1, ow = 1, type = f16>
  // CHECK-NEXT: plan.call #plan.host.attention<queries = 3, keys = 3, channels = 2, value_channels = 2>
  plan.call #plan.host.attention<queries = 3, keys = 3, channels = 2, value_channels = 2, scale = 1.0>
  // CHECK-NEXT: plan.call #plan.host.attention_grad<batch = 2, heads = 3, queries = 49, keys = 50, channels = 2, value_channels = 2, causal = 1, scale = 1.250000e-01, head_parts = 6, query_parts = 2>
  plan.call #plan.host.attention_grad<batch = 2, heads = 3, queries = 49, keys = 50, channels = 2, value_channels = 2, causal = 1, scale = 0.125, head_parts = 6, query_parts = 2>
  // CHECK-NEXT: plan.call #plan.cudnn.attention<batch = 2, heads = 3, queries = 4, keys = 5, channels = 8, value_channels = 128, causal = 1, scale = 1.250000e-01, type = bf16, workspace = 128>
  plan.call #plan.cudnn.attention<type = bf16, batch = 2, heads = 3, queries = 4, keys = 5, channels = 8, value_channels = 128, causal = 1, scale = 0.125, workspace = 128>
  // CHECK-NEXT: plan.call #plan.cudnn.attention_grad<batch = 6, queries = 4, keys = 3, channels = 16, value_channels = 8, type = f16, batch_parts = 3>
  plan.call #plan.cudnn.attention_grad<batch = 6, queries = 4, keys = 3, channels = 16, value_channels = 8, type = f16, batch_parts = 3, workspace = 0>
  // CHECK-NEXT: plan.call #plan.cudnn.attention<heads = 2, queries = 4, keys = 4, channels = 8, value_channels = 8, type = bf16, query_after = 4, key_before = 2, key_after = 2, value_before = 4>
  plan.call #plan.cudnn.attention<heads = 2, queries = 4, keys = 4, channels = 8, value_channels = 8, type = bf16, query_before = 0, query_after = 4, key_before = 2, key_after = 2, value_before = 4, value_after = 0>
  // CHECK-NEXT: plan.call #plan.cudnn.attention_grad<heads = 2, queries = 4, keys = 4, channels = 8, value_channels = 8, type = bf16, value_after = 1, join_query_key = 1, join_key_value = 1>
  plan.call #plan.cudnn.attention_grad<heads = 2, queries = 4, keys = 4, channels = 8, value_channels = 8, type = bf16, value_after = 1, join_query_key = 1, join_key_value = 1>
  plan.return
}
