//===- JobAttentionOps.td - Attention ----------------------*- tablegen -*-===//

#ifndef JOBDIALECT_IR_JOBATTENTIONOPS_TD
#define JOBDIALECT_IR_JOBATTENTIONOPS_TD

include "JobDialect/IR/JobStructureOps.td"

defvar Job_AttentionDescription = [{
    The dimensions of blobs are (batch, position, head, channel). For each batch
    and head: `softmax(scale * Q K^T) V` (Vaswani et al. 2017), with the softmax
    along each row. With `causal` the query at position `t` of `T` attends to the
    keys up to position `t + S - T` of `S`, and `S >= T`.

    Queries, keys and values may be heads of larger blobs, which may be one blob:
    the first `heads_before[i]` and the last `heads_after[i]` heads of operand `i`
    of the three are not read.
}];

/// Numbers of heads of the blobs of queries, keys and values.
def Job_OtherHeads :
    DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0, 0}">;

def Job_AttentionOp : Job_Op<"attention", [AllowsNarrowTypes, Pure, Job_InferTypes]> {
  let summary = "scaled dot product attention";
  let description = Job_AttentionDescription # [{
    `logsumexp`, (batch, head, position), is the logarithm of each row's sum of
    exponentials, in `f32` if the other blobs are `f16` or `bf16`. The gradient
    uses it to recompute the weights, which are not kept.

    Example:

    ```mlir
    %y, %lse = job.attention %q, %k, %v {causal = true, scale = 1.250000e-01 : f64} : !job.blob<8x32x4x64xf32>, !job.blob<8x32x4x64xf32>, !job.blob<8x32x4x64xf32>
    %z, %sums = job.attention %q, %kv, %kv {heads_after = array<i64: 0, 4, 0>, heads_before = array<i64: 0, 0, 4>, scale = 1.250000e-01 : f64} : !job.blob<8x32x4x64xf32>, !job.blob<8x48x8x64xf32>, !job.blob<8x48x8x64xf32>
    ```
  }];
  let arguments = (ins Job_FloatBlob:$query, Job_FloatBlob:$key,
                       Job_FloatBlob:$value, F64Attr:$scale,
                       DefaultValuedAttr<BoolAttr, "false">:$causal,
                       Job_OtherHeads:$heads_before,
                       Job_OtherHeads:$heads_after);
  let results = (outs Job_FloatBlob:$result, Job_FloatBlob:$logsumexp);
  let assemblyFormat = [{
    $query `,` $key `,` $value attr-dict
    `:` type($query) `,` type($key) `,` type($value)
  }];
}

def Job_AttentionGradOp : Job_Op<"attention_grad", [
    Pure, Job_InferTypes, AllTypesMatch<["grad", "result"]>]> {
  let summary = "gradient of attention";
  let description = Job_AttentionDescription # [{
    With the weights `P = e^(scale Q K^T - logsumexp)` and the gradient dY of the
    result Y: `dV = P^T dY`, `dP = dY V^T`, `dS = P * (dP - rowsum(dY * Y))`,
    `dQ = scale dS K`, `dK = scale dS^T Q` (Dao et al. 2022).

    The results are dQ, dK and dV, of the heads that are read. With
    `join_query_key` dQ and dK are one result, concatenated along the heads, which
    takes as many keys as queries; with `join_key_value` so are dK and dV, which
    takes equal numbers of channels.

    Example:

    ```mlir
    %dq, %dk, %dv = job.attention_grad %dy, %q, %k, %v, %y, %lse {causal = true, scale = 1.250000e-01 : f64} : !job.blob<8x32x4x64xf32>, !job.blob<8x32x4x64xf32>, !job.blob<8x32x4x64xf32>, !job.blob<8x32x4x64xf32>, !job.blob<8x4x32xf32>
    %dqkv = job.attention_grad %dy, %q, %k, %v, %y, %lse {join_key_value = true, join_query_key = true, scale = 1.250000e-01 : f64} : !job.blob<8x32x4x64xf32>, !job.blob<8x32x4x64xf32>, !job.blob<8x32x4x64xf32>, !job.blob<8x32x4x64xf32>, !job.blob<8x4x32xf32>
    ```
  }];
  let arguments = (ins Job_FloatBlob:$grad, Job_FloatBlob:$query,
                       Job_FloatBlob:$key, Job_FloatBlob:$value,
                       Job_FloatBlob:$result, Job_FloatBlob:$logsumexp,
                       F64Attr:$scale,
                       DefaultValuedAttr<BoolAttr, "false">:$causal,
                       Job_OtherHeads:$heads_before,
                       Job_OtherHeads:$heads_after,
                       DefaultValuedAttr<BoolAttr, "false">:$join_query_key,
                       DefaultValuedAttr<BoolAttr, "false">:$join_key_value);
  let results = (outs Variadic<Job_FloatBlob>:$grads);
  let assemblyFormat = [{
    $grad `,` $query `,` $key `,` $value `,` $result `,` $logsumexp attr-dict
    `:` type($grad) `,` type($query) `,` type($key) `,` type($value) `,` type($logsumexp)
  }];
  let extraClassDeclaration = [{
    /// The result that has the gradient of the queries (0), the keys (1) or the
    /// values (2), and the first of its heads there.
    std::pair<unsigned, int64_t> getGradPlace(unsigned index);
  }];
  let hasVerifier = 1;
}

#endif // JOBDIALECT_IR_JOBATTENTIONOPS_TD
