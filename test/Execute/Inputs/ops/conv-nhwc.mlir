// Table of ops: convolutions of NHWC images with OHWI filters, as in conv.mlir.

job.variable @"input-2x9x8x3xf32" : !job.blob<2x9x8x3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"filter-4x5x5x3xf32" : !job.blob<4x5x5x3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-2x9x8x4xf32" : !job.blob<2x9x8x4xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x9x8x4xf32" : !job.blob<2x9x8x4xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"filter-4x3x3x3xf32" : !job.blob<4x3x3x3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-2x5x4x4xf32" : !job.blob<2x5x4x4xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x5x4x4xf32" : !job.blob<2x5x4x4xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"input-1x9x8x2xf32" : !job.blob<1x9x8x2xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"filter-3x3x2x2xf32" : !job.blob<3x3x2x2xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-1x4x4x3xf32" : !job.blob<1x4x4x3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-1x4x4x3xf32" : !job.blob<1x4x4x3xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"input-2x9x8x2xf32" : !job.blob<2x9x8x2xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-2x9x7x3xf32" : !job.blob<2x9x7x3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x9x7x3xf32" : !job.blob<2x9x7x3xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"input-2x5x6x4xf32" : !job.blob<2x5x6x4xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"filter-6x3x3x2xf32" : !job.blob<6x3x3x2xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-2x5x6x6xf32" : !job.blob<2x5x6x6xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x5x6x6xf32" : !job.blob<2x5x6x6xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"input-2x5x6x3xf32" : !job.blob<2x5x6x3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"filter-6x3x3x1xf32" : !job.blob<6x3x3x1xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"input-2x7x6x4xf64" : !job.blob<2x7x6x4xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"filter-6x3x3x2xf64" : !job.blob<6x3x3x2xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-2x4x3x6xf64" : !job.blob<2x4x3x6xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x4x3x6xf64" : !job.blob<2x4x3x6xf64> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"input-33x14x14x16xf32" : !job.blob<33x14x14x16xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"filter-24x3x3x16xf32" : !job.blob<24x3x3x16xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-33x14x14x24xf32" : !job.blob<33x14x14x24xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x9x8x3xf32" : !job.blob<2x9x8x3xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-4x3x3x3xf32" : !job.blob<4x3x3x3xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-1x9x8x2xf32" : !job.blob<1x9x8x2xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-3x3x2x2xf32" : !job.blob<3x3x2x2xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-2x9x8x2xf32" : !job.blob<2x9x8x2xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-2x5x6x4xf32" : !job.blob<2x5x6x4xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-6x3x3x2xf32" : !job.blob<6x3x3x2xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-2x7x6x4xf64" : !job.blob<2x7x6x4xf64> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"weight-6x3x3x2xf64" : !job.blob<6x3x3x2xf64> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}

job.func @conv2d_same_5x5_nhwc() -> (!job.blob<2x9x8x4xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x9x8x3xf32" : !job.blob<2x9x8x3xf32>
  %f = job.read @"filter-4x5x5x3xf32" : !job.blob<4x5x5x3xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<2x9x8x3xf32>, !job.blob<4x5x5x3xf32>
  job.return %y : !job.blob<2x9x8x4xf32>
}

job.func @conv2d_data_grad_same_5x5_nhwc() -> (!job.blob<2x9x8x3xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x9x8x4xf32" : !job.blob<2x9x8x4xf32>
  %f = job.read @"filter-4x5x5x3xf32" : !job.blob<4x5x5x3xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 1, 1>, padding = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<2x9x8x4xf32>, !job.blob<4x5x5x3xf32> -> !job.blob<2x9x8x3xf32>
  job.return %dx : !job.blob<2x9x8x3xf32>
}

job.func @conv2d_filter_grad_same_5x5_nhwc() -> (!job.blob<4x5x5x3xf32> {job.name = "df"}) kind predict {
  %dy = job.read @"grad-2x9x8x4xf32" : !job.blob<2x9x8x4xf32>
  %x = job.read @"input-2x9x8x3xf32" : !job.blob<2x9x8x3xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<2x9x8x4xf32>, !job.blob<2x9x8x3xf32> -> !job.blob<4x5x5x3xf32>
  job.return %df : !job.blob<4x5x5x3xf32>
}

job.func @train_conv2d_same_5x5_nhwc() -> (!job.blob<2x9x8x4xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x9x8x3xf32" : !job.blob<2x9x8x3xf32>
  %f = job.read @"filter-4x5x5x3xf32" : !job.blob<4x5x5x3xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<2x9x8x3xf32>, !job.blob<4x5x5x3xf32>
  %weight = job.read @"weight-2x9x8x4xf32" : !job.blob<2x9x8x4xf32>
  %loss = job.mul %y, %weight : !job.blob<2x9x8x4xf32>
  job.loss %loss : !job.blob<2x9x8x4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x9x8x4xf32>
}

job.func @conv2d_strided_nhwc() -> (!job.blob<2x5x4x4xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x9x8x3xf32" : !job.blob<2x9x8x3xf32>
  %f = job.read @"filter-4x3x3x3xf32" : !job.blob<4x3x3x3xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<2x9x8x3xf32>, !job.blob<4x3x3x3xf32>
  job.return %y : !job.blob<2x5x4x4xf32>
}

job.func @conv2d_data_grad_strided_nhwc() -> (!job.blob<2x9x8x3xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x5x4x4xf32" : !job.blob<2x5x4x4xf32>
  %f = job.read @"filter-4x3x3x3xf32" : !job.blob<4x3x3x3xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<2x5x4x4xf32>, !job.blob<4x3x3x3xf32> -> !job.blob<2x9x8x3xf32>
  job.return %dx : !job.blob<2x9x8x3xf32>
}

job.func @conv2d_filter_grad_strided_nhwc() -> (!job.blob<4x3x3x3xf32> {job.name = "df"}) kind predict {
  %dy = job.read @"grad-2x5x4x4xf32" : !job.blob<2x5x4x4xf32>
  %x = job.read @"input-2x9x8x3xf32" : !job.blob<2x9x8x3xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<2x5x4x4xf32>, !job.blob<2x9x8x3xf32> -> !job.blob<4x3x3x3xf32>
  job.return %df : !job.blob<4x3x3x3xf32>
}

job.func @train_conv2d_strided_nhwc() -> (!job.blob<2x5x4x4xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x9x8x3xf32" : !job.blob<2x9x8x3xf32>
  %f = job.read @"filter-4x3x3x3xf32" : !job.blob<4x3x3x3xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<2x9x8x3xf32>, !job.blob<4x3x3x3xf32>
  %weight = job.read @"weight-2x5x4x4xf32" : !job.blob<2x5x4x4xf32>
  %loss = job.mul %y, %weight : !job.blob<2x5x4x4xf32>
  job.loss %loss : !job.blob<2x5x4x4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x5x4x4xf32>
}

job.func @conv2d_uneven_nhwc() -> (!job.blob<1x4x4x3xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-1x9x8x2xf32" : !job.blob<1x9x8x2xf32>
  %f = job.read @"filter-3x3x2x2xf32" : !job.blob<3x3x2x2xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 2, 3>, padding = array<i64: 0, 1, 1, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<1x9x8x2xf32>, !job.blob<3x3x2x2xf32>
  job.return %y : !job.blob<1x4x4x3xf32>
}

job.func @conv2d_data_grad_uneven_nhwc() -> (!job.blob<1x9x8x2xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-1x4x4x3xf32" : !job.blob<1x4x4x3xf32>
  %f = job.read @"filter-3x3x2x2xf32" : !job.blob<3x3x2x2xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 2, 3>, padding = array<i64: 0, 1, 1, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<1x4x4x3xf32>, !job.blob<3x3x2x2xf32> -> !job.blob<1x9x8x2xf32>
  job.return %dx : !job.blob<1x9x8x2xf32>
}

job.func @conv2d_filter_grad_uneven_nhwc() -> (!job.blob<3x3x2x2xf32> {job.name = "df"}) kind predict {
  %dy = job.read @"grad-1x4x4x3xf32" : !job.blob<1x4x4x3xf32>
  %x = job.read @"input-1x9x8x2xf32" : !job.blob<1x9x8x2xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 2, 3>, padding = array<i64: 0, 1, 1, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<1x4x4x3xf32>, !job.blob<1x9x8x2xf32> -> !job.blob<3x3x2x2xf32>
  job.return %df : !job.blob<3x3x2x2xf32>
}

job.func @train_conv2d_uneven_nhwc() -> (!job.blob<1x4x4x3xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-1x9x8x2xf32" : !job.blob<1x9x8x2xf32>
  %f = job.read @"filter-3x3x2x2xf32" : !job.blob<3x3x2x2xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 2, 3>, padding = array<i64: 0, 1, 1, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<1x9x8x2xf32>, !job.blob<3x3x2x2xf32>
  %weight = job.read @"weight-1x4x4x3xf32" : !job.blob<1x4x4x3xf32>
  %loss = job.mul %y, %weight : !job.blob<1x4x4x3xf32>
  job.loss %loss : !job.blob<1x4x4x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1x4x4x3xf32>
}

job.func @conv2d_dilated_nhwc() -> (!job.blob<2x9x7x3xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x9x8x2xf32" : !job.blob<2x9x8x2xf32>
  %f = job.read @"filter-3x3x2x2xf32" : !job.blob<3x3x2x2xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 2, 1, 2, 1>, dilations = array<i64: 2, 3>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<2x9x8x2xf32>, !job.blob<3x3x2x2xf32>
  job.return %y : !job.blob<2x9x7x3xf32>
}

job.func @conv2d_data_grad_dilated_nhwc() -> (!job.blob<2x9x8x2xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x9x7x3xf32" : !job.blob<2x9x7x3xf32>
  %f = job.read @"filter-3x3x2x2xf32" : !job.blob<3x3x2x2xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 1, 1>, padding = array<i64: 2, 1, 2, 1>, dilations = array<i64: 2, 3>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<2x9x7x3xf32>, !job.blob<3x3x2x2xf32> -> !job.blob<2x9x8x2xf32>
  job.return %dx : !job.blob<2x9x8x2xf32>
}

job.func @conv2d_filter_grad_dilated_nhwc() -> (!job.blob<3x3x2x2xf32> {job.name = "df"}) kind predict {
  %dy = job.read @"grad-2x9x7x3xf32" : !job.blob<2x9x7x3xf32>
  %x = job.read @"input-2x9x8x2xf32" : !job.blob<2x9x8x2xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 2, 1, 2, 1>, dilations = array<i64: 2, 3>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<2x9x7x3xf32>, !job.blob<2x9x8x2xf32> -> !job.blob<3x3x2x2xf32>
  job.return %df : !job.blob<3x3x2x2xf32>
}

job.func @train_conv2d_dilated_nhwc() -> (!job.blob<2x9x7x3xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x9x8x2xf32" : !job.blob<2x9x8x2xf32>
  %f = job.read @"filter-3x3x2x2xf32" : !job.blob<3x3x2x2xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 2, 1, 2, 1>, dilations = array<i64: 2, 3>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<2x9x8x2xf32>, !job.blob<3x3x2x2xf32>
  %weight = job.read @"weight-2x9x7x3xf32" : !job.blob<2x9x7x3xf32>
  %loss = job.mul %y, %weight : !job.blob<2x9x7x3xf32>
  job.loss %loss : !job.blob<2x9x7x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x9x7x3xf32>
}

job.func @conv2d_groups_nhwc() -> (!job.blob<2x5x6x6xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x5x6x4xf32" : !job.blob<2x5x6x4xf32>
  %f = job.read @"filter-6x3x3x2xf32" : !job.blob<6x3x3x2xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 2 : i64, layout = #job<layout nhwc>} : !job.blob<2x5x6x4xf32>, !job.blob<6x3x3x2xf32>
  job.return %y : !job.blob<2x5x6x6xf32>
}

job.func @conv2d_data_grad_groups_nhwc() -> (!job.blob<2x5x6x4xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x5x6x6xf32" : !job.blob<2x5x6x6xf32>
  %f = job.read @"filter-6x3x3x2xf32" : !job.blob<6x3x3x2xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 2 : i64, layout = #job<layout nhwc>} : !job.blob<2x5x6x6xf32>, !job.blob<6x3x3x2xf32> -> !job.blob<2x5x6x4xf32>
  job.return %dx : !job.blob<2x5x6x4xf32>
}

job.func @conv2d_filter_grad_groups_nhwc() -> (!job.blob<6x3x3x2xf32> {job.name = "df"}) kind predict {
  %dy = job.read @"grad-2x5x6x6xf32" : !job.blob<2x5x6x6xf32>
  %x = job.read @"input-2x5x6x4xf32" : !job.blob<2x5x6x4xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 2 : i64, layout = #job<layout nhwc>} : !job.blob<2x5x6x6xf32>, !job.blob<2x5x6x4xf32> -> !job.blob<6x3x3x2xf32>
  job.return %df : !job.blob<6x3x3x2xf32>
}

job.func @train_conv2d_groups_nhwc() -> (!job.blob<2x5x6x6xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x5x6x4xf32" : !job.blob<2x5x6x4xf32>
  %f = job.read @"filter-6x3x3x2xf32" : !job.blob<6x3x3x2xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 2 : i64, layout = #job<layout nhwc>} : !job.blob<2x5x6x4xf32>, !job.blob<6x3x3x2xf32>
  %weight = job.read @"weight-2x5x6x6xf32" : !job.blob<2x5x6x6xf32>
  %loss = job.mul %y, %weight : !job.blob<2x5x6x6xf32>
  job.loss %loss : !job.blob<2x5x6x6xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x5x6x6xf32>
}

job.func @conv2d_depthwise_nhwc() -> (!job.blob<2x5x6x6xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x5x6x3xf32" : !job.blob<2x5x6x3xf32>
  %f = job.read @"filter-6x3x3x1xf32" : !job.blob<6x3x3x1xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 3 : i64, layout = #job<layout nhwc>} : !job.blob<2x5x6x3xf32>, !job.blob<6x3x3x1xf32>
  job.return %y : !job.blob<2x5x6x6xf32>
}

job.func @conv2d_data_grad_depthwise_nhwc() -> (!job.blob<2x5x6x3xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x5x6x6xf32" : !job.blob<2x5x6x6xf32>
  %f = job.read @"filter-6x3x3x1xf32" : !job.blob<6x3x3x1xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 3 : i64, layout = #job<layout nhwc>} : !job.blob<2x5x6x6xf32>, !job.blob<6x3x3x1xf32> -> !job.blob<2x5x6x3xf32>
  job.return %dx : !job.blob<2x5x6x3xf32>
}

job.func @conv2d_filter_grad_depthwise_nhwc() -> (!job.blob<6x3x3x1xf32> {job.name = "df"}) kind predict {
  %dy = job.read @"grad-2x5x6x6xf32" : !job.blob<2x5x6x6xf32>
  %x = job.read @"input-2x5x6x3xf32" : !job.blob<2x5x6x3xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 3 : i64, layout = #job<layout nhwc>} : !job.blob<2x5x6x6xf32>, !job.blob<2x5x6x3xf32> -> !job.blob<6x3x3x1xf32>
  job.return %df : !job.blob<6x3x3x1xf32>
}

job.func @train_conv2d_depthwise_nhwc() -> (!job.blob<2x5x6x6xf32> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x5x6x3xf32" : !job.blob<2x5x6x3xf32>
  %f = job.read @"filter-6x3x3x1xf32" : !job.blob<6x3x3x1xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 3 : i64, layout = #job<layout nhwc>} : !job.blob<2x5x6x3xf32>, !job.blob<6x3x3x1xf32>
  %weight = job.read @"weight-2x5x6x6xf32" : !job.blob<2x5x6x6xf32>
  %loss = job.mul %y, %weight : !job.blob<2x5x6x6xf32>
  job.loss %loss : !job.blob<2x5x6x6xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x5x6x6xf32>
}

job.func @conv2d_f64_nhwc() -> (!job.blob<2x4x3x6xf64> {job.name = "y"}) kind predict {
  %x = job.read @"input-2x7x6x4xf64" : !job.blob<2x7x6x4xf64>
  %f = job.read @"filter-6x3x3x2xf64" : !job.blob<6x3x3x2xf64>
  %y = job.conv2d %x, %f {strides = array<i64: 2, 1>, padding = array<i64: 1, 0, 2, 1>, dilations = array<i64: 1, 2>, groups = 2 : i64, layout = #job<layout nhwc>} : !job.blob<2x7x6x4xf64>, !job.blob<6x3x3x2xf64>
  job.return %y : !job.blob<2x4x3x6xf64>
}

job.func @conv2d_data_grad_f64_nhwc() -> (!job.blob<2x7x6x4xf64> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-2x4x3x6xf64" : !job.blob<2x4x3x6xf64>
  %f = job.read @"filter-6x3x3x2xf64" : !job.blob<6x3x3x2xf64>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 2, 1>, padding = array<i64: 1, 0, 2, 1>, dilations = array<i64: 1, 2>, groups = 2 : i64, layout = #job<layout nhwc>} : !job.blob<2x4x3x6xf64>, !job.blob<6x3x3x2xf64> -> !job.blob<2x7x6x4xf64>
  job.return %dx : !job.blob<2x7x6x4xf64>
}

job.func @conv2d_filter_grad_f64_nhwc() -> (!job.blob<6x3x3x2xf64> {job.name = "df"}) kind predict {
  %dy = job.read @"grad-2x4x3x6xf64" : !job.blob<2x4x3x6xf64>
  %x = job.read @"input-2x7x6x4xf64" : !job.blob<2x7x6x4xf64>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 2, 1>, padding = array<i64: 1, 0, 2, 1>, dilations = array<i64: 1, 2>, groups = 2 : i64, layout = #job<layout nhwc>} : !job.blob<2x4x3x6xf64>, !job.blob<2x7x6x4xf64> -> !job.blob<6x3x3x2xf64>
  job.return %df : !job.blob<6x3x3x2xf64>
}

job.func @train_conv2d_f64_nhwc() -> (!job.blob<2x4x3x6xf64> {job.name = "loss"}) kind train {
  %x = job.read @"input-2x7x6x4xf64" : !job.blob<2x7x6x4xf64>
  %f = job.read @"filter-6x3x3x2xf64" : !job.blob<6x3x3x2xf64>
  %y = job.conv2d %x, %f {strides = array<i64: 2, 1>, padding = array<i64: 1, 0, 2, 1>, dilations = array<i64: 1, 2>, groups = 2 : i64, layout = #job<layout nhwc>} : !job.blob<2x7x6x4xf64>, !job.blob<6x3x3x2xf64>
  %weight = job.read @"weight-2x4x3x6xf64" : !job.blob<2x4x3x6xf64>
  %loss = job.mul %y, %weight : !job.blob<2x4x3x6xf64>
  job.loss %loss : !job.blob<2x4x3x6xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x4x3x6xf64>
}

// K = 144
job.func @conv2d_batch_nhwc() -> (!job.blob<33x14x14x24xf32> {job.name = "y"}) kind predict {
  %x = job.read @"input-33x14x14x16xf32" : !job.blob<33x14x14x16xf32>
  %f = job.read @"filter-24x3x3x16xf32" : !job.blob<24x3x3x16xf32>
  %y = job.conv2d %x, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<33x14x14x16xf32>, !job.blob<24x3x3x16xf32>
  job.return %y : !job.blob<33x14x14x24xf32>
}

// K = 216
job.func @conv2d_data_grad_batch_nhwc() -> (!job.blob<33x14x14x16xf32> {job.name = "dx"}) kind predict {
  %dy = job.read @"grad-33x14x14x24xf32" : !job.blob<33x14x14x24xf32>
  %f = job.read @"filter-24x3x3x16xf32" : !job.blob<24x3x3x16xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<33x14x14x24xf32>, !job.blob<24x3x3x16xf32> -> !job.blob<33x14x14x16xf32>
  job.return %dx : !job.blob<33x14x14x16xf32>
}

// K = 6468
job.func @conv2d_filter_grad_batch_nhwc() -> (!job.blob<24x3x3x16xf32> {job.name = "df"}) kind predict {
  %dy = job.read @"grad-33x14x14x24xf32" : !job.blob<33x14x14x24xf32>
  %x = job.read @"input-33x14x14x16xf32" : !job.blob<33x14x14x16xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<33x14x14x24xf32>, !job.blob<33x14x14x16xf32> -> !job.blob<24x3x3x16xf32>
  job.return %df : !job.blob<24x3x3x16xf32>
}

job.func @train_conv2d_data_grad_strided_nhwc() -> (!job.blob<2x9x8x3xf32> {job.name = "loss"}) kind train {
  %dy = job.read @"grad-2x5x4x4xf32" : !job.blob<2x5x4x4xf32>
  %f = job.read @"filter-4x3x3x3xf32" : !job.blob<4x3x3x3xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<2x5x4x4xf32>, !job.blob<4x3x3x3xf32> -> !job.blob<2x9x8x3xf32>
  %weight = job.read @"weight-2x9x8x3xf32" : !job.blob<2x9x8x3xf32>
  %loss = job.mul %dx, %weight : !job.blob<2x9x8x3xf32>
  job.loss %loss : !job.blob<2x9x8x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x9x8x3xf32>
}

job.func @train_conv2d_filter_grad_strided_nhwc() -> (!job.blob<4x3x3x3xf32> {job.name = "loss"}) kind train {
  %dy = job.read @"grad-2x5x4x4xf32" : !job.blob<2x5x4x4xf32>
  %x = job.read @"input-2x9x8x3xf32" : !job.blob<2x9x8x3xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<2x5x4x4xf32>, !job.blob<2x9x8x3xf32> -> !job.blob<4x3x3x3xf32>
  %weight = job.read @"weight-4x3x3x3xf32" : !job.blob<4x3x3x3xf32>
  %loss = job.mul %df, %weight : !job.blob<4x3x3x3xf32>
  job.loss %loss : !job.blob<4x3x3x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4x3x3x3xf32>
}

job.func @train_conv2d_data_grad_uneven_nhwc() -> (!job.blob<1x9x8x2xf32> {job.name = "loss"}) kind train {
  %dy = job.read @"grad-1x4x4x3xf32" : !job.blob<1x4x4x3xf32>
  %f = job.read @"filter-3x3x2x2xf32" : !job.blob<3x3x2x2xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 2, 3>, padding = array<i64: 0, 1, 1, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<1x4x4x3xf32>, !job.blob<3x3x2x2xf32> -> !job.blob<1x9x8x2xf32>
  %weight = job.read @"weight-1x9x8x2xf32" : !job.blob<1x9x8x2xf32>
  %loss = job.mul %dx, %weight : !job.blob<1x9x8x2xf32>
  job.loss %loss : !job.blob<1x9x8x2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<1x9x8x2xf32>
}

job.func @train_conv2d_filter_grad_uneven_nhwc() -> (!job.blob<3x3x2x2xf32> {job.name = "loss"}) kind train {
  %dy = job.read @"grad-1x4x4x3xf32" : !job.blob<1x4x4x3xf32>
  %x = job.read @"input-1x9x8x2xf32" : !job.blob<1x9x8x2xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 2, 3>, padding = array<i64: 0, 1, 1, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<1x4x4x3xf32>, !job.blob<1x9x8x2xf32> -> !job.blob<3x3x2x2xf32>
  %weight = job.read @"weight-3x3x2x2xf32" : !job.blob<3x3x2x2xf32>
  %loss = job.mul %df, %weight : !job.blob<3x3x2x2xf32>
  job.loss %loss : !job.blob<3x3x2x2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3x3x2x2xf32>
}

job.func @train_conv2d_data_grad_dilated_nhwc() -> (!job.blob<2x9x8x2xf32> {job.name = "loss"}) kind train {
  %dy = job.read @"grad-2x9x7x3xf32" : !job.blob<2x9x7x3xf32>
  %f = job.read @"filter-3x3x2x2xf32" : !job.blob<3x3x2x2xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 1, 1>, padding = array<i64: 2, 1, 2, 1>, dilations = array<i64: 2, 3>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<2x9x7x3xf32>, !job.blob<3x3x2x2xf32> -> !job.blob<2x9x8x2xf32>
  %weight = job.read @"weight-2x9x8x2xf32" : !job.blob<2x9x8x2xf32>
  %loss = job.mul %dx, %weight : !job.blob<2x9x8x2xf32>
  job.loss %loss : !job.blob<2x9x8x2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x9x8x2xf32>
}

job.func @train_conv2d_filter_grad_dilated_nhwc() -> (!job.blob<3x3x2x2xf32> {job.name = "loss"}) kind train {
  %dy = job.read @"grad-2x9x7x3xf32" : !job.blob<2x9x7x3xf32>
  %x = job.read @"input-2x9x8x2xf32" : !job.blob<2x9x8x2xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 2, 1, 2, 1>, dilations = array<i64: 2, 3>, groups = 1 : i64, layout = #job<layout nhwc>} : !job.blob<2x9x7x3xf32>, !job.blob<2x9x8x2xf32> -> !job.blob<3x3x2x2xf32>
  %weight = job.read @"weight-3x3x2x2xf32" : !job.blob<3x3x2x2xf32>
  %loss = job.mul %df, %weight : !job.blob<3x3x2x2xf32>
  job.loss %loss : !job.blob<3x3x2x2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3x3x2x2xf32>
}

job.func @train_conv2d_data_grad_groups_nhwc() -> (!job.blob<2x5x6x4xf32> {job.name = "loss"}) kind train {
  %dy = job.read @"grad-2x5x6x6xf32" : !job.blob<2x5x6x6xf32>
  %f = job.read @"filter-6x3x3x2xf32" : !job.blob<6x3x3x2xf32>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 2 : i64, layout = #job<layout nhwc>} : !job.blob<2x5x6x6xf32>, !job.blob<6x3x3x2xf32> -> !job.blob<2x5x6x4xf32>
  %weight = job.read @"weight-2x5x6x4xf32" : !job.blob<2x5x6x4xf32>
  %loss = job.mul %dx, %weight : !job.blob<2x5x6x4xf32>
  job.loss %loss : !job.blob<2x5x6x4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x5x6x4xf32>
}

job.func @train_conv2d_filter_grad_groups_nhwc() -> (!job.blob<6x3x3x2xf32> {job.name = "loss"}) kind train {
  %dy = job.read @"grad-2x5x6x6xf32" : !job.blob<2x5x6x6xf32>
  %x = job.read @"input-2x5x6x4xf32" : !job.blob<2x5x6x4xf32>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 2 : i64, layout = #job<layout nhwc>} : !job.blob<2x5x6x6xf32>, !job.blob<2x5x6x4xf32> -> !job.blob<6x3x3x2xf32>
  %weight = job.read @"weight-6x3x3x2xf32" : !job.blob<6x3x3x2xf32>
  %loss = job.mul %df, %weight : !job.blob<6x3x3x2xf32>
  job.loss %loss : !job.blob<6x3x3x2xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<6x3x3x2xf32>
}

job.func @train_conv2d_data_grad_f64_nhwc() -> (!job.blob<2x7x6x4xf64> {job.name = "loss"}) kind train {
  %dy = job.read @"grad-2x4x3x6xf64" : !job.blob<2x4x3x6xf64>
  %f = job.read @"filter-6x3x3x2xf64" : !job.blob<6x3x3x2xf64>
  %dx = job.conv2d_data_grad %dy, %f {strides = array<i64: 2, 1>, padding = array<i64: 1, 0, 2, 1>, dilations = array<i64: 1, 2>, groups = 2 : i64, layout = #job<layout nhwc>} : !job.blob<2x4x3x6xf64>, !job.blob<6x3x3x2xf64> -> !job.blob<2x7x6x4xf64>
  %weight = job.read @"weight-2x7x6x4xf64" : !job.blob<2x7x6x4xf64>
  %loss = job.mul %dx, %weight : !job.blob<2x7x6x4xf64>
  job.loss %loss : !job.blob<2x7x6x4xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x7x6x4xf64>
}

job.func @train_conv2d_filter_grad_f64_nhwc() -> (!job.blob<6x3x3x2xf64> {job.name = "loss"}) kind train {
  %dy = job.read @"grad-2x4x3x6xf64" : !job.blob<2x4x3x6xf64>
  %x = job.read @"input-2x7x6x4xf64" : !job.blob<2x7x6x4xf64>
  %df = job.conv2d_filter_grad %dy, %x {strides = array<i64: 2, 1>, padding = array<i64: 1, 0, 2, 1>, dilations = array<i64: 1, 2>, groups = 2 : i64, layout = #job<layout nhwc>} : !job.blob<2x4x3x6xf64>, !job.blob<2x7x6x4xf64> -> !job.blob<6x3x3x2xf64>
  %weight = job.read @"weight-6x3x3x2xf64" : !job.blob<6x3x3x2xf64>
  %loss = job.mul %df, %weight : !job.blob<6x3x3x2xf64>
  job.loss %loss : !job.blob<6x3x3x2xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<6x3x3x2xf64>
}
