// Table of ops: normalisations. A prediction job for each op and variant, and a
// training job where the op has gradients, as in loss.mlir.

job.variable @"x-3x1xf32" : !job.blob<3x1xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"weight-3x1xf32" : !job.blob<3x1xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-2x15xf32" : !job.blob<2x15xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"weight-2x15xf32" : !job.blob<2x15xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-2x2x16xf32" : !job.blob<2x2x16xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"weight-2x2x16xf32" : !job.blob<2x2x16xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-17xf32" : !job.blob<17xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"weight-17xf32" : !job.blob<17xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-2x3x2x100xf32" : !job.blob<2x3x2x100xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"weight-2x3x2x100xf32" : !job.blob<2x3x2x100xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-3x17xf64" : !job.blob<3x17xf64> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"weight-3x17xf64" : !job.blob<3x17xf64> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-16xf64" : !job.blob<16xf64> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"weight-16xf64" : !job.blob<16xf64> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-200x37xf32" : !job.blob<200x37xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"weight-200x37xf32" : !job.blob<200x37xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"gamma-1xf32" : !job.blob<1xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"beta-1xf32" : !job.blob<1xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-3x1xf32" : !job.blob<3x1xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"mean-3xf32" : !job.blob<3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"rstd-3xf32" : !job.blob<3xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"gamma-15xf32" : !job.blob<15xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"beta-15xf32" : !job.blob<15xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-2x15xf32" : !job.blob<2x15xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"mean-2xf32" : !job.blob<2xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"rstd-2xf32" : !job.blob<2xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"gamma-16xf32" : !job.blob<16xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"beta-16xf32" : !job.blob<16xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-2x2x16xf32" : !job.blob<2x2x16xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"mean-2x2xf32" : !job.blob<2x2xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"rstd-2x2xf32" : !job.blob<2x2xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"gamma-17xf32" : !job.blob<17xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"beta-17xf32" : !job.blob<17xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-17xf32" : !job.blob<17xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"mean-1xf32" : !job.blob<1xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"rstd-1xf32" : !job.blob<1xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"gamma-100xf32" : !job.blob<100xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"beta-100xf32" : !job.blob<100xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-2x3x2x100xf32" : !job.blob<2x3x2x100xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"mean-2x3x2xf32" : !job.blob<2x3x2xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"rstd-2x3x2xf32" : !job.blob<2x3x2xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"gamma-17xf64" : !job.blob<17xf64> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"beta-17xf64" : !job.blob<17xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-3x17xf64" : !job.blob<3x17xf64> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"mean-3xf64" : !job.blob<3xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"rstd-3xf64" : !job.blob<3xf64> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"gamma-16xf64" : !job.blob<16xf64> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"beta-16xf64" : !job.blob<16xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-16xf64" : !job.blob<16xf64> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"mean-1xf64" : !job.blob<1xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"rstd-1xf64" : !job.blob<1xf64> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"gamma-37xf32" : !job.blob<37xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"beta-37xf32" : !job.blob<37xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-200x37xf32" : !job.blob<200x37xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"mean-200xf32" : !job.blob<200xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"rstd-200xf32" : !job.blob<200xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"x-2x3x15xf32" : !job.blob<2x3x15xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"weight-2x3xf32" : !job.blob<2x3xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-2x3x15xf32" : !job.blob<2x3x15xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-17xf64" : !job.blob<17xf64> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"weight-17xf64" : !job.blob<17xf64> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-4x3x5x6xf32" : !job.blob<4x3x5x6xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"gamma-3xf32" : !job.blob<3xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"beta-3xf32" : !job.blob<3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-4x3x5x6xf32" : !job.blob<4x3x5x6xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-4x5x6x3xf32" : !job.blob<4x5x6x3xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"weight-4x5x6x3xf32" : !job.blob<4x5x6x3xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"zero-4x1xf32" : !job.blob<4x1xf32> init #job.constant_init<0.0>
job.variable @"one-1xf32" : !job.blob<1xf32> init #job.constant_init<1.0>
job.variable @"x-20x17xf32" : !job.blob<20x17xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"weight-20x17xf32" : !job.blob<20x17xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-5x100xf32" : !job.blob<5x100xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"gamma-5xf32" : !job.blob<5xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"beta-5xf32" : !job.blob<5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-5x100xf32" : !job.blob<5x100xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-3x4x5xf32" : !job.blob<3x4x5xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"gamma-4xf32" : !job.blob<4xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"beta-4xf32" : !job.blob<4xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-3x4x5xf32" : !job.blob<3x4x5xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-4x3x5x6xf64" : !job.blob<4x3x5x6xf64> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"gamma-3xf64" : !job.blob<3xf64> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"beta-3xf64" : !job.blob<3xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-4x3x5x6xf64" : !job.blob<4x3x5x6xf64> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-16x8x14x14xf32" : !job.blob<16x8x14x14xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"gamma-8xf32" : !job.blob<8xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"beta-8xf32" : !job.blob<8xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-16x8x14x14xf32" : !job.blob<16x8x14x14xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"positive-31x1xf32" : !job.blob<31x1xf32> init #job.random_uniform_init<min = 0.5, max = 2.0>
job.variable @"weight-31x1xf32" : !job.blob<31x1xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-16xf32" : !job.blob<16xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"weight-16xf32" : !job.blob<16xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-3xf32" : !job.blob<3xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-3xf64" : !job.blob<3xf64> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"frozen-gamma-17xf32" : !job.blob<17xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"frozen-beta-17xf32" : !job.blob<17xf32> init #job.random_uniform_init<min = -1.0, max = 1.0> {trainable = false}
job.variable @"frozen-x-20x17xf32" : !job.blob<20x17xf32> init #job.random_uniform_init<min = -3.0, max = 3.0> {trainable = false}

// K = 1
job.func @softmax_1_f32() -> (!job.blob<3x1xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-3x1xf32" : !job.blob<3x1xf32>
  %y = job.softmax %x : !job.blob<3x1xf32>
  job.return %y : !job.blob<3x1xf32>
}

// K = 1
job.func @train_softmax_1_f32() -> (!job.blob<3x1xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-3x1xf32" : !job.blob<3x1xf32>
  %y = job.softmax %x : !job.blob<3x1xf32>
  %weight = job.read @"weight-3x1xf32" : !job.blob<3x1xf32>
  %loss = job.mul %y, %weight : !job.blob<3x1xf32>
  job.loss %loss : !job.blob<3x1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3x1xf32>
}

// K = 15
job.func @softmax_15_f32() -> (!job.blob<2x15xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-2x15xf32" : !job.blob<2x15xf32>
  %y = job.softmax %x : !job.blob<2x15xf32>
  job.return %y : !job.blob<2x15xf32>
}

// K = 15
job.func @train_softmax_15_f32() -> (!job.blob<2x15xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-2x15xf32" : !job.blob<2x15xf32>
  %y = job.softmax %x : !job.blob<2x15xf32>
  %weight = job.read @"weight-2x15xf32" : !job.blob<2x15xf32>
  %loss = job.mul %y, %weight : !job.blob<2x15xf32>
  job.loss %loss : !job.blob<2x15xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x15xf32>
}

// K = 16
job.func @softmax_16_f32() -> (!job.blob<2x2x16xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-2x2x16xf32" : !job.blob<2x2x16xf32>
  %y = job.softmax %x : !job.blob<2x2x16xf32>
  job.return %y : !job.blob<2x2x16xf32>
}

// K = 16
job.func @train_softmax_16_f32() -> (!job.blob<2x2x16xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-2x2x16xf32" : !job.blob<2x2x16xf32>
  %y = job.softmax %x : !job.blob<2x2x16xf32>
  %weight = job.read @"weight-2x2x16xf32" : !job.blob<2x2x16xf32>
  %loss = job.mul %y, %weight : !job.blob<2x2x16xf32>
  job.loss %loss : !job.blob<2x2x16xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x2x16xf32>
}

// K = 17
job.func @softmax_17_f32() -> (!job.blob<17xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-17xf32" : !job.blob<17xf32>
  %y = job.softmax %x : !job.blob<17xf32>
  job.return %y : !job.blob<17xf32>
}

// K = 17
job.func @train_softmax_17_f32() -> (!job.blob<17xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-17xf32" : !job.blob<17xf32>
  %y = job.softmax %x : !job.blob<17xf32>
  %weight = job.read @"weight-17xf32" : !job.blob<17xf32>
  %loss = job.mul %y, %weight : !job.blob<17xf32>
  job.loss %loss : !job.blob<17xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<17xf32>
}

// K = 100
job.func @softmax_100_f32() -> (!job.blob<2x3x2x100xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-2x3x2x100xf32" : !job.blob<2x3x2x100xf32>
  %y = job.softmax %x : !job.blob<2x3x2x100xf32>
  job.return %y : !job.blob<2x3x2x100xf32>
}

// K = 100
job.func @train_softmax_100_f32() -> (!job.blob<2x3x2x100xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-2x3x2x100xf32" : !job.blob<2x3x2x100xf32>
  %y = job.softmax %x : !job.blob<2x3x2x100xf32>
  %weight = job.read @"weight-2x3x2x100xf32" : !job.blob<2x3x2x100xf32>
  %loss = job.mul %y, %weight : !job.blob<2x3x2x100xf32>
  job.loss %loss : !job.blob<2x3x2x100xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x3x2x100xf32>
}

// K = 17
job.func @softmax_17_f64() -> (!job.blob<3x17xf64> {job.name = "y"}) kind predict {
  %x = job.read @"x-3x17xf64" : !job.blob<3x17xf64>
  %y = job.softmax %x : !job.blob<3x17xf64>
  job.return %y : !job.blob<3x17xf64>
}

// K = 17
job.func @train_softmax_17_f64() -> (!job.blob<3x17xf64> {job.name = "loss"}) kind train {
  %x = job.read @"x-3x17xf64" : !job.blob<3x17xf64>
  %y = job.softmax %x : !job.blob<3x17xf64>
  %weight = job.read @"weight-3x17xf64" : !job.blob<3x17xf64>
  %loss = job.mul %y, %weight : !job.blob<3x17xf64>
  job.loss %loss : !job.blob<3x17xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3x17xf64>
}

// K = 16
job.func @softmax_16_f64() -> (!job.blob<16xf64> {job.name = "y"}) kind predict {
  %x = job.read @"x-16xf64" : !job.blob<16xf64>
  %y = job.softmax %x : !job.blob<16xf64>
  job.return %y : !job.blob<16xf64>
}

// K = 16
job.func @train_softmax_16_f64() -> (!job.blob<16xf64> {job.name = "loss"}) kind train {
  %x = job.read @"x-16xf64" : !job.blob<16xf64>
  %y = job.softmax %x : !job.blob<16xf64>
  %weight = job.read @"weight-16xf64" : !job.blob<16xf64>
  %loss = job.mul %y, %weight : !job.blob<16xf64>
  job.loss %loss : !job.blob<16xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<16xf64>
}

// K = 37
job.func @softmax_batch_f32() -> (!job.blob<200x37xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-200x37xf32" : !job.blob<200x37xf32>
  %y = job.softmax %x : !job.blob<200x37xf32>
  job.return %y : !job.blob<200x37xf32>
}

// K = 37
job.func @train_softmax_batch_f32() -> (!job.blob<200x37xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-200x37xf32" : !job.blob<200x37xf32>
  %y = job.softmax %x : !job.blob<200x37xf32>
  %weight = job.read @"weight-200x37xf32" : !job.blob<200x37xf32>
  %loss = job.mul %y, %weight : !job.blob<200x37xf32>
  job.loss %loss : !job.blob<200x37xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<200x37xf32>
}

// Large values stay finite.
job.func @softmax_special_values() -> (!job.blob<6x3xf32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[1.0e4, -1.0e4, 0.0], [88.0, 89.0, 90.0], [-1.0e30, -1.0e30, -1.0e30], [0x7F800000, 1.0, 2.0], [0x7FC00000, 1.0, 2.0], [0xFF800000, 1.0, 2.0]]> : tensor<6x3xf32>
  %y = job.softmax %x : !job.blob<6x3xf32>
  job.return %y : !job.blob<6x3xf32>
}

// K = 1
job.func @log_softmax_1_f32() -> (!job.blob<3x1xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-3x1xf32" : !job.blob<3x1xf32>
  %y = job.log_softmax %x : !job.blob<3x1xf32>
  job.return %y : !job.blob<3x1xf32>
}

// K = 1
job.func @train_log_softmax_1_f32() -> (!job.blob<3x1xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-3x1xf32" : !job.blob<3x1xf32>
  %y = job.log_softmax %x : !job.blob<3x1xf32>
  %weight = job.read @"weight-3x1xf32" : !job.blob<3x1xf32>
  %loss = job.mul %y, %weight : !job.blob<3x1xf32>
  job.loss %loss : !job.blob<3x1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3x1xf32>
}

// K = 15
job.func @log_softmax_15_f32() -> (!job.blob<2x15xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-2x15xf32" : !job.blob<2x15xf32>
  %y = job.log_softmax %x : !job.blob<2x15xf32>
  job.return %y : !job.blob<2x15xf32>
}

// K = 15
job.func @train_log_softmax_15_f32() -> (!job.blob<2x15xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-2x15xf32" : !job.blob<2x15xf32>
  %y = job.log_softmax %x : !job.blob<2x15xf32>
  %weight = job.read @"weight-2x15xf32" : !job.blob<2x15xf32>
  %loss = job.mul %y, %weight : !job.blob<2x15xf32>
  job.loss %loss : !job.blob<2x15xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x15xf32>
}

// K = 16
job.func @log_softmax_16_f32() -> (!job.blob<2x2x16xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-2x2x16xf32" : !job.blob<2x2x16xf32>
  %y = job.log_softmax %x : !job.blob<2x2x16xf32>
  job.return %y : !job.blob<2x2x16xf32>
}

// K = 16
job.func @train_log_softmax_16_f32() -> (!job.blob<2x2x16xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-2x2x16xf32" : !job.blob<2x2x16xf32>
  %y = job.log_softmax %x : !job.blob<2x2x16xf32>
  %weight = job.read @"weight-2x2x16xf32" : !job.blob<2x2x16xf32>
  %loss = job.mul %y, %weight : !job.blob<2x2x16xf32>
  job.loss %loss : !job.blob<2x2x16xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x2x16xf32>
}

// K = 17
job.func @log_softmax_17_f32() -> (!job.blob<17xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-17xf32" : !job.blob<17xf32>
  %y = job.log_softmax %x : !job.blob<17xf32>
  job.return %y : !job.blob<17xf32>
}

// K = 17
job.func @train_log_softmax_17_f32() -> (!job.blob<17xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-17xf32" : !job.blob<17xf32>
  %y = job.log_softmax %x : !job.blob<17xf32>
  %weight = job.read @"weight-17xf32" : !job.blob<17xf32>
  %loss = job.mul %y, %weight : !job.blob<17xf32>
  job.loss %loss : !job.blob<17xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<17xf32>
}

// K = 100
job.func @log_softmax_100_f32() -> (!job.blob<2x3x2x100xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-2x3x2x100xf32" : !job.blob<2x3x2x100xf32>
  %y = job.log_softmax %x : !job.blob<2x3x2x100xf32>
  job.return %y : !job.blob<2x3x2x100xf32>
}

// K = 100
job.func @train_log_softmax_100_f32() -> (!job.blob<2x3x2x100xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-2x3x2x100xf32" : !job.blob<2x3x2x100xf32>
  %y = job.log_softmax %x : !job.blob<2x3x2x100xf32>
  %weight = job.read @"weight-2x3x2x100xf32" : !job.blob<2x3x2x100xf32>
  %loss = job.mul %y, %weight : !job.blob<2x3x2x100xf32>
  job.loss %loss : !job.blob<2x3x2x100xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x3x2x100xf32>
}

// K = 17
job.func @log_softmax_17_f64() -> (!job.blob<3x17xf64> {job.name = "y"}) kind predict {
  %x = job.read @"x-3x17xf64" : !job.blob<3x17xf64>
  %y = job.log_softmax %x : !job.blob<3x17xf64>
  job.return %y : !job.blob<3x17xf64>
}

// K = 17
job.func @train_log_softmax_17_f64() -> (!job.blob<3x17xf64> {job.name = "loss"}) kind train {
  %x = job.read @"x-3x17xf64" : !job.blob<3x17xf64>
  %y = job.log_softmax %x : !job.blob<3x17xf64>
  %weight = job.read @"weight-3x17xf64" : !job.blob<3x17xf64>
  %loss = job.mul %y, %weight : !job.blob<3x17xf64>
  job.loss %loss : !job.blob<3x17xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3x17xf64>
}

// K = 16
job.func @log_softmax_16_f64() -> (!job.blob<16xf64> {job.name = "y"}) kind predict {
  %x = job.read @"x-16xf64" : !job.blob<16xf64>
  %y = job.log_softmax %x : !job.blob<16xf64>
  job.return %y : !job.blob<16xf64>
}

// K = 16
job.func @train_log_softmax_16_f64() -> (!job.blob<16xf64> {job.name = "loss"}) kind train {
  %x = job.read @"x-16xf64" : !job.blob<16xf64>
  %y = job.log_softmax %x : !job.blob<16xf64>
  %weight = job.read @"weight-16xf64" : !job.blob<16xf64>
  %loss = job.mul %y, %weight : !job.blob<16xf64>
  job.loss %loss : !job.blob<16xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<16xf64>
}

// K = 37
job.func @log_softmax_batch_f32() -> (!job.blob<200x37xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-200x37xf32" : !job.blob<200x37xf32>
  %y = job.log_softmax %x : !job.blob<200x37xf32>
  job.return %y : !job.blob<200x37xf32>
}

// K = 37
job.func @train_log_softmax_batch_f32() -> (!job.blob<200x37xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-200x37xf32" : !job.blob<200x37xf32>
  %y = job.log_softmax %x : !job.blob<200x37xf32>
  %weight = job.read @"weight-200x37xf32" : !job.blob<200x37xf32>
  %loss = job.mul %y, %weight : !job.blob<200x37xf32>
  job.loss %loss : !job.blob<200x37xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<200x37xf32>
}

// Large values stay finite.
job.func @log_softmax_special_values() -> (!job.blob<6x3xf32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[1.0e4, -1.0e4, 0.0], [88.0, 89.0, 90.0], [-1.0e30, -1.0e30, -1.0e30], [0x7F800000, 1.0, 2.0], [0x7FC00000, 1.0, 2.0], [0xFF800000, 1.0, 2.0]]> : tensor<6x3xf32>
  %y = job.log_softmax %x : !job.blob<6x3xf32>
  job.return %y : !job.blob<6x3xf32>
}

// K = 1
job.func @layer_norm_1_f32() -> (!job.blob<3x1xf32> {job.name = "y"}, !job.blob<3xf32> {job.name = "mean"}, !job.blob<3xf32> {job.name = "rstd"}) kind predict {
  %x = job.read @"x-3x1xf32" : !job.blob<3x1xf32>
  %gamma = job.read @"gamma-1xf32" : !job.blob<1xf32>
  %beta = job.read @"beta-1xf32" : !job.blob<1xf32>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<3x1xf32>, !job.blob<1xf32>
  job.return %y, %mean, %rstd : !job.blob<3x1xf32>, !job.blob<3xf32>, !job.blob<3xf32>
}

// K = 1
job.func @layer_norm_grad_1_f32() -> (!job.blob<3x1xf32> {job.name = "d"}) kind predict {
  %grad = job.read @"grad-3x1xf32" : !job.blob<3x1xf32>
  %x = job.read @"x-3x1xf32" : !job.blob<3x1xf32>
  %gamma = job.read @"gamma-1xf32" : !job.blob<1xf32>
  %mean = job.read @"mean-3xf32" : !job.blob<3xf32>
  %rstd = job.read @"rstd-3xf32" : !job.blob<3xf32>
  %d = job.layer_norm_grad %grad, %x, %gamma, %mean, %rstd : !job.blob<3x1xf32>, !job.blob<1xf32>, !job.blob<3xf32>
  job.return %d : !job.blob<3x1xf32>
}

// K = 3
job.func @train_layer_norm_1_f32() -> (!job.blob<3x1xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-3x1xf32" : !job.blob<3x1xf32>
  %gamma = job.read @"gamma-1xf32" : !job.blob<1xf32>
  %beta = job.read @"beta-1xf32" : !job.blob<1xf32>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<3x1xf32>, !job.blob<1xf32>
  %weight = job.read @"weight-3x1xf32" : !job.blob<3x1xf32>
  %loss = job.mul %y, %weight : !job.blob<3x1xf32>
  job.loss %loss : !job.blob<3x1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3x1xf32>
}

// K = 15
job.func @layer_norm_15_f32() -> (!job.blob<2x15xf32> {job.name = "y"}, !job.blob<2xf32> {job.name = "mean"}, !job.blob<2xf32> {job.name = "rstd"}) kind predict {
  %x = job.read @"x-2x15xf32" : !job.blob<2x15xf32>
  %gamma = job.read @"gamma-15xf32" : !job.blob<15xf32>
  %beta = job.read @"beta-15xf32" : !job.blob<15xf32>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<2x15xf32>, !job.blob<15xf32>
  job.return %y, %mean, %rstd : !job.blob<2x15xf32>, !job.blob<2xf32>, !job.blob<2xf32>
}

// K = 15
job.func @layer_norm_grad_15_f32() -> (!job.blob<2x15xf32> {job.name = "d"}) kind predict {
  %grad = job.read @"grad-2x15xf32" : !job.blob<2x15xf32>
  %x = job.read @"x-2x15xf32" : !job.blob<2x15xf32>
  %gamma = job.read @"gamma-15xf32" : !job.blob<15xf32>
  %mean = job.read @"mean-2xf32" : !job.blob<2xf32>
  %rstd = job.read @"rstd-2xf32" : !job.blob<2xf32>
  %d = job.layer_norm_grad %grad, %x, %gamma, %mean, %rstd : !job.blob<2x15xf32>, !job.blob<15xf32>, !job.blob<2xf32>
  job.return %d : !job.blob<2x15xf32>
}

// K = 15
job.func @train_layer_norm_15_f32() -> (!job.blob<2x15xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-2x15xf32" : !job.blob<2x15xf32>
  %gamma = job.read @"gamma-15xf32" : !job.blob<15xf32>
  %beta = job.read @"beta-15xf32" : !job.blob<15xf32>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<2x15xf32>, !job.blob<15xf32>
  %weight = job.read @"weight-2x15xf32" : !job.blob<2x15xf32>
  %loss = job.mul %y, %weight : !job.blob<2x15xf32>
  job.loss %loss : !job.blob<2x15xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x15xf32>
}

// K = 16
job.func @layer_norm_16_f32() -> (!job.blob<2x2x16xf32> {job.name = "y"}, !job.blob<2x2xf32> {job.name = "mean"}, !job.blob<2x2xf32> {job.name = "rstd"}) kind predict {
  %x = job.read @"x-2x2x16xf32" : !job.blob<2x2x16xf32>
  %gamma = job.read @"gamma-16xf32" : !job.blob<16xf32>
  %beta = job.read @"beta-16xf32" : !job.blob<16xf32>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<2x2x16xf32>, !job.blob<16xf32>
  job.return %y, %mean, %rstd : !job.blob<2x2x16xf32>, !job.blob<2x2xf32>, !job.blob<2x2xf32>
}

// K = 16
job.func @layer_norm_grad_16_f32() -> (!job.blob<2x2x16xf32> {job.name = "d"}) kind predict {
  %grad = job.read @"grad-2x2x16xf32" : !job.blob<2x2x16xf32>
  %x = job.read @"x-2x2x16xf32" : !job.blob<2x2x16xf32>
  %gamma = job.read @"gamma-16xf32" : !job.blob<16xf32>
  %mean = job.read @"mean-2x2xf32" : !job.blob<2x2xf32>
  %rstd = job.read @"rstd-2x2xf32" : !job.blob<2x2xf32>
  %d = job.layer_norm_grad %grad, %x, %gamma, %mean, %rstd : !job.blob<2x2x16xf32>, !job.blob<16xf32>, !job.blob<2x2xf32>
  job.return %d : !job.blob<2x2x16xf32>
}

// K = 16
job.func @train_layer_norm_16_f32() -> (!job.blob<2x2x16xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-2x2x16xf32" : !job.blob<2x2x16xf32>
  %gamma = job.read @"gamma-16xf32" : !job.blob<16xf32>
  %beta = job.read @"beta-16xf32" : !job.blob<16xf32>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<2x2x16xf32>, !job.blob<16xf32>
  %weight = job.read @"weight-2x2x16xf32" : !job.blob<2x2x16xf32>
  %loss = job.mul %y, %weight : !job.blob<2x2x16xf32>
  job.loss %loss : !job.blob<2x2x16xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x2x16xf32>
}

// K = 17
job.func @layer_norm_17_f32() -> (!job.blob<17xf32> {job.name = "y"}, !job.blob<1xf32> {job.name = "mean"}, !job.blob<1xf32> {job.name = "rstd"}) kind predict {
  %x = job.read @"x-17xf32" : !job.blob<17xf32>
  %gamma = job.read @"gamma-17xf32" : !job.blob<17xf32>
  %beta = job.read @"beta-17xf32" : !job.blob<17xf32>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<17xf32>, !job.blob<17xf32>
  job.return %y, %mean, %rstd : !job.blob<17xf32>, !job.blob<1xf32>, !job.blob<1xf32>
}

// K = 17
job.func @layer_norm_grad_17_f32() -> (!job.blob<17xf32> {job.name = "d"}) kind predict {
  %grad = job.read @"grad-17xf32" : !job.blob<17xf32>
  %x = job.read @"x-17xf32" : !job.blob<17xf32>
  %gamma = job.read @"gamma-17xf32" : !job.blob<17xf32>
  %mean = job.read @"mean-1xf32" : !job.blob<1xf32>
  %rstd = job.read @"rstd-1xf32" : !job.blob<1xf32>
  %d = job.layer_norm_grad %grad, %x, %gamma, %mean, %rstd : !job.blob<17xf32>, !job.blob<17xf32>, !job.blob<1xf32>
  job.return %d : !job.blob<17xf32>
}

// K = 17
job.func @train_layer_norm_17_f32() -> (!job.blob<17xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-17xf32" : !job.blob<17xf32>
  %gamma = job.read @"gamma-17xf32" : !job.blob<17xf32>
  %beta = job.read @"beta-17xf32" : !job.blob<17xf32>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<17xf32>, !job.blob<17xf32>
  %weight = job.read @"weight-17xf32" : !job.blob<17xf32>
  %loss = job.mul %y, %weight : !job.blob<17xf32>
  job.loss %loss : !job.blob<17xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<17xf32>
}

// K = 100
job.func @layer_norm_100_f32() -> (!job.blob<2x3x2x100xf32> {job.name = "y"}, !job.blob<2x3x2xf32> {job.name = "mean"}, !job.blob<2x3x2xf32> {job.name = "rstd"}) kind predict {
  %x = job.read @"x-2x3x2x100xf32" : !job.blob<2x3x2x100xf32>
  %gamma = job.read @"gamma-100xf32" : !job.blob<100xf32>
  %beta = job.read @"beta-100xf32" : !job.blob<100xf32>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<2x3x2x100xf32>, !job.blob<100xf32>
  job.return %y, %mean, %rstd : !job.blob<2x3x2x100xf32>, !job.blob<2x3x2xf32>, !job.blob<2x3x2xf32>
}

// K = 100
job.func @layer_norm_grad_100_f32() -> (!job.blob<2x3x2x100xf32> {job.name = "d"}) kind predict {
  %grad = job.read @"grad-2x3x2x100xf32" : !job.blob<2x3x2x100xf32>
  %x = job.read @"x-2x3x2x100xf32" : !job.blob<2x3x2x100xf32>
  %gamma = job.read @"gamma-100xf32" : !job.blob<100xf32>
  %mean = job.read @"mean-2x3x2xf32" : !job.blob<2x3x2xf32>
  %rstd = job.read @"rstd-2x3x2xf32" : !job.blob<2x3x2xf32>
  %d = job.layer_norm_grad %grad, %x, %gamma, %mean, %rstd : !job.blob<2x3x2x100xf32>, !job.blob<100xf32>, !job.blob<2x3x2xf32>
  job.return %d : !job.blob<2x3x2x100xf32>
}

// K = 100
job.func @train_layer_norm_100_f32() -> (!job.blob<2x3x2x100xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-2x3x2x100xf32" : !job.blob<2x3x2x100xf32>
  %gamma = job.read @"gamma-100xf32" : !job.blob<100xf32>
  %beta = job.read @"beta-100xf32" : !job.blob<100xf32>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<2x3x2x100xf32>, !job.blob<100xf32>
  %weight = job.read @"weight-2x3x2x100xf32" : !job.blob<2x3x2x100xf32>
  %loss = job.mul %y, %weight : !job.blob<2x3x2x100xf32>
  job.loss %loss : !job.blob<2x3x2x100xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x3x2x100xf32>
}

// K = 17
job.func @layer_norm_17_f64() -> (!job.blob<3x17xf64> {job.name = "y"}, !job.blob<3xf64> {job.name = "mean"}, !job.blob<3xf64> {job.name = "rstd"}) kind predict {
  %x = job.read @"x-3x17xf64" : !job.blob<3x17xf64>
  %gamma = job.read @"gamma-17xf64" : !job.blob<17xf64>
  %beta = job.read @"beta-17xf64" : !job.blob<17xf64>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<3x17xf64>, !job.blob<17xf64>
  job.return %y, %mean, %rstd : !job.blob<3x17xf64>, !job.blob<3xf64>, !job.blob<3xf64>
}

// K = 17
job.func @layer_norm_grad_17_f64() -> (!job.blob<3x17xf64> {job.name = "d"}) kind predict {
  %grad = job.read @"grad-3x17xf64" : !job.blob<3x17xf64>
  %x = job.read @"x-3x17xf64" : !job.blob<3x17xf64>
  %gamma = job.read @"gamma-17xf64" : !job.blob<17xf64>
  %mean = job.read @"mean-3xf64" : !job.blob<3xf64>
  %rstd = job.read @"rstd-3xf64" : !job.blob<3xf64>
  %d = job.layer_norm_grad %grad, %x, %gamma, %mean, %rstd : !job.blob<3x17xf64>, !job.blob<17xf64>, !job.blob<3xf64>
  job.return %d : !job.blob<3x17xf64>
}

// K = 17
job.func @train_layer_norm_17_f64() -> (!job.blob<3x17xf64> {job.name = "loss"}) kind train {
  %x = job.read @"x-3x17xf64" : !job.blob<3x17xf64>
  %gamma = job.read @"gamma-17xf64" : !job.blob<17xf64>
  %beta = job.read @"beta-17xf64" : !job.blob<17xf64>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<3x17xf64>, !job.blob<17xf64>
  %weight = job.read @"weight-3x17xf64" : !job.blob<3x17xf64>
  %loss = job.mul %y, %weight : !job.blob<3x17xf64>
  job.loss %loss : !job.blob<3x17xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3x17xf64>
}

// K = 16
job.func @layer_norm_16_f64() -> (!job.blob<16xf64> {job.name = "y"}, !job.blob<1xf64> {job.name = "mean"}, !job.blob<1xf64> {job.name = "rstd"}) kind predict {
  %x = job.read @"x-16xf64" : !job.blob<16xf64>
  %gamma = job.read @"gamma-16xf64" : !job.blob<16xf64>
  %beta = job.read @"beta-16xf64" : !job.blob<16xf64>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<16xf64>, !job.blob<16xf64>
  job.return %y, %mean, %rstd : !job.blob<16xf64>, !job.blob<1xf64>, !job.blob<1xf64>
}

// K = 16
job.func @layer_norm_grad_16_f64() -> (!job.blob<16xf64> {job.name = "d"}) kind predict {
  %grad = job.read @"grad-16xf64" : !job.blob<16xf64>
  %x = job.read @"x-16xf64" : !job.blob<16xf64>
  %gamma = job.read @"gamma-16xf64" : !job.blob<16xf64>
  %mean = job.read @"mean-1xf64" : !job.blob<1xf64>
  %rstd = job.read @"rstd-1xf64" : !job.blob<1xf64>
  %d = job.layer_norm_grad %grad, %x, %gamma, %mean, %rstd : !job.blob<16xf64>, !job.blob<16xf64>, !job.blob<1xf64>
  job.return %d : !job.blob<16xf64>
}

// K = 16
job.func @train_layer_norm_16_f64() -> (!job.blob<16xf64> {job.name = "loss"}) kind train {
  %x = job.read @"x-16xf64" : !job.blob<16xf64>
  %gamma = job.read @"gamma-16xf64" : !job.blob<16xf64>
  %beta = job.read @"beta-16xf64" : !job.blob<16xf64>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<16xf64>, !job.blob<16xf64>
  %weight = job.read @"weight-16xf64" : !job.blob<16xf64>
  %loss = job.mul %y, %weight : !job.blob<16xf64>
  job.loss %loss : !job.blob<16xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<16xf64>
}

// K = 37
job.func @layer_norm_batch_f32() -> (!job.blob<200x37xf32> {job.name = "y"}, !job.blob<200xf32> {job.name = "mean"}, !job.blob<200xf32> {job.name = "rstd"}) kind predict {
  %x = job.read @"x-200x37xf32" : !job.blob<200x37xf32>
  %gamma = job.read @"gamma-37xf32" : !job.blob<37xf32>
  %beta = job.read @"beta-37xf32" : !job.blob<37xf32>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<200x37xf32>, !job.blob<37xf32>
  job.return %y, %mean, %rstd : !job.blob<200x37xf32>, !job.blob<200xf32>, !job.blob<200xf32>
}

// K = 37
job.func @layer_norm_grad_batch_f32() -> (!job.blob<200x37xf32> {job.name = "d"}) kind predict {
  %grad = job.read @"grad-200x37xf32" : !job.blob<200x37xf32>
  %x = job.read @"x-200x37xf32" : !job.blob<200x37xf32>
  %gamma = job.read @"gamma-37xf32" : !job.blob<37xf32>
  %mean = job.read @"mean-200xf32" : !job.blob<200xf32>
  %rstd = job.read @"rstd-200xf32" : !job.blob<200xf32>
  %d = job.layer_norm_grad %grad, %x, %gamma, %mean, %rstd : !job.blob<200x37xf32>, !job.blob<37xf32>, !job.blob<200xf32>
  job.return %d : !job.blob<200x37xf32>
}

// K = 200
job.func @train_layer_norm_batch_f32() -> (!job.blob<200x37xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-200x37xf32" : !job.blob<200x37xf32>
  %gamma = job.read @"gamma-37xf32" : !job.blob<37xf32>
  %beta = job.read @"beta-37xf32" : !job.blob<37xf32>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<200x37xf32>, !job.blob<37xf32>
  %weight = job.read @"weight-200x37xf32" : !job.blob<200x37xf32>
  %loss = job.mul %y, %weight : !job.blob<200x37xf32>
  job.loss %loss : !job.blob<200x37xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<200x37xf32>
}

// Each result alone: the others have no buffer.
// K = 15
job.func @layer_norm_mean_alone() -> (!job.blob<2x3xf32> {job.name = "mean"}) kind predict {
  %x = job.read @"x-2x3x15xf32" : !job.blob<2x3x15xf32>
  %gamma = job.read @"gamma-15xf32" : !job.blob<15xf32>
  %beta = job.read @"beta-15xf32" : !job.blob<15xf32>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<2x3x15xf32>, !job.blob<15xf32>
  job.return %mean : !job.blob<2x3xf32>
}

// K = 15
job.func @layer_norm_rstd_alone() -> (!job.blob<2x3xf32> {job.name = "rstd"}) kind predict {
  %x = job.read @"x-2x3x15xf32" : !job.blob<2x3x15xf32>
  %gamma = job.read @"gamma-15xf32" : !job.blob<15xf32>
  %beta = job.read @"beta-15xf32" : !job.blob<15xf32>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<2x3x15xf32>, !job.blob<15xf32>
  job.return %rstd : !job.blob<2x3xf32>
}

// K = 15
job.func @layer_norm_result_alone() -> (!job.blob<2x3x15xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-2x3x15xf32" : !job.blob<2x3x15xf32>
  %gamma = job.read @"gamma-15xf32" : !job.blob<15xf32>
  %beta = job.read @"beta-15xf32" : !job.blob<15xf32>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<2x3x15xf32>, !job.blob<15xf32>
  job.return %y : !job.blob<2x3x15xf32>
}

// K = 15
job.func @train_layer_norm_mean_alone() -> (!job.blob<2x3xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-2x3x15xf32" : !job.blob<2x3x15xf32>
  %gamma = job.read @"gamma-15xf32" : !job.blob<15xf32>
  %beta = job.read @"beta-15xf32" : !job.blob<15xf32>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<2x3x15xf32>, !job.blob<15xf32>
  %weight = job.read @"weight-2x3xf32" : !job.blob<2x3xf32>
  %loss = job.mul %mean, %weight : !job.blob<2x3xf32>
  job.loss %loss : !job.blob<2x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x3xf32>
}

// K = 15
job.func @train_layer_norm_rstd_alone() -> (!job.blob<2x3xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-2x3x15xf32" : !job.blob<2x3x15xf32>
  %gamma = job.read @"gamma-15xf32" : !job.blob<15xf32>
  %beta = job.read @"beta-15xf32" : !job.blob<15xf32>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<2x3x15xf32>, !job.blob<15xf32>
  %weight = job.read @"weight-2x3xf32" : !job.blob<2x3xf32>
  %loss = job.mul %rstd, %weight : !job.blob<2x3xf32>
  job.loss %loss : !job.blob<2x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x3xf32>
}

// The variance of each row is zero.
// K = 1
job.func @train_layer_norm_rstd_1() -> (!job.blob<3xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-3x1xf32" : !job.blob<3x1xf32>
  %gamma = job.read @"gamma-1xf32" : !job.blob<1xf32>
  %beta = job.read @"beta-1xf32" : !job.blob<1xf32>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<3x1xf32>, !job.blob<1xf32>
  %weight = job.read @"weight-3xf32" : !job.blob<3xf32>
  %loss = job.mul %rstd, %weight : !job.blob<3xf32>
  job.loss %loss : !job.blob<3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3xf32>
}

// K = 45
job.func @train_layer_norm_all_results_f32() -> (!job.blob<2x3xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-2x3x15xf32" : !job.blob<2x3x15xf32>
  %gamma = job.read @"gamma-15xf32" : !job.blob<15xf32>
  %beta = job.read @"beta-15xf32" : !job.blob<15xf32>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<2x3x15xf32>, !job.blob<15xf32>
  %weight = job.read @"weight-2x3x15xf32" : !job.blob<2x3x15xf32>
  %product = job.mul %y, %weight : !job.blob<2x3x15xf32>
  %sums = job.reduce_sum %product {axes = array<i64: 2>} : !job.blob<2x3x15xf32>
  %ratio = job.mul %mean, %rstd : !job.blob<2x3xf32>
  %loss = job.add %sums, %ratio : !job.blob<2x3xf32>
  job.loss %loss : !job.blob<2x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x3xf32>
}

// K = 45
job.func @train_layer_norm_all_results_f64() -> (!job.blob<1xf64> {job.name = "loss"}) kind train {
  %x = job.read @"x-17xf64" : !job.blob<17xf64>
  %gamma = job.read @"gamma-17xf64" : !job.blob<17xf64>
  %beta = job.read @"beta-17xf64" : !job.blob<17xf64>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<17xf64>, !job.blob<17xf64>
  %weight = job.read @"weight-17xf64" : !job.blob<17xf64>
  %product = job.mul %y, %weight : !job.blob<17xf64>
  %sums = job.reduce_sum %product {axes = array<i64: 0>} : !job.blob<17xf64>
  %ratio = job.mul %mean, %rstd : !job.blob<1xf64>
  %loss = job.add %sums, %ratio : !job.blob<1xf64>
  job.loss %loss : !job.blob<1xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1xf64>
}

// K = 120
job.func @batch_norm_channels_f32() -> (!job.blob<4x3x5x6xf32> {job.name = "y"}, !job.blob<3xf32> {job.name = "mean"}, !job.blob<3xf32> {job.name = "variance"}) kind predict {
  %x = job.read @"x-4x3x5x6xf32" : !job.blob<4x3x5x6xf32>
  %gamma = job.read @"gamma-3xf32" : !job.blob<3xf32>
  %beta = job.read @"beta-3xf32" : !job.blob<3xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<4x3x5x6xf32>, !job.blob<3xf32>
  job.return %y, %mean, %variance : !job.blob<4x3x5x6xf32>, !job.blob<3xf32>, !job.blob<3xf32>
}

// K = 120
job.func @train_batch_norm_channels_f32() -> (!job.blob<4x3x5x6xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x3x5x6xf32" : !job.blob<4x3x5x6xf32>
  %gamma = job.read @"gamma-3xf32" : !job.blob<3xf32>
  %beta = job.read @"beta-3xf32" : !job.blob<3xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<4x3x5x6xf32>, !job.blob<3xf32>
  %weight = job.read @"weight-4x3x5x6xf32" : !job.blob<4x3x5x6xf32>
  %loss = job.mul %y, %weight : !job.blob<4x3x5x6xf32>
  job.loss %loss : !job.blob<4x3x5x6xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x3x5x6xf32>
}

// K = 120
job.func @batch_norm_channels_last_f32() -> (!job.blob<4x5x6x3xf32> {job.name = "y"}, !job.blob<3xf32> {job.name = "mean"}, !job.blob<3xf32> {job.name = "variance"}) kind predict {
  %x = job.read @"x-4x5x6x3xf32" : !job.blob<4x5x6x3xf32>
  %gamma = job.read @"gamma-3xf32" : !job.blob<3xf32>
  %beta = job.read @"beta-3xf32" : !job.blob<3xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 3 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<4x5x6x3xf32>, !job.blob<3xf32>
  job.return %y, %mean, %variance : !job.blob<4x5x6x3xf32>, !job.blob<3xf32>, !job.blob<3xf32>
}

// K = 120
job.func @train_batch_norm_channels_last_f32() -> (!job.blob<4x5x6x3xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x5x6x3xf32" : !job.blob<4x5x6x3xf32>
  %gamma = job.read @"gamma-3xf32" : !job.blob<3xf32>
  %beta = job.read @"beta-3xf32" : !job.blob<3xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 3 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<4x5x6x3xf32>, !job.blob<3xf32>
  %weight = job.read @"weight-4x5x6x3xf32" : !job.blob<4x5x6x3xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5x6x3xf32>
  job.loss %loss : !job.blob<4x5x6x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5x6x3xf32>
}

// K = 20
job.func @batch_norm_columns_f32() -> (!job.blob<20x17xf32> {job.name = "y"}, !job.blob<17xf32> {job.name = "mean"}, !job.blob<17xf32> {job.name = "variance"}) kind predict {
  %x = job.read @"x-20x17xf32" : !job.blob<20x17xf32>
  %gamma = job.read @"gamma-17xf32" : !job.blob<17xf32>
  %beta = job.read @"beta-17xf32" : !job.blob<17xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<20x17xf32>, !job.blob<17xf32>
  job.return %y, %mean, %variance : !job.blob<20x17xf32>, !job.blob<17xf32>, !job.blob<17xf32>
}

// K = 20
job.func @train_batch_norm_columns_f32() -> (!job.blob<20x17xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-20x17xf32" : !job.blob<20x17xf32>
  %gamma = job.read @"gamma-17xf32" : !job.blob<17xf32>
  %beta = job.read @"beta-17xf32" : !job.blob<17xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<20x17xf32>, !job.blob<17xf32>
  %weight = job.read @"weight-20x17xf32" : !job.blob<20x17xf32>
  %loss = job.mul %y, %weight : !job.blob<20x17xf32>
  job.loss %loss : !job.blob<20x17xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<20x17xf32>
}

// A spread so small that rstd * rstd is more than f16 can hold.
// K = 4
job.func @train_batch_norm_narrow_f32() -> (!job.blob<4x1xf32> {job.name = "loss"}) kind train {
  %offset = job.read @"zero-4x1xf32" : !job.blob<4x1xf32>
  %spread = job.constant dense<[[0.002], [-0.002], [0.002], [-0.002]]> : tensor<4x1xf32>
  %x = job.add %offset, %spread : !job.blob<4x1xf32>
  %gamma = job.read @"one-1xf32" : !job.blob<1xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %gamma {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<4x1xf32>, !job.blob<1xf32>
  %weight = job.constant dense<[[8.0], [-8.0], [4.0], [-8.0]]> : tensor<4x1xf32>
  %loss = job.mul %y, %weight : !job.blob<4x1xf32>
  job.loss %loss : !job.blob<4x1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x1xf32>
}

// K = 100
job.func @batch_norm_rows_f32() -> (!job.blob<5x100xf32> {job.name = "y"}, !job.blob<5xf32> {job.name = "mean"}, !job.blob<5xf32> {job.name = "variance"}) kind predict {
  %x = job.read @"x-5x100xf32" : !job.blob<5x100xf32>
  %gamma = job.read @"gamma-5xf32" : !job.blob<5xf32>
  %beta = job.read @"beta-5xf32" : !job.blob<5xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 0 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<5x100xf32>, !job.blob<5xf32>
  job.return %y, %mean, %variance : !job.blob<5x100xf32>, !job.blob<5xf32>, !job.blob<5xf32>
}

// K = 100
job.func @train_batch_norm_rows_f32() -> (!job.blob<5x100xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-5x100xf32" : !job.blob<5x100xf32>
  %gamma = job.read @"gamma-5xf32" : !job.blob<5xf32>
  %beta = job.read @"beta-5xf32" : !job.blob<5xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 0 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<5x100xf32>, !job.blob<5xf32>
  %weight = job.read @"weight-5x100xf32" : !job.blob<5x100xf32>
  %loss = job.mul %y, %weight : !job.blob<5x100xf32>
  job.loss %loss : !job.blob<5x100xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<5x100xf32>
}

// K = 15
job.func @batch_norm_middle_f32() -> (!job.blob<3x4x5xf32> {job.name = "y"}, !job.blob<4xf32> {job.name = "mean"}, !job.blob<4xf32> {job.name = "variance"}) kind predict {
  %x = job.read @"x-3x4x5xf32" : !job.blob<3x4x5xf32>
  %gamma = job.read @"gamma-4xf32" : !job.blob<4xf32>
  %beta = job.read @"beta-4xf32" : !job.blob<4xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<3x4x5xf32>, !job.blob<4xf32>
  job.return %y, %mean, %variance : !job.blob<3x4x5xf32>, !job.blob<4xf32>, !job.blob<4xf32>
}

// K = 15
job.func @train_batch_norm_middle_f32() -> (!job.blob<3x4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-3x4x5xf32" : !job.blob<3x4x5xf32>
  %gamma = job.read @"gamma-4xf32" : !job.blob<4xf32>
  %beta = job.read @"beta-4xf32" : !job.blob<4xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<3x4x5xf32>, !job.blob<4xf32>
  %weight = job.read @"weight-3x4x5xf32" : !job.blob<3x4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<3x4x5xf32>
  job.loss %loss : !job.blob<3x4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3x4x5xf32>
}

// K = 120
job.func @batch_norm_channels_f64() -> (!job.blob<4x3x5x6xf64> {job.name = "y"}, !job.blob<3xf64> {job.name = "mean"}, !job.blob<3xf64> {job.name = "variance"}) kind predict {
  %x = job.read @"x-4x3x5x6xf64" : !job.blob<4x3x5x6xf64>
  %gamma = job.read @"gamma-3xf64" : !job.blob<3xf64>
  %beta = job.read @"beta-3xf64" : !job.blob<3xf64>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<4x3x5x6xf64>, !job.blob<3xf64>
  job.return %y, %mean, %variance : !job.blob<4x3x5x6xf64>, !job.blob<3xf64>, !job.blob<3xf64>
}

// K = 120
job.func @train_batch_norm_channels_f64() -> (!job.blob<4x3x5x6xf64> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x3x5x6xf64" : !job.blob<4x3x5x6xf64>
  %gamma = job.read @"gamma-3xf64" : !job.blob<3xf64>
  %beta = job.read @"beta-3xf64" : !job.blob<3xf64>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<4x3x5x6xf64>, !job.blob<3xf64>
  %weight = job.read @"weight-4x3x5x6xf64" : !job.blob<4x3x5x6xf64>
  %loss = job.mul %y, %weight : !job.blob<4x3x5x6xf64>
  job.loss %loss : !job.blob<4x3x5x6xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x3x5x6xf64>
}

// K = 3136
job.func @batch_norm_many_f32() -> (!job.blob<16x8x14x14xf32> {job.name = "y"}, !job.blob<8xf32> {job.name = "mean"}, !job.blob<8xf32> {job.name = "variance"}) kind predict {
  %x = job.read @"x-16x8x14x14xf32" : !job.blob<16x8x14x14xf32>
  %gamma = job.read @"gamma-8xf32" : !job.blob<8xf32>
  %beta = job.read @"beta-8xf32" : !job.blob<8xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<16x8x14x14xf32>, !job.blob<8xf32>
  job.return %y, %mean, %variance : !job.blob<16x8x14x14xf32>, !job.blob<8xf32>, !job.blob<8xf32>
}

// K = 3136
job.func @train_batch_norm_many_f32() -> (!job.blob<16x8x14x14xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-16x8x14x14xf32" : !job.blob<16x8x14x14xf32>
  %gamma = job.read @"gamma-8xf32" : !job.blob<8xf32>
  %beta = job.read @"beta-8xf32" : !job.blob<8xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<16x8x14x14xf32>, !job.blob<8xf32>
  %weight = job.read @"weight-16x8x14x14xf32" : !job.blob<16x8x14x14xf32>
  %loss = job.mul %y, %weight : !job.blob<16x8x14x14xf32>
  job.loss %loss : !job.blob<16x8x14x14xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<16x8x14x14xf32>
}

// K = 31
job.func @batch_norm_one_channel_f32() -> (!job.blob<31x1xf32> {job.name = "y"}, !job.blob<1xf32> {job.name = "mean"}, !job.blob<1xf32> {job.name = "variance"}) kind predict {
  %x = job.read @"positive-31x1xf32" : !job.blob<31x1xf32>
  %gamma = job.read @"gamma-1xf32" : !job.blob<1xf32>
  %beta = job.read @"beta-1xf32" : !job.blob<1xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<31x1xf32>, !job.blob<1xf32>
  job.return %y, %mean, %variance : !job.blob<31x1xf32>, !job.blob<1xf32>, !job.blob<1xf32>
}

// K = 31
job.func @train_batch_norm_one_channel_f32() -> (!job.blob<31x1xf32> {job.name = "loss"}) kind train {
  %x = job.read @"positive-31x1xf32" : !job.blob<31x1xf32>
  %gamma = job.read @"gamma-1xf32" : !job.blob<1xf32>
  %beta = job.read @"beta-1xf32" : !job.blob<1xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<31x1xf32>, !job.blob<1xf32>
  %weight = job.read @"weight-31x1xf32" : !job.blob<31x1xf32>
  %loss = job.mul %y, %weight : !job.blob<31x1xf32>
  job.loss %loss : !job.blob<31x1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<31x1xf32>
}

// Nothing to sum over: the variance is zero.
// K = 1
job.func @batch_norm_alone_f32() -> (!job.blob<16xf32> {job.name = "y"}, !job.blob<16xf32> {job.name = "mean"}, !job.blob<16xf32> {job.name = "variance"}) kind predict {
  %x = job.read @"x-16xf32" : !job.blob<16xf32>
  %gamma = job.read @"gamma-16xf32" : !job.blob<16xf32>
  %beta = job.read @"beta-16xf32" : !job.blob<16xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 0 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<16xf32>, !job.blob<16xf32>
  job.return %y, %mean, %variance : !job.blob<16xf32>, !job.blob<16xf32>, !job.blob<16xf32>
}

// K = 1
job.func @train_batch_norm_alone_f32() -> (!job.blob<16xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-16xf32" : !job.blob<16xf32>
  %gamma = job.read @"gamma-16xf32" : !job.blob<16xf32>
  %beta = job.read @"beta-16xf32" : !job.blob<16xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 0 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<16xf32>, !job.blob<16xf32>
  %weight = job.read @"weight-16xf32" : !job.blob<16xf32>
  %loss = job.mul %y, %weight : !job.blob<16xf32>
  job.loss %loss : !job.blob<16xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<16xf32>
}

// K = 120
job.func @train_batch_norm_mean_alone_f32() -> (!job.blob<3xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x3x5x6xf32" : !job.blob<4x3x5x6xf32>
  %gamma = job.read @"gamma-3xf32" : !job.blob<3xf32>
  %beta = job.read @"beta-3xf32" : !job.blob<3xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<4x3x5x6xf32>, !job.blob<3xf32>
  %weight = job.read @"weight-3xf32" : !job.blob<3xf32>
  %loss = job.mul %mean, %weight : !job.blob<3xf32>
  job.loss %loss : !job.blob<3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3xf32>
}

// K = 120
job.func @train_batch_norm_variance_alone_f32() -> (!job.blob<3xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x3x5x6xf32" : !job.blob<4x3x5x6xf32>
  %gamma = job.read @"gamma-3xf32" : !job.blob<3xf32>
  %beta = job.read @"beta-3xf32" : !job.blob<3xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<4x3x5x6xf32>, !job.blob<3xf32>
  %weight = job.read @"weight-3xf32" : !job.blob<3xf32>
  %loss = job.mul %variance, %weight : !job.blob<3xf32>
  job.loss %loss : !job.blob<3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3xf32>
}

// K = 120
job.func @train_batch_norm_all_results_f32() -> (!job.blob<3xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x3x5x6xf32" : !job.blob<4x3x5x6xf32>
  %gamma = job.read @"gamma-3xf32" : !job.blob<3xf32>
  %beta = job.read @"beta-3xf32" : !job.blob<3xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<4x3x5x6xf32>, !job.blob<3xf32>
  %weight = job.read @"weight-4x3x5x6xf32" : !job.blob<4x3x5x6xf32>
  %product = job.mul %y, %weight : !job.blob<4x3x5x6xf32>
  %sums = job.reduce_sum %product {axes = array<i64: 0, 2, 3>} : !job.blob<4x3x5x6xf32>
  %ratio = job.mul %mean, %variance : !job.blob<3xf32>
  %loss = job.add %sums, %ratio : !job.blob<3xf32>
  job.loss %loss : !job.blob<3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3xf32>
}

// K = 120
job.func @train_batch_norm_mean_alone_f64() -> (!job.blob<3xf64> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x3x5x6xf64" : !job.blob<4x3x5x6xf64>
  %gamma = job.read @"gamma-3xf64" : !job.blob<3xf64>
  %beta = job.read @"beta-3xf64" : !job.blob<3xf64>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<4x3x5x6xf64>, !job.blob<3xf64>
  %weight = job.read @"weight-3xf64" : !job.blob<3xf64>
  %loss = job.mul %mean, %weight : !job.blob<3xf64>
  job.loss %loss : !job.blob<3xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3xf64>
}

// K = 120
job.func @train_batch_norm_variance_alone_f64() -> (!job.blob<3xf64> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x3x5x6xf64" : !job.blob<4x3x5x6xf64>
  %gamma = job.read @"gamma-3xf64" : !job.blob<3xf64>
  %beta = job.read @"beta-3xf64" : !job.blob<3xf64>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<4x3x5x6xf64>, !job.blob<3xf64>
  %weight = job.read @"weight-3xf64" : !job.blob<3xf64>
  %loss = job.mul %variance, %weight : !job.blob<3xf64>
  job.loss %loss : !job.blob<3xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3xf64>
}

// K = 120
job.func @train_batch_norm_all_results_f64() -> (!job.blob<3xf64> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x3x5x6xf64" : !job.blob<4x3x5x6xf64>
  %gamma = job.read @"gamma-3xf64" : !job.blob<3xf64>
  %beta = job.read @"beta-3xf64" : !job.blob<3xf64>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<4x3x5x6xf64>, !job.blob<3xf64>
  %weight = job.read @"weight-4x3x5x6xf64" : !job.blob<4x3x5x6xf64>
  %product = job.mul %y, %weight : !job.blob<4x3x5x6xf64>
  %sums = job.reduce_sum %product {axes = array<i64: 0, 2, 3>} : !job.blob<4x3x5x6xf64>
  %ratio = job.mul %mean, %variance : !job.blob<3xf64>
  %loss = job.add %sums, %ratio : !job.blob<3xf64>
  job.loss %loss : !job.blob<3xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3xf64>
}

// One operand alone has a gradient.
// K = 20
job.func @train_batch_norm_x_trainable() -> (!job.blob<20x17xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-20x17xf32" : !job.blob<20x17xf32>
  %gamma = job.read @"frozen-gamma-17xf32" : !job.blob<17xf32>
  %beta = job.read @"frozen-beta-17xf32" : !job.blob<17xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<20x17xf32>, !job.blob<17xf32>
  %weight = job.read @"weight-20x17xf32" : !job.blob<20x17xf32>
  %loss = job.mul %y, %weight : !job.blob<20x17xf32>
  job.loss %loss : !job.blob<20x17xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<20x17xf32>
}

// K = 20
job.func @train_batch_norm_gamma_trainable() -> (!job.blob<20x17xf32> {job.name = "loss"}) kind train {
  %x = job.read @"frozen-x-20x17xf32" : !job.blob<20x17xf32>
  %gamma = job.read @"gamma-17xf32" : !job.blob<17xf32>
  %beta = job.read @"frozen-beta-17xf32" : !job.blob<17xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<20x17xf32>, !job.blob<17xf32>
  %weight = job.read @"weight-20x17xf32" : !job.blob<20x17xf32>
  %loss = job.mul %y, %weight : !job.blob<20x17xf32>
  job.loss %loss : !job.blob<20x17xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<20x17xf32>
}

// K = 20
job.func @train_batch_norm_beta_trainable() -> (!job.blob<20x17xf32> {job.name = "loss"}) kind train {
  %x = job.read @"frozen-x-20x17xf32" : !job.blob<20x17xf32>
  %gamma = job.read @"frozen-gamma-17xf32" : !job.blob<17xf32>
  %beta = job.read @"beta-17xf32" : !job.blob<17xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %beta {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<20x17xf32>, !job.blob<17xf32>
  %weight = job.read @"weight-20x17xf32" : !job.blob<20x17xf32>
  %loss = job.mul %y, %weight : !job.blob<20x17xf32>
  job.loss %loss : !job.blob<20x17xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<20x17xf32>
}

// K = 20
job.func @train_layer_norm_x_trainable() -> (!job.blob<20x17xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-20x17xf32" : !job.blob<20x17xf32>
  %gamma = job.read @"frozen-gamma-17xf32" : !job.blob<17xf32>
  %beta = job.read @"frozen-beta-17xf32" : !job.blob<17xf32>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<20x17xf32>, !job.blob<17xf32>
  %weight = job.read @"weight-20x17xf32" : !job.blob<20x17xf32>
  %loss = job.mul %y, %weight : !job.blob<20x17xf32>
  job.loss %loss : !job.blob<20x17xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<20x17xf32>
}

// K = 20
job.func @train_layer_norm_gamma_trainable() -> (!job.blob<20x17xf32> {job.name = "loss"}) kind train {
  %x = job.read @"frozen-x-20x17xf32" : !job.blob<20x17xf32>
  %gamma = job.read @"gamma-17xf32" : !job.blob<17xf32>
  %beta = job.read @"frozen-beta-17xf32" : !job.blob<17xf32>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<20x17xf32>, !job.blob<17xf32>
  %weight = job.read @"weight-20x17xf32" : !job.blob<20x17xf32>
  %loss = job.mul %y, %weight : !job.blob<20x17xf32>
  job.loss %loss : !job.blob<20x17xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<20x17xf32>
}

// K = 20
job.func @train_layer_norm_beta_trainable() -> (!job.blob<20x17xf32> {job.name = "loss"}) kind train {
  %x = job.read @"frozen-x-20x17xf32" : !job.blob<20x17xf32>
  %gamma = job.read @"frozen-gamma-17xf32" : !job.blob<17xf32>
  %beta = job.read @"beta-17xf32" : !job.blob<17xf32>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.000000e-05 : f64} : !job.blob<20x17xf32>, !job.blob<17xf32>
  %weight = job.read @"weight-20x17xf32" : !job.blob<20x17xf32>
  %loss = job.mul %y, %weight : !job.blob<20x17xf32>
  job.loss %loss : !job.blob<20x17xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<20x17xf32>
}
