// Long reductions to few results become two stages, with parts that depend on
// extents and operations alone.
//
// RUN: job-opt %s --plan-split-reductions --mlir-print-local-scope --split-input-file | FileCheck %s

#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

#id = affine_map<(d0) -> (d0)>
#zero = affine_map<(d0) -> (0)>

// A full sum of 2^20 elements is worth 64 chunks of 16384.
// CHECK-LABEL: plan.executable @sum_parts
// CHECK-NEXT: func.func @body(%[[X:.*]]: tensor<1048576xf32>, %[[PARTIAL:.*]]: tensor<64x1xf32>) -> tensor<64x1xf32>
// CHECK: %[[CUT:.*]] = tensor.expand_shape %[[X]] {{\[\[}}0, 1]] output_shape [64, 16384]
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%[[PARTIAL]]
// CHECK: linalg.generic
// CHECK-SAME: affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>
// CHECK-SAME: ["parallel", "reduction"]
// CHECK-SAME: ins(%[[CUT]]
// The second stage has what followed: the mean. Both are on the queue of the
// kernel.
// CHECK-LABEL: plan.executable @sum_join
// CHECK-NEXT: func.func @body(%[[PARTIAL:.*]]: tensor<64x1xf32>, %[[Y:.*]]: tensor<1xf32>) -> tensor<1xf32>
// CHECK: %[[SUM:.*]] = linalg.generic
// CHECK-SAME: affine_map<(d0) -> (d0, 0)>, affine_map<(d0) -> (0)>
// CHECK-SAME: ["reduction"]
// CHECK-SAME: ins(%[[PARTIAL]]
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[SUM]]
// CHECK: arith.mulf
// CHECK-NOT: plan.executable @sum {
// CHECK-LABEL: plan.program @mean
// CHECK: %[[BUFFER:.*]] = plan.alloc : memref<64x1xf32, #plan.space<arena>>
// CHECK-NEXT: plan.dispatch @sum_parts queue(1) ins(%{{.*}}) outs(%[[BUFFER]] : memref<64x1xf32, #plan.space<arena>>) {flops = 2097152 : i64}
// CHECK-NEXT: plan.dispatch @sum_join queue(1) ins(%[[BUFFER]] : memref<64x1xf32, #plan.space<arena>>) outs(%{{.*}} : memref<1xf32, #plan.space<outputs>>) {flops = 64 : i64}
plan.executable @sum {
  func.func @body(%x: tensor<1048576xf32>, %y: tensor<1xf32>) -> tensor<1xf32> {
    %zero = arith.constant 0.0 : f32
    %0 = linalg.fill ins(%zero : f32) outs(%y : tensor<1xf32>) -> tensor<1xf32>
    %1 = linalg.generic {indexing_maps = [#id, #zero], iterator_types = ["reduction"]}
        ins(%x : tensor<1048576xf32>) outs(%0 : tensor<1xf32>) {
    ^bb0(%a: f32, %b: f32):
      %3 = arith.addf %b, %a : f32
      linalg.yield %3 : f32
    } -> tensor<1xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<() -> (0)>, affine_map<() -> (0)>], iterator_types = []}
        ins(%1 : tensor<1xf32>) outs(%y : tensor<1xf32>) {
    ^bb0(%a: f32, %b: f32):
      %scale = arith.constant 1.0e-6 : f32
      %3 = arith.mulf %a, %scale : f32
      linalg.yield %3 : f32
    } -> tensor<1xf32>
    return %2 : tensor<1xf32>
  }
}
plan.program @mean kind predict {
  %x = plan.input 0 "x" : memref<1048576xf32, #inputs>
  %y = plan.output 0 "y" : memref<1xf32, #outputs>
  plan.dispatch @sum queue(1) ins(%x : memref<1048576xf32, #inputs>) outs(%y : memref<1xf32, #outputs>) {flops = 2097152 : i64}
  plan.return
}

// -----

#arena = #plan.space<arena>
#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

// Columns: 10 of them share a vector. 100003 is a prime: 61 parts and a rest.
// Checks go with what they check; two dispatches share the kernels.
// CHECK-LABEL: plan.executable @columns_parts
// CHECK: func.func @body(%[[X:.*]]: tensor<100003x10xf32>, %{{.*}}: tensor<61x10xf32>, %{{.*}}: tensor<64xi32>) -> tensor<61x10xf32>
// CHECK: %[[MAIN:.*]] = tensor.extract_slice %[[X]][0, 0] [99979, 10] [1, 1]
// CHECK: tensor.expand_shape %[[MAIN]] {{\[\[}}0, 1], [2]] output_shape [61, 1639, 10]
// CHECK: linalg.generic
// CHECK-SAME: affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-SAME: ["parallel", "reduction", "parallel"]
// CHECK: %[[SIZE:.*]] = arith.constant 1639
// CHECK: %[[BEGIN:.*]] = arith.muli %{{.*}}, %[[SIZE]]
// CHECK: arith.addi %[[BEGIN]]
// CHECK: plan.check %{{.*}} number 0 of 1
// CHECK-LABEL: plan.executable @columns_rest
// CHECK: func.func @body(%[[X:.*]]: tensor<100003x10xf32>, %{{.*}}: tensor<10xf32>, %{{.*}}: tensor<64xi32>) -> tensor<10xf32>
// CHECK: tensor.extract_slice %[[X]][99979, 0] [24, 10] [1, 1]
// CHECK: arith.constant 99979
// CHECK-LABEL: plan.executable @columns_join
// CHECK: func.func @body(%{{.*}}: tensor<61x10xf32>, %{{.*}}: tensor<10xf32>, %{{.*}}: tensor<10xf32>, %{{.*}}: tensor<64xi32>) -> tensor<10xf32>
// CHECK: linalg.generic
// CHECK-SAME: affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>
// CHECK: linalg.generic
// CHECK: arith.addf
// CHECK: linalg.generic
// CHECK: plan.check %{{.*}} number 0 of 1
// CHECK-LABEL: plan.program @sums
// CHECK: plan.dispatch @columns_parts ins(%{{.*}}) outs(%{{.*}}, %{{.*}} : memref<61x10xf32, #plan.space<arena>>, memref<64xi32, #plan.space<arena>>) {checks = [loc("terms")]
// CHECK: plan.dispatch @columns_rest {{.*}} {checks = [loc("terms")]
// CHECK: plan.dispatch @columns_join {{.*}} {checks = [loc("roots")]
// CHECK: plan.dispatch @columns_parts
// CHECK: plan.dispatch @columns_rest
// CHECK: plan.dispatch @columns_join
#all = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
#id = affine_map<(d0) -> (d0)>
plan.executable @columns {
  func.func @body(%x: tensor<100003x10xf32>, %y: tensor<10xf32>, %status: tensor<64xi32>) -> tensor<10xf32> {
    %zero = arith.constant 0.0 : f32
    %0 = linalg.fill ins(%zero : f32) outs(%y : tensor<10xf32>) -> tensor<10xf32>
    %1 = linalg.generic {indexing_maps = [#all, #column], iterator_types = ["reduction", "parallel"]}
        ins(%x : tensor<100003x10xf32>) outs(%0 : tensor<10xf32>) {
    ^bb0(%a: f32, %b: f32):
      %i = linalg.index 0 : index
      %j = arith.index_cast %i : index to i64
      %k = arith.sitofp %j : i64 to f32
      %l = arith.divf %a, %k : f32
      plan.check %l number 1 of 2 : f32
      %3 = arith.addf %b, %l : f32
      linalg.yield %3 : f32
    } -> tensor<10xf32>
    %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%1 : tensor<10xf32>) outs(%y : tensor<10xf32>) {
    ^bb0(%a: f32, %b: f32):
      %3 = math.sqrt %a : f32
      plan.check %3 number 0 of 2 : f32
      linalg.yield %3 : f32
    } -> tensor<10xf32>
    return %2 : tensor<10xf32>
  }
}
plan.program @sums kind predict {
  %x = plan.input 0 "x" : memref<100003x10xf32, #inputs>
  %y = plan.output 0 "y" : memref<10xf32, #outputs>
  %z = plan.output 1 "z" : memref<10xf32, #outputs>
  %s = plan.alloc : memref<64xi32, #arena>
  %t = plan.alloc : memref<64xi32, #arena>
  plan.dispatch @columns ins(%x : memref<100003x10xf32, #inputs>) outs(%y, %s : memref<10xf32, #outputs>, memref<64xi32, #arena>) {checks = [loc("roots"), loc("terms")]}
  plan.dispatch @columns ins(%x : memref<100003x10xf32, #inputs>) outs(%z, %t : memref<10xf32, #outputs>, memref<64xi32, #arena>) {checks = [loc("roots"), loc("terms")]}
  plan.return
}

// -----

#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

// These stay: less work than four chunks; many columns; a kernel that goes over
// the elements again; one with a schedule.
// CHECK-NOT: _parts
#id = affine_map<(d0) -> (d0)>
#zero = affine_map<(d0) -> (0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
plan.executable @short {
  func.func @body(%x: tensor<65535xf32>, %y: tensor<1xf32>) -> tensor<1xf32> {
    %zero = arith.constant 0.0 : f32
    %0 = linalg.fill ins(%zero : f32) outs(%y : tensor<1xf32>) -> tensor<1xf32>
    %1 = linalg.generic {indexing_maps = [#id, #zero], iterator_types = ["reduction"]}
        ins(%x : tensor<65535xf32>) outs(%0 : tensor<1xf32>) {
    ^bb0(%a: f32, %b: f32):
      %3 = arith.addf %b, %a : f32
      linalg.yield %3 : f32
    } -> tensor<1xf32>
    return %1 : tensor<1xf32>
  }
}
plan.executable @wide {
  func.func @body(%x: tensor<16x65536xf32>, %y: tensor<65536xf32>) -> tensor<65536xf32> {
    %zero = arith.constant 0.0 : f32
    %0 = linalg.fill ins(%zero : f32) outs(%y : tensor<65536xf32>) -> tensor<65536xf32>
    %1 = linalg.generic {indexing_maps = [#all, #column], iterator_types = ["reduction", "parallel"]}
        ins(%x : tensor<16x65536xf32>) outs(%0 : tensor<65536xf32>) {
    ^bb0(%a: f32, %b: f32):
      %3 = arith.addf %b, %a : f32
      linalg.yield %3 : f32
    } -> tensor<65536xf32>
    return %1 : tensor<65536xf32>
  }
}
plan.executable @again {
  func.func @body(%x: tensor<1048576xf32>, %y: tensor<1048576xf32>) -> tensor<1048576xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<1xf32>
    %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
    %1 = linalg.generic {indexing_maps = [#id, #zero], iterator_types = ["reduction"]}
        ins(%x : tensor<1048576xf32>) outs(%0 : tensor<1xf32>) {
    ^bb0(%a: f32, %b: f32):
      %3 = arith.addf %b, %a : f32
      linalg.yield %3 : f32
    } -> tensor<1xf32>
    %2 = linalg.generic {indexing_maps = [#id, #zero, #id], iterator_types = ["parallel"]}
        ins(%x, %1 : tensor<1048576xf32>, tensor<1xf32>) outs(%y : tensor<1048576xf32>) {
    ^bb0(%a: f32, %s: f32, %b: f32):
      %3 = arith.divf %a, %s : f32
      linalg.yield %3 : f32
    } -> tensor<1048576xf32>
    return %2 : tensor<1048576xf32>
  }
}
plan.executable @scheduled {
  func.func @body(%x: tensor<1048576xf32>, %y: tensor<1xf32>) -> tensor<1xf32> {
    %zero = arith.constant 0.0 : f32
    %0 = linalg.fill ins(%zero : f32) outs(%y : tensor<1xf32>) -> tensor<1xf32>
    %1 = linalg.generic {indexing_maps = [#id, #zero], iterator_types = ["reduction"]}
        ins(%x : tensor<1048576xf32>) outs(%0 : tensor<1xf32>) {
    ^bb0(%a: f32, %b: f32):
      %3 = arith.addf %b, %a : f32
      linalg.yield %3 : f32
    } -> tensor<1xf32>
    return %1 : tensor<1xf32>
  }
  plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [0, 16]>)
}
plan.program @kept kind predict {
  %a = plan.input 0 "a" : memref<65535xf32, #inputs>
  %b = plan.input 1 "b" : memref<16x65536xf32, #inputs>
  %c = plan.input 2 "c" : memref<1048576xf32, #inputs>
  %0 = plan.output 0 "r0" : memref<1xf32, #outputs>
  %1 = plan.output 1 "r1" : memref<65536xf32, #outputs>
  %2 = plan.output 2 "r2" : memref<1048576xf32, #outputs>
  %3 = plan.output 3 "r3" : memref<1xf32, #outputs>
  plan.dispatch @short ins(%a : memref<65535xf32, #inputs>) outs(%0 : memref<1xf32, #outputs>)
  plan.dispatch @wide ins(%b : memref<16x65536xf32, #inputs>) outs(%1 : memref<65536xf32, #outputs>)
  plan.dispatch @again ins(%c : memref<1048576xf32, #inputs>) outs(%2 : memref<1048576xf32, #outputs>)
  plan.dispatch @scheduled ins(%c : memref<1048576xf32, #inputs>) outs(%3 : memref<1xf32, #outputs>)
  plan.return
}

// -----

#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

// The name of the first stage is taken.
// CHECK-LABEL: plan.executable @sum_parts_0
// CHECK-LABEL: plan.executable @sum_join
// CHECK-LABEL: plan.executable @sum_parts
// CHECK: plan.dispatch @sum_parts_0
// CHECK: plan.dispatch @sum_join
// CHECK: plan.dispatch @sum_parts ins
#id = affine_map<(d0) -> (d0)>
#zero = affine_map<(d0) -> (0)>
plan.executable @sum {
  func.func @body(%x: tensor<65536xf32>, %y: tensor<1xf32>) -> tensor<1xf32> {
    %zero = arith.constant 0.0 : f32
    %0 = linalg.fill ins(%zero : f32) outs(%y : tensor<1xf32>) -> tensor<1xf32>
    %1 = linalg.generic {indexing_maps = [#id, #zero], iterator_types = ["reduction"]}
        ins(%x : tensor<65536xf32>) outs(%0 : tensor<1xf32>) {
    ^bb0(%a: f32, %b: f32):
      %3 = arith.addf %b, %a : f32
      linalg.yield %3 : f32
    } -> tensor<1xf32>
    return %1 : tensor<1xf32>
  }
}
plan.executable @sum_parts {
  func.func @body(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    } -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
plan.program @taken kind predict {
  %x = plan.input 0 "x" : memref<65536xf32, #inputs>
  %z = plan.input 1 "z" : memref<4xf32, #inputs>
  %y = plan.output 0 "y" : memref<1xf32, #outputs>
  %w = plan.output 1 "w" : memref<4xf32, #outputs>
  plan.dispatch @sum ins(%x : memref<65536xf32, #inputs>) outs(%y : memref<1xf32, #outputs>)
  plan.dispatch @sum_parts ins(%z : memref<4xf32, #inputs>) outs(%w : memref<4xf32, #outputs>)
  plan.return
}

// -----

#arena = #plan.space<arena>
#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

// Columns of 768, of which 64 chunks would take few each: 64 parts of whole
// rows. The first stage writes the products over the operand, the second one
// the sums.
// CHECK-LABEL: plan.executable @elements_parts
// CHECK: func.func @body(%[[X:.*]]: tensor<4096x768xf32>, %[[Y:.*]]: tensor<4096x768xf32>, %[[PARTIAL:.*]]: tensor<64x768xf32>) -> (tensor<4096x768xf32>, tensor<64x768xf32>)
// CHECK: tensor.expand_shape %[[X]] {{\[\[}}0, 1], [2]] output_shape [64, 64, 768]
// CHECK-NEXT: tensor.expand_shape %[[Y]]
// CHECK-NEXT: %[[TO:.*]] = tensor.expand_shape %[[Y]]
// CHECK: %[[STAGE:.*]]:2 = linalg.generic
// CHECK-SAME: outs(%[[TO]], %{{.*}} : tensor<64x64x768xf32>, tensor<64x768xf32>)
// CHECK: %[[WHOLE:.*]] = tensor.collapse_shape %[[STAGE]]#0 {{\[\[}}0, 1], [2]]
// CHECK: return %[[WHOLE]], %[[STAGE]]#1
// CHECK-LABEL: plan.executable @elements_join
// CHECK: func.func @body(%{{.*}}: tensor<64x768xf32>, %{{.*}}: tensor<768xf32>) -> tensor<768xf32>
// CHECK-LABEL: plan.executable @filled {
// A rest would be written by a kernel of its own.
// CHECK-LABEL: plan.executable @prime {
// CHECK-LABEL: plan.program @products
// CHECK: plan.dispatch @elements_parts ins(%{{.*}}) inouts(%[[T:.*]] : memref<4096x768xf32, #plan.space<arena>>) outs(%[[P:.*]] : memref<64x768xf32, #plan.space<arena>>)
// CHECK-NEXT: plan.dispatch @elements_join ins(%[[P]] : {{.*}}) outs(
#all = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
#id = affine_map<(d0) -> (d0)>
plan.executable @elements {
  func.func @body(%x: tensor<4096x768xf32>, %y: tensor<4096x768xf32>, %s: tensor<768xf32>) -> (tensor<4096x768xf32>, tensor<768xf32>) {
    %zero = arith.constant 0.0 : f32
    %0 = linalg.fill ins(%zero : f32) outs(%s : tensor<768xf32>) -> tensor<768xf32>
    %1:2 = linalg.generic {indexing_maps = [#all, #all, #all, #column], iterator_types = ["reduction", "parallel"]}
        ins(%x, %y : tensor<4096x768xf32>, tensor<4096x768xf32>) outs(%y, %0 : tensor<4096x768xf32>, tensor<768xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
      %2 = arith.mulf %a, %b : f32
      %3 = arith.addf %d, %2 : f32
      linalg.yield %2, %3 : f32, f32
    } -> (tensor<4096x768xf32>, tensor<768xf32>)
    return %1#0, %1#1 : tensor<4096x768xf32>, tensor<768xf32>
  }
}
// A fill of elements would stay behind a reshape.
plan.executable @filled {
  func.func @body(%x: tensor<4096x768xf32>, %y: tensor<4096x768xf32>, %s: tensor<768xf32>) -> (tensor<4096x768xf32>, tensor<768xf32>) {
    %zero = arith.constant 0.0 : f32
    %0 = linalg.fill ins(%zero : f32) outs(%s : tensor<768xf32>) -> tensor<768xf32>
    %f = linalg.fill ins(%zero : f32) outs(%y : tensor<4096x768xf32>) -> tensor<4096x768xf32>
    %1:2 = linalg.generic {indexing_maps = [#all, #all, #column], iterator_types = ["reduction", "parallel"]}
        ins(%x : tensor<4096x768xf32>) outs(%f, %0 : tensor<4096x768xf32>, tensor<768xf32>) {
    ^bb0(%a: f32, %c: f32, %d: f32):
      %2 = arith.negf %a : f32
      %3 = arith.addf %d, %2 : f32
      linalg.yield %2, %3 : f32, f32
    } -> (tensor<4096x768xf32>, tensor<768xf32>)
    return %1#0, %1#1 : tensor<4096x768xf32>, tensor<768xf32>
  }
}
plan.executable @prime {
  func.func @body(%x: tensor<4099x768xf32>, %y: tensor<4099x768xf32>, %s: tensor<768xf32>) -> (tensor<4099x768xf32>, tensor<768xf32>) {
    %zero = arith.constant 0.0 : f32
    %0 = linalg.fill ins(%zero : f32) outs(%s : tensor<768xf32>) -> tensor<768xf32>
    %1:2 = linalg.generic {indexing_maps = [#all, #all, #column], iterator_types = ["reduction", "parallel"]}
        ins(%x : tensor<4099x768xf32>) outs(%y, %0 : tensor<4099x768xf32>, tensor<768xf32>) {
    ^bb0(%a: f32, %c: f32, %d: f32):
      %2 = arith.negf %a : f32
      %3 = arith.addf %d, %2 : f32
      linalg.yield %2, %3 : f32, f32
    } -> (tensor<4099x768xf32>, tensor<768xf32>)
    return %1#0, %1#1 : tensor<4099x768xf32>, tensor<768xf32>
  }
}
plan.program @products kind predict {
  %x = plan.input 0 "x" : memref<4096x768xf32, #inputs>
  %s = plan.output 0 "s" : memref<768xf32, #outputs>
  %t = plan.alloc : memref<4096x768xf32, #arena>
  plan.copy %x to %t : memref<4096x768xf32, #inputs> to memref<4096x768xf32, #arena>
  plan.dispatch @elements ins(%x : memref<4096x768xf32, #inputs>) inouts(%t : memref<4096x768xf32, #arena>) outs(%s : memref<768xf32, #outputs>)
  %z = plan.input 1 "z" : memref<4099x768xf32, #inputs>
  %u = plan.output 1 "u" : memref<768xf32, #outputs>
  %v = plan.alloc : memref<4099x768xf32, #arena>
  plan.dispatch @prime ins(%z : memref<4099x768xf32, #inputs>) outs(%v, %u : memref<4099x768xf32, #arena>, memref<768xf32, #outputs>)
  %g = plan.output 2 "g" : memref<768xf32, #outputs>
  %q = plan.alloc : memref<4096x768xf32, #arena>
  plan.dispatch @filled ins(%x : memref<4096x768xf32, #inputs>) outs(%q, %g : memref<4096x768xf32, #arena>, memref<768xf32, #outputs>)
  plan.return
}

// -----

#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

// Of the dimensions of images the outermost is cut, and rows stay whole.
// CHECK-LABEL: plan.executable @images_parts
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2], [3]] output_shape [4, 25, 16, 784]
// What writes elements along reduced rows stays.
// CHECK-LABEL: plan.executable @slopes {
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#channel = affine_map<(d0, d1, d2) -> (d1)>
plan.executable @images {
  func.func @body(%x: tensor<100x16x784xf32>, %s: tensor<16xf32>) -> tensor<16xf32> {
    %zero = arith.constant 0.0 : f32
    %0 = linalg.fill ins(%zero : f32) outs(%s : tensor<16xf32>) -> tensor<16xf32>
    %1 = linalg.generic {indexing_maps = [#all, #channel], iterator_types = ["reduction", "parallel", "reduction"]}
        ins(%x : tensor<100x16x784xf32>) outs(%0 : tensor<16xf32>) {
    ^bb0(%a: f32, %b: f32):
      %2 = arith.addf %b, %a : f32
      linalg.yield %2 : f32
    } -> tensor<16xf32>
    return %1 : tensor<16xf32>
  }
}
plan.executable @slopes {
  func.func @body(%x: tensor<100x16x784xf32>, %y: tensor<100x16x784xf32>, %s: tensor<16xf32>) -> (tensor<100x16x784xf32>, tensor<16xf32>) {
    %zero = arith.constant 0.0 : f32
    %0 = linalg.fill ins(%zero : f32) outs(%s : tensor<16xf32>) -> tensor<16xf32>
    %1:2 = linalg.generic {indexing_maps = [#all, #all, #channel], iterator_types = ["reduction", "parallel", "reduction"]}
        ins(%x : tensor<100x16x784xf32>) outs(%y, %0 : tensor<100x16x784xf32>, tensor<16xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %2 = arith.negf %a : f32
      %3 = arith.addf %c, %2 : f32
      linalg.yield %2, %3 : f32, f32
    } -> (tensor<100x16x784xf32>, tensor<16xf32>)
    return %1#0, %1#1 : tensor<100x16x784xf32>, tensor<16xf32>
  }
}
plan.program @channels kind predict {
  %x = plan.input 0 "x" : memref<100x16x784xf32, #inputs>
  %s = plan.output 0 "s" : memref<16xf32, #outputs>
  %y = plan.output 1 "y" : memref<100x16x784xf32, #outputs>
  %t = plan.output 2 "t" : memref<16xf32, #outputs>
  plan.dispatch @images ins(%x : memref<100x16x784xf32, #inputs>) outs(%s : memref<16xf32, #outputs>)
  plan.dispatch @slopes ins(%x : memref<100x16x784xf32, #inputs>) outs(%y, %t : memref<100x16x784xf32, #outputs>, memref<16xf32, #outputs>)
  plan.return
}

// -----

#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>
#arena = #plan.space<arena>
#all = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>

// 4096 columns of 2 bytes are two pages of each row, whatever the status has:
// half of 64 chunks remain.
// CHECK-LABEL: plan.executable @narrow_parts
// CHECK-NEXT: func.func @body(%{{.*}}: tensor<1024x4096xf16>, %{{.*}}: tensor<32x4096xf32>, %{{.*}}: tensor<64xi32>)
plan.executable @narrow {
  func.func @body(%x: tensor<1024x4096xf16>, %y: tensor<4096xf16>, %status: tensor<64xi32>) -> tensor<4096xf16> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<4096xf32>
    %0 = linalg.fill ins(%zero : f32) outs(%empty : tensor<4096xf32>) -> tensor<4096xf32>
    %1 = linalg.generic {indexing_maps = [#all, #column], iterator_types = ["reduction", "parallel"]}
        ins(%x : tensor<1024x4096xf16>) outs(%0 : tensor<4096xf32>) {
    ^bb0(%a: f16, %b: f32):
      %wide = arith.extf %a : f16 to f32
      %l = math.sqrt %wide : f32
      plan.check %l number 0 of 1 : f32
      %2 = arith.addf %b, %l : f32
      linalg.yield %2 : f32
    } -> tensor<4096xf32>
    %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%1 : tensor<4096xf32>) outs(%y : tensor<4096xf16>) {
    ^bb0(%a: f32, %b: f16):
      %narrow = arith.truncf %a : f32 to f16
      linalg.yield %narrow : f16
    } -> tensor<4096xf16>
    return %3 : tensor<4096xf16>
  }
}
plan.program @narrow_sums kind predict {
  %x = plan.input 0 "x" : memref<1024x4096xf16, #inputs>
  %y = plan.output 0 "y" : memref<4096xf16, #outputs>
  %status = plan.alloc : memref<64xi32, #arena>
  plan.dispatch @narrow ins(%x : memref<1024x4096xf16, #inputs>) outs(%y, %status : memref<4096xf16, #outputs>, memref<64xi32, #arena>) {checks = [loc("terms")]}
  plan.return
}
