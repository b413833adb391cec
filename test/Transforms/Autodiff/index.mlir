// RUN: job-opt %s --job-autodiff --canonicalize | FileCheck %s
// RUN: job-opt %s --job-autodiff --job-build-initializer --job-check-gradients

// The loss is %g times the result, so the argument %g, %arg0 when printed, is
// the result's gradient.

job.variable @table : !job.blob<5x3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @batched : !job.blob<2x3x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>

// CHECK-LABEL: job.func @gather(%arg0: !job.blob<4x3xf32>
// CHECK: %[[I:.*]] = job.constant dense<[4, 0, 2, 4]> : tensor<4xi32>
// CHECK: %[[D:.*]] = job.scatter_add %arg0, %[[I]] {axis = 0 : i64, extent = 5 : i64} : <4x3xf32>, <4xi32>
// CHECK: job.update @table, %[[D]]
job.func @gather(%g: !job.blob<4x3xf32>) kind train {
  %table = job.read @table : !job.blob<5x3xf32>
  %indices = job.constant dense<[4, 0, 2, 4]> : tensor<4xi32>
  %y = job.gather %table, %indices {axis = 0 : i64} : !job.blob<5x3xf32>, !job.blob<4xi32>
  %loss = job.mul %y, %g : !job.blob<4x3xf32>
  job.loss %loss : !job.blob<4x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @gather_batch(%arg0: !job.blob<2x3x4xf32>
// CHECK: %[[D:.*]] = job.scatter_add %arg0, %{{.*}} {axis = 2 : i64, batch_dims = 1 : i64, extent = 5 : i64} : <2x3x4xf32>, <2x4xi32>
// CHECK: job.update @batched, %[[D]]
job.func @gather_batch(%g: !job.blob<2x3x4xf32>) kind train {
  %x = job.read @batched : !job.blob<2x3x5xf32>
  %indices = job.constant dense<[[4, 0, 2, 4], [0, 1, 2, 3]]> : tensor<2x4xi32>
  %y = job.gather %x, %indices {axis = 2 : i64, batch_dims = 1 : i64} : !job.blob<2x3x5xf32>, !job.blob<2x4xi32>
  %loss = job.mul %y, %g : !job.blob<2x3x4xf32>
  job.loss %loss : !job.blob<2x3x4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// What was added to nothing has the gradient zero. A gather from there would
// give NaN, an alarm for those who check the numbers, so it takes the first.
// CHECK-LABEL: job.func @scatter_add(%arg0: !job.blob<2x3x7xf32>
// CHECK-DAG: %[[I:.*]] = job.constant dense<{{\[}}[4, 0, 7, 4, -1], {{.*}}> : tensor<2x5xi32>
// CHECK-DAG: %[[ZERO:.*]] = job.constant dense<0> : tensor<2x5xi32>
// CHECK-DAG: %[[SEVEN:.*]] = job.constant dense<7> : tensor<2x5xi32>
// CHECK-DAG: %[[NOTHING:.*]] = job.constant dense<0.000000e+00> : tensor<2x3x5xf32>
// CHECK: %[[LOW:.*]] = job.compare ge %[[I]], %[[ZERO]]
// CHECK: %[[HIGH:.*]] = job.compare lt %[[I]], %[[SEVEN]]
// CHECK: %[[INSIDE:.*]] = job.logical_and %[[LOW]], %[[HIGH]]
// CHECK: %[[MASK:.*]] = job.broadcast_in_dim %[[INSIDE]] {dims = array<i64: 0, 2>} : <2x5xi1> to <2x3x5xi1>
// CHECK: %[[FIRST:.*]] = job.select %[[INSIDE]], %[[I]], %[[ZERO]]
// CHECK: %[[G:.*]] = job.gather %arg0, %[[FIRST]] {axis = 2 : i64, batch_dims = 1 : i64}
// CHECK: %[[D:.*]] = job.select %[[MASK]], %[[G]], %[[NOTHING]]
// CHECK: job.update @batched, %[[D]]
job.func @scatter_add(%g: !job.blob<2x3x7xf32>) kind train {
  %x = job.read @batched : !job.blob<2x3x5xf32>
  %indices = job.constant dense<[[4, 0, 7, 4, -1], [0, 1, 2, 3, 6]]> : tensor<2x5xi32>
  %y = job.scatter_add %x, %indices {axis = 2 : i64, batch_dims = 1 : i64, extent = 7 : i64} : !job.blob<2x3x5xf32>, !job.blob<2x5xi32>
  %loss = job.mul %y, %g : !job.blob<2x3x7xf32>
  job.loss %loss : !job.blob<2x3x7xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// An i8 is below 128 anyway.
// CHECK-LABEL: job.func @scatter_add_narrow(%arg0: !job.blob<128x3xf32>
// CHECK: %[[INSIDE:.*]] = job.compare ge
// CHECK-NOT: job.compare
// CHECK: job.broadcast_in_dim %[[INSIDE]] {dims = array<i64: 0>}
job.func @scatter_add_narrow(%g: !job.blob<128x3xf32>) kind train {
  %table = job.read @table : !job.blob<5x3xf32>
  %indices = job.constant dense<[4, 0, 127, 4, -128]> : tensor<5xi8>
  %y = job.scatter_add %table, %indices {axis = 0 : i64, extent = 128 : i64} : !job.blob<5x3xf32>, !job.blob<5xi8>
  %loss = job.mul %y, %g : !job.blob<128x3xf32>
  job.loss %loss : !job.blob<128x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @scatter_add_widest_narrow(
// CHECK: job.compare ge
// CHECK: job.compare lt
job.func @scatter_add_widest_narrow(%g: !job.blob<127x3xf32>) kind train {
  %table = job.read @table : !job.blob<5x3xf32>
  %indices = job.constant dense<[4, 0, 127, 126, -128]> : tensor<5xi8>
  %y = job.scatter_add %table, %indices {axis = 0 : i64, extent = 127 : i64} : !job.blob<5x3xf32>, !job.blob<5xi8>
  %loss = job.mul %y, %g : !job.blob<127x3xf32>
  job.loss %loss : !job.blob<127x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// A ui8 reaches 255: the upper bound is compared up to an extent of that.
// CHECK-LABEL: job.func @scatter_add_unsigned(
// CHECK: job.compare ge
// CHECK: job.compare lt
job.func @scatter_add_unsigned(%g: !job.blob<200x3xf32>) kind train {
  %table = job.read @table : !job.blob<5x3xf32>
  %indices = job.constant dense<[4, 0, 200, 199, 255]> : tensor<5xui8>
  %y = job.scatter_add %table, %indices {axis = 0 : i64, extent = 200 : i64} : !job.blob<5x3xf32>, !job.blob<5xui8>
  %loss = job.mul %y, %g : !job.blob<200x3xf32>
  job.loss %loss : !job.blob<200x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @scatter_add_all_unsigned(
// CHECK: job.compare ge
// CHECK-NOT: job.compare
// CHECK: job.broadcast_in_dim
job.func @scatter_add_all_unsigned(%g: !job.blob<256x3xf32>) kind train {
  %table = job.read @table : !job.blob<5x3xf32>
  %indices = job.constant dense<[4, 0, 200, 199, 255]> : tensor<5xui8>
  %y = job.scatter_add %table, %indices {axis = 0 : i64, extent = 256 : i64} : !job.blob<5x3xf32>, !job.blob<5xui8>
  %loss = job.mul %y, %g : !job.blob<256x3xf32>
  job.loss %loss : !job.blob<256x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}
