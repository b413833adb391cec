// RUN: job-opt %s --job-autodiff --job-build-initializer --job-check-gradients -o /dev/null 2>&1 | FileCheck %s
// RUN: job-opt %s --job-autodiff --job-optimizer | FileCheck %s --check-prefix=STATE
// RUN: job-opt %s --job-autodiff --job-optimizer --job-check-lowering -o /dev/null

// Gradients of a variable that is stored with permuted dimensions; each element
// has another one. What an optimizer keeps for it is permuted alike.

// CHECK: remark: seed 1: the gradients of 2 variables of @train agree with central differences in 12 elements

// STATE: job.variable @"weight-momentum" : !job.blob<3x2xf32> init #job.constant_init<0.000000e+00> {permutation = array<i64: 1, 0>, trainable = false}
job.variable @weight : !job.blob<3x2xf32> init #job.random_uniform_init<min = 1.0, max = 2.0> {permutation = array<i64: 1, 0>}

// STATE: job.variable @"columns-momentum" : !job.blob<1x6xf32> init #job.constant_init<0.000000e+00> {expanded_shape = array<i64: 1, 3, 2>, permutation = array<i64: 0, 2, 1>, trainable = false}
job.variable @columns : !job.blob<1x6xf32> init #job.random_uniform_init<min = 1.0, max = 2.0> {permutation = array<i64: 0, 2, 1>, expanded_shape = array<i64: 1, 3, 2>}

job.func @train(%x: !job.blob<3x2xf32>) -> !job.blob<3x2xf32> kind train {
  %w = job.read @weight : !job.blob<3x2xf32>
  %0 = job.exp %w : !job.blob<3x2xf32>
  %c = job.read @columns : !job.blob<1x6xf32>
  %1 = job.reshape %c : !job.blob<1x6xf32> to !job.blob<3x2xf32>
  %2 = job.mul %0, %1 : !job.blob<3x2xf32>
  %y = job.mul %2, %x : !job.blob<3x2xf32>
  job.loss %y : !job.blob<3x2xf32>
  job.minimize #job.momentum<beta = 0.9> schedule #job.constant_schedule<0.1>
  job.return %y : !job.blob<3x2xf32>
}
