// RUN: job-opt %s --split-input-file --verify-diagnostics

#inputs = #plan.space<inputs>

plan.program @no_status kind predict {
  %x = plan.input 0 "x" : memref<4xf32, #inputs>
  // expected-error @below {{'plan.dispatch' op expects a last buffer of type 'memref<64xi32>' for what the checks find but got none}}
  plan.dispatch @kernel ins(%x : memref<4xf32, #inputs>) {checks = [loc("log")]}
  plan.return
}
plan.executable @kernel {
  plan.variant @cpu chunks(2) function(@cpu_code)
  func.func private @cpu_code(memref<4xf32>, index)
}

// -----

#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

plan.program @wrong_status kind predict {
  %x = plan.input 0 "x" : memref<4xf32, #inputs>
  %y = plan.output 0 "y" : memref<4xf32, #outputs>
  // expected-error @below {{'plan.dispatch' op expects a last buffer of type 'memref<64xi32>' for what the checks find but got 'memref<4xf32, #plan.space<outputs>>'}}
  plan.dispatch @kernel ins(%x : memref<4xf32, #inputs>) outs(%y : memref<4xf32, #outputs>) {checks = [loc("log")]}
  plan.return
}
plan.executable @kernel {
  plan.variant @cpu chunks(2) function(@cpu_code)
  func.func private @cpu_code(memref<4xf32>, memref<4xf32>, index)
}

// -----

#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

plan.program @no_locations kind predict {
  %x = plan.input 0 "x" : memref<4xf32, #inputs>
  %y = plan.output 0 "y" : memref<64xi32, #outputs>
  // expected-error @below {{'plan.dispatch' op attribute 'checks' failed to satisfy constraint: array of locations}}
  plan.dispatch @kernel ins(%x : memref<4xf32, #inputs>) outs(%y : memref<64xi32, #outputs>) {checks = ["log"]}
  plan.return
}
plan.executable @kernel {
  plan.variant @cpu chunks(1) function(@cpu_code)
  func.func private @cpu_code(memref<4xf32>, memref<64xi32>, index)
}
