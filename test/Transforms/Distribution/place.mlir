// RUN: job-opt %s --job-place --split-input-file | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: job-opt %s --job-place=device=gpu --split-input-file | FileCheck %s --check-prefixes=CHECK,GPU
// RUN: not job-opt %s --job-place=device=tpu --split-input-file 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: error: expects a device of cpu or gpu but got 'tpu'

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
