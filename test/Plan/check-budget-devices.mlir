// Of several devices, each may need as much as the budget says.
//
// RUN: job-opt %s --pass-pipeline='builtin.module(plan-assign-offsets,plan.program(plan-pack-memory),plan-check-budget{budget=1500})' --verify-diagnostics
// RUN: job-opt %s --pass-pipeline='builtin.module(plan-assign-offsets,plan.program(plan-pack-memory),plan-check-budget{budget=2112},job-report-memory)' -o /dev/null | FileCheck %s

#arena = #plan.space<arena>
#cpu0_arena = #plan.space<@cpu0, arena>
#cpu0_variables = #plan.space<@cpu0, variables>
#variables = #plan.space<variables>
#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

plan.device @gpu0 kind(cuda) queues(1)
plan.device @cpu0 kind(host) queues(1)
// expected-note@+1 {{64 bytes, 16xf32 of variable 'v'}}
plan.variable @v : memref<16xf32, #cpu0_variables>
// expected-note@+1 {{128 bytes, 32xf32 of variable 'w'}}
plan.variable @w : memref<32xf32, #variables>

// The staging is memory of the host: 1024 + 1024 of it, and 64 of a variable. A
// GPU has an arena of 1088, and 128 of a variable.
// CHECK: memory of 'both'
// CHECK: on gpu0 {{ *}}1,216  arena 1,088, bank 128, staging 0, workspace 0, constants 0
// CHECK: on cpu0 {{ *}}2,112  arena 0, bank 64, staging 2,048, workspace 0, constants 0
// expected-error@+1 {{expects job 'both' to need at most 1500 bytes on cpu0 but it needs 2112: an arena of 0, variables of 64, staging of 2048, a workspace of 0 and constants of 0}}
plan.program @both kind predict {
  %x = plan.input 0 "x" : memref<256xf32, #inputs>
  %y = plan.output 0 "y" : memref<256xf32, #outputs>
  %a = plan.alloc : memref<256xf32, #arena>
  %b = plan.alloc : memref<16xf32, #arena>
  %v = plan.get_variable @v : memref<16xf32, #cpu0_variables>
  plan.copy %x to %a : memref<256xf32, #inputs> to memref<256xf32, #arena>
  plan.copy %v to %b : memref<16xf32, #cpu0_variables> to memref<16xf32, #arena>
  plan.copy %b to %v : memref<16xf32, #arena> to memref<16xf32, #cpu0_variables>
  plan.copy %a to %y : memref<256xf32, #arena> to memref<256xf32, #outputs>
  plan.return
}

// A GPU that runs a program alone has the slots in its memory.
// CHECK: memory of 'alone'
// CHECK: on gpu0 {{ *}}1,728  arena 1,088, bank 128, staging 512, workspace 0, constants 0
// CHECK: on cpu0 {{ *}}576  arena 0, bank 64, staging 512, workspace 0, constants 0
// expected-error@+1 {{expects job 'alone' to need at most 1500 bytes on gpu0 but it needs 1728: an arena of 1088, variables of 128, staging of 512, a workspace of 0 and constants of 0; 1088 are live at command 1}}
plan.program @alone kind predict {
  %x = plan.input 0 "x" : memref<64xf32, #inputs>
  %y = plan.output 0 "y" : memref<64xf32, #outputs>
  // expected-note@+1 {{1024 bytes, 256xf32, are live there}}
  %a = plan.alloc : memref<256xf32, #arena>
  // expected-note@+1 {{64 bytes, 16xf32, are live there}}
  %b = plan.alloc : memref<16xf32, #arena>
  %part = plan.alloc : memref<64xf32, #arena>
  plan.fill %a with 0 : memref<256xf32, #arena>
  plan.fill %b with 0 : memref<16xf32, #arena>
  plan.fill %a with 1 : memref<256xf32, #arena>
  plan.copy %x to %part : memref<64xf32, #inputs> to memref<64xf32, #arena>
  plan.copy %part to %y : memref<64xf32, #arena> to memref<64xf32, #outputs>
  plan.return
}
