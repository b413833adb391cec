// RUN: job-opt %s --pass-pipeline='builtin.module(plan-assign-offsets,plan.program(plan-pack-memory),plan-check-budget{budget=1000})' --split-input-file --verify-diagnostics
// RUN: not job-opt %s --pass-pipeline='builtin.module(plan-check-budget{budget=-1})' 2>&1 | FileCheck %s
// RUN: not job-opt %s --pass-pipeline='builtin.module(plan-assign-offsets,plan-check-budget{budget=1000})' 2>&1 | FileCheck %s --check-prefix=SIZES

#arena = #plan.space<arena>

// CHECK: expects a budget of at least 0 bytes but got -1
// SIZES: 'plan.program' op expects the arena's size: run plan-pack-memory first

// At command 1 there are 64 + 1024 + 128 bytes. The five largest of the live
// buffers are named; here there are three. `before` is dead by then.

// expected-error@+1 {{expects job 'too_large' to need at most 1000 bytes but it needs 1216: an arena of 1216, variables of 0, staging of 0, a workspace of 0 and constants of 0; 1216 are live at command 1}}
plan.program @too_large kind predict {
  %before = plan.alloc : memref<200xf32, #arena>
  // expected-note@+1 {{64 bytes, 1xf32, are live there}}
  %a = plan.alloc : memref<1xf32, #arena>
  // expected-note@+1 {{1024 bytes, 256xf32, are live there}}
  %b = plan.alloc : memref<256xf32, #arena>
  // expected-note@+1 {{128 bytes, 32xf32, are live there}}
  %c = plan.alloc : memref<32xf32, #arena>
  plan.fill %before with 0 : memref<200xf32, #arena>
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> outs(%a, %b, %c : memref<1xf32, #arena>, memref<256xf32, #arena>, memref<32xf32, #arena>)
  plan.return
}

// -----

// Each program is checked alone.
// expected-error@+1 {{to need at most 1000 bytes but it needs 1792: an arena of 1792, variables of 0, staging of 0, a workspace of 0 and constants of 0; 1792 are live at command 0}}
plan.program @many kind predict {
  // expected-note@+1 {{256 bytes, 256xi8, are live there}}
  %a = plan.alloc : memref<256xi8, #plan.space<arena>>
  // expected-note@+1 {{256 bytes, 256xi8, are live there}}
  %b = plan.alloc : memref<256xi8, #plan.space<arena>>
  // expected-note@+1 {{256 bytes, 193xi8, are live there}}
  %c = plan.alloc : memref<193xi8, #plan.space<arena>>
  // expected-note@+1 {{256 bytes, 193xi8, are live there}}
  %d = plan.alloc : memref<193xi8, #plan.space<arena>>
  // expected-note@+1 {{256 bytes, 256xi8, are live there}}
  %e = plan.alloc : memref<256xi8, #plan.space<arena>>
  // The sixth and seventh are not named.
  %f = plan.alloc : memref<256xi8, #plan.space<arena>>
  %g = plan.alloc : memref<256xi8, #plan.space<arena>>
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> outs(%a, %b, %c, %d, %e, %f, %g : memref<256xi8, #plan.space<arena>>, memref<256xi8, #plan.space<arena>>, memref<193xi8, #plan.space<arena>>, memref<193xi8, #plan.space<arena>>, memref<256xi8, #plan.space<arena>>, memref<256xi8, #plan.space<arena>>, memref<256xi8, #plan.space<arena>>)
  plan.return
}
// expected-error@+1 {{to need at most 1000 bytes but it needs 1024: an arena of 1024,}}
plan.program @large kind predict {
  // expected-note@+1 {{1024 bytes, 256xf32, are live there}}
  %a = plan.alloc : memref<256xf32, #plan.space<arena>>
  plan.fill %a with 0 : memref<256xf32, #plan.space<arena>>
  plan.return
}

// -----

#variables = #plan.space<variables>
#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>
#workspace = #plan.space<workspace>

// Without an arena: 128 bytes of variables, 1024 + 64 of staging, 256 of
// workspace.
// expected-note@+1 {{128 bytes, 20xf32 of variable 'v'}}
plan.variable @v : memref<20xf32, #variables>
// expected-error@+1 {{to need at most 1000 bytes but it needs 1472: an arena of 0, variables of 128, staging of 1088, a workspace of 256 and constants of 0}}
plan.program @fixed kind predict {
  %x = plan.input 0 "x" : memref<256xf32, #inputs>
  %y = plan.output 0 "y" : memref<4xf32, #outputs>
  %w = plan.workspace : memref<200xi8, #workspace>
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%x : memref<256xf32, #inputs>) outs(%y : memref<4xf32, #outputs>) workspace(%w : memref<200xi8, #workspace>)
  plan.return
}
