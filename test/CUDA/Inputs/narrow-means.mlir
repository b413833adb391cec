// Means of windows between convolutions that cuDNN computes with the channels last,
// in f16 and bf16: it has means of these types with the channels first only.

#gpu = #job.placement<gpu, "0:0">
job.variable @a : !job.blob<8x4x3x3xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>
job.variable @b : !job.blob<4x8x1x1xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>

job.func @bf16(%x: !job.blob<2x4x9x9xf32> {job.name = "x"}) -> (!job.blob<2x4x4x4xf32> {job.name = "y"}) kind train attributes {placement = #gpu, precision = bf16} {
  %a = job.read @a : !job.blob<8x4x3x3xf32>
  %b = job.read @b : !job.blob<4x8x1x1xf32>
  %0 = job.conv2d %x, %a {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : !job.blob<2x4x9x9xf32>, !job.blob<8x4x3x3xf32>
  %1 = job.relu %0 : !job.blob<2x8x9x9xf32>
  %2 = job.avg_pool2d %1 {ksize = array<i64: 3, 3>, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : !job.blob<2x8x9x9xf32>
  %3 = job.conv2d %2, %b {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : !job.blob<2x8x4x4xf32>, !job.blob<4x8x1x1xf32>
  job.loss %3 : !job.blob<2x4x4x4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return %3 : !job.blob<2x4x4x4xf32>
}

job.func @f16(%x: !job.blob<2x4x9x9xf32> {job.name = "x"}) -> (!job.blob<2x4x4x4xf32> {job.name = "y"}) kind predict attributes {placement = #gpu, precision = f16} {
  %a = job.read @a : !job.blob<8x4x3x3xf32>
  %b = job.read @b : !job.blob<4x8x1x1xf32>
  %0 = job.conv2d %x, %a {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : !job.blob<2x4x9x9xf32>, !job.blob<8x4x3x3xf32>
  %1 = job.avg_pool2d %0 {ksize = array<i64: 3, 3>, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : !job.blob<2x8x9x9xf32>
  %2 = job.conv2d %1, %b {dilations = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : !job.blob<2x8x4x4xf32>, !job.blob<4x8x1x1xf32>
  job.return %2 : !job.blob<2x4x4x4xf32>
}
