// What trains: groups of variables with an optimizer each, rates and steps that
// the job computes, a dynamic loss scale; gradients that the job asks for, and
// the ops that sorts and sums by index are made of.

job.variable @table : !job.blob<9x4xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @w : !job.blob<4x5xf32> init #job.random_normal_init<mean = 0.0, stddev = 0.5>
job.variable @b : !job.blob<5xf32> init #job.constant_init<0.25>
job.variable @scale : !job.blob<1xf32> init #job.constant_init<8.0> {trainable = false}
job.variable @good : !job.blob<1xi64> init #job.constant_init<0.0> {trainable = false}

job.func @groups(%ids: !job.blob<6xi32> {job.name = "ids"}, %rate: !job.blob<1xf32> {job.name = "rate"}) -> (!job.blob<6x5xf32> {job.name = "loss"}, !job.blob<4x5xf32> {job.name = "gradient"}) kind train {
  %table = job.read @table : !job.blob<9x4xf32>
  %w = job.read @w : !job.blob<4x5xf32>
  %b = job.read @b : !job.blob<5xf32>
  %rows = job.gather %table, %ids {axis = 0 : i64} : !job.blob<9x4xf32>, !job.blob<6xi32>
  %0 = job.matmul %rows, %w : !job.blob<6x4xf32>, !job.blob<4x5xf32>
  %1 = job.broadcast_in_dim %b {dims = array<i64: 1>} : !job.blob<5xf32> to !job.blob<6x5xf32>
  %2 = job.add %0, %1 : !job.blob<6x5xf32>
  %3 = job.tanh %2 : !job.blob<6x5xf32>
  job.loss %3 : !job.blob<6x5xf32>
  %gradient = job.gradient %w : !job.blob<4x5xf32>
  %step = job.step
  %hundredth = job.constant dense<0.01> : tensor<1xf32>
  %small = job.mul %rate, %hundredth : !job.blob<1xf32>
  job.minimize #job.lazy_adam<beta1 = 0.5, beta2 = 0.75, epsilon = 1.0e-03, sparse = [@table]> rate %small {dynamic_loss_scale = #job.dynamic_loss_scale<scale = @scale, good_steps = @good, period = 1, multiplier = 2.0>, clipping = #job.clip_by_global_norm<clip_norm = 1.0, legacy = false>, variables = [@table]}
  job.minimize #job.lamb<beta1 = 0.5, beta2 = 0.75, epsilon = 1.0e-03> schedule #job.cosine_schedule<base = 0.01, steps = 10, alpha = 0.1> warmup #job.linear_warmup<steps = 3, start = 0.5> step %step {dynamic_loss_scale = #job.dynamic_loss_scale<scale = @scale, good_steps = @good, period = 1, multiplier = 2.0>, weight_decay = #job.weight_decay<rate = 0.125, variables = [@w]>, variables = [@w, @b]}
  job.return %3, %gradient : !job.blob<6x5xf32>, !job.blob<4x5xf32>
}

job.func @stages(%x: !job.blob<3x20xf32> {job.name = "x"}, %ids: !job.blob<20xi32> {job.name = "ids"}) -> (!job.blob<3x20xi32> {job.name = "order"}, !job.blob<3x5xf32> {job.name = "sums"}, !job.blob<?<=60>x2xi32> {job.name = "places"}, !job.blob<1xi64> {job.name = "count"}) kind predict {
  %order = job.argsort %x : !job.blob<3x20xf32>
  %groups = job.group_indices %ids {extent = 5 : i64} : !job.blob<20xi32>
  %sums = job.sum_groups %x, %groups {axis = 1 : i64} : !job.blob<3x20xf32>, !job.blob<25xi32>
  %relu = job.relu %x : !job.blob<3x20xf32>
  %counts = job.count_nonzero %relu {block_size = 7 : i64} : !job.blob<3x20xf32>
  %places, %count = job.argwhere_blocks %relu, %counts as i32 {block_size = 7 : i64} : !job.blob<3x20xf32>, !job.blob<9xi64>
  job.return %order, %sums, %places, %count : !job.blob<3x20xi32>, !job.blob<3x5xf32>, !job.blob<?<=60>x2xi32>, !job.blob<1xi64>
}
