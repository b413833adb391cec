// RUN: job-opt %s --plan-verify --split-input-file --verify-diagnostics

#arena = #plan.space<arena>
#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

#all = affine_map<(d0, d1) -> (d0, d1)>
plan.executable @copy {
  plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 32], interleave = 1>) chunks(2)
  func.func @body(%x: tensor<64x96xf32>, %y: tensor<64x96xf32>) -> tensor<64x96xf32> {
    %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x96xf32>) outs(%y : tensor<64x96xf32>) {
    ^bb0(%p: f32, %q: f32):
      linalg.yield %p : f32
    } -> tensor<64x96xf32>
    return %0 : tensor<64x96xf32>
  }
}
plan.program @blocks_are_equal kind predict {
  %x = plan.input 0 "x" {offset = 0 : i64} : memref<64x128xf32, #inputs>
  %w = plan.input 1 "w" {offset = 32768 : i64} : memref<128x96xf32, #inputs>
  %y = plan.output 0 "y" {offset = 0 : i64} : memref<64x96xf32, #outputs>
  %a = plan.alloc {offset = 0 : i64} : memref<64x96xf32, #arena>
  plan.call #plan.onednn.matmul<m = 64, n = 96, k = 128, row_parts = 2> ins(%x, %w : memref<64x128xf32, #inputs>, memref<128x96xf32, #inputs>) outs(%a : memref<64x96xf32, #arena>)
  plan.dispatch @copy epilogue ins(%a : memref<64x96xf32, #arena>) outs(%y : memref<64x96xf32, #outputs>)
  plan.return
}
plan.program @blocks_differ kind predict {
  %x = plan.input 0 "x" {offset = 0 : i64} : memref<64x128xf32, #inputs>
  %w = plan.input 1 "w" {offset = 32768 : i64} : memref<128x96xf32, #inputs>
  %y = plan.output 0 "y" {offset = 0 : i64} : memref<64x96xf32, #outputs>
  %a = plan.alloc {offset = 0 : i64} : memref<64x96xf32, #arena>
  // expected-note@below {{the command is here}}
  plan.call #plan.onednn.matmul<m = 64, n = 96, k = 128, column_parts = 2> ins(%x, %w : memref<64x128xf32, #inputs>, memref<128x96xf32, #inputs>) outs(%a : memref<64x96xf32, #arena>)
  // expected-error@below {{'plan.dispatch' op expects the chunks of an epilogue to be independent of other chunks of a command before it but one reads what other chunks of it write}}
  plan.dispatch @copy epilogue ins(%a : memref<64x96xf32, #arena>) outs(%y : memref<64x96xf32, #outputs>)
  plan.return
}

// -----

#arena = #plan.space<arena>
#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

#all = affine_map<(d0, d1) -> (d0, d1)>
plan.executable @copy {
  plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 32], interleave = 1>) chunks(2)
  func.func @body(%x: tensor<64x96xf32>, %y: tensor<64x96xf32>) -> tensor<64x96xf32> {
    %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x96xf32>) outs(%y : tensor<64x96xf32>) {
    ^bb0(%p: f32, %q: f32):
      linalg.yield %p : f32
    } -> tensor<64x96xf32>
    return %0 : tensor<64x96xf32>
  }
}
plan.program @numbers_of_chunks kind predict {
  %x = plan.input 0 "x" {offset = 0 : i64} : memref<64x128xf32, #inputs>
  %w = plan.input 1 "w" {offset = 32768 : i64} : memref<128x96xf32, #inputs>
  %y = plan.output 0 "y" {offset = 0 : i64} : memref<64x96xf32, #outputs>
  %a = plan.alloc {offset = 0 : i64} : memref<64x96xf32, #arena>
  // expected-note@below {{the command is here}}
  plan.call #plan.onednn.matmul<m = 64, n = 96, k = 128, row_parts = 4> ins(%x, %w : memref<64x128xf32, #inputs>, memref<128x96xf32, #inputs>) outs(%a : memref<64x96xf32, #arena>)
  // expected-error@below {{'plan.dispatch' op expects an epilogue of a command of 4 chunks to have as many but got 2}}
  plan.dispatch @copy epilogue ins(%a : memref<64x96xf32, #arena>) outs(%y : memref<64x96xf32, #outputs>)
  plan.return
}

// -----

#arena = #plan.space<arena>
#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

#all = affine_map<(d0, d1) -> (d0, d1)>
plan.executable @copy {
  plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 32], interleave = 1>) chunks(2)
  func.func @body(%x: tensor<64x96xf32>, %y: tensor<64x96xf32>) -> tensor<64x96xf32> {
    %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x96xf32>) outs(%y : tensor<64x96xf32>) {
    ^bb0(%p: f32, %q: f32):
      linalg.yield %p : f32
    } -> tensor<64x96xf32>
    return %0 : tensor<64x96xf32>
  }
}
// Two commands back: the copy writes what other chunks of the call read.
plan.program @writes_what_others_read kind predict {
  %w = plan.input 0 "w" {offset = 0 : i64} : memref<96x96xf32, #inputs>
  %y = plan.output 0 "y" {offset = 0 : i64} : memref<64x96xf32, #outputs>
  %x = plan.alloc {offset = 0 : i64} : memref<64x96xf32, #arena>
  %a = plan.alloc {offset = 24576 : i64} : memref<64x96xf32, #arena>
  // expected-note@below {{the command is here}}
  plan.call #plan.onednn.matmul<m = 64, n = 96, k = 96, row_parts = 2> ins(%x, %w : memref<64x96xf32, #arena>, memref<96x96xf32, #inputs>) outs(%a : memref<64x96xf32, #arena>)
  plan.dispatch @copy epilogue ins(%a : memref<64x96xf32, #arena>) outs(%y : memref<64x96xf32, #outputs>)
  %z = plan.alloc {offset = 0 : i64} : memref<64x96xf32, #arena>
  // expected-error@below {{but one writes what other chunks of it read}}
  plan.dispatch @copy epilogue ins(%y : memref<64x96xf32, #outputs>) outs(%z : memref<64x96xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>
#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

#all = affine_map<(d0, d1) -> (d0, d1)>
plan.executable @copy {
  plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 32], interleave = 1>) chunks(2)
  func.func @body(%x: tensor<64x96xf32>, %y: tensor<64x96xf32>) -> tensor<64x96xf32> {
    %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x96xf32>) outs(%y : tensor<64x96xf32>) {
    ^bb0(%p: f32, %q: f32):
      linalg.yield %p : f32
    } -> tensor<64x96xf32>
    return %0 : tensor<64x96xf32>
  }
}
plan.program @nothing_before kind predict {
  %x = plan.input 0 "x" {offset = 0 : i64} : memref<64x96xf32, #inputs>
  %y = plan.output 0 "y" {offset = 0 : i64} : memref<64x96xf32, #outputs>
  %a = plan.alloc {offset = 0 : i64} : memref<64x96xf32, #arena>
  plan.copy %x to %a : memref<64x96xf32, #inputs> to memref<64x96xf32, #arena>
  // expected-error@below {{'plan.dispatch' op expects an epilogue to come after a call or a dispatch on its queue but got none there}}
  plan.dispatch @copy epilogue ins(%a : memref<64x96xf32, #arena>) outs(%y : memref<64x96xf32, #outputs>)
  plan.return
}

// -----

#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

plan.device @cpu0 kind(host) queues(2)
#all = affine_map<(d0, d1) -> (d0, d1)>
plan.executable @copy {
  plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 32], interleave = 1>) chunks(2)
  func.func @body(%x: tensor<64x96xf32>, %y: tensor<64x96xf32>) -> tensor<64x96xf32> {
    %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x96xf32>) outs(%y : tensor<64x96xf32>) {
    ^bb0(%p: f32, %q: f32):
      linalg.yield %p : f32
    } -> tensor<64x96xf32>
    return %0 : tensor<64x96xf32>
  }
}
plan.program @another_queue kind predict {
  %x = plan.input 0 "x" {offset = 0 : i64} : memref<64x96xf32, #inputs>
  %y = plan.output 0 "y" {offset = 0 : i64} : memref<64x96xf32, #outputs>
  %z = plan.output 1 "z" {offset = 24576 : i64} : memref<64x96xf32, #outputs>
  plan.dispatch @copy ins(%x : memref<64x96xf32, #inputs>) outs(%y : memref<64x96xf32, #outputs>)
  // expected-error@below {{'plan.dispatch' op expects an epilogue to come after a call or a dispatch on its queue but got none there}}
  plan.dispatch @copy epilogue queue(1) ins(%x : memref<64x96xf32, #inputs>) outs(%z : memref<64x96xf32, #outputs>)
  plan.return
}

// -----

#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

plan.executable @code {
  plan.variant @cpu chunks(2) function(@cpu_code)
  func.func @cpu_code(%x: memref<4xf32>, %y: memref<4xf32>, %chunk: index) {
    return
  }
}
plan.program @no_body kind predict {
  %x = plan.input 0 "x" {offset = 0 : i64} : memref<4xf32, #inputs>
  %y = plan.output 0 "y" {offset = 0 : i64} : memref<4xf32, #outputs>
  %z = plan.output 1 "z" {offset = 64 : i64} : memref<4xf32, #outputs>
  plan.dispatch @code ins(%x : memref<4xf32, #inputs>) outs(%y : memref<4xf32, #outputs>)
  // expected-error@below {{'plan.dispatch' op expects an epilogue to have a kernel with passes over data and a schedule}}
  plan.dispatch @code epilogue ins(%x : memref<4xf32, #inputs>) outs(%z : memref<4xf32, #outputs>)
  plan.return
}

// -----

#arena = #plan.space<arena>
#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

#all = affine_map<(d0, d1) -> (d0, d1)>
plan.executable @copy {
  plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 32], interleave = 1>) chunks(2)
  func.func @body(%x: tensor<64x96xf32>, %y: tensor<64x96xf32>) -> tensor<64x96xf32> {
    %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x96xf32>) outs(%y : tensor<64x96xf32>) {
    ^bb0(%p: f32, %q: f32):
      linalg.yield %p : f32
    } -> tensor<64x96xf32>
    return %0 : tensor<64x96xf32>
  }
}
plan.program @no_offsets kind predict {
  %x = plan.input 0 "x" {offset = 0 : i64} : memref<64x96xf32, #inputs>
  %y = plan.output 0 "y" {offset = 0 : i64} : memref<64x96xf32, #outputs>
  // expected-note@below {{the buffer is here}}
  %a = plan.alloc : memref<64x96xf32, #arena>
  plan.dispatch @copy ins(%x : memref<64x96xf32, #inputs>) outs(%a : memref<64x96xf32, #arena>)
  // expected-error@below {{'plan.dispatch' op expects offsets of all buffers for an epilogue but got none}}
  plan.dispatch @copy epilogue ins(%a : memref<64x96xf32, #arena>) outs(%y : memref<64x96xf32, #outputs>)
  plan.return
}

// -----

#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>

plan.device @gpu0 kind(cuda) queues(1)
plan.executable @negate {
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 1, threads = 32, lanes = 1, accumulate = 128>) chunks(1)
  func.func @body(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = arith.negf %in : f32
      linalg.yield %1 : f32
    } -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
plan.program @launch kind predict {
  %x = plan.input 0 "x" {offset = 0 : i64} : memref<4xf32, #inputs>
  %y = plan.output 0 "y" {offset = 0 : i64} : memref<4xf32, #outputs>
  %z = plan.output 1 "z" {offset = 64 : i64} : memref<4xf32, #outputs>
  %u = plan.output 2 "u" {offset = 128 : i64} : memref<4xf32, #outputs>
  plan.dispatch @negate ins(%x : memref<4xf32, #inputs>) outs(%y : memref<4xf32, #outputs>)
  // expected-note@below {{the command is here}}
  plan.dispatch @negate joined ins(%x : memref<4xf32, #inputs>) outs(%z : memref<4xf32, #outputs>)
  // expected-error@below {{'plan.dispatch' op expects an epilogue of a dispatch that is launched alone but got one of a launch of several}}
  plan.dispatch @negate epilogue ins(%y : memref<4xf32, #outputs>) outs(%u : memref<4xf32, #outputs>)
  plan.return
}
