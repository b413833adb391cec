//===- JobRandomOps.td - Random numbers --------------------*- tablegen -*-===//

#ifndef JOBDIALECT_IR_JOBRANDOMOPS_TD
#define JOBDIALECT_IR_JOBRANDOMOPS_TD

include "JobDialect/IR/JobStructureOps.td"
include "JobDialect/Interfaces/RandomOpInterface.td"

defvar Job_PhiloxDescription = [{
    The bits of element `i` (row-major) are the first word of Philox4x32-10
    (Salmon et al. 2011) with the key (seed low, seed high) and the counter
    (i, id, step low, step high), all 32-bit words; the number is
    `((bits >> 9) + 0.5) * 2^-23`, exact in f32 and inside (0, 1). Equal
    arguments give equal numbers on every machine, for any number of threads.

    With `shard`, the blob is a part of a larger one and `i` is the index there:
    the parts have the numbers of the whole blob, however it is distributed.
}];

def Job_RandomUniformOp : Job_Op<"random_uniform", [Pure, RandomOpInterface]> {
  let summary = "uniform random numbers in (0, 1)";
  let description = Job_PhiloxDescription # [{
    Example:

    ```mlir
    %u = job.random_uniform %seed, %step {id = 7 : i64} : !job.blob<100x512xf32>
    ```
  }];
  let arguments = (ins Job_ScalarI64Blob:$seed, Job_ScalarI64Blob:$step,
                       I64Attr:$id, OptionalAttr<Job_ShardAttr>:$shard);
  let results = (outs Job_FloatBlob:$result);
  let assemblyFormat = "$seed `,` $step attr-dict `:` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::OpFoldResult getSeedOrBlob() { return getSeed(); }
  }];
}

def Job_DropoutOp : Job_Op<"dropout", [
    InfersNarrowTypes, Pure, RandomOpInterface, AllTypesMatch<["operand", "result"]>]> {
  let summary = "zeroes elements at random and scales the others";
  let description = Job_PhiloxDescription # [{
    An element whose random number is less than `rate` becomes 0, the others are
    divided by `1 - rate`. The gradient is the same op on the gradient of the
    result: the mask is recomputed, not stored.

    Example:

    ```mlir
    %y = job.dropout %x, %step {rate = 0.5, seed = 0 : i64, id = 1 : i64} : !job.blob<100x512xf32>
    ```
  }];
  let arguments = (ins Job_FloatBlob:$operand, Job_ScalarI64Blob:$step,
                       F64Attr:$rate, I64Attr:$seed, I64Attr:$id,
                       OptionalAttr<Job_ShardAttr>:$shard);
  let results = (outs Job_FloatBlob:$result);
  let assemblyFormat = "$operand `,` $step attr-dict `:` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::OpFoldResult getSeedOrBlob() { return getSeedAttr(); }
  }];
}

#endif // JOBDIALECT_IR_JOBRANDOMOPS_TD
