// RUN: job-opt %s --plan-verify-memory --split-input-file --verify-diagnostics

// What is right passes: an inner buffer beside those of the whole loop, rows of
// any size for a copy, a result that the loop fills row by row.

plan.program @right kind predict attributes {
    arena_bytes = 192 : i64, arena_lower_bound = 192 : i64,
    input_bytes = 64 : i64, output_bytes = 0 : i64, workspace_bytes = 64 : i64} {
  %x = plan.input 0 "x" {offset = 0 : i64} : memref<8xf32>
  %sum = plan.alloc {offset = 0 : i64} : memref<16xf32>
  %all = plan.alloc {offset = 64 : i64} : memref<8xf32>
  plan.fill %sum with 0 : memref<16xf32>
  plan.repeat count(4) {
    %part = plan.micro_view %x : memref<8xf32> to memref<2xf32>
    %rows = plan.micro_view %all : memref<8xf32> to memref<2xf32>
    %w = plan.workspace : memref<64xi8>
    %a = plan.alloc {offset = 128 : i64} : memref<2xf32>
    plan.copy %part to %a : memref<2xf32>
    plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%a, %sum : memref<2xf32>, memref<16xf32>) workspace(%w : memref<64xi8>)
    plan.copy %a to %rows : memref<2xf32>
  }
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%all : memref<8xf32>)
  plan.return
}

// -----

// The sum is used before %a is made, and again in the next iteration.
plan.program @reused kind predict attributes {
    arena_bytes = 64 : i64, arena_lower_bound = 128 : i64,
    input_bytes = 0 : i64, output_bytes = 0 : i64, workspace_bytes = 0 : i64} {
  // expected-note@+1 {{with this one at [0, 64) from command 0 to 3}}
  %sum = plan.alloc {offset = 0 : i64} : memref<16xf32>
  plan.fill %sum with 0 : memref<16xf32>
  plan.repeat count(4) {
    // expected-error@+1 {{expects no overlap from command 2 to 3 but [0, 64) overlaps}}
    %a = plan.alloc {offset = 0 : i64} : memref<16xf32>
    plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%sum : memref<16xf32>)
    plan.fill %a with 0 : memref<16xf32>
    plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%a : memref<16xf32>)
  }
  plan.return
}

// -----

// What an iteration leaves in a buffer of its own is gone in the next one.
plan.program @from_last_iteration kind predict attributes {
    arena_bytes = 64 : i64, arena_lower_bound = 64 : i64,
    input_bytes = 0 : i64, output_bytes = 0 : i64, workspace_bytes = 0 : i64} {
  plan.repeat count(4) {
    // expected-note@+1 {{the buffer is here}}
    %a = plan.alloc {offset = 0 : i64} : memref<16xf32>
    // expected-error@+1 {{reads operand #0 before anything was written to it}}
    plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%a : memref<16xf32>)
    plan.fill %a with 0 : memref<16xf32>
  }
  plan.return
}

// -----

// Only rows of it are there.
plan.program @too_early kind predict attributes {
    arena_bytes = 256 : i64, arena_lower_bound = 256 : i64,
    input_bytes = 0 : i64, output_bytes = 0 : i64, workspace_bytes = 0 : i64} {
  // expected-note@+1 {{the buffer is here}}
  %all = plan.alloc {offset = 0 : i64} : memref<64xf32>
  plan.repeat count(4) {
    %rows = plan.micro_view %all : memref<64xf32> to memref<16xf32>
    %same = plan.view %rows : memref<16xf32> to memref<4x4xf32>
    plan.fill %same with 0 : memref<4x4xf32>
    plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%rows : memref<16xf32>)
    // expected-error@+1 {{reads operand #0 before anything was written to it}}
    plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%all : memref<64xf32>)
  }
  plan.return
}

// -----

plan.program @unaligned kind predict attributes {
    arena_bytes = 0 : i64, arena_lower_bound = 0 : i64,
    input_bytes = 128 : i64, output_bytes = 0 : i64, workspace_bytes = 0 : i64} {
  %x = plan.input 0 "x" {offset = 0 : i64} : memref<20xf32>
  plan.repeat count(2) {
    %part = plan.micro_view %x : memref<20xf32> to memref<10xf32>
    // expected-error@+1 {{expects rows of a multiple of 64 bytes but operand #0 has 40 in each iteration}}
    plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%part : memref<10xf32>)
  }
  plan.return
}

// -----

// Rows of one iteration are read while those of another are written.
plan.program @shifted kind predict attributes {
    arena_bytes = 256 : i64, arena_lower_bound = 256 : i64,
    input_bytes = 0 : i64, output_bytes = 0 : i64, workspace_bytes = 0 : i64} {
  %all = plan.alloc {offset = 0 : i64} : memref<64xf32>
  plan.fill %all with 0 : memref<64xf32>
  plan.repeat count(4) {
    %rows = plan.micro_view %all : memref<64xf32> to memref<16xf32>
    // expected-error@+1 {{expects buffers that do not overlap but operands #0 and #1 have bytes [0, 256) and [0, 256) of the arena}}
    plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%all : memref<64xf32>) outs(%rows : memref<16xf32>)
  }
  plan.return
}
