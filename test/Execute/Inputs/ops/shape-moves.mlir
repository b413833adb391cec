// Table of ops: transposes, slices, paddings, concatenations and counts. A
// prediction job for each op and variant, and a training job where the op has
// gradients: its operands are variables, so that the gradients show.

job.variable @"x-3x50x130xf32" : !job.blob<3x50x130xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-300x170xf64" : !job.blob<300x170xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-37x19xf32" : !job.blob<37x19xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-19x37xf32" : !job.blob<19x37xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-3x7x5xf32" : !job.blob<3x7x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-3x5x7xf32" : !job.blob<3x5x7xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-7x3x5xf32" : !job.blob<7x3x5xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-2x3x4x5xf32" : !job.blob<2x3x4x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-5x4x3x2xf32" : !job.blob<5x4x3x2xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-2x6x5x3xf32" : !job.blob<2x6x5x3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x5x3x6xf32" : !job.blob<2x5x3x6xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-1x5x1x4xf32" : !job.blob<1x5x1x4xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-1x4x1x5xf32" : !job.blob<1x4x1x5xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-4x5xf32" : !job.blob<4x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-4x5xf32" : !job.blob<4x5xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-131x67xf32" : !job.blob<131x67xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-7x5xf64" : !job.blob<7x5xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-5x7xf64" : !job.blob<5x7xf64> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-37xf32" : !job.blob<37xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-20xf32" : !job.blob<20xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-9xf32" : !job.blob<9xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-6x32xf32" : !job.blob<6x32xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-6x5xf32" : !job.blob<6x5xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-9x7xf32" : !job.blob<9x7xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-3x7xf32" : !job.blob<3x7xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-3x8x5xf32" : !job.blob<3x8x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-3x4x5xf32" : !job.blob<3x4x5xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-1x2x2x2xf32" : !job.blob<1x2x2x2xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-1x1xf32" : !job.blob<1x1xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-6x32xf64" : !job.blob<6x32xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-6x5xf64" : !job.blob<6x5xf64> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-67x131xf32" : !job.blob<67x131xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-7xf32" : !job.blob<7xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-12xf32" : !job.blob<12xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-6x5xf32" : !job.blob<6x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-6x8xf32" : !job.blob<6x8xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-9x5xf32" : !job.blob<9x5xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-6x20xf32" : !job.blob<6x20xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-14x20xf32" : !job.blob<14x20xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-2x3x7x8xf32" : !job.blob<2x3x7x8xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-4x8x6x13xf32" : !job.blob<4x8x6x13xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-2x1x3x6xf32" : !job.blob<2x1x3x6xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-6x1x3x6xf32" : !job.blob<6x1x3x6xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-5x3x2xf32" : !job.blob<5x3x2xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-5x12x2xf32" : !job.blob<5x12x2xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-6x5xf64" : !job.blob<6x5xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-6x12xf64" : !job.blob<6x12xf64> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-10007xf32" : !job.blob<10007xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"a-5xf32" : !job.blob<5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"b-1xf32" : !job.blob<1xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"c-3xf32" : !job.blob<3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"a-4x5xf32" : !job.blob<4x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"b-1x5xf32" : !job.blob<1x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"c-2x5xf32" : !job.blob<2x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-7x5xf32" : !job.blob<7x5xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"b-4x1xf32" : !job.blob<4x1xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"c-4x7xf32" : !job.blob<4x7xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-4x13xf32" : !job.blob<4x13xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"a-2x3x4xf32" : !job.blob<2x3x4xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"b-2x1x4xf32" : !job.blob<2x1x4xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x4x4xf32" : !job.blob<2x4x4xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"a-2x3x4x5xf32" : !job.blob<2x3x4x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"b-2x2x4x5xf32" : !job.blob<2x2x4x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"c-2x1x4x5xf32" : !job.blob<2x1x4x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x6x4x5xf32" : !job.blob<2x6x4x5xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"a-4x5xf64" : !job.blob<4x5xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"b-4x3xf64" : !job.blob<4x3xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-4x8xf64" : !job.blob<4x8xf64> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"a-5003xf32" : !job.blob<5003xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"b-4099xf32" : !job.blob<4099xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"c-7001xf32" : !job.blob<7001xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"a-3x5003xf32" : !job.blob<3x5003xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"b-3x1xf32" : !job.blob<3x1xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"c-3x4099xf32" : !job.blob<3x4099xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-40x30xf32" : !job.blob<40x30xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"y-30x40xf32" : !job.blob<30x40xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-40xf32" : !job.blob<40xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-37x37xf32" : !job.blob<37x37xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-3x7x7xf32" : !job.blob<3x7x7xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-39x15xf32" : !job.blob<39x15xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}

// K = 0
job.func @transpose_matrix_f32() -> (!job.blob<19x37xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-37x19xf32" : !job.blob<37x19xf32>
  %y = job.transpose %x {permutation = array<i64: 1, 0>} : !job.blob<37x19xf32>
  job.return %y : !job.blob<19x37xf32>
}

job.func @train_transpose_matrix_f32() -> (!job.blob<19x37xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-37x19xf32" : !job.blob<37x19xf32>
  %y = job.transpose %x {permutation = array<i64: 1, 0>} : !job.blob<37x19xf32>
  %weight = job.read @"weight-19x37xf32" : !job.blob<19x37xf32>
  %loss = job.mul %y, %weight : !job.blob<19x37xf32>
  job.loss %loss : !job.blob<19x37xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<19x37xf32>
}

// K = 0
job.func @transpose_batch_f32() -> (!job.blob<3x5x7xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-3x7x5xf32" : !job.blob<3x7x5xf32>
  %y = job.transpose %x {permutation = array<i64: 0, 2, 1>} : !job.blob<3x7x5xf32>
  job.return %y : !job.blob<3x5x7xf32>
}

job.func @train_transpose_batch_f32() -> (!job.blob<3x5x7xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-3x7x5xf32" : !job.blob<3x7x5xf32>
  %y = job.transpose %x {permutation = array<i64: 0, 2, 1>} : !job.blob<3x7x5xf32>
  %weight = job.read @"weight-3x5x7xf32" : !job.blob<3x5x7xf32>
  %loss = job.mul %y, %weight : !job.blob<3x5x7xf32>
  job.loss %loss : !job.blob<3x5x7xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3x5x7xf32>
}

// K = 0
job.func @transpose_first_f32() -> (!job.blob<7x3x5xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-3x7x5xf32" : !job.blob<3x7x5xf32>
  %y = job.transpose %x {permutation = array<i64: 1, 0, 2>} : !job.blob<3x7x5xf32>
  job.return %y : !job.blob<7x3x5xf32>
}

job.func @train_transpose_first_f32() -> (!job.blob<7x3x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-3x7x5xf32" : !job.blob<3x7x5xf32>
  %y = job.transpose %x {permutation = array<i64: 1, 0, 2>} : !job.blob<3x7x5xf32>
  %weight = job.read @"weight-7x3x5xf32" : !job.blob<7x3x5xf32>
  %loss = job.mul %y, %weight : !job.blob<7x3x5xf32>
  job.loss %loss : !job.blob<7x3x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<7x3x5xf32>
}

// K = 0
job.func @transpose_reverse_f32() -> (!job.blob<5x4x3x2xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-2x3x4x5xf32" : !job.blob<2x3x4x5xf32>
  %y = job.transpose %x {permutation = array<i64: 3, 2, 1, 0>} : !job.blob<2x3x4x5xf32>
  job.return %y : !job.blob<5x4x3x2xf32>
}

job.func @train_transpose_reverse_f32() -> (!job.blob<5x4x3x2xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-2x3x4x5xf32" : !job.blob<2x3x4x5xf32>
  %y = job.transpose %x {permutation = array<i64: 3, 2, 1, 0>} : !job.blob<2x3x4x5xf32>
  %weight = job.read @"weight-5x4x3x2xf32" : !job.blob<5x4x3x2xf32>
  %loss = job.mul %y, %weight : !job.blob<5x4x3x2xf32>
  job.loss %loss : !job.blob<5x4x3x2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<5x4x3x2xf32>
}

// K = 0
job.func @transpose_channels_f32() -> (!job.blob<2x5x3x6xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-2x6x5x3xf32" : !job.blob<2x6x5x3xf32>
  %y = job.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : !job.blob<2x6x5x3xf32>
  job.return %y : !job.blob<2x5x3x6xf32>
}

job.func @train_transpose_channels_f32() -> (!job.blob<2x5x3x6xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-2x6x5x3xf32" : !job.blob<2x6x5x3xf32>
  %y = job.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : !job.blob<2x6x5x3xf32>
  %weight = job.read @"weight-2x5x3x6xf32" : !job.blob<2x5x3x6xf32>
  %loss = job.mul %y, %weight : !job.blob<2x5x3x6xf32>
  job.loss %loss : !job.blob<2x5x3x6xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x5x3x6xf32>
}

// K = 0
job.func @transpose_units_f32() -> (!job.blob<1x4x1x5xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-1x5x1x4xf32" : !job.blob<1x5x1x4xf32>
  %y = job.transpose %x {permutation = array<i64: 2, 3, 0, 1>} : !job.blob<1x5x1x4xf32>
  job.return %y : !job.blob<1x4x1x5xf32>
}

job.func @train_transpose_units_f32() -> (!job.blob<1x4x1x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-1x5x1x4xf32" : !job.blob<1x5x1x4xf32>
  %y = job.transpose %x {permutation = array<i64: 2, 3, 0, 1>} : !job.blob<1x5x1x4xf32>
  %weight = job.read @"weight-1x4x1x5xf32" : !job.blob<1x4x1x5xf32>
  %loss = job.mul %y, %weight : !job.blob<1x4x1x5xf32>
  job.loss %loss : !job.blob<1x4x1x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1x4x1x5xf32>
}

// K = 0
job.func @transpose_same_f32() -> (!job.blob<4x5xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.transpose %x {permutation = array<i64: 0, 1>} : !job.blob<4x5xf32>
  job.return %y : !job.blob<4x5xf32>
}

job.func @train_transpose_same_f32() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.transpose %x {permutation = array<i64: 0, 1>} : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

// K = 0
job.func @transpose_long_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-131x67xf32" : !job.blob<131x67xf32>
  %y = job.transpose %x {permutation = array<i64: 1, 0>} : !job.blob<131x67xf32>
  job.return %y : !job.blob<67x131xf32>
}

// K = 0
job.func @transpose_matrix_f64() -> (!job.blob<5x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"x-7x5xf64" : !job.blob<7x5xf64>
  %y = job.transpose %x {permutation = array<i64: 1, 0>} : !job.blob<7x5xf64>
  job.return %y : !job.blob<5x7xf64>
}

job.func @train_transpose_matrix_f64() -> (!job.blob<5x7xf64> {job.name = "loss"}) kind train {
  %x = job.read @"x-7x5xf64" : !job.blob<7x5xf64>
  %y = job.transpose %x {permutation = array<i64: 1, 0>} : !job.blob<7x5xf64>
  %weight = job.read @"weight-5x7xf64" : !job.blob<5x7xf64>
  %loss = job.mul %y, %weight : !job.blob<5x7xf64>
  job.loss %loss : !job.blob<5x7xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<5x7xf64>
}

// K = 0
job.func @slice_vector_f32() -> (!job.blob<20xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-37xf32" : !job.blob<37xf32>
  %y = job.slice %x {offsets = array<i64: 5>, sizes = array<i64: 20>, strides = array<i64: 1>} : !job.blob<37xf32>
  job.return %y : !job.blob<20xf32>
}

job.func @train_slice_vector_f32() -> (!job.blob<20xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-37xf32" : !job.blob<37xf32>
  %y = job.slice %x {offsets = array<i64: 5>, sizes = array<i64: 20>, strides = array<i64: 1>} : !job.blob<37xf32>
  %weight = job.read @"weight-20xf32" : !job.blob<20xf32>
  %loss = job.mul %y, %weight : !job.blob<20xf32>
  job.loss %loss : !job.blob<20xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<20xf32>
}

// K = 0
job.func @slice_strided_f32() -> (!job.blob<9xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-37xf32" : !job.blob<37xf32>
  %y = job.slice %x {offsets = array<i64: 1>, sizes = array<i64: 9>, strides = array<i64: 4>} : !job.blob<37xf32>
  job.return %y : !job.blob<9xf32>
}

job.func @train_slice_strided_f32() -> (!job.blob<9xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-37xf32" : !job.blob<37xf32>
  %y = job.slice %x {offsets = array<i64: 1>, sizes = array<i64: 9>, strides = array<i64: 4>} : !job.blob<37xf32>
  %weight = job.read @"weight-9xf32" : !job.blob<9xf32>
  %loss = job.mul %y, %weight : !job.blob<9xf32>
  job.loss %loss : !job.blob<9xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<9xf32>
}

// K = 0
job.func @slice_columns_f32() -> (!job.blob<6x5xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-6x32xf32" : !job.blob<6x32xf32>
  %y = job.slice %x {offsets = array<i64: 0, 10>, sizes = array<i64: 6, 5>, strides = array<i64: 1, 2>} : !job.blob<6x32xf32>
  job.return %y : !job.blob<6x5xf32>
}

job.func @train_slice_columns_f32() -> (!job.blob<6x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-6x32xf32" : !job.blob<6x32xf32>
  %y = job.slice %x {offsets = array<i64: 0, 10>, sizes = array<i64: 6, 5>, strides = array<i64: 1, 2>} : !job.blob<6x32xf32>
  %weight = job.read @"weight-6x5xf32" : !job.blob<6x5xf32>
  %loss = job.mul %y, %weight : !job.blob<6x5xf32>
  job.loss %loss : !job.blob<6x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<6x5xf32>
}

// K = 0
job.func @slice_rows_f32() -> (!job.blob<3x7xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-9x7xf32" : !job.blob<9x7xf32>
  %y = job.slice %x {offsets = array<i64: 2, 0>, sizes = array<i64: 3, 7>, strides = array<i64: 3, 1>} : !job.blob<9x7xf32>
  job.return %y : !job.blob<3x7xf32>
}

job.func @train_slice_rows_f32() -> (!job.blob<3x7xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-9x7xf32" : !job.blob<9x7xf32>
  %y = job.slice %x {offsets = array<i64: 2, 0>, sizes = array<i64: 3, 7>, strides = array<i64: 3, 1>} : !job.blob<9x7xf32>
  %weight = job.read @"weight-3x7xf32" : !job.blob<3x7xf32>
  %loss = job.mul %y, %weight : !job.blob<3x7xf32>
  job.loss %loss : !job.blob<3x7xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3x7xf32>
}

// K = 0
job.func @slice_middle_f32() -> (!job.blob<3x4x5xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-3x8x5xf32" : !job.blob<3x8x5xf32>
  %y = job.slice %x {offsets = array<i64: 0, 2, 0>, sizes = array<i64: 3, 4, 5>, strides = array<i64: 1, 1, 1>} : !job.blob<3x8x5xf32>
  job.return %y : !job.blob<3x4x5xf32>
}

job.func @train_slice_middle_f32() -> (!job.blob<3x4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-3x8x5xf32" : !job.blob<3x8x5xf32>
  %y = job.slice %x {offsets = array<i64: 0, 2, 0>, sizes = array<i64: 3, 4, 5>, strides = array<i64: 1, 1, 1>} : !job.blob<3x8x5xf32>
  %weight = job.read @"weight-3x4x5xf32" : !job.blob<3x4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<3x4x5xf32>
  job.loss %loss : !job.blob<3x4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3x4x5xf32>
}

// K = 0
job.func @slice_corner_f32() -> (!job.blob<1x2x2x2xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-2x3x4x5xf32" : !job.blob<2x3x4x5xf32>
  %y = job.slice %x {offsets = array<i64: 1, 0, 2, 1>, sizes = array<i64: 1, 2, 2, 2>, strides = array<i64: 1, 2, 1, 3>} : !job.blob<2x3x4x5xf32>
  job.return %y : !job.blob<1x2x2x2xf32>
}

job.func @train_slice_corner_f32() -> (!job.blob<1x2x2x2xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-2x3x4x5xf32" : !job.blob<2x3x4x5xf32>
  %y = job.slice %x {offsets = array<i64: 1, 0, 2, 1>, sizes = array<i64: 1, 2, 2, 2>, strides = array<i64: 1, 2, 1, 3>} : !job.blob<2x3x4x5xf32>
  %weight = job.read @"weight-1x2x2x2xf32" : !job.blob<1x2x2x2xf32>
  %loss = job.mul %y, %weight : !job.blob<1x2x2x2xf32>
  job.loss %loss : !job.blob<1x2x2x2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1x2x2x2xf32>
}

// K = 0
job.func @slice_one_f32() -> (!job.blob<1x1xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.slice %x {offsets = array<i64: 3, 4>, sizes = array<i64: 1, 1>, strides = array<i64: 7, 9>} : !job.blob<4x5xf32>
  job.return %y : !job.blob<1x1xf32>
}

job.func @train_slice_one_f32() -> (!job.blob<1x1xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.slice %x {offsets = array<i64: 3, 4>, sizes = array<i64: 1, 1>, strides = array<i64: 7, 9>} : !job.blob<4x5xf32>
  %weight = job.read @"weight-1x1xf32" : !job.blob<1x1xf32>
  %loss = job.mul %y, %weight : !job.blob<1x1xf32>
  job.loss %loss : !job.blob<1x1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1x1xf32>
}

// K = 0
job.func @slice_all_f32() -> (!job.blob<4x5xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.slice %x {offsets = array<i64: 0, 0>, sizes = array<i64: 4, 5>, strides = array<i64: 1, 1>} : !job.blob<4x5xf32>
  job.return %y : !job.blob<4x5xf32>
}

job.func @train_slice_all_f32() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.slice %x {offsets = array<i64: 0, 0>, sizes = array<i64: 4, 5>, strides = array<i64: 1, 1>} : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

// K = 0
job.func @slice_columns_f64() -> (!job.blob<6x5xf64> {job.name = "y"}) kind predict {
  %x = job.read @"x-6x32xf64" : !job.blob<6x32xf64>
  %y = job.slice %x {offsets = array<i64: 0, 10>, sizes = array<i64: 6, 5>, strides = array<i64: 1, 2>} : !job.blob<6x32xf64>
  job.return %y : !job.blob<6x5xf64>
}

job.func @train_slice_columns_f64() -> (!job.blob<6x5xf64> {job.name = "loss"}) kind train {
  %x = job.read @"x-6x32xf64" : !job.blob<6x32xf64>
  %y = job.slice %x {offsets = array<i64: 0, 10>, sizes = array<i64: 6, 5>, strides = array<i64: 1, 2>} : !job.blob<6x32xf64>
  %weight = job.read @"weight-6x5xf64" : !job.blob<6x5xf64>
  %loss = job.mul %y, %weight : !job.blob<6x5xf64>
  job.loss %loss : !job.blob<6x5xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<6x5xf64>
}

// K = 0
job.func @slice_long_f32() -> (!job.blob<33x65xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-67x131xf32" : !job.blob<67x131xf32>
  %y = job.slice %x {offsets = array<i64: 1, 2>, sizes = array<i64: 33, 65>, strides = array<i64: 2, 1>} : !job.blob<67x131xf32>
  job.return %y : !job.blob<33x65xf32>
}

// K = 0
job.func @pad_vector_f32() -> (!job.blob<12xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-7xf32" : !job.blob<7xf32>
  %y = job.pad %x {low = array<i64: 2>, high = array<i64: 3>, interior = array<i64: 0>, value = 0.0 : f64} : !job.blob<7xf32>
  job.return %y : !job.blob<12xf32>
}

job.func @train_pad_vector_f32() -> (!job.blob<12xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-7xf32" : !job.blob<7xf32>
  %y = job.pad %x {low = array<i64: 2>, high = array<i64: 3>, interior = array<i64: 0>, value = 0.0 : f64} : !job.blob<7xf32>
  %weight = job.read @"weight-12xf32" : !job.blob<12xf32>
  %loss = job.mul %y, %weight : !job.blob<12xf32>
  job.loss %loss : !job.blob<12xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<12xf32>
}

// K = 0
job.func @pad_interior_f32() -> (!job.blob<20xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-7xf32" : !job.blob<7xf32>
  %y = job.pad %x {low = array<i64: 1>, high = array<i64: 0>, interior = array<i64: 2>, value = 1.5 : f64} : !job.blob<7xf32>
  job.return %y : !job.blob<20xf32>
}

job.func @train_pad_interior_f32() -> (!job.blob<20xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-7xf32" : !job.blob<7xf32>
  %y = job.pad %x {low = array<i64: 1>, high = array<i64: 0>, interior = array<i64: 2>, value = 1.5 : f64} : !job.blob<7xf32>
  %weight = job.read @"weight-20xf32" : !job.blob<20xf32>
  %loss = job.mul %y, %weight : !job.blob<20xf32>
  job.loss %loss : !job.blob<20xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<20xf32>
}

// K = 0
job.func @pad_columns_f32() -> (!job.blob<6x8xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-6x5xf32" : !job.blob<6x5xf32>
  %y = job.pad %x {low = array<i64: 0, 1>, high = array<i64: 0, 2>, interior = array<i64: 0, 0>, value = -0.5 : f64} : !job.blob<6x5xf32>
  job.return %y : !job.blob<6x8xf32>
}

job.func @train_pad_columns_f32() -> (!job.blob<6x8xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-6x5xf32" : !job.blob<6x5xf32>
  %y = job.pad %x {low = array<i64: 0, 1>, high = array<i64: 0, 2>, interior = array<i64: 0, 0>, value = -0.5 : f64} : !job.blob<6x5xf32>
  %weight = job.read @"weight-6x8xf32" : !job.blob<6x8xf32>
  %loss = job.mul %y, %weight : !job.blob<6x8xf32>
  job.loss %loss : !job.blob<6x8xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<6x8xf32>
}

// K = 0
job.func @pad_rows_f32() -> (!job.blob<9x5xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-6x5xf32" : !job.blob<6x5xf32>
  %y = job.pad %x {low = array<i64: 1, 0>, high = array<i64: 2, 0>, interior = array<i64: 0, 0>, value = 2.0 : f64} : !job.blob<6x5xf32>
  job.return %y : !job.blob<9x5xf32>
}

job.func @train_pad_rows_f32() -> (!job.blob<9x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-6x5xf32" : !job.blob<6x5xf32>
  %y = job.pad %x {low = array<i64: 1, 0>, high = array<i64: 2, 0>, interior = array<i64: 0, 0>, value = 2.0 : f64} : !job.blob<6x5xf32>
  %weight = job.read @"weight-9x5xf32" : !job.blob<9x5xf32>
  %loss = job.mul %y, %weight : !job.blob<9x5xf32>
  job.loss %loss : !job.blob<9x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<9x5xf32>
}

// K = 0
job.func @pad_wide_rows_f32() -> (!job.blob<14x20xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-6x20xf32" : !job.blob<6x20xf32>
  %y = job.pad %x {low = array<i64: 1, 0>, high = array<i64: 2, 0>, interior = array<i64: 1, 0>, value = 2.0 : f64} : !job.blob<6x20xf32>
  job.return %y : !job.blob<14x20xf32>
}

job.func @train_pad_wide_rows_f32() -> (!job.blob<14x20xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-6x20xf32" : !job.blob<6x20xf32>
  %y = job.pad %x {low = array<i64: 1, 0>, high = array<i64: 2, 0>, interior = array<i64: 1, 0>, value = 2.0 : f64} : !job.blob<6x20xf32>
  %weight = job.read @"weight-14x20xf32" : !job.blob<14x20xf32>
  %loss = job.mul %y, %weight : !job.blob<14x20xf32>
  job.loss %loss : !job.blob<14x20xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<14x20xf32>
}

// K = 0
job.func @pad_spatial_f32() -> (!job.blob<2x3x7x8xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-2x3x4x5xf32" : !job.blob<2x3x4x5xf32>
  %y = job.pad %x {low = array<i64: 0, 0, 1, 2>, high = array<i64: 0, 0, 2, 1>, interior = array<i64: 0, 0, 0, 0>, value = 0.0 : f64} : !job.blob<2x3x4x5xf32>
  job.return %y : !job.blob<2x3x7x8xf32>
}

job.func @train_pad_spatial_f32() -> (!job.blob<2x3x7x8xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-2x3x4x5xf32" : !job.blob<2x3x4x5xf32>
  %y = job.pad %x {low = array<i64: 0, 0, 1, 2>, high = array<i64: 0, 0, 2, 1>, interior = array<i64: 0, 0, 0, 0>, value = 0.0 : f64} : !job.blob<2x3x4x5xf32>
  %weight = job.read @"weight-2x3x7x8xf32" : !job.blob<2x3x7x8xf32>
  %loss = job.mul %y, %weight : !job.blob<2x3x7x8xf32>
  job.loss %loss : !job.blob<2x3x7x8xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x3x7x8xf32>
}

// K = 0
job.func @pad_everywhere_f32() -> (!job.blob<4x8x6x13xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-2x3x4x5xf32" : !job.blob<2x3x4x5xf32>
  %y = job.pad %x {low = array<i64: 1, 0, 2, 1>, high = array<i64: 0, 1, 0, 3>, interior = array<i64: 1, 2, 0, 1>, value = 0.1 : f64} : !job.blob<2x3x4x5xf32>
  job.return %y : !job.blob<4x8x6x13xf32>
}

job.func @train_pad_everywhere_f32() -> (!job.blob<4x8x6x13xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-2x3x4x5xf32" : !job.blob<2x3x4x5xf32>
  %y = job.pad %x {low = array<i64: 1, 0, 2, 1>, high = array<i64: 0, 1, 0, 3>, interior = array<i64: 1, 2, 0, 1>, value = 0.1 : f64} : !job.blob<2x3x4x5xf32>
  %weight = job.read @"weight-4x8x6x13xf32" : !job.blob<4x8x6x13xf32>
  %loss = job.mul %y, %weight : !job.blob<4x8x6x13xf32>
  job.loss %loss : !job.blob<4x8x6x13xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x8x6x13xf32>
}

// K = 0
job.func @pad_batch_f32() -> (!job.blob<6x1x3x6xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-2x1x3x6xf32" : !job.blob<2x1x3x6xf32>
  %y = job.pad %x {low = array<i64: 1, 0, 0, 0>, high = array<i64: 1, 0, 0, 0>, interior = array<i64: 2, 0, 0, 0>, value = 0.0 : f64} : !job.blob<2x1x3x6xf32>
  job.return %y : !job.blob<6x1x3x6xf32>
}

job.func @train_pad_batch_f32() -> (!job.blob<6x1x3x6xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-2x1x3x6xf32" : !job.blob<2x1x3x6xf32>
  %y = job.pad %x {low = array<i64: 1, 0, 0, 0>, high = array<i64: 1, 0, 0, 0>, interior = array<i64: 2, 0, 0, 0>, value = 0.0 : f64} : !job.blob<2x1x3x6xf32>
  %weight = job.read @"weight-6x1x3x6xf32" : !job.blob<6x1x3x6xf32>
  %loss = job.mul %y, %weight : !job.blob<6x1x3x6xf32>
  job.loss %loss : !job.blob<6x1x3x6xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<6x1x3x6xf32>
}

// K = 0
job.func @pad_outer_unit_f32() -> (!job.blob<5x12x2xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-5x3x2xf32" : !job.blob<5x3x2xf32>
  %y = job.pad %x {low = array<i64: 0, 1, 0>, high = array<i64: 0, 2, 0>, interior = array<i64: 0, 3, 0>, value = 0.25 : f64} : !job.blob<5x3x2xf32>
  job.return %y : !job.blob<5x12x2xf32>
}

job.func @train_pad_outer_unit_f32() -> (!job.blob<5x12x2xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-5x3x2xf32" : !job.blob<5x3x2xf32>
  %y = job.pad %x {low = array<i64: 0, 1, 0>, high = array<i64: 0, 2, 0>, interior = array<i64: 0, 3, 0>, value = 0.25 : f64} : !job.blob<5x3x2xf32>
  %weight = job.read @"weight-5x12x2xf32" : !job.blob<5x12x2xf32>
  %loss = job.mul %y, %weight : !job.blob<5x12x2xf32>
  job.loss %loss : !job.blob<5x12x2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<5x12x2xf32>
}

// K = 0
job.func @pad_nothing_f32() -> (!job.blob<4x5xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.pad %x {low = array<i64: 0, 0>, high = array<i64: 0, 0>, interior = array<i64: 0, 0>, value = 1.0 : f64} : !job.blob<4x5xf32>
  job.return %y : !job.blob<4x5xf32>
}

job.func @train_pad_nothing_f32() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.pad %x {low = array<i64: 0, 0>, high = array<i64: 0, 0>, interior = array<i64: 0, 0>, value = 1.0 : f64} : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

// K = 0
job.func @pad_columns_f64() -> (!job.blob<6x12xf64> {job.name = "y"}) kind predict {
  %x = job.read @"x-6x5xf64" : !job.blob<6x5xf64>
  %y = job.pad %x {low = array<i64: 0, 1>, high = array<i64: 0, 2>, interior = array<i64: 0, 1>, value = 0.1 : f64} : !job.blob<6x5xf64>
  job.return %y : !job.blob<6x12xf64>
}

job.func @train_pad_columns_f64() -> (!job.blob<6x12xf64> {job.name = "loss"}) kind train {
  %x = job.read @"x-6x5xf64" : !job.blob<6x5xf64>
  %y = job.pad %x {low = array<i64: 0, 1>, high = array<i64: 0, 2>, interior = array<i64: 0, 1>, value = 0.1 : f64} : !job.blob<6x5xf64>
  %weight = job.read @"weight-6x12xf64" : !job.blob<6x12xf64>
  %loss = job.mul %y, %weight : !job.blob<6x12xf64>
  job.loss %loss : !job.blob<6x12xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<6x12xf64>
}

// K = 0
job.func @pad_long_f32() -> (!job.blob<14111xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-10007xf32" : !job.blob<10007xf32>
  %y = job.pad %x {low = array<i64: 4099>, high = array<i64: 5>, interior = array<i64: 0>, value = 3.0 : f64} : !job.blob<10007xf32>
  job.return %y : !job.blob<14111xf32>
}

// K = 0
job.func @pad_long_interior_f32() -> (!job.blob<39118xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-10007xf32" : !job.blob<10007xf32>
  %y = job.pad %x {low = array<i64: 4099>, high = array<i64: 5000>, interior = array<i64: 2>, value = 3.0 : f64} : !job.blob<10007xf32>
  job.return %y : !job.blob<39118xf32>
}

// K = 0
job.func @pad_long_rows_f32() -> (!job.blob<137x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-67x131xf32" : !job.blob<67x131xf32>
  %y = job.pad %x {low = array<i64: 3, 0>, high = array<i64: 1, 0>, interior = array<i64: 1, 0>, value = 3.0 : f64} : !job.blob<67x131xf32>
  job.return %y : !job.blob<137x131xf32>
}

// K = 0
job.func @concat_vectors_f32() -> (!job.blob<9xf32> {job.name = "y"}) kind predict {
  %a = job.read @"a-5xf32" : !job.blob<5xf32>
  %b = job.read @"b-1xf32" : !job.blob<1xf32>
  %c = job.read @"c-3xf32" : !job.blob<3xf32>
  %y = job.concat %a, %b, %c {axis = 0 : i64} : !job.blob<5xf32>, !job.blob<1xf32>, !job.blob<3xf32>
  job.return %y : !job.blob<9xf32>
}

job.func @train_concat_vectors_f32() -> (!job.blob<9xf32> {job.name = "loss"}) kind train {
  %a = job.read @"a-5xf32" : !job.blob<5xf32>
  %b = job.read @"b-1xf32" : !job.blob<1xf32>
  %c = job.read @"c-3xf32" : !job.blob<3xf32>
  %y = job.concat %a, %b, %c {axis = 0 : i64} : !job.blob<5xf32>, !job.blob<1xf32>, !job.blob<3xf32>
  %weight = job.read @"weight-9xf32" : !job.blob<9xf32>
  %loss = job.mul %y, %weight : !job.blob<9xf32>
  job.loss %loss : !job.blob<9xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<9xf32>
}

// K = 0
job.func @concat_rows_f32() -> (!job.blob<7x5xf32> {job.name = "y"}) kind predict {
  %a = job.read @"a-4x5xf32" : !job.blob<4x5xf32>
  %b = job.read @"b-1x5xf32" : !job.blob<1x5xf32>
  %c = job.read @"c-2x5xf32" : !job.blob<2x5xf32>
  %y = job.concat %a, %b, %c {axis = 0 : i64} : !job.blob<4x5xf32>, !job.blob<1x5xf32>, !job.blob<2x5xf32>
  job.return %y : !job.blob<7x5xf32>
}

job.func @train_concat_rows_f32() -> (!job.blob<7x5xf32> {job.name = "loss"}) kind train {
  %a = job.read @"a-4x5xf32" : !job.blob<4x5xf32>
  %b = job.read @"b-1x5xf32" : !job.blob<1x5xf32>
  %c = job.read @"c-2x5xf32" : !job.blob<2x5xf32>
  %y = job.concat %a, %b, %c {axis = 0 : i64} : !job.blob<4x5xf32>, !job.blob<1x5xf32>, !job.blob<2x5xf32>
  %weight = job.read @"weight-7x5xf32" : !job.blob<7x5xf32>
  %loss = job.mul %y, %weight : !job.blob<7x5xf32>
  job.loss %loss : !job.blob<7x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<7x5xf32>
}

// K = 0
job.func @concat_columns_f32() -> (!job.blob<4x13xf32> {job.name = "y"}) kind predict {
  %a = job.read @"a-4x5xf32" : !job.blob<4x5xf32>
  %b = job.read @"b-4x1xf32" : !job.blob<4x1xf32>
  %c = job.read @"c-4x7xf32" : !job.blob<4x7xf32>
  %y = job.concat %a, %b, %c {axis = 1 : i64} : !job.blob<4x5xf32>, !job.blob<4x1xf32>, !job.blob<4x7xf32>
  job.return %y : !job.blob<4x13xf32>
}

job.func @train_concat_columns_f32() -> (!job.blob<4x13xf32> {job.name = "loss"}) kind train {
  %a = job.read @"a-4x5xf32" : !job.blob<4x5xf32>
  %b = job.read @"b-4x1xf32" : !job.blob<4x1xf32>
  %c = job.read @"c-4x7xf32" : !job.blob<4x7xf32>
  %y = job.concat %a, %b, %c {axis = 1 : i64} : !job.blob<4x5xf32>, !job.blob<4x1xf32>, !job.blob<4x7xf32>
  %weight = job.read @"weight-4x13xf32" : !job.blob<4x13xf32>
  %loss = job.mul %y, %weight : !job.blob<4x13xf32>
  job.loss %loss : !job.blob<4x13xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x13xf32>
}

// K = 0
job.func @concat_middle_f32() -> (!job.blob<2x4x4xf32> {job.name = "y"}) kind predict {
  %a = job.read @"a-2x3x4xf32" : !job.blob<2x3x4xf32>
  %b = job.read @"b-2x1x4xf32" : !job.blob<2x1x4xf32>
  %y = job.concat %a, %b {axis = 1 : i64} : !job.blob<2x3x4xf32>, !job.blob<2x1x4xf32>
  job.return %y : !job.blob<2x4x4xf32>
}

job.func @train_concat_middle_f32() -> (!job.blob<2x4x4xf32> {job.name = "loss"}) kind train {
  %a = job.read @"a-2x3x4xf32" : !job.blob<2x3x4xf32>
  %b = job.read @"b-2x1x4xf32" : !job.blob<2x1x4xf32>
  %y = job.concat %a, %b {axis = 1 : i64} : !job.blob<2x3x4xf32>, !job.blob<2x1x4xf32>
  %weight = job.read @"weight-2x4x4xf32" : !job.blob<2x4x4xf32>
  %loss = job.mul %y, %weight : !job.blob<2x4x4xf32>
  job.loss %loss : !job.blob<2x4x4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x4x4xf32>
}

// K = 0
job.func @concat_channels_f32() -> (!job.blob<2x6x4x5xf32> {job.name = "y"}) kind predict {
  %a = job.read @"a-2x3x4x5xf32" : !job.blob<2x3x4x5xf32>
  %b = job.read @"b-2x2x4x5xf32" : !job.blob<2x2x4x5xf32>
  %c = job.read @"c-2x1x4x5xf32" : !job.blob<2x1x4x5xf32>
  %y = job.concat %a, %b, %c {axis = 1 : i64} : !job.blob<2x3x4x5xf32>, !job.blob<2x2x4x5xf32>, !job.blob<2x1x4x5xf32>
  job.return %y : !job.blob<2x6x4x5xf32>
}

job.func @train_concat_channels_f32() -> (!job.blob<2x6x4x5xf32> {job.name = "loss"}) kind train {
  %a = job.read @"a-2x3x4x5xf32" : !job.blob<2x3x4x5xf32>
  %b = job.read @"b-2x2x4x5xf32" : !job.blob<2x2x4x5xf32>
  %c = job.read @"c-2x1x4x5xf32" : !job.blob<2x1x4x5xf32>
  %y = job.concat %a, %b, %c {axis = 1 : i64} : !job.blob<2x3x4x5xf32>, !job.blob<2x2x4x5xf32>, !job.blob<2x1x4x5xf32>
  %weight = job.read @"weight-2x6x4x5xf32" : !job.blob<2x6x4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<2x6x4x5xf32>
  job.loss %loss : !job.blob<2x6x4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x6x4x5xf32>
}

// K = 0
job.func @concat_one_f32() -> (!job.blob<4x5xf32> {job.name = "y"}) kind predict {
  %a = job.read @"a-4x5xf32" : !job.blob<4x5xf32>
  %y = job.concat %a {axis = 1 : i64} : !job.blob<4x5xf32>
  job.return %y : !job.blob<4x5xf32>
}

job.func @train_concat_one_f32() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %a = job.read @"a-4x5xf32" : !job.blob<4x5xf32>
  %y = job.concat %a {axis = 1 : i64} : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

// K = 0
job.func @concat_columns_f64() -> (!job.blob<4x8xf64> {job.name = "y"}) kind predict {
  %a = job.read @"a-4x5xf64" : !job.blob<4x5xf64>
  %b = job.read @"b-4x3xf64" : !job.blob<4x3xf64>
  %y = job.concat %a, %b {axis = 1 : i64} : !job.blob<4x5xf64>, !job.blob<4x3xf64>
  job.return %y : !job.blob<4x8xf64>
}

job.func @train_concat_columns_f64() -> (!job.blob<4x8xf64> {job.name = "loss"}) kind train {
  %a = job.read @"a-4x5xf64" : !job.blob<4x5xf64>
  %b = job.read @"b-4x3xf64" : !job.blob<4x3xf64>
  %y = job.concat %a, %b {axis = 1 : i64} : !job.blob<4x5xf64>, !job.blob<4x3xf64>
  %weight = job.read @"weight-4x8xf64" : !job.blob<4x8xf64>
  %loss = job.mul %y, %weight : !job.blob<4x8xf64>
  job.loss %loss : !job.blob<4x8xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x8xf64>
}

// K = 0
job.func @concat_long_f32() -> (!job.blob<16103xf32> {job.name = "y"}) kind predict {
  %a = job.read @"a-5003xf32" : !job.blob<5003xf32>
  %b = job.read @"b-4099xf32" : !job.blob<4099xf32>
  %c = job.read @"c-7001xf32" : !job.blob<7001xf32>
  %y = job.concat %a, %b, %c {axis = 0 : i64} : !job.blob<5003xf32>, !job.blob<4099xf32>, !job.blob<7001xf32>
  job.return %y : !job.blob<16103xf32>
}

// K = 0
job.func @concat_long_rows_f32() -> (!job.blob<3x9103xf32> {job.name = "y"}) kind predict {
  %a = job.read @"a-3x5003xf32" : !job.blob<3x5003xf32>
  %b = job.read @"b-3x1xf32" : !job.blob<3x1xf32>
  %c = job.read @"c-3x4099xf32" : !job.blob<3x4099xf32>
  %y = job.concat %a, %b, %c {axis = 1 : i64} : !job.blob<3x5003xf32>, !job.blob<3x1xf32>, !job.blob<3x4099xf32>
  job.return %y : !job.blob<3x9103xf32>
}

job.func @integers_i1() -> (!job.blob<2x3xi1> {job.name = "t"}, !job.blob<2x1xi1> {job.name = "s"}, !job.blob<6x2xi1> {job.name = "c"}) kind predict {
  %x = job.constant dense<[[true, false], [false, false], [true, true]]> : tensor<3x2xi1>
  %t = job.transpose %x {permutation = array<i64: 1, 0>} : !job.blob<3x2xi1>
  %s = job.slice %x {offsets = array<i64: 0, 1>, sizes = array<i64: 2, 1>, strides = array<i64: 2, 1>} : !job.blob<3x2xi1>
  %c = job.concat %x, %x {axis = 0 : i64} : !job.blob<3x2xi1>, !job.blob<3x2xi1>
  job.return %t, %s, %c : !job.blob<2x3xi1>, !job.blob<2x1xi1>, !job.blob<6x2xi1>
}

job.func @integers_i8() -> (!job.blob<2x3xi8> {job.name = "t"}, !job.blob<2x1xi8> {job.name = "s"}, !job.blob<6x2xi8> {job.name = "c"}, !job.blob<4x4xi8> {job.name = "p"}) kind predict {
  %x = job.constant dense<[[-1, 2], [3, -128], [5, 127]]> : tensor<3x2xi8>
  %t = job.transpose %x {permutation = array<i64: 1, 0>} : !job.blob<3x2xi8>
  %s = job.slice %x {offsets = array<i64: 0, 1>, sizes = array<i64: 2, 1>, strides = array<i64: 2, 1>} : !job.blob<3x2xi8>
  %c = job.concat %x, %x {axis = 0 : i64} : !job.blob<3x2xi8>, !job.blob<3x2xi8>
  %p = job.pad %x {low = array<i64: 1, 0>, high = array<i64: 0, 1>, interior = array<i64: 0, 1>, value = 2.5 : f64} : !job.blob<3x2xi8>
  job.return %t, %s, %c, %p : !job.blob<2x3xi8>, !job.blob<2x1xi8>, !job.blob<6x2xi8>, !job.blob<4x4xi8>
}

job.func @integers_i32() -> (!job.blob<2x3xi32> {job.name = "t"}, !job.blob<2x1xi32> {job.name = "s"}, !job.blob<6x2xi32> {job.name = "c"}, !job.blob<4x4xi32> {job.name = "p"}) kind predict {
  %x = job.constant dense<[[-1, 2], [3, -4], [5, 6]]> : tensor<3x2xi32>
  %t = job.transpose %x {permutation = array<i64: 1, 0>} : !job.blob<3x2xi32>
  %s = job.slice %x {offsets = array<i64: 0, 1>, sizes = array<i64: 2, 1>, strides = array<i64: 2, 1>} : !job.blob<3x2xi32>
  %c = job.concat %x, %x {axis = 0 : i64} : !job.blob<3x2xi32>, !job.blob<3x2xi32>
  %p = job.pad %x {low = array<i64: 1, 0>, high = array<i64: 0, 1>, interior = array<i64: 0, 1>, value = 2.5 : f64} : !job.blob<3x2xi32>
  job.return %t, %s, %c, %p : !job.blob<2x3xi32>, !job.blob<2x1xi32>, !job.blob<6x2xi32>, !job.blob<4x4xi32>
}

job.func @integers_i64() -> (!job.blob<2x3xi64> {job.name = "t"}, !job.blob<2x1xi64> {job.name = "s"}, !job.blob<6x2xi64> {job.name = "c"}, !job.blob<4x4xi64> {job.name = "p"}) kind predict {
  %x = job.constant dense<[[-1, 2], [3, -4], [5, 6]]> : tensor<3x2xi64>
  %t = job.transpose %x {permutation = array<i64: 1, 0>} : !job.blob<3x2xi64>
  %s = job.slice %x {offsets = array<i64: 0, 1>, sizes = array<i64: 2, 1>, strides = array<i64: 2, 1>} : !job.blob<3x2xi64>
  %c = job.concat %x, %x {axis = 0 : i64} : !job.blob<3x2xi64>, !job.blob<3x2xi64>
  %p = job.pad %x {low = array<i64: 1, 0>, high = array<i64: 0, 1>, interior = array<i64: 0, 1>, value = 2.5 : f64} : !job.blob<3x2xi64>
  job.return %t, %s, %c, %p : !job.blob<2x3xi64>, !job.blob<2x1xi64>, !job.blob<6x2xi64>, !job.blob<4x4xi64>
}

job.func @iota_f32() -> (!job.blob<300xf32> {job.name = "vector"}, !job.blob<5x7xf32> {job.name = "rows"}, !job.blob<5x7xf32> {job.name = "columns"}, !job.blob<3x4x5x2xf32> {job.name = "middle"}, !job.blob<1xf32> {job.name = "one"}, !job.blob<4x1x3xf32> {job.name = "unit"}) kind predict {
  %vector = job.iota {axis = 0 : i64} : !job.blob<300xf32>
  %rows = job.iota {axis = 0 : i64} : !job.blob<5x7xf32>
  %columns = job.iota {axis = 1 : i64} : !job.blob<5x7xf32>
  %middle = job.iota {axis = 1 : i64} : !job.blob<3x4x5x2xf32>
  %one = job.iota {axis = 0 : i64} : !job.blob<1xf32>
  %unit = job.iota {axis = 1 : i64} : !job.blob<4x1x3xf32>
  job.return %vector, %rows, %columns, %middle, %one, %unit : !job.blob<300xf32>, !job.blob<5x7xf32>, !job.blob<5x7xf32>, !job.blob<3x4x5x2xf32>, !job.blob<1xf32>, !job.blob<4x1x3xf32>
}

job.func @iota_f64() -> (!job.blob<300xf64> {job.name = "vector"}, !job.blob<5x7xf64> {job.name = "rows"}, !job.blob<5x7xf64> {job.name = "columns"}, !job.blob<3x4x5x2xf64> {job.name = "middle"}, !job.blob<1xf64> {job.name = "one"}, !job.blob<4x1x3xf64> {job.name = "unit"}) kind predict {
  %vector = job.iota {axis = 0 : i64} : !job.blob<300xf64>
  %rows = job.iota {axis = 0 : i64} : !job.blob<5x7xf64>
  %columns = job.iota {axis = 1 : i64} : !job.blob<5x7xf64>
  %middle = job.iota {axis = 1 : i64} : !job.blob<3x4x5x2xf64>
  %one = job.iota {axis = 0 : i64} : !job.blob<1xf64>
  %unit = job.iota {axis = 1 : i64} : !job.blob<4x1x3xf64>
  job.return %vector, %rows, %columns, %middle, %one, %unit : !job.blob<300xf64>, !job.blob<5x7xf64>, !job.blob<5x7xf64>, !job.blob<3x4x5x2xf64>, !job.blob<1xf64>, !job.blob<4x1x3xf64>
}

job.func @iota_i8() -> (!job.blob<300xi8> {job.name = "vector"}, !job.blob<5x7xi8> {job.name = "rows"}, !job.blob<5x7xi8> {job.name = "columns"}, !job.blob<3x4x5x2xi8> {job.name = "middle"}, !job.blob<1xi8> {job.name = "one"}, !job.blob<4x1x3xi8> {job.name = "unit"}) kind predict {
  %vector = job.iota {axis = 0 : i64} : !job.blob<300xi8>
  %rows = job.iota {axis = 0 : i64} : !job.blob<5x7xi8>
  %columns = job.iota {axis = 1 : i64} : !job.blob<5x7xi8>
  %middle = job.iota {axis = 1 : i64} : !job.blob<3x4x5x2xi8>
  %one = job.iota {axis = 0 : i64} : !job.blob<1xi8>
  %unit = job.iota {axis = 1 : i64} : !job.blob<4x1x3xi8>
  job.return %vector, %rows, %columns, %middle, %one, %unit : !job.blob<300xi8>, !job.blob<5x7xi8>, !job.blob<5x7xi8>, !job.blob<3x4x5x2xi8>, !job.blob<1xi8>, !job.blob<4x1x3xi8>
}

job.func @iota_i32() -> (!job.blob<300xi32> {job.name = "vector"}, !job.blob<5x7xi32> {job.name = "rows"}, !job.blob<5x7xi32> {job.name = "columns"}, !job.blob<3x4x5x2xi32> {job.name = "middle"}, !job.blob<1xi32> {job.name = "one"}, !job.blob<4x1x3xi32> {job.name = "unit"}) kind predict {
  %vector = job.iota {axis = 0 : i64} : !job.blob<300xi32>
  %rows = job.iota {axis = 0 : i64} : !job.blob<5x7xi32>
  %columns = job.iota {axis = 1 : i64} : !job.blob<5x7xi32>
  %middle = job.iota {axis = 1 : i64} : !job.blob<3x4x5x2xi32>
  %one = job.iota {axis = 0 : i64} : !job.blob<1xi32>
  %unit = job.iota {axis = 1 : i64} : !job.blob<4x1x3xi32>
  job.return %vector, %rows, %columns, %middle, %one, %unit : !job.blob<300xi32>, !job.blob<5x7xi32>, !job.blob<5x7xi32>, !job.blob<3x4x5x2xi32>, !job.blob<1xi32>, !job.blob<4x1x3xi32>
}

job.func @iota_i64() -> (!job.blob<300xi64> {job.name = "vector"}, !job.blob<5x7xi64> {job.name = "rows"}, !job.blob<5x7xi64> {job.name = "columns"}, !job.blob<3x4x5x2xi64> {job.name = "middle"}, !job.blob<1xi64> {job.name = "one"}, !job.blob<4x1x3xi64> {job.name = "unit"}) kind predict {
  %vector = job.iota {axis = 0 : i64} : !job.blob<300xi64>
  %rows = job.iota {axis = 0 : i64} : !job.blob<5x7xi64>
  %columns = job.iota {axis = 1 : i64} : !job.blob<5x7xi64>
  %middle = job.iota {axis = 1 : i64} : !job.blob<3x4x5x2xi64>
  %one = job.iota {axis = 0 : i64} : !job.blob<1xi64>
  %unit = job.iota {axis = 1 : i64} : !job.blob<4x1x3xi64>
  job.return %vector, %rows, %columns, %middle, %one, %unit : !job.blob<300xi64>, !job.blob<5x7xi64>, !job.blob<5x7xi64>, !job.blob<3x4x5x2xi64>, !job.blob<1xi64>, !job.blob<4x1x3xi64>
}

job.func @iota_in_kernel() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-67x131xf32" : !job.blob<67x131xf32>
  %0 = job.iota {axis = 1 : i64} : !job.blob<67x131xf32>
  %y = job.mul %x, %0 : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

// K = 30
// A transpose inside of a fused kernel and of its gradients.
job.func @train_transpose_in_kernel() -> (!job.blob<40xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-40x30xf32" : !job.blob<40x30xf32>
  %0 = job.read @"y-30x40xf32" : !job.blob<30x40xf32>
  %1 = job.transpose %0 {permutation = array<i64: 1, 0>} : !job.blob<30x40xf32>
  %2 = job.mul %x, %1 : !job.blob<40x30xf32>
  %3 = job.reduce_sum %2 {axes = array<i64: 1>} : !job.blob<40x30xf32>
  %weight = job.read @"weight-40xf32" : !job.blob<40xf32>
  %loss = job.mul %3, %weight : !job.blob<40xf32>
  job.loss %loss : !job.blob<40xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<40xf32>
}

// Two parts of one blob, whose gradients are added.
job.func @train_slices_in_kernel() -> (!job.blob<39x15xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-40x30xf32" : !job.blob<40x30xf32>
  %0 = job.slice %x {offsets = array<i64: 0, 0>, sizes = array<i64: 39, 15>, strides = array<i64: 1, 2>} : !job.blob<40x30xf32>
  %1 = job.slice %x {offsets = array<i64: 1, 1>, sizes = array<i64: 39, 15>, strides = array<i64: 1, 2>} : !job.blob<40x30xf32>
  %2 = job.mul %0, %1 : !job.blob<39x15xf32>
  %weight = job.read @"weight-39x15xf32" : !job.blob<39x15xf32>
  %loss = job.mul %2, %weight : !job.blob<39x15xf32>
  job.loss %loss : !job.blob<39x15xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<39x15xf32>
}

// K = 0
job.func @transpose_blocks_f32() -> (!job.blob<3x130x50xf32> {job.name = "y"}, !job.blob<3x130x50xf32> {job.name = "z"}) kind predict {
  %x = job.read @"x-3x50x130xf32" : !job.blob<3x50x130xf32>
  %y = job.transpose %x {permutation = array<i64: 0, 2, 1>} : !job.blob<3x50x130xf32>
  %z = job.neg %y : !job.blob<3x130x50xf32>
  job.return %y, %z : !job.blob<3x130x50xf32>, !job.blob<3x130x50xf32>
}

// K = 0
job.func @transpose_blocks_f64() -> (!job.blob<170x300xf64> {job.name = "y"}, !job.blob<170x300xf64> {job.name = "z"}) kind predict {
  %x = job.read @"x-300x170xf64" : !job.blob<300x170xf64>
  %y = job.transpose %x {permutation = array<i64: 1, 0>} : !job.blob<300x170xf64>
  %z = job.neg %y : !job.blob<170x300xf64>
  job.return %y, %z : !job.blob<170x300xf64>, !job.blob<170x300xf64>
}

// Elements of a byte.
// K = 0
job.func @transpose_blocks_bytes() -> (!job.blob<70x40xi8> {job.name = "y"}, !job.blob<70x40xi1> {job.name = "z"}) kind predict {
  %i = job.iota {axis = 0 : i64} : !job.blob<40x70xf32>
  %j = job.iota {axis = 1 : i64} : !job.blob<40x70xf32>
  %b = job.compare lt %i, %j : !job.blob<40x70xf32>
  %n = job.cast %i : !job.blob<40x70xf32> to !job.blob<40x70xi8>
  %y = job.transpose %n {permutation = array<i64: 1, 0>} : !job.blob<40x70xi8>
  %z = job.transpose %b {permutation = array<i64: 1, 0>} : !job.blob<40x70xi1>
  job.return %y, %z : !job.blob<70x40xi8>, !job.blob<70x40xi1>
}

// A comparison is computed where it is used, but not for users that need it at
// other indices.
// K = 0
job.func @mask_and_transpose() -> (!job.blob<37x37xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-37x37xf32" : !job.blob<37x37xf32>
  %0 = job.constant dense<0.125> : tensor<37x37xf32>
  %mask = job.compare lt %x, %0 : !job.blob<37x37xf32>
  %turned = job.transpose %mask {permutation = array<i64: 1, 0>} : !job.blob<37x37xi1>
  %1 = job.select %mask, %x, %0 : !job.blob<37x37xi1>, !job.blob<37x37xf32>
  %y = job.select %turned, %1, %x : !job.blob<37x37xi1>, !job.blob<37x37xf32>
  job.return %y : !job.blob<37x37xf32>
}

// With uses on both sides of a product, and as a result.
// K = 37
job.func @mask_and_transpose_around_product() -> (!job.blob<37x37xf32> {job.name = "y"}, !job.blob<37x37xi1> {job.name = "mask"}) kind predict {
  %x = job.read @"x-37x37xf32" : !job.blob<37x37xf32>
  %0 = job.constant dense<0.125> : tensor<37x37xf32>
  %mask = job.compare lt %x, %0 : !job.blob<37x37xf32>
  %turned = job.transpose %mask {permutation = array<i64: 1, 0>} : !job.blob<37x37xi1>
  %1 = job.select %mask, %x, %0 : !job.blob<37x37xi1>, !job.blob<37x37xf32>
  %2 = job.select %turned, %1, %x : !job.blob<37x37xi1>, !job.blob<37x37xf32>
  %3 = job.matmul %2, %x : !job.blob<37x37xf32>, !job.blob<37x37xf32>
  %4 = job.select %turned, %3, %0 : !job.blob<37x37xi1>, !job.blob<37x37xf32>
  %y = job.select %mask, %4, %x : !job.blob<37x37xi1>, !job.blob<37x37xf32>
  job.return %y, %mask : !job.blob<37x37xf32>, !job.blob<37x37xi1>
}

// Both are reduced.
// K = 7
job.func @mask_and_transpose_reduced() -> (!job.blob<3x7xf32> {job.name = "sums"}, !job.blob<3x7xf32> {job.name = "turned_sums"}) kind predict {
  %x = job.read @"x-3x7x7xf32" : !job.blob<3x7x7xf32>
  %0 = job.constant dense<0.125> : tensor<3x7x7xf32>
  %mask = job.compare lt %x, %0 : !job.blob<3x7x7xf32>
  %turned = job.transpose %mask {permutation = array<i64: 0, 2, 1>} : !job.blob<3x7x7xi1>
  %1 = job.select %mask, %x, %0 : !job.blob<3x7x7xi1>, !job.blob<3x7x7xf32>
  %2 = job.select %turned, %x, %0 : !job.blob<3x7x7xi1>, !job.blob<3x7x7xf32>
  %sums = job.reduce_sum %1 {axes = array<i64: 2>} : !job.blob<3x7x7xf32>
  %turned_sums = job.reduce_sum %2 {axes = array<i64: 2>} : !job.blob<3x7x7xf32>
  job.return %sums, %turned_sums : !job.blob<3x7xf32>, !job.blob<3x7xf32>
}

// A comparison of rows, with and without a broadcast along them.
// K = 0
job.func @mask_of_rows() -> (!job.blob<3x7x7xf32> {job.name = "y"}, !job.blob<3x7xf32> {job.name = "rows"}) kind predict {
  %x = job.read @"x-3x7x7xf32" : !job.blob<3x7x7xf32>
  %max = job.reduce_max %x {axes = array<i64: 2>} : !job.blob<3x7x7xf32>
  %0 = job.constant dense<0.75> : tensor<3x7xf32>
  %mask = job.compare lt %max, %0 : !job.blob<3x7xf32>
  %rows = job.select %mask, %max, %0 : !job.blob<3x7xi1>, !job.blob<3x7xf32>
  %1 = job.broadcast_in_dim %mask {dims = array<i64: 0, 1>} : !job.blob<3x7xi1> to !job.blob<3x7x7xi1>
  %2 = job.broadcast_in_dim %mask {dims = array<i64: 0, 2>} : !job.blob<3x7xi1> to !job.blob<3x7x7xi1>
  %3 = job.broadcast_in_dim %rows {dims = array<i64: 0, 1>} : !job.blob<3x7xf32> to !job.blob<3x7x7xf32>
  %4 = job.select %1, %x, %3 : !job.blob<3x7x7xi1>, !job.blob<3x7x7xf32>
  %y = job.select %2, %4, %x : !job.blob<3x7x7xi1>, !job.blob<3x7x7xf32>
  job.return %y, %rows : !job.blob<3x7x7xf32>, !job.blob<3x7xf32>
}
