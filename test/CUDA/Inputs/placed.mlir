// A job on the second GPU.
#gpu1 = #job.placement<gpu, "0:1">

job.variable @w : !job.blob<8xf32> init #job.constant_init<2.0>

job.func @train(%x: !job.blob<8xf32> {job.name = "x"})
    -> (!job.blob<8xf32> {job.name = "loss"}) kind train attributes {placement = #gpu1} {
  %w = job.read @w : !job.blob<8xf32>
  %0 = job.mul %x, %w : !job.blob<8xf32>
  %1 = job.mul %0, %0 : !job.blob<8xf32>
  job.loss %1 : !job.blob<8xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return %1 : !job.blob<8xf32>
}
