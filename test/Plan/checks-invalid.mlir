// RUN: job-opt %s --split-input-file --verify-diagnostics

#inputs = #plan.space<inputs>

plan.program @no_status kind predict {
  %x = plan.input 0 "x" : memref<4xf32, #inputs>
  // expected-error @below {{'plan.dispatch' op expects a last buffer of type 'memref<64xi32>' for the status of the checks but got none}}
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
  // expected-error @below {{'plan.dispatch' op expects a last buffer of type 'memref<64xi32>' for the status of the checks but got 'memref<4xf32, #plan.space<outputs>>'}}
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

// -----

#inputs = #plan.space<inputs>

plan.program @integers kind predict {
  // expected-error @below {{'plan.input' op expects floats to be checked but got 'i32'}}
  %x = plan.input 0 "x" {checked} : memref<4xi32, #inputs>
  plan.return
}

// -----

#inputs = #plan.space<inputs>

plan.program @no_results kind predict {
  %x = plan.input 0 "x" : memref<2x2xf32, #inputs>
  // expected-error @below {{'plan.call' op expects results to be checked but got none}}
  plan.call #plan.onednn.matmul<m = 2, n = 2, k = 2> checked ins(%x, %x : memref<2x2xf32, #inputs>, memref<2x2xf32, #inputs>)
  plan.return
}

// -----

#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

plan.program @doubles kind predict {
  %x = plan.input 0 "x" : memref<2x2xf32, #inputs>
  %y = plan.output 0 "y" : memref<2x2xf64, #outputs>
  // expected-error @below {{'plan.call' op expects results of f32, f16 or bf16 to be checked but got 'f64'}}
  plan.call #plan.onednn.matmul<m = 2, n = 2, k = 2> checked ins(%x, %x : memref<2x2xf32, #inputs>, memref<2x2xf32, #inputs>) outs(%y : memref<2x2xf64, #outputs>)
  plan.return
}
