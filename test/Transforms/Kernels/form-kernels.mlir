// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-form-kernels))' | FileCheck %s
// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-form-kernels{fuse=false}))' | FileCheck %s --check-prefix=ALONE

// Without fusion nothing joins, and masks are computed once.
// ALONE-LABEL: job.func @chain(
// ALONE-COUNT-3: job.kernel
// ALONE-NOT: job.kernel
// ALONE-LABEL: job.func @middle(
// ALONE-LABEL: job.func @duplicated(
// ALONE: job.kernel
// ALONE: job.broadcast_in_dim
// ALONE-NEXT: job.add
// ALONE-NEXT: job.yield
// ALONE-LABEL: job.func @mask(
// ALONE: job.kernel
// ALONE-NEXT: job.compare
// ALONE-NEXT: job.yield {{.*}} : !job.blob<4x4xi1>
// ALONE-NOT: job.compare
// ALONE-LABEL: job.func @outside(

// A chain is one kernel with one result.
// CHECK-LABEL: job.func @chain(
// CHECK-NEXT: %[[V0:.*]] = job.kernel(%arg2 = %arg0{{.*}}%arg3 = %arg1
// CHECK-NEXT: %[[V1:.*]] = job.add %arg2, %arg3
// CHECK-NEXT: %[[V2:.*]] = job.exp %[[V1]]
// CHECK-NEXT: %[[V3:.*]] = job.mul %[[V2]], %arg3
// CHECK-NEXT: job.yield %[[V3]]
// CHECK-NEXT: }
// CHECK-NEXT: job.return %[[V0]]
job.func @chain(%x: !job.blob<8x4xf32>, %y: !job.blob<8x4xf32>) -> !job.blob<8x4xf32> kind predict {
  %0 = job.add %x, %y : !job.blob<8x4xf32>
  %1 = job.exp %0 : !job.blob<8x4xf32>
  %2 = job.mul %1, %y : !job.blob<8x4xf32>
  job.return %2 : !job.blob<8x4xf32>
}

// What others need comes out.
// CHECK-LABEL: job.func @middle(
// CHECK-NEXT: %[[V0:.*]]:2 = job.kernel(%arg2 = %arg0
// CHECK-NEXT: %[[V2:.*]] = job.exp %arg2
// CHECK-NEXT: %[[V3:.*]] = job.neg %[[V2]]
// CHECK-NEXT: job.yield %[[V2]], %[[V3]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[V1:.*]] = job.matmul %[[V0]]#0, %arg1
// CHECK-NEXT: job.return %[[V0]]#1, %[[V1]]
job.func @middle(%x: !job.blob<8x4xf32>, %w: !job.blob<4x3xf32>) -> (!job.blob<8x4xf32>, !job.blob<8x3xf32>) kind predict {
  %0 = job.exp %x : !job.blob<8x4xf32>
  %1 = job.neg %0 : !job.blob<8x4xf32>
  %2 = job.matmul %0, %w : !job.blob<8x4xf32>, !job.blob<4x3xf32>
  job.return %1, %2 : !job.blob<8x4xf32>, !job.blob<8x3xf32>
}

// A sum joins what computes its terms.
// CHECK-LABEL: job.func @sum(
// CHECK-NEXT: %[[V0:.*]] = job.kernel(%arg2 = %arg0{{.*}}%arg3 = %arg1
// CHECK-NEXT: %[[V1:.*]] = job.mul %arg2, %arg3
// CHECK-NEXT: %[[V2:.*]] = job.reduce_sum %[[V1]] {axes = array<i64: 1>}
// CHECK-NEXT: job.yield %[[V2]]
// CHECK-NEXT: }
// CHECK-NEXT: job.return %[[V0]]
job.func @sum(%x: !job.blob<8x4xf32>, %y: !job.blob<8x4xf32>) -> !job.blob<8xf32> kind predict {
  %0 = job.mul %x, %y : !job.blob<8x4xf32>
  %1 = job.reduce_sum %0 {axes = array<i64: 1>} : !job.blob<8x4xf32>
  job.return %1 : !job.blob<8xf32>
}

// What needs a sum of columns is in the next kernel: the sum is ready after the
// last term.
// CHECK-LABEL: job.func @after_sum(
// CHECK-NEXT: %[[V0:.*]] = job.kernel(%arg1 = %arg0
// CHECK-NEXT: %[[V2:.*]] = job.exp %arg1
// CHECK-NEXT: %[[V3:.*]] = job.reduce_sum %[[V2]] {axes = array<i64: 0>}
// CHECK-NEXT: job.yield %[[V3]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[V1:.*]] = job.kernel(%arg1 = %[[V0]]
// CHECK-NEXT: %[[V2:.*]] = job.log %arg1
// CHECK-NEXT: job.yield %[[V2]]
// CHECK-NEXT: }
// CHECK-NEXT: job.return %[[V1]]
job.func @after_sum(%x: !job.blob<8x4xf32>) -> !job.blob<4xf32> kind predict {
  %0 = job.exp %x : !job.blob<8x4xf32>
  %1 = job.reduce_sum %0 {axes = array<i64: 0>} : !job.blob<8x4xf32>
  %2 = job.log %1 : !job.blob<4xf32>
  job.return %2 : !job.blob<4xf32>
}

// x - sum(x): the difference may not join the sum's kernel, which it needs.
// CHECK-LABEL: job.func @cycle(
// CHECK-NEXT: %[[V0:.*]]:2 = job.kernel(%arg1 = %arg0
// CHECK-NEXT: %[[V2:.*]] = job.exp %arg1
// CHECK-NEXT: %[[V3:.*]] = job.reduce_sum %[[V2]] {axes = array<i64: 0>}
// CHECK-NEXT: job.yield %[[V2]], %[[V3]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[V1:.*]] = job.kernel(%arg1 = %[[V0]]#0{{.*}}%arg2 = %[[V0]]#1
// CHECK-NEXT: %[[V2:.*]] = job.broadcast_in_dim %arg2 {dims = array<i64: 1>} : <4xf32> to <8x4xf32>
// CHECK-NEXT: %[[V3:.*]] = job.sub %arg1, %[[V2]]
// CHECK-NEXT: job.yield %[[V3]]
// CHECK-NEXT: }
// CHECK-NEXT: job.return %[[V1]]
job.func @cycle(%x: !job.blob<8x4xf32>) -> (!job.blob<8x4xf32>) kind predict {
  %0 = job.exp %x : !job.blob<8x4xf32>
  %1 = job.reduce_sum %0 {axes = array<i64: 0>} : !job.blob<8x4xf32>
  %2 = job.broadcast_in_dim %1 {dims = array<i64: 1>} : !job.blob<4xf32> to !job.blob<8x4xf32>
  %3 = job.sub %0, %2 : !job.blob<8x4xf32>
  job.return %3 : !job.blob<8x4xf32>
}

// The same through a library call.
// CHECK-LABEL: job.func @cycle_through_call(
// CHECK-NEXT: %[[V0:.*]] = job.kernel(%arg1 = %arg0
// CHECK-NEXT: %[[V3:.*]] = job.exp %arg1
// CHECK-NEXT: job.yield %[[V3]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[V1:.*]] = job.matmul %[[V0]], %arg0
// CHECK-NEXT: %[[V2:.*]] = job.kernel(%arg1 = %[[V0]]{{.*}}%arg2 = %[[V1]]
// CHECK-NEXT: %[[V3:.*]] = job.add %arg1, %arg2
// CHECK-NEXT: job.yield %[[V3]]
// CHECK-NEXT: }
// CHECK-NEXT: job.return %[[V2]]
job.func @cycle_through_call(%x: !job.blob<4x4xf32>) -> !job.blob<4x4xf32> kind predict {
  %0 = job.exp %x : !job.blob<4x4xf32>
  %1 = job.matmul %0, %x : !job.blob<4x4xf32>, !job.blob<4x4xf32>
  %2 = job.add %0, %1 : !job.blob<4x4xf32>
  job.return %2 : !job.blob<4x4xf32>
}

// Sums over one axis share a kernel; a sum over another has its own.
// CHECK-LABEL: job.func @sums(
// CHECK-NEXT: %[[V0:.*]]:3 = job.kernel(%arg1 = %arg0
// CHECK-NEXT: %[[V2:.*]] = job.exp %arg1
// CHECK-NEXT: %[[V3:.*]] = job.reduce_sum %[[V2]] {axes = array<i64: 1>}
// CHECK-NEXT: %[[V4:.*]] = job.sqrt %[[V2]]
// CHECK-NEXT: %[[V5:.*]] = job.reduce_sum %[[V4]] {axes = array<i64: 1>}
// CHECK-NEXT: job.yield %[[V2]], %[[V3]], %[[V5]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[V1:.*]] = job.kernel(%arg1 = %[[V0]]#0
// CHECK-NEXT: %[[V2:.*]] = job.reduce_sum %arg1 {axes = array<i64: 0>}
// CHECK-NEXT: job.yield %[[V2]]
// CHECK-NEXT: }
// CHECK-NEXT: job.return %[[V0]]#1, %[[V0]]#2, %[[V1]]
job.func @sums(%x: !job.blob<8x4xf32>) -> (!job.blob<8xf32>, !job.blob<8xf32>, !job.blob<4xf32>) kind predict {
  %0 = job.exp %x : !job.blob<8x4xf32>
  %1 = job.reduce_sum %0 {axes = array<i64: 1>} : !job.blob<8x4xf32>
  %2 = job.sqrt %0 : !job.blob<8x4xf32>
  %3 = job.reduce_sum %2 {axes = array<i64: 1>} : !job.blob<8x4xf32>
  %4 = job.reduce_sum %0 {axes = array<i64: 0>} : !job.blob<8x4xf32>
  job.return %1, %3, %4 : !job.blob<8xf32>, !job.blob<8xf32>, !job.blob<4xf32>
}

// Constants and broadcasts are duplicated into each kernel.
// CHECK-LABEL: job.func @duplicated(
// CHECK-NEXT: %[[V0:.*]] = job.kernel(%arg3 = %arg0{{.*}}%arg4 = %arg1
// CHECK-NEXT: %[[V3:.*]] = job.broadcast_in_dim %arg4 {dims = array<i64: 1>} : <4xf32> to <8x4xf32>
// CHECK-NEXT: %[[V4:.*]] = job.constant dense<2.000000e+00> : tensor<8x4xf32>
// CHECK-NEXT: %[[V5:.*]] = job.add %arg3, %[[V3]]
// CHECK-NEXT: %[[V6:.*]] = job.mul %[[V5]], %[[V4]]
// CHECK-NEXT: job.yield %[[V6]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[V1:.*]] = job.matmul %[[V0]], %arg2
// CHECK-NEXT: %[[V2:.*]] = job.kernel(%arg3 = %[[V1]]{{.*}}%arg4 = %arg1
// CHECK-NEXT: %[[V3:.*]] = job.broadcast_in_dim %arg4 {dims = array<i64: 1>} : <4xf32> to <8x4xf32>
// CHECK-NEXT: %[[V4:.*]] = job.constant dense<2.000000e+00> : tensor<8x4xf32>
// CHECK-NEXT: %[[V5:.*]] = job.add %arg3, %[[V3]]
// CHECK-NEXT: %[[V6:.*]] = job.mul %[[V5]], %[[V4]]
// CHECK-NEXT: job.yield %[[V6]]
// CHECK-NEXT: }
// CHECK-NEXT: job.return %[[V2]]
job.func @duplicated(%x: !job.blob<8x4xf32>, %b: !job.blob<4xf32>, %w: !job.blob<4x4xf32>) -> !job.blob<8x4xf32> kind predict {
  %c = job.constant dense<2.0> : tensor<8x4xf32>
  %0 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<4xf32> to !job.blob<8x4xf32>
  %1 = job.add %x, %0 : !job.blob<8x4xf32>
  %2 = job.mul %1, %c : !job.blob<8x4xf32>
  %3 = job.matmul %2, %w : !job.blob<8x4xf32>, !job.blob<4x4xf32>
  %4 = job.add %3, %0 : !job.blob<8x4xf32>
  %5 = job.mul %4, %c : !job.blob<8x4xf32>
  job.return %5 : !job.blob<8x4xf32>
}

// A mask is computed where it is used: no mask reaches memory.
// CHECK-LABEL: job.func @mask(
// CHECK-NEXT: %[[V0:.*]] = job.kernel(%arg3 = %arg0{{.*}}%arg4 = %arg1
// CHECK-NEXT: %[[V3:.*]] = job.compare  gt %arg3, %arg4
// CHECK-NEXT: %[[V4:.*]] = job.select %[[V3]], %arg3, %arg4
// CHECK-NEXT: job.yield %[[V4]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[V1:.*]] = job.matmul %[[V0]], %arg2
// CHECK-NEXT: %[[V2:.*]] = job.kernel(%arg3 = %arg0{{.*}}%arg4 = %arg1{{.*}}%arg5 = %[[V1]]
// CHECK-NEXT: %[[V3:.*]] = job.compare  gt %arg3, %arg4
// CHECK-NEXT: %[[V4:.*]] = job.select %[[V3]], %arg5, %arg3
// CHECK-NEXT: job.yield %[[V4]]
// CHECK-NEXT: }
// CHECK-NEXT: job.return %[[V2]]
job.func @mask(%x: !job.blob<4x4xf32>, %y: !job.blob<4x4xf32>, %w: !job.blob<4x4xf32>) -> !job.blob<4x4xf32> kind predict {
  %0 = job.compare gt %x, %y : !job.blob<4x4xf32>
  %1 = job.select %0, %x, %y : !job.blob<4x4xi1>, !job.blob<4x4xf32>
  %2 = job.matmul %1, %w : !job.blob<4x4xf32>, !job.blob<4x4xf32>
  %3 = job.select %0, %2, %x : !job.blob<4x4xi1>, !job.blob<4x4xf32>
  job.return %3 : !job.blob<4x4xf32>
}

// A broadcast that a library needs is a kernel of its own; a big constant is
// computed, a small one stays.
// CHECK-LABEL: job.func @outside(
// CHECK-NEXT: %[[V0:.*]] = job.kernel(%arg2 = %arg0
// CHECK-NEXT: %[[V6:.*]] = job.broadcast_in_dim %arg2 {dims = array<i64: 1>} : <32xf32> to <64x32xf32>
// CHECK-NEXT: job.yield %[[V6]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[V1:.*]] = job.kernel(
// CHECK-NEXT: %[[V6:.*]] = job.constant dense<2.000000e+00> : tensor<64x32xf32>
// CHECK-NEXT: job.yield %[[V6]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[V2:.*]] = job.constant dense<2.000000e+00> : tensor<32x32xf32>
// CHECK-NEXT: %[[V3:.*]] = job.matmul %[[V0]], %arg1
// CHECK-NEXT: %[[V4:.*]] = job.matmul %[[V1]], %arg1
// CHECK-NEXT: %[[V5:.*]] = job.matmul %[[V2]], %arg1
// CHECK-NEXT: job.return %[[V3]], %[[V4]], %[[V5]]
job.func @outside(%b: !job.blob<32xf32>, %x: !job.blob<32x32xf32>) -> (!job.blob<64x32xf32>, !job.blob<64x32xf32>, !job.blob<32x32xf32>) kind predict {
  %0 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<32xf32> to !job.blob<64x32xf32>
  %big = job.constant dense<2.0> : tensor<64x32xf32>
  %small = job.constant dense<2.0> : tensor<32x32xf32>
  %1 = job.matmul %0, %x : !job.blob<64x32xf32>, !job.blob<32x32xf32>
  %2 = job.matmul %big, %x : !job.blob<64x32xf32>, !job.blob<32x32xf32>
  %3 = job.matmul %small, %x : !job.blob<32x32xf32>, !job.blob<32x32xf32>
  job.return %1, %2, %3 : !job.blob<64x32xf32>, !job.blob<64x32xf32>, !job.blob<32x32xf32>
}

job.variable @v : !job.blob<4xf32> init #job.constant_init<0.0>

// Reads and assignments keep their order.
// CHECK-LABEL: job.func @order(
// CHECK-NEXT: %[[V0:.*]] = job.read @v
// CHECK-NEXT: %[[V1:.*]] = job.kernel(%arg1 = %[[V0]]{{.*}}%arg2 = %arg0
// CHECK-NEXT: %[[V4:.*]] = job.add %arg1, %arg2
// CHECK-NEXT: job.yield %[[V4]]
// CHECK-NEXT: }
// CHECK-NEXT: job.assign @v, %[[V1]]
// CHECK-NEXT: %[[V2:.*]] = job.read @v
// CHECK-NEXT: %[[V3:.*]] = job.kernel(%arg1 = %[[V2]]{{.*}}%arg2 = %arg0
// CHECK-NEXT: %[[V4:.*]] = job.add %arg1, %arg2
// CHECK-NEXT: job.yield %[[V4]]
// CHECK-NEXT: }
// CHECK-NEXT: job.assign @v, %[[V3]]
// CHECK-NEXT: job.return %[[V0]], %[[V2]]
job.func @order(%x: !job.blob<4xf32>) -> (!job.blob<4xf32>, !job.blob<4xf32>) kind predict {
  %0 = job.read @v : !job.blob<4xf32>
  %1 = job.add %0, %x : !job.blob<4xf32>
  job.assign @v, %1 : !job.blob<4xf32>
  %2 = job.read @v : !job.blob<4xf32>
  %3 = job.add %2, %x : !job.blob<4xf32>
  job.assign @v, %3 : !job.blob<4xf32>
  job.return %0, %2 : !job.blob<4xf32>, !job.blob<4xf32>
}

// An op with loops of its own; a result without a use.
// CHECK-LABEL: job.func @loops(
// CHECK-NEXT: %[[V0:.*]] = job.kernel(%arg1 = %arg0
// CHECK-NEXT: %[[V3:.*]] = job.exp %arg1
// CHECK-NEXT: job.yield %[[V3]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[V1:.*]] = job.kernel(%arg1 = %[[V0]]
// CHECK-NEXT: %[[V3:.*]] = job.max_pool2d %arg1 {ksize = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>}
// CHECK-NEXT: job.yield %[[V3]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[V2:.*]] = job.kernel(%arg1 = %[[V1]]
// CHECK-NEXT: %[[V3:.*]] = job.neg %arg1
// CHECK-NEXT: job.yield %[[V3]]
// CHECK-NEXT: }
// CHECK-NEXT: job.return %[[V2]]
job.func @loops(%x: !job.blob<1x1x4x4xf32>) -> !job.blob<1x1x2x2xf32> kind predict {
  %0 = job.exp %x : !job.blob<1x1x4x4xf32>
  %1 = job.max_pool2d %0 {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x1x4x4xf32>
  %2 = job.neg %1 : !job.blob<1x1x2x2xf32>
  %dead = job.neg %x : !job.blob<1x1x4x4xf32>
  job.return %2 : !job.blob<1x1x2x2xf32>
}
// Libraries compute f32; other products have loops of their own.
// CHECK-LABEL: job.func @f64(
// CHECK-NEXT: %[[V0:.*]] = job.kernel(%arg1 = %arg0
// CHECK-NEXT: %[[V1:.*]] = job.matmul %arg1, %arg1
// CHECK-NEXT: job.yield %[[V1]]
// CHECK-NEXT: }
// CHECK-NEXT: job.return %[[V0]]
job.func @f64(%x: !job.blob<4x4xf64>) -> !job.blob<4x4xf64> kind predict {
  %1 = job.matmul %x, %x : !job.blob<4x4xf64>, !job.blob<4x4xf64>
  job.return %1 : !job.blob<4x4xf64>
}

// The op that computes the new value of a variable is a kernel by itself where a
// job says so; in another job it joins what computes its operand.
// CHECK-LABEL: job.func @updates_apart(
// CHECK: %[[V0:.*]] = job.kernel
// CHECK-NEXT: job.exp
// CHECK-NEXT: job.neg
// CHECK-NEXT: job.yield
// CHECK: %[[V1:.*]] = job.kernel(%{{.*}} = %{{.*}}, %{{.*}} = %[[V0]]
// CHECK-NEXT: job.sub
// CHECK-NEXT: job.yield
// CHECK: job.assign @updated, %[[V1]]
// CHECK-LABEL: job.func @updates_joined(
// CHECK: job.kernel
// CHECK-NEXT: job.exp
// CHECK-NEXT: job.neg
// CHECK-NEXT: job.sub
// CHECK-NEXT: job.yield
// CHECK-NOT: job.kernel
job.variable @updated : !job.blob<8x4xf32> init #job.constant_init<0.0>
job.func @updates_apart(%x: !job.blob<8x4xf32>) kind predict attributes {fuse_updates = false} {
  %0 = job.read @updated : !job.blob<8x4xf32>
  %1 = job.exp %x : !job.blob<8x4xf32>
  %2 = job.neg %1 : !job.blob<8x4xf32>
  %3 = job.sub %0, %2 : !job.blob<8x4xf32>
  job.assign @updated, %3 : !job.blob<8x4xf32>
  job.return
}
job.func @updates_joined(%x: !job.blob<8x4xf32>) kind predict {
  %0 = job.read @updated : !job.blob<8x4xf32>
  %1 = job.exp %x : !job.blob<8x4xf32>
  %2 = job.neg %1 : !job.blob<8x4xf32>
  %3 = job.sub %0, %2 : !job.blob<8x4xf32>
  job.assign @updated, %3 : !job.blob<8x4xf32>
  job.return
}
