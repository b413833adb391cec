// RUN: job-opt %s --job-optimizer --canonicalize | FileCheck %s

// A variable of shape 1 and a loss of one element: what multiplies the
// gradient is the learning rate.

job.variable @w : !job.blob<1xf32> init #job.constant_init<1.0>

// CHECK-LABEL: job.func @constant
// CHECK-NOT: job.step
// CHECK: %[[RATE:.*]] = job.constant dense<1.250000e-01>
// CHECK: job.mul %arg0, %[[RATE]]
job.func @constant(%g: !job.blob<1xf32>) kind train {
  %w = job.read @w : !job.blob<1xf32>
  job.loss %w : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.125>
  job.update @w, %g : !job.blob<1xf32>
  job.return
}

// CHECK-LABEL: job.func @piecewise
// CHECK-DAG: %[[FIRST:.*]] = job.constant dense<5.000000e-01>
// CHECK-DAG: %[[SECOND:.*]] = job.constant dense<2.500000e-01>
// CHECK-DAG: %[[LAST:.*]] = job.constant dense<1.250000e-01>
// CHECK-DAG: %[[B0:.*]] = job.constant dense<10> : tensor<1xi64>
// CHECK-DAG: %[[B1:.*]] = job.constant dense<20> : tensor<1xi64>
// CHECK: %[[STEP:.*]] = job.step
// CHECK: %[[IN1:.*]] = job.compare{{ +}}le %[[STEP]], %[[B1]]
// CHECK: %[[TAIL:.*]] = job.select %[[IN1]], %[[SECOND]], %[[LAST]]
// CHECK: %[[IN0:.*]] = job.compare{{ +}}le %[[STEP]], %[[B0]]
// CHECK: %[[RATE:.*]] = job.select %[[IN0]], %[[FIRST]], %[[TAIL]]
// CHECK: job.mul %[[RATE]], %arg0
job.func @piecewise(%g: !job.blob<1xf32>) kind train {
  %w = job.read @w : !job.blob<1xf32>
  job.loss %w : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.piecewise_constant_schedule<boundaries = [10, 20], values = [0.5, 0.25, 0.125]>
  job.update @w, %g : !job.blob<1xf32>
  job.return
}

// 2 * ((1 - 0.25) * (1 + cos(pi * min(s, 4) / 4)) / 2 + 0.25).
// CHECK-LABEL: job.func @cosine
// CHECK-DAG: %[[STEPS:.*]] = job.constant dense<4> : tensor<1xi64>
// CHECK-DAG: %[[ANGLE:.*]] = job.constant dense<0.785398{{.*}}> : tensor<1xf32>
// CHECK-DAG: %[[ONE:.*]] = job.constant dense<1.000000e+00>
// CHECK-DAG: %[[AMPLITUDE:.*]] = job.constant dense<7.500000e-01>
// CHECK-DAG: %[[FLOOR:.*]] = job.constant dense<5.000000e-01>
// CHECK: %[[STEP:.*]] = job.step
// CHECK: %[[DONE:.*]] = job.minimum %[[STEP]], %[[STEPS]]
// CHECK: %[[FLOAT:.*]] = job.cast %[[DONE]] : <1xi64> to <1xf32>
// CHECK: %[[X:.*]] = job.mul %[[FLOAT]], %[[ANGLE]]
// CHECK: %[[COS:.*]] = job.cos %[[X]]
// CHECK: %[[RAISED:.*]] = job.add %[[COS]], %[[ONE]]
// CHECK: %[[PART:.*]] = job.mul %[[RAISED]], %[[AMPLITUDE]]
// CHECK: %[[RATE:.*]] = job.add %[[PART]], %[[FLOOR]]
// CHECK: job.mul %[[RATE]], %arg0
job.func @cosine(%g: !job.blob<1xf32>) kind train {
  %w = job.read @w : !job.blob<1xf32>
  job.loss %w : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.cosine_schedule<base = 2.0, steps = 4, alpha = 0.25>
  job.update @w, %g : !job.blob<1xf32>
  job.return
}

// CHECK-LABEL: job.func @cosine_to_zero
// CHECK: job.cos
// CHECK-NEXT: job.add
// CHECK-NEXT: %[[RATE:.*]] = job.mul
// CHECK-NEXT: job.mul %[[RATE]], %arg0
job.func @cosine_to_zero(%g: !job.blob<1xf32>) kind train {
  %w = job.read @w : !job.blob<1xf32>
  job.loss %w : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.cosine_schedule<base = 3.0, steps = 4, alpha = 0.0>
  job.update @w, %g : !job.blob<1xf32>
  job.return
}

// From 0.5 * 0.25 up to 0.5 over 8 steps, then the schedule itself.
// CHECK-LABEL: job.func @warmup
// CHECK-DAG: %[[RATE:.*]] = job.constant dense<5.000000e-01>
// CHECK-DAG: %[[FIRST:.*]] = job.constant dense<1.250000e-01>
// CHECK-DAG: %[[SLOPE:.*]] = job.constant dense<4.687500e-02>
// CHECK-DAG: %[[STEPS:.*]] = job.constant dense<8> : tensor<1xi64>
// CHECK: %[[STEP:.*]] = job.step
// CHECK: %[[FLOAT:.*]] = job.cast %[[STEP]]
// CHECK: %[[GROWN:.*]] = job.mul %[[FLOAT]], %[[SLOPE]]
// CHECK: %[[WARM:.*]] = job.add %[[GROWN]], %[[FIRST]]
// CHECK: %[[IS:.*]] = job.compare{{ +}}lt %[[STEP]], %[[STEPS]]
// CHECK: %[[ALL:.*]] = job.select %[[IS]], %[[WARM]], %[[RATE]]
// CHECK: job.mul %[[ALL]], %arg0
job.func @warmup(%g: !job.blob<1xf32>) kind train {
  %w = job.read @w : !job.blob<1xf32>
  job.loss %w : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.5> warmup #job.linear_warmup<steps = 8, start = 0.25>
  job.update @w, %g : !job.blob<1xf32>
  job.return
}

// A warm-up grows to the rate of step 0: here the second one, since the first
// range ends before it. From zero there is nothing to add.
// CHECK-LABEL: job.func @warmup_base
// CHECK-DAG: %[[SLOPE:.*]] = job.constant dense<6.250000e-02>
// CHECK: %[[FLOAT:.*]] = job.cast
// CHECK: %[[WARM:.*]] = job.mul %[[FLOAT]], %[[SLOPE]]
// CHECK-NOT: job.add
// CHECK: job.select %{{.*}}, %[[WARM]]
job.func @warmup_base(%g: !job.blob<1xf32>) kind train {
  %w = job.read @w : !job.blob<1xf32>
  job.loss %w : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.piecewise_constant_schedule<boundaries = [-1, 9], values = [4.0, 0.5, 0.25]> warmup #job.linear_warmup<steps = 8, start = 0.0>
  job.update @w, %g : !job.blob<1xf32>
  job.return
}

// The rate is built once for all variables.
job.variable @v : !job.blob<1xf32> init #job.constant_init<1.0>
// CHECK-LABEL: job.func @shared
// CHECK: job.step
// CHECK-NOT: job.step
// CHECK: job.return
job.func @shared(%g: !job.blob<1xf32>) kind train {
  %w = job.read @w : !job.blob<1xf32>
  job.loss %w : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.cosine_schedule<base = 2.0, steps = 4, alpha = 0.25>
  job.update @w, %g : !job.blob<1xf32>
  job.update @v, %g : !job.blob<1xf32>
  job.return
}
