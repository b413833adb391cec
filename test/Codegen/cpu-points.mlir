// What is computed at the points of a kernel's domain: loads, the operations of
// the body, stores. The loops around it are in cpu-code.mlir.
//
// RUN: job-opt %s --pass-pipeline='builtin.module(plan.executable(plan-generate-code),canonicalize,cse)' | FileCheck %s

#id = affine_map<(i) -> (i)>
#zero = affine_map<(i) -> (0)>
#id2 = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#transposed = affine_map<(i, j) -> (j, i)>

// An operand without the vectorized dimension is loaded once for all lanes; the
// indices are those of the lanes.
// CHECK-LABEL: plan.executable @indices {
// CHECK: func.func @cpu_code(%[[X:.*]]: memref<32xi32>, %[[S:.*]]: memref<1xi32>, %[[Y:.*]]: memref<32xi32>, %{{.*}}: index)
// CHECK: scf.for %[[I:.*]] = %c0 to %c32 step %c8
// CHECK-NEXT: %[[A:.*]] = vector.load %[[X]][%[[I]]]
// CHECK-NEXT: %[[SCALAR:.*]] = memref.load %[[S]][%c0]
// CHECK-NEXT: %[[STEP:.*]] = vector.step : vector<8xindex>
// CHECK-NEXT: %[[ALL:.*]] = vector.broadcast %[[I]] : index to vector<8xindex>
// CHECK-NEXT: %[[INDEX:.*]] = arith.addi %[[STEP]], %[[ALL]]
// CHECK-NEXT: %[[NUMBER:.*]] = arith.index_cast %[[INDEX]] : vector<8xindex> to vector<8xi32>
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[A]], %[[NUMBER]]
// CHECK-NEXT: %[[SPLAT:.*]] = vector.broadcast %[[SCALAR]] : i32 to vector<8xi32>
// CHECK-NEXT: arith.muli %[[SUM]], %[[SPLAT]]
plan.executable @indices {
  plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [0, 8], interleave = 2>) chunks(1)
  func.func @body(%x: tensor<32xi32>, %s: tensor<1xi32>, %y: tensor<32xi32>) -> tensor<32xi32> {
    %0 = linalg.generic {indexing_maps = [#id, #zero, #id], iterator_types = ["parallel"]}
        ins(%x, %s : tensor<32xi32>, tensor<1xi32>) outs(%y : tensor<32xi32>) {
    ^bb0(%a: i32, %t: i32, %b: i32):
      %1 = linalg.index 0 : index
      %2 = arith.index_cast %1 : index to i32
      %3 = arith.addi %a, %2 : i32
      %4 = arith.muli %3, %t : i32
      linalg.yield %4 : i32
    } -> tensor<32xi32>
    return %0 : tensor<32xi32>
  }
}

// Two vectors of one dimension: the second one is 8 lanes further in the index,
// and 8 strides further in memory.
// CHECK-LABEL: plan.executable @groups {
// CHECK: func.func @cpu_code(
// CHECK-DAG: %[[EIGHT:.*]] = arith.constant dense<8> : vector<8xindex>
// CHECK-DAG: %[[STEPS:.*]] = arith.constant dense<[0, 3, 6, 9, 12, 15, 18, 21]> : vector<8xi32>
// CHECK: scf.for %[[J:.*]] = %c0 to %c3 step %c1
// CHECK-NEXT: %[[A:.*]] = vector.gather %[[X:.*]][%[[J]]] [%[[STEPS]]]
// CHECK-NEXT: %[[STEP:.*]] = vector.step
// CHECK-NEXT: %[[FIRST:.*]] = arith.index_cast %[[STEP]]
// CHECK-NEXT: arith.muli %[[A]], %[[FIRST]]
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[J]], %c24
// CHECK-NEXT: %[[B:.*]] = vector.gather %[[X]][%[[NEXT]]] [%[[STEPS]]]
// CHECK-NEXT: %[[INDEX:.*]] = arith.addi %[[STEP]], %[[EIGHT]]
// CHECK-NEXT: %[[SECOND:.*]] = arith.index_cast %[[INDEX]]
// CHECK-NEXT: arith.muli %[[B]], %[[SECOND]]
plan.executable @groups {
  plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [0, 8], interleave = 2>) chunks(1)
  func.func @body(%x: tensor<16x3xi32>, %y: tensor<3xi32>) -> tensor<3xi32> {
    %zero = arith.constant 0 : i32
    %fill = linalg.fill ins(%zero : i32) outs(%y : tensor<3xi32>) -> tensor<3xi32>
    %0 = linalg.generic {indexing_maps = [#id2, #column], iterator_types = ["reduction", "parallel"]}
        ins(%x : tensor<16x3xi32>) outs(%fill : tensor<3xi32>) {
    ^bb0(%a: i32, %b: i32):
      %1 = linalg.index 0 : index
      %2 = arith.index_cast %1 : index to i32
      %3 = arith.muli %a, %2 : i32
      %4 = arith.addi %b, %3 : i32
      linalg.yield %4 : i32
    } -> tensor<3xi32>
    return %0 : tensor<3xi32>
  }
}

// A single lane is stored as a scalar.
// CHECK-LABEL: plan.executable @one_lane {
// CHECK: func.func @cpu_code(%{{.*}}, %[[Y:.*]]: memref<9xi8>, %{{.*}}: index)
// CHECK: %[[MASK:.*]] = vector.constant_mask [1]
// CHECK-NEXT: %[[LAST:.*]] = vector.maskedload %{{.*}}[%c8], %[[MASK]]
// CHECK-NEXT: %[[SCALAR:.*]] = vector.extract %[[LAST]][0]
// CHECK-NEXT: memref.store %[[SCALAR]], %[[Y]][%c8]
// CHECK-NOT: maskedstore
plan.executable @one_lane {
  plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [0, 8], interleave = 1>) chunks(1)
  func.func @body(%x: tensor<9xi8>, %z: tensor<9xi8>) -> tensor<9xi8> {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%x : tensor<9xi8>) outs(%z : tensor<9xi8>) {
    ^bb0(%a: i8, %c: i8):
      linalg.yield %a : i8
    } -> tensor<9xi8>
    return %0 : tensor<9xi8>
  }
}

// Lanes that lie apart are gathered and scattered, all of them or with the mask.
// CHECK-LABEL: plan.executable @columns {
// CHECK: func.func @cpu_code(
// CHECK-DAG: %[[STEPS:.*]] = arith.constant dense<[0, 3, 6, 9, 12, 15, 18, 21]> : vector<8xi32>
// CHECK-DAG: %[[TRUE:.*]] = arith.constant dense<true> : vector<8xi1>
// CHECK: scf.for %[[J:.*]] = %c0 to %c3 step %c1
// CHECK-NEXT: %[[A:.*]] = vector.gather %[[X:.*]][%[[J]]] [%[[STEPS]]], %[[TRUE]]
// CHECK-NEXT: vector.scatter %[[Z:.*]][%[[J]]] [%[[STEPS]]], %[[TRUE]], %[[A]]
// CHECK-NEXT: %[[MASK:.*]] = vector.constant_mask [2]
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[J]], %c24
// CHECK-NEXT: %[[B:.*]] = vector.gather %[[X]][%[[NEXT]]] [%[[STEPS]]], %[[MASK]]
// CHECK-NEXT: vector.scatter %[[Z]][%[[NEXT]]] [%[[STEPS]]], %[[MASK]], %[[B]]
plan.executable @columns {
  plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [0, 8], interleave = 1>) chunks(1)
  func.func @body(%x: tensor<10x3xf32>, %z: tensor<10x3xf32>) -> tensor<10x3xf32> {
    %0 = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<10x3xf32>) outs(%z : tensor<10x3xf32>) {
    ^bb0(%a: f32, %c: f32):
      linalg.yield %a : f32
    } -> tensor<10x3xf32>
    return %0 : tensor<10x3xf32>
  }
}

// Lanes that lie so far apart that their indices exceed 32 bits. The slice
// begins at its offset.
// CHECK-LABEL: plan.executable @far {
// CHECK: func.func @cpu_code(
// CHECK: %[[STEPS:.*]] = arith.constant dense<[0, 268435456, 536870912, 805306368, 1073741824, 1342177280, 1610612736, 1879048192]> : vector<8xi64>
// CHECK: vector.gather %{{.*}}[%c5] [%[[STEPS]]]
plan.executable @far {
  plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [0, 8], interleave = 1>) chunks(1)
  func.func @body(%x: tensor<8x268435456xi8>, %z: tensor<8xi8>) -> tensor<8xi8> {
    %s = tensor.extract_slice %x[0, 5] [8, 1] [1, 1] : tensor<8x268435456xi8> to tensor<8x1xi8>
    %c = tensor.collapse_shape %s [[0, 1]] : tensor<8x1xi8> into tensor<8xi8>
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%c : tensor<8xi8>) outs(%z : tensor<8xi8>) {
    ^bb0(%a: i8, %d: i8):
      linalg.yield %a : i8
    } -> tensor<8xi8>
    return %0 : tensor<8xi8>
  }
}

// A later pass takes values of the item from registers.
// CHECK-LABEL: plan.executable @items {
// CHECK: func.func @cpu_code(%[[X:.*]]: memref<16xf32>, %[[Y:.*]]: memref<16xf32>, %[[Z:.*]]: memref<16xf32>, %{{.*}}: index)
// CHECK: scf.for %[[I:.*]] = %c0 to %c16 step %c8
// CHECK-NEXT: %[[A:.*]] = vector.load %[[X]][%[[I]]]
// CHECK-NEXT: %[[B:.*]] = math.sqrt %[[A]]
// CHECK-NEXT: vector.store %[[B]], %[[Y]][%[[I]]]
// CHECK-NEXT: %[[C:.*]] = arith.addf %[[B]], %[[B]]
// CHECK-NEXT: vector.store %[[C]], %[[Z]][%[[I]]]
plan.executable @items {
  plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [0, 8], interleave = 2>) chunks(1)
  func.func @body(%x: tensor<16xf32>, %y: tensor<16xf32>, %z: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<16xf32>) outs(%y : tensor<16xf32>) {
    ^bb0(%a: f32, %b: f32):
      %2 = math.sqrt %a : f32
      linalg.yield %2 : f32
    } -> tensor<16xf32>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<16xf32>) outs(%z : tensor<16xf32>) {
    ^bb0(%a: f32, %b: f32):
      %2 = arith.addf %a, %a : f32
      linalg.yield %2 : f32
    } -> tensor<16xf32>
    return %0, %1 : tensor<16xf32>, tensor<16xf32>
  }
}

// A value of the row is the same for all vectors of the row.
// CHECK-LABEL: plan.executable @row_items {
// CHECK: func.func @cpu_code(
// CHECK: scf.for
// CHECK: %[[A:.*]] = vector.load
// CHECK: %[[B:.*]] = vector.load
// CHECK: %[[SUM:.*]] = vector.extract %{{.*}}[0] : i32 from vector<1xi32>
// CHECK-NEXT: %[[ALL:.*]] = vector.broadcast %[[SUM]] : i32 to vector<8xi32>
// CHECK-NEXT: %[[C:.*]] = arith.muli %[[A]], %[[ALL]]
// CHECK-NEXT: %[[D:.*]] = arith.muli %[[B]], %[[ALL]]
// CHECK-NEXT: arith.addi %[[C]], %[[D]]
plan.executable @row_items {
  plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [1, 8], interleave = 2>) chunks(1)
  func.func @body(%x: tensor<4x16xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
    %zero = arith.constant 0 : i32
    %empty = tensor.empty() : tensor<4xi32>
    %fill = linalg.fill ins(%zero : i32) outs(%empty : tensor<4xi32>) -> tensor<4xi32>
    %sums = linalg.generic {indexing_maps = [#id2, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x16xi32>) outs(%fill : tensor<4xi32>) {
    ^bb0(%a: i32, %b: i32):
      %1 = arith.addi %b, %a : i32
      linalg.yield %1 : i32
    } -> tensor<4xi32>
    %fill2 = linalg.fill ins(%zero : i32) outs(%y : tensor<4xi32>) -> tensor<4xi32>
    %0 = linalg.generic {indexing_maps = [#id2, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %sums : tensor<4x16xi32>, tensor<4xi32>) outs(%fill2 : tensor<4xi32>) {
    ^bb0(%a: i32, %s: i32, %b: i32):
      %1 = arith.muli %a, %s : i32
      %2 = arith.addi %b, %1 : i32
      linalg.yield %2 : i32
    } -> tensor<4xi32>
    return %0 : tensor<4xi32>
  }
}

// Values of columns are vectors, one for each vector of the row, and so are the
// accumulators.
// CHECK-LABEL: plan.executable @column_items {
// CHECK: func.func @cpu_code(
// CHECK: %[[SUMS:.*]]:2 = scf.for
// CHECK: scf.yield
// CHECK: %[[FIRST:.*]] = arith.muli %[[SUMS]]#0, %[[SUMS]]#0
// CHECK-NEXT: %[[SECOND:.*]] = arith.muli %[[SUMS]]#1, %[[SUMS]]#1
// CHECK-NEXT: %[[RESULTS:.*]]:2 = scf.for {{.*}} iter_args(%[[C:.*]] = %{{.*}}, %[[D:.*]] = %{{.*}})
// CHECK: %[[A:.*]] = vector.load
// CHECK-NEXT: %[[E:.*]] = arith.muli %[[A]], %[[FIRST]]
// CHECK-NEXT: %[[G:.*]] = arith.addi %[[C]], %[[E]]
// CHECK: %[[B:.*]] = vector.load
// CHECK-NEXT: %[[F:.*]] = arith.muli %[[B]], %[[SECOND]]
// CHECK-NEXT: %[[H:.*]] = arith.addi %[[D]], %[[F]]
// CHECK-NEXT: scf.yield %[[G]], %[[H]]
// CHECK: vector.store %[[RESULTS]]#0, %[[Y:.*]][%c0]
// CHECK-NEXT: vector.store %[[RESULTS]]#1, %[[Y]][%c8]
plan.executable @column_items {
  plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [1, 8], interleave = 2>) chunks(1)
  func.func @body(%x: tensor<4x16xi32>, %y: tensor<16xi32>) -> tensor<16xi32> {
    %zero = arith.constant 0 : i32
    %empty = tensor.empty() : tensor<16xi32>
    %fill = linalg.fill ins(%zero : i32) outs(%empty : tensor<16xi32>) -> tensor<16xi32>
    %sums = linalg.generic {indexing_maps = [#id2, #column], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<4x16xi32>) outs(%fill : tensor<16xi32>) {
    ^bb0(%a: i32, %b: i32):
      %1 = arith.addi %b, %a : i32
      linalg.yield %1 : i32
    } -> tensor<16xi32>
    %squares = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%sums : tensor<16xi32>) outs(%empty : tensor<16xi32>) {
    ^bb0(%s: i32, %b: i32):
      %1 = arith.muli %s, %s : i32
      linalg.yield %1 : i32
    } -> tensor<16xi32>
    %fill2 = linalg.fill ins(%zero : i32) outs(%y : tensor<16xi32>) -> tensor<16xi32>
    %0 = linalg.generic {indexing_maps = [#id2, #column, #column], iterator_types = ["reduction", "parallel"]} ins(%x, %squares : tensor<4x16xi32>, tensor<16xi32>) outs(%fill2 : tensor<16xi32>) {
    ^bb0(%a: i32, %s: i32, %b: i32):
      %1 = arith.muli %a, %s : i32
      %2 = arith.addi %b, %1 : i32
      linalg.yield %2 : i32
    } -> tensor<16xi32>
    return %0 : tensor<16xi32>
  }
}

// What a result starts from is a constant; the memory is not read.
// CHECK-LABEL: plan.executable @filled {
// CHECK: func.func @cpu_code(%[[X:.*]]: memref<8xi32>, %[[Y:.*]]: memref<8xi32>, %{{.*}}: index)
// CHECK: %[[SEVEN:.*]] = arith.constant dense<7>
// CHECK: %[[A:.*]] = vector.load %[[X]][%c0]
// CHECK-NEXT: %[[B:.*]] = arith.addi %[[A]], %[[SEVEN]]
// CHECK-NEXT: %[[C:.*]] = arith.muli %[[B]], %[[A]]
// CHECK-NEXT: vector.store %[[C]], %[[Y]][%c0]
plan.executable @filled {
  plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [0, 8], interleave = 1>) chunks(1)
  func.func @body(%x: tensor<8xi32>, %y: tensor<8xi32>) -> tensor<8xi32> {
    %seven = arith.constant 7 : i32
    %fill = linalg.fill ins(%seven : i32) outs(%y : tensor<8xi32>) -> tensor<8xi32>
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xi32>) outs(%fill : tensor<8xi32>) {
    ^bb0(%a: i32, %b: i32):
      %1 = arith.addi %a, %b : i32
      %2 = arith.muli %1, %a : i32
      linalg.yield %2 : i32
    } -> tensor<8xi32>
    return %0 : tensor<8xi32>
  }
}

// Without a vectorized dimension: scalars, and types as they are in memory.
// CHECK-LABEL: plan.executable @scalar_code {
// CHECK: func.func @cpu_code(%{{.*}}: memref<4x3xi16>, %{{.*}}: memref<3x4xi8>, %{{.*}}: memref<3x4xi8>, %{{.*}}: index)
// CHECK: scf.for %[[I:.*]] = %c0 to %c3 step %c1
// CHECK-NEXT: scf.for %[[J:.*]] = %c0 to %c4 step %c1
// CHECK-NEXT: %[[COLUMN:.*]] = arith.muli %[[J]], %c3
// CHECK-NEXT: %[[AT:.*]] = arith.addi %[[I]], %[[COLUMN]]
// CHECK-NEXT: %[[BITS:.*]] = memref.load %{{.*}}[%[[AT]]] : memref<12xi16>
// CHECK-NEXT: %[[A:.*]] = arith.bitcast %[[BITS]] : i16 to bf16
// CHECK-NEXT: %[[ROW:.*]] = arith.muli %[[I]], %c4
// CHECK-NEXT: %[[TO:.*]] = arith.addi %[[ROW]], %[[J]]
// CHECK-NEXT: %[[BYTE:.*]] = memref.load %{{.*}}[%[[TO]]] : memref<12xi8>
// CHECK-NEXT: %[[B:.*]] = arith.cmpi ne, %[[BYTE]], %c0_i8
// CHECK-NEXT: %[[WIDE:.*]] = arith.extf %[[A]]
// CHECK-NEXT: %[[INTEGER:.*]] = arith.index_cast %[[J]] : index to i32
// CHECK-NEXT: %[[NUMBER:.*]] = arith.sitofp %[[INTEGER]]
// CHECK-NEXT: %[[LESS:.*]] = arith.cmpf olt, %[[WIDE]], %[[NUMBER]]
// CHECK-NEXT: %[[C:.*]] = arith.xori %[[LESS]], %[[B]]
// CHECK-NEXT: %[[RESULT:.*]] = arith.extui %[[C]] : i1 to i8
// CHECK-NEXT: memref.store %[[RESULT]], %{{.*}}[%[[TO]]]
plan.executable @scalar_code {
  plan.variant @cpu schedule(#plan.cpu_schedule<interleave = 1>) chunks(1)
  func.func @body(%x: tensor<4x3xbf16>, %y: tensor<3x4xi1>, %z: tensor<3x4xi1>) -> tensor<3x4xi1> {
    %0 = linalg.generic {indexing_maps = [#transposed, #id2, #id2], iterator_types = ["parallel", "parallel"]}
        ins(%x, %y : tensor<4x3xbf16>, tensor<3x4xi1>) outs(%z : tensor<3x4xi1>) {
    ^bb0(%a: bf16, %b: i1, %c: i1):
      %1 = arith.extf %a : bf16 to f32
      %2 = linalg.index 1 : index
      %3 = arith.index_cast %2 : index to i32
      %4 = arith.sitofp %3 : i32 to f32
      %5 = arith.cmpf olt, %1, %4 : f32
      %6 = arith.xori %5, %b : i1
      linalg.yield %6 : i1
    } -> tensor<3x4xi1>
    return %0 : tensor<3x4xi1>
  }
}
