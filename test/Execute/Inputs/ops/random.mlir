// Table of ops: random numbers. A prediction job for each op and variant, and a
// training job where the op has gradients: its operands are variables, so that
// the gradients show, with first values away from kinks and poles. Random bits
// are equal on every machine.

job.variable @"x-67x131xf32" : !job.blob<67x131xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-5x3x7xf64" : !job.blob<5x3x7xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-40x50xf32" : !job.blob<40x50xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-4x5xf32" : !job.blob<4x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"x-6x7xf32" : !job.blob<6x7xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-6x7xf32" : !job.blob<6x7xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}

// K = 0
job.func @random_uniform_f32() -> (!job.blob<67x131xf32> {job.name = "u"}) kind predict {
  %seed = job.constant dense<1> : tensor<1xi64>
  %step = job.constant dense<0> : tensor<1xi64>
  %u = job.random_uniform %seed, %step {id = 7 : i64} : !job.blob<67x131xf32>
  job.return %u : !job.blob<67x131xf32>
}

// K = 0
job.func @random_uniform_f64() -> (!job.blob<5x3xf64> {job.name = "u"}) kind predict {
  %seed = job.constant dense<-2> : tensor<1xi64>
  %step = job.constant dense<5> : tensor<1xi64>
  %u = job.random_uniform %seed, %step {id = 0 : i64} : !job.blob<5x3xf64>
  job.return %u : !job.blob<5x3xf64>
}

// K = 0
job.func @random_uniform_wide_words() -> (!job.blob<33xf32> {job.name = "u"}) kind predict {
  %seed = job.constant dense<81985529216486895> : tensor<1xi64>
  %step = job.constant dense<9141386507638288912> : tensor<1xi64>
  %u = job.random_uniform %seed, %step {id = 4294967295 : i64} : !job.blob<33xf32>
  job.return %u : !job.blob<33xf32>
}

// K = 0
job.func @random_uniform_one_element() -> (!job.blob<1xf32> {job.name = "u"}) kind predict {
  %seed = job.constant dense<0> : tensor<1xi64>
  %step = job.constant dense<0> : tensor<1xi64>
  %u = job.random_uniform %seed, %step {id = 1 : i64} : !job.blob<1xf32>
  job.return %u : !job.blob<1xf32>
}

// K = 0
job.func @random_uniform_inputs(%seed: !job.blob<1xi64> {job.name = "seed"}, %step: !job.blob<1xi64> {job.name = "step"}) -> (!job.blob<40xf32> {job.name = "u"}) kind predict {
  %u = job.random_uniform %seed, %step {id = 3 : i64} : !job.blob<40xf32>
  job.return %u : !job.blob<40xf32>
}

// K = 0
// Other numbers in each step.
job.func @random_uniform_step() -> (!job.blob<40xf32> {job.name = "u"}) kind predict {
  %seed = job.constant dense<9> : tensor<1xi64>
  %step = job.step
  %u = job.random_uniform %seed, %step {id = 2 : i64} : !job.blob<40xf32>
  job.return %u : !job.blob<40xf32>
}

// K = 0
// Whole rows of a larger blob.
job.func @random_uniform_rows() -> (!job.blob<67x131xf32> {job.name = "u"}) kind predict {
  %seed = job.constant dense<1> : tensor<1xi64>
  %step = job.constant dense<0> : tensor<1xi64>
  %u = job.random_uniform %seed, %step {id = 7 : i64, shard = #job.shard<[33, 0] of [100, 131]>} : !job.blob<67x131xf32>
  job.return %u : !job.blob<67x131xf32>
}

// K = 0
// A box within a larger blob.
job.func @random_uniform_box() -> (!job.blob<5x3x7xf64> {job.name = "u"}) kind predict {
  %seed = job.constant dense<1> : tensor<1xi64>
  %step = job.constant dense<0> : tensor<1xi64>
  %u = job.random_uniform %seed, %step {id = 7 : i64, shard = #job.shard<[2, 1, 40] of [9, 4, 50]>} : !job.blob<5x3x7xf64>
  job.return %u : !job.blob<5x3x7xf64>
}

job.func @dropout_columns() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-67x131xf32" : !job.blob<67x131xf32>
  %step = job.step
  %y = job.dropout %x, %step {rate = 0.5, seed = 11 : i64, id = 1 : i64, shard = #job.shard<[0, 131] of [67, 262]>} : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @dropout_f32() -> (!job.blob<67x131xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-67x131xf32" : !job.blob<67x131xf32>
  %step = job.step
  %y = job.dropout %x, %step {rate = 0.5, seed = 11 : i64, id = 1 : i64} : !job.blob<67x131xf32>
  job.return %y : !job.blob<67x131xf32>
}

job.func @dropout_f64() -> (!job.blob<5x3x7xf64> {job.name = "y"}) kind predict {
  %x = job.read @"x-5x3x7xf64" : !job.blob<5x3x7xf64>
  %step = job.step
  %y = job.dropout %x, %step {rate = 0.25, seed = 11 : i64, id = 1 : i64} : !job.blob<5x3x7xf64>
  job.return %y : !job.blob<5x3x7xf64>
}

job.func @dropout_rare_f32() -> (!job.blob<40x50xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-40x50xf32" : !job.blob<40x50xf32>
  %step = job.step
  %y = job.dropout %x, %step {rate = 0.1, seed = 11 : i64, id = 1 : i64} : !job.blob<40x50xf32>
  job.return %y : !job.blob<40x50xf32>
}

job.func @dropout_none_f32() -> (!job.blob<4x5xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-4x5xf32" : !job.blob<4x5xf32>
  %step = job.step
  %y = job.dropout %x, %step {rate = 0.0, seed = 11 : i64, id = 1 : i64} : !job.blob<4x5xf32>
  job.return %y : !job.blob<4x5xf32>
}

job.func @train_dropout_shard() -> (!job.blob<6x7xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-6x7xf32" : !job.blob<6x7xf32>
  %step = job.step
  %y = job.dropout %x, %step {rate = 0.4, seed = 11 : i64, id = 1 : i64, shard = #job.shard<[6, 7] of [12, 20]>} : !job.blob<6x7xf32>
  %weight = job.read @"weight-6x7xf32" : !job.blob<6x7xf32>
  %loss = job.mul %y, %weight : !job.blob<6x7xf32>
  job.loss %loss : !job.blob<6x7xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<6x7xf32>
}

job.func @train_dropout() -> (!job.blob<6x7xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-6x7xf32" : !job.blob<6x7xf32>
  %step = job.step
  %y = job.dropout %x, %step {rate = 0.4, seed = 11 : i64, id = 1 : i64} : !job.blob<6x7xf32>
  %weight = job.read @"weight-6x7xf32" : !job.blob<6x7xf32>
  %loss = job.mul %y, %weight : !job.blob<6x7xf32>
  job.loss %loss : !job.blob<6x7xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<6x7xf32>
}
