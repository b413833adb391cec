//===- JobElementwiseOps.td - Elementwise ops --------------*- tablegen -*-===//
//
// Operands and results have the same shape. Broadcasting is a separate op
// (job.broadcast_in_dim), which costs nothing inside a kernel.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_IR_JOBELEMENTWISEOPS_TD
#define JOBDIALECT_IR_JOBELEMENTWISEOPS_TD

include "JobDialect/IR/JobStructureOps.td"

class Job_UnaryOp<string mnemonic, string what, string formula, Type blob,
                  list<Trait> traits = [], bit folds = 0,
                  string element = !if(!eq(blob.summary, Job_BoolBlob.summary), "i1", "f32")>
    : Job_Op<mnemonic, traits # [Pure, Elementwise, SameOperandsAndResultType, LayoutOpInterface]> {
  let summary = what;
  let description = [{
    }] # formula # [{

    Example:

    ```mlir
    %1 = job.}] # mnemonic # [{ %0 : !job.blob<4x}] # element # [{>
    ```
  }];
  let arguments = (ins blob:$operand);
  let results = (outs blob:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
  let hasFolder = folds;
}

def Job_NegOp : Job_UnaryOp<"neg", "negation", "`-x`. Integers wrap.",
    Job_NumberBlob, [InfersNarrowTypes], /*folds=*/1>;
def Job_AbsOp : Job_UnaryOp<"abs", "absolute value",
    "`|x|`. The gradient at 0 is 0.", Job_NumberBlob, [InfersNarrowTypes],
    /*folds=*/1>;
def Job_ExpOp : Job_UnaryOp<"exp", "exponential", "`e^x`.", Job_FloatBlob>;
def Job_LogOp : Job_UnaryOp<"log", "natural logarithm",
    "`ln x`; NaN below zero, minus infinity at zero.", Job_FloatBlob>;
def Job_SqrtOp : Job_UnaryOp<"sqrt", "square root",
    "`sqrt(x)`; NaN below zero.", Job_FloatBlob>;
def Job_RsqrtOp : Job_UnaryOp<"rsqrt", "reciprocal square root",
    "`1 / sqrt(x)`; NaN below zero, infinity with the sign of the zero at zero.", Job_FloatBlob>;
def Job_CosOp : Job_UnaryOp<"cos", "cosine", "`cos(x)`, x in radians.", Job_FloatBlob>;
def Job_SinOp : Job_UnaryOp<"sin", "sine", "`sin(x)`, x in radians.", Job_FloatBlob>;
def Job_TanhOp : Job_UnaryOp<"tanh", "hyperbolic tangent", "`tanh(x)`.",
    Job_FloatBlob, [InfersNarrowTypes]>;
def Job_SigmoidOp : Job_UnaryOp<"sigmoid", "logistic function",
    "`1 / (1 + e^-x)`.", Job_FloatBlob, [InfersNarrowTypes]>;
def Job_ReluOp : Job_UnaryOp<"relu", "rectified linear unit",
    "`max(x, 0)`; NaN stays NaN. The gradient at 0 is 0.", Job_FloatBlob,
    [InfersNarrowTypes], /*folds=*/1>;
def Job_ErfOp : Job_UnaryOp<"erf", "error function",
    "`2/sqrt(pi)` times the integral of `e^(-t^2)` from 0 to x.", Job_FloatBlob>;
def Job_Expm1Op : Job_UnaryOp<"expm1", "exponential minus one",
    "`e^x - 1`, accurate near zero.", Job_FloatBlob>;
def Job_Log1pOp : Job_UnaryOp<"log1p", "logarithm of one plus x",
    "`ln(1 + x)`, accurate near zero; NaN below -1, minus infinity at -1.",
    Job_FloatBlob>;
def Job_FloorOp : Job_UnaryOp<"floor", "round towards minus infinity",
    "The largest integer that is not greater than x. The gradient is 0.",
    Job_FloatBlob, [InfersNarrowTypes]>;
def Job_CeilOp : Job_UnaryOp<"ceil", "round towards plus infinity",
    "The smallest integer that is not less than x. The gradient is 0.",
    Job_FloatBlob, [InfersNarrowTypes]>;
def Job_RoundOp : Job_UnaryOp<"round", "round to nearest",
    "The nearest integer, ties to even. The gradient is 0.",
    Job_FloatBlob, [InfersNarrowTypes]>;
def Job_SignOp : Job_UnaryOp<"sign", "sign",
    "-1, 0 or 1; NaN stays NaN. The gradient is 0.", Job_NumberBlob,
    [InfersNarrowTypes]>;
def Job_StopGradientOp : Job_UnaryOp<"stop_gradient", "identity without a gradient",
    "x itself. No gradient flows to x; `job-optimizer` removes the op.",
    Job_FloatBlob, [InfersNarrowTypes]>;
def Job_LogicalNotOp : Job_UnaryOp<"logical_not", "logical negation",
    "`!x`.", Job_BoolBlob, [], /*folds=*/1>;
def Job_ErfInvOp : Job_UnaryOp<"erf_inv", "inverse of the error function",
    "The y with `erf(y) = x`, for x in (-1, 1).", Job_FloatBlob>;

def Job_TanOp : Job_UnaryOp<"tan", "tangent", "`tan(x)`, x in radians; NaN for an infinite x.",
    Job_FloatBlob>;
def Job_AcosOp : Job_UnaryOp<"acos", "arc cosine",
    "The angle in [0, pi] whose cosine is x; NaN outside of [-1, 1].",
    Job_FloatBlob>;
def Job_AsinOp : Job_UnaryOp<"asin", "arc sine",
    "The angle in [-pi/2, pi/2] whose sine is x; NaN outside of [-1, 1].",
    Job_FloatBlob>;
def Job_AtanOp : Job_UnaryOp<"atan", "arc tangent",
    "The angle in [-pi/2, pi/2] whose tangent is x.", Job_FloatBlob>;
def Job_CoshOp : Job_UnaryOp<"cosh", "hyperbolic cosine",
    "`(e^x + e^-x) / 2`.", Job_FloatBlob>;
def Job_SinhOp : Job_UnaryOp<"sinh", "hyperbolic sine",
    "`(e^x - e^-x) / 2`, accurate near zero.", Job_FloatBlob>;
def Job_AcoshOp : Job_UnaryOp<"acosh", "inverse hyperbolic cosine",
    "`ln(x + sqrt(x^2 - 1))`, accurate near one; NaN below 1.", Job_FloatBlob>;
def Job_AsinhOp : Job_UnaryOp<"asinh", "inverse hyperbolic sine",
    "`ln(x + sqrt(x^2 + 1))`, accurate near zero and far below it.",
    Job_FloatBlob>;
def Job_AtanhOp : Job_UnaryOp<"atanh", "inverse hyperbolic tangent",
    [{`ln((1 + x) / (1 - x)) / 2`, accurate near zero; infinite at -1 and 1, NaN
    outside of them.}], Job_FloatBlob>;
def Job_ErfcOp : Job_UnaryOp<"erfc", "complement of the error function",
    "`1 - erf(x)`, accurate where the result is small.", Job_FloatBlob>;
def Job_LgammaOp : Job_UnaryOp<"lgamma", "logarithm of the gamma function",
    [{`ln |gamma(x)|`; infinity at infinities and where the gamma function has poles: at
    zero and the integers below. Between poles below zero the error is relative to
    the larger of 1 and the result, as the result has zeros there. The gradient
    is that of `job.digamma`.}], Job_FloatBlob>;
def Job_DigammaOp : Job_UnaryOp<"digamma", "derivative of lgamma",
    [{The logarithmic derivative of the gamma function; NaN at zero, at the integers
    below and at minus infinity. The error is relative to the larger of 1 and the
    result. There is no gradient.}], Job_FloatBlob>;

/// Which gelu it is; not printed if it is the default.
defvar Job_GeluChoice = (ins
    DefaultValuedAttr<Job_GeluApproximationAttr,
                      "::mlir::job::GeluApproximation::None">:$approximate);

class Job_GeluLikeOp<string mnemonic>
    : Job_Op<mnemonic, [Pure, Elementwise, SameOperandsAndResultType,
                        LayoutOpInterface, InfersNarrowTypes]> {
  let results = (outs Job_FloatBlob:$result);
}

def Job_GeluOp : Job_GeluLikeOp<"gelu"> {
  let summary = "Gaussian error linear unit";
  let description = [{
    `x Phi(x)`, that is `x/2 (1 + erf(x / sqrt(2)))` (Hendrycks and Gimpel 2016),
    or with `approximate tanh` the approximation
    `x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))`, which differs from it by less
    than 0.0005; -0 at minus infinity.

    Example:

    ```mlir
    %1 = job.gelu %0 : !job.blob<4xf32>
    %2 = job.gelu %0 approximate tanh : !job.blob<4xf32>
    ```
  }];
  let arguments = !con((ins Job_FloatBlob:$operand), Job_GeluChoice);
  let assemblyFormat = [{
    $operand (`approximate` $approximate^)? attr-dict `:` type($result)
  }];
}

def Job_GeluGradOp : Job_GeluLikeOp<"gelu_grad"> {
  let summary = "gradient of a gelu";
  let description = [{
    `grad` times the derivative of `job.gelu` at `operand`: 0 at minus infinity,
    1 at infinity.

    Example:

    ```mlir
    %2 = job.gelu_grad %0, %1 : !job.blob<4xf32>
    %3 = job.gelu_grad %0, %1 approximate tanh : !job.blob<4xf32>
    ```
  }];
  let arguments = !con((ins Job_FloatBlob:$grad, Job_FloatBlob:$operand),
                       Job_GeluChoice);
  let assemblyFormat = [{
    $grad `,` $operand (`approximate` $approximate^)? attr-dict
    `:` type($result)
  }];
}

class Job_BinaryOp<string mnemonic, string what, string formula, Type blob,
                   list<Trait> traits = [], bit folds = 1,
                   string element = !if(!eq(blob.summary, Job_BoolBlob.summary), "i1", "f32")>
    : Job_Op<mnemonic, traits # [Pure, Elementwise, SameOperandsAndResultType, LayoutOpInterface]> {
  let summary = what;
  let description = [{
    }] # formula # [{

    Example:

    ```mlir
    %2 = job.}] # mnemonic # [{ %0, %1 : !job.blob<4x}] # element # [{>
    ```
  }];
  let arguments = (ins blob:$lhs, blob:$rhs);
  let results = (outs blob:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
  let hasFolder = folds;
}

def Job_AddOp : Job_BinaryOp<"add", "sum", "`x + y`. Integers wrap.",
    Job_NumberBlob, [Commutative, InfersNarrowTypes]>;
def Job_SubOp : Job_BinaryOp<"sub", "difference", "`x - y`. Integers wrap.",
    Job_NumberBlob, [InfersNarrowTypes]>;
def Job_MulOp : Job_BinaryOp<"mul", "product", "`x * y`. Integers wrap.",
    Job_NumberBlob, [Commutative, InfersNarrowTypes]>;
def Job_DivOp : Job_BinaryOp<"div", "quotient", "`x / y`.", Job_FloatBlob,
    [InfersNarrowTypes]>;
def Job_MaximumOp : Job_BinaryOp<"maximum", "elementwise maximum",
    [{`max(x, y)`; NaN if either is NaN. The gradient of a tie goes to x.}],
    Job_NumberBlob, [InfersNarrowTypes]>;
def Job_MinimumOp : Job_BinaryOp<"minimum", "elementwise minimum",
    [{`min(x, y)`; NaN if either is NaN. The gradient of a tie goes to x.}],
    Job_NumberBlob, [InfersNarrowTypes]>;
def Job_PowOp : Job_BinaryOp<"pow", "power",
    [{`x ^ y` as C's `pow` defines it (IEEE 754): of a negative finite `x` NaN unless
    `y` is an integer, 1 where `y` is 0 or `x` is 1, and 1 where `x` is -1 and `y`
    infinite. The gradient of `x` is 0 where `y` is 0; that of `y` is 0 where `x` is 0,
    and NaN for a negative `x`.}], Job_FloatBlob, [], /*folds=*/0>;

def Job_Atan2Op : Job_BinaryOp<"atan2", "arc tangent of a quotient",
    [{The angle in [-pi, pi] of the point with the abscissa `y` and the ordinate `x`:
    the arc tangent of `x / y`, in the quadrant that the signs of both determine,
    those of zeros included (IEEE 754). The gradient at the origin is NaN.}],
    Job_FloatBlob, [], /*folds=*/0>;
def Job_FloorDivOp : Job_BinaryOp<"floor_div", "quotient, rounded down",
    [{The largest integer that is not greater than `x / y`. Of a float divided by
    zero, `x / y`; of an infinity divided by another number, NaN; of an integer divided
    by zero, 0. Integers wrap. The gradient is 0.}], Job_NumberBlob, [], /*folds=*/0>;
def Job_ModOp : Job_BinaryOp<"mod", "remainder of the quotient that is rounded down",
    [{`x - y floor(x / y)`, which is zero or has the sign of `y`. Floats give the
    rounded result of the exact formula if the quotient is below `2^100`; NaN if
    `y` is zero or `x` infinite, `x` or `y` if `y` is infinite. An integer divided
    by zero gives 0. The gradient of `x` is 1, that of `y` is `-floor(x / y)`.}],
    Job_NumberBlob, [], /*folds=*/0>;

def Job_LogicalAndOp : Job_BinaryOp<"logical_and", "logical and",
    "`x && y`.", Job_BoolBlob, [Commutative]>;
def Job_LogicalOrOp : Job_BinaryOp<"logical_or", "logical or",
    "`x || y`.", Job_BoolBlob, [Commutative]>;

def Job_CompareOp : Job_Op<"compare", [
    Pure, Elementwise, SameOperandsAndResultShape, SameTypeOperands,
    LayoutOpInterface, Job_InferTypes]> {
  let summary = "comparison";
  let description = [{
    False if either operand is NaN, except `ne`, which is then true.

    Example:

    ```mlir
    %2 = job.compare gt %0, %1 : !job.blob<4xf32>
    ```
  }];
  let arguments = (ins Job_ComparePredicateAttr:$predicate,
                       Job_NumberBlob:$lhs, Job_NumberBlob:$rhs);
  let results = (outs Job_BoolBlob:$result);
  let assemblyFormat = "$predicate $lhs `,` $rhs attr-dict `:` type($lhs)";
}

def Job_SelectOp : Job_Op<"select", [
    InfersNarrowTypes, Pure, Elementwise, MovedElementsOpInterface, SameOperandsAndResultShape,
    LayoutOpInterface, AllTypesMatch<["on_true", "on_false", "result"]>]> {
  let summary = "elementwise selection";
  let description = [{
    `condition ? on_true : on_false`.

    Example:

    ```mlir
    %3 = job.select %0, %1, %2 : !job.blob<4xi1>, !job.blob<4xf32>
    ```
  }];
  let arguments = (ins Job_BoolBlob:$condition, Job_Blob:$on_true,
                       Job_Blob:$on_false);
  let results = (outs Job_Blob:$result);
  let assemblyFormat = [{
    $condition `,` $on_true `,` $on_false attr-dict
    `:` type($condition) `,` type($on_true)
  }];
  let hasFolder = 1;
}

def Job_CastOp : Job_Op<"cast", [
    Pure, Elementwise, SameOperandsAndResultShape, LayoutOpInterface]> {
  let summary = "conversion of the element type";
  let description = [{
    Conversions to floats round to nearest even. A float is converted to an
    integer by truncation (saturating; NaN gives 0). Conversions between integers
    wrap. An i1 becomes 0 or 1; a conversion to i1 is `x != 0`.

    Example:

    ```mlir
    %1 = job.cast %0 : !job.blob<4xi64> to !job.blob<4xf32>
    ```
  }];
  let arguments = (ins Job_Blob:$operand);
  let results = (outs Job_Blob:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `to` type($result)";
  let hasFolder = 1;
}

#endif // JOBDIALECT_IR_JOBELEMENTWISEOPS_TD
