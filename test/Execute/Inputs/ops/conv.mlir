// Table of ops: convolutions. A prediction job for each op and variant, and a
// training job where the op has gradients: its operands are variables, so that
// the gradients show, with first values away from kinks and poles.

job.variable @"input-2x3x9x8xf32" : !job.blob<2x3x9x8xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"filter-4x3x5x5xf32" : !job.blob<4x3x5x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-2x4x9x8xf32" : !job.blob<2x4x9x8xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x4x9x8xf32" : !job.blob<2x4x9x8xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"input-2x3x6x7xf32" : !job.blob<2x3x6x7xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"filter-4x3x3x3xf32" : !job.blob<4x3x3x3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-2x4x4x5xf32" : !job.blob<2x4x4x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x4x4x5xf32" : !job.blob<2x4x4x5xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"input-2x5x4x3xf32" : !job.blob<2x5x4x3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"filter-3x5x1x1xf32" : !job.blob<3x5x1x1xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-2x3x4x3xf32" : !job.blob<2x3x4x3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x3x4x3xf32" : !job.blob<2x3x4x3xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"grad-2x4x5x4xf32" : !job.blob<2x4x5x4xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x4x5x4xf32" : !job.blob<2x4x5x4xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"input-1x2x9x8xf32" : !job.blob<1x2x9x8xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"filter-3x2x3x2xf32" : !job.blob<3x2x3x2xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-1x3x4x4xf32" : !job.blob<1x3x4x4xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-1x3x4x4xf32" : !job.blob<1x3x4x4xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"input-2x2x9x8xf32" : !job.blob<2x2x9x8xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-2x3x9x7xf32" : !job.blob<2x3x9x7xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x3x9x7xf32" : !job.blob<2x3x9x7xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"input-2x4x5x6xf32" : !job.blob<2x4x5x6xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"filter-6x2x3x3xf32" : !job.blob<6x2x3x3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-2x6x5x6xf32" : !job.blob<2x6x5x6xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x6x5x6xf32" : !job.blob<2x6x5x6xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"input-2x3x5x6xf32" : !job.blob<2x3x5x6xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"filter-6x1x3x3xf32" : !job.blob<6x1x3x3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"input-2x3x4x5xf32" : !job.blob<2x3x4x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"filter-4x3x4x5xf32" : !job.blob<4x3x4x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-2x4x1x1xf32" : !job.blob<2x4x1x1xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x4x1x1xf32" : !job.blob<2x4x1x1xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"input-1x2x6x6xf32" : !job.blob<1x2x6x6xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"filter-3x2x3x3xf32" : !job.blob<3x2x3x3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-1x3x1x1xf32" : !job.blob<1x3x1x1xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-1x3x1x1xf32" : !job.blob<1x3x1x1xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"input-2x4x7x6xf64" : !job.blob<2x4x7x6xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"filter-6x2x3x3xf64" : !job.blob<6x2x3x3xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-2x6x4x3xf64" : !job.blob<2x6x4x3xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x6x4x3xf64" : !job.blob<2x6x4x3xf64> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"input-33x16x14x14xf32" : !job.blob<33x16x14x14xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"filter-24x16x3x3xf32" : !job.blob<24x16x3x3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-33x24x14x14xf32" : !job.blob<33x24x14x14xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"input-16x1x28x28xf32" : !job.blob<16x1x28x28xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"filter-32x1x5x5xf32" : !job.blob<32x1x5x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-16x32x28x28xf32" : !job.blob<16x32x28x28xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x3x9x8xf32" : !job.blob<2x3x9x8xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-4x3x3x3xf32" : !job.blob<4x3x3x3xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-1x2x9x8xf32" : !job.blob<1x2x9x8xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-3x2x3x2xf32" : !job.blob<3x2x3x2xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-2x2x9x8xf32" : !job.blob<2x2x9x8xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-2x4x5x6xf32" : !job.blob<2x4x5x6xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-6x2x3x3xf32" : !job.blob<6x2x3x3xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-2x3x5x6xf32" : !job.blob<2x3x5x6xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-6x1x3x3xf32" : !job.blob<6x1x3x3xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-1x2x6x6xf32" : !job.blob<1x2x6x6xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-3x2x3x3xf32" : !job.blob<3x2x3x3xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-2x4x7x6xf64" : !job.blob<2x4x7x6xf64> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-6x2x3x3xf64" : !job.blob<6x2x3x3xf64> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}

job.func @conv2d_same_5x5() -> (!job.blob<2x4x9x8xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x3x9x8xf32" : !job.blob<2x3x9x8xf32>
  %f = job.read @"filter-4x3x5x5xf32" : !job.blob<4x3x5x5xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x3x9x8xf32>, !job.blob<4x3x5x5xf32>
  job.return %y : !job.blob<2x4x9x8xf32>
}

job.func @conv2d_data_grad_same_5x5() -> (!job.blob<2x3x9x8xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x4x9x8xf32" : !job.blob<2x4x9x8xf32>
  %f = job.read @"filter-4x3x5x5xf32" : !job.blob<4x3x5x5xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 1, 1>, padding = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x9x8xf32>, !job.blob<4x3x5x5xf32> -> !job.blob<2x3x9x8xf32>
  job.return %dx : !job.blob<2x3x9x8xf32>
}

job.func @conv2d_filter_grad_same_5x5() -> (!job.blob<4x3x5x5xf32> {job.name = "df"}) kind predict {
  %dy = job.read @"grad-2x4x9x8xf32" : !job.blob<2x4x9x8xf32>
  %x = job.read @"input-2x3x9x8xf32" : !job.blob<2x3x9x8xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x9x8xf32>, !job.blob<2x3x9x8xf32> -> !job.blob<4x3x5x5xf32>
  job.return %df : !job.blob<4x3x5x5xf32>
}

job.func @train_conv2d_same_5x5() -> (!job.blob<2x4x9x8xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x3x9x8xf32" : !job.blob<2x3x9x8xf32>
  %f = job.read @"filter-4x3x5x5xf32" : !job.blob<4x3x5x5xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x3x9x8xf32>, !job.blob<4x3x5x5xf32>
  %weight = job.read @"weight-2x4x9x8xf32" : !job.blob<2x4x9x8xf32>
  %loss = job.mul %y, %weight : !job.blob<2x4x9x8xf32>
  job.loss %loss : !job.blob<2x4x9x8xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x4x9x8xf32>
}

job.func @conv2d_valid_3x3() -> (!job.blob<2x4x4x5xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x3x6x7xf32" : !job.blob<2x3x6x7xf32>
  %f = job.read @"filter-4x3x3x3xf32" : !job.blob<4x3x3x3xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x3x6x7xf32>, !job.blob<4x3x3x3xf32>
  job.return %y : !job.blob<2x4x4x5xf32>
}

job.func @conv2d_data_grad_valid_3x3() -> (!job.blob<2x3x6x7xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x4x4x5xf32" : !job.blob<2x4x4x5xf32>
  %f = job.read @"filter-4x3x3x3xf32" : !job.blob<4x3x3x3xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x4x5xf32>, !job.blob<4x3x3x3xf32> -> !job.blob<2x3x6x7xf32>
  job.return %dx : !job.blob<2x3x6x7xf32>
}

job.func @conv2d_filter_grad_valid_3x3() -> (!job.blob<4x3x3x3xf32> {job.name = "df"}) kind predict {
  %dy = job.read @"grad-2x4x4x5xf32" : !job.blob<2x4x4x5xf32>
  %x = job.read @"input-2x3x6x7xf32" : !job.blob<2x3x6x7xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x4x5xf32>, !job.blob<2x3x6x7xf32> -> !job.blob<4x3x3x3xf32>
  job.return %df : !job.blob<4x3x3x3xf32>
}

job.func @train_conv2d_valid_3x3() -> (!job.blob<2x4x4x5xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x3x6x7xf32" : !job.blob<2x3x6x7xf32>
  %f = job.read @"filter-4x3x3x3xf32" : !job.blob<4x3x3x3xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x3x6x7xf32>, !job.blob<4x3x3x3xf32>
  %weight = job.read @"weight-2x4x4x5xf32" : !job.blob<2x4x4x5xf32>
  %loss = job.mul %y, %weight : !job.blob<2x4x4x5xf32>
  job.loss %loss : !job.blob<2x4x4x5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x4x4x5xf32>
}

job.func @conv2d_one_by_one() -> (!job.blob<2x3x4x3xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x5x4x3xf32" : !job.blob<2x5x4x3xf32>
  %f = job.read @"filter-3x5x1x1xf32" : !job.blob<3x5x1x1xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x5x4x3xf32>, !job.blob<3x5x1x1xf32>
  job.return %y : !job.blob<2x3x4x3xf32>
}

job.func @conv2d_data_grad_one_by_one() -> (!job.blob<2x5x4x3xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x3x4x3xf32" : !job.blob<2x3x4x3xf32>
  %f = job.read @"filter-3x5x1x1xf32" : !job.blob<3x5x1x1xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x3x4x3xf32>, !job.blob<3x5x1x1xf32> -> !job.blob<2x5x4x3xf32>
  job.return %dx : !job.blob<2x5x4x3xf32>
}

job.func @conv2d_filter_grad_one_by_one() -> (!job.blob<3x5x1x1xf32> {job.name = "df"}) kind predict {
  %dy = job.read @"grad-2x3x4x3xf32" : !job.blob<2x3x4x3xf32>
  %x = job.read @"input-2x5x4x3xf32" : !job.blob<2x5x4x3xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x3x4x3xf32>, !job.blob<2x5x4x3xf32> -> !job.blob<3x5x1x1xf32>
  job.return %df : !job.blob<3x5x1x1xf32>
}

job.func @train_conv2d_one_by_one() -> (!job.blob<2x3x4x3xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x5x4x3xf32" : !job.blob<2x5x4x3xf32>
  %f = job.read @"filter-3x5x1x1xf32" : !job.blob<3x5x1x1xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x5x4x3xf32>, !job.blob<3x5x1x1xf32>
  %weight = job.read @"weight-2x3x4x3xf32" : !job.blob<2x3x4x3xf32>
  %loss = job.mul %y, %weight : !job.blob<2x3x4x3xf32>
  job.loss %loss : !job.blob<2x3x4x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x3x4x3xf32>
}

job.func @conv2d_strided() -> (!job.blob<2x4x5x4xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x3x9x8xf32" : !job.blob<2x3x9x8xf32>
  %f = job.read @"filter-4x3x3x3xf32" : !job.blob<4x3x3x3xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x3x9x8xf32>, !job.blob<4x3x3x3xf32>
  job.return %y : !job.blob<2x4x5x4xf32>
}

job.func @conv2d_data_grad_strided() -> (!job.blob<2x3x9x8xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x4x5x4xf32" : !job.blob<2x4x5x4xf32>
  %f = job.read @"filter-4x3x3x3xf32" : !job.blob<4x3x3x3xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x5x4xf32>, !job.blob<4x3x3x3xf32> -> !job.blob<2x3x9x8xf32>
  job.return %dx : !job.blob<2x3x9x8xf32>
}

job.func @conv2d_filter_grad_strided() -> (!job.blob<4x3x3x3xf32> {job.name = "df"}) kind predict {
  %dy = job.read @"grad-2x4x5x4xf32" : !job.blob<2x4x5x4xf32>
  %x = job.read @"input-2x3x9x8xf32" : !job.blob<2x3x9x8xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x5x4xf32>, !job.blob<2x3x9x8xf32> -> !job.blob<4x3x3x3xf32>
  job.return %df : !job.blob<4x3x3x3xf32>
}

job.func @train_conv2d_strided() -> (!job.blob<2x4x5x4xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x3x9x8xf32" : !job.blob<2x3x9x8xf32>
  %f = job.read @"filter-4x3x3x3xf32" : !job.blob<4x3x3x3xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x3x9x8xf32>, !job.blob<4x3x3x3xf32>
  %weight = job.read @"weight-2x4x5x4xf32" : !job.blob<2x4x5x4xf32>
  %loss = job.mul %y, %weight : !job.blob<2x4x5x4xf32>
  job.loss %loss : !job.blob<2x4x5x4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x4x5x4xf32>
}

job.func @conv2d_uneven() -> (!job.blob<1x3x4x4xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-1x2x9x8xf32" : !job.blob<1x2x9x8xf32>
  %f = job.read @"filter-3x2x3x2xf32" : !job.blob<3x2x3x2xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 2, 3>, padding = array<i64: 0, 1, 1, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<1x2x9x8xf32>, !job.blob<3x2x3x2xf32>
  job.return %y : !job.blob<1x3x4x4xf32>
}

job.func @conv2d_data_grad_uneven() -> (!job.blob<1x2x9x8xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-1x3x4x4xf32" : !job.blob<1x3x4x4xf32>
  %f = job.read @"filter-3x2x3x2xf32" : !job.blob<3x2x3x2xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 2, 3>, padding = array<i64: 0, 1, 1, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<1x3x4x4xf32>, !job.blob<3x2x3x2xf32> -> !job.blob<1x2x9x8xf32>
  job.return %dx : !job.blob<1x2x9x8xf32>
}

job.func @conv2d_filter_grad_uneven() -> (!job.blob<3x2x3x2xf32> {job.name = "df"}) kind predict {
  %dy = job.read @"grad-1x3x4x4xf32" : !job.blob<1x3x4x4xf32>
  %x = job.read @"input-1x2x9x8xf32" : !job.blob<1x2x9x8xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 2, 3>, padding = array<i64: 0, 1, 1, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<1x3x4x4xf32>, !job.blob<1x2x9x8xf32> -> !job.blob<3x2x3x2xf32>
  job.return %df : !job.blob<3x2x3x2xf32>
}

job.func @train_conv2d_uneven() -> (!job.blob<1x3x4x4xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-1x2x9x8xf32" : !job.blob<1x2x9x8xf32>
  %f = job.read @"filter-3x2x3x2xf32" : !job.blob<3x2x3x2xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 2, 3>, padding = array<i64: 0, 1, 1, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<1x2x9x8xf32>, !job.blob<3x2x3x2xf32>
  %weight = job.read @"weight-1x3x4x4xf32" : !job.blob<1x3x4x4xf32>
  %loss = job.mul %y, %weight : !job.blob<1x3x4x4xf32>
  job.loss %loss : !job.blob<1x3x4x4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1x3x4x4xf32>
}

job.func @conv2d_dilated() -> (!job.blob<2x3x9x7xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x2x9x8xf32" : !job.blob<2x2x9x8xf32>
  %f = job.read @"filter-3x2x3x2xf32" : !job.blob<3x2x3x2xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 2, 1, 2, 1>, dilations = array<i64: 2, 3>, groups = 1 : i64} : !job.blob<2x2x9x8xf32>, !job.blob<3x2x3x2xf32>
  job.return %y : !job.blob<2x3x9x7xf32>
}

job.func @conv2d_data_grad_dilated() -> (!job.blob<2x2x9x8xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x3x9x7xf32" : !job.blob<2x3x9x7xf32>
  %f = job.read @"filter-3x2x3x2xf32" : !job.blob<3x2x3x2xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 1, 1>, padding = array<i64: 2, 1, 2, 1>, dilations = array<i64: 2, 3>, groups = 1 : i64} : !job.blob<2x3x9x7xf32>, !job.blob<3x2x3x2xf32> -> !job.blob<2x2x9x8xf32>
  job.return %dx : !job.blob<2x2x9x8xf32>
}

job.func @conv2d_filter_grad_dilated() -> (!job.blob<3x2x3x2xf32> {job.name = "df"}) kind predict {
  %dy = job.read @"grad-2x3x9x7xf32" : !job.blob<2x3x9x7xf32>
  %x = job.read @"input-2x2x9x8xf32" : !job.blob<2x2x9x8xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 2, 1, 2, 1>, dilations = array<i64: 2, 3>, groups = 1 : i64} : !job.blob<2x3x9x7xf32>, !job.blob<2x2x9x8xf32> -> !job.blob<3x2x3x2xf32>
  job.return %df : !job.blob<3x2x3x2xf32>
}

job.func @train_conv2d_dilated() -> (!job.blob<2x3x9x7xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x2x9x8xf32" : !job.blob<2x2x9x8xf32>
  %f = job.read @"filter-3x2x3x2xf32" : !job.blob<3x2x3x2xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 2, 1, 2, 1>, dilations = array<i64: 2, 3>, groups = 1 : i64} : !job.blob<2x2x9x8xf32>, !job.blob<3x2x3x2xf32>
  %weight = job.read @"weight-2x3x9x7xf32" : !job.blob<2x3x9x7xf32>
  %loss = job.mul %y, %weight : !job.blob<2x3x9x7xf32>
  job.loss %loss : !job.blob<2x3x9x7xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x3x9x7xf32>
}

job.func @conv2d_groups() -> (!job.blob<2x6x5x6xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x4x5x6xf32" : !job.blob<2x4x5x6xf32>
  %f = job.read @"filter-6x2x3x3xf32" : !job.blob<6x2x3x3xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 2 : i64} : !job.blob<2x4x5x6xf32>, !job.blob<6x2x3x3xf32>
  job.return %y : !job.blob<2x6x5x6xf32>
}

job.func @conv2d_data_grad_groups() -> (!job.blob<2x4x5x6xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x6x5x6xf32" : !job.blob<2x6x5x6xf32>
  %f = job.read @"filter-6x2x3x3xf32" : !job.blob<6x2x3x3xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 2 : i64} : !job.blob<2x6x5x6xf32>, !job.blob<6x2x3x3xf32> -> !job.blob<2x4x5x6xf32>
  job.return %dx : !job.blob<2x4x5x6xf32>
}

job.func @conv2d_filter_grad_groups() -> (!job.blob<6x2x3x3xf32> {job.name = "df"}) kind predict {
  %dy = job.read @"grad-2x6x5x6xf32" : !job.blob<2x6x5x6xf32>
  %x = job.read @"input-2x4x5x6xf32" : !job.blob<2x4x5x6xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 2 : i64} : !job.blob<2x6x5x6xf32>, !job.blob<2x4x5x6xf32> -> !job.blob<6x2x3x3xf32>
  job.return %df : !job.blob<6x2x3x3xf32>
}

job.func @train_conv2d_groups() -> (!job.blob<2x6x5x6xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x4x5x6xf32" : !job.blob<2x4x5x6xf32>
  %f = job.read @"filter-6x2x3x3xf32" : !job.blob<6x2x3x3xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 2 : i64} : !job.blob<2x4x5x6xf32>, !job.blob<6x2x3x3xf32>
  %weight = job.read @"weight-2x6x5x6xf32" : !job.blob<2x6x5x6xf32>
  %loss = job.mul %y, %weight : !job.blob<2x6x5x6xf32>
  job.loss %loss : !job.blob<2x6x5x6xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x6x5x6xf32>
}

job.func @conv2d_depthwise() -> (!job.blob<2x6x5x6xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x3x5x6xf32" : !job.blob<2x3x5x6xf32>
  %f = job.read @"filter-6x1x3x3xf32" : !job.blob<6x1x3x3xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 3 : i64} : !job.blob<2x3x5x6xf32>, !job.blob<6x1x3x3xf32>
  job.return %y : !job.blob<2x6x5x6xf32>
}

job.func @conv2d_data_grad_depthwise() -> (!job.blob<2x3x5x6xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x6x5x6xf32" : !job.blob<2x6x5x6xf32>
  %f = job.read @"filter-6x1x3x3xf32" : !job.blob<6x1x3x3xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 3 : i64} : !job.blob<2x6x5x6xf32>, !job.blob<6x1x3x3xf32> -> !job.blob<2x3x5x6xf32>
  job.return %dx : !job.blob<2x3x5x6xf32>
}

job.func @conv2d_filter_grad_depthwise() -> (!job.blob<6x1x3x3xf32> {job.name = "df"}) kind predict {
  %dy = job.read @"grad-2x6x5x6xf32" : !job.blob<2x6x5x6xf32>
  %x = job.read @"input-2x3x5x6xf32" : !job.blob<2x3x5x6xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 3 : i64} : !job.blob<2x6x5x6xf32>, !job.blob<2x3x5x6xf32> -> !job.blob<6x1x3x3xf32>
  job.return %df : !job.blob<6x1x3x3xf32>
}

job.func @train_conv2d_depthwise() -> (!job.blob<2x6x5x6xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x3x5x6xf32" : !job.blob<2x3x5x6xf32>
  %f = job.read @"filter-6x1x3x3xf32" : !job.blob<6x1x3x3xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 3 : i64} : !job.blob<2x3x5x6xf32>, !job.blob<6x1x3x3xf32>
  %weight = job.read @"weight-2x6x5x6xf32" : !job.blob<2x6x5x6xf32>
  %loss = job.mul %y, %weight : !job.blob<2x6x5x6xf32>
  job.loss %loss : !job.blob<2x6x5x6xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x6x5x6xf32>
}

job.func @conv2d_whole_window() -> (!job.blob<2x4x1x1xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x3x4x5xf32" : !job.blob<2x3x4x5xf32>
  %f = job.read @"filter-4x3x4x5xf32" : !job.blob<4x3x4x5xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x3x4x5xf32>, !job.blob<4x3x4x5xf32>
  job.return %y : !job.blob<2x4x1x1xf32>
}

job.func @conv2d_data_grad_whole_window() -> (!job.blob<2x3x4x5xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x4x1x1xf32" : !job.blob<2x4x1x1xf32>
  %f = job.read @"filter-4x3x4x5xf32" : !job.blob<4x3x4x5xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x1x1xf32>, !job.blob<4x3x4x5xf32> -> !job.blob<2x3x4x5xf32>
  job.return %dx : !job.blob<2x3x4x5xf32>
}

job.func @conv2d_filter_grad_whole_window() -> (!job.blob<4x3x4x5xf32> {job.name = "df"}) kind predict {
  %dy = job.read @"grad-2x4x1x1xf32" : !job.blob<2x4x1x1xf32>
  %x = job.read @"input-2x3x4x5xf32" : !job.blob<2x3x4x5xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x1x1xf32>, !job.blob<2x3x4x5xf32> -> !job.blob<4x3x4x5xf32>
  job.return %df : !job.blob<4x3x4x5xf32>
}

job.func @train_conv2d_whole_window() -> (!job.blob<2x4x1x1xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x3x4x5xf32" : !job.blob<2x3x4x5xf32>
  %f = job.read @"filter-4x3x4x5xf32" : !job.blob<4x3x4x5xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x3x4x5xf32>, !job.blob<4x3x4x5xf32>
  %weight = job.read @"weight-2x4x1x1xf32" : !job.blob<2x4x1x1xf32>
  %loss = job.mul %y, %weight : !job.blob<2x4x1x1xf32>
  job.loss %loss : !job.blob<2x4x1x1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x4x1x1xf32>
}

job.func @conv2d_rest_is_unused() -> (!job.blob<1x3x1x1xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-1x2x6x6xf32" : !job.blob<1x2x6x6xf32>
  %f = job.read @"filter-3x2x3x3xf32" : !job.blob<3x2x3x3xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 4, 4>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<1x2x6x6xf32>, !job.blob<3x2x3x3xf32>
  job.return %y : !job.blob<1x3x1x1xf32>
}

job.func @conv2d_data_grad_rest_is_unused() -> (!job.blob<1x2x6x6xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-1x3x1x1xf32" : !job.blob<1x3x1x1xf32>
  %f = job.read @"filter-3x2x3x3xf32" : !job.blob<3x2x3x3xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 4, 4>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<1x3x1x1xf32>, !job.blob<3x2x3x3xf32> -> !job.blob<1x2x6x6xf32>
  job.return %dx : !job.blob<1x2x6x6xf32>
}

job.func @conv2d_filter_grad_rest_is_unused() -> (!job.blob<3x2x3x3xf32> {job.name = "df"}) kind predict {
  %dy = job.read @"grad-1x3x1x1xf32" : !job.blob<1x3x1x1xf32>
  %x = job.read @"input-1x2x6x6xf32" : !job.blob<1x2x6x6xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 4, 4>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<1x3x1x1xf32>, !job.blob<1x2x6x6xf32> -> !job.blob<3x2x3x3xf32>
  job.return %df : !job.blob<3x2x3x3xf32>
}

job.func @train_conv2d_rest_is_unused() -> (!job.blob<1x3x1x1xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-1x2x6x6xf32" : !job.blob<1x2x6x6xf32>
  %f = job.read @"filter-3x2x3x3xf32" : !job.blob<3x2x3x3xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 4, 4>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<1x2x6x6xf32>, !job.blob<3x2x3x3xf32>
  %weight = job.read @"weight-1x3x1x1xf32" : !job.blob<1x3x1x1xf32>
  %loss = job.mul %y, %weight : !job.blob<1x3x1x1xf32>
  job.loss %loss : !job.blob<1x3x1x1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1x3x1x1xf32>
}

job.func @conv2d_f64() -> (!job.blob<2x6x4x3xf64> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x4x7x6xf64" : !job.blob<2x4x7x6xf64>
  %f = job.read @"filter-6x2x3x3xf64" : !job.blob<6x2x3x3xf64>
  %y = job.conv2d %x, %f {strides = array<i64: 2, 1>, padding = array<i64: 1, 0, 2, 1>, dilations = array<i64: 1, 2>, groups = 2 : i64} : !job.blob<2x4x7x6xf64>, !job.blob<6x2x3x3xf64>
  job.return %y : !job.blob<2x6x4x3xf64>
}

job.func @conv2d_data_grad_f64() -> (!job.blob<2x4x7x6xf64> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x6x4x3xf64" : !job.blob<2x6x4x3xf64>
  %f = job.read @"filter-6x2x3x3xf64" : !job.blob<6x2x3x3xf64>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 2, 1>, padding = array<i64: 1, 0, 2, 1>, dilations = array<i64: 1, 2>, groups = 2 : i64} : !job.blob<2x6x4x3xf64>, !job.blob<6x2x3x3xf64> -> !job.blob<2x4x7x6xf64>
  job.return %dx : !job.blob<2x4x7x6xf64>
}

job.func @conv2d_filter_grad_f64() -> (!job.blob<6x2x3x3xf64> {job.name = "df"}) kind predict {
  %dy = job.read @"grad-2x6x4x3xf64" : !job.blob<2x6x4x3xf64>
  %x = job.read @"input-2x4x7x6xf64" : !job.blob<2x4x7x6xf64>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 2, 1>, padding = array<i64: 1, 0, 2, 1>, dilations = array<i64: 1, 2>, groups = 2 : i64} : !job.blob<2x6x4x3xf64>, !job.blob<2x4x7x6xf64> -> !job.blob<6x2x3x3xf64>
  job.return %df : !job.blob<6x2x3x3xf64>
}

job.func @train_conv2d_f64() -> (!job.blob<2x6x4x3xf64> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x4x7x6xf64" : !job.blob<2x4x7x6xf64>
  %f = job.read @"filter-6x2x3x3xf64" : !job.blob<6x2x3x3xf64>
  %y = job.conv2d %x, %f {strides = array<i64: 2, 1>, padding = array<i64: 1, 0, 2, 1>, dilations = array<i64: 1, 2>, groups = 2 : i64} : !job.blob<2x4x7x6xf64>, !job.blob<6x2x3x3xf64>
  %weight = job.read @"weight-2x6x4x3xf64" : !job.blob<2x6x4x3xf64>
  %loss = job.mul %y, %weight : !job.blob<2x6x4x3xf64>
  job.loss %loss : !job.blob<2x6x4x3xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x6x4x3xf64>
}

// K = 144
job.func @conv2d_batch() -> (!job.blob<33x24x14x14xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-33x16x14x14xf32" : !job.blob<33x16x14x14xf32>
  %f = job.read @"filter-24x16x3x3xf32" : !job.blob<24x16x3x3xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<33x16x14x14xf32>, !job.blob<24x16x3x3xf32>
  job.return %y : !job.blob<33x24x14x14xf32>
}

// K = 216
job.func @conv2d_data_grad_batch() -> (!job.blob<33x16x14x14xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-33x24x14x14xf32" : !job.blob<33x24x14x14xf32>
  %f = job.read @"filter-24x16x3x3xf32" : !job.blob<24x16x3x3xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<33x24x14x14xf32>, !job.blob<24x16x3x3xf32> -> !job.blob<33x16x14x14xf32>
  job.return %dx : !job.blob<33x16x14x14xf32>
}

// K = 6468
job.func @conv2d_filter_grad_batch() -> (!job.blob<24x16x3x3xf32> {job.name = "df"}) kind predict {
  %dy = job.read @"grad-33x24x14x14xf32" : !job.blob<33x24x14x14xf32>
  %x = job.read @"input-33x16x14x14xf32" : !job.blob<33x16x14x14xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<33x24x14x14xf32>, !job.blob<33x16x14x14xf32> -> !job.blob<24x16x3x3xf32>
  job.return %df : !job.blob<24x16x3x3xf32>
}

// K = 25
job.func @conv2d_lenet_first() -> (!job.blob<16x32x28x28xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-16x1x28x28xf32" : !job.blob<16x1x28x28xf32>
  %f = job.read @"filter-32x1x5x5xf32" : !job.blob<32x1x5x5xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<16x1x28x28xf32>, !job.blob<32x1x5x5xf32>
  job.return %y : !job.blob<16x32x28x28xf32>
}

// K = 800
job.func @conv2d_data_grad_lenet_first() -> (!job.blob<16x1x28x28xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-16x32x28x28xf32" : !job.blob<16x32x28x28xf32>
  %f = job.read @"filter-32x1x5x5xf32" : !job.blob<32x1x5x5xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 1, 1>, padding = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<16x32x28x28xf32>, !job.blob<32x1x5x5xf32> -> !job.blob<16x1x28x28xf32>
  job.return %dx : !job.blob<16x1x28x28xf32>
}

// K = 12544
job.func @conv2d_filter_grad_lenet_first() -> (!job.blob<32x1x5x5xf32> {job.name = "df"}) kind predict {
  %dy = job.read @"grad-16x32x28x28xf32" : !job.blob<16x32x28x28xf32>
  %x = job.read @"input-16x1x28x28xf32" : !job.blob<16x1x28x28xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<16x32x28x28xf32>, !job.blob<16x1x28x28xf32> -> !job.blob<32x1x5x5xf32>
  job.return %df : !job.blob<32x1x5x5xf32>
}

job.func @train_conv2d_data_grad_strided() -> (!job.blob<2x3x9x8xf32> {job.name = "loss"}) kind train {
  %dy = job.read @"grad-2x4x5x4xf32" : !job.blob<2x4x5x4xf32>
  %f = job.read @"filter-4x3x3x3xf32" : !job.blob<4x3x3x3xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x5x4xf32>, !job.blob<4x3x3x3xf32> -> !job.blob<2x3x9x8xf32>
  %weight = job.read @"weight-2x3x9x8xf32" : !job.blob<2x3x9x8xf32>
  %loss = job.mul %dx, %weight : !job.blob<2x3x9x8xf32>
  job.loss %loss : !job.blob<2x3x9x8xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x3x9x8xf32>
}

job.func @train_conv2d_filter_grad_strided() -> (!job.blob<4x3x3x3xf32> {job.name = "loss"}) kind train {
  %dy = job.read @"grad-2x4x5x4xf32" : !job.blob<2x4x5x4xf32>
  %x = job.read @"input-2x3x9x8xf32" : !job.blob<2x3x9x8xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<2x4x5x4xf32>, !job.blob<2x3x9x8xf32> -> !job.blob<4x3x3x3xf32>
  %weight = job.read @"weight-4x3x3x3xf32" : !job.blob<4x3x3x3xf32>
  %loss = job.mul %df, %weight : !job.blob<4x3x3x3xf32>
  job.loss %loss : !job.blob<4x3x3x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x3x3x3xf32>
}

job.func @train_conv2d_data_grad_uneven() -> (!job.blob<1x2x9x8xf32> {job.name = "loss"}) kind train {
  %dy = job.read @"grad-1x3x4x4xf32" : !job.blob<1x3x4x4xf32>
  %f = job.read @"filter-3x2x3x2xf32" : !job.blob<3x2x3x2xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 2, 3>, padding = array<i64: 0, 1, 1, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<1x3x4x4xf32>, !job.blob<3x2x3x2xf32> -> !job.blob<1x2x9x8xf32>
  %weight = job.read @"weight-1x2x9x8xf32" : !job.blob<1x2x9x8xf32>
  %loss = job.mul %dx, %weight : !job.blob<1x2x9x8xf32>
  job.loss %loss : !job.blob<1x2x9x8xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1x2x9x8xf32>
}

job.func @train_conv2d_filter_grad_uneven() -> (!job.blob<3x2x3x2xf32> {job.name = "loss"}) kind train {
  %dy = job.read @"grad-1x3x4x4xf32" : !job.blob<1x3x4x4xf32>
  %x = job.read @"input-1x2x9x8xf32" : !job.blob<1x2x9x8xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 2, 3>, padding = array<i64: 0, 1, 1, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<1x3x4x4xf32>, !job.blob<1x2x9x8xf32> -> !job.blob<3x2x3x2xf32>
  %weight = job.read @"weight-3x2x3x2xf32" : !job.blob<3x2x3x2xf32>
  %loss = job.mul %df, %weight : !job.blob<3x2x3x2xf32>
  job.loss %loss : !job.blob<3x2x3x2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3x2x3x2xf32>
}

job.func @train_conv2d_data_grad_dilated() -> (!job.blob<2x2x9x8xf32> {job.name = "loss"}) kind train {
  %dy = job.read @"grad-2x3x9x7xf32" : !job.blob<2x3x9x7xf32>
  %f = job.read @"filter-3x2x3x2xf32" : !job.blob<3x2x3x2xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 1, 1>, padding = array<i64: 2, 1, 2, 1>, dilations = array<i64: 2, 3>, groups = 1 : i64} : !job.blob<2x3x9x7xf32>, !job.blob<3x2x3x2xf32> -> !job.blob<2x2x9x8xf32>
  %weight = job.read @"weight-2x2x9x8xf32" : !job.blob<2x2x9x8xf32>
  %loss = job.mul %dx, %weight : !job.blob<2x2x9x8xf32>
  job.loss %loss : !job.blob<2x2x9x8xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x2x9x8xf32>
}

job.func @train_conv2d_filter_grad_dilated() -> (!job.blob<3x2x3x2xf32> {job.name = "loss"}) kind train {
  %dy = job.read @"grad-2x3x9x7xf32" : !job.blob<2x3x9x7xf32>
  %x = job.read @"input-2x2x9x8xf32" : !job.blob<2x2x9x8xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 2, 1, 2, 1>, dilations = array<i64: 2, 3>, groups = 1 : i64} : !job.blob<2x3x9x7xf32>, !job.blob<2x2x9x8xf32> -> !job.blob<3x2x3x2xf32>
  %weight = job.read @"weight-3x2x3x2xf32" : !job.blob<3x2x3x2xf32>
  %loss = job.mul %df, %weight : !job.blob<3x2x3x2xf32>
  job.loss %loss : !job.blob<3x2x3x2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3x2x3x2xf32>
}

job.func @train_conv2d_data_grad_groups() -> (!job.blob<2x4x5x6xf32> {job.name = "loss"}) kind train {
  %dy = job.read @"grad-2x6x5x6xf32" : !job.blob<2x6x5x6xf32>
  %f = job.read @"filter-6x2x3x3xf32" : !job.blob<6x2x3x3xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 2 : i64} : !job.blob<2x6x5x6xf32>, !job.blob<6x2x3x3xf32> -> !job.blob<2x4x5x6xf32>
  %weight = job.read @"weight-2x4x5x6xf32" : !job.blob<2x4x5x6xf32>
  %loss = job.mul %dx, %weight : !job.blob<2x4x5x6xf32>
  job.loss %loss : !job.blob<2x4x5x6xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x4x5x6xf32>
}

job.func @train_conv2d_filter_grad_groups() -> (!job.blob<6x2x3x3xf32> {job.name = "loss"}) kind train {
  %dy = job.read @"grad-2x6x5x6xf32" : !job.blob<2x6x5x6xf32>
  %x = job.read @"input-2x4x5x6xf32" : !job.blob<2x4x5x6xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 2 : i64} : !job.blob<2x6x5x6xf32>, !job.blob<2x4x5x6xf32> -> !job.blob<6x2x3x3xf32>
  %weight = job.read @"weight-6x2x3x3xf32" : !job.blob<6x2x3x3xf32>
  %loss = job.mul %df, %weight : !job.blob<6x2x3x3xf32>
  job.loss %loss : !job.blob<6x2x3x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<6x2x3x3xf32>
}

job.func @train_conv2d_data_grad_depthwise() -> (!job.blob<2x3x5x6xf32> {job.name = "loss"}) kind train {
  %dy = job.read @"grad-2x6x5x6xf32" : !job.blob<2x6x5x6xf32>
  %f = job.read @"filter-6x1x3x3xf32" : !job.blob<6x1x3x3xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 3 : i64} : !job.blob<2x6x5x6xf32>, !job.blob<6x1x3x3xf32> -> !job.blob<2x3x5x6xf32>
  %weight = job.read @"weight-2x3x5x6xf32" : !job.blob<2x3x5x6xf32>
  %loss = job.mul %dx, %weight : !job.blob<2x3x5x6xf32>
  job.loss %loss : !job.blob<2x3x5x6xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x3x5x6xf32>
}

job.func @train_conv2d_filter_grad_depthwise() -> (!job.blob<6x1x3x3xf32> {job.name = "loss"}) kind train {
  %dy = job.read @"grad-2x6x5x6xf32" : !job.blob<2x6x5x6xf32>
  %x = job.read @"input-2x3x5x6xf32" : !job.blob<2x3x5x6xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 3 : i64} : !job.blob<2x6x5x6xf32>, !job.blob<2x3x5x6xf32> -> !job.blob<6x1x3x3xf32>
  %weight = job.read @"weight-6x1x3x3xf32" : !job.blob<6x1x3x3xf32>
  %loss = job.mul %df, %weight : !job.blob<6x1x3x3xf32>
  job.loss %loss : !job.blob<6x1x3x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<6x1x3x3xf32>
}

job.func @train_conv2d_data_grad_rest_is_unused() -> (!job.blob<1x2x6x6xf32> {job.name = "loss"}) kind train {
  %dy = job.read @"grad-1x3x1x1xf32" : !job.blob<1x3x1x1xf32>
  %f = job.read @"filter-3x2x3x3xf32" : !job.blob<3x2x3x3xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 4, 4>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<1x3x1x1xf32>, !job.blob<3x2x3x3xf32> -> !job.blob<1x2x6x6xf32>
  %weight = job.read @"weight-1x2x6x6xf32" : !job.blob<1x2x6x6xf32>
  %loss = job.mul %dx, %weight : !job.blob<1x2x6x6xf32>
  job.loss %loss : !job.blob<1x2x6x6xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1x2x6x6xf32>
}

job.func @train_conv2d_filter_grad_rest_is_unused() -> (!job.blob<3x2x3x3xf32> {job.name = "loss"}) kind train {
  %dy = job.read @"grad-1x3x1x1xf32" : !job.blob<1x3x1x1xf32>
  %x = job.read @"input-1x2x6x6xf32" : !job.blob<1x2x6x6xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 4, 4>, padding = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<1x3x1x1xf32>, !job.blob<1x2x6x6xf32> -> !job.blob<3x2x3x3xf32>
  %weight = job.read @"weight-3x2x3x3xf32" : !job.blob<3x2x3x3xf32>
  %loss = job.mul %df, %weight : !job.blob<3x2x3x3xf32>
  job.loss %loss : !job.blob<3x2x3x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3x2x3x3xf32>
}

job.func @train_conv2d_data_grad_f64() -> (!job.blob<2x4x7x6xf64> {job.name = "loss"}) kind train {
  %dy = job.read @"grad-2x6x4x3xf64" : !job.blob<2x6x4x3xf64>
  %f = job.read @"filter-6x2x3x3xf64" : !job.blob<6x2x3x3xf64>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 2, 1>, padding = array<i64: 1, 0, 2, 1>, dilations = array<i64: 1, 2>, groups = 2 : i64} : !job.blob<2x6x4x3xf64>, !job.blob<6x2x3x3xf64> -> !job.blob<2x4x7x6xf64>
  %weight = job.read @"weight-2x4x7x6xf64" : !job.blob<2x4x7x6xf64>
  %loss = job.mul %dx, %weight : !job.blob<2x4x7x6xf64>
  job.loss %loss : !job.blob<2x4x7x6xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x4x7x6xf64>
}

job.func @train_conv2d_filter_grad_f64() -> (!job.blob<6x2x3x3xf64> {job.name = "loss"}) kind train {
  %dy = job.read @"grad-2x6x4x3xf64" : !job.blob<2x6x4x3xf64>
  %x = job.read @"input-2x4x7x6xf64" : !job.blob<2x4x7x6xf64>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 2, 1>, padding = array<i64: 1, 0, 2, 1>, dilations = array<i64: 1, 2>, groups = 2 : i64} : !job.blob<2x6x4x3xf64>, !job.blob<2x4x7x6xf64> -> !job.blob<6x2x3x3xf64>
  %weight = job.read @"weight-6x2x3x3xf64" : !job.blob<6x2x3x3xf64>
  %loss = job.mul %df, %weight : !job.blob<6x2x3x3xf64>
  job.loss %loss : !job.blob<6x2x3x3xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<6x2x3x3xf64>
}
