// A reduction and another member of a kernel read one broadcast: both read the
// copy, and nothing had the extents of the reduced dimensions.

// RUN: job-opt %s --job-plan-pipeline | job-opt --job-lower-pipeline -o /dev/null
// RUN: job-opt %s --job-decompose --job-form-kernels | FileCheck %s
// CHECK: job.kernel(%[[X:arg[0-9]+]] = %{{.*}} : !job.blob<8x1x1xf32>, %
// CHECK: %[[ROWS:.*]] = job.broadcast_in_dim %[[X]]
// CHECK: job.reduce_sum %[[ROWS]]

job.func @f(%x: !job.blob<8x1x1xf32> {job.name = "x"}, %s: !job.blob<8xf32> {job.name = "s"}) -> (!job.blob<8x4x13xf32> {job.name = "y"}, !job.blob<8xf32> {job.name = "mean"}, !job.blob<8xf32> {job.name = "variance"}, !job.blob<1xf32> {job.name = "largest"}) kind predict {
  %0 = job.floor %x : !job.blob<8x1x1xf32>
  %1 = job.broadcast_in_dim %0 {dims = array<i64: 0, 1, 2>} : !job.blob<8x1x1xf32> to !job.blob<8x4x13xf32>
  %2 = job.reduce_max %0 {axes = array<i64: 0, 1>} : !job.blob<8x1x1xf32>
  %y, %mean, %variance = job.batch_norm %1, %s, %s {axis = 0 : i64, epsilon = 0.1 : f64} : !job.blob<8x4x13xf32>, !job.blob<8xf32>
  job.return %y, %mean, %variance, %2 : !job.blob<8x4x13xf32>, !job.blob<8xf32>, !job.blob<8xf32>, !job.blob<1xf32>
}
