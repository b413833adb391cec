// RUN: job-opt %s --split-input-file --verify-diagnostics

job.func @f(%x: !job.blob<2x3x4xf32>) kind predict {
  // expected-error @below {{'job.reduce_sum' op requires attribute 'axes'}}
  %0 = job.reduce_sum %x : !job.blob<2x3x4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x3x4xf32>) kind predict {
  // expected-error @below {{'job.reduce_sum' op expects axes in [0, 3) but got 3}}
  %0 = job.reduce_sum %x {axes = array<i64: 0, 3>} : !job.blob<2x3x4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x3x4xf32>) kind predict {
  // expected-error @below {{expects axes in [0, 3) but got -1}}
  %0 = job.reduce_sum %x {axes = array<i64: -1>} : !job.blob<2x3x4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x3x4xf32>) kind predict {
  // expected-error @below {{expects axes to increase but got 2 before 0}}
  %0 = job.reduce_sum %x {axes = array<i64: 2, 0>} : !job.blob<2x3x4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x3x4xf32>) kind predict {
  // expected-error @below {{expects axes to increase but got 1 before 1}}
  %0 = job.reduce_sum %x {axes = array<i64: 1, 1>} : !job.blob<2x3x4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4xi1>) kind predict {
  // expected-error @below {{operand #0 must be blob of numbers with a static shape, but got '!job.blob<4xi1>'}}
  %0 = job.reduce_sum %x {axes = array<i64: 0>} : !job.blob<4xi1>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x3xf32>) kind predict {
  // expected-error @below {{inferred type(s) '!job.blob<3xf32>' are incompatible with return type(s) of operation '!job.blob<1x3xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = "job.reduce_sum"(%x) <{axes = array<i64: 0>}> : (!job.blob<2x3xf32>) -> !job.blob<1x3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x3x4xf32>) kind predict {
  // expected-error @below {{'job.reduce_prod' op expects axes in [0, 3) but got 3}}
  %0 = job.reduce_prod %x {axes = array<i64: 0, 3>} : !job.blob<2x3x4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x3x4xf32>) kind predict {
  // expected-error @below {{'job.reduce_max' op expects axes in [0, 3) but got 3}}
  %0 = job.reduce_max %x {axes = array<i64: 0, 3>} : !job.blob<2x3x4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x3x4xf32>) kind predict {
  // expected-error @below {{'job.reduce_min' op expects axes in [0, 3) but got 3}}
  %0 = job.reduce_min %x {axes = array<i64: 0, 3>} : !job.blob<2x3x4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x3x4xf32>, %y: !job.blob<2x3xf32>) kind predict {
  // expected-error @below {{'job.reduce_extremum_grad' op expects axes in [0, 3) but got 3}}
  %0 = job.reduce_extremum_grad %y, %x, %y {axes = array<i64: 3>} : !job.blob<2x3xf32>, !job.blob<2x3x4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x3x4xf32>, %y: !job.blob<2x3xf32>) kind predict {
  // expected-error @below {{'job.reduce_extremum_grad' op expects axes to increase but got 1 before 0}}
  %0 = job.reduce_extremum_grad %y, %x, %y {axes = array<i64: 1, 0>} : !job.blob<2x3xf32>, !job.blob<2x3x4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x3x4xf32>, %y: !job.blob<2x3xf32>) kind predict {
  // expected-error @below {{'job.reduce_extremum_grad' op expects a gradient of type '!job.blob<3x4xf32>' or '!job.blob<1x3x4xf32>' but got '!job.blob<2x3xf32>'}}
  %0 = job.reduce_extremum_grad %y, %x, %y {axes = array<i64: 0>} : !job.blob<2x3xf32>, !job.blob<2x3x4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x3x4xf32>, %y: !job.blob<2x3xf32>) kind predict {
  // expected-error @below {{'job.reduce_prod_grad' op expects axes in [0, 3) but got 3}}
  %0 = job.reduce_prod_grad %y, %x, %y {axes = array<i64: 3>} : !job.blob<2x3xf32>, !job.blob<2x3x4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x3x4xf32>, %y: !job.blob<2x3xf32>) kind predict {
  // expected-error @below {{'job.reduce_prod_grad' op expects axes to increase but got 1 before 0}}
  %0 = job.reduce_prod_grad %y, %x, %y {axes = array<i64: 1, 0>} : !job.blob<2x3xf32>, !job.blob<2x3x4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x3x4xf32>, %y: !job.blob<2x3xf32>) kind predict {
  // expected-error @below {{'job.reduce_prod_grad' op expects a gradient of type '!job.blob<3x4xf32>' or '!job.blob<1x3x4xf32>' but got '!job.blob<2x3xf32>'}}
  %0 = job.reduce_prod_grad %y, %x, %y {axes = array<i64: 0>} : !job.blob<2x3xf32>, !job.blob<2x3x4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x3xi32>, %y: !job.blob<2xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<2xi32>'}}
  %0 = job.reduce_extremum_grad %y, %x, %y {axes = array<i64: 1>} : !job.blob<2xi32>, !job.blob<2x3xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x3xf32>) kind predict {
  // expected-error @below {{'job.argmax' op expects an axis in [0, 2) but got 2}}
  %0 = job.argmax %x {axis = 2 : i64} : !job.blob<2x3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x3xf32>) kind predict {
  // expected-error @below {{'job.argmax' op expects an axis in [0, 2) but got -1}}
  %0 = job.argmax %x {axis = -1 : i64} : !job.blob<2x3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<2x3xi1>) kind predict {
  // expected-error @below {{operand #0 must be blob of numbers with a static shape, but got '!job.blob<2x3xi1>'}}
  %0 = job.argmax %x {axis = 0 : i64} : !job.blob<2x3xi1>
  job.return
}
