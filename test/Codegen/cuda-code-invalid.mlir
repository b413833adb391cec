// Schedules that do not fit their kernel.

// RUN: job-opt %s --pass-pipeline='builtin.module(plan.executable(plan-generate-code))' --split-input-file --verify-diagnostics

#id = affine_map<(i, j) -> (i, j)>
plan.executable @target {
  func.func @body(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xf32> {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<4x6xf32>) outs(%y : tensor<4x6xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    } -> tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }
  // expected-error@+1 {{'plan.variant' op expects a schedule for cuda but got one for cpu}}
  plan.variant @cuda schedule(#plan.cpu_schedule<>)
}

// -----

#id = affine_map<(i, j) -> (i, j)>
plan.executable @dimension {
  func.func @body(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xf32> {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<4x6xf32>) outs(%y : tensor<4x6xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    } -> tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }
  // expected-error@+1 {{'plan.variant' op expects vectorize to name one of the 2 dimensions of the kernel but got 2}}
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 1, threads = 32, vectorize = [2, 2]>)
}

// -----

#id = affine_map<(i, j) -> (i, j)>
plan.executable @aligned {
  func.func @body(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xf32> {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<4x6xf32>) outs(%y : tensor<4x6xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    } -> tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }
  // expected-error@+1 {{'plan.variant' op expects vectors that are aligned in all buffers but got 4 lanes along dimension 1}}
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 1, threads = 32, vectorize = [1, 4]>)
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
plan.executable @rest {
  func.func @body(%x: tensor<1x6xf32>, %y: tensor<1xf32>) -> tensor<1xf32> {
    %zero = arith.constant 0.0 : f32
    %init = linalg.fill ins(%zero : f32) outs(%y : tensor<1xf32>) -> tensor<1xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(j) -> (0, j)>, affine_map<(j) -> (0)>], iterator_types = ["reduction"]}
        ins(%x : tensor<1x6xf32>) outs(%init : tensor<1xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.addf %b, %a : f32
      linalg.yield %1 : f32
    } -> tensor<1xf32>
    return %0 : tensor<1xf32>
  }
  // expected-error@+1 {{'plan.variant' op expects vectors that divide the 6 iterations of dimension 0 of a kernel with reductions but got 4 lanes}}
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 1, threads = 32, lanes = 2, vectorize = [0, 4]>)
}

// -----

#id = affine_map<(i, j) -> (i, j)>
plan.executable @lanes {
  func.func @body(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xf32> {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<4x6xf32>) outs(%y : tensor<4x6xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    } -> tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }
  // expected-error@+1 {{'plan.variant' op expects one thread for each item of a kernel without inner dimensions but got 2 lanes}}
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 1, threads = 32, lanes = 2>)
}

// -----

#id = affine_map<(i, j) -> (i, j)>
plan.executable @blocks {
  func.func @body(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xf32> {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<4x6xf32>) outs(%y : tensor<4x6xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    } -> tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }
  // expected-error@+1 {{'plan.variant' op expects at most 1 blocks, which have all items of the kernel, but got 2}}
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 2, threads = 32>)
}

// -----

#id = affine_map<(i, j) -> (i, j)>
plan.executable @chunks {
  func.func @body(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xf32> {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<4x6xf32>) outs(%y : tensor<4x6xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    } -> tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }
  // expected-error@+1 {{'plan.variant' op expects 1 chunks, as the schedule makes, but got 2}}
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 1, threads = 32>) chunks(2)
}

// -----

// expected-error@+1 {{'plan.executable' op expects a plan.variant but got none}}
plan.executable @nothing {
}

// -----

plan.executable @loop {
  func.func @body(%x: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
      memref.store %zero, %x[%i] : memref<4xf32>
    }
    return
  }
  // expected-error@+1 {{'plan.variant' op expects no vectorize for a loop over items}}
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 1, threads = 32, vectorize = [0, 4]>)
}

// -----

plan.executable @loop_lanes {
  func.func @body(%x: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
      memref.store %zero, %x[%i] : memref<4xf32>
    }
    return
  }
  // expected-error@+1 {{'plan.variant' op expects one thread for each item of a loop over items but got 2 lanes}}
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 1, threads = 32, lanes = 2>)
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>
plan.executable @contiguous {
  func.func @body(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xf32> {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<4x6xf32>) outs(%y : tensor<4x6xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    } -> tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }
  // expected-error@+1 {{'plan.variant' op expects transpose to name a dimension along which 1 to 4 operands of a kernel without reductions and checks are contiguous, and not along the last one, but got 0}}
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 1, threads = 32, transpose = 0>)
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>
plan.executable @last {
  func.func @body(%x: tensor<6x4xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xf32> {
    %0 = linalg.generic {indexing_maps = [#ji, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<6x4xf32>) outs(%y : tensor<4x6xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    } -> tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }
  // expected-error@+1 {{'plan.variant' op expects transpose to name a dimension along which 1 to 4 operands of a kernel without reductions and checks are contiguous, and not along the last one, but got 1}}
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 1, threads = 32, transpose = 1>)
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>
plan.executable @tiles {
  func.func @body(%x: tensor<6x4xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xf32> {
    %0 = linalg.generic {indexing_maps = [#ji, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<6x4xf32>) outs(%y : tensor<4x6xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    } -> tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }
  // expected-error@+1 {{'plan.variant' op expects at most 1 blocks, which have all items of the kernel, but got 2}}
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 2, threads = 32, transpose = 0>)
}

// -----

plan.executable @loop_transpose {
  func.func @body(%x: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
      memref.store %zero, %x[%i] : memref<4xf32>
    }
    return
  }
  // expected-error@+1 {{'plan.variant' op expects no transpose for a loop over items}}
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 1, threads = 32, transpose = 0>)
}

// -----

#all = affine_map<(p, r, c) -> (p, r, c)>
#row = affine_map<(p, r, c) -> (p, r)>
#column = affine_map<(p, r, c) -> (p, c)>
plan.executable @sums_blocks {
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
  // expected-error@+1 {{'plan.variant' op expects 4 blocks, one for each part of the rows that sums of columns have, but got 2}}
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 2, threads = 256, lanes = 32, vectorize = [2, 4]>)
}

// -----

#all = affine_map<(p, r, c) -> (p, r, c)>
#row = affine_map<(p, r, c) -> (p, r)>
#column = affine_map<(p, r, c) -> (p, c)>
plan.executable @sums_vectors {
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
  // expected-error@+1 {{'plan.variant' op expects vectors along the columns that a kernel sums but got them along its rows}}
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 4, threads = 32, lanes = 32, vectorize = [1, 2]>)
}

// -----

#all = affine_map<(p, r, c) -> (p, r, c)>
#row = affine_map<(p, r, c) -> (p, r)>
#column = affine_map<(p, r, c) -> (p, c)>
plan.executable @sums_rows {
  func.func @body(%x: tensor<4x12x128xf32>, %y: tensor<4x12xf32>, %s: tensor<4x128xf32>) -> (tensor<4x12xf32>, tensor<4x128xf32>) {
    %zero = arith.constant 0.0 : f32
    %sums = linalg.fill ins(%zero : f32) outs(%s : tensor<4x128xf32>) -> tensor<4x128xf32>
    %0 = linalg.generic {indexing_maps = [#all, #column], iterator_types = ["parallel", "reduction", "parallel"]}
        ins(%x : tensor<4x12x128xf32>) outs(%sums : tensor<4x128xf32>) {
    ^bb0(%a: f32, %b: f32):
      %2 = arith.addf %b, %a : f32
      linalg.yield %2 : f32
    } -> tensor<4x128xf32>
    %init = linalg.fill ins(%zero : f32) outs(%y : tensor<4x12xf32>) -> tensor<4x12xf32>
    %1 = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x : tensor<4x12x128xf32>) outs(%init : tensor<4x12xf32>) {
    ^bb0(%a: f32, %b: f32):
      %2 = arith.addf %b, %a : f32
      linalg.yield %2 : f32
    } -> tensor<4x12xf32>
    return %1, %0 : tensor<4x12xf32>, tensor<4x128xf32>
  }
  // expected-error@+1 {{'plan.variant' op expects rows of a part for each of the 8 teams of a block, as many for all and at most 128, but got 12 rows}}
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 4, threads = 256, lanes = 32, vectorize = [2, 4]>)
}

// -----

#all = affine_map<(p, r, c) -> (p, r, c)>
#row = affine_map<(p, r, c) -> (p, r)>
#column = affine_map<(p, r, c) -> (p, c)>
plan.executable @sums_accumulate {
  func.func @body(%x: tensor<4x32x128xf32>, %y: tensor<4x32xf32>, %s: tensor<4x128xf32>) -> (tensor<4x32xf32>, tensor<4x128xf32>) {
    %zero = arith.constant 0.0 : f32
    %sums = linalg.fill ins(%zero : f32) outs(%s : tensor<4x128xf32>) -> tensor<4x128xf32>
    %0 = linalg.generic {indexing_maps = [#all, #column], iterator_types = ["parallel", "reduction", "parallel"]}
        ins(%x : tensor<4x32x128xf32>) outs(%sums : tensor<4x128xf32>) {
    ^bb0(%a: f32, %b: f32):
      %2 = arith.addf %b, %a : f32
      linalg.yield %2 : f32
    } -> tensor<4x128xf32>
    %init = linalg.fill ins(%zero : f32) outs(%y : tensor<4x32xf32>) -> tensor<4x32xf32>
    %1 = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x : tensor<4x32x128xf32>) outs(%init : tensor<4x32xf32>) {
    ^bb0(%a: f32, %b: f32):
      %2 = arith.addf %b, %a : f32
      linalg.yield %2 : f32
    } -> tensor<4x32xf32>
    return %1, %0 : tensor<4x32xf32>, tensor<4x128xf32>
  }
  // expected-error@+1 {{'plan.variant' op expects rows of a part for each of the 8 teams of a block, as many for all and at most 2, but got 32 rows}}
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 4, threads = 256, lanes = 32, vectorize = [2, 4], accumulate = 2>)
}

// -----

#all = affine_map<(p, r, c) -> (p, r, c)>
#row = affine_map<(p, r, c) -> (p, r)>
#column = affine_map<(p, r, c) -> (p, c)>
plan.executable @sums_lanes {
  func.func @body(%x: tensor<4x16x96xf32>, %y: tensor<4x16xf32>, %s: tensor<4x96xf32>) -> (tensor<4x16xf32>, tensor<4x96xf32>) {
    %zero = arith.constant 0.0 : f32
    %sums = linalg.fill ins(%zero : f32) outs(%s : tensor<4x96xf32>) -> tensor<4x96xf32>
    %0 = linalg.generic {indexing_maps = [#all, #column], iterator_types = ["parallel", "reduction", "parallel"]}
        ins(%x : tensor<4x16x96xf32>) outs(%sums : tensor<4x96xf32>) {
    ^bb0(%a: f32, %b: f32):
      %2 = arith.addf %b, %a : f32
      linalg.yield %2 : f32
    } -> tensor<4x96xf32>
    %init = linalg.fill ins(%zero : f32) outs(%y : tensor<4x16xf32>) -> tensor<4x16xf32>
    %1 = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x : tensor<4x16x96xf32>) outs(%init : tensor<4x16xf32>) {
    ^bb0(%a: f32, %b: f32):
      %2 = arith.addf %b, %a : f32
      linalg.yield %2 : f32
    } -> tensor<4x16xf32>
    return %1, %0 : tensor<4x16xf32>, tensor<4x96xf32>
  }
  // expected-error@+1 {{'plan.variant' op expects lanes that divide the 24 columns, or vectors of them, of a sum but got 32}}
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 4, threads = 256, lanes = 32, vectorize = [2, 4]>)
}
