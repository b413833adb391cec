// Bodies of kernels: which dimensions collapse and in which order they are; and
// how they are cut into chunks.
//
// RUN: job-opt %s --pass-pipeline='builtin.module(job.func(job-form-kernels),convert-job-to-plan,plan-merge-kernels,plan-select-schedules)' --mlir-print-local-scope | FileCheck %s

// Work is 67 * 131 = 8777 operations, fewer than 2 * 16384: one chunk.
// CHECK-LABEL: plan.program @small
// CHECK: plan.dispatch @kernel_0
job.func @small(%x: !job.blob<67x131xf32>) -> !job.blob<67x131xf32> kind predict {
  %0 = job.neg %x : !job.blob<67x131xf32>
  job.return %0 : !job.blob<67x131xf32>
}

// 100 * 1000 operations / 16384 = 6 chunks of one dimension of 100000, 6250
// vectors of 16: 1042 each, 16672 elements; the last has 16640.
// CHECK-LABEL: plan.program @contiguous
// CHECK: plan.dispatch @kernel_1
job.func @contiguous(%x: !job.blob<100x1000xf32>) -> !job.blob<100x1000xf32> kind predict {
  %0 = job.neg %x : !job.blob<100x1000xf32>
  job.return %0 : !job.blob<100x1000xf32>
}

// 4096 * 1024 operations / 16384 = 256, but at most 64 chunks: 65536 each.
// CHECK-LABEL: plan.program @many
// CHECK: plan.dispatch @kernel_2
job.func @many(%x: !job.blob<4096x1024xf32>) -> !job.blob<4096x1024xf32> kind predict {
  %0 = job.neg %x : !job.blob<4096x1024xf32>
  job.return %0 : !job.blob<4096x1024xf32>
}

// A broadcast row keeps the dimensions apart; rows are cut: 100 / 6 -> 17 rows
// in 6 chunks, the last has 15.
// CHECK-LABEL: plan.program @rows
// CHECK: plan.dispatch @kernel_3
job.func @rows(%x: !job.blob<100x1000xf32>, %b: !job.blob<1000xf32>) -> !job.blob<100x1000xf32> kind predict {
  %0 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<1000xf32> to !job.blob<100x1000xf32>
  %1 = job.add %x, %0 : !job.blob<100x1000xf32>
  job.return %1 : !job.blob<100x1000xf32>
}

// A broadcast over channels: 4 x 8 x (5 * 5); the extents of 1 are gone.
// CHECK-LABEL: plan.program @channels
// CHECK: plan.dispatch @kernel_4
job.func @channels(%x: !job.blob<4x8x5x1x5xf32>, %b: !job.blob<8xf32>) -> !job.blob<4x8x5x1x5xf32> kind predict {
  %0 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<8xf32> to !job.blob<4x8x5x1x5xf32>
  %1 = job.add %x, %0 : !job.blob<4x8x5x1x5xf32>
  job.return %1 : !job.blob<4x8x5x1x5xf32>
}

// The innermost dimension is summed, and one outside of it.
// CHECK-LABEL: plan.program @sum_rows
// CHECK: plan.dispatch @kernel_5
job.func @sum_rows(%x: !job.blob<8x4x6xf32>) -> !job.blob<4xf32> kind predict {
  %0 = job.reduce_sum %x {axes = array<i64: 0, 2>} : !job.blob<8x4x6xf32>
  job.return %0 : !job.blob<4xf32>
}

// The innermost is parallel and joins its neighbour.
// CHECK-LABEL: plan.program @sum_columns
// CHECK: plan.dispatch @kernel_6
job.func @sum_columns(%x: !job.blob<8x4x6xf32>) -> !job.blob<4x6xf32> kind predict {
  %0 = job.reduce_sum %x {axes = array<i64: 0>} : !job.blob<8x4x6xf32>
  job.return %0 : !job.blob<4x6xf32>
}

// Everything is summed: one chunk, however large.
// CHECK-LABEL: plan.program @sum_all
// CHECK: plan.dispatch @kernel_7
job.func @sum_all(%x: !job.blob<1000x1000xf32>) -> !job.blob<1xf32> kind predict {
  %0 = job.reduce_sum %x {axes = array<i64: 0, 1>} : !job.blob<1000x1000xf32>
  job.return %0 : !job.blob<1xf32>
}

// Many operations an element: 8 count twice, 128 * 128 * 2 / 16384 = 2 chunks.
// CHECK-LABEL: plan.program @long_body
// CHECK: plan.dispatch @kernel_8
job.func @long_body(%x: !job.blob<128x128xf32>) -> !job.blob<128x128xf32> kind predict {
  %0 = job.neg %x : !job.blob<128x128xf32>
  %1 = job.abs %0 : !job.blob<128x128xf32>
  %2 = job.neg %1 : !job.blob<128x128xf32>
  %3 = job.abs %2 : !job.blob<128x128xf32>
  %4 = job.neg %3 : !job.blob<128x128xf32>
  %5 = job.abs %4 : !job.blob<128x128xf32>
  %6 = job.neg %5 : !job.blob<128x128xf32>
  %7 = job.abs %6 : !job.blob<128x128xf32>
  job.return %7 : !job.blob<128x128xf32>
}

// A kernel's own loops: 200 rows of 600 x 35 products each are worth more than 64
// chunks: 4 rows a chunk.
// CHECK-LABEL: plan.program @own_loops
// CHECK: plan.dispatch @kernel_9
job.func @own_loops(%x: !job.blob<200x600xf64>, %y: !job.blob<600x35xf64>) -> !job.blob<200x35xf64> kind predict {
  %0 = job.matmul %x, %y : !job.blob<200x600xf64>, !job.blob<600x35xf64>
  job.return %0 : !job.blob<200x35xf64>
}

// The index of an element, for random numbers: of the domain, not of the chunk.
// CHECK-LABEL: plan.program @index
// CHECK: plan.dispatch @kernel_10
job.func @index(%x: !job.blob<100x1000xf32>, %b: !job.blob<1000xf32>, %step: !job.blob<1xi64>) -> !job.blob<100x1000xf32> kind predict {
  %0 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<1000xf32> to !job.blob<100x1000xf32>
  %1 = job.add %x, %0 : !job.blob<100x1000xf32>
  %2 = job.dropout %1, %step {rate = 0.5, seed = 0 : i64, id = 1 : i64} : !job.blob<100x1000xf32>
  job.return %2 : !job.blob<100x1000xf32>
}

// Equal kernels are one executable, however the jobs and ops are called.
// CHECK-LABEL: plan.program @again
// CHECK: plan.dispatch @kernel_6
job.func @again(%x: !job.blob<8x4x6xf32>) -> !job.blob<4x6xf32> kind predict {
  %0 = job.reduce_sum %x {axes = array<i64: 0>} : !job.blob<8x4x6xf32> loc("other")
  job.return %0 : !job.blob<4x6xf32>
}
// The executables, in the order of the jobs above.

// @small
// CHECK-LABEL: plan.executable @kernel_0 {
// CHECK: func.func @body(%[[X:.*]]: tensor<67x131xf32>, %[[Y:.*]]: tensor<67x131xf32>) -> tensor<67x131xf32>
// CHECK-DAG: %[[IN:.*]] = tensor.collapse_shape %[[X]] {{.*}} into tensor<8777xf32>
// CHECK-DAG: %[[OUT:.*]] = tensor.collapse_shape %[[Y]] {{.*}} into tensor<8777xf32>
// CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%[[IN]] : tensor<8777xf32>) outs(%[[OUT]] : tensor<8777xf32>)
// CHECK: %[[ALL:.*]] = tensor.expand_shape %[[R]] {{.*}} into tensor<67x131xf32>
// CHECK: return %[[ALL]]
// CHECK: plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [0, 16], interleave = 4, accumulate = 128>) chunks(1)

// @contiguous
// CHECK-LABEL: plan.executable @kernel_1 {
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%{{.*}} : tensor<100000xf32>) outs(%{{.*}} : tensor<100000xf32>)
// CHECK: plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 16672], vectorize = [0, 16], {{.*}}>) chunks(6)

// @many
// CHECK-LABEL: plan.executable @kernel_2 {
// CHECK: plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 65536], {{.*}}>) chunks(64)

// @rows
// CHECK-LABEL: plan.executable @kernel_3 {
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : {{.*}}) outs(%arg2 :
// CHECK: plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 17], vectorize = [1, 16], {{.*}}>) chunks(6)

// @channels
// CHECK-LABEL: plan.executable @kernel_4 {
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>]
// CHECK-SAME: tensor<4x8x25xf32>, tensor<8xf32>) outs(%{{.*}} : tensor<4x8x25xf32>)
// CHECK: plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [2, 16], {{.*}}>) chunks(1)

// @sum_rows
// CHECK-LABEL: plan.executable @kernel_5 {
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00
// CHECK: %[[INIT:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%arg1 : tensor<4xf32>)
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1)>], iterator_types = ["reduction", "parallel", "reduction"]} ins(%arg0 : tensor<8x4x6xf32>) outs(%[[INIT]] : tensor<4xf32>)
// CHECK: plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [2, 16], {{.*}}>) chunks(1)

// @sum_columns: the order of the terms is the schedule's, not LLVM's.
// CHECK-LABEL: plan.executable @kernel_6 {
// CHECK: %[[INIT:.*]] = linalg.fill {{.*}} : tensor<24xf32>)
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%{{.*}} : tensor<8x24xf32>) outs(%[[INIT]] : tensor<24xf32>)
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK: plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [1, 16], {{.*}}>) chunks(1)

// @sum_all
// CHECK-LABEL: plan.executable @kernel_7 {
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (0)>], iterator_types = ["reduction"]} ins(%{{.*}} : tensor<1000000xf32>) outs(%{{.*}} : tensor<1xf32>)
// CHECK: plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [0, 16], {{.*}}>) chunks(1)

// @long_body
// CHECK-LABEL: plan.executable @kernel_8 {
// CHECK: plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 8192], {{.*}}>) chunks(2)

// @own_loops: a loop over items.
// CHECK-LABEL: plan.executable @kernel_9 {
// CHECK-NEXT: func.func @body(%arg0: memref<200x600xf64>, %arg1: memref<600x35xf64>, %arg2: memref<200x35xf64>) {
// CHECK: %[[ROWS:.*]] = arith.constant 200 : index
// CHECK: scf.parallel (%{{.*}}) = (%{{.*}}) to (%[[ROWS]]) step
// CHECK: } {plan.operations = {{[0-9]+}} : i64}
// CHECK: plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 4], interleave = 1, accumulate = 128>) chunks(50)

// @index
// CHECK-LABEL: plan.executable @kernel_10 {
// CHECK: %[[ROW:.*]] = linalg.index 0
// CHECK: %[[COLUMN:.*]] = linalg.index 1
// CHECK: %[[WIDTH:.*]] = arith.constant 1000
// CHECK: %[[BEFORE:.*]] = arith.muli %[[ROW]], %[[WIDTH]]
// CHECK: arith.addi %[[BEFORE]], %[[COLUMN]]

// CHECK-NOT: plan.executable
