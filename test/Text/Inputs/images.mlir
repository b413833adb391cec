// A convolution that is cut into chunks, pooling, a matrix product, dropout and Adam:
// library calls with workspaces, kernels with and without a body.

#weight = #job.truncated_normal_init<mean = 0.0, stddev = 0.1>

job.variable @conv : !job.blob<32x16x3x3xf32> init #weight
job.variable @bias : !job.blob<32xf32> init #job.constant_init<0.0>
job.variable @dense : !job.blob<10x2048xf32> init #weight

job.func @train(%images: !job.blob<8x16x16x16xf32> {job.name = "images"}, %labels: !job.blob<8xi32> {job.name = "labels"}) -> (!job.blob<8xf32> {job.name = "loss"}) kind train {
  %w0 = job.read @conv : !job.blob<32x16x3x3xf32>
  %b0 = job.read @bias : !job.blob<32xf32>
  %0 = job.conv2d %images, %w0 {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<8x16x16x16xf32>, !job.blob<32x16x3x3xf32>
  %1 = job.broadcast_in_dim %b0 {dims = array<i64: 1>} : !job.blob<32xf32> to !job.blob<8x32x16x16xf32>
  %2 = job.add %0, %1 : !job.blob<8x32x16x16xf32>
  %3 = job.relu %2 : !job.blob<8x32x16x16xf32>
  %4 = job.max_pool2d %3 {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<8x32x16x16xf32>
  %5 = job.reshape %4 : !job.blob<8x32x8x8xf32> to !job.blob<8x2048xf32>
  %step = job.step
  %6 = job.dropout %5, %step {rate = 0.5, seed = 0 : i64, id = 1 : i64} : !job.blob<8x2048xf32>
  %w1 = job.read @dense : !job.blob<10x2048xf32>
  %logits = job.matmul %6, %w1 {transpose_rhs = true} : !job.blob<8x2048xf32>, !job.blob<10x2048xf32>
  %loss = job.sparse_softmax_cross_entropy %logits, %labels : !job.blob<8x10xf32>, !job.blob<8xi32>
  job.loss %loss : !job.blob<8xf32>
  job.minimize #job.adam<beta1 = 0.9, beta2 = 0.999, epsilon = 1.0e-08, bias_correction = true> schedule #job.constant_schedule<0.001>
  job.return %loss : !job.blob<8xf32>
}
