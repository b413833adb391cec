// Jobs on the CPU and two GPUs: transfers in both directions, a variable on each
// device, micro-steps that go through two devices, a result that another device
// reads.

#cpu = #job.placement<cpu, "0:0">
#gpu0 = #job.placement<gpu, "0:0">
#gpu1 = #job.placement<gpu, "0:1">

job.variable @w : !job.blob<4x16xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @b : !job.blob<16xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @s : !job.blob<16xf32> init #job.constant_init<0.5>

job.func @train(%x: !job.blob<8x16xf32> {job.name = "x"}) -> (!job.blob<8x16xf32> {job.name = "loss"}, !job.blob<16xf32>) kind train attributes {placement = #gpu1} {
  %w = job.read @w : !job.blob<4x16xf32>
  %b = job.read @b {job.placement = #cpu} : !job.blob<16xf32>
  %s = job.read @s {job.placement = #gpu0} : !job.blob<16xf32>
  %0 = job.mul %s, %b {job.placement = #gpu0} : !job.blob<16xf32>
  %1 = job.unpack %x {count = 2 : i64} : !job.blob<8x16xf32>
  %2 = job.broadcast_micro_steps %w {count = 2 : i64} : !job.blob<4x16xf32>
  %3 = job.broadcast_micro_steps %0 {count = 2 : i64, job.placement = #cpu} : !job.blob<16xf32>
  %4 = job.mul %1, %2 : !job.blob<4x16xf32>
  %5 = job.broadcast_in_dim %3 {dims = array<i64: 1>, job.placement = #cpu} : !job.blob<16xf32> to !job.blob<4x16xf32>
  %6 = job.sub %4, %5 {job.placement = #cpu} : !job.blob<4x16xf32>
  %7 = job.mul %6, %6 : !job.blob<4x16xf32>
  job.loss %7 : !job.blob<4x16xf32>
  %8 = job.pack %7 {count = 2 : i64} : !job.blob<4x16xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.125>
  job.return %8, %0 : !job.blob<8x16xf32>, !job.blob<16xf32>
}

job.func @predict(%x: !job.blob<16xf32>) -> (!job.blob<16xf32>, !job.blob<16xf32>) kind predict attributes {placement = #cpu} {
  %s = job.read @s : !job.blob<16xf32>
  %0 = job.maximum %x, %s : !job.blob<16xf32>
  %1 = job.neg %0 {job.placement = #gpu1} : !job.blob<16xf32>
  %2 = job.add %1, %x {job.placement = #gpu0} : !job.blob<16xf32>
  job.return %0, %2 : !job.blob<16xf32>, !job.blob<16xf32>
}
