// RUN: job-opt %s | FileCheck %s
// RUN: job-opt %s | job-opt | FileCheck %s
// RUN: job-opt %s --mlir-print-op-generic | job-opt | FileCheck %s
// RUN: job-opt %s --emit-bytecode | job-opt | FileCheck %s

// CHECK-LABEL: job.func @attention(
// CHECK-SAME:    %[[Q:[^ ]*]]: !job.blob<2x5x3x4xf32>, %[[K:[^ ]*]]: !job.blob<2x7x3x4xf32>,
// CHECK-SAME:    %[[V:[^ ]*]]: !job.blob<2x7x3x6xf32>)
job.func @attention(%q: !job.blob<2x5x3x4xf32>, %k: !job.blob<2x7x3x4xf32>,
                    %v: !job.blob<2x7x3x6xf32>)
    -> (!job.blob<2x5x3x6xf32>, !job.blob<2x3x5xf32>, !job.blob<2x5x3x4xf32>,
        !job.blob<2x7x3x4xf32>, !job.blob<2x7x3x6xf32>) kind predict {
  // CHECK-NEXT: %[[Y:.*]], %[[L:.*]] = job.attention %[[Q]], %[[K]], %[[V]] {causal = true, scale = 5.000000e-01 : f64} : <2x5x3x4xf32>, <2x7x3x4xf32>, <2x7x3x6xf32>
  %y, %l = job.attention %q, %k, %v {causal = true, scale = 0.5 : f64} : !job.blob<2x5x3x4xf32>, !job.blob<2x7x3x4xf32>, !job.blob<2x7x3x6xf32>
  // CHECK-NEXT: job.attention_grad %[[Y]], %[[Q]], %[[K]], %[[V]], %[[Y]], %[[L]] {causal = true, scale = 5.000000e-01 : f64} : <2x5x3x6xf32>, <2x5x3x4xf32>, <2x7x3x4xf32>, <2x7x3x6xf32>, <2x3x5xf32>
  %dq, %dk, %dv = job.attention_grad %y, %q, %k, %v, %y, %l {causal = true, scale = 0.5 : f64} : !job.blob<2x5x3x6xf32>, !job.blob<2x5x3x4xf32>, !job.blob<2x7x3x4xf32>, !job.blob<2x7x3x6xf32>, !job.blob<2x3x5xf32>
  job.return %y, %l, %dq, %dk, %dv : !job.blob<2x5x3x6xf32>,
    !job.blob<2x3x5xf32>, !job.blob<2x5x3x4xf32>, !job.blob<2x7x3x4xf32>,
    !job.blob<2x7x3x6xf32>
}

// Without a mask there may be fewer keys than queries; a flag that is not set is
// not printed.
// CHECK-LABEL: job.func @few_keys(
// CHECK-SAME:    %[[Q:[^ ]*]]: !job.blob<1x9x1x4xf64>, %[[K:[^ ]*]]: !job.blob<1x2x1x4xf64>)
job.func @few_keys(%q: !job.blob<1x9x1x4xf64>, %k: !job.blob<1x2x1x4xf64>)
    -> !job.blob<1x9x1x4xf64> kind predict {
  // CHECK-NEXT: job.attention %[[Q]], %[[K]], %[[K]] {scale = -1.000000e+00 : f64} : <1x9x1x4xf64>, <1x2x1x4xf64>, <1x2x1x4xf64>
  %y, %l = job.attention %q, %k, %k {causal = false, scale = -1.0 : f64} : !job.blob<1x9x1x4xf64>, !job.blob<1x2x1x4xf64>, !job.blob<1x2x1x4xf64>
  job.return %y : !job.blob<1x9x1x4xf64>
}

// The logarithms of sums are f32 for narrow types.
// CHECK-LABEL: job.func @narrow(
job.func @narrow(%q: !job.blob<1x4x2x8xbf16>) -> !job.blob<1x2x4xf32> kind predict {
  // CHECK: job.attention_grad %{{.*}} : <1x4x2x8xbf16>, <1x4x2x8xbf16>, <1x4x2x8xbf16>, <1x4x2x8xbf16>, <1x2x4xf32>
  %y, %l = job.attention %q, %q, %q {scale = 0.5 : f64} : !job.blob<1x4x2x8xbf16>, !job.blob<1x4x2x8xbf16>, !job.blob<1x4x2x8xbf16>
  %dq, %dk, %dv = job.attention_grad %y, %q, %q, %q, %y, %l {scale = 0.5 : f64} : !job.blob<1x4x2x8xbf16>, !job.blob<1x4x2x8xbf16>, !job.blob<1x4x2x8xbf16>, !job.blob<1x4x2x8xbf16>, !job.blob<1x2x4xf32>
  job.return %l : !job.blob<1x2x4xf32>
}
