// A multi-layer perceptron 784-512-10 on 28 x 28 images, batch 100: one job
// trains it, one evaluates it with the same variables.
//
//   job-compile mlp.mlir -o mlp.so
//   job-run mlp.so --list
//   job-run mlp.so --entry train --init 1 --steps 10 --json

job.variable @"hidden-weight" : !job.blob<512x784xf32> init #job.truncated_normal_init<mean = 0.0, stddev = 0.1>
job.variable @"hidden-bias" : !job.blob<512xf32> init #job.constant_init<0.0>
job.variable @"output-weight" : !job.blob<10x512xf32> init #job.truncated_normal_init<mean = 0.0, stddev = 0.1>
job.variable @"output-bias" : !job.blob<10xf32> init #job.constant_init<0.0>

job.func @train(%images: !job.blob<100x1x28x28xf32> {job.name = "images"},
                %labels: !job.blob<100xi32> {job.name = "labels"})
    -> (!job.blob<100xf32> {job.name = "loss"}) kind train {
  %x = job.reshape %images : !job.blob<100x1x28x28xf32> to !job.blob<100x784xf32>

  // hidden = relu(x * weight^T + bias)
  %w0 = job.read @"hidden-weight" : !job.blob<512x784xf32>
  %b0 = job.read @"hidden-bias" : !job.blob<512xf32>
  %0 = job.matmul %x, %w0 {transpose_rhs = true} : !job.blob<100x784xf32>, !job.blob<512x784xf32>
  %1 = job.broadcast_in_dim %b0 {dims = array<i64: 1>} : !job.blob<512xf32> to !job.blob<100x512xf32>
  %2 = job.add %0, %1 : !job.blob<100x512xf32>
  %hidden = job.relu %2 : !job.blob<100x512xf32>

  %w1 = job.read @"output-weight" : !job.blob<10x512xf32>
  %b1 = job.read @"output-bias" : !job.blob<10xf32>
  %3 = job.matmul %hidden, %w1 {transpose_rhs = true} : !job.blob<100x512xf32>, !job.blob<10x512xf32>
  %4 = job.broadcast_in_dim %b1 {dims = array<i64: 1>} : !job.blob<10xf32> to !job.blob<100x10xf32>
  %logits = job.add %3, %4 : !job.blob<100x10xf32>

  %loss = job.sparse_softmax_cross_entropy %logits, %labels : !job.blob<100x10xf32>, !job.blob<100xi32>
  job.loss %loss : !job.blob<100xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return %loss : !job.blob<100xf32>
}

job.func @predict(%images: !job.blob<100x1x28x28xf32> {job.name = "images"})
    -> (!job.blob<100x10xf32> {job.name = "logits"}) kind predict {
  %x = job.reshape %images : !job.blob<100x1x28x28xf32> to !job.blob<100x784xf32>
  %w0 = job.read @"hidden-weight" : !job.blob<512x784xf32>
  %b0 = job.read @"hidden-bias" : !job.blob<512xf32>
  %0 = job.matmul %x, %w0 {transpose_rhs = true} : !job.blob<100x784xf32>, !job.blob<512x784xf32>
  %1 = job.broadcast_in_dim %b0 {dims = array<i64: 1>} : !job.blob<512xf32> to !job.blob<100x512xf32>
  %2 = job.add %0, %1 : !job.blob<100x512xf32>
  %hidden = job.relu %2 : !job.blob<100x512xf32>
  %w1 = job.read @"output-weight" : !job.blob<10x512xf32>
  %b1 = job.read @"output-bias" : !job.blob<10xf32>
  %3 = job.matmul %hidden, %w1 {transpose_rhs = true} : !job.blob<100x512xf32>, !job.blob<10x512xf32>
  %4 = job.broadcast_in_dim %b1 {dims = array<i64: 1>} : !job.blob<10xf32> to !job.blob<100x10xf32>
  %logits = job.add %3, %4 : !job.blob<100x10xf32>
  job.return %logits : !job.blob<100x10xf32>
}
