// RUN: job-opt %s --split-input-file --verify-diagnostics

#variables = #plan.space<variables>

plan.program @variable_missing kind predict {
  // expected-error@+1 {{'plan.get_variable' op expects a plan.variable but got @weight, which is none}}
  %w = plan.get_variable @weight : memref<4xf32, #variables>
  plan.return
}

// -----

#variables = #plan.space<variables>

plan.constant @weight dense<0.0> : tensor<4xf32>
plan.program @variable_is_constant kind predict {
  // expected-error@+1 {{'plan.get_variable' op expects a plan.variable but got @weight, which is none}}
  %w = plan.get_variable @weight : memref<4xf32, #variables>
  plan.return
}

// -----

#variables = #plan.space<variables>

plan.variable @weight : memref<4xf32, #variables>
plan.program @variable_type kind predict {
  // expected-error@+1 {{'plan.get_variable' op expects type 'memref<4xf32, #plan.space<variables>>' of variable @weight but got 'memref<2x2xf32, #plan.space<variables>>'}}
  %w = plan.get_variable @weight : memref<2x2xf32, #variables>
  plan.return
}

// -----

#variables = #plan.space<variables>

// expected-error@+1 {{'plan.variable' op expects dimensions in [0, 2) but got 2}}
plan.variable @weight : memref<4x2xf32, #variables> {permutation = array<i64: 2, 0>}

// -----

#variables = #plan.space<variables>

// expected-error@+1 {{'plan.variable' op expects an expanded shape of 8 elements but got [4, 4]}}
plan.variable @weight : memref<4x2xf32, #variables> {permutation = array<i64: 1, 0>, expanded_shape = array<i64: 4, 4>}

// -----

#constants = #plan.space<constants>

plan.program @constant_missing kind predict {
  // expected-error@+1 {{'plan.get_constant' op expects a plan.constant but got @table, which is none}}
  %c = plan.get_constant @table : memref<2xf32, #constants>
  plan.return
}

// -----

#constants = #plan.space<constants>

plan.constant @table dense<0.0> : tensor<2xf32>
plan.program @constant_shape kind predict {
  // expected-error@+1 {{'plan.get_constant' op expects the shape and element type of 'tensor<2xf32>' but got 'memref<3xf32, #plan.space<constants>>'}}
  %c = plan.get_constant @table : memref<3xf32, #constants>
  plan.return
}

// -----

#constants = #plan.space<constants>

plan.constant @table dense<0.0> : tensor<2xf32>
plan.program @constant_element_type kind predict {
  // expected-error@+1 {{'plan.get_constant' op expects the shape and element type of 'tensor<2xf32>' but got 'memref<2xi32, #plan.space<constants>>'}}
  %c = plan.get_constant @table : memref<2xi32, #constants>
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.program @view_bytes kind predict {
  %x = plan.alloc : memref<4xf32, #arena>
  // expected-error@+1 {{'plan.view' op expects 16 bytes as the source has but got 32}}
  %v = plan.view %x : memref<4xf32, #arena> to memref<4xf64, #arena>
  plan.return
}

// -----

plan.program @kernel_missing kind predict {
  // expected-error@+1 {{'plan.dispatch' op expects a plan.executable but got @relu, which is none}}
  plan.dispatch @relu
  plan.return
}

// -----

#variables = #plan.space<variables>

plan.variable @relu : memref<4xf32, #variables>
plan.program @kernel_is_variable kind predict {
  // expected-error@+1 {{'plan.dispatch' op expects a plan.executable but got @relu, which is none}}
  plan.dispatch @relu
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.executable @relu {
  plan.variant @cpu chunks(1) function(@cpu_code)
  func.func private @cpu_code(memref<4xf32>, memref<4xf32>, index)
}
plan.program @kernel_arguments kind predict {
  %x = plan.alloc : memref<4xf32, #arena>
  // expected-error@+1 {{'plan.dispatch' op expects the buffers and scalars that @relu takes, '(memref<4xf32>, memref<4xf32>, index) -> ()'}}
  plan.dispatch @relu ins(%x : memref<4xf32, #arena>)
  plan.return
}

// -----

#arena = #plan.space<arena>

// Of the types that the kernel takes.
plan.executable @random {
  plan.variant @cpu chunks(1) function(@cpu_code)
  func.func private @cpu_code(memref<4xf32>, i32, index)
}
plan.program @kernel_scalars kind predict {
  %x = plan.alloc : memref<4xf32, #arena>
  // expected-error@+1 {{'plan.dispatch' op expects the buffers and scalars that @random takes, '(memref<4xf32>, i32, index) -> ()'}}
  plan.dispatch @random outs(%x : memref<4xf32, #arena>) scalars [7 : i64]
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.executable @random {
  plan.variant @cpu chunks(1) function(@cpu_code)
  func.func private @cpu_code(memref<4xf32>, i32, index)
}
plan.program @too_many_scalars kind predict {
  %x = plan.alloc : memref<4xf32, #arena>
  // expected-error@+1 {{'plan.dispatch' op expects the buffers and scalars that @random takes, '(memref<4xf32>, i32, index) -> ()'}}
  plan.dispatch @random outs(%x : memref<4xf32, #arena>) scalars [7 : i32, 8 : i32]
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.executable @random {}
plan.program @scalar_type kind predict {
  %x = plan.alloc : memref<4xf32, #arena>
  // expected-error@+1 {{attribute 'scalars' failed to satisfy constraint: array of i32, i64, f32 and f64 numbers}}
  plan.dispatch @random outs(%x : memref<4xf32, #arena>) scalars [7 : i8]
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.executable @nothing {
  plan.variant @cpu chunks(1) function(@cpu_code)
  func.func private @cpu_code(index)
}
plan.program @kernel_without_buffers kind predict {
  %x = plan.alloc : memref<4xf32, #arena>
  // expected-error@+1 {{'plan.dispatch' op expects the buffers and scalars that @nothing takes, '(index) -> ()'}}
  plan.dispatch @nothing ins(%x : memref<4xf32, #arena>)
  plan.return
}

// -----

plan.program @foreign_op kind predict {
  // expected-error@+1 {{'memref.alloc' op expects to be outside of a plan.program, which contains buffers, commands and repeats only}}
  %x = memref.alloc() : memref<4xf32>
  plan.return
}

// -----

#inputs = #plan.space<inputs>

plan.program @input_index kind predict {
  %x = plan.input 0 "x" : memref<4xf32, #inputs>
  // expected-error@+1 {{'plan.input' op expects an index below the number of ports, 2, but got 2}}
  %y = plan.input 2 "y" : memref<4xf32, #inputs>
  plan.return
}

// -----

#outputs = #plan.space<outputs>

plan.program @output_index kind predict {
  %x = plan.output 0 "x" : memref<4xf32, #outputs>
  // expected-error@+1 {{'plan.output' op expects a unique index but got 0 a second time}}
  %y = plan.output 0 "y" : memref<4xf32, #outputs>
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.program @dynamic_shape kind predict {
  // expected-error@+1 {{'plan.alloc' op result #0 must be dense memref of an element type of blobs, of at most 2^48 bytes, in a #plan.space of role arena, but got 'memref<?xf32, #plan.space<arena>>'}}
  %x = plan.alloc : memref<?xf32, #arena>
  plan.return
}

// -----

plan.program @layout kind predict {
  // expected-error@+1 {{must be dense memref of an element type of blobs, of at most 2^48 bytes, in a #plan.space of role arena, but got 'memref<4xf32, strided<[2]>>'}}
  %x = plan.alloc : memref<4xf32, strided<[2]>>
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.program @element_type kind predict {
  // expected-error@+1 {{must be dense memref of an element type of blobs, of at most 2^48 bytes, in a #plan.space of role arena, but got 'memref<4xi16, #plan.space<arena>>'}}
  %x = plan.alloc : memref<4xi16, #arena>
  plan.return
}

// -----

#arena = #plan.space<arena>

// 2^46 f32 are 2^48 bytes, which is allowed; one more is not.
plan.program @bytes kind predict {
  %x = plan.alloc : memref<70368744177664xf32, #arena>
  // expected-error@+1 {{must be dense memref of an element type of blobs, of at most 2^48 bytes, in a #plan.space of role arena, but got 'memref<70368744177665xf32, #plan.space<arena>>'}}
  %y = plan.alloc : memref<70368744177665xf32, #arena>
  plan.return
}

// -----

#variables = #plan.space<variables>

// The number of elements is no int64_t.
// expected-error@+1 {{'plan.variable' op attribute 'type' failed to satisfy constraint}}
plan.variable @large : memref<9223372036854775807x9223372036854775807xf32, #variables>

// -----

#variables = #plan.space<variables>

// A dimension of size 0 hides no overflow.
// expected-error@+1 {{'plan.variable' op attribute 'type' failed to satisfy constraint}}
plan.variable @large : memref<9223372036854775807x0x9223372036854775807xf32, #variables>

// -----

// expected-error@+1 {{'plan.constant' op attribute 'value' failed to satisfy constraint: constant vector/tensor attribute of an element type of blobs, of at most 2^48 bytes}}
plan.constant @table dense<0.0> : tensor<4xf8E4M3FN>

// -----

#inputs = #plan.space<inputs>

plan.program @input_in_repeat kind predict {
  plan.repeat count(2) {
    // expected-error@+1 {{'plan.input' op expects to be outside of a plan.repeat, which contains buffers and commands only}}
    %x = plan.input 0 "x" : memref<4xf32, #inputs>
  }
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.program @repeat_in_repeat kind predict {
  plan.repeat count(2) {
    // expected-error@+1 {{'plan.repeat' op expects parent op 'plan.program'}}
    plan.repeat count(2) {
      %x = plan.alloc : memref<4xf32, #arena>
    }
  }
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.program @rows_outside kind predict {
  %x = plan.alloc : memref<4xf32, #arena>
  // expected-error@+1 {{'plan.micro_view' op expects parent op 'plan.repeat'}}
  %v = plan.micro_view %x : memref<4xf32, #arena> to memref<2xf32, #arena>
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.program @rows_of_other_count kind predict {
  %x = plan.alloc : memref<8x3xf32, #arena>
  plan.repeat count(4) {
    // expected-error@+1 {{'plan.micro_view' op expects one of 4 parts of dimension 0 of 'memref<8x3xf32, #plan.space<arena>>' but got 'memref<4x3xf32, #plan.space<arena>>'}}
    %v = plan.micro_view %x : memref<8x3xf32, #arena> to memref<4x3xf32, #arena>
  }
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.program @rows_of_rows kind predict {
  %x = plan.alloc : memref<16xf32, #arena>
  plan.repeat count(4) {
    %v = plan.micro_view %x : memref<16xf32, #arena> to memref<4xf32, #arena>
    // expected-error@+1 {{'plan.micro_view' op expects a buffer with the rows of all iterations but got one with the rows of one iteration}}
    %w = plan.micro_view %v : memref<4xf32, #arena> to memref<1xf32, #arena>
  }
  plan.return
}

// -----

#arena = #plan.space<arena>

plan.program @rows_of_inner kind predict {
  plan.repeat count(4) {
    %x = plan.alloc : memref<16xf32, #arena>
    // expected-error@+1 {{'plan.micro_view' op expects a buffer from outside of the plan.repeat but got one from inside}}
    %v = plan.micro_view %x : memref<16xf32, #arena> to memref<4xf32, #arena>
  }
  plan.return
}

// -----

#outputs = #plan.space<outputs>

plan.program @output_count kind predict {
  // expected-error@+1 {{'plan.output' op expects an output that has the count but got 1, which is none}}
  %x = plan.output 0 "x" {count = 1 : i64} : memref<4xf32, #outputs>
  plan.return
}

// -----

#outputs = #plan.space<outputs>

plan.program @output_without_dimensions kind predict {
  // expected-error@+1 {{'plan.output' op expects a buffer with dimension 0, which the count is of, but got 'memref<f32, #plan.space<outputs>>'}}
  %x = plan.output 0 "x" {count = 1 : i64} : memref<f32, #outputs>
  %n = plan.output 1 "n" : memref<1xi64, #outputs>
  plan.return
}

// -----

#outputs = #plan.space<outputs>

plan.program @output_without_the_dimension kind predict {
  // expected-error@+1 {{'plan.output' op expects a buffer with dimension 1, which the count is of, but got 'memref<4xf32, #plan.space<outputs>>'}}
  %x = plan.output 0 "x" {bounded_dim = 1 : i64, count = 1 : i64} : memref<4xf32, #outputs>
  %n = plan.output 1 "n" : memref<1xi64, #outputs>
  plan.return
}

// -----

#outputs = #plan.space<outputs>

plan.program @output_count_type kind predict {
  // expected-error@+1 {{'plan.output' op expects a count of one i64 but got 'memref<1xi32, #plan.space<outputs>>'}}
  %x = plan.output 0 "x" {count = 1 : i64} : memref<4xf32, #outputs>
  // expected-note@+1 {{the count is here}}
  %n = plan.output 1 "n" : memref<1xi32, #outputs>
  plan.return
}

// -----

plan.program @repeat_without_commands kind predict {
  // expected-error@+1 {{'plan.repeat' op expects at least one command but got none}}
  plan.repeat count(4) {
  }
  plan.return
}

// -----

#inputs = #plan.space<inputs>

plan.program @same_names kind predict {
  %x = plan.input 0 "x" : memref<4xf32, #inputs>
  // expected-error@+1 {{'plan.input' op expects a unique name but got 'x' a second time}}
  %y = plan.input 1 "x" : memref<4xf32, #inputs>
  plan.return
}

// -----

// expected-error@+1 {{'plan.program' op expects the nesting of 0 results as result_structure but got "0"}}
plan.program @result_structure kind predict attributes {result_structure = "0"} {
  plan.return
}

// -----

#outputs = #plan.space<outputs>

plan.program @attribute_of_the_dialect kind predict {
  %x = plan.output 0 "x" : memref<4xf32, #outputs>
  // expected-error@+1 {{'plan.fill' op expects an attribute of the plan dialect but got "plan.valeu"}}
  plan.fill %x with 0 {plan.valeu = 1 : i64} : memref<4xf32, #outputs>
  plan.return
}

// -----

// expected-error@+1 {{attribute 'packing' failed to satisfy constraint: array of best, size, conflicts, time or none with at least 1 elements}}
plan.program @packing kind predict attributes {packing = ["small"]} {
  plan.return
}
