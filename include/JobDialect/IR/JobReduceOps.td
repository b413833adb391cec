//===- JobReduceOps.td - Reductions ------------------------*- tablegen -*-===//

#ifndef JOBDIALECT_IR_JOBREDUCEOPS_TD
#define JOBDIALECT_IR_JOBREDUCEOPS_TD

include "JobDialect/IR/JobStructureOps.td"

class Job_ReduceOp<string mnemonic, string what, string semantics,
                   list<Trait> traits = []>
    : Job_Op<mnemonic, traits # [Pure, Job_InferTypes, Job_Permutes]> {
  let summary = what # " over some dimensions";
  let description = [{
    }] # semantics # [{ `axes` are distinct, in ascending order. The reduced
    dimensions are dropped, or kept with extent 1 if `keepdims` is set; a
    reduction over all of them without `keepdims` has the shape `1`.

    Example:

    ```mlir
    %1 = job.}] # mnemonic # [{ %0 {axes = array<i64: 0>} : !job.blob<100x512xf32>
    ```
  }];
  let arguments = (ins Job_NumberBlob:$operand, DenseI64ArrayAttr:$axes,
                       DefaultValuedAttr<BoolAttr, "false">:$keepdims);
  let results = (outs Job_NumberBlob:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
  let hasFolder = 1;
  let extraClassDeclaration = [{
    /// The operand's dimensions that are not reduced, in order.
    ::llvm::SmallVector<int64_t> getKeptAxes();
  }];
}

def Job_ReduceSumOp : Job_ReduceOp<"reduce_sum", "sum", "Integers wrap."> {
  let hasCanonicalizeMethod = 1;
}
def Job_ReduceProdOp : Job_ReduceOp<"reduce_prod", "product", "Integers wrap.">;
def Job_ReduceMaxOp : Job_ReduceOp<"reduce_max", "maximum",
    "NaN if an element is NaN. If there is a tie, the gradient goes to the first element in row-major order.",
    [InfersNarrowTypes]>;
def Job_ReduceMinOp : Job_ReduceOp<"reduce_min", "minimum",
    "NaN if an element is NaN. If there is a tie, the gradient goes to the first element in row-major order.",
    [InfersNarrowTypes]>;

class Job_ReduceGradOp<string mnemonic>
    : Job_Op<mnemonic, [Pure, AllTypesMatch<["operand", "result"]>,
                        AllTypesMatch<["grad", "reduced"]>]> {
  let arguments = (ins Job_FloatBlob:$grad, Job_FloatBlob:$operand,
                       Job_FloatBlob:$reduced, DenseI64ArrayAttr:$axes);
  let results = (outs Job_FloatBlob:$result);
  let assemblyFormat = [{
    $grad `,` $operand `,` $reduced attr-dict
    `:` type($grad) `,` type($operand)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The operand's dimensions that are not reduced, in order.
    ::llvm::SmallVector<int64_t> getKeptAxes();
  }];
}

def Job_ReduceExtremumGradOp : Job_ReduceGradOp<"reduce_extremum_grad"> {
  let summary = "gradient of a maximum or minimum";
  let description = [{
    `grad` at the first element (in row-major order) of `operand` that equals
    its maximum or minimum `reduced`, zero elsewhere; at the first NaN where
    `reduced` is NaN. `grad` and `reduced` have the shape of the reduction, with
    or without kept dimensions.

    Example:

    ```mlir
    %dx = job.reduce_extremum_grad %dy, %x, %y {axes = array<i64: 0>} : !job.blob<512xf32>, !job.blob<100x512xf32>
    ```
  }];
}

def Job_ReduceProdGradOp : Job_ReduceGradOp<"reduce_prod_grad"> {
  let summary = "gradient of a product";
  let description = [{
    `grad` times the product of all other elements, computed without division, so
    that it is correct if elements are zero. `reduced` is the product itself.

    Example:

    ```mlir
    %dx = job.reduce_prod_grad %dy, %x, %y {axes = array<i64: 0>} : !job.blob<512xf32>, !job.blob<100x512xf32>
    ```
  }];
}

def Job_ArgMaxOp : Job_Op<"argmax", [Pure, Job_InferTypes]> {
  let summary = "index of the maximum along a dimension";
  let description = [{
    The index of the maximum, the first one if there is a tie; the index of the
    first NaN if there is one. The dimension is dropped (a blob of one dimension
    gives the shape `1`).

    Example:

    ```mlir
    %1 = job.argmax %0 {axis = 1 : i64} : !job.blob<100x10xf32>
    ```
  }];
  let arguments = (ins Job_NumberBlob:$operand, I64Attr:$axis);
  let results = (outs Job_IntBlob:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
}

#endif // JOBDIALECT_IR_JOBREDUCEOPS_TD
