// RUN: job-opt %s "--job-precision=type=bf16" | FileCheck %s
// RUN: job-opt %s "--job-precision=type=bf16" "--job-precision=type=bf16" | FileCheck %s
// RUN: job-opt %s "--job-precision=type=f16" | FileCheck %s --check-prefix=HALF
// RUN: job-opt %s --job-precision | FileCheck %s --check-prefix=OWN

job.variable @w : !job.blob<8x4xf32> init #job.constant_init<0.5>
job.variable @v : !job.blob<8x8xf32> init #job.constant_init<0.5>
job.variable @bias : !job.blob<8xf32> init #job.constant_init<0.5>

// A dense layer: the product, the sum with the bias and the activation are
// narrow, the weight is converted once, the result is that of the signature.
// CHECK-LABEL: job.func @dense(
// CHECK-SAME:    %[[X:.*]]: !job.blob<2x4xf32>) -> !job.blob<2x8xf32>
// CHECK-NEXT:    %[[XN:.*]] = job.cast %[[X]] : <2x4xf32> to <2x4xbf16>
// CHECK-NEXT:    %[[W:.*]] = job.read @w : <8x4xf32>
// CHECK-NEXT:    %[[WN:.*]] = job.cast %[[W]] : <8x4xf32> to <8x4xbf16>
// CHECK-NEXT:    %[[Y:.*]] = job.matmul %[[XN]], %[[WN]] {transpose_rhs = true} : <2x4xbf16>, <8x4xbf16>
// CHECK-NEXT:    %[[B:.*]] = job.read @bias : <8xf32>
// CHECK-NEXT:    %[[BN:.*]] = job.cast %[[B]] : <8xf32> to <8xbf16>
// CHECK-NEXT:    %{{.*}} = job.broadcast_in_dim %[[B]] {dims = array<i64: 1>} : <8xf32> to <2x8xf32>
// CHECK-NEXT:    %[[RN:.*]] = job.broadcast_in_dim %[[BN]] {dims = array<i64: 1>} : <8xbf16> to <2x8xbf16>
// CHECK-NEXT:    %[[S:.*]] = job.add %[[Y]], %[[RN]] : <2x8xbf16>
// CHECK-NEXT:    %[[A:.*]] = job.relu %[[S]] : <2x8xbf16>
// CHECK-NEXT:    %[[AW:.*]] = job.cast %[[A]] : <2x8xbf16> to <2x8xf32>
// CHECK-NEXT:    job.return %[[AW]] : !job.blob<2x8xf32>
// HALF-LABEL: job.func @dense(
// A sum over rows, the gradient of a broadcast, may be too large for f16.
// HALF:         job.matmul {{.*}} : <2x4xf16>, <8x4xf16>
// HALF:         %[[R:.*]] = job.broadcast_in_dim {{.*}} : <8xf32> to <2x8xf32>
// HALF-NEXT:    job.cast %[[R]] : <2x8xf32> to <2x8xf16>
// OWN-LABEL: job.func @dense(
// OWN-NOT:     job.cast
job.func @dense(%x: !job.blob<2x4xf32>) -> !job.blob<2x8xf32> kind predict {
  %w = job.read @w : !job.blob<8x4xf32>
  %0 = job.matmul %x, %w {transpose_rhs = true} : !job.blob<2x4xf32>, !job.blob<8x4xf32>
  %b = job.read @bias : !job.blob<8xf32>
  %1 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<8xf32> to !job.blob<2x8xf32>
  %2 = job.add %0, %1 : !job.blob<2x8xf32>
  %3 = job.relu %2 : !job.blob<2x8xf32>
  job.return %3 : !job.blob<2x8xf32>
}

// Two ops use one narrow copy, and blobs between them stay narrow.
// CHECK-LABEL: job.func @shared(
// CHECK:         %[[VN:.*]] = job.cast {{.*}} : <8x8xf32> to <8x8xbf16>
// CHECK-NEXT:    %[[Y:.*]] = job.matmul %{{.*}}, %[[VN]]
// CHECK-NEXT:    %[[Z:.*]] = job.matmul %[[Y]], %[[VN]]
// CHECK-NEXT:    job.cast %[[Z]]
job.func @shared(%x: !job.blob<2x8xf32>) -> !job.blob<2x8xf32> kind predict {
  %v = job.read @v : !job.blob<8x8xf32>
  %0 = job.matmul %x, %v : !job.blob<2x8xf32>, !job.blob<8x8xf32>
  %1 = job.matmul %0, %v : !job.blob<2x8xf32>, !job.blob<8x8xf32>
  job.return %1 : !job.blob<2x8xf32>
}

// A softmax is in f32, and what is computed with its result as well; the next
// product converts again.
// CHECK-LABEL: job.func @denied(
// CHECK:         %[[Y:.*]] = job.matmul
// CHECK-NEXT:    %[[W:.*]] = job.cast %[[Y]] : <8x8xbf16> to <8x8xf32>
// CHECK-NEXT:    %[[S:.*]] = job.softmax %[[W]] : <8x8xf32>
// CHECK-NEXT:    %[[SN:.*]] = job.cast %[[S]] : <8x8xf32> to <8x8xbf16>
// CHECK-NEXT:    %[[T:.*]] = job.add %[[S]], %[[W]] : <8x8xf32>
// CHECK-NEXT:    job.matmul %[[SN]], %[[Y]] : <8x8xbf16>, <8x8xbf16>
job.func @denied(%x: !job.blob<8x8xf32>) -> (!job.blob<8x8xf32>, !job.blob<8x8xf32>) kind predict {
  %0 = job.matmul %x, %x : !job.blob<8x8xf32>, !job.blob<8x8xf32>
  %1 = job.softmax %0 : !job.blob<8x8xf32>
  %2 = job.add %1, %0 : !job.blob<8x8xf32>
  %3 = job.matmul %1, %0 : !job.blob<8x8xf32>, !job.blob<8x8xf32>
  job.return %2, %3 : !job.blob<8x8xf32>, !job.blob<8x8xf32>
}

// A constant is rounded where it is combined with a narrow blob. One that the
// type cannot hold makes the op compute in f32.
// CHECK-LABEL: job.func @constants(
// CHECK:         %[[Y:.*]] = job.matmul
// CHECK:         job.add %[[Y]], %{{.*}} : <8x8xbf16>
// CHECK:         job.add {{.*}} : <8x8xbf16>
// HALF-LABEL: job.func @constants(
// HALF:         %[[Y:.*]] = job.matmul
// HALF:         job.add %[[Y]], %{{.*}} : <8x8xf16>
// HALF:         job.add {{.*}} : <8x8xf32>
job.func @constants(%x: !job.blob<8x8xf32>) -> (!job.blob<8x8xf32>, !job.blob<8x8xf32>) kind predict {
  %0 = job.matmul %x, %x : !job.blob<8x8xf32>, !job.blob<8x8xf32>
  %half = job.constant dense<0.5> : tensor<8x8xf32>
  %1 = job.add %0, %half : !job.blob<8x8xf32>
  %mask = job.constant dense<-1.0e+09> : tensor<8x8xf32>
  %2 = job.add %0, %mask : !job.blob<8x8xf32>
  job.return %1, %2 : !job.blob<8x8xf32>, !job.blob<8x8xf32>
}

// Without an op of the allow list nothing changes, nor do types that the user
// chose.
// CHECK-LABEL: job.func @nothing(
// CHECK-NOT:     job.cast
// CHECK:         job.return
job.func @nothing(%x: !job.blob<4xf32>, %y: !job.blob<4x4xf64>, %z: !job.blob<4x4xbf16>)
    -> (!job.blob<4xf32>, !job.blob<4x4xf64>, !job.blob<4x4xbf16>) kind predict {
  %0 = job.add %x, %x : !job.blob<4xf32>
  %1 = job.matmul %y, %y : !job.blob<4x4xf64>, !job.blob<4x4xf64>
  %2 = job.matmul %z, %z : !job.blob<4x4xbf16>, !job.blob<4x4xbf16>
  job.return %0, %1, %2 : !job.blob<4xf32>, !job.blob<4x4xf64>, !job.blob<4x4xbf16>
}

// The precision of a job, not that of the option; the attribute is gone.
// CHECK-LABEL: job.func @own(
// CHECK-SAME:    kind predict {
// CHECK:         job.matmul {{.*}} : <8x8xf16>, <8x8xf16>
// OWN-LABEL: job.func @own(
// OWN:         job.matmul {{.*}} : <8x8xf16>, <8x8xf16>
job.func @own(%x: !job.blob<8x8xf32>) -> !job.blob<8x8xf32> kind predict attributes {precision = f16} {
  %0 = job.matmul %x, %x : !job.blob<8x8xf32>, !job.blob<8x8xf32>
  job.return %0 : !job.blob<8x8xf32>
}

// One that stays in f32 says so.
// CHECK-LABEL: job.func @wide(
// CHECK-SAME:    kind predict attributes {precision = f32}
// CHECK-NEXT:    job.matmul {{.*}} : <8x8xf32>, <8x8xf32>
job.func @wide(%x: !job.blob<8x8xf32>) -> !job.blob<8x8xf32> kind predict attributes {precision = f32} {
  %0 = job.matmul %x, %x : !job.blob<8x8xf32>, !job.blob<8x8xf32>
  job.return %0 : !job.blob<8x8xf32>
}

// A variable is assigned in f32, and a gather of a variable by an input is a
// blob of the user's: it makes the sum wide.
// CHECK-LABEL: job.func @variables(
// CHECK:         %[[Y:.*]] = job.matmul
// CHECK-NEXT:    %[[W:.*]] = job.cast %[[Y]] : <2x8xbf16> to <2x8xf32>
// CHECK:         %[[G:.*]] = job.gather %{{.*}} : <8x8xf32>, <2xi32>
// CHECK-NEXT:    job.add %[[W]], %[[G]] : <2x8xf32>
job.func @variables(%x: !job.blob<2x8xf32>, %i: !job.blob<2xi32>) -> !job.blob<2x8xf32> kind predict {
  %v = job.read @v : !job.blob<8x8xf32>
  %0 = job.matmul %x, %v : !job.blob<2x8xf32>, !job.blob<8x8xf32>
  %1 = job.gather %v, %i {axis = 0 : i64} : !job.blob<8x8xf32>, !job.blob<2xi32>
  %2 = job.add %0, %1 : !job.blob<2x8xf32>
  job.return %2 : !job.blob<2x8xf32>
}

// The result of attention is narrow, the logarithm of its sums is not; what
// depends on that alone stays wide.
// CHECK-LABEL: job.func @attention(
// CHECK: %[[Q:.*]] = job.cast %{{.*}} : <1x4x2x8xf32> to <1x4x2x8xbf16>
// CHECK: %[[Y:.*]], %[[L:.*]] = job.attention %[[Q]], %[[Q]], %[[Q]] {scale = 5.000000e-01 : f64} : <1x4x2x8xbf16>, <1x4x2x8xbf16>, <1x4x2x8xbf16>
// CHECK: job.neg %[[L]] : <1x2x4xf32>
job.func @attention(%q: !job.blob<1x4x2x8xf32>) -> (!job.blob<1x4x2x8xf32>, !job.blob<1x2x4xf32>) kind predict {
  %y, %l = job.attention %q, %q, %q {scale = 0.5 : f64} : !job.blob<1x4x2x8xf32>, !job.blob<1x4x2x8xf32>, !job.blob<1x4x2x8xf32>
  %0 = job.neg %l : !job.blob<1x2x4xf32>
  job.return %y, %0 : !job.blob<1x4x2x8xf32>, !job.blob<1x2x4xf32>
}
