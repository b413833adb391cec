// RUN: job-opt %s --job-optimizer | FileCheck %s

// CHECK: job.variable @w :
// CHECK-NEXT: job.variable @"w-momentum" : !job.blob<1xf32> init #job.constant_init<0.000000e+00> {trainable = false}
// CHECK-NOT: momentum
job.variable @w : !job.blob<1xf32> init #job.constant_init<1.0>

// CHECK-LABEL: job.func @train
// CHECK-DAG: %[[RATE:.*]] = job.constant dense<1.000000e-01>
// CHECK-DAG: %[[STEP:.*]] = job.mul %arg0, %[[RATE]]
// CHECK-DAG: %[[OLD:.*]] = job.read @"w-momentum"
// CHECK-DAG: %[[BETA:.*]] = job.constant dense<0.89999997{{.*}}>
// CHECK-DAG: %[[KEPT:.*]] = job.mul %[[OLD]], %[[BETA]]
// CHECK: %[[M:.*]] = job.sub %[[KEPT]], %[[STEP]]
// CHECK: job.assign @"w-momentum", %[[M]]
// CHECK: %[[W:.*]] = job.read @w :
// CHECK: %[[NEW:.*]] = job.add %[[W]], %[[M]]
// CHECK: job.assign @w, %[[NEW]]
job.func @train(%g: !job.blob<1xf32>) kind train {
  %w = job.read @w : !job.blob<1xf32>
  job.loss %w : !job.blob<1xf32>
  job.minimize #job.momentum<beta = 0.9> schedule #job.constant_schedule<0.1>
  job.update @w, %g : !job.blob<1xf32>
  job.return
}

// A second job that updates the same variable shares its state.
// CHECK-LABEL: job.func @again
// CHECK: job.read @"w-momentum"
job.func @again(%g: !job.blob<1xf32>) kind train {
  %w = job.read @w : !job.blob<1xf32>
  job.loss %w : !job.blob<1xf32>
  job.minimize #job.momentum<beta = 0.5> schedule #job.constant_schedule<0.1>
  job.update @w, %g : !job.blob<1xf32>
  job.return
}
