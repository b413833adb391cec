//===- JobOptimizerAttributes.td - Optimizers, schedules ---*- tablegen -*-===//
//
// Optimizers, learning-rate schedules and warm-ups. Their computation is defined
// by interface models in lib/Transforms/Optimizer, one file each.
//
//===----------------------------------------------------------------------===//

#ifndef JOBDIALECT_IR_JOBOPTIMIZERATTRIBUTES_TD
#define JOBDIALECT_IR_JOBOPTIMIZERATTRIBUTES_TD

include "JobDialect/IR/JobAttributes.td"

class Job_OptimizerAttr<string name, string mnemonic>
    : Job_Attr<name, mnemonic>;
class Job_ScheduleAttr<string name, string mnemonic>
    : Job_Attr<name, mnemonic>;
class Job_WarmupAttr<string name, string mnemonic>
    : Job_Attr<name, mnemonic>;

//===----------------------------------------------------------------------===//
// Optimizers
//===----------------------------------------------------------------------===//

// In the rules, `g` is the gradient and `wd` the rate of the weight decay
// (#job.weight_decay), which is 0 without one.

def Job_SGDAttr : Job_OptimizerAttr<"SGD", "sgd"> {
  let summary = "stochastic gradient descent";
  let description = [{
    `w <- w - lr * (g + wd * w)`.

    Example:

    ```mlir
    #job.sgd
    ```
  }];
}

def Job_MomentumAttr : Job_OptimizerAttr<"Momentum", "momentum"> {
  let summary = "gradient descent with momentum";
  let description = [{
    `m <- beta * m - lr * g`, then `w <- w + m - lr * wd * w`. State:
    `<var>-momentum`, initially zero.

    Example:

    ```mlir
    #job.momentum<beta = 0.9>
    ```
  }];
  let parameters = (ins "::mlir::job::F64":$beta);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Job_AdamAttr : Job_OptimizerAttr<"Adam", "adam"> {
  let summary = "Adam (Kingma and Ba 2015)";
  let description = [{
    `m <- beta1 * m + (1 - beta1) * g`, `v <- beta2 * v + (1 - beta2) * g * g`,
    `w <- w - lr' * (m / (sqrt(v) + epsilon) + wd * w)`. With bias correction, at
    the t-th step counted from 1, `lr' = lr * sqrt(1 - beta2^t) / (1 - beta1^t)`;
    without, `lr' = lr`. With weight decay it is AdamW (Loshchilov and Hutter
    2019). State: `<var>-m` and `<var>-v`, initially zero, and with
    bias correction `<var>-beta1_t` and `<var>-beta2_t`, which are initially
    beta and are multiplied by beta after each use.

    Example:

    ```mlir
    #job.adam<beta1 = 0.9, beta2 = 0.999, epsilon = 1.0e-08, bias_correction = true>
    ```
  }];
  let parameters = (ins "::mlir::job::F64":$beta1, "::mlir::job::F64":$beta2, "::mlir::job::F64":$epsilon,
                        "bool":$bias_correction);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Job_LazyAdamAttr : Job_OptimizerAttr<"LazyAdam", "lazy_adam"> {
  let summary = "Adam that keeps rows without a gradient";
  let description = [{
    `#job.adam` with bias correction. In a variable of the list `sparse`, a row,
    the elements with one index in the first dimension, and its parts of `m` and
    `v` keep their values in a step in which all elements of its gradient are 0.
    These are the rows of a table of embeddings that the step has not read. The
    state is that of `#job.adam`.

    Example:

    ```mlir
    #job.lazy_adam<beta1 = 0.9, beta2 = 0.999, epsilon = 1.0e-08, sparse = [@table]>
    ```
  }];
  let parameters = (ins "::mlir::job::F64":$beta1, "::mlir::job::F64":$beta2, "::mlir::job::F64":$epsilon,
                        OptionalParameter<"::mlir::ArrayAttr">:$sparse);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Job_RMSPropAttr : Job_OptimizerAttr<"RMSProp", "rmsprop"> {
  let summary = "RMSProp (Tieleman and Hinton 2012)";
  let description = [{
    `s <- decay_rate * s + (1 - decay_rate) * g * g`,
    `w <- w - lr * g / sqrt(s + epsilon)`. The centered rule also has
    `a <- decay_rate * a + (1 - decay_rate) * g` and divides by
    `sqrt(max(s - a * a, 0) + epsilon)` (Graves 2013). Weight decay is an error.
    State: `<var>-mean_square`, and if centered `<var>-mean_gradient`, initially
    zero.

    Example:

    ```mlir
    #job.rmsprop<decay_rate = 0.99, epsilon = 1.0e-08, centered = false>
    ```
  }];
  let parameters = (ins "::mlir::job::F64":$decay_rate, "::mlir::job::F64":$epsilon,
                        "bool":$centered);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Job_LARSAttr : Job_OptimizerAttr<"LARS", "lars"> {
  let summary = "layer-wise adaptive rate scaling (You, Gitman and Ginsburg 2017)";
  let description = [{
    `local = lr * coefficient * |w| / (epsilon + |g| + wd * |w|)`, where `|x|` is
    the root mean square of the elements of x, without the term `wd * |w|` at step
    0; `m <- beta * m - local * (g + wd * w)`, then `w <- w + m`. A variable whose
    elements are all 0 keeps them. State: `<var>-momentum`, initially zero.

    Example:

    ```mlir
    #job.lars<beta = 0.9, epsilon = 1.0e-09, coefficient = 1.0e-04>
    ```
  }];
  let parameters = (ins "::mlir::job::F64":$beta, "::mlir::job::F64":$epsilon,
                        "::mlir::job::F64":$coefficient);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Job_LAMBAttr : Job_OptimizerAttr<"LAMB", "lamb"> {
  let summary = "layer-wise adaptive moments (You et al. 2020)";
  let description = [{
    With `m` and `v` as in `#job.adam`, at the t-th step counted from 1,
    `r = (m / (1 - beta1^t)) / sqrt(v / (1 - beta2^t) + epsilon)` and
    `w <- w - lr * ratio * (r + wd * w)`. The ratio is `|w| / |r|`, quotient of the
    Euclidean norms, if both are positive, else 1. State: `<var>-m`, `<var>-v`,
    `<var>-beta1_t` and `<var>-beta2_t`, as of `#job.adam`.

    Example:

    ```mlir
    #job.lamb<beta1 = 0.9, beta2 = 0.999, epsilon = 1.0e-06>
    ```
  }];
  let parameters = (ins "::mlir::job::F64":$beta1, "::mlir::job::F64":$beta2, "::mlir::job::F64":$epsilon);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Gradients and weights, with every optimizer
//===----------------------------------------------------------------------===//

def Job_WeightDecayAttr : Job_Attr<"WeightDecay", "weight_decay"> {
  let summary = "a decay of variables, apart from their gradients";
  let description = [{
    `rate` is the `wd` of the update rules for the variables of the list
    `variables`, or without a list for all. It is at least 0.

    Example:

    ```mlir
    #job.weight_decay<rate = 0.01, variables = [@weight]>
    ```
  }];
  let parameters = (ins "::mlir::job::F64":$rate,
                        OptionalParameter<"::mlir::ArrayAttr">:$variables);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The rate of one variable, 0 for one that is not in the list.
    double getRateOf(::mlir::StringAttr variable);
  }];
}

def Job_ClipByGlobalNormAttr
    : Job_Attr<"ClipByGlobalNorm", "clip_by_global_norm"> {
  let summary = "limits the norm of all gradients";
  let description = [{
    The gradients of the variables that one `job.minimize` updates, those of
    penalties included and without the loss scale, are multiplied by
    `min(1, clip_norm / n)`, where `n` is the Euclidean norm of all their elements.
    If `legacy`, they are divided by `max(n, clip_norm)`, as OneFlow 0.1 to 0.3
    did. If `joint`, `n` is the norm of the gradients of all `job.minimize` ops of
    the job with this attribute.

    Example:

    ```mlir
    #job.clip_by_global_norm<clip_norm = 1.0, legacy = false>
    ```
  }];
  let parameters = (ins "::mlir::job::F64":$clip_norm, "bool":$legacy,
                        DefaultValuedParameter<"bool", "false">:$joint);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Loss scale
//===----------------------------------------------------------------------===//

def Job_DynamicLossScaleAttr
    : Job_Attr<"DynamicLossScale", "dynamic_loss_scale"> {
  let summary = "a loss scale that follows the gradients";
  let description = [{
    `scale` is a variable of type `!job.blob<1xf32>` with the loss scale, and
    `good_steps` one of type `!job.blob<1xi64>`; neither is trainable. If an
    element of a gradient is not finite, no variable is updated, the scale is
    divided by `multiplier` and `good_steps` becomes 0. Otherwise `good_steps` is
    increased by 1; when it reaches `period`, the scale is multiplied by
    `multiplier` and `good_steps` becomes 0. The scale stays between the smallest
    normal and the largest number of `f32`.

    Example:

    ```mlir
    #job.dynamic_loss_scale<scale = @scale, good_steps = @good_steps, period = 2000, multiplier = 2.0>
    ```
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$scale,
                        "::mlir::FlatSymbolRefAttr":$good_steps,
                        "int64_t":$period, "::mlir::job::F64":$multiplier);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Learning-rate schedules, as functions of the step s counted from 0
//===----------------------------------------------------------------------===//

def Job_ConstantScheduleAttr
    : Job_ScheduleAttr<"ConstantSchedule", "constant_schedule"> {
  let summary = "one learning rate for all steps";
  let description = [{
    The learning rate is finite.

    Example:

    ```mlir
    #job.constant_schedule<0.1>
    ```
  }];
  let parameters = (ins "::mlir::job::F64":$learning_rate);
  let assemblyFormat = "`<` $learning_rate `>`";
  let genVerifyDecl = 1;
}

def Job_PiecewiseConstantScheduleAttr
    : Job_ScheduleAttr<"PiecewiseConstantSchedule", "piecewise_constant_schedule"> {
  let summary = "a learning rate for each range of steps";
  let description = [{
    `values[i]` for the first `i` with `s <= boundaries[i]`, else the last
    value. There is one value more than boundaries; boundaries are increasing.

    Example:

    ```mlir
    #job.piecewise_constant_schedule<boundaries = [1000, 2000], values = [0.1, 0.01, 0.001]>
    ```
  }];
  let parameters = (ins "::mlir::DenseI64ArrayAttr":$boundaries,
                        "::mlir::DenseF64ArrayAttr":$values);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Job_CosineScheduleAttr
    : Job_ScheduleAttr<"CosineSchedule", "cosine_schedule"> {
  let summary = "cosine decay of the learning rate (Loshchilov and Hutter 2017)";
  let description = [{
    `base * ((1 - alpha) * (1 + cos(pi * min(s, steps) / steps)) / 2 + alpha)`.

    Example:

    ```mlir
    #job.cosine_schedule<base = 0.1, steps = 1000, alpha = 0.0>
    ```
  }];
  let parameters = (ins "::mlir::job::F64":$base, "int64_t":$steps, "::mlir::job::F64":$alpha);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

class Job_DecayScheduleAttr<string name, string mnemonic>
    : Job_ScheduleAttr<name, mnemonic> {
  let parameters = (ins "::mlir::job::F64":$base, "int64_t":$steps,
                        "::mlir::job::F64":$rate, "bool":$staircase);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Job_ExponentialScheduleAttr
    : Job_DecayScheduleAttr<"ExponentialSchedule", "exponential_schedule"> {
  let summary = "exponential decay of the learning rate";
  let description = [{
    `base * rate ^ (s / steps)`; with `staircase`, `s / steps` is rounded down. The
    rate is positive. Steps of 2^24 and more are rounded to 24 bits.

    Example:

    ```mlir
    #job.exponential_schedule<base = 0.1, steps = 1000, rate = 0.96, staircase = false>
    ```
  }];
}

def Job_NaturalExpScheduleAttr
    : Job_DecayScheduleAttr<"NaturalExpSchedule", "natural_exp_schedule"> {
  let summary = "exponential decay of the learning rate, by a power of e";
  let description = [{
    `base * e ^ (-rate * s / steps)`; with `staircase`, `s / steps` is rounded
    down. Steps of 2^24 and more are rounded to 24 bits.

    Example:

    ```mlir
    #job.natural_exp_schedule<base = 0.1, steps = 1000, rate = 0.5, staircase = true>
    ```
  }];
}

def Job_InverseTimeScheduleAttr
    : Job_DecayScheduleAttr<"InverseTimeSchedule", "inverse_time_schedule"> {
  let summary = "decay of the learning rate by the inverse of time";
  let description = [{
    `base / (1 + rate * s / steps)`; with `staircase`, `s / steps` is rounded down.
    The rate is not negative. Steps of 2^24 and more are rounded to 24 bits.

    Example:

    ```mlir
    #job.inverse_time_schedule<base = 0.1, steps = 1000, rate = 0.5, staircase = false>
    ```
  }];
}

def Job_PolynomialScheduleAttr
    : Job_ScheduleAttr<"PolynomialSchedule", "polynomial_schedule"> {
  let summary = "polynomial decay of the learning rate";
  let description = [{
    `(base - end) * (1 - min(s, steps) / steps) ^ power + end`. With `cycle` it
    starts again from a lower rate each time it has reached `end`:
    `(base - end) * (1 - s / d) ^ power + end`, where `d` is the first positive
    multiple of `steps` that is not below `s`; steps of 2^24 and more are rounded
    to 24 bits. The power is positive.

    Example:

    ```mlir
    #job.polynomial_schedule<base = 0.1, steps = 1000, end = 0.0001, power = 1.0, cycle = false>
    ```
  }];
  let parameters = (ins "::mlir::job::F64":$base, "int64_t":$steps,
                        "::mlir::job::F64":$end, "::mlir::job::F64":$power,
                        "bool":$cycle);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Job_LinearCosineScheduleAttr
    : Job_ScheduleAttr<"LinearCosineSchedule", "linear_cosine_schedule"> {
  let summary = "linear cosine decay of the learning rate (Bello et al. 2017)";
  let description = [{
    `base * ((alpha + (steps - t) / steps) * (1 + cos(2 * pi * periods * t /
    steps)) / 2 + beta)`, where `t = min(s, steps)`.

    Example:

    ```mlir
    #job.linear_cosine_schedule<base = 0.1, steps = 1000, periods = 0.5, alpha = 0.0, beta = 0.001>
    ```
  }];
  let parameters = (ins "::mlir::job::F64":$base, "int64_t":$steps,
                        "::mlir::job::F64":$periods, "::mlir::job::F64":$alpha,
                        "::mlir::job::F64":$beta);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Warm-up
//===----------------------------------------------------------------------===//

def Job_ConstantWarmupAttr : Job_WarmupAttr<"ConstantWarmup", "constant_warmup"> {
  let summary = "a constant part of the learning rate over the first steps";
  let description = [{
    For `s < steps` the rate is the schedule's `base`, or its constant at step 0,
    times `multiplier`; after that it is the schedule's rate at `s`.

    Example:

    ```mlir
    #job.constant_warmup<steps = 100, multiplier = 0.1>
    ```
  }];
  let parameters = (ins "int64_t":$steps, "::mlir::job::F64":$multiplier);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Job_LinearWarmupAttr : Job_WarmupAttr<"LinearWarmup", "linear_warmup"> {
  let summary = "linear increase of the learning rate over the first steps";
  let description = [{
    For `s < steps` the rate is the schedule's `base`, or its constant at step 0,
    times `start + (1 - start) * s / steps`; after that it is the schedule's rate at
    `s`.

    Example:

    ```mlir
    #job.linear_warmup<steps = 100, start = 0.1>
    ```
  }];
  let parameters = (ins "int64_t":$steps, "::mlir::job::F64":$start);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // JOBDIALECT_IR_JOBOPTIMIZERATTRIBUTES_TD
