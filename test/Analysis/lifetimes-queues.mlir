// RUN: job-opt %s --pass-pipeline='builtin.module(plan.program(plan-print-lifetimes))' --verify-diagnostics

#arena = #plan.space<arena>

// Numbers of commands are those of the text, events included.
plan.program @two kind predict {
  // expected-remark@+1 {{64 bytes, live from command 0 to 4}}
  %a = plan.alloc : memref<16xf32, #arena>
  // expected-remark@+1 {{64 bytes, live from command 1 to 1}}
  %b = plan.alloc : memref<16xf32, #arena>
  plan.fill %a with 1 : memref<16xf32, #arena>
  plan.fill %b with 1 queue(1) : memref<16xf32, #arena>
  %done = plan.record
  plan.wait %done queue(1)
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> queue(1) ins(%a : memref<16xf32, #arena>)
  plan.return
}
