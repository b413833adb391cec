// A member of a kernel and a transpose in it read one broadcast: the kernel had
// a copy of the broadcast for the member, and the transpose read that instead of
// what is in memory.

// RUN: job-opt %s --job-plan-pipeline -o /dev/null
// RUN: job-opt %s --job-form-kernels | FileCheck %s
// CHECK: %[[Y:.*]] = job.kernel
// CHECK: job.broadcast_in_dim
// CHECK: job.kernel(%[[IN:arg[0-9]+]] = %[[Y]] : !job.blob<4x4x4xf32>) -> !job.blob<4x4x4xf32> {
// CHECK-NEXT: %[[TURNED:.*]] = job.transpose %[[IN]]
// CHECK-NEXT: job.add %[[IN]], %[[TURNED]]

job.func @f(%x: !job.blob<4x4xf32>) -> !job.blob<4x4x4xf32> kind predict {
  %0 = job.broadcast_in_dim %x {dims = array<i64: 0, 2>} : !job.blob<4x4xf32> to !job.blob<4x4x4xf32>
  %1 = job.transpose %0 {permutation = array<i64: 2, 1, 0>} : !job.blob<4x4x4xf32>
  %2 = job.add %0, %1 : !job.blob<4x4x4xf32>
  job.return %2 : !job.blob<4x4x4xf32>
}
