// Table of ops: reductions. A prediction job for each op and variant, and a
// training job where the op has gradients: its operands are variables, so that
// the gradients show, with first values away from kinks and poles.

job.variable @"x-4x5xf32" : !job.blob<4x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-5xf32" : !job.blob<5xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-4xf32" : !job.blob<4xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-1xf32" : !job.blob<1xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-1x1xf32" : !job.blob<1x1xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-3x4x5xf32" : !job.blob<3x4x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-3x5xf32" : !job.blob<3x5xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-4x3x5x6xf32" : !job.blob<4x3x5x6xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-3xf32" : !job.blob<3xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-1x3x1x1xf32" : !job.blob<1x3x1x1xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-37xf32" : !job.blob<37xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-1xf32" : !job.blob<1xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-1000x37xf32" : !job.blob<1000x37xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-37x1000xf32" : !job.blob<37x1000xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-200x3x70xf32" : !job.blob<200x3x70xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-7x5xf64" : !job.blob<7x5xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-70x65xf32" : !job.blob<70x65xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"y-70x65xf32" : !job.blob<70x65xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>

job.func @reduce_sum_rows_f32() -> (!job.blob<5xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.reduce_sum %x {axes = array<i64: 0>} : !job.blob<4x5xf32>
  job.return %y : !job.blob<5xf32>
}

job.func @train_reduce_sum_rows_f32() -> (!job.blob<5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.reduce_sum %x {axes = array<i64: 0>} : !job.blob<4x5xf32>
  %weight = job.read @"weight-5xf32" : !job.blob<5xf32>
  %loss = job.mul %y, %weight : !job.blob<5xf32>
  job.loss %loss : !job.blob<5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<5xf32>
}

job.func @reduce_sum_columns_f32() -> (!job.blob<4xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.reduce_sum %x {axes = array<i64: 1>} : !job.blob<4x5xf32>
  job.return %y : !job.blob<4xf32>
}

job.func @train_reduce_sum_columns_f32() -> (!job.blob<4xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.reduce_sum %x {axes = array<i64: 1>} : !job.blob<4x5xf32>
  %weight = job.read @"weight-4xf32" : !job.blob<4xf32>
  %loss = job.mul %y, %weight : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4xf32>
}

job.func @reduce_sum_all_f32() -> (!job.blob<1xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.reduce_sum %x {axes = array<i64: 0, 1>} : !job.blob<4x5xf32>
  job.return %y : !job.blob<1xf32>
}

job.func @train_reduce_sum_all_f32() -> (!job.blob<1xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.reduce_sum %x {axes = array<i64: 0, 1>} : !job.blob<4x5xf32>
  %weight = job.read @"weight-1xf32" : !job.blob<1xf32>
  %loss = job.mul %y, %weight : !job.blob<1xf32>
  job.loss %loss : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1xf32>
}

job.func @reduce_sum_all_keepdims_f32() -> (!job.blob<1x1xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.reduce_sum %x {axes = array<i64: 0, 1>, keepdims = true} : !job.blob<4x5xf32>
  job.return %y : !job.blob<1x1xf32>
}

job.func @train_reduce_sum_all_keepdims_f32() -> (!job.blob<1x1xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.reduce_sum %x {axes = array<i64: 0, 1>, keepdims = true} : !job.blob<4x5xf32>
  %weight = job.read @"weight-1x1xf32" : !job.blob<1x1xf32>
  %loss = job.mul %y, %weight : !job.blob<1x1xf32>
  job.loss %loss : !job.blob<1x1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1x1xf32>
}

job.func @reduce_sum_middle_f32() -> (!job.blob<3x5xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-3x4x5xf32" : !job.blob<3x4x5xf32>
  %y = job.reduce_sum %x {axes = array<i64: 1>} : !job.blob<3x4x5xf32>
  job.return %y : !job.blob<3x5xf32>
}

job.func @train_reduce_sum_middle_f32() -> (!job.blob<3x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-3x4x5xf32" : !job.blob<3x4x5xf32>
  %y = job.reduce_sum %x {axes = array<i64: 1>} : !job.blob<3x4x5xf32>
  %weight = job.read @"weight-3x5xf32" : !job.blob<3x5xf32>
  %loss = job.mul %y, %weight : !job.blob<3x5xf32>
  job.loss %loss : !job.blob<3x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3x5xf32>
}

job.func @reduce_sum_outer_f32() -> (!job.blob<4xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-3x4x5xf32" : !job.blob<3x4x5xf32>
  %y = job.reduce_sum %x {axes = array<i64: 0, 2>} : !job.blob<3x4x5xf32>
  job.return %y : !job.blob<4xf32>
}

job.func @train_reduce_sum_outer_f32() -> (!job.blob<4xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-3x4x5xf32" : !job.blob<3x4x5xf32>
  %y = job.reduce_sum %x {axes = array<i64: 0, 2>} : !job.blob<3x4x5xf32>
  %weight = job.read @"weight-4xf32" : !job.blob<4xf32>
  %loss = job.mul %y, %weight : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4xf32>
}

job.func @reduce_sum_channels_f32() -> (!job.blob<3xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-4x3x5x6xf32" : !job.blob<4x3x5x6xf32>
  %y = job.reduce_sum %x {axes = array<i64: 0, 2, 3>} : !job.blob<4x3x5x6xf32>
  job.return %y : !job.blob<3xf32>
}

job.func @train_reduce_sum_channels_f32() -> (!job.blob<3xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x3x5x6xf32" : !job.blob<4x3x5x6xf32>
  %y = job.reduce_sum %x {axes = array<i64: 0, 2, 3>} : !job.blob<4x3x5x6xf32>
  %weight = job.read @"weight-3xf32" : !job.blob<3xf32>
  %loss = job.mul %y, %weight : !job.blob<3xf32>
  job.loss %loss : !job.blob<3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3xf32>
}

job.func @reduce_sum_channels_keepdims_f32() -> (!job.blob<1x3x1x1xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-4x3x5x6xf32" : !job.blob<4x3x5x6xf32>
  %y = job.reduce_sum %x {axes = array<i64: 0, 2, 3>, keepdims = true} : !job.blob<4x3x5x6xf32>
  job.return %y : !job.blob<1x3x1x1xf32>
}

job.func @train_reduce_sum_channels_keepdims_f32() -> (!job.blob<1x3x1x1xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x3x5x6xf32" : !job.blob<4x3x5x6xf32>
  %y = job.reduce_sum %x {axes = array<i64: 0, 2, 3>, keepdims = true} : !job.blob<4x3x5x6xf32>
  %weight = job.read @"weight-1x3x1x1xf32" : !job.blob<1x3x1x1xf32>
  %loss = job.mul %y, %weight : !job.blob<1x3x1x1xf32>
  job.loss %loss : !job.blob<1x3x1x1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1x3x1x1xf32>
}

job.func @reduce_sum_vector_f32() -> (!job.blob<1xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-37xf32" : !job.blob<37xf32>
  %y = job.reduce_sum %x {axes = array<i64: 0>} : !job.blob<37xf32>
  job.return %y : !job.blob<1xf32>
}

job.func @train_reduce_sum_vector_f32() -> (!job.blob<1xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-37xf32" : !job.blob<37xf32>
  %y = job.reduce_sum %x {axes = array<i64: 0>} : !job.blob<37xf32>
  %weight = job.read @"weight-1xf32" : !job.blob<1xf32>
  %loss = job.mul %y, %weight : !job.blob<1xf32>
  job.loss %loss : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1xf32>
}

job.func @reduce_sum_one_element_f32() -> (!job.blob<1xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-1xf32" : !job.blob<1xf32>
  %y = job.reduce_sum %x {axes = array<i64: 0>} : !job.blob<1xf32>
  job.return %y : !job.blob<1xf32>
}

// K = 1000
job.func @reduce_sum_long_rows_f32() -> (!job.blob<37xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-1000x37xf32" : !job.blob<1000x37xf32>
  %y = job.reduce_sum %x {axes = array<i64: 0>} : !job.blob<1000x37xf32>
  job.return %y : !job.blob<37xf32>
}

// K = 1000
job.func @reduce_sum_long_columns_f32() -> (!job.blob<37xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-37x1000xf32" : !job.blob<37x1000xf32>
  %y = job.reduce_sum %x {axes = array<i64: 1>} : !job.blob<37x1000xf32>
  job.return %y : !job.blob<37xf32>
}

// K = 42000
job.func @reduce_sum_long_f32() -> (!job.blob<1xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-200x3x70xf32" : !job.blob<200x3x70xf32>
  %y = job.reduce_sum %x {axes = array<i64: 0, 1, 2>} : !job.blob<200x3x70xf32>
  job.return %y : !job.blob<1xf32>
}

job.func @reduce_sum_rows_f64() -> (!job.blob<5xf64> {job.name = "y"}) kind predict {
  %x = job.read @"x-7x5xf64" : !job.blob<7x5xf64>
  %y = job.reduce_sum %x {axes = array<i64: 0>} : !job.blob<7x5xf64>
  job.return %y : !job.blob<5xf64>
}

job.func @reduce_sum_columns_f64() -> (!job.blob<7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"x-7x5xf64" : !job.blob<7x5xf64>
  %y = job.reduce_sum %x {axes = array<i64: 1>} : !job.blob<7x5xf64>
  job.return %y : !job.blob<7xf64>
}

job.func @reduce_sum_i8() -> (!job.blob<3xi8> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[0, -85, -117], [3, 113, 21], [-118, -70, 50], [-92, 99, -50], [-107, -44, -16]]> : tensor<5x3xi8>
  %y = job.reduce_sum %x {axes = array<i64: 0>} : !job.blob<5x3xi8>
  job.return %y : !job.blob<3xi8>
}

job.func @reduce_sum_i32() -> (!job.blob<5xi32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[2050301861, 1358656751, 744846063], [1170895202, -1331579510, 533337294], [6534123, 1127131249, -195586021], [-191897845, 2077846040, 2133887926], [707215438, -2097885175, -320134270]]> : tensor<5x3xi32>
  %y = job.reduce_sum %x {axes = array<i64: 1>} : !job.blob<5x3xi32>
  job.return %y : !job.blob<5xi32>
}

job.func @reduce_sum_i64() -> (!job.blob<1xi64> {job.name = "y"}) kind predict {
  %x = job.constant dense<[[-8084517185692713536, -6337888302106239988, 5623279810232581809], [-8801549421381550125, 4520822270247353672, -522805420020815558], [-7974224456863035731, -7525077402864173906, -3819149406507786948], [-6136818916393401937, 5145068658794460853, 2336247471167081202], [9025574569032568360, -6188599788891559146, -5209634853498966634]]> : tensor<5x3xi64>
  %y = job.reduce_sum %x {axes = array<i64: 0, 1>} : !job.blob<5x3xi64>
  job.return %y : !job.blob<1xi64>
}

// K = 65
// A sum with the op before and the op after it.
job.func @reduce_sum_of_products() -> (!job.blob<70xf32> {job.name = "z"}) kind predict {
  %x = job.read @"x-70x65xf32" : !job.blob<70x65xf32>
  %y = job.read @"y-70x65xf32" : !job.blob<70x65xf32>
  %0 = job.mul %x, %y : !job.blob<70x65xf32>
  %1 = job.reduce_sum %0 {axes = array<i64: 1>} : !job.blob<70x65xf32>
  %2 = job.exp %1 : !job.blob<70xf32>
  job.return %2 : !job.blob<70xf32>
}
