// Table of ops: pooling. A prediction job for each op and variant, and a
// training job where the op has gradients: its operands are variables, so that
// the gradients show, with first values away from kinks and poles.

job.variable @"input-2x3x6x8xf32" : !job.blob<2x3x6x8xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-2x3x3x4xf32" : !job.blob<2x3x3x4xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x3x3x4xf32" : !job.blob<2x3x3x4xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"input-2x2x7x6xf32" : !job.blob<2x2x7x6xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-2x2x4x3xf32" : !job.blob<2x2x4x3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x2x4x3xf32" : !job.blob<2x2x4x3xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"input-1x2x5x6xf32" : !job.blob<1x2x5x6xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-1x2x5x6xf32" : !job.blob<1x2x5x6xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-1x2x5x6xf32" : !job.blob<1x2x5x6xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"input-2x2x7x9xf32" : !job.blob<2x2x7x9xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-2x2x8x5xf32" : !job.blob<2x2x8x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x2x8x5xf32" : !job.blob<2x2x8x5xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"input-1x2x5x5xf32" : !job.blob<1x2x5x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-1x2x2x2xf32" : !job.blob<1x2x2x2xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-1x2x2x2xf32" : !job.blob<1x2x2x2xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"input-1x2x7x7xf32" : !job.blob<1x2x7x7xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"input-2x3x4x5xf32" : !job.blob<2x3x4x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-2x3x1x1xf32" : !job.blob<2x3x1x1xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x3x1x1xf32" : !job.blob<2x3x1x1xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"input-2x2x7x6xf64" : !job.blob<2x2x7x6xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-2x2x4x3xf64" : !job.blob<2x2x4x3xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x2x4x3xf64" : !job.blob<2x2x4x3xf64> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"input-33x16x14x14xf32" : !job.blob<33x16x14x14xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-33x16x7x7xf32" : !job.blob<33x16x7x7xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"input-2x2x7x150xf32" : !job.blob<2x2x7x150xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-2x2x4x75xf32" : !job.blob<2x2x4x75xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"input-1x2x4x130xf32" : !job.blob<1x2x4x130xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-1x2x2x65xf32" : !job.blob<1x2x2x65xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"input-1x1x6x70xf32" : !job.blob<1x1x6x70xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-1x1x6x70xf32" : !job.blob<1x1x6x70xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"input-1x2x5x75xf64" : !job.blob<1x2x5x75xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-1x2x2x37xf64" : !job.blob<1x2x2x37xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"input-1x1x9x140xf32" : !job.blob<1x1x9x140xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-1x1x3x35xf32" : !job.blob<1x1x3x35xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"input-1x2x11x80xf32" : !job.blob<1x2x11x80xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-1x2x11x40xf32" : !job.blob<1x2x11x40xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"input-1x2x15x40xf32" : !job.blob<1x2x15x40xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-1x2x8x20xf32" : !job.blob<1x2x8x20xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"input-1x2x10x65xf32" : !job.blob<1x2x10x65xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-1x2x4x17xf32" : !job.blob<1x2x4x17xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>

job.func @max_pool2d_halves() -> (!job.blob<2x3x3x4xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x3x6x8xf32" : !job.blob<2x3x6x8xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<2x3x6x8xf32>
  job.return %y : !job.blob<2x3x3x4xf32>
}

job.func @max_pool2d_grad_halves() -> (!job.blob<2x3x6x8xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x3x3x4xf32" : !job.blob<2x3x3x4xf32>
  %x = job.read @"input-2x3x6x8xf32" : !job.blob<2x3x6x8xf32>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<2x3x3x4xf32>, !job.blob<2x3x6x8xf32>
  job.return %dx : !job.blob<2x3x6x8xf32>
}

job.func @max_pool2d_argmax_halves() -> (!job.blob<2x3x3x4xf32> {job.name = "y"}, !job.blob<2x3x3x4xi8> {job.name = "argmax"}, !job.blob<2x3x6x8xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x3x3x4xf32" : !job.blob<2x3x3x4xf32>
  %x = job.read @"input-2x3x6x8xf32" : !job.blob<2x3x6x8xf32>
  %y, %argmax = job.max_pool2d_argmax %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, positive = true} : !job.blob<2x3x6x8xf32>
  %dx = job.max_pool2d_argmax_grad %dy, %argmax {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<2x3x3x4xf32>, !job.blob<2x3x3x4xi8> -> !job.blob<2x3x6x8xf32>
  job.return %y, %argmax, %dx : !job.blob<2x3x3x4xf32>, !job.blob<2x3x3x4xi8>, !job.blob<2x3x6x8xf32>
}

job.func @max_pool2d_argmax_only_maximum() -> (!job.blob<2x3x3x4xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x3x6x8xf32" : !job.blob<2x3x6x8xf32>
  %y, %argmax = job.max_pool2d_argmax %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<2x3x6x8xf32>
  job.return %y : !job.blob<2x3x3x4xf32>
}

job.func @max_pool2d_argmax_only_argmax() -> (!job.blob<2x3x3x4xi8> {job.name = "argmax"}) kind predict {
  %x = job.read @"input-2x3x6x8xf32" : !job.blob<2x3x6x8xf32>
  %y, %argmax = job.max_pool2d_argmax %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<2x3x6x8xf32>
  job.return %argmax : !job.blob<2x3x3x4xi8>
}

job.func @train_max_pool2d_halves() -> (!job.blob<2x3x3x4xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x3x6x8xf32" : !job.blob<2x3x6x8xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<2x3x6x8xf32>
  %weight = job.read @"weight-2x3x3x4xf32" : !job.blob<2x3x3x4xf32>
  %loss = job.mul %y, %weight : !job.blob<2x3x3x4xf32>
  job.loss %loss : !job.blob<2x3x3x4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x3x3x4xf32>
}

job.func @avg_pool2d_halves() -> (!job.blob<2x3x3x4xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x3x6x8xf32" : !job.blob<2x3x6x8xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<2x3x6x8xf32>
  job.return %y : !job.blob<2x3x3x4xf32>
}

job.func @avg_pool2d_grad_halves() -> (!job.blob<2x3x6x8xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x3x3x4xf32" : !job.blob<2x3x3x4xf32>
  %dx = job.avg_pool2d_grad %dy {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<2x3x3x4xf32> -> !job.blob<2x3x6x8xf32>
  job.return %dx : !job.blob<2x3x6x8xf32>
}

job.func @train_avg_pool2d_halves() -> (!job.blob<2x3x3x4xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x3x6x8xf32" : !job.blob<2x3x6x8xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<2x3x6x8xf32>
  %weight = job.read @"weight-2x3x3x4xf32" : !job.blob<2x3x3x4xf32>
  %loss = job.mul %y, %weight : !job.blob<2x3x3x4xf32>
  job.loss %loss : !job.blob<2x3x3x4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x3x3x4xf32>
}

job.func @max_pool2d_overlapping() -> (!job.blob<2x2x4x3xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x2x7x6xf32" : !job.blob<2x2x7x6xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<2x2x7x6xf32>
  job.return %y : !job.blob<2x2x4x3xf32>
}

job.func @max_pool2d_grad_overlapping() -> (!job.blob<2x2x7x6xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x2x4x3xf32" : !job.blob<2x2x4x3xf32>
  %x = job.read @"input-2x2x7x6xf32" : !job.blob<2x2x7x6xf32>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<2x2x4x3xf32>, !job.blob<2x2x7x6xf32>
  job.return %dx : !job.blob<2x2x7x6xf32>
}

job.func @max_pool2d_argmax_overlapping() -> (!job.blob<2x2x4x3xf32> {job.name = "y"}, !job.blob<2x2x4x3xi8> {job.name = "argmax"}, !job.blob<2x2x7x6xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x2x4x3xf32" : !job.blob<2x2x4x3xf32>
  %x = job.read @"input-2x2x7x6xf32" : !job.blob<2x2x7x6xf32>
  %y, %argmax = job.max_pool2d_argmax %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, positive = true} : !job.blob<2x2x7x6xf32>
  %dx = job.max_pool2d_argmax_grad %dy, %argmax {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<2x2x4x3xf32>, !job.blob<2x2x4x3xi8> -> !job.blob<2x2x7x6xf32>
  job.return %y, %argmax, %dx : !job.blob<2x2x4x3xf32>, !job.blob<2x2x4x3xi8>, !job.blob<2x2x7x6xf32>
}

job.func @train_max_pool2d_overlapping() -> (!job.blob<2x2x4x3xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x2x7x6xf32" : !job.blob<2x2x7x6xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<2x2x7x6xf32>
  %weight = job.read @"weight-2x2x4x3xf32" : !job.blob<2x2x4x3xf32>
  %loss = job.mul %y, %weight : !job.blob<2x2x4x3xf32>
  job.loss %loss : !job.blob<2x2x4x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x2x4x3xf32>
}

job.func @avg_pool2d_overlapping() -> (!job.blob<2x2x4x3xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x2x7x6xf32" : !job.blob<2x2x7x6xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<2x2x7x6xf32>
  job.return %y : !job.blob<2x2x4x3xf32>
}

job.func @avg_pool2d_grad_overlapping() -> (!job.blob<2x2x7x6xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x2x4x3xf32" : !job.blob<2x2x4x3xf32>
  %dx = job.avg_pool2d_grad %dy {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<2x2x4x3xf32> -> !job.blob<2x2x7x6xf32>
  job.return %dx : !job.blob<2x2x7x6xf32>
}

job.func @train_avg_pool2d_overlapping() -> (!job.blob<2x2x4x3xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x2x7x6xf32" : !job.blob<2x2x7x6xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<2x2x7x6xf32>
  %weight = job.read @"weight-2x2x4x3xf32" : !job.blob<2x2x4x3xf32>
  %loss = job.mul %y, %weight : !job.blob<2x2x4x3xf32>
  job.loss %loss : !job.blob<2x2x4x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x2x4x3xf32>
}

job.func @max_pool2d_dense() -> (!job.blob<1x2x5x6xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-1x2x5x6xf32" : !job.blob<1x2x5x6xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 3, 3>, strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<1x2x5x6xf32>
  job.return %y : !job.blob<1x2x5x6xf32>
}

job.func @max_pool2d_grad_dense() -> (!job.blob<1x2x5x6xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-1x2x5x6xf32" : !job.blob<1x2x5x6xf32>
  %x = job.read @"input-1x2x5x6xf32" : !job.blob<1x2x5x6xf32>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 3, 3>, strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<1x2x5x6xf32>, !job.blob<1x2x5x6xf32>
  job.return %dx : !job.blob<1x2x5x6xf32>
}

job.func @max_pool2d_argmax_dense() -> (!job.blob<1x2x5x6xf32> {job.name = "y"}, !job.blob<1x2x5x6xi8> {job.name = "argmax"}, !job.blob<1x2x5x6xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-1x2x5x6xf32" : !job.blob<1x2x5x6xf32>
  %x = job.read @"input-1x2x5x6xf32" : !job.blob<1x2x5x6xf32>
  %y, %argmax = job.max_pool2d_argmax %x {ksize = array<i64: 3, 3>, strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<1x2x5x6xf32>
  %dx = job.max_pool2d_argmax_grad %dy, %argmax {ksize = array<i64: 3, 3>, strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<1x2x5x6xf32>, !job.blob<1x2x5x6xi8> -> !job.blob<1x2x5x6xf32>
  job.return %y, %argmax, %dx : !job.blob<1x2x5x6xf32>, !job.blob<1x2x5x6xi8>, !job.blob<1x2x5x6xf32>
}

job.func @train_max_pool2d_dense() -> (!job.blob<1x2x5x6xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-1x2x5x6xf32" : !job.blob<1x2x5x6xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 3, 3>, strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<1x2x5x6xf32>
  %weight = job.read @"weight-1x2x5x6xf32" : !job.blob<1x2x5x6xf32>
  %loss = job.mul %y, %weight : !job.blob<1x2x5x6xf32>
  job.loss %loss : !job.blob<1x2x5x6xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1x2x5x6xf32>
}

job.func @avg_pool2d_dense() -> (!job.blob<1x2x5x6xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-1x2x5x6xf32" : !job.blob<1x2x5x6xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 3, 3>, strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<1x2x5x6xf32>
  job.return %y : !job.blob<1x2x5x6xf32>
}

job.func @avg_pool2d_grad_dense() -> (!job.blob<1x2x5x6xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-1x2x5x6xf32" : !job.blob<1x2x5x6xf32>
  %dx = job.avg_pool2d_grad %dy {ksize = array<i64: 3, 3>, strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<1x2x5x6xf32> -> !job.blob<1x2x5x6xf32>
  job.return %dx : !job.blob<1x2x5x6xf32>
}

job.func @train_avg_pool2d_dense() -> (!job.blob<1x2x5x6xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-1x2x5x6xf32" : !job.blob<1x2x5x6xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 3, 3>, strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<1x2x5x6xf32>
  %weight = job.read @"weight-1x2x5x6xf32" : !job.blob<1x2x5x6xf32>
  %loss = job.mul %y, %weight : !job.blob<1x2x5x6xf32>
  job.loss %loss : !job.blob<1x2x5x6xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1x2x5x6xf32>
}

job.func @max_pool2d_uneven() -> (!job.blob<2x2x8x5xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x2x7x9xf32" : !job.blob<2x2x7x9xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 3, 2>, strides = array<i64: 1, 2>, padding = array<i64: 2, 0, 1, 1>} : !job.blob<2x2x7x9xf32>
  job.return %y : !job.blob<2x2x8x5xf32>
}

job.func @max_pool2d_grad_uneven() -> (!job.blob<2x2x7x9xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x2x8x5xf32" : !job.blob<2x2x8x5xf32>
  %x = job.read @"input-2x2x7x9xf32" : !job.blob<2x2x7x9xf32>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 3, 2>, strides = array<i64: 1, 2>, padding = array<i64: 2, 0, 1, 1>} : !job.blob<2x2x8x5xf32>, !job.blob<2x2x7x9xf32>
  job.return %dx : !job.blob<2x2x7x9xf32>
}

job.func @max_pool2d_argmax_uneven() -> (!job.blob<2x2x8x5xf32> {job.name = "y"}, !job.blob<2x2x8x5xi8> {job.name = "argmax"}, !job.blob<2x2x7x9xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x2x8x5xf32" : !job.blob<2x2x8x5xf32>
  %x = job.read @"input-2x2x7x9xf32" : !job.blob<2x2x7x9xf32>
  %y, %argmax = job.max_pool2d_argmax %x {ksize = array<i64: 3, 2>, strides = array<i64: 1, 2>, padding = array<i64: 2, 0, 1, 1>} : !job.blob<2x2x7x9xf32>
  %dx = job.max_pool2d_argmax_grad %dy, %argmax {ksize = array<i64: 3, 2>, strides = array<i64: 1, 2>, padding = array<i64: 2, 0, 1, 1>} : !job.blob<2x2x8x5xf32>, !job.blob<2x2x8x5xi8> -> !job.blob<2x2x7x9xf32>
  job.return %y, %argmax, %dx : !job.blob<2x2x8x5xf32>, !job.blob<2x2x8x5xi8>, !job.blob<2x2x7x9xf32>
}

job.func @train_max_pool2d_uneven() -> (!job.blob<2x2x8x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x2x7x9xf32" : !job.blob<2x2x7x9xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 3, 2>, strides = array<i64: 1, 2>, padding = array<i64: 2, 0, 1, 1>} : !job.blob<2x2x7x9xf32>
  %weight = job.read @"weight-2x2x8x5xf32" : !job.blob<2x2x8x5xf32>
  %loss = job.mul %y, %weight : !job.blob<2x2x8x5xf32>
  job.loss %loss : !job.blob<2x2x8x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x2x8x5xf32>
}

job.func @avg_pool2d_uneven() -> (!job.blob<2x2x8x5xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x2x7x9xf32" : !job.blob<2x2x7x9xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 3, 2>, strides = array<i64: 1, 2>, padding = array<i64: 2, 0, 1, 1>} : !job.blob<2x2x7x9xf32>
  job.return %y : !job.blob<2x2x8x5xf32>
}

job.func @avg_pool2d_grad_uneven() -> (!job.blob<2x2x7x9xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x2x8x5xf32" : !job.blob<2x2x8x5xf32>
  %dx = job.avg_pool2d_grad %dy {ksize = array<i64: 3, 2>, strides = array<i64: 1, 2>, padding = array<i64: 2, 0, 1, 1>} : !job.blob<2x2x8x5xf32> -> !job.blob<2x2x7x9xf32>
  job.return %dx : !job.blob<2x2x7x9xf32>
}

job.func @train_avg_pool2d_uneven() -> (!job.blob<2x2x8x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x2x7x9xf32" : !job.blob<2x2x7x9xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 3, 2>, strides = array<i64: 1, 2>, padding = array<i64: 2, 0, 1, 1>} : !job.blob<2x2x7x9xf32>
  %weight = job.read @"weight-2x2x8x5xf32" : !job.blob<2x2x8x5xf32>
  %loss = job.mul %y, %weight : !job.blob<2x2x8x5xf32>
  job.loss %loss : !job.blob<2x2x8x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x2x8x5xf32>
}

job.func @max_pool2d_rest_is_unused() -> (!job.blob<1x2x2x2xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-1x2x5x5xf32" : !job.blob<1x2x5x5xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x5x5xf32>
  job.return %y : !job.blob<1x2x2x2xf32>
}

job.func @max_pool2d_grad_rest_is_unused() -> (!job.blob<1x2x5x5xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-1x2x2x2xf32" : !job.blob<1x2x2x2xf32>
  %x = job.read @"input-1x2x5x5xf32" : !job.blob<1x2x5x5xf32>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x2x2xf32>, !job.blob<1x2x5x5xf32>
  job.return %dx : !job.blob<1x2x5x5xf32>
}

job.func @max_pool2d_argmax_rest_is_unused() -> (!job.blob<1x2x2x2xf32> {job.name = "y"}, !job.blob<1x2x2x2xi8> {job.name = "argmax"}, !job.blob<1x2x5x5xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-1x2x2x2xf32" : !job.blob<1x2x2x2xf32>
  %x = job.read @"input-1x2x5x5xf32" : !job.blob<1x2x5x5xf32>
  %y, %argmax = job.max_pool2d_argmax %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x5x5xf32>
  %dx = job.max_pool2d_argmax_grad %dy, %argmax {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x2x2xf32>, !job.blob<1x2x2x2xi8> -> !job.blob<1x2x5x5xf32>
  job.return %y, %argmax, %dx : !job.blob<1x2x2x2xf32>, !job.blob<1x2x2x2xi8>, !job.blob<1x2x5x5xf32>
}

job.func @train_max_pool2d_rest_is_unused() -> (!job.blob<1x2x2x2xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-1x2x5x5xf32" : !job.blob<1x2x5x5xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x5x5xf32>
  %weight = job.read @"weight-1x2x2x2xf32" : !job.blob<1x2x2x2xf32>
  %loss = job.mul %y, %weight : !job.blob<1x2x2x2xf32>
  job.loss %loss : !job.blob<1x2x2x2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1x2x2x2xf32>
}

job.func @avg_pool2d_rest_is_unused() -> (!job.blob<1x2x2x2xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-1x2x5x5xf32" : !job.blob<1x2x5x5xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x5x5xf32>
  job.return %y : !job.blob<1x2x2x2xf32>
}

job.func @avg_pool2d_grad_rest_is_unused() -> (!job.blob<1x2x5x5xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-1x2x2x2xf32" : !job.blob<1x2x2x2xf32>
  %dx = job.avg_pool2d_grad %dy {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x2x2xf32> -> !job.blob<1x2x5x5xf32>
  job.return %dx : !job.blob<1x2x5x5xf32>
}

job.func @train_avg_pool2d_rest_is_unused() -> (!job.blob<1x2x2x2xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-1x2x5x5xf32" : !job.blob<1x2x5x5xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x5x5xf32>
  %weight = job.read @"weight-1x2x2x2xf32" : !job.blob<1x2x2x2xf32>
  %loss = job.mul %y, %weight : !job.blob<1x2x2x2xf32>
  job.loss %loss : !job.blob<1x2x2x2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1x2x2x2xf32>
}

job.func @max_pool2d_gaps() -> (!job.blob<1x2x2x2xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-1x2x7x7xf32" : !job.blob<1x2x7x7xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 3, 3>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x7x7xf32>
  job.return %y : !job.blob<1x2x2x2xf32>
}

job.func @max_pool2d_grad_gaps() -> (!job.blob<1x2x7x7xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-1x2x2x2xf32" : !job.blob<1x2x2x2xf32>
  %x = job.read @"input-1x2x7x7xf32" : !job.blob<1x2x7x7xf32>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 2, 2>, strides = array<i64: 3, 3>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x2x2xf32>, !job.blob<1x2x7x7xf32>
  job.return %dx : !job.blob<1x2x7x7xf32>
}

job.func @max_pool2d_argmax_gaps() -> (!job.blob<1x2x2x2xf32> {job.name = "y"}, !job.blob<1x2x2x2xi8> {job.name = "argmax"}, !job.blob<1x2x7x7xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-1x2x2x2xf32" : !job.blob<1x2x2x2xf32>
  %x = job.read @"input-1x2x7x7xf32" : !job.blob<1x2x7x7xf32>
  %y, %argmax = job.max_pool2d_argmax %x {ksize = array<i64: 2, 2>, strides = array<i64: 3, 3>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x7x7xf32>
  %dx = job.max_pool2d_argmax_grad %dy, %argmax {ksize = array<i64: 2, 2>, strides = array<i64: 3, 3>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x2x2xf32>, !job.blob<1x2x2x2xi8> -> !job.blob<1x2x7x7xf32>
  job.return %y, %argmax, %dx : !job.blob<1x2x2x2xf32>, !job.blob<1x2x2x2xi8>, !job.blob<1x2x7x7xf32>
}

job.func @train_max_pool2d_gaps() -> (!job.blob<1x2x2x2xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-1x2x7x7xf32" : !job.blob<1x2x7x7xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 3, 3>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x7x7xf32>
  %weight = job.read @"weight-1x2x2x2xf32" : !job.blob<1x2x2x2xf32>
  %loss = job.mul %y, %weight : !job.blob<1x2x2x2xf32>
  job.loss %loss : !job.blob<1x2x2x2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1x2x2x2xf32>
}

job.func @avg_pool2d_gaps() -> (!job.blob<1x2x2x2xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-1x2x7x7xf32" : !job.blob<1x2x7x7xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 3, 3>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x7x7xf32>
  job.return %y : !job.blob<1x2x2x2xf32>
}

job.func @avg_pool2d_grad_gaps() -> (!job.blob<1x2x7x7xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-1x2x2x2xf32" : !job.blob<1x2x2x2xf32>
  %dx = job.avg_pool2d_grad %dy {ksize = array<i64: 2, 2>, strides = array<i64: 3, 3>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x2x2xf32> -> !job.blob<1x2x7x7xf32>
  job.return %dx : !job.blob<1x2x7x7xf32>
}

job.func @train_avg_pool2d_gaps() -> (!job.blob<1x2x2x2xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-1x2x7x7xf32" : !job.blob<1x2x7x7xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 3, 3>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x7x7xf32>
  %weight = job.read @"weight-1x2x2x2xf32" : !job.blob<1x2x2x2xf32>
  %loss = job.mul %y, %weight : !job.blob<1x2x2x2xf32>
  job.loss %loss : !job.blob<1x2x2x2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1x2x2x2xf32>
}

job.func @max_pool2d_whole() -> (!job.blob<2x3x1x1xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x3x4x5xf32" : !job.blob<2x3x4x5xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 4, 5>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<2x3x4x5xf32>
  job.return %y : !job.blob<2x3x1x1xf32>
}

job.func @max_pool2d_grad_whole() -> (!job.blob<2x3x4x5xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x3x1x1xf32" : !job.blob<2x3x1x1xf32>
  %x = job.read @"input-2x3x4x5xf32" : !job.blob<2x3x4x5xf32>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 4, 5>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<2x3x1x1xf32>, !job.blob<2x3x4x5xf32>
  job.return %dx : !job.blob<2x3x4x5xf32>
}

job.func @max_pool2d_argmax_whole() -> (!job.blob<2x3x1x1xf32> {job.name = "y"}, !job.blob<2x3x1x1xi8> {job.name = "argmax"}, !job.blob<2x3x4x5xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x3x1x1xf32" : !job.blob<2x3x1x1xf32>
  %x = job.read @"input-2x3x4x5xf32" : !job.blob<2x3x4x5xf32>
  %y, %argmax = job.max_pool2d_argmax %x {ksize = array<i64: 4, 5>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<2x3x4x5xf32>
  %dx = job.max_pool2d_argmax_grad %dy, %argmax {ksize = array<i64: 4, 5>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<2x3x1x1xf32>, !job.blob<2x3x1x1xi8> -> !job.blob<2x3x4x5xf32>
  job.return %y, %argmax, %dx : !job.blob<2x3x1x1xf32>, !job.blob<2x3x1x1xi8>, !job.blob<2x3x4x5xf32>
}

job.func @train_max_pool2d_whole() -> (!job.blob<2x3x1x1xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x3x4x5xf32" : !job.blob<2x3x4x5xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 4, 5>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<2x3x4x5xf32>
  %weight = job.read @"weight-2x3x1x1xf32" : !job.blob<2x3x1x1xf32>
  %loss = job.mul %y, %weight : !job.blob<2x3x1x1xf32>
  job.loss %loss : !job.blob<2x3x1x1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x3x1x1xf32>
}

job.func @avg_pool2d_whole() -> (!job.blob<2x3x1x1xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x3x4x5xf32" : !job.blob<2x3x4x5xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 4, 5>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<2x3x4x5xf32>
  job.return %y : !job.blob<2x3x1x1xf32>
}

job.func @avg_pool2d_grad_whole() -> (!job.blob<2x3x4x5xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x3x1x1xf32" : !job.blob<2x3x1x1xf32>
  %dx = job.avg_pool2d_grad %dy {ksize = array<i64: 4, 5>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<2x3x1x1xf32> -> !job.blob<2x3x4x5xf32>
  job.return %dx : !job.blob<2x3x4x5xf32>
}

job.func @train_avg_pool2d_whole() -> (!job.blob<2x3x1x1xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x3x4x5xf32" : !job.blob<2x3x4x5xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 4, 5>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<2x3x4x5xf32>
  %weight = job.read @"weight-2x3x1x1xf32" : !job.blob<2x3x1x1xf32>
  %loss = job.mul %y, %weight : !job.blob<2x3x1x1xf32>
  job.loss %loss : !job.blob<2x3x1x1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x3x1x1xf32>
}

job.func @max_pool2d_f64() -> (!job.blob<2x2x4x3xf64> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x2x7x6xf64" : !job.blob<2x2x7x6xf64>
  %y = job.max_pool2d %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<2x2x7x6xf64>
  job.return %y : !job.blob<2x2x4x3xf64>
}

job.func @max_pool2d_grad_f64() -> (!job.blob<2x2x7x6xf64> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x2x4x3xf64" : !job.blob<2x2x4x3xf64>
  %x = job.read @"input-2x2x7x6xf64" : !job.blob<2x2x7x6xf64>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<2x2x4x3xf64>, !job.blob<2x2x7x6xf64>
  job.return %dx : !job.blob<2x2x7x6xf64>
}

job.func @max_pool2d_argmax_f64() -> (!job.blob<2x2x4x3xf64> {job.name = "y"}, !job.blob<2x2x4x3xi8> {job.name = "argmax"}, !job.blob<2x2x7x6xf64> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x2x4x3xf64" : !job.blob<2x2x4x3xf64>
  %x = job.read @"input-2x2x7x6xf64" : !job.blob<2x2x7x6xf64>
  %y, %argmax = job.max_pool2d_argmax %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<2x2x7x6xf64>
  %dx = job.max_pool2d_argmax_grad %dy, %argmax {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<2x2x4x3xf64>, !job.blob<2x2x4x3xi8> -> !job.blob<2x2x7x6xf64>
  job.return %y, %argmax, %dx : !job.blob<2x2x4x3xf64>, !job.blob<2x2x4x3xi8>, !job.blob<2x2x7x6xf64>
}

job.func @train_max_pool2d_f64() -> (!job.blob<2x2x4x3xf64> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x2x7x6xf64" : !job.blob<2x2x7x6xf64>
  %y = job.max_pool2d %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<2x2x7x6xf64>
  %weight = job.read @"weight-2x2x4x3xf64" : !job.blob<2x2x4x3xf64>
  %loss = job.mul %y, %weight : !job.blob<2x2x4x3xf64>
  job.loss %loss : !job.blob<2x2x4x3xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x2x4x3xf64>
}

job.func @avg_pool2d_f64() -> (!job.blob<2x2x4x3xf64> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x2x7x6xf64" : !job.blob<2x2x7x6xf64>
  %y = job.avg_pool2d %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<2x2x7x6xf64>
  job.return %y : !job.blob<2x2x4x3xf64>
}

job.func @avg_pool2d_grad_f64() -> (!job.blob<2x2x7x6xf64> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x2x4x3xf64" : !job.blob<2x2x4x3xf64>
  %dx = job.avg_pool2d_grad %dy {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<2x2x4x3xf64> -> !job.blob<2x2x7x6xf64>
  job.return %dx : !job.blob<2x2x7x6xf64>
}

job.func @train_avg_pool2d_f64() -> (!job.blob<2x2x4x3xf64> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x2x7x6xf64" : !job.blob<2x2x7x6xf64>
  %y = job.avg_pool2d %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<2x2x7x6xf64>
  %weight = job.read @"weight-2x2x4x3xf64" : !job.blob<2x2x4x3xf64>
  %loss = job.mul %y, %weight : !job.blob<2x2x4x3xf64>
  job.loss %loss : !job.blob<2x2x4x3xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x2x4x3xf64>
}

job.func @max_pool2d_batch() -> (!job.blob<33x16x7x7xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-33x16x14x14xf32" : !job.blob<33x16x14x14xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<33x16x14x14xf32>
  job.return %y : !job.blob<33x16x7x7xf32>
}

job.func @max_pool2d_grad_batch() -> (!job.blob<33x16x14x14xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-33x16x7x7xf32" : !job.blob<33x16x7x7xf32>
  %x = job.read @"input-33x16x14x14xf32" : !job.blob<33x16x14x14xf32>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<33x16x7x7xf32>, !job.blob<33x16x14x14xf32>
  job.return %dx : !job.blob<33x16x14x14xf32>
}

job.func @max_pool2d_argmax_batch() -> (!job.blob<33x16x7x7xf32> {job.name = "y"}, !job.blob<33x16x7x7xi8> {job.name = "argmax"}, !job.blob<33x16x14x14xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-33x16x7x7xf32" : !job.blob<33x16x7x7xf32>
  %x = job.read @"input-33x16x14x14xf32" : !job.blob<33x16x14x14xf32>
  %y, %argmax = job.max_pool2d_argmax %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<33x16x14x14xf32>
  %dx = job.max_pool2d_argmax_grad %dy, %argmax {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<33x16x7x7xf32>, !job.blob<33x16x7x7xi8> -> !job.blob<33x16x14x14xf32>
  job.return %y, %argmax, %dx : !job.blob<33x16x7x7xf32>, !job.blob<33x16x7x7xi8>, !job.blob<33x16x14x14xf32>
}

job.func @avg_pool2d_batch() -> (!job.blob<33x16x7x7xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-33x16x14x14xf32" : !job.blob<33x16x14x14xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<33x16x14x14xf32>
  job.return %y : !job.blob<33x16x7x7xf32>
}

job.func @avg_pool2d_grad_batch() -> (!job.blob<33x16x14x14xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-33x16x7x7xf32" : !job.blob<33x16x7x7xf32>
  %dx = job.avg_pool2d_grad %dy {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<33x16x7x7xf32> -> !job.blob<33x16x14x14xf32>
  job.return %dx : !job.blob<33x16x14x14xf32>
}

job.func @max_pool2d_wide() -> (!job.blob<2x2x4x75xf32> {job.name = "y"}, !job.blob<2x2x7x150xf32> {job.name = "dx"}) kind predict {
  %x = job.read @"input-2x2x7x150xf32" : !job.blob<2x2x7x150xf32>
  %dy = job.read @"grad-2x2x4x75xf32" : !job.blob<2x2x4x75xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<2x2x7x150xf32>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<2x2x4x75xf32>, !job.blob<2x2x7x150xf32>
  job.return %y, %dx : !job.blob<2x2x4x75xf32>, !job.blob<2x2x7x150xf32>
}

job.func @avg_pool2d_wide() -> (!job.blob<2x2x4x75xf32> {job.name = "y"}, !job.blob<2x2x7x150xf32> {job.name = "dx"}) kind predict {
  %x = job.read @"input-2x2x7x150xf32" : !job.blob<2x2x7x150xf32>
  %dy = job.read @"grad-2x2x4x75xf32" : !job.blob<2x2x4x75xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<2x2x7x150xf32>
  %dx = job.avg_pool2d_grad %dy {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<2x2x4x75xf32> -> !job.blob<2x2x7x150xf32>
  job.return %y, %dx : !job.blob<2x2x4x75xf32>, !job.blob<2x2x7x150xf32>
}

job.func @max_pool2d_wide_halves() -> (!job.blob<1x2x2x65xf32> {job.name = "y"}, !job.blob<1x2x4x130xf32> {job.name = "dx"}) kind predict {
  %x = job.read @"input-1x2x4x130xf32" : !job.blob<1x2x4x130xf32>
  %dy = job.read @"grad-1x2x2x65xf32" : !job.blob<1x2x2x65xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x4x130xf32>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x2x65xf32>, !job.blob<1x2x4x130xf32>
  job.return %y, %dx : !job.blob<1x2x2x65xf32>, !job.blob<1x2x4x130xf32>
}

job.func @avg_pool2d_wide_halves() -> (!job.blob<1x2x2x65xf32> {job.name = "y"}, !job.blob<1x2x4x130xf32> {job.name = "dx"}) kind predict {
  %x = job.read @"input-1x2x4x130xf32" : !job.blob<1x2x4x130xf32>
  %dy = job.read @"grad-1x2x2x65xf32" : !job.blob<1x2x2x65xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x4x130xf32>
  %dx = job.avg_pool2d_grad %dy {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x2x2x65xf32> -> !job.blob<1x2x4x130xf32>
  job.return %y, %dx : !job.blob<1x2x2x65xf32>, !job.blob<1x2x4x130xf32>
}

job.func @max_pool2d_wide_dense() -> (!job.blob<1x1x6x70xf32> {job.name = "y"}, !job.blob<1x1x6x70xf32> {job.name = "dx"}) kind predict {
  %x = job.read @"input-1x1x6x70xf32" : !job.blob<1x1x6x70xf32>
  %dy = job.read @"grad-1x1x6x70xf32" : !job.blob<1x1x6x70xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 3, 3>, strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<1x1x6x70xf32>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 3, 3>, strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<1x1x6x70xf32>, !job.blob<1x1x6x70xf32>
  job.return %y, %dx : !job.blob<1x1x6x70xf32>, !job.blob<1x1x6x70xf32>
}

job.func @avg_pool2d_wide_dense() -> (!job.blob<1x1x6x70xf32> {job.name = "y"}, !job.blob<1x1x6x70xf32> {job.name = "dx"}) kind predict {
  %x = job.read @"input-1x1x6x70xf32" : !job.blob<1x1x6x70xf32>
  %dy = job.read @"grad-1x1x6x70xf32" : !job.blob<1x1x6x70xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 3, 3>, strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<1x1x6x70xf32>
  %dx = job.avg_pool2d_grad %dy {ksize = array<i64: 3, 3>, strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<1x1x6x70xf32> -> !job.blob<1x1x6x70xf32>
  job.return %y, %dx : !job.blob<1x1x6x70xf32>, !job.blob<1x1x6x70xf32>
}

job.func @max_pool2d_wide_f64() -> (!job.blob<1x2x2x37xf64> {job.name = "y"}, !job.blob<1x2x5x75xf64> {job.name = "dx"}) kind predict {
  %x = job.read @"input-1x2x5x75xf64" : !job.blob<1x2x5x75xf64>
  %dy = job.read @"grad-1x2x2x37xf64" : !job.blob<1x2x2x37xf64>
  %y = job.max_pool2d %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 0, 1, 1, 0>} : !job.blob<1x2x5x75xf64>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 0, 1, 1, 0>} : !job.blob<1x2x2x37xf64>, !job.blob<1x2x5x75xf64>
  job.return %y, %dx : !job.blob<1x2x2x37xf64>, !job.blob<1x2x5x75xf64>
}

job.func @avg_pool2d_wide_f64() -> (!job.blob<1x2x2x37xf64> {job.name = "y"}, !job.blob<1x2x5x75xf64> {job.name = "dx"}) kind predict {
  %x = job.read @"input-1x2x5x75xf64" : !job.blob<1x2x5x75xf64>
  %dy = job.read @"grad-1x2x2x37xf64" : !job.blob<1x2x2x37xf64>
  %y = job.avg_pool2d %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 0, 1, 1, 0>} : !job.blob<1x2x5x75xf64>
  %dx = job.avg_pool2d_grad %dy {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 0, 1, 1, 0>} : !job.blob<1x2x2x37xf64> -> !job.blob<1x2x5x75xf64>
  job.return %y, %dx : !job.blob<1x2x2x37xf64>, !job.blob<1x2x5x75xf64>
}

job.func @max_pool2d_wide_gaps() -> (!job.blob<1x1x3x35xf32> {job.name = "y"}, !job.blob<1x1x9x140xf32> {job.name = "dx"}) kind predict {
  %x = job.read @"input-1x1x9x140xf32" : !job.blob<1x1x9x140xf32>
  %dy = job.read @"grad-1x1x3x35xf32" : !job.blob<1x1x3x35xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 2, 1>, strides = array<i64: 3, 4>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x1x9x140xf32>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 2, 1>, strides = array<i64: 3, 4>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x1x3x35xf32>, !job.blob<1x1x9x140xf32>
  job.return %y, %dx : !job.blob<1x1x3x35xf32>, !job.blob<1x1x9x140xf32>
}

job.func @avg_pool2d_wide_gaps() -> (!job.blob<1x1x3x35xf32> {job.name = "y"}, !job.blob<1x1x9x140xf32> {job.name = "dx"}) kind predict {
  %x = job.read @"input-1x1x9x140xf32" : !job.blob<1x1x9x140xf32>
  %dy = job.read @"grad-1x1x3x35xf32" : !job.blob<1x1x3x35xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 2, 1>, strides = array<i64: 3, 4>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x1x9x140xf32>
  %dx = job.avg_pool2d_grad %dy {ksize = array<i64: 2, 1>, strides = array<i64: 3, 4>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x1x3x35xf32> -> !job.blob<1x1x9x140xf32>
  job.return %y, %dx : !job.blob<1x1x3x35xf32>, !job.blob<1x1x9x140xf32>
}

job.func @max_pool2d_reach() -> (!job.blob<1x2x11x40xf32> {job.name = "y"}, !job.blob<1x2x11x80xf32> {job.name = "dx"}) kind predict {
  %x = job.read @"input-1x2x11x80xf32" : !job.blob<1x2x11x80xf32>
  %dy = job.read @"grad-1x2x11x40xf32" : !job.blob<1x2x11x40xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 2, 9>, strides = array<i64: 1, 2>, padding = array<i64: 1, 4, 0, 4>} : !job.blob<1x2x11x80xf32>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 2, 9>, strides = array<i64: 1, 2>, padding = array<i64: 1, 4, 0, 4>} : !job.blob<1x2x11x40xf32>, !job.blob<1x2x11x80xf32>
  job.return %y, %dx : !job.blob<1x2x11x40xf32>, !job.blob<1x2x11x80xf32>
}

job.func @avg_pool2d_reach() -> (!job.blob<1x2x11x40xf32> {job.name = "y"}, !job.blob<1x2x11x80xf32> {job.name = "dx"}) kind predict {
  %x = job.read @"input-1x2x11x80xf32" : !job.blob<1x2x11x80xf32>
  %dy = job.read @"grad-1x2x11x40xf32" : !job.blob<1x2x11x40xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 2, 9>, strides = array<i64: 1, 2>, padding = array<i64: 1, 4, 0, 4>} : !job.blob<1x2x11x80xf32>
  %dx = job.avg_pool2d_grad %dy {ksize = array<i64: 2, 9>, strides = array<i64: 1, 2>, padding = array<i64: 1, 4, 0, 4>} : !job.blob<1x2x11x40xf32> -> !job.blob<1x2x11x80xf32>
  job.return %y, %dx : !job.blob<1x2x11x40xf32>, !job.blob<1x2x11x80xf32>
}

job.func @max_pool2d_large() -> (!job.blob<1x2x8x20xf32> {job.name = "y"}, !job.blob<1x2x15x40xf32> {job.name = "dx"}) kind predict {
  %x = job.read @"input-1x2x15x40xf32" : !job.blob<1x2x15x40xf32>
  %dy = job.read @"grad-1x2x8x20xf32" : !job.blob<1x2x8x20xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 7, 7>, strides = array<i64: 2, 2>, padding = array<i64: 3, 3, 3, 3>} : !job.blob<1x2x15x40xf32>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 7, 7>, strides = array<i64: 2, 2>, padding = array<i64: 3, 3, 3, 3>} : !job.blob<1x2x8x20xf32>, !job.blob<1x2x15x40xf32>
  job.return %y, %dx : !job.blob<1x2x8x20xf32>, !job.blob<1x2x15x40xf32>
}

job.func @avg_pool2d_large() -> (!job.blob<1x2x8x20xf32> {job.name = "y"}, !job.blob<1x2x15x40xf32> {job.name = "dx"}) kind predict {
  %x = job.read @"input-1x2x15x40xf32" : !job.blob<1x2x15x40xf32>
  %dy = job.read @"grad-1x2x8x20xf32" : !job.blob<1x2x8x20xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 7, 7>, strides = array<i64: 2, 2>, padding = array<i64: 3, 3, 3, 3>} : !job.blob<1x2x15x40xf32>
  %dx = job.avg_pool2d_grad %dy {ksize = array<i64: 7, 7>, strides = array<i64: 2, 2>, padding = array<i64: 3, 3, 3, 3>} : !job.blob<1x2x8x20xf32> -> !job.blob<1x2x15x40xf32>
  job.return %y, %dx : !job.blob<1x2x8x20xf32>, !job.blob<1x2x15x40xf32>
}

job.func @max_pool2d_strides() -> (!job.blob<1x2x4x17xf32> {job.name = "y"}, !job.blob<1x2x10x65xf32> {job.name = "dx"}) kind predict {
  %x = job.read @"input-1x2x10x65xf32" : !job.blob<1x2x10x65xf32>
  %dy = job.read @"grad-1x2x4x17xf32" : !job.blob<1x2x4x17xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 4, 4>, strides = array<i64: 3, 4>, padding = array<i64: 2, 3, 3, 1>} : !job.blob<1x2x10x65xf32>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 4, 4>, strides = array<i64: 3, 4>, padding = array<i64: 2, 3, 3, 1>} : !job.blob<1x2x4x17xf32>, !job.blob<1x2x10x65xf32>
  job.return %y, %dx : !job.blob<1x2x4x17xf32>, !job.blob<1x2x10x65xf32>
}

job.func @avg_pool2d_strides() -> (!job.blob<1x2x4x17xf32> {job.name = "y"}, !job.blob<1x2x10x65xf32> {job.name = "dx"}) kind predict {
  %x = job.read @"input-1x2x10x65xf32" : !job.blob<1x2x10x65xf32>
  %dy = job.read @"grad-1x2x4x17xf32" : !job.blob<1x2x4x17xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 4, 4>, strides = array<i64: 3, 4>, padding = array<i64: 2, 3, 3, 1>} : !job.blob<1x2x10x65xf32>
  %dx = job.avg_pool2d_grad %dy {ksize = array<i64: 4, 4>, strides = array<i64: 3, 4>, padding = array<i64: 2, 3, 3, 1>} : !job.blob<1x2x4x17xf32> -> !job.blob<1x2x10x65xf32>
  job.return %y, %dx : !job.blob<1x2x4x17xf32>, !job.blob<1x2x10x65xf32>
}

// A tie goes to the first, a NaN wins.
job.func @max_pool2d_ties() -> (!job.blob<1x1x2x2xf32> {job.name = "y"}, !job.blob<1x1x3x3xf32> {job.name = "dx"}) kind predict {
  %x = job.constant dense<[[[[1.0, 1.0, 1.0], [1.0, 2.0, 2.0], [0x7FC00000, 2.0, 0x7FC00000]]]]> : tensor<1x1x3x3xf32>
  %dy = job.constant dense<[[[[1.0, 2.0], [4.0, 8.0]]]]> : tensor<1x1x2x2xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x1x3x3xf32>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 2, 2>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<1x1x2x2xf32>, !job.blob<1x1x3x3xf32>
  job.return %y, %dx : !job.blob<1x1x2x2xf32>, !job.blob<1x1x3x3xf32>
}

// Padding is no maximum, not even of cells that are all -inf.
job.func @max_pool2d_specials() -> (!job.blob<1x1x3x21xf32> {job.name = "y"}, !job.blob<1x1x6x41xf32> {job.name = "dx"}) kind predict {
  %x = job.constant dense<[[[[0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0x7FC00000, -0.0, 0xFF800000, 1.0, 0x7FC00000, 1.0, 0xFF800000, 0xFF800000, 2.0, 1.0, 0x7F800000, 0xFF800000, 1.0, 1.0, 0x7FC00000, 1.0, 1.0, 1.0, 0x7F800000, 1.0, 1.0, 2.0, 0xFF800000, 2.0, -0.0, 0xFF800000, 1.0, 0x7F800000, 1.0, 0.0, 1.0, 0xFF800000, 0xFF800000], [0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, -0.0, -0.0, 1.0, -0.0, 0.0, 0x7F800000, 1.0, 1.0, 1.0, 0x7FC00000, 0xFF800000, 0x7FC00000, 0.0, 1.0, 0xFF800000, 0xFF800000, 0.0, 2.0, 0x7F800000, 1.0, 0xFF800000, -0.0, 1.0, 0.0, 1.0, 0x7F800000, 2.0, -0.0, 2.0, 0xFF800000, 1.0, 2.0, 0xFF800000, 0x7FC00000, 1.0], [1.0, 1.0, 0xFF800000, 2.0, 0x7F800000, 1.0, 0.0, 0x7FC00000, 0x7FC00000, 2.0, 0xFF800000, 1.0, 2.0, 0x7FC00000, 2.0, 1.0, 2.0, 0x7F800000, -0.0, 0xFF800000, 1.0, 1.0, 0.0, 1.0, 0x7F800000, 1.0, -0.0, 0x7F800000, 2.0, 0x7FC00000, 2.0, 0x7FC00000, 0.0, 0x7F800000, 2.0, 2.0, 1.0, 0xFF800000, 0.0, 1.0, -0.0], [1.0, 0xFF800000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7F800000, 0x7F800000, 0x7FC00000, 0xFF800000, 0.0, 1.0, 2.0, 0x7FC00000, 0xFF800000, 0xFF800000, 1.0, -0.0, 1.0, 0.0, 1.0, 1.0, 0.0, -0.0, 0.0, 0x7FC00000, 1.0, -0.0, 0.0, 1.0, -0.0, 1.0, 0.0, 1.0, 0x7FC00000, 0x7FC00000, 1.0, 1.0, 1.0, 0xFF800000, 1.0, 1.0], [-0.0, 1.0, 0x7F800000, 2.0, 0x7FC00000, 2.0, 0xFF800000, -0.0, 0x7FC00000, 0.0, -0.0, 0xFF800000, -0.0, 1.0, 0x7F800000, 2.0, 1.0, 0.0, 2.0, -0.0, 0xFF800000, 1.0, 1.0, 2.0, -0.0, 0.0, 0xFF800000, 1.0, 1.0, 0x7FC00000, -0.0, 0x7F800000, 1.0, 0x7FC00000, 0x7F800000, 0.0, 0.0, -0.0, -0.0, 1.0, 0x7FC00000], [1.0, 0x7F800000, 0x7FC00000, 1.0, 0xFF800000, -0.0, -0.0, 1.0, 0xFF800000, 0x7FC00000, 1.0, 0x7F800000, 2.0, 0xFF800000, 0.0, 0xFF800000, 0.0, 0x7FC00000, 0xFF800000, 0x7FC00000, 0xFF800000, 0.0, 0xFF800000, 1.0, 0x7F800000, 0x7FC00000, 2.0, 0xFF800000, 0xFF800000, 0x7FC00000, 1.0, 2.0, 0xFF800000, 0xFF800000, 0xFF800000, 0.0, -0.0, 1.0, 1.0, -0.0, 1.0]]]]> : tensor<1x1x6x41xf32>
  %dy = job.constant dense<[[[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0], [22.0, 23.0, 24.0, 25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0, 32.0, 33.0, 34.0, 35.0, 36.0, 37.0, 38.0, 39.0, 40.0, 41.0, 42.0], [43.0, 44.0, 45.0, 46.0, 47.0, 48.0, 49.0, 50.0, 51.0, 52.0, 53.0, 54.0, 55.0, 56.0, 57.0, 58.0, 59.0, 60.0, 61.0, 62.0, 63.0]]]]> : tensor<1x1x3x21xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<1x1x6x41xf32>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>} : !job.blob<1x1x3x21xf32>, !job.blob<1x1x6x41xf32>
  job.return %y, %dx : !job.blob<1x1x3x21xf32>, !job.blob<1x1x6x41xf32>
}
