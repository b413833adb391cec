//===- JobIndexOps.td - Gather and scatter -----------------*- tablegen -*-===//

#ifndef JOBDIALECT_IR_JOBINDEXOPS_TD
#define JOBDIALECT_IR_JOBINDEXOPS_TD

include "JobDialect/IR/JobStructureOps.td"

def Job_GatherOp : Job_Op<"gather", [
    Pure, Job_InferTypes,
    DeclareOpInterfaceMethods<MovedElementsOpInterface, ["isMoved"]>]> {
  let summary = "gathers slices by index";
  let description = [{
    `result[b, o, j, i] = operand[b, o, indices[b, j], i]`: `b` are the first
    `batch_dims` dimensions, which operand and indices share, `o` the other
    dimensions of the operand before `axis`, `j` the other dimensions of the
    indices, `i` the dimensions of the operand after `axis`. An index outside of
    the dimension gives NaN for floats and 0 for other element types.

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
  let summary = "adds slices by index";
  let description = [{
    Starts with a blob of zeros, with extent `extent` in dimension `axis`, and
    adds each slice of `updates` at its index. This is the gradient of
    `job.gather`, with the same meaning of dimensions. Slices with equal indices
    are added in the row-major order of the indices, so results are bit-identical
    in every run. An index outside of the dimension adds nothing.

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
