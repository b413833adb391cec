// RUN: job-opt %s --job-verify | FileCheck %s
// RUN: job-opt %examples/mlp.mlir --job-verify
// RUN: job-opt %examples/lenet.mlir --job-verify

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
job.variable @frozen : !job.blob<4xf32> init #job.constant_init<1.0> {trainable = false}

// Two losses of one size, one of which depends on no trainable variable.
// CHECK-LABEL: job.func @two_losses
// CHECK-COUNT-2: job.loss
// CHECK: job.minimize
job.func @two_losses() kind train {
  %w = job.read @w : !job.blob<4xf32>
  %frozen = job.read @frozen : !job.blob<4xf32>
  %x = job.exp %w : !job.blob<4xf32>
  %y = job.exp %frozen : !job.blob<4xf32>
  job.loss %x : !job.blob<4xf32>
  job.loss %y : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// Equal ids with different seeds, and equal seeds with different ids.
// CHECK-LABEL: job.func @random
job.func @random(%x: !job.blob<4xf32>, %seed: !job.blob<1xi64>) kind predict {
  %step = job.step
  %0 = job.dropout %x, %step {rate = 0.5, seed = 0 : i64, id = 1 : i64} : !job.blob<4xf32>
  %1 = job.dropout %x, %step {rate = 0.5, seed = 0 : i64, id = 2 : i64} : !job.blob<4xf32>
  %2 = job.dropout %x, %step {rate = 0.5, seed = 1 : i64, id = 1 : i64} : !job.blob<4xf32>
  %3 = job.random_uniform %seed, %step {id = 1 : i64} : !job.blob<4xf32>
  job.return
}

// Text with gradients: a dropout and its gradient draw the same numbers, and no
// loss is left once the updates are expanded.
job.func @gradients() kind train {
  %w = job.read @w : !job.blob<4xf32>
  %step = job.step
  %0 = job.dropout %w, %step {rate = 0.5, seed = 3 : i64, id = 1 : i64} : !job.blob<4xf32>
  job.loss %0 : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  %1 = job.constant dense<1.0> : tensor<4xf32>
  %2 = job.dropout %1, %step {rate = 0.5, seed = 3 : i64, id = 1 : i64} : !job.blob<4xf32>
  job.update @w, %2 : !job.blob<4xf32>
  job.return
}
job.func @expanded() kind train {
  %w = job.read @w : !job.blob<4xf32>
  %step = job.step
  %0 = job.dropout %w, %step {rate = 0.5, seed = 3 : i64, id = 1 : i64} : !job.blob<4xf32>
  %1 = job.dropout %0, %step {rate = 0.5, seed = 3 : i64, id = 1 : i64} : !job.blob<4xf32>
  job.assign @w, %1 : !job.blob<4xf32>
  job.return
}
