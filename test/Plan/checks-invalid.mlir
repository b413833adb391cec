// RUN: job-opt %s --split-input-file --verify-diagnostics

plan.program @no_status kind predict {
  %x = plan.input 0 "x" : memref<4xf32>
  // expected-error @below {{'plan.dispatch' op expects a last buffer of type 'memref<2xi32>' for what the checks find but got none}}
  plan.dispatch @kernel chunks(2) ins(%x : memref<4xf32>) {checks = [loc("log")]}
  plan.return
}
func.func private @kernel(memref<4xf32>, index)

// -----

plan.program @wrong_status kind predict {
  %x = plan.input 0 "x" : memref<4xf32>
  %y = plan.output 0 "y" : memref<4xf32>
  // expected-error @below {{'plan.dispatch' op expects a last buffer of type 'memref<2xi32>' for what the checks find but got 'memref<4xf32>'}}
  plan.dispatch @kernel chunks(2) ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {checks = [loc("log")]}
  plan.return
}
func.func private @kernel(memref<4xf32>, memref<4xf32>, index)

// -----

plan.program @no_locations kind predict {
  %x = plan.input 0 "x" : memref<4xf32>
  %y = plan.output 0 "y" : memref<1xi32>
  // expected-error @below {{'plan.dispatch' op attribute 'checks' failed to satisfy constraint: array of locations}}
  plan.dispatch @kernel chunks(1) ins(%x : memref<4xf32>) outs(%y : memref<1xi32>) {checks = ["log"]}
  plan.return
}
func.func private @kernel(memref<4xf32>, memref<1xi32>, index)
