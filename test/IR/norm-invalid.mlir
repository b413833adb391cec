// RUN: job-opt %s --split-input-file --verify-diagnostics

job.func @f(%x: !job.blob<4x3x5xf32>, %gamma: !job.blob<3xf32>, %beta: !job.blob<3xf32>) kind predict {
  // expected-error @below {{'job.batch_norm' op expects an axis in [0, 3) but got 3}}
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 3 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<4x3x5xf32>, !job.blob<3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x3x5xf32>, %gamma: !job.blob<3xf32>, %beta: !job.blob<3xf32>) kind predict {
  // expected-error @below {{expects an axis in [0, 3) but got -1}}
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = -1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<4x3x5xf32>, !job.blob<3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x3x5xf32>, %gamma: !job.blob<5xf32>, %beta: !job.blob<5xf32>) kind predict {
  // expected-error @below {{'job.batch_norm' op expects gamma and beta of type '!job.blob<3xf32>' but got '!job.blob<5xf32>'}}
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<4x3x5xf32>, !job.blob<5xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x3x5xf32>, %gamma: !job.blob<3xf64>, %beta: !job.blob<3xf64>) kind predict {
  // expected-error @below {{expects gamma and beta of type '!job.blob<3xf32>' but got '!job.blob<3xf64>'}}
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<4x3x5xf32>, !job.blob<3xf64>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x3x5xf32>, %gamma: !job.blob<3x1xf32>, %beta: !job.blob<3x1xf32>) kind predict {
  // expected-error @below {{expects gamma and beta of type '!job.blob<3xf32>' but got '!job.blob<3x1xf32>'}}
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<4x3x5xf32>, !job.blob<3x1xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x3x5xf32>, %gamma: !job.blob<3xf32>, %beta: !job.blob<3xf32>) kind predict {
  // expected-error @below {{'job.batch_norm' op requires attribute 'epsilon'}}
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64} : !job.blob<4x3x5xf32>, !job.blob<3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x3x5xi32>, %gamma: !job.blob<3xi32>, %beta: !job.blob<3xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4x3x5xi32>'}}
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<4x3x5xi32>, !job.blob<3xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x3xf32>, %gamma: !job.blob<3xf32>, %beta: !job.blob<4xf32>) kind predict {
  // expected-error @below {{failed to verify that all of {gamma, beta} have same type}}
  %0:3 = "job.batch_norm"(%x, %gamma, %beta) {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : (!job.blob<4x3xf32>, !job.blob<3xf32>, !job.blob<4xf32>) -> (!job.blob<4x3xf32>, !job.blob<3xf32>, !job.blob<3xf32>)
  job.return
}

// -----

job.func @f(%x: !job.blob<4x3x5xf32>, %gamma: !job.blob<3xf32>, %beta: !job.blob<3xf32>) kind predict {
  // expected-error @below {{'job.layer_norm' op expects gamma and beta of type '!job.blob<5xf32>' but got '!job.blob<3xf32>'}}
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<4x3x5xf32>, !job.blob<3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x3x5xf64>, %gamma: !job.blob<5xf32>, %beta: !job.blob<5xf32>) kind predict {
  // expected-error @below {{expects gamma and beta of type '!job.blob<5xf64>' but got '!job.blob<5xf32>'}}
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<4x3x5xf64>, !job.blob<5xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x3x5xf32>, %gamma: !job.blob<5xf32>, %beta: !job.blob<5xf32>) kind predict {
  // expected-error @below {{'job.layer_norm' op requires attribute 'epsilon'}}
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {} : !job.blob<4x3x5xf32>, !job.blob<5xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x5xi32>, %gamma: !job.blob<5xi32>, %beta: !job.blob<5xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4x5xi32>'}}
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<4x5xi32>, !job.blob<5xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x3xf32>, %gamma: !job.blob<3xf32>, %beta: !job.blob<4xf32>) kind predict {
  // expected-error @below {{failed to verify that all of {gamma, beta} have same type}}
  %0:3 = "job.layer_norm"(%x, %gamma, %beta) {epsilon = 1.000000e-05 : f64} : (!job.blob<4x3xf32>, !job.blob<3xf32>, !job.blob<4xf32>) -> (!job.blob<4x3xf32>, !job.blob<4xf32>, !job.blob<4xf32>)
  job.return
}

// -----

job.func @f(%g: !job.blob<4x3x5xf32>, %x: !job.blob<4x3x5xf32>, %gamma: !job.blob<3xf32>, %mean: !job.blob<4x3xf32>, %rstd: !job.blob<4x3xf32>) kind predict {
  // expected-error @below {{'job.layer_norm_grad' op expects gamma and beta of type '!job.blob<5xf32>' but got '!job.blob<3xf32>'}}
  %0 = job.layer_norm_grad %g, %x, %gamma, %mean, %rstd : !job.blob<4x3x5xf32>, !job.blob<3xf32>, !job.blob<4x3xf32>
  job.return
}

// -----

job.func @f(%g: !job.blob<4x3x5xf32>, %x: !job.blob<4x3x5xf32>, %gamma: !job.blob<5xf32>, %mean: !job.blob<4x3x1xf32>, %rstd: !job.blob<4x3x1xf32>) kind predict {
  // expected-error @below {{'job.layer_norm_grad' op expects mean and rstd of type '!job.blob<4x3xf32>' but got '!job.blob<4x3x1xf32>'}}
  %0 = job.layer_norm_grad %g, %x, %gamma, %mean, %rstd : !job.blob<4x3x5xf32>, !job.blob<5xf32>, !job.blob<4x3x1xf32>
  job.return
}

// -----

job.func @f(%g: !job.blob<5xf32>, %x: !job.blob<5xf32>, %gamma: !job.blob<5xf32>, %mean: !job.blob<5xf32>, %rstd: !job.blob<5xf32>) kind predict {
  // expected-error @below {{expects mean and rstd of type '!job.blob<1xf32>' but got '!job.blob<5xf32>'}}
  %0 = job.layer_norm_grad %g, %x, %gamma, %mean, %rstd : !job.blob<5xf32>, !job.blob<5xf32>, !job.blob<5xf32>
  job.return
}

// -----

job.func @f(%g: !job.blob<4x5xi32>, %x: !job.blob<4x5xi32>, %gamma: !job.blob<5xi32>, %mean: !job.blob<4xi32>, %rstd: !job.blob<4xi32>) kind predict {
  // expected-error @below {{operand #0 must be blob of floats with a static shape, but got '!job.blob<4x5xi32>'}}
  %0 = job.layer_norm_grad %g, %x, %gamma, %mean, %rstd : !job.blob<4x5xi32>, !job.blob<5xi32>, !job.blob<4xi32>
  job.return
}

// -----

job.func @f(%g: !job.blob<4x2xf32>, %x: !job.blob<4x3xf32>, %gamma: !job.blob<3xf32>, %m: !job.blob<4xf32>) kind predict {
  // expected-error @below {{failed to verify that all of {grad, operand, result} have same type}}
  %0 = "job.layer_norm_grad"(%g, %x, %gamma, %m, %m) : (!job.blob<4x2xf32>, !job.blob<4x3xf32>, !job.blob<3xf32>, !job.blob<4xf32>, !job.blob<4xf32>) -> !job.blob<4x3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x3xf32>, %gamma: !job.blob<3xf32>, %m: !job.blob<4xf32>, %r: !job.blob<4x1xf32>) kind predict {
  // expected-error @below {{failed to verify that all of {mean, rstd} have same type}}
  %0 = "job.layer_norm_grad"(%x, %x, %gamma, %m, %r) : (!job.blob<4x3xf32>, !job.blob<4x3xf32>, !job.blob<3xf32>, !job.blob<4xf32>, !job.blob<4x1xf32>) -> !job.blob<4x3xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x3xi32>) kind predict {
  // expected-error @below {{'job.softmax' op operand #0 must be blob of floats with a static shape, but got '!job.blob<4x3xi32>'}}
  %0 = job.softmax %x : !job.blob<4x3xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x3xf32>) kind predict {
  // expected-error @below {{requires the same type for all operands and results}}
  %0 = "job.softmax"(%x) : (!job.blob<4x3xf32>) -> !job.blob<4xf32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x3xi32>) kind predict {
  // expected-error @below {{'job.log_softmax' op operand #0 must be blob of floats with a static shape, but got '!job.blob<4x3xi32>'}}
  %0 = job.log_softmax %x : !job.blob<4x3xi32>
  job.return
}

// -----

job.func @f(%x: !job.blob<4x3xf32>) kind predict {
  // expected-error @below {{requires the same type for all operands and results}}
  %0 = "job.log_softmax"(%x) : (!job.blob<4x3xf32>) -> !job.blob<4xf32>
  job.return
}
