// RUN: job-opt %s --job-autodiff --job-optimizer --job-step-counter --job-build-initializer "--job-interpret=steps=4 variables=true" 2>&1 >/dev/null | FileCheck %s

// Four steps on the mean of c * w^2 with c = (1, 3), from w = (1, 1), beside
// the numbers of a few lines of Python. The loss scale changes nothing.

// w = 1; m = v = 0
// for t in 1, 2, 3, 4:
//   g = c * w
//   m = 0.9 * m + 0.1 * g; v = 0.999 * v + 0.001 * g**2
//   w -= 0.1 * sqrt(1 - 0.999**t) / (1 - 0.9**t) * m / (sqrt(v) + 1e-8)
// CHECK: remark: adam = [0.6039
// CHECK: remark: adam-m = [0.28799{{[0-9]*}}, 0.86398
// CHECK: remark: adam-v = [0.0029376{{[0-9]*}}, 0.026438
// CHECK: remark: adam-beta1_t = [0.590
// CHECK: remark: adam-beta2_t = [0.995
job.variable @adam : !job.blob<2xf64> init #job.constant_init<1.0>

// m = 0.9 * m - 0.1 * c * w; w += m
// CHECK: remark: momentum = [0.2268, -0.6428]
// CHECK: remark: momentum-momentum = [-0.2592, -0.3648]
job.variable @momentum : !job.blob<2xf64> init #job.constant_init<1.0>

// w -= 0.1 * c * w
// CHECK: remark: sgd = [0.6561, 0.2401]
job.variable @sgd : !job.blob<2xf64> init #job.constant_init<1.0>

job.func @train_adam() kind train {
  %w = job.read @adam : !job.blob<2xf64>
  %c = job.constant dense<[1.0, 3.0]> : tensor<2xf64>
  %0 = job.mul %w, %w : !job.blob<2xf64>
  %loss = job.mul %0, %c : !job.blob<2xf64>
  job.loss %loss : !job.blob<2xf64>
  job.minimize #job.adam<beta1 = 0.9, beta2 = 0.999, epsilon = 1.0e-08, bias_correction = true> schedule #job.constant_schedule<0.1> {loss_scale = 16.0}
  job.return
}

job.func @train_momentum() kind train {
  %w = job.read @momentum : !job.blob<2xf64>
  %c = job.constant dense<[1.0, 3.0]> : tensor<2xf64>
  %0 = job.mul %w, %w : !job.blob<2xf64>
  %loss = job.mul %0, %c : !job.blob<2xf64>
  job.loss %loss : !job.blob<2xf64>
  job.minimize #job.momentum<beta = 0.9> schedule #job.constant_schedule<0.1>
  job.return
}

job.func @train_sgd() kind train {
  %w = job.read @sgd : !job.blob<2xf64>
  %c = job.constant dense<[1.0, 3.0]> : tensor<2xf64>
  %0 = job.mul %w, %w : !job.blob<2xf64>
  %loss = job.mul %0, %c : !job.blob<2xf64>
  job.loss %loss : !job.blob<2xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}
