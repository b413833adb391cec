// RUN: job-opt %s --job-autodiff --canonicalize | FileCheck %s
// RUN: job-opt %s --job-autodiff --job-build-initializer --job-check-gradients

// The loss is %g times the result, so the argument %g, %arg0 when printed, is
// the result's gradient.

job.variable @w : !job.blob<2x3xf32> init #job.constant_init<1.0>
job.variable @wt : !job.blob<3x2xf32> init #job.constant_init<1.0>
job.variable @v : !job.blob<3x4xf32> init #job.constant_init<1.0>
job.variable @vt : !job.blob<4x3xf32> init #job.constant_init<1.0>

// CHECK-LABEL: job.func @plain(%arg0: !job.blob<2x4xf32>
// CHECK-DAG: %[[A:.*]] = job.read @w :
// CHECK-DAG: %[[B:.*]] = job.read @v :
// CHECK-DAG: %[[DA:.*]] = job.matmul %arg0, %[[B]] {transpose_rhs = true} : <2x4xf32>, <3x4xf32>
// CHECK-DAG: %[[DB:.*]] = job.matmul %[[A]], %arg0 {transpose_lhs = true} : <2x3xf32>, <2x4xf32>
// CHECK: job.update @w, %[[DA]]
// CHECK: job.update @v, %[[DB]]
job.func @plain(%g: !job.blob<2x4xf32>) kind train {
  %a = job.read @w : !job.blob<2x3xf32>
  %b = job.read @v : !job.blob<3x4xf32>
  %y = job.matmul %a, %b : !job.blob<2x3xf32>, !job.blob<3x4xf32>
  %loss = job.mul %y, %g : !job.blob<2x4xf32>
  job.loss %loss : !job.blob<2x4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @transpose_rhs(%arg0: !job.blob<2x4xf32>
// CHECK-DAG: %[[A:.*]] = job.read @w :
// CHECK-DAG: %[[B:.*]] = job.read @vt :
// CHECK-DAG: %[[DA:.*]] = job.matmul %arg0, %[[B]] : <2x4xf32>, <4x3xf32>
// CHECK-DAG: %[[DB:.*]] = job.matmul %arg0, %[[A]] {transpose_lhs = true} : <2x4xf32>, <2x3xf32>
// CHECK: job.update @w, %[[DA]]
// CHECK: job.update @vt, %[[DB]]
job.func @transpose_rhs(%g: !job.blob<2x4xf32>) kind train {
  %a = job.read @w : !job.blob<2x3xf32>
  %b = job.read @vt : !job.blob<4x3xf32>
  %y = job.matmul %a, %b {transpose_rhs = true} : !job.blob<2x3xf32>, !job.blob<4x3xf32>
  %loss = job.mul %y, %g : !job.blob<2x4xf32>
  job.loss %loss : !job.blob<2x4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @transpose_lhs(%arg0: !job.blob<2x4xf32>
// CHECK-DAG: %[[A:.*]] = job.read @wt :
// CHECK-DAG: %[[B:.*]] = job.read @v :
// CHECK-DAG: %[[DA:.*]] = job.matmul %[[B]], %arg0 {transpose_rhs = true} : <3x4xf32>, <2x4xf32>
// CHECK-DAG: %[[DB:.*]] = job.matmul %[[A]], %arg0 : <3x2xf32>, <2x4xf32>
// CHECK: job.update @wt, %[[DA]]
// CHECK: job.update @v, %[[DB]]
job.func @transpose_lhs(%g: !job.blob<2x4xf32>) kind train {
  %a = job.read @wt : !job.blob<3x2xf32>
  %b = job.read @v : !job.blob<3x4xf32>
  %y = job.matmul %a, %b {transpose_lhs = true} : !job.blob<3x2xf32>, !job.blob<3x4xf32>
  %loss = job.mul %y, %g : !job.blob<2x4xf32>
  job.loss %loss : !job.blob<2x4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @transpose_both(%arg0: !job.blob<2x4xf32>
// CHECK-DAG: %[[A:.*]] = job.read @wt :
// CHECK-DAG: %[[B:.*]] = job.read @vt :
// CHECK-DAG: %[[DA:.*]] = job.matmul %[[B]], %arg0 {transpose_lhs = true, transpose_rhs = true} : <4x3xf32>, <2x4xf32>
// CHECK-DAG: %[[DB:.*]] = job.matmul %arg0, %[[A]] {transpose_lhs = true, transpose_rhs = true} : <2x4xf32>, <3x2xf32>
// CHECK: job.update @wt, %[[DA]]
// CHECK: job.update @vt, %[[DB]]
job.func @transpose_both(%g: !job.blob<2x4xf32>) kind train {
  %a = job.read @wt : !job.blob<3x2xf32>
  %b = job.read @vt : !job.blob<4x3xf32>
  %y = job.matmul %a, %b {transpose_lhs = true, transpose_rhs = true} : !job.blob<3x2xf32>, !job.blob<4x3xf32>
  %loss = job.mul %y, %g : !job.blob<2x4xf32>
  job.loss %loss : !job.blob<2x4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @batch(%arg0: !job.blob<5x2x4xf32>
// CHECK-DAG: %[[A:.*]] = job.read @wb :
// CHECK-DAG: %[[B:.*]] = job.read @vb :
// CHECK-DAG: %[[DA:.*]] = job.matmul %arg0, %[[B]] : <5x2x4xf32>, <5x4x3xf32>
// CHECK-DAG: %[[DB:.*]] = job.matmul %arg0, %[[A]] {transpose_lhs = true} : <5x2x4xf32>, <5x2x3xf32>
// CHECK: job.update @wb, %[[DA]]
// CHECK: job.update @vb, %[[DB]]
job.variable @wb : !job.blob<5x2x3xf32> init #job.constant_init<1.0>
job.variable @vb : !job.blob<5x4x3xf32> init #job.constant_init<1.0>
job.func @batch(%g: !job.blob<5x2x4xf32>) kind train {
  %a = job.read @wb : !job.blob<5x2x3xf32>
  %b = job.read @vb : !job.blob<5x4x3xf32>
  %y = job.matmul %a, %b {transpose_rhs = true} : !job.blob<5x2x3xf32>, !job.blob<5x4x3xf32>
  %loss = job.mul %y, %g : !job.blob<5x2x4xf32>
  job.loss %loss : !job.blob<5x2x4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}
