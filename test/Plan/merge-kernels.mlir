// RUN: job-opt %s --split-input-file --plan-merge-kernels | FileCheck %s
// RUN: job-opt %s --split-input-file --plan-merge-kernels --mlir-print-debuginfo | FileCheck %s --check-prefix=LOC
// RUN: job-opt %s --split-input-file --plan-merge-kernels --explain=kernels 2>&1 >/dev/null | FileCheck %s --check-prefix=EXPLAIN
// What has been merged stays as it is.
// RUN: job-opt %s --split-input-file --plan-merge-kernels --plan-merge-kernels | FileCheck %s

#arena = #plan.space<arena>

// Three kernels that differ in two numbers: 5 and 7, -6 and 7, 8 and 7, each
// with an i32 of its own. 7 stays a constant. Each dispatch keeps its location.

// CHECK-LABEL: plan.program @numbers
// CHECK: plan.dispatch @first outs(%{{.*}}) scalars [5, 1 : i32]
// CHECK: plan.dispatch @first outs(%{{.*}}) scalars [-6, 2 : i32]
// CHECK: plan.dispatch @first outs(%{{.*}}) scalars [8, 3 : i32]
// CHECK: plan.dispatch @first outs(%{{.*}}) scalars [5, 1 : i32]
// CHECK: plan.executable @first
// CHECK: func.func @body(%[[OUT:.*]]: tensor<4xi64>, %[[WORD:.*]]: i64, %[[HALF:.*]]: i32) -> tensor<4xi64>
// CHECK: linalg.generic
// CHECK: %[[SEVEN:.*]] = arith.constant 7 : i64
// CHECK: %[[SHIFT:.*]] = arith.shrui %[[WORD]], %[[SEVEN]]
// CHECK: %[[WIDE:.*]] = arith.extui %[[HALF]]
// CHECK: %[[SUM:.*]] = arith.addi %[[WORD]], %[[SHIFT]]
// CHECK: arith.addi %[[SUM]], %[[WIDE]]
// CHECK-NOT: plan.executable
// LOC-LABEL: plan.program @numbers
// LOC: plan.dispatch @first {{.*}}scalars [5, 1 : i32] loc(#[[A:.*]])
// LOC: plan.dispatch @first {{.*}}scalars [-6, 2 : i32] loc(#[[B:.*]])
// LOC-DAG: #[[A]] = loc("model.py":1:1)
// LOC-DAG: #[[B]] = loc("model.py":2:1)
// EXPLAIN: model.py:2:1: kernels: numbers: second is replaced by first, which is equal but for 2 numbers
// EXPLAIN: model.py:3:1: kernels: numbers: third is replaced by first, which is equal but for 2 numbers
#id = affine_map<(d0) -> (d0)>
plan.program @numbers kind predict {
  %0 = plan.alloc : memref<4xi64, #arena>
  plan.dispatch @first outs(%0 : memref<4xi64, #arena>) loc("model.py":1:1)
  plan.dispatch @second outs(%0 : memref<4xi64, #arena>) loc("model.py":2:1)
  plan.dispatch @third outs(%0 : memref<4xi64, #arena>) loc("model.py":3:1)
  plan.dispatch @first outs(%0 : memref<4xi64, #arena>) loc("model.py":4:1)
  plan.return
}
plan.executable @first {
  func.func @body(%out: tensor<4xi64>) -> tensor<4xi64> {
    %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%out : tensor<4xi64>) {
    ^bb0(%element: i64):
      %a = arith.constant 5 : i64
      %b = arith.constant 1 : i32
      %c = arith.constant 7 : i64
      %shift = arith.shrui %a, %c : i64
      %wide = arith.extui %b : i32 to i64
      %sum = arith.addi %a, %shift : i64
      %all = arith.addi %sum, %wide : i64
      linalg.yield %all : i64
    } -> tensor<4xi64>
    return %0 : tensor<4xi64>
  }
}
plan.executable @second {
  func.func @body(%out: tensor<4xi64>) -> tensor<4xi64> {
    %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%out : tensor<4xi64>) {
    ^bb0(%element: i64):
      %a = arith.constant -6 : i64
      %b = arith.constant 2 : i32
      %c = arith.constant 7 : i64
      %shift = arith.shrui %a, %c : i64
      %wide = arith.extui %b : i32 to i64
      %sum = arith.addi %a, %shift : i64
      %all = arith.addi %sum, %wide : i64
      linalg.yield %all : i64
    } -> tensor<4xi64>
    return %0 : tensor<4xi64>
  }
}
plan.executable @third {
  func.func @body(%out: tensor<4xi64>) -> tensor<4xi64> {
    %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%out : tensor<4xi64>) {
    ^bb0(%element: i64):
      %a = arith.constant 8 : i64
      %b = arith.constant 3 : i32
      %c = arith.constant 7 : i64
      %shift = arith.shrui %a, %c : i64
      %wide = arith.extui %b : i32 to i64
      %sum = arith.addi %a, %shift : i64
      %all = arith.addi %sum, %wide : i64
      linalg.yield %all : i64
    } -> tensor<4xi64>
    return %0 : tensor<4xi64>
  }
}

// -----

#arena = #plan.space<arena>

// Equal kernels of two programs are one without scalars, with the schedule that
// both have, or with the code that both have. Those that say nothing are not.

// CHECK-LABEL: plan.program @one
// CHECK: plan.dispatch @a inouts(%{{.*}} : memref<4xi64, #arena>){{$}}
// CHECK: plan.dispatch @a_code inouts(%{{.*}} : memref<4xi64, #arena>){{$}}
// CHECK-LABEL: plan.program @two
// CHECK: plan.dispatch @a inouts(%{{.*}} : memref<4xi64, #arena>){{$}}
// CHECK: plan.dispatch @a_code inouts(%{{.*}} : memref<4xi64, #arena>){{$}}
// CHECK: plan.dispatch @scheduled inouts
// CHECK-NOT: plan.executable @b
// CHECK: plan.executable @a {
// CHECK-NOT: plan.executable @b
// CHECK: plan.executable @scheduled
// CHECK: plan.executable @a_code
// CHECK-NOT: plan.executable @b_code
// CHECK: plan.executable @unknown_a
// CHECK: plan.executable @unknown_b
// EXPLAIN: kernels: two: b is replaced by a, which is equal{{$}}
#id = affine_map<(d0) -> (d0)>
plan.program @one kind predict {
  %0 = plan.alloc : memref<4xi64, #arena>
  plan.dispatch @a inouts(%0 : memref<4xi64, #arena>)
  plan.dispatch @a_code inouts(%0 : memref<4xi64, #arena>)
  plan.dispatch @unknown_a inouts(%0 : memref<4xi64, #arena>)
  plan.return
}
plan.program @two kind predict {
  %0 = plan.alloc : memref<4xi64, #arena>
  plan.dispatch @b inouts(%0 : memref<4xi64, #arena>)
  plan.dispatch @b_code inouts(%0 : memref<4xi64, #arena>)
  plan.dispatch @scheduled inouts(%0 : memref<4xi64, #arena>)
  plan.dispatch @unknown_b inouts(%0 : memref<4xi64, #arena>)
  plan.return
}
plan.executable @a {
  func.func @body(%x: tensor<4xi64>) -> tensor<4xi64> {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xi64>) outs(%x : tensor<4xi64>) {
    ^bb0(%a: i64, %b: i64):
      %sum = arith.addi %a, %a : i64
      linalg.yield %sum : i64
    } -> tensor<4xi64>
    return %0 : tensor<4xi64>
  }
  plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [0, 16]>)
}
plan.executable @b {
  func.func @body(%y: tensor<4xi64>) -> tensor<4xi64> {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%y : tensor<4xi64>) outs(%y : tensor<4xi64>) {
    ^bb0(%c: i64, %d: i64):
      %sum = arith.addi %c, %c : i64
      linalg.yield %sum : i64
    } -> tensor<4xi64>
    return %0 : tensor<4xi64>
  }
  plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [0, 16]>)
}
plan.executable @scheduled {
  func.func @body(%x: tensor<4xi64>) -> tensor<4xi64> {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xi64>) outs(%x : tensor<4xi64>) {
    ^bb0(%a: i64, %b: i64):
      %sum = arith.addi %a, %a : i64
      linalg.yield %sum : i64
    } -> tensor<4xi64>
    return %0 : tensor<4xi64>
  }
  plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [0, 8]>)
}
plan.executable @a_code {
  plan.variant @cpu chunks(1) function(@cpu_code)
  func.func @cpu_code(%x: memref<4xi64>, %chunk: index) {
    %c = arith.constant 5 : i64
    memref.store %c, %x[%chunk] : memref<4xi64>
    return
  }
}
plan.executable @b_code {
  plan.variant @cpu chunks(1) function(@cpu_code)
  func.func @cpu_code(%x: memref<4xi64>, %chunk: index) {
    %c = arith.constant 5 : i64
    memref.store %c, %x[%chunk] : memref<4xi64>
    return
  }
}
plan.executable @unknown_a {
  plan.variant @cpu chunks(1)
}
plan.executable @unknown_b {
  plan.variant @cpu chunks(1)
}

// -----

#arena = #plan.space<arena>

// Not alike: divisors, distances of shifts and indices stay constants, and so
// does everything in code; floats, operands and types differ for good.

// CHECK-LABEL: plan.program @different
// CHECK-NOT: scalars
// CHECK: plan.executable @divide3
// CHECK: plan.executable @divide5
// CHECK: plan.executable @shift3
// CHECK: plan.executable @shift5
// CHECK: plan.executable @float1
// CHECK: plan.executable @float2
// CHECK: plan.executable @left
// CHECK: plan.executable @right
// CHECK: plan.executable @code5
// CHECK: plan.executable @code6
#id = affine_map<(d0) -> (d0)>
plan.program @different kind predict {
  %0 = plan.alloc : memref<4xi64, #arena>
  %1 = plan.alloc : memref<4xf32, #arena>
  plan.dispatch @divide3 inouts(%0 : memref<4xi64, #arena>)
  plan.dispatch @divide5 inouts(%0 : memref<4xi64, #arena>)
  plan.dispatch @shift3 inouts(%0 : memref<4xi64, #arena>)
  plan.dispatch @shift5 inouts(%0 : memref<4xi64, #arena>)
  plan.dispatch @float1 inouts(%1 : memref<4xf32, #arena>)
  plan.dispatch @float2 inouts(%1 : memref<4xf32, #arena>)
  plan.dispatch @left inouts(%1 : memref<4xf32, #arena>)
  plan.dispatch @right inouts(%1 : memref<4xf32, #arena>)
  plan.dispatch @code5 inouts(%0 : memref<4xi64, #arena>)
  plan.dispatch @code6 inouts(%0 : memref<4xi64, #arena>)
  plan.return
}
plan.executable @divide3 {
  func.func @body(%x: tensor<4xi64>) -> tensor<4xi64> {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xi64>) outs(%x : tensor<4xi64>) {
    ^bb0(%a: i64, %b: i64):
      %c = arith.constant 3 : i64
      %y = arith.divsi %a, %c : i64
      linalg.yield %y : i64
    } -> tensor<4xi64>
    return %0 : tensor<4xi64>
  }
}
plan.executable @divide5 {
  func.func @body(%x: tensor<4xi64>) -> tensor<4xi64> {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xi64>) outs(%x : tensor<4xi64>) {
    ^bb0(%a: i64, %b: i64):
      %c = arith.constant 5 : i64
      %y = arith.divsi %a, %c : i64
      linalg.yield %y : i64
    } -> tensor<4xi64>
    return %0 : tensor<4xi64>
  }
}
plan.executable @shift3 {
  func.func @body(%x: tensor<4xi64>) -> tensor<4xi64> {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xi64>) outs(%x : tensor<4xi64>) {
    ^bb0(%a: i64, %b: i64):
      %c = arith.constant 3 : i64
      %y = arith.shrui %a, %c : i64
      linalg.yield %y : i64
    } -> tensor<4xi64>
    return %0 : tensor<4xi64>
  }
}
plan.executable @shift5 {
  func.func @body(%x: tensor<4xi64>) -> tensor<4xi64> {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xi64>) outs(%x : tensor<4xi64>) {
    ^bb0(%a: i64, %b: i64):
      %c = arith.constant 5 : i64
      %y = arith.shrui %a, %c : i64
      linalg.yield %y : i64
    } -> tensor<4xi64>
    return %0 : tensor<4xi64>
  }
}
plan.executable @float1 {
  func.func @body(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%x : tensor<4xf32>) {
    ^bb0(%b: f32):
      %c = arith.constant 1.0 : f32
      linalg.yield %c : f32
    } -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
plan.executable @float2 {
  func.func @body(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%x : tensor<4xf32>) {
    ^bb0(%b: f32):
      %c = arith.constant 2.0 : f32
      linalg.yield %c : f32
    } -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
plan.executable @left {
  func.func @body(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32):
      %y = arith.addf %a, %a : f32
      %z = arith.subf %a, %y : f32
      linalg.yield %z : f32
    } -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
plan.executable @right {
  func.func @body(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32):
      %y = arith.addf %a, %a : f32
      %z = arith.subf %y, %a : f32
      linalg.yield %z : f32
    } -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
plan.executable @code5 {
  plan.variant @cpu chunks(1) function(@cpu_code)
  func.func @cpu_code(%x: memref<4xi64>, %chunk: index) {
    %c = arith.constant 5 : i64
    memref.store %c, %x[%chunk] : memref<4xi64>
    return
  }
}
plan.executable @code6 {
  plan.variant @cpu chunks(1) function(@cpu_code)
  func.func @cpu_code(%x: memref<4xi64>, %chunk: index) {
    %c = arith.constant 6 : i64
    memref.store %c, %x[%chunk] : memref<4xi64>
    return
  }
}

// -----

#arena = #plan.space<arena>

// Numbers that agree in all kernels are one scalar, others are several.

// CHECK-LABEL: plan.program @columns
// CHECK: plan.dispatch @x outs(%{{.*}}) scalars [1, 1]
// CHECK: plan.dispatch @x outs(%{{.*}}) scalars [1, 2]
// CHECK: plan.dispatch @x outs(%{{.*}}) scalars [2, 2]
// CHECK: func.func @body(%{{.*}}: tensor<4xi64>, %[[A:.*]]: i64, %[[B:.*]]: i64)
// CHECK: %[[SUM:.*]] = arith.addi %[[A]], %[[B]]
// CHECK: arith.muli %[[SUM]], %[[A]]
#id = affine_map<(d0) -> (d0)>
plan.program @columns kind predict {
  %0 = plan.alloc : memref<4xi64, #arena>
  plan.dispatch @x outs(%0 : memref<4xi64, #arena>)
  plan.dispatch @y outs(%0 : memref<4xi64, #arena>)
  plan.dispatch @z outs(%0 : memref<4xi64, #arena>)
  plan.return
}
plan.executable @x {
  func.func @body(%out: tensor<4xi64>) -> tensor<4xi64> {
    %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%out : tensor<4xi64>) {
    ^bb0(%element: i64):
      %a = arith.constant 1 : i64
      %b = arith.constant 1 : i64
      %c = arith.constant 1 : i64
      %d = arith.addi %a, %b : i64
      %e = arith.muli %d, %c : i64
      linalg.yield %e : i64
    } -> tensor<4xi64>
    return %0 : tensor<4xi64>
  }
}
plan.executable @y {
  func.func @body(%out: tensor<4xi64>) -> tensor<4xi64> {
    %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%out : tensor<4xi64>) {
    ^bb0(%element: i64):
      %a = arith.constant 1 : i64
      %b = arith.constant 2 : i64
      %c = arith.constant 1 : i64
      %d = arith.addi %a, %b : i64
      %e = arith.muli %d, %c : i64
      linalg.yield %e : i64
    } -> tensor<4xi64>
    return %0 : tensor<4xi64>
  }
}
plan.executable @z {
  func.func @body(%out: tensor<4xi64>) -> tensor<4xi64> {
    %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%out : tensor<4xi64>) {
    ^bb0(%element: i64):
      %a = arith.constant 2 : i64
      %b = arith.constant 2 : i64
      %c = arith.constant 2 : i64
      %d = arith.addi %a, %b : i64
      %e = arith.muli %d, %c : i64
      linalg.yield %e : i64
    } -> tensor<4xi64>
    return %0 : tensor<4xi64>
  }
}
