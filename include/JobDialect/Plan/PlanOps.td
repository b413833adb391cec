//===- PlanOps.td - The plan dialect -----------------------*- tablegen -*-===//

#ifndef JOBDIALECT_PLAN_PLANOPS_TD
#define JOBDIALECT_PLAN_PLANOPS_TD

include "JobDialect/IR/JobAttributes.td"
include "JobDialect/Plan/PlanAttributes.td"
include "JobDialect/Plan/PlanInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"

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

//===----------------------------------------------------------------------===//
// Module level
//===----------------------------------------------------------------------===//

def Plan_DeviceOp : Plan_Op<"device", [Symbol]> {
  let summary = "a device that programs use";
  let description = [{
    Has `queues` queues. Those of all devices of a module are numbered together,
    in the order of the devices, from 0. A module that declares none has one
    device of kind `host` with one queue.

    Example:

    ```mlir
    plan.device @cpu0 kind(host) queues(2)
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name, Plan_DeviceKind:$kind,
    ConfinedAttr<I64Attr, [IntPositive, IntMaxValue<64>]>:$queues);
  let assemblyFormat = [{
    $sym_name `kind` `(` $kind `)` `queues` `(` $queues `)` attr-dict
  }];
}

def Plan_VariableOp : Plan_Op<"variable", [Symbol]> {
  let summary = "a variable in the bank";
  let description = [{
    `offset` is its offset in the bank in bytes.

    Example:

    ```mlir
    plan.variable @weight : memref<10x512xf32, #variables> {offset = 0 : i64}
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name, TypeAttrOf<Plan_BufferIn<"Variables">>:$type,
    DefaultValuedAttr<BoolAttr, "true">:$trainable,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$offset);
  let assemblyFormat = "$sym_name `:` $type attr-dict";
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
    `plan-pack-memory` and `plan-assign-offsets` record them. The body contains
    buffers, views, commands and repeats only. The indices of inputs and of
    outputs start at 0 and are unique.

    Commands of one queue run in the order of the text, each after the one before
    it is complete. Commands of different queues run at once unless
    `plan.record` and `plan.wait` order them. An event is recorded before it is
    waited for in the text, so the order of the text is one in which all commands
    may run.

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
    OptionalAttr<Plan_SizesAttr>:$sizes);
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

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

def Plan_ExecutableOp : Plan_Op<"executable", [
    Symbol, SymbolTable, IsolatedFromAbove, SingleBlock, NoTerminator,
    NoRegionArguments]> {
  let summary = "a kernel: its computation, and its code for each target";
  let description = [{
    Holds at most one `func.func @body`, the computation as structured operations
    on tensors, the same for every target, one `plan.variant` per target, and the
    functions with the code of the variants. The
    body takes a tensor for each buffer of a `plan.dispatch` of the executable,
    then its scalars, and returns one tensor for each buffer in `inouts` and
    `outs`, in that order; with checks, the last tensor is the status, which is
    not returned (`plan.check`). A kernel that has no body has its variants from
    the start, and is trusted.

    A body is a list of `linalg.generic` operations over one domain; see
    `KernelNest` in include/JobDialect/Codegen/KernelNest.h for the rules, which
    `plan-verify-memory` checks, and include/JobDialect/Codegen/ScalarOps.h for
    the operations on scalars that it may have. A computation that these cannot
    express, such as a scatter-add, is a function of memrefs with an
    `scf.parallel` over independent items (`ItemLoop` in
    include/JobDialect/Codegen/ItemLoop.h). The indices of its loads and stores
    are trusted.

    Example:

    ```mlir
    plan.executable @sqrt {
      func.func @body(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
        %0 = linalg.generic {
            indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
            iterator_types = ["parallel"]}
            ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) {
        ^bb0(%a: f32, %b: f32):
          %1 = math.sqrt %a : f32
          linalg.yield %1 : f32
        } -> tensor<4xf32>
        return %0 : tensor<4xf32>
      }
      plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [0, 4]>)
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name);
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $region";
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The computation, or null.
    ::mlir::func::FuncOp getBody();
    /// The code for a target, or null.
    VariantOp getVariant(::llvm::StringRef target);
    auto getVariants() { return getRegion().getOps<VariantOp>(); }
  }];
}

def Plan_VariantOp : Plan_Op<"variant", [
    Symbol, HasParent<"::mlir::plan::ExecutableOp">,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the code of a kernel for one target";
  let description = [{
    Its name is that of the target, `cpu` in this build. `schedule`, an attribute of
    the target with `ScheduleAttrInterface`, is chosen before there is code.
    `chunks` is how many times the function is called for one dispatch, with chunk
    numbers from 0 on, concurrently or in any order. `function` is the code: a
    `func.func` of the executable that takes the buffers of the dispatch as memrefs
    (an `i1` is a byte), its scalars, and the chunk as an index; after
    `job-lower-kernels`, a function of the LLVM dialect in the module.

    Example:

    ```mlir
    plan.executable @nothing {
      plan.variant @cpu chunks(2) function(@cpu_code)
      func.func @cpu_code(%x: memref<4xf32>, %chunk: index) {
        return
      }
    }
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    OptionalAttr<Plan_ScheduleAttrInterface>:$schedule,
    OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$chunks,
    OptionalAttr<FlatSymbolRefAttr>:$function);
  let assemblyFormat = [{
    $sym_name (`schedule` `(` $schedule^ `)`)? (`chunks` `(` $chunks^ `)`)?
    (`function` `(` $function^ `)`)? attr-dict
  }];
  let extraClassDeclaration = [{
    /// The function with the code, or null: before it is made, and after it was
    /// lowered.
    ::mlir::func::FuncOp getCode();
  }];
}

def Plan_CheckOp : Plan_Op<"check", [MemoryEffects<[MemWrite]>]> {
  let summary = "reports a NaN or an infinity";
  let description = [{
    In the body of an executable, in a `linalg.generic` or in the loop over items
    of a body on memrefs: when the value, or an element of it, is a NaN or
    infinite, the chunk records this in its element of the status, with the
    number of the check.
    The lowest number is kept, so that the first op in program order is reported.
    `of` is the number of checks of the kernel.

    Example:

    ```mlir
    plan.check %x number 0 of 2 : f32
    ```
  }];
  let arguments = (ins
    AnyTypeOf<[F32, F64, FixedVectorOfRankAndType<[1], [F32, F64]>]>:$value,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$number,
    ConfinedAttr<I64Attr, [IntPositive]>:$count);
  let assemblyFormat = "$value `number` $number `of` $count attr-dict `:` type($value)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

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
    bytes. The first dimension of an output with `count` is a bound: output number
    `count`, a `memref<1xi64>`, has the number of rows that the caller gets.

    Example:

    ```mlir
    %y = plan.output 0 "loss" {offset = 0 : i64} : memref<100xf32, #outputs>
    ```
  }];
  let arguments = (ins
    ConfinedAttr<I64Attr, [IntNonNegative]>:$index, StrAttr:$name,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$offset,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$count);
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

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

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
    ["getTitle", "getOperationCount", "getChunkCount"]> {
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

    `checks` are locations of ops whose results the kernel checks for NaN and
    infinity. The last buffer is then the status, an `i32` for each chunk, in
    which the chunk records the result of its checks (docs/artifact.md).

    Example:

    ```mlir
    plan.dispatch @relu ins(%x : memref<4xf32, #inputs>) outs(%y : memref<4xf32, #outputs>)
    plan.dispatch @random outs(%y : memref<4xf32, #outputs>) scalars [7 : i32]
    plan.dispatch @negate epilogue inouts(%y : memref<4xf32, #outputs>)
    plan.dispatch @log ins(%x : memref<4xf32, #inputs>) outs(%y, %status : memref<4xf32, #outputs>, memref<64xi32, #arena>) {checks = [loc("model.py":3:8)]}
    ```
  }];
  let arguments = (ins
    FlatSymbolRefAttr:$kernel,
    OptionalAttr<Plan_Flops>:$flops,
    Variadic<Plan_Buffer>:$ins, Variadic<Plan_Buffer>:$inouts,
    Variadic<Plan_Buffer>:$outs,
    OptionalAttr<Plan_Scalars>:$scalars,
    OptionalAttr<Plan_Checks>:$checks, UnitAttr:$epilogue, Plan_Queue:$queue);
  let assemblyFormat = [{
    $kernel (`epilogue` $epilogue^)? (`queue` `(` $queue^ `)`)?
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
    call is `checked` and leaves a NaN or an infinity in its results, of `f32`.

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

def Plan_CopyOp : Plan_CommandOp<"copy", [], ["acceptsUnalignedRows"]> {
  let summary = "copies a buffer";
  let description = [{
    Source and target have one shape and element type. They do not overlap.

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
    ["getTitle", "canBeCaptured"]> {
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

def Plan_RecordOp : Plan_CommandOp<"record"> {
  let summary = "records an event on a queue";
  let description = [{
    The event is complete when all earlier commands of the queue are complete.

    Example:

    ```mlir
    %done = plan.record queue(1)
    plan.wait %done
    ```
  }];
  let arguments = (ins Plan_Queue:$queue);
  let results = (outs Plan_EventType:$event);
  let assemblyFormat = "(`queue` `(` $queue^ `)`)? attr-dict";
}

def Plan_WaitOp : Plan_CommandOp<"wait"> {
  let summary = "makes a queue wait for an event";
  let description = [{
    Later commands of the queue start after the event is complete. The event is
    recorded earlier in the text, so queues cannot wait for each other in a
    cycle.

    Example:

    ```mlir
    %done = plan.record
    plan.wait %done queue(1)
    ```
  }];
  let arguments = (ins Plan_EventType:$event, Plan_Queue:$queue);
  let assemblyFormat = "$event (`queue` `(` $queue^ `)`)? attr-dict";
}

#endif // JOBDIALECT_PLAN_PLANOPS_TD
