#gpu = #job.placement<gpu, "0:0">
job.variable @w : !job.blob<6x4xf32> init #job.constant_init<0.1>
job.variable @b : !job.blob<4xf32> init #job.constant_init<0.0>
job.func @train(%x: !job.blob<3x6xf32> {job.name = "x"}, %y: !job.blob<3xi32> {job.name = "y"}) -> (!job.blob<3xf32> {job.name = "loss"}) kind train attributes {placement = #gpu} {
  %w = job.read @w : !job.blob<6x4xf32>
  %b = job.read @b : !job.blob<4xf32>
  %0 = job.matmul %x, %w : !job.blob<3x6xf32>, !job.blob<6x4xf32>
  %1 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<4xf32> to !job.blob<3x4xf32>
  %2 = job.add %0, %1 : !job.blob<3x4xf32>
  %loss = job.sparse_softmax_cross_entropy %2, %y : !job.blob<3x4xf32>, !job.blob<3xi32>
  job.loss %loss : !job.blob<3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return %loss : !job.blob<3xf32>
}
