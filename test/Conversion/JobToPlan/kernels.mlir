// Loops of kernels: which dimensions collapse, in which order they are walked
// through, and how they are cut into chunks.
//
// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-form-kernels),convert-job-to-plan)' --mlir-print-local-scope | FileCheck %s

// Work is 67 * 131 = 8777 operations, fewer than 2 * 16384: one chunk.
// CHECK-LABEL: plan.program @small
// CHECK: plan.dispatch @kernel_0 chunks(1)
job.func @small(%x: !job.blob<67x131xf32>) -> !job.blob<67x131xf32> kind predict {
  %0 = job.exp %x : !job.blob<67x131xf32>
  job.return %0 : !job.blob<67x131xf32>
}

// 100 * 1000 operations / 16384 = 6 chunks of one dimension of 100000:
// 16667 each, up to a multiple of 16: 16672; the last has 16640.
// CHECK-LABEL: plan.program @contiguous
// CHECK: plan.dispatch @kernel_1 chunks(6)
job.func @contiguous(%x: !job.blob<100x1000xf32>) -> !job.blob<100x1000xf32> kind predict {
  %0 = job.exp %x : !job.blob<100x1000xf32>
  job.return %0 : !job.blob<100x1000xf32>
}

// 4096 * 1024 operations / 16384 = 256, but at most 64 chunks: 65536 each.
// CHECK-LABEL: plan.program @many
// CHECK: plan.dispatch @kernel_2 chunks(64)
job.func @many(%x: !job.blob<4096x1024xf32>) -> !job.blob<4096x1024xf32> kind predict {
  %0 = job.exp %x : !job.blob<4096x1024xf32>
  job.return %0 : !job.blob<4096x1024xf32>
}

// A broadcast row keeps the dimensions apart; rows are cut: 100 / 6 -> 17 rows
// in 6 chunks, the last has 15.
// CHECK-LABEL: plan.program @rows
// CHECK: plan.dispatch @kernel_3 chunks(6)
job.func @rows(%x: !job.blob<100x1000xf32>, %b: !job.blob<1000xf32>) -> !job.blob<100x1000xf32> kind predict {
  %0 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<1000xf32> to !job.blob<100x1000xf32>
  %1 = job.add %x, %0 : !job.blob<100x1000xf32>
  job.return %1 : !job.blob<100x1000xf32>
}

// A broadcast over channels: 4 x 8 x (5 * 5); the extents of 1 are gone.
// CHECK-LABEL: plan.program @channels
// CHECK: plan.dispatch @kernel_4 chunks(1)
job.func @channels(%x: !job.blob<4x8x5x1x5xf32>, %b: !job.blob<8xf32>) -> !job.blob<4x8x5x1x5xf32> kind predict {
  %0 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<8xf32> to !job.blob<4x8x5x1x5xf32>
  %1 = job.add %x, %0 : !job.blob<4x8x5x1x5xf32>
  job.return %1 : !job.blob<4x8x5x1x5xf32>
}

// The innermost dimension is summed: parallel loops go outside.
// CHECK-LABEL: plan.program @sum_rows
// CHECK: plan.dispatch @kernel_5 chunks(1)
job.func @sum_rows(%x: !job.blob<8x4x6xf32>) -> !job.blob<4xf32> kind predict {
  %0 = job.reduce_sum %x {axes = array<i64: 0, 2>} : !job.blob<8x4x6xf32>
  job.return %0 : !job.blob<4xf32>
}

// The innermost is parallel: loops keep their order, sums gather in a row.
// CHECK-LABEL: plan.program @sum_columns
// CHECK: plan.dispatch @kernel_6 chunks(1)
job.func @sum_columns(%x: !job.blob<8x4x6xf32>) -> !job.blob<4x6xf32> kind predict {
  %0 = job.reduce_sum %x {axes = array<i64: 0>} : !job.blob<8x4x6xf32>
  job.return %0 : !job.blob<4x6xf32>
}

// Everything is summed: one chunk, however large.
// CHECK-LABEL: plan.program @sum_all
// CHECK: plan.dispatch @kernel_7 chunks(1)
job.func @sum_all(%x: !job.blob<1000x1000xf32>) -> !job.blob<1xf32> kind predict {
  %0 = job.reduce_sum %x {axes = array<i64: 0, 1>} : !job.blob<1000x1000xf32>
  job.return %0 : !job.blob<1xf32>
}

// Many operations an element: 8 ops with the yield count twice, 128 * 128 * 2 /
// 16384 = 2 chunks.
// CHECK-LABEL: plan.program @long_body
// CHECK: plan.dispatch @kernel_8 chunks(2)
job.func @long_body(%x: !job.blob<128x128xf32>) -> !job.blob<128x128xf32> kind predict {
  %0 = job.neg %x : !job.blob<128x128xf32>
  %1 = job.abs %0 : !job.blob<128x128xf32>
  %2 = job.neg %1 : !job.blob<128x128xf32>
  %3 = job.abs %2 : !job.blob<128x128xf32>
  %4 = job.neg %3 : !job.blob<128x128xf32>
  %5 = job.abs %4 : !job.blob<128x128xf32>
  %6 = job.neg %5 : !job.blob<128x128xf32>
  job.return %6 : !job.blob<128x128xf32>
}

// A kernel's own loops: 200 rows in 50 chunks of 4, each row from class to class
// in vectors of 16, the last of them masked.
// CHECK-LABEL: plan.program @own_loops
// CHECK: plan.dispatch @kernel_9 chunks(50)
job.func @own_loops(%x: !job.blob<200x600xf32>, %l: !job.blob<200xi32>) -> !job.blob<200xf32> kind predict {
  %0 = job.sparse_softmax_cross_entropy %x, %l : !job.blob<200x600xf32>, !job.blob<200xi32>
  job.return %0 : !job.blob<200xf32>
}

// The index of an element, for random numbers: of the domain, not of the chunk.
// CHECK-LABEL: plan.program @index
// CHECK: plan.dispatch @kernel_10 chunks(6)
job.func @index(%x: !job.blob<100x1000xf32>, %b: !job.blob<1000xf32>, %step: !job.blob<1xi64>) -> !job.blob<100x1000xf32> kind predict {
  %0 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<1000xf32> to !job.blob<100x1000xf32>
  %1 = job.add %x, %0 : !job.blob<100x1000xf32>
  %2 = job.dropout %1, %step {rate = 0.5, seed = 0 : i64, id = 1 : i64} : !job.blob<100x1000xf32>
  job.return %2 : !job.blob<100x1000xf32>
}

// Equal kernels are one function, however the jobs and ops are called.
// CHECK-LABEL: plan.program @again
// CHECK: plan.dispatch @kernel_6 chunks(1)
job.func @again(%x: !job.blob<8x4x6xf32>) -> !job.blob<4x6xf32> kind predict {
  %0 = job.reduce_sum %x {axes = array<i64: 0>} : !job.blob<8x4x6xf32> loc("other")
  job.return %0 : !job.blob<4x6xf32>
}
// The functions, in the order of the jobs above.

// @small
// CHECK-LABEL: func.func @kernel_0(
// CHECK-DAG: %[[X:.*]] = memref.reinterpret_cast %arg0 to offset: [0], sizes: [8777], strides: [1]
// CHECK-DAG: %[[Y:.*]] = memref.reinterpret_cast %arg1 to offset: [0], sizes: [8777], strides: [1]
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%[[X]] : memref<8777xf32>) outs(%[[Y]] : memref<8777xf32>)

// @contiguous
// CHECK-LABEL: func.func @kernel_1(
// CHECK: %[[SIZE:.*]] = arith.constant 16672 : index
// CHECK: %[[BEGIN:.*]] = arith.muli %arg2, %[[SIZE]]
// CHECK: %[[ALL:.*]] = arith.constant 100000 : index
// CHECK: %[[REST:.*]] = arith.subi %[[ALL]], %[[BEGIN]]
// CHECK: %[[PART:.*]] = arith.minsi %[[SIZE]], %[[REST]]
// CHECK: %[[X:.*]] = memref.subview %{{.*}}[%[[BEGIN]]] [%[[PART]]] [1] : memref<100000xf32>
// CHECK: %[[Y:.*]] = memref.subview %{{.*}}[%[[BEGIN]]] [%[[PART]]] [1] : memref<100000xf32>
// CHECK: linalg.generic {{.*}} ins(%[[X]] : {{.*}}) outs(%[[Y]] :

// @many
// CHECK-LABEL: func.func @kernel_2(
// CHECK-NOT: arith.minsi
// CHECK: memref.subview %{{.*}}[%{{.*}}] [65536] [1] : memref<4194304xf32>

// @rows
// CHECK-LABEL: func.func @kernel_3(
// CHECK: arith.constant 17 : index
// CHECK: %[[X:.*]] = memref.subview %arg0[%{{.*}}, 0] [%{{.*}}, 1000] [1, 1]
// CHECK: %[[Y:.*]] = memref.subview %arg2[%{{.*}}, 0] [%{{.*}}, 1000] [1, 1]
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg1, %[[X]] : {{.*}}) outs(%[[Y]] :

// @channels
// CHECK-LABEL: func.func @kernel_4(
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>]
// CHECK-SAME: memref<8xf32>, memref<4x8x25xf32>) outs(%{{.*}} : memref<4x8x25xf32>)

// @sum_rows
// CHECK-LABEL: func.func @kernel_5(
// CHECK: linalg.fill {{.*}} outs(%arg1 : memref<4xf32>)
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d0, d2)>, affine_map<(d0, d1, d2) -> (d0)>], iterator_types = ["parallel", "reduction", "reduction"]} ins(%arg0 : memref<8x4x6xf32>) outs(%arg1 : memref<4xf32>)

// @sum_columns
// CHECK-LABEL: func.func @kernel_6(
// CHECK: linalg.fill {{.*}} : memref<24xf32>)
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%{{.*}} : memref<8x24xf32>) outs(%{{.*}} : memref<24xf32>)
// CHECK: arith.addf {{.*}} fastmath<reassoc,nsz>

// @sum_all
// CHECK-LABEL: func.func @kernel_7(
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%{{.*}} : memref<1000000xf32>) outs(%{{.*}} : memref<f32>)

// @long_body
// CHECK-LABEL: func.func @kernel_8(
// CHECK: memref.subview %{{.*}}[%{{.*}}] [8192] [1] : memref<16384xf32>

// @own_loops
// CHECK-LABEL: func.func @kernel_9(
// CHECK: %[[SIZE:.*]] = arith.constant 4 : index
// CHECK: %[[BEGIN:.*]] = arith.muli %arg3, %[[SIZE]]
// CHECK: %[[END:.*]] = arith.addi %[[BEGIN]], %[[SIZE]]
// CHECK: scf.for %[[ROW:.*]] = %[[BEGIN]] to %[[END]] step
// CHECK: vector.load %arg0[%[[ROW]], %{{.*}}] : memref<200x600xf32>, vector<16xf32>
// CHECK: %[[TAIL:.*]] = arith.constant 592 : index
// CHECK: vector.maskedload %arg0[%[[ROW]], %[[TAIL]]]

// @index
// CHECK-LABEL: func.func @kernel_10(
// CHECK: %[[BEGIN:.*]] = arith.muli %arg4, %{{.*}} : index
// CHECK: %[[IN_CHUNK:.*]] = linalg.index 0
// CHECK: %[[ROW:.*]] = arith.addi %[[IN_CHUNK]], %[[BEGIN]]
// CHECK: %[[ROWS:.*]] = arith.addi %{{.*}}, %[[ROW]]
// CHECK: %[[COLUMN:.*]] = linalg.index 1
// CHECK: %[[WIDTH:.*]] = arith.constant 1000
// CHECK: %[[BEFORE:.*]] = arith.muli %[[ROWS]], %[[WIDTH]]
// CHECK: arith.addi %[[BEFORE]], %[[COLUMN]]

// CHECK-NOT: func.func
