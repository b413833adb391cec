// RUN: job-opt %s --split-input-file --verify-diagnostics

job.func @f(%x: !job.blob<2x4x9x8xf32>, %f: !job.blob<6x4x3x3xf32>) kind predict {
  // expected-error @below {{'job.conv2d' op requires attribute 'strides'}}
  %0 = job.conv2d %x, %f {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0, 0, 0>} : !job.blob<2x4x9x8xf32>, !job.blob<6x4x3x3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x9x8xf32>, %f: !job.blob<6x4x3x3xf32>) kind predict {
  // expected-error @below {{'job.conv2d' op requires attribute 'padding'}}
  %0 = job.conv2d %x, %f {dilations = array<i64: 1, 1>, groups = 1 : i64, strides = array<i64: 1, 1>} : !job.blob<2x4x9x8xf32>, !job.blob<6x4x3x3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x9x8xf32>, %f: !job.blob<6x4x3x3xf32>) kind predict {
  // expected-error @below {{'job.conv2d' op requires attribute 'dilations'}}
  %0 = job.conv2d %x, %f {groups = 1 : i64, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : !job.blob<2x4x9x8xf32>, !job.blob<6x4x3x3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x9x8xf32>, %f: !job.blob<6x4x3x3xf32>) kind predict {
  // expected-error @below {{'job.conv2d' op requires attribute 'groups'}}
  %0 = job.conv2d %x, %f {dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : !job.blob<2x4x9x8xf32>, !job.blob<6x4x3x3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x9x8xf32>, %f: !job.blob<6x4x3x3xf32>) kind predict {
  // expected-error @below {{'job.conv2d' op expects an input and a filter of 4 dimensions but got '!job.blob<4x9x8xf32>' and '!job.blob<6x4x3x3xf32>'}}
  %0 = job.conv2d %x, %f {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : !job.blob<4x9x8xf32>, !job.blob<6x4x3x3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x9x8xf32>, %f: !job.blob<6x4x3xf32>) kind predict {
  // expected-error @below {{expects an input and a filter of 4 dimensions but got '!job.blob<2x4x9x8xf32>' and '!job.blob<6x4x3xf32>'}}
  %0 = job.conv2d %x, %f {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : !job.blob<2x4x9x8xf32>, !job.blob<6x4x3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x9x8xf32>, %f: !job.blob<6x4x3x3xf64>) kind predict {
  // expected-error @below {{expects equal element types but got '!job.blob<2x4x9x8xf32>' and '!job.blob<6x4x3x3xf64>'}}
  %0 = job.conv2d %x, %f {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : !job.blob<2x4x9x8xf32>, !job.blob<6x4x3x3xf64>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x9x8xi32>, %f: !job.blob<6x4x3x3xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats}}
  %0 = job.conv2d %x, %f {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : !job.blob<2x4x9x8xi32>, !job.blob<6x4x3x3xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x9x8xf32>, %f: !job.blob<6x4x3x3xf32>) kind predict {
  // expected-error @below {{expects dilations of 2 values but got 1}}
  %0 = job.conv2d %x, %f {dilations = array<i64: 1>, groups = 1 : i64, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : !job.blob<2x4x9x8xf32>, !job.blob<6x4x3x3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x9x8xf32>, %f: !job.blob<6x4x3x3xf32>) kind predict {
  // expected-error @below {{expects dilations in [1, 2147483647] but got 0}}
  %0 = job.conv2d %x, %f {dilations = array<i64: 1, 0>, groups = 1 : i64, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : !job.blob<2x4x9x8xf32>, !job.blob<6x4x3x3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x9x8xf32>, %f: !job.blob<6x4x3x3xf32>) kind predict {
  // expected-error @below {{expects dilations in [1, 2147483647] but got 2147483648}}
  %0 = job.conv2d %x, %f {dilations = array<i64: 2147483648, 1>, groups = 1 : i64, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : !job.blob<2x4x9x8xf32>, !job.blob<6x4x3x3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x9x8xf32>, %f: !job.blob<6x4x3x3xf32>) kind predict {
  // expected-error @below {{expects strides of 2 values but got 3}}
  %0 = job.conv2d %x, %f {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1>} : !job.blob<2x4x9x8xf32>, !job.blob<6x4x3x3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x9x8xf32>, %f: !job.blob<6x4x3x3xf32>) kind predict {
  // expected-error @below {{expects strides in [1, 2147483647] but got 0}}
  %0 = job.conv2d %x, %f {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 0, 1>} : !job.blob<2x4x9x8xf32>, !job.blob<6x4x3x3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x9x8xf32>, %f: !job.blob<6x4x3x3xf32>) kind predict {
  // expected-error @below {{expects padding of 4 values but got 2}}
  %0 = job.conv2d %x, %f {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 1, 1>, strides = array<i64: 1, 1>} : !job.blob<2x4x9x8xf32>, !job.blob<6x4x3x3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x9x8xf32>, %f: !job.blob<6x4x3x3xf32>) kind predict {
  // expected-error @below {{expects padding in [0, 16384] but got -1}}
  %0 = job.conv2d %x, %f {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0, -1, 0>, strides = array<i64: 1, 1>} : !job.blob<2x4x9x8xf32>, !job.blob<6x4x3x3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x9x8xf32>, %f: !job.blob<6x4x3x3xf32>) kind predict {
  // expected-error @below {{expects padding in [0, 16384] but got 9223372036854775807}}
  %0 = job.conv2d %x, %f {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 9223372036854775807, 0, 0, 0>, strides = array<i64: 1, 1>} : !job.blob<2x4x9x8xf32>, !job.blob<6x4x3x3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x9x8xf32>, %f: !job.blob<6x4x3x3xf32>) kind predict {
  // expected-error @below {{expects padding in [0, 16384] but got 16385}}
  %0 = job.conv2d %x, %f {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 16384, 16384, 16384, 16385>, strides = array<i64: 1, 1>} : !job.blob<2x4x9x8xf32>, !job.blob<6x4x3x3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x9x8xf32>, %f: !job.blob<6x4x3x3xf32>) kind predict {
  // expected-error @below {{expects groups to divide 4 input and 6 output channels but got 0}}
  %0 = job.conv2d %x, %f {dilations = array<i64: 1, 1>, groups = 0 : i64, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : !job.blob<2x4x9x8xf32>, !job.blob<6x4x3x3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x9x8xf32>, %f: !job.blob<6x4x3x3xf32>) kind predict {
  // expected-error @below {{expects groups to divide 4 input and 6 output channels but got 3}}
  %0 = job.conv2d %x, %f {dilations = array<i64: 1, 1>, groups = 3 : i64, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : !job.blob<2x4x9x8xf32>, !job.blob<6x4x3x3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x9x8xf32>, %f: !job.blob<6x1x3x3xf32>) kind predict {
  // expected-error @below {{expects groups to divide 4 input and 6 output channels but got 4}}
  %0 = job.conv2d %x, %f {dilations = array<i64: 1, 1>, groups = 4 : i64, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : !job.blob<2x4x9x8xf32>, !job.blob<6x1x3x3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x9x8xf32>, %f: !job.blob<6x4x3x3xf32>) kind predict {
  // expected-error @below {{expects a filter for 2 channels (4 in 2 groups) but got 4}}
  %0 = job.conv2d %x, %f {dilations = array<i64: 1, 1>, groups = 2 : i64, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : !job.blob<2x4x9x8xf32>, !job.blob<6x4x3x3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x9x8xf32>, %f: !job.blob<6x4x3x3xf32>) kind predict {
  // expected-error @below {{expects a window of at most 9 (input and padding) but got 11 in dimension 2}}
  %0 = job.conv2d %x, %f {dilations = array<i64: 5, 1>, groups = 1 : i64, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : !job.blob<2x4x9x8xf32>, !job.blob<6x4x3x3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x9x8xf32>, %f: !job.blob<6x4x3x3xf32>) kind predict {
  // expected-error @below {{expects a window of at most 10 (input and padding) but got 11 in dimension 3}}
  %0 = job.conv2d %x, %f {dilations = array<i64: 1, 5>, groups = 1 : i64, padding = array<i64: 0, 1, 0, 1>, strides = array<i64: 1, 1>} : !job.blob<2x4x9x8xf32>, !job.blob<6x4x3x3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<1x1x9x8xf32>, %f: !job.blob<1x1x288230376151711744x1xf32>) kind predict {
  // expected-error @below {{expects a window of at most 9 (input and padding) but got 9223372036854775807 in dimension 2}}
  %0 = job.conv2d %x, %f {dilations = array<i64: 2147483647, 1>, groups = 1 : i64, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : !job.blob<1x1x9x8xf32>, !job.blob<1x1x288230376151711744x1xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<1073741824x1x1x1xf32>, %f: !job.blob<1073741824x1x1x1xf32>) kind predict {
  // expected-error @below {{'job.conv2d' op expects at most 2^59 elements but got more}}
  %0 = job.conv2d %x, %f {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : !job.blob<1073741824x1x1x1xf32>, !job.blob<1073741824x1x1x1xf32>
  job.return
}

// -----

job.func @f(%a: !job.blob<2x6x7x6xf32>, %b: !job.blob<6x4x3x3xf32>) kind predict {
  // expected-error @below {{'job.conv2d_data_grad' op expects a gradient of type '!job.blob<2x6x7x7xf32>' but got '!job.blob<2x6x7x6xf32>'}}
  %0 = job.conv2d_data_grad %a, %b {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : !job.blob<2x6x7x6xf32>, !job.blob<6x4x3x3xf32> -> !job.blob<2x4x9x9xf32>
  job.return
}

// -----

job.func @f(%a: !job.blob<2x6x7x6xf32>, %b: !job.blob<6x4x3x3xf32>) kind predict {
  // expected-error @below {{expects groups to divide 4 input and 6 output channels but got 3}}
  %0 = job.conv2d_data_grad %a, %b {dilations = array<i64: 1, 1>, groups = 3 : i64, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : !job.blob<2x6x7x6xf32>, !job.blob<6x4x3x3xf32> -> !job.blob<2x4x9x8xf32>
  job.return
}

// -----

job.func @f(%a: !job.blob<2x6x7x6xf32>, %b: !job.blob<6x4x3x3xf32>) kind predict {
  // expected-error @below {{expects an input and a filter of 4 dimensions}}
  %0 = job.conv2d_data_grad %a, %b {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : !job.blob<2x6x7x6xf32>, !job.blob<6x4x3x3xf32> -> !job.blob<2x4x9xf32>
  job.return
}

// -----

job.func @f(%a: !job.blob<2x6x7x6xf32>, %b: !job.blob<2x4x9x8xf32>) kind predict {
  // expected-error @below {{'job.conv2d_filter_grad' op expects a gradient of type '!job.blob<2x6x7x7xf32>' but got '!job.blob<2x6x7x6xf32>'}}
  %0 = job.conv2d_filter_grad %a, %b {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : !job.blob<2x6x7x6xf32>, !job.blob<2x4x9x8xf32> -> !job.blob<6x4x3x2xf32>
  job.return
}

// -----

job.func @f(%a: !job.blob<2x6x7x6xf32>, %b: !job.blob<2x4x9x8xf32>) kind predict {
  // expected-error @below {{expects a filter for 4 channels (4 in 1 groups) but got 2}}
  %0 = job.conv2d_filter_grad %a, %b {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : !job.blob<2x6x7x6xf32>, !job.blob<2x4x9x8xf32> -> !job.blob<6x2x3x3xf32>
  job.return
}

// -----

job.func @f(%a: !job.blob<2x6x7x6xf32>, %b: !job.blob<6x4x3x3xf32>) kind predict {
  // expected-error @below {{requires attribute 'dilations'}}
  %0 = job.conv2d_data_grad %a, %b : !job.blob<2x6x7x6xf32>, !job.blob<6x4x3x3xf32> -> !job.blob<2x4x9x8xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x9x8xf32>, %f: !job.blob<6x4x3x3xf32>) kind predict {
  // expected-error @below {{'job.conv2d' op expects a filter for 8 channels (8 in 1 groups) but got 3}}
  %0 = job.conv2d %x, %f {dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : !job.blob<2x4x9x8xf32>, !job.blob<6x4x3x3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x9x2x4xf32>, %f: !job.blob<6x3x3x4xf32>) kind predict {
  // expected-error @below {{'job.conv2d' op expects a window of at most 2 (input and padding) but got 3 in dimension 2}}
  %0 = job.conv2d %x, %f {dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : !job.blob<2x9x2x4xf32>, !job.blob<6x3x3x4xf32>
  job.return
}

// -----

job.func @f(%a: !job.blob<2x6x7x6xf32>, %f: !job.blob<6x3x3x4xf32>) kind predict {
  // expected-error @below {{'job.conv2d_data_grad' op expects a gradient of type '!job.blob<2x7x6x6xf32>' but got '!job.blob<2x6x7x6xf32>'}}
  %0 = job.conv2d_data_grad %a, %f {dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : !job.blob<2x6x7x6xf32>, !job.blob<6x3x3x4xf32> -> !job.blob<2x9x8x4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x9x8x4xf32>, %f: !job.blob<6x3x3x4xf32>) kind predict {
  // expected-error @below {{'job.conv2d' op attribute 'layout' failed to satisfy constraint: the dimensions of images}}
  %0 = job.conv2d %x, %f {dilations = array<i64: 1, 1>, groups = 1 : i64, layout = "nhwc", padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : !job.blob<2x9x8x4xf32>, !job.blob<6x3x3x4xf32>
  job.return
}
