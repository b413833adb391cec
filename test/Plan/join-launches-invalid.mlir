// RUN: job-opt %s --plan-verify --split-input-file --verify-diagnostics

#arena = #plan.space<arena>
plan.executable @negate {
  func.func @body(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = arith.negf %in : f32
      linalg.yield %1 : f32
    } -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
plan.program @conflict kind predict {
  %a = plan.alloc {offset = 0 : i64} : memref<4xf32, #arena>
  %b = plan.alloc {offset = 64 : i64} : memref<4xf32, #arena>
  %c = plan.alloc {offset = 64 : i64} : memref<4xf32, #arena>
  %d = plan.alloc {offset = 128 : i64} : memref<4xf32, #arena>
  // expected-note@below {{the other one is here}}
  plan.dispatch @negate ins(%a : memref<4xf32, #arena>) outs(%b : memref<4xf32, #arena>)
  plan.dispatch @negate joined ins(%a : memref<4xf32, #arena>) outs(%d : memref<4xf32, #arena>)
  // expected-error@below {{expects the dispatches of a launch to be independent but one writes what another one accesses}}
  plan.dispatch @negate joined ins(%a : memref<4xf32, #arena>) outs(%c : memref<4xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>
plan.executable @negate {
  func.func @body(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = arith.negf %in : f32
      linalg.yield %1 : f32
    } -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
plan.program @first kind predict {
  %a = plan.alloc : memref<4xf32, #arena>
  %b = plan.alloc : memref<4xf32, #arena>
  plan.fill %a with 0 : memref<4xf32, #arena>
  // expected-error@below {{expects a dispatch that joins a launch to come after a dispatch on its queue but got none there}}
  plan.dispatch @negate joined ins(%a : memref<4xf32, #arena>) outs(%b : memref<4xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>
plan.executable @negate {
  func.func @body(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = arith.negf %in : f32
      linalg.yield %1 : f32
    } -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [0, 4]>)
}
plan.program @epilogue kind predict {
  %a = plan.alloc {offset = 0 : i64} : memref<4xf32, #arena>
  %b = plan.alloc {offset = 64 : i64} : memref<4xf32, #arena>
  %c = plan.alloc {offset = 128 : i64} : memref<4xf32, #arena>
  plan.dispatch @negate ins(%a : memref<4xf32, #arena>) outs(%b : memref<4xf32, #arena>)
  // expected-error@below {{expects the dispatches of a launch to have no checks and to be no epilogues}}
  plan.dispatch @negate epilogue joined ins(%a : memref<4xf32, #arena>) outs(%c : memref<4xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>
plan.executable @divide {
  func.func @body(%x: tensor<4xf32>, %y: tensor<4xf32>, %s: tensor<64xi32>) -> tensor<4xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %c = arith.constant 0.0 : f32
      %1 = arith.divf %in, %c : f32
      plan.check %1 number 0 of 1 : f32
      linalg.yield %1 : f32
    } -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [0, 4]>)
}
plan.executable @negate {
  func.func @body(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = arith.negf %in : f32
      linalg.yield %1 : f32
    } -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [0, 4]>)
}
plan.program @checks_of_the_first kind predict {
  %a = plan.alloc {offset = 0 : i64} : memref<4xf32, #arena>
  %b = plan.alloc {offset = 64 : i64} : memref<4xf32, #arena>
  %c = plan.alloc {offset = 128 : i64} : memref<4xf32, #arena>
  %s = plan.alloc {offset = 256 : i64} : memref<64xi32, #arena>
  // expected-error@below {{expects the dispatches of a launch to have no checks and to be no epilogues}}
  plan.dispatch @divide ins(%a : memref<4xf32, #arena>) outs(%b, %s : memref<4xf32, #arena>, memref<64xi32, #arena>) {checks = [loc("x")]}
  plan.dispatch @negate joined ins(%a : memref<4xf32, #arena>) outs(%c : memref<4xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>
plan.executable @negate {
  func.func @body(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = arith.negf %in : f32
      linalg.yield %1 : f32
    } -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [0, 4]>)
}
plan.program @after_a_call kind predict {
  %a = plan.alloc {offset = 0 : i64} : memref<4x4xf32, #arena>
  %b = plan.alloc {offset = 64 : i64} : memref<4x4xf32, #arena>
  %c = plan.alloc {offset = 128 : i64} : memref<4xf32, #arena>
  %d = plan.alloc {offset = 192 : i64} : memref<4xf32, #arena>
  plan.call #plan.onednn.matmul<m = 4, n = 4, k = 4> ins(%a, %a : memref<4x4xf32, #arena>, memref<4x4xf32, #arena>) outs(%b : memref<4x4xf32, #arena>)
  // expected-error@below {{expects a dispatch that joins a launch to come after a dispatch on its queue but got none there}}
  plan.dispatch @negate joined ins(%c : memref<4xf32, #arena>) outs(%d : memref<4xf32, #arena>)
  plan.return
}
