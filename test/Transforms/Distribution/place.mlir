// RUN: job-opt %s --job-place --split-input-file | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: job-opt %s --job-place=device=gpu --split-input-file | FileCheck %s --check-prefixes=CHECK,GPU
// RUN: not job-opt %s --job-place=device=tpu --split-input-file 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: error: expects a device of cpu or gpu but got 'tpu'
// RUN: echo "module {}" | job-opt --job-place --job-place=device=gpu -o /dev/null

// Jobs have the default, and variables the device of the training job.
// CPU-DAG: #[[DEFAULT:placement[0-9]*]] = #job.placement<cpu, "0:0">
// GPU-DAG: #[[DEFAULT:placement[0-9]*]] = #job.placement<gpu, "0:0">
// CHECK-DAG: #[[ONE:placement[0-9]*]] = #job.placement<gpu, "0:1">
// CPU: job.variable @w {{.*}}{placement = #[[DEFAULT]]}
// GPU: job.variable @w {{.*}}{placement = #[[DEFAULT]]}
job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
// CHECK: job.func @given{{.*}} attributes {placement = #[[ONE]]}
job.func @given() kind predict attributes {placement = #job.placement<gpu, "0:1">} {
  %0 = job.read @w : !job.blob<4xf32>
  job.return
}
// CPU: job.func @train{{.*}} attributes {placement = #[[DEFAULT]]}
// GPU: job.func @train{{.*}} attributes {placement = #[[DEFAULT]]}
job.func @train() kind train {
  %0 = job.read @w : !job.blob<4xf32>
  job.assign @w, %0 : !job.blob<4xf32>
  job.return
}

// -----

// A variable that no job trains is with the first job that reads it, and the
// initializer is with the variables.
// CHECK-DAG: #[[ONE:placement[0-9]*]] = #job.placement<gpu, "0:1">
// CHECK-DAG: #[[TWO:placement[0-9]*]] = #job.placement<gpu, "0:2">
// CHECK: job.variable @w {{.*}}{placement = #[[ONE]]}
job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
// CHECK: job.variable @v {{.*}}{placement = #[[TWO]]}
job.variable @v : !job.blob<4xf32> init #job.constant_init<1.0> {placement = #job.placement<gpu, "0:2">}
// CHECK: job.func @init{{.*}} attributes {placement = #[[ONE]]}
job.func @init() kind init {
  %0 = job.constant dense<1.0> : tensor<4xf32>
  job.assign @w, %0 : !job.blob<4xf32>
  job.return
}
job.func @f() kind predict attributes {placement = #job.placement<gpu, "0:1">} {
  %0 = job.read @w : !job.blob<4xf32>
  job.return
}

// -----

// A variable that no job uses is with the first job,
// CHECK-DAG: #[[ONE:placement[0-9]*]] = #job.placement<gpu, "0:1">
// CHECK: job.variable @w {{.*}}{placement = #[[ONE]]}
job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
job.func @f() kind predict attributes {placement = #job.placement<gpu, "0:1">} {
  job.return
}

// -----

// which may not be there.
// CPU-DAG: #[[DEFAULT:placement[0-9]*]] = #job.placement<cpu, "0:0">
// GPU-DAG: #[[DEFAULT:placement[0-9]*]] = #job.placement<gpu, "0:0">
// CPU: job.variable @w {{.*}}{placement = #[[DEFAULT]]}
// GPU: job.variable @w {{.*}}{placement = #[[DEFAULT]]}
job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>

// -----

// Ops keep their placement where it is not that of their job. What accesses a
// variable is where the variable is: on the device of the first op of the job
// that trains it.
// CHECK-DAG: #[[ZERO:placement[0-9]*]] = #job.placement<gpu, "0:0">
// CHECK-DAG: #[[ONE:placement[0-9]*]] = #job.placement<gpu, "0:1">
// CHECK: job.variable @w {{.*}}{placement = #[[ONE]]}
job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
// CHECK: job.variable @v {{.*}}{placement = #[[ZERO]]}
job.variable @v : !job.blob<4xf32> init #job.constant_init<1.0>
// CHECK-LABEL: job.func @predict
job.func @predict() kind predict attributes {placement = #job.placement<gpu, "0:2">} {
  // CHECK: job.read @w {job.placement = #[[ONE]]}
  %0 = job.read @w {job.placement = #job.placement<gpu, "0:0">} : !job.blob<4xf32>
  // CHECK: job.neg %{{.*}} : <4xf32>
  %1 = job.neg %0 {job.placement = #job.placement<gpu, "0:2">} : !job.blob<4xf32>
  job.return
}
// CHECK-LABEL: job.func @train
job.func @train() kind train attributes {placement = #job.placement<gpu, "0:0">} {
  // CHECK: job.read @v : <4xf32>
  %0 = job.read @v : !job.blob<4xf32>
  // CHECK: job.read @w {job.placement = #[[ONE]]}
  %1 = job.read @w {job.placement = #job.placement<gpu, "0:1">} : !job.blob<4xf32>
  // CHECK: job.add %{{.*}} {job.placement = #[[ONE]]}
  %2 = job.add %0, %1 {job.placement = #job.placement<gpu, "0:1">} : !job.blob<4xf32>
  // CHECK: job.assign @w, %{{.*}} {job.placement = #[[ONE]]}
  job.assign @w, %2 : !job.blob<4xf32>
  // CHECK: job.assign @v, %{{.*}} : <4xf32>
  job.assign @v, %2 : !job.blob<4xf32>
  job.return
}
// Initial values are computed where the variables are.
// CHECK: job.func @init{{.*}} attributes {placement = #[[ONE]]}
job.func @init() kind init {
  // CHECK: job.constant dense<1.0
  %0 = job.constant dense<1.0> : tensor<4xf32>
  // CHECK: job.neg %{{.*}} : <4xf32>
  %1 = job.neg %0 : !job.blob<4xf32>
  // CHECK: job.assign @w, %{{.*}} : <4xf32>
  job.assign @w, %1 : !job.blob<4xf32>
  // CHECK: job.constant {job.placement = #[[ZERO]]} dense<2.0
  %2 = job.constant dense<2.0> : tensor<4xf32>
  // CHECK: job.neg %{{.*}} {job.placement = #[[ZERO]]}
  %3 = job.neg %2 : !job.blob<4xf32>
  // CHECK: job.assign @v, %{{.*}} {job.placement = #[[ZERO]]}
  job.assign @v, %3 : !job.blob<4xf32>
  job.return
}
