// RUN: job-opt %s --split-input-file --convert-linalg-to-job --verify-diagnostics

// expected-error @below {{expects input 0 to be a tensor but got 'f32'}}
func.func @f(%x: f32) {
  return
}

// -----

// expected-error @below {{input 0 expects positive extents but got ? in dimension 0}}
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// -----

// expected-error @below {{expects a function with a body of one block but got 0 blocks}}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32>

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expects an operation of linalg, tensor, arith or math that an op of the job dialect has the meaning of but got 'math.fma'}}
  %0 = math.fma %x, %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{has the meaning of but got 'llvm.unreachable'}}
  llvm.unreachable
}

// -----

func.func @f(%x: tensor<4xi1>) -> tensor<4xi1> {
  // expected-error @below {{has the meaning of but got 'arith.addi'}}
  %0 = arith.addi %x, %x : tensor<4xi1>
  return %0 : tensor<4xi1>
}

// -----

func.func @f(%x: tensor<4xi1>) -> tensor<4xi32> {
  // expected-error @below {{has the meaning of but got 'arith.extsi'}}
  %0 = arith.extsi %x : tensor<4xi1> to tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xi1> {
  // expected-error @below {{has the meaning of but got 'arith.cmpf'}}
  %0 = arith.cmpf ult, %x, %x : tensor<4xf32>
  return %0 : tensor<4xi1>
}

// -----

func.func @f(%x: tensor<4xi32>) -> tensor<4xi1> {
  // expected-error @below {{has the meaning of but got 'arith.cmpi'}}
  %0 = arith.cmpi ult, %x, %x : tensor<4xi32>
  return %0 : tensor<4xi1>
}

// -----

// expected-error @below {{expects input 1 to be a tensor but got 'memref<4xf32>'}}
func.func @f(%x: tensor<4xf32>, %m: memref<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<8xf32>) -> tensor<4xf32> {
  %out = tensor.empty() : tensor<4xf32>
  // expected-error @below {{expects indexing maps whose results are different dimensions but got affine_map<(d0) -> (d0 * 2)>}}
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i * 2)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]
  } ins(%x : tensor<8xf32>) outs(%out : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4x3xf32>, %s: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expects output 0 to be a sum, product, maximum or minimum of it and a term but got another body}}
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]
  } ins(%x : tensor<4x3xf32>) outs(%s : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %o, %o : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4x3xf32>, %s: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]
  } ins(%x : tensor<4x3xf32>) outs(%s : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    // expected-error @below {{expects a reduction by a sum, product, maximum or minimum but got 'arith.subf'}}
    %1 = arith.subf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4x3xf32>) -> tensor<4xf32> {
  %s = tensor.empty() : tensor<4xf32>
  // expected-error @below {{expects an operand with elements but got the result of 'tensor.empty'}}
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]
  } ins(%x : tensor<4x3xf32>) outs(%s : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4xf32>, %s: tensor<4x3xf32>) -> tensor<4xf32> {
  // expected-error @below {{expects an output with the dimensions that are not reduced, in any order, but got affine_map<(d0, d1) -> (d0)>}}
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "parallel"]
  } ins(%s : tensor<4x3xf32>) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
