// RUN: job-opt %s --plan-verify --split-input-file --verify-diagnostics

// expected-error@+2 {{'plan.alloc' op result #0 must be dense memref of an element type of blobs, of at most 2^48 bytes, in a #plan.space of role arena, but got 'memref<4xf32>'}}
plan.program @p kind predict {
  %a = plan.alloc : memref<4xf32>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@+1 {{'plan.input' op result #0 must be dense memref of an element type of blobs, of at most 2^48 bytes, in a #plan.space of role inputs, but got 'memref<4xf32, #plan.space<arena>>'}}
  %a = plan.input 0 "x" : memref<4xf32, #plan.space<arena>>
  plan.return
}

// -----

// expected-error@+1 {{'plan.variable' op attribute 'type' failed to satisfy constraint: type attribute of dense memref of an element type of blobs, of at most 2^48 bytes, in a #plan.space of role variables}}
plan.variable @v : memref<4xf32, 1>

// -----

// expected-error@+1 {{expects arena, variables, constants, inputs, outputs or workspace but got bank}}
plan.variable @v : memref<4xf32, #plan.space<bank>>

// -----

plan.program @p kind predict {
  %a = plan.alloc : memref<4xf32, #plan.space<arena>>
  // expected-error@+1 {{'plan.view' op expects a buffer in the arena, where the source is, but got one in the outputs}}
  %b = plan.view %a : memref<4xf32, #plan.space<arena>> to memref<2x2xf32, #plan.space<outputs>>
  plan.return
}

// -----

plan.program @p kind predict {
  %a = plan.alloc : memref<4xf32, #plan.space<arena>>
  plan.repeat count(2) {
    // expected-error@+1 {{'plan.micro_view' op expects a buffer in the arena, where the source is, but got one in the inputs}}
    %b = plan.micro_view %a : memref<4xf32, #plan.space<arena>> to memref<2xf32, #plan.space<inputs>>
  }
  plan.return
}

// -----

plan.program @p kind predict {
  %a = plan.alloc : memref<4xf32, #plan.space<arena>>
  %b = plan.alloc : memref<4xi32, #plan.space<arena>>
  // expected-error@+1 {{'plan.copy' op expects a target of the shape and element type of 'memref<4xf32, #plan.space<arena>>' but got 'memref<4xi32, #plan.space<arena>>'}}
  plan.copy %a to %b : memref<4xf32, #plan.space<arena>> to memref<4xi32, #plan.space<arena>>
  plan.return
}

// -----

// expected-error@+1 {{expects a size of the arena once but got it twice}}
plan.program @p kind predict sizes<arena = 0 above 0, arena = 64 above 0> {
  plan.return
}

// -----

// expected-error@+1 {{expects from 0 to 281474976710656 bytes of the inputs but got -64}}
plan.program @p kind predict sizes<inputs = -64> {
  plan.return
}

// -----

// expected-error@+1 {{expects a lower bound of the arena but got none}}
plan.program @p kind predict sizes<arena = 64> {
  plan.return
}

// -----

// expected-error@+1 {{expects no lower bound of the @gpu0 inputs but got one}}
plan.program @p kind predict sizes<@gpu0 inputs = 64 above 0> {
  plan.return
}

// -----

// expected-error@+1 {{expects a lower bound of at least 0 but got -1}}
plan.program @p kind predict sizes<arena = 64 above -1> {
  plan.return
}

// -----

// expected-error@+1 {{'plan.program' op expects sizes of the program's own spaces but got that of the variables, which all programs share}}
plan.program @p kind predict sizes<variables = 64> {
  plan.return
}

// -----

// expected-error@+1 {{'builtin.module' op expects sizes of variables and constants in plan.sizes but got that of the inputs}}
module attributes {plan.sizes = #plan.sizes<inputs = 64>} {
}

// -----

// expected-error@+1 {{'builtin.module' op expects plan.sizes to be a #plan.sizes of a module}}
module attributes {plan.sizes = 64} {
}

// -----

// Commands access the memory of the device of their queue.
plan.device @cpu0 kind(host) queues(1)
plan.device @gpu0 kind(cuda) queues(1)
plan.program @p kind predict {
  %a = plan.alloc : memref<4xf32, #plan.space<arena>>
  plan.fill %a with 0 : memref<4xf32, #plan.space<arena>>
  // expected-error@+1 {{'plan.host_call' op expects buffers of device @gpu0, which queue 1 belongs to, but operand #0 is on the first device}}
  plan.host_call "f" queue(1) ins(%a : memref<4xf32, #plan.space<arena>>)
  plan.return
}

// -----

// A copy may be between two devices, but on no third one.
plan.device @cpu0 kind(host) queues(1)
plan.device @gpu0 kind(cuda) queues(1)
plan.device @gpu1 kind(cuda) queues(1) index(1)
plan.program @p kind predict {
  %a = plan.alloc : memref<4xf32, #plan.space<arena>>
  %b = plan.alloc : memref<4xf32, #plan.space<@gpu0, arena>>
  plan.copy %a to %b : memref<4xf32, #plan.space<arena>> to memref<4xf32, #plan.space<@gpu0, arena>>
  plan.copy %b to %a queue(1) : memref<4xf32, #plan.space<@gpu0, arena>> to memref<4xf32, #plan.space<arena>>
  // expected-error@+1 {{'plan.copy' op expects buffers of device @gpu1, which queue 2 belongs to, but operand #0 is on the first device}}
  plan.copy %a to %b queue(2) : memref<4xf32, #plan.space<arena>> to memref<4xf32, #plan.space<@gpu0, arena>>
  plan.return
}

// -----

plan.device @cpu0 kind(host) queues(1)
plan.device @gpu0 kind(cuda) queues(1)
plan.program @p kind predict {
  %b = plan.alloc : memref<4xf32, #plan.space<@gpu0, arena>>
  // expected-error@+1 {{'plan.fill' op expects buffers of the first device, which queue 0 belongs to, but operand #0 is on device @gpu0}}
  plan.fill %b with 0 : memref<4xf32, #plan.space<@gpu0, arena>>
  plan.return
}

// -----

plan.program @p kind predict {
  // expected-error@+1 {{'plan.alloc' op expects a space of a plan.device but got #plan.space<@gpu1, arena>, which names none}}
  %b = plan.alloc : memref<4xf32, #plan.space<@gpu1, arena>>
  plan.return
}

// -----

plan.device @cpu0 kind(host) queues(1)
// expected-error@+1 {{'plan.variable' op expects a space of the first device without its name but got #plan.space<@cpu0, variables>}}
plan.variable @v : memref<4xf32, #plan.space<@cpu0, variables>>

// -----

// expected-error@+1 {{'plan.program' op expects a space of a plan.device but got #plan.space<@gpu1, arena>, which names none}}
plan.program @p kind predict sizes<arena = 0 above 0, @gpu1 arena = 64 above 64> {
  plan.return
}

// -----

// expected-error@+1 {{'builtin.module' op expects a space of a plan.device but got #plan.space<@gpu1, variables>, which names none}}
module attributes {plan.sizes = #plan.sizes<variables = 0, @gpu1 variables = 64>} {
}
