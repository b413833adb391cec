// Products that are split by rows and columns, with a bias, an activation, a
// residual sum, dropout and updates of the weights.

job.variable @w : !job.blob<512x256xf32> init #job.random_uniform_init<min = -0.1, max = 0.1>
job.variable @b : !job.blob<512xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @v : !job.blob<256x512xf32> init #job.random_uniform_init<min = -0.1, max = 0.1>

job.func @train(%x: !job.blob<256x256xf32> {job.name = "x"}) -> (!job.blob<256x256xf32> {job.name = "loss"}) kind train {
  %w = job.read @w : !job.blob<512x256xf32>
  %b = job.read @b : !job.blob<512xf32>
  %v = job.read @v : !job.blob<256x512xf32>
  %0 = job.matmul %x, %w {transpose_rhs = true} : !job.blob<256x256xf32>, !job.blob<512x256xf32>
  %1 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<512xf32> to !job.blob<256x512xf32>
  %2 = job.add %0, %1 : !job.blob<256x512xf32>
  %3 = job.tanh %2 : !job.blob<256x512xf32>
  %4 = job.matmul %3, %v {transpose_rhs = true} : !job.blob<256x512xf32>, !job.blob<256x512xf32>
  %5 = job.add %4, %x : !job.blob<256x256xf32>
  %6 = job.tanh %5 : !job.blob<256x256xf32>
  job.loss %6 : !job.blob<256x256xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return %6 : !job.blob<256x256xf32>
}
