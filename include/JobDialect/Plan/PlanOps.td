//===- PlanOps.td - The plan dialect -----------------------*- tablegen -*-===//

#ifndef JOBDIALECT_PLAN_PLANOPS_TD
#define JOBDIALECT_PLAN_PLANOPS_TD

include "JobDialect/IR/JobAttributes.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"

def Plan_Dialect : Dialect {
  let name = "plan";
  let cppNamespace = "::mlir::plan";
  let summary = "What the runtime will do, command by command";
  let description = [{
    A `plan.program` is the list of commands of one job, in order. Its values are
    buffers: dense memrefs in the spaces of docs/artifact.md. Buffers of the
    arena get their offsets from `plan-pack-memory`; the bank of variables, the
    constants and the staging slots are laid out by `plan-assign-offsets`.
  }];
  let dependentDialects = ["::mlir::job::JobDialect"];
}

class Plan_Op<string mnemonic, list<Trait> traits = []>
    : Op<Plan_Dialect, mnemonic, traits>;

def Plan_Buffer : Type<
    CPred<"::llvm::isa<::mlir::MemRefType>($_self) && "
          "::mlir::plan::isBufferType(::llvm::cast<::mlir::MemRefType>($_self))">,
    "dense memref of f32, f64, i1, i8, i32 or i64, of at most 2^48 bytes",
    "::mlir::MemRefType">;
def Plan_Data : ConfinedAttr<ElementsAttr, [AttrConstraint<
    CPred<"::mlir::plan::isBufferType("
          "::llvm::cast<::mlir::ElementsAttr>($_self).getShapedType())">,
    "of f32, f64, i1, i8, i32 or i64, of at most 2^48 bytes">]>;

//===----------------------------------------------------------------------===//
// Module level
//===----------------------------------------------------------------------===//

def Plan_VariableOp : Plan_Op<"variable", [Symbol]> {
  let summary = "a variable in the bank";
  let description = [{
    `offset` is its place in the bank in bytes.

    Example:

    ```mlir
    plan.variable @weight : memref<10x512xf32> {offset = 0 : i64}
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name, TypeAttrOf<Plan_Buffer>:$type,
    DefaultValuedAttr<BoolAttr, "true">:$trainable,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$offset);
  let assemblyFormat = "$sym_name `:` $type attr-dict";
}

def Plan_ConstantOp : Plan_Op<"constant", [Symbol]> {
  let summary = "data that the artifact carries";
  let description = [{
    `offset` is its place in the constant section in bytes.

    Example:

    ```mlir
    plan.constant @table dense<[1.0, 2.0]> : tensor<2xf32> {offset = 0 : i64}
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name, Plan_Data:$value,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$offset);
  let assemblyFormat = "$sym_name $value attr-dict";
}

def Plan_ProgramOp : Plan_Op<"program", [
    Symbol, IsolatedFromAbove, SingleBlock, NoRegionArguments]> {
  let summary = "the commands of one job";
  let description = [{
    Sizes are in bytes. `arena_bytes` is what `plan-pack-memory` needed,
    `arena_lower_bound` the largest sum of live bytes at any command. The body
    holds buffers, views, commands and repeats only. Inputs and outputs are numbered from
    0, each number once.

    Example:

    ```mlir
    plan.program @copy kind predict {
      %x = plan.input 0 "x" : memref<4xf32>
      %y = plan.output 0 "y" : memref<4xf32>
      plan.copy %x to %y : memref<4xf32>
      plan.return
    }
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name, Job_JobKindAttr:$kind,
    OptionalAttr<StrAttr>:$result_structure,
    OptionalAttr<I64Attr>:$arena_bytes,
    OptionalAttr<I64Attr>:$arena_lower_bound,
    OptionalAttr<I64Attr>:$workspace_bytes,
    OptionalAttr<I64Attr>:$input_bytes,
    OptionalAttr<I64Attr>:$output_bytes);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `kind` `` $kind attr-dict-with-keyword $body
  }];
  let hasRegionVerifier = 1;
}

def Plan_ReturnOp : Plan_Op<"return", [
    Terminator, HasParent<"::mlir::plan::ProgramOp">]> {
  let summary = "the end of a program";
  let description = [{
    The step is complete when the command before it is.

    Example:

    ```mlir
    plan.return
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def Plan_RepeatOp : Plan_Op<"repeat", [
    HasParent<"::mlir::plan::ProgramOp">, SingleBlock, NoTerminator,
    NoRegionArguments]> {
  let summary = "commands that run several times";
  let description = [{
    The commands of the body run `count` times, in order, one iteration after the
    other: the micro-steps of a step. A buffer of the arena that is made in the
    body is alive within an iteration only and holds nothing at its beginning; one
    that is made outside and used in the body is alive during the whole loop. The
    body holds buffers, views and commands, but no inputs and outputs.

    Example:

    ```mlir
    plan.repeat count(4) {
      %part = plan.micro_view %x : memref<100x784xf32> to memref<25x784xf32>
      plan.dispatch @relu chunks(1) ins(%part : memref<25x784xf32>) outs(%y : memref<25x784xf32>)
    }
    ```
  }];
  let arguments = (ins
    ConfinedAttr<I64Attr, [IntMinValue<2>, IntMaxValue<65536>]>:$count);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "`count` `(` $count `)` attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

class Plan_BufferOp<string mnemonic, list<Trait> traits = []>
    : Plan_Op<mnemonic, traits> {
  let results = (outs Plan_Buffer:$result);
}

def Plan_AllocOp : Plan_BufferOp<"alloc"> {
  let summary = "a buffer in the arena";
  let description = [{
    Alive from the first command that uses it or a view of it to the last; a
    `plan.repeat` that uses a buffer from outside does so with all its commands.
    `offset` is its place in the arena in bytes.

    Example:

    ```mlir
    %b = plan.alloc {offset = 4096 : i64} : memref<100x512xf32>
    ```
  }];
  let arguments = (ins OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$offset);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Plan_WorkspaceOp : Plan_BufferOp<"workspace"> {
  let summary = "scratch for library calls";
  let description = [{
    All workspaces of a program are the same memory: what one call leaves there
    the next may overwrite.

    Example:

    ```mlir
    %w = plan.workspace : memref<65536xi8>
    ```
  }];
  let assemblyFormat = "attr-dict `:` type($result)";
}

class Plan_PortOp<string mnemonic> : Plan_BufferOp<mnemonic> {
  let arguments = (ins
    ConfinedAttr<I64Attr, [IntNonNegative]>:$index, StrAttr:$name,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$offset);
  let assemblyFormat = "$index $name attr-dict `:` type($result)";
}

def Plan_InputOp : Plan_PortOp<"input"> {
  let summary = "an input in the call's staging slot";
  let description = [{
    `index` is the argument's number, `name` the one that the user sees. Filled by
    the caller before the first command; programs only read it. `offset` is its
    place in the slot in bytes.

    Example:

    ```mlir
    %x = plan.input 0 "images" {offset = 0 : i64} : memref<100x784xf32>
    ```
  }];
}

def Plan_OutputOp : Plan_PortOp<"output"> {
  let summary = "an output in the call's staging slot";
  let description = [{
    `index` is the result's number, `name` the one that the user sees. Handed to
    the caller after the last command. `offset` is its place in the slot in
    bytes.

    Example:

    ```mlir
    %y = plan.output 0 "loss" {offset = 0 : i64} : memref<100xf32>
    ```
  }];
}

class Plan_SymbolBufferOp<string mnemonic> : Plan_BufferOp<mnemonic, [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let arguments = (ins FlatSymbolRefAttr:$symbol);
  let assemblyFormat = "$symbol attr-dict `:` type($result)";
}

def Plan_GetVariableOp : Plan_SymbolBufferOp<"get_variable"> {
  let summary = "a variable's memory";
  let description = [{
    The bytes in the bank: what is written there is the variable's value in all
    later steps.

    Example:

    ```mlir
    %w = plan.get_variable @weight : memref<10x512xf32>
    ```
  }];
}

def Plan_GetConstantOp : Plan_SymbolBufferOp<"get_constant"> {
  let summary = "a constant's memory";
  let description = [{
    The bytes in the artifact's constant section; programs only read them.

    Example:

    ```mlir
    %c = plan.get_constant @table : memref<2xf32>
    ```
  }];
}

def Plan_ViewOp : Plan_Op<"view", [
    Pure, DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "the same memory under another shape";
  let description = [{
    The elements keep their row-major order. No command of the runtime: both
    buffers have one address.

    Example:

    ```mlir
    %v = plan.view %x : memref<100x1x28x28xf32> to memref<100x784xf32>
    ```
  }];
  let arguments = (ins Plan_Buffer:$source);
  let results = (outs Plan_Buffer:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
}

def Plan_MicroViewOp : Plan_Op<"micro_view", [
    Pure, HasParent<"::mlir::plan::RepeatOp">,
    DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "this iteration's rows of a buffer";
  let description = [{
    Iteration `i` of `plan.repeat` sees the i-th of `count` equal parts of
    dimension 0. No command of the runtime: the address moves by the bytes of a
    part in each iteration. Kernels and libraries expect aligned buffers, so that
    only a `plan.copy` may use a view whose parts are no multiple of 64 bytes.

    Example:

    ```mlir
    plan.repeat count(4) {
      %part = plan.micro_view %x : memref<100x784xf32> to memref<25x784xf32>
    }
    ```
  }];
  let arguments = (ins Plan_Buffer:$source);
  let results = (outs Plan_Buffer:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

/// Operations, floating point and integer, of one execution of a command: one
/// per scalar op and element, two per term of a matrix product or convolution.
def Plan_Flops : ConfinedAttr<I64Attr, [IntNonNegative]>;

def Plan_Location : Attr<CPred<"::llvm::isa<::mlir::LocationAttr>($_self)">,
    "location">;
def Plan_Checks : TypedArrayAttrBase<Plan_Location, "array of locations">;

class Plan_CommandOp<string mnemonic, list<Trait> traits = []>
    : Plan_Op<mnemonic, traits # [
        AttrSizedOperandSegments,
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]>;

def Plan_DispatchOp : Plan_CommandOp<"dispatch", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs a kernel";
  let description = [{
    Calls the kernel once for each chunk; chunks may run at once. The kernel's
    arguments are the buffers that it reads, then those that it reads and
    writes, then those that it writes, then the chunk. `flops` counts the
    floating-point and integer operations of all chunks, for reports.

    `checks` are locations of ops whose results the kernel checks for NaN and
    infinity. The last buffer is then an `i32` for each chunk, in which the chunk
    says what it found (docs/artifact.md).

    Example:

    ```mlir
    plan.dispatch @relu chunks(4) ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
    plan.dispatch @log chunks(1) ins(%x : memref<4xf32>) outs(%y, %status : memref<4xf32>, memref<1xi32>) {checks = [loc("model.py":3:8)]}
    ```
  }];
  let arguments = (ins
    FlatSymbolRefAttr:$kernel,
    ConfinedAttr<I64Attr, [IntPositive]>:$chunks,
    OptionalAttr<Plan_Flops>:$flops,
    Variadic<Plan_Buffer>:$ins, Variadic<Plan_Buffer>:$inouts,
    Variadic<Plan_Buffer>:$outs,
    OptionalAttr<Plan_Checks>:$checks);
  let assemblyFormat = [{
    $kernel `chunks` `(` $chunks `)`
    (`ins` `(` $ins^ `:` type($ins) `)`)?
    (`inouts` `(` $inouts^ `:` type($inouts) `)`)?
    (`outs` `(` $outs^ `:` type($outs) `)`)? attr-dict
  }];
  let hasVerifier = 1;
}

def Plan_CallOp : Plan_CommandOp<"call"> {
  let summary = "calls a function of a library";
  let description = [{
    `config` holds the function's parameters, integers and finite f64
    (docs/artifact.md).
    `flops` counts the floating-point operations of all chunks, for reports.

    Example:

    ```mlir
    plan.call "onednn.matmul" chunks(4) ins(%a, %b : memref<100x784xf32>, memref<512x784xf32>) outs(%c : memref<100x512xf32>) config {k = 784 : i64, m = 100 : i64, n = 512 : i64, transpose_a = 0 : i64, transpose_b = 1 : i64}
    ```
  }];
  let arguments = (ins
    StrAttr:$callee, DictionaryAttr:$config,
    ConfinedAttr<I64Attr, [IntPositive]>:$chunks,
    OptionalAttr<Plan_Flops>:$flops,
    Variadic<Plan_Buffer>:$ins, Variadic<Plan_Buffer>:$outs,
    Optional<Plan_Buffer>:$workspace);
  let assemblyFormat = [{
    $callee `chunks` `(` $chunks `)`
    (`ins` `(` $ins^ `:` type($ins) `)`)?
    (`outs` `(` $outs^ `:` type($outs) `)`)?
    (`workspace` `(` $workspace^ `:` type($workspace) `)`)?
    `config` $config attr-dict
  }];
  let hasVerifier = 1;
}

def Plan_CopyOp : Plan_Op<"copy", [
    SameTypeOperands, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "copies a buffer";
  let description = [{
    The two do not overlap.

    Example:

    ```mlir
    plan.copy %x to %y : memref<4xf32>
    ```
  }];
  let arguments = (ins Plan_Buffer:$source, Plan_Buffer:$target);
  let assemblyFormat = "$source `to` $target attr-dict `:` type($source)";
}

def Plan_FillOp : Plan_Op<"fill", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "stores one byte everywhere in a buffer";
  let description = [{
    Of use for zeros, whose bytes are zeros in every element type.

    Example:

    ```mlir
    plan.fill %y with 0 : memref<4xf32>
    ```
  }];
  let arguments = (ins
    Plan_Buffer:$target,
    ConfinedAttr<I64Attr, [IntNonNegative, IntMaxValue<255>]>:$value);
  let assemblyFormat = "$target `with` $value attr-dict `:` type($target)";
}

#endif // JOBDIALECT_PLAN_PLANOPS_TD
