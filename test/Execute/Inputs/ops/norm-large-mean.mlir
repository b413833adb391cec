// Normalisations of values with a large mean and a small variance, whose mean is
// not exact in f32 (nor in f64, but there the interpreter is no judge). Apart from
// norm.mlir, since differences of such losses are too coarse to check gradients
// with. Not for f16 and bf16, which round such values to one.

job.variable @"far-4x100xf32" : !job.blob<4x100xf32> init #job.random_uniform_init<min = 9999.5, max = 10000.5>
job.variable @"gamma-100xf32" : !job.blob<100xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"beta-100xf32" : !job.blob<100xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"far-8x3x5x5xf32" : !job.blob<8x3x5x5xf32> init #job.random_uniform_init<min = 9999.5, max = 10000.5>
job.variable @"gamma-3xf32" : !job.blob<3xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"beta-3xf32" : !job.blob<3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-8x3x5x5xf32" : !job.blob<8x3x5x5xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-3xf32" : !job.blob<3xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}

// K = 100
job.func @layer_norm_large_mean_f32() -> (!job.blob<4x100xf32> {job.name = "y"}, !job.blob<4xf32> {job.name = "mean"}, !job.blob<4xf32> {job.name = "rstd"}) kind predict {
  %x = job.read @"far-4x100xf32" : !job.blob<4x100xf32>
  %gamma = job.read @"gamma-100xf32" : !job.blob<100xf32>
  %beta = job.read @"beta-100xf32" : !job.blob<100xf32>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<4x100xf32>, !job.blob<100xf32>
  job.return %y, %mean, %rstd : !job.blob<4x100xf32>, !job.blob<4xf32>, !job.blob<4xf32>
}

// K = 200
job.func @batch_norm_large_mean_f32() -> (!job.blob<8x3x5x5xf32> {job.name = "y"}, !job.blob<3xf32> {job.name = "mean"}, !job.blob<3xf32> {job.name = "variance"}) kind predict {
  %x = job.read @"far-8x3x5x5xf32" : !job.blob<8x3x5x5xf32>
  %gamma = job.read @"gamma-3xf32" : !job.blob<3xf32>
  %beta = job.read @"beta-3xf32" : !job.blob<3xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<8x3x5x5xf32>, !job.blob<3xf32>
  job.return %y, %mean, %variance : !job.blob<8x3x5x5xf32>, !job.blob<3xf32>, !job.blob<3xf32>
}

// K = 200
job.func @train_batch_norm_large_mean_f32() -> (!job.blob<8x3x5x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"far-8x3x5x5xf32" : !job.blob<8x3x5x5xf32>
  %gamma = job.read @"gamma-3xf32" : !job.blob<3xf32>
  %beta = job.read @"beta-3xf32" : !job.blob<3xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<8x3x5x5xf32>, !job.blob<3xf32>
  %weight = job.read @"weight-8x3x5x5xf32" : !job.blob<8x3x5x5xf32>
  %loss = job.mul %y, %weight : !job.blob<8x3x5x5xf32>
  job.loss %loss : !job.blob<8x3x5x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<8x3x5x5xf32>
}

// K = 200
job.func @train_batch_norm_large_mean_alone() -> (!job.blob<3xf32> {job.name = "loss"}) kind train {
  %x = job.read @"far-8x3x5x5xf32" : !job.blob<8x3x5x5xf32>
  %gamma = job.read @"gamma-3xf32" : !job.blob<3xf32>
  %beta = job.read @"beta-3xf32" : !job.blob<3xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<8x3x5x5xf32>, !job.blob<3xf32>
  %weight = job.read @"weight-3xf32" : !job.blob<3xf32>
  %loss = job.mul %mean, %weight : !job.blob<3xf32>
  job.loss %loss : !job.blob<3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3xf32>
}

// K = 200
job.func @train_batch_norm_large_variance_alone() -> (!job.blob<3xf32> {job.name = "loss"}) kind train {
  %x = job.read @"far-8x3x5x5xf32" : !job.blob<8x3x5x5xf32>
  %gamma = job.read @"gamma-3xf32" : !job.blob<3xf32>
  %beta = job.read @"beta-3xf32" : !job.blob<3xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<8x3x5x5xf32>, !job.blob<3xf32>
  %weight = job.read @"weight-3xf32" : !job.blob<3xf32>
  %loss = job.mul %variance, %weight : !job.blob<3xf32>
  job.loss %loss : !job.blob<3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3xf32>
}
