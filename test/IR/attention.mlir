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

// Heads of larger blobs, and gradients in one blob.
// CHECK-LABEL: job.func @heads(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x4x8x6xf32>, %[[G:[^ ]*]]: !job.blob<2x4x2x6xf32>)
job.func @heads(%x: !job.blob<2x4x8x6xf32>, %g: !job.blob<2x4x2x6xf32>)
    -> (!job.blob<2x4x6x6xf32>, !job.blob<2x4x4x6xf32>, !job.blob<2x4x2x6xf32>) kind predict {
  // CHECK-NEXT: %[[Y:.*]], %[[L:.*]] = job.attention %[[X]], %[[X]], %[[X]] {heads_after = array<i64: 6, 0, 3>, heads_before = array<i64: 0, 6, 3>, scale = 5.000000e-01 : f64} : <2x4x8x6xf32>, <2x4x8x6xf32>, <2x4x8x6xf32>
  %y, %l = job.attention %x, %x, %x {heads_before = array<i64: 0, 6, 3>, heads_after = array<i64: 6, 0, 3>, scale = 0.5 : f64} : !job.blob<2x4x8x6xf32>, !job.blob<2x4x8x6xf32>, !job.blob<2x4x8x6xf32>
  // CHECK-NEXT: %[[ALL:.*]] = job.attention_grad %[[G]], %[[X]], %[[X]], %[[X]], %[[Y]], %[[L]] {heads_after = array<i64: 6, 0, 3>, heads_before = array<i64: 0, 6, 3>, join_key_value = true, join_query_key = true, scale = 5.000000e-01 : f64}
  %all = job.attention_grad %g, %x, %x, %x, %y, %l {heads_before = array<i64: 0, 6, 3>, heads_after = array<i64: 6, 0, 3>, join_query_key = true, join_key_value = true, scale = 0.5 : f64} : !job.blob<2x4x2x6xf32>, !job.blob<2x4x8x6xf32>, !job.blob<2x4x8x6xf32>, !job.blob<2x4x8x6xf32>, !job.blob<2x2x4xf32>
  // CHECK-NEXT: %[[DQK:.*]]:2 = job.attention_grad {{.*}} {join_query_key = true, scale = 5.000000e-01 : f64}
  %qk:2 = job.attention_grad %g, %g, %g, %g, %y, %l {heads_before = array<i64: 0, 0, 0>, heads_after = array<i64: 0, 0, 0>, join_query_key = true, scale = 0.5 : f64} : !job.blob<2x4x2x6xf32>, !job.blob<2x4x2x6xf32>, !job.blob<2x4x2x6xf32>, !job.blob<2x4x2x6xf32>, !job.blob<2x2x4xf32>
  // CHECK-NEXT: job.return %[[ALL]], %[[DQK]]#0, %[[DQK]]#1 : !job.blob<2x4x6x6xf32>, !job.blob<2x4x4x6xf32>, !job.blob<2x4x2x6xf32>
  job.return %all, %qk#0, %qk#1 : !job.blob<2x4x6x6xf32>, !job.blob<2x4x4x6xf32>, !job.blob<2x4x2x6xf32>
}
