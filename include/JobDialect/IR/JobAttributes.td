//===- JobAttributes.td - Attributes of the job dialect ----*- tablegen -*-===//
//
// Job kinds, initializers. Placement and sharding are in
// JobDistributionAttributes.td, optimizers and learning-rate schedules in
// JobOptimizerAttributes.td.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_IR_JOBATTRIBUTES_TD
#define JOBDIALECT_IR_JOBATTRIBUTES_TD

include "JobDialect/IR/JobBase.td"

class Job_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Job_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

//===----------------------------------------------------------------------===//
// Enums
//===----------------------------------------------------------------------===//

def Job_JobKind : I32Enum<"JobKind", "the kind of a job function", [
    I32EnumCase<"Train", 0, "train">,
    I32EnumCase<"Predict", 1, "predict">,
    I32EnumCase<"Init", 2, "init">]> {
  let cppNamespace = "::mlir::job";
}

def Job_JobKindAttr : EnumAttr<Job_Dialect, Job_JobKind, "kind"> {
  let description = [{
    A `train` job has losses and an optimizer, a `predict` job has neither, and
    the only `init` job of a module initializes all variables.

    Example:

    ```mlir
    #job<kind train>
    ```
  }];
}

/// Names of MemoryPlanner.h's strategies.
def Job_PackingName : Attr<And<[StrAttr.predicate, CPred<[{
      ::llvm::is_contained({"best", "size", "conflicts", "time", "none"},
                           ::llvm::cast<::mlir::StringAttr>($_self).getValue())
    }]>]>, "best, size, conflicts, time or none">;
def Job_PackingAttr : ConfinedAttr<
    TypedArrayAttrBase<Job_PackingName,
                       "array of best, size, conflicts, time or none">,
    [ArrayMinCount<1>]>;

def Job_ComparePredicate : I32Enum<"ComparePredicate", "a comparison", [
    I32EnumCase<"EQ", 0, "eq">, I32EnumCase<"NE", 1, "ne">,
    I32EnumCase<"LT", 2, "lt">, I32EnumCase<"LE", 3, "le">,
    I32EnumCase<"GT", 4, "gt">, I32EnumCase<"GE", 5, "ge">]> {
  let cppNamespace = "::mlir::job";
}
def Job_ComparePredicateAttr
    : EnumAttr<Job_Dialect, Job_ComparePredicate, "predicate"> {
  let description = [{
    Equal, not equal, less, less or equal, greater, greater or equal; compares
    the left with the right operand. Integers are signed.

    Example:

    ```mlir
    #job<predicate lt>
    ```
  }];
}

def Job_GeluApproximation
    : I32Enum<"GeluApproximation", "how a gelu is approximated", [
        I32EnumCase<"None", 0, "none">, I32EnumCase<"Tanh", 1, "tanh">]> {
  let cppNamespace = "::mlir::job";
}
def Job_GeluApproximationAttr
    : EnumAttr<Job_Dialect, Job_GeluApproximation, "gelu_approximation"> {
  let description = [{
    The function that a gelu is: with `none` the exact one, which has an error
    function, with `tanh` the approximation by a hyperbolic tangent.

    Example:

    ```mlir
    #job<gelu_approximation tanh>
    ```
  }];
}

def Job_ImageLayout : I32Enum<"ImageLayout", "the dimensions of images", [
    I32EnumCase<"NCHW", 0, "nchw">, I32EnumCase<"NHWC", 1, "nhwc">]> {
  let cppNamespace = "::mlir::job";
}
def Job_ImageLayoutAttr : EnumAttr<Job_Dialect, Job_ImageLayout, "layout"> {
  let description = [{
    The order of the dimensions of images (batch, channels, height, width) and,
    alike, of filters (outputs, inputs, height, width): `nchw` with OIHW, or `nhwc`
    with OHWI. `job-assign-layouts` chooses it; frontends make `nchw`.

    Example:

    ```mlir
    #job<layout nhwc>
    ```
  }];
}

/// The layout of an op on images; not printed if it is the default.
def Job_DefaultImageLayout
    : DefaultValuedAttr<Job_ImageLayoutAttr, "::mlir::job::ImageLayout::NCHW">;

def Job_FanMode : I32Enum<"FanMode", "which fan scales a variance", [
    I32EnumCase<"FanIn", 0, "fan_in">, I32EnumCase<"FanOut", 1, "fan_out">,
    I32EnumCase<"FanAvg", 2, "fan_avg">]> {
  let cppNamespace = "::mlir::job";
}
def Job_Distribution : I32Enum<"Distribution", "a random distribution", [
    I32EnumCase<"TruncatedNormal", 0, "truncated_normal">,
    I32EnumCase<"RandomNormal", 1, "random_normal">,
    I32EnumCase<"RandomUniform", 2, "random_uniform">]> {
  let cppNamespace = "::mlir::job";
}

//===----------------------------------------------------------------------===//
// Initializers
//===----------------------------------------------------------------------===//

/// Its model of InitializerAttrInterface is in lib/Transforms/Initializer.
class Job_InitializerAttr<string name, string mnemonic>
    : Job_Attr<name, mnemonic>;

def Job_ConstantInitAttr : Job_InitializerAttr<"ConstantInit", "constant_init"> {
  let summary = "initializes every element with one value";
  let description = [{
    The value is rounded to the variable's type.

    Example:

    ```mlir
    #job.constant_init<0.0>
    ```
  }];
  let parameters = (ins "::mlir::job::F64":$value);
  let assemblyFormat = "`<` $value `>`";
}

def Job_DenseInitAttr : Job_InitializerAttr<"DenseInit", "dense_init"> {
  let summary = "initializes every element with a value of its own";
  let description = [{
    The values have the shape and the element type of the variable. They are a
    constant of the artifact.

    Example:

    ```mlir
    #job.dense_init<dense<[1.0, 2.0]> : tensor<2xf32>>
    ```
  }];
  let parameters = (ins "::mlir::DenseElementsAttr":$values);
  let assemblyFormat = "`<` $values `>`";
}

def Job_RandomUniformInitAttr
    : Job_InitializerAttr<"RandomUniformInit", "random_uniform_init"> {
  let summary = "uniform distribution between two bounds";
  let description = [{
    Independent elements between `min` and `max`, which are finite, with
    `min <= max`.

    Example:

    ```mlir
    #job.random_uniform_init<min = -0.1, max = 0.1>
    ```
  }];
  let parameters = (ins "::mlir::job::F64":$min, "::mlir::job::F64":$max);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Job_RandomNormalInitAttr
    : Job_InitializerAttr<"RandomNormalInit", "random_normal_init"> {
  let summary = "normal distribution";
  let description = [{
    Independent elements. With `stddev = 0` every element is the mean.

    Example:

    ```mlir
    #job.random_normal_init<mean = 0.0, stddev = 1.0>
    ```
  }];
  let parameters = (ins "::mlir::job::F64":$mean, "::mlir::job::F64":$stddev);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Job_TruncatedNormalInitAttr
    : Job_InitializerAttr<"TruncatedNormalInit", "truncated_normal_init"> {
  let summary = "normal distribution, truncated at two standard deviations";
  let description = [{
    `stddev` is the standard deviation of the normal distribution before
    truncation.

    Example:

    ```mlir
    #job.truncated_normal_init<mean = 0.0, stddev = 0.1>
    ```
  }];
  let parameters = (ins "::mlir::job::F64":$mean, "::mlir::job::F64":$stddev);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Job_VarianceScalingInitAttr
    : Job_InitializerAttr<"VarianceScalingInit", "variance_scaling_init"> {
  let summary = "distribution scaled by the fan of the variable";
  let description = [{
    The variance is `scale / fan`. The first dimension of a weight is outputs, the
    second inputs, and the other dimensions (the window of a convolution) are
    factors of both fans. The uniform limit is `sqrt(3 * scale / fan)`; the
    truncated normal is scaled by `1 / 0.87962566` so that its variance is correct
    after truncation (He et al. 2015; Glorot and Bengio 2010 is `fan_avg` with
    `scale = 1`).

    Example:

    ```mlir
    #job.variance_scaling_init<scale = 1.0, mode = fan_avg, distribution = random_uniform>
    ```
  }];
  let parameters = (ins "::mlir::job::F64":$scale, EnumParameter<Job_FanMode>:$mode,
                        EnumParameter<Job_Distribution>:$distribution);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // JOBDIALECT_IR_JOBATTRIBUTES_TD
