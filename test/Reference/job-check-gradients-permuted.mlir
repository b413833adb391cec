// RUN: job-opt %s --job-autodiff --job-build-initializer --job-check-gradients -o /dev/null 2>&1 | FileCheck %s
// RUN: job-opt %s --job-autodiff --job-optimizer | FileCheck %s --check-prefix=STATE
// RUN: job-opt %s --job-autodiff --job-optimizer --job-check-lowering -o /dev/null

// Gradients of a variable that is stored with permuted dimensions; each element
// has another one. What an optimizer keeps for it is permuted alike.

// CHECK: remark: seed 1: the gradients of 1 variable of @train agree with central differences in 6 elements

// STATE: job.variable @"weight-momentum" : !job.blob<3x2xf32> init #job.constant_init<0.000000e+00> {permutation = array<i64: 1, 0>, trainable = false}
job.variable @weight : !job.blob<3x2xf32> init #job.random_uniform_init<min = 1.0, max = 2.0> {permutation = array<i64: 1, 0>}

job.func @train(%x: !job.blob<3x2xf32>) -> !job.blob<3x2xf32> kind train {
  %w = job.read @weight : !job.blob<3x2xf32>
  %0 = job.exp %w : !job.blob<3x2xf32>
  %y = job.mul %0, %x : !job.blob<3x2xf32>
  job.loss %y : !job.blob<3x2xf32>
  job.minimize #job.momentum<beta = 0.9> schedule #job.constant_schedule<0.1>
  job.return %y : !job.blob<3x2xf32>
}
