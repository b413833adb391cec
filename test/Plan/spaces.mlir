// RUN: job-opt %s --plan-verify | FileCheck %s
// RUN: job-opt %s --mlir-print-op-generic | job-opt | FileCheck %s
// RUN: job-opt %s --emit-bytecode | job-opt | FileCheck %s
// RUN: job-opt %s --pass-pipeline='builtin.module(plan-assign-offsets,plan.program(plan-pack-memory),plan-verify-memory)' | FileCheck %s --check-prefix=PACKED

// CHECK: #arena = #plan.space<arena>
#arena = #plan.space<arena>
#variables = #plan.space<variables>
#workspace = #plan.space<workspace>
// CHECK: #gpu0_arena = #plan.space<@gpu0, arena>
#gpu0_arena = #plan.space<@gpu0, arena>
#gpu0_inputs = #plan.space<@gpu0, inputs>
#gpu0_variables = #plan.space<@gpu0, variables>
#gpu0_workspace = #plan.space<@gpu0, workspace>

// PACKED: module attributes {plan.sizes = #plan.sizes<variables = 64, @gpu0 variables = 128, constants = 64>}
plan.device @cpu0 kind(host) queues(2)
plan.device @gpu0 kind(cuda) queues(2)

// Each device has its own offsets in each space.
// PACKED: plan.variable @a : memref<4xf32, #variables> {offset = 0 : i64}
plan.variable @a : memref<4xf32, #variables>
// PACKED: plan.variable @b : memref<4xf32, #gpu0_variables> {offset = 0 : i64}
plan.variable @b : memref<4xf32, #gpu0_variables>
// PACKED: plan.variable @c : memref<4xf32, #gpu0_variables> {offset = 64 : i64}
plan.variable @c : memref<4xf32, #gpu0_variables>
plan.constant @d dense<1.0> : tensor<4xf32>

// CHECK-LABEL: plan.program @devices kind predict {
// PACKED-LABEL: plan.program @devices
// PACKED-SAME: sizes<arena = 64 above 64, inputs = 0, outputs = 0, workspace = 64, @gpu0 arena = 128 above 128, @gpu0 inputs = 64, @gpu0 workspace = 320>
plan.program @devices kind predict {
  // CHECK: plan.input 0 "x" : memref<4xf32, #gpu0_inputs>
  %x = plan.input 0 "x" : memref<4xf32, #gpu0_inputs>
  // CHECK: plan.workspace : memref<64xi8, #workspace>
  %w0 = plan.workspace : memref<64xi8, #workspace>
  %w2 = plan.workspace : memref<64xi8, #gpu0_workspace>
  // PACKED: plan.workspace {offset = 256 : i64} : memref<64xi8, #gpu0_workspace>
  %w3 = plan.workspace : memref<64xi8, #gpu0_workspace>
  // CHECK: plan.alloc : memref<16xf32, #arena>
  // PACKED: plan.alloc {offset = 0 : i64} : memref<16xf32, #arena>
  %p = plan.alloc : memref<16xf32, #arena>
  // PACKED: plan.alloc {offset = 0 : i64} : memref<32xf32, #gpu0_arena>
  %q = plan.alloc : memref<32xf32, #gpu0_arena>
  plan.fill %p with 0 : memref<16xf32, #arena>
  plan.fill %q with 0 queue(2) : memref<32xf32, #gpu0_arena>
  plan.host_call "a" ins(%p : memref<16xf32, #arena>)
  plan.host_call "b" queue(2) ins(%x, %q : memref<4xf32, #gpu0_inputs>, memref<32xf32, #gpu0_arena>)
  plan.host_call "c" outs(%w0 : memref<64xi8, #workspace>)
  plan.host_call "d" queue(2) outs(%w2 : memref<64xi8, #gpu0_workspace>)
  plan.host_call "e" queue(3) outs(%w3 : memref<64xi8, #gpu0_workspace>)
  plan.return
}
