// Table of ops: shapes. A prediction job for each op and variant, and a
// training job where the op has gradients: its operands are variables, so that
// the gradients show, with first values away from kinks and poles.

job.variable @"x-4x3x5xf32" : !job.blob<4x3x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-4x15xf32" : !job.blob<4x15xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-24xf32" : !job.blob<24xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x3x4xf32" : !job.blob<2x3x4xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-2x3xf32" : !job.blob<2x3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-1xf32" : !job.blob<1xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-4x6xf32" : !job.blob<4x6xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"y-4x6xf32" : !job.blob<4x6xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-5xf32" : !job.blob<5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-4x5xf32" : !job.blob<4x5xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-4xf32" : !job.blob<4xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-3xf32" : !job.blob<3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x3x4x5xf32" : !job.blob<2x3x4x5xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-1x3x1xf32" : !job.blob<1x3x1xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-2x4xf32" : !job.blob<2x4xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-4x5xf32" : !job.blob<4x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-3xf64" : !job.blob<3xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-131xf32" : !job.blob<131xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>

job.func @reshape_flatten_f32() -> (!job.blob<4x15xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-4x3x5xf32" : !job.blob<4x3x5xf32>
  %y = job.reshape %x : !job.blob<4x3x5xf32> to !job.blob<4x15xf32>
  job.return %y : !job.blob<4x15xf32>
}

job.func @train_reshape_flatten_f32() -> (!job.blob<4x15xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x3x5xf32" : !job.blob<4x3x5xf32>
  %y = job.reshape %x : !job.blob<4x3x5xf32> to !job.blob<4x15xf32>
  %weight = job.read @"weight-4x15xf32" : !job.blob<4x15xf32>
  %loss = job.mul %y, %weight : !job.blob<4x15xf32>
  job.loss %loss : !job.blob<4x15xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x15xf32>
}

job.func @reshape_split_f32() -> (!job.blob<2x3x4xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-24xf32" : !job.blob<24xf32>
  %y = job.reshape %x : !job.blob<24xf32> to !job.blob<2x3x4xf32>
  job.return %y : !job.blob<2x3x4xf32>
}

job.func @train_reshape_split_f32() -> (!job.blob<2x3x4xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-24xf32" : !job.blob<24xf32>
  %y = job.reshape %x : !job.blob<24xf32> to !job.blob<2x3x4xf32>
  %weight = job.read @"weight-2x3x4xf32" : !job.blob<2x3x4xf32>
  %loss = job.mul %y, %weight : !job.blob<2x3x4xf32>
  job.loss %loss : !job.blob<2x3x4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x3x4xf32>
}

job.func @reshape_f64() -> (!job.blob<3x2xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-2x3xf32" : !job.blob<2x3xf32>
  %y = job.reshape %x : !job.blob<2x3xf32> to !job.blob<3x2xf32>
  job.return %y : !job.blob<3x2xf32>
}

job.func @reshape_one_f32() -> (!job.blob<1x1x1xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-1xf32" : !job.blob<1xf32>
  %y = job.reshape %x : !job.blob<1xf32> to !job.blob<1x1x1xf32>
  job.return %y : !job.blob<1x1x1xf32>
}

job.func @reshape_of_sum() -> (!job.blob<3x8xf32> {job.name = "sum"}, !job.blob<3x8xf32> {job.name = "exp"}) kind predict {
  %x = job.read @"x-4x6xf32" : !job.blob<4x6xf32>
  %y = job.read @"y-4x6xf32" : !job.blob<4x6xf32>
  %0 = job.add %x, %y : !job.blob<4x6xf32>
  %1 = job.reshape %0 : !job.blob<4x6xf32> to !job.blob<3x8xf32>
  %2 = job.exp %1 : !job.blob<3x8xf32>
  job.return %1, %2 : !job.blob<3x8xf32>, !job.blob<3x8xf32>
}

job.func @broadcast_in_dim_bias_f32() -> (!job.blob<4x5xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-5xf32" : !job.blob<5xf32>
  %y = job.broadcast_in_dim %x {dims = array<i64: 1>} : !job.blob<5xf32> to !job.blob<4x5xf32>
  job.return %y : !job.blob<4x5xf32>
}

job.func @train_broadcast_in_dim_bias_f32() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-5xf32" : !job.blob<5xf32>
  %y = job.broadcast_in_dim %x {dims = array<i64: 1>} : !job.blob<5xf32> to !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @broadcast_in_dim_column_f32() -> (!job.blob<4x5xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-4xf32" : !job.blob<4xf32>
  %y = job.broadcast_in_dim %x {dims = array<i64: 0>} : !job.blob<4xf32> to !job.blob<4x5xf32>
  job.return %y : !job.blob<4x5xf32>
}

job.func @train_broadcast_in_dim_column_f32() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-4xf32" : !job.blob<4xf32>
  %y = job.broadcast_in_dim %x {dims = array<i64: 0>} : !job.blob<4xf32> to !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @broadcast_in_dim_channels_f32() -> (!job.blob<2x3x4x5xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-3xf32" : !job.blob<3xf32>
  %y = job.broadcast_in_dim %x {dims = array<i64: 1>} : !job.blob<3xf32> to !job.blob<2x3x4x5xf32>
  job.return %y : !job.blob<2x3x4x5xf32>
}

job.func @train_broadcast_in_dim_channels_f32() -> (!job.blob<2x3x4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-3xf32" : !job.blob<3xf32>
  %y = job.broadcast_in_dim %x {dims = array<i64: 1>} : !job.blob<3xf32> to !job.blob<2x3x4x5xf32>
  %weight = job.read @"weight-2x3x4x5xf32" : !job.blob<2x3x4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<2x3x4x5xf32>
  job.loss %loss : !job.blob<2x3x4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x3x4x5xf32>
}

job.func @broadcast_in_dim_units_f32() -> (!job.blob<2x3x4xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-1x3x1xf32" : !job.blob<1x3x1xf32>
  %y = job.broadcast_in_dim %x {dims = array<i64: 0, 1, 2>} : !job.blob<1x3x1xf32> to !job.blob<2x3x4xf32>
  job.return %y : !job.blob<2x3x4xf32>
}

job.func @train_broadcast_in_dim_units_f32() -> (!job.blob<2x3x4xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-1x3x1xf32" : !job.blob<1x3x1xf32>
  %y = job.broadcast_in_dim %x {dims = array<i64: 0, 1, 2>} : !job.blob<1x3x1xf32> to !job.blob<2x3x4xf32>
  %weight = job.read @"weight-2x3x4xf32" : !job.blob<2x3x4xf32>
  %loss = job.mul %y, %weight : !job.blob<2x3x4xf32>
  job.loss %loss : !job.blob<2x3x4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x3x4xf32>
}

job.func @broadcast_in_dim_one_f32() -> (!job.blob<4x5xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-1xf32" : !job.blob<1xf32>
  %y = job.broadcast_in_dim %x {dims = array<i64: 0>} : !job.blob<1xf32> to !job.blob<4x5xf32>
  job.return %y : !job.blob<4x5xf32>
}

job.func @train_broadcast_in_dim_one_f32() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-1xf32" : !job.blob<1xf32>
  %y = job.broadcast_in_dim %x {dims = array<i64: 0>} : !job.blob<1xf32> to !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @broadcast_in_dim_outer_f32() -> (!job.blob<2x3x4xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-2x4xf32" : !job.blob<2x4xf32>
  %y = job.broadcast_in_dim %x {dims = array<i64: 0, 2>} : !job.blob<2x4xf32> to !job.blob<2x3x4xf32>
  job.return %y : !job.blob<2x3x4xf32>
}

job.func @train_broadcast_in_dim_outer_f32() -> (!job.blob<2x3x4xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-2x4xf32" : !job.blob<2x4xf32>
  %y = job.broadcast_in_dim %x {dims = array<i64: 0, 2>} : !job.blob<2x4xf32> to !job.blob<2x3x4xf32>
  %weight = job.read @"weight-2x3x4xf32" : !job.blob<2x3x4xf32>
  %loss = job.mul %y, %weight : !job.blob<2x3x4xf32>
  job.loss %loss : !job.blob<2x3x4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x3x4xf32>
}

job.func @broadcast_in_dim_same_f32() -> (!job.blob<4x5xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %y = job.broadcast_in_dim %x {dims = array<i64: 0, 1>} : !job.blob<4x5xf32> to !job.blob<4x5xf32>
  job.return %y : !job.blob<4x5xf32>
}

job.func @broadcast_in_dim_f64() -> (!job.blob<7x3xf64> {job.name = "y"}) kind predict {
  %x = job.read @"x-3xf64" : !job.blob<3xf64>
  %y = job.broadcast_in_dim %x {dims = array<i64: 1>} : !job.blob<3xf64> to !job.blob<7x3xf64>
  job.return %y : !job.blob<7x3xf64>
}

job.func @broadcast_in_dim_long_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-131xf32" : !job.blob<131xf32>
  %y = job.broadcast_in_dim %x {dims = array<i64: 1>} : !job.blob<131xf32> to !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @integers() -> (!job.blob<6xi1> {job.name = "i1"}, !job.blob<6xi8> {job.name = "i8"}, !job.blob<6xi32> {job.name = "i32"}, !job.blob<6xi64> {job.name = "i64"}) kind predict {
  %x_i1 = job.constant dense<[true, false, true]> : tensor<3xi1>
  %b_i1 = job.broadcast_in_dim %x_i1 {dims = array<i64: 0>} : !job.blob<3xi1> to !job.blob<3x2xi1>
  %r_i1 = job.reshape %b_i1 : !job.blob<3x2xi1> to !job.blob<6xi1>
  %x_i8 = job.constant dense<[-1, 0, 5]> : tensor<3xi8>
  %b_i8 = job.broadcast_in_dim %x_i8 {dims = array<i64: 0>} : !job.blob<3xi8> to !job.blob<3x2xi8>
  %r_i8 = job.reshape %b_i8 : !job.blob<3x2xi8> to !job.blob<6xi8>
  %x_i32 = job.constant dense<[-1, 0, 5]> : tensor<3xi32>
  %b_i32 = job.broadcast_in_dim %x_i32 {dims = array<i64: 0>} : !job.blob<3xi32> to !job.blob<3x2xi32>
  %r_i32 = job.reshape %b_i32 : !job.blob<3x2xi32> to !job.blob<6xi32>
  %x_i64 = job.constant dense<[-1, 0, 5]> : tensor<3xi64>
  %b_i64 = job.broadcast_in_dim %x_i64 {dims = array<i64: 0>} : !job.blob<3xi64> to !job.blob<3x2xi64>
  %r_i64 = job.reshape %b_i64 : !job.blob<3x2xi64> to !job.blob<6xi64>
  job.return %r_i1, %r_i8, %r_i32, %r_i64 : !job.blob<6xi1>, !job.blob<6xi8>, !job.blob<6xi32>, !job.blob<6xi64>
}
