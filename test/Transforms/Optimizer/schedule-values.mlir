// RUN: job-opt %s --job-autodiff --job-optimizer --job-step-counter --job-build-initializer "--job-interpret=steps=6 digits=5" 2>&1 >/dev/null | FileCheck %s

// The loss is the variable, so each step takes the learning rate off it: what
// the jobs return is minus the sum of the rates of the steps before.

job.variable @piecewise : !job.blob<1xf32> init #job.constant_init<0.0>
job.variable @cosine : !job.blob<1xf32> init #job.constant_init<0.0>
job.variable @warmup : !job.blob<1xf32> init #job.constant_init<0.0>

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
