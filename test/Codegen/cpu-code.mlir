// The loops that bodies become.
//
// RUN: job-opt %s --pass-pipeline='builtin.module(plan-select-schedules,plan.executable(plan-generate-code),canonicalize,cse)' | FileCheck %s

#id = affine_map<(i) -> (i)>
#id2 = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// Whole vectors, then the rest with a mask. The body stays.
// CHECK-LABEL: plan.executable @contiguous {
// CHECK: func.func @body(
// CHECK: plan.variant @cpu schedule({{.*}}) chunks(1) function(@cpu_code)
// CHECK: func.func @cpu_code(%[[X:.*]]: memref<100xf32>, %[[Y:.*]]: memref<100xf32>, %{{.*}}: index)
// CHECK: %[[C96:.*]] = arith.constant 96
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[C96]] step %c16
// CHECK-NEXT: %[[A:.*]] = vector.load %[[X]][%[[I]]] : memref<100xf32>, vector<16xf32>
// CHECK-NEXT: %[[N:.*]] = arith.negf %[[A]]
// CHECK-NEXT: vector.store %[[N]], %[[Y]][%[[I]]]
// CHECK: %[[MASK:.*]] = vector.constant_mask [4] : vector<16xi1>
// CHECK-NEXT: vector.maskedload %[[X]][%[[C96]]], %[[MASK]]
// CHECK: vector.maskedstore %[[Y]][%[[C96]]], %[[MASK]]
plan.executable @contiguous {
  func.func @body(%x: tensor<100xf32>, %y: tensor<100xf32>) -> tensor<100xf32> {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%x : tensor<100xf32>) outs(%y : tensor<100xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.negf %a : f32
      linalg.yield %1 : f32
    } -> tensor<100xf32>
    return %0 : tensor<100xf32>
  }
}

// Scalars come after the buffers, and are the same for all lanes.
// CHECK-LABEL: plan.executable @scalars {
// CHECK: func.func @cpu_code(%[[X:.*]]: memref<16xi32>, %[[S:.*]]: i32, %[[T:.*]]: i32, %{{.*}}: index)
// CHECK: %[[LOADED:.*]] = vector.load %[[X]]
// CHECK: %[[SUM:.*]] = arith.addi %[[S]], %[[T]] : i32
// CHECK: %[[ALL:.*]] = vector.broadcast %[[SUM]] : i32 to vector<16xi32>
// CHECK: arith.muli %[[LOADED]], %[[ALL]] : vector<16xi32>
plan.executable @scalars {
  func.func @body(%x: tensor<16xi32>, %s: i32, %t: i32) -> tensor<16xi32> {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%x : tensor<16xi32>) outs(%x : tensor<16xi32>) {
    ^bb0(%a: i32, %b: i32):
      %1 = arith.addi %s, %t : i32
      %2 = arith.muli %a, %1 : i32
      linalg.yield %2 : i32
    } -> tensor<16xi32>
    return %0 : tensor<16xi32>
  }
}

// Of floats of 16 bits, code with vectors moves the bits.
// CHECK-LABEL: plan.executable @narrow {
// CHECK: func.func @cpu_code(%[[X:.*]]: memref<16xi16>, %[[Y:.*]]: memref<16xi16>, %{{.*}}: index)
// CHECK: %[[BITS:.*]] = vector.load %[[X]]
// CHECK: %[[A:.*]] = arith.bitcast %[[BITS]] : vector<16xi16> to vector<16xbf16>
// CHECK: %[[WIDE:.*]] = arith.extf %[[A]] : vector<16xbf16> to vector<16xf32>
// CHECK: %[[B:.*]] = arith.truncf %[[WIDE]] : vector<16xf32> to vector<16xf16>
// CHECK: %[[OUT:.*]] = arith.bitcast %[[B]] : vector<16xf16> to vector<16xi16>
// CHECK: vector.store %[[OUT]], %[[Y]]
plan.executable @narrow {
  func.func @body(%x: tensor<16xbf16>, %y: tensor<16xf16>) -> tensor<16xf16> {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%x : tensor<16xbf16>) outs(%y : tensor<16xf16>) {
    ^bb0(%a: bf16, %b: f16):
      %1 = arith.extf %a : bf16 to f32
      %2 = arith.truncf %1 : f32 to f16
      linalg.yield %2 : f16
    } -> tensor<16xf16>
    return %0 : tensor<16xf16>
  }
}

// A row's sum: 4 accumulators of 16 lanes, the vector that is left, the 4 elements
// that are left; then a tree over accumulators and lanes.
// CHECK-LABEL: plan.executable @row_sum {
// CHECK: func.func @cpu_code(
// CHECK: scf.for %{{.*}} = %c0 to %c8 step %c1
// CHECK-NEXT: %[[S:.*]]:4 = scf.for %{{.*}} = %c0 to %c128 step %c64 iter_args
// CHECK-COUNT-4: arith.addf {{.*}} : vector<16xf32>
// CHECK: scf.yield
// CHECK: %[[LEFT:.*]] = vector.load
// CHECK-NEXT: %[[S0:.*]] = arith.addf %[[S]]#0, %[[LEFT]]
// CHECK: %[[MASK:.*]] = vector.constant_mask [4]
// CHECK: %[[LAST:.*]] = vector.maskedload
// CHECK-NEXT: %[[S1:.*]] = arith.addf %[[S0]], %[[LAST]]
// CHECK-NEXT: %[[S2:.*]] = arith.select %[[MASK]], %[[S1]], %[[S0]]
// CHECK-NEXT: %[[LOW:.*]] = arith.addf %[[S2]], %[[S]]#1
// CHECK-NEXT: %[[HIGH:.*]] = arith.addf %[[S]]#2, %[[S]]#3
// CHECK-NEXT: arith.addf %[[LOW]], %[[HIGH]]
// CHECK: arith.addf {{.*}} : vector<8xf32>
// CHECK: arith.addf {{.*}} : vector<4xf32>
// CHECK: arith.addf {{.*}} : vector<2xf32>
// CHECK: arith.addf {{.*}} : vector<1xf32>
// CHECK: memref.store
plan.executable @row_sum {
  func.func @body(%x: tensor<8x148xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    %zero = arith.constant 0.0 : f32
    %init = linalg.fill ins(%zero : f32) outs(%y : tensor<8xf32>) -> tensor<8xf32>
    %0 = linalg.generic {indexing_maps = [#id2, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x148xf32>) outs(%init : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.addf %b, %a : f32
      linalg.yield %1 : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// Columns: each lane is a sum, rows one after the other.
// CHECK-LABEL: plan.executable @column_sum {
// CHECK: func.func @cpu_code(
// CHECK: %[[S:.*]]:4 = scf.for %{{.*}} = %c0 to %c8 step %c1 iter_args
// CHECK-COUNT-4: arith.addf {{.*}} : vector<16xf32>
// CHECK: scf.yield
// CHECK: vector.store %[[S]]#0
// CHECK-NEXT: vector.store %[[S]]#1
// CHECK-NEXT: vector.store %[[S]]#2
// CHECK-NEXT: vector.store %[[S]]#3
plan.executable @column_sum {
  func.func @body(%x: tensor<8x64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
    %zero = arith.constant 0.0 : f32
    %init = linalg.fill ins(%zero : f32) outs(%y : tensor<64xf32>) -> tensor<64xf32>
    %0 = linalg.generic {indexing_maps = [#id2, #column], iterator_types = ["reduction", "parallel"]}
        ins(%x : tensor<8x64xf32>) outs(%init : tensor<64xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.addf %b, %a : f32
      linalg.yield %1 : f32
    } -> tensor<64xf32>
    return %0 : tensor<64xf32>
  }
}

// 1000 terms an accumulator: at most 128 each, then one level up.
// CHECK-LABEL: plan.executable @long_columns {
// CHECK: func.func @cpu_code(
// CHECK: scf.for %[[I:.*]] = %c0 to %c1024 step %c128 iter_args(%[[OUTER:.*]] = %[[ZERO:.*]])
// CHECK-NEXT: %[[END:.*]] = arith.addi %[[I]], %c128
// CHECK-NEXT: %[[PART:.*]] = scf.for %{{.*}} = %[[I]] to %[[END]] step %c1 iter_args(%{{.*}} = %[[ZERO]])
// CHECK: scf.yield
// CHECK: arith.addf %[[OUTER]], %[[PART]] : vector<16xf32>
plan.executable @long_columns {
  func.func @body(%x: tensor<1024x16xf32>, %y: tensor<16xf32>) -> tensor<16xf32> {
    %zero = arith.constant 0.0 : f32
    %init = linalg.fill ins(%zero : f32) outs(%y : tensor<16xf32>) -> tensor<16xf32>
    %0 = linalg.generic {indexing_maps = [#id2, #column], iterator_types = ["reduction", "parallel"]}
        ins(%x : tensor<1024x16xf32>) outs(%init : tensor<16xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.addf %b, %a : f32
      linalg.yield %1 : f32
    } -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
}

// A schedule in the text is obeyed: 3 chunks of 3 rows, 8 lanes, 2 accumulators.
// CHECK-LABEL: plan.executable @by_hand {
// CHECK: plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 3], vectorize = [1, 8], interleave = 2, accumulate = 128>) chunks(3) function(@cpu_code)
// CHECK: func.func @cpu_code(%{{.*}}, %{{.*}}, %[[CHUNK:.*]]: index)
// CHECK: %[[BEGIN:.*]] = arith.muli %[[CHUNK]], %c3
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[BEGIN]], %c3
// CHECK-NEXT: %[[END:.*]] = arith.minsi %[[NEXT]], %c8
// CHECK-NEXT: scf.for %{{.*}} = %[[BEGIN]] to %[[END]] step %c1
// CHECK-NEXT: scf.for %{{.*}} = %c0 to %c32 step %c16
// CHECK-COUNT-2: arith.addf {{.*}} : vector<8xf32>
// CHECK: scf.yield
plan.executable @by_hand {
  func.func @body(%x: tensor<8x32xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
    %zero = arith.constant 0.0 : f32
    %init = linalg.fill ins(%zero : f32) outs(%y : tensor<8xf32>) -> tensor<8xf32>
    %0 = linalg.generic {indexing_maps = [#id2, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x32xf32>) outs(%init : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.addf %b, %a : f32
      linalg.yield %1 : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 3], vectorize = [1, 8], interleave = 2>)
}

// Truth values are bytes in memory.
// CHECK-LABEL: plan.executable @logical {
// CHECK: func.func @cpu_code(%{{.*}}: memref<16xi8>, %{{.*}}: memref<16xi8>, %{{.*}}: index)
// CHECK: %[[BYTES:.*]] = vector.load {{.*}} vector<16xi8>
// CHECK-NEXT: %[[BITS:.*]] = arith.cmpi ne, %[[BYTES]], %{{.*}} : vector<16xi8>
// CHECK-NEXT: %[[NOT:.*]] = arith.xori %[[BITS]]
// CHECK-NEXT: %[[OUT:.*]] = arith.extui %[[NOT]] : vector<16xi1> to vector<16xi8>
// CHECK-NEXT: vector.store %[[OUT]]
plan.executable @logical {
  func.func @body(%x: tensor<16xi1>, %y: tensor<16xi1>) -> tensor<16xi1> {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%x : tensor<16xi1>) outs(%y : tensor<16xi1>) {
    ^bb0(%a: i1, %b: i1):
      %true = arith.constant true
      %1 = arith.xori %a, %true : i1
      linalg.yield %1 : i1
    } -> tensor<16xi1>
    return %0 : tensor<16xi1>
  }
}

// What checks find is gathered in lanes; lanes outside of the domain find nothing.
// CHECK-LABEL: plan.executable @checked {
// CHECK: func.func @cpu_code(%{{.*}}, %[[STATUS:.*]]: memref<64xi32>, %[[CHUNK:.*]]: index)
// CHECK: arith.cmpf uno
// CHECK: %[[FIRST:.*]] = arith.maxsi {{.*}} : vector<16xi32>
// CHECK: %[[MASK:.*]] = vector.constant_mask [4]
// CHECK: %[[WORD:.*]] = arith.select %[[MASK]], %{{.*}}, %{{.*}} : vector<16xi1>, vector<16xi32>
// CHECK-NEXT: %[[BOTH:.*]] = arith.maxsi %[[FIRST]], %[[WORD]]
// CHECK-NEXT: %[[FOUND:.*]] = vector.reduction <maxsi>, %[[BOTH]]
// CHECK-NEXT: memref.store %[[FOUND]], %[[STATUS]][%[[CHUNK]]]
plan.executable @checked {
  func.func @body(%x: tensor<20xf32>, %status: tensor<64xi32>) {
    linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} ins(%x : tensor<20xf32>) {
    ^bb0(%a: f32):
      plan.check %a number 0 of 1 : f32
      linalg.yield
    }
    return
  }
}

// The columns of a transpose are 16 elements apart.
// CHECK-LABEL: plan.executable @strided {
// CHECK: func.func @cpu_code(
// CHECK: %[[STEPS:.*]] = arith.constant dense<[0, 16, 32, {{.*}}, 240]> : vector<16xi32>
// CHECK: scf.for %[[I:.*]] = %c0 to %c16 step %c1
// CHECK-NEXT: %[[COLUMN:.*]] = vector.gather %{{.*}}[%[[I]]] [%[[STEPS]]]
// CHECK: vector.store %[[COLUMN]]
plan.executable @strided {
  func.func @body(%x: tensor<16x16xf32>, %y: tensor<16x16xf32>) -> tensor<16x16xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, #id2], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<16x16xf32>) outs(%y : tensor<16x16xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    } -> tensor<16x16xf32>
    return %0 : tensor<16x16xf32>
  }
  plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [1, 16]>)
}

// Blocks of 16 of the 20 rows of a tile are transposed in registers, first by
// their halves; the other rows are gathered.
// CHECK-LABEL: plan.executable @blocked {
// CHECK: func.func @cpu_code(
// CHECK: scf.for %[[COLUMN:.*]] = %c0{{.*}} to %c32{{.*}} step %c16
// CHECK-COUNT-16: vector.load
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23]
// CHECK-NEXT: vector.shuffle %{{.*}}, %{{.*}} [8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31]
// CHECK-COUNT-61: vector.shuffle
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31]
// CHECK-NOT: vector.shuffle
// CHECK-COUNT-16: vector.store
// CHECK: scf.for %{{.*}} = %c16{{.*}} to %c20{{.*}} step %c1
// CHECK: vector.gather
// CHECK: vector.store
plan.executable @blocked {
  func.func @body(%x: tensor<32x20xf32>, %y: tensor<20x32xf32>) -> tensor<20x32xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, #id2], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<32x20xf32>) outs(%y : tensor<20x32xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    } -> tensor<20x32xf32>
    return %0 : tensor<20x32xf32>
  }
  plan.variant @cpu schedule(#plan.cpu_schedule<tile = [0, 20], vectorize = [1, 16]>)
}

// Tiles of 3 of the 5 rows of a chunk, the last one of 2; all columns of a tile
// before the next one.
// CHECK-LABEL: plan.executable @tiled {
// CHECK: func.func @cpu_code(%{{.*}}, %{{.*}}, %[[CHUNK:.*]]: index)
// CHECK: %[[BEGIN:.*]] = arith.muli %[[CHUNK]], %c5
// CHECK: %[[END:.*]] = arith.addi %[[BEGIN]], %c5
// CHECK: scf.for %[[TILE:.*]] = %[[BEGIN]] to %[[END]] step %c3
// CHECK: %[[NEXT:.*]] = arith.addi %[[TILE]], %c3
// CHECK: %[[LAST:.*]] = arith.minsi %[[NEXT]], %[[END]]
// CHECK: scf.for %[[COLUMN:.*]] = %c0{{.*}} to %c32{{.*}} step %c16
// CHECK: scf.for %[[ROW:.*]] = %[[TILE]] to %[[LAST]] step %c1
// CHECK: vector.gather
// CHECK: vector.store
plan.executable @tiled {
  func.func @body(%x: tensor<32x20xf32>, %y: tensor<20x32xf32>) -> tensor<20x32xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, #id2], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<32x20xf32>) outs(%y : tensor<20x32xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    } -> tensor<20x32xf32>
    return %0 : tensor<20x32xf32>
  }
  plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 5], tile = [0, 3], vectorize = [1, 16]>)
}
