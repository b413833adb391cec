// RUN: job-opt %s | job-opt | FileCheck %s
// RUN: job-opt %s --mlir-print-op-generic | job-opt | FileCheck %s
// RUN: job-opt %s --emit-bytecode | job-opt | FileCheck %s

#arena = #plan.space<arena>
#variables = #plan.space<variables>
#constants = #plan.space<constants>
#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>
#workspace = #plan.space<workspace>

// CHECK: plan.variable @weight : memref<10x512xf32, #variables>
plan.variable @weight : memref<10x512xf32, #variables>
// CHECK: plan.variable @step : memref<1xi64, #variables> {offset = 20480 : i64, trainable = false}
plan.variable @step : memref<1xi64, #variables> {offset = 20480 : i64, trainable = false}

// CHECK: plan.constant @table dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32> {offset = 0 : i64}
plan.constant @table dense<[1.0, 2.0]> : tensor<2xf32> {offset = 0 : i64}

plan.executable @relu {
  plan.variant @cpu chunks(4) function(@cpu_code)
  func.func private @cpu_code(memref<4xf32>, memref<4xf32>, index)
}
plan.executable @update {
  plan.variant @cpu chunks(1) function(@cpu_code)
  func.func private @cpu_code(memref<4xf32>, memref<4xf32>, memref<4xf32>, index)
}
plan.executable @lowered {
  plan.variant @cpu chunks(2) function(@jobk_0)
}
plan.executable @random {
  func.func private @body(tensor<4xf32>, i32, i64, f32) -> tensor<4xf32>
  plan.variant @cpu chunks(1) function(@cpu_code)
  func.func private @cpu_code(memref<4xf32>, i32, i64, f32, index)
}
llvm.func @jobk_0(!llvm.ptr, i64)

// CHECK-LABEL: plan.program @buffers kind predict sizes<arena = 4224 above 4224, inputs = 64, outputs = 64, workspace = 65536> attributes {result_structure = "[0, 1]"} {
plan.program @buffers kind predict sizes<arena = 4224 above 4224, inputs = 64, outputs = 64, workspace = 65536> attributes {result_structure = "[0, 1]"} {
  // CHECK-NEXT: plan.alloc : memref<4xi1, #arena>
  %0 = plan.alloc : memref<4xi1, #arena>
  // CHECK-NEXT: plan.alloc {offset = 4096 : i64} : memref<2x4xf64, #arena>
  %1 = plan.alloc {offset = 4096 : i64} : memref<2x4xf64, #arena>
  // CHECK-NEXT: plan.workspace : memref<65536xi8, #workspace>
  %2 = plan.workspace : memref<65536xi8, #workspace>
  // CHECK-NEXT: plan.input 0 "images" {checked} : memref<4xf32, #inputs>
  %3 = plan.input 0 "images" {checked} : memref<4xf32, #inputs>
  // CHECK-NEXT: plan.output 1 "loss" {offset = 0 : i64} : memref<4xf32, #outputs>
  %4 = plan.output 1 "loss" {offset = 0 : i64} : memref<4xf32, #outputs>
  // CHECK-NEXT: plan.output 0 "empty" : memref<0xi32, #outputs>
  %5 = plan.output 0 "empty" : memref<0xi32, #outputs>
  // CHECK-NEXT: plan.get_variable @weight : memref<10x512xf32, #variables>
  %6 = plan.get_variable @weight : memref<10x512xf32, #variables>
  // CHECK-NEXT: plan.get_constant @table : memref<2xf32, #constants>
  %7 = plan.get_constant @table : memref<2xf32, #constants>
  // CHECK-NEXT: plan.view %{{.*}} : memref<10x512xf32, #variables> to memref<5120xf32, #variables>
  %8 = plan.view %6 : memref<10x512xf32, #variables> to memref<5120xf32, #variables>
  plan.return
}

// CHECK-LABEL: plan.program @packing kind predict attributes {packing = ["size", "time"]} {
plan.program @packing kind predict attributes {packing = ["size", "time"]} {
  plan.return
}

// CHECK-LABEL: plan.program @repeats kind predict {
plan.program @repeats kind predict {
  // CHECK: %[[X:.*]] = plan.input
  %x = plan.input 0 "x" : memref<8x2xf32, #inputs>
  // CHECK-NEXT: plan.repeat count(4) {
  plan.repeat count(4) {
    // CHECK-NEXT: %[[PART:.*]] = plan.micro_view %[[X]] : memref<8x2xf32, #inputs> to memref<2x2xf32, #inputs>
    %part = plan.micro_view %x : memref<8x2xf32, #inputs> to memref<2x2xf32, #inputs>
    // CHECK-NEXT: %[[V:.*]] = plan.view %[[PART]]
    %v = plan.view %part : memref<2x2xf32, #inputs> to memref<4xf32, #inputs>
    // CHECK-NEXT: %[[A:.*]] = plan.alloc : memref<4xf32, #arena>
    %a = plan.alloc : memref<4xf32, #arena>
    // CHECK-NEXT: plan.copy %[[V]] to %[[A]] : memref<4xf32, #inputs> to memref<4xf32, #arena>
    plan.copy %v to %a : memref<4xf32, #inputs> to memref<4xf32, #arena>
  // CHECK-NEXT: }
  }
  plan.return
}

// CHECK-LABEL: plan.program @commands kind train {
plan.program @commands kind train {
  // CHECK: %[[X:.*]] = plan.input
  %x = plan.input 0 "x" : memref<4xf32, #inputs>
  // CHECK: %[[Y:.*]] = plan.output
  %y = plan.output 0 "y" : memref<4xf32, #outputs>
  // CHECK: %[[Z:.*]] = plan.alloc
  %z = plan.alloc : memref<4xf32, #arena>
  // CHECK: %[[W:.*]] = plan.workspace
  %w = plan.workspace : memref<128xi8, #workspace>
  // CHECK-NEXT: plan.copy %[[X]] to %[[Z]] : memref<4xf32, #inputs> to memref<4xf32, #arena>
  plan.copy %x to %z : memref<4xf32, #inputs> to memref<4xf32, #arena>
  // CHECK-NEXT: plan.fill %[[Y]] with 255 : memref<4xf32, #outputs>
  plan.fill %y with 255 : memref<4xf32, #outputs>
  // CHECK-NEXT: plan.dispatch @relu ins(%[[X]] : memref<4xf32, #inputs>) outs(%[[Y]] : memref<4xf32, #outputs>) {flops = 4 : i64}
  plan.dispatch @relu ins(%x : memref<4xf32, #inputs>) outs(%y : memref<4xf32, #outputs>) {flops = 4 : i64}
  // CHECK-NEXT: plan.dispatch @update ins(%[[X]] : memref<4xf32, #inputs>) inouts(%[[Z]] : memref<4xf32, #arena>) outs(%[[Y]] : memref<4xf32, #outputs>)
  plan.dispatch @update ins(%x : memref<4xf32, #inputs>) inouts(%z : memref<4xf32, #arena>) outs(%y : memref<4xf32, #outputs>)
  // CHECK-NEXT: plan.dispatch @lowered outs(%[[Y]] : memref<4xf32, #outputs>)
  plan.dispatch @lowered outs(%y : memref<4xf32, #outputs>)
  // CHECK-NEXT: plan.dispatch @random outs(%[[Y]] : memref<4xf32, #outputs>) scalars [7 : i32, -1, 5.000000e-01 : f32] {flops = 4 : i64}
  plan.dispatch @random outs(%y : memref<4xf32, #outputs>) scalars [7 : i32, -1 : i64, 0.5 : f32] {flops = 4 : i64}
  // CHECK-NEXT: plan.call #plan.onednn.matmul<m = 1, n = 1, k = 3> ins(%[[X]], %[[Z]] : memref<4xf32, #inputs>, memref<4xf32, #arena>) outs(%[[Y]] : memref<4xf32, #outputs>) workspace(%[[W]] : memref<128xi8, #workspace>) {flops = 24 : i64}
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 3> ins(%x, %z : memref<4xf32, #inputs>, memref<4xf32, #arena>) outs(%y : memref<4xf32, #outputs>) workspace(%w : memref<128xi8, #workspace>) {flops = 24 : i64}
  // CHECK-NEXT: plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1>
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1>
  // CHECK-NEXT: plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> checked queue(1) outs(%[[Y]] : memref<4xf32, #outputs>)
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> checked queue(1) outs(%y : memref<4xf32, #outputs>)
  // CHECK-NEXT: plan.host_call "watch" ins(%[[X]] : memref<4xf32, #inputs>)
  plan.host_call "watch" ins(%x : memref<4xf32, #inputs>)
  // CHECK-NEXT: plan.host_call "all" queue(1) ins(%[[X]] : memref<4xf32, #inputs>) inouts(%[[Z]] : memref<4xf32, #arena>) outs(%[[Y]] : memref<4xf32, #outputs>)
  plan.host_call "all" queue(1) ins(%x : memref<4xf32, #inputs>) inouts(%z : memref<4xf32, #arena>) outs(%y : memref<4xf32, #outputs>)
  // CHECK-NEXT: plan.return
  plan.return
}

// CHECK-LABEL: plan.program @jobmlir_init kind init {
plan.program @jobmlir_init kind init {
  plan.return
}
