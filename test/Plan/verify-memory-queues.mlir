// RUN: job-opt %s --plan-verify-memory --split-input-file --verify-diagnostics

#arena = #plan.space<arena>
#variables = #plan.space<variables>
#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>
#workspace = #plan.space<workspace>

// What is right passes: queues that are ordered by events, or by the borders of
// a repeat, or that only read.
module attributes {plan.sizes = #plan.sizes<variables = 64>} {
plan.variable @weight : memref<16xf32, #variables> {offset = 0 : i64}
plan.program @right kind train sizes<arena = 128 above 64, inputs = 64, outputs = 64, workspace = 320> {
  %x = plan.input 0 "x" {offset = 0 : i64} : memref<16xf32, #inputs>
  %y = plan.output 0 "y" {offset = 0 : i64} : memref<16xf32, #outputs>
  %w = plan.get_variable @weight : memref<16xf32, #variables>
  %a = plan.alloc {offset = 0 : i64} : memref<16xf32, #arena>
  %b = plan.alloc {offset = 64 : i64} : memref<16xf32, #arena>
  %c = plan.alloc {offset = 0 : i64} : memref<16xf32, #arena>
  %w0 = plan.workspace : memref<64xi8, #workspace>
  %w1 = plan.workspace {offset = 256 : i64} : memref<64xi8, #workspace>
  plan.copy %x to %a : memref<16xf32, #inputs> to memref<16xf32, #arena>
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%a, %w : memref<16xf32, #arena>, memref<16xf32, #variables>) workspace(%w0 : memref<64xi8, #workspace>)
  %read = plan.record
  plan.copy %x to %b queue(1) : memref<16xf32, #inputs> to memref<16xf32, #arena>
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> queue(1) ins(%b, %w : memref<16xf32, #arena>, memref<16xf32, #variables>) workspace(%w1 : memref<64xi8, #workspace>)
  plan.wait %read queue(1)
  plan.copy %b to %w queue(1) : memref<16xf32, #arena> to memref<16xf32, #variables>
  plan.copy %w to %c queue(1) : memref<16xf32, #variables> to memref<16xf32, #arena>
  plan.copy %c to %y queue(1) : memref<16xf32, #arena> to memref<16xf32, #outputs>
  plan.repeat count(2) {
    plan.copy %y to %w : memref<16xf32, #outputs> to memref<16xf32, #variables>
  }
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> queue(1) ins(%w : memref<16xf32, #variables>) workspace(%w0 : memref<64xi8, #workspace>)
  plan.return
}
}

// -----

#arena = #plan.space<arena>

plan.program @write_read kind predict sizes<arena = 64 above 64, inputs = 0, outputs = 0, workspace = 0> {
  // expected-note@+1 {{the buffer is here}}
  %a = plan.alloc {offset = 0 : i64} : memref<16xf32, #arena>
  // expected-note@+1 {{command 0 is here}}
  plan.fill %a with 0 : memref<16xf32, #arena>
  %done = plan.record
  plan.wait %done queue(2)
  // expected-error@+1 {{'plan.call' op expects queue 1 to wait for command 0 on queue 0, which writes the same buffer, but got no plan.wait between them}}
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> queue(1) ins(%a : memref<16xf32, #arena>)
  plan.return
}

// -----

#variables = #plan.space<variables>

// The event is recorded too early.
module attributes {plan.sizes = #plan.sizes<variables = 64>} {
// expected-note@+1 {{the buffer is here}}
plan.variable @weight : memref<16xf32, #variables> {offset = 0 : i64}
plan.program @read_write kind train sizes<arena = 0 above 0, inputs = 0, outputs = 0, workspace = 0> {
  %w = plan.get_variable @weight : memref<16xf32, #variables>
  %same = plan.get_variable @weight : memref<16xf32, #variables>
  %v = plan.view %same : memref<16xf32, #variables> to memref<4x4xf32, #variables>
  %early = plan.record queue(1)
  // expected-note@+1 {{command 1 is here}}
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> queue(1) ins(%w : memref<16xf32, #variables>)
  plan.wait %early
  // expected-error@+1 {{'plan.fill' op expects queue 0 to wait for command 1 on queue 1, which reads the same buffer, but got no plan.wait between them}}
  plan.fill %v with 0 : memref<4x4xf32, #variables>
  plan.return
}
}

// -----

#outputs = #plan.space<outputs>

plan.program @write_write kind predict sizes<arena = 0 above 0, inputs = 0, outputs = 64, workspace = 0> {
  // expected-note@+1 {{the buffer is here}}
  %y = plan.output 0 "y" {offset = 0 : i64} : memref<16xf32, #outputs>
  // expected-note@+1 {{command 0 is here}}
  plan.fill %y with 0 : memref<16xf32, #outputs>
  // expected-error@+1 {{'plan.fill' op expects queue 1 to wait for command 0 on queue 0, which writes the same buffer}}
  plan.fill %y with 1 queue(1) : memref<16xf32, #outputs>
  plan.return
}

// -----

#arena = #plan.space<arena>

// One iteration does not overlap the next one, but the queues of one do.
plan.program @in_a_repeat kind predict sizes<arena = 64 above 64, inputs = 0, outputs = 0, workspace = 0> {
  plan.repeat count(2) {
    // expected-note@+1 {{the buffer is here}}
    %a = plan.alloc {offset = 0 : i64} : memref<16xf32, #arena>
    // expected-note@+1 {{command 0 is here}}
    plan.fill %a with 0 : memref<16xf32, #arena>
    // expected-error@+1 {{expects queue 1 to wait for command 0 on queue 0}}
    plan.fill %a with 1 queue(1) : memref<16xf32, #arena>
  }
  plan.return
}

// -----

#workspace = #plan.space<workspace>

plan.program @workspace kind predict sizes<arena = 0 above 0, inputs = 0, outputs = 0, workspace = 320> {
  %w0 = plan.workspace : memref<320xi8, #workspace>
  // expected-note@+1 {{the buffer is here}}
  %w1 = plan.workspace {offset = 256 : i64} : memref<64xi8, #workspace>
  // expected-note@+1 {{command 0 is here}}
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> workspace(%w0 : memref<320xi8, #workspace>)
  // expected-error@+1 {{'plan.call' op expects queue 1 to wait for command 0 on queue 0, which uses the same buffer}}
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> queue(1) workspace(%w1 : memref<64xi8, #workspace>)
  plan.return
}

// -----

#workspace = #plan.space<workspace>

plan.program @workspace_size kind predict sizes<arena = 0 above 0, inputs = 0, outputs = 0, workspace = 256> {
  // expected-error@+1 {{'plan.workspace' op expects an offset that is a multiple of 256 but got 192}}
  %w = plan.workspace {offset = 192 : i64} : memref<64xi8, #workspace>
  plan.return
}

// -----

#arena = #plan.space<arena>

// In program order %a is dead when %b comes.
plan.program @unordered kind predict sizes<arena = 64 above 64, inputs = 0, outputs = 0, workspace = 0> {
  // expected-note@+1 {{with this one at [0, 64)}}
  %a = plan.alloc {offset = 0 : i64} : memref<16xf32, #arena>
  // expected-error@+1 {{'plan.alloc' op expects no overlap with a buffer that another queue may use at the same time but [0, 64) overlaps}}
  %b = plan.alloc {offset = 0 : i64} : memref<16xf32, #arena>
  plan.fill %a with 0 : memref<16xf32, #arena>
  plan.fill %b with 0 queue(1) : memref<16xf32, #arena>
  plan.return
}
