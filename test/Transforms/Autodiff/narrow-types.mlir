// RUN: job-opt %s --job-autodiff --canonicalize --cse | FileCheck %s
// RUN: job-opt %s --job-train-pipeline --job-widen-types --canonicalize --cse | FileCheck %s --check-prefix=WIDENED

// Of a rule of several ops, the gradient alone is rounded to f16 or bf16.

job.variable @x : !job.blob<4xf16> init #job.constant_init<1.0>
job.variable @q : !job.blob<1x4x1x2xbf16> init #job.constant_init<1.0>

// CHECK-LABEL: job.func @rsqrt(
// CHECK: %[[Y:.*]] = job.rsqrt %{{.*}} : <4xf16>
// CHECK: %[[WIDE:.*]] = job.cast %[[Y]] : <4xf16> to <4xf32>
// CHECK: %[[SQUARE:.*]] = job.mul %[[WIDE]], %[[WIDE]] : <4xf32>
// CHECK: %[[CUBE:.*]] = job.mul %[[SQUARE]], %[[WIDE]] : <4xf32>
// CHECK: %[[FACTOR:.*]] = job.mul %[[CUBE]], %{{.*}} : <4xf32>
// CHECK: %[[GRADIENT:.*]] = job.cast %[[FACTOR]] : <4xf32> to <4xf16>
// CHECK: job.update @x, %[[GRADIENT]]
job.func @rsqrt() kind train {
  %x = job.read @x : !job.blob<4xf16>
  %y = job.rsqrt %x : !job.blob<4xf16>
  job.loss %y : !job.blob<4xf16>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// The logarithm of the sum of exponentials is not rounded; the result is, as
// the step keeps it.

// CHECK-LABEL: job.func @attention(
// CHECK: %[[Y:[^ ,]*]], %[[LSE:.*]] = job.attention %[[Q:[^ ,]*]], %[[Q]], %[[Q]]
// CHECK: job.attention_grad %{{.*}}, %[[Q]], %[[Q]], %[[Q]], %[[Y]], %[[LSE]] {{.*}} : <1x4x1x2xbf16>, <1x4x1x2xbf16>, <1x4x1x2xbf16>, <1x4x1x2xbf16>, <1x1x4xf32>

// WIDENED-LABEL: job.func @attention(
// WIDENED: job.attention %
// WIDENED-NOT: job.attention %
// WIDENED: job.return
job.func @attention() kind train {
  %q = job.read @q : !job.blob<1x4x1x2xbf16>
  %y, %l = job.attention %q, %q, %q {scale = 0.5 : f64} : !job.blob<1x4x1x2xbf16>, !job.blob<1x4x1x2xbf16>, !job.blob<1x4x1x2xbf16>
  job.loss %y : !job.blob<1x4x1x2xbf16>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// The ops of the gradient of that logarithm are as wide as it is.

// CHECK-LABEL: job.func @logsumexp(
// CHECK: %[[WIDE:.*]] = job.cast %{{.*}} : <1x4x1x2xbf16> to <1x4x1x2xf32>
// CHECK: job.attention %[[WIDE]], %[[WIDE]], %[[WIDE]]
// CHECK: %[[GRADS:.*]]:3 = job.attention_grad %{{.*}} : <1x4x1x2xf32>, <1x4x1x2xf32>, <1x4x1x2xf32>, <1x4x1x2xf32>, <1x1x4xf32>
// CHECK-DAG: %[[OF_QUERY:.*]] = job.cast %{{.*}} : <1x4x1x2xf32> to <1x4x1x2xbf16>
// CHECK-DAG: %[[OF_KEY:.*]] = job.cast %[[GRADS]]#2 : <1x4x1x2xf32> to <1x4x1x2xbf16>
// CHECK: %[[GRADIENT:.*]] = job.add %[[OF_KEY]], %[[OF_QUERY]] : <1x4x1x2xbf16>
// CHECK: job.update @q, %[[GRADIENT]]
job.func @logsumexp() kind train {
  %q = job.read @q : !job.blob<1x4x1x2xbf16>
  %y, %l = job.attention %q, %q, %q {scale = 0.5 : f64} : !job.blob<1x4x1x2xbf16>, !job.blob<1x4x1x2xbf16>, !job.blob<1x4x1x2xbf16>
  job.loss %l : !job.blob<1x1x4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}
