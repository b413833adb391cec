// A part of a transformer in mixed precision: a residual stream in f32, a
// normalisation, a layer that adds to the stream, and the loss.
#gpu = #job.placement<gpu, "0:0">
job.variable @gamma : !job.blob<8xf32> init #job.constant_init<1.0>
job.variable @beta : !job.blob<8xf32> init #job.constant_init<0.0>
job.variable @w : !job.blob<8x8xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @b : !job.blob<8xf32> init #job.constant_init<0.25>
job.func @train(%x: !job.blob<6x8xf32> {job.name = "x"}, %labels: !job.blob<6xi32> {job.name = "labels"}) -> (!job.blob<6xf32> {job.name = "loss"}) kind train attributes {placement = #gpu, precision = bf16} {
  %gamma = job.read @gamma : !job.blob<8xf32>
  %beta = job.read @beta : !job.blob<8xf32>
  %w = job.read @w : !job.blob<8x8xf32>
  %b = job.read @b : !job.blob<8xf32>
  %n, %mean, %rstd = job.layer_norm %x, %gamma, %beta {epsilon = 1.0e-5 : f64} : !job.blob<6x8xf32>, !job.blob<8xf32>
  %0 = job.matmul %n, %w {transpose_rhs = true} : !job.blob<6x8xf32>, !job.blob<8x8xf32>
  %1 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<8xf32> to !job.blob<6x8xf32>
  %2 = job.add %0, %1 : !job.blob<6x8xf32>
  %4 = job.add %x, %2 : !job.blob<6x8xf32>
  %5 = job.add %4, %x : !job.blob<6x8xf32>
  %6 = job.mul %4, %5 : !job.blob<6x8xf32>
  %loss = job.sparse_softmax_cross_entropy %6, %labels : !job.blob<6x8xf32>, !job.blob<6xi32>
  job.loss %loss : !job.blob<6xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return %loss : !job.blob<6xf32>
}
