// Table of ops: training jobs whose gradients f16 holds, but not what they are
// computed from. Their variables stay near poles, where central differences are
// too coarse to check gradients with.

job.variable @"offset-4xf32" : !job.blob<4xf32> init #job.constant_init<0.0>
job.variable @"offset-1x80xf32" : !job.blob<1x80xf32> init #job.constant_init<0.0>
job.variable @"offset-2x3xf32" : !job.blob<2x3xf32> init #job.constant_init<0.0>
job.variable @"offset-70000x1xf32" : !job.blob<70000x1xf32> init #job.constant_init<0.0>
job.variable @"far-query-1x4x1x2f32" : !job.blob<1x4x1x2xf32> init #job.random_uniform_init<min = -40.0, max = 40.0>
job.variable @"far-key-1x4x1x2f32" : !job.blob<1x4x1x2xf32> init #job.random_uniform_init<min = -40.0, max = 40.0>
job.variable @"far-value-1x4x1x2f32" : !job.blob<1x4x1x2xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>

// y^3 is more than f16 can hold.
job.func @train_rsqrt_small() -> (!job.blob<4xf32> {job.name = "loss"}) kind train {
  %x_offset = job.read @"offset-4xf32" : !job.blob<4xf32>
  %x_value = job.constant dense<[1.0e-3, 1.0e-4, 1.0e-4, 4.0]> : tensor<4xf32>
  %x = job.add %x_offset, %x_value : !job.blob<4xf32>
  %y = job.rsqrt %x : !job.blob<4xf32>
  %weight = job.constant dense<[1.0e-3, 1.0e-3, 0.0, 1.0]> : tensor<4xf32>
  %loss = job.mul %y, %weight : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.5>
  job.return %loss : !job.blob<4xf32>
}

// g / b is more than f16 can hold.
job.func @train_div_small() -> (!job.blob<4xf32> {job.name = "loss"}) kind train {
  %a = job.constant dense<[0.0, 1.0e-4, 1.0e-4, 4.0]> : tensor<4xf32>
  %b_offset = job.read @"offset-4xf32" : !job.blob<4xf32>
  %b_value = job.constant dense<[1.0e-3, 1.0e-3, 1.0, 4.0]> : tensor<4xf32>
  %b = job.add %b_offset, %b_value : !job.blob<4xf32>
  %y = job.div %a, %b : !job.blob<4xf32>
  %weight = job.constant dense<[100.0, 100.0, 1.0, 1.0]> : tensor<4xf32>
  %loss = job.mul %y, %weight : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.5>
  job.return %loss : !job.blob<4xf32>
}

// x^(y-1) is more than f16 can hold.
job.func @train_pow_small() -> (!job.blob<4xf32> {job.name = "loss"}) kind train {
  %x_offset = job.read @"offset-4xf32" : !job.blob<4xf32>
  %x_value = job.constant dense<[0.02, 0.01, 1.0, 4.0]> : tensor<4xf32>
  %x = job.add %x_offset, %x_value : !job.blob<4xf32>
  %power = job.constant dense<-2.0> : tensor<4xf32>
  %y = job.pow %x, %power : !job.blob<4xf32>
  %weight = job.constant dense<[1.0e-3, 1.0e-3, 1.0, 1.0]> : tensor<4xf32>
  %loss = job.mul %y, %weight : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.5>
  job.return %loss : !job.blob<4xf32>
}

// The sum of the gradients is more than f16 can hold.
// K = 80
job.func @train_log_softmax_large_gradients() -> (!job.blob<1x80xf32> {job.name = "loss"}) kind train {
  %offset = job.read @"offset-1x80xf32" : !job.blob<1x80xf32>
  %numbers = job.iota {axis = 1 : i64} : !job.blob<1x80xi32>
  %steps = job.cast %numbers : !job.blob<1x80xi32> to !job.blob<1x80xf32>
  %eight = job.constant dense<8.0> : tensor<1x80xf32>
  %spread = job.div %steps, %eight : !job.blob<1x80xf32>
  %x = job.add %offset, %spread : !job.blob<1x80xf32>
  %y = job.log_softmax %x : !job.blob<1x80xf32>
  %weight = job.constant dense<1000.0> : tensor<1x80xf32>
  %loss = job.mul %y, %weight : !job.blob<1x80xf32>
  job.loss %loss : !job.blob<1x80xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.5>
  job.return %loss : !job.blob<1x80xf32>
}

// rstd is more than f16 can hold.
job.func @train_layer_norm_constant_row() -> (!job.blob<2x3xf32> {job.name = "loss"}) kind train {
  %x_offset = job.read @"offset-2x3xf32" : !job.blob<2x3xf32>
  %x_value = job.constant dense<[[0.5, 0.5, 0.5], [1.0, 2.0, 3.0]]> : tensor<2x3xf32>
  %x = job.add %x_offset, %x_value : !job.blob<2x3xf32>
  %gamma = job.constant dense<1.0> : tensor<3xf32>
  %y, %mean, %rstd = job.layer_norm %x, %gamma, %gamma {epsilon = 1.0e-12 : f64} : !job.blob<2x3xf32>, !job.blob<3xf32>
  %weight = job.constant dense<[[1.0e-3, 2.0e-3, 0.0], [1.0e-3, 3.0, 1.0]]> : tensor<2x3xf32>
  %loss = job.mul %y, %weight : !job.blob<2x3xf32>
  job.loss %loss : !job.blob<2x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x3xf32>
}

// A channel has more elements than f16 can hold.
// K = 70000
job.func @train_batch_norm_long() -> (!job.blob<70000x1xf32> {job.name = "loss"}) kind train {
  %x_offset = job.read @"offset-70000x1xf32" : !job.blob<70000x1xf32>
  %numbers = job.iota {axis = 0 : i64} : !job.blob<70000x1xi32>
  %angles = job.cast %numbers : !job.blob<70000x1xi32> to !job.blob<70000x1xf64>
  %sines = job.sin %angles : !job.blob<70000x1xf64>
  %x_value = job.cast %sines : !job.blob<70000x1xf64> to !job.blob<70000x1xf32>
  %x = job.add %x_offset, %x_value : !job.blob<70000x1xf32>
  %gamma = job.constant dense<1.0> : tensor<1xf32>
  %y, %mean, %variance = job.batch_norm %x, %gamma, %gamma {axis = 1 : i64, epsilon = 1.000000e-05 : f64} : !job.blob<70000x1xf32>, !job.blob<1xf32>
  %cosines = job.cos %angles : !job.blob<70000x1xf64>
  %one = job.constant dense<1.0> : tensor<70000x1xf64>
  %raised = job.add %cosines, %one : !job.blob<70000x1xf64>
  %weight = job.cast %raised : !job.blob<70000x1xf64> to !job.blob<70000x1xf32>
  %loss = job.mul %y, %weight : !job.blob<70000x1xf32>
  job.loss %loss : !job.blob<70000x1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<1000.0>
  job.return %loss : !job.blob<70000x1xf32>
}

// f16 and bf16 hold the logarithm of a sum of such scores too coarsely.
job.func @train_attention_far_f32() -> (!job.blob<1x4x1x2xf32> {job.name = "loss"}) kind train {
  %q = job.read @"far-query-1x4x1x2f32" : !job.blob<1x4x1x2xf32>
  %k = job.read @"far-key-1x4x1x2f32" : !job.blob<1x4x1x2xf32>
  %v = job.read @"far-value-1x4x1x2f32" : !job.blob<1x4x1x2xf32>
  %y, %l = job.attention %q, %k, %v {scale = 0.5 : f64} : !job.blob<1x4x1x2xf32>, !job.blob<1x4x1x2xf32>, !job.blob<1x4x1x2xf32>
  job.loss %y : !job.blob<1x4x1x2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.5>
  job.return %y : !job.blob<1x4x1x2xf32>
}
