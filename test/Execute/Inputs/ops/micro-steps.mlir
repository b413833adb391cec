// Table of ops: micro-steps. Rows that are multiples of 64 bytes and rows that are
// not, sums and packed results, all of which may be results of the job, and a
// training step as users write it.

job.variable @"x-12x40xf32" : !job.blob<12x40xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-12x5xf64" : !job.blob<12x5xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"w-7x40xf32" : !job.blob<7x40xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"b-7xf32" : !job.blob<7xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-3x7xf32" : !job.blob<3x7xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"image-8x2x6x6xf32" : !job.blob<8x2x6x6xf32> init #job.random_uniform_init<min = -1.0, max = 1.0> {trainable = false}
job.variable @"filter-3x2x3x3xf32" : !job.blob<3x2x3x3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"mean-40xf32" : !job.blob<40xf32> init #job.constant_init<0.0> {trainable = false}

// K = 3
job.func @sum_and_rows_f32() -> (!job.blob<4x40xf32> {job.name = "sum"}, !job.blob<12x40xf32> {job.name = "all"}) kind predict {
  %x = job.read @"x-12x40xf32" : !job.blob<12x40xf32>
  %u = job.unpack %x {count = 3 : i64} : !job.blob<12x40xf32>
  %y = job.mul %u, %u : !job.blob<4x40xf32>
  %a = job.acc %y {count = 3 : i64} : !job.blob<4x40xf32>
  %p = job.pack %y {count = 3 : i64} : !job.blob<4x40xf32>
  job.return %a, %p : !job.blob<4x40xf32>, !job.blob<12x40xf32>
}

// K = 6
// Rows of 80 bytes; what the loop makes is used behind it.
job.func @sum_and_rows_f64() -> (!job.blob<2x5xf64> {job.name = "sum"}, !job.blob<12x5xf64> {job.name = "all"}) kind predict {
  %x = job.read @"x-12x5xf64" : !job.blob<12x5xf64>
  %n = job.neg %x : !job.blob<12x5xf64>
  %u = job.unpack %n {count = 6 : i64} : !job.blob<12x5xf64>
  %y = job.exp %u : !job.blob<2x5xf64>
  %a = job.acc %y {count = 6 : i64} : !job.blob<2x5xf64>
  %b = job.neg %a : !job.blob<2x5xf64>
  %p = job.pack %y {count = 6 : i64} : !job.blob<2x5xf64>
  %q = job.neg %p : !job.blob<12x5xf64>
  job.return %b, %q : !job.blob<2x5xf64>, !job.blob<12x5xf64>
}

// K = 0
// One value packed twice; one that is an input's rows; one that is constant; one
// that is repeated.
job.func @packed_i32(%x: !job.blob<6x2xi32> {job.name = "x"}, %w: !job.blob<2xi32> {job.name = "w"}) -> (!job.blob<6x2xi32> {job.name = "a"}, !job.blob<6x2xi32> {job.name = "b"}, !job.blob<6x2xi32> {job.name = "same"}, !job.blob<6xi32> {job.name = "constant"}, !job.blob<6xi32> {job.name = "w3"}, !job.blob<2x2xi32> {job.name = "sum"}) kind predict {
  %u = job.unpack %x {count = 3 : i64} : !job.blob<6x2xi32>
  %y = job.add %u, %u : !job.blob<2x2xi32>
  %a = job.pack %y {count = 3 : i64} : !job.blob<2x2xi32>
  %b = job.pack %y {count = 3 : i64} : !job.blob<2x2xi32>
  %s = job.pack %u {count = 3 : i64} : !job.blob<2x2xi32>
  %c = job.constant dense<[7, 9]> : tensor<2xi32>
  %d = job.pack %c {count = 3 : i64} : !job.blob<2xi32>
  %r = job.broadcast_micro_steps %w {count = 3 : i64} : !job.blob<2xi32>
  %e = job.pack %r {count = 3 : i64} : !job.blob<2xi32>
  %f = job.acc %u {count = 3 : i64} : !job.blob<2x2xi32>
  job.return %a, %b, %s, %d, %e, %f : !job.blob<6x2xi32>, !job.blob<6x2xi32>, !job.blob<6x2xi32>, !job.blob<6xi32>, !job.blob<6xi32>, !job.blob<2x2xi32>
}

// K = 4
// A sum and a packed result of large constants, and of nothing else.
job.func @constants_f32() -> (!job.blob<40x40xf32> {job.name = "sum"}, !job.blob<160x40xf32> {job.name = "all"}, !job.blob<160x40xf32> {job.name = "zeros"}) kind predict {
  %c = job.constant dense<0.3> : tensor<40x40xf32>
  %z = job.constant dense<0.0> : tensor<40x40xf32>
  %a = job.acc %c {count = 4 : i64} : !job.blob<40x40xf32>
  %p = job.pack %c {count = 4 : i64} : !job.blob<40x40xf32>
  %q = job.pack %z {count = 4 : i64} : !job.blob<40x40xf32>
  job.return %a, %p, %q : !job.blob<40x40xf32>, !job.blob<160x40xf32>, !job.blob<160x40xf32>
}

// K = 160
// Long lives across the loop: what is made before it, used in it and behind it.
job.func @around_f32() -> (!job.blob<7xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-12x40xf32" : !job.blob<12x40xf32>
  %w = job.read @"w-7x40xf32" : !job.blob<7x40xf32>
  %v = job.exp %w : !job.blob<7x40xf32>
  %b = job.read @"b-7xf32" : !job.blob<7xf32>
  %c = job.exp %b : !job.blob<7xf32>
  %u = job.unpack %x {count = 4 : i64} : !job.blob<12x40xf32>
  %r = job.broadcast_micro_steps %v {count = 4 : i64} : !job.blob<7x40xf32>
  %m = job.matmul %u, %r {transpose_rhs = true} : !job.blob<3x40xf32>, !job.blob<7x40xf32>
  %s = job.reduce_sum %m {axes = array<i64: 0>} : !job.blob<3x7xf32>
  %t = job.broadcast_micro_steps %c {count = 4 : i64} : !job.blob<7xf32>
  %y = job.mul %s, %t : !job.blob<7xf32>
  %a = job.acc %y {count = 4 : i64} : !job.blob<7xf32>
  %d = job.reduce_sum %v {axes = array<i64: 1>} : !job.blob<7x40xf32>
  %e = job.add %a, %d : !job.blob<7xf32>
  %f = job.add %e, %c : !job.blob<7xf32>
  job.return %f : !job.blob<7xf32>
}

// K = 160
job.func @train_dense() -> (!job.blob<12x7xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-12x40xf32" : !job.blob<12x40xf32>
  %w = job.read @"w-7x40xf32" : !job.blob<7x40xf32>
  %b = job.read @"b-7xf32" : !job.blob<7xf32>
  %weight = job.read @"weight-3x7xf32" : !job.blob<3x7xf32>
  %u = job.unpack %x {count = 4 : i64} : !job.blob<12x40xf32>
  %w4 = job.broadcast_micro_steps %w {count = 4 : i64} : !job.blob<7x40xf32>
  %b4 = job.broadcast_micro_steps %b {count = 4 : i64} : !job.blob<7xf32>
  %weight4 = job.broadcast_micro_steps %weight {count = 4 : i64} : !job.blob<3x7xf32>
  %m = job.matmul %u, %w4 {transpose_rhs = true} : !job.blob<3x40xf32>, !job.blob<7x40xf32>
  %c = job.broadcast_in_dim %b4 {dims = array<i64: 1>} : !job.blob<7xf32> to !job.blob<3x7xf32>
  %y = job.add %m, %c : !job.blob<3x7xf32>
  %z = job.tanh %y : !job.blob<3x7xf32>
  %loss = job.mul %z, %weight4 : !job.blob<3x7xf32>
  job.loss %loss : !job.blob<3x7xf32>
  job.minimize #job.momentum<beta = 0.9> schedule #job.constant_schedule<0.1>
  %all = job.pack %loss {count = 4 : i64} : !job.blob<3x7xf32>
  job.return %all : !job.blob<12x7xf32>
}

// K = 288
job.func @train_conv() -> (!job.blob<3x6x6xf32> {job.name = "sum"}) kind train {
  %x = job.read @"image-8x2x6x6xf32" : !job.blob<8x2x6x6xf32>
  %w = job.read @"filter-3x2x3x3xf32" : !job.blob<3x2x3x3xf32>
  %u = job.unpack %x {count = 4 : i64} : !job.blob<8x2x6x6xf32>
  %w4 = job.broadcast_micro_steps %w {count = 4 : i64} : !job.blob<3x2x3x3xf32>
  %c = job.conv2d %u, %w4 {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x2x6x6xf32>, !job.blob<3x2x3x3xf32>
  %y = job.mul %c, %c : !job.blob<2x3x6x6xf32>
  job.loss %y : !job.blob<2x3x6x6xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  %s = job.reduce_sum %y {axes = array<i64: 0>} : !job.blob<2x3x6x6xf32>
  %a = job.acc %s {count = 4 : i64} : !job.blob<3x6x6xf32>
  job.return %a : !job.blob<3x6x6xf32>
}

// K = 12
// A variable assigned from the loop, and other random numbers in each micro-step.
job.func @train_dropout() -> (!job.blob<12x40xf32> {job.name = "y"}) kind train {
  %x = job.read @"x-12x40xf32" : !job.blob<12x40xf32>
  %mean = job.read @"mean-40xf32" : !job.blob<40xf32>
  %step = job.step
  %four = job.constant dense<4> : tensor<1xi64>
  %index = job.constant dense<[0, 1, 2, 3]> : tensor<4xi64>
  %first = job.mul %step, %four : !job.blob<1xi64>
  %first4 = job.broadcast_micro_steps %first {count = 4 : i64} : !job.blob<1xi64>
  %i = job.unpack %index {count = 4 : i64} : !job.blob<4xi64>
  %s = job.add %first4, %i : !job.blob<1xi64>
  %u = job.unpack %x {count = 4 : i64} : !job.blob<12x40xf32>
  %y = job.dropout %u, %s {rate = 0.4, seed = 11 : i64, id = 1 : i64} : !job.blob<3x40xf32>
  job.loss %y : !job.blob<3x40xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  %sum = job.reduce_sum %u {axes = array<i64: 0>} : !job.blob<3x40xf32>
  %total = job.acc %sum {count = 4 : i64} : !job.blob<40xf32>
  %new = job.add %mean, %total : !job.blob<40xf32>
  job.assign @"mean-40xf32", %new : !job.blob<40xf32>
  %all = job.pack %y {count = 4 : i64} : !job.blob<3x40xf32>
  job.return %all : !job.blob<12x40xf32>
}
