// RUN: job-opt %s --job-optimizer --canonicalize | FileCheck %s
// RUN: job-opt %s --job-optimizer --job-step-counter --job-build-initializer "--job-interpret=entry=rows steps=2 variables=true" 2>&1 >/dev/null | FileCheck %s --check-prefix=VALUES

job.variable @table : !job.blob<3x2xf32> init #job.constant_init<1.0>
job.variable @vector : !job.blob<3xf32> init #job.constant_init<1.0>
job.variable @dense : !job.blob<3x2xf32> init #job.constant_init<1.0>

// Rows 0 and 2 have gradients; row 1 keeps its value, and all powers move on.
// VALUES: remark: table = {{\[\[}}0.8000{{[0-9]*}}, 0.8000{{[0-9]*}}], [1, 1], [0.8000{{[0-9]*}}, 1]]
// VALUES: remark: table-m = {{\[\[}}0.19, 0.38], [0, 0], [0.57, 0]]
// VALUES: remark: table-beta1_t = [0.72{{[89]}}
job.func @rows() kind train {
  %w = job.read @table : !job.blob<3x2xf32>
  %loss = job.reduce_sum %w {axes = array<i64: 0, 1>} : !job.blob<3x2xf32>
  job.loss %loss : !job.blob<1xf32>
  job.minimize #job.lazy_adam<beta1 = 0.9, beta2 = 0.999, epsilon = 1.0e-08, sparse = [@table]> schedule #job.constant_schedule<0.1>
  %g = job.constant dense<[[1.0, 2.0], [0.0, 0.0], [3.0, 0.0]]> : tensor<3x2xf32>
  job.update @table, %g : !job.blob<3x2xf32>
  job.return
}

// CHECK-LABEL: job.func @ranks
// CHECK: %[[ABS:.*]] = job.abs %arg0 : <3xf32>
// CHECK: %[[ANY:.*]] = job.compare ne %[[ABS]], %{{.*}} : <3xf32>
// CHECK: %[[M:.*]] = job.select %[[ANY]], %{{.*}}, %{{.*}} : <3xi1>, <3xf32>
// CHECK: job.assign @"vector-m", %[[M]]
// CHECK: %[[V:.*]] = job.select %[[ANY]]
// CHECK: job.assign @"vector-v", %[[V]]
// CHECK: %[[W:.*]] = job.select %[[ANY]]
// CHECK: job.assign @vector, %[[W]]
// A variable that is not in the list is updated whole.
// CHECK-NOT: job.select
// CHECK: job.assign @dense
job.func @ranks(%g: !job.blob<3xf32>, %h: !job.blob<3x2xf32>) kind train {
  %w = job.read @vector : !job.blob<3xf32>
  %loss = job.reduce_sum %w {axes = array<i64: 0>} : !job.blob<3xf32>
  job.loss %loss : !job.blob<1xf32>
  job.minimize #job.lazy_adam<beta1 = 0.9, beta2 = 0.999, epsilon = 1.0e-08, sparse = [@vector]> schedule #job.constant_schedule<0.1>
  job.update @vector, %g : !job.blob<3xf32>
  job.update @dense, %h : !job.blob<3x2xf32>
  job.return
}

// Without a list no variable has rows of its own.
// CHECK-LABEL: job.func @no_list
// CHECK-NOT: job.select
// CHECK: job.assign @dense
job.func @no_list(%h: !job.blob<3x2xf32>) kind train {
  %w = job.read @dense : !job.blob<3x2xf32>
  %loss = job.reduce_sum %w {axes = array<i64: 0, 1>} : !job.blob<3x2xf32>
  job.loss %loss : !job.blob<1xf32>
  job.minimize #job.lazy_adam<beta1 = 0.9, beta2 = 0.999, epsilon = 1.0e-08> schedule #job.constant_schedule<0.1>
  job.update @dense, %h : !job.blob<3x2xf32>
  job.return
}
