//===- JobShapeOps.td - Shapes -----------------------------*- tablegen -*-===//

#ifndef JOBDIALECT_IR_JOBSHAPEOPS_TD
#define JOBDIALECT_IR_JOBSHAPEOPS_TD

include "JobDialect/IR/JobStructureOps.td"

def Job_ReshapeOp : Job_Op<"reshape", [Pure]> {
  let summary = "another shape for the same elements";
  let description = [{
    The elements keep their row-major order. Costs nothing: the result is the
    operand's memory.

    Example:

    ```mlir
    %1 = job.reshape %0 : !job.blob<100x1x28x28xf32> to !job.blob<100x784xf32>
    ```
  }];
  let arguments = (ins Job_Blob:$operand);
  let results = (outs Job_Blob:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Job_BroadcastInDimOp : Job_Op<"broadcast_in_dim", [Pure]> {
  let summary = "repeats a blob along new or unit dimensions";
  let description = [{
    Dimension `i` of the operand becomes dimension `dims[i]` of the result; its
    extent is the same there, or 1. `dims` increase.

    Example:

    ```mlir
    %1 = job.broadcast_in_dim %bias {dims = array<i64: 1>} : !job.blob<10xf32> to !job.blob<100x10xf32>
    ```
  }];
  let arguments = (ins Job_Blob:$operand, DenseI64ArrayAttr:$dims);
  let results = (outs Job_Blob:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif // JOBDIALECT_IR_JOBSHAPEOPS_TD
