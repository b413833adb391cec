// RUN: job-opt %s --pass-pipeline='builtin.module(plan.program(plan-print-lifetimes))' --verify-diagnostics

#arena = #plan.space<arena>
#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

plan.executable @add {
  plan.variant @cpu chunks(1) function(@cpu_code)
  func.func private @cpu_code(memref<4xf32>, memref<4xf32>, memref<4xf32>, index)
}

plan.program @chain kind predict {
  %x = plan.input 0 "x" : memref<4xf32, #inputs>
  %y = plan.output 0 "y" : memref<4xf32, #outputs>
  // expected-remark@+1 {{16 bytes, live from command 0 to 1}}
  %a = plan.alloc : memref<4xf32, #arena>
  // expected-remark@+1 {{16 bytes, live from command 1 to 3}}
  %b = plan.alloc : memref<4xf32, #arena>
  // Written only: it has to exist while it is written.
  // expected-remark@+1 {{400 bytes, live from command 2 to 2}}
  %c = plan.alloc : memref<100xf32, #arena>
  // A view alone is no command.
  // expected-remark@+1 {{16 bytes, never used}}
  %d = plan.alloc : memref<4xf32, #arena>
  %e = plan.view %d : memref<4xf32, #arena> to memref<2x2xf32, #arena>

  plan.copy %x to %a : memref<4xf32, #inputs> to memref<4xf32, #arena>
  plan.dispatch @add ins(%x, %a : memref<4xf32, #inputs>, memref<4xf32, #arena>) outs(%b : memref<4xf32, #arena>)
  plan.fill %c with 0 : memref<100xf32, #arena>
  plan.copy %b to %y : memref<4xf32, #arena> to memref<4xf32, #outputs>
  plan.return
}

// The uses of views count, and of views of views.
plan.program @views kind predict {
  // expected-remark@+1 {{32 bytes, live from command 0 to 3}}
  %a = plan.alloc : memref<8xf32, #arena>
  // expected-remark@+1 {{32 bytes, live from command 1 to 2}}
  %b = plan.alloc : memref<8xf32, #arena>
  %v = plan.view %a : memref<8xf32, #arena> to memref<2x4xf32, #arena>
  %w = plan.view %v : memref<2x4xf32, #arena> to memref<4x2xf32, #arena>
  plan.fill %a with 0 : memref<8xf32, #arena>
  plan.fill %b with 0 : memref<8xf32, #arena>
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%b : memref<8xf32, #arena>) outs(%v : memref<2x4xf32, #arena>)
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%w : memref<4x2xf32, #arena>)
  plan.return
}

// What a repeat uses from outside is alive during all of it; what it makes
// itself, within an iteration.
plan.program @repeats kind predict {
  %x = plan.input 0 "x" : memref<8xf32, #inputs>
  // expected-remark@+1 {{32 bytes, live from command 0 to 4}}
  %all = plan.alloc : memref<8xf32, #arena>
  // expected-remark@+1 {{32 bytes, live from command 1 to 5}}
  %sum = plan.alloc : memref<8xf32, #arena>
  // expected-remark@+1 {{32 bytes, live from command 0 to 0}}
  %before = plan.alloc : memref<8xf32, #arena>
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> outs(%before, %all : memref<8xf32, #arena>, memref<8xf32, #arena>)
  plan.fill %sum with 0 : memref<8xf32, #arena>
  plan.repeat count(4) {
    %part = plan.micro_view %all : memref<8xf32, #arena> to memref<2xf32, #arena>
    %v = plan.view %part : memref<2xf32, #arena> to memref<1x2xf32, #arena>
    // expected-remark@+1 {{8 bytes, live from command 2 to 3}}
    %a = plan.alloc : memref<1x2xf32, #arena>
    plan.copy %v to %a : memref<1x2xf32, #arena> to memref<1x2xf32, #arena>
    plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%a : memref<1x2xf32, #arena>) outs(%sum : memref<8xf32, #arena>)
    // expected-remark@+1 {{8 bytes, live from command 4 to 4}}
    %b = plan.alloc : memref<1x2xf32, #arena>
    plan.fill %b with 0 : memref<1x2xf32, #arena>
  }
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%sum : memref<8xf32, #arena>)
  plan.return
}
