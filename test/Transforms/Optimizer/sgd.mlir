// RUN: job-opt %s --job-optimizer | FileCheck %s

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
job.variable @wide : !job.blob<2xf64> init #job.constant_init<1.0>

// The mean of four elements, then w - 0.5 * gradient. Losses and job.minimize
// are gone.
// CHECK-LABEL: job.func @train(%arg0: !job.blob<4xf32>
// CHECK-NOT: job.loss
// CHECK-NOT: job.minimize
// CHECK-DAG: %[[MEAN:.*]] = job.constant dense<2.500000e-01> : tensor<4xf32>
// CHECK-DAG: %[[G:.*]] = job.mul %arg0, %[[MEAN]]
// CHECK-DAG: %[[RATE:.*]] = job.constant dense<5.000000e-01> : tensor<4xf32>
// CHECK-DAG: %[[STEP:.*]] = job.mul %[[G]], %[[RATE]]
// CHECK: %[[W:.*]] = job.read @w
// CHECK: %[[NEW:.*]] = job.sub %[[W]], %[[STEP]]
// CHECK: job.assign @w, %[[NEW]]
// CHECK: job.return
job.func @train(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  job.loss %w : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.5>
  job.update @w, %g : !job.blob<4xf32>
  job.return
}

// 4 elements times a loss scale of 8.
// CHECK-LABEL: job.func @loss_scale
// CHECK: job.constant dense<3.125000e-02> : tensor<4xf32>
job.func @loss_scale(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  job.loss %w : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.5> {loss_scale = 8.0}
  job.update @w, %g : !job.blob<4xf32>
  job.return
}

// A divisor of 1 and a rate of 1 leave nothing but the subtraction; the rate is
// in f64 where the variable is.
// CHECK-LABEL: job.func @unit
// CHECK-NOT: job.mul
// CHECK: job.reduce_sum
// CHECK: %[[W:.*]] = job.read @wide
// CHECK: job.sub %[[W]], %arg0 : <2xf64>
job.func @unit(%g: !job.blob<2xf64>) kind train {
  %w = job.read @wide : !job.blob<2xf64>
  %loss = job.reduce_sum %w {axes = array<i64: 0>} : !job.blob<2xf64>
  job.loss %loss : !job.blob<1xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<1.0>
  job.update @wide, %g : !job.blob<2xf64>
  job.return
}

// Done already: nothing happens.
// CHECK-LABEL: job.func @done
// CHECK-NEXT: job.return
job.func @done() kind train {
  job.return
}
