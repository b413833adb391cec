//===- JobLossOps.td - Losses ------------------------------*- tablegen -*-===//

#ifndef JOBDIALECT_IR_JOBLOSSOPS_TD
#define JOBDIALECT_IR_JOBLOSSOPS_TD

include "JobDialect/IR/JobStructureOps.td"

def Job_SparseSoftmaxCrossEntropyOp
    : Job_Op<"sparse_softmax_cross_entropy", [Pure, Job_InferTypes]> {
  let summary = "cross entropy of logits and class labels";
  let description = [{
    For each row of `logits` (the last dimension is classes):
    `log(sum_j e^x_j) - x_label`, computed after subtracting the row's maximum.
    A label outside of the classes gives NaN.

    Example:

    ```mlir
    %loss = job.sparse_softmax_cross_entropy %logits, %labels : !job.blob<100x10xf32>, !job.blob<100xi32>
    ```
  }];
  let arguments = (ins Job_FloatBlob:$logits, Job_IntBlob:$labels);
  let results = (outs Job_FloatBlob:$result);
  let assemblyFormat = "$logits `,` $labels attr-dict `:` type($logits) `,` type($labels)";
}

def Job_SparseSoftmaxCrossEntropyGradOp
    : Job_Op<"sparse_softmax_cross_entropy_grad", [
        Pure, AllTypesMatch<["logits", "result"]>]> {
  let summary = "gradient of the sparse cross entropy with respect to the logits";
  let description = [{
    `(softmax(logits) - one_hot(label)) * grad`, row by row; NaN in a row whose
    label is outside of the classes.

    Example:

    ```mlir
    %d = job.sparse_softmax_cross_entropy_grad %grad, %logits, %labels : !job.blob<100xf32>, !job.blob<100x10xf32>, !job.blob<100xi32>
    ```
  }];
  let arguments = (ins Job_FloatBlob:$grad, Job_FloatBlob:$logits,
                       Job_IntBlob:$labels);
  let results = (outs Job_FloatBlob:$result);
  let assemblyFormat = [{
    $grad `,` $logits `,` $labels attr-dict
    `:` type($grad) `,` type($logits) `,` type($labels)
  }];
  let hasVerifier = 1;
}

#endif // JOBDIALECT_IR_JOBLOSSOPS_TD
