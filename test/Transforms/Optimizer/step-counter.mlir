// RUN: job-opt %s --job-step-counter | FileCheck %s
// RUN: job-opt %s --job-step-counter --job-step-counter | FileCheck %s

// A training job counts although nothing asks.
// CHECK: job.variable @"System-Train-TrainStep-quiet" : !job.blob<1xi64> init #job.constant_init<0.000000e+00> {trainable = false}
// CHECK-LABEL: job.func @quiet
// CHECK-NEXT: %[[STEP:.*]] = job.read @"System-Train-TrainStep-quiet"
// CHECK-NEXT: %[[ONE:.*]] = job.constant dense<1> : tensor<1xi64>
// CHECK-NEXT: %[[NEXT:.*]] = job.add %[[STEP]], %[[ONE]]
// CHECK-NEXT: job.assign @"System-Train-TrainStep-quiet", %[[NEXT]]
// CHECK-NEXT: job.return
job.func @quiet() kind train {
  job.return
}

// CHECK: job.variable @"System-Train-TrainStep-train"
// CHECK-LABEL: job.func @train
// CHECK-NEXT: %[[STEP:.*]] = job.read @"System-Train-TrainStep-train"
// CHECK-NEXT: job.dropout %arg0, %[[STEP]] {id = 1
// CHECK-NEXT: job.dropout %arg0, %[[STEP]] {id = 2
// CHECK: job.assign @"System-Train-TrainStep-train"
// CHECK-NOT: job.assign
job.func @train(%x: !job.blob<4xf32>) kind train {
  %0 = job.step
  %1 = job.dropout %x, %0 {rate = 0.5, seed = 0 : i64, id = 1 : i64} : !job.blob<4xf32>
  %2 = job.step
  %3 = job.dropout %x, %2 {rate = 0.5, seed = 0 : i64, id = 2 : i64} : !job.blob<4xf32>
  job.return
}

// Each job counts for itself, a prediction job only when it asks.
// CHECK: job.variable @"System-Train-TrainStep-draw"
// CHECK-LABEL: job.func @draw
// CHECK: job.read @"System-Train-TrainStep-draw"
// CHECK: job.assign @"System-Train-TrainStep-draw"
job.func @draw() -> !job.blob<1xi64> kind predict {
  %0 = job.step
  job.return %0 : !job.blob<1xi64>
}

// CHECK-NOT: job.variable
// CHECK-LABEL: job.func @predict
// CHECK-NEXT: job.return
job.func @predict() kind predict {
  job.return
}

// Jobs with one counter count together.
// CHECK-NOT: "System-Train-TrainStep-first"
// CHECK: job.variable @steps : !job.blob<1xi64> init #job.constant_init<0.000000e+00> {trainable = false}
// CHECK-LABEL: job.func @first
// CHECK: job.read @steps
// CHECK: job.assign @steps
// CHECK-NOT: job.variable
// CHECK-LABEL: job.func @second
// CHECK: job.read @steps
// CHECK: job.assign @steps
job.func @first() kind train attributes {step_counter = @steps} {
  job.return
}
job.func @second() -> !job.blob<1xi64> kind predict attributes {step_counter = @steps} {
  %0 = job.step
  job.return %0 : !job.blob<1xi64>
}
