// RUN: job-opt %s | FileCheck %s
// RUN: job-opt %s | job-opt | FileCheck %s
// RUN: job-opt %s --mlir-print-op-generic | job-opt | FileCheck %s
// RUN: job-opt %s --emit-bytecode | job-opt | FileCheck %s

job.variable @w : !job.blob<4xf32> init #job.constant_init<0.0>

// CHECK-LABEL: job.func @loss(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<4xf32>)
job.func @loss(%x: !job.blob<4xf32>) kind train {
  // CHECK-NEXT: job.loss %[[X]] : <4xf32>
  job.loss %x : !job.blob<4xf32>
  // CHECK-NEXT: job.update @w, %[[X]] : <4xf32>
  job.update @w, %x : !job.blob<4xf32>
  // CHECK-NEXT: job.minimize #job.sgd schedule #job.constant_schedule<1.000000e-01>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @momentum
job.func @momentum() kind train {
  // CHECK-NEXT: job.minimize #job.momentum<beta = 9.000000e-01>
  // CHECK-SAME:   schedule #job.piecewise_constant_schedule<boundaries = [1000, 2000], values = [1.000000e-01, 1.000000e-02, 1.000000e-03]>
  job.minimize #job.momentum<beta = 0.9> schedule #job.piecewise_constant_schedule<boundaries = [1000, 2000], values = [0.1, 0.01, 0.001]>
  job.return
}

// CHECK-LABEL: job.func @no_boundaries
job.func @no_boundaries() kind train {
  // CHECK-NEXT: schedule #job.piecewise_constant_schedule<boundaries = [], values = [1.000000e-01]>
  job.minimize #job.sgd schedule #job.piecewise_constant_schedule<boundaries = [], values = [0.1]>
  job.return
}

// CHECK-LABEL: job.func @adam
job.func @adam() kind train {
  // CHECK-NEXT: job.minimize #job.adam<beta1 = 9.000000e-01, beta2 = 0.99899999999999999, epsilon = 1.000000e-08, bias_correction = true>
  // CHECK-SAME:   schedule #job.cosine_schedule<base = 1.000000e-01, steps = 1000, alpha = 0.000000e+00>
  // CHECK-SAME:   warmup #job.linear_warmup<steps = 10, start = 1.000000e-01> {loss_scale = 8.000000e+00 : f64}
  job.minimize #job.adam<beta1 = 0.9, beta2 = 0.999, epsilon = 1.0e-08, bias_correction = true>
    schedule #job.cosine_schedule<base = 0.1, steps = 1000, alpha = 0.0>
    warmup #job.linear_warmup<steps = 10, start = 0.1> {loss_scale = 8.0}
  job.return
}

job.variable @scale : !job.blob<1xf32> init #job.constant_init<32768.0> {trainable = false}
job.variable @good_steps : !job.blob<1xi64> init #job.constant_init<0.0> {trainable = false}

// CHECK-LABEL: job.func @dynamic_scale
job.func @dynamic_scale() kind train {
  // CHECK-NEXT: job.minimize #job.sgd schedule #job.constant_schedule<1.000000e-01>
  // CHECK-SAME:   {dynamic_loss_scale = #job.dynamic_loss_scale<scale = @scale, good_steps = @good_steps, period = 2000, multiplier = 2.000000e+00>}
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> {dynamic_loss_scale = #job.dynamic_loss_scale<scale = @scale, good_steps = @good_steps, period = 2000, multiplier = 2.0>}
  job.return
}

// A loss scale of 1 is not printed.
// CHECK-LABEL: job.func @scale_one
job.func @scale_one() kind train {
  // CHECK-NEXT: bias_correction = false> schedule #job.constant_schedule<1.000000e-01>{{$}}
  job.minimize #job.adam<beta1 = 0.0, beta2 = 0.0, epsilon = 1.0e-08, bias_correction = false> schedule #job.constant_schedule<0.1> {loss_scale = 1.0}
  job.return
}

// CHECK-LABEL: job.func @exponential
job.func @exponential() kind train {
  // CHECK-NEXT: #job.exponential_schedule<base = 1.000000e-01, steps = 10, rate = 5.000000e-01, staircase = true>
  // CHECK-SAME: warmup #job.constant_warmup<steps = 3, multiplier = 5.000000e-01>
  job.minimize #job.sgd schedule #job.exponential_schedule<base = 0.1, steps = 10, rate = 0.5, staircase = true> warmup #job.constant_warmup<steps = 3, multiplier = 0.5>
  job.return
}

// CHECK-LABEL: job.func @natural_exp
job.func @natural_exp() kind train {
  // CHECK-NEXT: #job.natural_exp_schedule<base = 1.000000e-01, steps = 10, rate = 5.000000e-01, staircase = false>
  job.minimize #job.sgd schedule #job.natural_exp_schedule<base = 0.1, steps = 10, rate = 0.5, staircase = false>
  job.return
}

// CHECK-LABEL: job.func @inverse_time
job.func @inverse_time() kind train {
  // CHECK-NEXT: #job.inverse_time_schedule<base = 1.000000e-01, steps = 10, rate = 0.000000e+00, staircase = false>
  job.minimize #job.sgd schedule #job.inverse_time_schedule<base = 0.1, steps = 10, rate = 0.0, staircase = false>
  job.return
}

// CHECK-LABEL: job.func @polynomial
job.func @polynomial() kind train {
  // CHECK-NEXT: #job.polynomial_schedule<base = 1.000000e-01, steps = 10, end = 1.000000e-04, power = 2.000000e+00, cycle = true>
  job.minimize #job.sgd schedule #job.polynomial_schedule<base = 0.1, steps = 10, end = 0.0001, power = 2.0, cycle = true>
  job.return
}

// CHECK-LABEL: job.func @linear_cosine
job.func @linear_cosine() kind train {
  // CHECK-NEXT: #job.linear_cosine_schedule<base = 1.000000e-01, steps = 10, periods = 5.000000e-01, alpha = 0.000000e+00, beta = 1.000000e-03>
  job.minimize #job.sgd schedule #job.linear_cosine_schedule<base = 0.1, steps = 10, periods = 0.5, alpha = 0.0, beta = 0.001>
  job.return
}

// CHECK-LABEL: job.func @gradient(
job.func @gradient(%x: !job.blob<4xbf16>) -> !job.blob<4xbf16> kind train {
  // CHECK: job.gradient %{{.*}} : <4xbf16>
  %0 = job.gradient %x : !job.blob<4xbf16>
  job.return %0 : !job.blob<4xbf16>
}

// CHECK-LABEL: job.func @lazy_adam
job.func @lazy_adam() kind train {
  // CHECK-NEXT: #job.lazy_adam<beta1 = 5.000000e-01, beta2 = 7.500000e-01, epsilon = 1.000000e-08, sparse = [@w]>
  job.minimize #job.lazy_adam<beta1 = 0.5, beta2 = 0.75, epsilon = 1.0e-08, sparse = [@w]> schedule #job.constant_schedule<0.5> {variables = [@w]}
  // CHECK-NEXT: #job.lazy_adam<beta1 = 5.000000e-01, beta2 = 7.500000e-01, epsilon = 1.000000e-08>
  job.minimize #job.lazy_adam<beta1 = 0.5, beta2 = 0.75, epsilon = 1.0e-08> schedule #job.constant_schedule<0.5>
  job.return
}

// CHECK-LABEL: job.func @layer_wise
job.func @layer_wise() kind train {
  // CHECK-NEXT: #job.lars<beta = 9.000000e-01, epsilon = 1.000000e-09, coefficient = 1.000000e-04> schedule
  // CHECK-SAME: {variables = [@w], weight_decay = #job.weight_decay<rate = 1.250000e-01>}
  job.minimize #job.lars<beta = 0.9, epsilon = 1.0e-09, coefficient = 1.0e-04> schedule #job.constant_schedule<0.5> {variables = [@w], weight_decay = #job.weight_decay<rate = 0.125>}
  // CHECK-NEXT: #job.lamb<beta1 = 5.000000e-01, beta2 = 7.500000e-01, epsilon = 1.000000e-08> schedule
  // CHECK-SAME: {weight_decay = #job.weight_decay<rate = 1.250000e-01, variables = [@w]>}
  job.minimize #job.lamb<beta1 = 0.5, beta2 = 0.75, epsilon = 1.0e-08> schedule #job.constant_schedule<0.5> {weight_decay = #job.weight_decay<rate = 0.125, variables = [@w]>}
  job.return
}

// CHECK-LABEL: job.func @rmsprop
job.func @rmsprop() kind train {
  // CHECK-NEXT: #job.rmsprop<decay_rate = 5.000000e-01, epsilon = 1.000000e-08, centered = true> schedule #job.constant_schedule<5.000000e-01>
  // CHECK-SAME: {clipping = #job.clip_by_global_norm<clip_norm = 2.000000e+00, legacy = false>}
  job.minimize #job.rmsprop<decay_rate = 0.5, epsilon = 1.0e-08, centered = true> schedule #job.constant_schedule<0.5> {clipping = #job.clip_by_global_norm<clip_norm = 2.0, legacy = false>}
  // CHECK-NEXT: job.minimize #job.sgd
  // CHECK-SAME: {clipping = #job.clip_by_global_norm<clip_norm = 2.000000e+00, legacy = false, joint = true>, variables = [@w]}
  job.minimize #job.sgd schedule #job.constant_schedule<0.5> {clipping = #job.clip_by_global_norm<clip_norm = 2.0, legacy = false, joint = true>, variables = [@w]}
  job.return
}

// CHECK-LABEL: job.func @values(
// CHECK-SAME:    %[[RATE:[^ ]*]]: !job.blob<1xf32>, %[[STEP:[^ ]*]]: !job.blob<1xi64>)
job.func @values(%rate: !job.blob<1xf32>, %step: !job.blob<1xi64>) kind train {
  // CHECK-NEXT: job.minimize #job.sgd rate %[[RATE]] {variables = [@w]}
  job.minimize #job.sgd rate %rate {variables = [@w]}
  // CHECK-NEXT: job.minimize #job.sgd rate %[[RATE]] step %[[STEP]] {variables = []}
  job.minimize #job.sgd rate %rate step %step {variables = []}
  // CHECK-NEXT: job.minimize #job.sgd schedule #job.constant_schedule<5.000000e-01> step %[[STEP]]{{$}}
  job.minimize #job.sgd schedule #job.constant_schedule<0.5> step %step
  job.return
}
