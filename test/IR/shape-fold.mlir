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

// -----

// CHECK-LABEL: job.func @transpose_to_itself(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x6xf32>)
// CHECK-NEXT:    job.return %[[X]]
job.func @transpose_to_itself(%x: !job.blob<2x6xf32>) -> !job.blob<2x6xf32> kind predict {
  %0 = job.transpose %x {permutation = array<i64: 0, 1>} : !job.blob<2x6xf32>
  job.return %0 : !job.blob<2x6xf32>
}

// CHECK-LABEL: job.func @transpose_of_transpose(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x3x4xf32>)
// CHECK-NEXT:    %[[T:.*]] = job.transpose %[[X]] {permutation = array<i64: 2, 1, 0>} : <2x3x4xf32>
// CHECK-NEXT:    job.return %[[T]], %[[X]] :
job.func @transpose_of_transpose(%x: !job.blob<2x3x4xf32>) -> (!job.blob<4x3x2xf32>, !job.blob<2x3x4xf32>) kind predict {
  %0 = job.transpose %x {permutation = array<i64: 1, 2, 0>} : !job.blob<2x3x4xf32>
  %1 = job.transpose %0 {permutation = array<i64: 1, 0, 2>} : !job.blob<3x4x2xf32>
  %2 = job.transpose %1 {permutation = array<i64: 2, 1, 0>} : !job.blob<4x3x2xf32>
  job.return %1, %2 : !job.blob<4x3x2xf32>, !job.blob<2x3x4xf32>
}

// CHECK-LABEL: job.func @transpose_constants
// CHECK-DAG:     %[[SPLAT:.*]] = job.constant dense<2.000000e+00> : tensor<6x2xf32>
// CHECK-DAG:     %[[T:.*]] = job.transpose
// CHECK:         job.return %[[SPLAT]], %[[T]] :
job.func @transpose_constants() -> (!job.blob<6x2xf32>, !job.blob<2x2xf32>) kind predict {
  %0 = job.constant dense<2.0> : tensor<2x6xf32>
  %1 = job.transpose %0 {permutation = array<i64: 1, 0>} : !job.blob<2x6xf32>
  %2 = job.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %3 = job.transpose %2 {permutation = array<i64: 1, 0>} : !job.blob<2x2xf32>
  job.return %1, %3 : !job.blob<6x2xf32>, !job.blob<2x2xf32>
}

// -----

// CHECK-LABEL: job.func @slice_of_everything(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x6xf32>)
// CHECK-NEXT:    job.return %[[X]]
job.func @slice_of_everything(%x: !job.blob<2x6xf32>) -> !job.blob<2x6xf32> kind predict {
  %0 = job.slice %x {offsets = array<i64: 0, 0>, sizes = array<i64: 2, 6>, strides = array<i64: 1, 1>} : !job.blob<2x6xf32>
  job.return %0 : !job.blob<2x6xf32>
}

// Elements 1, 4, 7, ... and of them the second and the fourth.
// CHECK-LABEL: job.func @slice_of_slice(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<30xf32>)
// CHECK-NEXT:    %[[S:.*]] = job.slice %[[X]] {offsets = array<i64: 4>, sizes = array<i64: 2>, strides = array<i64: 6>} : <30xf32>
// CHECK-NEXT:    job.return %[[S]]
job.func @slice_of_slice(%x: !job.blob<30xf32>) -> !job.blob<2xf32> kind predict {
  %0 = job.slice %x {offsets = array<i64: 1>, sizes = array<i64: 8>, strides = array<i64: 3>} : !job.blob<30xf32>
  %1 = job.slice %0 {offsets = array<i64: 1>, sizes = array<i64: 2>, strides = array<i64: 2>} : !job.blob<8xf32>
  job.return %1 : !job.blob<2xf32>
}

// CHECK-LABEL: job.func @slice_splat
// CHECK-NEXT:    %[[X:.*]] = job.constant dense<2.000000e+00> : tensor<3xf32>
// CHECK-NEXT:    job.return %[[X]]
job.func @slice_splat() -> !job.blob<3xf32> kind predict {
  %0 = job.constant dense<2.0> : tensor<6xf32>
  %1 = job.slice %0 {offsets = array<i64: 1>, sizes = array<i64: 3>, strides = array<i64: 1>} : !job.blob<6xf32>
  job.return %1 : !job.blob<3xf32>
}

// -----

// A slice of a concatenation reads the operand that it lies in; that may be all
// of it.
// CHECK-LABEL: job.func @slice_of_concat(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x3xf32>, %[[Y:[^ ]*]]: !job.blob<2x5xf32>)
// CHECK-NEXT:    %[[S:.*]] = job.slice %[[Y]] {offsets = array<i64: 1, 1>, sizes = array<i64: 1, 2>, strides = array<i64: 1, 2>} : <2x5xf32>
// CHECK-NEXT:    job.return %[[X]], %[[Y]], %[[S]] :
job.func @slice_of_concat(%x: !job.blob<2x3xf32>, %y: !job.blob<2x5xf32>)
    -> (!job.blob<2x3xf32>, !job.blob<2x5xf32>, !job.blob<1x2xf32>) kind predict {
  %0 = job.concat %x, %y {axis = 1 : i64} : !job.blob<2x3xf32>, !job.blob<2x5xf32>
  %1 = job.slice %0 {offsets = array<i64: 0, 0>, sizes = array<i64: 2, 3>, strides = array<i64: 1, 1>} : !job.blob<2x8xf32>
  %2 = job.slice %0 {offsets = array<i64: 0, 3>, sizes = array<i64: 2, 5>, strides = array<i64: 1, 1>} : !job.blob<2x8xf32>
  %3 = job.slice %0 {offsets = array<i64: 1, 4>, sizes = array<i64: 1, 2>, strides = array<i64: 1, 2>} : !job.blob<2x8xf32>
  job.return %1, %2, %3 : !job.blob<2x3xf32>, !job.blob<2x5xf32>, !job.blob<1x2xf32>
}

// CHECK-LABEL: job.func @slice_across_operands
// CHECK:         job.concat
// CHECK-NEXT:    job.slice
job.func @slice_across_operands(%x: !job.blob<2x3xf32>, %y: !job.blob<2x5xf32>) -> !job.blob<2x2xf32> kind predict {
  %0 = job.concat %x, %y {axis = 1 : i64} : !job.blob<2x3xf32>, !job.blob<2x5xf32>
  %1 = job.slice %0 {offsets = array<i64: 0, 2>, sizes = array<i64: 2, 2>, strides = array<i64: 1, 1>} : !job.blob<2x8xf32>
  job.return %1 : !job.blob<2x2xf32>
}

// -----

// CHECK-LABEL: job.func @pad_with_nothing(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x1xf32>)
// CHECK-NEXT:    job.return %[[X]]
job.func @pad_with_nothing(%x: !job.blob<2x1xf32>) -> !job.blob<2x1xf32> kind predict {
  %0 = job.pad %x {low = array<i64: 0, 0>, high = array<i64: 0, 0>, interior = array<i64: 0, 7>, value = 1.0 : f64} : !job.blob<2x1xf32>
  job.return %0 : !job.blob<2x1xf32>
}

// CHECK-LABEL: job.func @concat_of_one(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x6xf32>)
// CHECK-NEXT:    job.return %[[X]]
job.func @concat_of_one(%x: !job.blob<2x6xf32>) -> !job.blob<2x6xf32> kind predict {
  %0 = job.concat %x {axis = 0 : i64} : !job.blob<2x6xf32>
  job.return %0 : !job.blob<2x6xf32>
}

// CHECK-LABEL: job.func @concat_of_all_parts(
// CHECK-SAME:    %[[X:[^ ]*]]: !job.blob<2x6xf32>)
// CHECK-NEXT:    job.return %[[X]]
job.func @concat_of_all_parts(%x: !job.blob<2x6xf32>) -> !job.blob<2x6xf32> kind predict {
  %0 = job.slice %x {offsets = array<i64: 0, 0>, sizes = array<i64: 2, 4>, strides = array<i64: 1, 1>} : !job.blob<2x6xf32>
  %1 = job.slice %x {offsets = array<i64: 0, 4>, sizes = array<i64: 2, 1>, strides = array<i64: 1, 5>} : !job.blob<2x6xf32>
  %2 = job.slice %x {offsets = array<i64: 0, 5>, sizes = array<i64: 2, 1>, strides = array<i64: 1, 1>} : !job.blob<2x6xf32>
  %3 = job.concat %0, %1, %2 {axis = 1 : i64} : !job.blob<2x4xf32>, !job.blob<2x1xf32>, !job.blob<2x1xf32>
  job.return %3 : !job.blob<2x6xf32>
}

// In another order, and with a stride.
// CHECK-LABEL: job.func @concat_of_parts_stays
// CHECK:         job.concat
// CHECK:         job.concat
job.func @concat_of_parts_stays(%x: !job.blob<2x4xf32>) -> (!job.blob<2x4xf32>, !job.blob<2x4xf32>) kind predict {
  %0 = job.slice %x {offsets = array<i64: 0, 0>, sizes = array<i64: 2, 2>, strides = array<i64: 1, 1>} : !job.blob<2x4xf32>
  %1 = job.slice %x {offsets = array<i64: 0, 2>, sizes = array<i64: 2, 2>, strides = array<i64: 1, 1>} : !job.blob<2x4xf32>
  %2 = job.slice %x {offsets = array<i64: 0, 0>, sizes = array<i64: 2, 2>, strides = array<i64: 1, 2>} : !job.blob<2x4xf32>
  %3 = job.concat %1, %0 {axis = 1 : i64} : !job.blob<2x2xf32>, !job.blob<2x2xf32>
  %4 = job.concat %2, %1 {axis = 1 : i64} : !job.blob<2x2xf32>, !job.blob<2x2xf32>
  job.return %3, %4 : !job.blob<2x4xf32>, !job.blob<2x4xf32>
}
