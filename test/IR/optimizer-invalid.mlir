// RUN: job-opt %s --split-input-file --verify-diagnostics

job.func @f() kind train {
  // expected-error @below {{expects beta to be in [0, 1) but got 1.000000e+00}}
  job.minimize #job.momentum<beta = 1.0> schedule #job.constant_schedule<0.1>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects beta to be in [0, 1) but got nan}}
  job.minimize #job.momentum<beta = 0x7FF8000000000000> schedule #job.constant_schedule<0.1>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects beta1 to be in [0, 1) but got -1.000000e-01}}
  job.minimize #job.adam<beta1 = -0.1, beta2 = 0.9, epsilon = 1.0e-8, bias_correction = true> schedule #job.constant_schedule<0.1>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects beta2 to be in [0, 1) but got 1.000000e+00}}
  job.minimize #job.adam<beta1 = 0.9, beta2 = 1.0, epsilon = 1.0e-8, bias_correction = true> schedule #job.constant_schedule<0.1>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects epsilon to be positive but got 0.000000e+00}}
  job.minimize #job.adam<beta1 = 0.9, beta2 = 0.9, epsilon = 0.0, bias_correction = true> schedule #job.constant_schedule<0.1>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects epsilon to be positive but got INF}}
  job.minimize #job.adam<beta1 = 0.9, beta2 = 0.9, epsilon = 0x7FF0000000000000, bias_correction = true> schedule #job.constant_schedule<0.1>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects the learning rate to be finite but got INF}}
  job.minimize #job.sgd schedule #job.constant_schedule<0x7FF0000000000000>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects one value more than boundaries but got 2 values and 2 boundaries}}
  job.minimize #job.sgd schedule #job.piecewise_constant_schedule<boundaries = [1, 2], values = [0.1, 0.2]>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects boundaries to increase but got 2 before 2}}
  job.minimize #job.sgd schedule #job.piecewise_constant_schedule<boundaries = [2, 2], values = [0.1, 0.2, 0.3]>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects the learning rate to be finite but got nan}}
  job.minimize #job.sgd schedule #job.piecewise_constant_schedule<boundaries = [2], values = [0.1, 0x7FF8000000000000]>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects base to be finite but got nan}}
  job.minimize #job.sgd schedule #job.cosine_schedule<base = 0x7FF8000000000000, steps = 10, alpha = 0.0>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects alpha to be finite but got INF}}
  job.minimize #job.sgd schedule #job.cosine_schedule<base = 0.1, steps = 10, alpha = 0x7FF0000000000000>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects steps to be positive but got 0}}
  job.minimize #job.sgd schedule #job.cosine_schedule<base = 0.1, steps = 0, alpha = 0.0>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects steps to be positive but got -1}}
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> warmup #job.linear_warmup<steps = -1, start = 0.1>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects start to be in [0, 1] but got 1.500000e+00}}
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> warmup #job.linear_warmup<steps = 10, start = 1.5>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects a positive loss scale but got 0.000000e+00}}
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> {loss_scale = 0.0}
  job.return
}

// -----

job.variable @scale : !job.blob<1xf32> init #job.constant_init<1.0> {trainable = false}
job.variable @good_steps : !job.blob<1xi64> init #job.constant_init<0.0> {trainable = false}
job.func @f() kind train {
  // expected-error @below {{expects either a loss scale or a dynamic one but got both}}
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> {loss_scale = 2.0, dynamic_loss_scale = #job.dynamic_loss_scale<scale = @scale, good_steps = @good_steps, period = 2, multiplier = 2.0>}
  job.return
}

// -----

job.variable @scale : !job.blob<1xf32> init #job.constant_init<1.0> {trainable = false}
job.variable @good_steps : !job.blob<1xi64> init #job.constant_init<0.0> {trainable = false} // expected-note {{the variable is here}}
job.func @f() kind train {
  // expected-error @below {{expects @good_steps, a part of the loss scale, to be a variable of type '!job.blob<1xf32>' that is not trainable but got something else}}
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> {dynamic_loss_scale = #job.dynamic_loss_scale<scale = @good_steps, good_steps = @good_steps, period = 2, multiplier = 2.0>}
  job.return
}

// -----

job.variable @scale : !job.blob<1xf32> init #job.constant_init<1.0> {trainable = false}
job.variable @good_steps : !job.blob<1xi64> init #job.constant_init<0.0> {trainable = false}
job.func @f() kind train {
  // expected-error @below {{expects @none, a part of the loss scale, to be a variable of type '!job.blob<1xi64>' that is not trainable but got something else}}
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> {dynamic_loss_scale = #job.dynamic_loss_scale<scale = @scale, good_steps = @none, period = 2, multiplier = 2.0>}
  job.return
}

// -----

// expected-note @below {{the variable is here}}
job.variable @trained : !job.blob<1xf32> init #job.constant_init<1.0>
job.func @f() kind train {
  // expected-error @below {{expects @trained, a part of the loss scale, to be a variable of type '!job.blob<1xf32>' that is not trainable but got something else}}
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> {dynamic_loss_scale = #job.dynamic_loss_scale<scale = @trained, good_steps = @trained, period = 2, multiplier = 2.0>}
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects period to be positive but got 0}}
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> {dynamic_loss_scale = #job.dynamic_loss_scale<scale = @scale, good_steps = @good_steps, period = 0, multiplier = 2.0>}
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects multiplier to be finite and greater than 1 but got 1.000000e+00}}
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> {dynamic_loss_scale = #job.dynamic_loss_scale<scale = @scale, good_steps = @good_steps, period = 2, multiplier = 1.0>}
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects a positive loss scale but got INF}}
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> {loss_scale = 0x7FF0000000000000 : f64}
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{invalid kind of attribute specified}}
  job.minimize #job.constant_schedule<0.1> schedule #job.constant_schedule<0.1>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{invalid kind of attribute specified}}
  job.minimize #job.sgd schedule #job.sgd
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{invalid kind of attribute specified}}
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> warmup #job.sgd
  job.return
}

// -----

// expected-error @below {{expects parent op 'job.func'}}
job.minimize #job.sgd schedule #job.constant_schedule<0.1>

// -----

job.func @f(%x: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4xi32>'}}
  job.loss %x : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>) kind train {
  job.kernel(%a = %x : !job.blob<4xf32>) {
    // expected-error @below {{'job.loss' op expects to stand outside of a job.kernel, whose ops have no effects and no regions}}
    job.loss %a : !job.blob<4xf32>
    job.yield
  }
  job.return
}

// -----

job.func @f(%x: !job.blob<4xf32>) kind predict {
  // expected-error @below {{expects a variable but got @w, which is none}}
  job.update @w, %x : !job.blob<4xf32>
  job.return
}

// -----

// expected-note @below {{the variable is defined here}}
job.variable @w : !job.blob<5xf32> init #job.constant_init<0.0>
job.func @f(%x: !job.blob<4xf32>) kind predict {
  // expected-error @below {{expects type '!job.blob<5xf32>' of variable @w but got '!job.blob<4xf32>'}}
  job.update @w, %x : !job.blob<4xf32>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects steps to be positive but got 0}}
  job.minimize #job.sgd schedule #job.exponential_schedule<base = 0.1, steps = 0, rate = 0.9, staircase = true>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects rate to be positive but got 0.000000e+00}}
  job.minimize #job.sgd schedule #job.exponential_schedule<base = 0.1, steps = 1, rate = 0.0, staircase = true>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects base to be finite but got INF}}
  job.minimize #job.sgd schedule #job.exponential_schedule<base = 0x7FF0000000000000, steps = 1, rate = 0.9, staircase = true>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects rate to be finite but got INF}}
  job.minimize #job.sgd schedule #job.natural_exp_schedule<base = 0.1, steps = 1, rate = 0x7FF0000000000000, staircase = true>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects steps to be positive but got -1}}
  job.minimize #job.sgd schedule #job.natural_exp_schedule<base = 0.1, steps = -1, rate = 1.0, staircase = true>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects rate to be at least 0 but got -1.000000e+00}}
  job.minimize #job.sgd schedule #job.inverse_time_schedule<base = 0.1, steps = 1, rate = -1.0, staircase = true>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects steps to be positive but got 0}}
  job.minimize #job.sgd schedule #job.inverse_time_schedule<base = 0.1, steps = 0, rate = 1.0, staircase = true>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects power to be positive but got 0.000000e+00}}
  job.minimize #job.sgd schedule #job.polynomial_schedule<base = 0.1, steps = 1, end = 0.0, power = 0.0, cycle = true>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects steps to be positive but got 0}}
  job.minimize #job.sgd schedule #job.polynomial_schedule<base = 0.1, steps = 0, end = 0.0, power = 1.0, cycle = true>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects end to be finite but got INF}}
  job.minimize #job.sgd schedule #job.polynomial_schedule<base = 0.1, steps = 1, end = 0x7FF0000000000000, power = 1.0, cycle = true>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects power to be finite but got INF}}
  job.minimize #job.sgd schedule #job.polynomial_schedule<base = 0.1, steps = 1, end = 0.0, power = 0x7FF0000000000000, cycle = true>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects periods to be finite but got INF}}
  job.minimize #job.sgd schedule #job.linear_cosine_schedule<base = 0.1, steps = 1, periods = 0x7FF0000000000000, alpha = 0.0, beta = 0.0>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects alpha to be finite but got INF}}
  job.minimize #job.sgd schedule #job.linear_cosine_schedule<base = 0.1, steps = 1, periods = 0.5, alpha = 0x7FF0000000000000, beta = 0.0>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects beta to be finite but got INF}}
  job.minimize #job.sgd schedule #job.linear_cosine_schedule<base = 0.1, steps = 1, periods = 0.5, alpha = 0.0, beta = 0x7FF0000000000000>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects steps to be positive but got 0}}
  job.minimize #job.sgd schedule #job.linear_cosine_schedule<base = 0.1, steps = 0, periods = 0.5, alpha = 0.0, beta = 0.0>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects steps to be positive but got 0}}
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> warmup #job.constant_warmup<steps = 0, multiplier = 0.5>
  job.return
}

// -----

job.func @f() kind train {
  // expected-error @below {{expects multiplier to be in [0, 1] but got 1.500000e+00}}
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> warmup #job.constant_warmup<steps = 1, multiplier = 1.5>
  job.return
}

// -----

job.func @f(%r: !job.blob<1xf32>) kind train {
  // expected-error @below {{expects decay_rate to be in [0, 1) but got 1.000000e+00}}
  job.minimize #job.rmsprop<decay_rate = 1.0, epsilon = 1.0e-8, centered = false> schedule #job.constant_schedule<0.1>
  job.return
}

// -----

job.func @f(%r: !job.blob<1xf32>) kind train {
  // expected-error @below {{expects epsilon to be positive but got -1.000000e+00}}
  job.minimize #job.rmsprop<decay_rate = 0.9, epsilon = -1.0, centered = false> schedule #job.constant_schedule<0.1>
  job.return
}

// -----

job.func @f(%r: !job.blob<1xf32>) kind train {
  // expected-error @below {{expects beta to be in [0, 1) but got 1.500000e+00}}
  job.minimize #job.lars<beta = 1.5, epsilon = 1.0e-8, coefficient = 0.1> schedule #job.constant_schedule<0.1>
  job.return
}

// -----

job.func @f(%r: !job.blob<1xf32>) kind train {
  // expected-error @below {{expects epsilon to be positive but got 0.000000e+00}}
  job.minimize #job.lars<beta = 0.5, epsilon = 0.0, coefficient = 0.1> schedule #job.constant_schedule<0.1>
  job.return
}

// -----

job.func @f(%r: !job.blob<1xf32>) kind train {
  // expected-error @below {{expects coefficient to be positive but got 0.000000e+00}}
  job.minimize #job.lars<beta = 0.5, epsilon = 1.0e-8, coefficient = 0.0> schedule #job.constant_schedule<0.1>
  job.return
}

// -----

job.func @f(%r: !job.blob<1xf32>) kind train {
  // expected-error @below {{expects beta1 to be in [0, 1) but got 1.000000e+00}}
  job.minimize #job.lamb<beta1 = 1.0, beta2 = 0.5, epsilon = 1.0e-8> schedule #job.constant_schedule<0.1>
  job.return
}

// -----

job.func @f(%r: !job.blob<1xf32>) kind train {
  // expected-error @below {{expects beta2 to be in [0, 1) but got 2.000000e+00}}
  job.minimize #job.lazy_adam<beta1 = 0.5, beta2 = 2.0, epsilon = 1.0e-8> schedule #job.constant_schedule<0.1>
  job.return
}

// -----

job.func @f(%r: !job.blob<1xf32>) kind train {
  // expected-error @below {{expects sparse to be a list of symbols but got [1]}}
  job.minimize #job.lazy_adam<beta1 = 0.5, beta2 = 0.5, epsilon = 1.0e-8, sparse = [1]> schedule #job.constant_schedule<0.1>
  job.return
}

// -----

job.func @f(%r: !job.blob<1xf32>) kind train {
  // expected-error @below {{expects rate to be at least 0 but got -1.000000e+00}}
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> {weight_decay = #job.weight_decay<rate = -1.0>}
  job.return
}

// -----

job.func @f(%r: !job.blob<1xf32>) kind train {
  // expected-error @below {{expects variables to be a list of symbols but got ["w"]}}
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> {weight_decay = #job.weight_decay<rate = 0.5, variables = ["w"]>}
  job.return
}

// -----

job.func @f(%r: !job.blob<1xf32>) kind train {
  // expected-error @below {{expects a list of trainable variables but got @none, which is none}}
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> {weight_decay = #job.weight_decay<rate = 0.5, variables = [@none]>}
  job.return
}

// -----

job.func @f(%r: !job.blob<1xf32>) kind train {
  // expected-error @below {{expects clip_norm to be positive but got 0.000000e+00}}
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> {clipping = #job.clip_by_global_norm<clip_norm = 0.0, legacy = false>}
  job.return
}

// -----

job.func @f(%r: !job.blob<1xf32>) kind train {
  // expected-error @below {{expects a schedule or a rate but got neither}}
  job.minimize #job.sgd
  job.return
}

// -----

job.func @f(%r: !job.blob<1xf32>) kind train {
  // expected-error @below {{expects a schedule or a rate but got both}}
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> rate %r
  job.return
}

// -----

job.func @f(%r: !job.blob<1xf32>) kind train {
  // expected-error @below {{expects no warm-up of a rate that the job computes but got one}}
  job.minimize #job.sgd warmup #job.linear_warmup<steps = 10, start = 0.5> rate %r
  job.return
}

// -----

// expected-note @below {{the variable is here}}
job.variable @fixed : !job.blob<1xf32> init #job.constant_init<1.0> {trainable = false}
job.func @f(%r: !job.blob<1xf32>) kind train {
  // expected-error @below {{expects a list of trainable variables but got @fixed, which is none}}
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> {variables = [@fixed]}
  job.return
}
