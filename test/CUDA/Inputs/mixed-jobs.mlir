// Jobs on several devices that were once wrong.

#cpu = #job.placement<cpu, "0:0">
#gpu0 = #job.placement<gpu, "0:0">
#gpu1 = #job.placement<gpu, "0:1">

// Rows that are only moved, in a loop on two devices.
job.func @moved_rows(%x: !job.blob<4xf32>, %y: !job.blob<2xf32>) -> (!job.blob<4xf32>, !job.blob<2xf32>) kind predict attributes {placement = #gpu1} {
  %0 = job.unpack %x {count = 2 : i64} : !job.blob<4xf32>
  %1 = job.pack %0 {count = 2 : i64} : !job.blob<2xf32>
  %2 = job.broadcast_micro_steps %y {count = 2 : i64} : !job.blob<2xf32>
  %3 = job.acc %2 {count = 2 : i64, job.placement = #cpu} : !job.blob<2xf32>
  job.return %1, %3 : !job.blob<4xf32>, !job.blob<2xf32>
}

// The CPU computes a result of the job that a GPU reads.
job.func @result_read_by_gpu(%x: !job.blob<8xf32>) -> (!job.blob<8xf32>, !job.blob<8xf32>) kind predict attributes {placement = #gpu1} {
  %0 = job.neg %x {job.placement = #cpu} : !job.blob<8xf32>
  %1 = job.exp %0 : !job.blob<8xf32>
  job.return %0, %1 : !job.blob<8xf32>, !job.blob<8xf32>
}

// Variables in another order than the devices of the module.
job.variable @on_gpu0 : !job.blob<8xf32> init #job.constant_init<2.0>
job.variable @on_cpu : !job.blob<8xf32> init #job.constant_init<3.0>
job.func @banks(%x: !job.blob<8xf32>) -> !job.blob<8xf32> kind predict attributes {placement = #gpu1} {
  %a = job.read @on_gpu0 {job.placement = #gpu0} : !job.blob<8xf32>
  %b = job.read @on_cpu {job.placement = #cpu} : !job.blob<8xf32>
  %0 = job.mul %x, %a : !job.blob<8xf32>
  %1 = job.add %0, %b : !job.blob<8xf32>
  job.return %1 : !job.blob<8xf32>
}
