// RUN: job-opt %s --plan-fuse-rows --explain=kernels 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WHY < %t
// RUN: job-opt %s --plan-fuse-rows --plan-select-schedules --plan-assign-offsets --plan-pack-memory --plan-verify-memory --plan-verify -o /dev/null

// A small product, its rows before it and behind it, and a further product.

plan.device @gpu0 kind(cuda) queues(1)

#arena = #plan.space<arena>
#inputs = #plan.space<inputs>
#variables = #plan.space<variables>

#all = affine_map<(d0, d1) -> (d0, d1)>
#columns = affine_map<(d0, d1) -> (d1)>
#rows = affine_map<(d0, d1) -> (d0)>

plan.variable @w : memref<4x16xf32, #variables>
plan.variable @b : memref<4xf32, #variables>
plan.variable @large : memref<256x128xf32, #variables>
plan.variable @narrow : memref<4x16xbf16, #variables>
plan.variable @narrow_b : memref<4xbf16, #variables>

// The loop of all elements becomes one of rows and one of columns.
// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROWDEPTH:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[FACTOR:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[ROWCOLUMN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-LABEL: plan.executable @before_rows {
// CHECK: func.func @body(%[[X:.*]]: tensor<8x16xf32>, %[[W:.*]]: tensor<4x16xf32>, %[[B:.*]]: tensor<4xf32>, %[[D:.*]]: tensor<8x16xf32>, %[[Z:.*]]: tensor<8x4xf32>, %[[DD:.*]]: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x4xf32>, tensor<8x16xf32>) {
// CHECK: %[[DNEW:.*]] = linalg.generic {indexing_maps = [#[[ALL]], #[[ALL]]], iterator_types = ["parallel", "parallel"]} ins(%[[X]] : tensor<8x16xf32>) outs(%[[D]] : tensor<8x16xf32>) {
// CHECK: %[[ROW:.*]] = linalg.index 0
// CHECK: %[[PLACE:.*]] = linalg.index 1
// CHECK: %[[BEGIN:.*]] = arith.muli %[[ROW]], %c16
// CHECK: arith.addi %[[BEGIN]], %[[PLACE]]
// The product, and its bias.
// CHECK: %[[INIT:.*]] = linalg.fill {{.*}} outs(%[[Z]] : tensor<8x4xf32>)
// CHECK: %[[SUMS:.*]] = linalg.generic {indexing_maps = [#[[ROWDEPTH]], #[[FACTOR]], #[[ROWCOLUMN]]], iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[DNEW]], %[[W]] : {{.*}}) outs(%[[INIT]] : tensor<8x4xf32>) {
// CHECK: %[[BIASED:.*]] = linalg.generic {{.*}} ins(%[[SUMS]], %[[B]] : {{.*}}) outs(%[[Z]] : tensor<8x4xf32>) {
// The largest of a row, and how much less the others are.
// CHECK: %[[MOST:.*]] = linalg.generic {{.*}} ins(%[[BIASED]] : tensor<8x4xf32>) outs(%{{.*}} : tensor<8xf32>) {
// CHECK: %[[ZNEW:.*]] = linalg.generic {{.*}} ins(%[[BIASED]], %[[MOST]] : {{.*}}) outs(%[[Z]] : tensor<8x4xf32>) {
// CHECK: %[[BACK:.*]] = linalg.generic {{.*}} ins(%[[ZNEW]], %[[W]] : {{.*}}) outs(%{{.*}} : tensor<8x16xf32>) {
// Without the sums of the columns.
// CHECK: %[[DDNEW:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%[[X]], %[[BACK]] : {{.*}}) outs(%[[DD]] : tensor<8x16xf32>) {
// CHECK: return %[[DNEW]], %[[ZNEW]], %[[DDNEW]]
plan.executable @before {
  func.func @body(%x: tensor<8x16xf32>, %d: tensor<8x16xf32>) -> tensor<8x16xf32> {
    %0 = tensor.collapse_shape %x [[0, 1]] : tensor<8x16xf32> into tensor<128xf32>
    %1 = tensor.collapse_shape %d [[0, 1]] : tensor<8x16xf32> into tensor<128xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<128xf32>) outs(%1 : tensor<128xf32>) {
    ^bb0(%p: f32, %old: f32):
      %i = linalg.index 0 : index
      %n = arith.index_cast %i : index to i32
      %f = arith.sitofp %n : i32 to f32
      %q = arith.addf %p, %f : f32
      linalg.yield %q : f32
    } -> tensor<128xf32>
    %3 = tensor.expand_shape %2 [[0, 1]] output_shape [8, 16] : tensor<128xf32> into tensor<8x16xf32>
    return %3 : tensor<8x16xf32>
  }
}

plan.executable @row {
  func.func @body(%z: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %least = arith.constant 0xFF800000 : f32
    %empty = tensor.empty() : tensor<8xf32>
    %0 = linalg.fill ins(%least : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%z : tensor<8x4xf32>) outs(%0 : tensor<8xf32>) {
    ^bb0(%p: f32, %most: f32):
      %m = arith.maximumf %most, %p : f32
      linalg.yield %m : f32
    } -> tensor<8xf32>
    %2 = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]} ins(%z, %1 : tensor<8x4xf32>, tensor<8xf32>) outs(%z : tensor<8x4xf32>) {
    ^bb0(%p: f32, %most: f32, %old: f32):
      %m = arith.subf %p, %most : f32
      linalg.yield %m : f32
    } -> tensor<8x4xf32>
    return %2 : tensor<8x4xf32>
  }
}

// What the sums were of is in memory.
// CHECK-LABEL: plan.executable @mask_columns {
// CHECK: func.func @body(%[[TERMS:.*]]: tensor<8x16xf32>, %[[OUT:.*]]: tensor<16xf32>)
// CHECK: iterator_types = ["reduction", "parallel"]} ins(%[[TERMS]] : tensor<8x16xf32>)
plan.executable @mask {
  func.func @body(%x: tensor<8x16xf32>, %dd: tensor<8x16xf32>, %sums: tensor<16xf32>) -> (tensor<8x16xf32>, tensor<16xf32>) {
    %zero = arith.constant 0.0 : f32
    %0 = linalg.fill ins(%zero : f32) outs(%sums : tensor<16xf32>) -> tensor<16xf32>
    %1:2 = linalg.generic {indexing_maps = [#all, #all, #all, #columns], iterator_types = ["reduction", "parallel"]} ins(%x, %dd : tensor<8x16xf32>, tensor<8x16xf32>) outs(%dd, %0 : tensor<8x16xf32>, tensor<16xf32>) {
    ^bb0(%p: f32, %q: f32, %old: f32, %sum: f32):
      %c = arith.constant 0.0 : f32
      %is = arith.cmpf ogt, %p, %c : f32
      %n = arith.select %is, %q, %c : f32
      %s = arith.addf %sum, %n : f32
      linalg.yield %n, %s : f32, f32
    } -> (tensor<8x16xf32>, tensor<16xf32>)
    return %1#0, %1#1 : tensor<8x16xf32>, tensor<16xf32>
  }
}

// WHY: kernels: train: is computed by one kernel with 4 other commands, 8 rows one by one
// WHY-NOT: kernels: apart: is computed by one kernel

// CHECK-LABEL: plan.program @train
// CHECK: plan.dispatch @before_rows ins(%{{.*}}, %[[PW:.*]], %{{.*}} : memref<8x16xf32, #inputs>, memref<4x16xf32, #variables>, memref<4xf32, #variables>) outs(%[[PD:.*]], %[[PZ:.*]], %[[PDD:.*]] : {{.*}}) {flops = 1184 : i64}
// CHECK-NOT: plan.dispatch
// CHECK: plan.call #plan.cublaslt.matmul<m = 4, n = 16, k = 8, transpose_a = 1> ins(%[[PZ]], %[[PD]] :
// CHECK: plan.dispatch @mask_columns ins(%[[PDD]] : memref<8x16xf32, #arena>) outs(%{{.*}} : memref<16xf32, #arena>) {flops = 128 : i64}
// CHECK-NOT: plan.call
// CHECK-NOT: plan.dispatch
// CHECK: plan.return
plan.program @train kind train {
  %x = plan.input 0 "x" : memref<8x16xf32, #inputs>
  %w = plan.get_variable @w : memref<4x16xf32, #variables>
  %b = plan.get_variable @b : memref<4xf32, #variables>
  %d = plan.alloc : memref<8x16xf32, #arena>
  plan.dispatch @before ins(%x : memref<8x16xf32, #inputs>) outs(%d : memref<8x16xf32, #arena>) {flops = 128 : i64}
  %z = plan.alloc : memref<8x4xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 8, n = 4, k = 16, transpose_b = 1, epilogue = bias> ins(%d, %w, %b : memref<8x16xf32, #arena>, memref<4x16xf32, #variables>, memref<4xf32, #variables>) outs(%z : memref<8x4xf32, #arena>)
  plan.dispatch @row inouts(%z : memref<8x4xf32, #arena>) {flops = 32 : i64}
  %dw = plan.alloc : memref<4x16xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 4, n = 16, k = 8, transpose_a = 1> ins(%z, %d : memref<8x4xf32, #arena>, memref<8x16xf32, #arena>) outs(%dw : memref<4x16xf32, #arena>) {flops = 1024 : i64}
  %dd = plan.alloc : memref<8x16xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 8, n = 16, k = 4> ins(%z, %w : memref<8x4xf32, #arena>, memref<4x16xf32, #variables>) outs(%dd : memref<8x16xf32, #arena>) {flops = 1024 : i64}
  %sums = plan.alloc : memref<16xf32, #arena>
  plan.dispatch @mask ins(%x : memref<8x16xf32, #inputs>) inouts(%dd : memref<8x16xf32, #arena>) outs(%sums : memref<16xf32, #arena>)
  plan.return
}

plan.executable @large_rows {
  func.func @body(%z: tensor<8x256xf32>) -> tensor<8x256xf32> {
    %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%z : tensor<8x256xf32>) outs(%z : tensor<8x256xf32>) {
    ^bb0(%p: f32, %old: f32):
      %q = arith.addf %p, %p : f32
      linalg.yield %q : f32
    } -> tensor<8x256xf32>
    return %0 : tensor<8x256xf32>
  }
}
// CHECK-LABEL: plan.executable @narrow_rows_rows {
// CHECK: %[[WIDE:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<8x4xf32>) {
// CHECK-COUNT-2: arith.extf
// CHECK: arith.mulf {{.*}} : f32
// CHECK: arith.addf {{.*}} : f32
// CHECK: linalg.generic {{.*}} ins(%[[WIDE]], %{{.*}} : tensor<8x4xf32>, tensor<4xbf16>) outs(%{{.*}} : tensor<8x4xbf16>) {
// CHECK: arith.extf
// CHECK: arith.addf {{.*}} : f32
// CHECK: arith.truncf
plan.executable @narrow_rows {
  func.func @body(%z: tensor<8x4xbf16>) -> tensor<8x4xbf16> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<8xf32>
    %0 = linalg.fill ins(%zero : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%z : tensor<8x4xbf16>) outs(%0 : tensor<8xf32>) {
    ^bb0(%p: bf16, %sum: f32):
      %q = arith.extf %p : bf16 to f32
      %s = arith.addf %sum, %q : f32
      linalg.yield %s : f32
    } -> tensor<8xf32>
    %2 = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel"]} ins(%z, %1 : tensor<8x4xbf16>, tensor<8xf32>) outs(%z : tensor<8x4xbf16>) {
    ^bb0(%p: bf16, %sum: f32, %old: bf16):
      %q = arith.extf %p : bf16 to f32
      %s = arith.subf %q, %sum : f32
      %r = arith.truncf %s : f32 to bf16
      linalg.yield %r : bf16
    } -> tensor<8x4xbf16>
    return %2 : tensor<8x4xbf16>
  }
}
// The last row is that of the columns' largest.
plan.executable @across {
  func.func @body(%z: tensor<8x4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    %zero = arith.constant 0.0 : f32
    %0 = linalg.fill ins(%zero : f32) outs(%y : tensor<4xf32>) -> tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [#all, #columns], iterator_types = ["reduction", "parallel"]} ins(%z : tensor<8x4xf32>) outs(%0 : tensor<4xf32>) {
    ^bb0(%p: f32, %sum: f32):
      %s = arith.addf %sum, %p : f32
      linalg.yield %s : f32
    } -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
plan.executable @scramble {
  func.func @body(%z: tensor<8x4xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = linalg.generic {indexing_maps = [#all, affine_map<(d0, d1) -> (d1, d0)>], iterator_types = ["parallel", "parallel"]} ins(%z : tensor<8x4xf32>) outs(%y : tensor<4x8xf32>) {
    ^bb0(%p: f32, %old: f32):
      linalg.yield %p : f32
    } -> tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
}

// None of these is computed row by row with what is behind it.
// CHECK-LABEL: plan.program @apart
// CHECK-COUNT-7: plan.call
// CHECK: plan.return
plan.program @apart kind predict {
  %x = plan.input 0 "x" : memref<8x128xf32, #inputs>
  %y = plan.input 1 "y" : memref<8x16xf32, #inputs>
  %t = plan.input 2 "t" : memref<16x8xf32, #inputs>
  %large = plan.get_variable @large : memref<256x128xf32, #variables>
  %w = plan.get_variable @w : memref<4x16xf32, #variables>
  %b = plan.get_variable @b : memref<4xf32, #variables>
  // Too large a factor.
  %0 = plan.alloc : memref<8x256xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 8, n = 256, k = 128, transpose_b = 1> ins(%x, %large : memref<8x128xf32, #inputs>, memref<256x128xf32, #variables>) outs(%0 : memref<8x256xf32, #arena>)
  plan.dispatch @large_rows inouts(%0 : memref<8x256xf32, #arena>)
  // Another epilogue.
  %1 = plan.alloc : memref<8x4xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 8, n = 4, k = 16, transpose_b = 1, epilogue = bias_relu> ins(%y, %w, %b : memref<8x16xf32, #inputs>, memref<4x16xf32, #variables>, memref<4xf32, #variables>) outs(%1 : memref<8x4xf32, #arena>)
  plan.dispatch @row inouts(%1 : memref<8x4xf32, #arena>)
  // A first factor whose columns are the rows.
  %3 = plan.alloc : memref<8x4xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 8, n = 4, k = 16, transpose_a = 1, transpose_b = 1> ins(%t, %w : memref<16x8xf32, #inputs>, memref<4x16xf32, #variables>) outs(%3 : memref<8x4xf32, #arena>)
  plan.dispatch @row inouts(%3 : memref<8x4xf32, #arena>)
  // A command between the two.
  %4 = plan.alloc : memref<8x4xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 8, n = 4, k = 16, transpose_b = 1> ins(%y, %w : memref<8x16xf32, #inputs>, memref<4x16xf32, #variables>) outs(%4 : memref<8x4xf32, #arena>)
  plan.fill %4 with 0 : memref<8x4xf32, #arena>
  plan.dispatch @row inouts(%4 : memref<8x4xf32, #arena>)
  // Sums of columns alone.
  %5 = plan.alloc : memref<8x4xf32, #arena>
  %6 = plan.alloc : memref<4xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 8, n = 4, k = 16, transpose_b = 1> ins(%y, %w : memref<8x16xf32, #inputs>, memref<4x16xf32, #variables>) outs(%5 : memref<8x4xf32, #arena>)
  plan.dispatch @across ins(%5 : memref<8x4xf32, #arena>) outs(%6 : memref<4xf32, #arena>)
  // Elements of a result that are no row of it.
  %7 = plan.alloc : memref<8x4xf32, #arena>
  %8 = plan.alloc : memref<4x8xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 8, n = 4, k = 16, transpose_b = 1> ins(%y, %w : memref<8x16xf32, #inputs>, memref<4x16xf32, #variables>) outs(%7 : memref<8x4xf32, #arena>)
  plan.dispatch @scramble ins(%7 : memref<8x4xf32, #arena>) outs(%8 : memref<4x8xf32, #arena>)
  // A buffer with a view, which the commands behind it would read as well.
  %9 = plan.alloc : memref<8x4xf32, #arena>
  %10 = plan.view %9 : memref<8x4xf32, #arena> to memref<4x8xf32, #arena>
  %11 = plan.alloc : memref<4x8xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 8, n = 4, k = 16, transpose_b = 1> ins(%y, %w : memref<8x16xf32, #inputs>, memref<4x16xf32, #variables>) outs(%9 : memref<8x4xf32, #arena>)
  plan.copy %10 to %11 : memref<4x8xf32, #arena> to memref<4x8xf32, #arena>
  plan.dispatch @row inouts(%9 : memref<8x4xf32, #arena>)
  plan.return
}

// What another command reads before it is overwritten stays, and the result is in
// a buffer of its own, which the commands behind it read.
// WHY: kernels: moved: is computed by one kernel with 1 other command, 8 rows one by one
// CHECK-LABEL: plan.program @moved
// CHECK: %[[OLD:.*]] = plan.alloc : memref<8x4xf32, #arena>
// CHECK: %[[COPY:.*]] = plan.alloc : memref<8x4xf32, #arena>
// CHECK: %[[NEW:.*]] = plan.alloc : memref<8x4xf32, #arena>
// CHECK-NEXT: plan.dispatch @row_rows ins({{.*}}) outs(%[[OLD]], %[[NEW]] : memref<8x4xf32, #arena>, memref<8x4xf32, #arena>)
// CHECK-NEXT: plan.copy %[[OLD]] to %[[COPY]]
// CHECK-NEXT: plan.copy %[[NEW]] to %[[COPY]]
// CHECK-NEXT: plan.return
plan.program @moved kind predict {
  %y = plan.input 0 "y" : memref<8x16xf32, #inputs>
  %w = plan.get_variable @w : memref<4x16xf32, #variables>
  %0 = plan.alloc : memref<8x4xf32, #arena>
  %1 = plan.alloc : memref<8x4xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 8, n = 4, k = 16, transpose_b = 1> ins(%y, %w : memref<8x16xf32, #inputs>, memref<4x16xf32, #variables>) outs(%0 : memref<8x4xf32, #arena>)
  plan.copy %0 to %1 : memref<8x4xf32, #arena> to memref<8x4xf32, #arena>
  plan.dispatch @row inouts(%0 : memref<8x4xf32, #arena>)
  plan.copy %0 to %1 : memref<8x4xf32, #arena> to memref<8x4xf32, #arena>
  plan.return
}

// Sums in f32, to which the bias is added before they are rounded.
// CHECK-LABEL: plan.program @rounded
// CHECK: %[[ROUNDED:.*]] = plan.alloc : memref<8x4xbf16, #arena>
// CHECK: %[[SUMS:.*]] = plan.alloc : memref<8x4xf32, #arena>
// CHECK-NEXT: plan.dispatch @narrow_rows_rows ins({{.*}}) outs(%[[ROUNDED]], %[[SUMS]] : memref<8x4xbf16, #arena>, memref<8x4xf32, #arena>)
// CHECK-NEXT: plan.return
plan.program @rounded kind predict {
  %x = plan.input 0 "x" : memref<8x16xbf16, #inputs>
  %w = plan.get_variable @narrow : memref<4x16xbf16, #variables>
  %b = plan.get_variable @narrow_b : memref<4xbf16, #variables>
  %0 = plan.alloc : memref<8x4xbf16, #arena>
  plan.call #plan.cublaslt.matmul<m = 8, n = 4, k = 16, transpose_b = 1, type = bf16, epilogue = bias> ins(%x, %w, %b : memref<8x16xbf16, #inputs>, memref<4x16xbf16, #variables>, memref<4xbf16, #variables>) outs(%0 : memref<8x4xbf16, #arena>)
  plan.dispatch @narrow_rows inouts(%0 : memref<8x4xbf16, #arena>)
  plan.return
}

// Sums of columns of what is before a product are behind both.
// CHECK-LABEL: plan.program @sums_before
// CHECK: plan.dispatch @mask_rows ins({{.*}}) inouts(%[[D:.*]] : memref<8x16xf32, #arena>) outs(%{{.*}} : memref<8x4xf32, #arena>)
// CHECK-NEXT: plan.dispatch @mask_columns{{.*}} ins(%[[D]] : memref<8x16xf32, #arena>) outs(%[[S:.*]] : memref<16xf32, #arena>)
// CHECK-NEXT: plan.copy %[[S]]
// CHECK-NEXT: plan.return
plan.program @sums_before kind predict {
  %x = plan.input 0 "x" : memref<8x16xf32, #inputs>
  %w = plan.get_variable @w : memref<4x16xf32, #variables>
  %d = plan.alloc : memref<8x16xf32, #arena>
  plan.copy %x to %d : memref<8x16xf32, #inputs> to memref<8x16xf32, #arena>
  %s = plan.alloc : memref<16xf32, #arena>
  %t = plan.alloc : memref<16xf32, #arena>
  plan.dispatch @mask ins(%x : memref<8x16xf32, #inputs>) inouts(%d : memref<8x16xf32, #arena>) outs(%s : memref<16xf32, #arena>)
  %z = plan.alloc : memref<8x4xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 8, n = 4, k = 16, transpose_b = 1> ins(%d, %w : memref<8x16xf32, #arena>, memref<4x16xf32, #variables>) outs(%z : memref<8x4xf32, #arena>)
  plan.dispatch @row inouts(%z : memref<8x4xf32, #arena>)
  plan.copy %s to %t : memref<16xf32, #arena> to memref<16xf32, #arena>
  plan.return
}

// Not if they are read before the product.
// CHECK-LABEL: plan.program @sums_read_before
// CHECK: plan.dispatch @mask ins
// CHECK-NEXT: plan.copy
// CHECK: plan.dispatch @row_rows
plan.program @sums_read_before kind predict {
  %x = plan.input 0 "x" : memref<8x16xf32, #inputs>
  %w = plan.get_variable @w : memref<4x16xf32, #variables>
  %d = plan.alloc : memref<8x16xf32, #arena>
  plan.copy %x to %d : memref<8x16xf32, #inputs> to memref<8x16xf32, #arena>
  %s = plan.alloc : memref<16xf32, #arena>
  %t = plan.alloc : memref<16xf32, #arena>
  plan.dispatch @mask ins(%x : memref<8x16xf32, #inputs>) inouts(%d : memref<8x16xf32, #arena>) outs(%s : memref<16xf32, #arena>)
  plan.copy %s to %t : memref<16xf32, #arena> to memref<16xf32, #arena>
  %z = plan.alloc : memref<8x4xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 8, n = 4, k = 16, transpose_b = 1> ins(%d, %w : memref<8x16xf32, #arena>, memref<4x16xf32, #variables>) outs(%z : memref<8x4xf32, #arena>)
  plan.dispatch @row inouts(%z : memref<8x4xf32, #arena>)
  plan.return
}

// A kernel that overwrites what the columns are summed of, and one that reads the
// sums, stay behind these.
plan.executable @center {
  func.func @body(%d: tensor<8x16xf32>, %s: tensor<16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> {
    %0 = linalg.generic {indexing_maps = [#all, #columns, #all], iterator_types = ["parallel", "parallel"]} ins(%d, %s : tensor<8x16xf32>, tensor<16xf32>) outs(%y : tensor<8x16xf32>) {
    ^bb0(%p: f32, %q: f32, %old: f32):
      %m = arith.subf %p, %q : f32
      linalg.yield %m : f32
    } -> tensor<8x16xf32>
    return %0 : tensor<8x16xf32>
  }
}
// CHECK-LABEL: plan.program @terms_overwritten
// CHECK: plan.dispatch @row_rows
// CHECK-NEXT: plan.dispatch @mask_columns
// CHECK-NEXT: plan.dispatch @before ins
// CHECK-NEXT: plan.return
plan.program @terms_overwritten kind predict {
  %x = plan.input 0 "x" : memref<8x16xf32, #inputs>
  %w = plan.get_variable @w : memref<4x16xf32, #variables>
  %z = plan.alloc : memref<8x4xf32, #arena>
  %d = plan.alloc : memref<8x16xf32, #arena>
  %s = plan.alloc : memref<16xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 8, n = 4, k = 16, transpose_b = 1> ins(%x, %w : memref<8x16xf32, #inputs>, memref<4x16xf32, #variables>) outs(%z : memref<8x4xf32, #arena>)
  plan.dispatch @row inouts(%z : memref<8x4xf32, #arena>)
  plan.call #plan.cublaslt.matmul<m = 8, n = 16, k = 4> ins(%z, %w : memref<8x4xf32, #arena>, memref<4x16xf32, #variables>) outs(%d : memref<8x16xf32, #arena>)
  plan.dispatch @mask ins(%x : memref<8x16xf32, #inputs>) inouts(%d : memref<8x16xf32, #arena>) outs(%s : memref<16xf32, #arena>)
  plan.dispatch @before ins(%x : memref<8x16xf32, #inputs>) outs(%d : memref<8x16xf32, #arena>)
  plan.return
}
// CHECK-LABEL: plan.program @sums_read
// CHECK: plan.dispatch @row_rows
// CHECK-NEXT: plan.dispatch @mask_columns
// CHECK-NEXT: plan.dispatch @center ins
// CHECK-NEXT: plan.return
plan.program @sums_read kind predict {
  %x = plan.input 0 "x" : memref<8x16xf32, #inputs>
  %w = plan.get_variable @w : memref<4x16xf32, #variables>
  %z = plan.alloc : memref<8x4xf32, #arena>
  %d = plan.alloc : memref<8x16xf32, #arena>
  %s = plan.alloc : memref<16xf32, #arena>
  %y = plan.alloc : memref<8x16xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 8, n = 4, k = 16, transpose_b = 1> ins(%x, %w : memref<8x16xf32, #inputs>, memref<4x16xf32, #variables>) outs(%z : memref<8x4xf32, #arena>)
  plan.dispatch @row inouts(%z : memref<8x4xf32, #arena>)
  plan.call #plan.cublaslt.matmul<m = 8, n = 16, k = 4> ins(%z, %w : memref<8x4xf32, #arena>, memref<4x16xf32, #variables>) outs(%d : memref<8x16xf32, #arena>)
  plan.dispatch @mask ins(%x : memref<8x16xf32, #inputs>) inouts(%d : memref<8x16xf32, #arena>) outs(%s : memref<16xf32, #arena>)
  plan.dispatch @center ins(%d, %s : memref<8x16xf32, #arena>, memref<16xf32, #arena>) outs(%y : memref<8x16xf32, #arena>)
  plan.return
}

// Sums in a buffer of another shape than the columns have.
plan.executable @mask_in_row {
  func.func @body(%x: tensor<8x16xf32>, %dd: tensor<8x16xf32>, %sums: tensor<1x16xf32>) -> (tensor<8x16xf32>, tensor<1x16xf32>) {
    %zero = arith.constant 0.0 : f32
    %0 = linalg.fill ins(%zero : f32) outs(%sums : tensor<1x16xf32>) -> tensor<1x16xf32>
    %1:2 = linalg.generic {indexing_maps = [#all, #all, #all, affine_map<(d0, d1) -> (0, d1)>], iterator_types = ["reduction", "parallel"]} ins(%x, %dd : tensor<8x16xf32>, tensor<8x16xf32>) outs(%dd, %0 : tensor<8x16xf32>, tensor<1x16xf32>) {
    ^bb0(%p: f32, %q: f32, %old: f32, %sum: f32):
      %n = arith.mulf %p, %q : f32
      %s = arith.addf %sum, %n : f32
      linalg.yield %n, %s : f32, f32
    } -> (tensor<8x16xf32>, tensor<1x16xf32>)
    return %1#0, %1#1 : tensor<8x16xf32>, tensor<1x16xf32>
  }
}
// CHECK-LABEL: plan.program @sums_in_row
// CHECK: plan.dispatch @row_rows
// CHECK: plan.dispatch @mask_in_row ins
plan.program @sums_in_row kind predict {
  %x = plan.input 0 "x" : memref<8x16xf32, #inputs>
  %w = plan.get_variable @w : memref<4x16xf32, #variables>
  %z = plan.alloc : memref<8x4xf32, #arena>
  %d = plan.alloc : memref<8x16xf32, #arena>
  %s = plan.alloc : memref<1x16xf32, #arena>
  plan.call #plan.cublaslt.matmul<m = 8, n = 4, k = 16, transpose_b = 1> ins(%x, %w : memref<8x16xf32, #inputs>, memref<4x16xf32, #variables>) outs(%z : memref<8x4xf32, #arena>)
  plan.dispatch @row inouts(%z : memref<8x4xf32, #arena>)
  plan.call #plan.cublaslt.matmul<m = 8, n = 16, k = 4> ins(%z, %w : memref<8x4xf32, #arena>, memref<4x16xf32, #variables>) outs(%d : memref<8x16xf32, #arena>)
  plan.dispatch @mask_in_row ins(%x : memref<8x16xf32, #inputs>) inouts(%d : memref<8x16xf32, #arena>) outs(%s : memref<1x16xf32, #arena>)
  plan.return
}
