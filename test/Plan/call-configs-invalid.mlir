// RUN: job-opt %s --split-input-file --verify-diagnostics

plan.program @p kind predict {
  // expected-error@below {{unknown attribute `onednn.gemm` in dialect `plan`}}
  plan.call #plan.onednn.gemm<m = 1, n = 1, k = 1>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'm' from 1 to 2147483647 but got 0}}
  plan.call #plan.onednn.matmul<m = 0, n = 1, k = 1>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'm' from 1 to 2147483647 but got 2147483648}}
  plan.call #plan.onednn.matmul<m = 2147483648, n = 1, k = 1>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'n' in the configuration but got none}}
  plan.call #plan.onednn.matmul<m = 1, k = 1>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects a parameter of onednn.matmul but got alpha}}
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1, alpha = 1>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'm' once but got it twice}}
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1, m = 1>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{the size of out overflows}}
  plan.call #plan.onednn.matmul<m = 2147483647, n = 2147483647, k = 1>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'row_parts' from 1 to 2 but got 3}}
  plan.call #plan.onednn.matmul<m = 32, n = 1, k = 1, row_parts = 3>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'column_parts' from 1 to 2 but got 3}}
  plan.call #plan.onednn.matmul<m = 1, n = 17, k = 1, column_parts = 3>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'batch_parts' from 1 to 4 but got 5}}
  plan.call #plan.onednn.matmul<batch = 4, m = 1, n = 1, k = 1, batch_parts = 5>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'batch_parts' from 1 to 64 but got 65}}
  plan.call #plan.onednn.matmul<batch = 65, m = 1, n = 1, k = 1, batch_parts = 65>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects at most 64 parts in all but got 128}}
  plan.call #plan.onednn.matmul<batch = 64, m = 32, n = 1, k = 1, batch_parts = 64, row_parts = 2>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'c' to be a multiple of the 2 groups but got 1}}
  plan.call #plan.onednn.conv2d<n = 2, c = 1, h = 4, w = 4, oc = 1, kh = 3, kw = 3, oh = 2, ow = 2, groups = 2>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects a padded input of at least 5 for 'oh' but got 4}}
  plan.call #plan.onednn.conv2d<n = 2, c = 1, h = 4, w = 4, oc = 1, kh = 5, kw = 3, oh = 2, ow = 2>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'ow' to be 1 but got 2}}
  plan.call #plan.onednn.conv2d<n = 2, c = 1, h = 4, w = 4, oc = 1, kh = 3, kw = 3, oh = 2, ow = 2, stride_w = 2>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'batch_parts' from 1 to 2 but got 3}}
  plan.call #plan.onednn.conv2d<n = 2, c = 1, h = 4, w = 4, oc = 1, kh = 3, kw = 3, oh = 2, ow = 2, batch_parts = 3>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'channel_parts' from 1 to 1 but got 2}}
  plan.call #plan.onednn.conv2d<n = 2, c = 1, h = 4, w = 4, oc = 1, kh = 3, kw = 3, oh = 2, ow = 2, channel_parts = 2>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'channel_parts' from 1 to 1 but got 2}}
  plan.call #plan.onednn.conv2d_data_grad<n = 2, c = 1, h = 4, w = 4, oc = 32, kh = 3, kw = 3, oh = 2, ow = 2, channel_parts = 2>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'channel_parts' from 1 to 1 but got 2}}
  plan.call #plan.onednn.conv2d<n = 2, c = 32, h = 4, w = 4, oc = 32, kh = 3, kw = 3, oh = 2, ow = 2, groups = 2, channel_parts = 2>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'tile' from 1 to 1 but got 2}}
  plan.call #plan.onednn.conv2d<n = 2, c = 1, h = 4, w = 4, oc = 1, kh = 3, kw = 3, oh = 2, ow = 2, batch_parts = 2, tile = 2>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'slice' from 64 to 4398046511104 but got 0}}
  plan.call #plan.onednn.conv2d<n = 2, c = 1, h = 4, w = 4, oc = 1, kh = 3, kw = 3, oh = 2, ow = 2, slice = 0>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'slice' to be 64 but got 100}}
  plan.call #plan.onednn.conv2d<n = 2, c = 1, h = 4, w = 4, oc = 1, kh = 3, kw = 3, oh = 2, ow = 2, slice = 100>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects at least 4 for 'keys' but got 3}}
  plan.call #plan.host.attention<queries = 4, keys = 3, channels = 2, value_channels = 2, causal = 1>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'scale' to be finite in f32 but got 1e+300}}
  plan.call #plan.host.attention<queries = 4, keys = 4, channels = 2, value_channels = 2, scale = 1.0e300>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'head_parts' from 1 to 1 but got 2}}
  plan.call #plan.host.attention<queries = 4, keys = 4, channels = 2, value_channels = 2, head_parts = 2>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'query_parts' from 1 to 1 but got 2}}
  plan.call #plan.host.attention<queries = 4, keys = 4, channels = 2, value_channels = 2, query_parts = 2>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'head_parts' to be 2 but got 1}}
  plan.call #plan.host.attention_grad<heads = 2, queries = 49, keys = 4, channels = 2, value_channels = 2, query_parts = 2>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{invalid kind of attribute specified}}
  plan.call #plan.cpu_schedule<interleave = 2>
  plan.return
}

// -----

// Seven groups of rows.
plan.program @p kind predict {
  // expected-error@below {{expects 'row_parts' to split 7 into parts that are not empty, as 4 does, but got 5}}
  plan.call #plan.onednn.matmul<m = 100, n = 3, k = 4, row_parts = 5>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'type' to be one of f32, f16, bf16 but got f64}}
  plan.call #plan.cublaslt.matmul<m = 1, n = 2, k = 3, type = f64>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'tf32' to be 0 but got 1}}
  plan.call #plan.cublaslt.matmul<m = 1, n = 2, k = 3, type = f16, tf32 = 1>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'out_f32' to be 0 but got 1}}
  plan.call #plan.cublaslt.matmul<m = 1, n = 2, k = 3, out_f32 = 1>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'workspace' to be 64 but got 100}}
  plan.call #plan.cublaslt.matmul<m = 1, n = 2, k = 3, workspace = 100>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{the size of b overflows}}
  plan.call #plan.cublaslt.matmul<m = 1, n = 2147483647, k = 2147483647, type = f16>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'epilogue' to be one of none, bias, bias_relu but got relu}}
  plan.call #plan.cudnn.conv2d<n = 2, c = 4, h = 5, w = 5, oc = 4, kh = 3, kw = 3, oh = 3, ow = 3, epilogue = relu>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'pad_left' from 0 to 1 but got 2}}
  plan.call #plan.cudnn.avg_pool2d<n = 2, c = 4, h = 5, w = 5, kh = 2, kw = 2, oh = 4, ow = 6, pad_left = 2>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'oh' to be 4 but got 5}}
  plan.call #plan.cudnn.avg_pool2d_grad<n = 2, c = 4, h = 5, w = 5, kh = 2, kw = 2, oh = 5, ow = 4>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'layout' to be one of nchw, nhwc but got hwcn}}
  plan.call #plan.cudnn.conv2d<n = 2, c = 4, h = 5, w = 5, oc = 4, kh = 3, kw = 3, oh = 3, ow = 3, layout = hwcn>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'tf32' to be 0 but got 1}}
  plan.call #plan.cudnn.conv2d<n = 2, c = 4, h = 5, w = 5, oc = 4, kh = 3, kw = 3, oh = 3, ow = 3, type = bf16, tf32 = 1>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'workspace' to be 64 but got 100}}
  plan.call #plan.cudnn.conv2d<n = 2, c = 4, h = 5, w = 5, oc = 4, kh = 3, kw = 3, oh = 3, ow = 3, workspace = 100>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'oh' to be 3 but got 4}}
  plan.call #plan.cudnn.conv2d<n = 2, c = 4, h = 5, w = 5, oc = 4, kh = 3, kw = 3, oh = 4, ow = 3>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'oc' to be a multiple of the 4 groups but got 6}}
  plan.call #plan.cudnn.conv2d<n = 2, c = 4, h = 5, w = 5, oc = 6, kh = 3, kw = 3, oh = 3, ow = 3, groups = 4>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{the size of filter overflows}}
  plan.call #plan.cudnn.conv2d_data_grad<n = 1, c = 2147483647, h = 1, w = 1, oc = 2147483647, kh = 1, kw = 1, oh = 1, ow = 1>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'type' f32 or bf16 but got f16}}
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1, type = f16>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'slice' to be 0 but got 64}}
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1, slice = 64>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'slice' to be 64 but got 65}}
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1, type = bf16, slice = 65>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'type' f32 or bf16 but got f16}}
  plan.call #plan.onednn.conv2d<n = 1, c = 1, h = 1, w = 1, oc = 1, kh = 1, kw = 1, oh = 1, ow = 1, type = f16>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'n' to be a multiple of 8 with the epilogue gelu_grad but got 12}}
  plan.call #plan.cublaslt.matmul<m = 1, n = 12, k = 2, epilogue = gelu_grad>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'batch' to be 1 but got 2}}
  plan.call #plan.cublaslt.matmul<batch = 2, m = 1, n = 8, k = 1, epilogue = bias_grad_a>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'transpose_a' to be 1 with the epilogue bias_grad_a but got 0}}
  plan.call #plan.cublaslt.matmul<m = 4, n = 8, k = 2, epilogue = bias_grad_a>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'transpose_b' to be 0 with the epilogue bias_grad_b but got 1}}
  plan.call #plan.cublaslt.matmul<m = 4, n = 8, k = 2, transpose_b = 1, epilogue = bias_grad_b>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'k' from 2 with the epilogue relu_grad but got 1}}
  plan.call #plan.cublaslt.matmul<m = 4, n = 8, k = 1, epilogue = relu_grad>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'type' f16 or bf16 but got f32}}
  plan.call #plan.cudnn.attention<queries = 4, keys = 4, channels = 8, value_channels = 8>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'channels' to be a multiple of 8 up to 128 but got 4}}
  plan.call #plan.cudnn.attention<queries = 4, keys = 4, channels = 4, value_channels = 8, type = bf16>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'value_channels' to be a multiple of 8 up to 128 but got 136}}
  plan.call #plan.cudnn.attention<queries = 4, keys = 4, channels = 8, value_channels = 136, type = bf16>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects at least 4 for 'keys' but got 3}}
  plan.call #plan.cudnn.attention_grad<queries = 4, keys = 3, channels = 8, value_channels = 8, causal = 1, type = bf16>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'workspace' to be 64 but got 100}}
  plan.call #plan.cudnn.attention_grad<queries = 4, keys = 3, channels = 8, value_channels = 8, type = bf16, workspace = 100>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'batch_parts' to divide 4 but got 3}}
  plan.call #plan.cudnn.attention_grad<batch = 4, queries = 4, keys = 3, channels = 8, value_channels = 8, type = bf16, batch_parts = 3>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{the size of query overflows}}
  plan.call #plan.cudnn.attention<batch = 2147483647, queries = 2147483647, keys = 1, channels = 8, value_channels = 8, type = bf16>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'query_before' from 0 to 2147483647 but got -1}}
  plan.call #plan.cudnn.attention<queries = 4, keys = 4, channels = 8, value_channels = 8, type = bf16, query_before = -1>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'value_after' from 0 to 2147483647 but got 2147483648}}
  plan.call #plan.cudnn.attention<queries = 4, keys = 4, channels = 8, value_channels = 8, type = bf16, value_after = 2147483648>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{the size of key overflows}}
  plan.call #plan.cudnn.attention<queries = 4, keys = 2147483647, channels = 8, value_channels = 8, type = bf16, key_before = 2147483647>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'keys' to be 4 but got 5}}
  plan.call #plan.cudnn.attention_grad<queries = 4, keys = 5, channels = 8, value_channels = 8, type = bf16, join_query_key = 1>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'value_channels' to be 8 but got 16}}
  plan.call #plan.cudnn.attention_grad<queries = 4, keys = 5, channels = 8, value_channels = 16, type = bf16, join_key_value = 1>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@below {{expects 'join_key_value' from 0 to 1 but got 2}}
  plan.call #plan.cudnn.attention_grad<queries = 4, keys = 4, channels = 8, value_channels = 8, type = bf16, join_key_value = 2>
  plan.return
}
