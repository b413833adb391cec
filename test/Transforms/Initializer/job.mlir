// RUN: job-opt %s --job-build-initializer --split-input-file | FileCheck %s
// RUN: job-opt %s --job-build-initializer --job-build-initializer --split-input-file | FileCheck %s

// A variable's numbers depend on its name, not on its place: @a has the same
// step and id before and behind @b. The step is negative, which no job's is.
// CHECK-LABEL: module
// CHECK: job.func @jobmlir_init
// CHECK: %[[STEP:.*]] = job.constant dense<[[A:-[0-9]+]]> : tensor<1xi64>
// CHECK: job.random_uniform %arg0, %[[STEP]] {id = [[ID:[0-9]+]] : i64}
// CHECK: job.assign @a
// CHECK: job.constant dense<-
// CHECK-NOT: {id = [[ID]] : i64}
// CHECK: job.assign @b
// CHECK: job.return
// CHECK-NOT: job.func @jobmlir_init
// CHECK: }
job.variable @a : !job.blob<4xf32> init #job.random_uniform_init<min = 0.0, max = 1.0>
job.variable @b : !job.blob<4xf32> init #job.random_uniform_init<min = 0.0, max = 1.0>

// -----

// CHECK-LABEL: module
// CHECK: job.func @jobmlir_init
// CHECK: job.assign @b
// CHECK: %[[STEP:.*]] = job.constant dense<[[A]]> : tensor<1xi64>
// CHECK: job.random_uniform %arg0, %[[STEP]] {id = [[ID]] : i64}
// CHECK: job.assign @a
job.variable @b : !job.blob<4xf32> init #job.random_uniform_init<min = 0.0, max = 1.0>
job.variable @a : !job.blob<4xf32> init #job.random_uniform_init<min = 0.0, max = 1.0>

// -----

// CHECK-LABEL: module
// CHECK-NOT: jobmlir_init
// CHECK: job.func @predict
// CHECK-NOT: jobmlir_init
job.func @predict() kind predict {
  job.return
}
