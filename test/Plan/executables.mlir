// RUN: job-opt %s | job-opt --mlir-print-local-scope | FileCheck %s
// RUN: job-opt %s --mlir-print-op-generic | job-opt --mlir-print-local-scope | FileCheck %s
// RUN: job-opt %s --emit-bytecode | job-opt --mlir-print-local-scope | FileCheck %s

#arena = #plan.space<arena>
#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

// A body, and a schedule of which only one member is written.
// CHECK-LABEL: plan.executable @body {
plan.executable @body {
  // CHECK-NEXT: func.func @body(%{{.*}}: tensor<4xf32>, %{{.*}}: tensor<4xf32>, %{{.*}}: tensor<64xi32>) -> tensor<4xf32> {
  func.func @body(%x: tensor<4xf32>, %y: tensor<4xf32>, %status: tensor<64xi32>) -> tensor<4xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32):
      // CHECK: plan.check %{{.*}} number 1 of 2 : f32
      plan.check %a number 1 of 2 : f32
      %1 = arith.extf %a : f32 to f64
      // CHECK: plan.check %{{.*}} number 0 of 2 : f64
      plan.check %1 number 0 of 2 : f64
      linalg.yield %a : f32
    } -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  // CHECK: plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [0, 16], interleave = 1, accumulate = 128>){{$}}
  plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [0, 16]>)
}

// Members come in any order; a schedule may have none.
// CHECK-LABEL: plan.executable @schedules
plan.executable @schedules attributes {of = "tests"} {
  // CHECK-NEXT: plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [1, 17], vectorize = [0, 64], interleave = 8, accumulate = 2>) chunks(6)
  plan.variant @cpu schedule(#plan.cpu_schedule<accumulate = 2, interleave = 8, vectorize = [0, 64], distribute = [1, 17]>) chunks(6)
  // CHECK-NEXT: plan.variant @other schedule(#plan.cpu_schedule<interleave = 1, accumulate = 128>)
  plan.variant @other schedule(#plan.cpu_schedule<>)
  // CHECK-NEXT: plan.variant @gpu {registers = 32 : i64}
  plan.variant @gpu {registers = 32 : i64}
}

// Code without a body, and lowered code.
// CHECK-LABEL: plan.executable @code {
plan.executable @code {
  // CHECK-NEXT: plan.variant @cpu chunks(2) function(@cpu_code)
  plan.variant @cpu chunks(2) function(@cpu_code)
  // CHECK-NEXT: func.func @cpu_code(%{{.*}}: memref<4xi8>, %{{.*}}: index) {
  func.func @cpu_code(%x: memref<4xi8>, %chunk: index) {
    return
  }
}
// CHECK-LABEL: plan.executable @lowered {
// CHECK-NEXT: plan.variant @cpu chunks(2) function(@jobk_0)
plan.executable @lowered {
  plan.variant @cpu chunks(2) function(@jobk_0)
}
llvm.func @jobk_0(!llvm.ptr, i64)

// CHECK-LABEL: plan.program @commands
plan.program @commands kind predict {
  %x = plan.input 0 "x" : memref<4xf32, #inputs>
  %b = plan.input 1 "b" : memref<4xi1, #inputs>
  %y = plan.output 0 "y" : memref<4xf32, #outputs>
  %s = plan.alloc : memref<64xi32, #arena>
  // CHECK: plan.dispatch @body ins(%{{.*}} : memref<4xf32, #plan.space<inputs>>) outs(%{{.*}}, %{{.*}} : memref<4xf32, #plan.space<outputs>>, memref<64xi32, #plan.space<arena>>) {checks = [loc("first"), loc("second")]}
  plan.dispatch @body ins(%x : memref<4xf32, #inputs>) outs(%y, %s : memref<4xf32, #outputs>, memref<64xi32, #arena>) {checks = [loc("first"), loc("second")]}
  // A truth value is a byte in the code.
  // CHECK: plan.dispatch @code ins(%{{.*}} : memref<4xi1, #plan.space<inputs>>)
  plan.dispatch @code ins(%b : memref<4xi1, #inputs>)
  // CHECK: plan.dispatch @lowered inouts(%{{.*}} : memref<4xf32, #plan.space<outputs>>) {flops = 4 : i64}
  plan.dispatch @lowered inouts(%y : memref<4xf32, #outputs>) {flops = 4 : i64}
  plan.return
}
