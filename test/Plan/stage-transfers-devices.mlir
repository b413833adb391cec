// Each device with memory of its own computes with copies of the inputs that it
// uses. The host computes in staging.

// RUN: job-opt %s --plan-stage-transfers | FileCheck %s

#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>
#arena = #plan.space<arena>
#gpu0_arena = #plan.space<@gpu0, arena>
#gpu1_arena = #plan.space<@gpu1, arena>

plan.device @cpu0 kind(host) queues(1)
plan.device @gpu0 kind(cuda) queues(1)
plan.device @gpu1 kind(cuda) queues(1) index(1)

plan.executable @negate {
  func.func @body(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.negf ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// CHECK-LABEL: plan.program @all
// CHECK: %[[X:.*]] = plan.input 0 "x"
// CHECK: %[[X1:.*]] = plan.alloc : memref<2x2xf32, #gpu1_arena>
// CHECK: plan.copy %[[X]] to %[[X1]] queue(2)
// CHECK: %[[X0:.*]] = plan.alloc : memref<2x2xf32, #gpu0_arena>
// CHECK: plan.copy %[[X]] to %[[X0]] queue(1)
// CHECK: %[[Y:.*]] = plan.output 0 "y"
// CHECK: %[[Y0:.*]] = plan.alloc : memref<4xf32, #gpu0_arena>
// CHECK: %[[Z:.*]] = plan.output 1 "z"
// CHECK-DAG: %[[V:.*]] = plan.view %[[X]] : memref<2x2xf32, #inputs> to memref<4xf32, #inputs>
// CHECK-DAG: %[[V0:.*]] = plan.view %[[X0]] : memref<2x2xf32, #gpu0_arena> to memref<4xf32, #gpu0_arena>
// CHECK-DAG: %[[V1:.*]] = plan.view %[[X1]] : memref<2x2xf32, #gpu1_arena> to memref<4xf32, #gpu1_arena>
// CHECK: plan.dispatch @negate ins(%[[V]] : {{.*}}) outs(%[[Z]]
// CHECK: plan.dispatch @negate queue(1) ins(%[[V0]] : {{.*}}) outs(%[[Y0]]
// CHECK: plan.dispatch @negate queue(2) ins(%[[V1]]
// The value that is copied to another device is in the arena, too.
// CHECK: plan.copy %[[Y0]] to %{{.*}} queue(2)
// CHECK: plan.copy %[[Y0]] to %[[Y]] queue(1)
// CHECK: plan.return
plan.program @all kind predict {
  %x = plan.input 0 "x" : memref<2x2xf32, #inputs>
  %y = plan.output 0 "y" : memref<4xf32, #outputs>
  %z = plan.output 1 "z" : memref<4xf32, #outputs>
  %a = plan.alloc : memref<4xf32, #gpu1_arena>
  %b = plan.alloc : memref<4xf32, #gpu1_arena>
  %v = plan.view %x : memref<2x2xf32, #inputs> to memref<4xf32, #inputs>
  plan.dispatch @negate ins(%v : memref<4xf32, #inputs>) outs(%z : memref<4xf32, #outputs>)
  plan.dispatch @negate queue(1) ins(%v : memref<4xf32, #inputs>) outs(%y : memref<4xf32, #outputs>)
  plan.dispatch @negate queue(2) ins(%v : memref<4xf32, #inputs>) outs(%a : memref<4xf32, #gpu1_arena>)
  plan.copy %y to %b queue(2) : memref<4xf32, #outputs> to memref<4xf32, #gpu1_arena>
  plan.return
}
