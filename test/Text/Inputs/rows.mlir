// Rows: softmax, layer_norm, gather, reductions, attention, with two jobs on the
// same variables.

job.variable @table : !job.blob<11x12xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @gamma : !job.blob<12xf32> init #job.constant_init<1.0>
job.variable @beta : !job.blob<12xf32> init #job.constant_init<0.0>
job.variable @count : !job.blob<1xi64> init #job.constant_init<0.0> {trainable = false}

job.func @train(%rows: !job.blob<2x4xi32> {job.name = "rows"}) -> (!job.blob<2x4x12xf32> {job.name = "loss"}) kind train {
  %table = job.read @table : !job.blob<11x12xf32>
  %gamma = job.read @gamma : !job.blob<12xf32>
  %beta = job.read @beta : !job.blob<12xf32>
  %0 = job.gather %table, %rows {axis = 0 : i64} : !job.blob<11x12xf32>, !job.blob<2x4xi32>
  %1:3 = job.layer_norm %0, %gamma, %beta {epsilon = 1.0e-05 : f64} : !job.blob<2x4x12xf32>, !job.blob<12xf32>
  %2 = job.reshape %1#0 : !job.blob<2x4x12xf32> to !job.blob<2x4x2x6xf32>
  %3:2 = job.attention %2, %2, %2 {causal = true, scale = 0.4 : f64} : !job.blob<2x4x2x6xf32>, !job.blob<2x4x2x6xf32>, !job.blob<2x4x2x6xf32>
  %heads:2 = job.attention %2, %3#0, %3#0 {heads_after = array<i64: 1, 0, 1>, heads_before = array<i64: 0, 1, 0>, scale = 0.4 : f64} : !job.blob<2x4x2x6xf32>, !job.blob<2x4x2x6xf32>, !job.blob<2x4x2x6xf32>
  %both = job.concat %heads#0, %heads#0 {axis = 2 : i64} : !job.blob<2x4x1x6xf32>, !job.blob<2x4x1x6xf32>
  %4 = job.reshape %both : !job.blob<2x4x2x6xf32> to !job.blob<2x4x12xf32>
  %5 = job.softmax %4 : !job.blob<2x4x12xf32>
  %6 = job.mul %5, %1#0 : !job.blob<2x4x12xf32>
  job.loss %6 : !job.blob<2x4x12xf32>
  job.minimize #job.momentum<beta = 0.9> schedule #job.constant_schedule<0.1>
  job.return %6 : !job.blob<2x4x12xf32>
}

job.func @predict(%x: !job.blob<11x12xf32> {job.name = "x"}) -> (!job.blob<11xf32> {job.name = "sums"}, !job.blob<1xi64> {job.name = "n"}) kind predict {
  %table = job.read @table : !job.blob<11x12xf32>
  %0 = job.mul %x, %table : !job.blob<11x12xf32>
  %1 = job.tanh %0 : !job.blob<11x12xf32>
  %2 = job.reduce_sum %1 {axes = array<i64: 1>, keepdims = false} : !job.blob<11x12xf32>
  %n = job.read @count : !job.blob<1xi64>
  %one = job.constant dense<1> : tensor<1xi64>
  %3 = job.add %n, %one : !job.blob<1xi64>
  job.assign @count, %3 : !job.blob<1xi64>
  job.return %2, %3 : !job.blob<11xf32>, !job.blob<1xi64>
}
