// Table of ops: functions of one element, and truth values. A prediction job for
// each op and variant, and a training job where the op has gradients: its
// operands are variables, so that the gradients show, with first values away
// from kinks and poles.

job.variable @"wide-67x131xf32" : !job.blob<67x131xf32> init #job.random_uniform_init<min = -4.0, max = 4.0>
job.variable @"wide-5x3x7xf64" : !job.blob<5x3x7xf64> init #job.random_uniform_init<min = -4.0, max = 4.0>
job.variable @"wide-4x5xf32" : !job.blob<4x5xf32> init #job.random_uniform_init<min = -4.0, max = 4.0>
job.variable @"weight-4x5xf32" : !job.blob<4x5xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"any-67x131xf32" : !job.blob<67x131xf32> init #job.random_uniform_init<min = -2.0, max = 2.0>
job.variable @"any-5x3x7xf64" : !job.blob<5x3x7xf64> init #job.random_uniform_init<min = -2.0, max = 2.0>
job.variable @"any-4x5xf32" : !job.blob<4x5xf32> init #job.random_uniform_init<min = -2.0, max = 2.0>
job.variable @"above-67x131xf32" : !job.blob<67x131xf32> init #job.random_uniform_init<min = -0.8, max = 3.0>
job.variable @"above-5x3x7xf64" : !job.blob<5x3x7xf64> init #job.random_uniform_init<min = -0.8, max = 3.0>
job.variable @"above-4x5xf32" : !job.blob<4x5xf32> init #job.random_uniform_init<min = -0.8, max = 3.0>
job.variable @"far-67x131xf32" : !job.blob<67x131xf32> init #job.random_uniform_init<min = -20.0, max = 20.0>
job.variable @"far-5x3x7xf64" : !job.blob<5x3x7xf64> init #job.random_uniform_init<min = -20.0, max = 20.0>
job.variable @"far-4x5xf32" : !job.blob<4x5xf32> init #job.random_uniform_init<min = -20.0, max = 20.0>
job.variable @"any-37x29xf32" : !job.blob<37x29xf32> init #job.random_uniform_init<min = -2.0, max = 2.0>
job.variable @"other-37x29xf32" : !job.blob<37x29xf32> init #job.random_uniform_init<min = -2.0, max = 2.0>

job.func @erf_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"wide-67x131xf32" : !job.blob<67x131xf32>
  %y = job.erf %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @erf_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"wide-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.erf %x : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @train_erf() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"wide-4x5xf32" : !job.blob<4x5xf32>
  %y = job.erf %x : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @gelu_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"wide-67x131xf32" : !job.blob<67x131xf32>
  %y = job.gelu %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @gelu_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"wide-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.gelu %x : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @train_gelu() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"wide-4x5xf32" : !job.blob<4x5xf32>
  %y = job.gelu %x : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @gelu_tanh_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"wide-67x131xf32" : !job.blob<67x131xf32>
  %y = job.gelu %x approximate tanh : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @gelu_tanh_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"wide-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.gelu %x approximate tanh : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @train_gelu_tanh() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"wide-4x5xf32" : !job.blob<4x5xf32>
  %y = job.gelu %x approximate tanh : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @gelu_grad_f32() -> (!job.blob<67x131xf32> {job.name = "exact"}, !job.blob<67x131xf32> {job.name = "tanh"}) kind predict {
  %x = job.read @"wide-67x131xf32" : !job.blob<67x131xf32>
  %grad = job.read @"any-67x131xf32" : !job.blob<67x131xf32>
  %exact = job.gelu_grad %grad, %x : !job.blob<67x131xf32>
  %tanh = job.gelu_grad %grad, %x approximate tanh : !job.blob<67x131xf32>
  job.return %exact, %tanh : !job.blob<67x131xf32>, !job.blob<67x131xf32>
}

job.func @gelu_grad_f64() -> (!job.blob<5x3x7xf64> {job.name = "exact"}, !job.blob<5x3x7xf64> {job.name = "tanh"}) kind predict {
  %x = job.read @"wide-5x3x7xf64" : !job.blob<5x3x7xf64>
  %grad = job.read @"any-5x3x7xf64" : !job.blob<5x3x7xf64>
  %exact = job.gelu_grad %grad, %x : !job.blob<5x3x7xf64>
  %tanh = job.gelu_grad %grad, %x approximate tanh : !job.blob<5x3x7xf64>
  job.return %exact, %tanh : !job.blob<5x3x7xf64>, !job.blob<5x3x7xf64>
}

job.func @expm1_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"any-67x131xf32" : !job.blob<67x131xf32>
  %y = job.expm1 %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @expm1_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"any-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.expm1 %x : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @train_expm1() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"any-4x5xf32" : !job.blob<4x5xf32>
  %y = job.expm1 %x : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @log1p_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"above-67x131xf32" : !job.blob<67x131xf32>
  %y = job.log1p %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @log1p_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"above-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.log1p %x : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @train_log1p() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"above-4x5xf32" : !job.blob<4x5xf32>
  %y = job.log1p %x : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @floor_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"far-67x131xf32" : !job.blob<67x131xf32>
  %y = job.floor %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @floor_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"far-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.floor %x : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @train_floor() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"far-4x5xf32" : !job.blob<4x5xf32>
  %y = job.floor %x : !job.blob<4x5xf32>
  %z = job.add %x, %y : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %z, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @stop_gradient_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"far-67x131xf32" : !job.blob<67x131xf32>
  %y = job.stop_gradient %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @ceil_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"far-67x131xf32" : !job.blob<67x131xf32>
  %y = job.ceil %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @ceil_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"far-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.ceil %x : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @train_ceil() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"far-4x5xf32" : !job.blob<4x5xf32>
  %y = job.ceil %x : !job.blob<4x5xf32>
  %z = job.add %x, %y : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %z, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @round_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"far-67x131xf32" : !job.blob<67x131xf32>
  %y = job.round %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @round_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"far-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.round %x : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @train_round() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"far-4x5xf32" : !job.blob<4x5xf32>
  %y = job.round %x : !job.blob<4x5xf32>
  %z = job.add %x, %y : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %z, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

job.func @sign_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"any-67x131xf32" : !job.blob<67x131xf32>
  %y = job.sign %x : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @sign_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"any-5x3x7xf64" : !job.blob<5x3x7xf64>
  %y = job.sign %x : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @train_sign() -> (!job.blob<4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"any-4x5xf32" : !job.blob<4x5xf32>
  %y = job.sign %x : !job.blob<4x5xf32>
  %z = job.add %x, %y : !job.blob<4x5xf32>
  %weight = job.read @"weight-4x5xf32" : !job.blob<4x5xf32>
  %loss = job.mul %z, %weight : !job.blob<4x5xf32>
  job.loss %loss : !job.blob<4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x5xf32>
}

// Zeros, infinities, NaN, ties and the ends of the ranges.
job.func @special_values_f32() -> (!job.blob<17xf32> {job.name = "erf"}, !job.blob<17xf32> {job.name = "gelu"}, !job.blob<17xf32> {job.name = "expm1"}, !job.blob<17xf32> {job.name = "log1p"}, !job.blob<17xf32> {job.name = "floor"}, !job.blob<17xf32> {job.name = "ceil"}, !job.blob<17xf32> {job.name = "round"}, !job.blob<17xf32> {job.name = "sign"}) kind predict {
  %x = job.constant dense<[0.0, -0.0, 0x7FC00000, 0x7F800000, 0xFF800000, 1.0e-40, -1.0, 0.5, -0.5, 1.5, 2.5, -1.5, -2.5, 8388609.0, 3.0e+38, -104.0, -13.5]> : tensor<17xf32>
  %erf = job.erf %x : !job.blob<17xf32>
  %gelu = job.gelu %x : !job.blob<17xf32>
  %expm1 = job.expm1 %x : !job.blob<17xf32>
  %log1p = job.log1p %x : !job.blob<17xf32>
  %floor = job.floor %x : !job.blob<17xf32>
  %ceil = job.ceil %x : !job.blob<17xf32>
  %round = job.round %x : !job.blob<17xf32>
  %sign = job.sign %x : !job.blob<17xf32>
  job.return %erf, %gelu, %expm1, %log1p, %floor, %ceil, %round, %sign : !job.blob<17xf32>, !job.blob<17xf32>, !job.blob<17xf32>, !job.blob<17xf32>, !job.blob<17xf32>, !job.blob<17xf32>, !job.blob<17xf32>, !job.blob<17xf32>
}

// The same of gelus, whose derivatives have limits.
job.func @special_gelus_f32() -> (!job.blob<17xf32> {job.name = "tanh"}, !job.blob<17xf32> {job.name = "slope"}, !job.blob<17xf32> {job.name = "tanh_slope"}) kind predict {
  %x = job.constant dense<[0.0, -0.0, 0x7FC00000, 0x7F800000, 0xFF800000, 1.0e-40, -1.0, 0.5, -0.5, 1.5, 2.5, -1.5, -2.5, 8388609.0, 3.0e+38, -104.0, -13.5]> : tensor<17xf32>
  %one = job.constant dense<1.0> : tensor<17xf32>
  %tanh = job.gelu %x approximate tanh : !job.blob<17xf32>
  %slope = job.gelu_grad %one, %x : !job.blob<17xf32>
  %tanh_slope = job.gelu_grad %one, %x approximate tanh : !job.blob<17xf32>
  job.return %tanh, %slope, %tanh_slope : !job.blob<17xf32>, !job.blob<17xf32>, !job.blob<17xf32>
}

// Zeros, infinities, NaN, ties and the ends of the ranges.
job.func @special_values_f64() -> (!job.blob<17xf64> {job.name = "erf"}, !job.blob<17xf64> {job.name = "gelu"}, !job.blob<17xf64> {job.name = "expm1"}, !job.blob<17xf64> {job.name = "log1p"}, !job.blob<17xf64> {job.name = "floor"}, !job.blob<17xf64> {job.name = "ceil"}, !job.blob<17xf64> {job.name = "round"}, !job.blob<17xf64> {job.name = "sign"}) kind predict {
  %x = job.constant dense<[0.0, -0.0, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 1.0e-310, -1.0, 0.5, -0.5, 1.5, 2.5, -1.5, -2.5, 4503599627370497.0, 1.0e+308, -746.0, -38.0]> : tensor<17xf64>
  %erf = job.erf %x : !job.blob<17xf64>
  %gelu = job.gelu %x : !job.blob<17xf64>
  %expm1 = job.expm1 %x : !job.blob<17xf64>
  %log1p = job.log1p %x : !job.blob<17xf64>
  %floor = job.floor %x : !job.blob<17xf64>
  %ceil = job.ceil %x : !job.blob<17xf64>
  %round = job.round %x : !job.blob<17xf64>
  %sign = job.sign %x : !job.blob<17xf64>
  job.return %erf, %gelu, %expm1, %log1p, %floor, %ceil, %round, %sign : !job.blob<17xf64>, !job.blob<17xf64>, !job.blob<17xf64>, !job.blob<17xf64>, !job.blob<17xf64>, !job.blob<17xf64>, !job.blob<17xf64>, !job.blob<17xf64>
}

// The same of gelus, whose derivatives have limits.
job.func @special_gelus_f64() -> (!job.blob<17xf64> {job.name = "tanh"}, !job.blob<17xf64> {job.name = "slope"}, !job.blob<17xf64> {job.name = "tanh_slope"}) kind predict {
  %x = job.constant dense<[0.0, -0.0, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 1.0e-310, -1.0, 0.5, -0.5, 1.5, 2.5, -1.5, -2.5, 4503599627370497.0, 1.0e+308, -746.0, -38.0]> : tensor<17xf64>
  %one = job.constant dense<1.0> : tensor<17xf64>
  %tanh = job.gelu %x approximate tanh : !job.blob<17xf64>
  %slope = job.gelu_grad %one, %x : !job.blob<17xf64>
  %tanh_slope = job.gelu_grad %one, %x approximate tanh : !job.blob<17xf64>
  job.return %tanh, %slope, %tanh_slope : !job.blob<17xf64>, !job.blob<17xf64>, !job.blob<17xf64>
}

job.func @sign_i8() -> (!job.blob<5xi8> {job.name = "y"}) kind predict {
  %x = job.constant dense<[-128, -1, 0, 1, 127]> : tensor<5xi8>
  %y = job.sign %x : !job.blob<5xi8>
  job.return %y : !job.blob<5xi8>
}

job.func @sign_i32() -> (!job.blob<5xi32> {job.name = "y"}) kind predict {
  %x = job.constant dense<[-2147483648, -1, 0, 1, 2147483647]> : tensor<5xi32>
  %y = job.sign %x : !job.blob<5xi32>
  job.return %y : !job.blob<5xi32>
}

job.func @sign_i64() -> (!job.blob<5xi64> {job.name = "y"}) kind predict {
  %x = job.constant dense<[-9223372036854775808, -1, 0, 1, 9223372036854775807]> : tensor<5xi64>
  %y = job.sign %x : !job.blob<5xi64>
  job.return %y : !job.blob<5xi64>
}

job.func @logical() -> (!job.blob<37x29xi1> {job.name = "not"}, !job.blob<37x29xi1> {job.name = "and"}, !job.blob<37x29xi1> {job.name = "or"}) kind predict {
  %x = job.read @"any-37x29xf32" : !job.blob<37x29xf32>
  %y = job.read @"other-37x29xf32" : !job.blob<37x29xf32>
  %0 = job.constant dense<0.0> : tensor<37x29xf32>
  %p = job.compare lt %x, %0 : !job.blob<37x29xf32>
  %q = job.compare lt %y, %0 : !job.blob<37x29xf32>
  %not = job.logical_not %p : !job.blob<37x29xi1>
  %and = job.logical_and %p, %q : !job.blob<37x29xi1>
  %or = job.logical_or %p, %q : !job.blob<37x29xi1>
  job.return %not, %and, %or : !job.blob<37x29xi1>, !job.blob<37x29xi1>, !job.blob<37x29xi1>
}

job.func @logical_constants() -> (!job.blob<4xi1> {job.name = "not"}, !job.blob<4xi1> {job.name = "and"}, !job.blob<4xi1> {job.name = "or"}) kind predict {
  %x = job.constant dense<[true, true, false, false]> : tensor<4xi1>
  %y = job.constant dense<[true, false, true, false]> : tensor<4xi1>
  %not = job.logical_not %x : !job.blob<4xi1>
  %and = job.logical_and %x, %y : !job.blob<4xi1>
  %or = job.logical_or %x, %y : !job.blob<4xi1>
  job.return %not, %and, %or : !job.blob<4xi1>, !job.blob<4xi1>, !job.blob<4xi1>
}
