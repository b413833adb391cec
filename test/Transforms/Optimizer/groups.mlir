// RUN: job-opt %s --job-autodiff | FileCheck %s --check-prefix=GRADIENTS
// RUN: job-opt %s --job-autodiff --job-optimizer --canonicalize --cse | FileCheck %s
// RUN: job-opt %s --job-autodiff --job-build-initializer --job-check-gradients 2>&1 >/dev/null | FileCheck %s --check-prefix=CHECKED

job.variable @a : !job.blob<2xf32> init #job.constant_init<1.0>
job.variable @b : !job.blob<2xf32> init #job.constant_init<1.0>
job.variable @c : !job.blob<2xf32> init #job.constant_init<1.0>

// Each variable by the optimizer that lists it, the others by the one without a
// list, whatever their order.
// CHECKED: remark: {{.*}}agree
// CHECK-LABEL: job.func @optimizers
// CHECK-DAG: %[[HALF:.*]] = job.constant dense<5.000000e-01> : tensor<2xf32>
// CHECK: job.read @"b-momentum"
// CHECK: job.assign @"b-momentum"
// CHECK-NOT: momentum
// CHECK-NOT: job.minimize
job.func @optimizers() kind train {
  %a = job.read @a : !job.blob<2xf32>
  %b = job.read @b : !job.blob<2xf32>
  %0 = job.mul %a, %b : !job.blob<2xf32>
  job.loss %0 : !job.blob<2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.5>
  job.minimize #job.momentum<beta = 0.9> schedule #job.constant_schedule<0.25> {variables = [@b, @c]}
  job.return
}

// A variable in no list is not trained, and no gradient is built for it.
// GRADIENTS-LABEL: job.func @part
// GRADIENTS: job.update @a
// GRADIENTS-NOT: job.update
// GRADIENTS-LABEL: job.func @dynamic
// CHECKED: remark: {{.*}}agree
job.func @part() kind train {
  %a = job.read @a : !job.blob<2xf32>
  %b = job.read @b : !job.blob<2xf32>
  %exp = job.exp %b : !job.blob<2xf32>
  %0 = job.mul %a, %exp : !job.blob<2xf32>
  job.loss %0 : !job.blob<2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.5> {variables = [@a]}
  job.return
}

job.variable @scale : !job.blob<1xf32> init #job.constant_init<4.0> {trainable = false}
job.variable @good_steps : !job.blob<1xi64> init #job.constant_init<0.0> {trainable = false}

// All gradients of the job say whether any of its variables is updated, and the
// scale advances once.
// CHECKED: remark: {{.*}}agree
// CHECK-LABEL: job.func @dynamic
// CHECK: job.reduce_max
// CHECK: job.reduce_max
// CHECK: job.logical_and
// CHECK-COUNT-1: job.assign @scale
// CHECK-NOT: job.assign @scale
// CHECK: job.return
job.func @dynamic() kind train {
  %a = job.read @a : !job.blob<2xf32>
  %b = job.read @b : !job.blob<2xf32>
  %0 = job.mul %a, %b : !job.blob<2xf32>
  job.loss %0 : !job.blob<2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.5> {dynamic_loss_scale = #job.dynamic_loss_scale<scale = @scale, good_steps = @good_steps, period = 2, multiplier = 2.0>, variables = [@a]}
  job.minimize #job.sgd schedule #job.constant_schedule<0.25> {dynamic_loss_scale = #job.dynamic_loss_scale<scale = @scale, good_steps = @good_steps, period = 2, multiplier = 2.0>}
  job.return
}
