// RUN: job-opt %s --plan-verify-memory --split-input-file --verify-diagnostics

// What is right passes: queues that are ordered by events, or by the borders of
// a repeat, or that only read.
plan.variable @weight : memref<16xf32> {offset = 0 : i64}
plan.program @right kind train attributes {
    arena_bytes = 128 : i64, arena_lower_bound = 64 : i64,
    input_bytes = 64 : i64, output_bytes = 64 : i64,
    workspace_bytes = 128 : i64} {
  %x = plan.input 0 "x" {offset = 0 : i64} : memref<16xf32>
  %y = plan.output 0 "y" {offset = 0 : i64} : memref<16xf32>
  %w = plan.get_variable @weight : memref<16xf32>
  %a = plan.alloc {offset = 0 : i64} : memref<16xf32>
  %b = plan.alloc {offset = 64 : i64} : memref<16xf32>
  %c = plan.alloc {offset = 0 : i64} : memref<16xf32>
  %w0 = plan.workspace : memref<64xi8>
  %w1 = plan.workspace {offset = 64 : i64} : memref<64xi8>
  plan.copy %x to %a : memref<16xf32>
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%a, %w : memref<16xf32>, memref<16xf32>) workspace(%w0 : memref<64xi8>)
  %read = plan.record
  plan.copy %x to %b queue(1) : memref<16xf32>
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> queue(1) ins(%b, %w : memref<16xf32>, memref<16xf32>) workspace(%w1 : memref<64xi8>)
  plan.wait %read queue(1)
  plan.copy %b to %w queue(1) : memref<16xf32>
  plan.copy %w to %c queue(1) : memref<16xf32>
  plan.copy %c to %y queue(1) : memref<16xf32>
  plan.repeat count(2) {
    plan.copy %y to %w : memref<16xf32>
  }
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> queue(1) ins(%w : memref<16xf32>) workspace(%w0 : memref<64xi8>)
  plan.return
}

// -----

plan.program @write_read kind predict attributes {
    arena_bytes = 64 : i64, arena_lower_bound = 64 : i64,
    input_bytes = 0 : i64, output_bytes = 0 : i64, workspace_bytes = 0 : i64} {
  // expected-note@+1 {{the buffer is here}}
  %a = plan.alloc {offset = 0 : i64} : memref<16xf32>
  // expected-note@+1 {{command 0 is here}}
  plan.fill %a with 0 : memref<16xf32>
  %done = plan.record
  plan.wait %done queue(2)
  // expected-error@+1 {{'plan.call' op expects queue 1 to wait for command 0 on queue 0, which writes the same buffer, but got no plan.wait between them}}
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> queue(1) ins(%a : memref<16xf32>)
  plan.return
}

// -----

// The event is recorded too early.
// expected-note@+1 {{the buffer is here}}
plan.variable @weight : memref<16xf32> {offset = 0 : i64}
plan.program @read_write kind train attributes {
    arena_bytes = 0 : i64, arena_lower_bound = 0 : i64,
    input_bytes = 0 : i64, output_bytes = 0 : i64, workspace_bytes = 0 : i64} {
  %w = plan.get_variable @weight : memref<16xf32>
  %same = plan.get_variable @weight : memref<16xf32>
  %v = plan.view %same : memref<16xf32> to memref<4x4xf32>
  %early = plan.record queue(1)
  // expected-note@+1 {{command 1 is here}}
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> queue(1) ins(%w : memref<16xf32>)
  plan.wait %early
  // expected-error@+1 {{'plan.fill' op expects queue 0 to wait for command 1 on queue 1, which reads the same buffer, but got no plan.wait between them}}
  plan.fill %v with 0 : memref<4x4xf32>
  plan.return
}

// -----

plan.program @write_write kind predict attributes {
    arena_bytes = 0 : i64, arena_lower_bound = 0 : i64,
    input_bytes = 0 : i64, output_bytes = 64 : i64, workspace_bytes = 0 : i64} {
  // expected-note@+1 {{the buffer is here}}
  %y = plan.output 0 "y" {offset = 0 : i64} : memref<16xf32>
  // expected-note@+1 {{command 0 is here}}
  plan.fill %y with 0 : memref<16xf32>
  // expected-error@+1 {{'plan.fill' op expects queue 1 to wait for command 0 on queue 0, which writes the same buffer}}
  plan.fill %y with 1 queue(1) : memref<16xf32>
  plan.return
}

// -----

// One iteration does not overlap the next one, but the queues of one do.
plan.program @in_a_repeat kind predict attributes {
    arena_bytes = 64 : i64, arena_lower_bound = 64 : i64,
    input_bytes = 0 : i64, output_bytes = 0 : i64, workspace_bytes = 0 : i64} {
  plan.repeat count(2) {
    // expected-note@+1 {{the buffer is here}}
    %a = plan.alloc {offset = 0 : i64} : memref<16xf32>
    // expected-note@+1 {{command 0 is here}}
    plan.fill %a with 0 : memref<16xf32>
    // expected-error@+1 {{expects queue 1 to wait for command 0 on queue 0}}
    plan.fill %a with 1 queue(1) : memref<16xf32>
  }
  plan.return
}

// -----

plan.program @workspace kind predict attributes {
    arena_bytes = 0 : i64, arena_lower_bound = 0 : i64,
    input_bytes = 0 : i64, output_bytes = 0 : i64, workspace_bytes = 128 : i64} {
  %w0 = plan.workspace : memref<128xi8>
  // expected-note@+1 {{the buffer is here}}
  %w1 = plan.workspace {offset = 64 : i64} : memref<64xi8>
  // expected-note@+1 {{command 0 is here}}
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> workspace(%w0 : memref<128xi8>)
  // expected-error@+1 {{'plan.call' op expects queue 1 to wait for command 0 on queue 0, which uses the same buffer}}
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> queue(1) workspace(%w1 : memref<64xi8>)
  plan.return
}

// -----

plan.program @workspace_size kind predict attributes {
    arena_bytes = 0 : i64, arena_lower_bound = 0 : i64,
    input_bytes = 0 : i64, output_bytes = 0 : i64, workspace_bytes = 128 : i64} {
  // expected-error@+1 {{'plan.workspace' op expects an offset that is a multiple of 64 but got 100}}
  %w = plan.workspace {offset = 100 : i64} : memref<28xi8>
  plan.return
}

// -----

// In program order %a is dead when %b comes.
plan.program @unordered kind predict attributes {
    arena_bytes = 64 : i64, arena_lower_bound = 64 : i64,
    input_bytes = 0 : i64, output_bytes = 0 : i64, workspace_bytes = 0 : i64} {
  // expected-note@+1 {{with this one at [0, 64)}}
  %a = plan.alloc {offset = 0 : i64} : memref<16xf32>
  // expected-error@+1 {{'plan.alloc' op expects no overlap with a buffer that another queue may use at the same time but [0, 64) overlaps}}
  %b = plan.alloc {offset = 0 : i64} : memref<16xf32>
  plan.fill %a with 0 : memref<16xf32>
  plan.fill %b with 0 queue(1) : memref<16xf32>
  plan.return
}
