//===- JobStructureOps.td - Jobs, variables, kernels -------*- tablegen -*-===//

#ifndef JOBDIALECT_IR_JOBSTRUCTUREOPS_TD
#define JOBDIALECT_IR_JOBSTRUCTUREOPS_TD

include "JobDialect/IR/JobDistributionAttributes.td"
include "JobDialect/IR/JobTypes.td"
include "JobDialect/Interfaces/LayoutOpInterface.td"
include "JobDialect/Interfaces/MovedElementsOpInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// The op defines all methods of the interface.
defvar Job_Permutes = DeclareOpInterfaceMethods<
    LayoutOpInterface, ["isOperandPermuted", "isResultPermuted", "buildPermuted"]>;
/// All blobs of the permutation's rank are permuted.
defvar Job_PermutesAll =
    DeclareOpInterfaceMethods<LayoutOpInterface, ["buildPermuted"]>;

/// The values of variables, which `job.read` and `job.assign` access.
def Job_VariableResource : Resource<"::mlir::job::VariableResource">;

def Job_AnyInitializer
    : Attr<CPred<"::llvm::isa<::mlir::job::InitializerAttrInterface>($_self)">,
           "initializer"> {
  let storageType = "::mlir::job::InitializerAttrInterface";
  let returnType = "::mlir::job::InitializerAttrInterface";
  let convertFromStorage = "$_self";
}

def Job_FuncOp : Job_Op<"func", [
    FunctionOpInterface, IsolatedFromAbove, SingleBlock]> {
  let summary = "a job function";
  let description = [{
    One step: its arguments are the step's inputs, its results are returned
    to the caller. The body is one block of ops in execution order. An argument
    or result has its user-visible name as `job.name`, and may have a
    `job.placement` and a `job.sharding` of its own. `job.observer` says which function
    of the program that defined the job sees a result; `job-compile` refuses a job
    with one, which another program has not. `placement` names the
    devices that the job runs on, except for ops with another `job.placement`.
    `precision`, one of `f32`, `bf16` and `f16`, is the type that `job-precision`
    lets ops of `f32` compute in. `result_structure` is the nesting of the results
    in the user's program, as JSON text (see docs/artifact.md). `step_counter` is the
    variable that counts the steps in place of the job's own (`job.step`): jobs with
    one counter are one to their user, and count together.

    Other attributes control what the passes may do with this job:

    - `in_place = false`: no kernel writes a result over an input. Variables are
      still updated where they are.
    - `fuse_updates = false`: an op that computes the new value of a variable is a
      kernel by itself.
    - `packing`: the strategies that `plan-pack-memory` tries, of which it keeps the
      smallest result, instead of the pass's own.
    - `workspace_limit`: the most bytes of workspace of a call that computes a
      convolution, but those that a function of the CPU's library needs even if it
      does one part of the work after the other.
    - `tf32`: whether functions of libraries may round factors in `f32` to TF32, in
      place of the passes' own option.
    - `excluded_libraries`: libraries, such as `cudnn`, that compute no op which the
      compiler can also compute with loops.

    Example:

    ```mlir
    job.func @double(%x: !job.blob<4xf32> {job.name = "x"}) -> !job.blob<4xf32> kind predict {
      %0 = job.add %x, %x : !job.blob<4xf32>
      job.return %0 : !job.blob<4xf32>
    }
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    Job_JobKindAttr:$kind,
    OptionalAttr<Job_PlacementAttr>:$placement,
    OptionalAttr<TypeAttrOf<AnyTypeOf<[F32, BF16, F16]>>>:$precision,
    OptionalAttr<StrAttr>:$result_structure,
    OptionalAttr<FlatSymbolRefAttr>:$step_counter,
    OptionalAttr<BoolAttr>:$in_place,
    OptionalAttr<BoolAttr>:$fuse_updates,
    OptionalAttr<Job_PackingAttr>:$packing,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$workspace_limit,
    OptionalAttr<BoolAttr>:$tf32,
    OptionalAttr<StrArrayAttr>:$excluded_libraries,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type,
                   "::mlir::job::JobKind":$kind)>
  ];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::llvm::LogicalResult verifyType();
    /// Argument attribute with the user-visible name of an argument or result.
    static ::llvm::StringRef getNameAttrName() { return "job.name"; }
    /// Attributes of arguments and results for their devices.
    static ::llvm::StringRef getBlobPlacementAttrName() { return "job.placement"; }
    static ::llvm::StringRef getBlobShardingAttrName() { return "job.sharding"; }
    /// Result attribute that says which function of the program that defined the
    /// job sees the result, as a string: "watch at model.py:8".
    static ::llvm::StringRef getObserverAttrName() { return "job.observer"; }
    /// User-visible name of an argument, "argN" where none was given.
    std::string getArgumentName(unsigned index);
    /// User-visible name of a result; "resultN" if it has none.
    std::string getResultName(unsigned index);
    ::mlir::job::ReturnOp getReturn();
  }];
}

def Job_ReturnOp : Job_Op<"return", [
    Pure, ReturnLike, Terminator, HasParent<"::mlir::job::FuncOp">]> {
  let summary = "returns the results of a job function";
  let description = [{
    Returns the values to the caller. Returning the result of a `job.read` returns
    the value that was read, even if the variable is assigned later. A bounded
    value is returned together with its count (`job-verify`).

    Example:

    ```mlir
    job.return %loss : !job.blob<100xf32>
    ```
  }];
  let arguments = (ins Variadic<Job_AnyBlob>:$operands);
  let builders = [
    OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>
  ];
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let hasVerifier = 1;
}

def Job_VariableOp : Job_Op<"variable", [Symbol]> {
  let summary = "a blob whose value is kept between steps";
  let description = [{
    Shared by all jobs of the module. Optimizer state and step counters are
    variables too. One that is not `trainable` gets no gradient and no update.
    `placement` and `sharding` define the part of it that each device holds.
    The random numbers of the initializer depend on the seed of the run and on the
    name of the variable, or, if there is a `seed`, on that alone: variables with
    one seed, type and initializer start with the same values.

    A variable with a `permutation` is stored with permuted dimensions: dimension
    `i` of `type`, which jobs read and assign, is dimension `permutation[i]` of the
    type that was declared, which the user reads, writes and finds in checkpoints
    (`job-assign-layouts`). With an `expanded_shape`, `type` is the type that was
    declared, and its elements are in the order that they have when the blob is
    reshaped to `expanded_shape` and then permuted: the columns of a matrix that
    multiplies flattened images follow the images.

    Example:

    ```mlir
    job.variable @weight : !job.blob<10x512xf32> init #job.truncated_normal_init<mean = 0.0, stddev = 0.1>
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<Job_BlobType>:$type,
    Job_AnyInitializer:$initializer,
    DefaultValuedAttr<BoolAttr, "true">:$trainable,
    OptionalAttr<Job_PlacementAttr>:$placement,
    OptionalAttr<Job_ShardingAttr>:$sharding,
    OptionalAttr<I64Attr>:$seed,
    OptionalAttr<DenseI64ArrayAttr>:$permutation,
    OptionalAttr<DenseI64ArrayAttr>:$expanded_shape);
  let assemblyFormat = "$sym_name `:` $type `init` $initializer attr-dict";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The type without the permutation.
    ::mlir::job::BlobType getDeclaredType();
  }];
}

def Job_ReadOp : Job_Op<"read", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "reads a variable";
  let description = [{
    Returns the value at this point of the job: that of the last preceding
    `job.assign` of the variable, if there is one.

    Example:

    ```mlir
    %w = job.read @weight : !job.blob<10x512xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable);
  let results = (outs Job_Blob:$result);
  let assemblyFormat = "$variable attr-dict `:` type($result)";
}

def Job_AssignOp : Job_Op<"assign", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "assigns a variable";
  let description = [{
    Later reads in the job, and all later steps, return the new value. After
    several assignments, the variable has the value of the last one.

    Example:

    ```mlir
    job.assign @weight, %w : !job.blob<10x512xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable, Job_Blob:$value);
  let assemblyFormat = "$variable `,` $value attr-dict `:` type($value)";
}

def Job_ConstantOp : Job_Op<"constant", [
    Pure, ConstantLike, Job_InferTypes,
    DeclareOpInterfaceMethods<LayoutOpInterface,
                              ["isResultPermuted", "buildPermuted"]>]> {
  let summary = "a blob known at compile time";
  let description = [{
    The value is a dense attribute of a builtin tensor type with the shape and
    element type of the blob.

    Example:

    ```mlir
    %zero = job.constant dense<0.0> : tensor<100x512xf32>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Job_Blob:$result);
  let builders = [
    // A splat of a floating-point or integer value, rounded to the type.
    OpBuilder<(ins "::mlir::job::BlobType":$type, "double":$value)>
  ];
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The value of all elements if they are equal.
    std::optional<double> getSplat();
  }];
}

def Job_StepOp : Job_Op<"step", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "the number of completed steps of this job";
  let description = [{
    The number of steps before this one, starting at 0. `job-step-counter`
    replaces it by a read of the job's counter, the variable
    `System-Train-TrainStep-<job>`, or the `step_counter` of the job.

    Example:

    ```mlir
    %step = job.step
    ```
  }];
  let results = (outs Job_ScalarI64Blob:$result);
  let assemblyFormat = "attr-dict";
}

def Job_TransferOp : Job_Op<"transfer", [
    Pure, AllTypesMatch<["operand", "result"]>]> {
  let summary = "copies a blob to another device";
  let description = [{
    The result is the operand, in the memory of the devices of `placement`.
    Created by `job-insert-transfers`, after gradients: it has none itself.

    Example:

    ```mlir
    %1 = job.transfer %0 to <gpu, "0:0"> : !job.blob<4xf32>
    ```
  }];
  let arguments = (ins Job_AnyBlob:$operand, Job_PlacementAttr:$placement);
  let results = (outs Job_AnyBlob:$result);
  let assemblyFormat = "$operand `to` $placement attr-dict `:` type($operand)";
}

def Job_HostCallOp : Job_Op<"host_call", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "calls a function of the session";
  let description = [{
    Calls the function that the user registered with the session under the name
    `callee`. It reads the inputs and writes all of the outputs, whose elements
    are those of the blobs in memory, also of `f16` and `bf16`. Each call runs
    once a step (in micro-steps, once each), in the order of the job, on the host:
    `job-place` places it there, and blobs of other devices are copied.

    `gradient` names the function that computes the gradients of all inputs of
    floats, from the inputs, the outputs, and the gradients of the outputs of
    floats (zeros for an output that no loss depends on), in this order. Without
    it, no loss may depend on a trainable variable through the call.

    Example:

    ```mlir
    job.host_call "print"(%x) : (!job.blob<4xf32>) -> ()
    %y = job.host_call "swish"(%x) gradient "swish_grad" : (!job.blob<4xf32>) -> !job.blob<4xf32>
    ```
  }];
  let arguments = (ins
    StrAttr:$callee, Variadic<Job_Blob>:$inputs, OptionalAttr<StrAttr>:$gradient);
  let results = (outs Variadic<Job_Blob>:$outputs);
  let assemblyFormat = [{
    $callee `(` $inputs `)` (`gradient` $gradient^)? attr-dict `:`
    functional-type($inputs, $outputs)
  }];
}

def Job_CustomGradientOp : Job_Op<"custom_gradient", [
    Pure, IsolatedFromAbove, SingleBlock, AttrSizedOperandSegments,
    Job_InferTypes]> {
  let summary = "gives values a gradient of the user's";
  let description = [{
    The results are the `values`, which other ops have computed from the `inputs`.
    No gradient flows to the values: the region computes the gradients of all
    inputs of floats. Its block arguments are the inputs, the values, and the
    gradients of the values of floats (zeros for one that no loss depends on), in
    this order. `job-autodiff` copies the region's ops, which have no effects and
    no regions; `job-decompose` replaces the results by the values.

    Example:

    ```mlir
    %1 = job.custom_gradient values(%0 : !job.blob<4xf32>) inputs(%x : !job.blob<4xf32>) {
    ^bb0(%in: !job.blob<4xf32>, %out: !job.blob<4xf32>, %grad: !job.blob<4xf32>):
      %2 = job.mul %out, %grad : !job.blob<4xf32>
      job.yield %2 : !job.blob<4xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<Job_Blob>:$values, Variadic<Job_Blob>:$inputs);
  let results = (outs Variadic<Job_Blob>:$results);
  let regions = (region SizedRegion<1>:$gradient);
  let assemblyFormat = [{
    `values` `(` $values `:` type($values) `)`
    `inputs` `(` $inputs `:` type($inputs) `)` attr-dict-with-keyword $gradient
  }];
  let hasVerifier = 1;
}

def Job_KernelOp : Job_Op<"kernel", [
    IsolatedFromAbove, SingleBlock, RecursiveMemoryEffects]> {
  let summary = "ops that are computed by one kernel";
  let description = [{
    Created by `job-form-kernels`: the region becomes one function of the
    artifact. The operands are block arguments of the region, which yields the
    blobs with uses outside, each once; other values of the region are not written
    to memory. Ops in the region have no effects and no regions.

    An op with loops of its own (pooling, gather, a matrix product) is alone in
    its kernel. Otherwise the kernel has one *domain*, the shape of the operands
    of its reductions or, without reductions, of its results:

    - reductions reduce the same axes of blobs of the domain; their results have
      the shape of the *rows*, the domain without these axes (or with extent 1);
    - scalar ops compute a blob of the domain or of the rows from blobs of the
      same shape. An operand of shape `1` is given to all elements: an input, a
      constant, or the row of a domain that is reduced as a whole;
    - strided reads (broadcasts, transposes, slices) give a blob of the domain or
      of the rows. They read inputs, constants, or the value of the element's
      row;
    - constants have equal elements; one that is yielded has the domain's shape;
    - an op that is a kernel by itself (softmax) is treated as its decomposition,
      to which the same rules apply.

    `convert-job-to-plan` refuses other regions, at the op that breaks a rule.

    Example:

    ```mlir
    %r = job.kernel(%a = %x : !job.blob<4xf32>) -> !job.blob<4xf32> {
      %0 = job.exp %a : !job.blob<4xf32>
      job.yield %0 : !job.blob<4xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<Job_AnyBlob>:$inputs);
  let results = (outs Variadic<Job_AnyBlob>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Job_YieldOp : Job_Op<"yield", [
    Pure, ReturnLike, Terminator,
    ParentOneOf<["::mlir::job::CustomGradientOp", "::mlir::job::KernelOp",
                 "::mlir::job::MicroStepsOp"]>]> {
  let summary = "ends the region of a kernel, of micro-steps or of a gradient";
  let description = [{
    In a kernel, the operands are the blobs that are written to memory, in the
    order and with the types of the kernel's results. In `job.micro_steps`, they
    are the partial sums, then the parts of the packed results. In
    `job.custom_gradient`, they are the gradients of the inputs of floats.

    Example:

    ```mlir
    job.yield %0 : !job.blob<4xf32>
    ```
  }];
  let arguments = (ins Variadic<Job_AnyBlob>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

#endif // JOBDIALECT_IR_JOBSTRUCTUREOPS_TD
