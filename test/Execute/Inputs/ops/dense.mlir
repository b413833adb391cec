// Table of layers: products with a bias and an activation, which libraries compute
// as one function on a GPU. Names say the number of columns of the first product.

job.variable @"x-6x5" : !job.blob<6x5xf32> init #job.random_uniform_init<min = -2.0, max = 2.0>
job.variable @"up-5x16" : !job.blob<5x16xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"up-5x7" : !job.blob<5x7xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"bias-16" : !job.blob<16xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"bias-7" : !job.blob<7xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"down-16x3" : !job.blob<16x3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"down-7x3" : !job.blob<7x3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-6x3" : !job.blob<6x3xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}

job.func @dense_gelu_16() -> (!job.blob<6x16xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-6x5" : !job.blob<6x5xf32>
  %up = job.read @"up-5x16" : !job.blob<5x16xf32>
  %bias = job.read @"bias-16" : !job.blob<16xf32>
  %product = job.matmul %x, %up : !job.blob<6x5xf32>, !job.blob<5x16xf32>
  %rows = job.broadcast_in_dim %bias {dims = array<i64: 1>} : !job.blob<16xf32> to !job.blob<6x16xf32>
  %sum = job.add %product, %rows : !job.blob<6x16xf32>
  %hidden = job.gelu %sum : !job.blob<6x16xf32>
  job.return %hidden : !job.blob<6x16xf32>
}

job.func @train_dense_gelu_16() -> (!job.blob<6x3xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-6x5" : !job.blob<6x5xf32>
  %up = job.read @"up-5x16" : !job.blob<5x16xf32>
  %bias = job.read @"bias-16" : !job.blob<16xf32>
  %product = job.matmul %x, %up : !job.blob<6x5xf32>, !job.blob<5x16xf32>
  %rows = job.broadcast_in_dim %bias {dims = array<i64: 1>} : !job.blob<16xf32> to !job.blob<6x16xf32>
  %sum = job.add %product, %rows : !job.blob<6x16xf32>
  %hidden = job.gelu %sum : !job.blob<6x16xf32>
  %down = job.read @"down-16x3" : !job.blob<16x3xf32>
  %y = job.matmul %hidden, %down : !job.blob<6x16xf32>, !job.blob<16x3xf32>
  %weight = job.read @"weight-6x3" : !job.blob<6x3xf32>
  %loss = job.mul %y, %weight : !job.blob<6x3xf32>
  job.loss %loss : !job.blob<6x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<6x3xf32>
}

job.func @dense_gelu_7() -> (!job.blob<6x7xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-6x5" : !job.blob<6x5xf32>
  %up = job.read @"up-5x7" : !job.blob<5x7xf32>
  %bias = job.read @"bias-7" : !job.blob<7xf32>
  %product = job.matmul %x, %up : !job.blob<6x5xf32>, !job.blob<5x7xf32>
  %rows = job.broadcast_in_dim %bias {dims = array<i64: 1>} : !job.blob<7xf32> to !job.blob<6x7xf32>
  %sum = job.add %product, %rows : !job.blob<6x7xf32>
  %hidden = job.gelu %sum : !job.blob<6x7xf32>
  job.return %hidden : !job.blob<6x7xf32>
}

job.func @train_dense_gelu_7() -> (!job.blob<6x3xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-6x5" : !job.blob<6x5xf32>
  %up = job.read @"up-5x7" : !job.blob<5x7xf32>
  %bias = job.read @"bias-7" : !job.blob<7xf32>
  %product = job.matmul %x, %up : !job.blob<6x5xf32>, !job.blob<5x7xf32>
  %rows = job.broadcast_in_dim %bias {dims = array<i64: 1>} : !job.blob<7xf32> to !job.blob<6x7xf32>
  %sum = job.add %product, %rows : !job.blob<6x7xf32>
  %hidden = job.gelu %sum : !job.blob<6x7xf32>
  %down = job.read @"down-7x3" : !job.blob<7x3xf32>
  %y = job.matmul %hidden, %down : !job.blob<6x7xf32>, !job.blob<7x3xf32>
  %weight = job.read @"weight-6x3" : !job.blob<6x3xf32>
  %loss = job.mul %y, %weight : !job.blob<6x3xf32>
  job.loss %loss : !job.blob<6x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<6x3xf32>
}

job.func @dense_gelu_tanh_16() -> (!job.blob<6x16xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-6x5" : !job.blob<6x5xf32>
  %up = job.read @"up-5x16" : !job.blob<5x16xf32>
  %bias = job.read @"bias-16" : !job.blob<16xf32>
  %product = job.matmul %x, %up : !job.blob<6x5xf32>, !job.blob<5x16xf32>
  %rows = job.broadcast_in_dim %bias {dims = array<i64: 1>} : !job.blob<16xf32> to !job.blob<6x16xf32>
  %sum = job.add %product, %rows : !job.blob<6x16xf32>
  %hidden = job.gelu %sum approximate tanh : !job.blob<6x16xf32>
  job.return %hidden : !job.blob<6x16xf32>
}

job.func @train_dense_gelu_tanh_16() -> (!job.blob<6x3xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-6x5" : !job.blob<6x5xf32>
  %up = job.read @"up-5x16" : !job.blob<5x16xf32>
  %bias = job.read @"bias-16" : !job.blob<16xf32>
  %product = job.matmul %x, %up : !job.blob<6x5xf32>, !job.blob<5x16xf32>
  %rows = job.broadcast_in_dim %bias {dims = array<i64: 1>} : !job.blob<16xf32> to !job.blob<6x16xf32>
  %sum = job.add %product, %rows : !job.blob<6x16xf32>
  %hidden = job.gelu %sum approximate tanh : !job.blob<6x16xf32>
  %down = job.read @"down-16x3" : !job.blob<16x3xf32>
  %y = job.matmul %hidden, %down : !job.blob<6x16xf32>, !job.blob<16x3xf32>
  %weight = job.read @"weight-6x3" : !job.blob<6x3xf32>
  %loss = job.mul %y, %weight : !job.blob<6x3xf32>
  job.loss %loss : !job.blob<6x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<6x3xf32>
}

job.func @dense_gelu_tanh_7() -> (!job.blob<6x7xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-6x5" : !job.blob<6x5xf32>
  %up = job.read @"up-5x7" : !job.blob<5x7xf32>
  %bias = job.read @"bias-7" : !job.blob<7xf32>
  %product = job.matmul %x, %up : !job.blob<6x5xf32>, !job.blob<5x7xf32>
  %rows = job.broadcast_in_dim %bias {dims = array<i64: 1>} : !job.blob<7xf32> to !job.blob<6x7xf32>
  %sum = job.add %product, %rows : !job.blob<6x7xf32>
  %hidden = job.gelu %sum approximate tanh : !job.blob<6x7xf32>
  job.return %hidden : !job.blob<6x7xf32>
}

job.func @train_dense_gelu_tanh_7() -> (!job.blob<6x3xf32> {job.name = "loss"}) kind train {
  %x = job.read @"x-6x5" : !job.blob<6x5xf32>
  %up = job.read @"up-5x7" : !job.blob<5x7xf32>
  %bias = job.read @"bias-7" : !job.blob<7xf32>
  %product = job.matmul %x, %up : !job.blob<6x5xf32>, !job.blob<5x7xf32>
  %rows = job.broadcast_in_dim %bias {dims = array<i64: 1>} : !job.blob<7xf32> to !job.blob<6x7xf32>
  %sum = job.add %product, %rows : !job.blob<6x7xf32>
  %hidden = job.gelu %sum approximate tanh : !job.blob<6x7xf32>
  %down = job.read @"down-7x3" : !job.blob<7x3xf32>
  %y = job.matmul %hidden, %down : !job.blob<6x7xf32>, !job.blob<7x3xf32>
  %weight = job.read @"weight-6x3" : !job.blob<6x3xf32>
  %loss = job.mul %y, %weight : !job.blob<6x3xf32>
  job.loss %loss : !job.blob<6x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<6x3xf32>
}

// The sum is a result, too.
job.func @dense_sum_16() -> (!job.blob<6x16xf32> {job.name = "sum"}, !job.blob<6x16xf32> {job.name = "y"}) kind predict {
  %x = job.read @"x-6x5" : !job.blob<6x5xf32>
  %up = job.read @"up-5x16" : !job.blob<5x16xf32>
  %bias = job.read @"bias-16" : !job.blob<16xf32>
  %product = job.matmul %x, %up : !job.blob<6x5xf32>, !job.blob<5x16xf32>
  %rows = job.broadcast_in_dim %bias {dims = array<i64: 1>} : !job.blob<16xf32> to !job.blob<6x16xf32>
  %sum = job.add %product, %rows : !job.blob<6x16xf32>
  %hidden = job.gelu %sum approximate tanh : !job.blob<6x16xf32>
  job.return %sum, %hidden : !job.blob<6x16xf32>, !job.blob<6x16xf32>
}
