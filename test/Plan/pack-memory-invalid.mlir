// RUN: job-opt %s --pass-pipeline='builtin.module(plan.program(plan-pack-memory{budget=1000}))' --split-input-file --verify-diagnostics
// RUN: not job-opt %s --pass-pipeline='builtin.module(plan.program(plan-pack-memory{strategy=worst}))' 2>&1 | FileCheck %s

// CHECK: 'plan.program' op expects strategy best, size, conflicts, time or none but got 'worst'

// At command 1 there are 64 + 1024 + 128 bytes. The five largest of the live
// buffers are named; here there are three. `before` is dead by then.

// expected-error@+1 {{'plan.program' op expects an arena of at most 1000 bytes but needs 1216, of which 1216 are live at command 1}}
plan.program @too_large kind predict {
  %before = plan.alloc : memref<200xf32>
  // expected-note@+1 {{4 bytes, 'memref<1xf32>', are live there}}
  %a = plan.alloc : memref<1xf32>
  // expected-note@+1 {{1024 bytes, 'memref<256xf32>', are live there}}
  %b = plan.alloc : memref<256xf32>
  // expected-note@+1 {{128 bytes, 'memref<32xf32>', are live there}}
  %c = plan.alloc : memref<32xf32>
  plan.fill %before with 0 : memref<200xf32>
  plan.call "library.function" chunks(1) outs(%a, %b, %c : memref<1xf32>, memref<256xf32>, memref<32xf32>) config {}
  plan.return
}

// -----

// expected-error@+1 {{'plan.program' op expects an arena of at most 1000 bytes but needs 1792, of which 1792 are live at command 0}}
plan.program @many kind predict {
  // expected-note@+1 {{256 bytes, 'memref<256xi8>', are live there}}
  %a = plan.alloc : memref<256xi8>
  // expected-note@+1 {{256 bytes, 'memref<256xi8>', are live there}}
  %b = plan.alloc : memref<256xi8>
  // The sixth and seventh are not named.
  %c = plan.alloc : memref<193xi8>
  %d = plan.alloc : memref<193xi8>
  // expected-note@+1 {{256 bytes, 'memref<256xi8>', are live there}}
  %e = plan.alloc : memref<256xi8>
  // expected-note@+1 {{256 bytes, 'memref<256xi8>', are live there}}
  %f = plan.alloc : memref<256xi8>
  // expected-note@+1 {{256 bytes, 'memref<256xi8>', are live there}}
  %g = plan.alloc : memref<256xi8>
  plan.call "library.function" chunks(1) outs(%a, %b, %c, %d, %e, %f, %g : memref<256xi8>, memref<256xi8>, memref<193xi8>, memref<193xi8>, memref<256xi8>, memref<256xi8>, memref<256xi8>) config {}
  plan.return
}
