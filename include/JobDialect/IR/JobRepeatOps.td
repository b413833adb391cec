//===- JobRepeatOps.td - Micro-steps -----------------------*- tablegen -*-===//
//
// A value is of one step or of n micro-steps: `unpack` and `repeat` lead from
// the first to the second, `acc` and `pack` lead back. What is computed from
// constants alone is both (JobDialect/Analysis/MicroSteps.h).
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_IR_JOBREPEATOPS_TD
#define JOBDIALECT_IR_JOBREPEATOPS_TD

include "JobDialect/IR/JobStructureOps.td"

/// The number of micro-steps.
def Job_MicroStepCount
    : ConfinedAttr<I64Attr, [IntMinValue<2>, IntMaxValue<65536>]>;

def Job_UnpackOp : Job_Op<"unpack", [Pure, Job_InferTypes]> {
  let summary = "cuts a blob into the parts of micro-steps";
  let description = [{
    Micro-step `i` of `count` sees the rows from `i * B / count` on, `B / count` of
    them, where `B` is the extent of dimension 0, a multiple of `count`. The
    operand is of one step, the result of `count` micro-steps. The gradient is
    `job.pack`.

    Example:

    ```mlir
    %1 = job.unpack %0 {count = 4 : i64} : !job.blob<100x784xf32>
    ```
  }];
  let arguments = (ins Job_Blob:$operand, Job_MicroStepCount:$count);
  let results = (outs Job_Blob:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
}

def Job_PackOp : Job_Op<"pack", [Pure, Job_InferTypes]> {
  let summary = "joins the values of micro-steps along dimension 0";
  let description = [{
    The values of all `count` micro-steps one after the other, as one value of one
    step. The gradient is `job.unpack`.

    Example:

    ```mlir
    %1 = job.pack %0 {count = 4 : i64} : !job.blob<25x10xf32>
    ```
  }];
  let arguments = (ins Job_Blob:$operand, Job_MicroStepCount:$count);
  let results = (outs Job_Blob:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
}

def Job_RepeatOp : Job_Op<"repeat", [
    Pure, AllTypesMatch<["operand", "result"]>]> {
  let summary = "the same value in every micro-step";
  let description = [{
    The operand is of one step, the result of `count` micro-steps. The gradient is
    `job.acc`.

    Example:

    ```mlir
    %1 = job.repeat %0 {count = 4 : i64} : !job.blob<10x784xf32>
    ```
  }];
  let arguments = (ins Job_Blob:$operand, Job_MicroStepCount:$count);
  let results = (outs Job_Blob:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
}

def Job_AccOp : Job_Op<"acc", [Pure, AllTypesMatch<["operand", "result"]>]> {
  let summary = "the sum over the micro-steps";
  let description = [{
    Zero plus the value of micro-step 0, plus that of micro-step 1, and so on: a
    value of one step. The gradient is `job.repeat`.

    Example:

    ```mlir
    %1 = job.acc %0 {count = 4 : i64} : !job.blob<10x784xf32>
    ```
  }];
  let arguments = (ins Job_NumberBlob:$operand, Job_MicroStepCount:$count);
  let results = (outs Job_NumberBlob:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
}

def Job_MicroStepsOp : Job_Op<"micro_steps", [
    IsolatedFromAbove, SingleBlock, AttrSizedOperandSegments,
    AttrSizedResultSegments, RecursiveMemoryEffects]> {
  let summary = "ops that run once in each micro-step";
  let description = [{
    Made by `job-form-repeat`: the region runs `count` times, one time after the
    other. It sees its part of each of the `rows`, as of `job.unpack`, each
    `shared` blob, and each sum so far, which begins at zero; these are its block
    arguments, in this order. It yields the sums with this micro-step's terms
    added, which become results after the last one, and then the values that the
    results `packed` have one after the other, as of `job.pack`.

    Example:

    ```mlir
    %sum, %all = job.micro_steps count(2) rows(%x : !job.blob<8xf32>) shared(%w : !job.blob<4xf32>) sums(!job.blob<4xf32>) packed(!job.blob<8xf32>) {
    ^bb0(%part: !job.blob<4xf32>, %v: !job.blob<4xf32>, %sofar: !job.blob<4xf32>):
      %0 = job.mul %part, %v : !job.blob<4xf32>
      %1 = job.add %sofar, %0 : !job.blob<4xf32>
      job.yield %1, %0 : !job.blob<4xf32>, !job.blob<4xf32>
    }
    ```
  }];
  let arguments = (ins Job_MicroStepCount:$count, Variadic<Job_Blob>:$rows,
                       Variadic<Job_Blob>:$shared);
  let results = (outs Variadic<Job_NumberBlob>:$sums,
                      Variadic<Job_Blob>:$packed);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `count` `(` $count `)`
    (`rows` `(` $rows^ `:` type($rows) `)`)?
    (`shared` `(` $shared^ `:` type($shared) `)`)?
    (`sums` `(` type($sums)^ `)`)?
    (`packed` `(` type($packed)^ `)`)? attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The type that a blob of all micro-steps has in one of them; null where
    /// dimension 0 is no multiple of the count.
    static ::mlir::job::BlobType getPartType(::mlir::job::BlobType type,
                                             int64_t count);
    /// The block arguments that are parts, shared blobs and running sums.
    ::mlir::Block::BlockArgListType getPartArguments();
    ::mlir::Block::BlockArgListType getSharedArguments();
    ::mlir::Block::BlockArgListType getSumArguments();
    /// What the region yields as sums, and to be packed.
    ::mlir::OperandRange getYieldedSums();
    ::mlir::OperandRange getYieldedParts();
  }];
}

#endif // JOBDIALECT_IR_JOBREPEATOPS_TD
