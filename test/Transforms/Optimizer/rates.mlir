// RUN: job-opt %s --job-optimizer --canonicalize | FileCheck %s

job.variable @w : !job.blob<1xf32> init #job.constant_init<1.0>

// The rate is a value of the job.
// CHECK-LABEL: job.func @rate(%arg0: !job.blob<1xf32>, %arg1: !job.blob<1xf32>)
// CHECK-NOT: job.step
// CHECK: %[[STEP:.*]] = job.mul %arg1, %arg0
// CHECK: job.sub %{{.*}}, %[[STEP]]
job.func @rate(%g: !job.blob<1xf32>, %rate: !job.blob<1xf32>) kind train {
  %w = job.read @w : !job.blob<1xf32>
  job.loss %w : !job.blob<1xf32>
  job.update @w, %g : !job.blob<1xf32>
  job.minimize #job.sgd rate %rate
  job.return
}

// The step of the schedule and of its warm-up is a value of the job.
// CHECK-LABEL: job.func @step(%arg0: !job.blob<1xf32>, %arg1: !job.blob<1xi64>)
// CHECK-NOT: job.step
// CHECK: job.compare {{.*}} %arg1
job.func @step(%g: !job.blob<1xf32>, %step: !job.blob<1xi64>) kind train {
  %w = job.read @w : !job.blob<1xf32>
  job.loss %w : !job.blob<1xf32>
  job.update @w, %g : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.piecewise_constant_schedule<boundaries = [1], values = [0.5, 0.25]> step %step
  job.return
}
