// Table of ops: poolings of NHWC images, as in pool.mlir.

job.variable @"input-2x5x6x20xf32" : !job.blob<2x5x6x20xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-2x2x3x20xf32" : !job.blob<2x2x3x20xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"input-2x6x8x3xf32" : !job.blob<2x6x8x3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-2x3x4x3xf32" : !job.blob<2x3x4x3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x3x4x3xf32" : !job.blob<2x3x4x3xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"input-2x7x6x2xf32" : !job.blob<2x7x6x2xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-2x4x3x2xf32" : !job.blob<2x4x3x2xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x4x3x2xf32" : !job.blob<2x4x3x2xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"input-2x7x9x2xf32" : !job.blob<2x7x9x2xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-2x8x5x2xf32" : !job.blob<2x8x5x2xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x8x5x2xf32" : !job.blob<2x8x5x2xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"input-1x5x5x2xf32" : !job.blob<1x5x5x2xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-1x2x2x2xf32" : !job.blob<1x2x2x2xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-1x2x2x2xf32" : !job.blob<1x2x2x2xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"input-1x7x7x2xf32" : !job.blob<1x7x7x2xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"input-2x4x5x3xf32" : !job.blob<2x4x5x3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-2x1x1x3xf32" : !job.blob<2x1x1x3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x1x1x3xf32" : !job.blob<2x1x1x3xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"input-2x7x6x2xf64" : !job.blob<2x7x6x2xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-2x4x3x2xf64" : !job.blob<2x4x3x2xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x4x3x2xf64" : !job.blob<2x4x3x2xf64> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"input-33x14x14x16xf32" : !job.blob<33x14x14x16xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-33x7x7x16xf32" : !job.blob<33x7x7x16xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"input-1x15x40x2xf32" : !job.blob<1x15x40x2xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-1x8x20x2xf32" : !job.blob<1x8x20x2xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>

job.func @max_pool2d_halves_nhwc() -> (!job.blob<2x3x4x3xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x6x8x3xf32" : !job.blob<2x6x8x3xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<2x6x8x3xf32>
  job.return %y : !job.blob<2x3x4x3xf32>
}

job.func @max_pool2d_grad_halves_nhwc() -> (!job.blob<2x6x8x3xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x3x4x3xf32" : !job.blob<2x3x4x3xf32>
  %x = job.read @"input-2x6x8x3xf32" : !job.blob<2x6x8x3xf32>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<2x3x4x3xf32>, !job.blob<2x6x8x3xf32>
  job.return %dx : !job.blob<2x6x8x3xf32>
}

job.func @max_pool2d_argmax_halves_nhwc() -> (!job.blob<2x3x4x3xf32> {job.name = "y"}, !job.blob<2x3x4x3xi8> {job.name = "argmax"}, !job.blob<2x6x8x3xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x3x4x3xf32" : !job.blob<2x3x4x3xf32>
  %x = job.read @"input-2x6x8x3xf32" : !job.blob<2x6x8x3xf32>
  %y, %argmax = job.max_pool2d_argmax %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>, positive = true} : !job.blob<2x6x8x3xf32>
  %dx = job.max_pool2d_argmax_grad %dy, %argmax {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<2x3x4x3xf32>, !job.blob<2x3x4x3xi8> -> !job.blob<2x6x8x3xf32>
  job.return %y, %argmax, %dx : !job.blob<2x3x4x3xf32>, !job.blob<2x3x4x3xi8>, !job.blob<2x6x8x3xf32>
}

job.func @train_max_pool2d_halves_nhwc() -> (!job.blob<2x3x4x3xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x6x8x3xf32" : !job.blob<2x6x8x3xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<2x6x8x3xf32>
  %weight = job.read @"weight-2x3x4x3xf32" : !job.blob<2x3x4x3xf32>
  %loss = job.mul %y, %weight : !job.blob<2x3x4x3xf32>
  job.loss %loss : !job.blob<2x3x4x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x3x4x3xf32>
}

job.func @avg_pool2d_halves_nhwc() -> (!job.blob<2x3x4x3xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x6x8x3xf32" : !job.blob<2x6x8x3xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<2x6x8x3xf32>
  job.return %y : !job.blob<2x3x4x3xf32>
}

job.func @avg_pool2d_grad_halves_nhwc() -> (!job.blob<2x6x8x3xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x3x4x3xf32" : !job.blob<2x3x4x3xf32>
  %dx = job.avg_pool2d_grad %dy {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<2x3x4x3xf32> -> !job.blob<2x6x8x3xf32>
  job.return %dx : !job.blob<2x6x8x3xf32>
}

job.func @train_avg_pool2d_halves_nhwc() -> (!job.blob<2x3x4x3xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x6x8x3xf32" : !job.blob<2x6x8x3xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<2x6x8x3xf32>
  %weight = job.read @"weight-2x3x4x3xf32" : !job.blob<2x3x4x3xf32>
  %loss = job.mul %y, %weight : !job.blob<2x3x4x3xf32>
  job.loss %loss : !job.blob<2x3x4x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x3x4x3xf32>
}

job.func @max_pool2d_overlapping_nhwc() -> (!job.blob<2x4x3x2xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x7x6x2xf32" : !job.blob<2x7x6x2xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, layout = #job<layout nhwc>} : !job.blob<2x7x6x2xf32>
  job.return %y : !job.blob<2x4x3x2xf32>
}

job.func @max_pool2d_grad_overlapping_nhwc() -> (!job.blob<2x7x6x2xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x4x3x2xf32" : !job.blob<2x4x3x2xf32>
  %x = job.read @"input-2x7x6x2xf32" : !job.blob<2x7x6x2xf32>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, layout = #job<layout nhwc>} : !job.blob<2x4x3x2xf32>, !job.blob<2x7x6x2xf32>
  job.return %dx : !job.blob<2x7x6x2xf32>
}

job.func @max_pool2d_argmax_overlapping_nhwc() -> (!job.blob<2x4x3x2xf32> {job.name = "y"}, !job.blob<2x4x3x2xi8> {job.name = "argmax"}, !job.blob<2x7x6x2xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x4x3x2xf32" : !job.blob<2x4x3x2xf32>
  %x = job.read @"input-2x7x6x2xf32" : !job.blob<2x7x6x2xf32>
  %y, %argmax = job.max_pool2d_argmax %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, layout = #job<layout nhwc>, positive = true} : !job.blob<2x7x6x2xf32>
  %dx = job.max_pool2d_argmax_grad %dy, %argmax {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, layout = #job<layout nhwc>} : !job.blob<2x4x3x2xf32>, !job.blob<2x4x3x2xi8> -> !job.blob<2x7x6x2xf32>
  job.return %y, %argmax, %dx : !job.blob<2x4x3x2xf32>, !job.blob<2x4x3x2xi8>, !job.blob<2x7x6x2xf32>
}

job.func @train_max_pool2d_overlapping_nhwc() -> (!job.blob<2x4x3x2xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x7x6x2xf32" : !job.blob<2x7x6x2xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, layout = #job<layout nhwc>} : !job.blob<2x7x6x2xf32>
  %weight = job.read @"weight-2x4x3x2xf32" : !job.blob<2x4x3x2xf32>
  %loss = job.mul %y, %weight : !job.blob<2x4x3x2xf32>
  job.loss %loss : !job.blob<2x4x3x2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x4x3x2xf32>
}

job.func @avg_pool2d_overlapping_nhwc() -> (!job.blob<2x4x3x2xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x7x6x2xf32" : !job.blob<2x7x6x2xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, layout = #job<layout nhwc>} : !job.blob<2x7x6x2xf32>
  job.return %y : !job.blob<2x4x3x2xf32>
}

job.func @avg_pool2d_grad_overlapping_nhwc() -> (!job.blob<2x7x6x2xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x4x3x2xf32" : !job.blob<2x4x3x2xf32>
  %dx = job.avg_pool2d_grad %dy {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, layout = #job<layout nhwc>} : !job.blob<2x4x3x2xf32> -> !job.blob<2x7x6x2xf32>
  job.return %dx : !job.blob<2x7x6x2xf32>
}

job.func @train_avg_pool2d_overlapping_nhwc() -> (!job.blob<2x4x3x2xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x7x6x2xf32" : !job.blob<2x7x6x2xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, layout = #job<layout nhwc>} : !job.blob<2x7x6x2xf32>
  %weight = job.read @"weight-2x4x3x2xf32" : !job.blob<2x4x3x2xf32>
  %loss = job.mul %y, %weight : !job.blob<2x4x3x2xf32>
  job.loss %loss : !job.blob<2x4x3x2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x4x3x2xf32>
}

job.func @max_pool2d_uneven_nhwc() -> (!job.blob<2x8x5x2xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x7x9x2xf32" : !job.blob<2x7x9x2xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 3, 2>, strides = array<i64: 1, 2>, padding = array<i64: 2, 0, 1, 1>, layout = #job<layout nhwc>} : !job.blob<2x7x9x2xf32>
  job.return %y : !job.blob<2x8x5x2xf32>
}

job.func @max_pool2d_grad_uneven_nhwc() -> (!job.blob<2x7x9x2xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x8x5x2xf32" : !job.blob<2x8x5x2xf32>
  %x = job.read @"input-2x7x9x2xf32" : !job.blob<2x7x9x2xf32>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 3, 2>, strides = array<i64: 1, 2>, padding = array<i64: 2, 0, 1, 1>, layout = #job<layout nhwc>} : !job.blob<2x8x5x2xf32>, !job.blob<2x7x9x2xf32>
  job.return %dx : !job.blob<2x7x9x2xf32>
}

job.func @max_pool2d_argmax_uneven_nhwc() -> (!job.blob<2x8x5x2xf32> {job.name = "y"}, !job.blob<2x8x5x2xi8> {job.name = "argmax"}, !job.blob<2x7x9x2xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x8x5x2xf32" : !job.blob<2x8x5x2xf32>
  %x = job.read @"input-2x7x9x2xf32" : !job.blob<2x7x9x2xf32>
  %y, %argmax = job.max_pool2d_argmax %x {ksize = array<i64: 3, 2>, strides = array<i64: 1, 2>, padding = array<i64: 2, 0, 1, 1>, layout = #job<layout nhwc>} : !job.blob<2x7x9x2xf32>
  %dx = job.max_pool2d_argmax_grad %dy, %argmax {ksize = array<i64: 3, 2>, strides = array<i64: 1, 2>, padding = array<i64: 2, 0, 1, 1>, layout = #job<layout nhwc>} : !job.blob<2x8x5x2xf32>, !job.blob<2x8x5x2xi8> -> !job.blob<2x7x9x2xf32>
  job.return %y, %argmax, %dx : !job.blob<2x8x5x2xf32>, !job.blob<2x8x5x2xi8>, !job.blob<2x7x9x2xf32>
}

job.func @train_max_pool2d_uneven_nhwc() -> (!job.blob<2x8x5x2xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x7x9x2xf32" : !job.blob<2x7x9x2xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 3, 2>, strides = array<i64: 1, 2>, padding = array<i64: 2, 0, 1, 1>, layout = #job<layout nhwc>} : !job.blob<2x7x9x2xf32>
  %weight = job.read @"weight-2x8x5x2xf32" : !job.blob<2x8x5x2xf32>
  %loss = job.mul %y, %weight : !job.blob<2x8x5x2xf32>
  job.loss %loss : !job.blob<2x8x5x2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x8x5x2xf32>
}

job.func @avg_pool2d_uneven_nhwc() -> (!job.blob<2x8x5x2xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x7x9x2xf32" : !job.blob<2x7x9x2xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 3, 2>, strides = array<i64: 1, 2>, padding = array<i64: 2, 0, 1, 1>, layout = #job<layout nhwc>} : !job.blob<2x7x9x2xf32>
  job.return %y : !job.blob<2x8x5x2xf32>
}

job.func @avg_pool2d_grad_uneven_nhwc() -> (!job.blob<2x7x9x2xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x8x5x2xf32" : !job.blob<2x8x5x2xf32>
  %dx = job.avg_pool2d_grad %dy {ksize = array<i64: 3, 2>, strides = array<i64: 1, 2>, padding = array<i64: 2, 0, 1, 1>, layout = #job<layout nhwc>} : !job.blob<2x8x5x2xf32> -> !job.blob<2x7x9x2xf32>
  job.return %dx : !job.blob<2x7x9x2xf32>
}

job.func @train_avg_pool2d_uneven_nhwc() -> (!job.blob<2x8x5x2xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x7x9x2xf32" : !job.blob<2x7x9x2xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 3, 2>, strides = array<i64: 1, 2>, padding = array<i64: 2, 0, 1, 1>, layout = #job<layout nhwc>} : !job.blob<2x7x9x2xf32>
  %weight = job.read @"weight-2x8x5x2xf32" : !job.blob<2x8x5x2xf32>
  %loss = job.mul %y, %weight : !job.blob<2x8x5x2xf32>
  job.loss %loss : !job.blob<2x8x5x2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x8x5x2xf32>
}

job.func @max_pool2d_rest_is_unused_nhwc() -> (!job.blob<1x2x2x2xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-1x5x5x2xf32" : !job.blob<1x5x5x2xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x5x5x2xf32>
  job.return %y : !job.blob<1x2x2x2xf32>
}

job.func @max_pool2d_grad_rest_is_unused_nhwc() -> (!job.blob<1x5x5x2xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-1x2x2x2xf32" : !job.blob<1x2x2x2xf32>
  %x = job.read @"input-1x5x5x2xf32" : !job.blob<1x5x5x2xf32>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x2x2x2xf32>, !job.blob<1x5x5x2xf32>
  job.return %dx : !job.blob<1x5x5x2xf32>
}

job.func @max_pool2d_argmax_rest_is_unused_nhwc() -> (!job.blob<1x2x2x2xf32> {job.name = "y"}, !job.blob<1x2x2x2xi8> {job.name = "argmax"}, !job.blob<1x5x5x2xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-1x2x2x2xf32" : !job.blob<1x2x2x2xf32>
  %x = job.read @"input-1x5x5x2xf32" : !job.blob<1x5x5x2xf32>
  %y, %argmax = job.max_pool2d_argmax %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x5x5x2xf32>
  %dx = job.max_pool2d_argmax_grad %dy, %argmax {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x2x2x2xf32>, !job.blob<1x2x2x2xi8> -> !job.blob<1x5x5x2xf32>
  job.return %y, %argmax, %dx : !job.blob<1x2x2x2xf32>, !job.blob<1x2x2x2xi8>, !job.blob<1x5x5x2xf32>
}

job.func @train_max_pool2d_rest_is_unused_nhwc() -> (!job.blob<1x2x2x2xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-1x5x5x2xf32" : !job.blob<1x5x5x2xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x5x5x2xf32>
  %weight = job.read @"weight-1x2x2x2xf32" : !job.blob<1x2x2x2xf32>
  %loss = job.mul %y, %weight : !job.blob<1x2x2x2xf32>
  job.loss %loss : !job.blob<1x2x2x2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1x2x2x2xf32>
}

job.func @avg_pool2d_rest_is_unused_nhwc() -> (!job.blob<1x2x2x2xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-1x5x5x2xf32" : !job.blob<1x5x5x2xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x5x5x2xf32>
  job.return %y : !job.blob<1x2x2x2xf32>
}

job.func @avg_pool2d_grad_rest_is_unused_nhwc() -> (!job.blob<1x5x5x2xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-1x2x2x2xf32" : !job.blob<1x2x2x2xf32>
  %dx = job.avg_pool2d_grad %dy {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x2x2x2xf32> -> !job.blob<1x5x5x2xf32>
  job.return %dx : !job.blob<1x5x5x2xf32>
}

job.func @train_avg_pool2d_rest_is_unused_nhwc() -> (!job.blob<1x2x2x2xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-1x5x5x2xf32" : !job.blob<1x5x5x2xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x5x5x2xf32>
  %weight = job.read @"weight-1x2x2x2xf32" : !job.blob<1x2x2x2xf32>
  %loss = job.mul %y, %weight : !job.blob<1x2x2x2xf32>
  job.loss %loss : !job.blob<1x2x2x2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1x2x2x2xf32>
}

job.func @max_pool2d_gaps_nhwc() -> (!job.blob<1x2x2x2xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-1x7x7x2xf32" : !job.blob<1x7x7x2xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 3, 3>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x7x7x2xf32>
  job.return %y : !job.blob<1x2x2x2xf32>
}

job.func @max_pool2d_grad_gaps_nhwc() -> (!job.blob<1x7x7x2xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-1x2x2x2xf32" : !job.blob<1x2x2x2xf32>
  %x = job.read @"input-1x7x7x2xf32" : !job.blob<1x7x7x2xf32>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 2, 2>, strides = array<i64: 3, 3>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x2x2x2xf32>, !job.blob<1x7x7x2xf32>
  job.return %dx : !job.blob<1x7x7x2xf32>
}

job.func @max_pool2d_argmax_gaps_nhwc() -> (!job.blob<1x2x2x2xf32> {job.name = "y"}, !job.blob<1x2x2x2xi8> {job.name = "argmax"}, !job.blob<1x7x7x2xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-1x2x2x2xf32" : !job.blob<1x2x2x2xf32>
  %x = job.read @"input-1x7x7x2xf32" : !job.blob<1x7x7x2xf32>
  %y, %argmax = job.max_pool2d_argmax %x {ksize = array<i64: 2, 2>, strides = array<i64: 3, 3>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x7x7x2xf32>
  %dx = job.max_pool2d_argmax_grad %dy, %argmax {ksize = array<i64: 2, 2>, strides = array<i64: 3, 3>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x2x2x2xf32>, !job.blob<1x2x2x2xi8> -> !job.blob<1x7x7x2xf32>
  job.return %y, %argmax, %dx : !job.blob<1x2x2x2xf32>, !job.blob<1x2x2x2xi8>, !job.blob<1x7x7x2xf32>
}

job.func @train_max_pool2d_gaps_nhwc() -> (!job.blob<1x2x2x2xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-1x7x7x2xf32" : !job.blob<1x7x7x2xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 3, 3>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x7x7x2xf32>
  %weight = job.read @"weight-1x2x2x2xf32" : !job.blob<1x2x2x2xf32>
  %loss = job.mul %y, %weight : !job.blob<1x2x2x2xf32>
  job.loss %loss : !job.blob<1x2x2x2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1x2x2x2xf32>
}

job.func @avg_pool2d_gaps_nhwc() -> (!job.blob<1x2x2x2xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-1x7x7x2xf32" : !job.blob<1x7x7x2xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 3, 3>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x7x7x2xf32>
  job.return %y : !job.blob<1x2x2x2xf32>
}

job.func @avg_pool2d_grad_gaps_nhwc() -> (!job.blob<1x7x7x2xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-1x2x2x2xf32" : !job.blob<1x2x2x2xf32>
  %dx = job.avg_pool2d_grad %dy {ksize = array<i64: 2, 2>, strides = array<i64: 3, 3>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x2x2x2xf32> -> !job.blob<1x7x7x2xf32>
  job.return %dx : !job.blob<1x7x7x2xf32>
}

job.func @train_avg_pool2d_gaps_nhwc() -> (!job.blob<1x2x2x2xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-1x7x7x2xf32" : !job.blob<1x7x7x2xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 3, 3>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x7x7x2xf32>
  %weight = job.read @"weight-1x2x2x2xf32" : !job.blob<1x2x2x2xf32>
  %loss = job.mul %y, %weight : !job.blob<1x2x2x2xf32>
  job.loss %loss : !job.blob<1x2x2x2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1x2x2x2xf32>
}

job.func @max_pool2d_whole_nhwc() -> (!job.blob<2x1x1x3xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x4x5x3xf32" : !job.blob<2x4x5x3xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 4, 5>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<2x4x5x3xf32>
  job.return %y : !job.blob<2x1x1x3xf32>
}

job.func @max_pool2d_grad_whole_nhwc() -> (!job.blob<2x4x5x3xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x1x1x3xf32" : !job.blob<2x1x1x3xf32>
  %x = job.read @"input-2x4x5x3xf32" : !job.blob<2x4x5x3xf32>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 4, 5>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<2x1x1x3xf32>, !job.blob<2x4x5x3xf32>
  job.return %dx : !job.blob<2x4x5x3xf32>
}

job.func @max_pool2d_argmax_whole_nhwc() -> (!job.blob<2x1x1x3xf32> {job.name = "y"}, !job.blob<2x1x1x3xi8> {job.name = "argmax"}, !job.blob<2x4x5x3xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x1x1x3xf32" : !job.blob<2x1x1x3xf32>
  %x = job.read @"input-2x4x5x3xf32" : !job.blob<2x4x5x3xf32>
  %y, %argmax = job.max_pool2d_argmax %x {ksize = array<i64: 4, 5>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<2x4x5x3xf32>
  %dx = job.max_pool2d_argmax_grad %dy, %argmax {ksize = array<i64: 4, 5>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<2x1x1x3xf32>, !job.blob<2x1x1x3xi8> -> !job.blob<2x4x5x3xf32>
  job.return %y, %argmax, %dx : !job.blob<2x1x1x3xf32>, !job.blob<2x1x1x3xi8>, !job.blob<2x4x5x3xf32>
}

job.func @train_max_pool2d_whole_nhwc() -> (!job.blob<2x1x1x3xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x4x5x3xf32" : !job.blob<2x4x5x3xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 4, 5>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<2x4x5x3xf32>
  %weight = job.read @"weight-2x1x1x3xf32" : !job.blob<2x1x1x3xf32>
  %loss = job.mul %y, %weight : !job.blob<2x1x1x3xf32>
  job.loss %loss : !job.blob<2x1x1x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x1x1x3xf32>
}

job.func @avg_pool2d_whole_nhwc() -> (!job.blob<2x1x1x3xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x4x5x3xf32" : !job.blob<2x4x5x3xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 4, 5>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<2x4x5x3xf32>
  job.return %y : !job.blob<2x1x1x3xf32>
}

job.func @avg_pool2d_grad_whole_nhwc() -> (!job.blob<2x4x5x3xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x1x1x3xf32" : !job.blob<2x1x1x3xf32>
  %dx = job.avg_pool2d_grad %dy {ksize = array<i64: 4, 5>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<2x1x1x3xf32> -> !job.blob<2x4x5x3xf32>
  job.return %dx : !job.blob<2x4x5x3xf32>
}

job.func @train_avg_pool2d_whole_nhwc() -> (!job.blob<2x1x1x3xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x4x5x3xf32" : !job.blob<2x4x5x3xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 4, 5>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<2x4x5x3xf32>
  %weight = job.read @"weight-2x1x1x3xf32" : !job.blob<2x1x1x3xf32>
  %loss = job.mul %y, %weight : !job.blob<2x1x1x3xf32>
  job.loss %loss : !job.blob<2x1x1x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x1x1x3xf32>
}

job.func @max_pool2d_f64_nhwc() -> (!job.blob<2x4x3x2xf64> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x7x6x2xf64" : !job.blob<2x7x6x2xf64>
  %y = job.max_pool2d %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, layout = #job<layout nhwc>} : !job.blob<2x7x6x2xf64>
  job.return %y : !job.blob<2x4x3x2xf64>
}

job.func @max_pool2d_grad_f64_nhwc() -> (!job.blob<2x7x6x2xf64> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x4x3x2xf64" : !job.blob<2x4x3x2xf64>
  %x = job.read @"input-2x7x6x2xf64" : !job.blob<2x7x6x2xf64>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, layout = #job<layout nhwc>} : !job.blob<2x4x3x2xf64>, !job.blob<2x7x6x2xf64>
  job.return %dx : !job.blob<2x7x6x2xf64>
}

job.func @max_pool2d_argmax_f64_nhwc() -> (!job.blob<2x4x3x2xf64> {job.name = "y"}, !job.blob<2x4x3x2xi8> {job.name = "argmax"}, !job.blob<2x7x6x2xf64> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x4x3x2xf64" : !job.blob<2x4x3x2xf64>
  %x = job.read @"input-2x7x6x2xf64" : !job.blob<2x7x6x2xf64>
  %y, %argmax = job.max_pool2d_argmax %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, layout = #job<layout nhwc>} : !job.blob<2x7x6x2xf64>
  %dx = job.max_pool2d_argmax_grad %dy, %argmax {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, layout = #job<layout nhwc>} : !job.blob<2x4x3x2xf64>, !job.blob<2x4x3x2xi8> -> !job.blob<2x7x6x2xf64>
  job.return %y, %argmax, %dx : !job.blob<2x4x3x2xf64>, !job.blob<2x4x3x2xi8>, !job.blob<2x7x6x2xf64>
}

job.func @train_max_pool2d_f64_nhwc() -> (!job.blob<2x4x3x2xf64> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x7x6x2xf64" : !job.blob<2x7x6x2xf64>
  %y = job.max_pool2d %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, layout = #job<layout nhwc>} : !job.blob<2x7x6x2xf64>
  %weight = job.read @"weight-2x4x3x2xf64" : !job.blob<2x4x3x2xf64>
  %loss = job.mul %y, %weight : !job.blob<2x4x3x2xf64>
  job.loss %loss : !job.blob<2x4x3x2xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x4x3x2xf64>
}

job.func @avg_pool2d_f64_nhwc() -> (!job.blob<2x4x3x2xf64> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x7x6x2xf64" : !job.blob<2x7x6x2xf64>
  %y = job.avg_pool2d %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, layout = #job<layout nhwc>} : !job.blob<2x7x6x2xf64>
  job.return %y : !job.blob<2x4x3x2xf64>
}

job.func @avg_pool2d_grad_f64_nhwc() -> (!job.blob<2x7x6x2xf64> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x4x3x2xf64" : !job.blob<2x4x3x2xf64>
  %dx = job.avg_pool2d_grad %dy {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, layout = #job<layout nhwc>} : !job.blob<2x4x3x2xf64> -> !job.blob<2x7x6x2xf64>
  job.return %dx : !job.blob<2x7x6x2xf64>
}

job.func @train_avg_pool2d_f64_nhwc() -> (!job.blob<2x4x3x2xf64> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x7x6x2xf64" : !job.blob<2x7x6x2xf64>
  %y = job.avg_pool2d %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, layout = #job<layout nhwc>} : !job.blob<2x7x6x2xf64>
  %weight = job.read @"weight-2x4x3x2xf64" : !job.blob<2x4x3x2xf64>
  %loss = job.mul %y, %weight : !job.blob<2x4x3x2xf64>
  job.loss %loss : !job.blob<2x4x3x2xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x4x3x2xf64>
}

job.func @max_pool2d_batch_nhwc() -> (!job.blob<33x7x7x16xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-33x14x14x16xf32" : !job.blob<33x14x14x16xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<33x14x14x16xf32>
  job.return %y : !job.blob<33x7x7x16xf32>
}

job.func @max_pool2d_grad_batch_nhwc() -> (!job.blob<33x14x14x16xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-33x7x7x16xf32" : !job.blob<33x7x7x16xf32>
  %x = job.read @"input-33x14x14x16xf32" : !job.blob<33x14x14x16xf32>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<33x7x7x16xf32>, !job.blob<33x14x14x16xf32>
  job.return %dx : !job.blob<33x14x14x16xf32>
}

job.func @max_pool2d_argmax_batch_nhwc() -> (!job.blob<33x7x7x16xf32> {job.name = "y"}, !job.blob<33x7x7x16xi8> {job.name = "argmax"}, !job.blob<33x14x14x16xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-33x7x7x16xf32" : !job.blob<33x7x7x16xf32>
  %x = job.read @"input-33x14x14x16xf32" : !job.blob<33x14x14x16xf32>
  %y, %argmax = job.max_pool2d_argmax %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<33x14x14x16xf32>
  %dx = job.max_pool2d_argmax_grad %dy, %argmax {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<33x7x7x16xf32>, !job.blob<33x7x7x16xi8> -> !job.blob<33x14x14x16xf32>
  job.return %y, %argmax, %dx : !job.blob<33x7x7x16xf32>, !job.blob<33x7x7x16xi8>, !job.blob<33x14x14x16xf32>
}

job.func @avg_pool2d_batch_nhwc() -> (!job.blob<33x7x7x16xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-33x14x14x16xf32" : !job.blob<33x14x14x16xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<33x14x14x16xf32>
  job.return %y : !job.blob<33x7x7x16xf32>
}

job.func @avg_pool2d_grad_batch_nhwc() -> (!job.blob<33x14x14x16xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-33x7x7x16xf32" : !job.blob<33x7x7x16xf32>
  %dx = job.avg_pool2d_grad %dy {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<33x7x7x16xf32> -> !job.blob<33x14x14x16xf32>
  job.return %dx : !job.blob<33x14x14x16xf32>
}

job.func @max_pool2d_large_nhwc() -> (!job.blob<1x8x20x2xf32> {job.name = "y"}, !job.blob<1x15x40x2xf32> {job.name = "dx"}) kind predict {
  %x = job.read @"input-1x15x40x2xf32" : !job.blob<1x15x40x2xf32>
  %dy = job.read @"grad-1x8x20x2xf32" : !job.blob<1x8x20x2xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 7, 7>, strides = array<i64: 2, 2>, padding = array<i64: 3, 3, 3, 3>, layout = #job<layout nhwc>} : !job.blob<1x15x40x2xf32>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 7, 7>, strides = array<i64: 2, 2>, padding = array<i64: 3, 3, 3, 3>, layout = #job<layout nhwc>} : !job.blob<1x8x20x2xf32>, !job.blob<1x15x40x2xf32>
  job.return %y, %dx : !job.blob<1x8x20x2xf32>, !job.blob<1x15x40x2xf32>
}

job.func @avg_pool2d_large_nhwc() -> (!job.blob<1x8x20x2xf32> {job.name = "y"}, !job.blob<1x15x40x2xf32> {job.name = "dx"}) kind predict {
  %x = job.read @"input-1x15x40x2xf32" : !job.blob<1x15x40x2xf32>
  %dy = job.read @"grad-1x8x20x2xf32" : !job.blob<1x8x20x2xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 7, 7>, strides = array<i64: 2, 2>, padding = array<i64: 3, 3, 3, 3>, layout = #job<layout nhwc>} : !job.blob<1x15x40x2xf32>
  %dx = job.avg_pool2d_grad %dy {ksize = array<i64: 7, 7>, strides = array<i64: 2, 2>, padding = array<i64: 3, 3, 3, 3>, layout = #job<layout nhwc>} : !job.blob<1x8x20x2xf32> -> !job.blob<1x15x40x2xf32>
  job.return %y, %dx : !job.blob<1x8x20x2xf32>, !job.blob<1x15x40x2xf32>
}

// Channels that fill several vectors, and a part of one.
job.func @max_pool2d_channels_nhwc() -> (!job.blob<2x2x3x20xf32> {job.name = "y"}, !job.blob<2x5x6x20xf32> {job.name = "dx"}) kind predict {
  %x = job.read @"input-2x5x6x20xf32" : !job.blob<2x5x6x20xf32>
  %dy = job.read @"grad-2x2x3x20xf32" : !job.blob<2x2x3x20xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 0, 1, 0, 0>, layout = #job<layout nhwc>} : !job.blob<2x5x6x20xf32>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 0, 1, 0, 0>, layout = #job<layout nhwc>} : !job.blob<2x2x3x20xf32>, !job.blob<2x5x6x20xf32>
  job.return %y, %dx : !job.blob<2x2x3x20xf32>, !job.blob<2x5x6x20xf32>
}

job.func @avg_pool2d_channels_nhwc() -> (!job.blob<2x2x3x20xf32> {job.name = "y"}, !job.blob<2x5x6x20xf32> {job.name = "dx"}) kind predict {
  %x = job.read @"input-2x5x6x20xf32" : !job.blob<2x5x6x20xf32>
  %dy = job.read @"grad-2x2x3x20xf32" : !job.blob<2x2x3x20xf32>
  %y = job.avg_pool2d %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 0, 1, 0, 0>, layout = #job<layout nhwc>} : !job.blob<2x5x6x20xf32>
  %dx = job.avg_pool2d_grad %dy {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 0, 1, 0, 0>, layout = #job<layout nhwc>} : !job.blob<2x2x3x20xf32> -> !job.blob<2x5x6x20xf32>
  job.return %y, %dx : !job.blob<2x2x3x20xf32>, !job.blob<2x5x6x20xf32>
}

// A tie goes to the first, a NaN wins.
job.func @max_pool2d_ties_nhwc() -> (!job.blob<1x2x2x1xf32> {job.name = "y"}, !job.blob<1x3x3x1xf32> {job.name = "dx"}) kind predict {
  %x_plane = job.constant dense<[[[[1.0, 1.0, 1.0], [1.0, 2.0, 2.0], [0x7FC00000, 2.0, 0x7FC00000]]]]> : tensor<1x1x3x3xf32>
  %x = job.reshape %x_plane : !job.blob<1x1x3x3xf32> to !job.blob<1x3x3x1xf32>
  %dy_plane = job.constant dense<[[[[1.0, 2.0], [4.0, 8.0]]]]> : tensor<1x1x2x2xf32>
  %dy = job.reshape %dy_plane : !job.blob<1x1x2x2xf32> to !job.blob<1x2x2x1xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 2, 2>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x3x3x1xf32>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 2, 2>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, layout = #job<layout nhwc>} : !job.blob<1x2x2x1xf32>, !job.blob<1x3x3x1xf32>
  job.return %y, %dx : !job.blob<1x2x2x1xf32>, !job.blob<1x3x3x1xf32>
}

// Padding is no maximum, not even of cells that are all -inf.
job.func @max_pool2d_specials_nhwc() -> (!job.blob<1x3x21x1xf32> {job.name = "y"}, !job.blob<1x6x41x1xf32> {job.name = "dx"}) kind predict {
  %x_plane = job.constant dense<[[[[0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0x7FC00000, -0.0, 0xFF800000, 1.0, 0x7FC00000, 1.0, 0xFF800000, 0xFF800000, 2.0, 1.0, 0x7F800000, 0xFF800000, 1.0, 1.0, 0x7FC00000, 1.0, 1.0, 1.0, 0x7F800000, 1.0, 1.0, 2.0, 0xFF800000, 2.0, -0.0, 0xFF800000, 1.0, 0x7F800000, 1.0, 0.0, 1.0, 0xFF800000, 0xFF800000], [0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, -0.0, -0.0, 1.0, -0.0, 0.0, 0x7F800000, 1.0, 1.0, 1.0, 0x7FC00000, 0xFF800000, 0x7FC00000, 0.0, 1.0, 0xFF800000, 0xFF800000, 0.0, 2.0, 0x7F800000, 1.0, 0xFF800000, -0.0, 1.0, 0.0, 1.0, 0x7F800000, 2.0, -0.0, 2.0, 0xFF800000, 1.0, 2.0, 0xFF800000, 0x7FC00000, 1.0], [1.0, 1.0, 0xFF800000, 2.0, 0x7F800000, 1.0, 0.0, 0x7FC00000, 0x7FC00000, 2.0, 0xFF800000, 1.0, 2.0, 0x7FC00000, 2.0, 1.0, 2.0, 0x7F800000, -0.0, 0xFF800000, 1.0, 1.0, 0.0, 1.0, 0x7F800000, 1.0, -0.0, 0x7F800000, 2.0, 0x7FC00000, 2.0, 0x7FC00000, 0.0, 0x7F800000, 2.0, 2.0, 1.0, 0xFF800000, 0.0, 1.0, -0.0], [1.0, 0xFF800000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7F800000, 0x7F800000, 0x7FC00000, 0xFF800000, 0.0, 1.0, 2.0, 0x7FC00000, 0xFF800000, 0xFF800000, 1.0, -0.0, 1.0, 0.0, 1.0, 1.0, 0.0, -0.0, 0.0, 0x7FC00000, 1.0, -0.0, 0.0, 1.0, -0.0, 1.0, 0.0, 1.0, 0x7FC00000, 0x7FC00000, 1.0, 1.0, 1.0, 0xFF800000, 1.0, 1.0], [-0.0, 1.0, 0x7F800000, 2.0, 0x7FC00000, 2.0, 0xFF800000, -0.0, 0x7FC00000, 0.0, -0.0, 0xFF800000, -0.0, 1.0, 0x7F800000, 2.0, 1.0, 0.0, 2.0, -0.0, 0xFF800000, 1.0, 1.0, 2.0, -0.0, 0.0, 0xFF800000, 1.0, 1.0, 0x7FC00000, -0.0, 0x7F800000, 1.0, 0x7FC00000, 0x7F800000, 0.0, 0.0, -0.0, -0.0, 1.0, 0x7FC00000], [1.0, 0x7F800000, 0x7FC00000, 1.0, 0xFF800000, -0.0, -0.0, 1.0, 0xFF800000, 0x7FC00000, 1.0, 0x7F800000, 2.0, 0xFF800000, 0.0, 0xFF800000, 0.0, 0x7FC00000, 0xFF800000, 0x7FC00000, 0xFF800000, 0.0, 0xFF800000, 1.0, 0x7F800000, 0x7FC00000, 2.0, 0xFF800000, 0xFF800000, 0x7FC00000, 1.0, 2.0, 0xFF800000, 0xFF800000, 0xFF800000, 0.0, -0.0, 1.0, 1.0, -0.0, 1.0]]]]> : tensor<1x1x6x41xf32>
  %x = job.reshape %x_plane : !job.blob<1x1x6x41xf32> to !job.blob<1x6x41x1xf32>
  %dy_plane = job.constant dense<[[[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0], [22.0, 23.0, 24.0, 25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0, 32.0, 33.0, 34.0, 35.0, 36.0, 37.0, 38.0, 39.0, 40.0, 41.0, 42.0], [43.0, 44.0, 45.0, 46.0, 47.0, 48.0, 49.0, 50.0, 51.0, 52.0, 53.0, 54.0, 55.0, 56.0, 57.0, 58.0, 59.0, 60.0, 61.0, 62.0, 63.0]]]]> : tensor<1x1x3x21xf32>
  %dy = job.reshape %dy_plane : !job.blob<1x1x3x21xf32> to !job.blob<1x3x21x1xf32>
  %y = job.max_pool2d %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, layout = #job<layout nhwc>} : !job.blob<1x6x41x1xf32>
  %dx = job.max_pool2d_grad %dy, %x {ksize = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, layout = #job<layout nhwc>} : !job.blob<1x3x21x1xf32>, !job.blob<1x6x41x1xf32>
  job.return %y, %dx : !job.blob<1x3x21x1xf32>, !job.blob<1x6x41x1xf32>
}
