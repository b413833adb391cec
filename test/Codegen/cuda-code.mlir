// Code for blocks of threads: vectors of 16 bytes, teams of threads for sums,
// barriers where threads read what others have written.

// RUN: job-opt %s --pass-pipeline='builtin.module(plan-select-schedules,plan.executable(plan-generate-code),canonicalize,cse)' | FileCheck %s

plan.device @gpu0 kind(cuda) queues(1)

#id1 = affine_map<(i) -> (i)>
#id2 = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// Each thread has four elements.
// CHECK-LABEL: plan.executable @exact {
// CHECK: plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 2, threads = 256, lanes = 1, vectorize = [0, 4], accumulate = 128>) chunks(2) function(@cuda_code)
// CHECK: func.func @cuda_code(%[[X:.*]]: memref<2048xf32>, %[[Y:.*]]: memref<2048xf32>, %[[BLOCK:.*]]: index)
// CHECK: %[[THREAD:.*]] = gpu.thread_id x
// CHECK: %[[BASE:.*]] = arith.muli %[[BLOCK]], %c256
// CHECK: %[[ITEM:.*]] = arith.addi %[[BASE]], %[[THREAD]]
// CHECK: %[[AT:.*]] = arith.muli %[[ITEM]], %c4
// CHECK-NEXT: %[[V:.*]] = vector.load %[[X]][%[[AT]]] {alignment = 16 : i64} : memref<2048xf32>, vector<4xf32>
// CHECK-NEXT: %[[W:.*]] = math.sqrt %[[V]] : vector<4xf32>
// CHECK-NEXT: vector.store %[[W]], %[[Y]][%[[AT]]] {alignment = 16 : i64}
// CHECK-NEXT: return
plan.executable @exact {
  func.func @body(%x: tensor<2048xf32>, %y: tensor<2048xf32>) -> tensor<2048xf32> {
    %0 = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
        ins(%x : tensor<2048xf32>) outs(%y : tensor<2048xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = math.sqrt %a : f32
      linalg.yield %1 : f32
    } -> tensor<2048xf32>
    return %0 : tensor<2048xf32>
  }
}

// 1027 elements: 256 whole vectors and one of three, which are computed alone.
// CHECK-LABEL: plan.executable @partial {
// CHECK: blocks = 2, threads = 256
// CHECK: %[[VALID:.*]] = arith.cmpi ult, %{{.*}}, %c257
// CHECK: scf.if %[[VALID]] {
// CHECK: %[[WHOLE:.*]] = arith.cmpi ule, %{{.*}}, %c1027
// CHECK: scf.if %[[WHOLE]] {
// CHECK: vector.store
// CHECK: } else {
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %c1027
// CHECK: memref.load %{{.*}}[%[[I]]]
// CHECK: memref.store
plan.executable @partial {
  func.func @body(%x: tensor<1027xf32>, %y: tensor<1027xf32>) -> tensor<1027xf32> {
    %0 = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
        ins(%x : tensor<1027xf32>) outs(%y : tensor<1027xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = math.sqrt %a : f32
      linalg.yield %1 : f32
    } -> tensor<1027xf32>
    return %0 : tensor<1027xf32>
  }
}

// A warp for each row: a thread has an accumulator of four elements, the warp
// joins by shuffles, and its first thread stores.
// CHECK-LABEL: plan.executable @row_sum {
// CHECK: blocks = 1, threads = 256, lanes = 32, vectorize = [1, 4]
// CHECK-NOT: gpu.barrier
// CHECK: %[[S:.*]] = scf.for %{{.*}} = %{{.*}} to %c64 step %c32 iter_args
// CHECK: vector.load {{.*}} {alignment = 16 : i64}
// CHECK: arith.addf {{.*}} : vector<4xf32>
// CHECK: scf.yield
// CHECK: arith.addf {{.*}} : vector<2xf32>
// CHECK: arith.addf {{.*}} : vector<1xf32>
// CHECK: gpu.shuffle xor %{{.*}}, %c16_i32, %c32_i32 : f32
// CHECK: gpu.shuffle xor %{{.*}}, %c8_i32, %c32_i32 : f32
// CHECK: gpu.shuffle xor %{{.*}}, %c4_i32, %c32_i32 : f32
// CHECK: gpu.shuffle xor %{{.*}}, %c2_i32, %c32_i32 : f32
// CHECK: %[[O:.*]], %{{.*}} = gpu.shuffle xor %[[T:.*]], %c1_i32, %c32_i32 : f32
// CHECK: %[[ALL:.*]] = arith.addf %[[T]], %[[O]] : f32
// CHECK: scf.if
// CHECK-NEXT: memref.store %[[ALL]]
plan.executable @row_sum {
  func.func @body(%x: tensor<8x256xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    %zero = arith.constant 0.0 : f32
    %init = linalg.fill ins(%zero : f32) outs(%y : tensor<8xf32>) -> tensor<8xf32>
    %0 = linalg.generic {indexing_maps = [#id2, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x256xf32>) outs(%init : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.addf %b, %a : f32
      linalg.yield %1 : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// A block for each row: warps join through shared memory. An accumulator takes
// 128 terms at most.
// CHECK-LABEL: plan.executable @long_row {
// CHECK: blocks = 1, threads = 1024, lanes = 1024, vectorize = [0, 4]
// CHECK: %[[SHARED:.*]] = memref.alloca() {alignment = 16 : i64} : memref<32xf32, #gpu.address_space<workgroup>>
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %c262144 step %c131072 iter_args
// CHECK: %[[END:.*]] = arith.minui
// CHECK: scf.for %{{.*}} = %[[I]] to %[[END]] step %c1024
// CHECK: gpu.shuffle xor {{.*}} %c1_i32
// CHECK: scf.if
// CHECK-NEXT: memref.store %{{.*}}, %[[SHARED]]
// CHECK: gpu.barrier
// CHECK-COUNT-32: memref.load %[[SHARED]]
// CHECK-COUNT-31: arith.addf
// CHECK: scf.if
plan.executable @long_row {
  func.func @body(%x: tensor<1048576xf32>, %y: tensor<f32>) -> tensor<f32> {
    %zero = arith.constant 0.0 : f32
    %init = linalg.fill ins(%zero : f32) outs(%y : tensor<f32>) -> tensor<f32>
    %0 = linalg.generic {indexing_maps = [#id1, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
        ins(%x : tensor<1048576xf32>) outs(%init : tensor<f32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.addf %b, %a : f32
      linalg.yield %1 : f32
    } -> tensor<f32>
    return %0 : tensor<f32>
  }
}

// Neighbouring threads have neighbouring columns; the threads of a column join
// through shared memory.
// CHECK-LABEL: plan.executable @column_sum {
// CHECK: lanes = 8, vectorize = [1, 4]
// CHECK: memref.alloca() {alignment = 16 : i64} : memref<1024xf32, #gpu.address_space<workgroup>>
// CHECK: arith.divui %{{.*}}, %c32
// CHECK: arith.remui %{{.*}}, %c32
// CHECK: scf.for %{{.*}} = %{{.*}} to %c64 step %c8 iter_args
// CHECK: arith.addf {{.*}} : vector<4xf32>
// CHECK: vector.store
// CHECK-COUNT-3: gpu.barrier
// CHECK: gpu.barrier
// CHECK-NOT: scf.if
// CHECK: vector.load
plan.executable @column_sum {
  func.func @body(%x: tensor<64x256xf32>, %y: tensor<256xf32>) -> tensor<256xf32> {
    %zero = arith.constant 0.0 : f32
    %init = linalg.fill ins(%zero : f32) outs(%y : tensor<256xf32>) -> tensor<256xf32>
    %0 = linalg.generic {indexing_maps = [#id2, #column], iterator_types = ["reduction", "parallel"]}
        ins(%x : tensor<64x256xf32>) outs(%init : tensor<256xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.addf %b, %a : f32
      linalg.yield %1 : f32
    } -> tensor<256xf32>
    return %0 : tensor<256xf32>
  }
}

// A thread whose check fails takes part in an atomic maximum.
// CHECK-LABEL: plan.executable @checks {
// CHECK: func.func @cuda_code(%{{.*}}: memref<4x6xf32>, %{{.*}}: memref<4x6xf32>, %[[WORDS:.*]]: memref<64xi32>, %{{.*}}: index)
// CHECK: %[[FAILED:.*]] = arith.cmpi sge, %[[WORD:.*]], %{{.*}} : i32
// CHECK-NEXT: scf.if %[[FAILED]] {
// CHECK-NEXT: memref.atomic_rmw maxs %[[WORD]], %[[WORDS]][%c0]
// CHECK-NEXT: }
plan.executable @checks {
  func.func @body(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>, %s: tensor<64xi32>) -> tensor<4x6xf32> {
    %0 = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<4x6xf32>) outs(%y : tensor<4x6xf32>) {
    ^bb0(%a: f32, %b: f32):
      plan.check %a number 0 of 1 : f32
      linalg.yield %a : f32
    } -> tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }
}

// A transpose: a warp reads neighbours along dimension 0, and writes neighbours
// along dimension 1. In between they are in shared memory, whose rows have 33
// elements. 40 rows are two tiles, the last one partial.
// CHECK-LABEL: plan.executable @transpose {
// CHECK: plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 4, threads = 256, lanes = 1, accumulate = 128, transpose = 0>) chunks(4)
// CHECK: func.func @cuda_code(%[[X:.*]]: memref<64x40xf32>, %[[S:.*]]: memref<64xf32>, %[[Y:.*]]: memref<40x64xf32>
// CHECK-DAG: %[[FLATX:.*]] = memref.reinterpret_cast %[[X]]
// CHECK-DAG: %[[FLATY:.*]] = memref.reinterpret_cast %[[Y]]
// CHECK: %[[TILE:.*]] = memref.alloca() {alignment = 16 : i64} : memref<1056xf32, #gpu.address_space<workgroup>>
// CHECK: %[[LANE:.*]] = arith.remui %{{.*}}, %c32
// CHECK: scf.for %[[R:.*]] = %{{.*}} to %c32 step %c8
// CHECK: arith.cmpi ult, %{{.*}}, %c40
// CHECK: scf.if
// CHECK: %[[ROW:.*]] = arith.muli %[[R]], %c33
// CHECK: %[[AT:.*]] = arith.addi %[[ROW]], %[[LANE]]
// CHECK: %[[E:.*]] = memref.load %[[FLATX]]
// CHECK: memref.store %[[E]], %[[TILE]][%[[AT]]]
// CHECK: gpu.barrier
// CHECK: scf.for %[[Q:.*]] = %{{.*}} to %c32 step %c8
// CHECK: %[[COLUMN:.*]] = arith.muli %[[LANE]], %c33
// CHECK: %[[PLACE:.*]] = arith.addi %[[COLUMN]], %[[Q]]
// CHECK: memref.load %[[TILE]][%[[PLACE]]]
// CHECK: memref.load %[[S]]
// CHECK: memref.store %{{.*}}, %[[FLATY]]
// CHECK-NOT: gpu.barrier
// CHECK: return
plan.executable @transpose {
  func.func @body(%x: tensor<64x40xf32>, %s: tensor<64xf32>, %y: tensor<40x64xf32>) -> tensor<40x64xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, #column, #id2], iterator_types = ["parallel", "parallel"]}
        ins(%x, %s : tensor<64x40xf32>, tensor<64xf32>) outs(%y : tensor<40x64xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %1 = arith.mulf %a, %b : f32
      linalg.yield %1 : f32
    } -> tensor<40x64xf32>
    return %0 : tensor<40x64xf32>
  }
}

// A block has the 32 rows of a part, a warp two of them. Threads keep the sums of
// their columns; the warps join theirs through shared memory.
// CHECK-LABEL: plan.executable @column_sums_of_rows {
// CHECK: blocks = 4, threads = 512, lanes = 32, vectorize = [2, 4]
// CHECK: func.func @cuda_code(%[[X:.*]]: memref<4x32x128xf32>, %[[Y:.*]]: memref<4x32xf32>, %[[S:.*]]: memref<4x128xf32>, %[[BLOCK:.*]]: index)
// CHECK: memref.alloca() {alignment = 16 : i64} : memref<2048xf32, #gpu.address_space<workgroup>>
// CHECK: %[[TEAM:.*]] = arith.divui %{{.*}}, %c32
// CHECK: arith.muli %[[BLOCK]], %c2
// CHECK: %[[SUM:.*]] = scf.for %{{.*}} = %c0 to %c2 step %c1 iter_args(%[[OLD:.*]] = %{{.*}}) -> (vector<4xf32>)
// CHECK: %[[V:.*]] = vector.load
// CHECK: %[[NEW:.*]] = arith.addf %[[OLD]], %[[V]] : vector<4xf32>
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK: memref.store
// CHECK: scf.yield %[[NEW]]
// CHECK: vector.store %[[SUM]]
// CHECK-COUNT-5: gpu.barrier
// CHECK: vector.load
// CHECK-NEXT: scf.if
// CHECK: vector.store
#part_all = affine_map<(p, r, c) -> (p, r, c)>
#part_row = affine_map<(p, r, c) -> (p, r)>
#part_column = affine_map<(p, r, c) -> (p, c)>
plan.executable @column_sums_of_rows {
  func.func @body(%x: tensor<4x32x128xf32>, %y: tensor<4x32xf32>, %s: tensor<4x128xf32>) -> (tensor<4x32xf32>, tensor<4x128xf32>) {
    %zero = arith.constant 0.0 : f32
    %sums = linalg.fill ins(%zero : f32) outs(%s : tensor<4x128xf32>) -> tensor<4x128xf32>
    %0 = linalg.generic {indexing_maps = [#part_all, #part_column], iterator_types = ["parallel", "reduction", "parallel"]}
        ins(%x : tensor<4x32x128xf32>) outs(%sums : tensor<4x128xf32>) {
    ^bb0(%a: f32, %b: f32):
      %2 = arith.addf %b, %a : f32
      linalg.yield %2 : f32
    } -> tensor<4x128xf32>
    %init = linalg.fill ins(%zero : f32) outs(%y : tensor<4x32xf32>) -> tensor<4x32xf32>
    %1 = linalg.generic {indexing_maps = [#part_all, #part_row], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x : tensor<4x32x128xf32>) outs(%init : tensor<4x32xf32>) {
    ^bb0(%a: f32, %b: f32):
      %2 = arith.addf %b, %a : f32
      linalg.yield %2 : f32
    } -> tensor<4x32xf32>
    return %1, %0 : tensor<4x32xf32>, tensor<4x128xf32>
  }
}

// A small product, a maximum of its rows, and a product back. A warp has a row. In
// the first product threads have neighbouring terms, each all three sums, and the
// first thread stores what they join; in the second one each thread has sums of
// its own.
// CHECK-LABEL: plan.executable @small_products {
// CHECK: blocks = 200, threads = 32, lanes = 32, vectorize = [2, 4]
// CHECK: %[[THREAD:.*]] = gpu.thread_id
// CHECK: %[[SUMS:.*]]:3 = scf.for %{{.*}} = %[[THREAD]] to %c32 step %c32 iter_args({{.*}}) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>) {
// CHECK: %[[LEFT:.*]] = vector.load
// CHECK: %[[RIGHT:.*]] = vector.load
// CHECK: arith.mulf %[[LEFT]], %[[RIGHT]]
// CHECK: %[[RIGHT1:.*]] = vector.load
// CHECK: arith.mulf %[[LEFT]], %[[RIGHT1]]
// CHECK: %[[RIGHT2:.*]] = vector.load
// CHECK: arith.mulf %[[LEFT]], %[[RIGHT2]]
// CHECK-COUNT-15: gpu.shuffle xor
// CHECK: scf.if
// CHECK-COUNT-3: memref.store
// CHECK: gpu.barrier
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK: scf.for %{{.*}} = %[[THREAD]] to %c32 step %c32 {
// CHECK: %[[SUM:.*]] = scf.for %{{.*}} = %c0 to %c3 step %c1 iter_args({{.*}}) -> (vector<4xf32>) {
// CHECK: vector.store %[[SUM]]
// CHECK-NOT: gpu.barrier
// CHECK: return
#product_left = affine_map<(r, j, k) -> (r, k)>
#product_right = affine_map<(r, j, k) -> (j, k)>
#product = affine_map<(r, j, k) -> (r, j)>
plan.executable @small_products {
  func.func @body(%x: tensor<200x128xf32>, %w: tensor<3x128xf32>, %y: tensor<200x3xf32>, %d: tensor<200x128xf32>) -> (tensor<200x3xf32>, tensor<200x128xf32>) {
    %zero = arith.constant 0.0 : f32
    %least = arith.constant 0xFF800000 : f32
    %init = linalg.fill ins(%zero : f32) outs(%y : tensor<200x3xf32>) -> tensor<200x3xf32>
    %0 = linalg.generic {indexing_maps = [#product_left, #product_right, #product], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %w : tensor<200x128xf32>, tensor<3x128xf32>) outs(%init : tensor<200x3xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %1 = arith.mulf %a, %b : f32
      %2 = arith.addf %c, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<200x3xf32>
    %empty = tensor.empty() : tensor<200xf32>
    %init1 = linalg.fill ins(%least : f32) outs(%empty : tensor<200xf32>) -> tensor<200xf32>
    %3 = linalg.generic {indexing_maps = [#id2, #row], iterator_types = ["parallel", "reduction"]}
        ins(%0 : tensor<200x3xf32>) outs(%init1 : tensor<200xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.maximumf %b, %a : f32
      linalg.yield %1 : f32
    } -> tensor<200xf32>
    %4 = linalg.generic {indexing_maps = [#id2, #row, #id2], iterator_types = ["parallel", "parallel"]}
        ins(%0, %3 : tensor<200x3xf32>, tensor<200xf32>) outs(%y : tensor<200x3xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %1 = arith.subf %a, %b : f32
      linalg.yield %1 : f32
    } -> tensor<200x3xf32>
    %init2 = linalg.fill ins(%zero : f32) outs(%d : tensor<200x128xf32>) -> tensor<200x128xf32>
    %5 = linalg.generic {indexing_maps = [#product, #product_right, #product_left], iterator_types = ["parallel", "reduction", "parallel"]}
        ins(%4, %w : tensor<200x3xf32>, tensor<3x128xf32>) outs(%init2 : tensor<200x128xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %1 = arith.mulf %a, %b : f32
      %2 = arith.addf %c, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<200x128xf32>
    return %4, %5 : tensor<200x3xf32>, tensor<200x128xf32>
  }
}

// A loop that is a reduction, of a pass that reduces nothing: it has all points.
// CHECK-LABEL: plan.executable @nothing_reduced {
// CHECK: func.func @cuda_code
// CHECK: arith.mulf
// CHECK: memref.store
// CHECK: arith.addf
#cube = affine_map<(i, j, k) -> (i, j, k)>
plan.executable @nothing_reduced {
  func.func @body(%x: tensor<4x3x5xf32>, %y: tensor<4x3x5xf32>, %z: tensor<4xf32>) -> (tensor<4x3x5xf32>, tensor<4xf32>) {
    %zero = arith.constant 0.0 : f32
    %0 = linalg.generic {indexing_maps = [#cube, #cube], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x : tensor<4x3x5xf32>) outs(%y : tensor<4x3x5xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.mulf %a, %a : f32
      linalg.yield %1 : f32
    } -> tensor<4x3x5xf32>
    %init = linalg.fill ins(%zero : f32) outs(%z : tensor<4xf32>) -> tensor<4xf32>
    %2 = linalg.generic {indexing_maps = [#cube, affine_map<(i, j, k) -> (i)>], iterator_types = ["parallel", "reduction", "reduction"]}
        ins(%0 : tensor<4x3x5xf32>) outs(%init : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.addf %b, %a : f32
      linalg.yield %1 : f32
    } -> tensor<4xf32>
    return %0, %2 : tensor<4x3x5xf32>, tensor<4xf32>
  }
}
