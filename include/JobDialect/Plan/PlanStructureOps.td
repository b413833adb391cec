//===- PlanStructureOps.td - Modules, programs and loops ---*- tablegen -*-===//

#ifndef JOBDIALECT_PLAN_PLANSTRUCTUREOPS_TD
#define JOBDIALECT_PLAN_PLANSTRUCTUREOPS_TD

include "JobDialect/IR/JobAttributes.td"
include "JobDialect/Plan/PlanAttributes.td"
include "JobDialect/Plan/PlanInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Plan_Op<string mnemonic, list<Trait> traits = []>
    : Op<Plan_Dialect, mnemonic, traits>;

def Plan_IsBuffer :
    CPred<"::llvm::isa<::mlir::MemRefType>($_self) && "
          "::mlir::plan::isBufferType(::llvm::cast<::mlir::MemRefType>($_self))">;
def Plan_Buffer : Type<
    And<[Plan_IsBuffer, CPred<"::mlir::plan::getSpace($_self)">]>,
    "dense memref of an element type of blobs, of at most 2^48 bytes, in a "
    "#plan.space", "::mlir::MemRefType">;
class Plan_BufferIn<string role> : Type<
    And<[Plan_IsBuffer,
         CPred<"::mlir::plan::getSpace($_self) && "
               "::mlir::plan::getSpace($_self).getRole() == "
               "::mlir::plan::SpaceRole::" # role>]>,
    "dense memref of an element type of blobs, of at most 2^48 bytes, in a "
    "#plan.space of role " # !tolower(role), "::mlir::MemRefType">;
def Plan_Data : ConfinedAttr<ElementsAttr, [AttrConstraint<
    CPred<"::mlir::plan::isBufferType("
          "::llvm::cast<::mlir::ElementsAttr>($_self).getShapedType())">,
    "of an element type of blobs, of at most 2^48 bytes">]>;

def Plan_DeviceOp : Plan_Op<"device", [Symbol]> {
  let summary = "a device that programs use";
  let description = [{
    Has `queues` queues. Those of all devices of a module are numbered together,
    in the order of the devices, from 0. A module that declares none has one
    device of kind `host` with one queue. Of several GPUs in a machine, `index`
    is the number of this one; it is 0 for a device of kind `host`.

    Example:

    ```mlir
    plan.device @cpu0 kind(host) queues(2)
    plan.device @gpu1 kind(cuda) queues(1) index(1)
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name, Plan_DeviceKind:$kind,
    ConfinedAttr<I64Attr, [IntPositive, IntMaxValue<64>]>:$queues,
    DefaultValuedAttr<ConfinedAttr<I64Attr, [
      IntNonNegative, IntMaxValue<4294967295>]>, "0">:$index);
  let assemblyFormat = [{
    $sym_name `kind` `(` $kind `)` `queues` `(` $queues `)`
    (`index` `(` $index^ `)`)? attr-dict
  }];
  let hasVerifier = 1;
}

def Plan_VariableOp : Plan_Op<"variable", [Symbol]> {
  let summary = "a variable in the bank";
  let description = [{
    `offset` is its offset in the bank in bytes. Dimension `i` of the type is
    dimension `permutation[i]` of what the user reads and writes; with an
    `expanded_shape`, the user's blob has the type, and is reshaped to that shape
    and then permuted.

    Example:

    ```mlir
    plan.variable @weight : memref<10x512xf32, #variables> {offset = 0 : i64}
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name, TypeAttrOf<Plan_BufferIn<"Variables">>:$type,
    DefaultValuedAttr<BoolAttr, "true">:$trainable,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$offset,
    OptionalAttr<DenseI64ArrayAttr>:$permutation,
    OptionalAttr<DenseI64ArrayAttr>:$expanded_shape);
  let assemblyFormat = "$sym_name `:` $type attr-dict";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The type without the permutation.
    ::mlir::MemRefType getDeclaredType();
  }];
}

def Plan_ConstantOp : Plan_Op<"constant", [Symbol]> {
  let summary = "constant data in the artifact";
  let description = [{
    `offset` is its offset in the constant section in bytes.

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
    `sizes` are those of the program's arena, inputs, outputs and workspace, on
    the first device and on any other that has buffers of the program;
    `plan-pack-memory` and `plan-assign-offsets` record them. `packing` lists the
    strategies that `plan-pack-memory` tries. The body contains
    buffers, views, commands and repeats only. The indices of inputs and of
    outputs start at 0 and are unique.

    Commands of one queue run in the order of the text, each after the one before
    it is complete. Commands of different queues of a device run at once unless
    `plan.record` and `plan.wait` order them. An event is recorded before it is
    waited for in the text, so the order of the text is one in which all commands
    may run. Commands of different devices run in the order of the text: all those
    before the first one of another device are complete when that one starts.

    Example:

    ```mlir
    plan.program @copy kind predict {
      %x = plan.input 0 "x" : memref<4xf32, #inputs>
      %y = plan.output 0 "y" : memref<4xf32, #outputs>
      plan.copy %x to %y : memref<4xf32, #inputs> to memref<4xf32, #outputs>
      plan.return
    }
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name, Job_JobKindAttr:$kind,
    OptionalAttr<StrAttr>:$result_structure,
    OptionalAttr<Plan_SizesAttr>:$sizes,
    OptionalAttr<Job_PackingAttr>:$packing);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `kind` `` $kind (`sizes` `` $sizes^)? attr-dict-with-keyword $body
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The size of a space of the first device, if it is recorded.
    std::optional<SpaceSize> getSize(SpaceRole role);
    /// Replaces the sizes of the roles of `sizes`, on all devices.
    void updateSizes(::llvm::ArrayRef<SpaceSize> sizes);
  }];
}

def Plan_ReturnOp : Plan_Op<"return", [
    Terminator, HasParent<"::mlir::plan::ProgramOp">]> {
  let summary = "ends a program";
  let description = [{
    The step is complete when all commands are complete.

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
  let summary = "runs commands several times";
  let description = [{
    A loop with a static trip count: the commands of the body run `count` times,
    in order, for example the micro-steps of a step. A buffer of the arena that is
    allocated in the body is live within one iteration only and is undefined at
    its beginning; one that is allocated outside and used in the body is live
    during the whole loop. The body contains buffers, views and commands, but no
    inputs or outputs.

    All queues join at the start and end of each iteration: an iteration starts
    when all commands before it are complete, and commands after the repeat start
    when the last iteration is complete.

    Example:

    ```mlir
    plan.repeat count(4) {
      %part = plan.micro_view %x : memref<100x784xf32, #inputs> to memref<25x784xf32, #inputs>
      plan.dispatch @relu ins(%part : memref<25x784xf32, #inputs>) outs(%y : memref<25x784xf32, #outputs>)
    }
    ```
  }];
  let arguments = (ins
    ConfinedAttr<I64Attr, [IntMinValue<2>, IntMaxValue<65536>]>:$count);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "`count` `(` $count `)` attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

#endif // JOBDIALECT_PLAN_PLANSTRUCTUREOPS_TD
