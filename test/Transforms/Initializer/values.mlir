// RUN: job-opt %s --job-build-initializer "--job-interpret=seed=7 digits=4" 2>&1 >/dev/null | FileCheck %s

// Mean, standard deviation and the share of elements outside of the bounds, of
// 4000 elements from seed 7: within about four standard errors of the truth.

// 1, 4 / sqrt(12) = 1.155, none.
// CHECK: mean = [{{1|0.9[0-9]+|1.0[0-9]+}}]
// CHECK: deviation = [{{1.1[3-7][0-9]*}}]
// CHECK: outside = [0]
job.variable @uniform : !job.blob<4000xf32> init #job.random_uniform_init<min = -1.0, max = 3.0>
job.func @uniform_moments() -> (!job.blob<1xf64> {job.name = "mean"}, !job.blob<1xf64> {job.name = "deviation"}, !job.blob<1xf64> {job.name = "outside"}) kind predict {
  %raw = job.read @uniform : !job.blob<4000xf32>
  %x = job.cast %raw : !job.blob<4000xf32> to !job.blob<4000xf64>
  %n = job.constant dense<4000.0> : tensor<1xf64>
  %0 = job.reduce_sum %x {axes = array<i64: 0>} : !job.blob<4000xf64>
  %mean = job.div %0, %n : !job.blob<1xf64>
  %1 = job.broadcast_in_dim %mean {dims = array<i64: 0>} : !job.blob<1xf64> to !job.blob<4000xf64>
  %2 = job.sub %x, %1 : !job.blob<4000xf64>
  %3 = job.mul %2, %2 : !job.blob<4000xf64>
  %4 = job.reduce_sum %3 {axes = array<i64: 0>} : !job.blob<4000xf64>
  %5 = job.div %4, %n : !job.blob<1xf64>
  %deviation = job.sqrt %5 : !job.blob<1xf64>
  %least = job.constant dense<-1.0> : tensor<4000xf64>
  %largest = job.constant dense<3.0> : tensor<4000xf64>
  %6 = job.maximum %x, %least : !job.blob<4000xf64>
  %7 = job.minimum %6, %largest : !job.blob<4000xf64>
  %8 = job.compare ne %7, %x : !job.blob<4000xf64>
  %9 = job.cast %8 : !job.blob<4000xi1> to !job.blob<4000xf64>
  %10 = job.reduce_sum %9 {axes = array<i64: 0>} : !job.blob<4000xf64>
  %outside = job.div %10, %n : !job.blob<1xf64>
  job.return %mean, %deviation, %outside : !job.blob<1xf64>, !job.blob<1xf64>, !job.blob<1xf64>
}

// 1, 2, 0.0455 outside of two standard deviations.
// CHECK: mean = [{{1|0.9[0-9]+|1.0[0-9]+}}]
// CHECK: deviation = [{{1.9[1-9][0-9]*|2|2.0[0-8]?[0-9]*}}]
// CHECK: outside = [{{0.0[3-5][0-9]+}}]
job.variable @normal : !job.blob<4000xf32> init #job.random_normal_init<mean = 1.0, stddev = 2.0>
job.func @normal_moments() -> (!job.blob<1xf64> {job.name = "mean"}, !job.blob<1xf64> {job.name = "deviation"}, !job.blob<1xf64> {job.name = "outside"}) kind predict {
  %raw = job.read @normal : !job.blob<4000xf32>
  %x = job.cast %raw : !job.blob<4000xf32> to !job.blob<4000xf64>
  %n = job.constant dense<4000.0> : tensor<1xf64>
  %0 = job.reduce_sum %x {axes = array<i64: 0>} : !job.blob<4000xf64>
  %mean = job.div %0, %n : !job.blob<1xf64>
  %1 = job.broadcast_in_dim %mean {dims = array<i64: 0>} : !job.blob<1xf64> to !job.blob<4000xf64>
  %2 = job.sub %x, %1 : !job.blob<4000xf64>
  %3 = job.mul %2, %2 : !job.blob<4000xf64>
  %4 = job.reduce_sum %3 {axes = array<i64: 0>} : !job.blob<4000xf64>
  %5 = job.div %4, %n : !job.blob<1xf64>
  %deviation = job.sqrt %5 : !job.blob<1xf64>
  %least = job.constant dense<-3.0> : tensor<4000xf64>
  %largest = job.constant dense<5.0> : tensor<4000xf64>
  %6 = job.maximum %x, %least : !job.blob<4000xf64>
  %7 = job.minimum %6, %largest : !job.blob<4000xf64>
  %8 = job.compare ne %7, %x : !job.blob<4000xf64>
  %9 = job.cast %8 : !job.blob<4000xi1> to !job.blob<4000xf64>
  %10 = job.reduce_sum %9 {axes = array<i64: 0>} : !job.blob<4000xf64>
  %outside = job.div %10, %n : !job.blob<1xf64>
  job.return %mean, %deviation, %outside : !job.blob<1xf64>, !job.blob<1xf64>, !job.blob<1xf64>
}

// 1, 2 * 0.8796 = 1.759, none.
// CHECK: mean = [{{1|0.9[0-9]+|1.0[0-9]+}}]
// CHECK: deviation = [{{1.7[0-9]+|1.8[01][0-9]*}}]
// CHECK: outside = [0]
job.variable @truncated : !job.blob<4000xf32> init #job.truncated_normal_init<mean = 1.0, stddev = 2.0>
job.func @truncated_moments() -> (!job.blob<1xf64> {job.name = "mean"}, !job.blob<1xf64> {job.name = "deviation"}, !job.blob<1xf64> {job.name = "outside"}) kind predict {
  %raw = job.read @truncated : !job.blob<4000xf32>
  %x = job.cast %raw : !job.blob<4000xf32> to !job.blob<4000xf64>
  %n = job.constant dense<4000.0> : tensor<1xf64>
  %0 = job.reduce_sum %x {axes = array<i64: 0>} : !job.blob<4000xf64>
  %mean = job.div %0, %n : !job.blob<1xf64>
  %1 = job.broadcast_in_dim %mean {dims = array<i64: 0>} : !job.blob<1xf64> to !job.blob<4000xf64>
  %2 = job.sub %x, %1 : !job.blob<4000xf64>
  %3 = job.mul %2, %2 : !job.blob<4000xf64>
  %4 = job.reduce_sum %3 {axes = array<i64: 0>} : !job.blob<4000xf64>
  %5 = job.div %4, %n : !job.blob<1xf64>
  %deviation = job.sqrt %5 : !job.blob<1xf64>
  %least = job.constant dense<-3.0> : tensor<4000xf64>
  %largest = job.constant dense<5.0> : tensor<4000xf64>
  %6 = job.maximum %x, %least : !job.blob<4000xf64>
  %7 = job.minimum %6, %largest : !job.blob<4000xf64>
  %8 = job.compare ne %7, %x : !job.blob<4000xf64>
  %9 = job.cast %8 : !job.blob<4000xi1> to !job.blob<4000xf64>
  %10 = job.reduce_sum %9 {axes = array<i64: 0>} : !job.blob<4000xf64>
  %outside = job.div %10, %n : !job.blob<1xf64>
  job.return %mean, %deviation, %outside : !job.blob<1xf64>, !job.blob<1xf64>, !job.blob<1xf64>
}

// 0, sqrt(2), none.
// CHECK: mean = [{{-?0.0[0-8][0-9]*}}]
// CHECK: deviation = [{{1.3[6-9][0-9]*|1.4[0-6]?[0-9]*}}]
// CHECK: outside = [0]
job.variable @integers : !job.blob<4000xi32> init #job.random_uniform_init<min = -2.0, max = 2.0> {trainable = false}
job.func @integers_moments() -> (!job.blob<1xf64> {job.name = "mean"}, !job.blob<1xf64> {job.name = "deviation"}, !job.blob<1xf64> {job.name = "outside"}) kind predict {
  %raw = job.read @integers : !job.blob<4000xi32>
  %x = job.cast %raw : !job.blob<4000xi32> to !job.blob<4000xf64>
  %n = job.constant dense<4000.0> : tensor<1xf64>
  %0 = job.reduce_sum %x {axes = array<i64: 0>} : !job.blob<4000xf64>
  %mean = job.div %0, %n : !job.blob<1xf64>
  %1 = job.broadcast_in_dim %mean {dims = array<i64: 0>} : !job.blob<1xf64> to !job.blob<4000xf64>
  %2 = job.sub %x, %1 : !job.blob<4000xf64>
  %3 = job.mul %2, %2 : !job.blob<4000xf64>
  %4 = job.reduce_sum %3 {axes = array<i64: 0>} : !job.blob<4000xf64>
  %5 = job.div %4, %n : !job.blob<1xf64>
  %deviation = job.sqrt %5 : !job.blob<1xf64>
  %least = job.constant dense<-2.0> : tensor<4000xf64>
  %largest = job.constant dense<2.0> : tensor<4000xf64>
  %6 = job.maximum %x, %least : !job.blob<4000xf64>
  %7 = job.minimum %6, %largest : !job.blob<4000xf64>
  %8 = job.compare ne %7, %x : !job.blob<4000xf64>
  %9 = job.cast %8 : !job.blob<4000xi1> to !job.blob<4000xf64>
  %10 = job.reduce_sum %9 {axes = array<i64: 0>} : !job.blob<4000xf64>
  %outside = job.div %10, %n : !job.blob<1xf64>
  job.return %mean, %deviation, %outside : !job.blob<1xf64>, !job.blob<1xf64>, !job.blob<1xf64>
}

// All values of an i8: -0.5, 256 / sqrt(12) = 73.9.
// CHECK: mean = [{{-?[0-5].[0-9]+}}]
// CHECK: deviation = [{{7[2-5].[0-9]+}}]
job.variable @bytes : !job.blob<4000xi8> init #job.random_uniform_init<min = -128.0, max = 127.0> {trainable = false}
job.func @bytes_moments() -> (!job.blob<1xf64> {job.name = "mean"}, !job.blob<1xf64> {job.name = "deviation"}) kind predict {
  %raw = job.read @bytes : !job.blob<4000xi8>
  %x = job.cast %raw : !job.blob<4000xi8> to !job.blob<4000xf64>
  %n = job.constant dense<4000.0> : tensor<1xf64>
  %0 = job.reduce_sum %x {axes = array<i64: 0>} : !job.blob<4000xf64>
  %mean = job.div %0, %n : !job.blob<1xf64>
  %1 = job.broadcast_in_dim %mean {dims = array<i64: 0>} : !job.blob<1xf64> to !job.blob<4000xf64>
  %2 = job.sub %x, %1 : !job.blob<4000xf64>
  %3 = job.mul %2, %2 : !job.blob<4000xf64>
  %4 = job.reduce_sum %3 {axes = array<i64: 0>} : !job.blob<4000xf64>
  %5 = job.div %4, %n : !job.blob<1xf64>
  %deviation = job.sqrt %5 : !job.blob<1xf64>
  job.return %mean, %deviation : !job.blob<1xf64>, !job.blob<1xf64>
}
