// How kernels run on the CPU: from extents and operations alone. A schedule in
// the text is kept.
//
// RUN: job-opt %s --pass-pipeline='builtin.module(plan-select-schedules)' | FileCheck %s

#id = affine_map<(i) -> (i)>
#id2 = affine_map<(i, j) -> (i, j)>

// 32767 operations: one chunk.
// CHECK-LABEL: plan.executable @short
// CHECK: plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [0, 16], interleave = 4, accumulate = 128>) chunks(1)
plan.executable @short {
  func.func @body(%x: tensor<32767xf32>, %y: tensor<32767xf32>) -> tensor<32767xf32> {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%x : tensor<32767xf32>) outs(%y : tensor<32767xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.negf %a : f32
      linalg.yield %1 : f32
    } -> tensor<32767xf32>
    return %0 : tensor<32767xf32>
  }
}

// One more: two chunks of whole vectors.
// CHECK-LABEL: plan.executable @two
// CHECK: plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 16384], vectorize = [0, 16], interleave = 4, accumulate = 128>) chunks(2)
plan.executable @two {
  func.func @body(%x: tensor<32768xf32>, %y: tensor<32768xf32>) -> tensor<32768xf32> {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%x : tensor<32768xf32>) outs(%y : tensor<32768xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.negf %a : f32
      linalg.yield %1 : f32
    } -> tensor<32768xf32>
    return %0 : tensor<32768xf32>
  }
}

// 64 chunks are wanted: the outermost dimension gives 3, the next one has 31250
// vectors of 16, 489 a chunk.
// CHECK-LABEL: plan.executable @few_rows
// CHECK: plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [1, 7824], vectorize = [1, 16], {{.*}}>) chunks(64)
plan.executable @few_rows {
  func.func @body(%x: tensor<3x500000xf32>, %b: tensor<500000xf32>, %y: tensor<3x500000xf32>) -> tensor<3x500000xf32> {
    %0 = linalg.generic {indexing_maps = [#id2, affine_map<(i, j) -> (j)>, #id2], iterator_types = ["parallel", "parallel"]}
        ins(%x, %b : tensor<3x500000xf32>, tensor<500000xf32>) outs(%y : tensor<3x500000xf32>) {
    ^bb0(%a: f32, %c: f32, %d: f32):
      %1 = arith.addf %a, %c : f32
      linalg.yield %1 : f32
    } -> tensor<3x500000xf32>
    return %0 : tensor<3x500000xf32>
  }
}

// Only a dimension that is parallel everywhere is cut: here the rows.
// CHECK-LABEL: plan.executable @rows
// CHECK: plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 67], vectorize = [1, 16], {{.*}}>) chunks(15)
plan.executable @rows {
  func.func @body(%x: tensor<1000x262xf32>, %y: tensor<1000xf32>) -> tensor<1000xf32> {
    %zero = arith.constant 0.0 : f32
    %init = linalg.fill ins(%zero : f32) outs(%y : tensor<1000xf32>) -> tensor<1000xf32>
    %0 = linalg.generic {indexing_maps = [#id2, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<1000x262xf32>) outs(%init : tensor<1000xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.addf %b, %a : f32
      linalg.yield %1 : f32
    } -> tensor<1000xf32>
    return %0 : tensor<1000xf32>
  }
}

// A kernel of one point has no vectors.
// CHECK-LABEL: plan.executable @point
// CHECK: plan.variant @cpu schedule(#plan.cpu_schedule<interleave = 4, accumulate = 128>) chunks(1)
plan.executable @point {
  func.func @body(%x: tensor<1xf32>, %y: tensor<1xf32>) -> tensor<1xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<() -> (0)>, affine_map<() -> (0)>], iterator_types = []}
        ins(%x : tensor<1xf32>) outs(%y : tensor<1xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.negf %a : f32
      linalg.yield %1 : f32
    } -> tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// CHECK-LABEL: plan.executable @kept
// CHECK: plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 5], interleave = 1, accumulate = 8>){{$}}
// CHECK-NOT: plan.variant
plan.executable @kept {
  func.func @body(%x: tensor<32768xf32>, %y: tensor<32768xf32>) -> tensor<32768xf32> {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%x : tensor<32768xf32>) outs(%y : tensor<32768xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.negf %a : f32
      linalg.yield %1 : f32
    } -> tensor<32768xf32>
    return %0 : tensor<32768xf32>
  }
  plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 5], accumulate = 8>)
}

// Code without a body stays as it is.
// CHECK-LABEL: plan.executable @code
// CHECK-NEXT: plan.variant @cpu chunks(1) function(@cpu_code)
// CHECK-NOT: schedule
plan.executable @code {
  plan.variant @cpu chunks(1) function(@cpu_code)
  func.func private @cpu_code(memref<4xf32>, index)
}

// A transpose goes through its operand across lines of memory: tiles of the
// dimension that is contiguous there, of which chunks have whole blocks.
// CHECK-LABEL: plan.executable @transpose
// CHECK: plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 32], tile = [0, 16], vectorize = [1, 16], {{.*}}>) chunks(47)
plan.executable @transpose {
  func.func @body(%x: tensor<1000x1500xf32>, %y: tensor<1500x1000xf32>) -> tensor<1500x1000xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, #id2], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<1000x1500xf32>) outs(%y : tensor<1500x1000xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    } -> tensor<1500x1000xf32>
    return %0 : tensor<1500x1000xf32>
  }
}

// Images to channels first: the channels would be the outermost dimension with
// enough chunks, but of one channel each there would be no blocks. A tile has
// whole pixels.
// CHECK-LABEL: plan.executable @channels_first
// CHECK: plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [2, 64], tile = [1, 64], vectorize = [2, 16], {{.*}}>) chunks(49)
plan.executable @channels_first {
  func.func @body(%x: tensor<8x3136x64xf32>, %y: tensor<8x64x3136xf32>) -> tensor<8x64x3136xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k, j)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%x : tensor<8x3136x64xf32>) outs(%y : tensor<8x64x3136xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    } -> tensor<8x64x3136xf32>
    return %0 : tensor<8x64x3136xf32>
  }
}

// Short rows have no tiles where the body is too long for blocks.
// CHECK-LABEL: plan.executable @long_body
// CHECK: plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [1, 16], {{.*}}>) chunks(1)
plan.executable @long_body {
  func.func @body(%x: tensor<32x32xf32>, %y: tensor<32x32xf32>) -> tensor<32x32xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, #id2], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<32x32xf32>) outs(%y : tensor<32x32xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.negf %a : f32
      %2 = arith.mulf %1, %a : f32
      %3 = arith.mulf %2, %a : f32
      %4 = arith.mulf %3, %a : f32
      %5 = arith.mulf %4, %a : f32
      %6 = arith.mulf %5, %a : f32
      %7 = arith.mulf %6, %a : f32
      %8 = arith.mulf %7, %a : f32
      %9 = arith.mulf %8, %a : f32
      linalg.yield %9 : f32
    } -> tensor<32x32xf32>
    return %0 : tensor<32x32xf32>
  }
}
