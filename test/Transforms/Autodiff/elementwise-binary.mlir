// RUN: job-opt %s --job-autodiff --canonicalize | FileCheck %s
// RUN: job-opt %s --job-autodiff --job-build-initializer --job-check-gradients

// The loss is %g times the result, so the argument %g, %arg0 when printed, is
// the result's gradient.

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
job.variable @v : !job.blob<4xf32> init #job.constant_init<1.0>

// CHECK-LABEL: job.func @add(%arg0: !job.blob<4xf32>
// CHECK: job.update @w, %arg0
// CHECK: job.update @v, %arg0
job.func @add(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %v = job.read @v : !job.blob<4xf32>
  %y = job.add %w, %v : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @sub(%arg0: !job.blob<4xf32>
// CHECK: %[[DV:.*]] = job.neg %arg0
// CHECK: job.update @w, %arg0
// CHECK: job.update @v, %[[DV]]
job.func @sub(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %v = job.read @v : !job.blob<4xf32>
  %y = job.sub %w, %v : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @mul(%arg0: !job.blob<4xf32>
// CHECK-DAG: %[[W:.*]] = job.read @w
// CHECK-DAG: %[[V:.*]] = job.read @v
// CHECK-DAG: %[[DW:.*]] = job.mul %arg0, %[[V]]
// CHECK-DAG: %[[DV:.*]] = job.mul %arg0, %[[W]]
// CHECK: job.update @w, %[[DW]]
// CHECK: job.update @v, %[[DV]]
job.func @mul(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %v = job.read @v : !job.blob<4xf32>
  %y = job.mul %w, %v : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @div(%arg0: !job.blob<4xf32>
// CHECK-DAG: %[[W:.*]] = job.read @w
// CHECK-DAG: %[[V:.*]] = job.read @v
// CHECK: %[[Y:.*]] = job.div %[[W]], %[[V]]
// CHECK: %[[DW:.*]] = job.div %arg0, %[[V]]
// CHECK: %[[P:.*]] = job.mul %[[DW]], %[[Y]]
// CHECK: %[[DV:.*]] = job.neg %[[P]]
// CHECK: job.update @w, %[[DW]]
// CHECK: job.update @v, %[[DV]]
job.func @div(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %v = job.read @v : !job.blob<4xf32>
  %y = job.div %w, %v : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// Of a tie the left side gets the gradient.
// CHECK-LABEL: job.func @maximum(%arg0: !job.blob<4xf32>
// CHECK-DAG: %[[ZERO:.*]] = job.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-DAG: %[[W:.*]] = job.read @w
// CHECK-DAG: %[[V:.*]] = job.read @v
// CHECK: %[[LEFT:.*]] = job.compare{{ +}}ge %[[W]], %[[V]]
// CHECK-DAG: %[[DW:.*]] = job.select %[[LEFT]], %arg0, %[[ZERO]]
// CHECK-DAG: %[[DV:.*]] = job.select %[[LEFT]], %[[ZERO]], %arg0
// CHECK: job.update @w, %[[DW]]
// CHECK: job.update @v, %[[DV]]
job.func @maximum(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %v = job.read @v : !job.blob<4xf32>
  %y = job.maximum %w, %v : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @minimum(%arg0: !job.blob<4xf32>
// CHECK-DAG: %[[ZERO:.*]] = job.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-DAG: %[[W:.*]] = job.read @w
// CHECK-DAG: %[[V:.*]] = job.read @v
// CHECK: %[[LEFT:.*]] = job.compare{{ +}}le %[[W]], %[[V]]
// CHECK-DAG: %[[DW:.*]] = job.select %[[LEFT]], %arg0, %[[ZERO]]
// CHECK-DAG: %[[DV:.*]] = job.select %[[LEFT]], %[[ZERO]], %arg0
// CHECK: job.update @w, %[[DW]]
// CHECK: job.update @v, %[[DV]]
job.func @minimum(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %v = job.read @v : !job.blob<4xf32>
  %y = job.minimum %w, %v : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @pow(%arg0: !job.blob<4xf32>
// CHECK-DAG: %[[ZERO:.*]] = job.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-DAG: %[[ONE:.*]] = job.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-DAG: %[[W:.*]] = job.read @w
// CHECK-DAG: %[[V:.*]] = job.read @v
// CHECK: %[[Y:.*]] = job.pow %[[W]], %[[V]]
// CHECK: %[[LESS:.*]] = job.sub %[[V]], %[[ONE]]
// CHECK: %[[POW:.*]] = job.pow %[[W]], %[[LESS]]
// CHECK: %[[IS0:.*]] = job.compare{{ +}}eq %[[V]], %[[ZERO]]
// CHECK: %[[F:.*]] = job.mul %[[V]], %[[POW]]
// CHECK: %[[SAFE:.*]] = job.select %[[IS0]], %[[ZERO]], %[[F]]
// CHECK: %[[DW:.*]] = job.mul %arg0, %[[SAFE]]
// CHECK: %[[IS0:.*]] = job.compare{{ +}}eq %[[W]], %[[ZERO]]
// CHECK: %[[BASE:.*]] = job.select %[[IS0]], %[[ONE]], %[[W]]
// CHECK: %[[LOG:.*]] = job.log %[[BASE]]
// CHECK: %[[F:.*]] = job.mul %[[Y]], %[[LOG]]
// CHECK: %[[DV:.*]] = job.mul %arg0, %[[F]]
// CHECK: job.update @w, %[[DW]]
// CHECK: job.update @v, %[[DV]]
job.func @pow(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %v = job.read @v : !job.blob<4xf32>
  %y = job.pow %w, %v : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @pow_constant(%arg0: !job.blob<4xf32>
// CHECK-DAG: %[[TWO:.*]] = job.constant dense<2.000000e+00> : tensor<4xf32>
// CHECK-DAG: %[[THREE:.*]] = job.constant dense<3.000000e+00> : tensor<4xf32>
// CHECK: %[[W:.*]] = job.read @w
// CHECK: %[[POW:.*]] = job.pow %[[W]], %[[TWO]]
// CHECK: %[[F:.*]] = job.mul %[[POW]], %[[THREE]]
// CHECK: %[[D:.*]] = job.mul %arg0, %[[F]]
// CHECK: job.update @w, %[[D]]
job.func @pow_constant(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %e = job.constant dense<3.0> : tensor<4xf32>
  %y = job.pow %w, %e : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// The derivative of x^0 at 0 is 0, not 0 times infinity.
// CHECK-LABEL: job.func @pow_zero(%arg0: !job.blob<4xf32>
// CHECK: %[[ZERO:.*]] = job.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK: %[[D:.*]] = job.mul %arg0, %[[ZERO]]
// CHECK: job.update @w, %[[D]]
job.func @pow_zero(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %e = job.constant dense<0.0> : tensor<4xf32>
  %y = job.pow %w, %e : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @pow_one(%arg0: !job.blob<4xf32>
// CHECK: job.update @w, %arg0
job.func @pow_one(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %e = job.constant dense<1.0> : tensor<4xf32>
  %y = job.pow %w, %e : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @select(%arg0: !job.blob<4xf32>
// CHECK-DAG: %[[ZERO:.*]] = job.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-DAG: %[[DW:.*]] = job.select %arg1, %arg0, %[[ZERO]]
// CHECK-DAG: %[[DV:.*]] = job.select %arg1, %[[ZERO]], %arg0
// CHECK: job.update @w, %[[DW]]
// CHECK: job.update @v, %[[DV]]
job.func @select(%g: !job.blob<4xf32>, %c: !job.blob<4xi1>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %v = job.read @v : !job.blob<4xf32>
  %y = job.select %c, %w, %v : !job.blob<4xi1>, !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// The side that needs no gradient gets none.
// CHECK-LABEL: job.func @one_side(%arg0: !job.blob<4xf32>
// CHECK: %[[D:.*]] = job.div %arg0, %arg1
// CHECK-NOT: job.neg
// CHECK: job.update @w, %[[D]]
job.func @one_side(%g: !job.blob<4xf32>, %x: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %y = job.div %w, %x : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}
