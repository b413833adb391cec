// RUN: job-opt %s --job-autodiff | FileCheck %s
// RUN: job-opt %s --job-autodiff --mlir-print-debuginfo | FileCheck %s --check-prefix=LOC
// RUN: job-opt %s --job-autodiff --job-build-initializer --job-check-gradients

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
job.variable @v : !job.blob<4xf32> init #job.constant_init<1.0>
job.variable @frozen : !job.blob<4xf32> init #job.constant_init<1.0> {trainable = false}

// Three uses: their gradients are added from the last use to the first.
// CHECK-LABEL: job.func @fan_out
// CHECK: job.minimize
// CHECK: %[[SUM:.*]] = job.add %arg2, %arg1
// CHECK: %[[ALL:.*]] = job.add %[[SUM]], %arg0
// CHECK: job.update @w, %[[ALL]]
job.func @fan_out(%a: !job.blob<4xf32>, %b: !job.blob<4xf32>, %c: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %0 = job.mul %w, %a : !job.blob<4xf32>
  %1 = job.mul %w, %b : !job.blob<4xf32>
  %2 = job.mul %w, %c : !job.blob<4xf32>
  %3 = job.add %0, %1 : !job.blob<4xf32>
  %4 = job.add %3, %2 : !job.blob<4xf32>
  job.loss %4 : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// A variable that is read twice has one update.
// CHECK-LABEL: job.func @read_twice
// CHECK: %[[FIRST:.*]] = job.read @w
// CHECK: %[[SECOND:.*]] = job.read @w
// CHECK: job.minimize
// CHECK: %[[SUM:.*]] = job.add %[[FIRST]], %[[SECOND]]
// CHECK: job.update @w, %[[SUM]]
// CHECK-NOT: job.update
job.func @read_twice() kind train {
  %first = job.read @w : !job.blob<4xf32>
  %second = job.read @w : !job.blob<4xf32>
  %0 = job.mul %first, %second : !job.blob<4xf32>
  job.loss %0 : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// Two losses, each with the loss scale as its seed; the losses stay.
// CHECK-LABEL: job.func @two_losses
// CHECK: %[[W:.*]] = job.read @w
// CHECK: job.loss
// CHECK: job.loss
// CHECK: job.minimize
// CHECK: %[[SECOND:.*]] = job.constant dense<8.000000e+00>
// CHECK: %[[SCALED:.*]] = job.mul %arg0, %[[SECOND]]
// CHECK: %[[FIRST:.*]] = job.constant dense<8.000000e+00>
// CHECK: %[[SUM:.*]] = job.add %[[SCALED]], %[[FIRST]]
// CHECK: job.update @w, %[[SUM]]
job.func @two_losses(%a: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %0 = job.add %w, %a : !job.blob<4xf32>
  job.loss %0 : !job.blob<4xf32>
  %1 = job.mul %w, %a : !job.blob<4xf32>
  job.loss %1 : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> {loss_scale = 8.0}
  job.return
}

// Neither inputs nor frozen variables nor what leads to no loss gets a
// gradient.
// CHECK-LABEL: job.func @pruned
// CHECK: %[[X:.*]] = job.mul %arg0, %{{.*}}
// CHECK: job.minimize
// CHECK-NEXT: job.constant dense<1.000000e+00>
// CHECK-NEXT: job.update @w, %[[X]]
// CHECK-NEXT: job.return
job.func @pruned(%x: !job.blob<4xf32>) -> !job.blob<4xf32> kind train {
  %w = job.read @w : !job.blob<4xf32>
  %v = job.read @v : !job.blob<4xf32>
  %frozen = job.read @frozen : !job.blob<4xf32>
  %0 = job.mul %x, %frozen : !job.blob<4xf32>
  %1 = job.mul %w, %0 : !job.blob<4xf32>
  %2 = job.mul %v, %1 : !job.blob<4xf32>
  job.loss %1 : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return %2 : !job.blob<4xf32>
}

// A variable that is the loss.
// CHECK-LABEL: job.func @direct
// CHECK: %[[SEED:.*]] = job.constant dense<1.000000e+00>
// CHECK-NEXT: job.update @w, %[[SEED]]
job.func @direct() kind train {
  %w = job.read @w : !job.blob<4xf32>
  job.loss %w : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @predict
// CHECK-NEXT: job.return
job.func @predict(%x: !job.blob<4xf32>) -> !job.blob<4xf32> kind predict {
  job.return %x : !job.blob<4xf32>
}

// What is built says what it is for.
// LOC-LABEL: job.func @locations
// LOC: job.neg {{.*}} loc(#[[GRADIENT:loc[0-9]+]])
// LOC: job.update {{.*}} loc(#[[UPDATE:loc[0-9]+]])
// LOC-DAG: #[[OP:loc[0-9]+]] = loc("cosine")
// LOC-DAG: #[[READ:loc[0-9]+]] = loc("weight")
// LOC-DAG: #[[GRADIENT]] = loc(fused<"gradient of">[#[[OP]]])
// LOC-DAG: #[[UPDATE]] = loc(fused<"update of">[#[[READ]]])
job.func @locations(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32> loc("weight")
  %0 = job.cos %w : !job.blob<4xf32> loc("cosine")
  job.loss %0 : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// The gradient of the inputs is that of the region, and none flows to the values.
// No loss depends on the second result.
// CHECK-LABEL: job.func @custom_gradient
// CHECK:         %[[W:.*]] = job.read @w
// CHECK:         %[[EXP:.*]] = job.exp %[[W]]
// CHECK:         job.custom_gradient
// CHECK:         job.minimize
// CHECK:         %[[ONES:.*]] = job.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK:         %[[ZEROS:.*]] = job.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK:         %[[SUM:.*]] = job.add %[[ONES]], %[[ZEROS]]
// CHECK-NEXT:    %[[D:.*]] = job.mul %[[EXP]], %[[SUM]]
// CHECK-NEXT:    job.update @w, %[[D]]
// CHECK-NEXT:    job.return
job.func @custom_gradient(%i: !job.blob<4xi32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %0 = job.exp %w : !job.blob<4xf32>
  %1 = job.neg %w : !job.blob<4xf32>
  %2:2 = job.custom_gradient values(%0, %1 : !job.blob<4xf32>, !job.blob<4xf32>) inputs(%i, %w : !job.blob<4xi32>, !job.blob<4xf32>) {
  ^bb0(%number: !job.blob<4xi32>, %in: !job.blob<4xf32>, %out: !job.blob<4xf32>, %negative: !job.blob<4xf32>, %grad: !job.blob<4xf32>, %other: !job.blob<4xf32>):
    %3 = job.add %grad, %other : !job.blob<4xf32>
    %4 = job.mul %out, %3 : !job.blob<4xf32>
    job.yield %4 : !job.blob<4xf32>
  }
  job.loss %2#0 : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}
