// Kernels become functions of bare pointers that never alias, each with its
// exported entry point; the plan refers to those.
//
// RUN: job-opt %s --job-lower-kernels | FileCheck %s

// CHECK-LABEL: plan.program @f
// CHECK: plan.dispatch @jobk_0 chunks(2)
// CHECK: plan.dispatch @jobk_1 chunks(1)
// CHECK: plan.dispatch @jobk_0 chunks(2)
plan.program @f kind predict {
  %x = plan.input 0 "x" : memref<32xf32>
  %y = plan.output 0 "y" : memref<32xf32>
  %0 = plan.alloc : memref<32xf32>
  plan.dispatch @scale chunks(2) ins(%x : memref<32xf32>) outs(%0 : memref<32xf32>)
  plan.dispatch @sum chunks(1) ins(%x : memref<32xf32>) inouts(%0 : memref<32xf32>)
  plan.dispatch @scale chunks(2) ins(%0 : memref<32xf32>) outs(%y : memref<32xf32>)
  plan.return
}

// CHECK-LABEL: llvm.func internal @scale(
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
// CHECK-NEXT: llvm.call @scale(%[[A0]], %[[A1]], %[[CHUNK]])
// CHECK-NEXT: llvm.return
func.func @scale(%x: memref<32xf32>, %y: memref<32xf32>, %chunk: index) {
  %c16 = arith.constant 16 : index
  %begin = arith.muli %chunk, %c16 : index
  %a = memref.subview %x[%begin] [16] [1] : memref<32xf32> to memref<16xf32, strided<[1], offset: ?>>
  %b = memref.subview %y[%begin] [16] [1] : memref<32xf32> to memref<16xf32, strided<[1], offset: ?>>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%a : memref<16xf32, strided<[1], offset: ?>>) outs(%b : memref<16xf32, strided<[1], offset: ?>>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %in : f32
    linalg.yield %0 : f32
  }
  return
}

// CHECK-LABEL: llvm.func internal @sum(
// CHECK-LABEL: llvm.func @jobk_1(
// CHECK: llvm.call @sum(
func.func @sum(%x: memref<32xf32>, %y: memref<32xf32>, %chunk: index) {
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

// Nothing but the plan and the LLVM dialect is left.
// RUN: job-opt %s --job-lower-kernels | FileCheck %s --check-prefix=GONE
// GONE-NOT: {{(func|linalg|scf|cf|memref|arith|vector|affine|math|builtin)\.}}
