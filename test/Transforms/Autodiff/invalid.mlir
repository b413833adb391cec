// RUN: job-opt %s --job-autodiff --split-input-file --verify-diagnostics

// The gradient of a gradient op.
job.variable @w : !job.blob<1x1x4x4xf32> init #job.constant_init<1.0>
job.func @train(%x: !job.blob<1x1x4x4xf32>) kind train {
  %w = job.read @w : !job.blob<1x1x4x4xf32>
  %0 = job.max_pool2d %w {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x1x4x4xf32>
  // expected-error@below {{expects a differentiable op between a trainable variable and a loss but got 'job.max_pool2d_grad'}}
  %1 = job.max_pool2d_grad %0, %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x1x2x2xf32>, !job.blob<1x1x4x4xf32>
  job.loss %1 : !job.blob<1x1x4x4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// -----

// What job-verify asks of a training job is asked here too.
// expected-error@below {{training job @train expects a loss (job.loss) but got none}}
job.func @train() kind train {
  job.return
}

// -----

// What layer_norm gives depends on gamma, but its mean does not.
job.variable @gamma : !job.blob<4xf32> init #job.constant_init<1.0>
job.func @train(%x: !job.blob<2x4xf32>) kind train {
  %gamma = job.read @gamma : !job.blob<4xf32>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %gamma {epsilon = 1.000000e-05 : f64} : !job.blob<2x4xf32>, !job.blob<4xf32>
  // expected-error@below {{expects the losses to depend on a trainable variable}}
  job.loss %mean : !job.blob<2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// -----

// 65536 is infinite in f16.
job.variable @w : !job.blob<4xf16> init #job.constant_init<1.0>
job.func @train() kind train {
  %w = job.read @w : !job.blob<4xf16>
  // expected-error@below {{expects a loss scale that 'f16', the type of the loss, can hold but got 6.553600e+04}}
  job.loss %w : !job.blob<4xf16>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> {loss_scale = 65536.0}
  job.return
}

// -----

// And this is zero in f32.
job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
job.func @train() kind train {
  %w = job.read @w : !job.blob<4xf32>
  // expected-error@below {{expects a loss scale that 'f32', the type of the loss, can hold but got 1.000000e-50}}
  job.loss %w : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> {loss_scale = 1.0e-50}
  job.return
}

// -----

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
job.func @train() kind train {
  %w = job.read @w : !job.blob<4xf32>
  // expected-error@below {{expects the host function 'swish' between a trainable variable and a loss to have a gradient but got none}}
  %0 = job.host_call "swish"(%w) : (!job.blob<4xf32>) -> !job.blob<4xf32>
  job.loss %0 : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// -----

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
job.func @train() kind train {
  %w = job.read @w : !job.blob<4xf32>
  %0 = job.gradient %w : !job.blob<4xf32>
  %1 = job.mul %0, %w : !job.blob<4xf32>
  // expected-error@below {{expects ops without effects and calls of host functions to depend on a job.gradient but got job.loss}}
  job.loss %1 : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}
