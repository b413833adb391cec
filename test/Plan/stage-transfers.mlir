// In a program on several devices, a device with memory of its own computes with
// copies of inputs and outputs.

// RUN: job-opt %s --plan-stage-transfers | FileCheck %s

#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>
#variables = #plan.space<variables>
#cpu0_arena = #plan.space<@cpu0, arena>

plan.device @gpu0 kind(cuda) queues(1)
plan.device @cpu0 kind(host) queues(1)

plan.executable @negate {
  func.func @body(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.negf ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// CHECK-LABEL: plan.program @negate_all
// CHECK: %[[X:.*]] = plan.input 0 "x" : memref<2x2xf32, #inputs>
// CHECK: %[[X_COPY:.*]] = plan.alloc : memref<2x2xf32, #arena>
// CHECK: plan.copy %[[X]] to %[[X_COPY]]
// CHECK: %[[Y:.*]] = plan.output 0 "y" : memref<4xf32, #outputs>
// CHECK: %[[Y_COPY:.*]] = plan.alloc : memref<4xf32, #arena>
// CHECK: %[[VIEW:.*]] = plan.view %[[X_COPY]] : memref<2x2xf32, #arena> to memref<4xf32, #arena>
// CHECK: plan.dispatch @negate ins(%[[VIEW]] : memref<4xf32, #arena>) outs(%[[Y_COPY]] : memref<4xf32, #arena>)
// CHECK: plan.copy %[[Y_COPY]] to %[[Y]]
// CHECK: plan.return
plan.program @negate_all kind predict {
  %other = plan.alloc : memref<4xf32, #cpu0_arena>
  plan.fill %other with 0 queue(1) : memref<4xf32, #cpu0_arena>
  %x = plan.input 0 "x" : memref<2x2xf32, #inputs>
  %y = plan.output 0 "y" : memref<4xf32, #outputs>
  %v = plan.view %x : memref<2x2xf32, #inputs> to memref<4xf32, #inputs>
  plan.dispatch @negate ins(%v : memref<4xf32, #inputs>) outs(%y : memref<4xf32, #outputs>)
  plan.return
}

// A copy reaches staging memory itself.
plan.variable @v : memref<4xf32, #variables>
// CHECK-LABEL: plan.program @copied
// CHECK-NOT: plan.alloc : memref<4xf32, #arena>
// CHECK: plan.return
plan.program @copied kind predict {
  %other = plan.alloc : memref<4xf32, #cpu0_arena>
  plan.fill %other with 0 queue(1) : memref<4xf32, #cpu0_arena>
  %x = plan.input 0 "x" : memref<4xf32, #inputs>
  %y = plan.output 0 "y" : memref<4xf32, #outputs>
  %v = plan.get_variable @v : memref<4xf32, #variables>
  plan.copy %v to %y : memref<4xf32, #variables> to memref<4xf32, #outputs>
  plan.copy %x to %v : memref<4xf32, #inputs> to memref<4xf32, #variables>
  plan.return
}

// But not from staging memory to staging memory.
// CHECK-LABEL: plan.program @returned
// CHECK: %[[X_COPY:.*]] = plan.alloc : memref<4xf32, #arena>
// CHECK: plan.copy %{{.*}} to %[[X_COPY]]
// CHECK: %[[Y:.*]] = plan.output 0
// CHECK: %[[Y_COPY:.*]] = plan.alloc
// CHECK: %[[Z:.*]] = plan.output 1
// CHECK-NOT: plan.alloc : memref<4xf32, #arena>
// CHECK: plan.copy %[[X_COPY]] to %[[Y_COPY]]
// CHECK: plan.copy %[[Y_COPY]] to %[[Z]]
// CHECK: plan.copy %[[Y_COPY]] to %[[Y]]
plan.program @returned kind predict {
  %other = plan.alloc : memref<4xf32, #cpu0_arena>
  plan.fill %other with 0 queue(1) : memref<4xf32, #cpu0_arena>
  %x = plan.input 0 "x" : memref<4xf32, #inputs>
  %y = plan.output 0 "y" : memref<4xf32, #outputs>
  %z = plan.output 1 "z" : memref<4xf32, #outputs>
  plan.copy %x to %y : memref<4xf32, #inputs> to memref<4xf32, #outputs>
  plan.copy %y to %z : memref<4xf32, #outputs> to memref<4xf32, #outputs>
  plan.return
}

// Of a program on one device they are in its memory.
// CHECK-LABEL: plan.program @alone
// CHECK-NOT: plan.copy
// CHECK: plan.dispatch @negate ins(%{{.*}} : memref<4xf32, #inputs>) outs(%{{.*}} : memref<4xf32, #outputs>)
// CHECK-NEXT: plan.return
plan.program @alone kind predict {
  %x = plan.input 0 "x" : memref<4xf32, #inputs>
  %y = plan.output 0 "y" : memref<4xf32, #outputs>
  plan.dispatch @negate ins(%x : memref<4xf32, #inputs>) outs(%y : memref<4xf32, #outputs>)
  plan.return
}

// A copy of what another device has makes two devices of it.
// CHECK-LABEL: plan.program @from_other
// CHECK: plan.copy %{{.*}} : memref<4xf32, #inputs> to memref<4xf32, #arena>
plan.variable @w : memref<4xf32, #plan.space<@cpu0, variables>>
plan.program @from_other kind predict {
  %x = plan.input 0 "x" : memref<4xf32, #inputs>
  %y = plan.output 0 "y" : memref<4xf32, #outputs>
  %w = plan.get_variable @w : memref<4xf32, #plan.space<@cpu0, variables>>
  %a = plan.alloc : memref<4xf32, #plan.space<arena>>
  plan.copy %w to %a : memref<4xf32, #plan.space<@cpu0, variables>> to memref<4xf32, #plan.space<arena>>
  plan.dispatch @negate ins(%x : memref<4xf32, #inputs>) outs(%y : memref<4xf32, #outputs>)
  plan.return
}
