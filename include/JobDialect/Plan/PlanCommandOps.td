//===- PlanCommandOps.td - Commands ------------------------*- tablegen -*-===//

#ifndef JOBDIALECT_PLAN_PLANCOMMANDOPS_TD
#define JOBDIALECT_PLAN_PLANCOMMANDOPS_TD

include "JobDialect/Plan/PlanStructureOps.td"

/// Floating-point and integer operations of one execution of a command: one per
/// scalar op and element, two per term of a matrix product or convolution.
def Plan_Flops : ConfinedAttr<I64Attr, [IntNonNegative]>;

def Plan_Location : Attr<CPred<"::llvm::isa<::mlir::LocationAttr>($_self)">,
    "location">;
def Plan_Checks : TypedArrayAttrBase<Plan_Location, "array of locations">;

/// A number that a kernel takes as an argument.
def Plan_Scalar : Attr<
    CPred<"::llvm::isa<::mlir::IntegerAttr, ::mlir::FloatAttr>($_self) && "
          "::mlir::plan::isScalarType("
          "::llvm::cast<::mlir::TypedAttr>($_self).getType())">,
    "i32, i64, f32 or f64 number">;
def Plan_Scalars :
    TypedArrayAttrBase<Plan_Scalar, "array of i32, i64, f32 and f64 numbers">;

/// The number of a queue; 0 is not printed.
def Plan_Queue : DefaultValuedOptionalAttr<
    ConfinedAttr<I64Attr, [IntNonNegative, IntMaxValue<63>]>, "0">;

/// `overridden` are the methods of the interface that the command defines.
class Plan_CommandOp<string mnemonic, list<Trait> traits = [],
                     list<string> overridden = []>
    : Plan_Op<mnemonic, traits # [
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
        DeclareOpInterfaceMethods<PlanCommandOpInterface, overridden>]>;

def Plan_DispatchOp : Plan_CommandOp<"dispatch", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>],
    ["getTitle", "getOperationCount", "getChunkCount", "isInLaunchBefore"]> {
  let summary = "runs a kernel";
  let description = [{
    Calls the code of a `plan.executable` once for each of its chunks, which may
    run at once. The kernel's buffers are those that it reads, then those that it
    reads and writes, then those that it writes. `flops` counts the
    floating-point and integer operations of all chunks, for reports.

    `scalars` are numbers that the kernel takes after the buffers, so that
    kernels that differ in them only share one executable (`plan-merge-kernels`).
    `job-lower-kernels` makes an executable with a function for each list of
    them, and removes them from the dispatch.

    An `epilogue` runs each of its chunks after the chunk of the same number of
    the command before it, a call or a dispatch with as many chunks, while a cache
    still holds the results of that chunk; it need not wait for the other chunks.
    It must not write memory that these other chunks access, nor read memory that
    they write (`plan-verify`). A device may run it like any other dispatch.

    A `joined` dispatch runs in the launch of the dispatch before it: together
    with the others of the launch, in any order or at once. A device may run the
    dispatches of a launch as one kernel. None of them may write what another one
    reads or writes (`plan-verify`), and buffers are live during all of them.

    `checks` are locations of ops whose results the kernel checks for NaN and
    infinity. The last buffer is then the status, an `i32` for each chunk, in
    which the chunk records the result of its checks (docs/artifact.md).

    Example:

    ```mlir
    plan.dispatch @relu ins(%x : memref<4xf32, #inputs>) outs(%y : memref<4xf32, #outputs>)
    plan.dispatch @random outs(%y : memref<4xf32, #outputs>) scalars [7 : i32]
    plan.dispatch @negate epilogue inouts(%y : memref<4xf32, #outputs>)
    plan.dispatch @count joined inouts(%n : memref<1xi64, #arena>)
    plan.dispatch @log ins(%x : memref<4xf32, #inputs>) outs(%y, %status : memref<4xf32, #outputs>, memref<64xi32, #arena>) {checks = [loc("model.py":3:8)]}
    ```
  }];
  let arguments = (ins
    FlatSymbolRefAttr:$kernel,
    OptionalAttr<Plan_Flops>:$flops,
    Variadic<Plan_Buffer>:$ins, Variadic<Plan_Buffer>:$inouts,
    Variadic<Plan_Buffer>:$outs,
    OptionalAttr<Plan_Scalars>:$scalars,
    OptionalAttr<Plan_Checks>:$checks, UnitAttr:$epilogue, UnitAttr:$joined,
    Plan_Queue:$queue);
  let assemblyFormat = [{
    $kernel (`epilogue` $epilogue^)? (`joined` $joined^)? (`queue` `(` $queue^ `)`)?
    (`ins` `(` $ins^ `:` type($ins) `)`)?
    (`inouts` `(` $inouts^ `:` type($inouts) `)`)?
    (`outs` `(` $outs^ `:` type($outs) `)`)? (`scalars` $scalars^)? attr-dict
  }];
  let extraClassDeclaration = [{
    /// The types of the scalars.
    ::llvm::SmallVector<::mlir::Type> getScalarTypes();
  }];
  let hasVerifier = 1;
}

def Plan_CallConfig : Attr<
    CPred<"::llvm::isa<::mlir::plan::CallConfigAttrInterface>($_self)">,
    "configuration of a library function"> {
  let storageType = "::mlir::plan::CallConfigAttrInterface";
  let returnType = storageType;
  let convertFromStorage = "$_self";
}

def Plan_CallOp : Plan_CommandOp<"call", [AttrSizedOperandSegments],
    ["getTitle", "getOperationCount", "getChunkCount"]> {
  let summary = "calls a library function";
  let description = [{
    `config` gives the function, its parameters and the split of its work into
    chunks. `plan-verify` checks the buffers against it. `flops` counts the
    floating-point operations of all chunks, for reports. The step fails if the
    call is `checked` and leaves a NaN or an infinity in its results.

    Example:

    ```mlir
    plan.call #plan.onednn.matmul<m = 100, n = 512, k = 784, transpose_b = 1, column_parts = 8> ins(%a, %b : memref<100x784xf32, #arena>, memref<512x784xf32, #arena>) outs(%c : memref<100x512xf32, #arena>)
    ```
  }];
  let arguments = (ins
    Plan_CallConfig:$config,
    OptionalAttr<Plan_Flops>:$flops,
    Variadic<Plan_Buffer>:$ins, Variadic<Plan_Buffer>:$outs,
    Optional<Plan_Buffer>:$workspace, UnitAttr:$checked, Plan_Queue:$queue);
  let assemblyFormat = [{
    $config (`checked` $checked^)? (`queue` `(` $queue^ `)`)?
    (`ins` `(` $ins^ `:` type($ins) `)`)?
    (`outs` `(` $outs^ `:` type($outs) `)`)?
    (`workspace` `(` $workspace^ `:` type($workspace) `)`)? attr-dict
  }];
  let extraClassDeclaration = [{
    ::llvm::StringRef getCallee() { return getConfig().getCallee(); }
    int64_t getChunks() { return getConfig().getNumChunks(); }
  }];
  let hasVerifier = 1;
}

def Plan_CopyOp : Plan_CommandOp<"copy", [],
    ["acceptsUnalignedRows", "copiesBetweenDevices"]> {
  let summary = "copies a buffer";
  let description = [{
    Source and target have one shape and element type. They do not overlap. They
    may be on two devices; the queue is one of either.

    Example:

    ```mlir
    plan.copy %x to %y : memref<4xf32, #inputs> to memref<4xf32, #outputs>
    ```
  }];
  let arguments = (ins
    Plan_Buffer:$source, Plan_Buffer:$target, Plan_Queue:$queue);
  let assemblyFormat = [{
    $source `to` $target (`queue` `(` $queue^ `)`)? attr-dict
    `:` type($source) `to` type($target)
  }];
  let hasVerifier = 1;
}

def Plan_FillOp : Plan_CommandOp<"fill", [], ["getTitle"]> {
  let summary = "fills a buffer with one byte";
  let description = [{
    Used for zeros, which have zero bytes in every element type.

    Example:

    ```mlir
    plan.fill %y with 0 : memref<4xf32, #outputs>
    ```
  }];
  let arguments = (ins
    Plan_Buffer:$target,
    ConfinedAttr<I64Attr, [IntNonNegative, IntMaxValue<255>]>:$value,
    Plan_Queue:$queue);
  let assemblyFormat = [{
    $target `with` $value (`queue` `(` $queue^ `)`)? attr-dict `:` type($target)
  }];
}

def Plan_HostCallOp : Plan_CommandOp<"host_call", [AttrSizedOperandSegments],
    ["getTitle"]> {
  let summary = "calls a function of the session";
  let description = [{
    Calls a function of the host that the user registered with the session under
    this name. It reads `ins`, reads and writes `inouts`, and writes all of
    `outs`. Host calls of one queue run in order with its other commands. A
    graph that a device captures ends before one and another begins after it.

    Example:

    ```mlir
    plan.host_call "watch" ins(%x : memref<4xf32, #inputs>)
    plan.host_call "read_batch" queue(1) outs(%y : memref<4xf32, #outputs>)
    ```
  }];
  let arguments = (ins
    StrAttr:$callee,
    Variadic<Plan_Buffer>:$ins, Variadic<Plan_Buffer>:$inouts,
    Variadic<Plan_Buffer>:$outs, Plan_Queue:$queue);
  let assemblyFormat = [{
    $callee (`queue` `(` $queue^ `)`)?
    (`ins` `(` $ins^ `:` type($ins) `)`)?
    (`inouts` `(` $inouts^ `:` type($inouts) `)`)?
    (`outs` `(` $outs^ `:` type($outs) `)`)? attr-dict
  }];
}

#endif // JOBDIALECT_PLAN_PLANCOMMANDOPS_TD
