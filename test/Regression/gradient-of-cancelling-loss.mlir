// RUN: job-opt %s --job-verify --job-autodiff --job-build-initializer --job-check-gradients -o /dev/null 2>&1 | FileCheck %s
// RUN: job-opt %s --job-verify --job-autodiff --job-build-initializer --job-check-gradients=seed=3 -o /dev/null 2>&1 | FileCheck %s

// A loss that is zero for all values of the variable: what is left of its terms
// is rounding, which was taken for a slope.

// CHECK: the gradients of 1 variable of @train agree

job.variable @w : !job.blob<2x2x2xf64> init #job.variance_scaling_init<scale = 0.5, mode = fan_in, distribution = random_normal>

job.func @train() kind train {
  %w = job.read @w : !job.blob<2x2x2xf64>
  %scale = job.reduce_min %w {axes = array<i64: 0, 1>} : !job.blob<2x2x2xf64>
  %shift = job.constant dense<0.0> : tensor<2xf64>
  %y, %mean, %variance = job.batch_norm %w, %scale, %shift {axis = 1 : i64, epsilon = 0.1 : f64} : !job.blob<2x2x2xf64>, !job.blob<2xf64>
  %loss = job.reduce_sum %y {axes = array<i64: 0, 1, 2>, keepdims = true} : !job.blob<2x2x2xf64>
  job.loss %loss : !job.blob<1x1x1xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return
}
