// RUN: job-opt %s --split-input-file --verify-diagnostics --plan-verify

// Each queue would wait for the other one.
plan.device @cpu0 kind(host) queues(2)
plan.program @cycle kind predict {
  // expected-error@+1 {{operand #0 does not dominate this use}}
  plan.wait %b
  %a = plan.record
  plan.wait %a queue(1)
  // expected-note@+1 {{operand defined here}}
  %b = plan.record queue(1)
  plan.return
}

// -----

plan.program @one_queue kind predict {
  // expected-error@+1 {{'plan.record' op expects a queue below 1, the number of queues of the module's devices, but got 1}}
  %a = plan.record queue(1)
  plan.return
}

// -----

plan.device @cpu0 kind(host) queues(2)
plan.device @cpu1 kind(host) queues(1)
plan.program @three_queues kind predict {
  %a = plan.record queue(2)
  // expected-error@+1 {{'plan.wait' op expects a queue below 3, the number of queues of the module's devices, but got 3}}
  plan.wait %a queue(3)
  plan.return
}

// -----

plan.program @many_queues kind predict {
  // expected-error@+1 {{'plan.record' op attribute 'queue' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative whose maximum value is 63}}
  %a = plan.record queue(64)
  plan.return
}

// -----

// expected-error@+1 {{'plan.device' op attribute 'queues' failed to satisfy constraint}}
plan.device @cpu0 kind(host) queues(0)

// -----

// expected-error@+1 {{'plan.device' op expects index 0 for a device of kind host but got 1}}
plan.device @cpu1 kind(host) queues(1) index(1)

// -----

// expected-error@+1 {{'plan.device' op attribute 'index' failed to satisfy constraint}}
plan.device @gpu kind(cuda) queues(1) index(-1)

// -----

// An event of an iteration is none of the program.
plan.device @cpu0 kind(host) queues(2)
plan.program @inner kind predict {
  plan.repeat count(2) {
    %a = plan.record
  }
  // expected-error@+1 {{use of undeclared SSA value name}}
  plan.wait %a queue(1)
  plan.return
}

// -----

plan.device @cpu0 kind(host) queues(1)
plan.device @gpu0 kind(cuda) queues(1)
plan.program @call_reads_host_memory kind predict {
  %x = plan.input 0 "x" : memref<4xf32, #plan.space<inputs>>
  %a = plan.alloc : memref<4xf32, #plan.space<@gpu0, arena>>
  %y = plan.output 0 "y" : memref<4xf32, #plan.space<outputs>>
  plan.copy %x to %y : memref<4xf32, #plan.space<inputs>> to memref<4xf32, #plan.space<outputs>>
  plan.copy %x to %a queue(1) : memref<4xf32, #plan.space<inputs>> to memref<4xf32, #plan.space<@gpu0, arena>>
  // expected-error@+1 {{'plan.fill' op expects memory of device @gpu0 in a program of several devices but operand #0 is in #plan.space<outputs>, memory of the host}}
  plan.fill %y with 0 queue(1) : memref<4xf32, #plan.space<outputs>>
  plan.return
}

// -----

plan.device @cpu0 kind(host) queues(1)
plan.device @gpu0 kind(cuda) queues(1)
plan.program @gpu_copies_host_memory kind predict {
  %x = plan.input 0 "x" : memref<4xf32, #plan.space<inputs>>
  %y = plan.output 0 "y" : memref<4xf32, #plan.space<outputs>>
  plan.fill %y with 0 : memref<4xf32, #plan.space<outputs>>
  // expected-error@+1 {{'plan.copy' op expects a copy on device @gpu0 of a program of several devices to be from or to an output, from an input or on the device but got one from #plan.space<inputs> to #plan.space<outputs>}}
  plan.copy %x to %y queue(1) : memref<4xf32, #plan.space<inputs>> to memref<4xf32, #plan.space<outputs>>
  plan.return
}

// -----

// Nothing else than the GPU: it may read its inputs where they are.
plan.device @cpu0 kind(host) queues(1)
plan.device @gpu0 kind(cuda) queues(1)
plan.program @only_the_gpu kind predict {
  %y = plan.output 0 "y" : memref<4xf32, #plan.space<outputs>>
  plan.fill %y with 0 queue(1) : memref<4xf32, #plan.space<outputs>>
  plan.return
}
