//===- JobOptimizerOps.td - Losses and optimization --------*- tablegen -*-===//

#ifndef JOBDIALECT_IR_JOBOPTIMIZEROPS_TD
#define JOBDIALECT_IR_JOBOPTIMIZEROPS_TD

include "JobDialect/IR/JobOptimizerAttributes.td"
include "JobDialect/IR/JobStructureOps.td"

class Job_InterfaceAttr<string interface, string what>
    : Attr<CPred<"::llvm::isa<::mlir::job::" # interface # ">($_self)">, what> {
  let storageType = "::mlir::job::" # interface;
  let returnType = "::mlir::job::" # interface;
  let convertFromStorage = "$_self";
}

def Job_LossOp : Job_Op<"loss", [ParentOneOf<["::mlir::job::FuncOp"]>]> {
  let summary = "marks a loss";
  let description = [{
    Training minimizes the mean of the blob. With several losses, which have the
    same number of elements, it minimizes the sum of their means.

    Example:

    ```mlir
    job.loss %loss : !job.blob<100xf32>
    ```
  }];
  let arguments = (ins Job_FloatBlob:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def Job_GradientOp : Job_Op<"gradient", [
    Pure, InfersNarrowTypes, ParentOneOf<["::mlir::job::FuncOp"]>,
    AllTypesMatch<["operand", "result"]>]> {
  let summary = "the gradient of the losses with respect to a blob";
  let description = [{
    The gradient of the sum of all elements of all losses, times the loss scale:
    that of a variable is what `job.update` gets. It is zero if no loss depends on
    the blob. Only ops without effects, calls of host functions and `job.return`
    depend on it. `job-autodiff` replaces it, and moves these ops to the end of the
    job. Equal ops may be merged before that: the gradient is then that with respect
    to all of them.

    Example:

    ```mlir
    %1 = job.gradient %0 : !job.blob<100x512xf32>
    ```
  }];
  let arguments = (ins Job_FloatBlob:$operand);
  let results = (outs Job_FloatBlob:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
}

def Job_MinimizeOp : Job_Op<"minimize", [
    AttrSizedOperandSegments, ParentOneOf<["::mlir::job::FuncOp"]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "minimizes the losses with an optimizer";
  let description = [{
    The learning rate is given by `schedule`, with or without `warmup`, or is the
    value `rate` that the job computes. The schedule's step is that of the job or
    the value `step`.

    Gradients are those of the losses times `loss_scale`, and are divided by it
    before the update. With a `dynamic_loss_scale` the scale is the value of a
    variable. Then `clipping` limits their norm, and `weight_decay` is a term of
    the update rule.

    A training job has at least one. With several, each one updates the variables
    of its list `variables`; one of them may have no list and updates those that
    are in no other. No variable is in two lists, and all of them have the same
    loss scale. If each has a list, a variable in none of them is not trained by
    this job.

    Example:

    ```mlir
    job.minimize #job.sgd schedule #job.constant_schedule<0.1>
    job.minimize #job.sgd schedule #job.constant_schedule<0.1> warmup #job.linear_warmup<steps = 10, start = 0.1> {loss_scale = 8.0}
    job.minimize #job.sgd schedule #job.constant_schedule<0.1> {dynamic_loss_scale = #job.dynamic_loss_scale<scale = @scale, good_steps = @good_steps, period = 2000, multiplier = 2.0>}
    job.minimize #job.sgd rate %rate {clipping = #job.clip_by_global_norm<clip_norm = 1.0, legacy = false>, weight_decay = #job.weight_decay<rate = 0.01>, variables = [@weight]}
    ```
  }];
  let arguments = (ins
    Job_InterfaceAttr<"OptimizerAttrInterface", "optimizer">:$optimizer,
    OptionalAttr<Job_InterfaceAttr<"ScheduleAttrInterface", "learning-rate schedule">>:$schedule,
    OptionalAttr<Job_InterfaceAttr<"WarmupAttrInterface", "warm-up">>:$warmup,
    Optional<Job_ScalarF32Blob>:$rate,
    Optional<Job_ScalarI64Blob>:$step,
    DefaultValuedAttr<F64Attr, "1.0">:$loss_scale,
    OptionalAttr<Job_DynamicLossScaleAttr>:$dynamic_loss_scale,
    OptionalAttr<Job_WeightDecayAttr>:$weight_decay,
    OptionalAttr<Job_ClipByGlobalNormAttr>:$clipping,
    OptionalAttr<FlatSymbolRefArrayAttr>:$variables);
  let assemblyFormat = [{
    $optimizer (`schedule` $schedule^)? (`warmup` $warmup^)? (`rate` $rate^)?
    (`step` $step^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Job_UpdateOp : Job_Op<"update", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "updates a variable by the gradient of the losses";
  let description = [{
    Created by `job-autodiff`, one for each trainable variable that a loss depends
    on; `job-optimizer` replaces it by the update rule. The gradient is that of
    the sum of all elements of all losses, times the loss scale.

    Example:

    ```mlir
    job.update @weight, %grad : !job.blob<10x512xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$variable, Job_FloatBlob:$gradient);
  let assemblyFormat = "$variable `,` $gradient attr-dict `:` type($gradient)";
}

#endif // JOBDIALECT_IR_JOBOPTIMIZEROPS_TD
