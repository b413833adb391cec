// What the body of a kernel may not be. Each message once.
//
// RUN: job-opt %s --pass-pipeline='builtin.module(plan-select-schedules)' --split-input-file --verify-diagnostics

plan.executable @declaration {
  // expected-error@+1 {{'func.func' op expects a body of one block}}
  func.func private @body(tensor<8xf32>) -> tensor<8xf32>
}

// -----

plan.executable @dynamic {
  // expected-error@+1 {{'func.func' op expects arguments that are static tensors of numbers, then scalars, but got 'tensor<?xf32>'}}
  func.func @body(%x: tensor<?xf32>) {
    return
  }
}

// -----

plan.executable @no_numbers {
  // expected-error@+1 {{'func.func' op expects arguments that are static tensors of numbers, then scalars, but got 'tensor<4xcomplex<f32>>'}}
  func.func @body(%x: tensor<4xcomplex<f32>>) {
    return
  }
}

// -----

plan.executable @scalar_first {
  // expected-error@+1 {{'func.func' op expects arguments that are static tensors of numbers, then scalars, but got 'tensor<4xf32>'}}
  func.func @body(%s: i32, %x: tensor<4xf32>) {
    return
  }
}

// -----

plan.executable @no_scalar {
  // expected-error@+1 {{'func.func' op expects arguments that are static tensors of numbers, then scalars, but got 'i8'}}
  func.func @body(%x: tensor<4xf32>, %s: i8) {
    return
  }
}

// -----

plan.executable @nothing {
  // expected-error@+1 {{'func.func' op expects at least one linalg.generic}}
  func.func @body(%x: tensor<8xf32>, %y: tensor<8xf32>) {
    return
  }
}

// -----

plan.executable @foreign_op {
  func.func @body(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    // expected-error@+1 {{'tensor.cast' op expects to stand outside of the body of a kernel}}
    %c = tensor.cast %x : tensor<8xf32> to tensor<?xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

plan.executable @foreign_scalar {
  func.func @body(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      // expected-error@+1 {{'scf.execute_region' op expects to stand outside of the body of a kernel, which computes elements}}
      %n = scf.execute_region -> f32 {
        scf.yield %a : f32
      }
      linalg.yield %n : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

plan.executable @outer_scalar {
  func.func @body(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    %c = arith.constant 1.0 : f32
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      // expected-error@+1 {{'arith.addf' op expects operands of the linalg.generic that it is in, or scalars of the kernel}}
      %n = arith.addf %a, %c : f32
      linalg.yield %n : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

plan.executable @math_library {
  func.func @body(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      // expected-error@+1 {{'math.exp' op expects an operation of arith, or one of math that needs no function of a library, in the body of a kernel}}
      %n = math.exp %a : f32
      linalg.yield %n : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

plan.executable @wide_integer {
  func.func @body(%x: tensor<8xi32>, %y: tensor<8xi32>) -> tensor<8xi32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xi32>) outs(%y : tensor<8xi32>) {
    ^bb0(%a: i32, %b: i32):
      // expected-error@+1 {{'arith.extsi' op expects integers of 1, 8, 16, 32 or 64 bits, indices, f16, bf16, f32 or f64 in the body of a kernel but got 'i128'}}
      %w = arith.extsi %a : i32 to i128
      %n = arith.trunci %w : i128 to i32
      linalg.yield %n : i32
    } -> tensor<8xi32>
    return %0 : tensor<8xi32>
  }
}

// -----

plan.executable @narrow_float {
  func.func @body(%x: tensor<8xf16>, %y: tensor<8xf16>) -> tensor<8xf16> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf16>) outs(%y : tensor<8xf16>) {
    ^bb0(%a: f16, %b: f16):
      // expected-error@+1 {{'arith.addf' op expects f32 or f64 to compute with in the body of a kernel but got 'f16'}}
      %n = arith.addf %a, %a : f16
      linalg.yield %n : f16
    } -> tensor<8xf16>
    return %0 : tensor<8xf16>
  }
}

// -----

plan.executable @fast_math {
  func.func @body(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      // expected-error@+1 {{'arith.addf' op expects no flags in the body of a kernel but got #arith.fastmath<nnan>}}
      %n = arith.addf %a, %a fastmath<nnan> : f32
      linalg.yield %n : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

plan.executable @overflow {
  func.func @body(%x: tensor<8xi32>, %y: tensor<8xi32>) -> tensor<8xi32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xi32>) outs(%y : tensor<8xi32>) {
    ^bb0(%a: i32, %b: i32):
      // expected-error@+1 {{'arith.addi' op expects no flags in the body of a kernel but got #arith.overflow<nsw>}}
      %n = arith.addi %a, %a overflow<nsw> : i32
      linalg.yield %n : i32
    } -> tensor<8xi32>
    return %0 : tensor<8xi32>
  }
}

// -----

plan.executable @exact {
  func.func @body(%x: tensor<8xi32>, %y: tensor<8xi32>) -> tensor<8xi32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xi32>) outs(%y : tensor<8xi32>) {
    ^bb0(%a: i32, %b: i32):
      %one = arith.constant 1 : i32
      // expected-error@+1 {{'arith.shrui' op expects no flags in the body of a kernel but got 'exact'}}
      %n = arith.shrui %a, %one exact : i32
      linalg.yield %n : i32
    } -> tensor<8xi32>
    return %0 : tensor<8xi32>
  }
}

// -----

plan.executable @divsi {
  func.func @body(%x: tensor<8xi32>, %y: tensor<8xi32>) -> tensor<8xi32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xi32>) outs(%y : tensor<8xi32>) {
    ^bb0(%a: i32, %b: i32):
      // expected-error@+1 {{'arith.divsi' op expects a divisor that cannot be 0 but got one of -2147483648 to 2147483647}}
      %n = arith.divsi %a, %a : i32
      linalg.yield %n : i32
    } -> tensor<8xi32>
    return %0 : tensor<8xi32>
  }
}

// -----

plan.executable @remsi {
  func.func @body(%x: tensor<8xi32>, %y: tensor<8xi32>) -> tensor<8xi32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xi32>) outs(%y : tensor<8xi32>) {
    ^bb0(%a: i32, %b: i32):
      // expected-error@+1 {{'arith.remsi' op expects a divisor that cannot be 0 but got one of -2147483648 to 2147483647}}
      %n = arith.remsi %a, %a : i32
      linalg.yield %n : i32
    } -> tensor<8xi32>
    return %0 : tensor<8xi32>
  }
}

// -----

plan.executable @floordivsi {
  func.func @body(%x: tensor<8xi32>, %y: tensor<8xi32>) -> tensor<8xi32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xi32>) outs(%y : tensor<8xi32>) {
    ^bb0(%a: i32, %b: i32):
      // expected-error@+1 {{'arith.floordivsi' op expects a divisor that cannot be 0 but got one of -2147483648 to 2147483647}}
      %n = arith.floordivsi %a, %a : i32
      linalg.yield %n : i32
    } -> tensor<8xi32>
    return %0 : tensor<8xi32>
  }
}

// -----

plan.executable @ceildivsi {
  func.func @body(%x: tensor<8xi32>, %y: tensor<8xi32>) -> tensor<8xi32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xi32>) outs(%y : tensor<8xi32>) {
    ^bb0(%a: i32, %b: i32):
      // expected-error@+1 {{'arith.ceildivsi' op expects a divisor that cannot be 0 but got one of -2147483648 to 2147483647}}
      %n = arith.ceildivsi %a, %a : i32
      linalg.yield %n : i32
    } -> tensor<8xi32>
    return %0 : tensor<8xi32>
  }
}

// -----

plan.executable @divui {
  func.func @body(%x: tensor<8xi32>, %y: tensor<8xi32>) -> tensor<8xi32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xi32>) outs(%y : tensor<8xi32>) {
    ^bb0(%a: i32, %b: i32):
      // expected-error@+1 {{'arith.divui' op expects a divisor that cannot be 0 but got one of 0 to 4294967295}}
      %n = arith.divui %a, %a : i32
      linalg.yield %n : i32
    } -> tensor<8xi32>
    return %0 : tensor<8xi32>
  }
}

// -----

plan.executable @remui {
  func.func @body(%x: tensor<8xi32>, %y: tensor<8xi32>) -> tensor<8xi32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xi32>) outs(%y : tensor<8xi32>) {
    ^bb0(%a: i32, %b: i32):
      // expected-error@+1 {{'arith.remui' op expects a divisor that cannot be 0 but got one of 0 to 4294967295}}
      %n = arith.remui %a, %a : i32
      linalg.yield %n : i32
    } -> tensor<8xi32>
    return %0 : tensor<8xi32>
  }
}

// -----

plan.executable @ceildivui {
  func.func @body(%x: tensor<8xi32>, %y: tensor<8xi32>) -> tensor<8xi32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xi32>) outs(%y : tensor<8xi32>) {
    ^bb0(%a: i32, %b: i32):
      // expected-error@+1 {{'arith.ceildivui' op expects a divisor that cannot be 0 but got one of 0 to 4294967295}}
      %n = arith.ceildivui %a, %a : i32
      linalg.yield %n : i32
    } -> tensor<8xi32>
    return %0 : tensor<8xi32>
  }
}

// -----

plan.executable @divisor_zero {
  func.func @body(%x: tensor<8xi32>, %y: tensor<8xi32>) -> tensor<8xi32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xi32>) outs(%y : tensor<8xi32>) {
    ^bb0(%a: i32, %b: i32):
      %zero = arith.constant 0 : i32
      // expected-error@+1 {{'arith.divsi' op expects a divisor that cannot be 0 but got one of 0 to 0}}
      %n = arith.divsi %a, %zero : i32
      linalg.yield %n : i32
    } -> tensor<8xi32>
    return %0 : tensor<8xi32>
  }
}

// -----

plan.executable @divisor_minus_one {
  func.func @body(%x: tensor<8xi32>, %y: tensor<8xi32>) -> tensor<8xi32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xi32>) outs(%y : tensor<8xi32>) {
    ^bb0(%a: i32, %b: i32):
      %minus_one = arith.constant -1 : i32
      // expected-error@+1 {{'arith.remsi' op expects a divisor that cannot be -1 but got one of -1 to -1}}
      %n = arith.remsi %a, %minus_one : i32
      linalg.yield %n : i32
    } -> tensor<8xi32>
    return %0 : tensor<8xi32>
  }
}

// -----

plan.executable @shli {
  func.func @body(%x: tensor<8xi32>, %y: tensor<8xi32>) -> tensor<8xi32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xi32>) outs(%y : tensor<8xi32>) {
    ^bb0(%a: i32, %b: i32):
      %c32 = arith.constant 32 : i32
      // expected-error@+1 {{'arith.shli' op expects a shift by less than 32 bits but got one by 32 to 32}}
      %n = arith.shli %a, %c32 : i32
      linalg.yield %n : i32
    } -> tensor<8xi32>
    return %0 : tensor<8xi32>
  }
}

// -----

plan.executable @shrsi {
  func.func @body(%x: tensor<8xi32>, %y: tensor<8xi32>) -> tensor<8xi32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xi32>) outs(%y : tensor<8xi32>) {
    ^bb0(%a: i32, %b: i32):
      %c32 = arith.constant 32 : i32
      // expected-error@+1 {{'arith.shrsi' op expects a shift by less than 32 bits but got one by 32 to 32}}
      %n = arith.shrsi %a, %c32 : i32
      linalg.yield %n : i32
    } -> tensor<8xi32>
    return %0 : tensor<8xi32>
  }
}

// -----

plan.executable @shrui {
  func.func @body(%x: tensor<8xi32>, %y: tensor<8xi32>) -> tensor<8xi32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xi32>) outs(%y : tensor<8xi32>) {
    ^bb0(%a: i32, %b: i32):
      %c32 = arith.constant 32 : i32
      // expected-error@+1 {{'arith.shrui' op expects a shift by less than 32 bits but got one by 32 to 32}}
      %n = arith.shrui %a, %c32 : i32
      linalg.yield %n : i32
    } -> tensor<8xi32>
    return %0 : tensor<8xi32>
  }
}

// -----

plan.executable @shift {
  func.func @body(%x: tensor<8xi64>, %y: tensor<8xi64>) -> tensor<8xi64> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xi64>) outs(%y : tensor<8xi64>) {
    ^bb0(%a: i64, %b: i64):
      // expected-error@+1 {{'arith.shli' op expects a shift by less than 64 bits but got one by 0 to 18446744073709551615}}
      %n = arith.shli %a, %a : i64
      linalg.yield %n : i64
    } -> tensor<8xi64>
    return %0 : tensor<8xi64>
  }
}

// -----

plan.executable @vector {
  func.func @body(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      // expected-error@+1 {{'arith.constant' op expects a scalar in the body of a kernel but got 'vector<4xf32>'}}
      %c = arith.constant dense<1.0> : vector<4xf32>
      linalg.yield %a : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

plan.executable @scalar_operand {
  func.func @body(%y: tensor<8xf32>) -> tensor<8xf32> {
    %c = arith.constant 1.0 : f32
    // expected-error@+1 {{'linalg.generic' op expects operands that are static tensors in the body of a kernel but got 'f32'}}
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> ()>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%c : f32) outs(%y : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

plan.executable @sum_of_dims {
  func.func @body(%x: tensor<15xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
    // expected-error@+1 {{'linalg.generic' op expects indexing maps with each dimension at most once, and zeros, but got affine_map<(d0, d1) -> (d0 + d1)>}}
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<15xf32>) outs(%y : tensor<8x8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}

// -----

plan.executable @diagonal {
  func.func @body(%x: tensor<8x8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    // expected-error@+1 {{'linalg.generic' op expects indexing maps with each dimension at most once, and zeros, but got affine_map<(d0) -> (d0, d0)>}}
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8x8xf32>) outs(%y : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

plan.executable @two_domains {
  func.func @body(%x: tensor<8xf32>, %z: tensor<4xf32>, %y: tensor<8xf32>, %w: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
    // expected-note@+1 {{the domain is that of this}}
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<8xf32>
    // expected-error@+1 {{'linalg.generic' op expects loops of the kernel's domain but got loop 0 of 4 iterations, which is none of it}}
    %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%z : tensor<4xf32>) outs(%w : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<4xf32>
    return %0, %1 : tensor<8xf32>, tensor<4xf32>
  }
}

// -----

plan.executable @many_results {
  func.func @body(%y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%y : tensor<8xf32>) outs(%y : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<8xf32>
    // expected-error@+1 {{'func.return' op expects at most a result for each of the 1 buffers but got 2}}
    return %0, %0 : tensor<8xf32>, tensor<8xf32>
  }
}

// -----

plan.executable @other_result {
  func.func @body(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<8xf32>
    // expected-error@+1 {{'func.return' op expects to return results of linalg.generic but got another value as operand #0}}
    return %x : tensor<8xf32>
  }
}

// -----

plan.executable @result_twice {
  func.func @body(%x: tensor<8xf32>, %y: tensor<8xf32>, %z: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<8xf32>
    // expected-error@+1 {{'func.return' op expects to return each result once but got operand #1 a second time}}
    return %0, %0 : tensor<8xf32>, tensor<8xf32>
  }
}

// -----

plan.executable @result_type {
  func.func @body(%x: tensor<8xf32>, %z: tensor<8xf32>, %y: tensor<2x4xf32>) -> tensor<8xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%z : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<8xf32>
    // expected-error@+1 {{'func.return' op expects a result of type 'tensor<2x4xf32>', as argument #2 has, but got 'tensor<8xf32>'}}
    return %0 : tensor<8xf32>
  }
}

// -----

plan.executable @other_argument {
  func.func @body(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    // expected-error@+1 {{'linalg.generic' op expects to write result #0, which is returned, into argument #1 but got argument #0}}
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%y : tensor<8xf32>) outs(%x : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

plan.executable @status {
  // expected-error@+1 {{'func.func' op expects a last tensor of type 'tensor<64xi32>' for the status of the checks}}
  func.func @body(%x: tensor<8xf32>) {
    linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) {
    ^bb0(%a: f32):
      plan.check %a number 0 of 1 : f32
      linalg.yield
    }
    return
  }
}

// -----

plan.executable @other_source {
  func.func @body(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    %e = tensor.empty() : tensor<8xf32>
    // expected-error@+1 {{'linalg.generic' op expects tensors that are arguments, slices of arguments or results of a linalg.generic in the body of a kernel but got a result of tensor.empty}}
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%e : tensor<8xf32>) outs(%y : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

plan.executable @slice_of_result {
  func.func @body(%x: tensor<8x2xf32>, %z: tensor<8x2xf32>, %y: tensor<8xf32>) -> (tensor<8x2xf32>, tensor<8xf32>) {
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x2xf32>) outs(%z : tensor<8x2xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<8x2xf32>
    %c = tensor.collapse_shape %0 [[0, 1]] : tensor<8x2xf32> into tensor<16xf32>
    // expected-error@+1 {{'tensor.extract_slice' op expects tensors that are arguments, slices of arguments or results of a linalg.generic in the body of a kernel but got a result of tensor.collapse_shape}}
    %s = tensor.extract_slice %c[8] [8] [1] : tensor<16xf32> to tensor<8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%s : tensor<8xf32>) outs(%y : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<8xf32>
    return %0, %1 : tensor<8x2xf32>, tensor<8xf32>
  }
}

// -----

plan.executable @slice_rank {
  func.func @body(%x: tensor<8x8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    // expected-error@+1 {{'tensor.extract_slice' op expects a static slice of equal rank in the body of a kernel}}
    %s = tensor.extract_slice %x[1, 0] [1, 8] [1, 1] : tensor<8x8xf32> to tensor<8xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%s : tensor<8xf32>) outs(%y : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

plan.executable @not_contiguous {
  func.func @body(%x: tensor<8x8xf32>, %y: tensor<16xf32>) -> tensor<16xf32> {
    %s = tensor.extract_slice %x[0, 0] [8, 2] [1, 1] : tensor<8x8xf32> to tensor<8x2xf32>
    // expected-error@+1 {{'tensor.collapse_shape' op expects dimensions that are contiguous in memory in the body of a kernel}}
    %c = tensor.collapse_shape %s [[0, 1]] : tensor<8x2xf32> into tensor<16xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%c : tensor<16xf32>) outs(%y : tensor<16xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
}

// -----

plan.executable @two_combiners {
  func.func @body(%x: tensor<8x8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    %zero = arith.constant 0.0 : f32
    %init = linalg.fill ins(%zero : f32) outs(%y : tensor<8xf32>) -> tensor<8xf32>
    // expected-error@+1 {{'linalg.generic' op expects one operation that combines result #0 with each term}}
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x8xf32>) outs(%init : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %m = arith.addf %b, %a : f32
      %n = arith.mulf %m, %a : f32
      linalg.yield %n : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

plan.executable @not_neutral {
  func.func @body(%x: tensor<8x8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    %zero = arith.constant 0.0 : f32
    %init = linalg.fill ins(%zero : f32) outs(%y : tensor<8xf32>) -> tensor<8xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x8xf32>) outs(%init : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      // expected-error@+1 {{'arith.subf' op expects an operation with a neutral element to combine the terms of a reduction}}
      %n = arith.subf %b, %a : f32
      linalg.yield %n : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

plan.executable @not_filled {
  func.func @body(%x: tensor<8x8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    // expected-error@+1 {{'linalg.generic' op expects a linalg.fill with a constant as what result #0 starts with}}
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x8xf32>) outs(%y : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.addf %b, %a : f32
      linalg.yield %n : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

plan.executable @element_not_filled {
  func.func @body(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    // expected-error@+1 {{'linalg.generic' op expects a linalg.fill with a constant as what result #0 starts with}}
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.addf %b, %a : f32
      linalg.yield %n : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

plan.executable @parallel_missing {
  func.func @body(%x: tensor<8x8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    %zero = arith.constant 0.0 : f32
    %init = linalg.fill ins(%zero : f32) outs(%y : tensor<8xf32>) -> tensor<8xf32>
    // expected-error@+1 {{'linalg.generic' op expects result #0 to have each parallel loop but got none of loop 1}}
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x8xf32>) outs(%init : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

plan.executable @first_only {
  func.func @body(%x: tensor<8xf32>, %y: tensor<8x4xf32>) -> tensor<8x4xf32> {
    // expected-error@+1 {{'linalg.generic' op expects to write all of result #0 but got only the first of 4 elements}}
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i, 0)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%y : tensor<8x4xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}

// -----

plan.executable @some_reduced {
  func.func @body(%x: tensor<4x4x4xf32>, %y: tensor<4xf32>, %z: tensor<4x4xf32>) -> (tensor<4xf32>, tensor<4x4xf32>) {
    %zero = arith.constant 0.0 : f32
    %init = linalg.fill ins(%zero : f32) outs(%y : tensor<4xf32>) -> tensor<4xf32>
    %init2 = linalg.fill ins(%zero : f32) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
    // expected-error@+1 {{'linalg.generic' op expects result #1 to have no or all loops that another result reduces}}
    %0:2 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "reduction", "reduction"]} ins(%x : tensor<4x4x4xf32>) outs(%init, %init2 : tensor<4xf32>, tensor<4x4xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %n = arith.addf %b, %a : f32
      %m = arith.addf %c, %a : f32
      linalg.yield %n, %m : f32, f32
    } -> (tensor<4xf32>, tensor<4x4xf32>)
    return %0#0, %0#1 : tensor<4xf32>, tensor<4x4xf32>
  }
}

// -----

plan.executable @writes_input {
  func.func @body(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8xf32>
    %init = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    // expected-error@+1 {{'linalg.generic' op expects to write arguments that are returned but got argument #0}}
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x8xf32>) outs(%x : tensor<8x8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<8x8xf32>
    %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<8x8xf32>) outs(%init : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.addf %b, %a : f32
      linalg.yield %n : f32
    } -> tensor<8xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<8x8xf32>) outs(%y : tensor<8x8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}

// -----

plan.executable @other_points {
  func.func @body(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8xf32>
    %init = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x8xf32>) outs(%y : tensor<8x8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<8x8xf32>
    %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<8x8xf32>) outs(%init : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.addf %b, %a : f32
      linalg.yield %n : f32
    } -> tensor<8xf32>
    // expected-error@+1 {{'linalg.generic' op expects to write the elements of argument #1 at the same points as all operations that write them}}
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x8xf32>) outs(%y : tensor<8x8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}

// -----

plan.executable @not_last {
  func.func @body(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8xf32>
    %init = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    // expected-error@+1 {{'linalg.generic' op expects to write argument #1, in which its result is returned, last}}
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x8xf32>) outs(%y : tensor<8x8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<8x8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x8xf32>) outs(%y : tensor<8x8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<8x8xf32>
    %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<8x8xf32>) outs(%init : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.addf %b, %a : f32
      linalg.yield %n : f32
    } -> tensor<8xf32>
    return %0 : tensor<8x8xf32>
  }
}

// -----

plan.executable @overwritten {
  func.func @body(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>, %z: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8xf32>
    %init = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x8xf32>) outs(%y : tensor<8x8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<8x8xf32>
    %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<8x8xf32>) outs(%init : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.addf %b, %a : f32
      linalg.yield %n : f32
    } -> tensor<8xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x8xf32>) outs(%y : tensor<8x8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<8x8xf32>
    // expected-error@+1 {{'linalg.generic' op expects operands that are still in memory but another operation writes argument #1 before it}}
    %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<8x8xf32>) outs(%z : tensor<8x8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.negf %a : f32
      linalg.yield %n : f32
    } -> tensor<8x8xf32>
    return %0, %2 : tensor<8x8xf32>, tensor<8x8xf32>
  }
}

// -----

plan.executable @twice_in_one {
  func.func @body(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8xf32>
    %init = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    // expected-error@+1 {{'linalg.generic' op expects to write argument #1 once but got it a second time}}
    %0:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x8xf32>) outs(%y, %y : tensor<8x8xf32>, tensor<8x8xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      linalg.yield %a, %a : f32, f32
    } -> (tensor<8x8xf32>, tensor<8x8xf32>)
    %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%0#1 : tensor<8x8xf32>) outs(%init : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.addf %b, %a : f32
      linalg.yield %n : f32
    } -> tensor<8xf32>
    return %0#0 : tensor<8x8xf32>
  }
}

// -----

// Divisions and shifts whose operands are in range are accepted.
plan.executable @in_range {
  func.func @body(%x: tensor<8xi32>, %y: tensor<8xi32>) -> tensor<8xi32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xi32>) outs(%y : tensor<8xi32>) {
    ^bb0(%a: i32, %b: i32):
      %one = arith.constant 1 : i32
      %c7 = arith.constant 7 : i32
      %c31 = arith.constant 31 : i32
      %positive = arith.maxsi %a, %one : i32
      %quotient = arith.divsi %a, %positive : i32
      %rest = arith.remui %quotient, %c7 : i32
      %amount = arith.andi %a, %c31 : i32
      %left = arith.shli %rest, %amount : i32
      %other = arith.subi %c31, %amount : i32
      %right = arith.shrsi %left, %other : i32
      linalg.yield %right : i32
    } -> tensor<8xi32>
    return %0 : tensor<8xi32>
  }
}

// -----

plan.executable @collapsed_beyond_32_bits {
  func.func @body(%x: tensor<8x1xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    // expected-error@+1 {{'tensor.collapse_shape' op expects the dimensions of its source in groups}}
    %a = tensor.collapse_shape %x [[4294967296, 1]] : tensor<8x1xf32> into tensor<8xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<8xf32>) outs(%y : tensor<8xf32>) {
    ^bb0(%c: f32, %d: f32):
      %n = arith.negf %c : f32
      linalg.yield %n : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

plan.executable @expanded_beyond_32_bits {
  func.func @body(%x: tensor<8xf32>, %y: tensor<8x1xf32>) -> tensor<8x1xf32> {
    // expected-error@+1 {{'tensor.expand_shape' op expects the dimensions of its result in groups}}
    %a = tensor.expand_shape %x [[0, 4294967297]] output_shape [8, 1] : tensor<8xf32> into tensor<8x1xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x1xf32>) outs(%y : tensor<8x1xf32>) {
    ^bb0(%c: f32, %d: f32):
      %n = arith.negf %c : f32
      linalg.yield %n : f32
    } -> tensor<8x1xf32>
    return %0 : tensor<8x1xf32>
  }
}

// -----

#all = affine_map<(p, r, c) -> (p, r, c)>
#row = affine_map<(p, r, c) -> (p, r)>
#column = affine_map<(p, r, c) -> (p, c)>
plan.executable @column_sums_beside_elements {
  func.func @body(%x: tensor<4x16x128xf32>, %y: tensor<4x16xf32>, %s: tensor<4x128xf32>, %z: tensor<4x16x128xf32>) -> (tensor<4x16xf32>, tensor<4x128xf32>, tensor<4x16x128xf32>) {
    %zero = arith.constant 0.0 : f32
    %sums = linalg.fill ins(%zero : f32) outs(%s : tensor<4x128xf32>) -> tensor<4x128xf32>
    // expected-error@+1 {{'linalg.generic' op expects sums of columns only but got result #1, which has an element for each row}}
    %0:2 = linalg.generic {indexing_maps = [#all, #column, #all], iterator_types = ["parallel", "reduction", "parallel"]}
        ins(%x : tensor<4x16x128xf32>) outs(%sums, %z : tensor<4x128xf32>, tensor<4x16x128xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %2 = arith.addf %b, %a : f32
      linalg.yield %2, %a : f32, f32
    } -> (tensor<4x128xf32>, tensor<4x16x128xf32>)
    %init = linalg.fill ins(%zero : f32) outs(%y : tensor<4x16xf32>) -> tensor<4x16xf32>
    %1 = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x : tensor<4x16x128xf32>) outs(%init : tensor<4x16xf32>) {
    ^bb0(%a: f32, %b: f32):
      %2 = arith.addf %b, %a : f32
      linalg.yield %2 : f32
    } -> tensor<4x16xf32>
    return %1, %0#0, %0#1 : tensor<4x16xf32>, tensor<4x128xf32>, tensor<4x16x128xf32>
  }
}
