//===- JobShapeOps.td - Shapes -----------------------------*- tablegen -*-===//

#ifndef JOBDIALECT_IR_JOBSHAPEOPS_TD
#define JOBDIALECT_IR_JOBSHAPEOPS_TD

include "JobDialect/IR/JobStructureOps.td"
include "JobDialect/Interfaces/StridedReadOpInterface.td"

def Job_ReshapeOp : Job_Op<"reshape", [InfersNarrowTypes, Pure, MovedElementsOpInterface]> {
  let summary = "changes the shape";
  let description = [{
    The elements keep their row-major order. Costs nothing: the result aliases the
    operand.

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

def Job_BroadcastInDimOp : Job_Op<"broadcast_in_dim", [
    InfersNarrowTypes, Pure, MovedElementsOpInterface, Job_Permutes,
    DeclareOpInterfaceMethods<StridedReadOpInterface>]> {
  let summary = "broadcasts a blob along new or unit dimensions";
  let description = [{
    Dimension `i` of the operand becomes dimension `dims[i]` of the result. The
    extent of the operand is that of the result, or 1. `dims` is increasing.

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

def Job_TransposeOp : Job_Op<"transpose", [
    InfersNarrowTypes, Pure, Job_InferTypes, MovedElementsOpInterface,
    Job_Permutes,
    DeclareOpInterfaceMethods<StridedReadOpInterface>]> {
  let summary = "permutes the dimensions";
  let description = [{
    Dimension `i` of the result is dimension `permutation[i]` of the operand.

    Example:

    ```mlir
    %1 = job.transpose %0 {permutation = array<i64: 0, 2, 1>} : !job.blob<8x64x32xf32>
    ```
  }];
  let arguments = (ins Job_Blob:$operand, DenseI64ArrayAttr:$permutation);
  let results = (outs Job_Blob:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
  let hasFolder = 1;
}

def Job_SliceOp : Job_Op<"slice", [
    InfersNarrowTypes, Pure, Job_InferTypes, MovedElementsOpInterface,
    Job_PermutesAll,
    DeclareOpInterfaceMethods<StridedReadOpInterface>]> {
  let summary = "extracts a strided slice";
  let description = [{
    In dimension `i`: `sizes[i]` elements from `offsets[i]` on with stride
    `strides[i]`. Strides are positive.

    Example:

    ```mlir
    %1 = job.slice %0 {offsets = array<i64: 0, 10>, sizes = array<i64: 8, 5>, strides = array<i64: 1, 2>} : !job.blob<8x32xf32>
    ```
  }];
  let arguments = (ins Job_Blob:$operand, DenseI64ArrayAttr:$offsets,
                       DenseI64ArrayAttr:$sizes, DenseI64ArrayAttr:$strides);
  let results = (outs Job_Blob:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
  let hasFolder = 1;
}

def Job_PadOp : Job_Op<"pad", [
    InfersNarrowTypes, Pure, Job_InferTypes, MovedElementsOpInterface,
    Job_PermutesAll]> {
  let summary = "pads with elements around and in between";
  let description = [{
    In dimension `i`: `low[i]` elements before, `high[i]` after, and
    `interior[i]` between any two, all equal to `value` (rounded to the element
    type, for integers to nearest, ties to even). None of the three is negative.
    The gradient is a slice.

    Example:

    ```mlir
    %1 = job.pad %0 {low = array<i64: 0, 1>, high = array<i64: 0, 2>, interior = array<i64: 0, 0>, value = 0.0 : f64} : !job.blob<8x32xf32>
    ```
  }];
  let arguments = (ins Job_NumberBlob:$operand, DenseI64ArrayAttr:$low,
                       DenseI64ArrayAttr:$high, DenseI64ArrayAttr:$interior,
                       F64Attr:$value);
  let results = (outs Job_NumberBlob:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
  let hasFolder = 1;
}

def Job_ConcatOp : Job_Op<"concat", [
    InfersNarrowTypes, Pure, Job_InferTypes, MovedElementsOpInterface,
    Job_PermutesAll]> {
  let summary = "concatenates along a dimension";
  let description = [{
    All extents but that of dimension `axis` are equal.

    Example:

    ```mlir
    %2 = job.concat %0, %1 {axis = 1 : i64} : !job.blob<8x32xf32>, !job.blob<8x16xf32>
    ```
  }];
  let arguments = (ins Variadic<Job_Blob>:$operands, I64Attr:$axis);
  let results = (outs Job_Blob:$result);
  let assemblyFormat = "$operands attr-dict `:` type($operands)";
  let hasFolder = 1;
}

def Job_IotaOp : Job_Op<"iota", [Pure]> {
  let summary = "index along a dimension";
  let description = [{
    Every element is its own index in dimension `axis`.

    Example:

    ```mlir
    %0 = job.iota {axis = 1 : i64} : !job.blob<8x32xi32>
    ```
  }];
  let arguments = (ins I64Attr:$axis);
  let results = (outs Job_NumberBlob:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

#endif // JOBDIALECT_IR_JOBSHAPEOPS_TD
