// Micro-steps: rows of the batch, sums of gradients, packed losses.

job.variable @w : !job.blob<7x40xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @b : !job.blob<7xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>

job.func @train(%x: !job.blob<12x40xf32> {job.name = "x"}) -> (!job.blob<12x7xf32> {job.name = "loss"}) kind train {
  %w = job.read @w : !job.blob<7x40xf32>
  %b = job.read @b : !job.blob<7xf32>
  %0 = job.unpack %x {count = 3 : i64} : !job.blob<12x40xf32>
  %1 = job.broadcast_micro_steps %w {count = 3 : i64} : !job.blob<7x40xf32>
  %2 = job.broadcast_micro_steps %b {count = 3 : i64} : !job.blob<7xf32>
  %3 = job.matmul %0, %1 {transpose_rhs = true} : !job.blob<4x40xf32>, !job.blob<7x40xf32>
  %4 = job.broadcast_in_dim %2 {dims = array<i64: 1>} : !job.blob<7xf32> to !job.blob<4x7xf32>
  %5 = job.add %3, %4 : !job.blob<4x7xf32>
  %6 = job.tanh %5 : !job.blob<4x7xf32>
  job.loss %6 : !job.blob<4x7xf32>
  %7 = job.pack %6 {count = 3 : i64} : !job.blob<4x7xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return %7 : !job.blob<12x7xf32>
}
