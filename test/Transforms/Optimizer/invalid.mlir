// RUN: job-opt %s --job-optimizer --job-step-counter --split-input-file --verify-diagnostics

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
job.func @train() kind train {
  %w = job.read @w : !job.blob<4xf32>
  job.loss %w : !job.blob<4xf32>
  // expected-error@below {{expects job.update ops, created by job-autodiff, but got none in @train}}
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// -----

// A user's variable with the name of a state.
job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
// expected-error@below {{expects @w-momentum to be the optimizer's state of @w, a variable of type '!job.blob<4xf32>' that starts at 0.000000e+00 and is not trainable, but got something else}}
job.variable @"w-momentum" : !job.blob<4xf32> init #job.constant_init<0.0>
job.func @train(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  job.loss %w : !job.blob<4xf32>
  job.minimize #job.momentum<beta = 0.9> schedule #job.constant_schedule<0.1>
  // expected-note@below {{the update is built for this}}
  job.update @w, %g : !job.blob<4xf32>
  job.return
}

// -----

// A state is stored as its variable is.
job.variable @w : !job.blob<2x2xf32> init #job.constant_init<1.0> {permutation = array<i64: 1, 0>}
// expected-error@below {{a variable of type '!job.blob<2x2xf32>', permuted like it, that starts at}}
job.variable @"w-momentum" : !job.blob<2x2xf32> init #job.constant_init<0.0> {trainable = false}
job.func @train(%g: !job.blob<2x2xf32>) kind train {
  %w = job.read @w : !job.blob<2x2xf32>
  job.loss %w : !job.blob<2x2xf32>
  job.minimize #job.momentum<beta = 0.9> schedule #job.constant_schedule<0.1>
  // expected-note@below {{the update is built for this}}
  job.update @w, %g : !job.blob<2x2xf32>
  job.return
}

// -----

job.variable @w : !job.blob<2x2xf32> init #job.constant_init<1.0>
// expected-error@below {{a variable of type '!job.blob<2x2xf32>' without a permutation that starts at}}
job.variable @"w-momentum" : !job.blob<2x2xf32> init #job.constant_init<0.0> {trainable = false, permutation = array<i64: 1, 0>}
job.func @train(%g: !job.blob<2x2xf32>) kind train {
  %w = job.read @w : !job.blob<2x2xf32>
  job.loss %w : !job.blob<2x2xf32>
  job.minimize #job.momentum<beta = 0.9> schedule #job.constant_schedule<0.1>
  // expected-note@below {{the update is built for this}}
  job.update @w, %g : !job.blob<2x2xf32>
  job.return
}

// -----

// Adam fails for each of its states.
job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
// expected-error@below {{expects @w-v to be the optimizer's state of @w}}
job.variable @"w-v" : !job.blob<2xf32> init #job.constant_init<0.0> {trainable = false}
job.func @train(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  job.loss %w : !job.blob<4xf32>
  job.minimize #job.adam<beta1 = 0.9, beta2 = 0.999, epsilon = 1.0e-08, bias_correction = true> schedule #job.constant_schedule<0.1>
  // expected-note@below {{the update is built for this}}
  job.update @w, %g : !job.blob<4xf32>
  job.return
}

// -----

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
// expected-error@below {{expects @w-beta2_t to be the optimizer's state of @w}}
job.func @"w-beta2_t"() kind predict {
  job.return
}
job.func @train(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  job.loss %w : !job.blob<4xf32>
  job.minimize #job.adam<beta1 = 0.9, beta2 = 0.999, epsilon = 1.0e-08, bias_correction = true> schedule #job.constant_schedule<0.1>
  // expected-note@below {{the update is built for this}}
  job.update @w, %g : !job.blob<4xf32>
  job.return
}

// -----

// expected-error@below {{expects @System-Train-TrainStep-draw to be a step counter, a variable of type '!job.blob<1xi64>' that is not trainable, but got something else}}
job.variable @"System-Train-TrainStep-draw" : !job.blob<1xf32> init #job.constant_init<0.0>
// expected-note@below {{the job that counts is here}}
job.func @draw() kind predict {
  %0 = job.step
  job.return
}

// -----

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
job.func @train(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  job.loss %w : !job.blob<4xf32>
  job.minimize #job.rmsprop<decay_rate = 0.99, epsilon = 1.0e-08, centered = false> schedule #job.constant_schedule<0.1> {weight_decay = #job.weight_decay<rate = 0.5>}
  // expected-error@below {{expects no weight decay with #job.rmsprop<decay_rate = 0.98999999999999999, epsilon = 1.000000e-08, centered = false> but got 5.000000e-01}}
  job.update @w, %g : !job.blob<4xf32>
  job.return
}

// -----

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
// expected-error@below {{expects @w-mean_square to be the optimizer's state of @w}}
job.variable @"w-mean_square" : !job.blob<4xi32> init #job.constant_init<0.0> {trainable = false}
job.func @train(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  job.loss %w : !job.blob<4xf32>
  job.minimize #job.rmsprop<decay_rate = 0.9, epsilon = 1.0e-08, centered = true> schedule #job.constant_schedule<0.1>
  // expected-note@below {{the update is built for this}}
  job.update @w, %g : !job.blob<4xf32>
  job.return
}

// -----

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
// expected-error@below {{expects @w-mean_gradient to be the optimizer's state of @w}}
job.variable @"w-mean_gradient" : !job.blob<4xi32> init #job.constant_init<0.0> {trainable = false}
job.func @train(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  job.loss %w : !job.blob<4xf32>
  job.minimize #job.rmsprop<decay_rate = 0.9, epsilon = 1.0e-08, centered = true> schedule #job.constant_schedule<0.1>
  // expected-note@below {{the update is built for this}}
  job.update @w, %g : !job.blob<4xf32>
  job.return
}

// -----

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
// expected-error@below {{expects @w-momentum to be the optimizer's state of @w}}
job.variable @"w-momentum" : !job.blob<4xi32> init #job.constant_init<0.0> {trainable = false}
job.func @train(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  job.loss %w : !job.blob<4xf32>
  job.minimize #job.lars<beta = 0.9, epsilon = 1.0e-09, coefficient = 1.0e-04> schedule #job.constant_schedule<0.1>
  // expected-note@below {{the update is built for this}}
  job.update @w, %g : !job.blob<4xf32>
  job.return
}

// -----

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
// expected-error@below {{expects @w-m to be the optimizer's state of @w}}
job.variable @"w-m" : !job.blob<4xi32> init #job.constant_init<0.0> {trainable = false}
job.func @train(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  job.loss %w : !job.blob<4xf32>
  job.minimize #job.lamb<beta1 = 0.9, beta2 = 0.999, epsilon = 1.0e-06> schedule #job.constant_schedule<0.1>
  // expected-note@below {{the update is built for this}}
  job.update @w, %g : !job.blob<4xf32>
  job.return
}

// -----

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
// expected-error@below {{expects @w-beta1_t to be the optimizer's state of @w}}
job.variable @"w-beta1_t" : !job.blob<4xi32> init #job.constant_init<0.0> {trainable = false}
job.func @train(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  job.loss %w : !job.blob<4xf32>
  job.minimize #job.lamb<beta1 = 0.9, beta2 = 0.999, epsilon = 1.0e-06> schedule #job.constant_schedule<0.1>
  // expected-note@below {{the update is built for this}}
  job.update @w, %g : !job.blob<4xf32>
  job.return
}

// -----

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
// expected-error@below {{expects @w-v to be the optimizer's state of @w}}
job.variable @"w-v" : !job.blob<4xi32> init #job.constant_init<0.0> {trainable = false}
job.func @train(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  job.loss %w : !job.blob<4xf32>
  job.minimize #job.lazy_adam<beta1 = 0.9, beta2 = 0.999, epsilon = 1.0e-06> schedule #job.constant_schedule<0.1>
  // expected-note@below {{the update is built for this}}
  job.update @w, %g : !job.blob<4xf32>
  job.return
}

// -----

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
job.variable @v : !job.blob<4xf32> init #job.constant_init<1.0>
job.func @train(%g: !job.blob<4xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  job.loss %w : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> {variables = [@w]}
  // expected-error@below {{expects a job.minimize that updates @v but got none}}
  job.update @v, %g : !job.blob<4xf32>
  job.return
}
