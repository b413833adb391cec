//===- JobReduceOps.td - Reductions ------------------------*- tablegen -*-===//

#ifndef JOBDIALECT_IR_JOBREDUCEOPS_TD
#define JOBDIALECT_IR_JOBREDUCEOPS_TD

include "JobDialect/IR/JobStructureOps.td"

def Job_ReduceSumOp : Job_Op<"reduce_sum", [Pure, Job_InferTypes]> {
  let summary = "sum over some dimensions";
  let description = [{
    `axes` are distinct, in ascending order. The summed dimensions are dropped,
    or kept with extent 1 when `keepdims` is set; a sum over all of them
    without `keepdims` has the shape `1`.

    Example:

    ```mlir
    %1 = job.reduce_sum %0 {axes = array<i64: 0>} : !job.blob<100x512xf32>
    ```
  }];
  let arguments = (ins Job_NumberBlob:$operand, DenseI64ArrayAttr:$axes,
                       DefaultValuedAttr<BoolAttr, "false">:$keepdims);
  let results = (outs Job_NumberBlob:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
  let hasFolder = 1;
  let extraClassDeclaration = [{
    /// The operand's dimensions that are not summed, in order.
    ::llvm::SmallVector<int64_t> getKeptAxes();
  }];
}

#endif // JOBDIALECT_IR_JOBREDUCEOPS_TD
