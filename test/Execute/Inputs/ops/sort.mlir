// Table of ops: sorting. Prediction jobs of rows of one run, of several and of
// many, of each element type, with elements that are equal; training jobs of
// sorted values, which are gathered.

job.variable @"x-5xf32" : !job.blob<5xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"x-3x8xf32" : !job.blob<3x8xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"x-2x9xf32" : !job.blob<2x9xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"x-4x64xf32" : !job.blob<4x64xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"x-3x65xf32" : !job.blob<3x65xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"x-2x1000xf32" : !job.blob<2x1000xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"x-70000xf32" : !job.blob<70000xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"x-5x1xf32" : !job.blob<5x1xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"few-3000xf32" : !job.blob<3000xf32> init #job.random_uniform_init<min = -20.0, max = 20.0>
job.variable @"x-2x300xf64" : !job.blob<2x300xf64> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"x-4x20xf32" : !job.blob<4x20xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"weight-4x20xf32" : !job.blob<4x20xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}

// K = 0
job.func @argsort_5_f32() -> (!job.blob<5xi32> {job.name = "up"}, !job.blob<5xi32> {job.name = "down"}) kind predict {
  %x = job.read @"x-5xf32" : !job.blob<5xf32>
  %up = job.argsort %x : !job.blob<5xf32>
  %down = job.argsort %x descending : !job.blob<5xf32>
  job.return %up, %down : !job.blob<5xi32>, !job.blob<5xi32>
}

// K = 0
job.func @argsort_3x8_f32() -> (!job.blob<3x8xi32> {job.name = "up"}, !job.blob<3x8xi32> {job.name = "down"}) kind predict {
  %x = job.read @"x-3x8xf32" : !job.blob<3x8xf32>
  %up = job.argsort %x : !job.blob<3x8xf32>
  %down = job.argsort %x descending : !job.blob<3x8xf32>
  job.return %up, %down : !job.blob<3x8xi32>, !job.blob<3x8xi32>
}

// K = 0
job.func @argsort_2x9_f32() -> (!job.blob<2x9xi32> {job.name = "up"}, !job.blob<2x9xi32> {job.name = "down"}) kind predict {
  %x = job.read @"x-2x9xf32" : !job.blob<2x9xf32>
  %up = job.argsort %x : !job.blob<2x9xf32>
  %down = job.argsort %x descending : !job.blob<2x9xf32>
  job.return %up, %down : !job.blob<2x9xi32>, !job.blob<2x9xi32>
}

// K = 0
job.func @argsort_4x64_f32() -> (!job.blob<4x64xi32> {job.name = "up"}, !job.blob<4x64xi32> {job.name = "down"}) kind predict {
  %x = job.read @"x-4x64xf32" : !job.blob<4x64xf32>
  %up = job.argsort %x : !job.blob<4x64xf32>
  %down = job.argsort %x descending : !job.blob<4x64xf32>
  job.return %up, %down : !job.blob<4x64xi32>, !job.blob<4x64xi32>
}

// K = 0
job.func @argsort_3x65_f32() -> (!job.blob<3x65xi32> {job.name = "up"}, !job.blob<3x65xi32> {job.name = "down"}) kind predict {
  %x = job.read @"x-3x65xf32" : !job.blob<3x65xf32>
  %up = job.argsort %x : !job.blob<3x65xf32>
  %down = job.argsort %x descending : !job.blob<3x65xf32>
  job.return %up, %down : !job.blob<3x65xi32>, !job.blob<3x65xi32>
}

// K = 0
job.func @argsort_2x1000_f32() -> (!job.blob<2x1000xi32> {job.name = "up"}, !job.blob<2x1000xi32> {job.name = "down"}) kind predict {
  %x = job.read @"x-2x1000xf32" : !job.blob<2x1000xf32>
  %up = job.argsort %x : !job.blob<2x1000xf32>
  %down = job.argsort %x descending : !job.blob<2x1000xf32>
  job.return %up, %down : !job.blob<2x1000xi32>, !job.blob<2x1000xi32>
}

// K = 0
job.func @argsort_70000_f32() -> (!job.blob<70000xi32> {job.name = "up"}, !job.blob<70000xi32> {job.name = "down"}) kind predict {
  %x = job.read @"x-70000xf32" : !job.blob<70000xf32>
  %up = job.argsort %x : !job.blob<70000xf32>
  %down = job.argsort %x descending : !job.blob<70000xf32>
  job.return %up, %down : !job.blob<70000xi32>, !job.blob<70000xi32>
}

// K = 0
job.func @argsort_5x1_f32() -> (!job.blob<5x1xi32> {job.name = "up"}, !job.blob<5x1xi32> {job.name = "down"}) kind predict {
  %x = job.read @"x-5x1xf32" : !job.blob<5x1xf32>
  %up = job.argsort %x : !job.blob<5x1xf32>
  %down = job.argsort %x descending : !job.blob<5x1xf32>
  job.return %up, %down : !job.blob<5x1xi32>, !job.blob<5x1xi32>
}

// K = 0
job.func @argsort_f64() -> (!job.blob<2x300xi32> {job.name = "up"}, !job.blob<2x300xi32> {job.name = "down"}) kind predict {
  %x = job.read @"x-2x300xf64" : !job.blob<2x300xf64>
  %up = job.argsort %x : !job.blob<2x300xf64>
  %down = job.argsort %x descending : !job.blob<2x300xf64>
  job.return %up, %down : !job.blob<2x300xi32>, !job.blob<2x300xi32>
}

// K = 0
job.func @argsort_equal_i8() -> (!job.blob<3000xi32> {job.name = "up"}, !job.blob<3000xi32> {job.name = "down"}) kind predict {
  %f = job.read @"few-3000xf32" : !job.blob<3000xf32>
  %x = job.cast %f : !job.blob<3000xf32> to !job.blob<3000xi8>
  %up = job.argsort %x : !job.blob<3000xi8>
  %down = job.argsort %x descending : !job.blob<3000xi8>
  job.return %up, %down : !job.blob<3000xi32>, !job.blob<3000xi32>
}

// K = 0
job.func @argsort_equal_ui8() -> (!job.blob<3000xi32> {job.name = "up"}, !job.blob<3000xi32> {job.name = "down"}) kind predict {
  %f = job.read @"few-3000xf32" : !job.blob<3000xf32>
  %x = job.cast %f : !job.blob<3000xf32> to !job.blob<3000xui8>
  %up = job.argsort %x : !job.blob<3000xui8>
  %down = job.argsort %x descending : !job.blob<3000xui8>
  job.return %up, %down : !job.blob<3000xi32>, !job.blob<3000xi32>
}

// K = 0
job.func @argsort_equal_i32() -> (!job.blob<3000xi32> {job.name = "up"}, !job.blob<3000xi32> {job.name = "down"}) kind predict {
  %f = job.read @"few-3000xf32" : !job.blob<3000xf32>
  %x = job.cast %f : !job.blob<3000xf32> to !job.blob<3000xi32>
  %up = job.argsort %x : !job.blob<3000xi32>
  %down = job.argsort %x descending : !job.blob<3000xi32>
  job.return %up, %down : !job.blob<3000xi32>, !job.blob<3000xi32>
}

// K = 0
job.func @argsort_equal_i64() -> (!job.blob<3000xi32> {job.name = "up"}, !job.blob<3000xi32> {job.name = "down"}) kind predict {
  %f = job.read @"few-3000xf32" : !job.blob<3000xf32>
  %x = job.cast %f : !job.blob<3000xf32> to !job.blob<3000xi64>
  %up = job.argsort %x : !job.blob<3000xi64>
  %down = job.argsort %x descending : !job.blob<3000xi64>
  job.return %up, %down : !job.blob<3000xi32>, !job.blob<3000xi32>
}

// K = 0
job.func @argsort_special_f32() -> (!job.blob<2x9xi32> {job.name = "up"}, !job.blob<2x9xi32> {job.name = "down"}) kind predict {
  %x = job.constant dense<[[0.0, 0x7FC00000, -0.0, 0xFF800000, 0.0, -1.0, 0x7F800000, 0x7FC00000, 1.0], [0x7FC00000, 0xFFC00000, 0x7FC00000, 0x7F800000, 0x7F800000, 0xFF800000, 0xFF800000, 1.0e-40, 0.0]]> : tensor<2x9xf32>
  %up = job.argsort %x : !job.blob<2x9xf32>
  %down = job.argsort %x descending : !job.blob<2x9xf32>
  job.return %up, %down : !job.blob<2x9xi32>, !job.blob<2x9xi32>
}

job.func @train_sort() -> (!job.blob<4x20xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-4x20xf32" : !job.blob<4x20xf32>
  %order = job.argsort %x descending : !job.blob<4x20xf32>
  %y = job.gather %x, %order {axis = 1 : i64, batch_dims = 1 : i64} : !job.blob<4x20xf32>, !job.blob<4x20xi32>
  %weight = job.read @"weight-4x20xf32" : !job.blob<4x20xf32>
  %loss = job.mul %y, %weight : !job.blob<4x20xf32>
  job.loss %loss : !job.blob<4x20xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x20xf32>
}
