// RUN: job-opt %s --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: job.func @reshape_to_itself(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x6xf32>)
// CHECK-NEXT:    job.return %[[X]]
job.func @reshape_to_itself(%x: !job.blob<2x6xf32>) -> !job.blob<2x6xf32> kind predict {
  %0 = job.reshape %x : !job.blob<2x6xf32> to !job.blob<2x6xf32>
  job.return %0 : !job.blob<2x6xf32>
}

// CHECK-LABEL: job.func @reshape_of_reshape(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x6xf32>)
// CHECK-NEXT:    %[[R:.*]] = job.reshape %[[X]] : <2x6xf32> to <4x3xf32>
// CHECK-NEXT:    job.return %[[R]]
job.func @reshape_of_reshape(%x: !job.blob<2x6xf32>) -> !job.blob<4x3xf32> kind predict {
  %0 = job.reshape %x : !job.blob<2x6xf32> to !job.blob<12xf32>
  %1 = job.reshape %0 : !job.blob<12xf32> to !job.blob<4x3xf32>
  job.return %1 : !job.blob<4x3xf32>
}

// There and back.
// CHECK-LABEL: job.func @reshape_back(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x6xf32>)
// CHECK-NEXT:    job.return %[[X]]
job.func @reshape_back(%x: !job.blob<2x6xf32>) -> !job.blob<2x6xf32> kind predict {
  %0 = job.reshape %x : !job.blob<2x6xf32> to !job.blob<12xf32>
  %1 = job.reshape %0 : !job.blob<12xf32> to !job.blob<2x6xf32>
  job.return %1 : !job.blob<2x6xf32>
}

// Constants keep their row-major order; they need not be splats.
// CHECK-LABEL: job.func @reshape_constants
// CHECK-DAG:     %[[X:.*]] = job.constant dense<{{\[\[}}1, 2], [3, 4]]> : tensor<2x2xi32>
// CHECK-DAG:     %[[Y:.*]] = job.constant dense<true> : tensor<4x1xi1>
// CHECK:         job.return %[[X]], %[[Y]] :
job.func @reshape_constants() -> (!job.blob<2x2xi32>, !job.blob<4x1xi1>) kind predict {
  %0 = job.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %1 = job.reshape %0 : !job.blob<4xi32> to !job.blob<2x2xi32>
  %2 = job.constant dense<true> : tensor<2x2xi1>
  %3 = job.reshape %2 : !job.blob<2x2xi1> to !job.blob<4x1xi1>
  job.return %1, %3 : !job.blob<2x2xi32>, !job.blob<4x1xi1>
}

// -----

// CHECK-LABEL: job.func @broadcast_to_itself(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x6xf32>)
// CHECK-NEXT:    job.return %[[X]]
job.func @broadcast_to_itself(%x: !job.blob<2x6xf32>) -> !job.blob<2x6xf32> kind predict {
  %0 = job.broadcast_in_dim %x {dims = array<i64: 0, 1>} : !job.blob<2x6xf32> to !job.blob<2x6xf32>
  job.return %0 : !job.blob<2x6xf32>
}

// CHECK-LABEL: job.func @broadcast_splat
// CHECK-NEXT:    %[[X:.*]] = job.constant dense<2.000000e+00> : tensor<2x6xf32>
// CHECK-NEXT:    job.return %[[X]]
job.func @broadcast_splat() -> !job.blob<2x6xf32> kind predict {
  %0 = job.constant dense<2.0> : tensor<6xf32>
  %1 = job.broadcast_in_dim %0 {dims = array<i64: 1>} : !job.blob<6xf32> to !job.blob<2x6xf32>
  job.return %1 : !job.blob<2x6xf32>
}

// A constant that is no splat would be stored in its large form.
// CHECK-LABEL: job.func @broadcast_constant
// CHECK:         job.broadcast_in_dim
job.func @broadcast_constant() -> !job.blob<4x2xf32> kind predict {
  %0 = job.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = job.broadcast_in_dim %0 {dims = array<i64: 1>} : !job.blob<2xf32> to !job.blob<4x2xf32>
  job.return %1 : !job.blob<4x2xf32>
}

// A broadcast that changes the shape stays.
// CHECK-LABEL: job.func @broadcast_stays
// CHECK:         job.broadcast_in_dim
job.func @broadcast_stays(%x: !job.blob<1x4xf32>) -> !job.blob<4x4xf32> kind predict {
  %0 = job.broadcast_in_dim %x {dims = array<i64: 0, 1>} : !job.blob<1x4xf32> to !job.blob<4x4xf32>
  job.return %0 : !job.blob<4x4xf32>
}
