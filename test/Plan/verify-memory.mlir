// RUN: job-opt %s --plan-verify-memory --split-input-file --verify-diagnostics

// What is right passes: buffers that touch, share bytes one after the other, or
// have no bytes; two reads of one buffer; a variable updated in place; views.

plan.variable @weight : memref<16xf32> {offset = 0 : i64}
plan.variable @empty : memref<0xf32> {offset = 0 : i64}
plan.variable @bias : memref<1xf32> {offset = 64 : i64}
plan.constant @table dense<1.0> : tensor<16xf32> {offset = 64 : i64}
plan.executable @update {
  plan.variant @cpu chunks(1) function(@cpu_code)
  func.func private @cpu_code(memref<16xf32>, memref<16xf32>, memref<16xf32>, index)
}
plan.program @right kind train attributes {
    arena_bytes = 192 : i64, arena_lower_bound = 192 : i64,
    input_bytes = 64 : i64, output_bytes = 128 : i64,
    workspace_bytes = 128 : i64} {
  %x = plan.input 0 "x" {offset = 0 : i64} : memref<16xf32>
  %y = plan.output 0 "y" {offset = 64 : i64} : memref<3xf32>
  %z = plan.output 1 "z" {offset = 0 : i64} : memref<16xf32>
  %weight = plan.get_variable @weight : memref<16xf32>
  %table = plan.get_constant @table : memref<16xf32>
  %workspace = plan.workspace : memref<100xi8>
  %a = plan.alloc {offset = 0 : i64} : memref<16xf32>
  %b = plan.alloc {offset = 64 : i64} : memref<32xf32>
  %c = plan.alloc {offset = 0 : i64} : memref<16xf32>
  %unused = plan.alloc : memref<1000xf32>
  %v = plan.view %c : memref<16xf32> to memref<4x4xf32>
  plan.copy %x to %a : memref<16xf32>
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%a, %a : memref<16xf32>, memref<16xf32>) outs(%b : memref<32xf32>) workspace(%workspace : memref<100xi8>)
  plan.fill %v with 0 : memref<4x4xf32>
  plan.dispatch @update ins(%table : memref<16xf32>) inouts(%weight : memref<16xf32>) outs(%z : memref<16xf32>)
  plan.copy %c to %z : memref<16xf32>
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%b, %z : memref<32xf32>, memref<16xf32>) outs(%y : memref<3xf32>)
  plan.return
}

// -----

// expected-error@+1 {{'plan.variable' op expects an offset but got none}}
plan.variable @weight : memref<16xf32>

// -----

// expected-error@+1 {{'plan.variable' op expects an offset that is a multiple of 64 but got 96}}
plan.variable @weight : memref<16xf32> {offset = 96 : i64}

// -----

// expected-error@+1 {{'plan.variable' op expects to be within the 281474976710656 bytes of the bank but has 64 bytes at offset 281474976710656}}
plan.variable @weight : memref<16xf32> {offset = 281474976710656 : i64}

// -----

// expected-error@+1 {{'plan.variable' op expects no overlap but [64, 128) overlaps}}
plan.variable @weight : memref<16xf32> {offset = 64 : i64}
// expected-note@+1 {{with this one at [0, 68)}}
plan.variable @bias : memref<17xf32> {offset = 0 : i64}

// -----

// An empty one in between hides nothing.
// expected-note@+1 {{with this one at [0, 192)}}
plan.variable @weight : memref<48xf32> {offset = 0 : i64}
plan.variable @empty : memref<0xf32> {offset = 64 : i64}
// expected-error@+1 {{'plan.variable' op expects no overlap but [128, 132) overlaps}}
plan.variable @bias : memref<1xf32> {offset = 128 : i64}

// -----

// expected-note@+1 {{with this one at [0, 8)}}
plan.constant @a dense<1.0> : tensor<2xf32> {offset = 0 : i64}
// expected-error@+1 {{'plan.constant' op expects no overlap but [0, 4) overlaps}}
plan.constant @b dense<1.0> : tensor<1xf32> {offset = 0 : i64}

// -----

// expected-error@+1 {{'plan.constant' op expects an offset but got none}}
plan.constant @a dense<1.0> : tensor<2xf32>

// -----

plan.program @input_without_offset kind predict {
  // expected-error@+1 {{'plan.input' op expects an offset but got none}}
  %x = plan.input 0 "x" : memref<16xf32>
  plan.return
}

// -----

plan.program @input_leaves_slot kind predict attributes {input_bytes = 64 : i64} {
  // expected-error@+1 {{'plan.input' op expects to be within the 64 bytes of the input but has 64 bytes at offset 64}}
  %x = plan.input 0 "x" {offset = 64 : i64} : memref<16xf32>
  plan.return
}

// -----

plan.program @inputs_overlap kind predict attributes {input_bytes = 64 : i64} {
  // expected-note@+1 {{with this one at [0, 64)}}
  %x = plan.input 0 "x" {offset = 0 : i64} : memref<16xf32>
  // expected-error@+1 {{'plan.input' op expects no overlap but [0, 4) overlaps}}
  %y = plan.input 1 "y" {offset = 0 : i64} : memref<1xf32>
  plan.return
}

// -----

plan.program @outputs_overlap kind predict attributes {input_bytes = 0 : i64, output_bytes = 64 : i64} {
  // expected-note@+1 {{with this one at [0, 64)}}
  %x = plan.output 0 "x" {offset = 0 : i64} : memref<16xf32>
  // expected-error@+1 {{'plan.output' op expects no overlap but [0, 4) overlaps}}
  %y = plan.output 1 "y" {offset = 0 : i64} : memref<1xf32>
  plan.return
}

// -----

// expected-error@+1 {{'plan.program' op expects input_bytes = 64 but got none}}
plan.program @input_size kind predict {
  %x = plan.input 0 "x" {offset = 0 : i64} : memref<1xf32>
  plan.return
}

// -----

// expected-error@+1 {{'plan.program' op expects output_bytes = 64 but got 128}}
plan.program @output_size kind predict attributes {input_bytes = 0 : i64, output_bytes = 128 : i64} {
  %y = plan.output 0 "y" {offset = 0 : i64} : memref<1xf32>
  plan.return
}

// -----

// expected-error@+1 {{'plan.program' op expects workspace_bytes = 128 but got 64}}
plan.program @workspace_size kind predict attributes {input_bytes = 0 : i64, output_bytes = 0 : i64, workspace_bytes = 64 : i64} {
  %a = plan.workspace : memref<1xi8>
  %b = plan.workspace : memref<65xi8>
  plan.return
}

// -----

// expected-error@+1 {{'plan.program' op expects arena_bytes = 128 but got 192}}
plan.program @arena_size kind predict attributes {
    arena_bytes = 192 : i64, arena_lower_bound = 128 : i64,
    input_bytes = 0 : i64, output_bytes = 0 : i64, workspace_bytes = 0 : i64} {
  %a = plan.alloc {offset = 64 : i64} : memref<16xf32>
  plan.fill %a with 0 : memref<16xf32>
  plan.return
}

// -----

// 100 -> 128 and 64 bytes are alive at command 1; nothing else is alive then.
// expected-error@+1 {{'plan.program' op expects arena_lower_bound = 192 but got 256}}
plan.program @lower_bound kind predict attributes {
    arena_bytes = 256 : i64, arena_lower_bound = 256 : i64,
    input_bytes = 0 : i64, output_bytes = 0 : i64, workspace_bytes = 0 : i64} {
  %a = plan.alloc {offset = 0 : i64} : memref<16xf32>
  %b = plan.alloc {offset = 64 : i64} : memref<25xf32>
  %c = plan.alloc {offset = 192 : i64} : memref<16xf32>
  plan.fill %a with 0 : memref<16xf32>
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%a : memref<16xf32>) outs(%b : memref<25xf32>)
  plan.fill %c with 0 : memref<16xf32>
  plan.return
}

// -----

plan.program @buffer_leaves_arena kind predict attributes {
    arena_bytes = 64 : i64, arena_lower_bound = 64 : i64,
    input_bytes = 0 : i64, output_bytes = 0 : i64, workspace_bytes = 0 : i64} {
  // expected-error@+1 {{'plan.alloc' op expects to be within the 64 bytes of the arena but has 128 bytes at offset 0}}
  %a = plan.alloc {offset = 0 : i64} : memref<32xf32>
  plan.fill %a with 0 : memref<32xf32>
  plan.return
}

// -----

plan.program @buffer_without_offset kind predict attributes {
    input_bytes = 0 : i64, output_bytes = 0 : i64, workspace_bytes = 0 : i64} {
  // expected-error@+1 {{'plan.alloc' op expects an offset but got none}}
  %a = plan.alloc : memref<32xf32>
  plan.fill %a with 0 : memref<32xf32>
  plan.return
}

// -----

// Alive together at command 1 only.
plan.program @buffers_overlap kind predict attributes {
    arena_bytes = 192 : i64, arena_lower_bound = 128 : i64,
    input_bytes = 0 : i64, output_bytes = 0 : i64, workspace_bytes = 0 : i64} {
  // expected-note@+1 {{with this one at [0, 128) from command 0 to 1}}
  %a = plan.alloc {offset = 0 : i64} : memref<32xf32>
  // expected-error@+1 {{'plan.alloc' op expects no overlap from command 1 to 2 but [64, 192) overlaps}}
  %b = plan.alloc {offset = 64 : i64} : memref<32xf32>
  plan.fill %a with 0 : memref<32xf32>
  plan.copy %a to %b : memref<32xf32>
  plan.fill %b with 0 : memref<32xf32>
  plan.return
}

// -----

// The later buffer may lie below the one that it overlaps.
plan.program @buffers_overlap_below kind predict attributes {
    arena_bytes = 192 : i64, arena_lower_bound = 128 : i64,
    input_bytes = 0 : i64, output_bytes = 0 : i64, workspace_bytes = 0 : i64} {
  // expected-note@+1 {{with this one at [64, 192) from command 0 to 1}}
  %a = plan.alloc {offset = 64 : i64} : memref<32xf32>
  // expected-error@+1 {{'plan.alloc' op expects no overlap from command 1 to 1 but [0, 128) overlaps}}
  %b = plan.alloc {offset = 0 : i64} : memref<32xf32>
  plan.fill %a with 0 : memref<32xf32>
  plan.copy %a to %b : memref<32xf32>
  plan.return
}

// -----

// A view of a view keeps a buffer alive.
plan.program @view_keeps_alive kind predict attributes {
    arena_bytes = 64 : i64, arena_lower_bound = 64 : i64,
    input_bytes = 0 : i64, output_bytes = 0 : i64, workspace_bytes = 0 : i64} {
  // expected-note@+1 {{with this one at [0, 64) from command 0 to 2}}
  %a = plan.alloc {offset = 0 : i64} : memref<16xf32>
  // expected-error@+1 {{'plan.alloc' op expects no overlap from command 1 to 1 but [0, 64) overlaps}}
  %b = plan.alloc {offset = 0 : i64} : memref<16xf32>
  %v = plan.view %a : memref<16xf32> to memref<4x4xf32>
  %w = plan.view %v : memref<4x4xf32> to memref<2x8xf32>
  plan.fill %a with 0 : memref<16xf32>
  plan.fill %b with 0 : memref<16xf32>
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%w : memref<2x8xf32>)
  plan.return
}

// -----

plan.program @read_before_write kind predict attributes {
    arena_bytes = 64 : i64, arena_lower_bound = 64 : i64,
    input_bytes = 0 : i64, output_bytes = 64 : i64, workspace_bytes = 0 : i64} {
  %y = plan.output 0 "y" {offset = 0 : i64} : memref<16xf32>
  // expected-note@+1 {{the buffer is here}}
  %a = plan.alloc {offset = 0 : i64} : memref<16xf32>
  // expected-error@+1 {{'plan.copy' op reads operand #0 before anything was written to it}}
  plan.copy %a to %y : memref<16xf32>
  plan.return
}

// -----

plan.executable @update {
  plan.variant @cpu chunks(1) function(@cpu_code)
  func.func private @cpu_code(memref<16xf32>, index)
}
plan.program @update_before_write kind predict attributes {
    arena_bytes = 0 : i64, arena_lower_bound = 0 : i64,
    input_bytes = 0 : i64, output_bytes = 64 : i64, workspace_bytes = 0 : i64} {
  // expected-note@+1 {{the buffer is here}}
  %y = plan.output 0 "y" {offset = 0 : i64} : memref<16xf32>
  // expected-error@+1 {{'plan.dispatch' op reads operand #0 before anything was written to it}}
  plan.dispatch @update inouts(%y : memref<16xf32>)
  plan.return
}

// -----

plan.program @read_workspace kind predict attributes {
    arena_bytes = 0 : i64, arena_lower_bound = 0 : i64,
    input_bytes = 0 : i64, output_bytes = 64 : i64, workspace_bytes = 64 : i64} {
  %y = plan.output 0 "y" {offset = 0 : i64} : memref<16xf32>
  %w = plan.workspace : memref<16xf32>
  plan.fill %w with 0 : memref<16xf32>
  // expected-error@+1 {{'plan.copy' op expects to read a buffer with defined contents but operand #0 is a workspace}}
  plan.copy %w to %y : memref<16xf32>
  plan.return
}

// -----

plan.constant @table dense<1.0> : tensor<16xf32> {offset = 0 : i64}
plan.program @write_constant kind predict attributes {
    arena_bytes = 0 : i64, arena_lower_bound = 0 : i64,
    input_bytes = 0 : i64, output_bytes = 0 : i64, workspace_bytes = 0 : i64} {
  %c = plan.get_constant @table : memref<16xf32>
  // expected-error@+1 {{'plan.fill' op expects to write a writable buffer but operand #0 is a constant}}
  plan.fill %c with 0 : memref<16xf32>
  plan.return
}

// -----

// The same variable under two names.
plan.variable @weight : memref<16xf32> {offset = 128 : i64}
plan.program @operands_overlap kind predict attributes {
    arena_bytes = 0 : i64, arena_lower_bound = 0 : i64,
    input_bytes = 0 : i64, output_bytes = 0 : i64, workspace_bytes = 0 : i64} {
  %a = plan.get_variable @weight : memref<16xf32>
  %b = plan.get_variable @weight : memref<16xf32>
  // expected-error@+1 {{'plan.copy' op expects buffers that do not overlap but operands #0 and #1 have bytes [128, 192) and [128, 192) of the bank}}
  plan.copy %a to %b : memref<16xf32>
  plan.return
}

// -----

plan.program @workspace_twice kind predict attributes {
    arena_bytes = 0 : i64, arena_lower_bound = 0 : i64,
    input_bytes = 0 : i64, output_bytes = 0 : i64, workspace_bytes = 128 : i64} {
  %a = plan.workspace : memref<16xf32>
  %b = plan.workspace : memref<32xf32>
  // expected-error@+1 {{'plan.call' op expects buffers that do not overlap but operands #0 and #1 have bytes [0, 64) and [0, 128) of the workspace}}
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> outs(%a, %b : memref<16xf32>, memref<32xf32>)
  plan.return
}

// -----

// A kernel that reads and writes one buffer: legal, element by element.
plan.executable @exp {
  func.func @body(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
    %0 = linalg.generic {
        indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
        iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<8x16xf32>) outs(%x : tensor<8x16xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = math.exp %a : f32
      linalg.yield %1 : f32
    } -> tensor<8x16xf32>
    return %0 : tensor<8x16xf32>
  }
}
plan.program @in_place kind predict attributes {
    arena_bytes = 512 : i64, arena_lower_bound = 512 : i64,
    input_bytes = 0 : i64, output_bytes = 0 : i64, workspace_bytes = 0 : i64} {
  %a = plan.alloc {offset = 0 : i64} : memref<8x16xf32>
  plan.fill %a with 0 : memref<8x16xf32>
  plan.dispatch @exp inouts(%a : memref<8x16xf32>)
  plan.return
}

// -----

// Legal as well: a row is read as a whole before it is written.
plan.executable @center {
  func.func @body(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<8xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
    %sum = linalg.generic {
        indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
        iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<8x16xf32>) outs(%init : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.addf %b, %a : f32
      linalg.yield %1 : f32
    } -> tensor<8xf32>
    %0 = linalg.generic {
        indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
        iterator_types = ["parallel", "parallel"]}
        ins(%x, %sum : tensor<8x16xf32>, tensor<8xf32>) outs(%x : tensor<8x16xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %1 = arith.subf %a, %b : f32
      linalg.yield %1 : f32
    } -> tensor<8x16xf32>
    return %0 : tensor<8x16xf32>
  }
}
plan.program @rows_in_place kind predict attributes {
    arena_bytes = 512 : i64, arena_lower_bound = 512 : i64,
    input_bytes = 0 : i64, output_bytes = 0 : i64, workspace_bytes = 0 : i64} {
  %a = plan.alloc {offset = 0 : i64} : memref<8x16xf32>
  plan.fill %a with 0 : memref<8x16xf32>
  plan.dispatch @center inouts(%a : memref<8x16xf32>)
  plan.return
}

// -----

// Other elements than the own one are read: those of the transpose.
// expected-note@+1 {{the kernel is here}}
plan.executable @transposed {
  func.func @body(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = linalg.generic {
        indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
        iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<8x8xf32>) outs(%x : tensor<8x8xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    } -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
plan.program @reads_others kind predict attributes {
    arena_bytes = 256 : i64, arena_lower_bound = 256 : i64,
    input_bytes = 0 : i64, output_bytes = 0 : i64, workspace_bytes = 0 : i64} {
  %a = plan.alloc {offset = 0 : i64} : memref<8x8xf32>
  plan.fill %a with 0 : memref<8x8xf32>
  // expected-error@+1 {{'plan.dispatch' op expects a kernel that accesses operand #0, which it reads and writes, element by element}}
  plan.dispatch @transposed inouts(%a : memref<8x8xf32>)
  plan.return
}

// -----

// The column that is read is not the one that is written.
// expected-note@+1 {{the kernel is here}}
plan.executable @first_column {
  func.func @body(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %column = tensor.extract_slice %x[0, 0] [8, 1] [1, 1] : tensor<8x8xf32> to tensor<8x1xf32>
    %0 = linalg.generic {
        indexing_maps = [affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, j)>],
        iterator_types = ["parallel", "parallel"]}
        ins(%column : tensor<8x1xf32>) outs(%x : tensor<8x8xf32>) {
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    } -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
plan.program @reads_other_columns kind predict attributes {
    arena_bytes = 256 : i64, arena_lower_bound = 256 : i64,
    input_bytes = 0 : i64, output_bytes = 0 : i64, workspace_bytes = 0 : i64} {
  %a = plan.alloc {offset = 0 : i64} : memref<8x8xf32>
  plan.fill %a with 0 : memref<8x8xf32>
  // expected-error@+1 {{'plan.dispatch' op expects a kernel that accesses operand #0, which it reads and writes, element by element}}
  plan.dispatch @first_column inouts(%a : memref<8x8xf32>)
  plan.return
}

// -----

// A row is written from all of the columns while they still are read.
// expected-note@+1 {{the kernel is here}}
plan.executable @summed {
  func.func @body(%x: tensor<8xf32>, %y: tensor<8x8xf32>) -> (tensor<8xf32>, tensor<8x8xf32>) {
    %zero = arith.constant 0.0 : f32
    %init = linalg.fill ins(%zero : f32) outs(%x : tensor<8xf32>) -> tensor<8xf32>
    %0:2 = linalg.generic {
        indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
        iterator_types = ["reduction", "parallel"]}
        ins(%x : tensor<8xf32>) outs(%init, %y : tensor<8xf32>, tensor<8x8xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %1 = arith.addf %b, %a : f32
      linalg.yield %1, %a : f32, f32
    } -> (tensor<8xf32>, tensor<8x8xf32>)
    return %0#0, %0#1 : tensor<8xf32>, tensor<8x8xf32>
  }
}
plan.program @writes_twice kind predict attributes {
    arena_bytes = 320 : i64, arena_lower_bound = 320 : i64,
    input_bytes = 0 : i64, output_bytes = 0 : i64, workspace_bytes = 0 : i64} {
  %a = plan.alloc {offset = 0 : i64} : memref<8xf32>
  %b = plan.alloc {offset = 64 : i64} : memref<8x8xf32>
  plan.fill %a with 0 : memref<8xf32>
  // expected-error@+1 {{'plan.dispatch' op expects a kernel that accesses operand #0, which it reads and writes, element by element}}
  plan.dispatch @summed inouts(%a : memref<8xf32>) outs(%b : memref<8x8xf32>)
  plan.return
}

// -----

// What is only written may hold anything before.
// expected-note@+1 {{the kernel is here}}
plan.executable @neg {
  func.func @body(%x: tensor<8xf32>) -> tensor<8xf32> {
    %0 = linalg.generic {
        indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
        iterator_types = ["parallel"]}
        ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = arith.negf %a : f32
      linalg.yield %1 : f32
    } -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
plan.program @reads_what_it_writes kind predict attributes {
    arena_bytes = 64 : i64, arena_lower_bound = 64 : i64,
    input_bytes = 0 : i64, output_bytes = 0 : i64, workspace_bytes = 0 : i64} {
  %a = plan.alloc {offset = 0 : i64} : memref<8xf32>
  plan.fill %a with 0 : memref<8xf32>
  // expected-error@+1 {{'plan.dispatch' op expects a kernel that does not read operand #0, which it only writes}}
  plan.dispatch @neg outs(%a : memref<8xf32>)
  plan.return
}

// -----

// What a loop over items updates in place cannot be proved right. What it writes
// is not only read. A kernel without a body is trusted.
// expected-note@+1 {{the kernel is here}}
plan.executable @updates {
  func.func @body(%x: memref<8xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %view = memref.reinterpret_cast %x to offset: [0], sizes: [2, 4], strides: [4, 1] : memref<8xf32> to memref<2x4xf32>
    scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
      %0 = memref.load %x[%i] : memref<8xf32>
      memref.store %0, %view[%i, %i] : memref<2x4xf32>
    }
    return
  }
}
plan.executable @trusted {
  plan.variant @cpu chunks(1) function(@cpu_code)
  func.func private @cpu_code(memref<8xf32>, index)
}
plan.program @loops kind predict attributes {
    arena_bytes = 64 : i64, arena_lower_bound = 64 : i64,
    input_bytes = 0 : i64, output_bytes = 0 : i64, workspace_bytes = 0 : i64} {
  %a = plan.alloc {offset = 0 : i64} : memref<8xf32>
  plan.fill %a with 0 : memref<8xf32>
  plan.dispatch @trusted inouts(%a : memref<8xf32>)
  // expected-error@+1 {{'plan.dispatch' op expects a kernel that accesses operand #0, which it reads and writes, element by element}}
  plan.dispatch @updates inouts(%a : memref<8xf32>)
  plan.return
}

// -----

// expected-note@+1 {{the kernel is here}}
plan.executable @written {
  func.func @body(%x: memref<8xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %view = memref.reinterpret_cast %x to offset: [0], sizes: [2, 4], strides: [4, 1] : memref<8xf32> to memref<2x4xf32>
    scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
      %0 = memref.load %x[%i] : memref<8xf32>
      memref.store %0, %view[%i, %i] : memref<2x4xf32>
    }
    return
  }
}
plan.program @reads_only kind predict attributes {
    arena_bytes = 64 : i64, arena_lower_bound = 64 : i64,
    input_bytes = 0 : i64, output_bytes = 0 : i64, workspace_bytes = 0 : i64} {
  %a = plan.alloc {offset = 0 : i64} : memref<8xf32>
  plan.fill %a with 0 : memref<8xf32>
  // expected-error@+1 {{'plan.dispatch' op expects a kernel that does not write operand #0, which it only reads}}
  plan.dispatch @written ins(%a : memref<8xf32>)
  plan.return
}

// -----

plan.program @unwritten kind predict attributes {
    arena_bytes = 0 : i64, arena_lower_bound = 0 : i64, input_bytes = 0 : i64,
    output_bytes = 64 : i64, workspace_bytes = 0 : i64} {
  // expected-error@below {{'plan.output' op expects to be written by a command but got none}}
  %y = plan.output 0 "y" {offset = 0 : i64} : memref<16xf32>
  plan.return
}
