// RUN: job-opt %s --job-autodiff --job-optimizer --canonicalize --cse | FileCheck %s
// RUN: job-opt %s --job-autodiff --job-optimizer --job-step-counter --job-build-initializer "--job-interpret=steps=5 variables=true" 2>&1 >/dev/null | FileCheck %s --check-prefix=VALUES
// RUN: job-opt %s --job-autodiff --job-build-initializer --job-check-gradients 2>&1 >/dev/null | FileCheck %s --check-prefix=GRADIENTS

// GRADIENTS: remark: {{.*}}agree

// From w = 1, w -= 0.5 * w; the scale of 4 changes nothing, and doubles after 2
// steps and after 4. The fifth is the first of three.
// VALUES: remark: scale = [16]
// VALUES: remark: good_steps = [1]
// VALUES: remark: w = [0.03125, 0.03125]
job.variable @scale : !job.blob<1xf32> init #job.constant_init<4.0> {trainable = false}
job.variable @good_steps : !job.blob<1xi64> init #job.constant_init<0.0> {trainable = false}
job.variable @w : !job.blob<2xf32> init #job.constant_init<1.0>

// The loss is 2 * w^2 / 2 in each element, the mean of two: the gradient is w
// times the scale.
// CHECK-LABEL: job.func @train
// The seed is the scale.
// CHECK:         %[[SEED:.*]] = job.read @scale : <1xf32>
// CHECK:         job.broadcast_in_dim %[[SEED]] {dims = array<i64: 0>} : <1xf32> to <2xf32>
// CHECK:         %[[ABS:.*]] = job.abs %[[G:.*]] : <2xf32>
// CHECK:         %[[MAX:.*]] = job.reduce_max %[[ABS]] {axes = array<i64: 0>} : <2xf32>
// CHECK:         %[[OK:.*]] = job.compare le %[[MAX]], %{{.*}} : <1xf32>
// CHECK:         %[[NEW:.*]] = job.sub
// CHECK:         %[[OKS:.*]] = job.broadcast_in_dim %[[OK]] {dims = array<i64: 0>} : <1xi1> to <2xi1>
// CHECK:         %[[KEPT:.*]] = job.select %[[OKS]], %[[NEW]], %{{.*}} : <2xi1>, <2xf32>
// CHECK:         job.assign @w, %[[KEPT]] : <2xf32>
// CHECK:         job.assign @scale
// CHECK:         job.assign @good_steps
// CHECK-NOT:     job.minimize
job.func @train() kind train {
  %w = job.read @w : !job.blob<2xf32>
  %loss = job.mul %w, %w : !job.blob<2xf32>
  job.loss %loss : !job.blob<2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.5> {dynamic_loss_scale = #job.dynamic_loss_scale<scale = @scale, good_steps = @good_steps, period = 2, multiplier = 2.0>}
  job.return
}
