// RUN: job-opt %s --split-input-file --verify-diagnostics

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects equal element types but got '!job.blob<2x6xf32>' and '!job.blob<12xf64>'}}
  %0 = job.reshape %x : !job.blob<2x6xf32> to !job.blob<12xf64>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects a result of 12 elements but got 11}}
  %0 = job.reshape %x : !job.blob<2x6xf32> to !job.blob<11xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{requires attribute 'dims'}}
  %0 = job.broadcast_in_dim %x : !job.blob<2x6xf32> to !job.blob<2x5x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects equal element types but got '!job.blob<2x6xf32>' and '!job.blob<2x6xf64>'}}
  %0 = job.broadcast_in_dim %x {dims = array<i64: 0, 1>} : !job.blob<2x6xf32> to !job.blob<2x6xf64>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects 2 dims, one for each dimension of the operand, but got 1}}
  %0 = job.broadcast_in_dim %x {dims = array<i64: 0>} : !job.blob<2x6xf32> to !job.blob<2x5x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects dims in [0, 3) but got 3}}
  %0 = job.broadcast_in_dim %x {dims = array<i64: 0, 3>} : !job.blob<2x6xf32> to !job.blob<2x5x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects dims in [0, 3) but got -1}}
  %0 = job.broadcast_in_dim %x {dims = array<i64: -1, 2>} : !job.blob<2x6xf32> to !job.blob<2x5x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<6x2xf32>) kind predict {
  // expected-error @below {{expects dims to increase but got 2 before 0}}
  %0 = job.broadcast_in_dim %x {dims = array<i64: 2, 0>} : !job.blob<6x2xf32> to !job.blob<2x5x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects extent 1 or 5 in dimension 1 of the operand but got 6}}
  %0 = job.broadcast_in_dim %x {dims = array<i64: 0, 1>} : !job.blob<2x6xf32> to !job.blob<2x5x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{'job.transpose' op expects 2 dimensions in the permutation, all there are, but got 1}}
  %0 = job.transpose %x {permutation = array<i64: 0>} : !job.blob<2x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects dimensions in [0, 2) but got 2}}
  %0 = job.transpose %x {permutation = array<i64: 0, 2>} : !job.blob<2x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects dimensions in [0, 2) but got -1}}
  %0 = job.transpose %x {permutation = array<i64: -1, 0>} : !job.blob<2x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects each dimension once but got 1 twice}}
  %0 = job.transpose %x {permutation = array<i64: 1, 1>} : !job.blob<2x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{'job.slice' op expects 2 offsets, one for each dimension of the operand, but got 1}}
  %0 = job.slice %x {offsets = array<i64: 0>, sizes = array<i64: 2, 6>, strides = array<i64: 1, 1>} : !job.blob<2x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects 2 sizes, one for each dimension of the operand, but got 3}}
  %0 = job.slice %x {offsets = array<i64: 0, 0>, sizes = array<i64: 2, 6, 1>, strides = array<i64: 1, 1>} : !job.blob<2x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects 2 strides, one for each dimension of the operand, but got 1}}
  %0 = job.slice %x {offsets = array<i64: 0, 0>, sizes = array<i64: 2, 6>, strides = array<i64: 1>} : !job.blob<2x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects positive sizes but got 0 in dimension 1}}
  %0 = job.slice %x {offsets = array<i64: 0, 0>, sizes = array<i64: 2, 0>, strides = array<i64: 1, 1>} : !job.blob<2x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects positive strides but got 0 in dimension 0}}
  %0 = job.slice %x {offsets = array<i64: 0, 0>, sizes = array<i64: 2, 6>, strides = array<i64: 0, 1>} : !job.blob<2x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects elements in [0, 2) of dimension 0 but got 1 from -1 with stride 1}}
  %0 = job.slice %x {offsets = array<i64: -1, 0>, sizes = array<i64: 1, 6>, strides = array<i64: 1, 1>} : !job.blob<2x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects elements in [0, 6) of dimension 1 but got 1 from 6 with stride 1}}
  %0 = job.slice %x {offsets = array<i64: 0, 6>, sizes = array<i64: 2, 1>, strides = array<i64: 1, 1>} : !job.blob<2x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects elements in [0, 6) of dimension 1 but got 3 from 1 with stride 3}}
  %0 = job.slice %x {offsets = array<i64: 0, 1>, sizes = array<i64: 2, 3>, strides = array<i64: 1, 3>} : !job.blob<2x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects elements in [0, 6) of dimension 1 but got 2 from 0 with stride 9223372036854775807}}
  %0 = job.slice %x {offsets = array<i64: 0, 0>, sizes = array<i64: 2, 2>, strides = array<i64: 1, 9223372036854775807>} : !job.blob<2x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{'job.pad' op expects 2 paddings before, one for each dimension of the operand, but got 1}}
  %0 = job.pad %x {low = array<i64: 0>, high = array<i64: 0, 0>, interior = array<i64: 0, 0>, value = 0.0 : f64} : !job.blob<2x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects 2 paddings after, one for each dimension of the operand, but got 3}}
  %0 = job.pad %x {low = array<i64: 0, 0>, high = array<i64: 0, 0, 0>, interior = array<i64: 0, 0>, value = 0.0 : f64} : !job.blob<2x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects 2 paddings between, one for each dimension of the operand, but got 1}}
  %0 = job.pad %x {low = array<i64: 0, 0>, high = array<i64: 0, 0>, interior = array<i64: 0>, value = 0.0 : f64} : !job.blob<2x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects no negative padding but got -1 in dimension 1}}
  %0 = job.pad %x {low = array<i64: 0, -1>, high = array<i64: 0, 0>, interior = array<i64: 0, 0>, value = 0.0 : f64} : !job.blob<2x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects no negative padding but got -2 in dimension 0}}
  %0 = job.pad %x {low = array<i64: 0, 0>, high = array<i64: -2, 0>, interior = array<i64: 0, 0>, value = 0.0 : f64} : !job.blob<2x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects no negative padding but got -3 in dimension 1}}
  %0 = job.pad %x {low = array<i64: 0, 0>, high = array<i64: 0, 0>, interior = array<i64: 0, -3>, value = 0.0 : f64} : !job.blob<2x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects an extent below 2^63 in dimension 1}}
  %0 = job.pad %x {low = array<i64: 0, 9223372036854775807>, high = array<i64: 0, 0>, interior = array<i64: 0, 0>, value = 0.0 : f64} : !job.blob<2x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{'job.concat' op expects an axis in [0, 2) but got 2}}
  %0 = job.concat %x {axis = 2 : i64} : !job.blob<2x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects an axis in [0, 2) but got -1}}
  %0 = job.concat %x {axis = -1 : i64} : !job.blob<2x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{'job.iota' op expects an axis in [0, 1) but got 1}}
  %0 = job.iota {axis = 1 : i64} : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{expects an axis in [0, 1) but got -1}}
  %0 = job.iota {axis = -1 : i64} : !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>) kind predict {
  // expected-error @below {{result #0 must be blob of numbers with a static shape, but got '!job.blob<4xi1>'}}
  %0 = job.iota {axis = 0 : i64} : !job.blob<4xi1>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>, %y: !job.blob<3x6xf32>) kind predict {
  // expected-error @below {{expects operands that differ from '!job.blob<2x6xf32>' in dimension 1 only but got '!job.blob<3x6xf32>' as operand 1}}
  %0 = job.concat %x, %y {axis = 1 : i64} : !job.blob<2x6xf32>, !job.blob<3x6xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>, %y: !job.blob<2x6xf64>) kind predict {
  // expected-error @below {{expects operands that differ from '!job.blob<2x6xf32>' in dimension 1 only but got '!job.blob<2x6xf64>' as operand 1}}
  %0 = job.concat %x, %y {axis = 1 : i64} : !job.blob<2x6xf32>, !job.blob<2x6xf64>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x6xf32>, %y: !job.blob<2x6x1xf32>) kind predict {
  // expected-error @below {{expects operands that differ from '!job.blob<2x6xf32>' in dimension 1 only but got '!job.blob<2x6x1xf32>' as operand 1}}
  %0 = job.concat %x, %y {axis = 1 : i64} : !job.blob<2x6xf32>, !job.blob<2x6x1xf32>
  job.return
}

// -----

job.func @f(%b: !job.blob<2xi1>) kind predict {
  // expected-error @below {{operand #0 must be blob of numbers with a static shape, but got '!job.blob<2xi1>'}}
  %0 = job.pad %b {low = array<i64: 1>, high = array<i64: 0>, interior = array<i64: 0>, value = 0.0 : f64} : !job.blob<2xi1>
  job.return
}

// -----

job.func @f() kind predict {
  // expected-error @below {{expects at least 1 operand but got 0}}
  // expected-error @below {{failed to infer returned types}}
  %0 = "job.concat"() <{axis = 0 : i64}> : () -> !job.blob<2xf32>
  job.return
}
