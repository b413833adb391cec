// Table of ops: matrix products. A prediction job for each op and variant, and a
// training job where the op has gradients: its operands are variables, so that
// the gradients show, with first values away from kinks and poles.
// Names say which side is transposed (t) and the extents m, n, k.

job.variable @"lhs-3x7xf32" : !job.blob<3x7xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"rhs-7x5xf32" : !job.blob<7x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-3x5xf32" : !job.blob<3x5xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"lhs-70x130xf32" : !job.blob<70x130xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"rhs-130x65xf32" : !job.blob<130x65xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"lhs-9x6xf64" : !job.blob<9x6xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"rhs-6x4xf64" : !job.blob<6x4xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"rhs-5x7xf32" : !job.blob<5x7xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"rhs-65x130xf32" : !job.blob<65x130xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"rhs-4x6xf64" : !job.blob<4x6xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"lhs-7x3xf32" : !job.blob<7x3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"lhs-130x70xf32" : !job.blob<130x70xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"lhs-6x9xf64" : !job.blob<6x9xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"lhs-1x1xf32" : !job.blob<1x1xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"rhs-1x1xf32" : !job.blob<1x1xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"lhs-1x40xf32" : !job.blob<1x40xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"rhs-40x33xf32" : !job.blob<40x33xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"lhs-33x40xf32" : !job.blob<33x40xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"rhs-1x40xf32" : !job.blob<1x40xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"lhs-17x1xf32" : !job.blob<17x1xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"rhs-1x19xf32" : !job.blob<1x19xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"lhs-100x784xf32" : !job.blob<100x784xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"rhs-512x784xf32" : !job.blob<512x784xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"square-4x4xf32" : !job.blob<4x4xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-4x4xf32" : !job.blob<4x4xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}

job.func @matmul_nn_3x5x7_f32() -> (!job.blob<3x5xf32> {job.name = "y"}) kind predict {
  %lhs = job.read @"lhs-3x7xf32" : !job.blob<3x7xf32>
  %rhs = job.read @"rhs-7x5xf32" : !job.blob<7x5xf32>
  %y = job.matmul %lhs, %rhs : !job.blob<3x7xf32>, !job.blob<7x5xf32>
  job.return %y : !job.blob<3x5xf32>
}

job.func @train_matmul_nn_3x5x7_f32() -> (!job.blob<3x5xf32> {job.name = "loss"}) kind train {
  %lhs = job.read @"lhs-3x7xf32" : !job.blob<3x7xf32>
  %rhs = job.read @"rhs-7x5xf32" : !job.blob<7x5xf32>
  %y = job.matmul %lhs, %rhs : !job.blob<3x7xf32>, !job.blob<7x5xf32>
  %weight = job.read @"weight-3x5xf32" : !job.blob<3x5xf32>
  %loss = job.mul %y, %weight : !job.blob<3x5xf32>
  job.loss %loss : !job.blob<3x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3x5xf32>
}

// K = 130
job.func @matmul_nn_70x65x130_f32() -> (!job.blob<70x65xf32> {job.name = "y"}) kind predict {
  %lhs = job.read @"lhs-70x130xf32" : !job.blob<70x130xf32>
  %rhs = job.read @"rhs-130x65xf32" : !job.blob<130x65xf32>
  %y = job.matmul %lhs, %rhs : !job.blob<70x130xf32>, !job.blob<130x65xf32>
  job.return %y : !job.blob<70x65xf32>
}

job.func @matmul_nn_9x4x6_f64() -> (!job.blob<9x4xf64> {job.name = "y"}) kind predict {
  %lhs = job.read @"lhs-9x6xf64" : !job.blob<9x6xf64>
  %rhs = job.read @"rhs-6x4xf64" : !job.blob<6x4xf64>
  %y = job.matmul %lhs, %rhs : !job.blob<9x6xf64>, !job.blob<6x4xf64>
  job.return %y : !job.blob<9x4xf64>
}

job.func @matmul_nt_3x5x7_f32() -> (!job.blob<3x5xf32> {job.name = "y"}) kind predict {
  %lhs = job.read @"lhs-3x7xf32" : !job.blob<3x7xf32>
  %rhs = job.read @"rhs-5x7xf32" : !job.blob<5x7xf32>
  %y = job.matmul %lhs, %rhs {transpose_rhs = true} : !job.blob<3x7xf32>, !job.blob<5x7xf32>
  job.return %y : !job.blob<3x5xf32>
}

job.func @train_matmul_nt_3x5x7_f32() -> (!job.blob<3x5xf32> {job.name = "loss"}) kind train {
  %lhs = job.read @"lhs-3x7xf32" : !job.blob<3x7xf32>
  %rhs = job.read @"rhs-5x7xf32" : !job.blob<5x7xf32>
  %y = job.matmul %lhs, %rhs {transpose_rhs = true} : !job.blob<3x7xf32>, !job.blob<5x7xf32>
  %weight = job.read @"weight-3x5xf32" : !job.blob<3x5xf32>
  %loss = job.mul %y, %weight : !job.blob<3x5xf32>
  job.loss %loss : !job.blob<3x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3x5xf32>
}

// K = 130
job.func @matmul_nt_70x65x130_f32() -> (!job.blob<70x65xf32> {job.name = "y"}) kind predict {
  %lhs = job.read @"lhs-70x130xf32" : !job.blob<70x130xf32>
  %rhs = job.read @"rhs-65x130xf32" : !job.blob<65x130xf32>
  %y = job.matmul %lhs, %rhs {transpose_rhs = true} : !job.blob<70x130xf32>, !job.blob<65x130xf32>
  job.return %y : !job.blob<70x65xf32>
}

job.func @matmul_nt_9x4x6_f64() -> (!job.blob<9x4xf64> {job.name = "y"}) kind predict {
  %lhs = job.read @"lhs-9x6xf64" : !job.blob<9x6xf64>
  %rhs = job.read @"rhs-4x6xf64" : !job.blob<4x6xf64>
  %y = job.matmul %lhs, %rhs {transpose_rhs = true} : !job.blob<9x6xf64>, !job.blob<4x6xf64>
  job.return %y : !job.blob<9x4xf64>
}

job.func @matmul_tn_3x5x7_f32() -> (!job.blob<3x5xf32> {job.name = "y"}) kind predict {
  %lhs = job.read @"lhs-7x3xf32" : !job.blob<7x3xf32>
  %rhs = job.read @"rhs-7x5xf32" : !job.blob<7x5xf32>
  %y = job.matmul %lhs, %rhs {transpose_lhs = true} : !job.blob<7x3xf32>, !job.blob<7x5xf32>
  job.return %y : !job.blob<3x5xf32>
}

job.func @train_matmul_tn_3x5x7_f32() -> (!job.blob<3x5xf32> {job.name = "loss"}) kind train {
  %lhs = job.read @"lhs-7x3xf32" : !job.blob<7x3xf32>
  %rhs = job.read @"rhs-7x5xf32" : !job.blob<7x5xf32>
  %y = job.matmul %lhs, %rhs {transpose_lhs = true} : !job.blob<7x3xf32>, !job.blob<7x5xf32>
  %weight = job.read @"weight-3x5xf32" : !job.blob<3x5xf32>
  %loss = job.mul %y, %weight : !job.blob<3x5xf32>
  job.loss %loss : !job.blob<3x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3x5xf32>
}

// K = 130
job.func @matmul_tn_70x65x130_f32() -> (!job.blob<70x65xf32> {job.name = "y"}) kind predict {
  %lhs = job.read @"lhs-130x70xf32" : !job.blob<130x70xf32>
  %rhs = job.read @"rhs-130x65xf32" : !job.blob<130x65xf32>
  %y = job.matmul %lhs, %rhs {transpose_lhs = true} : !job.blob<130x70xf32>, !job.blob<130x65xf32>
  job.return %y : !job.blob<70x65xf32>
}

job.func @matmul_tn_9x4x6_f64() -> (!job.blob<9x4xf64> {job.name = "y"}) kind predict {
  %lhs = job.read @"lhs-6x9xf64" : !job.blob<6x9xf64>
  %rhs = job.read @"rhs-6x4xf64" : !job.blob<6x4xf64>
  %y = job.matmul %lhs, %rhs {transpose_lhs = true} : !job.blob<6x9xf64>, !job.blob<6x4xf64>
  job.return %y : !job.blob<9x4xf64>
}

job.func @matmul_tt_3x5x7_f32() -> (!job.blob<3x5xf32> {job.name = "y"}) kind predict {
  %lhs = job.read @"lhs-7x3xf32" : !job.blob<7x3xf32>
  %rhs = job.read @"rhs-5x7xf32" : !job.blob<5x7xf32>
  %y = job.matmul %lhs, %rhs {transpose_lhs = true, transpose_rhs = true} : !job.blob<7x3xf32>, !job.blob<5x7xf32>
  job.return %y : !job.blob<3x5xf32>
}

job.func @train_matmul_tt_3x5x7_f32() -> (!job.blob<3x5xf32> {job.name = "loss"}) kind train {
  %lhs = job.read @"lhs-7x3xf32" : !job.blob<7x3xf32>
  %rhs = job.read @"rhs-5x7xf32" : !job.blob<5x7xf32>
  %y = job.matmul %lhs, %rhs {transpose_lhs = true, transpose_rhs = true} : !job.blob<7x3xf32>, !job.blob<5x7xf32>
  %weight = job.read @"weight-3x5xf32" : !job.blob<3x5xf32>
  %loss = job.mul %y, %weight : !job.blob<3x5xf32>
  job.loss %loss : !job.blob<3x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3x5xf32>
}

// K = 130
job.func @matmul_tt_70x65x130_f32() -> (!job.blob<70x65xf32> {job.name = "y"}) kind predict {
  %lhs = job.read @"lhs-130x70xf32" : !job.blob<130x70xf32>
  %rhs = job.read @"rhs-65x130xf32" : !job.blob<65x130xf32>
  %y = job.matmul %lhs, %rhs {transpose_lhs = true, transpose_rhs = true} : !job.blob<130x70xf32>, !job.blob<65x130xf32>
  job.return %y : !job.blob<70x65xf32>
}

job.func @matmul_tt_9x4x6_f64() -> (!job.blob<9x4xf64> {job.name = "y"}) kind predict {
  %lhs = job.read @"lhs-6x9xf64" : !job.blob<6x9xf64>
  %rhs = job.read @"rhs-4x6xf64" : !job.blob<4x6xf64>
  %y = job.matmul %lhs, %rhs {transpose_lhs = true, transpose_rhs = true} : !job.blob<6x9xf64>, !job.blob<4x6xf64>
  job.return %y : !job.blob<9x4xf64>
}

job.func @matmul_nn_1x1x1_f32() -> (!job.blob<1x1xf32> {job.name = "y"}) kind predict {
  %lhs = job.read @"lhs-1x1xf32" : !job.blob<1x1xf32>
  %rhs = job.read @"rhs-1x1xf32" : !job.blob<1x1xf32>
  %y = job.matmul %lhs, %rhs : !job.blob<1x1xf32>, !job.blob<1x1xf32>
  job.return %y : !job.blob<1x1xf32>
}

// K = 40
job.func @matmul_nn_1x33x40_f32() -> (!job.blob<1x33xf32> {job.name = "y"}) kind predict {
  %lhs = job.read @"lhs-1x40xf32" : !job.blob<1x40xf32>
  %rhs = job.read @"rhs-40x33xf32" : !job.blob<40x33xf32>
  %y = job.matmul %lhs, %rhs : !job.blob<1x40xf32>, !job.blob<40x33xf32>
  job.return %y : !job.blob<1x33xf32>
}

// K = 40
job.func @matmul_nt_33x1x40_f32() -> (!job.blob<33x1xf32> {job.name = "y"}) kind predict {
  %lhs = job.read @"lhs-33x40xf32" : !job.blob<33x40xf32>
  %rhs = job.read @"rhs-1x40xf32" : !job.blob<1x40xf32>
  %y = job.matmul %lhs, %rhs {transpose_rhs = true} : !job.blob<33x40xf32>, !job.blob<1x40xf32>
  job.return %y : !job.blob<33x1xf32>
}

job.func @matmul_nn_17x19x1_f32() -> (!job.blob<17x19xf32> {job.name = "y"}) kind predict {
  %lhs = job.read @"lhs-17x1xf32" : !job.blob<17x1xf32>
  %rhs = job.read @"rhs-1x19xf32" : !job.blob<1x19xf32>
  %y = job.matmul %lhs, %rhs : !job.blob<17x1xf32>, !job.blob<1x19xf32>
  job.return %y : !job.blob<17x19xf32>
}

// K = 784
job.func @matmul_nt_100x512x784_f32() -> (!job.blob<100x512xf32> {job.name = "y"}) kind predict {
  %lhs = job.read @"lhs-100x784xf32" : !job.blob<100x784xf32>
  %rhs = job.read @"rhs-512x784xf32" : !job.blob<512x784xf32>
  %y = job.matmul %lhs, %rhs {transpose_rhs = true} : !job.blob<100x784xf32>, !job.blob<512x784xf32>
  job.return %y : !job.blob<100x512xf32>
}

// Both sides are the same value.
job.func @train_matmul_square_f32() -> (!job.blob<4x4xf32> {job.name = "loss"}) kind train {
  %x = job.read @"square-4x4xf32" : !job.blob<4x4xf32>
  %y = job.matmul %x, %x {transpose_rhs = true} : !job.blob<4x4xf32>, !job.blob<4x4xf32>
  %weight = job.read @"weight-4x4xf32" : !job.blob<4x4xf32>
  %loss = job.mul %y, %weight : !job.blob<4x4xf32>
  job.loss %loss : !job.blob<4x4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x4xf32>
}

// Batches.
job.variable @"lhs-3x5x7f32" : !job.blob<3x5x7xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"rhs-3x7x4f32" : !job.blob<3x7x4xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"lhs-2x3x17x33f32" : !job.blob<2x3x17x33xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"rhs-2x3x9x33f32" : !job.blob<2x3x9x33xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"lhs-40x32x64f32" : !job.blob<40x32x64xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"rhs-40x32x64f32" : !job.blob<40x32x64xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"lhs-3x65x150f32" : !job.blob<3x65x150xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"rhs-3x130x65f32" : !job.blob<3x130x65xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"lhs-2x2x3x5f64" : !job.blob<2x2x3x5xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"rhs-2x2x5x4f64" : !job.blob<2x2x5x4xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"lhs-2x2x5x3f64" : !job.blob<2x2x5x3xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"rhs-2x2x4x5f64" : !job.blob<2x2x4x5xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"lhs-3x4x2f32" : !job.blob<3x4x2xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"rhs-3x3x2f32" : !job.blob<3x3x2xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-3x4x3f32" : !job.blob<3x4x3xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"lhs-2x2x4x2f64" : !job.blob<2x2x4x2xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"rhs-2x2x4x3f64" : !job.blob<2x2x4x3xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x2x2x3f64" : !job.blob<2x2x2x3xf64> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}

job.func @matmul_nn_batch_3x5x4x7_f32() -> (!job.blob<3x5x4xf32> {job.name = "y"}) kind predict {
  %lhs = job.read @"lhs-3x5x7f32" : !job.blob<3x5x7xf32>
  %rhs = job.read @"rhs-3x7x4f32" : !job.blob<3x7x4xf32>
  %y = job.matmul %lhs, %rhs : !job.blob<3x5x7xf32>, !job.blob<3x7x4xf32>
  job.return %y : !job.blob<3x5x4xf32>
}

// K = 33
job.func @matmul_nt_batch_2x3x17x9x33_f32() -> (!job.blob<2x3x17x9xf32> {job.name = "y"}) kind predict {
  %lhs = job.read @"lhs-2x3x17x33f32" : !job.blob<2x3x17x33xf32>
  %rhs = job.read @"rhs-2x3x9x33f32" : !job.blob<2x3x9x33xf32>
  %y = job.matmul %lhs, %rhs {transpose_rhs = true} : !job.blob<2x3x17x33xf32>, !job.blob<2x3x9x33xf32>
  job.return %y : !job.blob<2x3x17x9xf32>
}

// K = 32
job.func @matmul_tn_batch_40x64x64x32_f32() -> (!job.blob<40x64x64xf32> {job.name = "y"}) kind predict {
  %lhs = job.read @"lhs-40x32x64f32" : !job.blob<40x32x64xf32>
  %rhs = job.read @"rhs-40x32x64f32" : !job.blob<40x32x64xf32>
  %y = job.matmul %lhs, %rhs {transpose_lhs = true} : !job.blob<40x32x64xf32>, !job.blob<40x32x64xf32>
  job.return %y : !job.blob<40x64x64xf32>
}

// K = 65
job.func @matmul_tt_batch_3x150x130x65_f32() -> (!job.blob<3x150x130xf32> {job.name = "y"}) kind predict {
  %lhs = job.read @"lhs-3x65x150f32" : !job.blob<3x65x150xf32>
  %rhs = job.read @"rhs-3x130x65f32" : !job.blob<3x130x65xf32>
  %y = job.matmul %lhs, %rhs {transpose_lhs = true, transpose_rhs = true} : !job.blob<3x65x150xf32>, !job.blob<3x130x65xf32>
  job.return %y : !job.blob<3x150x130xf32>
}

job.func @matmul_nn_batch_2x2x3x4x5_f64() -> (!job.blob<2x2x3x4xf64> {job.name = "y"}) kind predict {
  %lhs = job.read @"lhs-2x2x3x5f64" : !job.blob<2x2x3x5xf64>
  %rhs = job.read @"rhs-2x2x5x4f64" : !job.blob<2x2x5x4xf64>
  %y = job.matmul %lhs, %rhs : !job.blob<2x2x3x5xf64>, !job.blob<2x2x5x4xf64>
  job.return %y : !job.blob<2x2x3x4xf64>
}

job.func @matmul_tt_batch_2x2x3x4x5_f64() -> (!job.blob<2x2x3x4xf64> {job.name = "y"}) kind predict {
  %lhs = job.read @"lhs-2x2x5x3f64" : !job.blob<2x2x5x3xf64>
  %rhs = job.read @"rhs-2x2x4x5f64" : !job.blob<2x2x4x5xf64>
  %y = job.matmul %lhs, %rhs {transpose_lhs = true, transpose_rhs = true} : !job.blob<2x2x5x3xf64>, !job.blob<2x2x4x5xf64>
  job.return %y : !job.blob<2x2x3x4xf64>
}

job.func @train_matmul_nt_batch_3x4x3x2_f32() -> (!job.blob<3x4x3xf32> {job.name = "loss"}) kind train {
  %lhs = job.read @"lhs-3x4x2f32" : !job.blob<3x4x2xf32>
  %rhs = job.read @"rhs-3x3x2f32" : !job.blob<3x3x2xf32>
  %y = job.matmul %lhs, %rhs {transpose_rhs = true} : !job.blob<3x4x2xf32>, !job.blob<3x3x2xf32>
  %weight = job.read @"weight-3x4x3f32" : !job.blob<3x4x3xf32>
  %loss = job.mul %y, %weight : !job.blob<3x4x3xf32>
  job.loss %loss : !job.blob<3x4x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3x4x3xf32>
}

job.func @train_matmul_tn_batch_2x2x2x3x4_f64() -> (!job.blob<2x2x2x3xf64> {job.name = "loss"}) kind train {
  %lhs = job.read @"lhs-2x2x4x2f64" : !job.blob<2x2x4x2xf64>
  %rhs = job.read @"rhs-2x2x4x3f64" : !job.blob<2x2x4x3xf64>
  %y = job.matmul %lhs, %rhs {transpose_lhs = true} : !job.blob<2x2x4x2xf64>, !job.blob<2x2x4x3xf64>
  %weight = job.read @"weight-2x2x2x3f64" : !job.blob<2x2x2x3xf64>
  %loss = job.mul %y, %weight : !job.blob<2x2x2x3xf64>
  job.loss %loss : !job.blob<2x2x2x3xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x2x2x3xf64>
}
