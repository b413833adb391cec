// RUN: job-opt %s --job-autodiff --job-build-initializer --job-check-gradients 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: job-opt %s --job-autodiff --job-build-initializer --job-check-gradients="seed=7 samples=2" -o /dev/null 2>&1 | FileCheck %s --check-prefix=FEW

// Each job says how much was compared.

// REMARK: job-check-gradients.mlir:[[#@LINE+16]]:1: remark: seed 1: the gradients of 1 variable of @train agree with central differences in 3 elements
// REMARK: remark: seed 1: the gradients of 2 variables of @both agree with central differences in 4 elements
// FEW: remark: seed 7: the gradients of 1 variable of @train agree with central differences in 2 elements
// FEW: remark: seed 7: the gradients of 2 variables of @both agree with central differences in 3 elements

// The module stays as it is, assignments and steps included.

job.variable @weight : !job.blob<3xf32> init #job.random_uniform_init<min = 1.0, max = 2.0>
job.variable @total : !job.blob<3xf32> init #job.constant_init<0.0> {trainable = false}

// CHECK-LABEL: job.func @train
// CHECK: job.assign @total
// CHECK: job.loss
// CHECK: job.minimize
// CHECK: job.update @weight
// CHECK: job.return
job.func @train(%x: !job.blob<3xf32>) -> !job.blob<3xf32> kind train {
  %w = job.read @weight : !job.blob<3xf32>
  %total = job.read @total : !job.blob<3xf32>
  %sum = job.add %total, %x : !job.blob<3xf32>
  job.assign @total, %sum : !job.blob<3xf32>
  %0 = job.read @total : !job.blob<3xf32>
  %step = job.step
  %1 = job.dropout %w, %step {rate = 0.25, seed = 1 : i64, id = 1 : i64} : !job.blob<3xf32>
  %2 = job.exp %1 : !job.blob<3xf32>
  %3 = job.exp %2 : !job.blob<3xf32>
  %y = job.mul %3, %0 : !job.blob<3xf32>
  job.loss %y : !job.blob<3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> {loss_scale = 2.0}
  job.return %y : !job.blob<3xf32>
}

job.variable @bias : !job.blob<1xf32> init #job.constant_init<1.0>

job.func @both() kind train {
  %w = job.read @weight : !job.blob<3xf32>
  %b = job.read @bias : !job.blob<1xf32>
  %sum = job.reduce_sum %w {axes = array<i64: 0>} : !job.blob<3xf32>
  %y = job.mul %sum, %b : !job.blob<1xf32>
  job.loss %y : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}
