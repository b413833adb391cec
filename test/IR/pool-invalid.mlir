// RUN: job-opt %s --split-input-file --verify-diagnostics

job.func @f(%x: !job.blob<8x8xf32>) kind predict {
  // expected-error @below {{'job.max_pool2d' op expects an input of 4 dimensions but got '!job.blob<8x8xf32>'}}
  %0 = job.max_pool2d %x {ksize = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : !job.blob<8x8xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x8x8xf32>) kind predict {
  // expected-error @below {{'job.max_pool2d' op requires attribute 'ksize'}}
  %0 = job.max_pool2d %x {padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : !job.blob<2x4x8x8xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x8x8xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats}}
  %0 = job.max_pool2d %x {ksize = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : !job.blob<2x4x8x8xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<8x8xf32>) kind predict {
  // expected-error @below {{'job.avg_pool2d' op expects an input of 4 dimensions but got '!job.blob<8x8xf32>'}}
  %0 = job.avg_pool2d %x {ksize = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : !job.blob<8x8xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x8x8xf32>) kind predict {
  // expected-error @below {{'job.avg_pool2d' op requires attribute 'ksize'}}
  %0 = job.avg_pool2d %x {padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : !job.blob<2x4x8x8xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x8x8xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats}}
  %0 = job.avg_pool2d %x {ksize = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : !job.blob<2x4x8x8xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x8x8xf32>) kind predict {
  // expected-error @below {{requires attribute 'padding'}}
  %0 = job.max_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>} : !job.blob<2x4x8x8xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x8x8xf32>) kind predict {
  // expected-error @below {{requires attribute 'strides'}}
  %0 = job.max_pool2d %x {ksize = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<2x4x8x8xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x8x8xf32>) kind predict {
  // expected-error @below {{expects ksize of 2 values but got 1}}
  %0 = job.max_pool2d %x {ksize = array<i64: 2>, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : !job.blob<2x4x8x8xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x8x8xf32>) kind predict {
  // expected-error @below {{expects ksize in [1, 2147483647] but got 0}}
  %0 = job.max_pool2d %x {ksize = array<i64: 0, 2>, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : !job.blob<2x4x8x8xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x8x8xf32>) kind predict {
  // expected-error @below {{expects strides of 2 values but got 0}}
  %0 = job.max_pool2d %x {ksize = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, strides = array<i64>} : !job.blob<2x4x8x8xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x8x8xf32>) kind predict {
  // expected-error @below {{expects strides in [1, 2147483647] but got -2}}
  %0 = job.max_pool2d %x {ksize = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: -2, 2>} : !job.blob<2x4x8x8xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x8x8xf32>) kind predict {
  // expected-error @below {{expects padding of 4 values but got 1}}
  %0 = job.max_pool2d %x {ksize = array<i64: 2, 2>, padding = array<i64: 0>, strides = array<i64: 2, 2>} : !job.blob<2x4x8x8xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x8x8xf32>) kind predict {
  // expected-error @below {{expects padding in [0, 2147483647] but got -1}}
  %0 = job.max_pool2d %x {ksize = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, -1>, strides = array<i64: 2, 2>} : !job.blob<2x4x8x8xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x8x8xf32>) kind predict {
  // expected-error @below {{expects a window of at most 8 (input and padding) but got 9 in dimension 2}}
  %0 = job.max_pool2d %x {ksize = array<i64: 9, 2>, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : !job.blob<2x4x8x8xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x8x8xf32>) kind predict {
  // expected-error @below {{expects padding below the window of 2 but got 2}}
  %0 = job.max_pool2d %x {ksize = array<i64: 2, 2>, padding = array<i64: 0, 2, 0, 0>, strides = array<i64: 2, 2>} : !job.blob<2x4x8x8xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x4x8x8xf32>) kind predict {
  // expected-error @below {{expects padding below the window of 3 but got 3}}
  %0 = job.max_pool2d %x {ksize = array<i64: 3, 9>, padding = array<i64: 0, 4, 3, 4>, strides = array<i64: 2, 2>} : !job.blob<2x4x8x8xf32>
  job.return
}

// -----

job.func @f(%g: !job.blob<2x4x4x4xf32>, %x: !job.blob<2x4x9x8xf32>) kind predict {
  // expected-error @below {{'job.max_pool2d_grad' op expects a gradient of type '!job.blob<2x4x9x4xf32>' but got '!job.blob<2x4x4x4xf32>'}}
  %0 = job.max_pool2d_grad %g, %x {ksize = array<i64: 1, 2>, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 2>} : !job.blob<2x4x4x4xf32>, !job.blob<2x4x9x8xf32>
  job.return
}

// -----

job.func @f(%g: !job.blob<2x4x4x4xf32>, %x: !job.blob<2x4x8x8xf32>) kind predict {
  // expected-error @below {{expects ksize in [1, 2147483647] but got 0}}
  %0 = job.max_pool2d_grad %g, %x {ksize = array<i64: 0, 2>, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : !job.blob<2x4x4x4xf32>, !job.blob<2x4x8x8xf32>
  job.return
}

// -----

job.func @f(%g: !job.blob<2x4x4x4xf32>) kind predict {
  // expected-error @below {{'job.avg_pool2d_grad' op expects a gradient of type '!job.blob<2x4x4x3xf32>' but got '!job.blob<2x4x4x4xf32>'}}
  %0 = job.avg_pool2d_grad %g {ksize = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : !job.blob<2x4x4x4xf32> -> !job.blob<2x4x8x6xf32>
  job.return
}

// -----

job.func @f(%g: !job.blob<2x4x4x4xf32>) kind predict {
  // expected-error @below {{expects an input of 4 dimensions but got '!job.blob<2x4x64xf32>'}}
  %0 = job.avg_pool2d_grad %g {ksize = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : !job.blob<2x4x4x4xf32> -> !job.blob<2x4x64xf32>
  job.return
}

// -----

job.func @f(%g: !job.blob<2x4x4x4xf32>, %x: !job.blob<2x4x8x8xf32>) kind predict {
  // expected-error @below {{failed to verify that all of {input, result} have same type}}
  %0 = "job.max_pool2d_grad"(%g, %x) <{ksize = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>}> : (!job.blob<2x4x4x4xf32>, !job.blob<2x4x8x8xf32>) -> !job.blob<2x4x8x9xf32>
  job.return
}

// -----

job.func @f(%a: !job.blob<2x4x5x8xf32>) kind predict {
  // expected-error @below {{'job.avg_pool2d_grad' op expects a gradient of type '!job.blob<2x5x8x4xf32>' but got '!job.blob<2x4x5x8xf32>'}}
  %0 = job.avg_pool2d_grad %a {ksize = array<i64: 3, 2>, layout = #job<layout nhwc>, padding = array<i64: 1, 0, 2, 1>, strides = array<i64: 2, 1>} : !job.blob<2x4x5x8xf32> -> !job.blob<2x8x8x4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<1x1x16x16xf32>) kind predict {
  // expected-error @below {{expects a window of at most 128 cells but got 3x43}}
  %0, %1 = job.max_pool2d_argmax %x {ksize = array<i64: 3, 43>, padding = array<i64: 0, 20, 0, 20>, strides = array<i64: 1, 1>} : !job.blob<1x1x16x16xf32>
  job.return
}

// -----

job.func @f(%g: !job.blob<1x1x14x14xf32>, %a: !job.blob<1x1x14x14xi8>) kind predict {
  // expected-error @below {{'job.max_pool2d_argmax_grad' op expects a window of at most 128 cells but got 3x43}}
  %0 = job.max_pool2d_argmax_grad %g, %a {ksize = array<i64: 3, 43>, padding = array<i64: 0, 20, 0, 20>, strides = array<i64: 1, 1>} : !job.blob<1x1x14x14xf32>, !job.blob<1x1x14x14xi8> -> !job.blob<1x1x16x16xf32>
  job.return
}

// -----

job.func @f(%g: !job.blob<2x4x4x4xf32>, %a: !job.blob<2x4x4x3xi8>) kind predict {
  // expected-error @below {{'job.max_pool2d_argmax_grad' op expects an argmax of type '!job.blob<2x4x4x4xi8>' but got '!job.blob<2x4x4x3xi8>'}}
  %0 = job.max_pool2d_argmax_grad %g, %a {ksize = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : !job.blob<2x4x4x4xf32>, !job.blob<2x4x4x3xi8> -> !job.blob<2x4x8x8xf32>
  job.return
}

// -----

job.func @f(%g: !job.blob<2x4x4x4xf32>, %a: !job.blob<2x4x4x4xi32>) kind predict {
  // expected-error @below {{operand #1 must be blob of i8 with a static shape, but got '!job.blob<2x4x4x4xi32>'}}
  %0 = job.max_pool2d_argmax_grad %g, %a {ksize = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : !job.blob<2x4x4x4xf32>, !job.blob<2x4x4x4xi32> -> !job.blob<2x4x8x8xf32>
  job.return
}

// -----

job.func @f(%g: !job.blob<2x4x4x3xf32>, %a: !job.blob<2x4x4x3xi8>) kind predict {
  // expected-error @below {{'job.max_pool2d_argmax_grad' op expects a gradient of type '!job.blob<2x4x4x4xf32>' but got '!job.blob<2x4x4x3xf32>'}}
  %0 = job.max_pool2d_argmax_grad %g, %a {ksize = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : !job.blob<2x4x4x3xf32>, !job.blob<2x4x4x3xi8> -> !job.blob<2x4x8x8xf32>
  job.return
}
