// The second GPU is used first; the variables of the first one are first.
#cpu = #job.placement<cpu, "0:0">
#gpu0 = #job.placement<gpu, "0:0">
#gpu1 = #job.placement<gpu, "0:1">
job.variable @a : !job.blob<4xf32> init #job.constant_init<3.0>
job.variable @b : !job.blob<4xf32> init #job.constant_init<5.0>
job.variable @c : !job.blob<4xf32> init #job.constant_init<2.0>
job.func @f(%x: !job.blob<4xf32> {job.name = "x"}) -> (!job.blob<4xf32> {job.name = "y"}) kind predict attributes {placement = #cpu} {
  %c = job.read @c : !job.blob<4xf32>
  %0 = job.mul %x, %c : !job.blob<4xf32>
  %1 = job.exp %0 {job.placement = #gpu1} : !job.blob<4xf32>
  %a = job.read @a {job.placement = #gpu0} : !job.blob<4xf32>
  %2 = job.mul %1, %a {job.placement = #gpu0} : !job.blob<4xf32>
  %b = job.read @b {job.placement = #gpu1} : !job.blob<4xf32>
  %3 = job.add %2, %b {job.placement = #gpu1} : !job.blob<4xf32>
  job.return %3 : !job.blob<4xf32>
}
