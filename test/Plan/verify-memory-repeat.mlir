// RUN: job-opt %s --plan-verify-memory --split-input-file --verify-diagnostics

#arena = #plan.space<arena>
#inputs = #plan.space<inputs>
#workspace = #plan.space<workspace>

// What is right passes: an inner buffer beside those of the whole loop, rows of
// any size for a copy, a result that the loop fills row by row.

plan.program @right kind predict sizes<arena = 192 above 192, inputs = 64, outputs = 0, workspace = 64> {
  %x = plan.input 0 "x" {offset = 0 : i64} : memref<8xf32, #inputs>
  %sum = plan.alloc {offset = 0 : i64} : memref<16xf32, #arena>
  %all = plan.alloc {offset = 64 : i64} : memref<8xf32, #arena>
  plan.fill %sum with 0 : memref<16xf32, #arena>
  plan.repeat count(4) {
    %part = plan.micro_view %x : memref<8xf32, #inputs> to memref<2xf32, #inputs>
    %rows = plan.micro_view %all : memref<8xf32, #arena> to memref<2xf32, #arena>
    %w = plan.workspace : memref<64xi8, #workspace>
    %a = plan.alloc {offset = 128 : i64} : memref<2xf32, #arena>
    plan.copy %part to %a : memref<2xf32, #inputs> to memref<2xf32, #arena>
    plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%a, %sum : memref<2xf32, #arena>, memref<16xf32, #arena>) workspace(%w : memref<64xi8, #workspace>)
    plan.copy %a to %rows : memref<2xf32, #arena> to memref<2xf32, #arena>
  }
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%all : memref<8xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>

// The sum is used before %a is made, and again in the next iteration.
plan.program @reused kind predict sizes<arena = 64 above 128, inputs = 0, outputs = 0, workspace = 0> {
  // expected-note@+1 {{with this one at [0, 64) from command 0 to 3}}
  %sum = plan.alloc {offset = 0 : i64} : memref<16xf32, #arena>
  plan.fill %sum with 0 : memref<16xf32, #arena>
  plan.repeat count(4) {
    // expected-error@+1 {{expects no overlap from command 2 to 3 but [0, 64) overlaps}}
    %a = plan.alloc {offset = 0 : i64} : memref<16xf32, #arena>
    plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%sum : memref<16xf32, #arena>)
    plan.fill %a with 0 : memref<16xf32, #arena>
    plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%a : memref<16xf32, #arena>)
  }
  plan.return
}

// -----

#arena = #plan.space<arena>

// What an iteration leaves in a buffer of its own is gone in the next one.
plan.program @from_last_iteration kind predict sizes<arena = 64 above 64, inputs = 0, outputs = 0, workspace = 0> {
  plan.repeat count(4) {
    // expected-note@+1 {{the buffer is here}}
    %a = plan.alloc {offset = 0 : i64} : memref<16xf32, #arena>
    // expected-error@+1 {{reads operand #0 before anything was written to it}}
    plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%a : memref<16xf32, #arena>)
    plan.fill %a with 0 : memref<16xf32, #arena>
  }
  plan.return
}

// -----

#arena = #plan.space<arena>

// Only rows of it are there.
plan.program @too_early kind predict sizes<arena = 256 above 256, inputs = 0, outputs = 0, workspace = 0> {
  // expected-note@+1 {{the buffer is here}}
  %all = plan.alloc {offset = 0 : i64} : memref<64xf32, #arena>
  plan.repeat count(4) {
    %rows = plan.micro_view %all : memref<64xf32, #arena> to memref<16xf32, #arena>
    %same = plan.view %rows : memref<16xf32, #arena> to memref<4x4xf32, #arena>
    plan.fill %same with 0 : memref<4x4xf32, #arena>
    plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%rows : memref<16xf32, #arena>)
    // expected-error@+1 {{reads operand #0 before anything was written to it}}
    plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%all : memref<64xf32, #arena>)
  }
  plan.return
}

// -----

#inputs = #plan.space<inputs>

plan.program @unaligned kind predict sizes<arena = 0 above 0, inputs = 128, outputs = 0, workspace = 0> {
  %x = plan.input 0 "x" {offset = 0 : i64} : memref<20xf32, #inputs>
  plan.repeat count(2) {
    %part = plan.micro_view %x : memref<20xf32, #inputs> to memref<10xf32, #inputs>
    // expected-error@+1 {{expects rows of a multiple of 64 bytes but operand #0 has 40 in each iteration}}
    plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%part : memref<10xf32, #inputs>)
  }
  plan.return
}

// -----

#arena = #plan.space<arena>

// Rows of one iteration are read while those of another are written.
plan.program @shifted kind predict sizes<arena = 256 above 256, inputs = 0, outputs = 0, workspace = 0> {
  %all = plan.alloc {offset = 0 : i64} : memref<64xf32, #arena>
  plan.fill %all with 0 : memref<64xf32, #arena>
  plan.repeat count(4) {
    %rows = plan.micro_view %all : memref<64xf32, #arena> to memref<16xf32, #arena>
    // expected-error@+1 {{expects buffers that do not overlap but operands #0 and #1 have bytes [0, 256) and [0, 256) of the arena}}
    plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%all : memref<64xf32, #arena>) outs(%rows : memref<16xf32, #arena>)
  }
  plan.return
}
