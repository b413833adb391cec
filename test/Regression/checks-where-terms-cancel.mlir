// Terms that cancel leave rounding and nothing else: the gradient of a bias that
// a normalisation takes away again, or of the keys' in an attention, is zero. So
// it is with numbers beyond f32. None of that is an error of a pass.
//
// RUN: job-opt %s --job-check-lowering -o /dev/null 2>&1 | FileCheck %s
// RUN: job-opt %s --job-autodiff --job-build-initializer --job-check-gradients -o /dev/null 2>&1 | FileCheck %s --check-prefix=GRADIENTS

// CHECK: remark: seed 1: {{[0-9]+}} passes, {{[0-9]+}} kernels and library calls, and the artifact agree with the reference
// GRADIENTS: the gradients of {{[0-9]+}} variables of @norm agree
// GRADIENTS: the gradients of {{[0-9]+}} variables of @keys agree

job.variable @"d-weight" : !job.blob<5x8xf32> init #job.random_normal_init<mean = 0.0, stddev = 0.3>
job.variable @"d-bias" : !job.blob<5xf32> init #job.constant_init<0.0>
job.variable @"bn-gamma" : !job.blob<5xf32> init #job.constant_init<1.0>
job.variable @"bn-beta" : !job.blob<5xf32> init #job.constant_init<0.0>
job.variable @"bn-moving_mean" : !job.blob<5xf32> init #job.constant_init<0.0> {trainable = false}
job.variable @"bn-moving_variance" : !job.blob<5xf32> init #job.constant_init<1.0> {trainable = false}
job.variable @"o-weight" : !job.blob<3x5xf32> init #job.random_normal_init<mean = 0.0, stddev = 0.3>
job.variable @"o-bias" : !job.blob<3xf32> init #job.constant_init<0.0>
job.func @norm(%arg0: !job.blob<6x8xf32> {job.name = "x"}, %arg1: !job.blob<6xi32> {job.name = "y"}) -> (!job.blob<6xf32> {job.name = "SparseSoftmaxCrossEntropy"}) kind train {
  %0 = job.read @"d-weight" : <5x8xf32>
  %1 = job.matmul %arg0, %0 {transpose_rhs = true} : <6x8xf32>, <5x8xf32>
  %2 = job.read @"d-bias" : <5xf32>
  %3 = job.broadcast_in_dim %2 {dims = array<i64: 1>} : <5xf32> to <6x5xf32>
  %4 = job.add %1, %3 : <6x5xf32>
  %5 = job.read @"bn-gamma" : <5xf32>
  %6 = job.read @"bn-beta" : <5xf32>
  %7 = job.read @"bn-moving_mean" : <5xf32>
  %8 = job.read @"bn-moving_variance" : <5xf32>
  %result, %mean, %variance = job.batch_norm %4, %5, %6 {axis = 1 : i64, epsilon = 1.000000e-03 : f64} : <6x5xf32>, <5xf32>
  %9 = job.constant dense<9.900000e-01> : tensor<5xf32>
  %10 = job.mul %7, %9 : <5xf32>
  %11 = job.constant dense<0.00999999977> : tensor<5xf32>
  %12 = job.mul %mean, %11 : <5xf32>
  %13 = job.add %10, %12 : <5xf32>
  job.assign @"bn-moving_mean", %13 : <5xf32>
  %14 = job.constant dense<9.900000e-01> : tensor<5xf32>
  %15 = job.mul %8, %14 : <5xf32>
  %16 = job.constant dense<0.00999999977> : tensor<5xf32>
  %17 = job.mul %variance, %16 : <5xf32>
  %18 = job.add %15, %17 : <5xf32>
  job.assign @"bn-moving_variance", %18 : <5xf32>
  %19 = job.tanh %result : <6x5xf32>
  %20 = job.read @"o-weight" : <3x5xf32>
  %21 = job.matmul %19, %20 {transpose_rhs = true} : <6x5xf32>, <3x5xf32>
  %22 = job.read @"o-bias" : <3xf32>
  %23 = job.broadcast_in_dim %22 {dims = array<i64: 1>} : <3xf32> to <6x3xf32>
  %24 = job.add %21, %23 : <6x3xf32>
  %25 = job.sparse_softmax_cross_entropy %24, %arg1 : <6x3xf32>, <6xi32>
  job.loss %25 : <6xf32>
  job.minimize #job.momentum<beta = 9.000000e-01> schedule #job.constant_schedule<1.000000e-01>
  job.return %25 : !job.blob<6xf32>
}

job.variable @"q-weight" : !job.blob<8x8xf32> init #job.random_normal_init<mean = 0.0, stddev = 0.3>
job.variable @"q-bias" : !job.blob<8xf32> init #job.constant_init<0.0>
job.variable @"k-weight" : !job.blob<8x8xf32> init #job.random_normal_init<mean = 0.0, stddev = 0.3>
job.variable @"k-bias" : !job.blob<8xf32> init #job.constant_init<0.0>
job.variable @"v-weight" : !job.blob<8x8xf32> init #job.random_normal_init<mean = 0.0, stddev = 0.3>
job.variable @"v-bias" : !job.blob<8xf32> init #job.constant_init<0.0>
job.variable @"p-weight" : !job.blob<3x8xf32> init #job.random_normal_init<mean = 0.0, stddev = 0.3>
job.variable @"p-bias" : !job.blob<3xf32> init #job.constant_init<0.0>
job.func @keys(%arg0: !job.blob<1x6x8xf32> {job.name = "x"}, %arg1: !job.blob<6xi32> {job.name = "y"}) -> (!job.blob<6xf32> {job.name = "SparseSoftmaxCrossEntropy"}) kind train {
  %0 = job.reshape %arg0 : <1x6x8xf32> to <6x8xf32>
  %1 = job.read @"q-weight" : <8x8xf32>
  %2 = job.matmul %0, %1 {transpose_rhs = true} : <6x8xf32>, <8x8xf32>
  %3 = job.read @"q-bias" : <8xf32>
  %4 = job.broadcast_in_dim %3 {dims = array<i64: 1>} : <8xf32> to <6x8xf32>
  %5 = job.add %2, %4 : <6x8xf32>
  %6 = job.reshape %5 : <6x8xf32> to <1x6x8xf32>
  %7 = job.reshape %6 : <1x6x8xf32> to <1x6x2x4xf32>
  %8 = job.reshape %arg0 : <1x6x8xf32> to <6x8xf32>
  %9 = job.read @"k-weight" : <8x8xf32>
  %10 = job.matmul %8, %9 {transpose_rhs = true} : <6x8xf32>, <8x8xf32>
  %11 = job.read @"k-bias" : <8xf32>
  %12 = job.broadcast_in_dim %11 {dims = array<i64: 1>} : <8xf32> to <6x8xf32>
  %13 = job.add %10, %12 : <6x8xf32>
  %14 = job.reshape %13 : <6x8xf32> to <1x6x8xf32>
  %15 = job.reshape %14 : <1x6x8xf32> to <1x6x2x4xf32>
  %16 = job.reshape %arg0 : <1x6x8xf32> to <6x8xf32>
  %17 = job.read @"v-weight" : <8x8xf32>
  %18 = job.matmul %16, %17 {transpose_rhs = true} : <6x8xf32>, <8x8xf32>
  %19 = job.read @"v-bias" : <8xf32>
  %20 = job.broadcast_in_dim %19 {dims = array<i64: 1>} : <8xf32> to <6x8xf32>
  %21 = job.add %18, %20 : <6x8xf32>
  %22 = job.reshape %21 : <6x8xf32> to <1x6x8xf32>
  %23 = job.reshape %22 : <1x6x8xf32> to <1x6x2x4xf32>
  %result, %logsumexp = job.attention %7, %15, %23 {causal = true, scale = 5.000000e-01 : f64} : <1x6x2x4xf32>, <1x6x2x4xf32>, <1x6x2x4xf32>
  %24 = job.reshape %result : <1x6x2x4xf32> to <1x6x8xf32>
  %25 = job.reshape %24 : <1x6x8xf32> to <6x8xf32>
  %26 = job.read @"p-weight" : <3x8xf32>
  %27 = job.matmul %25, %26 {transpose_rhs = true} : <6x8xf32>, <3x8xf32>
  %28 = job.read @"p-bias" : <3xf32>
  %29 = job.broadcast_in_dim %28 {dims = array<i64: 1>} : <3xf32> to <6x3xf32>
  %30 = job.add %27, %29 : <6x3xf32>
  %31 = job.sparse_softmax_cross_entropy %30, %arg1 : <6x3xf32>, <6xi32>
  job.loss %31 : <6xf32>
  job.minimize #job.momentum<beta = 9.000000e-01> schedule #job.constant_schedule<1.000000e-01>
  job.return %31 : !job.blob<6xf32>
}

job.func @sum(%x: !job.blob<6x9xf32>) -> !job.blob<1xf32> kind predict {
  %0 = job.neg %x : !job.blob<6x9xf32>
  %1 = job.concat %x, %0 {axis = 0 : i64} : !job.blob<6x9xf32>, !job.blob<6x9xf32>
  %2 = job.reduce_sum %1 {axes = array<i64: 0, 1>} : !job.blob<12x9xf32>
  job.return %2 : !job.blob<1xf32>
}

job.func @overflow(%x: !job.blob<6x9xf32>) -> !job.blob<6x9xf32> kind predict {
  %0 = job.constant dense<100.0> : tensor<6x9xf32>
  %1 = job.mul %x, %0 : !job.blob<6x9xf32>
  %2 = job.exp %1 : !job.blob<6x9xf32>
  job.return %2 : !job.blob<6x9xf32>
}
