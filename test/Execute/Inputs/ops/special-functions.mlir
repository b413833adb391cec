// Table of ops: trigonometric and hyperbolic functions, their inverse ones, the error
// function's complement, the gamma function's logarithm, divisions that round down.
// A prediction job for each op and variant, and a training job where the op has
// gradients: its operands are variables, so that the gradients show, with first
// values away from kinks and poles.

job.variable @"weight-4x5xf32" : !job.blob<4x5xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"wide-67x131xf32" : !job.blob<67x131xf32> init #job.random_uniform_init<min = -4.0, max = 4.0>
job.variable @"wide-5x3x7xf64" : !job.blob<5x3x7xf64> init #job.random_uniform_init<min = -4.0, max = 4.0>
job.variable @"wide-4x5xf32" : !job.blob<4x5xf32> init #job.random_uniform_init<min = -4.0, max = 4.0>
job.variable @"inner-67x131xf32" : !job.blob<67x131xf32> init #job.random_uniform_init<min = -0.95, max = 0.95>
job.variable @"inner-5x3x7xf64" : !job.blob<5x3x7xf64> init #job.random_uniform_init<min = -0.95, max = 0.95>
job.variable @"inner-4x5xf32" : !job.blob<4x5xf32> init #job.random_uniform_init<min = -0.95, max = 0.95>
job.variable @"above-67x131xf32" : !job.blob<67x131xf32> init #job.random_uniform_init<min = 1.1, max = 6.0>
job.variable @"above-5x3x7xf64" : !job.blob<5x3x7xf64> init #job.random_uniform_init<min = 1.1, max = 6.0>
job.variable @"above-4x5xf32" : !job.blob<4x5xf32> init #job.random_uniform_init<min = 1.1, max = 6.0>
job.variable @"positive-67x131xf32" : !job.blob<67x131xf32> init #job.random_uniform_init<min = 0.2, max = 9.0>
job.variable @"positive-5x3x7xf64" : !job.blob<5x3x7xf64> init #job.random_uniform_init<min = 0.2, max = 9.0>
job.variable @"positive-4x5xf32" : !job.blob<4x5xf32> init #job.random_uniform_init<min = 0.2, max = 9.0>
job.variable @"angle-67x131xf32" : !job.blob<67x131xf32> init #job.random_uniform_init<min = -1.2, max = 1.2>
job.variable @"angle-5x3x7xf64" : !job.blob<5x3x7xf64> init #job.random_uniform_init<min = -1.2, max = 1.2>
job.variable @"angle-4x5xf32" : !job.blob<4x5xf32> init #job.random_uniform_init<min = -1.2, max = 1.2>
job.variable @"dividend-4x5xf32" : !job.blob<4x5xf32> init #job.random_uniform_init<min = 1.6, max = 1.9>
job.variable @"divisor-4x5xf32" : !job.blob<4x5xf32> init #job.random_uniform_init<min = 0.65, max = 0.75>
job.variable @"y-4x5xf32" : !job.blob<4x5xf32> init #job.random_uniform_init<min = -2.0, max = -0.5>
job.variable @"x-4x5xf32" : !job.blob<4x5xf32> init #job.random_uniform_init<min = 0.5, max = 2.0>
job.variable @"far-67x131xf32" : !job.blob<67x131xf32> init #job.random_uniform_init<min = -20.0, max = 20.0>
job.variable @"other-67x131xf32" : !job.blob<67x131xf32> init #job.random_uniform_init<min = -20.0, max = 20.0>
job.variable @"far-5x3x7xf64" : !job.blob<5x3x7xf64> init #job.random_uniform_init<min = -20.0, max = 20.0>
job.variable @"other-5x3x7xf64" : !job.blob<5x3x7xf64> init #job.random_uniform_init<min = -20.0, max = 20.0>

job.func @tan_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"wide-67x131xf32" : !job.blob<67x131xf32>
  %y = job.tan %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @tan_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"wide-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.tan %x : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @train_tan() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"angle-4x5xf32" : !job.blob<4x5xf32>
  %y = job.tan %x : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @acos_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"inner-67x131xf32" : !job.blob<67x131xf32>
  %y = job.acos %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @acos_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"inner-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.acos %x : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @train_acos() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"inner-4x5xf32" : !job.blob<4x5xf32>
  %y = job.acos %x : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @asin_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"inner-67x131xf32" : !job.blob<67x131xf32>
  %y = job.asin %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @asin_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"inner-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.asin %x : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @train_asin() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"inner-4x5xf32" : !job.blob<4x5xf32>
  %y = job.asin %x : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @atan_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"wide-67x131xf32" : !job.blob<67x131xf32>
  %y = job.atan %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @atan_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"wide-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.atan %x : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @train_atan() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"wide-4x5xf32" : !job.blob<4x5xf32>
  %y = job.atan %x : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @cosh_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"wide-67x131xf32" : !job.blob<67x131xf32>
  %y = job.cosh %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @cosh_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"wide-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.cosh %x : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @train_cosh() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"wide-4x5xf32" : !job.blob<4x5xf32>
  %y = job.cosh %x : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @sinh_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"wide-67x131xf32" : !job.blob<67x131xf32>
  %y = job.sinh %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @sinh_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"wide-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.sinh %x : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @train_sinh() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"wide-4x5xf32" : !job.blob<4x5xf32>
  %y = job.sinh %x : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @acosh_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"above-67x131xf32" : !job.blob<67x131xf32>
  %y = job.acosh %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @acosh_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"above-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.acosh %x : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @train_acosh() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"above-4x5xf32" : !job.blob<4x5xf32>
  %y = job.acosh %x : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @asinh_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"wide-67x131xf32" : !job.blob<67x131xf32>
  %y = job.asinh %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @asinh_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"wide-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.asinh %x : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @train_asinh() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"wide-4x5xf32" : !job.blob<4x5xf32>
  %y = job.asinh %x : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @atanh_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"inner-67x131xf32" : !job.blob<67x131xf32>
  %y = job.atanh %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @atanh_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"inner-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.atanh %x : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @train_atanh() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"inner-4x5xf32" : !job.blob<4x5xf32>
  %y = job.atanh %x : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @erfc_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"wide-67x131xf32" : !job.blob<67x131xf32>
  %y = job.erfc %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @erfc_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"wide-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.erfc %x : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @train_erfc() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"wide-4x5xf32" : !job.blob<4x5xf32>
  %y = job.erfc %x : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @lgamma_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"positive-67x131xf32" : !job.blob<67x131xf32>
  %y = job.lgamma %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @lgamma_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"positive-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.lgamma %x : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @train_lgamma() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"positive-4x5xf32" : !job.blob<4x5xf32>
  %y = job.lgamma %x : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @digamma_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"positive-67x131xf32" : !job.blob<67x131xf32>
  %y = job.digamma %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @digamma_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"positive-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.digamma %x : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @atan2_f32() -> (!job.blob<67x131xf32> {job.name = "z"}) kind predict {
  %x = job.read @"far-67x131xf32" : !job.blob<67x131xf32>
  %y = job.read @"other-67x131xf32" : !job.blob<67x131xf32>
  %z = job.atan2 %x, %y : !job.blob<67x131xf32>
  job.return %z : !job.blob<67x131xf32>
}

job.func @atan2_f64() -> (!job.blob<5x3x7xf64> {job.name = "z"}) kind predict {
  %x = job.read @"far-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.read @"other-5x3x7xf64" : !job.blob<5x3x7xf64>
  %z = job.atan2 %x, %y : !job.blob<5x3x7xf64>
  job.return %z : !job.blob<5x3x7xf64>
}

job.func @floor_div_f32() -> (!job.blob<67x131xf32> {job.name = "z"}) kind predict {
  %x = job.read @"far-67x131xf32" : !job.blob<67x131xf32>
  %y = job.read @"other-67x131xf32" : !job.blob<67x131xf32>
  %z = job.floor_div %x, %y : !job.blob<67x131xf32>
  job.return %z : !job.blob<67x131xf32>
}

job.func @floor_div_f64() -> (!job.blob<5x3x7xf64> {job.name = "z"}) kind predict {
  %x = job.read @"far-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.read @"other-5x3x7xf64" : !job.blob<5x3x7xf64>
  %z = job.floor_div %x, %y : !job.blob<5x3x7xf64>
  job.return %z : !job.blob<5x3x7xf64>
}

job.func @mod_f32() -> (!job.blob<67x131xf32> {job.name = "z"}) kind predict {
  %x = job.read @"far-67x131xf32" : !job.blob<67x131xf32>
  %y = job.read @"other-67x131xf32" : !job.blob<67x131xf32>
  %z = job.mod %x, %y : !job.blob<67x131xf32>
  job.return %z : !job.blob<67x131xf32>
}

job.func @mod_f64() -> (!job.blob<5x3x7xf64> {job.name = "z"}) kind predict {
  %x = job.read @"far-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.read @"other-5x3x7xf64" : !job.blob<5x3x7xf64>
  %z = job.mod %x, %y : !job.blob<5x3x7xf64>
  job.return %z : !job.blob<5x3x7xf64>
}

job.func @train_atan2() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %y = job.read @"y-4x5xf32" : !job.blob<4x5xf32>
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %z = job.atan2 %y, %x : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %z, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @train_mod() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"dividend-4x5xf32" : !job.blob<4x5xf32>
  %y = job.read @"divisor-4x5xf32" : !job.blob<4x5xf32>
  %z = job.mod %x, %y : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %z, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

// The gradient of the quotient is 0.
job.func @train_floor_div() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"dividend-4x5xf32" : !job.blob<4x5xf32>
  %y = job.read @"divisor-4x5xf32" : !job.blob<4x5xf32>
  %q = job.floor_div %x, %y : !job.blob<4x5xf32>
  %z = job.mul %q, %y : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %z, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

// Zeros, infinities, NaN, poles, the ends of domains and ranges.

job.func @special_values_f32() -> (!job.blob<16xf32> {job.name = "acos"}, !job.blob<16xf32> {job.name = "asin"}, !job.blob<16xf32> {job.name = "atan"}, !job.blob<16xf32> {job.name = "cosh"}, !job.blob<16xf32> {job.name = "sinh"}, !job.blob<16xf32> {job.name = "acosh"}, !job.blob<16xf32> {job.name = "asinh"}, !job.blob<16xf32> {job.name = "atanh"}, !job.blob<16xf32> {job.name = "erfc"}, !job.blob<16xf32> {job.name = "lgamma"}, !job.blob<16xf32> {job.name = "digamma"}) kind predict {
  %x = job.constant dense<[0.0, -0.0, 0x7FC00000, 0x7F800000, 0xFF800000, 1.0e-40, -1.0e-40, 1.0, -1.0, 0.5, -0.5, -2.0, -1.5, 2.0, 3.0e+38, -3.0e+38]> : tensor<16xf32>
  %acos = job.acos %x : !job.blob<16xf32>
  %asin = job.asin %x : !job.blob<16xf32>
  %atan = job.atan %x : !job.blob<16xf32>
  %cosh = job.cosh %x : !job.blob<16xf32>
  %sinh = job.sinh %x : !job.blob<16xf32>
  %acosh = job.acosh %x : !job.blob<16xf32>
  %asinh = job.asinh %x : !job.blob<16xf32>
  %atanh = job.atanh %x : !job.blob<16xf32>
  %erfc = job.erfc %x : !job.blob<16xf32>
  %lgamma = job.lgamma %x : !job.blob<16xf32>
  %digamma = job.digamma %x : !job.blob<16xf32>
  job.return %acos, %asin, %atan, %cosh, %sinh, %acosh, %asinh, %atanh, %erfc, %lgamma, %digamma : !job.blob<16xf32>, !job.blob<16xf32>, !job.blob<16xf32>, !job.blob<16xf32>, !job.blob<16xf32>, !job.blob<16xf32>, !job.blob<16xf32>, !job.blob<16xf32>, !job.blob<16xf32>, !job.blob<16xf32>, !job.blob<16xf32>
}

job.func @small_values_f32() -> (!job.blob<5xf32> {job.name = "tan"}, !job.blob<5xf32> {job.name = "asin"}, !job.blob<5xf32> {job.name = "atan"}, !job.blob<5xf32> {job.name = "sinh"}, !job.blob<5xf32> {job.name = "asinh"}, !job.blob<5xf32> {job.name = "atanh"}) kind predict {
  %x = job.constant dense<[0.0, -0.0, 1.0e-40, -1.0e-40, 9.999999999999999e-38]> : tensor<5xf32>
  %tan = job.tan %x : !job.blob<5xf32>
  %asin = job.asin %x : !job.blob<5xf32>
  %atan = job.atan %x : !job.blob<5xf32>
  %sinh = job.sinh %x : !job.blob<5xf32>
  %asinh = job.asinh %x : !job.blob<5xf32>
  %atanh = job.atanh %x : !job.blob<5xf32>
  job.return %tan, %asin, %atan, %sinh, %asinh, %atanh : !job.blob<5xf32>, !job.blob<5xf32>, !job.blob<5xf32>, !job.blob<5xf32>, !job.blob<5xf32>, !job.blob<5xf32>
}

job.func @near_one_f32() -> (!job.blob<3xf32> {job.name = "acosh"}) kind predict {
  %x = job.constant dense<[1.0, 1.0000009536743164, 1.0009765625]> : tensor<3xf32>
  %acosh = job.acosh %x : !job.blob<3xf32>
  job.return %acosh : !job.blob<3xf32>
}

job.func @near_one_inside_f32() -> (!job.blob<3xf32> {job.name = "acos"}) kind predict {
  %x = job.constant dense<[1.0, 0.9999990463256836, 0.9990234375]> : tensor<3xf32>
  %acos = job.acos %x : !job.blob<3xf32>
  job.return %acos : !job.blob<3xf32>
}

job.func @complement_f32() -> (!job.blob<3xf32> {job.name = "erfc"}) kind predict {
  %x = job.constant dense<[9.0, 9.5, 10.0]> : tensor<3xf32>
  %erfc = job.erfc %x : !job.blob<3xf32>
  job.return %erfc : !job.blob<3xf32>
}

job.func @special_values_f64() -> (!job.blob<16xf64> {job.name = "acos"}, !job.blob<16xf64> {job.name = "asin"}, !job.blob<16xf64> {job.name = "atan"}, !job.blob<16xf64> {job.name = "cosh"}, !job.blob<16xf64> {job.name = "sinh"}, !job.blob<16xf64> {job.name = "acosh"}, !job.blob<16xf64> {job.name = "asinh"}, !job.blob<16xf64> {job.name = "atanh"}, !job.blob<16xf64> {job.name = "erfc"}, !job.blob<16xf64> {job.name = "lgamma"}, !job.blob<16xf64> {job.name = "digamma"}) kind predict {
  %x = job.constant dense<[0.0, -0.0, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 1.0e-310, -1.0e-310, 1.0, -1.0, 0.5, -0.5, -2.0, -1.5, 2.0, 1.0e+308, -1.0e+308]> : tensor<16xf64>
  %acos = job.acos %x : !job.blob<16xf64>
  %asin = job.asin %x : !job.blob<16xf64>
  %atan = job.atan %x : !job.blob<16xf64>
  %cosh = job.cosh %x : !job.blob<16xf64>
  %sinh = job.sinh %x : !job.blob<16xf64>
  %acosh = job.acosh %x : !job.blob<16xf64>
  %asinh = job.asinh %x : !job.blob<16xf64>
  %atanh = job.atanh %x : !job.blob<16xf64>
  %erfc = job.erfc %x : !job.blob<16xf64>
  %lgamma = job.lgamma %x : !job.blob<16xf64>
  %digamma = job.digamma %x : !job.blob<16xf64>
  job.return %acos, %asin, %atan, %cosh, %sinh, %acosh, %asinh, %atanh, %erfc, %lgamma, %digamma : !job.blob<16xf64>, !job.blob<16xf64>, !job.blob<16xf64>, !job.blob<16xf64>, !job.blob<16xf64>, !job.blob<16xf64>, !job.blob<16xf64>, !job.blob<16xf64>, !job.blob<16xf64>, !job.blob<16xf64>, !job.blob<16xf64>
}

job.func @small_values_f64() -> (!job.blob<5xf64> {job.name = "tan"}, !job.blob<5xf64> {job.name = "asin"}, !job.blob<5xf64> {job.name = "atan"}, !job.blob<5xf64> {job.name = "sinh"}, !job.blob<5xf64> {job.name = "asinh"}, !job.blob<5xf64> {job.name = "atanh"}) kind predict {
  %x = job.constant dense<[0.0, -0.0, 1.0e-310, -1.0e-310, 9.99999999999997e-308]> : tensor<5xf64>
  %tan = job.tan %x : !job.blob<5xf64>
  %asin = job.asin %x : !job.blob<5xf64>
  %atan = job.atan %x : !job.blob<5xf64>
  %sinh = job.sinh %x : !job.blob<5xf64>
  %asinh = job.asinh %x : !job.blob<5xf64>
  %atanh = job.atanh %x : !job.blob<5xf64>
  job.return %tan, %asin, %atan, %sinh, %asinh, %atanh : !job.blob<5xf64>, !job.blob<5xf64>, !job.blob<5xf64>, !job.blob<5xf64>, !job.blob<5xf64>, !job.blob<5xf64>
}

job.func @near_one_f64() -> (!job.blob<3xf64> {job.name = "acosh"}) kind predict {
  %x = job.constant dense<[1.0, 1.0000009536743164, 1.0009765625]> : tensor<3xf64>
  %acosh = job.acosh %x : !job.blob<3xf64>
  job.return %acosh : !job.blob<3xf64>
}

job.func @near_one_inside_f64() -> (!job.blob<3xf64> {job.name = "acos"}) kind predict {
  %x = job.constant dense<[1.0, 0.9999990463256836, 0.9990234375]> : tensor<3xf64>
  %acos = job.acos %x : !job.blob<3xf64>
  job.return %acos : !job.blob<3xf64>
}

job.func @complement_f64() -> (!job.blob<3xf64> {job.name = "erfc"}) kind predict {
  %x = job.constant dense<[20.0, 26.0, 27.2]> : tensor<3xf64>
  %erfc = job.erfc %x : !job.blob<3xf64>
  job.return %erfc : !job.blob<3xf64>
}

job.func @special_angles_f32() -> (!job.blob<19xf32> {job.name = "atan2"}) kind predict {
  %x = job.constant dense<[0.0, 0.0, -0.0, -0.0, 1.0, -1.0, 1.0, -1.0, 3.0, 0x7F800000, 0xFF800000, 0x7F800000, 1.0, 1.0, -1.0, 0x7FC00000, 1.0, 3.0e+38, 1.0e-38]> : tensor<19xf32>
  %y = job.constant dense<[0.0, -0.0, 0.0, -0.0, 0.0, -0.0, -1.0, -2.0, 0.5, 0x7F800000, 0xFF800000, 1.0, 0x7F800000, 0xFF800000, 0xFF800000, 1.0, 0x7FC00000, 3.0e+38, -3.0e+38]> : tensor<19xf32>
  %atan2 = job.atan2 %x, %y : !job.blob<19xf32>
  job.return %atan2 : !job.blob<19xf32>
}

job.func @special_angles_f64() -> (!job.blob<19xf64> {job.name = "atan2"}) kind predict {
  %x = job.constant dense<[0.0, 0.0, -0.0, -0.0, 1.0, -1.0, 1.0, -1.0, 3.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF0000000000000, 1.0, 1.0, -1.0, 0x7FF8000000000000, 1.0, 1.7e+308, 1.0e-300]> : tensor<19xf64>
  %y = job.constant dense<[0.0, -0.0, 0.0, -0.0, 0.0, -0.0, -1.0, -2.0, 0.5, 0x7FF0000000000000, 0xFFF0000000000000, 1.0, 0x7FF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 1.0, 0x7FF8000000000000, 1.7e+308, -1.0e+300]> : tensor<19xf64>
  %atan2 = job.atan2 %x, %y : !job.blob<19xf64>
  job.return %atan2 : !job.blob<19xf64>
}

job.func @special_remainders_f32() -> (!job.blob<14xf32> {job.name = "mod"}) kind predict {
  %x = job.constant dense<[7.0, -7.0, 7.0, -7.0, 1.0, 6.0, -0.0, 1.0e+16, 3.0, -3.0, 5.0, 0x7F800000, 0x7FC00000, 0.0]> : tensor<14xf32>
  %y = job.constant dense<[3.0, 3.0, -3.0, -3.0, 0.1, -2.0, 4.0, 3.0, 0x7F800000, 0x7F800000, 0.0, 2.0, 1.0, 0.0]> : tensor<14xf32>
  %mod = job.mod %x, %y : !job.blob<14xf32>
  job.return %mod : !job.blob<14xf32>
}

job.func @special_quotients_f32() -> (!job.blob<13xf32> {job.name = "floor_div"}) kind predict {
  %x = job.constant dense<[7.0, -7.0, 7.0, -7.0, 1.0, 6.0, -0.0, 3.0, -3.0, 5.0, 0x7F800000, 0x7FC00000, 0.0]> : tensor<13xf32>
  %y = job.constant dense<[3.0, 3.0, -3.0, -3.0, 0.1, -2.0, 4.0, 0x7F800000, 0x7F800000, 0.0, 2.0, 1.0, 0.0]> : tensor<13xf32>
  %floor_div = job.floor_div %x, %y : !job.blob<13xf32>
  job.return %floor_div : !job.blob<13xf32>
}

job.func @special_remainders_f64() -> (!job.blob<14xf64> {job.name = "mod"}) kind predict {
  %x = job.constant dense<[7.0, -7.0, 7.0, -7.0, 1.0, 6.0, -0.0, 1.0e+16, 3.0, -3.0, 5.0, 0x7FF0000000000000, 0x7FF8000000000000, 0.0]> : tensor<14xf64>
  %y = job.constant dense<[3.0, 3.0, -3.0, -3.0, 0.1, -2.0, 4.0, 3.0, 0x7FF0000000000000, 0x7FF0000000000000, 0.0, 2.0, 1.0, 0.0]> : tensor<14xf64>
  %mod = job.mod %x, %y : !job.blob<14xf64>
  job.return %mod : !job.blob<14xf64>
}

job.func @special_quotients_f64() -> (!job.blob<13xf64> {job.name = "floor_div"}) kind predict {
  %x = job.constant dense<[7.0, -7.0, 7.0, -7.0, 1.0, 6.0, -0.0, 3.0, -3.0, 5.0, 0x7FF0000000000000, 0x7FF8000000000000, 0.0]> : tensor<13xf64>
  %y = job.constant dense<[3.0, 3.0, -3.0, -3.0, 0.1, -2.0, 4.0, 0x7FF0000000000000, 0x7FF0000000000000, 0.0, 2.0, 1.0, 0.0]> : tensor<13xf64>
  %floor_div = job.floor_div %x, %y : !job.blob<13xf64>
  job.return %floor_div : !job.blob<13xf64>
}

// Of integers: signs, the least one, and zero.

job.func @division_i8() -> (!job.blob<10xi8> {job.name = "floor_div"}, !job.blob<10xi8> {job.name = "mod"}) kind predict {
  %x = job.constant dense<[7, -7, 7, -7, 6, -128, -128, -128, 127, 5]> : tensor<10xi8>
  %y = job.constant dense<[3, 3, -3, -3, -2, -1, 3, -128, -128, 0]> : tensor<10xi8>
  %floor_div = job.floor_div %x, %y : !job.blob<10xi8>
  %mod = job.mod %x, %y : !job.blob<10xi8>
  job.return %floor_div, %mod : !job.blob<10xi8>, !job.blob<10xi8>
}

job.func @division_i32() -> (!job.blob<10xi32> {job.name = "floor_div"}, !job.blob<10xi32> {job.name = "mod"}) kind predict {
  %x = job.constant dense<[7, -7, 7, -7, 6, -2147483648, -2147483648, -2147483648, 2147483647, 5]> : tensor<10xi32>
  %y = job.constant dense<[3, 3, -3, -3, -2, -1, 3, -2147483648, -2147483648, 0]> : tensor<10xi32>
  %floor_div = job.floor_div %x, %y : !job.blob<10xi32>
  %mod = job.mod %x, %y : !job.blob<10xi32>
  job.return %floor_div, %mod : !job.blob<10xi32>, !job.blob<10xi32>
}

job.func @division_i64() -> (!job.blob<10xi64> {job.name = "floor_div"}, !job.blob<10xi64> {job.name = "mod"}) kind predict {
  %x = job.constant dense<[7, -7, 7, -7, 6, -9223372036854775808, -9223372036854775808, -9223372036854775808, 9223372036854775807, 5]> : tensor<10xi64>
  %y = job.constant dense<[3, 3, -3, -3, -2, -1, 3, -9223372036854775808, -9223372036854775808, 0]> : tensor<10xi64>
  %floor_div = job.floor_div %x, %y : !job.blob<10xi64>
  %mod = job.mod %x, %y : !job.blob<10xi64>
  job.return %floor_div, %mod : !job.blob<10xi64>, !job.blob<10xi64>
}

job.func @division_ui8() -> (!job.blob<4xui8> {job.name = "floor_div"}, !job.blob<4xui8> {job.name = "mod"}) kind predict {
  %x = job.constant dense<[255, 200, 7, 5]> : tensor<4xui8>
  %y = job.constant dense<[2, 255, 7, 0]> : tensor<4xui8>
  %floor_div = job.floor_div %x, %y : !job.blob<4xui8>
  %mod = job.mod %x, %y : !job.blob<4xui8>
  job.return %floor_div, %mod : !job.blob<4xui8>, !job.blob<4xui8>
}
