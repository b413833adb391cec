// RUN: job-opt %s --split-input-file --pass-pipeline='builtin.module(plan-select-schedules,plan-assign-offsets,plan.program(plan-pack-memory),plan-fuse-epilogues,plan-verify-memory,plan-verify)' --explain=kernels 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WHY < %t

#arena = #plan.space<arena>
#variables = #plan.space<variables>
#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

#all = affine_map<(d0, d1) -> (d0, d1)>
#columns = affine_map<(d0, d1) -> (d1)>

// A bias, in place: the chunks of the kernel are the blocks of the product.
// CHECK-LABEL: plan.executable @bias
// CHECK: plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 32] x [1, 48], vectorize = [1, 16], interleave = 4, accumulate = 128>) chunks(4)
plan.executable @bias {
  func.func @body(%b: tensor<96xf32>, %x: tensor<64x96xf32>) -> tensor<64x96xf32> {
    %0 = linalg.generic {indexing_maps = [#columns, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%b, %x : tensor<96xf32>, tensor<64x96xf32>) outs(%x : tensor<64x96xf32>) {
    ^bb0(%p: f32, %q: f32, %r: f32):
      %1 = arith.addf %p, %q : f32
      linalg.yield %1 : f32
    } -> tensor<64x96xf32>
    return %0 : tensor<64x96xf32>
  }
}

// What the op before computes is read, with another blob: a residual sum.
// CHECK-LABEL: plan.executable @sum
// CHECK: distribute = [0, 32] x [1, 48]
plan.executable @sum {
  func.func @body(%x: tensor<64x96xf32>, %y: tensor<64x96xf32>, %z: tensor<64x96xf32>) -> tensor<64x96xf32> {
    %0 = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<64x96xf32>, tensor<64x96xf32>) outs(%z : tensor<64x96xf32>) {
    ^bb0(%p: f32, %q: f32, %r: f32):
      %1 = arith.addf %p, %q : f32
      linalg.yield %1 : f32
    } -> tensor<64x96xf32>
    return %0 : tensor<64x96xf32>
  }
}

// CHECK-LABEL: plan.program @chain
// CHECK: plan.call
// CHECK-NEXT: plan.get_variable
// CHECK-NEXT: plan.dispatch @bias epilogue
// CHECK: plan.dispatch @sum epilogue
plan.variable @b : memref<96xf32, #variables>
plan.program @chain kind predict {
  %x = plan.input 0 "x" : memref<64x128xf32, #inputs>
  %w = plan.input 1 "w" : memref<128x96xf32, #inputs>
  %r = plan.input 2 "r" : memref<64x96xf32, #inputs>
  %y = plan.output 0 "y" : memref<64x96xf32, #outputs>
  %a = plan.alloc : memref<64x96xf32, #arena>
  plan.call #plan.onednn.matmul<m = 64, n = 96, k = 128, row_parts = 2, column_parts = 2> ins(%x, %w : memref<64x128xf32, #inputs>, memref<128x96xf32, #inputs>) outs(%a : memref<64x96xf32, #arena>) {flops = 1572864 : i64}
  %b = plan.get_variable @b : memref<96xf32, #variables>
  plan.dispatch @bias ins(%b : memref<96xf32, #variables>) inouts(%a : memref<64x96xf32, #arena>) {flops = 6144 : i64}
  plan.dispatch @sum ins(%a, %r : memref<64x96xf32, #arena>, memref<64x96xf32, #inputs>) outs(%y : memref<64x96xf32, #outputs>) {flops = 6144 : i64}
  plan.return
}

// -----

#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

#all = affine_map<(d0, d1) -> (d0, d1)>

// A kernel that another dispatch needs as it is has a copy.
// CHECK: plan.executable @negate {
// CHECK: plan.variant @cpu schedule(#plan.cpu_schedule<vectorize
// CHECK: plan.executable @negate_0 {
// CHECK: distribute = [1, 48]
plan.executable @negate {
  func.func @body(%x: tensor<64x96xf32>) -> tensor<64x96xf32> {
    %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x96xf32>) outs(%x : tensor<64x96xf32>) {
    ^bb0(%p: f32, %q: f32):
      %1 = arith.negf %p : f32
      linalg.yield %1 : f32
    } -> tensor<64x96xf32>
    return %0 : tensor<64x96xf32>
  }
}

// CHECK-LABEL: plan.program @shared
// CHECK: plan.call
// CHECK-NEXT: plan.dispatch @negate_0 epilogue
// CHECK-NEXT: plan.copy
// CHECK-NEXT: plan.dispatch @negate inouts
plan.program @shared kind predict {
  %x = plan.input 0 "x" : memref<64x128xf32, #inputs>
  %w = plan.input 1 "w" : memref<128x96xf32, #inputs>
  %y = plan.output 0 "y" : memref<64x96xf32, #outputs>
  %z = plan.output 1 "z" : memref<64x96xf32, #outputs>
  plan.call #plan.onednn.matmul<m = 64, n = 96, k = 128, column_parts = 2> ins(%x, %w : memref<64x128xf32, #inputs>, memref<128x96xf32, #inputs>) outs(%y : memref<64x96xf32, #outputs>) {flops = 1572864 : i64}
  plan.dispatch @negate inouts(%y : memref<64x96xf32, #outputs>) {flops = 6144 : i64}
  plan.copy %y to %z : memref<64x96xf32, #outputs> to memref<64x96xf32, #outputs>
  plan.dispatch @negate inouts(%z : memref<64x96xf32, #outputs>) {flops = 6144 : i64}
  plan.return
}

// -----

#arena = #plan.space<arena>
#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

#all = affine_map<(d0, d1) -> (d0, d1)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>
#rows = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: plan.executable @transpose
// CHECK: plan.variant @cpu schedule(#plan.cpu_schedule<tile
plan.executable @transpose {
  func.func @body(%x: tensor<64x96xf32>, %y: tensor<96x64xf32>) -> tensor<96x64xf32> {
    %0 = linalg.generic {indexing_maps = [#transposed, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x96xf32>) outs(%y : tensor<96x64xf32>) {
    ^bb0(%p: f32, %q: f32):
      linalg.yield %p : f32
    } -> tensor<96x64xf32>
    return %0 : tensor<96x64xf32>
  }
}
plan.executable @row_sums {
  func.func @body(%x: tensor<64x96xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
    %zero = arith.constant 0.0 : f32
    %fill = linalg.fill ins(%zero : f32) outs(%y : tensor<64xf32>) -> tensor<64xf32>
    %0 = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x96xf32>) outs(%fill : tensor<64xf32>) {
    ^bb0(%p: f32, %q: f32):
      %1 = arith.addf %p, %q : f32
      linalg.yield %1 : f32
    } -> tensor<64xf32>
    return %0 : tensor<64xf32>
  }
}
plan.executable @copy {
  func.func @body(%x: tensor<64x96xf32>, %y: tensor<64x96xf32>) -> tensor<64x96xf32> {
    %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x96xf32>) outs(%y : tensor<64x96xf32>) {
    ^bb0(%p: f32, %q: f32):
      linalg.yield %p : f32
    } -> tensor<64x96xf32>
    return %0 : tensor<64x96xf32>
  }
}

// Sums of rows need whole rows, and have them if rows are split only.
// CHECK-LABEL: plan.program @reductions
// CHECK: plan.call {{.*}}column_parts = 2
// CHECK-NEXT: plan.dispatch @row_sums ins
// CHECK: plan.call {{.*}}row_parts = 2
// CHECK-NEXT: plan.dispatch @row_sums_{{[0-9]+}} epilogue
plan.program @reductions kind predict {
  %x = plan.input 0 "x" : memref<64x128xf32, #inputs>
  %w = plan.input 1 "w" : memref<128x96xf32, #inputs>
  %y = plan.output 0 "y" : memref<64xf32, #outputs>
  %z = plan.output 1 "z" : memref<64xf32, #outputs>
  %a = plan.alloc : memref<64x96xf32, #arena>
  plan.call #plan.onednn.matmul<m = 64, n = 96, k = 128, column_parts = 2> ins(%x, %w : memref<64x128xf32, #inputs>, memref<128x96xf32, #inputs>) outs(%a : memref<64x96xf32, #arena>) {flops = 1572864 : i64}
  plan.dispatch @row_sums ins(%a : memref<64x96xf32, #arena>) outs(%y : memref<64xf32, #outputs>) {flops = 6144 : i64}
  plan.call #plan.onednn.matmul<m = 64, n = 96, k = 128, row_parts = 2> ins(%x, %w : memref<64x128xf32, #inputs>, memref<128x96xf32, #inputs>) outs(%a : memref<64x96xf32, #arena>) {flops = 1572864 : i64}
  plan.dispatch @row_sums ins(%a : memref<64x96xf32, #arena>) outs(%z : memref<64xf32, #outputs>) {flops = 6144 : i64}
  plan.return
}

// A transpose of square blocks is an epilogue too: each reads one block.
// CHECK-LABEL: plan.program @transposes
// CHECK: plan.dispatch @transpose_{{[0-9]+}} epilogue
plan.program @transposes kind predict {
  %x = plan.input 0 "x" : memref<64x128xf32, #inputs>
  %w = plan.input 1 "w" : memref<128x96xf32, #inputs>
  %y = plan.output 0 "y" : memref<96x64xf32, #outputs>
  %z = plan.output 1 "z" : memref<96x64xf32, #outputs>
  %a = plan.alloc : memref<64x96xf32, #arena>
  plan.call #plan.onednn.matmul<m = 64, n = 96, k = 128, row_parts = 2, column_parts = 2> ins(%x, %w : memref<64x128xf32, #inputs>, memref<128x96xf32, #inputs>) outs(%a : memref<64x96xf32, #arena>) {flops = 1572864 : i64}
  plan.dispatch @transpose ins(%a : memref<64x96xf32, #arena>) outs(%y : memref<96x64xf32, #outputs>) {flops = 6144 : i64}
  plan.copy %y to %z : memref<96x64xf32, #outputs> to memref<96x64xf32, #outputs>
  plan.dispatch @transpose ins(%a : memref<64x96xf32, #arena>) outs(%y : memref<96x64xf32, #outputs>) {flops = 6144 : i64}
  plan.return
}

// Other chunks of the call read what the kernel writes: %y is in the memory of
// %x, which the call reads last.
// CHECK-LABEL: plan.program @memory_is_shared
// CHECK: plan.call
// CHECK-NOT: epilogue
plan.program @memory_is_shared kind predict {
  %in = plan.input 0 "x" : memref<64x96xf32, #inputs>
  %w = plan.input 1 "w" : memref<96x96xf32, #inputs>
  %out = plan.output 0 "y" : memref<64x96xf32, #outputs>
  %x = plan.alloc : memref<64x96xf32, #arena>
  %a = plan.alloc : memref<64x96xf32, #arena>
  plan.copy %in to %x : memref<64x96xf32, #inputs> to memref<64x96xf32, #arena>
  plan.call #plan.onednn.matmul<m = 64, n = 96, k = 96, row_parts = 2> ins(%x, %w : memref<64x96xf32, #arena>, memref<96x96xf32, #inputs>) outs(%a : memref<64x96xf32, #arena>) {flops = 1179648 : i64}
  %y = plan.alloc : memref<64x96xf32, #arena>
  plan.dispatch @copy ins(%a : memref<64x96xf32, #arena>) outs(%y : memref<64x96xf32, #arena>) {flops = 6144 : i64}
  plan.copy %y to %out : memref<64x96xf32, #arena> to memref<64x96xf32, #outputs>
  plan.return
}

// One chunk has nothing to run beside; parts of a batch that are added, and
// heads of attention, are no blocks.
// CHECK-LABEL: plan.program @no_blocks
// CHECK-NOT: epilogue
plan.program @no_blocks kind predict {
  %x = plan.input 0 "x" : memref<64x128xf32, #inputs>
  %w = plan.input 1 "w" : memref<128x96xf32, #inputs>
  %y = plan.output 0 "y" : memref<64x96xf32, #outputs>
  %a = plan.alloc : memref<64x96xf32, #arena>
  plan.call #plan.onednn.matmul<m = 64, n = 96, k = 128> ins(%x, %w : memref<64x128xf32, #inputs>, memref<128x96xf32, #inputs>) outs(%a : memref<64x96xf32, #arena>) {flops = 1572864 : i64}
  plan.dispatch @copy ins(%a : memref<64x96xf32, #arena>) outs(%y : memref<64x96xf32, #outputs>) {flops = 6144 : i64}
  plan.return
}

// -----

#arena = #plan.space<arena>
#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

#all = affine_map<(d0, d1) -> (d0, d1)>

// A schedule in the text is obeyed.
// CHECK-LABEL: plan.executable @copy
// CHECK: distribute = [0, 32], interleave = 1
plan.executable @copy {
  plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 32], interleave = 1>) chunks(2)
  func.func @body(%x: tensor<64x96xf32>, %y: tensor<64x96xf32>) -> tensor<64x96xf32> {
    %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x96xf32>) outs(%y : tensor<64x96xf32>) {
    ^bb0(%p: f32, %q: f32):
      linalg.yield %p : f32
    } -> tensor<64x96xf32>
    return %0 : tensor<64x96xf32>
  }
}
// CHECK-LABEL: plan.program @by_hand
// CHECK-NOT: epilogue
plan.program @by_hand kind predict {
  %x = plan.input 0 "x" : memref<64x128xf32, #inputs>
  %w = plan.input 1 "w" : memref<128x96xf32, #inputs>
  %y = plan.output 0 "y" : memref<64x96xf32, #outputs>
  %a = plan.alloc : memref<64x96xf32, #arena>
  plan.call #plan.onednn.matmul<m = 64, n = 96, k = 128, row_parts = 2> ins(%x, %w : memref<64x128xf32, #inputs>, memref<128x96xf32, #inputs>) outs(%a : memref<64x96xf32, #arena>) {flops = 1572864 : i64}
  plan.dispatch @copy ins(%a : memref<64x96xf32, #arena>) outs(%y : memref<64x96xf32, #outputs>) {flops = 6144 : i64}
  plan.return
}

// -----

#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>
#workspace = #plan.space<workspace>

#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#channels = affine_map<(d0, d1, d2) -> (d1)>

// A convolution is split by images and channels; the kernel's pixels are one
// dimension.
// CHECK-LABEL: plan.executable @bias
// CHECK: distribute = [0, 1] x [1, 16]
plan.executable @bias {
  func.func @body(%b: tensor<32xf32>, %x: tensor<2x32x8x8xf32>) -> tensor<2x32x8x8xf32> {
    %c = tensor.collapse_shape %x [[0], [1], [2, 3]] : tensor<2x32x8x8xf32> into tensor<2x32x64xf32>
    %0 = linalg.generic {indexing_maps = [#channels, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%b, %c : tensor<32xf32>, tensor<2x32x64xf32>) outs(%c : tensor<2x32x64xf32>) {
    ^bb0(%p: f32, %q: f32, %r: f32):
      %1 = arith.addf %p, %q : f32
      linalg.yield %1 : f32
    } -> tensor<2x32x64xf32>
    %e = tensor.expand_shape %0 [[0], [1], [2, 3]] output_shape [2, 32, 8, 8] : tensor<2x32x64xf32> into tensor<2x32x8x8xf32>
    return %e : tensor<2x32x8x8xf32>
  }
}
// CHECK-LABEL: plan.program @convolution
// CHECK: plan.dispatch @bias epilogue
plan.program @convolution kind predict {
  %x = plan.input 0 "x" : memref<2x16x8x8xf32, #inputs>
  %w = plan.input 1 "w" : memref<32x16x1x1xf32, #inputs>
  %b = plan.input 2 "b" : memref<32xf32, #inputs>
  %y = plan.output 0 "y" : memref<2x32x8x8xf32, #outputs>
  %s = plan.workspace : memref<524288xi8, #workspace>
  plan.call #plan.onednn.conv2d<n = 2, c = 16, h = 8, w = 8, oc = 32, kh = 1, kw = 1, oh = 8, ow = 8, batch_parts = 2, channel_parts = 2, slice = 131072> ins(%x, %w : memref<2x16x8x8xf32, #inputs>, memref<32x16x1x1xf32, #inputs>) outs(%y : memref<2x32x8x8xf32, #outputs>) workspace(%s : memref<524288xi8, #workspace>) {flops = 131072 : i64}
  plan.dispatch @bias ins(%b : memref<32xf32, #inputs>) inouts(%y : memref<2x32x8x8xf32, #outputs>) {flops = 4096 : i64}
  plan.return
}

// -----

#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>
#workspace = #plan.space<workspace>

#flat = affine_map<(d0) -> (d0)>

// A kernel whose dimensions were collapsed into one gets back those along which
// the result is split, whatever shapes its arguments have.
// CHECK-LABEL: plan.executable @add
// CHECK: func.func @body(%[[X:.*]]: tensor<64x2048xf32>, %[[Y:.*]]: tensor<2x32x2048xf32>, %[[Z:.*]]: tensor<64x2048xf32>)
// CHECK-NEXT: %[[C:.*]] = tensor.collapse_shape %[[Y]] {{\[}}[0, 1], [2]]
// CHECK-NEXT: linalg.generic
// CHECK-SAME: ins(%[[X]], %[[C]] : tensor<64x2048xf32>, tensor<64x2048xf32>) outs(%[[Z]]
// CHECK: plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 32] x [1, 1024]
// CHECK-LABEL: plan.executable @pixels
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.*}} : tensor<2x2048xf32>)
// CHECK: plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 1] x [1, 1024]
plan.executable @add {
  func.func @body(%x: tensor<64x2048xf32>, %y: tensor<2x32x2048xf32>, %z: tensor<64x2048xf32>) -> tensor<64x2048xf32> {
    %a = tensor.collapse_shape %x [[0, 1]] : tensor<64x2048xf32> into tensor<131072xf32>
    %b = tensor.collapse_shape %y [[0, 1, 2]] : tensor<2x32x2048xf32> into tensor<131072xf32>
    %c = tensor.collapse_shape %z [[0, 1]] : tensor<64x2048xf32> into tensor<131072xf32>
    %0 = linalg.generic {indexing_maps = [#flat, #flat, #flat], iterator_types = ["parallel"]} ins(%a, %b : tensor<131072xf32>, tensor<131072xf32>) outs(%c : tensor<131072xf32>) {
    ^bb0(%p: f32, %q: f32, %r: f32):
      %cst = arith.constant 0.5 : f32
      %1 = arith.addf %p, %q : f32
      %2 = arith.mulf %1, %cst : f32
      linalg.yield %2 : f32
    } -> tensor<131072xf32>
    %e = tensor.expand_shape %0 [[0, 1]] output_shape [64, 2048] : tensor<131072xf32> into tensor<64x2048xf32>
    return %e : tensor<64x2048xf32>
  }
}
plan.executable @pixels {
  func.func @body(%x: tensor<2x32x8x8xf32>) -> tensor<2x32x8x8xf32> {
    %a = tensor.collapse_shape %x [[0, 1, 2, 3]] : tensor<2x32x8x8xf32> into tensor<4096xf32>
    %0 = linalg.generic {indexing_maps = [#flat, #flat], iterator_types = ["parallel"]} ins(%a : tensor<4096xf32>) outs(%a : tensor<4096xf32>) {
    ^bb0(%p: f32, %q: f32):
      %1 = arith.negf %p : f32
      linalg.yield %1 : f32
    } -> tensor<4096xf32>
    %e = tensor.expand_shape %0 [[0, 1, 2, 3]] output_shape [2, 32, 8, 8] : tensor<4096xf32> into tensor<2x32x8x8xf32>
    return %e : tensor<2x32x8x8xf32>
  }
}
// CHECK-LABEL: plan.program @collapsed
// CHECK: plan.dispatch @add epilogue
// CHECK: plan.dispatch @pixels epilogue
plan.program @collapsed kind predict {
  %x = plan.input 0 "x" : memref<64x128xf32, #inputs>
  %w = plan.input 1 "w" : memref<128x2048xf32, #inputs>
  %r = plan.input 2 "r" : memref<2x32x2048xf32, #inputs>
  %i = plan.input 3 "i" : memref<2x16x8x8xf32, #inputs>
  %f = plan.input 4 "f" : memref<32x16x1x1xf32, #inputs>
  %a = plan.output 0 "a" : memref<64x2048xf32, #outputs>
  %y = plan.output 1 "y" : memref<64x2048xf32, #outputs>
  %o = plan.output 2 "o" : memref<2x32x8x8xf32, #outputs>
  %s = plan.workspace : memref<524288xi8, #workspace>
  plan.call #plan.onednn.matmul<m = 64, n = 2048, k = 128, row_parts = 2, column_parts = 2> ins(%x, %w : memref<64x128xf32, #inputs>, memref<128x2048xf32, #inputs>) outs(%a : memref<64x2048xf32, #outputs>) {flops = 33554432 : i64}
  plan.dispatch @add ins(%a, %r : memref<64x2048xf32, #outputs>, memref<2x32x2048xf32, #inputs>) outs(%y : memref<64x2048xf32, #outputs>) {flops = 131072 : i64}
  plan.call #plan.onednn.conv2d<n = 2, c = 16, h = 8, w = 8, oc = 32, kh = 1, kw = 1, oh = 8, ow = 8, batch_parts = 2, channel_parts = 2, slice = 131072> ins(%i, %f : memref<2x16x8x8xf32, #inputs>, memref<32x16x1x1xf32, #inputs>) outs(%o : memref<2x32x8x8xf32, #outputs>) workspace(%s : memref<524288xi8, #workspace>) {flops = 131072 : i64}
  plan.dispatch @pixels inouts(%o : memref<2x32x8x8xf32, #outputs>) {flops = 4096 : i64}
  plan.return
}

// -----

#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

#flat = affine_map<(d0) -> (d0)>

// The number of an element is that of one dimension.
// CHECK-LABEL: plan.executable @index
// CHECK: iterator_types = ["parallel"]
plan.executable @index {
  func.func @body(%x: tensor<64x96xf32>) -> tensor<64x96xf32> {
    %a = tensor.collapse_shape %x [[0, 1]] : tensor<64x96xf32> into tensor<6144xf32>
    %0 = linalg.generic {indexing_maps = [#flat, #flat], iterator_types = ["parallel"]} ins(%a : tensor<6144xf32>) outs(%a : tensor<6144xf32>) {
    ^bb0(%p: f32, %q: f32):
      %1 = linalg.index 0 : index
      %2 = arith.index_cast %1 : index to i32
      %3 = arith.sitofp %2 : i32 to f32
      %4 = arith.addf %p, %3 : f32
      linalg.yield %4 : f32
    } -> tensor<6144xf32>
    %e = tensor.expand_shape %0 [[0, 1]] output_shape [64, 96] : tensor<6144xf32> into tensor<64x96xf32>
    return %e : tensor<64x96xf32>
  }
}
// WHY: fuse-epilogues.mlir:[[# @LINE + 8]]:3: {{.*}}is no epilogue of onednn.matmul, since no dimensions of it cut that result into the same blocks
// CHECK-LABEL: plan.program @indexed
// CHECK: plan.dispatch @index inouts
plan.program @indexed kind predict {
  %x = plan.input 0 "x" : memref<64x128xf32, #inputs>
  %w = plan.input 1 "w" : memref<128x96xf32, #inputs>
  %a = plan.output 0 "a" : memref<64x96xf32, #outputs>
  plan.call #plan.onednn.matmul<m = 64, n = 96, k = 128, row_parts = 2, column_parts = 2> ins(%x, %w : memref<64x128xf32, #inputs>, memref<128x96xf32, #inputs>) outs(%a : memref<64x96xf32, #outputs>) {flops = 1572864 : i64}
  plan.dispatch @index inouts(%a : memref<64x96xf32, #outputs>) {flops = 6144 : i64}
  plan.return
}

// -----

#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>
#workspace = #plan.space<workspace>

#all = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>

// A reduction starts from a fill, which is not split.
// CHECK-LABEL: plan.program @reduced
// CHECK: plan.dispatch @maximum ins
plan.executable @maximum {
  func.func @body(%x: tensor<2x32x8x8xf32>, %y: tensor<2x32xf32>) -> tensor<2x32xf32> {
    %a = tensor.collapse_shape %x [[0, 1], [2, 3]] : tensor<2x32x8x8xf32> into tensor<64x64xf32>
    %b = tensor.collapse_shape %y [[0, 1]] : tensor<2x32xf32> into tensor<64xf32>
    %low = arith.constant 0xFF800000 : f32
    %fill = linalg.fill ins(%low : f32) outs(%b : tensor<64xf32>) -> tensor<64xf32>
    %0 = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<64x64xf32>) outs(%fill : tensor<64xf32>) {
    ^bb0(%p: f32, %q: f32):
      %1 = arith.maximumf %q, %p : f32
      linalg.yield %1 : f32
    } -> tensor<64xf32>
    %e = tensor.expand_shape %0 [[0, 1]] output_shape [2, 32] : tensor<64xf32> into tensor<2x32xf32>
    return %e : tensor<2x32xf32>
  }
}
plan.program @reduced kind predict {
  %i = plan.input 0 "i" : memref<2x16x8x8xf32, #inputs>
  %f = plan.input 1 "f" : memref<32x16x1x1xf32, #inputs>
  %o = plan.output 0 "o" : memref<2x32x8x8xf32, #outputs>
  %m = plan.output 1 "m" : memref<2x32xf32, #outputs>
  %s = plan.workspace : memref<524288xi8, #workspace>
  plan.call #plan.onednn.conv2d<n = 2, c = 16, h = 8, w = 8, oc = 32, kh = 1, kw = 1, oh = 8, ow = 8, batch_parts = 2, channel_parts = 2, slice = 131072> ins(%i, %f : memref<2x16x8x8xf32, #inputs>, memref<32x16x1x1xf32, #inputs>) outs(%o : memref<2x32x8x8xf32, #outputs>) workspace(%s : memref<524288xi8, #workspace>) {flops = 131072 : i64}
  plan.dispatch @maximum ins(%o : memref<2x32x8x8xf32, #outputs>) outs(%m : memref<2x32xf32, #outputs>) {flops = 4096 : i64}
  plan.return
}
