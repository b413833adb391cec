// Table of ops: elements by index. A prediction job for each op and variant,
// and a training job where the op has gradients, as in loss.mlir. Indices that
// are outside of the dimension are among those of scatter_add everywhere, of
// gather in jobs of their own, since a loss must not be NaN.

job.variable @"x-50x7xf32" : !job.blob<50x7xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"x-4x3x7xf32" : !job.blob<4x3x7xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"weight-4x3x7xf32" : !job.blob<4x3x7xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-50x7xf32" : !job.blob<50x7xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-10xf32" : !job.blob<10xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"x-33xf32" : !job.blob<33xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"weight-33xf32" : !job.blob<33xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-10xf32" : !job.blob<10xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-5x100xf32" : !job.blob<5x100xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"x-6x100xf32" : !job.blob<6x100xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"weight-6x100xf32" : !job.blob<6x100xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-5x100xf32" : !job.blob<5x100xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-5x9xf32" : !job.blob<5x9xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"x-5x4xf32" : !job.blob<5x4xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"weight-5x4xf32" : !job.blob<5x4xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-5x9xf32" : !job.blob<5x9xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-3x4x5xf64" : !job.blob<3x4x5xf64> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"x-3x2x3x5xf64" : !job.blob<3x2x3x5xf64> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"weight-3x2x3x5xf64" : !job.blob<3x2x3x5xf64> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-3x4x5xf64" : !job.blob<3x4x5xf64> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-3x5x6xf32" : !job.blob<3x5x6xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"x-3x4x6xf32" : !job.blob<3x4x6xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"weight-3x4x6xf32" : !job.blob<3x4x6xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-3x5x6xf32" : !job.blob<3x5x6xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-2x3x5x4xf32" : !job.blob<2x3x5x4xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"x-2x3x4x4xf32" : !job.blob<2x3x4x4xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"weight-2x3x4x4xf32" : !job.blob<2x3x4x4xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-2x3x5x4xf32" : !job.blob<2x3x5x4xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-2x3x2x4xf32" : !job.blob<2x3x2x4xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"weight-2x3x2x4xf32" : !job.blob<2x3x2x4xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-4x6xf32" : !job.blob<4x6xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"x-4xf32" : !job.blob<4xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"weight-4xf32" : !job.blob<4xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-4x6xf32" : !job.blob<4x6xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-4x6x5xf64" : !job.blob<4x6x5xf64> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"x-4x5xf64" : !job.blob<4x5xf64> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"weight-4x5xf64" : !job.blob<4x5xf64> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-4x6x5xf64" : !job.blob<4x6x5xf64> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"n-6x3xi8" : !job.blob<6x3xi8> init #job.random_uniform_init<min = -100.0, max = 100.0> {trainable = false}
job.variable @"n-5x3xi8" : !job.blob<5x3xi8> init #job.random_uniform_init<min = -100.0, max = 100.0> {trainable = false}
job.variable @"n-4x17xi32" : !job.blob<4x17xi32> init #job.random_uniform_init<min = -100.0, max = 100.0> {trainable = false}
job.variable @"n-4x3xi32" : !job.blob<4x3xi32> init #job.random_uniform_init<min = -100.0, max = 100.0> {trainable = false}
job.variable @"n-7x16xi64" : !job.blob<7x16xi64> init #job.random_uniform_init<min = -100.0, max = 100.0> {trainable = false}
job.variable @"n-9x16xi64" : !job.blob<9x16xi64> init #job.random_uniform_init<min = -100.0, max = 100.0> {trainable = false}
job.variable @"x-1x5xf32" : !job.blob<1x5xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"x-3x5xf32" : !job.blob<3x5xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"weight-3x5xf32" : !job.blob<3x5xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-1x5xf32" : !job.blob<1x5xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-1000x64xf32" : !job.blob<1000x64xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"indices-0-999-300xi32" : !job.blob<300xi32> init #job.random_uniform_init<min = 0.0, max = 999.0> {trainable = false}
job.variable @"indices-minus-2-1001-300xi32" : !job.blob<300xi32> init #job.random_uniform_init<min = -2.0, max = 1001.0> {trainable = false}
job.variable @"x-300x64xf32" : !job.blob<300x64xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"weight-300x64xf32" : !job.blob<300x64xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-1000x64xf32" : !job.blob<1000x64xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-300x200xf32" : !job.blob<300x200xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-10x200xf32" : !job.blob<10x200xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"indices-0-9-1000xi32" : !job.blob<1000xi32> init #job.random_uniform_init<min = 0.0, max = 9.0> {trainable = false}
job.variable @"indices-minus-2-11-1000xi32" : !job.blob<1000xi32> init #job.random_uniform_init<min = -2.0, max = 11.0> {trainable = false}
job.variable @"x-1000x200xf32" : !job.blob<1000x200xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"weight-1000x200xf32" : !job.blob<1000x200xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-10x200xf32" : !job.blob<10x200xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-30000xf32" : !job.blob<30000xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"indices-0-29999-20000xi32" : !job.blob<20000xi32> init #job.random_uniform_init<min = 0.0, max = 29999.0> {trainable = false}
job.variable @"indices-minus-2-30001-20000xi32" : !job.blob<20000xi32> init #job.random_uniform_init<min = -2.0, max = 30001.0> {trainable = false}
job.variable @"x-20000xf32" : !job.blob<20000xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"weight-20000xf32" : !job.blob<20000xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-30000xf32" : !job.blob<30000xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-40x37x8xf32" : !job.blob<40x37x8xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"indices-0-36-40x25xi64" : !job.blob<40x25xi64> init #job.random_uniform_init<min = 0.0, max = 36.0> {trainable = false}
job.variable @"indices-minus-2-38-40x25xi64" : !job.blob<40x25xi64> init #job.random_uniform_init<min = -2.0, max = 38.0> {trainable = false}
job.variable @"x-40x25x8xf32" : !job.blob<40x25x8xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"weight-40x25x8xf32" : !job.blob<40x25x8xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-40x37x8xf32" : !job.blob<40x37x8xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-64x500xf32" : !job.blob<64x500xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"indices-0-499-300xi32" : !job.blob<300xi32> init #job.random_uniform_init<min = 0.0, max = 499.0> {trainable = false}
job.variable @"indices-minus-2-501-300xi32" : !job.blob<300xi32> init #job.random_uniform_init<min = -2.0, max = 501.0> {trainable = false}
job.variable @"x-64x300xf32" : !job.blob<64x300xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"weight-64x300xf32" : !job.blob<64x300xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-64x500xf32" : !job.blob<64x500xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"x-200x2xf32" : !job.blob<200x2xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"x-4x2xf32" : !job.blob<4x2xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"weight-200x2xf32" : !job.blob<200x2xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}

// K = 0
job.func @gather_rows_i32_f32() -> (!job.blob<4x3x7xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-50x7xf32" : !job.blob<50x7xf32>
  %indices = job.constant dense<[[20, 9, 25], [41, 3, 4], [34, 6, 23], [37, 3, 32]]> : tensor<4x3xi32>
  %y = job.gather %x, %indices {axis = 0 : i64} : !job.blob<50x7xf32>, !job.blob<4x3xi32>
  job.return %y : !job.blob<4x3x7xf32>
}

// K = 0
job.func @gather_outside_rows_i32_f32() -> (!job.blob<4x3x7xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-50x7xf32" : !job.blob<50x7xf32>
  %indices = job.constant dense<[[51, 0, 3], [25, 24, 2], [-2, 3, 33], [25, 1, 50]]> : tensor<4x3xi32>
  %y = job.gather %x, %indices {axis = 0 : i64} : !job.blob<50x7xf32>, !job.blob<4x3xi32>
  job.return %y : !job.blob<4x3x7xf32>
}

// K = 12
job.func @scatter_add_rows_i32_f32() -> (!job.blob<50x7xf32> {job.name = "y"}) kind predict {
  %u = job.read @"x-4x3x7xf32" : !job.blob<4x3x7xf32>
  %indices = job.constant dense<[[51, 5, 12], [38, 38, 35], [-2, 34, 35], [23, 1, 12]]> : tensor<4x3xi32>
  %y = job.scatter_add %u, %indices {axis = 0 : i64, extent = 50 : i64} : !job.blob<4x3x7xf32>, !job.blob<4x3xi32>
  job.return %y : !job.blob<50x7xf32>
}

// K = 12
job.func @train_gather_rows_i32_f32() -> (!job.blob<4x3x7xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-50x7xf32" : !job.blob<50x7xf32>
  %indices = job.constant dense<[[2, 35, 8], [18, 26, 9], [34, 7, 36], [19, 35, 43]]> : tensor<4x3xi32>
  %y = job.gather %x, %indices {axis = 0 : i64} : !job.blob<50x7xf32>, !job.blob<4x3xi32>
  %weight = job.read @"weight-4x3x7xf32" : !job.blob<4x3x7xf32>
  %loss = job.mul %y, %weight : !job.blob<4x3x7xf32>
  job.loss %loss : !job.blob<4x3x7xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x3x7xf32>
}

// K = 12
job.func @train_scatter_add_rows_i32_f32() -> (!job.blob<50x7xf32> {job.name = "loss"}) kind train {
  %u = job.read @"x-4x3x7xf32" : !job.blob<4x3x7xf32>
  %indices = job.constant dense<[[51, 4, 35], [34, 38, 10], [-2, 4, 33], [43, 2, 34]]> : tensor<4x3xi32>
  %y = job.scatter_add %u, %indices {axis = 0 : i64, extent = 50 : i64} : !job.blob<4x3x7xf32>, !job.blob<4x3xi32>
  %weight = job.read @"weight-50x7xf32" : !job.blob<50x7xf32>
  %loss = job.mul %y, %weight : !job.blob<50x7xf32>
  job.loss %loss : !job.blob<50x7xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<50x7xf32>
}

// K = 0
job.func @gather_rank1_i64_f32() -> (!job.blob<33xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-10xf32" : !job.blob<10xf32>
  %indices = job.constant dense<[0, 9, 3, 7, 8, 6, 5, 7, 9, 7, 5, 4, 3, 2, 3, 1, 9, 4, 8, 7, 5, 7, 4, 9, 1, 1, 8, 6, 2, 5, 2, 7, 6]> : tensor<33xi64>
  %y = job.gather %x, %indices {axis = 0 : i64} : !job.blob<10xf32>, !job.blob<33xi64>
  job.return %y : !job.blob<33xf32>
}

// K = 0
job.func @gather_outside_rank1_i64_f32() -> (!job.blob<33xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-10xf32" : !job.blob<10xf32>
  %indices = job.constant dense<[11, 8, -1, 10, 6, 7, 10, 11, 3, 3, 9, 3, 7, 5, 7, 10, -2, -1, 11, -1, 2, 5, 9, 8, -1, -2, 9, 9, 2, 8, 7, 8, 11]> : tensor<33xi64>
  %y = job.gather %x, %indices {axis = 0 : i64} : !job.blob<10xf32>, !job.blob<33xi64>
  job.return %y : !job.blob<33xf32>
}

// K = 33
job.func @scatter_add_rank1_i64_f32() -> (!job.blob<10xf32> {job.name = "y"}) kind predict {
  %u = job.read @"x-33xf32" : !job.blob<33xf32>
  %indices = job.constant dense<[11, 2, 9, 4, 8, 3, -2, 5, 3, 0, 7, -1, 5, -2, 1, 10, -2, 0, 9, 1, 4, 4, 11, 5, -1, 0, 5, 4, 6, 2, 0, 11, 4]> : tensor<33xi64>
  %y = job.scatter_add %u, %indices {axis = 0 : i64, extent = 10 : i64} : !job.blob<33xf32>, !job.blob<33xi64>
  job.return %y : !job.blob<10xf32>
}

// K = 33
job.func @train_gather_rank1_i64_f32() -> (!job.blob<33xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-10xf32" : !job.blob<10xf32>
  %indices = job.constant dense<[8, 4, 6, 5, 6, 3, 2, 1, 2, 2, 3, 3, 0, 7, 9, 2, 4, 4, 0, 2, 6, 8, 5, 9, 9, 5, 2, 8, 9, 0, 7, 8, 6]> : tensor<33xi64>
  %y = job.gather %x, %indices {axis = 0 : i64} : !job.blob<10xf32>, !job.blob<33xi64>
  %weight = job.read @"weight-33xf32" : !job.blob<33xf32>
  %loss = job.mul %y, %weight : !job.blob<33xf32>
  job.loss %loss : !job.blob<33xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<33xf32>
}

// K = 33
job.func @train_scatter_add_rank1_i64_f32() -> (!job.blob<10xf32> {job.name = "loss"}) kind train {
  %u = job.read @"x-33xf32" : !job.blob<33xf32>
  %indices = job.constant dense<[11, 4, 4, -1, 5, 8, 4, -2, 1, -1, 1, 5, 0, -1, 3, 7, -2, -1, -2, 7, 0, 6, -1, 3, 7, -2, -1, 11, 1, 7, 4, 0, 8]> : tensor<33xi64>
  %y = job.scatter_add %u, %indices {axis = 0 : i64, extent = 10 : i64} : !job.blob<33xf32>, !job.blob<33xi64>
  %weight = job.read @"weight-10xf32" : !job.blob<10xf32>
  %loss = job.mul %y, %weight : !job.blob<10xf32>
  job.loss %loss : !job.blob<10xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<10xf32>
}

// K = 0
job.func @gather_wide_rows_i8_f32() -> (!job.blob<6x100xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-5x100xf32" : !job.blob<5x100xf32>
  %indices = job.constant dense<[2, 2, 4, 2, 3, 0]> : tensor<6xi8>
  %y = job.gather %x, %indices {axis = 0 : i64} : !job.blob<5x100xf32>, !job.blob<6xi8>
  job.return %y : !job.blob<6x100xf32>
}

// K = 0
job.func @gather_outside_wide_rows_i8_f32() -> (!job.blob<6x100xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-5x100xf32" : !job.blob<5x100xf32>
  %indices = job.constant dense<[6, 5, 5, -2, 5, 2]> : tensor<6xi8>
  %y = job.gather %x, %indices {axis = 0 : i64} : !job.blob<5x100xf32>, !job.blob<6xi8>
  job.return %y : !job.blob<6x100xf32>
}

// K = 6
job.func @scatter_add_wide_rows_i8_f32() -> (!job.blob<5x100xf32> {job.name = "y"}) kind predict {
  %u = job.read @"x-6x100xf32" : !job.blob<6x100xf32>
  %indices = job.constant dense<[6, 0, -1, -2, 2, 5]> : tensor<6xi8>
  %y = job.scatter_add %u, %indices {axis = 0 : i64, extent = 5 : i64} : !job.blob<6x100xf32>, !job.blob<6xi8>
  job.return %y : !job.blob<5x100xf32>
}

// K = 6
job.func @train_gather_wide_rows_i8_f32() -> (!job.blob<6x100xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-5x100xf32" : !job.blob<5x100xf32>
  %indices = job.constant dense<[1, 4, 0, 1, 4, 2]> : tensor<6xi8>
  %y = job.gather %x, %indices {axis = 0 : i64} : !job.blob<5x100xf32>, !job.blob<6xi8>
  %weight = job.read @"weight-6x100xf32" : !job.blob<6x100xf32>
  %loss = job.mul %y, %weight : !job.blob<6x100xf32>
  job.loss %loss : !job.blob<6x100xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<6x100xf32>
}

// K = 6
job.func @train_scatter_add_wide_rows_i8_f32() -> (!job.blob<5x100xf32> {job.name = "loss"}) kind train {
  %u = job.read @"x-6x100xf32" : !job.blob<6x100xf32>
  %indices = job.constant dense<[6, 6, -2, -2, 2, -1]> : tensor<6xi8>
  %y = job.scatter_add %u, %indices {axis = 0 : i64, extent = 5 : i64} : !job.blob<6x100xf32>, !job.blob<6xi8>
  %weight = job.read @"weight-5x100xf32" : !job.blob<5x100xf32>
  %loss = job.mul %y, %weight : !job.blob<5x100xf32>
  job.loss %loss : !job.blob<5x100xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<5x100xf32>
}

// K = 0
job.func @gather_last_axis_f32() -> (!job.blob<5x4xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-5x9xf32" : !job.blob<5x9xf32>
  %indices = job.constant dense<[4, 8, 5, 2]> : tensor<4xi32>
  %y = job.gather %x, %indices {axis = 1 : i64} : !job.blob<5x9xf32>, !job.blob<4xi32>
  job.return %y : !job.blob<5x4xf32>
}

// K = 0
job.func @gather_outside_last_axis_f32() -> (!job.blob<5x4xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-5x9xf32" : !job.blob<5x9xf32>
  %indices = job.constant dense<[10, 10, -2, 6]> : tensor<4xi32>
  %y = job.gather %x, %indices {axis = 1 : i64} : !job.blob<5x9xf32>, !job.blob<4xi32>
  job.return %y : !job.blob<5x4xf32>
}

// K = 4
job.func @scatter_add_last_axis_f32() -> (!job.blob<5x9xf32> {job.name = "y"}) kind predict {
  %u = job.read @"x-5x4xf32" : !job.blob<5x4xf32>
  %indices = job.constant dense<[10, 10, -2, 3]> : tensor<4xi32>
  %y = job.scatter_add %u, %indices {axis = 1 : i64, extent = 9 : i64} : !job.blob<5x4xf32>, !job.blob<4xi32>
  job.return %y : !job.blob<5x9xf32>
}

// K = 4
job.func @train_gather_last_axis_f32() -> (!job.blob<5x4xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-5x9xf32" : !job.blob<5x9xf32>
  %indices = job.constant dense<[3, 3, 3, 6]> : tensor<4xi32>
  %y = job.gather %x, %indices {axis = 1 : i64} : !job.blob<5x9xf32>, !job.blob<4xi32>
  %weight = job.read @"weight-5x4xf32" : !job.blob<5x4xf32>
  %loss = job.mul %y, %weight : !job.blob<5x4xf32>
  job.loss %loss : !job.blob<5x4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<5x4xf32>
}

// K = 4
job.func @train_scatter_add_last_axis_f32() -> (!job.blob<5x9xf32> {job.name = "loss"}) kind train {
  %u = job.read @"x-5x4xf32" : !job.blob<5x4xf32>
  %indices = job.constant dense<[10, 10, -2, 1]> : tensor<4xi32>
  %y = job.scatter_add %u, %indices {axis = 1 : i64, extent = 9 : i64} : !job.blob<5x4xf32>, !job.blob<4xi32>
  %weight = job.read @"weight-5x9xf32" : !job.blob<5x9xf32>
  %loss = job.mul %y, %weight : !job.blob<5x9xf32>
  job.loss %loss : !job.blob<5x9xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<5x9xf32>
}

// K = 0
job.func @gather_middle_axis_f64() -> (!job.blob<3x2x3x5xf64> {job.name = "y"}) kind predict {
  %x = job.read @"x-3x4x5xf64" : !job.blob<3x4x5xf64>
  %indices = job.constant dense<[[3, 2, 0], [0, 2, 3]]> : tensor<2x3xi64>
  %y = job.gather %x, %indices {axis = 1 : i64} : !job.blob<3x4x5xf64>, !job.blob<2x3xi64>
  job.return %y : !job.blob<3x2x3x5xf64>
}

// K = 0
job.func @gather_outside_middle_axis_f64() -> (!job.blob<3x2x3x5xf64> {job.name = "y"}) kind predict {
  %x = job.read @"x-3x4x5xf64" : !job.blob<3x4x5xf64>
  %indices = job.constant dense<[[5, 1, 3], [-2, 3, 3]]> : tensor<2x3xi64>
  %y = job.gather %x, %indices {axis = 1 : i64} : !job.blob<3x4x5xf64>, !job.blob<2x3xi64>
  job.return %y : !job.blob<3x2x3x5xf64>
}

// K = 6
job.func @scatter_add_middle_axis_f64() -> (!job.blob<3x4x5xf64> {job.name = "y"}) kind predict {
  %u = job.read @"x-3x2x3x5xf64" : !job.blob<3x2x3x5xf64>
  %indices = job.constant dense<[[5, 1, -1], [-2, 5, 1]]> : tensor<2x3xi64>
  %y = job.scatter_add %u, %indices {axis = 1 : i64, extent = 4 : i64} : !job.blob<3x2x3x5xf64>, !job.blob<2x3xi64>
  job.return %y : !job.blob<3x4x5xf64>
}

// K = 6
job.func @train_gather_middle_axis_f64() -> (!job.blob<3x2x3x5xf64> {job.name = "loss"}) kind train {
  %x = job.read @"x-3x4x5xf64" : !job.blob<3x4x5xf64>
  %indices = job.constant dense<[[2, 1, 3], [0, 3, 2]]> : tensor<2x3xi64>
  %y = job.gather %x, %indices {axis = 1 : i64} : !job.blob<3x4x5xf64>, !job.blob<2x3xi64>
  %weight = job.read @"weight-3x2x3x5xf64" : !job.blob<3x2x3x5xf64>
  %loss = job.mul %y, %weight : !job.blob<3x2x3x5xf64>
  job.loss %loss : !job.blob<3x2x3x5xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3x2x3x5xf64>
}

// K = 6
job.func @train_scatter_add_middle_axis_f64() -> (!job.blob<3x4x5xf64> {job.name = "loss"}) kind train {
  %u = job.read @"x-3x2x3x5xf64" : !job.blob<3x2x3x5xf64>
  %indices = job.constant dense<[[5, -1, 4], [-2, 5, 0]]> : tensor<2x3xi64>
  %y = job.scatter_add %u, %indices {axis = 1 : i64, extent = 4 : i64} : !job.blob<3x2x3x5xf64>, !job.blob<2x3xi64>
  %weight = job.read @"weight-3x4x5xf64" : !job.blob<3x4x5xf64>
  %loss = job.mul %y, %weight : !job.blob<3x4x5xf64>
  job.loss %loss : !job.blob<3x4x5xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3x4x5xf64>
}

// K = 0
job.func @gather_batch1_f32() -> (!job.blob<3x4x6xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-3x5x6xf32" : !job.blob<3x5x6xf32>
  %indices = job.constant dense<[[3, 2, 0, 3], [3, 3, 0, 1], [1, 1, 0, 1]]> : tensor<3x4xi32>
  %y = job.gather %x, %indices {axis = 1 : i64, batch_dims = 1 : i64} : !job.blob<3x5x6xf32>, !job.blob<3x4xi32>
  job.return %y : !job.blob<3x4x6xf32>
}

// K = 0
job.func @gather_outside_batch1_f32() -> (!job.blob<3x4x6xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-3x5x6xf32" : !job.blob<3x5x6xf32>
  %indices = job.constant dense<[[6, 0, 5, 3], [0, 6, -2, 0], [-2, -2, -1, 6]]> : tensor<3x4xi32>
  %y = job.gather %x, %indices {axis = 1 : i64, batch_dims = 1 : i64} : !job.blob<3x5x6xf32>, !job.blob<3x4xi32>
  job.return %y : !job.blob<3x4x6xf32>
}

// K = 4
job.func @scatter_add_batch1_f32() -> (!job.blob<3x5x6xf32> {job.name = "y"}) kind predict {
  %u = job.read @"x-3x4x6xf32" : !job.blob<3x4x6xf32>
  %indices = job.constant dense<[[6, 4, 1, 1], [-2, 2, -2, 2], [6, 1, 3, 2]]> : tensor<3x4xi32>
  %y = job.scatter_add %u, %indices {axis = 1 : i64, extent = 5 : i64, batch_dims = 1 : i64} : !job.blob<3x4x6xf32>, !job.blob<3x4xi32>
  job.return %y : !job.blob<3x5x6xf32>
}

// K = 4
job.func @train_gather_batch1_f32() -> (!job.blob<3x4x6xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-3x5x6xf32" : !job.blob<3x5x6xf32>
  %indices = job.constant dense<[[4, 3, 1, 0], [2, 3, 4, 4], [3, 4, 1, 4]]> : tensor<3x4xi32>
  %y = job.gather %x, %indices {axis = 1 : i64, batch_dims = 1 : i64} : !job.blob<3x5x6xf32>, !job.blob<3x4xi32>
  %weight = job.read @"weight-3x4x6xf32" : !job.blob<3x4x6xf32>
  %loss = job.mul %y, %weight : !job.blob<3x4x6xf32>
  job.loss %loss : !job.blob<3x4x6xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3x4x6xf32>
}

// K = 4
job.func @train_scatter_add_batch1_f32() -> (!job.blob<3x5x6xf32> {job.name = "loss"}) kind train {
  %u = job.read @"x-3x4x6xf32" : !job.blob<3x4x6xf32>
  %indices = job.constant dense<[[6, 6, 6, -2], [5, 0, -2, 0], [0, 0, 5, -1]]> : tensor<3x4xi32>
  %y = job.scatter_add %u, %indices {axis = 1 : i64, extent = 5 : i64, batch_dims = 1 : i64} : !job.blob<3x4x6xf32>, !job.blob<3x4xi32>
  %weight = job.read @"weight-3x5x6xf32" : !job.blob<3x5x6xf32>
  %loss = job.mul %y, %weight : !job.blob<3x5x6xf32>
  job.loss %loss : !job.blob<3x5x6xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3x5x6xf32>
}

// K = 0
job.func @gather_batch1_later_axis_f32() -> (!job.blob<2x3x4x4xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-2x3x5x4xf32" : !job.blob<2x3x5x4xf32>
  %indices = job.constant dense<[[4, 0, 2, 4], [4, 4, 3, 0]]> : tensor<2x4xi8>
  %y = job.gather %x, %indices {axis = 2 : i64, batch_dims = 1 : i64} : !job.blob<2x3x5x4xf32>, !job.blob<2x4xi8>
  job.return %y : !job.blob<2x3x4x4xf32>
}

// K = 0
job.func @gather_outside_batch1_later_axis_f32() -> (!job.blob<2x3x4x4xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-2x3x5x4xf32" : !job.blob<2x3x5x4xf32>
  %indices = job.constant dense<[[6, -2, 1, 1], [-2, -2, -1, 6]]> : tensor<2x4xi8>
  %y = job.gather %x, %indices {axis = 2 : i64, batch_dims = 1 : i64} : !job.blob<2x3x5x4xf32>, !job.blob<2x4xi8>
  job.return %y : !job.blob<2x3x4x4xf32>
}

// K = 4
job.func @scatter_add_batch1_later_axis_f32() -> (!job.blob<2x3x5x4xf32> {job.name = "y"}) kind predict {
  %u = job.read @"x-2x3x4x4xf32" : !job.blob<2x3x4x4xf32>
  %indices = job.constant dense<[[6, 6, -2, -1], [-2, 3, 6, 6]]> : tensor<2x4xi8>
  %y = job.scatter_add %u, %indices {axis = 2 : i64, extent = 5 : i64, batch_dims = 1 : i64} : !job.blob<2x3x4x4xf32>, !job.blob<2x4xi8>
  job.return %y : !job.blob<2x3x5x4xf32>
}

// K = 4
job.func @train_gather_batch1_later_axis_f32() -> (!job.blob<2x3x4x4xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-2x3x5x4xf32" : !job.blob<2x3x5x4xf32>
  %indices = job.constant dense<[[1, 2, 3, 4], [4, 3, 4, 1]]> : tensor<2x4xi8>
  %y = job.gather %x, %indices {axis = 2 : i64, batch_dims = 1 : i64} : !job.blob<2x3x5x4xf32>, !job.blob<2x4xi8>
  %weight = job.read @"weight-2x3x4x4xf32" : !job.blob<2x3x4x4xf32>
  %loss = job.mul %y, %weight : !job.blob<2x3x4x4xf32>
  job.loss %loss : !job.blob<2x3x4x4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x3x4x4xf32>
}

// K = 4
job.func @train_scatter_add_batch1_later_axis_f32() -> (!job.blob<2x3x5x4xf32> {job.name = "loss"}) kind train {
  %u = job.read @"x-2x3x4x4xf32" : !job.blob<2x3x4x4xf32>
  %indices = job.constant dense<[[6, 2, 6, 1], [-2, 0, 4, -1]]> : tensor<2x4xi8>
  %y = job.scatter_add %u, %indices {axis = 2 : i64, extent = 5 : i64, batch_dims = 1 : i64} : !job.blob<2x3x4x4xf32>, !job.blob<2x4xi8>
  %weight = job.read @"weight-2x3x5x4xf32" : !job.blob<2x3x5x4xf32>
  %loss = job.mul %y, %weight : !job.blob<2x3x5x4xf32>
  job.loss %loss : !job.blob<2x3x5x4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x3x5x4xf32>
}

// K = 0
job.func @gather_batch2_f32() -> (!job.blob<2x3x2x4xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-2x3x5x4xf32" : !job.blob<2x3x5x4xf32>
  %indices = job.constant dense<[[[3, 3], [2, 0], [1, 3]], [[0, 1], [2, 0], [1, 2]]]> : tensor<2x3x2xi64>
  %y = job.gather %x, %indices {axis = 2 : i64, batch_dims = 2 : i64} : !job.blob<2x3x5x4xf32>, !job.blob<2x3x2xi64>
  job.return %y : !job.blob<2x3x2x4xf32>
}

// K = 0
job.func @gather_outside_batch2_f32() -> (!job.blob<2x3x2x4xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-2x3x5x4xf32" : !job.blob<2x3x5x4xf32>
  %indices = job.constant dense<[[[6, 2], [0, 5], [1, -1]], [[-2, 5], [0, 1], [0, 4]]]> : tensor<2x3x2xi64>
  %y = job.gather %x, %indices {axis = 2 : i64, batch_dims = 2 : i64} : !job.blob<2x3x5x4xf32>, !job.blob<2x3x2xi64>
  job.return %y : !job.blob<2x3x2x4xf32>
}

// K = 2
job.func @scatter_add_batch2_f32() -> (!job.blob<2x3x5x4xf32> {job.name = "y"}) kind predict {
  %u = job.read @"x-2x3x2x4xf32" : !job.blob<2x3x2x4xf32>
  %indices = job.constant dense<[[[6, 4], [3, 4], [1, 3]], [[-2, -1], [3, -2], [3, 6]]]> : tensor<2x3x2xi64>
  %y = job.scatter_add %u, %indices {axis = 2 : i64, extent = 5 : i64, batch_dims = 2 : i64} : !job.blob<2x3x2x4xf32>, !job.blob<2x3x2xi64>
  job.return %y : !job.blob<2x3x5x4xf32>
}

// K = 2
job.func @train_gather_batch2_f32() -> (!job.blob<2x3x2x4xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-2x3x5x4xf32" : !job.blob<2x3x5x4xf32>
  %indices = job.constant dense<[[[3, 3], [0, 3], [2, 4]], [[4, 2], [4, 0], [0, 1]]]> : tensor<2x3x2xi64>
  %y = job.gather %x, %indices {axis = 2 : i64, batch_dims = 2 : i64} : !job.blob<2x3x5x4xf32>, !job.blob<2x3x2xi64>
  %weight = job.read @"weight-2x3x2x4xf32" : !job.blob<2x3x2x4xf32>
  %loss = job.mul %y, %weight : !job.blob<2x3x2x4xf32>
  job.loss %loss : !job.blob<2x3x2x4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x3x2x4xf32>
}

// K = 2
job.func @train_scatter_add_batch2_f32() -> (!job.blob<2x3x5x4xf32> {job.name = "loss"}) kind train {
  %u = job.read @"x-2x3x2x4xf32" : !job.blob<2x3x2x4xf32>
  %indices = job.constant dense<[[[6, -1], [2, 2], [-2, 0]], [[-2, 0], [4, 2], [4, 0]]]> : tensor<2x3x2xi64>
  %y = job.scatter_add %u, %indices {axis = 2 : i64, extent = 5 : i64, batch_dims = 2 : i64} : !job.blob<2x3x2x4xf32>, !job.blob<2x3x2xi64>
  %weight = job.read @"weight-2x3x5x4xf32" : !job.blob<2x3x5x4xf32>
  %loss = job.mul %y, %weight : !job.blob<2x3x5x4xf32>
  job.loss %loss : !job.blob<2x3x5x4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x3x5x4xf32>
}

// K = 0
job.func @gather_one_a_row_f32() -> (!job.blob<4xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-4x6xf32" : !job.blob<4x6xf32>
  %indices = job.constant dense<[4, 4, 4, 3]> : tensor<4xi32>
  %y = job.gather %x, %indices {axis = 1 : i64, batch_dims = 1 : i64} : !job.blob<4x6xf32>, !job.blob<4xi32>
  job.return %y : !job.blob<4xf32>
}

// K = 0
job.func @gather_outside_one_a_row_f32() -> (!job.blob<4xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-4x6xf32" : !job.blob<4x6xf32>
  %indices = job.constant dense<[7, -1, -2, -2]> : tensor<4xi32>
  %y = job.gather %x, %indices {axis = 1 : i64, batch_dims = 1 : i64} : !job.blob<4x6xf32>, !job.blob<4xi32>
  job.return %y : !job.blob<4xf32>
}

// K = 1
job.func @scatter_add_one_a_row_f32() -> (!job.blob<4x6xf32> {job.name = "y"}) kind predict {
  %u = job.read @"x-4xf32" : !job.blob<4xf32>
  %indices = job.constant dense<[7, 4, -2, 2]> : tensor<4xi32>
  %y = job.scatter_add %u, %indices {axis = 1 : i64, extent = 6 : i64, batch_dims = 1 : i64} : !job.blob<4xf32>, !job.blob<4xi32>
  job.return %y : !job.blob<4x6xf32>
}

// K = 1
job.func @train_gather_one_a_row_f32() -> (!job.blob<4xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x6xf32" : !job.blob<4x6xf32>
  %indices = job.constant dense<[0, 5, 0, 2]> : tensor<4xi32>
  %y = job.gather %x, %indices {axis = 1 : i64, batch_dims = 1 : i64} : !job.blob<4x6xf32>, !job.blob<4xi32>
  %weight = job.read @"weight-4xf32" : !job.blob<4xf32>
  %loss = job.mul %y, %weight : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4xf32>
}

// K = 1
job.func @train_scatter_add_one_a_row_f32() -> (!job.blob<4x6xf32> {job.name = "loss"}) kind train {
  %u = job.read @"x-4xf32" : !job.blob<4xf32>
  %indices = job.constant dense<[7, 7, -2, -1]> : tensor<4xi32>
  %y = job.scatter_add %u, %indices {axis = 1 : i64, extent = 6 : i64, batch_dims = 1 : i64} : !job.blob<4xf32>, !job.blob<4xi32>
  %weight = job.read @"weight-4x6xf32" : !job.blob<4x6xf32>
  %loss = job.mul %y, %weight : !job.blob<4x6xf32>
  job.loss %loss : !job.blob<4x6xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x6xf32>
}

// K = 0
job.func @gather_one_a_row_f64() -> (!job.blob<4x5xf64> {job.name = "y"}) kind predict {
  %x = job.read @"x-4x6x5xf64" : !job.blob<4x6x5xf64>
  %indices = job.constant dense<[2, 0, 3, 0]> : tensor<4xi32>
  %y = job.gather %x, %indices {axis = 1 : i64, batch_dims = 1 : i64} : !job.blob<4x6x5xf64>, !job.blob<4xi32>
  job.return %y : !job.blob<4x5xf64>
}

// K = 0
job.func @gather_outside_one_a_row_f64() -> (!job.blob<4x5xf64> {job.name = "y"}) kind predict {
  %x = job.read @"x-4x6x5xf64" : !job.blob<4x6x5xf64>
  %indices = job.constant dense<[7, 6, -2, 2]> : tensor<4xi32>
  %y = job.gather %x, %indices {axis = 1 : i64, batch_dims = 1 : i64} : !job.blob<4x6x5xf64>, !job.blob<4xi32>
  job.return %y : !job.blob<4x5xf64>
}

// K = 1
job.func @scatter_add_one_a_row_f64() -> (!job.blob<4x6x5xf64> {job.name = "y"}) kind predict {
  %u = job.read @"x-4x5xf64" : !job.blob<4x5xf64>
  %indices = job.constant dense<[7, 0, -2, 6]> : tensor<4xi32>
  %y = job.scatter_add %u, %indices {axis = 1 : i64, extent = 6 : i64, batch_dims = 1 : i64} : !job.blob<4x5xf64>, !job.blob<4xi32>
  job.return %y : !job.blob<4x6x5xf64>
}

// K = 1
job.func @train_gather_one_a_row_f64() -> (!job.blob<4x5xf64> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x6x5xf64" : !job.blob<4x6x5xf64>
  %indices = job.constant dense<[5, 1, 0, 1]> : tensor<4xi32>
  %y = job.gather %x, %indices {axis = 1 : i64, batch_dims = 1 : i64} : !job.blob<4x6x5xf64>, !job.blob<4xi32>
  %weight = job.read @"weight-4x5xf64" : !job.blob<4x5xf64>
  %loss = job.mul %y, %weight : !job.blob<4x5xf64>
  job.loss %loss : !job.blob<4x5xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf64>
}

// K = 1
job.func @train_scatter_add_one_a_row_f64() -> (!job.blob<4x6x5xf64> {job.name = "loss"}) kind train {
  %u = job.read @"x-4x5xf64" : !job.blob<4x5xf64>
  %indices = job.constant dense<[7, -2, -2, 1]> : tensor<4xi32>
  %y = job.scatter_add %u, %indices {axis = 1 : i64, extent = 6 : i64, batch_dims = 1 : i64} : !job.blob<4x5xf64>, !job.blob<4xi32>
  %weight = job.read @"weight-4x6x5xf64" : !job.blob<4x6x5xf64>
  %loss = job.mul %y, %weight : !job.blob<4x6x5xf64>
  job.loss %loss : !job.blob<4x6x5xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x6x5xf64>
}

// K = 0
job.func @gather_elements_i8() -> (!job.blob<5x3xi8> {job.name = "y"}) kind predict {
  %x = job.read @"n-6x3xi8" : !job.blob<6x3xi8>
  %indices = job.constant dense<[2, 5, 2, 4, 1]> : tensor<5xi8>
  %y = job.gather %x, %indices {axis = 0 : i64} : !job.blob<6x3xi8>, !job.blob<5xi8>
  job.return %y : !job.blob<5x3xi8>
}

// K = 0
job.func @gather_outside_elements_i8() -> (!job.blob<5x3xi8> {job.name = "y"}) kind predict {
  %x = job.read @"n-6x3xi8" : !job.blob<6x3xi8>
  %indices = job.constant dense<[7, 5, -2, 0, 2]> : tensor<5xi8>
  %y = job.gather %x, %indices {axis = 0 : i64} : !job.blob<6x3xi8>, !job.blob<5xi8>
  job.return %y : !job.blob<5x3xi8>
}

// K = 0
job.func @scatter_add_elements_i8() -> (!job.blob<6x3xi8> {job.name = "y"}) kind predict {
  %u = job.read @"n-5x3xi8" : !job.blob<5x3xi8>
  %indices = job.constant dense<[7, -2, -2, -2, -2]> : tensor<5xi8>
  %y = job.scatter_add %u, %indices {axis = 0 : i64, extent = 6 : i64} : !job.blob<5x3xi8>, !job.blob<5xi8>
  job.return %y : !job.blob<6x3xi8>
}

// K = 0
job.func @gather_elements_i32() -> (!job.blob<4x3xi32> {job.name = "y"}) kind predict {
  %x = job.read @"n-4x17xi32" : !job.blob<4x17xi32>
  %indices = job.constant dense<[0, 16, 6]> : tensor<3xi32>
  %y = job.gather %x, %indices {axis = 1 : i64} : !job.blob<4x17xi32>, !job.blob<3xi32>
  job.return %y : !job.blob<4x3xi32>
}

// K = 0
job.func @gather_outside_elements_i32() -> (!job.blob<4x3xi32> {job.name = "y"}) kind predict {
  %x = job.read @"n-4x17xi32" : !job.blob<4x17xi32>
  %indices = job.constant dense<[18, -2, 5]> : tensor<3xi32>
  %y = job.gather %x, %indices {axis = 1 : i64} : !job.blob<4x17xi32>, !job.blob<3xi32>
  job.return %y : !job.blob<4x3xi32>
}

// K = 0
job.func @scatter_add_elements_i32() -> (!job.blob<4x17xi32> {job.name = "y"}) kind predict {
  %u = job.read @"n-4x3xi32" : !job.blob<4x3xi32>
  %indices = job.constant dense<[18, -2, 18]> : tensor<3xi32>
  %y = job.scatter_add %u, %indices {axis = 1 : i64, extent = 17 : i64} : !job.blob<4x3xi32>, !job.blob<3xi32>
  job.return %y : !job.blob<4x17xi32>
}

// K = 0
job.func @gather_elements_i64() -> (!job.blob<9x16xi64> {job.name = "y"}) kind predict {
  %x = job.read @"n-7x16xi64" : !job.blob<7x16xi64>
  %indices = job.constant dense<[3, 5, 3, 4, 6, 3, 4, 2, 5]> : tensor<9xi32>
  %y = job.gather %x, %indices {axis = 0 : i64} : !job.blob<7x16xi64>, !job.blob<9xi32>
  job.return %y : !job.blob<9x16xi64>
}

// K = 0
job.func @gather_outside_elements_i64() -> (!job.blob<9x16xi64> {job.name = "y"}) kind predict {
  %x = job.read @"n-7x16xi64" : !job.blob<7x16xi64>
  %indices = job.constant dense<[8, 1, 3, 1, -2, 0, 4, 3, -2]> : tensor<9xi32>
  %y = job.gather %x, %indices {axis = 0 : i64} : !job.blob<7x16xi64>, !job.blob<9xi32>
  job.return %y : !job.blob<9x16xi64>
}

// K = 0
job.func @scatter_add_elements_i64() -> (!job.blob<7x16xi64> {job.name = "y"}) kind predict {
  %u = job.read @"n-9x16xi64" : !job.blob<9x16xi64>
  %indices = job.constant dense<[8, -2, -1, 8, -2, 4, 0, -2, -1]> : tensor<9xi32>
  %y = job.scatter_add %u, %indices {axis = 0 : i64, extent = 7 : i64} : !job.blob<9x16xi64>, !job.blob<9xi32>
  job.return %y : !job.blob<7x16xi64>
}

// K = 0
job.func @gather_one_row_f32() -> (!job.blob<3x5xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-1x5xf32" : !job.blob<1x5xf32>
  %indices = job.constant dense<[0, 0, 0]> : tensor<3xi32>
  %y = job.gather %x, %indices {axis = 0 : i64} : !job.blob<1x5xf32>, !job.blob<3xi32>
  job.return %y : !job.blob<3x5xf32>
}

// K = 0
job.func @gather_outside_one_row_f32() -> (!job.blob<3x5xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-1x5xf32" : !job.blob<1x5xf32>
  %indices = job.constant dense<[2, -2, 1]> : tensor<3xi32>
  %y = job.gather %x, %indices {axis = 0 : i64} : !job.blob<1x5xf32>, !job.blob<3xi32>
  job.return %y : !job.blob<3x5xf32>
}

// K = 3
job.func @scatter_add_one_row_f32() -> (!job.blob<1x5xf32> {job.name = "y"}) kind predict {
  %u = job.read @"x-3x5xf32" : !job.blob<3x5xf32>
  %indices = job.constant dense<[2, -2, 0]> : tensor<3xi32>
  %y = job.scatter_add %u, %indices {axis = 0 : i64, extent = 1 : i64} : !job.blob<3x5xf32>, !job.blob<3xi32>
  job.return %y : !job.blob<1x5xf32>
}

// K = 3
job.func @train_gather_one_row_f32() -> (!job.blob<3x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-1x5xf32" : !job.blob<1x5xf32>
  %indices = job.constant dense<[0, 0, 0]> : tensor<3xi32>
  %y = job.gather %x, %indices {axis = 0 : i64} : !job.blob<1x5xf32>, !job.blob<3xi32>
  %weight = job.read @"weight-3x5xf32" : !job.blob<3x5xf32>
  %loss = job.mul %y, %weight : !job.blob<3x5xf32>
  job.loss %loss : !job.blob<3x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3x5xf32>
}

// K = 3
job.func @train_scatter_add_one_row_f32() -> (!job.blob<1x5xf32> {job.name = "loss"}) kind train {
  %u = job.read @"x-3x5xf32" : !job.blob<3x5xf32>
  %indices = job.constant dense<[2, -2, 2]> : tensor<3xi32>
  %y = job.scatter_add %u, %indices {axis = 0 : i64, extent = 1 : i64} : !job.blob<3x5xf32>, !job.blob<3xi32>
  %weight = job.read @"weight-1x5xf32" : !job.blob<1x5xf32>
  %loss = job.mul %y, %weight : !job.blob<1x5xf32>
  job.loss %loss : !job.blob<1x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1x5xf32>
}

// K = 0
job.func @gather_many_rows_f32() -> (!job.blob<300x64xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-1000x64xf32" : !job.blob<1000x64xf32>
  %indices = job.read @"indices-0-999-300xi32" : !job.blob<300xi32>
  %y = job.gather %x, %indices {axis = 0 : i64} : !job.blob<1000x64xf32>, !job.blob<300xi32>
  job.return %y : !job.blob<300x64xf32>
}

// K = 0
job.func @gather_outside_many_rows_f32() -> (!job.blob<300x64xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-1000x64xf32" : !job.blob<1000x64xf32>
  %indices = job.read @"indices-minus-2-1001-300xi32" : !job.blob<300xi32>
  %y = job.gather %x, %indices {axis = 0 : i64} : !job.blob<1000x64xf32>, !job.blob<300xi32>
  job.return %y : !job.blob<300x64xf32>
}

// K = 300
job.func @scatter_add_many_rows_f32() -> (!job.blob<1000x64xf32> {job.name = "y"}) kind predict {
  %u = job.read @"x-300x64xf32" : !job.blob<300x64xf32>
  %indices = job.read @"indices-minus-2-1001-300xi32" : !job.blob<300xi32>
  %y = job.scatter_add %u, %indices {axis = 0 : i64, extent = 1000 : i64} : !job.blob<300x64xf32>, !job.blob<300xi32>
  job.return %y : !job.blob<1000x64xf32>
}

// K = 300
job.func @train_gather_many_rows_f32() -> (!job.blob<300x64xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-1000x64xf32" : !job.blob<1000x64xf32>
  %indices = job.read @"indices-0-999-300xi32" : !job.blob<300xi32>
  %y = job.gather %x, %indices {axis = 0 : i64} : !job.blob<1000x64xf32>, !job.blob<300xi32>
  %weight = job.read @"weight-300x64xf32" : !job.blob<300x64xf32>
  %loss = job.mul %y, %weight : !job.blob<300x64xf32>
  job.loss %loss : !job.blob<300x64xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<300x64xf32>
}

// K = 300
job.func @train_scatter_add_many_rows_f32() -> (!job.blob<1000x64xf32> {job.name = "loss"}) kind train {
  %u = job.read @"x-300x64xf32" : !job.blob<300x64xf32>
  %indices = job.read @"indices-minus-2-1001-300xi32" : !job.blob<300xi32>
  %y = job.scatter_add %u, %indices {axis = 0 : i64, extent = 1000 : i64} : !job.blob<300x64xf32>, !job.blob<300xi32>
  %weight = job.read @"weight-1000x64xf32" : !job.blob<1000x64xf32>
  %loss = job.mul %y, %weight : !job.blob<1000x64xf32>
  job.loss %loss : !job.blob<1000x64xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1000x64xf32>
}

// Rows of a table that is so large that they are prefetched.
// K = 0
job.func @gather_of_large_table_f32() -> (!job.blob<300x200xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-1000x200xf32" : !job.blob<1000x200xf32>
  %indices = job.read @"indices-minus-2-1001-300xi32" : !job.blob<300xi32>
  %y = job.gather %x, %indices {axis = 0 : i64} : !job.blob<1000x200xf32>, !job.blob<300xi32>
  job.return %y : !job.blob<300x200xf32>
}

// K = 300
job.func @train_gather_of_large_table_f32() -> (!job.blob<300x200xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-1000x200xf32" : !job.blob<1000x200xf32>
  %indices = job.read @"indices-0-999-300xi32" : !job.blob<300xi32>
  %y = job.gather %x, %indices {axis = 0 : i64} : !job.blob<1000x200xf32>, !job.blob<300xi32>
  %weight = job.read @"weight-300x200xf32" : !job.blob<300x200xf32>
  %loss = job.mul %y, %weight : !job.blob<300x200xf32>
  job.loss %loss : !job.blob<300x200xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<300x200xf32>
}

// K = 0
job.func @gather_many_updates_f32() -> (!job.blob<1000x200xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-10x200xf32" : !job.blob<10x200xf32>
  %indices = job.read @"indices-0-9-1000xi32" : !job.blob<1000xi32>
  %y = job.gather %x, %indices {axis = 0 : i64} : !job.blob<10x200xf32>, !job.blob<1000xi32>
  job.return %y : !job.blob<1000x200xf32>
}

// K = 0
job.func @gather_outside_many_updates_f32() -> (!job.blob<1000x200xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-10x200xf32" : !job.blob<10x200xf32>
  %indices = job.read @"indices-minus-2-11-1000xi32" : !job.blob<1000xi32>
  %y = job.gather %x, %indices {axis = 0 : i64} : !job.blob<10x200xf32>, !job.blob<1000xi32>
  job.return %y : !job.blob<1000x200xf32>
}

// K = 1000
job.func @scatter_add_many_updates_f32() -> (!job.blob<10x200xf32> {job.name = "y"}) kind predict {
  %u = job.read @"x-1000x200xf32" : !job.blob<1000x200xf32>
  %indices = job.read @"indices-minus-2-11-1000xi32" : !job.blob<1000xi32>
  %y = job.scatter_add %u, %indices {axis = 0 : i64, extent = 10 : i64} : !job.blob<1000x200xf32>, !job.blob<1000xi32>
  job.return %y : !job.blob<10x200xf32>
}

// K = 1000
job.func @train_gather_many_updates_f32() -> (!job.blob<1000x200xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-10x200xf32" : !job.blob<10x200xf32>
  %indices = job.read @"indices-0-9-1000xi32" : !job.blob<1000xi32>
  %y = job.gather %x, %indices {axis = 0 : i64} : !job.blob<10x200xf32>, !job.blob<1000xi32>
  %weight = job.read @"weight-1000x200xf32" : !job.blob<1000x200xf32>
  %loss = job.mul %y, %weight : !job.blob<1000x200xf32>
  job.loss %loss : !job.blob<1000x200xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1000x200xf32>
}

// K = 1000
job.func @train_scatter_add_many_updates_f32() -> (!job.blob<10x200xf32> {job.name = "loss"}) kind train {
  %u = job.read @"x-1000x200xf32" : !job.blob<1000x200xf32>
  %indices = job.read @"indices-minus-2-11-1000xi32" : !job.blob<1000xi32>
  %y = job.scatter_add %u, %indices {axis = 0 : i64, extent = 10 : i64} : !job.blob<1000x200xf32>, !job.blob<1000xi32>
  %weight = job.read @"weight-10x200xf32" : !job.blob<10x200xf32>
  %loss = job.mul %y, %weight : !job.blob<10x200xf32>
  job.loss %loss : !job.blob<10x200xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<10x200xf32>
}

// K = 0
job.func @gather_many_numbers_f32() -> (!job.blob<20000xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-30000xf32" : !job.blob<30000xf32>
  %indices = job.read @"indices-0-29999-20000xi32" : !job.blob<20000xi32>
  %y = job.gather %x, %indices {axis = 0 : i64} : !job.blob<30000xf32>, !job.blob<20000xi32>
  job.return %y : !job.blob<20000xf32>
}

// K = 0
job.func @gather_outside_many_numbers_f32() -> (!job.blob<20000xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-30000xf32" : !job.blob<30000xf32>
  %indices = job.read @"indices-minus-2-30001-20000xi32" : !job.blob<20000xi32>
  %y = job.gather %x, %indices {axis = 0 : i64} : !job.blob<30000xf32>, !job.blob<20000xi32>
  job.return %y : !job.blob<20000xf32>
}

// K = 20000
job.func @scatter_add_many_numbers_f32() -> (!job.blob<30000xf32> {job.name = "y"}) kind predict {
  %u = job.read @"x-20000xf32" : !job.blob<20000xf32>
  %indices = job.read @"indices-minus-2-30001-20000xi32" : !job.blob<20000xi32>
  %y = job.scatter_add %u, %indices {axis = 0 : i64, extent = 30000 : i64} : !job.blob<20000xf32>, !job.blob<20000xi32>
  job.return %y : !job.blob<30000xf32>
}

// K = 20000
job.func @train_gather_many_numbers_f32() -> (!job.blob<20000xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-30000xf32" : !job.blob<30000xf32>
  %indices = job.read @"indices-0-29999-20000xi32" : !job.blob<20000xi32>
  %y = job.gather %x, %indices {axis = 0 : i64} : !job.blob<30000xf32>, !job.blob<20000xi32>
  %weight = job.read @"weight-20000xf32" : !job.blob<20000xf32>
  %loss = job.mul %y, %weight : !job.blob<20000xf32>
  job.loss %loss : !job.blob<20000xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<20000xf32>
}

// K = 20000
job.func @train_scatter_add_many_numbers_f32() -> (!job.blob<30000xf32> {job.name = "loss"}) kind train {
  %u = job.read @"x-20000xf32" : !job.blob<20000xf32>
  %indices = job.read @"indices-minus-2-30001-20000xi32" : !job.blob<20000xi32>
  %y = job.scatter_add %u, %indices {axis = 0 : i64, extent = 30000 : i64} : !job.blob<20000xf32>, !job.blob<20000xi32>
  %weight = job.read @"weight-30000xf32" : !job.blob<30000xf32>
  %loss = job.mul %y, %weight : !job.blob<30000xf32>
  job.loss %loss : !job.blob<30000xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<30000xf32>
}

// K = 0
job.func @gather_many_slices_f32() -> (!job.blob<40x25x8xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-40x37x8xf32" : !job.blob<40x37x8xf32>
  %indices = job.read @"indices-0-36-40x25xi64" : !job.blob<40x25xi64>
  %y = job.gather %x, %indices {axis = 1 : i64, batch_dims = 1 : i64} : !job.blob<40x37x8xf32>, !job.blob<40x25xi64>
  job.return %y : !job.blob<40x25x8xf32>
}

// K = 0
job.func @gather_outside_many_slices_f32() -> (!job.blob<40x25x8xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-40x37x8xf32" : !job.blob<40x37x8xf32>
  %indices = job.read @"indices-minus-2-38-40x25xi64" : !job.blob<40x25xi64>
  %y = job.gather %x, %indices {axis = 1 : i64, batch_dims = 1 : i64} : !job.blob<40x37x8xf32>, !job.blob<40x25xi64>
  job.return %y : !job.blob<40x25x8xf32>
}

// K = 25
job.func @scatter_add_many_slices_f32() -> (!job.blob<40x37x8xf32> {job.name = "y"}) kind predict {
  %u = job.read @"x-40x25x8xf32" : !job.blob<40x25x8xf32>
  %indices = job.read @"indices-minus-2-38-40x25xi64" : !job.blob<40x25xi64>
  %y = job.scatter_add %u, %indices {axis = 1 : i64, extent = 37 : i64, batch_dims = 1 : i64} : !job.blob<40x25x8xf32>, !job.blob<40x25xi64>
  job.return %y : !job.blob<40x37x8xf32>
}

// K = 25
job.func @train_gather_many_slices_f32() -> (!job.blob<40x25x8xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-40x37x8xf32" : !job.blob<40x37x8xf32>
  %indices = job.read @"indices-0-36-40x25xi64" : !job.blob<40x25xi64>
  %y = job.gather %x, %indices {axis = 1 : i64, batch_dims = 1 : i64} : !job.blob<40x37x8xf32>, !job.blob<40x25xi64>
  %weight = job.read @"weight-40x25x8xf32" : !job.blob<40x25x8xf32>
  %loss = job.mul %y, %weight : !job.blob<40x25x8xf32>
  job.loss %loss : !job.blob<40x25x8xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<40x25x8xf32>
}

// K = 25
job.func @train_scatter_add_many_slices_f32() -> (!job.blob<40x37x8xf32> {job.name = "loss"}) kind train {
  %u = job.read @"x-40x25x8xf32" : !job.blob<40x25x8xf32>
  %indices = job.read @"indices-minus-2-38-40x25xi64" : !job.blob<40x25xi64>
  %y = job.scatter_add %u, %indices {axis = 1 : i64, extent = 37 : i64, batch_dims = 1 : i64} : !job.blob<40x25x8xf32>, !job.blob<40x25xi64>
  %weight = job.read @"weight-40x37x8xf32" : !job.blob<40x37x8xf32>
  %loss = job.mul %y, %weight : !job.blob<40x37x8xf32>
  job.loss %loss : !job.blob<40x37x8xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<40x37x8xf32>
}

// K = 0
job.func @gather_many_columns_f32() -> (!job.blob<64x300xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-64x500xf32" : !job.blob<64x500xf32>
  %indices = job.read @"indices-0-499-300xi32" : !job.blob<300xi32>
  %y = job.gather %x, %indices {axis = 1 : i64} : !job.blob<64x500xf32>, !job.blob<300xi32>
  job.return %y : !job.blob<64x300xf32>
}

// K = 0
job.func @gather_outside_many_columns_f32() -> (!job.blob<64x300xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-64x500xf32" : !job.blob<64x500xf32>
  %indices = job.read @"indices-minus-2-501-300xi32" : !job.blob<300xi32>
  %y = job.gather %x, %indices {axis = 1 : i64} : !job.blob<64x500xf32>, !job.blob<300xi32>
  job.return %y : !job.blob<64x300xf32>
}

// K = 300
job.func @scatter_add_many_columns_f32() -> (!job.blob<64x500xf32> {job.name = "y"}) kind predict {
  %u = job.read @"x-64x300xf32" : !job.blob<64x300xf32>
  %indices = job.read @"indices-minus-2-501-300xi32" : !job.blob<300xi32>
  %y = job.scatter_add %u, %indices {axis = 1 : i64, extent = 500 : i64} : !job.blob<64x300xf32>, !job.blob<300xi32>
  job.return %y : !job.blob<64x500xf32>
}

// K = 300
job.func @train_gather_many_columns_f32() -> (!job.blob<64x300xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-64x500xf32" : !job.blob<64x500xf32>
  %indices = job.read @"indices-0-499-300xi32" : !job.blob<300xi32>
  %y = job.gather %x, %indices {axis = 1 : i64} : !job.blob<64x500xf32>, !job.blob<300xi32>
  %weight = job.read @"weight-64x300xf32" : !job.blob<64x300xf32>
  %loss = job.mul %y, %weight : !job.blob<64x300xf32>
  job.loss %loss : !job.blob<64x300xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<64x300xf32>
}

// K = 300
job.func @train_scatter_add_many_columns_f32() -> (!job.blob<64x500xf32> {job.name = "loss"}) kind train {
  %u = job.read @"x-64x300xf32" : !job.blob<64x300xf32>
  %indices = job.read @"indices-minus-2-501-300xi32" : !job.blob<300xi32>
  %y = job.scatter_add %u, %indices {axis = 1 : i64, extent = 500 : i64} : !job.blob<64x300xf32>, !job.blob<300xi32>
  %weight = job.read @"weight-64x500xf32" : !job.blob<64x500xf32>
  %loss = job.mul %y, %weight : !job.blob<64x500xf32>
  job.loss %loss : !job.blob<64x500xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<64x500xf32>
}

// No index of the type reaches the extent.
// K = 0
job.func @gather_narrow_indices() -> (!job.blob<4x2xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-200x2xf32" : !job.blob<200x2xf32>
  %indices = job.constant dense<[127, 0, -128, -1]> : tensor<4xi8>
  %y = job.gather %x, %indices {axis = 0 : i64} : !job.blob<200x2xf32>, !job.blob<4xi8>
  job.return %y : !job.blob<4x2xf32>
}

job.func @train_scatter_add_narrow_indices() -> (!job.blob<200x2xf32> {job.name = "loss"}) kind train {
  %u = job.read @"x-4x2xf32" : !job.blob<4x2xf32>
  %indices = job.constant dense<[127, 0, -128, -1]> : tensor<4xi8>
  %y = job.scatter_add %u, %indices {axis = 0 : i64, extent = 200 : i64} : !job.blob<4x2xf32>, !job.blob<4xi8>
  %weight = job.read @"weight-200x2xf32" : !job.blob<200x2xf32>
  %loss = job.mul %y, %weight : !job.blob<200x2xf32>
  job.loss %loss : !job.blob<200x2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<200x2xf32>
}

// K = 0
job.func @gather_elements_i1() -> (!job.blob<5x2xi1> {job.name = "y"}) kind predict {
  %x = job.read @"x-200x2xf32" : !job.blob<200x2xf32>
  %zero = job.constant dense<0.0> : tensor<200x2xf32>
  %flags = job.compare gt %x, %zero : !job.blob<200x2xf32>
  %indices = job.constant dense<[199, 0, 200, -1, 3]> : tensor<5xi32>
  %y = job.gather %flags, %indices {axis = 0 : i64} : !job.blob<200x2xi1>, !job.blob<5xi32>
  job.return %y : !job.blob<5x2xi1>
}

// K = 0
job.func @argwhere_f32() -> (!job.blob<?<=350>x2xi32> {job.name = "y"}, !job.blob<1xi64> {job.name = "n"}) kind predict {
  %x = job.read @"x-50x7xf32" : !job.blob<50x7xf32>
  %zero = job.constant dense<0.0> : tensor<50x7xf32>
  %positive = job.maximum %x, %zero : !job.blob<50x7xf32>
  %y, %n = job.argwhere %positive as i32 : !job.blob<50x7xf32>
  job.return %y, %n : !job.blob<?<=350>x2xi32>, !job.blob<1xi64>
}

// Parts of the work have many elements each, the last one fewer. The count and
// the padded indices alone.
// K = 0
job.func @argwhere_large() -> (!job.blob<19200x2xi64> {job.name = "y"}, !job.blob<1xi64> {job.name = "n"}) kind predict {
  %x = job.read @"x-64x300xf32" : !job.blob<64x300xf32>
  %two = job.constant dense<2.0> : tensor<64x300xf32>
  %flags = job.compare gt %x, %two : !job.blob<64x300xf32>
  %indices, %n = job.argwhere %flags as i64 : !job.blob<64x300xi1>
  %y = job.pad_to_static %indices, %n {value = -5 : i64} : !job.blob<?<=19200>x2xi64>
  job.return %y, %n : !job.blob<19200x2xi64>, !job.blob<1xi64>
}

// None and all.
// K = 0
job.func @argwhere_none_and_all() -> (!job.blob<?<=15>x1xi32> {job.name = "none"}, !job.blob<1xi64> {job.name = "n"}, !job.blob<?<=60>x3xi64> {job.name = "all"}, !job.blob<1xi64> {job.name = "m"}) kind predict {
  %zeros = job.constant dense<0> : tensor<15xi8>
  %none, %n = job.argwhere %zeros as i32 : !job.blob<15xi8>
  %x = job.read @"x-3x4x5xf64" : !job.blob<3x4x5xf64>
  %exp = job.exp %x : !job.blob<3x4x5xf64>
  %all, %m = job.argwhere %exp as i64 : !job.blob<3x4x5xf64>
  job.return %none, %n, %all, %m : !job.blob<?<=15>x1xi32>, !job.blob<1xi64>, !job.blob<?<=60>x3xi64>, !job.blob<1xi64>
}

// Integers have no gradient; what is gathered by them has.
job.func @train_argwhere() -> (!job.blob<7xf32> {job.name = "loss"}, !job.blob<?<=7>x1xi32> {job.name = "rows"}, !job.blob<1xi64> {job.name = "n"}) kind train {
  %x = job.read @"x-50x7xf32" : !job.blob<50x7xf32>
  %first = job.slice %x {offsets = array<i64: 0, 0>, sizes = array<i64: 1, 7>, strides = array<i64: 1, 1>} : !job.blob<50x7xf32>
  %row = job.reshape %first : !job.blob<1x7xf32> to !job.blob<7xf32>
  %zero = job.constant dense<0.0> : tensor<7xf32>
  %positive = job.compare gt %row, %zero : !job.blob<7xf32>
  %rows, %n = job.argwhere %positive as i32 : !job.blob<7xi1>
  %padded = job.pad_to_static %rows, %n {value = 49 : i64} : !job.blob<?<=7>x1xi32>
  %indices = job.reshape %padded : !job.blob<7x1xi32> to !job.blob<7xi32>
  %y = job.gather %x, %indices {axis = 0 : i64} : !job.blob<50x7xf32>, !job.blob<7xi32>
  %loss = job.reduce_sum %y {axes = array<i64: 0>} : !job.blob<7x7xf32>
  job.loss %loss : !job.blob<7xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss, %rows, %n : !job.blob<7xf32>, !job.blob<?<=7>x1xi32>, !job.blob<1xi64>
}

// Counts that are wrong, of which none writes outside of the indices.
// K = 0
job.func @argwhere_wrong_counts() -> (!job.blob<?<=350>x2xi32> {job.name = "y"}, !job.blob<1xi64> {job.name = "n"}) kind predict {
  %x = job.read @"x-50x7xf32" : !job.blob<50x7xf32>
  %zero = job.constant dense<0.0> : tensor<50x7xf32>
  %positive = job.maximum %x, %zero : !job.blob<50x7xf32>
  %counts = job.constant dense<[-3, 100, 9223372036854775807, 7, 0, -9223372036854775808, 40]> : tensor<7xi64>
  %y, %n = job.argwhere_blocks %positive, %counts as i32 {block_size = 50 : i64} : !job.blob<50x7xf32>, !job.blob<7xi64>
  job.return %y, %n : !job.blob<?<=350>x2xi32>, !job.blob<1xi64>
}

// The rows of the result in pieces, each of which looks for its indices in
// vectors: a last vector that is not full, a type that is widened.
job.variable @"places-2005xf32" : !job.blob<2005xf32> init #job.random_uniform_init<min = -3.0, max = 4003.0>
job.variable @"places-2x100xf32" : !job.blob<2x100xf32> init #job.random_uniform_init<min = -3.0, max = 123.0>

// K = 12
job.func @scatter_add_pieces_i32_f32(%u: !job.blob<2005x8xf32>) -> (!job.blob<4000x8xf32> {job.name = "y"}) kind predict {
  %places = job.read @"places-2005xf32" : !job.blob<2005xf32>
  %indices = job.cast %places : !job.blob<2005xf32> to !job.blob<2005xi32>
  %y = job.scatter_add %u, %indices {axis = 0 : i64, extent = 4000 : i64} : !job.blob<2005x8xf32>, !job.blob<2005xi32>
  job.return %y : !job.blob<4000x8xf32>
}

// K = 12
job.func @scatter_add_pieces_i64_f32(%u: !job.blob<2005x8xf32>) -> (!job.blob<4000x8xf32> {job.name = "y"}) kind predict {
  %places = job.read @"places-2005xf32" : !job.blob<2005xf32>
  %indices = job.cast %places : !job.blob<2005xf32> to !job.blob<2005xi64>
  %y = job.scatter_add %u, %indices {axis = 0 : i64, extent = 4000 : i64} : !job.blob<2005x8xf32>, !job.blob<2005xi64>
  job.return %y : !job.blob<4000x8xf32>
}

// K = 12
job.func @scatter_add_pieces_of_batches_i8_f32(%u: !job.blob<2x100x300xf32>) -> (!job.blob<2x120x300xf32> {job.name = "y"}) kind predict {
  %places = job.read @"places-2x100xf32" : !job.blob<2x100xf32>
  %indices = job.cast %places : !job.blob<2x100xf32> to !job.blob<2x100xi8>
  %y = job.scatter_add %u, %indices {axis = 1 : i64, batch_dims = 1 : i64, extent = 120 : i64} : !job.blob<2x100x300xf32>, !job.blob<2x100xi8>
  job.return %y : !job.blob<2x120x300xf32>
}

// Groups that are wrong, of which none reads outside of the updates.
// K = 12
job.func @sum_wrong_groups() -> (!job.blob<6x7xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-50x7xf32" : !job.blob<50x7xf32>
  %u = job.slice %x {offsets = array<i64: 0, 0>, sizes = array<i64: 5, 7>, strides = array<i64: 1, 1>} : !job.blob<50x7xf32>
  %groups = job.constant dense<[2, 2147483647, -2147483648, 4, 1, 5, 4, -1, 2147483647, 5, 0]> : tensor<11xi32>
  %y = job.sum_groups %u, %groups {axis = 0 : i64} : !job.blob<5x7xf32>, !job.blob<11xi32>
  job.return %y : !job.blob<6x7xf32>
}

// K = 0
job.func @slice_to_dynamic_columns() -> (!job.blob<50x?<=7>xf32> {job.name = "y"}, !job.blob<1xi64> {job.name = "n"}, !job.blob<50x7xf32> {job.name = "padded"}) kind predict {
  %x = job.read @"x-50x7xf32" : !job.blob<50x7xf32>
  %n = job.constant dense<3> : tensor<1xi64>
  %y = job.slice_to_dynamic %x, %n {dim = 1 : i64} : !job.blob<50x7xf32>
  %padded = job.pad_to_static %y, %n {value = 0.5 : f64} : !job.blob<50x?<=7>xf32>
  job.return %y, %n, %padded : !job.blob<50x?<=7>xf32>, !job.blob<1xi64>, !job.blob<50x7xf32>
}

// Kernels have copies of the padding, but not those that also read it at other
// indices.
// K = 0
job.func @pad_to_static_and_transpose(%x: !job.blob<7x7xf32>) -> (!job.blob<7x7xf32> {job.name = "y"}) kind predict {
  %n = job.constant dense<3> : tensor<1xi64>
  %0 = job.slice_to_dynamic %x, %n {dim = 1 : i64} : !job.blob<7x7xf32>
  %1 = job.pad_to_static %0, %n {value = 0.5 : f64} : !job.blob<7x?<=7>xf32>
  %2 = job.transpose %1 {permutation = array<i64: 1, 0>} : !job.blob<7x7xf32>
  %y = job.maximum %1, %2 : !job.blob<7x7xf32>
  job.return %y : !job.blob<7x7xf32>
}

// The count is that of another bounded blob.
// K = 0
job.func @slice_to_dynamic_inside() -> (!job.blob<3x?<=4>x5xf64> {job.name = "y"}, !job.blob<?<=4>x1xi32> {job.name = "at"}, !job.blob<1xi64> {job.name = "n"}) kind predict {
  %x = job.read @"x-3x4x5xf64" : !job.blob<3x4x5xf64>
  %flags = job.constant dense<[true, false, true, false]> : tensor<4xi1>
  %at, %n = job.argwhere %flags as i32 : !job.blob<4xi1>
  %y = job.slice_to_dynamic %x, %n {dim = 1 : i64} : !job.blob<3x4x5xf64>
  job.return %y, %at, %n : !job.blob<3x?<=4>x5xf64>, !job.blob<?<=4>x1xi32>, !job.blob<1xi64>
}

// Counts that are one element of another blob. The kernels have copies of the
// slice where it has their domain.
// K = 0
job.func @slice_to_dynamic_of_a_slice(%counts: !job.blob<3xi64>) -> (!job.blob<?<=50>x7xf32> {job.name = "y"}, !job.blob<1xi64> {job.name = "n"}, !job.blob<50x7xf32> {job.name = "padded"}) kind predict {
  %x = job.read @"x-50x7xf32" : !job.blob<50x7xf32>
  %n = job.slice %counts {offsets = array<i64: 1>, sizes = array<i64: 1>, strides = array<i64: 1>} : !job.blob<3xi64>
  %y = job.slice_to_dynamic %x, %n {dim = 0 : i64} : !job.blob<50x7xf32>
  %padded = job.pad_to_static %y, %n {value = 0.5 : f64} : !job.blob<?<=50>x7xf32>
  job.return %y, %n, %padded : !job.blob<?<=50>x7xf32>, !job.blob<1xi64>, !job.blob<50x7xf32>
}

// K = 0
job.func @slice_to_dynamic_of_one_element(%counts: !job.blob<3xi64>, %one: !job.blob<1xf32>) -> (!job.blob<?<=1>xf32> {job.name = "y"}, !job.blob<1xi64> {job.name = "n"}) kind predict {
  %n = job.slice %counts {offsets = array<i64: 2>, sizes = array<i64: 1>, strides = array<i64: 1>} : !job.blob<3xi64>
  %y = job.slice_to_dynamic %one, %n {dim = 0 : i64} : !job.blob<1xf32>
  job.return %y, %n : !job.blob<?<=1>xf32>, !job.blob<1xi64>
}

// Ids of which many are equal, in a table with some of them and room for not
// all others.
// K = 0
job.func @ordinals_i64() -> (!job.blob<50x7xi64> {job.name = "y"}, !job.blob<40x2xi64> {job.name = "table"}) kind predict {
  %x = job.read @"x-50x7xf32" : !job.blob<50x7xf32>
  %eight = job.constant dense<8.0> : tensor<50x7xf32>
  %eights = job.mul %x, %eight : !job.blob<50x7xf32>
  %ids = job.cast %eights : !job.blob<50x7xf32> to !job.blob<50x7xi64>
  %none = job.constant dense<0> : tensor<40x2xi64>
  %zero = job.constant dense<0> : tensor<1xi64>
  %some = job.slice %ids {offsets = array<i64: 3, 0>, sizes = array<i64: 2, 7>, strides = array<i64: 1, 1>} : !job.blob<50x7xi64>
  %first = job.find_new_ids %none, %some : !job.blob<40x2xi64>, !job.blob<2x7xi64>
  %table = job.insert_ordinals %none, %zero, %some, %first : !job.blob<40x2xi64>, !job.blob<1xi64>, !job.blob<2x7xi64>, !job.blob<32x3xi64>
  %numbers = job.slice %first {offsets = array<i64: 0, 2>, sizes = array<i64: 32, 1>, strides = array<i64: 1, 1>} : !job.blob<32x3xi64>
  %size = job.reduce_max %numbers {axes = array<i64: 0>} : !job.blob<32x1xi64>
  %new = job.find_new_ids %table, %ids : !job.blob<40x2xi64>, !job.blob<50x7xi64>
  %y = job.lookup_ordinals %table, %size, %ids, %new : !job.blob<40x2xi64>, !job.blob<1xi64>, !job.blob<50x7xi64>, !job.blob<1024x3xi64>
  %larger = job.insert_ordinals %table, %size, %ids, %new : !job.blob<40x2xi64>, !job.blob<1xi64>, !job.blob<50x7xi64>, !job.blob<1024x3xi64>
  job.return %y, %larger : !job.blob<50x7xi64>, !job.blob<40x2xi64>
}

// Many slots, of which each part of the work has some.
// K = 0
job.func @ordinals_i32() -> (!job.blob<350xi32> {job.name = "y"}, !job.blob<5000x2xi32> {job.name = "table"}) kind predict {
  %x = job.read @"x-50x7xf32" : !job.blob<50x7xf32>
  %row = job.reshape %x : !job.blob<50x7xf32> to !job.blob<350xf32>
  %scale = job.constant dense<8192.0> : tensor<350xf32>
  %scaled = job.mul %row, %scale : !job.blob<350xf32>
  %ids = job.cast %scaled : !job.blob<350xf32> to !job.blob<350xi32>
  %table = job.constant dense<0> : tensor<5000x2xi32>
  %size = job.constant dense<7> : tensor<1xi32>
  %new = job.find_new_ids %table, %ids : !job.blob<5000x2xi32>, !job.blob<350xi32>
  %y = job.lookup_ordinals %table, %size, %ids, %new : !job.blob<5000x2xi32>, !job.blob<1xi32>, !job.blob<350xi32>, !job.blob<1024x3xi64>
  %larger = job.insert_ordinals %table, %size, %ids, %new : !job.blob<5000x2xi32>, !job.blob<1xi32>, !job.blob<350xi32>, !job.blob<1024x3xi64>
  job.return %y, %larger : !job.blob<350xi32>, !job.blob<5000x2xi32>
}

// Inserted ids that are wrong, of which none reads outside of the ids.
// K = 0
job.func @wrong_inserted_ids() -> (!job.blob<3xi64> {job.name = "y"}, !job.blob<4x2xi64> {job.name = "table"}) kind predict {
  %table = job.constant dense<[[0, 5], [5, 1], [0, 0], [3, 9]]> : tensor<4x2xi64>
  %size = job.constant dense<1> : tensor<1xi64>
  %ids = job.constant dense<[4, 8, 5]> : tensor<3xi64>
  %inserted = job.constant dense<[[1, 3, 7], [-4, 0, 1], [3, -1, 2], [1, 1, 8], [9223372036854775807, 2, 2], [5, 0, 0], [3, 1, 4], [1, 0, 3]]> : tensor<8x3xi64>
  %y = job.lookup_ordinals %table, %size, %ids, %inserted : !job.blob<4x2xi64>, !job.blob<1xi64>, !job.blob<3xi64>, !job.blob<8x3xi64>
  %larger = job.insert_ordinals %table, %size, %ids, %inserted : !job.blob<4x2xi64>, !job.blob<1xi64>, !job.blob<3xi64>, !job.blob<8x3xi64>
  job.return %y, %larger : !job.blob<3xi64>, !job.blob<4x2xi64>
}
