//===- JobPoolOps.td - Pooling -----------------------------*- tablegen -*-===//

#ifndef JOBDIALECT_IR_JOBPOOLOPS_TD
#define JOBDIALECT_IR_JOBPOOLOPS_TD

include "JobDialect/IR/JobAttributes.td"
include "JobDialect/IR/JobStructureOps.td"

class Job_PoolOp<string mnemonic, string what, string text>
    : Job_Op<mnemonic, [InfersNarrowTypes, Pure, Job_InferTypes, Job_Permutes]> {
  let summary = what;
  let description = [{
    }] # text # [{
    `ksize` and `strides` are (height, width), `padding` is (top, left, bottom,
    right) and smaller than the window, so that no window is empty. The input is
    NCHW, or NHWC with the `layout` `nhwc`.

    Example:

    ```mlir
    %y = job.}] # mnemonic # [{ %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<100x32x28x28xf32>
    ```
  }];
  let arguments = (ins Job_FloatBlob:$input, DenseI64ArrayAttr:$ksize,
                       DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$padding,
                       Job_DefaultImageLayout:$layout);
  let results = (outs Job_FloatBlob:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

def Job_MaxPool2DOp : Job_PoolOp<"max_pool2d", "maximum of each window",
    "A window with a NaN gives NaN.">;
def Job_AvgPool2DOp : Job_PoolOp<"avg_pool2d", "mean of each window",
    "Divides by the number of elements that are not padding.">;

def Job_MaxPool2DGradOp : Job_Op<"max_pool2d_grad", [
    InfersNarrowTypes, Pure, Job_Permutes,
    AllTypesMatch<["input", "result"]>]> {
  let summary = "gradient of a maximum pooling";
  let description = [{
    The gradient of each window is added to its maximum: to the first one, by rows
    and columns, if there is a tie, to the first NaN if the window has NaNs.

    Example:

    ```mlir
    %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<100x32x14x14xf32>, !job.blob<100x32x28x28xf32>
    ```
  }];
  let arguments = (ins Job_FloatBlob:$grad, Job_FloatBlob:$input,
                       DenseI64ArrayAttr:$ksize, DenseI64ArrayAttr:$strides,
                       DenseI64ArrayAttr:$padding,
                       Job_DefaultImageLayout:$layout);
  let results = (outs Job_FloatBlob:$result);
  let assemblyFormat = "$grad `,` $input attr-dict `:` type($grad) `,` type($input)";
  let hasVerifier = 1;
}

def Job_MaxPool2DArgmaxOp : Job_Op<"max_pool2d_argmax", [
    InfersNarrowTypes, Pure, Job_InferTypes]> {
  let summary = "maximum of each window, and where it is";
  let description = [{
    As `job.max_pool2d`. `argmax` is the number of the maximum's cell in its window,
    by rows and columns: of the first one if there is a tie, of the first NaN if the
    window has NaNs. With `positive` it is -1 where the maximum is not greater than
    0. A window has at most 128 cells, those in the padding counted.

    It is made of `job.max_pool2d` by `job-save-argmax` and has no gradient.

    Example:

    ```mlir
    %y, %argmax = job.max_pool2d_argmax %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<100x32x28x28xf32>
    ```

    `%argmax` has the type `!job.blob<100x32x14x14xi8>`.
  }];
  let arguments = (ins Job_FloatBlob:$input, DenseI64ArrayAttr:$ksize,
                       DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$padding,
                       DefaultValuedAttr<BoolAttr, "false">:$positive,
                       Job_DefaultImageLayout:$layout);
  let results = (outs Job_FloatBlob:$result, Job_ByteBlob:$argmax);
  let assemblyFormat = "$input attr-dict `:` type($input)";
  let extraClassDeclaration = [{
    /// Whether the numbers of a window's cells are numbers of an i8.
    static bool areNumbered(::llvm::ArrayRef<int64_t> ksize);
  }];
}

def Job_MaxPool2DArgmaxGradOp : Job_Op<"max_pool2d_argmax_grad", [
    InfersNarrowTypes, Pure]> {
  let summary = "gradient of a maximum pooling whose argmax is known";
  let description = [{
    The gradient of each window is added to the cell that `argmax` has for it, the
    result of `job.max_pool2d_argmax`. It is added nowhere if there is no such cell,
    as for -1, or if the cell is padding.

    Example:

    ```mlir
    %dx = job.max_pool2d_argmax_grad %dy, %argmax {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<100x32x14x14xf32>, !job.blob<100x32x14x14xi8> -> !job.blob<100x32x28x28xf32>
    ```
  }];
  let arguments = (ins Job_FloatBlob:$grad, Job_ByteBlob:$argmax,
                       DenseI64ArrayAttr:$ksize, DenseI64ArrayAttr:$strides,
                       DenseI64ArrayAttr:$padding,
                       Job_DefaultImageLayout:$layout);
  let results = (outs Job_FloatBlob:$result);
  let assemblyFormat = [{
    $grad `,` $argmax attr-dict `:` type($grad) `,` type($argmax) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Job_AvgPool2DGradOp : Job_Op<"avg_pool2d_grad", [
    InfersNarrowTypes, Pure, Job_Permutes]> {
  let summary = "gradient of a mean pooling";
  let description = [{
    The gradient of each window, divided by the number of its elements that are
    not padding, is added to all of these elements.

    Example:

    ```mlir
    %dx = job.avg_pool2d_grad %dy {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<100x32x14x14xf32> -> !job.blob<100x32x28x28xf32>
    ```
  }];
  let arguments = (ins Job_FloatBlob:$grad, DenseI64ArrayAttr:$ksize,
                       DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$padding,
                       Job_DefaultImageLayout:$layout);
  let results = (outs Job_FloatBlob:$result);
  let assemblyFormat = "$grad attr-dict `:` type($grad) `->` type($result)";
  let hasVerifier = 1;
}

#endif // JOBDIALECT_IR_JOBPOOLOPS_TD
