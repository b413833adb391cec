// Residual connections around layers with an activation, in f32 and bf16.

#gpu = #job.placement<gpu, "0:0">
job.variable @w : !job.blob<33x33xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>
job.variable @b : !job.blob<33xf32> init #job.random_uniform_init<min = -0.5, max = 0.5>

job.func @relu(%x: !job.blob<40x33xf32> {job.name = "x"}) -> (!job.blob<40x33xf32> {job.name = "y"}) kind train attributes {placement = #gpu} {
  %w = job.read @w : !job.blob<33x33xf32>
  %b = job.read @b : !job.blob<33xf32>
  %0 = job.matmul %x, %w : !job.blob<40x33xf32>, !job.blob<33x33xf32>
  %1 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<33xf32> to !job.blob<40x33xf32>
  %2 = job.add %0, %1 : !job.blob<40x33xf32>
  %3 = job.relu %2 : !job.blob<40x33xf32>
  %4 = job.add %3, %x : !job.blob<40x33xf32>
  job.loss %4 : !job.blob<40x33xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return %4 : !job.blob<40x33xf32>
}

job.func @narrow(%x: !job.blob<40x33xf32> {job.name = "x"}) -> (!job.blob<40x33xf32> {job.name = "y"}) kind predict attributes {placement = #gpu, precision = bf16} {
  %w = job.read @w : !job.blob<33x33xf32>
  %b = job.read @b : !job.blob<33xf32>
  %0 = job.matmul %x, %w : !job.blob<40x33xf32>, !job.blob<33x33xf32>
  %1 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<33xf32> to !job.blob<40x33xf32>
  %2 = job.add %0, %1 : !job.blob<40x33xf32>
  %3 = job.relu %2 : !job.blob<40x33xf32>
  %4 = job.matmul %3, %w : !job.blob<40x33xf32>, !job.blob<33x33xf32>
  %5 = job.relu %4 : !job.blob<40x33xf32>
  %6 = job.add %3, %5 : !job.blob<40x33xf32>
  job.return %6 : !job.blob<40x33xf32>
}
