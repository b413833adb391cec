// Which results take the memory of an input in the arena. Each op is a kernel
// of its own, so that the order is the one written here.
//
// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-form-kernels{fuse=false}),convert-job-to-plan,plan-assign-offsets,plan.program(plan-pack-memory),plan-verify-memory)' | FileCheck %s
// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-form-kernels{fuse=false}),convert-job-to-plan{in-place=false})' | FileCheck %s --check-prefix=OFF

// OFF-NOT: inouts

// Legal: no later op reads it. The result that is returned is written where
// the caller reads it.
// CHECK-LABEL: plan.program @chain
// CHECK: %[[A:.*]] = plan.alloc
// CHECK-NEXT: plan.dispatch {{.*}} ins(%{{.*}}) outs(%[[A]]
// CHECK-NEXT: plan.dispatch {{.*}} inouts(%[[A]] : memref<64xf32, #arena>)
// CHECK-NEXT: plan.dispatch {{.*}} ins(%[[A]]{{.*}}) outs(
job.func @chain(%x: !job.blob<64xf32>) -> !job.blob<64xf32> kind predict {
  %0 = job.exp %x : !job.blob<64xf32>
  %1 = job.exp %0 : !job.blob<64xf32>
  %2 = job.exp %1 : !job.blob<64xf32>
  job.return %2 : !job.blob<64xf32>
}

// The one input that dies of two.
// CHECK-LABEL: plan.program @second_operand
// CHECK: %[[A:.*]] = plan.alloc
// CHECK-NEXT: plan.dispatch {{.*}} outs(%[[A]]
// CHECK-NEXT: %[[B:.*]] = plan.alloc
// CHECK-NEXT: plan.dispatch {{.*}} outs(%[[B]]
// CHECK-NEXT: plan.dispatch {{.*}} ins(%[[A]] : memref<64xf32, #arena>) inouts(%[[B]] : memref<64xf32, #arena>)
job.func @second_operand(%x: !job.blob<64xf32>) -> !job.blob<64xf32> kind predict {
  %0 = job.exp %x : !job.blob<64xf32>
  %1 = job.abs %x : !job.blob<64xf32>
  %2 = job.add %0, %1 : !job.blob<64xf32>
  %3 = job.mul %2, %0 : !job.blob<64xf32>
  job.return %3 : !job.blob<64xf32>
}

// A row of a softmax is read before it is written.
// CHECK-LABEL: plan.program @loops
// CHECK: %[[A:.*]] = plan.alloc
// CHECK-NEXT: plan.dispatch {{.*}} outs(%[[A]]
// CHECK-NEXT: plan.dispatch {{.*}} inouts(%[[A]] : memref<8x8xf32, #arena>)
job.func @loops(%x: !job.blob<8x8xf32>) -> !job.blob<8x8xf32> kind predict {
  %0 = job.exp %x : !job.blob<8x8xf32>
  %1 = job.softmax %0 : !job.blob<8x8xf32>
  %2 = job.exp %1 : !job.blob<8x8xf32>
  job.return %2 : !job.blob<8x8xf32>
}

// A reshape is the same memory.
// CHECK-LABEL: plan.program @through_view
// CHECK: %[[A:.*]] = plan.alloc
// CHECK-NEXT: plan.dispatch {{.*}} outs(%[[A]]
// CHECK-NEXT: %[[V:.*]] = plan.view %[[A]]
// CHECK-NEXT: plan.dispatch {{.*}} inouts(%[[V]] : memref<8x8xf32, #arena>)
job.func @through_view(%x: !job.blob<64xf32>) -> !job.blob<8x8xf32> kind predict {
  %0 = job.exp %x : !job.blob<64xf32>
  %1 = job.reshape %0 : !job.blob<64xf32> to !job.blob<8x8xf32>
  %2 = job.exp %1 : !job.blob<8x8xf32>
  %3 = job.exp %2 : !job.blob<8x8xf32>
  job.return %3 : !job.blob<8x8xf32>
}

//===----------------------------------------------------------------------===//
// Not legal
//===----------------------------------------------------------------------===//

// CHECK-LABEL: plan.program @used_later
// CHECK-NOT: inouts(
job.func @used_later(%x: !job.blob<64xf32>) -> !job.blob<64xf32> kind predict {
  %0 = job.exp %x : !job.blob<64xf32>
  %1 = job.exp %0 : !job.blob<64xf32>
  %2 = job.sub %1, %0 : !job.blob<64xf32>
  job.return %2 : !job.blob<64xf32>
}

// The one that is used later has another shape.
// CHECK-LABEL: plan.program @used_later_through_view
// CHECK-COUNT-2: plan.alloc
// CHECK-NOT: inouts(
job.func @used_later_through_view(%x: !job.blob<64xf32>) -> (!job.blob<64xf32>, !job.blob<8x8xf32>) kind predict {
  %0 = job.exp %x : !job.blob<64xf32>
  %1 = job.reshape %0 : !job.blob<64xf32> to !job.blob<8x8xf32>
  %2 = job.exp %0 : !job.blob<64xf32>
  %3 = job.exp %1 : !job.blob<8x8xf32>
  %4 = job.exp %2 : !job.blob<64xf32>
  job.return %4, %3 : !job.blob<64xf32>, !job.blob<8x8xf32>
}

// Other elements are read, or fewer written.
// CHECK-LABEL: plan.program @other_elements
// CHECK-NOT: inouts(
job.func @other_elements(%x: !job.blob<8x8xf32>) -> !job.blob<8x8xf32> kind predict {
  %0 = job.exp %x : !job.blob<8x8xf32>
  %1 = job.reduce_sum %0 {axes = array<i64: 0>} : !job.blob<8x8xf32>
  %2 = job.broadcast_in_dim %1 {dims = array<i64: 1>} : !job.blob<8xf32> to !job.blob<8x8xf32>
  %3 = job.mul %2, %x : !job.blob<8x8xf32>
  job.return %3 : !job.blob<8x8xf32>
}

// A sum of one row has its operand's type.
// CHECK-LABEL: plan.program @sum_of_one
// CHECK-NOT: inouts(
job.func @sum_of_one(%x: !job.blob<1xf32>) -> !job.blob<1xf32> kind predict {
  %0 = job.exp %x : !job.blob<1xf32>
  %1 = job.reduce_sum %0 {axes = array<i64: 0>} : !job.blob<1xf32>
  %2 = job.exp %1 : !job.blob<1xf32>
  job.return %2 : !job.blob<1xf32>
}

// Elements of another size.
// CHECK-LABEL: plan.program @other_type
// CHECK-NOT: inouts(
job.func @other_type(%x: !job.blob<64xf32>) -> !job.blob<64xf64> kind predict {
  %0 = job.exp %x : !job.blob<64xf32>
  %1 = job.cast %0 : !job.blob<64xf32> to !job.blob<64xf64>
  %2 = job.exp %1 : !job.blob<64xf64>
  job.return %2 : !job.blob<64xf64>
}

// The caller's slot, outputs and variables are nobody's scratch.
job.variable @v : !job.blob<64xf32> init #job.constant_init<0.0>
// CHECK-LABEL: plan.program @not_in_the_arena
// CHECK-NOT: inouts(
job.func @not_in_the_arena(%x: !job.blob<64xf32>) -> (!job.blob<64xf32>, !job.blob<64xf32>) kind predict {
  %0 = job.exp %x : !job.blob<64xf32>
  %1 = job.read @v : !job.blob<64xf32>
  %2 = job.add %0, %1 : !job.blob<64xf32>
  %3 = job.exp %2 : !job.blob<64xf32>
  job.return %0, %3 : !job.blob<64xf32>, !job.blob<64xf32>
}

// A library reads all of its input for any part of its output.
// CHECK-LABEL: plan.program @library
// CHECK-NOT: inouts(
job.func @library(%x: !job.blob<8x8xf32>) -> !job.blob<8x8xf32> kind predict {
  %0 = job.exp %x : !job.blob<8x8xf32>
  %1 = job.matmul %0, %x : !job.blob<8x8xf32>, !job.blob<8x8xf32>
  %2 = job.exp %1 : !job.blob<8x8xf32>
  job.return %2 : !job.blob<8x8xf32>
}

// A loss's gradient overwrites the logits, not the gradient of the loss.
// CHECK-LABEL: plan.program @cross_entropy_grad
// CHECK: plan.dispatch {{.*}} ins(%{{.*}}, %{{.*}} : memref<8xf32, #inputs>, memref<8xi32, #inputs>) inouts(%{{.*}} : memref<8x10xf32, #arena>)
job.func @cross_entropy_grad(%x: !job.blob<8x10xf32>, %grad: !job.blob<8xf32>, %labels: !job.blob<8xi32>) -> !job.blob<8x10xf32> kind predict {
  %0 = job.exp %x : !job.blob<8x10xf32>
  %1 = job.sparse_softmax_cross_entropy_grad %grad, %0, %labels : !job.blob<8xf32>, !job.blob<8x10xf32>, !job.blob<8xi32>
  %2 = job.exp %1 : !job.blob<8x10xf32>
  job.return %2 : !job.blob<8x10xf32>
}
