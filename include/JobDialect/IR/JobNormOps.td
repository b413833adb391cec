//===- JobNormOps.td - Normalisation -----------------------*- tablegen -*-===//

#ifndef JOBDIALECT_IR_JOBNORMOPS_TD
#define JOBDIALECT_IR_JOBNORMOPS_TD

include "JobDialect/IR/JobStructureOps.td"

def Job_BatchNormOp : Job_Op<"batch_norm", [
    Pure, Job_InferTypes, AllTypesMatch<["gamma", "beta"]>]> {
  let summary = "batch normalisation";
  let description = [{
    `gamma * (x - mean) / sqrt(variance + epsilon) + beta` (Ioffe and Szegedy
    2015), with the mean and the variance (divided by the number of elements)
    over all dimensions but `axis`. Both are results, with the type of gamma, for
    the moving statistics; normalisation with moving statistics is a composition
    of other ops. `job-decompose` replaces it by sums and elementwise ops, which
    fuse with their producers and users.

    Example:

    ```mlir
    %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<100x16x28x28xf32>, !job.blob<16xf32>
    ```
  }];
  let arguments = (ins Job_FloatBlob:$operand, Job_FloatBlob:$gamma,
                       Job_FloatBlob:$beta, I64Attr:$axis, F64Attr:$epsilon);
  let results = (outs Job_FloatBlob:$result, Job_FloatBlob:$mean,
                      Job_FloatBlob:$variance);
  let assemblyFormat = [{
    $operand `,` $gamma `,` $beta attr-dict `:` type($operand) `,` type($gamma)
  }];
}

def Job_LayerNormOp : Job_Op<"layer_norm", [
    Pure, Job_InferTypes, AllTypesMatch<["gamma", "beta"]>]> {
  let summary = "normalisation along the last dimension";
  let description = [{
    `gamma * (x - mean) * rstd + beta` (Ba, Kiros and Hinton 2016) with
    `rstd = 1 / sqrt(variance + epsilon)`. Mean and variance (divided by the
    number of elements) are those of each row along the last dimension; gamma and
    beta have the extent of that dimension. `mean` and `rstd`, results for the
    gradient, have the operand's shape without that dimension (`1` if no dimension
    remains).

    Example:

    ```mlir
    %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<8x32x64xf32>, !job.blob<64xf32>
    ```
  }];
  let arguments = (ins Job_FloatBlob:$operand, Job_FloatBlob:$gamma,
                       Job_FloatBlob:$beta, F64Attr:$epsilon);
  let results = (outs Job_FloatBlob:$result, Job_FloatBlob:$mean,
                      Job_FloatBlob:$rstd);
  let assemblyFormat = [{
    $operand `,` $gamma `,` $beta attr-dict `:` type($operand) `,` type($gamma)
  }];
}

def Job_LayerNormGradOp : Job_Op<"layer_norm_grad", [
    Pure, AllTypesMatch<["grad", "operand", "result"]>,
    AllTypesMatch<["mean", "rstd"]>]> {
  let summary = "gradient of a layer normalisation with respect to its operand";
  let description = [{
    `rstd * (g - mean(g) - n * mean(g * n))` row by row, where `g` is
    `grad * gamma` and `n` the normalised operand, `(x - mean) * rstd`.

    Example:

    ```mlir
    %dx = job.layer_norm_grad %dy, %x, %gamma, %mean, %rstd : !job.blob<8x32x64xf32>, !job.blob<64xf32>, !job.blob<8x32xf32>
    ```
  }];
  let arguments = (ins Job_FloatBlob:$grad, Job_FloatBlob:$operand,
                       Job_FloatBlob:$gamma, Job_FloatBlob:$mean,
                       Job_FloatBlob:$rstd);
  let results = (outs Job_FloatBlob:$result);
  let assemblyFormat = [{
    $grad `,` $operand `,` $gamma `,` $mean `,` $rstd attr-dict
    `:` type($grad) `,` type($gamma) `,` type($mean)
  }];
  let hasVerifier = 1;
}

class Job_SoftmaxLikeOp<string mnemonic, string what, string formula>
    : Job_Op<mnemonic, [Pure, SameOperandsAndResultType]> {
  let summary = what;
  let description = [{
    }] # formula # [{ along the last dimension, computed after subtracting the
    row's maximum.

    Example:

    ```mlir
    %1 = job.}] # mnemonic # [{ %0 : !job.blob<100x10xf32>
    ```
  }];
  let arguments = (ins Job_FloatBlob:$operand);
  let results = (outs Job_FloatBlob:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

def Job_SoftmaxOp : Job_SoftmaxLikeOp<"softmax", "softmax",
    "`e^x_i / sum_j e^x_j`">;
def Job_LogSoftmaxOp : Job_SoftmaxLikeOp<"log_softmax",
    "logarithm of the softmax", "`x_i - log(sum_j e^x_j)`">;

#endif // JOBDIALECT_IR_JOBNORMOPS_TD
