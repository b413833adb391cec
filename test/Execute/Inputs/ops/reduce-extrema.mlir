// Table of ops: products, extrema and their places. A prediction job for each op
// and variant, and a training job where the op has gradients: its operands are
// variables, so that the gradients show, with first values away from kinks and
// poles.

job.variable @"factor-4x5xf32" : !job.blob<4x5xf32> init #job.random_uniform_init<min = -1.5, max = 1.5>
job.variable @"weight-5xf32" : !job.blob<5xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-4xf32" : !job.blob<4xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-1xf32" : !job.blob<1xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-1x1xf32" : !job.blob<1x1xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"factor-3x4x5xf32" : !job.blob<3x4x5xf32> init #job.random_uniform_init<min = -1.5, max = 1.5>
job.variable @"weight-3x5xf32" : !job.blob<3x5xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-3x1x5xf32" : !job.blob<3x1x5xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"factor-4x3x5x6xf32" : !job.blob<4x3x5x6xf32> init #job.random_uniform_init<min = -1.5, max = 1.5>
job.variable @"weight-3xf32" : !job.blob<3xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"factor-1xf32" : !job.blob<1xf32> init #job.random_uniform_init<min = -1.5, max = 1.5>
job.variable @"factor-1x7x1xf32" : !job.blob<1x7x1xf32> init #job.random_uniform_init<min = -1.5, max = 1.5>
job.variable @"factor-7x5xf64" : !job.blob<7x5xf64> init #job.random_uniform_init<min = -1.5, max = 1.5>
job.variable @"weight-5xf64" : !job.blob<5xf64> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-7xf64" : !job.blob<7xf64> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"factor-37x19xf32" : !job.blob<37x19xf32> init #job.random_uniform_init<min = -1.5, max = 1.5>
job.variable @"weight-19xf32" : !job.blob<19xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"factor-19x37xf32" : !job.blob<19x37xf32> init #job.random_uniform_init<min = -1.5, max = 1.5>
job.variable @"x-4x5xf32" : !job.blob<4x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-3x4x5xf32" : !job.blob<3x4x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-4x3x5x6xf32" : !job.blob<4x3x5x6xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-1xf32" : !job.blob<1xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-1x7x1xf32" : !job.blob<1x7x1xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-7x5xf64" : !job.blob<7x5xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-37x19xf32" : !job.blob<37x19xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-19x37xf32" : !job.blob<19x37xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-1000x37xf32" : !job.blob<1000x37xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-37xf32" : !job.blob<37xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-37x1000xf32" : !job.blob<37x1000xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-200x3x70xf32" : !job.blob<200x3x70xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-40x131xf64" : !job.blob<40x131xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-131xf64" : !job.blob<131xf64> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-131x40xf64" : !job.blob<131x40xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-3x50x33xf32" : !job.blob<3x50x33xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-3x5x7x2xf32" : !job.blob<3x5x7x2xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-3x5x2x40xf32" : !job.blob<3x5x2x40xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-100xf64" : !job.blob<100xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-5x1x4xf64" : !job.blob<5x1x4xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-1000x37xf64" : !job.blob<1000x37xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-37x1000xf64" : !job.blob<37x1000xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-70x65xf32" : !job.blob<70x65xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"y-70x65xf32" : !job.blob<70x65xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-70xf32" : !job.blob<70xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-65xf32" : !job.blob<65xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}

// K = 20
job.func @reduce_prod_rows_f32() -> (!job.blob<5xf32> {job.name = "y"}) kind predict {
  %x = job.read @"factor-4x5xf32" : !job.blob<4x5xf32>
  %y = job.reduce_prod %x {axes = array<i64: 0>} : !job.blob<4x5xf32>
  job.return %y : !job.blob<5xf32>
}

// K = 20
job.func @train_reduce_prod_rows_f32() -> (!job.blob<5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"factor-4x5xf32" : !job.blob<4x5xf32>
  %y = job.reduce_prod %x {axes = array<i64: 0>} : !job.blob<4x5xf32>
  %weight = job.read @"weight-5xf32" : !job.blob<5xf32>
  %loss = job.mul %y, %weight : !job.blob<5xf32>
  job.loss %loss : !job.blob<5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<5xf32>
}

// K = 20
job.func @reduce_prod_columns_f32() -> (!job.blob<4xf32> {job.name = "y"}) kind predict {
  %x = job.read @"factor-4x5xf32" : !job.blob<4x5xf32>
  %y = job.reduce_prod %x {axes = array<i64: 1>} : !job.blob<4x5xf32>
  job.return %y : !job.blob<4xf32>
}

// K = 20
job.func @train_reduce_prod_columns_f32() -> (!job.blob<4xf32> {job.name = "loss"}) kind train {
  %x = job.read @"factor-4x5xf32" : !job.blob<4x5xf32>
  %y = job.reduce_prod %x {axes = array<i64: 1>} : !job.blob<4x5xf32>
  %weight = job.read @"weight-4xf32" : !job.blob<4xf32>
  %loss = job.mul %y, %weight : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4xf32>
}

// K = 20
job.func @reduce_prod_all_f32() -> (!job.blob<1xf32> {job.name = "y"}) kind predict {
  %x = job.read @"factor-4x5xf32" : !job.blob<4x5xf32>
  %y = job.reduce_prod %x {axes = array<i64: 0, 1>} : !job.blob<4x5xf32>
  job.return %y : !job.blob<1xf32>
}

// K = 20
job.func @train_reduce_prod_all_f32() -> (!job.blob<1xf32> {job.name = "loss"}) kind train {
  %x = job.read @"factor-4x5xf32" : !job.blob<4x5xf32>
  %y = job.reduce_prod %x {axes = array<i64: 0, 1>} : !job.blob<4x5xf32>
  %weight = job.read @"weight-1xf32" : !job.blob<1xf32>
  %loss = job.mul %y, %weight : !job.blob<1xf32>
  job.loss %loss : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1xf32>
}

// K = 20
job.func @reduce_prod_all_keepdims_f32() -> (!job.blob<1x1xf32> {job.name = "y"}) kind predict {
  %x = job.read @"factor-4x5xf32" : !job.blob<4x5xf32>
  %y = job.reduce_prod %x {axes = array<i64: 0, 1>, keepdims = true} : !job.blob<4x5xf32>
  job.return %y : !job.blob<1x1xf32>
}

// K = 20
job.func @train_reduce_prod_all_keepdims_f32() -> (!job.blob<1x1xf32> {job.name = "loss"}) kind train {
  %x = job.read @"factor-4x5xf32" : !job.blob<4x5xf32>
  %y = job.reduce_prod %x {axes = array<i64: 0, 1>, keepdims = true} : !job.blob<4x5xf32>
  %weight = job.read @"weight-1x1xf32" : !job.blob<1x1xf32>
  %loss = job.mul %y, %weight : !job.blob<1x1xf32>
  job.loss %loss : !job.blob<1x1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1x1xf32>
}

// K = 20
job.func @reduce_prod_middle_f32() -> (!job.blob<3x5xf32> {job.name = "y"}) kind predict {
  %x = job.read @"factor-3x4x5xf32" : !job.blob<3x4x5xf32>
  %y = job.reduce_prod %x {axes = array<i64: 1>} : !job.blob<3x4x5xf32>
  job.return %y : !job.blob<3x5xf32>
}

// K = 20
job.func @train_reduce_prod_middle_f32() -> (!job.blob<3x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"factor-3x4x5xf32" : !job.blob<3x4x5xf32>
  %y = job.reduce_prod %x {axes = array<i64: 1>} : !job.blob<3x4x5xf32>
  %weight = job.read @"weight-3x5xf32" : !job.blob<3x5xf32>
  %loss = job.mul %y, %weight : !job.blob<3x5xf32>
  job.loss %loss : !job.blob<3x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3x5xf32>
}

// K = 20
job.func @reduce_prod_outer_f32() -> (!job.blob<4xf32> {job.name = "y"}) kind predict {
  %x = job.read @"factor-3x4x5xf32" : !job.blob<3x4x5xf32>
  %y = job.reduce_prod %x {axes = array<i64: 0, 2>} : !job.blob<3x4x5xf32>
  job.return %y : !job.blob<4xf32>
}

// K = 20
job.func @train_reduce_prod_outer_f32() -> (!job.blob<4xf32> {job.name = "loss"}) kind train {
  %x = job.read @"factor-3x4x5xf32" : !job.blob<3x4x5xf32>
  %y = job.reduce_prod %x {axes = array<i64: 0, 2>} : !job.blob<3x4x5xf32>
  %weight = job.read @"weight-4xf32" : !job.blob<4xf32>
  %loss = job.mul %y, %weight : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4xf32>
}

// K = 20
job.func @reduce_prod_middle_keepdims_f32() -> (!job.blob<3x1x5xf32> {job.name = "y"}) kind predict {
  %x = job.read @"factor-3x4x5xf32" : !job.blob<3x4x5xf32>
  %y = job.reduce_prod %x {axes = array<i64: 1>, keepdims = true} : !job.blob<3x4x5xf32>
  job.return %y : !job.blob<3x1x5xf32>
}

// K = 20
job.func @train_reduce_prod_middle_keepdims_f32() -> (!job.blob<3x1x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"factor-3x4x5xf32" : !job.blob<3x4x5xf32>
  %y = job.reduce_prod %x {axes = array<i64: 1>, keepdims = true} : !job.blob<3x4x5xf32>
  %weight = job.read @"weight-3x1x5xf32" : !job.blob<3x1x5xf32>
  %loss = job.mul %y, %weight : !job.blob<3x1x5xf32>
  job.loss %loss : !job.blob<3x1x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3x1x5xf32>
}

// K = 20
job.func @reduce_prod_channels_f32() -> (!job.blob<3xf32> {job.name = "y"}) kind predict {
  %x = job.read @"factor-4x3x5x6xf32" : !job.blob<4x3x5x6xf32>
  %y = job.reduce_prod %x {axes = array<i64: 0, 2, 3>} : !job.blob<4x3x5x6xf32>
  job.return %y : !job.blob<3xf32>
}

// K = 20
job.func @train_reduce_prod_channels_f32() -> (!job.blob<3xf32> {job.name = "loss"}) kind train {
  %x = job.read @"factor-4x3x5x6xf32" : !job.blob<4x3x5x6xf32>
  %y = job.reduce_prod %x {axes = array<i64: 0, 2, 3>} : !job.blob<4x3x5x6xf32>
  %weight = job.read @"weight-3xf32" : !job.blob<3xf32>
  %loss = job.mul %y, %weight : !job.blob<3xf32>
  job.loss %loss : !job.blob<3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3xf32>
}

// K = 20
job.func @reduce_prod_one_element_f32() -> (!job.blob<1xf32> {job.name = "y"}) kind predict {
  %x = job.read @"factor-1xf32" : !job.blob<1xf32>
  %y = job.reduce_prod %x {axes = array<i64: 0>} : !job.blob<1xf32>
  job.return %y : !job.blob<1xf32>
}

// K = 20
job.func @train_reduce_prod_one_element_f32() -> (!job.blob<1xf32> {job.name = "loss"}) kind train {
  %x = job.read @"factor-1xf32" : !job.blob<1xf32>
  %y = job.reduce_prod %x {axes = array<i64: 0>} : !job.blob<1xf32>
  %weight = job.read @"weight-1xf32" : !job.blob<1xf32>
  %loss = job.mul %y, %weight : !job.blob<1xf32>
  job.loss %loss : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1xf32>
}

// K = 20
job.func @reduce_prod_units_f32() -> (!job.blob<1xf32> {job.name = "y"}) kind predict {
  %x = job.read @"factor-1x7x1xf32" : !job.blob<1x7x1xf32>
  %y = job.reduce_prod %x {axes = array<i64: 0, 1>} : !job.blob<1x7x1xf32>
  job.return %y : !job.blob<1xf32>
}

// K = 20
job.func @train_reduce_prod_units_f32() -> (!job.blob<1xf32> {job.name = "loss"}) kind train {
  %x = job.read @"factor-1x7x1xf32" : !job.blob<1x7x1xf32>
  %y = job.reduce_prod %x {axes = array<i64: 0, 1>} : !job.blob<1x7x1xf32>
  %weight = job.read @"weight-1xf32" : !job.blob<1xf32>
  %loss = job.mul %y, %weight : !job.blob<1xf32>
  job.loss %loss : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1xf32>
}

job.func @reduce_prod_rows_f64() -> (!job.blob<5xf64> {job.name = "y"}) kind predict {
  %x = job.read @"factor-7x5xf64" : !job.blob<7x5xf64>
  %y = job.reduce_prod %x {axes = array<i64: 0>} : !job.blob<7x5xf64>
  job.return %y : !job.blob<5xf64>
}

job.func @train_reduce_prod_rows_f64() -> (!job.blob<5xf64> {job.name = "loss"}) kind train {
  %x = job.read @"factor-7x5xf64" : !job.blob<7x5xf64>
  %y = job.reduce_prod %x {axes = array<i64: 0>} : !job.blob<7x5xf64>
  %weight = job.read @"weight-5xf64" : !job.blob<5xf64>
  %loss = job.mul %y, %weight : !job.blob<5xf64>
  job.loss %loss : !job.blob<5xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<5xf64>
}

job.func @reduce_prod_columns_f64() -> (!job.blob<7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"factor-7x5xf64" : !job.blob<7x5xf64>
  %y = job.reduce_prod %x {axes = array<i64: 1>} : !job.blob<7x5xf64>
  job.return %y : !job.blob<7xf64>
}

job.func @train_reduce_prod_columns_f64() -> (!job.blob<7xf64> {job.name = "loss"}) kind train {
  %x = job.read @"factor-7x5xf64" : !job.blob<7x5xf64>
  %y = job.reduce_prod %x {axes = array<i64: 1>} : !job.blob<7x5xf64>
  %weight = job.read @"weight-7xf64" : !job.blob<7xf64>
  %loss = job.mul %y, %weight : !job.blob<7xf64>
  job.loss %loss : !job.blob<7xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<7xf64>
}

// K = 37
job.func @reduce_prod_short_rows_f32() -> (!job.blob<19xf32> {job.name = "y"}) kind predict {
  %x = job.read @"factor-37x19xf32" : !job.blob<37x19xf32>
  %y = job.reduce_prod %x {axes = array<i64: 0>} : !job.blob<37x19xf32>
  job.return %y : !job.blob<19xf32>
}

// K = 37
job.func @train_reduce_prod_short_rows_f32() -> (!job.blob<19xf32> {job.name = "loss"}) kind train {
  %x = job.read @"factor-37x19xf32" : !job.blob<37x19xf32>
  %y = job.reduce_prod %x {axes = array<i64: 0>} : !job.blob<37x19xf32>
  %weight = job.read @"weight-19xf32" : !job.blob<19xf32>
  %loss = job.mul %y, %weight : !job.blob<19xf32>
  job.loss %loss : !job.blob<19xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<19xf32>
}

// K = 37
job.func @reduce_prod_short_columns_f32() -> (!job.blob<19xf32> {job.name = "y"}) kind predict {
  %x = job.read @"factor-19x37xf32" : !job.blob<19x37xf32>
  %y = job.reduce_prod %x {axes = array<i64: 1>} : !job.blob<19x37xf32>
  job.return %y : !job.blob<19xf32>
}

// K = 37
job.func @train_reduce_prod_short_columns_f32() -> (!job.blob<19xf32> {job.name = "loss"}) kind train {
  %x = job.read @"factor-19x37xf32" : !job.blob<19x37xf32>
  %y = job.reduce_prod %x {axes = array<i64: 1>} : !job.blob<19x37xf32>
  %weight = job.read @"weight-19xf32" : !job.blob<19xf32>
  %loss = job.mul %y, %weight : !job.blob<19xf32>
  job.loss %loss : !job.blob<19xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<19xf32>
}

job.func @reduce_max_rows_f32() -> (!job.blob<5xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.reduce_max %x {axes = array<i64: 0>} : !job.blob<4x5xf32>
  job.return %y : !job.blob<5xf32>
}

job.func @train_reduce_max_rows_f32() -> (!job.blob<5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.reduce_max %x {axes = array<i64: 0>} : !job.blob<4x5xf32>
  %weight = job.read @"weight-5xf32" : !job.blob<5xf32>
  %loss = job.mul %y, %weight : !job.blob<5xf32>
  job.loss %loss : !job.blob<5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<5xf32>
}

job.func @reduce_max_columns_f32() -> (!job.blob<4xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.reduce_max %x {axes = array<i64: 1>} : !job.blob<4x5xf32>
  job.return %y : !job.blob<4xf32>
}

job.func @train_reduce_max_columns_f32() -> (!job.blob<4xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.reduce_max %x {axes = array<i64: 1>} : !job.blob<4x5xf32>
  %weight = job.read @"weight-4xf32" : !job.blob<4xf32>
  %loss = job.mul %y, %weight : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4xf32>
}

job.func @reduce_max_all_f32() -> (!job.blob<1xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.reduce_max %x {axes = array<i64: 0, 1>} : !job.blob<4x5xf32>
  job.return %y : !job.blob<1xf32>
}

job.func @train_reduce_max_all_f32() -> (!job.blob<1xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.reduce_max %x {axes = array<i64: 0, 1>} : !job.blob<4x5xf32>
  %weight = job.read @"weight-1xf32" : !job.blob<1xf32>
  %loss = job.mul %y, %weight : !job.blob<1xf32>
  job.loss %loss : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1xf32>
}

job.func @reduce_max_all_keepdims_f32() -> (!job.blob<1x1xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.reduce_max %x {axes = array<i64: 0, 1>, keepdims = true} : !job.blob<4x5xf32>
  job.return %y : !job.blob<1x1xf32>
}

job.func @train_reduce_max_all_keepdims_f32() -> (!job.blob<1x1xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.reduce_max %x {axes = array<i64: 0, 1>, keepdims = true} : !job.blob<4x5xf32>
  %weight = job.read @"weight-1x1xf32" : !job.blob<1x1xf32>
  %loss = job.mul %y, %weight : !job.blob<1x1xf32>
  job.loss %loss : !job.blob<1x1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1x1xf32>
}

job.func @reduce_max_middle_f32() -> (!job.blob<3x5xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-3x4x5xf32" : !job.blob<3x4x5xf32>
  %y = job.reduce_max %x {axes = array<i64: 1>} : !job.blob<3x4x5xf32>
  job.return %y : !job.blob<3x5xf32>
}

job.func @train_reduce_max_middle_f32() -> (!job.blob<3x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-3x4x5xf32" : !job.blob<3x4x5xf32>
  %y = job.reduce_max %x {axes = array<i64: 1>} : !job.blob<3x4x5xf32>
  %weight = job.read @"weight-3x5xf32" : !job.blob<3x5xf32>
  %loss = job.mul %y, %weight : !job.blob<3x5xf32>
  job.loss %loss : !job.blob<3x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3x5xf32>
}

job.func @reduce_max_outer_f32() -> (!job.blob<4xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-3x4x5xf32" : !job.blob<3x4x5xf32>
  %y = job.reduce_max %x {axes = array<i64: 0, 2>} : !job.blob<3x4x5xf32>
  job.return %y : !job.blob<4xf32>
}

job.func @train_reduce_max_outer_f32() -> (!job.blob<4xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-3x4x5xf32" : !job.blob<3x4x5xf32>
  %y = job.reduce_max %x {axes = array<i64: 0, 2>} : !job.blob<3x4x5xf32>
  %weight = job.read @"weight-4xf32" : !job.blob<4xf32>
  %loss = job.mul %y, %weight : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4xf32>
}

job.func @reduce_max_middle_keepdims_f32() -> (!job.blob<3x1x5xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-3x4x5xf32" : !job.blob<3x4x5xf32>
  %y = job.reduce_max %x {axes = array<i64: 1>, keepdims = true} : !job.blob<3x4x5xf32>
  job.return %y : !job.blob<3x1x5xf32>
}

job.func @train_reduce_max_middle_keepdims_f32() -> (!job.blob<3x1x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-3x4x5xf32" : !job.blob<3x4x5xf32>
  %y = job.reduce_max %x {axes = array<i64: 1>, keepdims = true} : !job.blob<3x4x5xf32>
  %weight = job.read @"weight-3x1x5xf32" : !job.blob<3x1x5xf32>
  %loss = job.mul %y, %weight : !job.blob<3x1x5xf32>
  job.loss %loss : !job.blob<3x1x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3x1x5xf32>
}

job.func @reduce_max_channels_f32() -> (!job.blob<3xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-4x3x5x6xf32" : !job.blob<4x3x5x6xf32>
  %y = job.reduce_max %x {axes = array<i64: 0, 2, 3>} : !job.blob<4x3x5x6xf32>
  job.return %y : !job.blob<3xf32>
}

job.func @train_reduce_max_channels_f32() -> (!job.blob<3xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x3x5x6xf32" : !job.blob<4x3x5x6xf32>
  %y = job.reduce_max %x {axes = array<i64: 0, 2, 3>} : !job.blob<4x3x5x6xf32>
  %weight = job.read @"weight-3xf32" : !job.blob<3xf32>
  %loss = job.mul %y, %weight : !job.blob<3xf32>
  job.loss %loss : !job.blob<3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3xf32>
}

job.func @reduce_max_one_element_f32() -> (!job.blob<1xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-1xf32" : !job.blob<1xf32>
  %y = job.reduce_max %x {axes = array<i64: 0>} : !job.blob<1xf32>
  job.return %y : !job.blob<1xf32>
}

job.func @train_reduce_max_one_element_f32() -> (!job.blob<1xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-1xf32" : !job.blob<1xf32>
  %y = job.reduce_max %x {axes = array<i64: 0>} : !job.blob<1xf32>
  %weight = job.read @"weight-1xf32" : !job.blob<1xf32>
  %loss = job.mul %y, %weight : !job.blob<1xf32>
  job.loss %loss : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1xf32>
}

job.func @reduce_max_units_f32() -> (!job.blob<1xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-1x7x1xf32" : !job.blob<1x7x1xf32>
  %y = job.reduce_max %x {axes = array<i64: 0, 1>} : !job.blob<1x7x1xf32>
  job.return %y : !job.blob<1xf32>
}

job.func @train_reduce_max_units_f32() -> (!job.blob<1xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-1x7x1xf32" : !job.blob<1x7x1xf32>
  %y = job.reduce_max %x {axes = array<i64: 0, 1>} : !job.blob<1x7x1xf32>
  %weight = job.read @"weight-1xf32" : !job.blob<1xf32>
  %loss = job.mul %y, %weight : !job.blob<1xf32>
  job.loss %loss : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1xf32>
}

job.func @reduce_max_rows_f64() -> (!job.blob<5xf64> {job.name = "y"}) kind predict {
  %x = job.read @"x-7x5xf64" : !job.blob<7x5xf64>
  %y = job.reduce_max %x {axes = array<i64: 0>} : !job.blob<7x5xf64>
  job.return %y : !job.blob<5xf64>
}

job.func @train_reduce_max_rows_f64() -> (!job.blob<5xf64> {job.name = "loss"}) kind train {
  %x = job.read @"x-7x5xf64" : !job.blob<7x5xf64>
  %y = job.reduce_max %x {axes = array<i64: 0>} : !job.blob<7x5xf64>
  %weight = job.read @"weight-5xf64" : !job.blob<5xf64>
  %loss = job.mul %y, %weight : !job.blob<5xf64>
  job.loss %loss : !job.blob<5xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<5xf64>
}

job.func @reduce_max_columns_f64() -> (!job.blob<7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"x-7x5xf64" : !job.blob<7x5xf64>
  %y = job.reduce_max %x {axes = array<i64: 1>} : !job.blob<7x5xf64>
  job.return %y : !job.blob<7xf64>
}

job.func @train_reduce_max_columns_f64() -> (!job.blob<7xf64> {job.name = "loss"}) kind train {
  %x = job.read @"x-7x5xf64" : !job.blob<7x5xf64>
  %y = job.reduce_max %x {axes = array<i64: 1>} : !job.blob<7x5xf64>
  %weight = job.read @"weight-7xf64" : !job.blob<7xf64>
  %loss = job.mul %y, %weight : !job.blob<7xf64>
  job.loss %loss : !job.blob<7xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<7xf64>
}

job.func @reduce_max_short_rows_f32() -> (!job.blob<19xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-37x19xf32" : !job.blob<37x19xf32>
  %y = job.reduce_max %x {axes = array<i64: 0>} : !job.blob<37x19xf32>
  job.return %y : !job.blob<19xf32>
}

job.func @train_reduce_max_short_rows_f32() -> (!job.blob<19xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-37x19xf32" : !job.blob<37x19xf32>
  %y = job.reduce_max %x {axes = array<i64: 0>} : !job.blob<37x19xf32>
  %weight = job.read @"weight-19xf32" : !job.blob<19xf32>
  %loss = job.mul %y, %weight : !job.blob<19xf32>
  job.loss %loss : !job.blob<19xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<19xf32>
}

job.func @reduce_max_short_columns_f32() -> (!job.blob<19xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-19x37xf32" : !job.blob<19x37xf32>
  %y = job.reduce_max %x {axes = array<i64: 1>} : !job.blob<19x37xf32>
  job.return %y : !job.blob<19xf32>
}

job.func @train_reduce_max_short_columns_f32() -> (!job.blob<19xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-19x37xf32" : !job.blob<19x37xf32>
  %y = job.reduce_max %x {axes = array<i64: 1>} : !job.blob<19x37xf32>
  %weight = job.read @"weight-19xf32" : !job.blob<19xf32>
  %loss = job.mul %y, %weight : !job.blob<19xf32>
  job.loss %loss : !job.blob<19xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<19xf32>
}

job.func @reduce_max_long_rows_f32() -> (!job.blob<37xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-1000x37xf32" : !job.blob<1000x37xf32>
  %y = job.reduce_max %x {axes = array<i64: 0>} : !job.blob<1000x37xf32>
  job.return %y : !job.blob<37xf32>
}

job.func @train_reduce_max_long_rows_f32() -> (!job.blob<37xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-1000x37xf32" : !job.blob<1000x37xf32>
  %y = job.reduce_max %x {axes = array<i64: 0>} : !job.blob<1000x37xf32>
  %weight = job.read @"weight-37xf32" : !job.blob<37xf32>
  %loss = job.mul %y, %weight : !job.blob<37xf32>
  job.loss %loss : !job.blob<37xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<37xf32>
}

job.func @reduce_max_long_columns_f32() -> (!job.blob<37xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-37x1000xf32" : !job.blob<37x1000xf32>
  %y = job.reduce_max %x {axes = array<i64: 1>} : !job.blob<37x1000xf32>
  job.return %y : !job.blob<37xf32>
}

job.func @train_reduce_max_long_columns_f32() -> (!job.blob<37xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-37x1000xf32" : !job.blob<37x1000xf32>
  %y = job.reduce_max %x {axes = array<i64: 1>} : !job.blob<37x1000xf32>
  %weight = job.read @"weight-37xf32" : !job.blob<37xf32>
  %loss = job.mul %y, %weight : !job.blob<37xf32>
  job.loss %loss : !job.blob<37xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<37xf32>
}

job.func @reduce_max_long_f32() -> (!job.blob<1xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-200x3x70xf32" : !job.blob<200x3x70xf32>
  %y = job.reduce_max %x {axes = array<i64: 0, 1, 2>} : !job.blob<200x3x70xf32>
  job.return %y : !job.blob<1xf32>
}

job.func @train_reduce_max_long_f32() -> (!job.blob<1xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-200x3x70xf32" : !job.blob<200x3x70xf32>
  %y = job.reduce_max %x {axes = array<i64: 0, 1, 2>} : !job.blob<200x3x70xf32>
  %weight = job.read @"weight-1xf32" : !job.blob<1xf32>
  %loss = job.mul %y, %weight : !job.blob<1xf32>
  job.loss %loss : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1xf32>
}

job.func @reduce_max_wide_rows_f64() -> (!job.blob<131xf64> {job.name = "y"}) kind predict {
  %x = job.read @"x-40x131xf64" : !job.blob<40x131xf64>
  %y = job.reduce_max %x {axes = array<i64: 0>} : !job.blob<40x131xf64>
  job.return %y : !job.blob<131xf64>
}

job.func @train_reduce_max_wide_rows_f64() -> (!job.blob<131xf64> {job.name = "loss"}) kind train {
  %x = job.read @"x-40x131xf64" : !job.blob<40x131xf64>
  %y = job.reduce_max %x {axes = array<i64: 0>} : !job.blob<40x131xf64>
  %weight = job.read @"weight-131xf64" : !job.blob<131xf64>
  %loss = job.mul %y, %weight : !job.blob<131xf64>
  job.loss %loss : !job.blob<131xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<131xf64>
}

job.func @reduce_max_wide_columns_f64() -> (!job.blob<131xf64> {job.name = "y"}) kind predict {
  %x = job.read @"x-131x40xf64" : !job.blob<131x40xf64>
  %y = job.reduce_max %x {axes = array<i64: 1>} : !job.blob<131x40xf64>
  job.return %y : !job.blob<131xf64>
}

job.func @train_reduce_max_wide_columns_f64() -> (!job.blob<131xf64> {job.name = "loss"}) kind train {
  %x = job.read @"x-131x40xf64" : !job.blob<131x40xf64>
  %y = job.reduce_max %x {axes = array<i64: 1>} : !job.blob<131x40xf64>
  %weight = job.read @"weight-131xf64" : !job.blob<131xf64>
  %loss = job.mul %y, %weight : !job.blob<131xf64>
  job.loss %loss : !job.blob<131xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<131xf64>
}

job.func @reduce_min_rows_f32() -> (!job.blob<5xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.reduce_min %x {axes = array<i64: 0>} : !job.blob<4x5xf32>
  job.return %y : !job.blob<5xf32>
}

job.func @train_reduce_min_rows_f32() -> (!job.blob<5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.reduce_min %x {axes = array<i64: 0>} : !job.blob<4x5xf32>
  %weight = job.read @"weight-5xf32" : !job.blob<5xf32>
  %loss = job.mul %y, %weight : !job.blob<5xf32>
  job.loss %loss : !job.blob<5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<5xf32>
}

job.func @reduce_min_columns_f32() -> (!job.blob<4xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.reduce_min %x {axes = array<i64: 1>} : !job.blob<4x5xf32>
  job.return %y : !job.blob<4xf32>
}

job.func @train_reduce_min_columns_f32() -> (!job.blob<4xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.reduce_min %x {axes = array<i64: 1>} : !job.blob<4x5xf32>
  %weight = job.read @"weight-4xf32" : !job.blob<4xf32>
  %loss = job.mul %y, %weight : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4xf32>
}

job.func @reduce_min_all_f32() -> (!job.blob<1xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.reduce_min %x {axes = array<i64: 0, 1>} : !job.blob<4x5xf32>
  job.return %y : !job.blob<1xf32>
}

job.func @train_reduce_min_all_f32() -> (!job.blob<1xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.reduce_min %x {axes = array<i64: 0, 1>} : !job.blob<4x5xf32>
  %weight = job.read @"weight-1xf32" : !job.blob<1xf32>
  %loss = job.mul %y, %weight : !job.blob<1xf32>
  job.loss %loss : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1xf32>
}

job.func @reduce_min_all_keepdims_f32() -> (!job.blob<1x1xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.reduce_min %x {axes = array<i64: 0, 1>, keepdims = true} : !job.blob<4x5xf32>
  job.return %y : !job.blob<1x1xf32>
}

job.func @train_reduce_min_all_keepdims_f32() -> (!job.blob<1x1xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.reduce_min %x {axes = array<i64: 0, 1>, keepdims = true} : !job.blob<4x5xf32>
  %weight = job.read @"weight-1x1xf32" : !job.blob<1x1xf32>
  %loss = job.mul %y, %weight : !job.blob<1x1xf32>
  job.loss %loss : !job.blob<1x1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1x1xf32>
}

job.func @reduce_min_middle_f32() -> (!job.blob<3x5xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-3x4x5xf32" : !job.blob<3x4x5xf32>
  %y = job.reduce_min %x {axes = array<i64: 1>} : !job.blob<3x4x5xf32>
  job.return %y : !job.blob<3x5xf32>
}

job.func @train_reduce_min_middle_f32() -> (!job.blob<3x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-3x4x5xf32" : !job.blob<3x4x5xf32>
  %y = job.reduce_min %x {axes = array<i64: 1>} : !job.blob<3x4x5xf32>
  %weight = job.read @"weight-3x5xf32" : !job.blob<3x5xf32>
  %loss = job.mul %y, %weight : !job.blob<3x5xf32>
  job.loss %loss : !job.blob<3x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3x5xf32>
}

job.func @reduce_min_outer_f32() -> (!job.blob<4xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-3x4x5xf32" : !job.blob<3x4x5xf32>
  %y = job.reduce_min %x {axes = array<i64: 0, 2>} : !job.blob<3x4x5xf32>
  job.return %y : !job.blob<4xf32>
}

job.func @train_reduce_min_outer_f32() -> (!job.blob<4xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-3x4x5xf32" : !job.blob<3x4x5xf32>
  %y = job.reduce_min %x {axes = array<i64: 0, 2>} : !job.blob<3x4x5xf32>
  %weight = job.read @"weight-4xf32" : !job.blob<4xf32>
  %loss = job.mul %y, %weight : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4xf32>
}

job.func @reduce_min_middle_keepdims_f32() -> (!job.blob<3x1x5xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-3x4x5xf32" : !job.blob<3x4x5xf32>
  %y = job.reduce_min %x {axes = array<i64: 1>, keepdims = true} : !job.blob<3x4x5xf32>
  job.return %y : !job.blob<3x1x5xf32>
}

job.func @train_reduce_min_middle_keepdims_f32() -> (!job.blob<3x1x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-3x4x5xf32" : !job.blob<3x4x5xf32>
  %y = job.reduce_min %x {axes = array<i64: 1>, keepdims = true} : !job.blob<3x4x5xf32>
  %weight = job.read @"weight-3x1x5xf32" : !job.blob<3x1x5xf32>
  %loss = job.mul %y, %weight : !job.blob<3x1x5xf32>
  job.loss %loss : !job.blob<3x1x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3x1x5xf32>
}

job.func @reduce_min_channels_f32() -> (!job.blob<3xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-4x3x5x6xf32" : !job.blob<4x3x5x6xf32>
  %y = job.reduce_min %x {axes = array<i64: 0, 2, 3>} : !job.blob<4x3x5x6xf32>
  job.return %y : !job.blob<3xf32>
}

job.func @train_reduce_min_channels_f32() -> (!job.blob<3xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x3x5x6xf32" : !job.blob<4x3x5x6xf32>
  %y = job.reduce_min %x {axes = array<i64: 0, 2, 3>} : !job.blob<4x3x5x6xf32>
  %weight = job.read @"weight-3xf32" : !job.blob<3xf32>
  %loss = job.mul %y, %weight : !job.blob<3xf32>
  job.loss %loss : !job.blob<3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3xf32>
}

job.func @reduce_min_one_element_f32() -> (!job.blob<1xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-1xf32" : !job.blob<1xf32>
  %y = job.reduce_min %x {axes = array<i64: 0>} : !job.blob<1xf32>
  job.return %y : !job.blob<1xf32>
}

job.func @train_reduce_min_one_element_f32() -> (!job.blob<1xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-1xf32" : !job.blob<1xf32>
  %y = job.reduce_min %x {axes = array<i64: 0>} : !job.blob<1xf32>
  %weight = job.read @"weight-1xf32" : !job.blob<1xf32>
  %loss = job.mul %y, %weight : !job.blob<1xf32>
  job.loss %loss : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1xf32>
}

job.func @reduce_min_units_f32() -> (!job.blob<1xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-1x7x1xf32" : !job.blob<1x7x1xf32>
  %y = job.reduce_min %x {axes = array<i64: 0, 1>} : !job.blob<1x7x1xf32>
  job.return %y : !job.blob<1xf32>
}

job.func @train_reduce_min_units_f32() -> (!job.blob<1xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-1x7x1xf32" : !job.blob<1x7x1xf32>
  %y = job.reduce_min %x {axes = array<i64: 0, 1>} : !job.blob<1x7x1xf32>
  %weight = job.read @"weight-1xf32" : !job.blob<1xf32>
  %loss = job.mul %y, %weight : !job.blob<1xf32>
  job.loss %loss : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1xf32>
}

job.func @reduce_min_rows_f64() -> (!job.blob<5xf64> {job.name = "y"}) kind predict {
  %x = job.read @"x-7x5xf64" : !job.blob<7x5xf64>
  %y = job.reduce_min %x {axes = array<i64: 0>} : !job.blob<7x5xf64>
  job.return %y : !job.blob<5xf64>
}

job.func @train_reduce_min_rows_f64() -> (!job.blob<5xf64> {job.name = "loss"}) kind train {
  %x = job.read @"x-7x5xf64" : !job.blob<7x5xf64>
  %y = job.reduce_min %x {axes = array<i64: 0>} : !job.blob<7x5xf64>
  %weight = job.read @"weight-5xf64" : !job.blob<5xf64>
  %loss = job.mul %y, %weight : !job.blob<5xf64>
  job.loss %loss : !job.blob<5xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<5xf64>
}

job.func @reduce_min_columns_f64() -> (!job.blob<7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"x-7x5xf64" : !job.blob<7x5xf64>
  %y = job.reduce_min %x {axes = array<i64: 1>} : !job.blob<7x5xf64>
  job.return %y : !job.blob<7xf64>
}

job.func @train_reduce_min_columns_f64() -> (!job.blob<7xf64> {job.name = "loss"}) kind train {
  %x = job.read @"x-7x5xf64" : !job.blob<7x5xf64>
  %y = job.reduce_min %x {axes = array<i64: 1>} : !job.blob<7x5xf64>
  %weight = job.read @"weight-7xf64" : !job.blob<7xf64>
  %loss = job.mul %y, %weight : !job.blob<7xf64>
  job.loss %loss : !job.blob<7xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<7xf64>
}

job.func @reduce_min_short_rows_f32() -> (!job.blob<19xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-37x19xf32" : !job.blob<37x19xf32>
  %y = job.reduce_min %x {axes = array<i64: 0>} : !job.blob<37x19xf32>
  job.return %y : !job.blob<19xf32>
}

job.func @train_reduce_min_short_rows_f32() -> (!job.blob<19xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-37x19xf32" : !job.blob<37x19xf32>
  %y = job.reduce_min %x {axes = array<i64: 0>} : !job.blob<37x19xf32>
  %weight = job.read @"weight-19xf32" : !job.blob<19xf32>
  %loss = job.mul %y, %weight : !job.blob<19xf32>
  job.loss %loss : !job.blob<19xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<19xf32>
}

job.func @reduce_min_short_columns_f32() -> (!job.blob<19xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-19x37xf32" : !job.blob<19x37xf32>
  %y = job.reduce_min %x {axes = array<i64: 1>} : !job.blob<19x37xf32>
  job.return %y : !job.blob<19xf32>
}

job.func @train_reduce_min_short_columns_f32() -> (!job.blob<19xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-19x37xf32" : !job.blob<19x37xf32>
  %y = job.reduce_min %x {axes = array<i64: 1>} : !job.blob<19x37xf32>
  %weight = job.read @"weight-19xf32" : !job.blob<19xf32>
  %loss = job.mul %y, %weight : !job.blob<19xf32>
  job.loss %loss : !job.blob<19xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<19xf32>
}

job.func @reduce_min_long_rows_f32() -> (!job.blob<37xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-1000x37xf32" : !job.blob<1000x37xf32>
  %y = job.reduce_min %x {axes = array<i64: 0>} : !job.blob<1000x37xf32>
  job.return %y : !job.blob<37xf32>
}

job.func @train_reduce_min_long_rows_f32() -> (!job.blob<37xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-1000x37xf32" : !job.blob<1000x37xf32>
  %y = job.reduce_min %x {axes = array<i64: 0>} : !job.blob<1000x37xf32>
  %weight = job.read @"weight-37xf32" : !job.blob<37xf32>
  %loss = job.mul %y, %weight : !job.blob<37xf32>
  job.loss %loss : !job.blob<37xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<37xf32>
}

job.func @reduce_min_long_columns_f32() -> (!job.blob<37xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-37x1000xf32" : !job.blob<37x1000xf32>
  %y = job.reduce_min %x {axes = array<i64: 1>} : !job.blob<37x1000xf32>
  job.return %y : !job.blob<37xf32>
}

job.func @train_reduce_min_long_columns_f32() -> (!job.blob<37xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-37x1000xf32" : !job.blob<37x1000xf32>
  %y = job.reduce_min %x {axes = array<i64: 1>} : !job.blob<37x1000xf32>
  %weight = job.read @"weight-37xf32" : !job.blob<37xf32>
  %loss = job.mul %y, %weight : !job.blob<37xf32>
  job.loss %loss : !job.blob<37xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<37xf32>
}

job.func @reduce_min_long_f32() -> (!job.blob<1xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-200x3x70xf32" : !job.blob<200x3x70xf32>
  %y = job.reduce_min %x {axes = array<i64: 0, 1, 2>} : !job.blob<200x3x70xf32>
  job.return %y : !job.blob<1xf32>
}

job.func @train_reduce_min_long_f32() -> (!job.blob<1xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-200x3x70xf32" : !job.blob<200x3x70xf32>
  %y = job.reduce_min %x {axes = array<i64: 0, 1, 2>} : !job.blob<200x3x70xf32>
  %weight = job.read @"weight-1xf32" : !job.blob<1xf32>
  %loss = job.mul %y, %weight : !job.blob<1xf32>
  job.loss %loss : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1xf32>
}

job.func @reduce_min_wide_rows_f64() -> (!job.blob<131xf64> {job.name = "y"}) kind predict {
  %x = job.read @"x-40x131xf64" : !job.blob<40x131xf64>
  %y = job.reduce_min %x {axes = array<i64: 0>} : !job.blob<40x131xf64>
  job.return %y : !job.blob<131xf64>
}

job.func @train_reduce_min_wide_rows_f64() -> (!job.blob<131xf64> {job.name = "loss"}) kind train {
  %x = job.read @"x-40x131xf64" : !job.blob<40x131xf64>
  %y = job.reduce_min %x {axes = array<i64: 0>} : !job.blob<40x131xf64>
  %weight = job.read @"weight-131xf64" : !job.blob<131xf64>
  %loss = job.mul %y, %weight : !job.blob<131xf64>
  job.loss %loss : !job.blob<131xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<131xf64>
}

job.func @reduce_min_wide_columns_f64() -> (!job.blob<131xf64> {job.name = "y"}) kind predict {
  %x = job.read @"x-131x40xf64" : !job.blob<131x40xf64>
  %y = job.reduce_min %x {axes = array<i64: 1>} : !job.blob<131x40xf64>
  job.return %y : !job.blob<131xf64>
}

job.func @train_reduce_min_wide_columns_f64() -> (!job.blob<131xf64> {job.name = "loss"}) kind train {
  %x = job.read @"x-131x40xf64" : !job.blob<131x40xf64>
  %y = job.reduce_min %x {axes = array<i64: 1>} : !job.blob<131x40xf64>
  %weight = job.read @"weight-131xf64" : !job.blob<131xf64>
  %loss = job.mul %y, %weight : !job.blob<131xf64>
  job.loss %loss : !job.blob<131xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<131xf64>
}

job.func @integers_i8() -> (!job.blob<3xi8> {job.name = "prod0"}, !job.blob<5xi8> {job.name = "prod1"}, !job.blob<3xi8> {job.name = "max0"}, !job.blob<5xi8> {job.name = "max1"}, !job.blob<3xi8> {job.name = "min0"}, !job.blob<5xi8> {job.name = "min1"}) kind predict {
  %x = job.constant dense<[[37, -51, 74], [-104, -91, -80], [59, -99, -19], [-109, -84, 94], [86, -93, -5]]> : tensor<5x3xi8>
  %prod0 = job.reduce_prod %x {axes = array<i64: 0>} : !job.blob<5x3xi8>
  %prod1 = job.reduce_prod %x {axes = array<i64: 1>} : !job.blob<5x3xi8>
  %max0 = job.reduce_max %x {axes = array<i64: 0>} : !job.blob<5x3xi8>
  %max1 = job.reduce_max %x {axes = array<i64: 1>} : !job.blob<5x3xi8>
  %min0 = job.reduce_min %x {axes = array<i64: 0>} : !job.blob<5x3xi8>
  %min1 = job.reduce_min %x {axes = array<i64: 1>} : !job.blob<5x3xi8>
  job.return %prod0, %prod1, %max0, %max1, %min0, %min1 : !job.blob<3xi8>, !job.blob<5xi8>, !job.blob<3xi8>, !job.blob<5xi8>, !job.blob<3xi8>, !job.blob<5xi8>
}

job.func @integers_i32() -> (!job.blob<3xi32> {job.name = "prod0"}, !job.blob<5xi32> {job.name = "prod1"}, !job.blob<3xi32> {job.name = "max0"}, !job.blob<5xi32> {job.name = "max1"}, !job.blob<3xi32> {job.name = "min0"}, !job.blob<5xi32> {job.name = "min1"}) kind predict {
  %x = job.constant dense<[[-1499591369, 648258640, 154112043], [31936245, -1986441000, -284989606], [-1847456881, -324187610, 1922895273], [-443753964, 2045500108, 1539610315], [-903621226, -1371269749, 596628807]]> : tensor<5x3xi32>
  %prod0 = job.reduce_prod %x {axes = array<i64: 0>} : !job.blob<5x3xi32>
  %prod1 = job.reduce_prod %x {axes = array<i64: 1>} : !job.blob<5x3xi32>
  %max0 = job.reduce_max %x {axes = array<i64: 0>} : !job.blob<5x3xi32>
  %max1 = job.reduce_max %x {axes = array<i64: 1>} : !job.blob<5x3xi32>
  %min0 = job.reduce_min %x {axes = array<i64: 0>} : !job.blob<5x3xi32>
  %min1 = job.reduce_min %x {axes = array<i64: 1>} : !job.blob<5x3xi32>
  job.return %prod0, %prod1, %max0, %max1, %min0, %min1 : !job.blob<3xi32>, !job.blob<5xi32>, !job.blob<3xi32>, !job.blob<5xi32>, !job.blob<3xi32>, !job.blob<5xi32>
}

job.func @integers_i64() -> (!job.blob<3xi64> {job.name = "prod0"}, !job.blob<5xi64> {job.name = "prod1"}, !job.blob<3xi64> {job.name = "max0"}, !job.blob<5xi64> {job.name = "max1"}, !job.blob<3xi64> {job.name = "min0"}, !job.blob<5xi64> {job.name = "min1"}) kind predict {
  %x = job.constant dense<[[8261657684473197624, 2784249659845191438, -8531699129511414324], [-1509457273540090022, 8258772313671944433, 1577960769301841103], [8785356068037452444, -3881023613069443411, 750522153793611428], [3357357195551156271, -5757763313810287289, 1187385434856157239], [-5424104304150091343, 585135223364038996, -3428379579663223016]]> : tensor<5x3xi64>
  %prod0 = job.reduce_prod %x {axes = array<i64: 0>} : !job.blob<5x3xi64>
  %prod1 = job.reduce_prod %x {axes = array<i64: 1>} : !job.blob<5x3xi64>
  %max0 = job.reduce_max %x {axes = array<i64: 0>} : !job.blob<5x3xi64>
  %max1 = job.reduce_max %x {axes = array<i64: 1>} : !job.blob<5x3xi64>
  %min0 = job.reduce_min %x {axes = array<i64: 0>} : !job.blob<5x3xi64>
  %min1 = job.reduce_min %x {axes = array<i64: 1>} : !job.blob<5x3xi64>
  job.return %prod0, %prod1, %max0, %max1, %min0, %min1 : !job.blob<3xi64>, !job.blob<5xi64>, !job.blob<3xi64>, !job.blob<5xi64>, !job.blob<3xi64>, !job.blob<5xi64>
}

// NaN, infinities, ties and zeros of both signs.
job.func @special_values_f32() -> (!job.blob<4xf32> {job.name = "max0"}, !job.blob<4xf32> {job.name = "max1"}, !job.blob<4xf32> {job.name = "min0"}, !job.blob<4xf32> {job.name = "min1"}, !job.blob<4xi64> {job.name = "place0"}, !job.blob<4xi64> {job.name = "place1"}) kind predict {
  %x = job.constant dense<[[1.0, 0x7FC00000, 3.0, 0x7FC00000], [0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0x7F800000, 2.0, 0xFF800000, 0x7F800000], [-0.0, 0.0, -0.0, 0.0]]> : tensor<4x4xf32>
  %max0 = job.reduce_max %x {axes = array<i64: 0>} : !job.blob<4x4xf32>
  %max1 = job.reduce_max %x {axes = array<i64: 1>} : !job.blob<4x4xf32>
  %min0 = job.reduce_min %x {axes = array<i64: 0>} : !job.blob<4x4xf32>
  %min1 = job.reduce_min %x {axes = array<i64: 1>} : !job.blob<4x4xf32>
  %place0 = job.argmax %x {axis = 0 : i64} : !job.blob<4x4xf32>
  %place1 = job.argmax %x {axis = 1 : i64} : !job.blob<4x4xf32>
  job.return %max0, %max1, %min0, %min1, %place0, %place1 : !job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xf32>, !job.blob<4xi64>, !job.blob<4xi64>
}

// The first of a tie gets the gradient, or the first NaN.
job.func @first_of_ties_f32() -> (!job.blob<4x4xf32> {job.name = "d0"}, !job.blob<4x4xf32> {job.name = "d1"}) kind predict {
  %x = job.constant dense<[[1.0, 0x7FC00000, 3.0, 0x7FC00000], [0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0x7F800000, 2.0, 0xFF800000, 0x7F800000], [3.0, 1.0, 3.0, 2.0]]> : tensor<4x4xf32>
  %g = job.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %y0 = job.reduce_max %x {axes = array<i64: 0>} : !job.blob<4x4xf32>
  %d0 = job.reduce_extremum_grad %g, %x, %y0 {axes = array<i64: 0>} : !job.blob<4xf32>, !job.blob<4x4xf32>
  %y1 = job.reduce_max %x {axes = array<i64: 1>} : !job.blob<4x4xf32>
  %d1 = job.reduce_extremum_grad %g, %x, %y1 {axes = array<i64: 1>} : !job.blob<4xf32>, !job.blob<4x4xf32>
  job.return %d0, %d1 : !job.blob<4x4xf32>, !job.blob<4x4xf32>
}

// Without, with one and with two zeros.
job.func @zero_factors_f32() -> (!job.blob<4x4xf32> {job.name = "d0"}, !job.blob<4x4xf32> {job.name = "d1"}) kind predict {
  %x = job.constant dense<[[1.0, 2.0, 3.0, 4.0], [0.0, 2.0, 3.0, 4.0], [2.0, 0.0, 0.0, 4.0], [-1.0, 0.5, 0.25, -8.0]]> : tensor<4x4xf32>
  %g = job.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %y0 = job.reduce_prod %x {axes = array<i64: 0>} : !job.blob<4x4xf32>
  %d0 = job.reduce_prod_grad %g, %x, %y0 {axes = array<i64: 0>} : !job.blob<4xf32>, !job.blob<4x4xf32>
  %y1 = job.reduce_prod %x {axes = array<i64: 1>} : !job.blob<4x4xf32>
  %d1 = job.reduce_prod_grad %g, %x, %y1 {axes = array<i64: 1>} : !job.blob<4xf32>, !job.blob<4x4xf32>
  job.return %d0, %d1 : !job.blob<4x4xf32>, !job.blob<4x4xf32>
}

// NaN, infinities, ties and zeros of both signs.
job.func @special_values_f64() -> (!job.blob<4xf64> {job.name = "max0"}, !job.blob<4xf64> {job.name = "max1"}, !job.blob<4xf64> {job.name = "min0"}, !job.blob<4xf64> {job.name = "min1"}, !job.blob<4xi64> {job.name = "place0"}, !job.blob<4xi64> {job.name = "place1"}) kind predict {
  %x = job.constant dense<[[1.0, 0x7FF8000000000000, 3.0, 0x7FF8000000000000], [0xFFF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000], [0x7FF0000000000000, 2.0, 0xFFF0000000000000, 0x7FF0000000000000], [-0.0, 0.0, -0.0, 0.0]]> : tensor<4x4xf64>
  %max0 = job.reduce_max %x {axes = array<i64: 0>} : !job.blob<4x4xf64>
  %max1 = job.reduce_max %x {axes = array<i64: 1>} : !job.blob<4x4xf64>
  %min0 = job.reduce_min %x {axes = array<i64: 0>} : !job.blob<4x4xf64>
  %min1 = job.reduce_min %x {axes = array<i64: 1>} : !job.blob<4x4xf64>
  %place0 = job.argmax %x {axis = 0 : i64} : !job.blob<4x4xf64>
  %place1 = job.argmax %x {axis = 1 : i64} : !job.blob<4x4xf64>
  job.return %max0, %max1, %min0, %min1, %place0, %place1 : !job.blob<4xf64>, !job.blob<4xf64>, !job.blob<4xf64>, !job.blob<4xf64>, !job.blob<4xi64>, !job.blob<4xi64>
}

// The first of a tie gets the gradient, or the first NaN.
job.func @first_of_ties_f64() -> (!job.blob<4x4xf64> {job.name = "d0"}, !job.blob<4x4xf64> {job.name = "d1"}) kind predict {
  %x = job.constant dense<[[1.0, 0x7FF8000000000000, 3.0, 0x7FF8000000000000], [0xFFF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000], [0x7FF0000000000000, 2.0, 0xFFF0000000000000, 0x7FF0000000000000], [3.0, 1.0, 3.0, 2.0]]> : tensor<4x4xf64>
  %g = job.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %y0 = job.reduce_max %x {axes = array<i64: 0>} : !job.blob<4x4xf64>
  %d0 = job.reduce_extremum_grad %g, %x, %y0 {axes = array<i64: 0>} : !job.blob<4xf64>, !job.blob<4x4xf64>
  %y1 = job.reduce_max %x {axes = array<i64: 1>} : !job.blob<4x4xf64>
  %d1 = job.reduce_extremum_grad %g, %x, %y1 {axes = array<i64: 1>} : !job.blob<4xf64>, !job.blob<4x4xf64>
  job.return %d0, %d1 : !job.blob<4x4xf64>, !job.blob<4x4xf64>
}

// Without, with one and with two zeros.
job.func @zero_factors_f64() -> (!job.blob<4x4xf64> {job.name = "d0"}, !job.blob<4x4xf64> {job.name = "d1"}) kind predict {
  %x = job.constant dense<[[1.0, 2.0, 3.0, 4.0], [0.0, 2.0, 3.0, 4.0], [2.0, 0.0, 0.0, 4.0], [-1.0, 0.5, 0.25, -8.0]]> : tensor<4x4xf64>
  %g = job.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>
  %y0 = job.reduce_prod %x {axes = array<i64: 0>} : !job.blob<4x4xf64>
  %d0 = job.reduce_prod_grad %g, %x, %y0 {axes = array<i64: 0>} : !job.blob<4xf64>, !job.blob<4x4xf64>
  %y1 = job.reduce_prod %x {axes = array<i64: 1>} : !job.blob<4x4xf64>
  %d1 = job.reduce_prod_grad %g, %x, %y1 {axes = array<i64: 1>} : !job.blob<4xf64>, !job.blob<4x4xf64>
  job.return %d0, %d1 : !job.blob<4x4xf64>, !job.blob<4x4xf64>
}

job.func @argmax_rows_f32() -> (!job.blob<19xi64> {job.name = "y"}) kind predict {
  %x = job.read @"x-37x19xf32" : !job.blob<37x19xf32>
  %y = job.argmax %x {axis = 0 : i64} : !job.blob<37x19xf32>
  job.return %y : !job.blob<19xi64>
}

job.func @argmax_columns_f32() -> (!job.blob<19xi64> {job.name = "y"}) kind predict {
  %x = job.read @"x-19x37xf32" : !job.blob<19x37xf32>
  %y = job.argmax %x {axis = 1 : i64} : !job.blob<19x37xf32>
  job.return %y : !job.blob<19xi64>
}

job.func @argmax_middle_f32() -> (!job.blob<3x33xi64> {job.name = "y"}) kind predict {
  %x = job.read @"x-3x50x33xf32" : !job.blob<3x50x33xf32>
  %y = job.argmax %x {axis = 1 : i64} : !job.blob<3x50x33xf32>
  job.return %y : !job.blob<3x33xi64>
}

job.func @argmax_outer_f32() -> (!job.blob<5x7x2xi64> {job.name = "y"}) kind predict {
  %x = job.read @"x-3x5x7x2xf32" : !job.blob<3x5x7x2xf32>
  %y = job.argmax %x {axis = 0 : i64} : !job.blob<3x5x7x2xf32>
  job.return %y : !job.blob<5x7x2xi64>
}

job.func @argmax_last_f32() -> (!job.blob<3x5x2xi64> {job.name = "y"}) kind predict {
  %x = job.read @"x-3x5x2x40xf32" : !job.blob<3x5x2x40xf32>
  %y = job.argmax %x {axis = 3 : i64} : !job.blob<3x5x2x40xf32>
  job.return %y : !job.blob<3x5x2xi64>
}

job.func @argmax_vector_f64() -> (!job.blob<1xi64> {job.name = "y"}) kind predict {
  %x = job.read @"x-100xf64" : !job.blob<100xf64>
  %y = job.argmax %x {axis = 0 : i64} : !job.blob<100xf64>
  job.return %y : !job.blob<1xi64>
}

job.func @argmax_one_element_f32() -> (!job.blob<1xi64> {job.name = "y"}) kind predict {
  %x = job.read @"x-1xf32" : !job.blob<1xf32>
  %y = job.argmax %x {axis = 0 : i64} : !job.blob<1xf32>
  job.return %y : !job.blob<1xi64>
}

job.func @argmax_unit_f64() -> (!job.blob<5x4xi64> {job.name = "y"}) kind predict {
  %x = job.read @"x-5x1x4xf64" : !job.blob<5x1x4xf64>
  %y = job.argmax %x {axis = 1 : i64} : !job.blob<5x1x4xf64>
  job.return %y : !job.blob<5x4xi64>
}

job.func @argmax_long_rows_f64() -> (!job.blob<37xi64> {job.name = "y"}) kind predict {
  %x = job.read @"x-1000x37xf64" : !job.blob<1000x37xf64>
  %y = job.argmax %x {axis = 0 : i64} : !job.blob<1000x37xf64>
  job.return %y : !job.blob<37xi64>
}

job.func @argmax_long_columns_f64() -> (!job.blob<37xi64> {job.name = "y"}) kind predict {
  %x = job.read @"x-37x1000xf64" : !job.blob<37x1000xf64>
  %y = job.argmax %x {axis = 1 : i64} : !job.blob<37x1000xf64>
  job.return %y : !job.blob<37xi64>
}

job.func @argmax_i8() -> (!job.blob<21xi64> {job.name = "y0"}, !job.blob<4xi64> {job.name = "y1"}) kind predict {
  %x = job.constant dense<[[0, 3, 1, 3, 3, 0, 0, 1, 3, 1, -2, -2, 3, 1, 0, 2, 1, 3, -2, -3, 0], [-128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128, -128], [-3, -3, -2, -2, 1, -3, 3, 0, -1, 0, 1, 3, -2, 1, -2, 2, -1, 0, -3, 2, -3], [0, 2, -1, 0, 1, 3, -3, 2, -1, -1, 3, -2, 1, -1, -3, -3, 1, 3, -3, 0, -3]]> : tensor<4x21xi8>
  %y0 = job.argmax %x {axis = 0 : i64} : !job.blob<4x21xi8>
  %y1 = job.argmax %x {axis = 1 : i64} : !job.blob<4x21xi8>
  job.return %y0, %y1 : !job.blob<21xi64>, !job.blob<4xi64>
}

job.func @argmax_i32() -> (!job.blob<21xi64> {job.name = "y0"}, !job.blob<4xi64> {job.name = "y1"}) kind predict {
  %x = job.constant dense<[[0, 3, 1, 3, 3, 0, 0, 1, 3, 1, -2, -2, 3, 1, 0, 2, 1, 3, -2, -3, 0], [-2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648], [-3, -3, -2, -2, 1, -3, 3, 0, -1, 0, 1, 3, -2, 1, -2, 2, -1, 0, -3, 2, -3], [0, 2, -1, 0, 1, 3, -3, 2, -1, -1, 3, -2, 1, -1, -3, -3, 1, 3, -3, 0, -3]]> : tensor<4x21xi32>
  %y0 = job.argmax %x {axis = 0 : i64} : !job.blob<4x21xi32>
  %y1 = job.argmax %x {axis = 1 : i64} : !job.blob<4x21xi32>
  job.return %y0, %y1 : !job.blob<21xi64>, !job.blob<4xi64>
}

job.func @argmax_i64() -> (!job.blob<21xi64> {job.name = "y0"}, !job.blob<4xi64> {job.name = "y1"}) kind predict {
  %x = job.constant dense<[[0, 3, 1, 3, 3, 0, 0, 1, 3, 1, -2, -2, 3, 1, 0, 2, 1, 3, -2, -3, 0], [-9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808], [-3, -3, -2, -2, 1, -3, 3, 0, -1, 0, 1, 3, -2, 1, -2, 2, -1, 0, -3, 2, -3], [0, 2, -1, 0, 1, 3, -3, 2, -1, -1, 3, -2, 1, -1, -3, -3, 1, 3, -3, 0, -3]]> : tensor<4x21xi64>
  %y0 = job.argmax %x {axis = 0 : i64} : !job.blob<4x21xi64>
  %y1 = job.argmax %x {axis = 1 : i64} : !job.blob<4x21xi64>
  job.return %y0, %y1 : !job.blob<21xi64>, !job.blob<4xi64>
}

// An extremum with the op before and the op after it.
job.func @train_reduce_max_of_products_1() -> (!job.blob<70xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-70x65xf32" : !job.blob<70x65xf32>
  %y = job.read @"y-70x65xf32" : !job.blob<70x65xf32>
  %0 = job.mul %x, %y : !job.blob<70x65xf32>
  %1 = job.reduce_max %0 {axes = array<i64: 1>} : !job.blob<70x65xf32>
  %z = job.exp %1 : !job.blob<70xf32>
  %weight = job.read @"weight-70xf32" : !job.blob<70xf32>
  %loss = job.mul %z, %weight : !job.blob<70xf32>
  job.loss %loss : !job.blob<70xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<70xf32>
}

// An extremum with the op before and the op after it.
job.func @train_reduce_max_of_products_0() -> (!job.blob<65xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-70x65xf32" : !job.blob<70x65xf32>
  %y = job.read @"y-70x65xf32" : !job.blob<70x65xf32>
  %0 = job.mul %x, %y : !job.blob<70x65xf32>
  %1 = job.reduce_max %0 {axes = array<i64: 0>} : !job.blob<70x65xf32>
  %z = job.exp %1 : !job.blob<65xf32>
  %weight = job.read @"weight-65xf32" : !job.blob<65xf32>
  %loss = job.mul %z, %weight : !job.blob<65xf32>
  job.loss %loss : !job.blob<65xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<65xf32>
}

// An extremum with the op before and the op after it.
job.func @train_reduce_min_of_products_1() -> (!job.blob<70xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-70x65xf32" : !job.blob<70x65xf32>
  %y = job.read @"y-70x65xf32" : !job.blob<70x65xf32>
  %0 = job.mul %x, %y : !job.blob<70x65xf32>
  %1 = job.reduce_min %0 {axes = array<i64: 1>} : !job.blob<70x65xf32>
  %z = job.exp %1 : !job.blob<70xf32>
  %weight = job.read @"weight-70xf32" : !job.blob<70xf32>
  %loss = job.mul %z, %weight : !job.blob<70xf32>
  job.loss %loss : !job.blob<70xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<70xf32>
}

// An extremum with the op before and the op after it.
job.func @train_reduce_min_of_products_0() -> (!job.blob<65xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-70x65xf32" : !job.blob<70x65xf32>
  %y = job.read @"y-70x65xf32" : !job.blob<70x65xf32>
  %0 = job.mul %x, %y : !job.blob<70x65xf32>
  %1 = job.reduce_min %0 {axes = array<i64: 0>} : !job.blob<70x65xf32>
  %z = job.exp %1 : !job.blob<65xf32>
  %weight = job.read @"weight-65xf32" : !job.blob<65xf32>
  %loss = job.mul %z, %weight : !job.blob<65xf32>
  job.loss %loss : !job.blob<65xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<65xf32>
}
