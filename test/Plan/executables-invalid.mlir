// RUN: job-opt %s --split-input-file --verify-diagnostics

plan.executable @number {
  // expected-error@+1 {{invalid kind of attribute specified}}
  plan.variant @cpu schedule(4)
}

// -----

plan.executable @array {
  // expected-error@+1 {{'plan.variant' op attribute 'schedule' failed to satisfy constraint: schedule of a kernel}}
  "plan.variant"() {sym_name = "cpu", schedule = [4]} : () -> ()
}

// -----

plan.executable @twice {
  // expected-error@+1 {{expects 'interleave' once but got it twice}}
  plan.variant @cpu schedule(#plan.cpu_schedule<interleave = 1, interleave = 2>)
}

// -----

plan.executable @unknown {
  // expected-error@+1 {{expects distribute, tile, vectorize, interleave or accumulate but got lanes}}
  plan.variant @cpu schedule(#plan.cpu_schedule<lanes = 16>)
}

// -----

plan.executable @pair {
  // expected-error@+1 {{expects two numbers but got 3}}
  plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [0, 16, 1]>)
}

// -----

plan.executable @distribute_dim {
  // expected-error@+1 {{expects distribute to be a dimension and a positive number of iterations but got [-1, 4]}}
  plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [-1, 4]>)
}

// -----

plan.executable @distribute_size {
  // expected-error@+1 {{expects distribute to be a dimension and a positive number of iterations but got [0, 0]}}
  plan.variant @cpu schedule(#plan.cpu_schedule<distribute = [0, 0]>)
}

// -----

plan.executable @one_lane {
  // expected-error@+1 {{expects vectorize to be a dimension and a power of two of lanes, at most 64, but got [0, 1]}}
  plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [0, 1]>)
}

// -----

plan.executable @twelve_lanes {
  // expected-error@+1 {{expects vectorize to be a dimension and a power of two of lanes, at most 64, but got [0, 12]}}
  plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [0, 12]>)
}

// -----

plan.executable @many_lanes {
  // expected-error@+1 {{expects vectorize to be a dimension and a power of two of lanes, at most 64, but got [0, 128]}}
  plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [0, 128]>)
}

// -----

plan.executable @vectorize_dim {
  // expected-error@+1 {{expects vectorize to be a dimension and a power of two of lanes, at most 64, but got [-1, 16]}}
  plan.variant @cpu schedule(#plan.cpu_schedule<vectorize = [-1, 16]>)
}

// -----

plan.executable @interleave {
  // expected-error@+1 {{expects interleave to be a power of two, at most 8, but got 3}}
  plan.variant @cpu schedule(#plan.cpu_schedule<interleave = 3>)
}

// -----

plan.executable @large_interleave {
  // expected-error@+1 {{expects interleave to be a power of two, at most 8, but got 16}}
  plan.variant @cpu schedule(#plan.cpu_schedule<interleave = 16>)
}

// -----

plan.executable @accumulate {
  // expected-error@+1 {{expects accumulate to be at least 2 but got 1}}
  plan.variant @cpu schedule(#plan.cpu_schedule<accumulate = 1>)
}

// -----

plan.executable @chunks {
  // expected-error@+1 {{'plan.variant' op attribute 'chunks' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  plan.variant @cpu chunks(0)
}

// -----

// expected-error@+1 {{'plan.variant' op expects parent op 'plan.executable'}}
plan.variant @cpu chunks(1)

// -----

plan.executable @without_chunks {
  // expected-error@+1 {{'plan.variant' op expects chunks beside its function but got none}}
  plan.variant @cpu function(@cpu_code)
  func.func private @cpu_code(memref<4xf32>, index)
}

// -----

plan.executable @without_code {
  // expected-error@+1 {{'plan.variant' op expects a function but got @cpu_code, which is none}}
  plan.variant @cpu chunks(1) function(@cpu_code)
}

// -----

#variables = #plan.space<variables>

plan.executable @code_is_variable {
  // expected-error@+1 {{'plan.variant' op expects a function but got @weight, which is none}}
  plan.variant @cpu chunks(1) function(@weight)
}
plan.variable @weight : memref<4xf32, #variables>

// -----

plan.executable @without_chunk_argument {
  // expected-error@+1 {{'plan.variant' op expects a function of memrefs, scalars and the chunk, an index, but got @cpu_code of type '() -> ()'}}
  plan.variant @cpu chunks(1) function(@cpu_code)
  func.func private @cpu_code()
}

// -----

plan.executable @code_is_body {
  // expected-error@+1 {{'plan.variant' op expects a function of memrefs, scalars and the chunk, an index, but got @body of type '(tensor<4xf32>) -> tensor<4xf32>'}}
  plan.variant @cpu chunks(1) function(@body)
  func.func private @body(tensor<4xf32>) -> tensor<4xf32>
}

// -----

plan.executable @foreign {
  // expected-error@+1 {{'arith.constant' op expects to stand outside of a plan.executable, which holds functions and variants only}}
  %0 = arith.constant 0 : index
}

// -----

func.func @outside(%x: f32) {
  // expected-error@+1 {{'plan.check' op expects to stand in a linalg.generic or an scf.parallel}}
  plan.check %x number 0 of 1 : f32
  return
}

// -----

func.func @number(%x: tensor<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) {
  ^bb0(%a: f32):
    // expected-error@+1 {{'plan.check' op expects a number below the count, 2, but got 2}}
    plan.check %a number 2 of 2 : f32
    linalg.yield
  }
  return
}

// -----

// More would not fit into a status word.
func.func @count(%x: tensor<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) {
  ^bb0(%a: f32):
    // expected-error@+1 {{'plan.check' op expects at most 4194303 checks but got 4194304}}
    plan.check %a number 0 of 4194304 : f32
    linalg.yield
  }
  return
}

// -----

func.func @type(%x: tensor<4xf16>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf16>) {
  ^bb0(%a: f16):
    // expected-error@+1 {{'plan.check' op operand #0 must be 32-bit float or 64-bit float or fixed-length vector of 32-bit float or 64-bit float values of ranks 1, but got 'f16'}}
    plan.check %a number 0 of 1 : f16
    linalg.yield
  }
  return
}

// -----

#arena = #plan.space<arena>

plan.executable @neg {
  func.func private @body(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
}
plan.program @body_types kind predict {
  %x = plan.alloc : memref<4xf32, #arena>
  %y = plan.alloc : memref<2x2xf32, #arena>
  // expected-error@+1 {{'plan.dispatch' op expects the buffers and scalars that @neg takes, '(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>'}}
  plan.dispatch @neg ins(%x : memref<4xf32, #arena>) outs(%y : memref<2x2xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.executable @random {
  func.func private @body(tensor<4xf32>, i32) -> tensor<4xf32>
}
plan.program @body_scalars kind predict {
  %x = plan.alloc : memref<4xf32, #arena>
  // expected-error@+1 {{'plan.dispatch' op expects the buffers and scalars that @random takes, '(tensor<4xf32>, i32) -> tensor<4xf32>'}}
  plan.dispatch @random outs(%x : memref<4xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>

// What is written is said to be written.
plan.executable @neg {
  func.func private @body(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
}
plan.program @body_results kind predict {
  %x = plan.alloc : memref<4xf32, #arena>
  %y = plan.alloc : memref<4xf32, #arena>
  // expected-error@+1 {{'plan.dispatch' op expects 1 buffers in inouts and outs, as @neg writes, but got 2}}
  plan.dispatch @neg inouts(%x : memref<4xf32, #arena>) outs(%y : memref<4xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.executable @neg {
  func.func private @body(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
}
plan.program @body_without_results kind predict {
  %x = plan.alloc : memref<4xf32, #arena>
  %y = plan.alloc : memref<4xf32, #arena>
  // expected-error@+1 {{'plan.dispatch' op expects 1 buffers in inouts and outs, as @neg writes, but got 0}}
  plan.dispatch @neg ins(%x, %y : memref<4xf32, #arena>, memref<4xf32, #arena>)
  plan.return
}

// -----

plan.executable @tile_size {
  // expected-error@+1 {{expects tile to be a dimension and a positive number of iterations but got [0, 0]}}
  plan.variant @cpu schedule(#plan.cpu_schedule<tile = [0, 0]>)
}

// -----

plan.executable @tile_vectors {
  // expected-error@+1 {{expects tile and vectorize to be different dimensions but got 1}}
  plan.variant @cpu schedule(#plan.cpu_schedule<tile = [1, 8], vectorize = [1, 16]>)
}

// -----

// A dispatch has as many checks as one count says.
plan.executable @counts {
  func.func @body(%x: tensor<4xf32>, %y: tensor<4xf32>, %status: tensor<64xi32>) -> tensor<4xf32> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32):
      // expected-note@+1 {{the other check is here}}
      plan.check %a number 0 of 6 : f32
      // expected-error@+1 {{'plan.check' op expects a count of 6, as another check of the kernel, but got 1}}
      plan.check %a number 0 of 1 : f32
      linalg.yield %a : f32
    } -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

plan.executable @k {
  // expected-error@+1 {{expects 1 to 2147483647 blocks but got 0}}
  plan.variant @cuda schedule(#plan.cuda_schedule<threads = 32>)
}

// -----

plan.executable @k {
  // expected-error@+1 {{expects threads to be a power of two from 32 to 1024 but got 48}}
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 1, threads = 48>)
}

// -----

plan.executable @k {
  // expected-error@+1 {{expects lanes to be a power of two, at most the 32 threads, but got 64}}
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 1, threads = 32, lanes = 64>)
}

// -----

plan.executable @k {
  // expected-error@+1 {{expects vectorize to be a dimension and a power of two of elements, at most 16, but got [0, 32]}}
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 1, threads = 32, vectorize = [0, 32]>)
}

// -----

plan.executable @k {
  // expected-error@+1 {{expects accumulate to be at least 2 but got 1}}
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 1, threads = 32, accumulate = 1>)
}

// -----

plan.executable @k {
  // expected-error@+1 {{expects blocks, threads, lanes, vectorize, accumulate or transpose but got distribute}}
  plan.variant @cuda schedule(#plan.cuda_schedule<distribute = [0, 4]>)
}

// -----

plan.executable @transpose {
  func.func @body(%x: tensor<4xf32>) { return }
  // expected-error@+1 {{expects transpose without lanes and vectorize but got one of them as well}}
  plan.variant @cuda schedule(#plan.cuda_schedule<blocks = 1, threads = 32, lanes = 2, transpose = 0>)
}
