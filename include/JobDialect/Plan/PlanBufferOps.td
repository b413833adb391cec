//===- PlanBufferOps.td - Buffers --------------------------*- tablegen -*-===//

#ifndef JOBDIALECT_PLAN_PLANBUFFEROPS_TD
#define JOBDIALECT_PLAN_PLANBUFFEROPS_TD

include "JobDialect/Plan/PlanStructureOps.td"
include "mlir/Interfaces/ViewLikeInterface.td"

class Plan_BufferOp<string mnemonic, string role, list<Trait> traits = []>
    : Plan_Op<mnemonic, traits> {
  let results = (outs Plan_BufferIn<role>:$result);
}

def Plan_AllocOp : Plan_BufferOp<"alloc", "Arena"> {
  let summary = "a buffer in the arena";
  let description = [{
    Live from the first to the last command that uses it or a view of it. A buffer
    that is allocated outside of a `plan.repeat` and used inside is live during
    all commands of the repeat. `offset` is its offset in the arena in bytes.

    Example:

    ```mlir
    %b = plan.alloc {offset = 4096 : i64} : memref<100x512xf32, #arena>
    ```
  }];
  let arguments = (ins OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$offset);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Plan_WorkspaceOp : Plan_BufferOp<"workspace", "Workspace"> {
  let summary = "scratch memory of library calls";
  let description = [{
    All workspaces of one queue are the same memory; its contents are undefined
    before each call. `offset` is the offset of the queue's workspace in that of
    the program in bytes, 0 if it is absent.

    Example:

    ```mlir
    %w = plan.workspace : memref<65536xi8, #workspace>
    ```
  }];
  let arguments = (ins OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$offset);
  let assemblyFormat = "attr-dict `:` type($result)";
}

class Plan_PortOp<string mnemonic, string role>
    : Plan_BufferOp<mnemonic, role> {
  let arguments = (ins
    ConfinedAttr<I64Attr, [IntNonNegative]>:$index, StrAttr:$name,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$offset);
  let assemblyFormat = "$index $name attr-dict `:` type($result)";
}

def Plan_InputOp : Plan_PortOp<"input", "Inputs"> {
  let summary = "an input in the staging slot of the call";
  let description = [{
    `index` is the index of the job's argument, `name` its user-visible name. The
    caller fills it before the first command; programs only read it. `offset` is
    its offset in the slot in bytes. A step fails before its first command if an
    input of floats that is `checked` has a NaN or an infinity.

    Example:

    ```mlir
    %x = plan.input 0 "images" {offset = 0 : i64} : memref<100x784xf32, #inputs>
    ```
  }];
  let arguments = (ins
    ConfinedAttr<I64Attr, [IntNonNegative]>:$index, StrAttr:$name,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$offset,
    UnitAttr:$checked);
  let hasVerifier = 1;
}

def Plan_OutputOp : Plan_PortOp<"output", "Outputs"> {
  let summary = "an output in the staging slot of the call";
  let description = [{
    `index` is the index of the job's result, `name` its user-visible name. The
    caller reads it after the last command. `offset` is its offset in the slot in
    bytes. Dimension `bounded_dim` of an output with `count` is a bound: output
    number `count`, a `memref<1xi64>`, has the extent that the caller gets.

    Example:

    ```mlir
    %y = plan.output 0 "loss" {offset = 0 : i64} : memref<100xf32, #outputs>
    ```
  }];
  let arguments = (ins
    ConfinedAttr<I64Attr, [IntNonNegative]>:$index, StrAttr:$name,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$offset,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$count,
    DefaultValuedAttr<ConfinedAttr<I64Attr, [IntNonNegative]>, "0">:$bounded_dim);
}

class Plan_SymbolBufferOp<string mnemonic, string role>
    : Plan_BufferOp<mnemonic, role, [
        DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let arguments = (ins FlatSymbolRefAttr:$symbol);
  let assemblyFormat = "$symbol attr-dict `:` type($result)";
}

def Plan_GetVariableOp : Plan_SymbolBufferOp<"get_variable", "Variables"> {
  let summary = "the memory of a variable";
  let description = [{
    The variable's memory in the bank. A value written to it is kept for later
    commands and steps.

    Example:

    ```mlir
    %w = plan.get_variable @weight : memref<10x512xf32, #variables>
    ```
  }];
}

def Plan_GetConstantOp : Plan_SymbolBufferOp<"get_constant", "Constants"> {
  let summary = "the memory of a constant";
  let description = [{
    Memory in the constant section of the artifact; programs only read it.

    Example:

    ```mlir
    %c = plan.get_constant @table : memref<2xf32, #constants>
    ```
  }];
}

def Plan_ViewOp : Plan_Op<"view", [
    Pure, DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "the same memory with another shape";
  let description = [{
    The elements keep their row-major order. A view is not a command: both buffers
    have the same address, in the same space.

    Example:

    ```mlir
    %v = plan.view %x : memref<100x1x28x28xf32, #inputs> to memref<100x784xf32, #inputs>
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
  let summary = "the rows of a buffer for one iteration";
  let description = [{
    In iteration `i` of `plan.repeat`, part `i` of `count` equal parts of
    dimension zero. A view is not a command: the address advances by the bytes of
    a part in each iteration. Kernels and libraries require aligned buffers, so
    only a `plan.copy` may use a view whose parts are not multiples of 64 bytes.

    Example:

    ```mlir
    plan.repeat count(4) {
      %part = plan.micro_view %x : memref<100x784xf32, #inputs> to memref<25x784xf32, #inputs>
      plan.copy %part to %y : memref<25x784xf32, #inputs> to memref<25x784xf32, #outputs>
    }
    ```
  }];
  let arguments = (ins Plan_Buffer:$source);
  let results = (outs Plan_Buffer:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
}

#endif // JOBDIALECT_PLAN_PLANBUFFEROPS_TD
