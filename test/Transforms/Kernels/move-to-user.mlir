// What a kernel makes of its own result for one later kernel is computed there.
//
// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-form-kernels))' | FileCheck %s

job.variable @v : !job.blob<8x8xf32> init #job.constant_init<1.0>
job.variable @r : !job.blob<4x2xf32> init #job.constant_init<1.0>

// The slope of tanh, 1 - y * y, is needed for its gradient; y is in memory for
// the product.
// CHECK-LABEL: job.func @slope
// CHECK: %[[Y:.*]] = job.kernel(%{{.*}} = %arg0 : !job.blob<8x8xf32>) -> !job.blob<8x8xf32> {
// CHECK-NEXT: job.tanh
// CHECK-NEXT: job.yield
// CHECK: %[[P:.*]] = job.matmul %[[Y]]
// CHECK: job.kernel(%[[B:.*]] = %[[Y]] : !job.blob<8x8xf32>, %[[A:.*]] = %[[P]] : !job.blob<8x8xf32>)
// CHECK: %[[SQUARE:.*]] = job.mul %[[B]], %[[B]]
// CHECK: %[[SLOPE:.*]] = job.sub %{{.*}}, %[[SQUARE]]
// CHECK: job.mul %[[A]], %[[SLOPE]]
job.func @slope(%x: !job.blob<8x8xf32>) -> !job.blob<8x8xf32> kind predict {
  %one = job.constant dense<1.0> : tensor<8x8xf32>
  %y = job.tanh %x : !job.blob<8x8xf32>
  %square = job.mul %y, %y : !job.blob<8x8xf32>
  %slope = job.sub %one, %square : !job.blob<8x8xf32>
  %p = job.matmul %y, %x : !job.blob<8x8xf32>, !job.blob<8x8xf32>
  %d = job.mul %p, %slope : !job.blob<8x8xf32>
  job.return %d : !job.blob<8x8xf32>
}

// Here y would have to be written instead: nothing is gained.
// CHECK-LABEL: job.func @nobody_else
// CHECK: job.kernel
// CHECK: job.tanh
// CHECK: job.mul
// CHECK: job.sub
// CHECK: job.yield
job.func @nobody_else(%x: !job.blob<8x8xf32>) -> !job.blob<8x8xf32> kind predict {
  %one = job.constant dense<1.0> : tensor<8x8xf32>
  %y = job.tanh %x : !job.blob<8x8xf32>
  %square = job.mul %y, %y : !job.blob<8x8xf32>
  %slope = job.sub %one, %square : !job.blob<8x8xf32>
  %p = job.matmul %x, %x : !job.blob<8x8xf32>, !job.blob<8x8xf32>
  %d = job.mul %p, %slope : !job.blob<8x8xf32>
  job.return %d : !job.blob<8x8xf32>
}

// Two blobs would be kept instead of one.
// CHECK-LABEL: job.func @two_sources
// CHECK: job.kernel
// CHECK: job.tanh
// CHECK: job.exp
// CHECK: job.mul
// CHECK: job.yield {{.*}}, {{.*}}, {{.*}} :
job.func @two_sources(%x: !job.blob<8x8xf32>) -> !job.blob<8x8xf32> kind predict {
  %y = job.tanh %x : !job.blob<8x8xf32>
  %z = job.exp %x : !job.blob<8x8xf32>
  %both = job.mul %y, %z : !job.blob<8x8xf32>
  %p = job.matmul %y, %z : !job.blob<8x8xf32>, !job.blob<8x8xf32>
  %d = job.mul %p, %both : !job.blob<8x8xf32>
  job.return %d : !job.blob<8x8xf32>
}

// Nor what two kernels need, which would compute it twice, nor what a variable
// goes into, which may have another value by then.
// CHECK-LABEL: job.func @two_users
// CHECK: job.kernel
// CHECK: job.tanh
// CHECK: job.exp
// CHECK: job.yield
job.func @two_users(%x: !job.blob<8x8xf32>) -> (!job.blob<8x8xf32>, !job.blob<8x8xf32>) kind predict {
  %y = job.tanh %x : !job.blob<8x8xf32>
  %e = job.exp %y : !job.blob<8x8xf32>
  %p = job.matmul %y, %x : !job.blob<8x8xf32>, !job.blob<8x8xf32>
  %d = job.mul %p, %e : !job.blob<8x8xf32>
  %q = job.matmul %d, %x : !job.blob<8x8xf32>, !job.blob<8x8xf32>
  %f = job.mul %q, %e : !job.blob<8x8xf32>
  job.return %d, %f : !job.blob<8x8xf32>, !job.blob<8x8xf32>
}

// CHECK-LABEL: job.func @variable
// CHECK: job.kernel
// CHECK: job.tanh
// CHECK: job.mul
// CHECK: job.yield
job.func @variable(%x: !job.blob<8x8xf32>) -> !job.blob<8x8xf32> kind predict {
  %v = job.read @v : !job.blob<8x8xf32>
  %y = job.tanh %x : !job.blob<8x8xf32>
  %scaled = job.mul %y, %v : !job.blob<8x8xf32>
  job.assign @v, %y : !job.blob<8x8xf32>
  %p = job.matmul %y, %x : !job.blob<8x8xf32>, !job.blob<8x8xf32>
  %d = job.mul %p, %scaled : !job.blob<8x8xf32>
  job.return %d : !job.blob<8x8xf32>
}

// A reshape of a variable is the variable.
// CHECK-LABEL: job.func @reshaped
// CHECK: job.kernel
// CHECK: job.tanh
// CHECK: job.mul
// CHECK: job.yield
job.func @reshaped(%x: !job.blob<8x8xf32>) -> !job.blob<8x8xf32> kind predict {
  %v = job.read @r : !job.blob<4x2xf32>
  %r = job.reshape %v : !job.blob<4x2xf32> to !job.blob<8xf32>
  %b = job.broadcast_in_dim %r {dims = array<i64: 1>} : !job.blob<8xf32> to !job.blob<8x8xf32>
  %y = job.tanh %x : !job.blob<8x8xf32>
  %scaled = job.mul %y, %b : !job.blob<8x8xf32>
  %s = job.reduce_sum %y {axes = array<i64: 0>} : !job.blob<8x8xf32>
  %new = job.reshape %s : !job.blob<8xf32> to !job.blob<4x2xf32>
  job.assign @r, %new : !job.blob<4x2xf32>
  %p = job.matmul %y, %x : !job.blob<8x8xf32>, !job.blob<8x8xf32>
  %d = job.mul %p, %scaled : !job.blob<8x8xf32>
  job.return %d : !job.blob<8x8xf32>
}
