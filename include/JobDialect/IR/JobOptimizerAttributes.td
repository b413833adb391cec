//===- JobOptimizerAttributes.td - How a loss is minimized -*- tablegen -*-===//
//
// Optimizers, learning-rate schedules and warm-ups. What each of them computes
// is its model of an interface in lib/Transforms/Optimizer, one file each.
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

def Job_SGDAttr : Job_OptimizerAttr<"SGD", "sgd"> {
  let summary = "stochastic gradient descent";
  let description = [{
    `w <- w - lr * g`.

    Example:

    ```mlir
    #job.sgd
    ```
  }];
}

def Job_MomentumAttr : Job_OptimizerAttr<"Momentum", "momentum"> {
  let summary = "gradient descent with momentum";
  let description = [{
    `m <- beta * m - lr * g`, then `w <- w + m`. State: `<var>-momentum`,
    zero at first.

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
    `w <- w - lr' * m / (sqrt(v) + epsilon)`. With bias correction, at the
    t-th step counted from 1, `lr' = lr * sqrt(1 - beta2^t) / (1 - beta1^t)`;
    without, `lr' = lr`. State: `<var>-m` and `<var>-v`, zero at first, and with
    bias correction `<var>-beta1_t` and `<var>-beta2_t`, which start at beta and
    are multiplied by it after use.

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

//===----------------------------------------------------------------------===//
// Learning-rate schedules, as functions of the step s counted from 0
//===----------------------------------------------------------------------===//

def Job_ConstantScheduleAttr
    : Job_ScheduleAttr<"ConstantSchedule", "constant_schedule"> {
  let summary = "one learning rate for all steps";
  let description = [{
    The same finite number at every step.

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
    value. There is one value more than boundaries, and boundaries increase.

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
  let summary = "half a cosine from the base rate down (Loshchilov and Hutter 2017)";
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

//===----------------------------------------------------------------------===//
// Warm-up
//===----------------------------------------------------------------------===//

def Job_LinearWarmupAttr : Job_WarmupAttr<"LinearWarmup", "linear_warmup"> {
  let summary = "a learning rate that grows over the first steps";
  let description = [{
    While `s < steps` the rate is the schedule's rate at step 0 times
    `start + (1 - start) * s / steps`; afterwards the schedule itself, at `s`.

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
