//===- PlanCallAttributes.td - Calls of libraries ----------*- tablegen -*-===//
//
// The configuration of each function of a library, over its struct of
// runtime/include/jobrt/calls/.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_PLAN_PLANCALLATTRIBUTES_TD
#define JOBDIALECT_PLAN_PLANCALLATTRIBUTES_TD

include "JobDialect/Plan/PlanAttributes.td"

class Plan_CallConfigAttr<string name, string function, string config>
    : Plan_Attr<name, function, [Plan_CallConfigAttrInterface]> {
  let parameters = (ins config:$config);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDefinition = [{
    ::mlir::Attribute $cppClass::parse(::mlir::AsmParser &parser,
                                       ::mlir::Type) {
      return parseCallConfig<$cppClass, }] # config # [{>(parser);
    }
    void $cppClass::print(::mlir::AsmPrinter &printer) const {
      printCallConfig(printer, getConfig());
    }
    ::llvm::LogicalResult $cppClass::verify(
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError,
        }] # config # [{ config) {
      return verifyCallConfig(emitError, config);
    }
  }];
}

def Plan_MatMulAttr
    : Plan_CallConfigAttr<"MatMul", "onednn.matmul", "::jobrt::calls::MatMul"> {
  let summary = "a call of onednn.matmul";
  let description = [{
    Products out[m,n] = op(a)[m,k] op(b)[k,n], one for each of `batch` pairs.
    The batch is split into `batch_parts` parts, and the rows and columns of each
    product into `row_parts` and `column_parts`, of whole blocks of 16. Every
    combination of a part of each is a chunk; there are at most 64.

    Elements are of `type`, `f32` or `bf16`, and sums in f32, which are rounded
    once. Products of `bf16` need a processor with AVX512-BF16, which takes
    denormal numbers for zeros, and `slice` bytes of workspace for each chunk.

    Parameters that are not written have the value 1, the type is `f32`, and
    transposes and the slice are 0.

    Example:

    ```mlir
    #plan.onednn.matmul<m = 100, n = 512, k = 784, transpose_b = 1, column_parts = 8>
    ```
  }];
}

class Plan_Conv2dAttr<string name, string function, string config>
    : Plan_CallConfigAttr<name, function, config>;

def Plan_Conv2dForwardAttr
    : Plan_Conv2dAttr<"Conv2dForward", "onednn.conv2d",
                      "::jobrt::calls::Conv2dForward"> {
  let summary = "a call of onednn.conv2d";
  let description = [{
    A convolution of `n` images of `c` channels and `h` x `w` pixels with a filter
    of `oc` x `c / groups` x `kh` x `kw`, to `oc` channels of `oh` x `ow` pixels.
    The batch is split into `batch_parts`, and the channels of the result, in
    whole blocks of 16, into `channel_parts`, which is 1 with several groups.
    A chunk works on `tile` images at a time, and has `slice` bytes of workspace.
    An algorithm of the library that fits into a slice is selected at load.
    Elements are of `type`, `f32` or `bf16`, as those of `#plan.onednn.matmul`.

    Strides, dilations, groups, parts and the tile that are not written are 1,
    paddings 0, the type `f32`, and the slice 64.

    Example:

    ```mlir
    #plan.onednn.conv2d<n = 100, c = 1, h = 28, w = 28, oc = 32, kh = 5, kw = 5, oh = 28, ow = 28, pad_top = 2, pad_left = 2, pad_bottom = 2, pad_right = 2, batch_parts = 8, tile = 4, slice = 4096>
    ```
  }];
}

def Plan_Conv2dDataGradAttr
    : Plan_Conv2dAttr<"Conv2dDataGrad", "onednn.conv2d_data_grad",
                      "::jobrt::calls::Conv2dDataGrad"> {
  let summary = "a call of onednn.conv2d_data_grad";
  let description = [{
    The gradient of a convolution with respect to its input, with the parameters
    of `#plan.onednn.conv2d`. `channel_parts` are parts of `c`.

    Example:

    ```mlir
    #plan.onednn.conv2d_data_grad<n = 1, c = 32, h = 8, w = 8, oc = 64, kh = 1, kw = 1, oh = 8, ow = 8, channel_parts = 2, slice = 65536>
    ```
  }];
}

def Plan_Conv2dFilterGradAttr
    : Plan_Conv2dAttr<"Conv2dFilterGrad", "onednn.conv2d_filter_grad",
                      "::jobrt::calls::Conv2dFilterGrad"> {
  let summary = "a call of onednn.conv2d_filter_grad";
  let description = [{
    The gradient of a convolution with respect to its filter, with the parameters
    of `#plan.onednn.conv2d`. The sum of each part of the batch is stored in its
    slice; the sums are added in the order of the parts, so `batch_parts` fixes
    the order of the terms.

    Example:

    ```mlir
    #plan.onednn.conv2d_filter_grad<n = 8, c = 32, h = 8, w = 8, oc = 64, kh = 1, kw = 1, oh = 8, ow = 8, batch_parts = 2, tile = 4, slice = 65536>
    ```
  }];
}

def Plan_AttentionAttr
    : Plan_CallConfigAttr<"Attention", "host.attention",
                          "::jobrt::calls::Attention"> {
  let summary = "a call of host.attention";
  let description = [{
    Attention of `queries` to `keys` positions, which with `causal` are those up
    to the query's own. Blobs are (batch, position, head, channel). The heads of
    all images are split into `head_parts`; if that is each of them, the queries of a
    head are split into `query_parts`, of whole blocks of 48.

    `batch`, `heads`, the parts and `scale` are 1 if not written, `causal` is 0.

    Example:

    ```mlir
    #plan.host.attention<batch = 2, heads = 4, queries = 128, keys = 128, channels = 64, value_channels = 64, causal = 1, scale = 1.250000e-01, head_parts = 8>
    ```
  }];
}

def Plan_AttentionGradAttr
    : Plan_CallConfigAttr<"AttentionGrad", "host.attention_grad",
                          "::jobrt::calls::AttentionGrad"> {
  let summary = "a call of host.attention_grad";
  let description = [{
    The gradients of attention, with the parameters of `#plan.host.attention`.
    With `query_parts`, the gradients of keys and values are sums over the
    parts, in their order.

    Example:

    ```mlir
    #plan.host.attention_grad<heads = 2, queries = 128, keys = 128, channels = 64, value_channels = 64, head_parts = 2, query_parts = 3>
    ```
  }];
}

def Plan_CublasLtMatMulAttr
    : Plan_CallConfigAttr<"CublasLtMatMul", "cublaslt.matmul",
                          "::jobrt::calls::CublasLtMatMul"> {
  let summary = "a call of cublaslt.matmul";
  let description = [{
    Products out[m,n] = op(a)[m,k] op(b)[k,n] on a GPU, one for each of `batch`
    pairs, of elements of `type`: `f32`, `f16` or `bf16`. Sums are in f32. With
    `beta`, the operand after the factors is an array c[m,n] that is added to the
    product. With `out_f32`, the factors are narrow and all other arrays are in
    f32: the product is not rounded. With `tf32`, the library may round factors in f32 to TF32. It selects an algorithm
    at load that needs at most `workspace` bytes and gives the same bits in every
    step.

    An `epilogue` is computed with the product, and c, before it is rounded.
    Arrays that it reads are the last operands, those that it writes are results
    after the product.

    | epilogue | result | reads | writes |
    |---|---|---|---|
    | `bias` | product + bias, the same for each row | bias (`n`) | |
    | `bias_relu` | 0 where product + bias is negative | bias (`n`) | |
    | `relu` | 0 where the product is negative | | |
    | `bias_relu_mask` | that of `bias_relu` | bias (`n`) | mask |
    | `relu_grad` | 0 where the mask is | mask | |
    | `relu_grad_bias_grad` | the same | mask | sums of its columns (`n`) |
    | `bias_gelu` | gelu of product + bias | bias (`n`) | |
    | `bias_gelu_input` | the same | bias (`n`) | product + bias |
    | `gelu_grad` | product times the gelu's derivative | input of the gelu | |
    | `gelu_grad_bias_grad` | the same | input of the gelu | sums of its columns (`n`) |
    | `bias_grad_a` | product | | sums of a over `k` (`m`) |
    | `bias_grad_b` | product | | sums of b over `k` (`n`) |

    A mask has a bit for each element of the result, in bytes of `i8`, and rows of
    whole groups of 128 bits. The gelu is the approximation with a hyperbolic
    tangent; its input has rows of a multiple of 8 elements. The library sums a
    factor that is stored as `k` rows only: `bias_grad_a` needs `transpose_a`,
    and `bias_grad_b` excludes `transpose_b`. Gradients need a `k` of at least 2.

    Parameters that are not written are 1 (`batch`), `f32` (`type`), `none`
    (`epilogue`) and 0.

    Example:

    ```mlir
    #plan.cublaslt.matmul<m = 100, n = 512, k = 784, transpose_b = 1, epilogue = bias_relu, workspace = 33554432>
    ```
  }];
}

def Plan_CudnnConv2dAttr
    : Plan_CallConfigAttr<"CudnnConv2d", "cudnn.conv2d",
                          "::jobrt::calls::CudnnConv2dForward"> {
  let summary = "a call of cudnn.conv2d";
  let description = [{
    A convolution on a GPU of `n` images of `c` channels and `h` x `w` pixels with
    a filter of `oc` x `c / groups` x `kh` x `kw`, to `oc` channels of `oh` x `ow`
    pixels, of elements of `type`: `f32`, `f16` or `bf16`. Sums are in f32. With
    the `layout` `nchw`, arrays are stored in the order (n, c, h, w), the filter as
    (oc, c / groups, kh, kw); with `nhwc` as (n, h, w, c) and
    (oc, kh, kw, c / groups). With `tf32`, the library may round factors in f32 to
    TF32. It selects an engine at load that needs at most `workspace` bytes and
    gives the same bits in every step.

    An `epilogue` is computed with the convolution before it is rounded: `bias`
    adds a number for each of the `oc` channels, an operand after the filter;
    `bias_relu` then stores 0 where the sum is negative.

    Strides, dilations and groups that are not written are 1, the type is `f32`,
    the layout `nchw`, the epilogue `none`, and all others are 0.

    Example:

    ```mlir
    #plan.cudnn.conv2d<n = 32, c = 64, h = 56, w = 56, oc = 64, kh = 3, kw = 3, oh = 56, ow = 56, pad_top = 1, pad_left = 1, pad_bottom = 1, pad_right = 1, type = bf16, layout = nhwc, workspace = 33554432>
    ```
  }];
}

def Plan_CudnnConv2dDataGradAttr
    : Plan_CallConfigAttr<"CudnnConv2dDataGrad", "cudnn.conv2d_data_grad",
                          "::jobrt::calls::CudnnConv2dDataGrad"> {
  let summary = "a call of cudnn.conv2d_data_grad";
  let description = [{
    The gradient of a convolution with respect to its input, with the parameters
    of `#plan.cudnn.conv2d`.

    Example:

    ```mlir
    #plan.cudnn.conv2d_data_grad<n = 1, c = 32, h = 8, w = 8, oc = 64, kh = 1, kw = 1, oh = 8, ow = 8, workspace = 33554432>
    ```
  }];
}

def Plan_CudnnConv2dFilterGradAttr
    : Plan_CallConfigAttr<"CudnnConv2dFilterGrad", "cudnn.conv2d_filter_grad",
                          "::jobrt::calls::CudnnConv2dFilterGrad"> {
  let summary = "a call of cudnn.conv2d_filter_grad";
  let description = [{
    The gradient of a convolution with respect to its filter, with the parameters
    of `#plan.cudnn.conv2d`.

    Example:

    ```mlir
    #plan.cudnn.conv2d_filter_grad<n = 8, c = 32, h = 8, w = 8, oc = 64, kh = 1, kw = 1, oh = 8, ow = 8, tf32 = 1, workspace = 33554432>
    ```
  }];
}

def Plan_CudnnAvgPool2dAttr
    : Plan_CallConfigAttr<"CudnnAvgPool2d", "cudnn.avg_pool2d",
                          "::jobrt::calls::CudnnAvgPool2d"> {
  let summary = "a call of cudnn.avg_pool2d";
  let description = [{
    Means of windows of `kh` x `kw` pixels, on a GPU, of `n` images of `c` channels
    and `h` x `w` pixels; there are `oh` x `ow` windows. What is padding does not
    count. Arrays are of `type` and `layout`, as those of `#plan.cudnn.conv2d`;
    sums are in f32. The library selects an engine at load.

    Strides that are not written are 1, the type is `f32`, the layout `nchw`, and
    paddings are 0.

    Example:

    ```mlir
    #plan.cudnn.avg_pool2d<n = 32, c = 64, h = 28, w = 28, kh = 2, kw = 2, oh = 14, ow = 14, stride_h = 2, stride_w = 2>
    ```
  }];
}

def Plan_CudnnAvgPool2dGradAttr
    : Plan_CallConfigAttr<"CudnnAvgPool2dGrad", "cudnn.avg_pool2d_grad",
                          "::jobrt::calls::CudnnAvgPool2dGrad"> {
  let summary = "a call of cudnn.avg_pool2d_grad";
  let description = [{
    The gradient of a mean pooling with respect to its input, with the parameters
    of `#plan.cudnn.avg_pool2d`.

    Example:

    ```mlir
    #plan.cudnn.avg_pool2d_grad<n = 8, c = 16, h = 9, w = 9, kh = 3, kw = 3, oh = 5, ow = 5, stride_h = 2, stride_w = 2, pad_top = 1, pad_left = 1, pad_bottom = 1, pad_right = 1, type = bf16>
    ```
  }];
}

def Plan_CudnnAttentionAttr
    : Plan_CallConfigAttr<"CudnnAttention", "cudnn.attention",
                          "::jobrt::calls::CudnnAttention"> {
  let summary = "a call of cudnn.attention";
  let description = [{
    Attention on a GPU with the parameters of `#plan.host.attention`, of elements of
    `type`: `f16` or `bf16`. Both numbers of channels are multiples of 8 up to
    128. Sums, the softmax and the logarithms of its sums are in f32; weights are
    rounded to `type` before they multiply the values. The library selects an
    engine at load that needs at most `workspace` bytes and gives the same bits in
    every step.

    The buffer of the queries may have more heads at each position: `query_before`
    before those that are read, and `query_after` after them; so may those of keys
    and values. One buffer may be all three.

    `batch`, `heads` and `scale` are 1 if not written, the others 0.

    Example:

    ```mlir
    #plan.cudnn.attention<batch = 32, heads = 12, queries = 1024, keys = 1024, channels = 64, value_channels = 64, causal = 1, scale = 1.250000e-01, type = bf16, workspace = 1048576>
    ```
  }];
}

def Plan_CudnnAttentionGradAttr
    : Plan_CallConfigAttr<"CudnnAttentionGrad", "cudnn.attention_grad",
                          "::jobrt::calls::CudnnAttentionGrad"> {
  let summary = "a call of cudnn.attention_grad";
  let description = [{
    The gradients of attention, with the parameters of `#plan.cudnn.attention`. The
    gradients of the scores are stored in the workspace, so that sums have one
    order. `batch_parts` parts of the batch, which they divide, are computed one
    after the other with the same workspace. With `join_query_key` the gradients of
    queries and keys are one buffer, in which those of the keys are further heads
    of each position; with `join_key_value` so are those of keys and values.

    Example:

    ```mlir
    #plan.cudnn.attention_grad<batch = 4, heads = 2, queries = 128, keys = 128, channels = 64, value_channels = 64, type = bf16, workspace = 1048576, query_after = 4, key_before = 2, key_after = 2, value_before = 4, batch_parts = 2, join_query_key = 1, join_key_value = 1>
    ```
  }];
}

#endif // JOBDIALECT_PLAN_PLANCALLATTRIBUTES_TD
