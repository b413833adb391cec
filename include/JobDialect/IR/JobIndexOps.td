//===- JobIndexOps.td - Elements by index ------------------*- tablegen -*-===//

#ifndef JOBDIALECT_IR_JOBINDEXOPS_TD
#define JOBDIALECT_IR_JOBINDEXOPS_TD

include "JobDialect/IR/JobStructureOps.td"

def Job_GatherOp : Job_Op<"gather", [Pure, Job_InferTypes]> {
  let summary = "slices by index";
  let description = [{
    `result[b, o, j, i] = operand[b, o, indices[b, j], i]`: `b` are the first
    `batch_dims` dimensions, which operand and indices share, `o` those of the
    operand up to `axis`, `j` the other ones of the indices, `i` the operand's
    after `axis`. An index outside of the dimension gives NaN, and 0 where the
    elements are no floats.

    Example:

    ```mlir
    %rows = job.gather %table, %indices {axis = 0 : i64} : !job.blob<1000x64xf32>, !job.blob<8x32xi32>
    ```
  }];
  let arguments = (ins Job_Blob:$operand, Job_IntBlob:$indices, I64Attr:$axis,
                       DefaultValuedAttr<I64Attr, "0">:$batch_dims);
  let results = (outs Job_Blob:$result);
  let assemblyFormat = "$operand `,` $indices attr-dict `:` type($operand) `,` type($indices)";
}

def Job_ScatterAddOp : Job_Op<"scatter_add", [Pure, Job_InferTypes]> {
  let summary = "sums of slices by index";
  let description = [{
    A blob of zeros, `extent` long in dimension `axis`, to which each slice of
    `updates` is added at its index: the gradient of `job.gather`, whose
    dimensions it has. Slices of one index are added in the row-major order of
    the indices, so the bits are always the same. An index outside of the
    dimension adds nothing.

    Example:

    ```mlir
    %table = job.scatter_add %rows, %indices {axis = 0 : i64, extent = 1000 : i64} : !job.blob<8x32x64xf32>, !job.blob<8x32xi32>
    ```
  }];
  let arguments = (ins Job_NumberBlob:$updates, Job_IntBlob:$indices,
                       I64Attr:$axis, I64Attr:$extent,
                       DefaultValuedAttr<I64Attr, "0">:$batch_dims);
  let results = (outs Job_NumberBlob:$result);
  let assemblyFormat = "$updates `,` $indices attr-dict `:` type($updates) `,` type($indices)";
}

#endif // JOBDIALECT_IR_JOBINDEXOPS_TD
