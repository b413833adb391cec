// RUN: job-opt %s --plan-assign-offsets | FileCheck %s
// The pass replaces what is there.
// RUN: job-opt %s --plan-assign-offsets --plan-assign-offsets | FileCheck %s

#arena = #plan.space<arena>
#variables = #plan.space<variables>
#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>
#workspace = #plan.space<workspace>

// Offsets are multiples of 64, in the order of the module.
//
//   variable   bytes           offset
//   weight     3*4 = 12             0
//   mask       65 (an i1: 1)       64
//   empty      0                  192 = 64 + 128
//   step       8                  192

// CHECK: plan.variable @weight : memref<3xf32, #variables> {offset = 0 : i64}
plan.variable @weight : memref<3xf32, #variables>
// CHECK: plan.variable @mask : memref<65xi1, #variables> {offset = 64 : i64}
plan.variable @mask : memref<65xi1, #variables> {offset = 7 : i64}
// CHECK: plan.variable @empty : memref<0x5xf32, #variables> {offset = 192 : i64}
plan.variable @empty : memref<0x5xf32, #variables>
// CHECK: plan.variable @step : memref<1xi64, #variables> {offset = 192 : i64, trainable = false}
plan.variable @step : memref<1xi64, #variables> {trainable = false}

// Constants have a space of their own: 17*8 = 136 bytes, rounded up to 192.
// CHECK: plan.constant @a dense<1.000000e+00> : tensor<17xf64> {offset = 0 : i64}
plan.constant @a dense<1.0> : tensor<17xf64>
// CHECK: plan.constant @b dense<1> : tensor<2xi32> {offset = 192 : i64}
plan.constant @b dense<1> : tensor<2xi32>

// Slots are filled by index: inputs 400 -> 448 and 100 -> 128, together 576;
// one output of 100*4 = 400 bytes takes 448. The workspace is the largest one,
// 1000 -> 1024.
// CHECK-LABEL: plan.program @train kind train
// CHECK-SAME: inputs = 576, outputs = 448, workspace = 1024
plan.program @train kind train {
  // CHECK: plan.input 1 "labels" {offset = 448 : i64} : memref<25xi32, #inputs>
  %labels = plan.input 1 "labels" : memref<25xi32, #inputs>
  // CHECK: plan.input 0 "images" {offset = 0 : i64} : memref<10x10xf32, #inputs>
  %images = plan.input 0 "images" : memref<10x10xf32, #inputs>
  // CHECK: plan.output 0 "loss" {offset = 0 : i64} : memref<100xf32, #outputs>
  %loss = plan.output 0 "loss" : memref<100xf32, #outputs>
  %w0 = plan.workspace : memref<100xi8, #workspace>
  %w1 = plan.workspace : memref<1000xi8, #workspace>
  // The arena is left to plan-pack-memory.
  // CHECK: plan.alloc : memref<4xf32, #arena>
  %a = plan.alloc : memref<4xf32, #arena>
  plan.return
}

// CHECK-LABEL: plan.program @nothing kind predict
// CHECK-SAME: inputs = 0, outputs = 0, workspace = 0
plan.program @nothing kind predict {
  plan.return
}
