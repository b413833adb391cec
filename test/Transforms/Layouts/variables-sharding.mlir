// RUN: job-opt %s --job-assign-layouts=layout=nhwc | FileCheck %s

// Each device has a part of the filter: a dimension of it as it is in the text.
// CHECK: job.variable @filter : !job.blob<6x6x3x3xf32> init {{.*}} {placement = #placement, sharding = #sharding}
job.variable @filter : !job.blob<6x6x3x3xf32> init #job.constant_init<1.0> {placement = #job.placement<cpu, "0:0-1">, sharding = #job.sharding<[S(0)]>}

job.func @step(%x: !job.blob<2x6x8x8xf32>) -> !job.blob<2x6x8x8xf32> kind predict {
  // CHECK: job.transpose %{{.*}} {permutation = array<i64: 0, 2, 3, 1>} : <6x6x3x3xf32>
  %f = job.read @filter : !job.blob<6x6x3x3xf32>
  %0 = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x6x8x8xf32>, !job.blob<6x6x3x3xf32>
  %1 = job.conv2d %0, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x6x8x8xf32>, !job.blob<6x6x3x3xf32>
  job.return %1 : !job.blob<2x6x8x8xf32>
}
