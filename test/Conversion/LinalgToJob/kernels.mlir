// RUN: job-opt %s --convert-linalg-to-job | FileCheck %s
// RUN: job-opt %s --convert-linalg-to-job --job-train-pipeline --job-plan-pipeline -o /dev/null

// CHECK-LABEL: job.func @elementwise(%arg0: !job.blob<3x4xf32>{{.*}}) -> !job.blob<3x4xf32> kind predict
// CHECK:         %[[C:.*]] = job.constant dense<5.000000e-01> : tensor<3x4xf32>
// CHECK:         %[[TANH:.*]] = job.tanh %arg0
// CHECK:         %[[POSITIVE:.*]] = job.compare gt %[[TANH]], %[[C]]
// CHECK:         %[[R:.*]] = job.select %[[POSITIVE]], %[[TANH]], %[[C]]
// CHECK:         job.return %[[R]]
func.func @elementwise(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %half = arith.constant dense<0.5> : tensor<3x4xf32>
  %0 = math.tanh %x : tensor<3x4xf32>
  %1 = arith.cmpf ogt, %0, %half : tensor<3x4xf32>
  %2 = arith.select %1, %0, %half : tensor<3x4xi1>, tensor<3x4xf32>
  return %2 : tensor<3x4xf32>
}

// Operands are broadcast and transposed, the result is transposed.
// CHECK-LABEL: job.func @maps
// CHECK:         %[[T:.*]] = job.transpose %arg0 {permutation = array<i64: 1, 0>} : <4x3xf32>
// CHECK:         %[[B:.*]] = job.broadcast_in_dim %arg1 {dims = array<i64: 1>} : <4xf32> to <3x4xf32>
// CHECK:         %[[S:.*]] = job.broadcast_in_dim %arg2 {dims = array<i64: 0>} : <1xf32> to <3x4xf32>
// CHECK:         %[[ADD:.*]] = job.add %[[T]], %[[B]]
// CHECK:         %[[MUL:.*]] = job.mul %[[ADD]], %[[S]]
// CHECK:         %[[R:.*]] = job.transpose %[[MUL]] {permutation = array<i64: 1, 0>} : <3x4xf32>
// CHECK:         job.return %[[R]] : !job.blob<4x3xf32>
func.func @maps(%x: tensor<4x3xf32>, %b: tensor<4xf32>, %s: tensor<f32>) -> tensor<4x3xf32> {
  %out = tensor.empty() : tensor<4x3xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> (j, i)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%x, %b, %s : tensor<4x3xf32>, tensor<4xf32>, tensor<f32>) outs(%out : tensor<4x3xf32>) {
  ^bb0(%a: f32, %c: f32, %d: f32, %o: f32):
    %1 = arith.addf %a, %c : f32
    %2 = arith.mulf %1, %d : f32
    linalg.yield %2 : f32
  } -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// A sum from zero, and a maximum that the output takes part in.
// CHECK-LABEL: job.func @reductions
// CHECK:         %[[SUM:.*]] = job.reduce_sum %{{.*}} {axes = array<i64: 1>} : <3x4xf32>
// CHECK:         %[[MAX:.*]] = job.reduce_max %{{.*}} {axes = array<i64: 1>} : <3x4xf32>
// CHECK:         %[[M:.*]] = job.maximum %arg1, %[[MAX]]
// CHECK:         job.return %[[SUM]], %[[M]]
func.func @reductions(%x: tensor<3x4xf32>, %m: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<3xf32>) -> tensor<3xf32>
  %0:2 = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%x : tensor<3x4xf32>) outs(%zeros, %m : tensor<3xf32>, tensor<3xf32>) {
  ^bb0(%a: f32, %s: f32, %t: f32):
    %1 = math.exp %a : f32
    %2 = arith.addf %s, %1 : f32
    %3 = arith.maximumf %a, %t : f32
    linalg.yield %2, %3 : f32, f32
  } -> (tensor<3xf32>, tensor<3xf32>)
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xf32>
}

// Named operations are those that they stand for.
// CHECK-LABEL: job.func @matmul
// CHECK:         %[[A:.*]] = job.broadcast_in_dim %arg0 {dims = array<i64: 0, 2>} : <2x3xf32> to <2x4x3xf32>
// CHECK:         %[[BT:.*]] = job.transpose %arg1
// CHECK:         %[[B:.*]] = job.broadcast_in_dim %[[BT]] {dims = array<i64: 1, 2>} : <4x3xf32> to <2x4x3xf32>
// CHECK:         %[[P:.*]] = job.mul %[[A]], %[[B]]
// CHECK:         %[[SUM:.*]] = job.reduce_sum %[[P]] {axes = array<i64: 2>}
// CHECK:         %[[R:.*]] = job.add %arg2, %[[SUM]]
// CHECK:         job.return %[[R]]
func.func @matmul(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x4xf32>) outs(%c : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: job.func @shapes
// CHECK:         job.slice %arg0 {offsets = array<i64: 0, 1>, sizes = array<i64: 1, 4>, strides = array<i64: 1, 2>}
// CHECK:         job.reshape %{{.*}} : <1x4xf32> to <4xf32>
// CHECK:         job.reshape %{{.*}} : <4xf32> to <2x2xf32>
func.func @shapes(%x: tensor<2x8xf32>) -> tensor<2x2xf32> {
  %0 = tensor.extract_slice %x[0, 1] [1, 4] [1, 2] : tensor<2x8xf32> to tensor<4xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// CHECK-LABEL: job.func @indices
// CHECK:         %[[I:.*]] = job.iota {axis = 0 : i64} : <4xi64>
// CHECK:         job.cast %[[I]] : <4xi64> to <4xi32>
func.func @indices() -> tensor<4xi32> {
  %out = tensor.empty() : tensor<4xi32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]
  } outs(%out : tensor<4xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %1 = arith.index_cast %i : index to i32
    linalg.yield %1 : i32
  } -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
