// RUN: job-opt %s --job-autodiff --canonicalize | FileCheck %s
// RUN: job-opt %s --job-autodiff --job-build-initializer --job-check-gradients

// The loss is %g times the result, so the argument %g, %arg0 when printed, is
// the result's gradient.

// Logarithms and roots want positive numbers, kinks want both signs.
job.variable @w : !job.blob<4xf32> init #job.constant_init<0.5>
job.variable @mixed : !job.blob<4xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>

// CHECK-LABEL: job.func @neg(%arg0: !job.blob<4xf32>
// CHECK: %[[D:.*]] = job.neg %arg0
// CHECK: job.update @w, %[[D]]
job.func @neg(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %y = job.neg %w : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @abs(%arg0: !job.blob<4xf32>
// CHECK-DAG: %[[ZERO:.*]] = job.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-DAG: %[[W:.*]] = job.read @mixed
// CHECK-DAG: %[[IS0:.*]] = job.compare{{ +}}eq %[[W]], %[[ZERO]]
// CHECK-DAG: %[[ISNEG:.*]] = job.compare{{ +}}lt %[[W]], %[[ZERO]]
// CHECK: %[[NEG:.*]] = job.neg %arg0
// CHECK: %[[SIGNED:.*]] = job.select %[[ISNEG]], %[[NEG]], %arg0
// CHECK: %[[D:.*]] = job.select %[[IS0]], %[[ZERO]], %[[SIGNED]]
// CHECK: job.update @mixed, %[[D]]
job.func @abs(%g: !job.blob<4xf32>) kind train {
  %w = job.read @mixed : !job.blob<4xf32>
  %y = job.abs %w : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @exp(%arg0: !job.blob<4xf32>
// CHECK: %[[Y:.*]] = job.exp
// CHECK: %[[D:.*]] = job.mul %arg0, %[[Y]]
// CHECK: job.update @w, %[[D]]
job.func @exp(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %y = job.exp %w : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @log(%arg0: !job.blob<4xf32>
// CHECK: %[[W:.*]] = job.read @w
// CHECK: %[[D:.*]] = job.div %arg0, %[[W]]
// CHECK: job.update @w, %[[D]]
job.func @log(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %y = job.log %w : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @sqrt(%arg0: !job.blob<4xf32>
// CHECK: %[[Y:.*]] = job.sqrt
// CHECK: %[[TWICE:.*]] = job.add %[[Y]], %[[Y]]
// CHECK: %[[D:.*]] = job.div %arg0, %[[TWICE]]
// CHECK: job.update @w, %[[D]]
job.func @sqrt(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %y = job.sqrt %w : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @rsqrt(%arg0: !job.blob<4xf32>
// CHECK-DAG: %[[HALF:.*]] = job.constant dense<-5.000000e-01> : tensor<4xf32>
// CHECK: %[[Y:.*]] = job.rsqrt
// CHECK: %[[SQUARE:.*]] = job.mul %[[Y]], %[[Y]]
// CHECK: %[[CUBE:.*]] = job.mul %[[SQUARE]], %[[Y]]
// CHECK: %[[F:.*]] = job.mul %[[CUBE]], %[[HALF]]
// CHECK: %[[D:.*]] = job.mul %arg0, %[[F]]
// CHECK: job.update @w, %[[D]]
job.func @rsqrt(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %y = job.rsqrt %w : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @cos(%arg0: !job.blob<4xf32>
// CHECK: %[[W:.*]] = job.read @w
// CHECK: %[[SIN:.*]] = job.sin %[[W]]
// CHECK: %[[P:.*]] = job.mul %arg0, %[[SIN]]
// CHECK: %[[D:.*]] = job.neg %[[P]]
// CHECK: job.update @w, %[[D]]
job.func @cos(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %y = job.cos %w : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @sin(%arg0: !job.blob<4xf32>
// CHECK: %[[W:.*]] = job.read @w
// CHECK: %[[COS:.*]] = job.cos %[[W]]
// CHECK: %[[D:.*]] = job.mul %arg0, %[[COS]]
// CHECK: job.update @w, %[[D]]
job.func @sin(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %y = job.sin %w : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @tanh(%arg0: !job.blob<4xf32>
// CHECK-DAG: %[[ONE:.*]] = job.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK: %[[Y:.*]] = job.tanh
// CHECK: %[[SQUARE:.*]] = job.mul %[[Y]], %[[Y]]
// CHECK: %[[F:.*]] = job.sub %[[ONE]], %[[SQUARE]]
// CHECK: %[[D:.*]] = job.mul %arg0, %[[F]]
// CHECK: job.update @w, %[[D]]
job.func @tanh(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %y = job.tanh %w : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @sigmoid(%arg0: !job.blob<4xf32>
// CHECK-DAG: %[[ONE:.*]] = job.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK: %[[Y:.*]] = job.sigmoid
// CHECK: %[[OTHER:.*]] = job.sub %[[ONE]], %[[Y]]
// CHECK: %[[F:.*]] = job.mul %[[Y]], %[[OTHER]]
// CHECK: %[[D:.*]] = job.mul %arg0, %[[F]]
// CHECK: job.update @w, %[[D]]
job.func @sigmoid(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %y = job.sigmoid %w : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @relu(%arg0: !job.blob<4xf32>
// CHECK-DAG: %[[ZERO:.*]] = job.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK: %[[Y:.*]] = job.relu
// CHECK: %[[POSITIVE:.*]] = job.compare{{ +}}gt %[[Y]], %[[ZERO]]
// CHECK: %[[D:.*]] = job.select %[[POSITIVE]], %arg0, %[[ZERO]]
// CHECK: job.update @mixed, %[[D]]
job.func @relu(%g: !job.blob<4xf32>) kind train {
  %w = job.read @mixed : !job.blob<4xf32>
  %y = job.relu %w : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @erf(%arg0: !job.blob<4xf32>
// CHECK-DAG: %[[FACTOR:.*]] = job.constant dense<1.12837{{.*}}> : tensor<4xf32>
// CHECK-DAG: %[[W:.*]] = job.read @w
// CHECK: %[[SQUARE:.*]] = job.mul %[[W]], %[[W]]
// CHECK: %[[NEG:.*]] = job.neg %[[SQUARE]]
// CHECK: %[[EXP:.*]] = job.exp %[[NEG]]
// CHECK: %[[SLOPE:.*]] = job.mul %[[EXP]], %[[FACTOR]]
// CHECK: %[[D:.*]] = job.mul %arg0, %[[SLOPE]]
// CHECK: job.update @w, %[[D]]
job.func @erf(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %y = job.erf %w : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @gelu(%arg0: !job.blob<4xf32>
// CHECK: %[[W:.*]] = job.read @w
// CHECK: %[[D:.*]] = job.gelu_grad %arg0, %[[W]] : <4xf32>
// CHECK: job.update @w, %[[D]]
job.func @gelu(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %y = job.gelu %w : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @gelu_tanh(%arg0: !job.blob<4xf32>
// CHECK: %[[W:.*]] = job.read @w
// CHECK: %[[D:.*]] = job.gelu_grad %arg0, %[[W]] approximate tanh : <4xf32>
// CHECK: job.update @w, %[[D]]
job.func @gelu_tanh(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %y = job.gelu %w approximate tanh : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @expm1(%arg0: !job.blob<4xf32>
// CHECK-DAG: %[[ONE:.*]] = job.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-DAG: %[[Y:.*]] = job.expm1
// CHECK: %[[SLOPE:.*]] = job.add %[[Y]], %[[ONE]]
// CHECK: %[[D:.*]] = job.mul %arg0, %[[SLOPE]]
// CHECK: job.update @w, %[[D]]
job.func @expm1(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %y = job.expm1 %w : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @log1p(%arg0: !job.blob<4xf32>
// CHECK-DAG: %[[ONE:.*]] = job.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-DAG: %[[W:.*]] = job.read @w
// CHECK: %[[SUM:.*]] = job.add %[[W]], %[[ONE]]
// CHECK: %[[D:.*]] = job.div %arg0, %[[SUM]]
// CHECK: job.update @w, %[[D]]
job.func @log1p(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %y = job.log1p %w : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// Step functions give nothing.
// CHECK-LABEL: job.func @step_functions(%arg0: !job.blob<4xf32>
// CHECK: job.update @w, %arg0
job.func @step_functions(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %0 = job.floor %w : !job.blob<4xf32>
  %1 = job.ceil %w : !job.blob<4xf32>
  %2 = job.round %w : !job.blob<4xf32>
  %3 = job.sign %w : !job.blob<4xf32>
  %4 = job.add %0, %1 : !job.blob<4xf32>
  %5 = job.add %2, %3 : !job.blob<4xf32>
  %6 = job.add %4, %5 : !job.blob<4xf32>
  %y = job.add %6, %w : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @erf_inv(%arg0: !job.blob<4xf32>
// CHECK-DAG: %[[HALF:.*]] = job.constant dense<0.886226{{.*}}> : tensor<4xf32>
// CHECK: %[[Y:.*]] = job.erf_inv
// CHECK: %[[SQUARE:.*]] = job.mul %[[Y]], %[[Y]]
// CHECK: %[[EXP:.*]] = job.exp %[[SQUARE]]
// CHECK: %[[F:.*]] = job.mul %[[EXP]], %[[HALF]]
// CHECK: %[[D:.*]] = job.mul %arg0, %[[F]]
// CHECK: job.update @w, %[[D]]
job.func @erf_inv(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %y = job.erf_inv %w : !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @cast(%arg0: !job.blob<4xf32>
// CHECK: %[[Y:.*]] = job.exp
// CHECK: %[[WIDE:.*]] = job.cast %arg0 : <4xf32> to <4xf64>
// CHECK: %[[P:.*]] = job.mul %[[WIDE]], %[[Y]]
// CHECK: %[[D:.*]] = job.cast %[[P]] : <4xf64> to <4xf32>
// CHECK: job.update @w, %[[D]]
job.func @cast(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  %0 = job.cast %w : !job.blob<4xf32> to !job.blob<4xf64>
  %1 = job.exp %0 : !job.blob<4xf64>
  %y = job.cast %1 : !job.blob<4xf64> to !job.blob<4xf32>
  %loss = job.mul %y, %g : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}
