// LeNet on 28 x 28 images, batch 100: two convolutions (32 and 64 filters 5 x 5)
// with 2 x 2 maximum pooling, a hidden layer of 512 with dropout, 10 classes.
// One job trains it with Adam, one evaluates it with the same variables.
//
//   job-compile lenet.mlir -o lenet.so
//   job-run lenet.so --list
//   job-run lenet.so --entry train --init 1 --steps 10 --json

#weight = #job.truncated_normal_init<mean = 0.0, stddev = 0.1>
#zero = #job.constant_init<0.0>

job.variable @"conv1-weight" : !job.blob<32x1x5x5xf32> init #weight
job.variable @"conv1-bias" : !job.blob<32xf32> init #zero
job.variable @"conv2-weight" : !job.blob<64x32x5x5xf32> init #weight
job.variable @"conv2-bias" : !job.blob<64xf32> init #zero
job.variable @"dense1-weight" : !job.blob<512x3136xf32> init #weight
job.variable @"dense1-bias" : !job.blob<512xf32> init #zero
job.variable @"dense2-weight" : !job.blob<10x512xf32> init #weight
job.variable @"dense2-bias" : !job.blob<10xf32> init #zero

job.func @train(%images: !job.blob<100x1x28x28xf32> {job.name = "images"},
                %labels: !job.blob<100xi32> {job.name = "labels"})
    -> (!job.blob<100xf32> {job.name = "loss"}) kind train {
  // conv1 = max_pool(relu(conv(images, weight) + bias)): 32 x 14 x 14
  %w0 = job.read @"conv1-weight" : !job.blob<32x1x5x5xf32>
  %b0 = job.read @"conv1-bias" : !job.blob<32xf32>
  %0 = job.conv2d %images, %w0 {strides = array<i64: 1, 1>, padding = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<100x1x28x28xf32>, !job.blob<32x1x5x5xf32>
  %1 = job.broadcast_in_dim %b0 {dims = array<i64: 1>} : !job.blob<32xf32> to !job.blob<100x32x28x28xf32>
  %2 = job.add %0, %1 : !job.blob<100x32x28x28xf32>
  %3 = job.relu %2 : !job.blob<100x32x28x28xf32>
  %conv1 = job.max_pool2d %3 {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<100x32x28x28xf32>

  // conv2, the same with 64 filters: 64 x 7 x 7
  %w1 = job.read @"conv2-weight" : !job.blob<64x32x5x5xf32>
  %b1 = job.read @"conv2-bias" : !job.blob<64xf32>
  %4 = job.conv2d %conv1, %w1 {strides = array<i64: 1, 1>, padding = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<100x32x14x14xf32>, !job.blob<64x32x5x5xf32>
  %5 = job.broadcast_in_dim %b1 {dims = array<i64: 1>} : !job.blob<64xf32> to !job.blob<100x64x14x14xf32>
  %6 = job.add %4, %5 : !job.blob<100x64x14x14xf32>
  %7 = job.relu %6 : !job.blob<100x64x14x14xf32>
  %conv2 = job.max_pool2d %7 {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<100x64x14x14xf32>

  // dense1 = dropout(relu(flat * weight^T + bias)), a new mask in each step
  %flat = job.reshape %conv2 : !job.blob<100x64x7x7xf32> to !job.blob<100x3136xf32>
  %w2 = job.read @"dense1-weight" : !job.blob<512x3136xf32>
  %b2 = job.read @"dense1-bias" : !job.blob<512xf32>
  %8 = job.matmul %flat, %w2 {transpose_rhs = true} : !job.blob<100x3136xf32>, !job.blob<512x3136xf32>
  %9 = job.broadcast_in_dim %b2 {dims = array<i64: 1>} : !job.blob<512xf32> to !job.blob<100x512xf32>
  %10 = job.add %8, %9 : !job.blob<100x512xf32>
  %11 = job.relu %10 : !job.blob<100x512xf32>
  %step = job.step
  %dense1 = job.dropout %11, %step {rate = 0.5, seed = 0 : i64, id = 1 : i64} : !job.blob<100x512xf32>

  // logits = dense1 * weight^T + bias
  %w3 = job.read @"dense2-weight" : !job.blob<10x512xf32>
  %b3 = job.read @"dense2-bias" : !job.blob<10xf32>
  %12 = job.matmul %dense1, %w3 {transpose_rhs = true} : !job.blob<100x512xf32>, !job.blob<10x512xf32>
  %13 = job.broadcast_in_dim %b3 {dims = array<i64: 1>} : !job.blob<10xf32> to !job.blob<100x10xf32>
  %logits = job.add %12, %13 : !job.blob<100x10xf32>

  %loss = job.sparse_softmax_cross_entropy %logits, %labels : !job.blob<100x10xf32>, !job.blob<100xi32>
  job.loss %loss : !job.blob<100xf32>
  job.minimize #job.adam<beta1 = 0.9, beta2 = 0.999, epsilon = 1.0e-08, bias_correction = true> schedule #job.constant_schedule<0.001>
  job.return %loss : !job.blob<100xf32>
}

// The same network without dropout.
job.func @eval(%images: !job.blob<100x1x28x28xf32> {job.name = "images"})
    -> (!job.blob<100x10xf32> {job.name = "logits"}) kind predict {
  // conv1 = max_pool(relu(conv(images, weight) + bias)): 32 x 14 x 14
  %w0 = job.read @"conv1-weight" : !job.blob<32x1x5x5xf32>
  %b0 = job.read @"conv1-bias" : !job.blob<32xf32>
  %0 = job.conv2d %images, %w0 {strides = array<i64: 1, 1>, padding = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<100x1x28x28xf32>, !job.blob<32x1x5x5xf32>
  %1 = job.broadcast_in_dim %b0 {dims = array<i64: 1>} : !job.blob<32xf32> to !job.blob<100x32x28x28xf32>
  %2 = job.add %0, %1 : !job.blob<100x32x28x28xf32>
  %3 = job.relu %2 : !job.blob<100x32x28x28xf32>
  %conv1 = job.max_pool2d %3 {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<100x32x28x28xf32>

  // conv2, the same with 64 filters: 64 x 7 x 7
  %w1 = job.read @"conv2-weight" : !job.blob<64x32x5x5xf32>
  %b1 = job.read @"conv2-bias" : !job.blob<64xf32>
  %4 = job.conv2d %conv1, %w1 {strides = array<i64: 1, 1>, padding = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64} : !job.blob<100x32x14x14xf32>, !job.blob<64x32x5x5xf32>
  %5 = job.broadcast_in_dim %b1 {dims = array<i64: 1>} : !job.blob<64xf32> to !job.blob<100x64x14x14xf32>
  %6 = job.add %4, %5 : !job.blob<100x64x14x14xf32>
  %7 = job.relu %6 : !job.blob<100x64x14x14xf32>
  %conv2 = job.max_pool2d %7 {ksize = array<i64: 2, 2>, strides = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : !job.blob<100x64x14x14xf32>

  // dense1 = relu(flat * weight^T + bias)
  %flat = job.reshape %conv2 : !job.blob<100x64x7x7xf32> to !job.blob<100x3136xf32>
  %w2 = job.read @"dense1-weight" : !job.blob<512x3136xf32>
  %b2 = job.read @"dense1-bias" : !job.blob<512xf32>
  %8 = job.matmul %flat, %w2 {transpose_rhs = true} : !job.blob<100x3136xf32>, !job.blob<512x3136xf32>
  %9 = job.broadcast_in_dim %b2 {dims = array<i64: 1>} : !job.blob<512xf32> to !job.blob<100x512xf32>
  %10 = job.add %8, %9 : !job.blob<100x512xf32>
  %dense1 = job.relu %10 : !job.blob<100x512xf32>

  // logits = dense1 * weight^T + bias
  %w3 = job.read @"dense2-weight" : !job.blob<10x512xf32>
  %b3 = job.read @"dense2-bias" : !job.blob<10xf32>
  %11 = job.matmul %dense1, %w3 {transpose_rhs = true} : !job.blob<100x512xf32>, !job.blob<10x512xf32>
  %12 = job.broadcast_in_dim %b3 {dims = array<i64: 1>} : !job.blob<10xf32> to !job.blob<100x10xf32>
  %logits = job.add %11, %12 : !job.blob<100x10xf32>
  job.return %logits : !job.blob<100x10xf32>
}
