// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-decompose))' | FileCheck %s

// The mean; what it is off by and the variance, of what is left; the result.
// CHECK-LABEL: job.func @batch_norm(
// CHECK: %[[SUM:.*]] = job.reduce_sum %arg0 {axes = array<i64: 0, 2, 3>}
// CHECK: %[[COUNT:.*]] = job.constant dense<6.400000e+01> : tensor<3xf32>
// CHECK: %[[CENTER:.*]] = job.div %[[SUM]], %[[COUNT]]
// CHECK: %[[CENTERS:.*]] = job.broadcast_in_dim %[[CENTER]] {dims = array<i64: 1>}
// CHECK: %[[LEFT:.*]] = job.sub %arg0, %[[CENTERS]]
// CHECK: %[[RESTS:.*]] = job.reduce_sum %[[LEFT]] {axes = array<i64: 0, 2, 3>}
// CHECK: %[[REST:.*]] = job.div %[[RESTS]]
// CHECK: %[[SQUARE:.*]] = job.mul %[[LEFT]], %[[LEFT]]
// CHECK: %[[SQUARES:.*]] = job.reduce_sum %[[SQUARE]] {axes = array<i64: 0, 2, 3>}
// CHECK: %[[ABOUT:.*]] = job.div %[[SQUARES]]
// CHECK: %[[OFF:.*]] = job.mul %[[REST]], %[[REST]]
// CHECK: %[[DIFFERENCE:.*]] = job.sub %[[ABOUT]], %[[OFF]]
// CHECK: %[[VARIANCE:.*]] = job.maximum %[[DIFFERENCE]]
// CHECK: %[[MORE:.*]] = job.add %[[VARIANCE]]
// CHECK: %[[RSTD:.*]] = job.rsqrt %[[MORE]]
// CHECK: %[[SCALE:.*]] = job.mul %[[RSTD]], %arg1
// CHECK: %[[TAKEN:.*]] = job.mul %[[REST]], %[[SCALE]]
// CHECK: %[[SHIFT:.*]] = job.sub %arg2, %[[TAKEN]]
// CHECK: %[[SCALES:.*]] = job.broadcast_in_dim %[[SCALE]]
// CHECK: %[[SCALED:.*]] = job.mul %[[LEFT]], %[[SCALES]]
// CHECK: %[[SHIFTS:.*]] = job.broadcast_in_dim %[[SHIFT]]
// CHECK: %[[Y:.*]] = job.add %[[SCALED]], %[[SHIFTS]]
// CHECK: %[[MEAN:.*]] = job.add %[[CENTER]], %[[REST]]
// CHECK: job.return %[[Y]], %[[MEAN]], %[[VARIANCE]]
job.func @batch_norm(%x: !job.blob<4x3x4x4xf32>, %gamma: !job.blob<3xf32>, %beta: !job.blob<3xf32>) -> (!job.blob<4x3x4x4xf32>, !job.blob<3xf32>, !job.blob<3xf32>) kind predict {
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.0e-05 : f64} : !job.blob<4x3x4x4xf32>, !job.blob<3xf32>
  job.return %y, %mean, %variance : !job.blob<4x3x4x4xf32>, !job.blob<3xf32>, !job.blob<3xf32>
}
