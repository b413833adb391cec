// Commands of different devices run in the order of the text, so buffers that
// are not live at one command share memory.

// RUN: job-opt %s --pass-pipeline='builtin.module(plan-assign-offsets,plan.program(plan-pack-memory),plan-verify-memory,plan-verify)' --split-input-file --verify-diagnostics | FileCheck %s

#outputs = #plan.space<outputs>
#arena = #plan.space<arena>
#gpu0_arena = #plan.space<@gpu0, arena>

plan.device @cpu0 kind(host) queues(1)
plan.device @gpu0 kind(cuda) queues(1)

// CHECK-LABEL: plan.program @ping
// CHECK-SAME: arena = 128 above 128
// CHECK-SAME: @gpu0 arena = 64 above 64
plan.program @ping kind predict {
  %y = plan.output 0 "y" : memref<16xf32, #outputs>
  // CHECK: plan.alloc {offset = 0 : i64} : memref<16xf32, #gpu0_arena>
  %a = plan.alloc : memref<16xf32, #gpu0_arena>
  // CHECK: plan.alloc {offset = 0 : i64} : memref<16xf32, #gpu0_arena>
  %b = plan.alloc : memref<16xf32, #gpu0_arena>
  %p = plan.alloc : memref<16xf32, #arena>
  %q = plan.alloc : memref<16xf32, #arena>
  plan.fill %a with 1 queue(1) : memref<16xf32, #gpu0_arena>
  plan.copy %a to %p queue(1) : memref<16xf32, #gpu0_arena> to memref<16xf32, #arena>
  plan.copy %p to %q : memref<16xf32, #arena> to memref<16xf32, #arena>
  // On a queue of either device.
  plan.copy %q to %b : memref<16xf32, #arena> to memref<16xf32, #gpu0_arena>
  plan.copy %b to %y queue(1) : memref<16xf32, #gpu0_arena> to memref<16xf32, #outputs>
  plan.return
}

// -----

// Queues of one device still need events.
plan.device @cpu0 kind(host) queues(2)
plan.device @gpu0 kind(cuda) queues(1)
plan.program @race kind predict {
  // expected-note@+1 {{the buffer is here}}
  %a = plan.alloc : memref<16xf32, #plan.space<arena>>
  %b = plan.alloc : memref<16xf32, #plan.space<@gpu0, arena>>
  plan.fill %b with 0 queue(2) : memref<16xf32, #plan.space<@gpu0, arena>>
  // expected-note@+1 {{command 1 is here}}
  plan.fill %a with 0 : memref<16xf32, #plan.space<arena>>
  // expected-error@+1 {{expects queue 1 to wait for command 1 on queue 0, which writes the same buffer, but got no plan.wait between them}}
  plan.fill %a with 1 queue(1) : memref<16xf32, #plan.space<arena>>
  plan.return
}

// -----

// What ran on another device in between has joined them.
plan.device @cpu0 kind(host) queues(2)
plan.device @gpu0 kind(cuda) queues(1)
// CHECK-LABEL: plan.program @joined
plan.program @joined kind predict {
  %a = plan.alloc : memref<16xf32, #plan.space<arena>>
  %b = plan.alloc : memref<16xf32, #plan.space<@gpu0, arena>>
  plan.fill %a with 0 : memref<16xf32, #plan.space<arena>>
  plan.fill %b with 0 queue(2) : memref<16xf32, #plan.space<@gpu0, arena>>
  plan.fill %a with 1 queue(1) : memref<16xf32, #plan.space<arena>>
  plan.return
}
