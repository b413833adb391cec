// RUN: job-opt %s --job-autodiff --canonicalize | FileCheck %s
// RUN: job-opt %s --job-autodiff --job-build-initializer --job-check-gradients

// The loss is %g times the result, so the argument %g, %arg0 when printed, is
// the result's gradient.

job.variable @w : !job.blob<4xf32> init #job.constant_init<0.5>
job.variable @above : !job.blob<4xf32> init #job.constant_init<1.5>
job.variable @v : !job.blob<4xf32> init #job.constant_init<0.2>

// CHECK-LABEL: job.func @tan(%arg0: !job.blob<4xf32>
// CHECK-DAG: %[[ONE:.*]] = job.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-DAG: %[[W:.*]] = job.read @w
// CHECK: %[[Y:.*]] = job.tan
// CHECK: %[[SQUARE:.*]] = job.mul %[[Y]], %[[Y]]
// CHECK: %[[SLOPE:.*]] = job.add %[[SQUARE]], %[[ONE]]
// CHECK: %[[D:.*]] = job.mul %arg0, %[[SLOPE]]
// CHECK: job.update @w, %[[D]]
job.func @tan(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %y = job.tan %w : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @asin(%arg0: !job.blob<4xf32>
// CHECK-DAG: %[[ONE:.*]] = job.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-DAG: %[[W:.*]] = job.read @w
// CHECK: %[[LESS:.*]] = job.sub %[[ONE]], %[[W]]
// CHECK: %[[MORE:.*]] = job.add %[[W]], %[[ONE]]
// CHECK: %[[SQUARE:.*]] = job.mul %[[LESS]], %[[MORE]]
// CHECK: %[[ROOT:.*]] = job.sqrt %[[SQUARE]]
// CHECK: %[[D:.*]] = job.div %arg0, %[[ROOT]]
// CHECK: job.update @w, %[[D]]
job.func @asin(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %y = job.asin %w : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @acos(%arg0: !job.blob<4xf32>
// CHECK-DAG: %[[ONE:.*]] = job.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-DAG: %[[W:.*]] = job.read @w
// CHECK: %[[LESS:.*]] = job.sub %[[ONE]], %[[W]]
// CHECK: %[[MORE:.*]] = job.add %[[W]], %[[ONE]]
// CHECK: %[[SQUARE:.*]] = job.mul %[[LESS]], %[[MORE]]
// CHECK: %[[ROOT:.*]] = job.sqrt %[[SQUARE]]
// CHECK: %[[QUOTIENT:.*]] = job.div %arg0, %[[ROOT]]
// CHECK: %[[D:.*]] = job.neg %[[QUOTIENT]]
// CHECK: job.update @w, %[[D]]
job.func @acos(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %y = job.acos %w : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @atan(%arg0: !job.blob<4xf32>
// CHECK-DAG: %[[ONE:.*]] = job.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-DAG: %[[W:.*]] = job.read @w
// CHECK: %[[SQUARE:.*]] = job.mul %[[W]], %[[W]]
// CHECK: %[[SUM:.*]] = job.add %[[SQUARE]], %[[ONE]]
// CHECK: %[[D:.*]] = job.div %arg0, %[[SUM]]
// CHECK: job.update @w, %[[D]]
job.func @atan(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %y = job.atan %w : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @cosh(%arg0: !job.blob<4xf32>
// CHECK-DAG: %[[W:.*]] = job.read @w
// CHECK: %[[SINH:.*]] = job.sinh %[[W]]
// CHECK: %[[D:.*]] = job.mul %arg0, %[[SINH]]
// CHECK: job.update @w, %[[D]]
job.func @cosh(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %y = job.cosh %w : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @sinh(%arg0: !job.blob<4xf32>
// CHECK-DAG: %[[W:.*]] = job.read @w
// CHECK: %[[COSH:.*]] = job.cosh %[[W]]
// CHECK: %[[D:.*]] = job.mul %arg0, %[[COSH]]
// CHECK: job.update @w, %[[D]]
job.func @sinh(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %y = job.sinh %w : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @acosh(%arg0: !job.blob<4xf32>
// CHECK-DAG: %[[ONE:.*]] = job.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-DAG: %[[W:.*]] = job.read @above
// CHECK: %[[LESS:.*]] = job.sub %[[W]], %[[ONE]]
// CHECK: %[[ROOT:.*]] = job.sqrt %[[LESS]]
// CHECK: %[[MORE:.*]] = job.add %[[W]], %[[ONE]]
// CHECK: %[[OTHER:.*]] = job.sqrt %[[MORE]]
// CHECK: %[[PRODUCT:.*]] = job.mul %[[ROOT]], %[[OTHER]]
// CHECK: %[[D:.*]] = job.div %arg0, %[[PRODUCT]]
// CHECK: job.update @above, %[[D]]
job.func @acosh(%g: !job.blob<4xf32>) kind train {
  %w = job.read @above : !job.blob<4xf32>
  %y = job.acosh %w : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @asinh(%arg0: !job.blob<4xf32>
// CHECK-DAG: %[[ONE:.*]] = job.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-DAG: %[[W:.*]] = job.read @w
// CHECK: %[[X:.*]] = job.abs %[[W]]
// CHECK: %[[MAX:.*]] = job.maximum %[[X]], %
// CHECK: %[[MIN:.*]] = job.minimum %[[X]], %
// CHECK: %[[RATIO:.*]] = job.div %[[MIN]], %[[MAX]]
// CHECK: %[[SQUARE:.*]] = job.mul %[[RATIO]], %[[RATIO]]
// CHECK: %[[SUM:.*]] = job.add %[[SQUARE]], %[[ONE]]
// CHECK: %[[SQRT:.*]] = job.sqrt %[[SUM]]
// CHECK: %[[ROOT:.*]] = job.mul %[[MAX]], %[[SQRT]]
// CHECK: %[[D:.*]] = job.div %arg0, %[[ROOT]]
// CHECK: job.update @w, %[[D]]
job.func @asinh(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %y = job.asinh %w : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @atanh(%arg0: !job.blob<4xf32>
// CHECK-DAG: %[[ONE:.*]] = job.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-DAG: %[[W:.*]] = job.read @w
// CHECK: %[[LESS:.*]] = job.sub %[[ONE]], %[[W]]
// CHECK: %[[MORE:.*]] = job.add %[[W]], %[[ONE]]
// CHECK: %[[SQUARE:.*]] = job.mul %[[LESS]], %[[MORE]]
// CHECK: %[[D:.*]] = job.div %arg0, %[[SQUARE]]
// CHECK: job.update @w, %[[D]]
job.func @atanh(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %y = job.atanh %w : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @erfc(%arg0: !job.blob<4xf32>
// CHECK-DAG: %[[FACTOR:.*]] = job.constant dense<-1.12837{{.*}}> : tensor<4xf32>
// CHECK-DAG: %[[W:.*]] = job.read @w
// CHECK: %[[SQUARE:.*]] = job.mul %[[W]], %[[W]]
// CHECK: %[[NEG:.*]] = job.neg %[[SQUARE]]
// CHECK: %[[EXP:.*]] = job.exp %[[NEG]]
// CHECK: %[[SLOPE:.*]] = job.mul %[[EXP]], %[[FACTOR]]
// CHECK: %[[D:.*]] = job.mul %arg0, %[[SLOPE]]
// CHECK: job.update @w, %[[D]]
job.func @erfc(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %y = job.erfc %w : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @lgamma(%arg0: !job.blob<4xf32>
// CHECK-DAG: %[[W:.*]] = job.read @w
// CHECK: %[[SLOPE:.*]] = job.digamma %[[W]]
// CHECK: %[[D:.*]] = job.mul %arg0, %[[SLOPE]]
// CHECK: job.update @w, %[[D]]
job.func @lgamma(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %y = job.lgamma %w : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @atan2(%arg0: !job.blob<4xf32>
// CHECK-DAG: %[[A:.*]] = job.read @w
// CHECK-DAG: %[[B:.*]] = job.read @v
// CHECK-DAG: %[[X:.*]] = job.abs %[[A]]
// CHECK-DAG: %[[Y:.*]] = job.abs %[[B]]
// CHECK-DAG: %[[MAX:.*]] = job.maximum %[[X]], %[[Y]]
// CHECK: %[[ROOT:.*]] = job.mul %[[MAX]], %
// CHECK: %[[QUOTIENT:.*]] = job.div %arg0, %[[ROOT]]
// CHECK: %[[COS:.*]] = job.div %[[B]], %[[ROOT]]
// CHECK: %[[DA:.*]] = job.mul %[[QUOTIENT]], %[[COS]]
// CHECK: %[[SIN:.*]] = job.div %[[A]], %[[ROOT]]
// CHECK: %[[PRODUCT:.*]] = job.mul %[[QUOTIENT]], %[[SIN]]
// CHECK: %[[DB:.*]] = job.neg %[[PRODUCT]]
// CHECK-DAG: job.update @w, %[[DA]]
// CHECK-DAG: job.update @v, %[[DB]]
job.func @atan2(%g: !job.blob<4xf32>) kind train {
  %a = job.read @w : !job.blob<4xf32>
  %b = job.read @v : !job.blob<4xf32>
  %y = job.atan2 %a, %b : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @mod(%arg0: !job.blob<4xf32>
// CHECK-DAG: %[[A:.*]] = job.read @w
// CHECK-DAG: %[[B:.*]] = job.read @v
// CHECK: %[[QUOTIENT:.*]] = job.floor_div %[[A]], %[[B]]
// CHECK: %[[PRODUCT:.*]] = job.mul %arg0, %[[QUOTIENT]]
// CHECK: %[[DB:.*]] = job.neg %[[PRODUCT]]
// CHECK-DAG: job.update @w, %arg0
// CHECK-DAG: job.update @v, %[[DB]]
job.func @mod(%g: !job.blob<4xf32>) kind train {
  %a = job.read @w : !job.blob<4xf32>
  %b = job.read @v : !job.blob<4xf32>
  %y = job.mod %a, %b : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// The quotient's gradient is 0: what is added alone has one.
// CHECK-LABEL: job.func @floor_div(%arg0: !job.blob<4xf32>
// CHECK: job.update @w, %arg0
// CHECK-NOT: job.update @v
job.func @floor_div(%g: !job.blob<4xf32>) kind train {
  %a = job.read @w : !job.blob<4xf32>
  %b = job.read @v : !job.blob<4xf32>
  %q = job.floor_div %a, %b : !job.blob<4xf32>
  %y = job.add %q, %a : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}
