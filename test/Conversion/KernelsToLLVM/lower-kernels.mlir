// The code of kernels becomes functions of bare pointers that never alias, each
// with its exported entry point; the variants refer to those.
//
// RUN: job-opt %s --job-lower-kernels | FileCheck %s

#arena = #plan.space<arena>
#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

// CHECK-LABEL: plan.program @f
// CHECK: plan.dispatch @scale ins
// CHECK: plan.dispatch @sum ins
// CHECK: plan.dispatch @scale ins
// CHECK: plan.dispatch @add inouts(%{{.*}} : memref<4xi32, #arena>){{$}}
// CHECK: plan.dispatch @[[ADD:add_0]] inouts(%{{.*}} : memref<4xi32, #arena>){{$}}
// CHECK: plan.dispatch @add inouts(%{{.*}} : memref<4xi32, #arena>){{$}}
plan.program @f kind predict {
  %x = plan.input 0 "x" : memref<32xf32, #inputs>
  %y = plan.output 0 "y" : memref<32xf32, #outputs>
  %0 = plan.alloc : memref<32xf32, #arena>
  plan.dispatch @scale ins(%x : memref<32xf32, #inputs>) outs(%0 : memref<32xf32, #arena>)
  plan.dispatch @sum ins(%x : memref<32xf32, #inputs>) inouts(%0 : memref<32xf32, #arena>)
  plan.dispatch @scale ins(%0 : memref<32xf32, #arena>) outs(%y : memref<32xf32, #outputs>)
  %z = plan.alloc : memref<4xi32, #arena>
  plan.dispatch @add inouts(%z : memref<4xi32, #arena>) scalars [7 : i32, 2.5 : f64]
  plan.dispatch @add inouts(%z : memref<4xi32, #arena>) scalars [8 : i32, 2.5 : f64]
  plan.dispatch @add inouts(%z : memref<4xi32, #arena>) scalars [7 : i32, 2.5 : f64]
  plan.return
}

// The body and the code are gone; what the runtime needs to know stays.
// CHECK-LABEL: plan.executable @scale {
// CHECK-NEXT: plan.variant @cpu chunks(2) function(@jobk_0)
// CHECK-NEXT: }
plan.executable @scale {
  func.func @body(%x: tensor<32xf32>, %y: tensor<32xf32>) -> tensor<32xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%x : tensor<32xf32>) outs(%y : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = arith.addf %in, %in : f32
      linalg.yield %1 : f32
    } -> tensor<32xf32>
    return %0 : tensor<32xf32>
  }
  plan.variant @cpu chunks(2) function(@cpu_code)
  func.func @cpu_code(%x: memref<32xf32>, %y: memref<32xf32>, %chunk: index) {
    %c16 = arith.constant 16 : index
    %begin = arith.muli %chunk, %c16 : index
    %a = vector.load %x[%begin] : memref<32xf32>, vector<16xf32>
    %b = arith.addf %a, %a : vector<16xf32>
    vector.store %b, %y[%begin] : memref<32xf32>, vector<16xf32>
    return
  }
}

// A function may have a name of its own.
// CHECK-LABEL: plan.executable @sum {
// CHECK-NEXT: plan.variant @cpu chunks(1) function(@jobk_1)
// CHECK-NEXT: }
plan.executable @sum {
  plan.variant @cpu chunks(1) function(@loops)
  func.func @loops(%x: memref<32xf32>, %y: memref<32xf32>, %chunk: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    scf.for %i = %c0 to %c32 step %c1 {
      %a = memref.load %x[%i] : memref<32xf32>
      %b = memref.load %y[%i] : memref<32xf32>
      %s = arith.addf %a, %b : f32
      memref.store %s, %y[%i] : memref<32xf32>
    }
    return
  }
}

// Each list of scalars has an executable with an entry point.
// CHECK-LABEL: plan.executable @add {
// CHECK-NEXT: plan.variant @cpu chunks(1) function(@jobk_2)
// CHECK: plan.executable @[[ADD]] {
// CHECK-NEXT: plan.variant @cpu chunks(1) function(@jobk_3)
plan.executable @add {
  plan.variant @cpu chunks(1) function(@cpu_code)
  func.func @cpu_code(%x: memref<4xi32>, %s: i32, %t: f64, %chunk: index) {
    %a = memref.load %x[%chunk] : memref<4xi32>
    %c = arith.fptosi %t : f64 to i32
    %d = arith.addi %s, %c : i32
    %b = arith.addi %a, %d : i32
    memref.store %b, %x[%chunk] : memref<4xi32>
    return
  }
}

// Without a dispatch there are no scalars to call it with.
// CHECK-NOT: @unused
plan.executable @unused {
  plan.variant @cpu chunks(1) function(@cpu_code)
  func.func @cpu_code(%x: memref<4xi32>, %s: i32, %chunk: index) {
    memref.store %s, %x[%chunk] : memref<4xi32>
    return
  }
}

// CHECK-LABEL: llvm.func internal @scale_code(
// CHECK-SAME: !llvm.ptr {llvm.align = 64 : i64, llvm.noalias}
// CHECK-SAME: !llvm.ptr {llvm.align = 64 : i64, llvm.noalias}
// CHECK-SAME: i64)
// CHECK-NOT: memref
// CHECK-NOT: linalg

// The buffers come in an array: args[0], args[1], then the chunk.
// CHECK-LABEL: llvm.func @jobk_0(
// CHECK-SAME: %[[ARGS:.*]]: !llvm.ptr, %[[CHUNK:.*]]: i64) {
// CHECK-NEXT: %[[P0:.*]] = llvm.getelementptr %[[ARGS]][0] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT: %[[A0:.*]] = llvm.load %[[P0]]
// CHECK-NEXT: %[[P1:.*]] = llvm.getelementptr %[[ARGS]][1]
// CHECK-NEXT: %[[A1:.*]] = llvm.load %[[P1]]
// CHECK-NEXT: llvm.call @scale_code(%[[A0]], %[[A1]], %[[CHUNK]])
// CHECK-NEXT: llvm.return

// CHECK-LABEL: llvm.func internal @sum_code(
// CHECK-LABEL: llvm.func @jobk_1(
// CHECK: llvm.call @sum_code(

// CHECK-LABEL: llvm.func internal @add_code(
// CHECK-SAME: !llvm.ptr {llvm.align = 64 : i64, llvm.noalias}
// CHECK-SAME: %{{.*}}: i32, %{{.*}}: f64, %{{.*}}: i64) attributes {no_inline}
// CHECK-LABEL: llvm.func @jobk_2(
// CHECK: %[[A:.*]] = llvm.load
// CHECK-NEXT: %[[S:.*]] = llvm.mlir.constant(7 : i32) : i32
// CHECK-NEXT: %[[T:.*]] = llvm.mlir.constant(2.500000e+00 : f64) : f64
// CHECK-NEXT: llvm.call @add_code(%[[A]], %[[S]], %[[T]], %{{.*}})
// CHECK-LABEL: llvm.func @jobk_3(
// CHECK: llvm.mlir.constant(8 : i32) : i32
// CHECK: llvm.call @add_code(

// Nothing but the plan and the LLVM dialect is left.
// RUN: job-opt %s --job-lower-kernels | FileCheck %s --check-prefix=GONE
// GONE-NOT: {{(func|linalg|scf|cf|memref|arith|vector|affine|math|builtin)\.}}
