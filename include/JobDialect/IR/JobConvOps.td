//===- JobConvOps.td - Convolutions ------------------------*- tablegen -*-===//

#ifndef JOBDIALECT_IR_JOBCONVOPS_TD
#define JOBDIALECT_IR_JOBCONVOPS_TD

include "JobDialect/IR/JobAttributes.td"
include "JobDialect/IR/JobStructureOps.td"

defvar Job_WindowDescription = [{
    `strides` and `dilations` are (height, width), `padding` is (top, left,
    bottom, right), at most 16384 on each side. With the `layout` `nchw`, the
    default, input and output are NCHW and the filter is OIHW, where I is the
    number of input channels divided by `groups`; with `nhwc` they are NHWC and
    OHWI.
}];

class Job_ConvLikeOp<string mnemonic, list<Trait> traits = []>
    : Job_Op<mnemonic, traits # [AllowsNarrowTypes, Pure, Job_Permutes]> {
  dag windowAttrs = (ins DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$padding,
                         DenseI64ArrayAttr:$dilations, I64Attr:$groups,
                         Job_DefaultImageLayout:$layout);
  let results = (outs Job_FloatBlob:$result);
}

def Job_Conv2DOp : Job_ConvLikeOp<"conv2d", [Job_InferTypes]> {
  let summary = "two-dimensional convolution";
  let description = Job_WindowDescription # [{
    As usual in deep learning, this is a cross-correlation: the filter is not
    flipped.

    Example:

    ```mlir
    %y = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<100x1x28x28xf32>, !job.blob<32x1x5x5xf32>
    ```
  }];
  let arguments = !con((ins Job_FloatBlob:$input, Job_FloatBlob:$filter),
                       windowAttrs);
  let assemblyFormat = "$input `,` $filter attr-dict `:` type($input) `,` type($filter)";
}

def Job_Conv2DDataGradOp : Job_ConvLikeOp<"conv2d_data_grad"> {
  let summary = "gradient of a convolution with respect to its input";
  let description = Job_WindowDescription # [{
    Example:

    ```mlir
    %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 1, 1>, padding = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<100x32x28x28xf32>, !job.blob<32x1x5x5xf32> -> !job.blob<100x1x28x28xf32>
    ```
  }];
  let arguments = !con((ins Job_FloatBlob:$grad, Job_FloatBlob:$filter),
                       windowAttrs);
  let assemblyFormat = [{
    $grad `,` $filter attr-dict `:` type($grad) `,` type($filter) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Job_Conv2DFilterGradOp : Job_ConvLikeOp<"conv2d_filter_grad"> {
  let summary = "gradient of a convolution with respect to its filter";
  let description = Job_WindowDescription # [{
    Example:

    ```mlir
    %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<100x32x28x28xf32>, !job.blob<100x1x28x28xf32> -> !job.blob<32x1x5x5xf32>
    ```
  }];
  let arguments = !con((ins Job_FloatBlob:$grad, Job_FloatBlob:$input),
                       windowAttrs);
  let assemblyFormat = [{
    $grad `,` $input attr-dict `:` type($grad) `,` type($input) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif // JOBDIALECT_IR_JOBCONVOPS_TD
