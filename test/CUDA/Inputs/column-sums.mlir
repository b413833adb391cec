// Gradients of layer normalisations whose rows are many enough that one kernel
// computes the sums of the columns as well: in f32 and f64, and of bf16 that is
// widened, with and without the gradient of a residual connection.

#gpu = #job.placement<gpu, "0:0">
job.variable @gamma : !job.blob<128xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @beta : !job.blob<128xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @wide_gamma : !job.blob<768xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @wide_beta : !job.blob<768xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @w : !job.blob<128x128xf32> init #job.random_uniform_init<min = -0.1, max = 0.1>
job.variable @double_gamma : !job.blob<768xf64> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @double_beta : !job.blob<768xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>

job.func @narrow(%x: !job.blob<1024x128xf32> {job.name = "x"}) -> (!job.blob<1024x128xf32> {job.name = "loss"}) kind train attributes {placement = #gpu, precision = bf16} {
  %gamma = job.read @gamma : !job.blob<128xf32>
  %beta = job.read @beta : !job.blob<128xf32>
  %w = job.read @w : !job.blob<128x128xf32>
  %0 = job.matmul %x, %w : !job.blob<1024x128xf32>, !job.blob<128x128xf32>
  %1 = job.add %x, %0 : !job.blob<1024x128xf32>
  %n, %mean, %rstd = job.layer_norm %1, %gamma, %beta {epsilon = 1.0e-5 : f64} : !job.blob<1024x128xf32>, !job.blob<128xf32>
  %2 = job.matmul %n, %w : !job.blob<1024x128xf32>, !job.blob<128x128xf32>
  %3 = job.add %1, %2 : !job.blob<1024x128xf32>
  job.loss %3 : !job.blob<1024x128xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return %3 : !job.blob<1024x128xf32>
}

job.func @wide(%x: !job.blob<1024x768xf32> {job.name = "x"}, %y: !job.blob<1024x768xf32> {job.name = "y"}) -> (!job.blob<1024x768xf32> {job.name = "loss"}) kind train attributes {placement = #gpu} {
  %gamma = job.read @wide_gamma : !job.blob<768xf32>
  %beta = job.read @wide_beta : !job.blob<768xf32>
  %0 = job.broadcast_in_dim %beta {dims = array<i64: 1>} : !job.blob<768xf32> to !job.blob<1024x768xf32>
  %1 = job.mul %x, %0 : !job.blob<1024x768xf32>
  %n, %mean, %rstd = job.layer_norm %1, %gamma, %beta {epsilon = 1.0e-5 : f64} : !job.blob<1024x768xf32>, !job.blob<768xf32>
  %2 = job.mul %n, %y : !job.blob<1024x768xf32>
  job.loss %2 : !job.blob<1024x768xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return %2 : !job.blob<1024x768xf32>
}

job.func @double(%x: !job.blob<1024x768xf64> {job.name = "x"}, %y: !job.blob<1024x768xf64> {job.name = "y"}) -> (!job.blob<1024x768xf64> {job.name = "loss"}) kind train attributes {placement = #gpu} {
  %gamma = job.read @double_gamma : !job.blob<768xf64>
  %beta = job.read @double_beta : !job.blob<768xf64>
  %0 = job.broadcast_in_dim %beta {dims = array<i64: 1>} : !job.blob<768xf64> to !job.blob<1024x768xf64>
  %1 = job.mul %x, %0 : !job.blob<1024x768xf64>
  %n, %mean, %rstd = job.layer_norm %1, %gamma, %beta {epsilon = 1.0e-5 : f64} : !job.blob<1024x768xf64>, !job.blob<768xf64>
  %2 = job.mul %n, %y : !job.blob<1024x768xf64>
  job.loss %2 : !job.blob<1024x768xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return %2 : !job.blob<1024x768xf64>
}
