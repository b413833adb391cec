// RUN: job-opt %s --job-autodiff --canonicalize --cse | FileCheck %s
// RUN: job-opt %s --job-autodiff --job-build-initializer --job-check-gradients

// The loss is %g times the result, so the argument %g, %arg0 when printed, is
// the result's gradient.

job.variable @x : !job.blob<4x3x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @gamma3 : !job.blob<3xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @beta3 : !job.blob<3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @gamma5 : !job.blob<5xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @beta5 : !job.blob<5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @row : !job.blob<5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>

// CHECK-LABEL: job.func @batch_norm(
// CHECK: %[[C:.*]] = job.constant dense<2.500000e-01> : tensor<3xf32>
// CHECK: %[[C2:.*]] = job.constant dense<2.000000e+01> : tensor<3xf32>
// CHECK: %[[X:.*]] = job.read @x
// CHECK: %[[GAMMA3:.*]] = job.read @gamma3
// CHECK: %[[BETA3:.*]] = job.read @beta3
// CHECK: %[[Y:[^ ,]*]], %[[MEAN:[^ ,]*]], %[[VARIANCE:[^ ,]*]] = job.batch_norm %[[X]], %[[GAMMA3]], %[[BETA3]] {axis = 1
// CHECK: %[[PRODUCT:.*]] = job.mul %[[Y]], %arg0
// CHECK: %[[SUM:.*]] = job.reduce_sum %arg0 {axes = array<i64: 0, 2>}
// CHECK: %[[BROADCAST:.*]] = job.broadcast_in_dim %[[MEAN]] {dims = array<i64: 1>}
// CHECK: %[[DIFFERENCE:.*]] = job.sub %[[X]], %[[BROADCAST]]
// CHECK: %[[SUM2:.*]] = job.reduce_sum %[[DIFFERENCE]] {axes = array<i64: 0, 2>}
// CHECK: %[[PRODUCT2:.*]] = job.div %[[SUM2]], %[[C2]]
// CHECK: %[[SUM3:.*]] = job.add %[[VARIANCE]], %[[C]]
// CHECK: %[[RSTD:.*]] = job.rsqrt %[[SUM3]]
// CHECK: %[[BROADCAST2:.*]] = job.broadcast_in_dim %[[RSTD]] {dims = array<i64: 1>}
// CHECK: %[[PRODUCT3:.*]] = job.mul %[[DIFFERENCE]], %[[BROADCAST2]]
// CHECK: %[[PRODUCT4:.*]] = job.mul %[[PRODUCT2]], %[[RSTD]]
// CHECK: %[[PRODUCT5:.*]] = job.mul %arg0, %[[PRODUCT3]]
// CHECK: %[[SUM4:.*]] = job.reduce_sum %[[PRODUCT5]] {axes = array<i64: 0, 2>}
// CHECK: %[[PRODUCT6:.*]] = job.mul %[[PRODUCT4]], %[[SUM]]
// CHECK: %[[DIFFERENCE2:.*]] = job.sub %[[SUM4]], %[[PRODUCT6]]
// CHECK: %[[PRODUCT7:.*]] = job.div %[[DIFFERENCE2]], %[[C2]]
// CHECK: %[[PRODUCT8:.*]] = job.mul %[[PRODUCT4]], %[[PRODUCT7]]
// CHECK: %[[PRODUCT9:.*]] = job.div %[[SUM]], %[[C2]]
// CHECK: %[[DIFFERENCE3:.*]] = job.sub %[[PRODUCT8]], %[[PRODUCT9]]
// CHECK: %[[BROADCAST3:.*]] = job.broadcast_in_dim %[[PRODUCT7]] {dims = array<i64: 1>}
// CHECK: %[[PRODUCT10:.*]] = job.mul %[[PRODUCT3]], %[[BROADCAST3]]
// CHECK: %[[DIFFERENCE4:.*]] = job.sub %arg0, %[[PRODUCT10]]
// CHECK: %[[BROADCAST4:.*]] = job.broadcast_in_dim %[[DIFFERENCE3]] {dims = array<i64: 1>}
// CHECK: %[[SUM5:.*]] = job.add %[[DIFFERENCE4]], %[[BROADCAST4]]
// CHECK: %[[PRODUCT11:.*]] = job.mul %[[GAMMA3]], %[[RSTD]]
// CHECK: %[[BROADCAST5:.*]] = job.broadcast_in_dim %[[PRODUCT11]] {dims = array<i64: 1>}
// CHECK: %[[PRODUCT12:.*]] = job.mul %[[SUM5]], %[[BROADCAST5]]
// CHECK: job.update @x, %[[PRODUCT12]]
// CHECK: job.update @gamma3, %[[DIFFERENCE2]]
// CHECK: job.update @beta3, %[[SUM]]
job.func @batch_norm(%g: !job.blob<4x3x5xf32>) kind train {
  %x = job.read @x : !job.blob<4x3x5xf32>
  %gamma = job.read @gamma3 : !job.blob<3xf32>
  %beta = job.read @beta3 : !job.blob<3xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 0.25 : f64} : !job.blob<4x3x5xf32>, !job.blob<3xf32>
  %loss = job.mul %y, %g : !job.blob<4x3x5xf32>
  job.loss %loss : !job.blob<4x3x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @batch_norm_beta(
// CHECK: %[[C:.*]] = job.constant dense<1.000000e+00> : tensor<4x3x5xf32>
// CHECK: %[[BETA3:.*]] = job.read @beta3
// CHECK: %[[SUM:.*]] = job.reduce_sum %[[C]] {axes = array<i64: 0, 2>}
// CHECK: job.update @beta3, %[[SUM]]
job.func @batch_norm_beta(%x: !job.blob<4x3x5xf32>, %gamma: !job.blob<3xf32>) kind train {
  %beta = job.read @beta3 : !job.blob<3xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 0.25 : f64} : !job.blob<4x3x5xf32>, !job.blob<3xf32>
  job.loss %y : !job.blob<4x3x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @batch_norm_mean(
// CHECK: %[[C:.*]] = job.constant dense<2.000000e+01> : tensor<3xf32>
// CHECK: %[[X:.*]] = job.read @x
// CHECK: %[[Y:[^ ,]*]], %[[MEAN:[^ ,]*]], %[[VARIANCE:[^ ,]*]] = job.batch_norm %[[X]], %arg1, %arg1 {axis = 1
// CHECK: %[[PRODUCT:.*]] = job.div %arg0, %[[C]]
// CHECK: %[[BROADCAST:.*]] = job.broadcast_in_dim %[[PRODUCT]] {dims = array<i64: 1>}
// CHECK: job.update @x, %[[BROADCAST]]
job.func @batch_norm_mean(%g: !job.blob<3xf32>, %gamma: !job.blob<3xf32>) kind train {
  %x = job.read @x : !job.blob<4x3x5xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %gamma {axis = 1 : i64, epsilon = 0.25 : f64} : !job.blob<4x3x5xf32>, !job.blob<3xf32>
  %loss = job.mul %mean, %g : !job.blob<3xf32>
  job.loss %loss : !job.blob<3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @batch_norm_variance(
// CHECK: %[[C:.*]] = job.constant dense<1.000000e+01> : tensor<3xf32>
// CHECK: %[[C2:.*]] = job.constant dense<2.000000e+01> : tensor<3xf32>
// CHECK: %[[X:.*]] = job.read @x
// CHECK: %[[Y:[^ ,]*]], %[[MEAN:[^ ,]*]], %[[VARIANCE:[^ ,]*]] = job.batch_norm %[[X]], %arg1, %arg1 {axis = 1
// CHECK: %[[BROADCAST:.*]] = job.broadcast_in_dim %[[MEAN]] {dims = array<i64: 1>}
// CHECK: %[[DIFFERENCE:.*]] = job.sub %[[X]], %[[BROADCAST]]
// CHECK: %[[SUM:.*]] = job.reduce_sum %[[DIFFERENCE]] {axes = array<i64: 0, 2>}
// CHECK: %[[PRODUCT:.*]] = job.div %[[SUM]], %[[C2]]
// CHECK: %[[PRODUCT2:.*]] = job.div %arg0, %[[C]]
// CHECK: %[[BROADCAST2:.*]] = job.broadcast_in_dim %[[PRODUCT2]] {dims = array<i64: 1>}
// CHECK: %[[PRODUCT3:.*]] = job.mul %[[DIFFERENCE]], %[[BROADCAST2]]
// CHECK: %[[PRODUCT4:.*]] = job.mul %[[PRODUCT2]], %[[PRODUCT]]
// CHECK: %[[NEGATED:.*]] = job.neg %[[PRODUCT4]]
// CHECK: %[[BROADCAST3:.*]] = job.broadcast_in_dim %[[NEGATED]] {dims = array<i64: 1>}
// CHECK: %[[SUM2:.*]] = job.add %[[PRODUCT3]], %[[BROADCAST3]]
// CHECK: job.update @x, %[[SUM2]]
job.func @batch_norm_variance(%g: !job.blob<3xf32>, %gamma: !job.blob<3xf32>) kind train {
  %x = job.read @x : !job.blob<4x3x5xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %gamma {axis = 1 : i64, epsilon = 0.25 : f64} : !job.blob<4x3x5xf32>, !job.blob<3xf32>
  %loss = job.mul %variance, %g : !job.blob<3xf32>
  job.loss %loss : !job.blob<3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// Only gamma and beta are trained, and no loss depends on what they change:
// their gradients are zero, and nothing is updated.
// CHECK-LABEL: job.func @batch_norm_nothing(
// CHECK-NOT: job.update @gamma3
// CHECK: %[[GAMMA3:.*]] = job.read @gamma3
// CHECK: %[[Y:[^ ,]*]], %[[MEAN:[^ ,]*]], %[[VARIANCE:[^ ,]*]] = job.batch_norm %arg0, %[[GAMMA3]], %[[GAMMA3]] {axis = 1
// CHECK: %[[BETA3:.*]] = job.read @beta3
// CHECK: job.update @beta3, %[[MEAN]]
job.func @batch_norm_nothing(%x: !job.blob<4x3x5xf32>) kind train {
  %gamma = job.read @gamma3 : !job.blob<3xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %gamma {axis = 1 : i64, epsilon = 0.25 : f64} : !job.blob<4x3x5xf32>, !job.blob<3xf32>
  %other = job.read @beta3 : !job.blob<3xf32>
  %loss = job.mul %mean, %other : !job.blob<3xf32>
  job.loss %loss : !job.blob<3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @layer_norm(
// CHECK: %[[X:.*]] = job.read @x
// CHECK: %[[GAMMA5:.*]] = job.read @gamma5
// CHECK: %[[BETA5:.*]] = job.read @beta5
// CHECK: %[[Y:[^ ,]*]], %[[MEAN:[^ ,]*]], %[[RSTD:[^ ,]*]] = job.layer_norm %[[X]], %[[GAMMA5]], %[[BETA5]] {epsilon = 2.500000e-01
// CHECK: %[[D:.*]] = job.layer_norm_grad %arg0, %[[X]], %[[GAMMA5]], %[[MEAN]], %[[RSTD]]
// CHECK: %[[BROADCAST:.*]] = job.broadcast_in_dim %[[MEAN]] {dims = array<i64: 0, 1>}
// CHECK: %[[DIFFERENCE:.*]] = job.sub %[[X]], %[[BROADCAST]]
// CHECK: %[[BROADCAST2:.*]] = job.broadcast_in_dim %[[RSTD]] {dims = array<i64: 0, 1>}
// CHECK: %[[PRODUCT:.*]] = job.mul %[[DIFFERENCE]], %[[BROADCAST2]]
// CHECK: %[[PRODUCT2:.*]] = job.mul %arg0, %[[PRODUCT]]
// CHECK: %[[SUM:.*]] = job.reduce_sum %[[PRODUCT2]] {axes = array<i64: 0, 1>}
// CHECK: %[[SUM2:.*]] = job.reduce_sum %arg0 {axes = array<i64: 0, 1>}
// CHECK: job.update @x, %[[D]]
// CHECK: job.update @gamma5, %[[SUM]]
// CHECK: job.update @beta5, %[[SUM2]]
job.func @layer_norm(%g: !job.blob<4x3x5xf32>) kind train {
  %x = job.read @x : !job.blob<4x3x5xf32>
  %gamma = job.read @gamma5 : !job.blob<5xf32>
  %beta = job.read @beta5 : !job.blob<5xf32>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 0.25 : f64} : !job.blob<4x3x5xf32>, !job.blob<5xf32>
  %loss = job.mul %y, %g : !job.blob<4x3x5xf32>
  job.loss %loss : !job.blob<4x3x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @layer_norm_statistics(
// CHECK: %[[C:.*]] = job.constant dense<5.000000e+00> : tensor<4x3xf32>
// CHECK: %[[C2:.*]] = job.constant dense<-5.000000e+00> : tensor<4x3xf32>
// CHECK: %[[X:.*]] = job.read @x
// CHECK: %[[Y:[^ ,]*]], %[[MEAN:[^ ,]*]], %[[RSTD:[^ ,]*]] = job.layer_norm %[[X]], %arg1, %arg1 {epsilon = 2.500000e-01
// CHECK: %[[PRODUCT:.*]] = job.mul %[[MEAN]], %[[RSTD]]
// CHECK: %[[PRODUCT2:.*]] = job.mul %arg0, %[[RSTD]]
// CHECK: %[[PRODUCT3:.*]] = job.mul %arg0, %[[MEAN]]
// CHECK: %[[PRODUCT4:.*]] = job.mul %[[PRODUCT3]], %[[RSTD]]
// CHECK: %[[PRODUCT5:.*]] = job.div %[[PRODUCT4]], %[[C2]]
// CHECK: %[[BROADCAST:.*]] = job.broadcast_in_dim %[[MEAN]] {dims = array<i64: 0, 1>}
// CHECK: %[[DIFFERENCE:.*]] = job.sub %[[X]], %[[BROADCAST]]
// CHECK: %[[BROADCAST2:.*]] = job.broadcast_in_dim %[[RSTD]] {dims = array<i64: 0, 1>}
// CHECK: %[[BROADCAST3:.*]] = job.broadcast_in_dim %[[PRODUCT5]] {dims = array<i64: 0, 1>}
// CHECK: %[[PRODUCT6:.*]] = job.mul %[[DIFFERENCE]], %[[BROADCAST2]]
// CHECK: %[[PRODUCT7:.*]] = job.mul %[[PRODUCT6]], %[[BROADCAST2]]
// CHECK: %[[PRODUCT8:.*]] = job.mul %[[PRODUCT7]], %[[BROADCAST3]]
// CHECK: %[[PRODUCT9:.*]] = job.div %[[PRODUCT2]], %[[C]]
// CHECK: %[[BROADCAST4:.*]] = job.broadcast_in_dim %[[PRODUCT9]] {dims = array<i64: 0, 1>}
// CHECK: %[[SUM:.*]] = job.add %[[PRODUCT8]], %[[BROADCAST4]]
// CHECK: job.update @x, %[[SUM]]
job.func @layer_norm_statistics(%g: !job.blob<4x3xf32>, %gamma: !job.blob<5xf32>) kind train {
  %x = job.read @x : !job.blob<4x3x5xf32>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %gamma {epsilon = 0.25 : f64} : !job.blob<4x3x5xf32>, !job.blob<5xf32>
  %ratio = job.mul %mean, %rstd : !job.blob<4x3xf32>
  %loss = job.mul %ratio, %g : !job.blob<4x3xf32>
  job.loss %loss : !job.blob<4x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// One row: nothing to sum over.
// CHECK-LABEL: job.func @layer_norm_row(
// CHECK: %[[ROW:.*]] = job.read @row
// CHECK: %[[GAMMA5:.*]] = job.read @gamma5
// CHECK: %[[BETA5:.*]] = job.read @beta5
// CHECK: %[[Y:[^ ,]*]], %[[MEAN:[^ ,]*]], %[[RSTD:[^ ,]*]] = job.layer_norm %[[ROW]], %[[GAMMA5]], %[[BETA5]] {epsilon = 2.500000e-01
// CHECK: %[[D:.*]] = job.layer_norm_grad %arg0, %[[ROW]], %[[GAMMA5]], %[[MEAN]], %[[RSTD]]
// CHECK: %[[BROADCAST:.*]] = job.broadcast_in_dim %[[MEAN]] {dims = array<i64: 0>}
// CHECK: %[[DIFFERENCE:.*]] = job.sub %[[ROW]], %[[BROADCAST]]
// CHECK: %[[BROADCAST2:.*]] = job.broadcast_in_dim %[[RSTD]] {dims = array<i64: 0>}
// CHECK: %[[PRODUCT:.*]] = job.mul %[[DIFFERENCE]], %[[BROADCAST2]]
// CHECK: %[[PRODUCT2:.*]] = job.mul %arg0, %[[PRODUCT]]
// CHECK: job.update @row, %[[D]]
// CHECK: job.update @gamma5, %[[PRODUCT2]]
// CHECK: job.update @beta5, %arg0
job.func @layer_norm_row(%g: !job.blob<5xf32>) kind train {
  %x = job.read @row : !job.blob<5xf32>
  %gamma = job.read @gamma5 : !job.blob<5xf32>
  %beta = job.read @beta5 : !job.blob<5xf32>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 0.25 : f64} : !job.blob<5xf32>, !job.blob<5xf32>
  %loss = job.mul %y, %g : !job.blob<5xf32>
  job.loss %loss : !job.blob<5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @softmax(
// CHECK: %[[X:.*]] = job.read @x
// CHECK: %[[Y:.*]] = job.softmax %[[X]]
// CHECK: %[[PRODUCT:.*]] = job.mul %[[Y]], %arg0
// CHECK: %[[SUM:.*]] = job.reduce_sum %[[PRODUCT]] {axes = array<i64: 2>}
// CHECK: %[[BROADCAST:.*]] = job.broadcast_in_dim %[[SUM]] {dims = array<i64: 0, 1>}
// CHECK: %[[DIFFERENCE:.*]] = job.sub %arg0, %[[BROADCAST]]
// CHECK: %[[PRODUCT2:.*]] = job.mul %[[Y]], %[[DIFFERENCE]]
// CHECK: job.update @x, %[[PRODUCT2]]
job.func @softmax(%g: !job.blob<4x3x5xf32>) kind train {
  %x = job.read @x : !job.blob<4x3x5xf32>
  %y = job.softmax %x : !job.blob<4x3x5xf32>
  %loss = job.mul %y, %g : !job.blob<4x3x5xf32>
  job.loss %loss : !job.blob<4x3x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @softmax_row(
// CHECK: %[[ROW:.*]] = job.read @row
// CHECK: %[[Y:.*]] = job.softmax %[[ROW]]
// CHECK: %[[PRODUCT:.*]] = job.mul %[[Y]], %arg0
// CHECK: %[[SUM:.*]] = job.reduce_sum %[[PRODUCT]] {axes = array<i64: 0>}
// CHECK: %[[BROADCAST:.*]] = job.broadcast_in_dim %[[SUM]] {dims = array<i64: 0>}
// CHECK: %[[DIFFERENCE:.*]] = job.sub %arg0, %[[BROADCAST]]
// CHECK: %[[PRODUCT2:.*]] = job.mul %[[Y]], %[[DIFFERENCE]]
// CHECK: job.update @row, %[[PRODUCT2]]
job.func @softmax_row(%g: !job.blob<5xf32>) kind train {
  %x = job.read @row : !job.blob<5xf32>
  %y = job.softmax %x : !job.blob<5xf32>
  %loss = job.mul %y, %g : !job.blob<5xf32>
  job.loss %loss : !job.blob<5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// CHECK-LABEL: job.func @log_softmax(
// CHECK: %[[X:.*]] = job.read @x
// CHECK: %[[Y:.*]] = job.log_softmax %[[X]]
// CHECK: %[[EXP:.*]] = job.exp %[[Y]]
// CHECK: %[[SUM:.*]] = job.reduce_sum %arg0 {axes = array<i64: 2>}
// CHECK: %[[BROADCAST:.*]] = job.broadcast_in_dim %[[SUM]] {dims = array<i64: 0, 1>}
// CHECK: %[[PRODUCT:.*]] = job.mul %[[EXP]], %[[BROADCAST]]
// CHECK: %[[DIFFERENCE:.*]] = job.sub %arg0, %[[PRODUCT]]
// CHECK: job.update @x, %[[DIFFERENCE]]
job.func @log_softmax(%g: !job.blob<4x3x5xf32>) kind train {
  %x = job.read @x : !job.blob<4x3x5xf32>
  %y = job.log_softmax %x : !job.blob<4x3x5xf32>
  %loss = job.mul %y, %g : !job.blob<4x3x5xf32>
  job.loss %loss : !job.blob<4x3x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}
