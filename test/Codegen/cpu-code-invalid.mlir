// RUN: job-opt %s --pass-pipeline='builtin.module(plan.executable(plan-generate-code))' --split-input-file --verify-diagnostics

plan.executable @other_target {
  // expected-error@+1 {{'plan.variant' op expects a body and a schedule, or a function, but got neither}}
  plan.variant @gpu
}

// -----

plan.executable @without_body {
  // expected-error@+1 {{'plan.variant' op expects a body and a schedule, or a function, but got neither}}
  plan.variant @cpu schedule(#plan.cpu_schedule<>)
}

// -----

plan.executable @without_schedule {
  func.func @body(%x: tensor<8x200xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    %zero = arith.constant 0.0 : f32
    %init = linalg.fill ins(%zero : f32) outs(%y : tensor<8xf32>) -> tensor<8xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x200xf32>) outs(%init : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.addf %b, %a : f32
      linalg.yield %1 : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  // expected-error@+1 {{'plan.variant' op expects a body and a schedule, or a function, but got neither}}
  plan.variant @cpu chunks(1)
}

// -----

plan.executable @vectorize {
  func.func @body(%x: tensor<8x200xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    %zero = arith.constant 0.0 : f32
    %init = linalg.fill ins(%zero : f32) outs(%y : tensor<8xf32>) -> tensor<8xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x200xf32>) outs(%init : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.addf %b, %a : f32
      linalg.yield %1 : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  // expected-error@+1 {{'plan.variant' op expects vectorize to name one of the 2 dimensions of the kernel but got 2}}
  plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [2, 16]>)
}

// -----

plan.executable @distribute {
  func.func @body(%x: tensor<8x200xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    %zero = arith.constant 0.0 : f32
    %init = linalg.fill ins(%zero : f32) outs(%y : tensor<8xf32>) -> tensor<8xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x200xf32>) outs(%init : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.addf %b, %a : f32
      linalg.yield %1 : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  // expected-error@+1 {{'plan.variant' op expects distribute to name one of the 2 dimensions of the kernel but got 2}}
  plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [2, 4]>)
}

// -----

plan.executable @reduced {
  func.func @body(%x: tensor<8x200xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    %zero = arith.constant 0.0 : f32
    %init = linalg.fill ins(%zero : f32) outs(%y : tensor<8xf32>) -> tensor<8xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x200xf32>) outs(%init : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.addf %b, %a : f32
      linalg.yield %1 : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  // expected-error@+1 {{'plan.variant' op expects distribute to name a dimension that is parallel in every operation of the body but got 1}}
  plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [1, 50]>)
}

// -----

plan.executable @chunks {
  func.func @body(%x: tensor<8x200xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    %zero = arith.constant 0.0 : f32
    %init = linalg.fill ins(%zero : f32) outs(%y : tensor<8xf32>) -> tensor<8xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x200xf32>) outs(%init : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.addf %b, %a : f32
      linalg.yield %1 : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  // expected-error@+1 {{'plan.variant' op expects 2 chunks, as the schedule makes, but got 3}}
  plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 4]>) chunks(3)
}

// -----

plan.executable @one_chunk {
  func.func @body(%x: tensor<8x200xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    %zero = arith.constant 0.0 : f32
    %init = linalg.fill ins(%zero : f32) outs(%y : tensor<8xf32>) -> tensor<8xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x200xf32>) outs(%init : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.addf %b, %a : f32
      linalg.yield %1 : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  // expected-error@+1 {{'plan.variant' op expects 1 chunks, as the schedule makes, but got 2}}
  plan.variant @cpu schedule(#plan.cpu_schedule<>) chunks(2)
}

// -----

plan.executable @many_chunks {
  func.func @body(%x: tensor<65x200xf32>, %y: tensor<65xf32>) -> tensor<65xf32> {
    %zero = arith.constant 0.0 : f32
    %init = linalg.fill ins(%zero : f32) outs(%y : tensor<65xf32>) -> tensor<65xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<65x200xf32>) outs(%init : tensor<65xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.addf %b, %a : f32
      linalg.yield %1 : f32
    } -> tensor<65xf32>
    return %0 : tensor<65xf32>
  }
  // expected-error@+1 {{'plan.variant' op expects at most 64 chunks but got 65}}
  plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 1]>)
}

// -----

plan.executable @tile {
  func.func @body(%x: tensor<8x200xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    %zero = arith.constant 0.0 : f32
    %init = linalg.fill ins(%zero : f32) outs(%y : tensor<8xf32>) -> tensor<8xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x200xf32>) outs(%init : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.addf %b, %a : f32
      linalg.yield %1 : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  // expected-error@+1 {{'plan.variant' op expects tile to name one of the 2 dimensions of the kernel but got 2}}
  plan.variant @cpu schedule(#plan.cpu_schedule<tile = [2, 8]>)
}

// -----

plan.executable @tile_reduced {
  func.func @body(%x: tensor<8x200xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    %zero = arith.constant 0.0 : f32
    %init = linalg.fill ins(%zero : f32) outs(%y : tensor<8xf32>) -> tensor<8xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x200xf32>) outs(%init : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.addf %b, %a : f32
      linalg.yield %1 : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  // expected-error@+1 {{'plan.variant' op expects tile to name a dimension that is parallel in every operation of the body but got 1}}
  plan.variant @cpu schedule(#plan.cpu_schedule<tile = [1, 8]>)
}

// -----

#all = affine_map<(p, r, c) -> (p, r, c)>
#row = affine_map<(p, r, c) -> (p, r)>
#column = affine_map<(p, r, c) -> (p, c)>
plan.executable @column_sums {
  func.func @body(%x: tensor<4x16x128xf32>, %y: tensor<4x16xf32>, %s: tensor<4x128xf32>) -> (tensor<4x16xf32>, tensor<4x128xf32>) {
    %zero = arith.constant 0.0 : f32
    %sums = linalg.fill ins(%zero : f32) outs(%s : tensor<4x128xf32>) -> tensor<4x128xf32>
    %0 = linalg.generic {indexing_maps = [#all, #column], iterator_types = ["parallel", "reduction", "parallel"]}
        ins(%x : tensor<4x16x128xf32>) outs(%sums : tensor<4x128xf32>) {
    ^bb0(%a: f32, %b: f32):
      %2 = arith.addf %b, %a : f32
      linalg.yield %2 : f32
    } -> tensor<4x128xf32>
    %init = linalg.fill ins(%zero : f32) outs(%y : tensor<4x16xf32>) -> tensor<4x16xf32>
    %1 = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x : tensor<4x16x128xf32>) outs(%init : tensor<4x16xf32>) {
    ^bb0(%a: f32, %b: f32):
      %2 = arith.addf %b, %a : f32
      linalg.yield %2 : f32
    } -> tensor<4x16xf32>
    return %1, %0 : tensor<4x16xf32>, tensor<4x128xf32>
  }
  // expected-error@+1 {{'plan.variant' op expects no sums of columns beside reductions of rows in a kernel for the CPU}}
  plan.variant @cpu schedule(#plan.cpu_schedule<>)
}

// -----

plan.executable @kept {
  func.func @body(%x: tensor<4x4x4xf32>, %y: tensor<4x4xf32>, %z: tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>) {
    %zero = arith.constant 0.0 : f32
    %init = linalg.fill ins(%zero : f32) outs(%y : tensor<4x4xf32>) -> tensor<4x4xf32>
    %init2 = linalg.fill ins(%zero : f32) outs(%z : tensor<4xf32>) -> tensor<4xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, k)>], iterator_types = ["parallel", "reduction", "parallel"]} ins(%x : tensor<4x4x4xf32>) outs(%init : tensor<4x4xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.addf %b, %a : f32
      linalg.yield %n : f32
    } -> tensor<4x4xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<4x4xf32>) outs(%init2 : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32):
      %n = arith.addf %b, %a : f32
      linalg.yield %n : f32
    } -> tensor<4xf32>
    return %0, %1 : tensor<4x4xf32>, tensor<4xf32>
  }
  // expected-error@+1 {{'plan.variant' op expects reductions to keep no dimension that another one reduces in a kernel for the CPU}}
  plan.variant @cpu schedule(#plan.cpu_schedule<>)
}
