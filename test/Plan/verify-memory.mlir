// RUN: job-opt %s --plan-verify-memory --split-input-file --verify-diagnostics

#arena = #plan.space<arena>
#variables = #plan.space<variables>
#constants = #plan.space<constants>
#inputs = #plan.space<inputs>
#outputs = #plan.space<outputs>
#workspace = #plan.space<workspace>

// What is right passes: buffers that touch, share bytes one after the other, or
// have no bytes; two reads of one buffer; a variable updated in place; views.

module attributes {plan.sizes = #plan.sizes<variables = 128, constants = 128>} {
plan.variable @weight : memref<16xf32, #variables> {offset = 0 : i64}
plan.variable @empty : memref<0xf32, #variables> {offset = 0 : i64}
plan.variable @bias : memref<1xf32, #variables> {offset = 64 : i64}
plan.constant @table dense<1.0> : tensor<16xf32> {offset = 64 : i64}
plan.executable @update {
  plan.variant @cpu chunks(1) function(@cpu_code)
  func.func private @cpu_code(memref<16xf32>, memref<16xf32>, memref<16xf32>, index)
}
plan.program @right kind train sizes<arena = 192 above 192, inputs = 64, outputs = 128, workspace = 128> {
  %x = plan.input 0 "x" {offset = 0 : i64} : memref<16xf32, #inputs>
  %y = plan.output 0 "y" {offset = 64 : i64} : memref<3xf32, #outputs>
  %z = plan.output 1 "z" {offset = 0 : i64} : memref<16xf32, #outputs>
  %weight = plan.get_variable @weight : memref<16xf32, #variables>
  %table = plan.get_constant @table : memref<16xf32, #constants>
  %workspace = plan.workspace : memref<100xi8, #workspace>
  %a = plan.alloc {offset = 0 : i64} : memref<16xf32, #arena>
  %b = plan.alloc {offset = 64 : i64} : memref<32xf32, #arena>
  %c = plan.alloc {offset = 0 : i64} : memref<16xf32, #arena>
  %unused = plan.alloc : memref<1000xf32, #arena>
  %v = plan.view %c : memref<16xf32, #arena> to memref<4x4xf32, #arena>
  plan.copy %x to %a : memref<16xf32, #inputs> to memref<16xf32, #arena>
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%a, %a : memref<16xf32, #arena>, memref<16xf32, #arena>) outs(%b : memref<32xf32, #arena>) workspace(%workspace : memref<100xi8, #workspace>)
  plan.fill %v with 0 : memref<4x4xf32, #arena>
  plan.dispatch @update ins(%table : memref<16xf32, #constants>) inouts(%weight : memref<16xf32, #variables>) outs(%z : memref<16xf32, #outputs>)
  plan.copy %c to %z : memref<16xf32, #arena> to memref<16xf32, #outputs>
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%b, %z : memref<32xf32, #arena>, memref<16xf32, #outputs>) outs(%y : memref<3xf32, #outputs>)
  plan.return
}
}

// -----

#variables = #plan.space<variables>

// expected-error@+1 {{'plan.variable' op expects an offset but got none}}
plan.variable @weight : memref<16xf32, #variables>

// -----

#variables = #plan.space<variables>

// expected-error@+1 {{'plan.variable' op expects an offset that is a multiple of 64 but got 96}}
plan.variable @weight : memref<16xf32, #variables> {offset = 96 : i64}

// -----

#variables = #plan.space<variables>

// expected-error@+1 {{'plan.variable' op expects to be within the 281474976710656 bytes of the variables but has 64 bytes at offset 281474976710656}}
plan.variable @weight : memref<16xf32, #variables> {offset = 281474976710656 : i64}

// -----

#variables = #plan.space<variables>

// expected-error@+1 {{'plan.variable' op expects no overlap but [64, 128) overlaps}}
plan.variable @weight : memref<16xf32, #variables> {offset = 64 : i64}
// expected-note@+1 {{with this one at [0, 68)}}
plan.variable @bias : memref<17xf32, #variables> {offset = 0 : i64}

// -----

#variables = #plan.space<variables>

// An empty one in between hides nothing.
// expected-note@+1 {{with this one at [0, 192)}}
plan.variable @weight : memref<48xf32, #variables> {offset = 0 : i64}
plan.variable @empty : memref<0xf32, #variables> {offset = 64 : i64}
// expected-error@+1 {{'plan.variable' op expects no overlap but [128, 132) overlaps}}
plan.variable @bias : memref<1xf32, #variables> {offset = 128 : i64}

// -----

// expected-note@+1 {{with this one at [0, 8)}}
plan.constant @a dense<1.0> : tensor<2xf32> {offset = 0 : i64}
// expected-error@+1 {{'plan.constant' op expects no overlap but [0, 4) overlaps}}
plan.constant @b dense<1.0> : tensor<1xf32> {offset = 0 : i64}

// -----

// expected-error@+1 {{'plan.constant' op expects an offset but got none}}
plan.constant @a dense<1.0> : tensor<2xf32>

// -----

#inputs = #plan.space<inputs>

plan.program @input_without_offset kind predict {
  // expected-error@+1 {{'plan.input' op expects an offset but got none}}
  %x = plan.input 0 "x" : memref<16xf32, #inputs>
  plan.return
}

// -----

#inputs = #plan.space<inputs>

plan.program @input_leaves_slot kind predict sizes<inputs = 64> {
  // expected-error@+1 {{'plan.input' op expects to be within the 64 bytes of the inputs but has 64 bytes at offset 64}}
  %x = plan.input 0 "x" {offset = 64 : i64} : memref<16xf32, #inputs>
  plan.return
}

// -----

#inputs = #plan.space<inputs>

plan.program @inputs_overlap kind predict sizes<inputs = 64> {
  // expected-note@+1 {{with this one at [0, 64)}}
  %x = plan.input 0 "x" {offset = 0 : i64} : memref<16xf32, #inputs>
  // expected-error@+1 {{'plan.input' op expects no overlap but [0, 4) overlaps}}
  %y = plan.input 1 "y" {offset = 0 : i64} : memref<1xf32, #inputs>
  plan.return
}

// -----

#outputs = #plan.space<outputs>

plan.program @outputs_overlap kind predict sizes<inputs = 0, outputs = 64> {
  // expected-note@+1 {{with this one at [0, 64)}}
  %x = plan.output 0 "x" {offset = 0 : i64} : memref<16xf32, #outputs>
  // expected-error@+1 {{'plan.output' op expects no overlap but [0, 4) overlaps}}
  %y = plan.output 1 "y" {offset = 0 : i64} : memref<1xf32, #outputs>
  plan.return
}

// -----

#inputs = #plan.space<inputs>

// expected-error@+1 {{'plan.program' op expects 64 bytes of the inputs but got no size of it}}
plan.program @input_size kind predict {
  %x = plan.input 0 "x" {offset = 0 : i64} : memref<1xf32, #inputs>
  plan.return
}

// -----

#outputs = #plan.space<outputs>

// expected-error@+1 {{'plan.program' op expects 64 bytes of the outputs but got 128}}
plan.program @output_size kind predict sizes<inputs = 0, outputs = 128> {
  %y = plan.output 0 "y" {offset = 0 : i64} : memref<1xf32, #outputs>
  plan.return
}

// -----

#workspace = #plan.space<workspace>

// expected-error@+1 {{'plan.program' op expects 128 bytes of the workspace but got 64}}
plan.program @workspace_size kind predict sizes<inputs = 0, outputs = 0, workspace = 64> {
  %a = plan.workspace : memref<1xi8, #workspace>
  %b = plan.workspace : memref<65xi8, #workspace>
  plan.return
}

// -----

#arena = #plan.space<arena>

// expected-error@+1 {{'plan.program' op expects 128 bytes of the arena but got 192}}
plan.program @arena_size kind predict sizes<arena = 192 above 128, inputs = 0, outputs = 0, workspace = 0> {
  %a = plan.alloc {offset = 64 : i64} : memref<16xf32, #arena>
  plan.fill %a with 0 : memref<16xf32, #arena>
  plan.return
}

// -----

#arena = #plan.space<arena>

// 100 -> 128 and 64 bytes are alive at command 1; nothing else is alive then.
// expected-error@+1 {{'plan.program' op expects a lower bound of 192 bytes of the arena but got 256}}
plan.program @lower_bound kind predict sizes<arena = 256 above 256, inputs = 0, outputs = 0, workspace = 0> {
  %a = plan.alloc {offset = 0 : i64} : memref<16xf32, #arena>
  %b = plan.alloc {offset = 64 : i64} : memref<25xf32, #arena>
  %c = plan.alloc {offset = 192 : i64} : memref<16xf32, #arena>
  plan.fill %a with 0 : memref<16xf32, #arena>
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%a : memref<16xf32, #arena>) outs(%b : memref<25xf32, #arena>)
  plan.fill %c with 0 : memref<16xf32, #arena>
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.program @buffer_leaves_arena kind predict sizes<arena = 64 above 64, inputs = 0, outputs = 0, workspace = 0> {
  // expected-error@+1 {{'plan.alloc' op expects to be within the 64 bytes of the arena but has 128 bytes at offset 0}}
  %a = plan.alloc {offset = 0 : i64} : memref<32xf32, #arena>
  plan.fill %a with 0 : memref<32xf32, #arena>
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.program @buffer_without_offset kind predict sizes<inputs = 0, outputs = 0, workspace = 0> {
  // expected-error@+1 {{'plan.alloc' op expects an offset but got none}}
  %a = plan.alloc : memref<32xf32, #arena>
  plan.fill %a with 0 : memref<32xf32, #arena>
  plan.return
}

// -----

#arena = #plan.space<arena>

// Alive together at command 1 only.
plan.program @buffers_overlap kind predict sizes<arena = 192 above 128, inputs = 0, outputs = 0, workspace = 0> {
  // expected-note@+1 {{with this one at [0, 128) from command 0 to 1}}
  %a = plan.alloc {offset = 0 : i64} : memref<32xf32, #arena>
  // expected-error@+1 {{'plan.alloc' op expects no overlap from command 1 to 2 but [64, 192) overlaps}}
  %b = plan.alloc {offset = 64 : i64} : memref<32xf32, #arena>
  plan.fill %a with 0 : memref<32xf32, #arena>
  plan.copy %a to %b : memref<32xf32, #arena> to memref<32xf32, #arena>
  plan.fill %b with 0 : memref<32xf32, #arena>
  plan.return
}

// -----

#arena = #plan.space<arena>

// The later buffer may lie below the one that it overlaps.
plan.program @buffers_overlap_below kind predict sizes<arena = 192 above 128, inputs = 0, outputs = 0, workspace = 0> {
  // expected-note@+1 {{with this one at [64, 192) from command 0 to 1}}
  %a = plan.alloc {offset = 64 : i64} : memref<32xf32, #arena>
  // expected-error@+1 {{'plan.alloc' op expects no overlap from command 1 to 1 but [0, 128) overlaps}}
  %b = plan.alloc {offset = 0 : i64} : memref<32xf32, #arena>
  plan.fill %a with 0 : memref<32xf32, #arena>
  plan.copy %a to %b : memref<32xf32, #arena> to memref<32xf32, #arena>
  plan.return
}

// -----

#arena = #plan.space<arena>

// A view of a view keeps a buffer alive.
plan.program @view_keeps_alive kind predict sizes<arena = 64 above 64, inputs = 0, outputs = 0, workspace = 0> {
  // expected-note@+1 {{with this one at [0, 64) from command 0 to 2}}
  %a = plan.alloc {offset = 0 : i64} : memref<16xf32, #arena>
  // expected-error@+1 {{'plan.alloc' op expects no overlap from command 1 to 1 but [0, 64) overlaps}}
  %b = plan.alloc {offset = 0 : i64} : memref<16xf32, #arena>
  %v = plan.view %a : memref<16xf32, #arena> to memref<4x4xf32, #arena>
  %w = plan.view %v : memref<4x4xf32, #arena> to memref<2x8xf32, #arena>
  plan.fill %a with 0 : memref<16xf32, #arena>
  plan.fill %b with 0 : memref<16xf32, #arena>
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> ins(%w : memref<2x8xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>
#outputs = #plan.space<outputs>

plan.program @read_before_write kind predict sizes<arena = 64 above 64, inputs = 0, outputs = 64, workspace = 0> {
  %y = plan.output 0 "y" {offset = 0 : i64} : memref<16xf32, #outputs>
  // expected-note@+1 {{the buffer is here}}
  %a = plan.alloc {offset = 0 : i64} : memref<16xf32, #arena>
  // expected-error@+1 {{'plan.copy' op reads operand #0 before anything was written to it}}
  plan.copy %a to %y : memref<16xf32, #arena> to memref<16xf32, #outputs>
  plan.return
}

// -----

#outputs = #plan.space<outputs>

plan.executable @update {
  plan.variant @cpu chunks(1) function(@cpu_code)
  func.func private @cpu_code(memref<16xf32>, index)
}
plan.program @update_before_write kind predict sizes<arena = 0 above 0, inputs = 0, outputs = 64, workspace = 0> {
  // expected-note@+1 {{the buffer is here}}
  %y = plan.output 0 "y" {offset = 0 : i64} : memref<16xf32, #outputs>
  // expected-error@+1 {{'plan.dispatch' op reads operand #0 before anything was written to it}}
  plan.dispatch @update inouts(%y : memref<16xf32, #outputs>)
  plan.return
}

// -----

#outputs = #plan.space<outputs>
#workspace = #plan.space<workspace>

plan.program @read_workspace kind predict sizes<arena = 0 above 0, inputs = 0, outputs = 64, workspace = 64> {
  %y = plan.output 0 "y" {offset = 0 : i64} : memref<16xf32, #outputs>
  %w = plan.workspace : memref<16xf32, #workspace>
  plan.fill %w with 0 : memref<16xf32, #workspace>
  // expected-error@+1 {{'plan.copy' op expects to read a buffer with defined contents but operand #0 is a workspace}}
  plan.copy %w to %y : memref<16xf32, #workspace> to memref<16xf32, #outputs>
  plan.return
}

// -----

#constants = #plan.space<constants>

module attributes {plan.sizes = #plan.sizes<constants = 64>} {
plan.constant @table dense<1.0> : tensor<16xf32> {offset = 0 : i64}
plan.program @write_constant kind predict sizes<arena = 0 above 0, inputs = 0, outputs = 0, workspace = 0> {
  %c = plan.get_constant @table : memref<16xf32, #constants>
  // expected-error@+1 {{'plan.fill' op expects to write a writable buffer but operand #0 is a constant}}
  plan.fill %c with 0 : memref<16xf32, #constants>
  plan.return
}
}

// -----

#variables = #plan.space<variables>

// The same variable under two names.
module attributes {plan.sizes = #plan.sizes<variables = 192>} {
plan.variable @weight : memref<16xf32, #variables> {offset = 128 : i64}
plan.program @operands_overlap kind predict sizes<arena = 0 above 0, inputs = 0, outputs = 0, workspace = 0> {
  %a = plan.get_variable @weight : memref<16xf32, #variables>
  %b = plan.get_variable @weight : memref<16xf32, #variables>
  // expected-error@+1 {{'plan.copy' op expects buffers that do not overlap but operands #0 and #1 have bytes [128, 192) and [128, 192) of the variables}}
  plan.copy %a to %b : memref<16xf32, #variables> to memref<16xf32, #variables>
  plan.return
}
}

// -----

#workspace = #plan.space<workspace>

plan.program @workspace_twice kind predict sizes<arena = 0 above 0, inputs = 0, outputs = 0, workspace = 128> {
  %a = plan.workspace : memref<16xf32, #workspace>
  %b = plan.workspace : memref<32xf32, #workspace>
  // expected-error@+1 {{'plan.call' op expects buffers that do not overlap but operands #0 and #1 have bytes [0, 64) and [0, 128) of the workspace}}
  plan.call #plan.onednn.matmul<m = 1, n = 1, k = 1> outs(%a, %b : memref<16xf32, #workspace>, memref<32xf32, #workspace>)
  plan.return
}

// -----

#arena = #plan.space<arena>

// A kernel that reads and writes one buffer: legal, element by element.
plan.executable @sqrt {
  func.func @body(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
    %0 = linalg.generic {
        indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
        iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<8x16xf32>) outs(%x : tensor<8x16xf32>) {
    ^bb0(%a: f32, %b: f32):
      %1 = math.sqrt %a : f32
      linalg.yield %1 : f32
    } -> tensor<8x16xf32>
    return %0 : tensor<8x16xf32>
  }
}
plan.program @in_place kind predict sizes<arena = 512 above 512, inputs = 0, outputs = 0, workspace = 0> {
  %a = plan.alloc {offset = 0 : i64} : memref<8x16xf32, #arena>
  plan.fill %a with 0 : memref<8x16xf32, #arena>
  plan.dispatch @sqrt inouts(%a : memref<8x16xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>

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
plan.program @rows_in_place kind predict sizes<arena = 512 above 512, inputs = 0, outputs = 0, workspace = 0> {
  %a = plan.alloc {offset = 0 : i64} : memref<8x16xf32, #arena>
  plan.fill %a with 0 : memref<8x16xf32, #arena>
  plan.dispatch @center inouts(%a : memref<8x16xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>

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
plan.program @reads_others kind predict sizes<arena = 256 above 256, inputs = 0, outputs = 0, workspace = 0> {
  %a = plan.alloc {offset = 0 : i64} : memref<8x8xf32, #arena>
  plan.fill %a with 0 : memref<8x8xf32, #arena>
  // expected-error@+1 {{'plan.dispatch' op expects a kernel that accesses operand #0, which it reads and writes, element by element}}
  plan.dispatch @transposed inouts(%a : memref<8x8xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>

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
plan.program @reads_other_columns kind predict sizes<arena = 256 above 256, inputs = 0, outputs = 0, workspace = 0> {
  %a = plan.alloc {offset = 0 : i64} : memref<8x8xf32, #arena>
  plan.fill %a with 0 : memref<8x8xf32, #arena>
  // expected-error@+1 {{'plan.dispatch' op expects a kernel that accesses operand #0, which it reads and writes, element by element}}
  plan.dispatch @first_column inouts(%a : memref<8x8xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>

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
plan.program @writes_twice kind predict sizes<arena = 320 above 320, inputs = 0, outputs = 0, workspace = 0> {
  %a = plan.alloc {offset = 0 : i64} : memref<8xf32, #arena>
  %b = plan.alloc {offset = 64 : i64} : memref<8x8xf32, #arena>
  plan.fill %a with 0 : memref<8xf32, #arena>
  // expected-error@+1 {{'plan.dispatch' op expects a kernel that accesses operand #0, which it reads and writes, element by element}}
  plan.dispatch @summed inouts(%a : memref<8xf32, #arena>) outs(%b : memref<8x8xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>

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
plan.program @reads_what_it_writes kind predict sizes<arena = 64 above 64, inputs = 0, outputs = 0, workspace = 0> {
  %a = plan.alloc {offset = 0 : i64} : memref<8xf32, #arena>
  plan.fill %a with 0 : memref<8xf32, #arena>
  // expected-error@+1 {{'plan.dispatch' op expects a kernel that does not read operand #0, which it only writes}}
  plan.dispatch @neg outs(%a : memref<8xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>

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
plan.program @loops kind predict sizes<arena = 64 above 64, inputs = 0, outputs = 0, workspace = 0> {
  %a = plan.alloc {offset = 0 : i64} : memref<8xf32, #arena>
  plan.fill %a with 0 : memref<8xf32, #arena>
  plan.dispatch @trusted inouts(%a : memref<8xf32, #arena>)
  // expected-error@+1 {{'plan.dispatch' op expects a kernel that accesses operand #0, which it reads and writes, element by element}}
  plan.dispatch @updates inouts(%a : memref<8xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>

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
plan.program @reads_only kind predict sizes<arena = 64 above 64, inputs = 0, outputs = 0, workspace = 0> {
  %a = plan.alloc {offset = 0 : i64} : memref<8xf32, #arena>
  plan.fill %a with 0 : memref<8xf32, #arena>
  // expected-error@+1 {{'plan.dispatch' op expects a kernel that does not write operand #0, which it only reads}}
  plan.dispatch @written ins(%a : memref<8xf32, #arena>)
  plan.return
}

// -----

#outputs = #plan.space<outputs>

plan.program @unwritten kind predict sizes<arena = 0 above 0, inputs = 0, outputs = 64, workspace = 0> {
  // expected-error@below {{'plan.output' op expects to be written by a command but got none}}
  %y = plan.output 0 "y" {offset = 0 : i64} : memref<16xf32, #outputs>
  plan.return
}

// -----

// expected-error@+1 {{'builtin.module' op expects 64 bytes of the variables but got 128}}
module attributes {plan.sizes = #plan.sizes<variables = 128>} {
plan.variable @weight : memref<16xf32, #plan.space<variables>> {offset = 0 : i64}
}

// -----

// expected-error@+1 {{'builtin.module' op expects 0 bytes of the constants but got 64}}
module attributes {plan.sizes = #plan.sizes<constants = 64>} {
}

// -----

// expected-error@+1 {{'builtin.module' op expects 64 bytes of the variables but got no size of it}}
module {
plan.variable @weight : memref<16xf32, #plan.space<variables>> {offset = 0 : i64}
}

// -----

// Each device has an arena of its own.
#arena = #plan.space<arena>
#gpu0_arena = #plan.space<@gpu0, arena>

plan.device @cpu0 kind(host) queues(1)
plan.device @gpu0 kind(cuda) queues(1)
plan.program @arenas kind predict sizes<arena = 64 above 64, inputs = 0, outputs = 0, workspace = 0, @gpu0 arena = 128 above 128> {
  %a = plan.alloc {offset = 0 : i64} : memref<16xf32, #arena>
  %b = plan.alloc {offset = 0 : i64} : memref<32xf32, #gpu0_arena>
  plan.fill %a with 0 : memref<16xf32, #arena>
  plan.fill %b with 0 queue(1) : memref<32xf32, #gpu0_arena>
  plan.fill %a with 0 : memref<16xf32, #arena>
  plan.return
}

// -----

// expected-error@+1 {{'plan.program' op expects no size of the @gpu0 arena, in which no buffer is, but got 64}}
plan.program @extra kind predict sizes<arena = 0 above 0, inputs = 0, outputs = 0, workspace = 0, @gpu0 arena = 64 above 64> {
  plan.return
}
