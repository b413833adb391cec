//===- JobStructureOps.td - Jobs, variables, kernels -------*- tablegen -*-===//

#ifndef JOBDIALECT_IR_JOBSTRUCTUREOPS_TD
#define JOBDIALECT_IR_JOBSTRUCTUREOPS_TD

include "JobDialect/IR/JobDistributionAttributes.td"
include "JobDialect/IR/JobTypes.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// The values of variables: what `job.read` and `job.assign` touch.
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
    One step: its arguments are the step's inputs, its results are handed back
    to the caller. The body is one block of ops in execution order. An argument
    or result carries its user-visible name as `job.name`, and may have a
    `job.placement` and a `job.sharding` of its own. `placement` says
    which devices the job runs on. `result_structure` keeps how the user's
    program nests the results, as JSON text (see docs/artifact.md).

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
    OptionalAttr<StrAttr>:$result_structure,
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
    /// User-visible name of an argument, "argN" where none was given.
    std::string getArgumentName(unsigned index);
    /// User-visible name of a result, "resultN" where none was given.
    std::string getResultName(unsigned index);
    ::mlir::job::ReturnOp getReturn();
  }];
}

def Job_ReturnOp : Job_Op<"return", [
    Pure, ReturnLike, Terminator, HasParent<"::mlir::job::FuncOp">]> {
  let summary = "the end of a job function";
  let description = [{
    Hands the values back to the caller. A variable that is returned has its
    value from before the step.

    Example:

    ```mlir
    job.return %loss : !job.blob<100xf32>
    ```
  }];
  let arguments = (ins Variadic<Job_Blob>:$operands);
  let builders = [
    OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>
  ];
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let hasVerifier = 1;
}

def Job_VariableOp : Job_Op<"variable", [Symbol]> {
  let summary = "a blob that outlives the step";
  let description = [{
    Shared by all jobs of the module. Optimizer state and step counters are
    variables too. One that is not `trainable` gets no gradient and no update.
    `placement` and `sharding` say which devices hold which part of it.

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
    OptionalAttr<Job_ShardingAttr>:$sharding);
  let assemblyFormat = "$sym_name `:` $type `init` $initializer attr-dict";
  let hasVerifier = 1;
}

def Job_ReadOp : Job_Op<"read", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "the value of a variable";
  let description = [{
    The value at this place of the job: an earlier `job.assign` is seen, a later
    one is not.

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
  let summary = "gives a variable a new value";
  let description = [{
    Seen by the reads that come later in the job and by all later steps. Of
    several assignments the last one stays.

    Example:

    ```mlir
    job.assign @weight, %w : !job.blob<10x512xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable, Job_Blob:$value);
  let assemblyFormat = "$variable `,` $value attr-dict `:` type($value)";
}

def Job_ConstantOp : Job_Op<"constant", [
    Pure, ConstantLike, Job_InferTypes]> {
  let summary = "a blob known at compile time";
  let description = [{
    The value is a dense attribute of a builtin tensor type, whose shape and
    element type are those of the blob.

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
    /// The value of all elements when they are equal.
    std::optional<double> getSplat();
  }];
}

def Job_StepOp : Job_Op<"step", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "how many steps of this job were completed before this one";
  let description = [{
    Counts from 0. `job-step-counter` turns it into a read of the job's counter,
    the variable `System-Train-TrainStep-<job>`.

    Example:

    ```mlir
    %step = job.step
    ```
  }];
  let results = (outs Job_ScalarI64Blob:$result);
  let assemblyFormat = "attr-dict";
}

def Job_KernelOp : Job_Op<"kernel", [
    IsolatedFromAbove, SingleBlock, RecursiveMemoryEffects]> {
  let summary = "ops that are computed together";
  let description = [{
    Made by `job-form-kernels`: everything in the region becomes one function
    of the artifact. The region sees its operands as block arguments and yields
    the blobs that others need; what is not yielded never reaches memory.

    Example:

    ```mlir
    %r = job.kernel(%a = %x : !job.blob<4xf32>) -> !job.blob<4xf32> {
      %0 = job.exp %a : !job.blob<4xf32>
      job.yield %0 : !job.blob<4xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<Job_Blob>:$inputs);
  let results = (outs Variadic<Job_Blob>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Job_YieldOp : Job_Op<"yield", [
    Pure, ReturnLike, Terminator,
    ParentOneOf<["::mlir::job::KernelOp", "::mlir::job::MicroStepsOp"]>]> {
  let summary = "the results of a kernel or a micro-step";
  let description = [{
    Ends a kernel's region: the blobs that reach memory, in the order and with
    the types of the kernel's results. Ends the region of `job.micro_steps`: the
    sums so far, then what is packed.

    Example:

    ```mlir
    job.yield %0 : !job.blob<4xf32>
    ```
  }];
  let arguments = (ins Variadic<Job_Blob>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

#endif // JOBDIALECT_IR_JOBSTRUCTUREOPS_TD
