// RUN: job-opt %s --split-input-file --job-build-initializer --job-check-gradients --verify-diagnostics -o /dev/null

// d sum(w * c) / d w is c, but one element is another.

// expected-note@+1 {{the variable is defined here}}
job.variable @weight : !job.blob<2x3xf32> init #job.random_uniform_init<min = 0.5, max = 1.0>

job.func @wrong_element() kind train {
  %w = job.read @weight : !job.blob<2x3xf32>
  %c = job.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %d = job.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]]> : tensor<2x3xf32>
  %y = job.mul %w, %c : !job.blob<2x3xf32>
  job.loss %y : !job.blob<2x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  // expected-error@+1 {{expects d loss / d weight[1, 2] = 6 but got 7}}
  job.update @weight, %d : !job.blob<2x3xf32>
  job.return
}

// -----

// The loss scale belongs into the gradient.

// expected-note@+1 {{the variable is defined here}}
job.variable @weight : !job.blob<2xf32> init #job.random_uniform_init<min = 0.5, max = 1.0>

job.func @loss_scale() kind train {
  %w = job.read @weight : !job.blob<2xf32>
  %c = job.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = job.mul %w, %c : !job.blob<2xf32>
  job.loss %y : !job.blob<2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> {loss_scale = 8.0}
  // expected-error@+1 {{expects d loss / d weight[1] = 16 but got 2}}
  job.update @weight, %c : !job.blob<2xf32>
  job.return
}

// -----

// A gradient that was forgotten, and one of a variable of equal elements whose
// order is wrong.

// expected-note@+1 {{the variable is defined here}}
job.variable @bias : !job.blob<2xf32> init #job.constant_init<1.0>
// expected-note@+1 {{the variable is defined here}}
job.variable @weight : !job.blob<2xf32> init #job.constant_init<0.0>
job.variable @frozen : !job.blob<2xf32> init #job.constant_init<2.0> {trainable = false}

job.func @missing_and_permuted() kind train {
  // expected-error@+1 {{expects d loss / d bias[0] = 2 but got 0}}
  %b = job.read @bias : !job.blob<2xf32>
  %w = job.read @weight : !job.blob<2xf32>
  %f = job.read @frozen : !job.blob<2xf32>
  %0 = job.mul %w, %w : !job.blob<2xf32>
  %1 = job.mul %b, %f : !job.blob<2xf32>
  %2 = job.add %0, %1 : !job.blob<2xf32>
  job.loss %2 : !job.blob<2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  // 2 * w has other elements at other places.
  %sum = job.reduce_sum %w {axes = array<i64: 0>} : !job.blob<2xf32>
  %d = job.broadcast_in_dim %sum {dims = array<i64: 0>} : !job.blob<1xf32> to !job.blob<2xf32>
  // expected-error@+1 {{expects d loss / d weight[}}
  job.update @weight, %d : !job.blob<2xf32>
  job.return
}

// -----

// NaN is no gradient.

// expected-note@+1 {{the variable is defined here}}
job.variable @weight : !job.blob<2xf32> init #job.random_uniform_init<min = 0.5, max = 1.0>

job.func @not_a_number() kind train {
  %w = job.read @weight : !job.blob<2xf32>
  job.loss %w : !job.blob<2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  %d = job.constant dense<[1.0, 0x7FC00000]> : tensor<2xf32>
  // expected-error@+1 {{expects d loss / d weight[1] = 1 but got nan}}
  job.update @weight, %d : !job.blob<2xf32>
  job.return
}

// -----

job.variable @weight : !job.blob<2xf32> init #job.constant_init<1.0>

// expected-error@+1 {{expects job.update in @no_update, created by job-autodiff, but got none}}
job.func @no_update() kind train {
  %w = job.read @weight : !job.blob<2xf32>
  job.loss %w : !job.blob<2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// -----

// expected-error@+1 {{expects a training job but got none}}
module {
  job.func @predict(%x: !job.blob<2xf32>) -> !job.blob<2xf32> kind predict {
    job.return %x : !job.blob<2xf32>
  }
}
