// The programs of a plan are verified if it has no kernels, or if all of them
// are lowered already.

// RUN: split-file %s %t
// RUN: not job-compile %t/no-kernels.mlir -o %t/a.so 2>&1 | FileCheck %s
// RUN: job-opt %t/kernel.mlir --job-lower-pipeline -o %t/lowered.mlir
// RUN: job-compile %t/lowered.mlir -o %t/a.so
// RUN: sed 's/alloc {offset = 64 /alloc {offset = 0 /' %t/lowered.mlir > %t/edited.mlir
// RUN: not job-compile %t/edited.mlir -o %t/a.so 2>&1 | FileCheck %s

// CHECK: {{no-kernels|edited}}.mlir:[[#]]:[[#]]: error: 'plan.alloc' op expects no overlap from command 1 to 3 but [0, 64) overlaps

//--- no-kernels.mlir
#arena = #plan.space<arena>
#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>
plan.program @p kind predict sizes<arena = 64 above 64, inputs = 64, outputs = 128, workspace = 0> {
  %x = plan.input 0 "x" {offset = 0 : i64} : memref<16xf32, #inputs>
  %y = plan.output 0 "y" {offset = 0 : i64} : memref<16xf32, #outputs>
  %z = plan.output 1 "z" {offset = 64 : i64} : memref<16xf32, #outputs>
  %a = plan.alloc {offset = 0 : i64} : memref<16xf32, #arena>
  %b = plan.alloc {offset = 0 : i64} : memref<16xf32, #arena>
  plan.copy %x to %a : memref<16xf32, #inputs> to memref<16xf32, #arena>
  plan.fill %b with 0 : memref<16xf32, #arena>
  plan.copy %a to %y : memref<16xf32, #arena> to memref<16xf32, #outputs>
  plan.copy %b to %z : memref<16xf32, #arena> to memref<16xf32, #outputs>
  plan.return
}

//--- kernel.mlir
#arena = #plan.space<arena>
#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>
#map = affine_map<(d0) -> (d0)>
plan.program @p kind predict sizes<arena = 128 above 128, inputs = 64, outputs = 128, workspace = 0> {
  %x = plan.input 0 "x" {offset = 0 : i64} : memref<16xf32, #inputs>
  %y = plan.output 0 "y" {offset = 0 : i64} : memref<16xf32, #outputs>
  %z = plan.output 1 "z" {offset = 64 : i64} : memref<16xf32, #outputs>
  %a = plan.alloc {offset = 0 : i64} : memref<16xf32, #arena>
  %b = plan.alloc {offset = 64 : i64} : memref<16xf32, #arena>
  plan.dispatch @twice ins(%x : memref<16xf32, #inputs>) outs(%a : memref<16xf32, #arena>)
  plan.dispatch @twice epilogue ins(%x : memref<16xf32, #inputs>) outs(%b : memref<16xf32, #arena>)
  plan.copy %a to %y : memref<16xf32, #arena> to memref<16xf32, #outputs>
  plan.copy %b to %z : memref<16xf32, #arena> to memref<16xf32, #outputs>
  plan.return
}
plan.executable @twice {
  func.func @body(%x: tensor<16xf32>, %y: tensor<16xf32>) -> tensor<16xf32> {
    %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : tensor<16xf32>) outs(%y : tensor<16xf32>) {
    ^bb0(%p: f32, %q: f32):
      %1 = arith.addf %p, %p : f32
      linalg.yield %1 : f32
    } -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
  plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 4]>)
}
