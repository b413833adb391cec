//===- JobMatMulOps.td - Matrix products -------------------*- tablegen -*-===//

#ifndef JOBDIALECT_IR_JOBMATMULOPS_TD
#define JOBDIALECT_IR_JOBMATMULOPS_TD

include "JobDialect/IR/JobStructureOps.td"

def Job_MatMulOp : Job_Op<"matmul", [AllowsNarrowTypes, Pure, Job_InferTypes]> {
  let summary = "matrix product";
  let description = [{
    `op(lhs) * op(rhs)` of two matrices, where `op` transposes if the flag is set:
    `m x k` (`k x m` if transposed) by `k x n` (`n x k`). Dimensions before the
    last two are batch dimensions: they are equal on both sides, and each pair of
    matrices is multiplied.

    Example:

    ```mlir
    %2 = job.matmul %x, %w {transpose_rhs = true} : !job.blob<100x784xf32>, !job.blob<512x784xf32>
    ```
  }];
  let arguments = (ins Job_FloatBlob:$lhs, Job_FloatBlob:$rhs,
                       DefaultValuedAttr<BoolAttr, "false">:$transpose_lhs,
                       DefaultValuedAttr<BoolAttr, "false">:$transpose_rhs);
  let results = (outs Job_FloatBlob:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs)";
  let extraClassDeclaration = [{
    /// Extents of one product: m, n and the reduced k.
    int64_t getM() { return getResult().getType().getShape().end()[-2]; }
    int64_t getN() { return getResult().getType().getShape().end()[-1]; }
    int64_t getK() {
      return getLhs().getType().getShape().end()[getTransposeLhs() ? -2 : -1];
    }
    /// The number of products.
    int64_t getBatch();
  }];
}

#endif // JOBDIALECT_IR_JOBMATMULOPS_TD
