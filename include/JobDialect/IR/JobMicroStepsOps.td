//===- JobMicroStepsOps.td - Micro-steps -------------------*- tablegen -*-===//
//
// `unpack` and `broadcast_micro_steps` turn a per-step value into a
// per-micro-step value, `acc` and `pack` do the reverse. Per-step,
// per-micro-step and constant values are defined in
// JobDialect/Analysis/MicroSteps.h.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_IR_JOBMICROSTEPSOPS_TD
#define JOBDIALECT_IR_JOBMICROSTEPSOPS_TD

include "JobDialect/IR/JobStructureOps.td"

/// The number of micro-steps.
def Job_MicroStepCount
    : ConfinedAttr<I64Attr, [IntMinValue<2>, IntMaxValue<65536>]>;

/// Rows stay in dimension 0.
defvar Job_PermutedBehindRows = DeclareOpInterfaceMethods<
    LayoutOpInterface, ["isOperandPermuted", "isResultPermuted"]>;

def Job_UnpackOp : Job_Op<"unpack", [
    InfersNarrowTypes, Pure, Job_InferTypes, MovedElementsOpInterface,
    Job_PermutedBehindRows]> {
  let summary = "splits a blob into one part per micro-step";
  let description = [{
    In micro-step `i` of `count` the result is the `B / count` rows of the operand
    that start at row `i * B / count`, where `B` is the extent of dimension 0, a
    multiple of `count`. The operand is per-step, the result per-micro-step. The
    gradient is `job.pack`.

    Example:

    ```mlir
    %1 = job.unpack %0 {count = 4 : i64} : !job.blob<100x784xf32>
    ```
  }];
  let arguments = (ins Job_Blob:$operand, Job_MicroStepCount:$count);
  let results = (outs Job_Blob:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
}

def Job_PackOp : Job_Op<"pack", [
    InfersNarrowTypes, Pure, Job_InferTypes, MovedElementsOpInterface,
    Job_PermutedBehindRows]> {
  let summary = "concatenates the values of all micro-steps along dimension 0";
  let description = [{
    Concatenates the values of all `count` micro-steps, in order. The operand is
    per-micro-step, the result per-step. The gradient is `job.unpack`.

    Example:

    ```mlir
    %1 = job.pack %0 {count = 4 : i64} : !job.blob<25x10xf32>
    ```
  }];
  let arguments = (ins Job_Blob:$operand, Job_MicroStepCount:$count);
  let results = (outs Job_Blob:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
}

def Job_BroadcastMicroStepsOp : Job_Op<"broadcast_micro_steps", [
    InfersNarrowTypes, Pure, MovedElementsOpInterface, LayoutOpInterface,
    AllTypesMatch<["operand", "result"]>]> {
  let summary = "uses a per-step value in every micro-step";
  let description = [{
    In each of the `count` micro-steps the result is the operand. The operand is
    per-step, the result per-micro-step. The gradient is `job.acc`.

    Example:

    ```mlir
    %1 = job.broadcast_micro_steps %0 {count = 4 : i64} : !job.blob<10x784xf32>
    ```
  }];
  let arguments = (ins Job_Blob:$operand, Job_MicroStepCount:$count);
  let results = (outs Job_Blob:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
}

def Job_AccOp : Job_Op<"acc", [Pure, LayoutOpInterface, AllTypesMatch<["operand", "result"]>]> {
  let summary = "sums a value over the micro-steps";
  let description = [{
    Starts from zero and adds the value of micro-step 0, then that of micro-step
    1, and so on. The operand is per-micro-step, the result per-step. The gradient
    is `job.broadcast_micro_steps`.

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
  let summary = "runs a region once per micro-step";
  let description = [{
    Created by `job-form-micro-steps`. The region runs `count` times in sequence.
    Its block arguments are, in this order: its part of each of the `rows` (see
    `job.unpack`), each `shared` blob, and each partial sum, which is zero in
    micro-step 0. It yields the partial sums with the terms of this micro-step
    added, then one value for each result in `packed`. The results are the sums
    after the last micro-step, then the yielded values of all micro-steps
    concatenated (see `job.pack`).

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
    /// The type of one micro-step's part of a blob of type `type`; null if
    /// dimension 0 is not a multiple of the count.
    static ::mlir::job::BlobType getPartType(::mlir::job::BlobType type,
                                             int64_t count);
    /// The block arguments that are parts, shared blobs and partial sums.
    ::mlir::Block::BlockArgListType getPartArguments();
    ::mlir::Block::BlockArgListType getSharedArguments();
    ::mlir::Block::BlockArgListType getSumArguments();
    /// The yielded partial sums, and the yielded parts of packed results.
    ::mlir::OperandRange getYieldedSums();
    ::mlir::OperandRange getYieldedParts();
  }];
}

#endif // JOBDIALECT_IR_JOBMICROSTEPSOPS_TD
