// Table of ops: elementwise. A prediction job for each op and variant, and a
// training job where the op has gradients: its operands are variables, so that
// the gradients show, with first values away from kinks and poles.

job.variable @"negative-4x5xf32" : !job.blob<4x5xf32> init #job.random_uniform_init<min = -2.0, max = -0.5>
job.variable @"any-67x131xf32" : !job.blob<67x131xf32> init #job.random_uniform_init<min = -2.0, max = 2.0>
job.variable @"any-5x3x7xf64" : !job.blob<5x3x7xf64> init #job.random_uniform_init<min = -2.0, max = 2.0>
job.variable @"any-4x5xf32" : !job.blob<4x5xf32> init #job.random_uniform_init<min = -2.0, max = 2.0>
job.variable @"weight-4x5xf32" : !job.blob<4x5xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"positive-4x5xf32" : !job.blob<4x5xf32> init #job.random_uniform_init<min = 0.2, max = 3.0>
job.variable @"positive-67x131xf32" : !job.blob<67x131xf32> init #job.random_uniform_init<min = 0.2, max = 3.0>
job.variable @"positive-5x3x7xf64" : !job.blob<5x3x7xf64> init #job.random_uniform_init<min = 0.2, max = 3.0>
job.variable @"wide-67x131xf32" : !job.blob<67x131xf32> init #job.random_uniform_init<min = -20.0, max = 20.0>
job.variable @"wide-5x3x7xf64" : !job.blob<5x3x7xf64> init #job.random_uniform_init<min = -20.0, max = 20.0>
job.variable @"wide-4x5xf32" : !job.blob<4x5xf32> init #job.random_uniform_init<min = -20.0, max = 20.0>
job.variable @"unit-67x131xf32" : !job.blob<67x131xf32> init #job.random_uniform_init<min = -0.9, max = 0.9>
job.variable @"unit-5x3x7xf64" : !job.blob<5x3x7xf64> init #job.random_uniform_init<min = -0.9, max = 0.9>
job.variable @"unit-4x5xf32" : !job.blob<4x5xf32> init #job.random_uniform_init<min = -0.9, max = 0.9>
job.variable @"other-67x131xf32" : !job.blob<67x131xf32> init #job.random_uniform_init<min = -2.0, max = 2.0>
job.variable @"other-5x3x7xf64" : !job.blob<5x3x7xf64> init #job.random_uniform_init<min = -2.0, max = 2.0>
job.variable @"other-4x5xf32" : !job.blob<4x5xf32> init #job.random_uniform_init<min = -2.0, max = 2.0>
job.variable @"divisor-67x131xf32" : !job.blob<67x131xf32> init #job.random_uniform_init<min = 0.5, max = 2.0>
job.variable @"divisor-5x3x7xf64" : !job.blob<5x3x7xf64> init #job.random_uniform_init<min = 0.5, max = 2.0>
job.variable @"divisor-4x5xf32" : !job.blob<4x5xf32> init #job.random_uniform_init<min = 0.5, max = 2.0>
job.variable @"any-1xf32" : !job.blob<1xf32> init #job.random_uniform_init<min = -2.0, max = 2.0>
job.variable @"other-1xf32" : !job.blob<1xf32> init #job.random_uniform_init<min = -2.0, max = 2.0>
job.variable @"any-37x29xf32" : !job.blob<37x29xf32> init #job.random_uniform_init<min = -2.0, max = 2.0>
job.variable @"other-37x29xf32" : !job.blob<37x29xf32> init #job.random_uniform_init<min = -2.0, max = 2.0>
job.variable @"any-37x29xf64" : !job.blob<37x29xf64> init #job.random_uniform_init<min = -2.0, max = 2.0>
job.variable @"other-37x29xf64" : !job.blob<37x29xf64> init #job.random_uniform_init<min = -2.0, max = 2.0>

job.func @neg_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"any-67x131xf32" : !job.blob<67x131xf32>
  %y = job.neg %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @neg_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"any-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.neg %x : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @train_neg() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"any-4x5xf32" : !job.blob<4x5xf32>
  %y = job.neg %x : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @abs_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"any-67x131xf32" : !job.blob<67x131xf32>
  %y = job.abs %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @abs_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"any-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.abs %x : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @train_abs() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %magnitude = job.read @"positive-4x5xf32" : !job.blob<4x5xf32>
  %sign = job.constant dense<[[1.0, -1.0, 1.0, -1.0, -1.0], [-1.0, 1.0, -1.0, 1.0, 1.0], [1.0, 1.0, -1.0, -1.0, 1.0], [-1.0, -1.0, 1.0, 1.0, -1.0]]> : tensor<4x5xf32>
  %x = job.mul %magnitude, %sign : !job.blob<4x5xf32>
  %y = job.abs %x : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @exp_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"any-67x131xf32" : !job.blob<67x131xf32>
  %y = job.exp %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @exp_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"any-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.exp %x : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @train_exp() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"any-4x5xf32" : !job.blob<4x5xf32>
  %y = job.exp %x : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @log_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"positive-67x131xf32" : !job.blob<67x131xf32>
  %y = job.log %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @log_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"positive-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.log %x : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @train_log() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"positive-4x5xf32" : !job.blob<4x5xf32>
  %y = job.log %x : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @sqrt_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"positive-67x131xf32" : !job.blob<67x131xf32>
  %y = job.sqrt %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @sqrt_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"positive-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.sqrt %x : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @train_sqrt() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"positive-4x5xf32" : !job.blob<4x5xf32>
  %y = job.sqrt %x : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @rsqrt_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"positive-67x131xf32" : !job.blob<67x131xf32>
  %y = job.rsqrt %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @rsqrt_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"positive-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.rsqrt %x : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @train_rsqrt() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"positive-4x5xf32" : !job.blob<4x5xf32>
  %y = job.rsqrt %x : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @cos_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"wide-67x131xf32" : !job.blob<67x131xf32>
  %y = job.cos %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @cos_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"wide-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.cos %x : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @train_cos() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"wide-4x5xf32" : !job.blob<4x5xf32>
  %y = job.cos %x : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @sin_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"wide-67x131xf32" : !job.blob<67x131xf32>
  %y = job.sin %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @sin_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"wide-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.sin %x : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @train_sin() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"wide-4x5xf32" : !job.blob<4x5xf32>
  %y = job.sin %x : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @tanh_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"any-67x131xf32" : !job.blob<67x131xf32>
  %y = job.tanh %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @tanh_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"any-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.tanh %x : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @train_tanh() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"any-4x5xf32" : !job.blob<4x5xf32>
  %y = job.tanh %x : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @sigmoid_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"any-67x131xf32" : !job.blob<67x131xf32>
  %y = job.sigmoid %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @sigmoid_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"any-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.sigmoid %x : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @train_sigmoid() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"any-4x5xf32" : !job.blob<4x5xf32>
  %y = job.sigmoid %x : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @relu_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"any-67x131xf32" : !job.blob<67x131xf32>
  %y = job.relu %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @relu_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"any-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.relu %x : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @train_relu() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %magnitude = job.read @"positive-4x5xf32" : !job.blob<4x5xf32>
  %sign = job.constant dense<[[1.0, -1.0, 1.0, -1.0, -1.0], [-1.0, 1.0, -1.0, 1.0, 1.0], [1.0, 1.0, -1.0, -1.0, 1.0], [-1.0, -1.0, 1.0, 1.0, -1.0]]> : tensor<4x5xf32>
  %x = job.mul %magnitude, %sign : !job.blob<4x5xf32>
  %y = job.relu %x : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @erf_inv_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"unit-67x131xf32" : !job.blob<67x131xf32>
  %y = job.erf_inv %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @erf_inv_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"unit-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.erf_inv %x : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @train_erf_inv() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"unit-4x5xf32" : !job.blob<4x5xf32>
  %y = job.erf_inv %x : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @add_f32() -> (!job.blob<67x131xf32> {job.name = "z"}) kind predict {
  %x = job.read @"any-67x131xf32" : !job.blob<67x131xf32>
  %y = job.read @"other-67x131xf32" : !job.blob<67x131xf32>
  %z = job.add %x, %y : !job.blob<67x131xf32>
  job.return %z : !job.blob<67x131xf32>
}

job.func @add_f64() -> (!job.blob<5x3x7xf64> {job.name = "z"}) kind predict {
  %x = job.read @"any-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.read @"other-5x3x7xf64" : !job.blob<5x3x7xf64>
  %z = job.add %x, %y : !job.blob<5x3x7xf64>
  job.return %z : !job.blob<5x3x7xf64>
}

job.func @train_add() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"any-4x5xf32" : !job.blob<4x5xf32>
  %y = job.read @"other-4x5xf32" : !job.blob<4x5xf32>
  %z = job.add %x, %y : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %z, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @sub_f32() -> (!job.blob<67x131xf32> {job.name = "z"}) kind predict {
  %x = job.read @"any-67x131xf32" : !job.blob<67x131xf32>
  %y = job.read @"other-67x131xf32" : !job.blob<67x131xf32>
  %z = job.sub %x, %y : !job.blob<67x131xf32>
  job.return %z : !job.blob<67x131xf32>
}

job.func @sub_f64() -> (!job.blob<5x3x7xf64> {job.name = "z"}) kind predict {
  %x = job.read @"any-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.read @"other-5x3x7xf64" : !job.blob<5x3x7xf64>
  %z = job.sub %x, %y : !job.blob<5x3x7xf64>
  job.return %z : !job.blob<5x3x7xf64>
}

job.func @train_sub() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"any-4x5xf32" : !job.blob<4x5xf32>
  %y = job.read @"other-4x5xf32" : !job.blob<4x5xf32>
  %z = job.sub %x, %y : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %z, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @mul_f32() -> (!job.blob<67x131xf32> {job.name = "z"}) kind predict {
  %x = job.read @"any-67x131xf32" : !job.blob<67x131xf32>
  %y = job.read @"other-67x131xf32" : !job.blob<67x131xf32>
  %z = job.mul %x, %y : !job.blob<67x131xf32>
  job.return %z : !job.blob<67x131xf32>
}

job.func @mul_f64() -> (!job.blob<5x3x7xf64> {job.name = "z"}) kind predict {
  %x = job.read @"any-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.read @"other-5x3x7xf64" : !job.blob<5x3x7xf64>
  %z = job.mul %x, %y : !job.blob<5x3x7xf64>
  job.return %z : !job.blob<5x3x7xf64>
}

job.func @train_mul() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"any-4x5xf32" : !job.blob<4x5xf32>
  %y = job.read @"other-4x5xf32" : !job.blob<4x5xf32>
  %z = job.mul %x, %y : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %z, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @div_f32() -> (!job.blob<67x131xf32> {job.name = "z"}) kind predict {
  %x = job.read @"any-67x131xf32" : !job.blob<67x131xf32>
  %y = job.read @"divisor-67x131xf32" : !job.blob<67x131xf32>
  %z = job.div %x, %y : !job.blob<67x131xf32>
  job.return %z : !job.blob<67x131xf32>
}

job.func @div_f64() -> (!job.blob<5x3x7xf64> {job.name = "z"}) kind predict {
  %x = job.read @"any-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.read @"divisor-5x3x7xf64" : !job.blob<5x3x7xf64>
  %z = job.div %x, %y : !job.blob<5x3x7xf64>
  job.return %z : !job.blob<5x3x7xf64>
}

job.func @train_div() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"any-4x5xf32" : !job.blob<4x5xf32>
  %y = job.read @"divisor-4x5xf32" : !job.blob<4x5xf32>
  %z = job.div %x, %y : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %z, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @maximum_f32() -> (!job.blob<67x131xf32> {job.name = "z"}) kind predict {
  %x = job.read @"any-67x131xf32" : !job.blob<67x131xf32>
  %y = job.read @"other-67x131xf32" : !job.blob<67x131xf32>
  %z = job.maximum %x, %y : !job.blob<67x131xf32>
  job.return %z : !job.blob<67x131xf32>
}

job.func @maximum_f64() -> (!job.blob<5x3x7xf64> {job.name = "z"}) kind predict {
  %x = job.read @"any-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.read @"other-5x3x7xf64" : !job.blob<5x3x7xf64>
  %z = job.maximum %x, %y : !job.blob<5x3x7xf64>
  job.return %z : !job.blob<5x3x7xf64>
}

job.func @train_maximum() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"any-4x5xf32" : !job.blob<4x5xf32>
  %y = job.read @"other-4x5xf32" : !job.blob<4x5xf32>
  %z = job.maximum %x, %y : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %z, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @minimum_f32() -> (!job.blob<67x131xf32> {job.name = "z"}) kind predict {
  %x = job.read @"any-67x131xf32" : !job.blob<67x131xf32>
  %y = job.read @"other-67x131xf32" : !job.blob<67x131xf32>
  %z = job.minimum %x, %y : !job.blob<67x131xf32>
  job.return %z : !job.blob<67x131xf32>
}

job.func @minimum_f64() -> (!job.blob<5x3x7xf64> {job.name = "z"}) kind predict {
  %x = job.read @"any-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.read @"other-5x3x7xf64" : !job.blob<5x3x7xf64>
  %z = job.minimum %x, %y : !job.blob<5x3x7xf64>
  job.return %z : !job.blob<5x3x7xf64>
}

job.func @train_minimum() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"any-4x5xf32" : !job.blob<4x5xf32>
  %y = job.read @"other-4x5xf32" : !job.blob<4x5xf32>
  %z = job.minimum %x, %y : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %z, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @pow_f32() -> (!job.blob<67x131xf32> {job.name = "z"}) kind predict {
  %x = job.read @"positive-67x131xf32" : !job.blob<67x131xf32>
  %y = job.read @"other-67x131xf32" : !job.blob<67x131xf32>
  %z = job.pow %x, %y : !job.blob<67x131xf32>
  job.return %z : !job.blob<67x131xf32>
}

job.func @pow_f64() -> (!job.blob<5x3x7xf64> {job.name = "z"}) kind predict {
  %x = job.read @"positive-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.read @"other-5x3x7xf64" : !job.blob<5x3x7xf64>
  %z = job.pow %x, %y : !job.blob<5x3x7xf64>
  job.return %z : !job.blob<5x3x7xf64>
}

job.func @train_pow() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"positive-4x5xf32" : !job.blob<4x5xf32>
  %y = job.read @"other-4x5xf32" : !job.blob<4x5xf32>
  %z = job.pow %x, %y : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %z, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

// Special values, integers and numbers between them with each other.
job.func @pow_special_f32() -> (!job.blob<121xf32> {job.name = "z"}) kind predict {
  %x = job.constant dense<[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, -3.0, -3.0, -3.0, -3.0, -3.0, -3.0, -3.0, -3.0, -3.0, -3.0, -3.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, -1.5, -1.5, -1.5, -1.5, -1.5, -1.5, -1.5, -1.5, -1.5, -1.5, -1.5, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7F800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<121xf32>
  %y = job.constant dense<[0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, -1.5, 0x7F800000, 0xFF800000, 0x7FC00000, 0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, -1.5, 0x7F800000, 0xFF800000, 0x7FC00000, 0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, -1.5, 0x7F800000, 0xFF800000, 0x7FC00000, 0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, -1.5, 0x7F800000, 0xFF800000, 0x7FC00000, 0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, -1.5, 0x7F800000, 0xFF800000, 0x7FC00000, 0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, -1.5, 0x7F800000, 0xFF800000, 0x7FC00000, 0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, -1.5, 0x7F800000, 0xFF800000, 0x7FC00000, 0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, -1.5, 0x7F800000, 0xFF800000, 0x7FC00000, 0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, -1.5, 0x7F800000, 0xFF800000, 0x7FC00000, 0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, -1.5, 0x7F800000, 0xFF800000, 0x7FC00000, 0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, -1.5, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<121xf32>
  %z = job.pow %x, %y : !job.blob<121xf32>
  job.return %z : !job.blob<121xf32>
}

// Special values, integers and numbers between them with each other.
job.func @pow_special_f64() -> (!job.blob<121xf64> {job.name = "z"}) kind predict {
  %x = job.constant dense<[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, -0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, -3.0, -3.0, -3.0, -3.0, -3.0, -3.0, -3.0, -3.0, -3.0, -3.0, -3.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, -1.5, -1.5, -1.5, -1.5, -1.5, -1.5, -1.5, -1.5, -1.5, -1.5, -1.5, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<121xf64>
  %y = job.constant dense<[0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, -1.5, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, -1.5, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, -1.5, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, -1.5, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, -1.5, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, -1.5, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, -1.5, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, -1.5, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, -1.5, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, -1.5, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, -1.5, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<121xf64>
  %z = job.pow %x, %y : !job.blob<121xf64>
  job.return %z : !job.blob<121xf64>
}

job.func @train_pow_negative() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"negative-4x5xf32" : !job.blob<4x5xf32>
  %y = job.constant dense<[[-3.0, -2.0, -1.0, 0.0, 1.0], [2.0, 3.0, 4.0, 5.0, 6.0], [-4.0, 7.0, 2.0, 3.0, -5.0], [-1.0, 1.0, 0.0, 8.0, 9.0]]> : tensor<4x5xf32>
  %z = job.pow %x, %y : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %z, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @train_pow_of_three() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"negative-4x5xf32" : !job.blob<4x5xf32>
  %y = job.constant dense<3.0> : tensor<4x5xf32>
  %z = job.pow %x, %y : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %z, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @add_inputs(%x: !job.blob<33xf32> {job.name = "x"}, %y: !job.blob<33xf32> {job.name = "y"}) -> (!job.blob<33xf32> {job.name = "z"}) kind predict {
  %z = job.add %x, %y : !job.blob<33xf32>
  job.return %z : !job.blob<33xf32>
}

job.func @add_one_element() -> (!job.blob<1xf32> {job.name = "z"}) kind predict {
  %x = job.read @"any-1xf32" : !job.blob<1xf32>
  %y = job.read @"other-1xf32" : !job.blob<1xf32>
  %z = job.add %x, %y : !job.blob<1xf32>
  job.return %z : !job.blob<1xf32>
}

// A value used twice: its gradients add up.
job.func @train_same_operand() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"any-4x5xf32" : !job.blob<4x5xf32>
  %z = job.mul %x, %x : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %z, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

// Overflow wraps.
job.func @integers_i8() -> (!job.blob<11xi8> {job.name = "neg"}, !job.blob<11xi8> {job.name = "abs"}, !job.blob<11xi8> {job.name = "add"}, !job.blob<11xi8> {job.name = "sub"}, !job.blob<11xi8> {job.name = "mul"}, !job.blob<11xi8> {job.name = "maximum"}, !job.blob<11xi8> {job.name = "minimum"}) kind predict {
  %x = job.constant dense<[-128, -127, -3, -1, 0, 1, 2, 3, 64, 126, 127]> : tensor<11xi8>
  %y = job.constant dense<[127, -1, 5, -128, 0, 127, 64, -7, 2, 1, 1]> : tensor<11xi8>
  %neg = job.neg %x : !job.blob<11xi8>
  %abs = job.abs %x : !job.blob<11xi8>
  %add = job.add %x, %y : !job.blob<11xi8>
  %sub = job.sub %x, %y : !job.blob<11xi8>
  %mul = job.mul %x, %y : !job.blob<11xi8>
  %maximum = job.maximum %x, %y : !job.blob<11xi8>
  %minimum = job.minimum %x, %y : !job.blob<11xi8>
  job.return %neg, %abs, %add, %sub, %mul, %maximum, %minimum : !job.blob<11xi8>, !job.blob<11xi8>, !job.blob<11xi8>, !job.blob<11xi8>, !job.blob<11xi8>, !job.blob<11xi8>, !job.blob<11xi8>
}

job.func @compare_i8() -> (!job.blob<11xi1> {job.name = "eq"}, !job.blob<11xi1> {job.name = "ne"}, !job.blob<11xi1> {job.name = "lt"}, !job.blob<11xi1> {job.name = "le"}, !job.blob<11xi1> {job.name = "gt"}, !job.blob<11xi1> {job.name = "ge"}) kind predict {
  %x = job.constant dense<[-128, -127, -3, -1, 0, 1, 2, 3, 64, 126, 127]> : tensor<11xi8>
  %y = job.constant dense<[127, -1, 5, -128, 0, 127, 64, -7, 2, 1, 1]> : tensor<11xi8>
  %eq = job.compare eq %x, %y : !job.blob<11xi8>
  %ne = job.compare ne %x, %y : !job.blob<11xi8>
  %lt = job.compare lt %x, %y : !job.blob<11xi8>
  %le = job.compare le %x, %y : !job.blob<11xi8>
  %gt = job.compare gt %x, %y : !job.blob<11xi8>
  %ge = job.compare ge %x, %y : !job.blob<11xi8>
  job.return %eq, %ne, %lt, %le, %gt, %ge : !job.blob<11xi1>, !job.blob<11xi1>, !job.blob<11xi1>, !job.blob<11xi1>, !job.blob<11xi1>, !job.blob<11xi1>
}

job.func @integers_i32() -> (!job.blob<11xi32> {job.name = "neg"}, !job.blob<11xi32> {job.name = "abs"}, !job.blob<11xi32> {job.name = "add"}, !job.blob<11xi32> {job.name = "sub"}, !job.blob<11xi32> {job.name = "mul"}, !job.blob<11xi32> {job.name = "maximum"}, !job.blob<11xi32> {job.name = "minimum"}) kind predict {
  %x = job.constant dense<[-2147483648, -2147483647, -3, -1, 0, 1, 2, 65536, 2147483646, 2147483647, 12345]> : tensor<11xi32>
  %y = job.constant dense<[2147483647, -1, 5, -2147483648, 0, 127, 64, 65536, 2, 1, 54321]> : tensor<11xi32>
  %neg = job.neg %x : !job.blob<11xi32>
  %abs = job.abs %x : !job.blob<11xi32>
  %add = job.add %x, %y : !job.blob<11xi32>
  %sub = job.sub %x, %y : !job.blob<11xi32>
  %mul = job.mul %x, %y : !job.blob<11xi32>
  %maximum = job.maximum %x, %y : !job.blob<11xi32>
  %minimum = job.minimum %x, %y : !job.blob<11xi32>
  job.return %neg, %abs, %add, %sub, %mul, %maximum, %minimum : !job.blob<11xi32>, !job.blob<11xi32>, !job.blob<11xi32>, !job.blob<11xi32>, !job.blob<11xi32>, !job.blob<11xi32>, !job.blob<11xi32>
}

job.func @compare_i32() -> (!job.blob<11xi1> {job.name = "eq"}, !job.blob<11xi1> {job.name = "ne"}, !job.blob<11xi1> {job.name = "lt"}, !job.blob<11xi1> {job.name = "le"}, !job.blob<11xi1> {job.name = "gt"}, !job.blob<11xi1> {job.name = "ge"}) kind predict {
  %x = job.constant dense<[-2147483648, -2147483647, -3, -1, 0, 1, 2, 65536, 2147483646, 2147483647, 12345]> : tensor<11xi32>
  %y = job.constant dense<[2147483647, -1, 5, -2147483648, 0, 127, 64, 65536, 2, 1, 54321]> : tensor<11xi32>
  %eq = job.compare eq %x, %y : !job.blob<11xi32>
  %ne = job.compare ne %x, %y : !job.blob<11xi32>
  %lt = job.compare lt %x, %y : !job.blob<11xi32>
  %le = job.compare le %x, %y : !job.blob<11xi32>
  %gt = job.compare gt %x, %y : !job.blob<11xi32>
  %ge = job.compare ge %x, %y : !job.blob<11xi32>
  job.return %eq, %ne, %lt, %le, %gt, %ge : !job.blob<11xi1>, !job.blob<11xi1>, !job.blob<11xi1>, !job.blob<11xi1>, !job.blob<11xi1>, !job.blob<11xi1>
}

job.func @integers_i64() -> (!job.blob<11xi64> {job.name = "neg"}, !job.blob<11xi64> {job.name = "abs"}, !job.blob<11xi64> {job.name = "add"}, !job.blob<11xi64> {job.name = "sub"}, !job.blob<11xi64> {job.name = "mul"}, !job.blob<11xi64> {job.name = "maximum"}, !job.blob<11xi64> {job.name = "minimum"}) kind predict {
  %x = job.constant dense<[-9223372036854775808, -9223372036854775807, -3, -1, 0, 1, 2, 4294967296, 9223372036854775806, 9223372036854775807, 12345]> : tensor<11xi64>
  %y = job.constant dense<[9223372036854775807, -1, 5, -9223372036854775808, 0, 127, 64, 4294967296, 2, 1, 54321]> : tensor<11xi64>
  %neg = job.neg %x : !job.blob<11xi64>
  %abs = job.abs %x : !job.blob<11xi64>
  %add = job.add %x, %y : !job.blob<11xi64>
  %sub = job.sub %x, %y : !job.blob<11xi64>
  %mul = job.mul %x, %y : !job.blob<11xi64>
  %maximum = job.maximum %x, %y : !job.blob<11xi64>
  %minimum = job.minimum %x, %y : !job.blob<11xi64>
  job.return %neg, %abs, %add, %sub, %mul, %maximum, %minimum : !job.blob<11xi64>, !job.blob<11xi64>, !job.blob<11xi64>, !job.blob<11xi64>, !job.blob<11xi64>, !job.blob<11xi64>, !job.blob<11xi64>
}

job.func @compare_i64() -> (!job.blob<11xi1> {job.name = "eq"}, !job.blob<11xi1> {job.name = "ne"}, !job.blob<11xi1> {job.name = "lt"}, !job.blob<11xi1> {job.name = "le"}, !job.blob<11xi1> {job.name = "gt"}, !job.blob<11xi1> {job.name = "ge"}) kind predict {
  %x = job.constant dense<[-9223372036854775808, -9223372036854775807, -3, -1, 0, 1, 2, 4294967296, 9223372036854775806, 9223372036854775807, 12345]> : tensor<11xi64>
  %y = job.constant dense<[9223372036854775807, -1, 5, -9223372036854775808, 0, 127, 64, 4294967296, 2, 1, 54321]> : tensor<11xi64>
  %eq = job.compare eq %x, %y : !job.blob<11xi64>
  %ne = job.compare ne %x, %y : !job.blob<11xi64>
  %lt = job.compare lt %x, %y : !job.blob<11xi64>
  %le = job.compare le %x, %y : !job.blob<11xi64>
  %gt = job.compare gt %x, %y : !job.blob<11xi64>
  %ge = job.compare ge %x, %y : !job.blob<11xi64>
  job.return %eq, %ne, %lt, %le, %gt, %ge : !job.blob<11xi1>, !job.blob<11xi1>, !job.blob<11xi1>, !job.blob<11xi1>, !job.blob<11xi1>, !job.blob<11xi1>
}

job.func @compare_f32() -> (!job.blob<9xi1> {job.name = "eq"}, !job.blob<9xi1> {job.name = "ne"}, !job.blob<9xi1> {job.name = "lt"}, !job.blob<9xi1> {job.name = "le"}, !job.blob<9xi1> {job.name = "gt"}, !job.blob<9xi1> {job.name = "ge"}) kind predict {
  %x = job.constant dense<[1.0, 2.0, -0.0, 0x7FC00000, 0x7FC00000, 0x7F800000, 0xFF800000, 3.0, 4.0]> : tensor<9xf32>
  %y = job.constant dense<[1.0, 3.0, 0.0, 1.0, 0x7FC00000, 0x7F800000, 1.0, -3.0, 0x7FC00000]> : tensor<9xf32>
  %eq = job.compare eq %x, %y : !job.blob<9xf32>
  %ne = job.compare ne %x, %y : !job.blob<9xf32>
  %lt = job.compare lt %x, %y : !job.blob<9xf32>
  %le = job.compare le %x, %y : !job.blob<9xf32>
  %gt = job.compare gt %x, %y : !job.blob<9xf32>
  %ge = job.compare ge %x, %y : !job.blob<9xf32>
  job.return %eq, %ne, %lt, %le, %gt, %ge : !job.blob<9xi1>, !job.blob<9xi1>, !job.blob<9xi1>, !job.blob<9xi1>, !job.blob<9xi1>, !job.blob<9xi1>
}

// Zeros, infinities and NaN.
job.func @special_values_f32() -> (!job.blob<9xf32> {job.name = "neg"}, !job.blob<9xf32> {job.name = "abs"}, !job.blob<9xf32> {job.name = "relu"}, !job.blob<9xf32> {job.name = "exp"}, !job.blob<9xf32> {job.name = "sqrt"}, !job.blob<9xf32> {job.name = "rsqrt"}, !job.blob<9xf32> {job.name = "log"}, !job.blob<9xf32> {job.name = "tanh"}, !job.blob<9xf32> {job.name = "sigmoid"}, !job.blob<9xf32> {job.name = "add"}, !job.blob<9xf32> {job.name = "sub"}, !job.blob<9xf32> {job.name = "mul"}, !job.blob<9xf32> {job.name = "div"}, !job.blob<9xf32> {job.name = "maximum"}, !job.blob<9xf32> {job.name = "minimum"}, !job.blob<9xf32> {job.name = "pow"}) kind predict {
  %x = job.constant dense<[1.0, 2.0, -0.0, 0x7FC00000, 0x7FC00000, 0x7F800000, 0xFF800000, 3.0, 4.0]> : tensor<9xf32>
  %y = job.constant dense<[1.0, 3.0, 0.0, 1.0, 0x7FC00000, 0x7F800000, 1.0, -3.0, 0x7FC00000]> : tensor<9xf32>
  %neg = job.neg %x : !job.blob<9xf32>
  %abs = job.abs %x : !job.blob<9xf32>
  %relu = job.relu %x : !job.blob<9xf32>
  %exp = job.exp %x : !job.blob<9xf32>
  %sqrt = job.sqrt %x : !job.blob<9xf32>
  %rsqrt = job.rsqrt %x : !job.blob<9xf32>
  %log = job.log %x : !job.blob<9xf32>
  %tanh = job.tanh %x : !job.blob<9xf32>
  %sigmoid = job.sigmoid %x : !job.blob<9xf32>
  %add = job.add %x, %y : !job.blob<9xf32>
  %sub = job.sub %x, %y : !job.blob<9xf32>
  %mul = job.mul %x, %y : !job.blob<9xf32>
  %div = job.div %x, %y : !job.blob<9xf32>
  %maximum = job.maximum %x, %y : !job.blob<9xf32>
  %minimum = job.minimum %x, %y : !job.blob<9xf32>
  %pow = job.pow %x, %y : !job.blob<9xf32>
  job.return %neg, %abs, %relu, %exp, %sqrt, %rsqrt, %log, %tanh, %sigmoid, %add, %sub, %mul, %div, %maximum, %minimum, %pow : !job.blob<9xf32>, !job.blob<9xf32>, !job.blob<9xf32>, !job.blob<9xf32>, !job.blob<9xf32>, !job.blob<9xf32>, !job.blob<9xf32>, !job.blob<9xf32>, !job.blob<9xf32>, !job.blob<9xf32>, !job.blob<9xf32>, !job.blob<9xf32>, !job.blob<9xf32>, !job.blob<9xf32>, !job.blob<9xf32>, !job.blob<9xf32>
}

job.func @compare_f64() -> (!job.blob<9xi1> {job.name = "eq"}, !job.blob<9xi1> {job.name = "ne"}, !job.blob<9xi1> {job.name = "lt"}, !job.blob<9xi1> {job.name = "le"}, !job.blob<9xi1> {job.name = "gt"}, !job.blob<9xi1> {job.name = "ge"}) kind predict {
  %x = job.constant dense<[1.0, 2.0, -0.0, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 3.0, 4.0]> : tensor<9xf64>
  %y = job.constant dense<[1.0, 3.0, 0.0, 1.0, 0x7FF8000000000000, 0x7FF0000000000000, 1.0, -3.0, 0x7FF8000000000000]> : tensor<9xf64>
  %eq = job.compare eq %x, %y : !job.blob<9xf64>
  %ne = job.compare ne %x, %y : !job.blob<9xf64>
  %lt = job.compare lt %x, %y : !job.blob<9xf64>
  %le = job.compare le %x, %y : !job.blob<9xf64>
  %gt = job.compare gt %x, %y : !job.blob<9xf64>
  %ge = job.compare ge %x, %y : !job.blob<9xf64>
  job.return %eq, %ne, %lt, %le, %gt, %ge : !job.blob<9xi1>, !job.blob<9xi1>, !job.blob<9xi1>, !job.blob<9xi1>, !job.blob<9xi1>, !job.blob<9xi1>
}

job.func @special_values_f64() -> (!job.blob<9xf64> {job.name = "neg"}, !job.blob<9xf64> {job.name = "abs"}, !job.blob<9xf64> {job.name = "relu"}, !job.blob<9xf64> {job.name = "exp"}, !job.blob<9xf64> {job.name = "sqrt"}, !job.blob<9xf64> {job.name = "rsqrt"}, !job.blob<9xf64> {job.name = "log"}, !job.blob<9xf64> {job.name = "tanh"}, !job.blob<9xf64> {job.name = "sigmoid"}, !job.blob<9xf64> {job.name = "add"}, !job.blob<9xf64> {job.name = "sub"}, !job.blob<9xf64> {job.name = "mul"}, !job.blob<9xf64> {job.name = "div"}, !job.blob<9xf64> {job.name = "maximum"}, !job.blob<9xf64> {job.name = "minimum"}, !job.blob<9xf64> {job.name = "pow"}) kind predict {
  %x = job.constant dense<[1.0, 2.0, -0.0, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 3.0, 4.0]> : tensor<9xf64>
  %y = job.constant dense<[1.0, 3.0, 0.0, 1.0, 0x7FF8000000000000, 0x7FF0000000000000, 1.0, -3.0, 0x7FF8000000000000]> : tensor<9xf64>
  %neg = job.neg %x : !job.blob<9xf64>
  %abs = job.abs %x : !job.blob<9xf64>
  %relu = job.relu %x : !job.blob<9xf64>
  %exp = job.exp %x : !job.blob<9xf64>
  %sqrt = job.sqrt %x : !job.blob<9xf64>
  %rsqrt = job.rsqrt %x : !job.blob<9xf64>
  %log = job.log %x : !job.blob<9xf64>
  %tanh = job.tanh %x : !job.blob<9xf64>
  %sigmoid = job.sigmoid %x : !job.blob<9xf64>
  %add = job.add %x, %y : !job.blob<9xf64>
  %sub = job.sub %x, %y : !job.blob<9xf64>
  %mul = job.mul %x, %y : !job.blob<9xf64>
  %div = job.div %x, %y : !job.blob<9xf64>
  %maximum = job.maximum %x, %y : !job.blob<9xf64>
  %minimum = job.minimum %x, %y : !job.blob<9xf64>
  %pow = job.pow %x, %y : !job.blob<9xf64>
  job.return %neg, %abs, %relu, %exp, %sqrt, %rsqrt, %log, %tanh, %sigmoid, %add, %sub, %mul, %div, %maximum, %minimum, %pow : !job.blob<9xf64>, !job.blob<9xf64>, !job.blob<9xf64>, !job.blob<9xf64>, !job.blob<9xf64>, !job.blob<9xf64>, !job.blob<9xf64>, !job.blob<9xf64>, !job.blob<9xf64>, !job.blob<9xf64>, !job.blob<9xf64>, !job.blob<9xf64>, !job.blob<9xf64>, !job.blob<9xf64>, !job.blob<9xf64>, !job.blob<9xf64>
}

job.func @select_f32() -> (!job.blob<37x29xf32> {job.name = "z"}) kind predict {
  %x = job.read @"any-37x29xf32" : !job.blob<37x29xf32>
  %y = job.read @"other-37x29xf32" : !job.blob<37x29xf32>
  %c = job.compare lt %x, %y : !job.blob<37x29xf32>
  %z = job.select %c, %x, %y : !job.blob<37x29xi1>, !job.blob<37x29xf32>
  job.return %z : !job.blob<37x29xf32>
}

job.func @select_f64() -> (!job.blob<37x29xf64> {job.name = "z"}) kind predict {
  %x = job.read @"any-37x29xf64" : !job.blob<37x29xf64>
  %y = job.read @"other-37x29xf64" : !job.blob<37x29xf64>
  %c = job.compare lt %x, %y : !job.blob<37x29xf64>
  %z = job.select %c, %x, %y : !job.blob<37x29xi1>, !job.blob<37x29xf64>
  job.return %z : !job.blob<37x29xf64>
}

job.func @select_integers() -> (!job.blob<5xi1> {job.name = "i1"}, !job.blob<5xi8> {job.name = "i8"}, !job.blob<5xi32> {job.name = "i32"}, !job.blob<5xi64> {job.name = "i64"}) kind predict {
  %c = job.constant dense<[true, false, true, true, false]> : tensor<5xi1>
  %x_i1 = job.constant dense<[true, true, false, false, true]> : tensor<5xi1>
  %y_i1 = job.constant dense<[false, true, true, false, false]> : tensor<5xi1>
  %z_i1 = job.select %c, %x_i1, %y_i1 : !job.blob<5xi1>, !job.blob<5xi1>
  %x_i8 = job.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi8>
  %y_i8 = job.constant dense<[-1, -2, -3, -4, -5]> : tensor<5xi8>
  %z_i8 = job.select %c, %x_i8, %y_i8 : !job.blob<5xi1>, !job.blob<5xi8>
  %x_i32 = job.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %y_i32 = job.constant dense<[-1, -2, -3, -4, -5]> : tensor<5xi32>
  %z_i32 = job.select %c, %x_i32, %y_i32 : !job.blob<5xi1>, !job.blob<5xi32>
  %x_i64 = job.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi64>
  %y_i64 = job.constant dense<[-1, -2, -3, -4, -5]> : tensor<5xi64>
  %z_i64 = job.select %c, %x_i64, %y_i64 : !job.blob<5xi1>, !job.blob<5xi64>
  job.return %z_i1, %z_i8, %z_i32, %z_i64 : !job.blob<5xi1>, !job.blob<5xi8>, !job.blob<5xi32>, !job.blob<5xi64>
}

job.func @train_select() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %c = job.constant dense<[[true, false, true, false, true], [false, false, true, true, true], [true, true, false, false, false], [true, false, false, true, false]]> : tensor<4x5xi1>
  %x = job.read @"any-4x5xf32" : !job.blob<4x5xf32>
  %y = job.read @"other-4x5xf32" : !job.blob<4x5xf32>
  %z = job.select %c, %x, %y : !job.blob<4x5xi1>, !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %z, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @cast_from_f32() -> (!job.blob<13xf64> {job.name = "f64"}, !job.blob<13xi1> {job.name = "i1"}, !job.blob<13xi8> {job.name = "i8"}, !job.blob<13xi32> {job.name = "i32"}, !job.blob<13xi64> {job.name = "i64"}) kind predict {
  %x = job.constant dense<[-3.75, -0.5, 0.0, 0.5, 2.5, 126.99, 300.5, -300.5, 3.0e9, -1.0e20, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<13xf32>
  %f64 = job.cast %x : !job.blob<13xf32> to !job.blob<13xf64>
  %i1 = job.cast %x : !job.blob<13xf32> to !job.blob<13xi1>
  %i8 = job.cast %x : !job.blob<13xf32> to !job.blob<13xi8>
  %i32 = job.cast %x : !job.blob<13xf32> to !job.blob<13xi32>
  %i64 = job.cast %x : !job.blob<13xf32> to !job.blob<13xi64>
  job.return %f64, %i1, %i8, %i32, %i64 : !job.blob<13xf64>, !job.blob<13xi1>, !job.blob<13xi8>, !job.blob<13xi32>, !job.blob<13xi64>
}

job.func @cast_from_f64() -> (!job.blob<13xf32> {job.name = "f32"}, !job.blob<13xi1> {job.name = "i1"}, !job.blob<13xi8> {job.name = "i8"}, !job.blob<13xi32> {job.name = "i32"}, !job.blob<13xi64> {job.name = "i64"}) kind predict {
  %x = job.constant dense<[-3.75, -0.5, 0.0, 1.0e-300, 2.5, 126.99, 300.5, -300.5, 3.0e9, -1.0e20, 0x7FF8000000000000, 0x7FF0000000000000, 0.1]> : tensor<13xf64>
  %f32 = job.cast %x : !job.blob<13xf64> to !job.blob<13xf32>
  %i1 = job.cast %x : !job.blob<13xf64> to !job.blob<13xi1>
  %i8 = job.cast %x : !job.blob<13xf64> to !job.blob<13xi8>
  %i32 = job.cast %x : !job.blob<13xf64> to !job.blob<13xi32>
  %i64 = job.cast %x : !job.blob<13xf64> to !job.blob<13xi64>
  job.return %f32, %i1, %i8, %i32, %i64 : !job.blob<13xf32>, !job.blob<13xi1>, !job.blob<13xi8>, !job.blob<13xi32>, !job.blob<13xi64>
}

job.func @cast_from_i1() -> (!job.blob<13xf32> {job.name = "f32"}, !job.blob<13xf64> {job.name = "f64"}, !job.blob<13xi8> {job.name = "i8"}, !job.blob<13xi32> {job.name = "i32"}, !job.blob<13xi64> {job.name = "i64"}) kind predict {
  %x = job.constant dense<[true, false, true, true, false, false, true, false, true, false, true, true, false]> : tensor<13xi1>
  %f32 = job.cast %x : !job.blob<13xi1> to !job.blob<13xf32>
  %f64 = job.cast %x : !job.blob<13xi1> to !job.blob<13xf64>
  %i8 = job.cast %x : !job.blob<13xi1> to !job.blob<13xi8>
  %i32 = job.cast %x : !job.blob<13xi1> to !job.blob<13xi32>
  %i64 = job.cast %x : !job.blob<13xi1> to !job.blob<13xi64>
  job.return %f32, %f64, %i8, %i32, %i64 : !job.blob<13xf32>, !job.blob<13xf64>, !job.blob<13xi8>, !job.blob<13xi32>, !job.blob<13xi64>
}

job.func @cast_from_i8() -> (!job.blob<13xf32> {job.name = "f32"}, !job.blob<13xf64> {job.name = "f64"}, !job.blob<13xi1> {job.name = "i1"}, !job.blob<13xi32> {job.name = "i32"}, !job.blob<13xi64> {job.name = "i64"}) kind predict {
  %x = job.constant dense<[-128, -100, -3, -1, 0, 1, 2, 3, 50, 100, 125, 126, 127]> : tensor<13xi8>
  %f32 = job.cast %x : !job.blob<13xi8> to !job.blob<13xf32>
  %f64 = job.cast %x : !job.blob<13xi8> to !job.blob<13xf64>
  %i1 = job.cast %x : !job.blob<13xi8> to !job.blob<13xi1>
  %i32 = job.cast %x : !job.blob<13xi8> to !job.blob<13xi32>
  %i64 = job.cast %x : !job.blob<13xi8> to !job.blob<13xi64>
  job.return %f32, %f64, %i1, %i32, %i64 : !job.blob<13xf32>, !job.blob<13xf64>, !job.blob<13xi1>, !job.blob<13xi32>, !job.blob<13xi64>
}

job.func @cast_from_i32() -> (!job.blob<13xf32> {job.name = "f32"}, !job.blob<13xf64> {job.name = "f64"}, !job.blob<13xi1> {job.name = "i1"}, !job.blob<13xi8> {job.name = "i8"}, !job.blob<13xi64> {job.name = "i64"}) kind predict {
  %x = job.constant dense<[-2147483648, -129, -128, -1, 0, 1, 127, 128, 256, 16777217, 33554435, 2147483646, 2147483647]> : tensor<13xi32>
  %f32 = job.cast %x : !job.blob<13xi32> to !job.blob<13xf32>
  %f64 = job.cast %x : !job.blob<13xi32> to !job.blob<13xf64>
  %i1 = job.cast %x : !job.blob<13xi32> to !job.blob<13xi1>
  %i8 = job.cast %x : !job.blob<13xi32> to !job.blob<13xi8>
  %i64 = job.cast %x : !job.blob<13xi32> to !job.blob<13xi64>
  job.return %f32, %f64, %i1, %i8, %i64 : !job.blob<13xf32>, !job.blob<13xf64>, !job.blob<13xi1>, !job.blob<13xi8>, !job.blob<13xi64>
}

job.func @cast_from_i64() -> (!job.blob<13xf32> {job.name = "f32"}, !job.blob<13xf64> {job.name = "f64"}, !job.blob<13xi1> {job.name = "i1"}, !job.blob<13xi8> {job.name = "i8"}, !job.blob<13xi32> {job.name = "i32"}) kind predict {
  %x = job.constant dense<[-9223372036854775808, -129, -4294967296, -1, 0, 1, 127, 128, 4294967297, 16777217, 9007199254740993, 9007199791611905, 9223372036854775807]> : tensor<13xi64>
  %f32 = job.cast %x : !job.blob<13xi64> to !job.blob<13xf32>
  %f64 = job.cast %x : !job.blob<13xi64> to !job.blob<13xf64>
  %i1 = job.cast %x : !job.blob<13xi64> to !job.blob<13xi1>
  %i8 = job.cast %x : !job.blob<13xi64> to !job.blob<13xi8>
  %i32 = job.cast %x : !job.blob<13xi64> to !job.blob<13xi32>
  job.return %f32, %f64, %i1, %i8, %i32 : !job.blob<13xf32>, !job.blob<13xf64>, !job.blob<13xi1>, !job.blob<13xi8>, !job.blob<13xi32>
}

job.func @train_cast() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"any-4x5xf32" : !job.blob<4x5xf32>
  %w = job.cast %x : !job.blob<4x5xf32> to !job.blob<4x5xf64>
  %e = job.exp %w : !job.blob<4x5xf64>
  %y = job.cast %e : !job.blob<4x5xf64> to !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

// Several ops that one kernel may hold, and a result from its middle.
job.func @chain() -> (!job.blob<67x131xf32> {job.name = "z"}, !job.blob<67x131xf32> {job.name = "tanh"}) kind predict {
  %x = job.read @"any-67x131xf32" : !job.blob<67x131xf32>
  %y = job.read @"other-67x131xf32" : !job.blob<67x131xf32>
  %0 = job.mul %x, %y : !job.blob<67x131xf32>
  %1 = job.tanh %0 : !job.blob<67x131xf32>
  %2 = job.add %1, %x : !job.blob<67x131xf32>
  %3 = job.relu %2 : !job.blob<67x131xf32>
  job.return %3, %1 : !job.blob<67x131xf32>, !job.blob<67x131xf32>
}
