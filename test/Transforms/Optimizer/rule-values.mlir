// RUN: job-opt %s --job-verify --job-autodiff --job-optimizer --job-step-counter --job-build-initializer "--job-interpret=steps=4 variables=true" 2>&1 >/dev/null | FileCheck %s

// Four steps on the mean of c * w^2 with c = (1, 3), from w = (1, 1), beside the
// numbers of a transcription of each rule in NumPy. values.mlir has the other
// rules.

// w -= 0.1 * (g + 0.5 * w)
// CHECK: remark: sgdw = [0.52200{{[0-9]*}}, 0.17850{{[0-9]*}}]
job.variable @sgdw : !job.blob<2xf64> init #job.constant_init<1.0>

// m = 0.9 * m - 0.1 * g; w += m - 0.1 * 0.5 * w
// CHECK: remark: momentumw = [0.12443{{[0-9]*}}, -0.62541{{[0-9]*}}]
// CHECK: remark: momentumw-momentum = [-0.23668{{[0-9]*}}, -0.32201{{[0-9]*}}]
job.variable @momentumw : !job.blob<2xf64> init #job.constant_init<1.0>

// CHECK: remark: adamw = [0.56455{{[0-9]*}}, 0.56455{{[0-9]*}}]
// CHECK: remark: adamw-m = [0.28099{{[0-9]*}}, 0.84298{{[0-9]*}}]
// CHECK: remark: adamw-v = [0.0028222{{[0-9]*}}, 0.025400{{[0-9]*}}]
job.variable @adamw : !job.blob<2xf64> init #job.constant_init<1.0>

// s = 0.9 * s + 0.1 * g**2; w -= 0.1 * g / sqrt(s + 0.01)
// CHECK: remark: rmsprop = [0.29203{{[0-9]*}}, 0.27506{{[0-9]*}}]
// CHECK: remark: rmsprop-mean_square = [0.15162{{[0-9]*}}, 1.3262{{[0-9]*}}]
job.variable @rmsprop : !job.blob<2xf64> init #job.constant_init<1.0>

// a = 0.9 * a + 0.1 * g; w -= 0.1 * g / sqrt(s - a**2 + 0.01)
// CHECK: remark: centered = [0.24311{{[0-9]*}}, 0.22307{{[0-9]*}}]
// CHECK: remark: centered-mean_square = [0.14422{{[0-9]*}}, 1.2554{{[0-9]*}}]
// CHECK: remark: centered-mean_gradient = [0.20689{{[0-9]*}}, 0.60550{{[0-9]*}}]
job.variable @centered : !job.blob<2xf64> init #job.constant_init<1.0>

// CHECK: remark: lars = [0.76599{{[0-9]*}}, 0.43190{{[0-9]*}}]
// CHECK: remark: lars-momentum = [-0.086625{{[0-9]*}}, -0.19895{{[0-9]*}}]
job.variable @lars : !job.blob<2xf64> init #job.constant_init<1.0>

// CHECK: remark: lamb = [0.59769{{[0-9]*}}, 0.59603{{[0-9]*}}]
// CHECK: remark: lamb-m = [0.28065{{[0-9]*}}, 0.84122{{[0-9]*}}]
// CHECK: remark: lamb-v = [0.0028096{{[0-9]*}}, 0.025252{{[0-9]*}}]
job.variable @lamb : !job.blob<2xf64> init #job.constant_init<1.0>

// g *= min(1, 1 / |g|), whatever the loss scale
// CHECK: remark: clipped = [0.86038{{[0-9]*}}, 0.62531{{[0-9]*}}]
job.variable @clipped : !job.blob<2xf64> init #job.constant_init<1.0>

// As without clipping
// CHECK: remark: within = [0.6561{{[0-9]*}}, 0.2401{{[0-9]*}}]
job.variable @within : !job.blob<2xf64> init #job.constant_init<1.0>

// g /= max(|g|, 2)
// CHECK: remark: legacy = [0.86038{{[0-9]*}}, 0.62531{{[0-9]*}}]
job.variable @legacy : !job.blob<2xf64> init #job.constant_init<1.0>

job.func @train_sgdw() kind train {
  %w = job.read @sgdw : !job.blob<2xf64>
  %c = job.constant dense<[1.0, 3.0]> : tensor<2xf64>
  %0 = job.mul %w, %w : !job.blob<2xf64>
  %loss = job.mul %0, %c : !job.blob<2xf64>
  job.loss %loss : !job.blob<2xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> {weight_decay = #job.weight_decay<rate = 0.5>}
  job.return
}

job.func @train_momentumw() kind train {
  %w = job.read @momentumw : !job.blob<2xf64>
  %c = job.constant dense<[1.0, 3.0]> : tensor<2xf64>
  %0 = job.mul %w, %w : !job.blob<2xf64>
  %loss = job.mul %0, %c : !job.blob<2xf64>
  job.loss %loss : !job.blob<2xf64>
  job.minimize #job.momentum<beta = 0.9> schedule #job.constant_schedule<0.1> {weight_decay = #job.weight_decay<rate = 0.5>}
  job.return
}

job.func @train_adamw() kind train {
  %w = job.read @adamw : !job.blob<2xf64>
  %c = job.constant dense<[1.0, 3.0]> : tensor<2xf64>
  %0 = job.mul %w, %w : !job.blob<2xf64>
  %loss = job.mul %0, %c : !job.blob<2xf64>
  job.loss %loss : !job.blob<2xf64>
  job.minimize #job.adam<beta1 = 0.9, beta2 = 0.999, epsilon = 1.0e-08, bias_correction = true> schedule #job.constant_schedule<0.1> {weight_decay = #job.weight_decay<rate = 0.5>}
  job.return
}

job.func @train_rmsprop() kind train {
  %w = job.read @rmsprop : !job.blob<2xf64>
  %c = job.constant dense<[1.0, 3.0]> : tensor<2xf64>
  %0 = job.mul %w, %w : !job.blob<2xf64>
  %loss = job.mul %0, %c : !job.blob<2xf64>
  job.loss %loss : !job.blob<2xf64>
  job.minimize #job.rmsprop<decay_rate = 0.9, epsilon = 0.01, centered = false> schedule #job.constant_schedule<0.1>
  job.return
}

job.func @train_centered() kind train {
  %w = job.read @centered : !job.blob<2xf64>
  %c = job.constant dense<[1.0, 3.0]> : tensor<2xf64>
  %0 = job.mul %w, %w : !job.blob<2xf64>
  %loss = job.mul %0, %c : !job.blob<2xf64>
  job.loss %loss : !job.blob<2xf64>
  job.minimize #job.rmsprop<decay_rate = 0.9, epsilon = 0.01, centered = true> schedule #job.constant_schedule<0.1>
  job.return
}

job.func @train_lars() kind train {
  %w = job.read @lars : !job.blob<2xf64>
  %c = job.constant dense<[1.0, 3.0]> : tensor<2xf64>
  %0 = job.mul %w, %w : !job.blob<2xf64>
  %loss = job.mul %0, %c : !job.blob<2xf64>
  job.loss %loss : !job.blob<2xf64>
  job.minimize #job.lars<beta = 0.9, epsilon = 0.001, coefficient = 0.5> schedule #job.constant_schedule<0.1> {weight_decay = #job.weight_decay<rate = 0.25>}
  job.return
}

job.func @train_lamb() kind train {
  %w = job.read @lamb : !job.blob<2xf64>
  %c = job.constant dense<[1.0, 3.0]> : tensor<2xf64>
  %0 = job.mul %w, %w : !job.blob<2xf64>
  %loss = job.mul %0, %c : !job.blob<2xf64>
  job.loss %loss : !job.blob<2xf64>
  job.minimize #job.lamb<beta1 = 0.9, beta2 = 0.999, epsilon = 0.01> schedule #job.constant_schedule<0.1> {weight_decay = #job.weight_decay<rate = 0.25>}
  job.return
}

job.func @train_clipped() kind train {
  %w = job.read @clipped : !job.blob<2xf64>
  %c = job.constant dense<[1.0, 3.0]> : tensor<2xf64>
  %0 = job.mul %w, %w : !job.blob<2xf64>
  %loss = job.mul %0, %c : !job.blob<2xf64>
  job.loss %loss : !job.blob<2xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> {clipping = #job.clip_by_global_norm<clip_norm = 1.0, legacy = false>, loss_scale = 16.0}
  job.return
}

job.func @train_within() kind train {
  %w = job.read @within : !job.blob<2xf64>
  %c = job.constant dense<[1.0, 3.0]> : tensor<2xf64>
  %0 = job.mul %w, %w : !job.blob<2xf64>
  %loss = job.mul %0, %c : !job.blob<2xf64>
  job.loss %loss : !job.blob<2xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> {clipping = #job.clip_by_global_norm<clip_norm = 100.0, legacy = false>}
  job.return
}

job.func @train_legacy() kind train {
  %w = job.read @legacy : !job.blob<2xf64>
  %c = job.constant dense<[1.0, 3.0]> : tensor<2xf64>
  %0 = job.mul %w, %w : !job.blob<2xf64>
  %loss = job.mul %0, %c : !job.blob<2xf64>
  job.loss %loss : !job.blob<2xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> {clipping = #job.clip_by_global_norm<clip_norm = 2.0, legacy = true>}
  job.return
}
