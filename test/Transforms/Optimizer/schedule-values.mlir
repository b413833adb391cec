// RUN: job-opt %s --job-autodiff --job-optimizer --job-step-counter --job-build-initializer "--job-interpret=steps=6 digits=5" 2>&1 >/dev/null | FileCheck %s

// The loss is the variable, so each step takes the learning rate off it: what
// the jobs return is minus the sum of the rates of the steps before.

job.variable @piecewise : !job.blob<1xf32> init #job.constant_init<0.0>
job.variable @cosine : !job.blob<1xf32> init #job.constant_init<0.0>
job.variable @warmup : !job.blob<1xf32> init #job.constant_init<0.0>
job.variable @exponential_w : !job.blob<1xf32> init #job.constant_init<0.0>
job.variable @exponential_staircase_w : !job.blob<1xf32> init #job.constant_init<0.0>
job.variable @natural_exp_w : !job.blob<1xf32> init #job.constant_init<0.0>
job.variable @natural_exp_staircase_w : !job.blob<1xf32> init #job.constant_init<0.0>
job.variable @inverse_time_w : !job.blob<1xf32> init #job.constant_init<0.0>
job.variable @inverse_time_staircase_w : !job.blob<1xf32> init #job.constant_init<0.0>
job.variable @polynomial_w : !job.blob<1xf32> init #job.constant_init<0.0>
job.variable @polynomial_cycle_w : !job.blob<1xf32> init #job.constant_init<0.0>
job.variable @linear_cosine_w : !job.blob<1xf32> init #job.constant_init<0.0>
job.variable @constant_warmup_w : !job.blob<1xf32> init #job.constant_init<0.0>

// Rates 4, 4, 2, 1, 1.
// CHECK: result0 = [0]
// CHECK: result0 = [-4]
// CHECK: result0 = [-8]
// CHECK: result0 = [-10]
// CHECK: result0 = [-11]
// CHECK: result0 = [-12]
job.func @piecewise_constant() -> !job.blob<1xf32> kind train {
  %w = job.read @piecewise : !job.blob<1xf32>
  job.loss %w : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.piecewise_constant_schedule<boundaries = [1, 2], values = [4.0, 2.0, 1.0]>
  job.return %w : !job.blob<1xf32>
}

// 2 * ((1 - 0.25) * (1 + cos(pi * min(s, 4) / 4)) / 2 + 0.25): rates 2, 1.7803,
// 1.25, 0.71967, 0.5.
// CHECK: result0 = [0]
// CHECK: result0 = [-2]
// CHECK: result0 = [-3.7803]
// CHECK: result0 = [-5.0303]
// CHECK: result0 = [-5.75]
// CHECK: result0 = [-6.25]
job.func @cosine_decay() -> !job.blob<1xf32> kind train {
  %w = job.read @cosine : !job.blob<1xf32>
  job.loss %w : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.cosine_schedule<base = 2.0, steps = 4, alpha = 0.25>
  job.return %w : !job.blob<1xf32>
}

// 2 * (0.25 + 0.75 * s / 3) for three steps, then the cosine at step 3: rates
// 0.5, 1, 1.5, 0.71967, 0.5.
// CHECK: result0 = [0]
// CHECK: result0 = [-0.5]
// CHECK: result0 = [-1.5]
// CHECK: result0 = [-3]
// CHECK: result0 = [-3.7197]
// CHECK: result0 = [-4.2197]
job.func @linear_warmup() -> !job.blob<1xf32> kind train {
  %w = job.read @warmup : !job.blob<1xf32>
  job.loss %w : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.cosine_schedule<base = 2.0, steps = 4, alpha = 0.25> warmup #job.linear_warmup<steps = 3, start = 0.25>
  job.return %w : !job.blob<1xf32>
}

// 2 * 0.25 ^ (s / 2): rates 2, 1, 0.5, 0.25, 0.125.
// CHECK: result0 = [0]
// CHECK: result0 = [-2]
// CHECK: result0 = [-3]
// CHECK: result0 = [-3.5]
// CHECK: result0 = [-3.75]
// CHECK: result0 = [-3.875]
job.func @exponential() -> !job.blob<1xf32> kind train {
  %w = job.read @exponential_w : !job.blob<1xf32>
  job.loss %w : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.exponential_schedule<base = 2.0, steps = 2, rate = 0.25, staircase = false>
  job.return %w : !job.blob<1xf32>
}

// The same by whole periods: rates 2, 2, 0.5, 0.5, 0.125.
// CHECK: result0 = [0]
// CHECK: result0 = [-2]
// CHECK: result0 = [-4]
// CHECK: result0 = [-4.5]
// CHECK: result0 = [-5]
// CHECK: result0 = [-5.125]
job.func @exponential_staircase() -> !job.blob<1xf32> kind train {
  %w = job.read @exponential_staircase_w : !job.blob<1xf32>
  job.loss %w : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.exponential_schedule<base = 2.0, steps = 2, rate = 0.25, staircase = true>
  job.return %w : !job.blob<1xf32>
}

// 2 * e ^ (-0.5 * s / 2): rates 2, 1.5576, 1.2131, 0.94473, 0.73576.
// CHECK: result0 = [0]
// CHECK: result0 = [-2]
// CHECK: result0 = [-3.5576]
// CHECK: result0 = [-4.7707]
// CHECK: result0 = [-5.7154]
// CHECK: result0 = [-6.4512]
job.func @natural_exp() -> !job.blob<1xf32> kind train {
  %w = job.read @natural_exp_w : !job.blob<1xf32>
  job.loss %w : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.natural_exp_schedule<base = 2.0, steps = 2, rate = 0.5, staircase = false>
  job.return %w : !job.blob<1xf32>
}

// By whole periods: rates 2, 2, 2, 1.2131, 1.2131.
// CHECK: result0 = [0]
// CHECK: result0 = [-2]
// CHECK: result0 = [-4]
// CHECK: result0 = [-6]
// CHECK: result0 = [-7.2131]
// CHECK: result0 = [-8.4261]
job.func @natural_exp_staircase() -> !job.blob<1xf32> kind train {
  %w = job.read @natural_exp_staircase_w : !job.blob<1xf32>
  job.loss %w : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.natural_exp_schedule<base = 2.0, steps = 3, rate = 0.5, staircase = true>
  job.return %w : !job.blob<1xf32>
}

// 2 / (1 + 0.5 * s / 2): rates 2, 1.6, 1.3333, 1.1429, 1.
// CHECK: result0 = [0]
// CHECK: result0 = [-2]
// CHECK: result0 = [-3.6]
// CHECK: result0 = [-4.9333]
// CHECK: result0 = [-6.0762]
// CHECK: result0 = [-7.0762]
job.func @inverse_time() -> !job.blob<1xf32> kind train {
  %w = job.read @inverse_time_w : !job.blob<1xf32>
  job.loss %w : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.inverse_time_schedule<base = 2.0, steps = 2, rate = 0.5, staircase = false>
  job.return %w : !job.blob<1xf32>
}

// By whole periods: rates 2, 2, 1, 1, 0.66667.
// CHECK: result0 = [0]
// CHECK: result0 = [-2]
// CHECK: result0 = [-4]
// CHECK: result0 = [-5]
// CHECK: result0 = [-6]
// CHECK: result0 = [-6.6667]
job.func @inverse_time_staircase() -> !job.blob<1xf32> kind train {
  %w = job.read @inverse_time_staircase_w : !job.blob<1xf32>
  job.loss %w : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.inverse_time_schedule<base = 2.0, steps = 2, rate = 1.0, staircase = true>
  job.return %w : !job.blob<1xf32>
}

// 1.5 * (1 - min(s, 4) / 4) ^ 2 + 0.5: rates 2, 1.34375, 0.875, 0.59375, 0.5.
// CHECK: result0 = [0]
// CHECK: result0 = [-2]
// CHECK: result0 = [-3.3438]
// CHECK: result0 = [-4.2188]
// CHECK: result0 = [-4.8125]
// CHECK: result0 = [-5.3125]
job.func @polynomial() -> !job.blob<1xf32> kind train {
  %w = job.read @polynomial_w : !job.blob<1xf32>
  job.loss %w : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.polynomial_schedule<base = 2.0, steps = 4, end = 0.5, power = 2.0, cycle = false>
  job.return %w : !job.blob<1xf32>
}

// 2 * (1 - s / d) with d = 2, 2, 2, 4, 4: rates 2, 1, 0, 0.5, 0.
// CHECK: result0 = [0]
// CHECK: result0 = [-2]
// CHECK: result0 = [-3]
// CHECK: result0 = [-3]
// CHECK: result0 = [-3.5]
// CHECK: result0 = [-3.5]
job.func @polynomial_cycle() -> !job.blob<1xf32> kind train {
  %w = job.read @polynomial_cycle_w : !job.blob<1xf32>
  job.loss %w : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.polynomial_schedule<base = 2.0, steps = 2, end = 0.0, power = 1.0, cycle = true>
  job.return %w : !job.blob<1xf32>
}

// 2 * ((0.25 + (4 - t) / 4) * (1 + cos(pi * t / 4)) / 2 + 0.125), t = min(s, 4).
// CHECK: result0 = [0]
// CHECK: result0 = [-2.75]
// CHECK: result0 = [-4.7071]
// CHECK: result0 = [-5.7071]
// CHECK: result0 = [-6.1036]
// CHECK: result0 = [-6.3536]
job.func @linear_cosine() -> !job.blob<1xf32> kind train {
  %w = job.read @linear_cosine_w : !job.blob<1xf32>
  job.loss %w : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.linear_cosine_schedule<base = 2.0, steps = 4, periods = 0.5, alpha = 0.25, beta = 0.125>
  job.return %w : !job.blob<1xf32>
}

// A quarter of the base rate for two steps, then 2 / (1 + s).
// CHECK: result0 = [0]
// CHECK: result0 = [-0.5]
// CHECK: result0 = [-1]
// CHECK: result0 = [-1.6667]
// CHECK: result0 = [-2.1667]
// CHECK: result0 = [-2.5667]
job.func @constant_warmup() -> !job.blob<1xf32> kind train {
  %w = job.read @constant_warmup_w : !job.blob<1xf32>
  job.loss %w : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.inverse_time_schedule<base = 2.0, steps = 1, rate = 1.0, staircase = false> warmup #job.constant_warmup<steps = 2, multiplier = 0.25>
  job.return %w : !job.blob<1xf32>
}
