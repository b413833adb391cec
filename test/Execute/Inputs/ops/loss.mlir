// Table of ops: losses. A prediction job for each op and variant, and a
// training job where the op has gradients: its operands are variables, so that
// the gradients show, with first values away from kinks and poles.

job.variable @"logits-5x10xf32" : !job.blob<5x10xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"grad-5xf32" : !job.blob<5xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"weight-5xf32" : !job.blob<5xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"logits-4x3xf32" : !job.blob<4x3xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"grad-4xf32" : !job.blob<4xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"weight-4xf32" : !job.blob<4xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"logits-3x100xf32" : !job.blob<3x100xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"grad-3xf32" : !job.blob<3xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"weight-3xf32" : !job.blob<3xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"logits-2x3x4xf32" : !job.blob<2x3x4xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"grad-2x3xf32" : !job.blob<2x3xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"weight-2x3xf32" : !job.blob<2x3xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"logits-4x5xf64" : !job.blob<4x5xf64> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"grad-4xf64" : !job.blob<4xf64> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"weight-4xf64" : !job.blob<4xf64> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"logits-2x1xf32" : !job.blob<2x1xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"grad-2xf32" : !job.blob<2xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"logits-100x37xf32" : !job.blob<100x37xf32> init #job.random_uniform_init<min = -3.0, max = 3.0>
job.variable @"grad-100xf32" : !job.blob<100xf32> init #job.random_uniform_init<min = 0.5, max = 1.5>
job.variable @"decay-5xf32" : !job.blob<5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>

job.func @sparse_softmax_cross_entropy_i32_f32() -> (!job.blob<5xf32> {job.name = "y"}) kind predict {
  %logits = job.read @"logits-5x10xf32" : !job.blob<5x10xf32>
  %labels = job.constant dense<[0, 9, 3, 7, 3]> : tensor<5xi32>
  %y = job.sparse_softmax_cross_entropy %logits, %labels : !job.blob<5x10xf32>, !job.blob<5xi32>
  job.return %y : !job.blob<5xf32>
}

job.func @sparse_softmax_cross_entropy_grad_i32_f32() -> (!job.blob<5x10xf32> {job.name = "d"}) kind predict {
  %grad = job.read @"grad-5xf32" : !job.blob<5xf32>
  %logits = job.read @"logits-5x10xf32" : !job.blob<5x10xf32>
  %labels = job.constant dense<[0, 9, 3, 7, 3]> : tensor<5xi32>
  %d = job.sparse_softmax_cross_entropy_grad %grad, %logits, %labels : !job.blob<5xf32>, !job.blob<5x10xf32>, !job.blob<5xi32>
  job.return %d : !job.blob<5x10xf32>
}

job.func @train_sparse_softmax_cross_entropy_i32_f32() -> (!job.blob<5xf32> {job.name = "loss"}) kind train {
  %logits = job.read @"logits-5x10xf32" : !job.blob<5x10xf32>
  %labels = job.constant dense<[0, 9, 3, 7, 3]> : tensor<5xi32>
  %y = job.sparse_softmax_cross_entropy %logits, %labels : !job.blob<5x10xf32>, !job.blob<5xi32>
  %weight = job.read @"weight-5xf32" : !job.blob<5xf32>
  %loss = job.mul %y, %weight : !job.blob<5xf32>
  job.loss %loss : !job.blob<5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<5xf32>
}

job.func @sparse_softmax_cross_entropy_i64_f32() -> (!job.blob<4xf32> {job.name = "y"}) kind predict {
  %logits = job.read @"logits-4x3xf32" : !job.blob<4x3xf32>
  %labels = job.constant dense<[2, 0, 1, 1]> : tensor<4xi64>
  %y = job.sparse_softmax_cross_entropy %logits, %labels : !job.blob<4x3xf32>, !job.blob<4xi64>
  job.return %y : !job.blob<4xf32>
}

job.func @sparse_softmax_cross_entropy_grad_i64_f32() -> (!job.blob<4x3xf32> {job.name = "d"}) kind predict {
  %grad = job.read @"grad-4xf32" : !job.blob<4xf32>
  %logits = job.read @"logits-4x3xf32" : !job.blob<4x3xf32>
  %labels = job.constant dense<[2, 0, 1, 1]> : tensor<4xi64>
  %d = job.sparse_softmax_cross_entropy_grad %grad, %logits, %labels : !job.blob<4xf32>, !job.blob<4x3xf32>, !job.blob<4xi64>
  job.return %d : !job.blob<4x3xf32>
}

job.func @train_sparse_softmax_cross_entropy_i64_f32() -> (!job.blob<4xf32> {job.name = "loss"}) kind train {
  %logits = job.read @"logits-4x3xf32" : !job.blob<4x3xf32>
  %labels = job.constant dense<[2, 0, 1, 1]> : tensor<4xi64>
  %y = job.sparse_softmax_cross_entropy %logits, %labels : !job.blob<4x3xf32>, !job.blob<4xi64>
  %weight = job.read @"weight-4xf32" : !job.blob<4xf32>
  %loss = job.mul %y, %weight : !job.blob<4xf32>
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4xf32>
}

job.func @sparse_softmax_cross_entropy_i8_f32() -> (!job.blob<3xf32> {job.name = "y"}) kind predict {
  %logits = job.read @"logits-3x100xf32" : !job.blob<3x100xf32>
  %labels = job.constant dense<[99, 0, 50]> : tensor<3xi8>
  %y = job.sparse_softmax_cross_entropy %logits, %labels : !job.blob<3x100xf32>, !job.blob<3xi8>
  job.return %y : !job.blob<3xf32>
}

job.func @sparse_softmax_cross_entropy_grad_i8_f32() -> (!job.blob<3x100xf32> {job.name = "d"}) kind predict {
  %grad = job.read @"grad-3xf32" : !job.blob<3xf32>
  %logits = job.read @"logits-3x100xf32" : !job.blob<3x100xf32>
  %labels = job.constant dense<[99, 0, 50]> : tensor<3xi8>
  %d = job.sparse_softmax_cross_entropy_grad %grad, %logits, %labels : !job.blob<3xf32>, !job.blob<3x100xf32>, !job.blob<3xi8>
  job.return %d : !job.blob<3x100xf32>
}

job.func @train_sparse_softmax_cross_entropy_i8_f32() -> (!job.blob<3xf32> {job.name = "loss"}) kind train {
  %logits = job.read @"logits-3x100xf32" : !job.blob<3x100xf32>
  %labels = job.constant dense<[99, 0, 50]> : tensor<3xi8>
  %y = job.sparse_softmax_cross_entropy %logits, %labels : !job.blob<3x100xf32>, !job.blob<3xi8>
  %weight = job.read @"weight-3xf32" : !job.blob<3xf32>
  %loss = job.mul %y, %weight : !job.blob<3xf32>
  job.loss %loss : !job.blob<3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<3xf32>
}

job.func @sparse_softmax_cross_entropy_rank3_f32() -> (!job.blob<2x3xf32> {job.name = "y"}) kind predict {
  %logits = job.read @"logits-2x3x4xf32" : !job.blob<2x3x4xf32>
  %labels = job.constant dense<[[0, 1, 2], [3, 3, 0]]> : tensor<2x3xi32>
  %y = job.sparse_softmax_cross_entropy %logits, %labels : !job.blob<2x3x4xf32>, !job.blob<2x3xi32>
  job.return %y : !job.blob<2x3xf32>
}

job.func @sparse_softmax_cross_entropy_grad_rank3_f32() -> (!job.blob<2x3x4xf32> {job.name = "d"}) kind predict {
  %grad = job.read @"grad-2x3xf32" : !job.blob<2x3xf32>
  %logits = job.read @"logits-2x3x4xf32" : !job.blob<2x3x4xf32>
  %labels = job.constant dense<[[0, 1, 2], [3, 3, 0]]> : tensor<2x3xi32>
  %d = job.sparse_softmax_cross_entropy_grad %grad, %logits, %labels : !job.blob<2x3xf32>, !job.blob<2x3x4xf32>, !job.blob<2x3xi32>
  job.return %d : !job.blob<2x3x4xf32>
}

job.func @train_sparse_softmax_cross_entropy_rank3_f32() -> (!job.blob<2x3xf32> {job.name = "loss"}) kind train {
  %logits = job.read @"logits-2x3x4xf32" : !job.blob<2x3x4xf32>
  %labels = job.constant dense<[[0, 1, 2], [3, 3, 0]]> : tensor<2x3xi32>
  %y = job.sparse_softmax_cross_entropy %logits, %labels : !job.blob<2x3x4xf32>, !job.blob<2x3xi32>
  %weight = job.read @"weight-2x3xf32" : !job.blob<2x3xf32>
  %loss = job.mul %y, %weight : !job.blob<2x3xf32>
  job.loss %loss : !job.blob<2x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<2x3xf32>
}

job.func @sparse_softmax_cross_entropy_f64() -> (!job.blob<4xf64> {job.name = "y"}) kind predict {
  %logits = job.read @"logits-4x5xf64" : !job.blob<4x5xf64>
  %labels = job.constant dense<[4, 0, 2, 2]> : tensor<4xi32>
  %y = job.sparse_softmax_cross_entropy %logits, %labels : !job.blob<4x5xf64>, !job.blob<4xi32>
  job.return %y : !job.blob<4xf64>
}

job.func @sparse_softmax_cross_entropy_grad_f64() -> (!job.blob<4x5xf64> {job.name = "d"}) kind predict {
  %grad = job.read @"grad-4xf64" : !job.blob<4xf64>
  %logits = job.read @"logits-4x5xf64" : !job.blob<4x5xf64>
  %labels = job.constant dense<[4, 0, 2, 2]> : tensor<4xi32>
  %d = job.sparse_softmax_cross_entropy_grad %grad, %logits, %labels : !job.blob<4xf64>, !job.blob<4x5xf64>, !job.blob<4xi32>
  job.return %d : !job.blob<4x5xf64>
}

job.func @train_sparse_softmax_cross_entropy_f64() -> (!job.blob<4xf64> {job.name = "loss"}) kind train {
  %logits = job.read @"logits-4x5xf64" : !job.blob<4x5xf64>
  %labels = job.constant dense<[4, 0, 2, 2]> : tensor<4xi32>
  %y = job.sparse_softmax_cross_entropy %logits, %labels : !job.blob<4x5xf64>, !job.blob<4xi32>
  %weight = job.read @"weight-4xf64" : !job.blob<4xf64>
  %loss = job.mul %y, %weight : !job.blob<4xf64>
  job.loss %loss : !job.blob<4xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<4xf64>
}

job.func @sparse_softmax_cross_entropy_one_class_f32() -> (!job.blob<2xf32> {job.name = "y"}) kind predict {
  %logits = job.read @"logits-2x1xf32" : !job.blob<2x1xf32>
  %labels = job.constant dense<[0, 0]> : tensor<2xi32>
  %y = job.sparse_softmax_cross_entropy %logits, %labels : !job.blob<2x1xf32>, !job.blob<2xi32>
  job.return %y : !job.blob<2xf32>
}

job.func @sparse_softmax_cross_entropy_grad_one_class_f32() -> (!job.blob<2x1xf32> {job.name = "d"}) kind predict {
  %grad = job.read @"grad-2xf32" : !job.blob<2xf32>
  %logits = job.read @"logits-2x1xf32" : !job.blob<2x1xf32>
  %labels = job.constant dense<[0, 0]> : tensor<2xi32>
  %d = job.sparse_softmax_cross_entropy_grad %grad, %logits, %labels : !job.blob<2xf32>, !job.blob<2x1xf32>, !job.blob<2xi32>
  job.return %d : !job.blob<2x1xf32>
}

job.func @sparse_softmax_cross_entropy_batch_f32() -> (!job.blob<100xf32> {job.name = "y"}) kind predict {
  %logits = job.read @"logits-100x37xf32" : !job.blob<100x37xf32>
  %labels = job.constant dense<[16, 22, 33, 1, 29, 15, 3, 10, 7, 23, 30, 15, 24, 34, 6, 36, 15, 0, 13, 26, 17, 11, 24, 10, 4, 8, 28, 8, 8, 0, 0, 13, 13, 10, 10, 18, 20, 12, 34, 13, 11, 12, 24, 19, 1, 23, 26, 10, 9, 16, 4, 21, 19, 0, 21, 4, 19, 22, 19, 30, 20, 11, 30, 30, 11, 3, 16, 1, 22, 25, 1, 35, 26, 23, 24, 0, 28, 2, 11, 12, 7, 15, 29, 22, 32, 22, 33, 16, 29, 6, 23, 18, 2, 27, 5, 13, 21, 32, 23, 9]> : tensor<100xi32>
  %y = job.sparse_softmax_cross_entropy %logits, %labels : !job.blob<100x37xf32>, !job.blob<100xi32>
  job.return %y : !job.blob<100xf32>
}

job.func @sparse_softmax_cross_entropy_grad_batch_f32() -> (!job.blob<100x37xf32> {job.name = "d"}) kind predict {
  %grad = job.read @"grad-100xf32" : !job.blob<100xf32>
  %logits = job.read @"logits-100x37xf32" : !job.blob<100x37xf32>
  %labels = job.constant dense<[16, 22, 33, 1, 29, 15, 3, 10, 7, 23, 30, 15, 24, 34, 6, 36, 15, 0, 13, 26, 17, 11, 24, 10, 4, 8, 28, 8, 8, 0, 0, 13, 13, 10, 10, 18, 20, 12, 34, 13, 11, 12, 24, 19, 1, 23, 26, 10, 9, 16, 4, 21, 19, 0, 21, 4, 19, 22, 19, 30, 20, 11, 30, 30, 11, 3, 16, 1, 22, 25, 1, 35, 26, 23, 24, 0, 28, 2, 11, 12, 7, 15, 29, 22, 32, 22, 33, 16, 29, 6, 23, 18, 2, 27, 5, 13, 21, 32, 23, 9]> : tensor<100xi32>
  %d = job.sparse_softmax_cross_entropy_grad %grad, %logits, %labels : !job.blob<100xf32>, !job.blob<100x37xf32>, !job.blob<100xi32>
  job.return %d : !job.blob<100x37xf32>
}

// Large logits stay finite; a label outside of the classes gives NaN.
job.func @sparse_softmax_cross_entropy_special_values() -> (!job.blob<5xf32> {job.name = "y"}, !job.blob<5x3xf32> {job.name = "d"}) kind predict {
  %logits = job.constant dense<[[1.0e4, -1.0e4, 0.0], [88.0, 89.0, 90.0], [-1.0e30, -1.0e30, -1.0e30], [1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]> : tensor<5x3xf32>
  %labels = job.constant dense<[0, 2, 1, 3, -1]> : tensor<5xi32>
  %grad = job.constant dense<[1.0, 2.0, 3.0, 1.0, 1.0]> : tensor<5xf32>
  %y = job.sparse_softmax_cross_entropy %logits, %labels : !job.blob<5x3xf32>, !job.blob<5xi32>
  %d = job.sparse_softmax_cross_entropy_grad %grad, %logits, %labels : !job.blob<5xf32>, !job.blob<5x3xf32>, !job.blob<5xi32>
  job.return %y, %d : !job.blob<5xf32>, !job.blob<5x3xf32>
}

// Two losses of one job.
job.func @train_two_losses() -> (!job.blob<5xf32> {job.name = "loss"}) kind train {
  %logits = job.read @"logits-5x10xf32" : !job.blob<5x10xf32>
  %labels = job.constant dense<[0, 9, 3, 7, 3]> : tensor<5xi32>
  %decay = job.read @"decay-5xf32" : !job.blob<5xf32>
  %y = job.sparse_softmax_cross_entropy %logits, %labels : !job.blob<5x10xf32>, !job.blob<5xi32>
  job.loss %y : !job.blob<5xf32>
  %square = job.mul %decay, %decay : !job.blob<5xf32>
  %weight = job.read @"weight-5xf32" : !job.blob<5xf32>
  %loss = job.mul %square, %weight : !job.blob<5xf32>
  job.loss %loss : !job.blob<5xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.01>
  job.return %loss : !job.blob<5xf32>
}
