// RUN: job-opt %s --job-autodiff | FileCheck %s --check-prefix=GRADIENTS
// RUN: job-opt %s --job-autodiff --job-optimizer --canonicalize | FileCheck %s

job.variable @a : !job.blob<2xf32> init #job.constant_init<1.0>
job.variable @b : !job.blob<2xf32> init #job.constant_init<1.0>

// No gradient is built for what only job.stop_gradient depends on.
// GRADIENTS: job.stop_gradient
// GRADIENTS: job.update @b
// GRADIENTS-NOT: job.update
// GRADIENTS-LABEL: job.func @predict
// CHECK-LABEL: job.func @stopped
// CHECK-NOT: job.stop_gradient
// CHECK: job.return
job.func @stopped() kind train {
  %a = job.read @a : !job.blob<2xf32>
  %stopped = job.stop_gradient %a : !job.blob<2xf32>
  %b = job.read @b : !job.blob<2xf32>
  %0 = job.mul %stopped, %b : !job.blob<2xf32>
  job.loss %0 : !job.blob<2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.5>
  job.return
}

// It goes in all jobs.
// CHECK-LABEL: job.func @predict
// CHECK: %[[A:.*]] = job.read @a
// CHECK-NEXT: job.return %[[A]]
job.func @predict() -> !job.blob<2xf32> kind predict {
  %a = job.read @a : !job.blob<2xf32>
  %stopped = job.stop_gradient %a : !job.blob<2xf32>
  job.return %stopped : !job.blob<2xf32>
}
