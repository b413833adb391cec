// Table of ops: attention. A prediction job for each op and variant, and a
// training job where the op has gradients: its operands are variables, so that
// the gradients show.
// Names say the batch, queries, keys, heads, and the channels of keys and values.
// Logarithms of sums are f32 where the other blobs are f16 or bf16.

!rows_1x1x60 = !job.blob<1x1x60xf32> // stays f32
!rows_1x2x1 = !job.blob<1x2x1xf32> // stays f32
!rows_1x2x130 = !job.blob<1x2x130xf32> // stays f32
!rows_1x2x17 = !job.blob<1x2x17xf32> // stays f32
!rows_1x3x9 = !job.blob<1x3x9xf32> // stays f32
!rows_2x1x1 = !job.blob<2x1x1xf32> // stays f32
!rows_2x2x3 = !job.blob<2x2x3xf32> // stays f32
!rows_2x3x17 = !job.blob<2x3x17xf32> // stays f32
!rows_2x3x12 = !job.blob<2x3x12xf32> // stays f32
!rows_8x4x48 = !job.blob<8x4x48xf32> // stays f32

job.variable @"query-2x1x1x1f32" : !job.blob<2x1x1x1xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"key-2x1x1x1f32" : !job.blob<2x1x1x1xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"value-2x1x1x1f32" : !job.blob<2x1x1x1xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-2x1x1x1f32" : !job.blob<2x1x1x1xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"query-1x1x2x5f32" : !job.blob<1x1x2x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"key-1x17x2x5f32" : !job.blob<1x17x2x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"value-1x17x2x3f32" : !job.blob<1x17x2x3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-1x1x2x3f32" : !job.blob<1x1x2x3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"query-2x17x3x5f32" : !job.blob<2x17x3x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"key-2x17x3x5f32" : !job.blob<2x17x3x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"value-2x17x3x5f32" : !job.blob<2x17x3x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-2x17x3x5f32" : !job.blob<2x17x3x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"query-1x17x2x16f32" : !job.blob<1x17x2x16xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"key-1x40x2x16f32" : !job.blob<1x40x2x16xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"value-1x40x2x8f32" : !job.blob<1x40x2x8xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-1x17x2x8f32" : !job.blob<1x17x2x8xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"query-1x9x3x4f32" : !job.blob<1x9x3x4xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"key-1x2x3x4f32" : !job.blob<1x2x3x4xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"value-1x2x3x7f32" : !job.blob<1x2x3x7xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-1x9x3x7f32" : !job.blob<1x9x3x7xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"query-1x60x1x8f32" : !job.blob<1x60x1x8xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"key-1x300x1x8f32" : !job.blob<1x300x1x8xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"value-1x300x1x20f32" : !job.blob<1x300x1x20xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-1x60x1x20f32" : !job.blob<1x60x1x20xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"query-1x130x2x64f32" : !job.blob<1x130x2x64xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"key-1x300x2x64f32" : !job.blob<1x300x2x64xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"value-1x300x2x64f32" : !job.blob<1x300x2x64xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-1x130x2x64f32" : !job.blob<1x130x2x64xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"query-8x48x4x32f32" : !job.blob<8x48x4x32xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"key-8x48x4x32f32" : !job.blob<8x48x4x32xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"value-8x48x4x32f32" : !job.blob<8x48x4x32xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-8x48x4x32f32" : !job.blob<8x48x4x32xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"query-2x5x2x3f64" : !job.blob<2x5x2x3xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"key-2x7x2x3f64" : !job.blob<2x7x2x3xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"value-2x7x2x4f64" : !job.blob<2x7x2x4xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-2x5x2x4f64" : !job.blob<2x5x2x4xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"query-1x6x1x5f64" : !job.blob<1x6x1x5xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"key-1x4x1x5f64" : !job.blob<1x4x1x5xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"value-1x4x1x2f64" : !job.blob<1x4x1x2xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-1x6x1x2f64" : !job.blob<1x6x1x2xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"query-2x4x3x5f32" : !job.blob<2x4x3x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"key-2x6x3x5f32" : !job.blob<2x6x3x5xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"value-2x6x3x3f32" : !job.blob<2x6x3x3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x4x3x3f32" : !job.blob<2x4x3x3xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"query-1x3x1x4f32" : !job.blob<1x3x1x4xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"key-1x2x1x4f32" : !job.blob<1x2x1x4xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"value-1x2x1x4f32" : !job.blob<1x2x1x4xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-1x3x1x4f32" : !job.blob<1x3x1x4xf32> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"query-2x3x2x3f64" : !job.blob<2x3x2x3xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"key-2x4x2x3f64" : !job.blob<2x4x2x3xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"value-2x4x2x2f64" : !job.blob<2x4x2x2xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x3x2x2f64" : !job.blob<2x3x2x2xf64> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"query-2x3x2x3f32" : !job.blob<2x3x2x3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"key-2x4x2x3f32" : !job.blob<2x4x2x3xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"value-2x4x2x2f32" : !job.blob<2x4x2x2xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x2x3f32" : !rows_2x2x3 init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"key-2x3x2x3f64" : !job.blob<2x3x2x3xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"value-2x3x2x2f64" : !job.blob<2x3x2x2xf64> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"weight-2x2x3f64" : !job.blob<2x2x3xf64> init #job.random_uniform_init<min = 0.5, max = 1.5> {trainable = false}
job.variable @"heads-2x12x9x16f32" : !job.blob<2x12x9x16xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"heads-2x14x6x16f32" : !job.blob<2x14x6x16xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"heads-24x144f32" : !job.blob<24x144xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"heads-2x12x3x16f32" : !job.blob<2x12x3x16xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>
job.variable @"grad-2x12x3x16f32" : !job.blob<2x12x3x16xf32> init #job.random_uniform_init<min = -1.0, max = 1.0>

// K = 1
job.func @attention_causal_2x1x1x1x1x1_f32() -> (!job.blob<2x1x1x1xf32> {job.name = "y"}, !rows_2x1x1 {job.name = "l"}) kind predict {
  %q = job.read @"query-2x1x1x1f32" : !job.blob<2x1x1x1xf32>
  %k = job.read @"key-2x1x1x1f32" : !job.blob<2x1x1x1xf32>
  %v = job.read @"value-2x1x1x1f32" : !job.blob<2x1x1x1xf32>
  %y, %l = job.attention %q, %k, %v {causal = true, scale = 1.0 : f64} : !job.blob<2x1x1x1xf32>, !job.blob<2x1x1x1xf32>, !job.blob<2x1x1x1xf32>
  job.return %y, %l : !job.blob<2x1x1x1xf32>, !rows_2x1x1
}

// K = 4
job.func @attention_grad_causal_2x1x1x1x1x1_f32() -> (!job.blob<2x1x1x1xf32> {job.name = "dq"}, !job.blob<2x1x1x1xf32> {job.name = "dk"}, !job.blob<2x1x1x1xf32> {job.name = "dv"}) kind predict {
  %q = job.read @"query-2x1x1x1f32" : !job.blob<2x1x1x1xf32>
  %k = job.read @"key-2x1x1x1f32" : !job.blob<2x1x1x1xf32>
  %v = job.read @"value-2x1x1x1f32" : !job.blob<2x1x1x1xf32>
  %g = job.read @"grad-2x1x1x1f32" : !job.blob<2x1x1x1xf32>
  %y, %l = job.attention %q, %k, %v {causal = true, scale = 1.0 : f64} : !job.blob<2x1x1x1xf32>, !job.blob<2x1x1x1xf32>, !job.blob<2x1x1x1xf32>
  %dq, %dk, %dv = job.attention_grad %g, %q, %k, %v, %y, %l {causal = true, scale = 1.0 : f64} : !job.blob<2x1x1x1xf32>, !job.blob<2x1x1x1xf32>, !job.blob<2x1x1x1xf32>, !job.blob<2x1x1x1xf32>, !rows_2x1x1
  job.return %dq, %dk, %dv : !job.blob<2x1x1x1xf32>, !job.blob<2x1x1x1xf32>, !job.blob<2x1x1x1xf32>
}

// K = 17
job.func @attention_1x1x17x2x5x3_f32() -> (!job.blob<1x1x2x3xf32> {job.name = "y"}, !rows_1x2x1 {job.name = "l"}) kind predict {
  %q = job.read @"query-1x1x2x5f32" : !job.blob<1x1x2x5xf32>
  %k = job.read @"key-1x17x2x5f32" : !job.blob<1x17x2x5xf32>
  %v = job.read @"value-1x17x2x3f32" : !job.blob<1x17x2x3xf32>
  %y, %l = job.attention %q, %k, %v {scale = 0.5 : f64} : !job.blob<1x1x2x5xf32>, !job.blob<1x17x2x5xf32>, !job.blob<1x17x2x3xf32>
  job.return %y, %l : !job.blob<1x1x2x3xf32>, !rows_1x2x1
}

// K = 26
job.func @attention_grad_1x1x17x2x5x3_f32() -> (!job.blob<1x1x2x5xf32> {job.name = "dq"}, !job.blob<1x17x2x5xf32> {job.name = "dk"}, !job.blob<1x17x2x3xf32> {job.name = "dv"}) kind predict {
  %q = job.read @"query-1x1x2x5f32" : !job.blob<1x1x2x5xf32>
  %k = job.read @"key-1x17x2x5f32" : !job.blob<1x17x2x5xf32>
  %v = job.read @"value-1x17x2x3f32" : !job.blob<1x17x2x3xf32>
  %g = job.read @"grad-1x1x2x3f32" : !job.blob<1x1x2x3xf32>
  %y, %l = job.attention %q, %k, %v {scale = 0.5 : f64} : !job.blob<1x1x2x5xf32>, !job.blob<1x17x2x5xf32>, !job.blob<1x17x2x3xf32>
  %dq, %dk, %dv = job.attention_grad %g, %q, %k, %v, %y, %l {scale = 0.5 : f64} : !job.blob<1x1x2x3xf32>, !job.blob<1x1x2x5xf32>, !job.blob<1x17x2x5xf32>, !job.blob<1x17x2x3xf32>, !rows_1x2x1
  job.return %dq, %dk, %dv : !job.blob<1x1x2x5xf32>, !job.blob<1x17x2x5xf32>, !job.blob<1x17x2x3xf32>
}

// K = 17
job.func @attention_causal_2x17x17x3x5x5_f32() -> (!job.blob<2x17x3x5xf32> {job.name = "y"}, !rows_2x3x17 {job.name = "l"}) kind predict {
  %q = job.read @"query-2x17x3x5f32" : !job.blob<2x17x3x5xf32>
  %k = job.read @"key-2x17x3x5f32" : !job.blob<2x17x3x5xf32>
  %v = job.read @"value-2x17x3x5f32" : !job.blob<2x17x3x5xf32>
  %y, %l = job.attention %q, %k, %v {causal = true, scale = 0.4472135954999579 : f64} : !job.blob<2x17x3x5xf32>, !job.blob<2x17x3x5xf32>, !job.blob<2x17x3x5xf32>
  job.return %y, %l : !job.blob<2x17x3x5xf32>, !rows_2x3x17
}

// K = 44
job.func @attention_grad_causal_2x17x17x3x5x5_f32() -> (!job.blob<2x17x3x5xf32> {job.name = "dq"}, !job.blob<2x17x3x5xf32> {job.name = "dk"}, !job.blob<2x17x3x5xf32> {job.name = "dv"}) kind predict {
  %q = job.read @"query-2x17x3x5f32" : !job.blob<2x17x3x5xf32>
  %k = job.read @"key-2x17x3x5f32" : !job.blob<2x17x3x5xf32>
  %v = job.read @"value-2x17x3x5f32" : !job.blob<2x17x3x5xf32>
  %g = job.read @"grad-2x17x3x5f32" : !job.blob<2x17x3x5xf32>
  %y, %l = job.attention %q, %k, %v {causal = true, scale = 0.4472135954999579 : f64} : !job.blob<2x17x3x5xf32>, !job.blob<2x17x3x5xf32>, !job.blob<2x17x3x5xf32>
  %dq, %dk, %dv = job.attention_grad %g, %q, %k, %v, %y, %l {causal = true, scale = 0.4472135954999579 : f64} : !job.blob<2x17x3x5xf32>, !job.blob<2x17x3x5xf32>, !job.blob<2x17x3x5xf32>, !job.blob<2x17x3x5xf32>, !rows_2x3x17
  job.return %dq, %dk, %dv : !job.blob<2x17x3x5xf32>, !job.blob<2x17x3x5xf32>, !job.blob<2x17x3x5xf32>
}

// K = 40
job.func @attention_causal_1x17x40x2x16x8_f32() -> (!job.blob<1x17x2x8xf32> {job.name = "y"}, !rows_1x2x17 {job.name = "l"}) kind predict {
  %q = job.read @"query-1x17x2x16f32" : !job.blob<1x17x2x16xf32>
  %k = job.read @"key-1x40x2x16f32" : !job.blob<1x40x2x16xf32>
  %v = job.read @"value-1x40x2x8f32" : !job.blob<1x40x2x8xf32>
  %y, %l = job.attention %q, %k, %v {causal = true, scale = -0.25 : f64} : !job.blob<1x17x2x16xf32>, !job.blob<1x40x2x16xf32>, !job.blob<1x40x2x8xf32>
  job.return %y, %l : !job.blob<1x17x2x8xf32>, !rows_1x2x17
}

// K = 81
job.func @attention_grad_causal_1x17x40x2x16x8_f32() -> (!job.blob<1x17x2x16xf32> {job.name = "dq"}, !job.blob<1x40x2x16xf32> {job.name = "dk"}, !job.blob<1x40x2x8xf32> {job.name = "dv"}) kind predict {
  %q = job.read @"query-1x17x2x16f32" : !job.blob<1x17x2x16xf32>
  %k = job.read @"key-1x40x2x16f32" : !job.blob<1x40x2x16xf32>
  %v = job.read @"value-1x40x2x8f32" : !job.blob<1x40x2x8xf32>
  %g = job.read @"grad-1x17x2x8f32" : !job.blob<1x17x2x8xf32>
  %y, %l = job.attention %q, %k, %v {causal = true, scale = -0.25 : f64} : !job.blob<1x17x2x16xf32>, !job.blob<1x40x2x16xf32>, !job.blob<1x40x2x8xf32>
  %dq, %dk, %dv = job.attention_grad %g, %q, %k, %v, %y, %l {causal = true, scale = -0.25 : f64} : !job.blob<1x17x2x8xf32>, !job.blob<1x17x2x16xf32>, !job.blob<1x40x2x16xf32>, !job.blob<1x40x2x8xf32>, !rows_1x2x17
  job.return %dq, %dk, %dv : !job.blob<1x17x2x16xf32>, !job.blob<1x40x2x16xf32>, !job.blob<1x40x2x8xf32>
}

// K = 2
job.func @attention_1x9x2x3x4x7_f32() -> (!job.blob<1x9x3x7xf32> {job.name = "y"}, !rows_1x3x9 {job.name = "l"}) kind predict {
  %q = job.read @"query-1x9x3x4f32" : !job.blob<1x9x3x4xf32>
  %k = job.read @"key-1x2x3x4f32" : !job.blob<1x2x3x4xf32>
  %v = job.read @"value-1x2x3x7f32" : !job.blob<1x2x3x7xf32>
  %y, %l = job.attention %q, %k, %v {scale = 2.0 : f64} : !job.blob<1x9x3x4xf32>, !job.blob<1x2x3x4xf32>, !job.blob<1x2x3x7xf32>
  job.return %y, %l : !job.blob<1x9x3x7xf32>, !rows_1x3x9
}

// K = 22
job.func @attention_grad_1x9x2x3x4x7_f32() -> (!job.blob<1x9x3x4xf32> {job.name = "dq"}, !job.blob<1x2x3x4xf32> {job.name = "dk"}, !job.blob<1x2x3x7xf32> {job.name = "dv"}) kind predict {
  %q = job.read @"query-1x9x3x4f32" : !job.blob<1x9x3x4xf32>
  %k = job.read @"key-1x2x3x4f32" : !job.blob<1x2x3x4xf32>
  %v = job.read @"value-1x2x3x7f32" : !job.blob<1x2x3x7xf32>
  %g = job.read @"grad-1x9x3x7f32" : !job.blob<1x9x3x7xf32>
  %y, %l = job.attention %q, %k, %v {scale = 2.0 : f64} : !job.blob<1x9x3x4xf32>, !job.blob<1x2x3x4xf32>, !job.blob<1x2x3x7xf32>
  %dq, %dk, %dv = job.attention_grad %g, %q, %k, %v, %y, %l {scale = 2.0 : f64} : !job.blob<1x9x3x7xf32>, !job.blob<1x9x3x4xf32>, !job.blob<1x2x3x4xf32>, !job.blob<1x2x3x7xf32>, !rows_1x3x9
  job.return %dq, %dk, %dv : !job.blob<1x9x3x4xf32>, !job.blob<1x2x3x4xf32>, !job.blob<1x2x3x7xf32>
}

// K = 300
job.func @attention_1x60x300x1x8x20_f32() -> (!job.blob<1x60x1x20xf32> {job.name = "y"}, !rows_1x1x60 {job.name = "l"}) kind predict {
  %q = job.read @"query-1x60x1x8f32" : !job.blob<1x60x1x8xf32>
  %k = job.read @"key-1x300x1x8f32" : !job.blob<1x300x1x8xf32>
  %v = job.read @"value-1x300x1x20f32" : !job.blob<1x300x1x20xf32>
  %y, %l = job.attention %q, %k, %v {scale = 0.35 : f64} : !job.blob<1x60x1x8xf32>, !job.blob<1x300x1x8xf32>, !job.blob<1x300x1x20xf32>
  job.return %y, %l : !job.blob<1x60x1x20xf32>, !rows_1x1x60
}

// K = 388
job.func @attention_grad_1x60x300x1x8x20_f32() -> (!job.blob<1x60x1x8xf32> {job.name = "dq"}, !job.blob<1x300x1x8xf32> {job.name = "dk"}, !job.blob<1x300x1x20xf32> {job.name = "dv"}) kind predict {
  %q = job.read @"query-1x60x1x8f32" : !job.blob<1x60x1x8xf32>
  %k = job.read @"key-1x300x1x8f32" : !job.blob<1x300x1x8xf32>
  %v = job.read @"value-1x300x1x20f32" : !job.blob<1x300x1x20xf32>
  %g = job.read @"grad-1x60x1x20f32" : !job.blob<1x60x1x20xf32>
  %y, %l = job.attention %q, %k, %v {scale = 0.35 : f64} : !job.blob<1x60x1x8xf32>, !job.blob<1x300x1x8xf32>, !job.blob<1x300x1x20xf32>
  %dq, %dk, %dv = job.attention_grad %g, %q, %k, %v, %y, %l {scale = 0.35 : f64} : !job.blob<1x60x1x20xf32>, !job.blob<1x60x1x8xf32>, !job.blob<1x300x1x8xf32>, !job.blob<1x300x1x20xf32>, !rows_1x1x60
  job.return %dq, %dk, %dv : !job.blob<1x60x1x8xf32>, !job.blob<1x300x1x8xf32>, !job.blob<1x300x1x20xf32>
}

// K = 300
job.func @attention_causal_1x130x300x2x64x64_f32() -> (!job.blob<1x130x2x64xf32> {job.name = "y"}, !rows_1x2x130 {job.name = "l"}) kind predict {
  %q = job.read @"query-1x130x2x64f32" : !job.blob<1x130x2x64xf32>
  %k = job.read @"key-1x300x2x64f32" : !job.blob<1x300x2x64xf32>
  %v = job.read @"value-1x300x2x64f32" : !job.blob<1x300x2x64xf32>
  %y, %l = job.attention %q, %k, %v {causal = true, scale = 0.125 : f64} : !job.blob<1x130x2x64xf32>, !job.blob<1x300x2x64xf32>, !job.blob<1x300x2x64xf32>
  job.return %y, %l : !job.blob<1x130x2x64xf32>, !rows_1x2x130
}

// K = 558
job.func @attention_grad_causal_1x130x300x2x64x64_f32() -> (!job.blob<1x130x2x64xf32> {job.name = "dq"}, !job.blob<1x300x2x64xf32> {job.name = "dk"}, !job.blob<1x300x2x64xf32> {job.name = "dv"}) kind predict {
  %q = job.read @"query-1x130x2x64f32" : !job.blob<1x130x2x64xf32>
  %k = job.read @"key-1x300x2x64f32" : !job.blob<1x300x2x64xf32>
  %v = job.read @"value-1x300x2x64f32" : !job.blob<1x300x2x64xf32>
  %g = job.read @"grad-1x130x2x64f32" : !job.blob<1x130x2x64xf32>
  %y, %l = job.attention %q, %k, %v {causal = true, scale = 0.125 : f64} : !job.blob<1x130x2x64xf32>, !job.blob<1x300x2x64xf32>, !job.blob<1x300x2x64xf32>
  %dq, %dk, %dv = job.attention_grad %g, %q, %k, %v, %y, %l {causal = true, scale = 0.125 : f64} : !job.blob<1x130x2x64xf32>, !job.blob<1x130x2x64xf32>, !job.blob<1x300x2x64xf32>, !job.blob<1x300x2x64xf32>, !rows_1x2x130
  job.return %dq, %dk, %dv : !job.blob<1x130x2x64xf32>, !job.blob<1x300x2x64xf32>, !job.blob<1x300x2x64xf32>
}

// K = 48
job.func @attention_causal_8x48x48x4x32x32_f32() -> (!job.blob<8x48x4x32xf32> {job.name = "y"}, !rows_8x4x48 {job.name = "l"}) kind predict {
  %q = job.read @"query-8x48x4x32f32" : !job.blob<8x48x4x32xf32>
  %k = job.read @"key-8x48x4x32f32" : !job.blob<8x48x4x32xf32>
  %v = job.read @"value-8x48x4x32f32" : !job.blob<8x48x4x32xf32>
  %y, %l = job.attention %q, %k, %v {causal = true, scale = 0.17677669529663687 : f64} : !job.blob<8x48x4x32xf32>, !job.blob<8x48x4x32xf32>, !job.blob<8x48x4x32xf32>
  job.return %y, %l : !job.blob<8x48x4x32xf32>, !rows_8x4x48
}

// K = 160
job.func @attention_grad_causal_8x48x48x4x32x32_f32() -> (!job.blob<8x48x4x32xf32> {job.name = "dq"}, !job.blob<8x48x4x32xf32> {job.name = "dk"}, !job.blob<8x48x4x32xf32> {job.name = "dv"}) kind predict {
  %q = job.read @"query-8x48x4x32f32" : !job.blob<8x48x4x32xf32>
  %k = job.read @"key-8x48x4x32f32" : !job.blob<8x48x4x32xf32>
  %v = job.read @"value-8x48x4x32f32" : !job.blob<8x48x4x32xf32>
  %g = job.read @"grad-8x48x4x32f32" : !job.blob<8x48x4x32xf32>
  %y, %l = job.attention %q, %k, %v {causal = true, scale = 0.17677669529663687 : f64} : !job.blob<8x48x4x32xf32>, !job.blob<8x48x4x32xf32>, !job.blob<8x48x4x32xf32>
  %dq, %dk, %dv = job.attention_grad %g, %q, %k, %v, %y, %l {causal = true, scale = 0.17677669529663687 : f64} : !job.blob<8x48x4x32xf32>, !job.blob<8x48x4x32xf32>, !job.blob<8x48x4x32xf32>, !job.blob<8x48x4x32xf32>, !rows_8x4x48
  job.return %dq, %dk, %dv : !job.blob<8x48x4x32xf32>, !job.blob<8x48x4x32xf32>, !job.blob<8x48x4x32xf32>
}

// K = 7
job.func @attention_causal_2x5x7x2x3x4_f64() -> (!job.blob<2x5x2x4xf64> {job.name = "y"}, !job.blob<2x2x5xf64> {job.name = "l"}) kind predict {
  %q = job.read @"query-2x5x2x3f64" : !job.blob<2x5x2x3xf64>
  %k = job.read @"key-2x7x2x3f64" : !job.blob<2x7x2x3xf64>
  %v = job.read @"value-2x7x2x4f64" : !job.blob<2x7x2x4xf64>
  %y, %l = job.attention %q, %k, %v {causal = true, scale = 0.5 : f64} : !job.blob<2x5x2x3xf64>, !job.blob<2x7x2x3xf64>, !job.blob<2x7x2x4xf64>
  job.return %y, %l : !job.blob<2x5x2x4xf64>, !job.blob<2x2x5xf64>
}

// K = 19
job.func @attention_grad_causal_2x5x7x2x3x4_f64() -> (!job.blob<2x5x2x3xf64> {job.name = "dq"}, !job.blob<2x7x2x3xf64> {job.name = "dk"}, !job.blob<2x7x2x4xf64> {job.name = "dv"}) kind predict {
  %q = job.read @"query-2x5x2x3f64" : !job.blob<2x5x2x3xf64>
  %k = job.read @"key-2x7x2x3f64" : !job.blob<2x7x2x3xf64>
  %v = job.read @"value-2x7x2x4f64" : !job.blob<2x7x2x4xf64>
  %g = job.read @"grad-2x5x2x4f64" : !job.blob<2x5x2x4xf64>
  %y, %l = job.attention %q, %k, %v {causal = true, scale = 0.5 : f64} : !job.blob<2x5x2x3xf64>, !job.blob<2x7x2x3xf64>, !job.blob<2x7x2x4xf64>
  %dq, %dk, %dv = job.attention_grad %g, %q, %k, %v, %y, %l {causal = true, scale = 0.5 : f64} : !job.blob<2x5x2x4xf64>, !job.blob<2x5x2x3xf64>, !job.blob<2x7x2x3xf64>, !job.blob<2x7x2x4xf64>, !job.blob<2x2x5xf64>
  job.return %dq, %dk, %dv : !job.blob<2x5x2x3xf64>, !job.blob<2x7x2x3xf64>, !job.blob<2x7x2x4xf64>
}

// K = 4
job.func @attention_1x6x4x1x5x2_f64() -> (!job.blob<1x6x1x2xf64> {job.name = "y"}, !job.blob<1x1x6xf64> {job.name = "l"}) kind predict {
  %q = job.read @"query-1x6x1x5f64" : !job.blob<1x6x1x5xf64>
  %k = job.read @"key-1x4x1x5f64" : !job.blob<1x4x1x5xf64>
  %v = job.read @"value-1x4x1x2f64" : !job.blob<1x4x1x2xf64>
  %y, %l = job.attention %q, %k, %v {scale = 0.5 : f64} : !job.blob<1x6x1x5xf64>, !job.blob<1x4x1x5xf64>, !job.blob<1x4x1x2xf64>
  job.return %y, %l : !job.blob<1x6x1x2xf64>, !job.blob<1x1x6xf64>
}

// K = 17
job.func @attention_grad_1x6x4x1x5x2_f64() -> (!job.blob<1x6x1x5xf64> {job.name = "dq"}, !job.blob<1x4x1x5xf64> {job.name = "dk"}, !job.blob<1x4x1x2xf64> {job.name = "dv"}) kind predict {
  %q = job.read @"query-1x6x1x5f64" : !job.blob<1x6x1x5xf64>
  %k = job.read @"key-1x4x1x5f64" : !job.blob<1x4x1x5xf64>
  %v = job.read @"value-1x4x1x2f64" : !job.blob<1x4x1x2xf64>
  %g = job.read @"grad-1x6x1x2f64" : !job.blob<1x6x1x2xf64>
  %y, %l = job.attention %q, %k, %v {scale = 0.5 : f64} : !job.blob<1x6x1x5xf64>, !job.blob<1x4x1x5xf64>, !job.blob<1x4x1x2xf64>
  %dq, %dk, %dv = job.attention_grad %g, %q, %k, %v, %y, %l {scale = 0.5 : f64} : !job.blob<1x6x1x2xf64>, !job.blob<1x6x1x5xf64>, !job.blob<1x4x1x5xf64>, !job.blob<1x4x1x2xf64>, !job.blob<1x1x6xf64>
  job.return %dq, %dk, %dv : !job.blob<1x6x1x5xf64>, !job.blob<1x4x1x5xf64>, !job.blob<1x4x1x2xf64>
}

job.func @train_attention_causal_2x4x6x3x5x3_f32() -> (!job.blob<2x4x3x3xf32> {job.name = "loss"}) kind train {
  %q = job.read @"query-2x4x3x5f32" : !job.blob<2x4x3x5xf32>
  %k = job.read @"key-2x6x3x5f32" : !job.blob<2x6x3x5xf32>
  %v = job.read @"value-2x6x3x3f32" : !job.blob<2x6x3x3xf32>
  %wy = job.read @"weight-2x4x3x3f32" : !job.blob<2x4x3x3xf32>
  %y, %l = job.attention %q, %k, %v {causal = true, scale = 0.5 : f64} : !job.blob<2x4x3x5xf32>, !job.blob<2x6x3x5xf32>, !job.blob<2x6x3x3xf32>
  %loss = job.mul %y, %wy : !job.blob<2x4x3x3xf32>
  job.loss %loss : !job.blob<2x4x3x3xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.5>
  job.return %loss : !job.blob<2x4x3x3xf32>
}

job.func @train_attention_1x3x2x1x4x4_f32() -> (!job.blob<1x3x1x4xf32> {job.name = "loss"}) kind train {
  %q = job.read @"query-1x3x1x4f32" : !job.blob<1x3x1x4xf32>
  %k = job.read @"key-1x2x1x4f32" : !job.blob<1x2x1x4xf32>
  %v = job.read @"value-1x2x1x4f32" : !job.blob<1x2x1x4xf32>
  %wy = job.read @"weight-1x3x1x4f32" : !job.blob<1x3x1x4xf32>
  %y, %l = job.attention %q, %k, %v {scale = 0.5 : f64} : !job.blob<1x3x1x4xf32>, !job.blob<1x2x1x4xf32>, !job.blob<1x2x1x4xf32>
  %loss = job.mul %y, %wy : !job.blob<1x3x1x4xf32>
  job.loss %loss : !job.blob<1x3x1x4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.5>
  job.return %loss : !job.blob<1x3x1x4xf32>
}

job.func @train_attention_causal_2x3x4x2x3x2_f64() -> (!job.blob<2x3x2x2xf64> {job.name = "loss"}) kind train {
  %q = job.read @"query-2x3x2x3f64" : !job.blob<2x3x2x3xf64>
  %k = job.read @"key-2x4x2x3f64" : !job.blob<2x4x2x3xf64>
  %v = job.read @"value-2x4x2x2f64" : !job.blob<2x4x2x2xf64>
  %wy = job.read @"weight-2x3x2x2f64" : !job.blob<2x3x2x2xf64>
  %y, %l = job.attention %q, %k, %v {causal = true, scale = 0.5 : f64} : !job.blob<2x3x2x3xf64>, !job.blob<2x4x2x3xf64>, !job.blob<2x4x2x2xf64>
  %loss = job.mul %y, %wy : !job.blob<2x3x2x2xf64>
  job.loss %loss : !job.blob<2x3x2x2xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.5>
  job.return %loss : !job.blob<2x3x2x2xf64>
}

// Only the logarithm of the sums.
job.func @train_attention_lse_causal_2x3x4x2x3x2_f32() -> (!rows_2x2x3 {job.name = "loss"}) kind train {
  %q = job.read @"query-2x3x2x3f32" : !job.blob<2x3x2x3xf32>
  %k = job.read @"key-2x4x2x3f32" : !job.blob<2x4x2x3xf32>
  %v = job.read @"value-2x4x2x2f32" : !job.blob<2x4x2x2xf32>
  %wl = job.read @"weight-2x2x3f32" : !rows_2x2x3
  %y, %l = job.attention %q, %k, %v {causal = true, scale = 0.5 : f64} : !job.blob<2x3x2x3xf32>, !job.blob<2x4x2x3xf32>, !job.blob<2x4x2x2xf32>
  %loss = job.mul %l, %wl : !rows_2x2x3
  job.loss %loss : !rows_2x2x3
  job.minimize #job.sgd schedule #job.constant_schedule<0.5>
  job.return %loss : !rows_2x2x3
}

// Both results.
job.func @train_attention_both_causal_2x3x3x2x3x2_f64() -> (!job.blob<2x2x3xf64> {job.name = "loss"}) kind train {
  %q = job.read @"query-2x3x2x3f64" : !job.blob<2x3x2x3xf64>
  %k = job.read @"key-2x3x2x3f64" : !job.blob<2x3x2x3xf64>
  %v = job.read @"value-2x3x2x2f64" : !job.blob<2x3x2x2xf64>
  %wy = job.read @"weight-2x3x2x2f64" : !job.blob<2x3x2x2xf64>
  %wl = job.read @"weight-2x2x3f64" : !job.blob<2x2x3xf64>
  %y, %l = job.attention %q, %k, %v {causal = true, scale = 0.75 : f64} : !job.blob<2x3x2x3xf64>, !job.blob<2x3x2x3xf64>, !job.blob<2x3x2x2xf64>
  %0 = job.mul %y, %wy : !job.blob<2x3x2x2xf64>
  %1 = job.reduce_sum %0 {axes = array<i64: 3>} : !job.blob<2x3x2x2xf64>
  %2 = job.transpose %1 {permutation = array<i64: 0, 2, 1>} : !job.blob<2x3x2xf64>
  %3 = job.mul %l, %wl : !job.blob<2x2x3xf64>
  %loss = job.add %2, %3 : !job.blob<2x2x3xf64>
  job.loss %loss : !job.blob<2x2x3xf64>
  job.minimize #job.sgd schedule #job.constant_schedule<0.5>
  job.return %loss : !job.blob<2x2x3xf64>
}

// Heads of larger blobs, and gradients in one blob.

// K = 12
job.func @attention_heads_2x12x9x16_f32() -> (!job.blob<2x12x3x16xf32> {job.name = "y"}, !rows_2x3x12 {job.name = "l"}) kind predict {
  %x = job.read @"heads-2x12x9x16f32" : !job.blob<2x12x9x16xf32>
  %y, %l = job.attention %x, %x, %x {causal = true, heads_after = array<i64: 6, 3, 0>, heads_before = array<i64: 0, 3, 6>, scale = 0.25 : f64} : !job.blob<2x12x9x16xf32>, !job.blob<2x12x9x16xf32>, !job.blob<2x12x9x16xf32>
  job.return %y, %l : !job.blob<2x12x3x16xf32>, !rows_2x3x12
}

// K = 56
job.func @attention_grad_heads_2x12x9x16_f32() -> (!job.blob<2x12x9x16xf32> {job.name = "dx"}) kind predict {
  %x = job.read @"heads-2x12x9x16f32" : !job.blob<2x12x9x16xf32>
  %g = job.read @"grad-2x12x3x16f32" : !job.blob<2x12x3x16xf32>
  %y, %l = job.attention %x, %x, %x {causal = true, heads_after = array<i64: 6, 3, 0>, heads_before = array<i64: 0, 3, 6>, scale = 0.25 : f64} : !job.blob<2x12x9x16xf32>, !job.blob<2x12x9x16xf32>, !job.blob<2x12x9x16xf32>
  %dx = job.attention_grad %g, %x, %x, %x, %y, %l {causal = true, heads_after = array<i64: 6, 3, 0>, heads_before = array<i64: 0, 3, 6>, join_key_value = true, join_query_key = true, scale = 0.25 : f64} : !job.blob<2x12x3x16xf32>, !job.blob<2x12x9x16xf32>, !job.blob<2x12x9x16xf32>, !job.blob<2x12x9x16xf32>, !rows_2x3x12
  job.return %dx : !job.blob<2x12x9x16xf32>
}

// K = 58
job.func @attention_grad_cross_heads_2x12x14x3x16_f32() -> (!job.blob<2x12x3x16xf32> {job.name = "dq"}, !job.blob<2x14x6x16xf32> {job.name = "dkv"}) kind predict {
  %q = job.read @"heads-2x12x3x16f32" : !job.blob<2x12x3x16xf32>
  %kv = job.read @"heads-2x14x6x16f32" : !job.blob<2x14x6x16xf32>
  %g = job.read @"grad-2x12x3x16f32" : !job.blob<2x12x3x16xf32>
  %y, %l = job.attention %q, %kv, %kv {heads_after = array<i64: 0, 3, 0>, heads_before = array<i64: 0, 0, 3>, scale = 0.25 : f64} : !job.blob<2x12x3x16xf32>, !job.blob<2x14x6x16xf32>, !job.blob<2x14x6x16xf32>
  %dq, %dkv = job.attention_grad %g, %q, %kv, %kv, %y, %l {heads_after = array<i64: 0, 3, 0>, heads_before = array<i64: 0, 0, 3>, join_key_value = true, scale = 0.25 : f64} : !job.blob<2x12x3x16xf32>, !job.blob<2x12x3x16xf32>, !job.blob<2x14x6x16xf32>, !job.blob<2x14x6x16xf32>, !rows_2x3x12
  job.return %dq, %dkv : !job.blob<2x12x3x16xf32>, !job.blob<2x14x6x16xf32>
}

// K = 56
job.func @attention_grad_two_joined_2x12x9x16_f32() -> (!job.blob<2x12x6x16xf32> {job.name = "dqk"}, !job.blob<2x12x3x16xf32> {job.name = "dv"}) kind predict {
  %x = job.read @"heads-2x12x9x16f32" : !job.blob<2x12x9x16xf32>
  %g = job.read @"grad-2x12x3x16f32" : !job.blob<2x12x3x16xf32>
  %y, %l = job.attention %x, %g, %x {heads_after = array<i64: 4, 0, 2>, heads_before = array<i64: 2, 0, 4>, scale = 0.25 : f64} : !job.blob<2x12x9x16xf32>, !job.blob<2x12x3x16xf32>, !job.blob<2x12x9x16xf32>
  %dqk, %dv = job.attention_grad %g, %x, %g, %x, %y, %l {heads_after = array<i64: 4, 0, 2>, heads_before = array<i64: 2, 0, 4>, join_query_key = true, scale = 0.25 : f64} : !job.blob<2x12x3x16xf32>, !job.blob<2x12x9x16xf32>, !job.blob<2x12x3x16xf32>, !job.blob<2x12x9x16xf32>, !rows_2x3x12
  job.return %dqk, %dv : !job.blob<2x12x6x16xf32>, !job.blob<2x12x3x16xf32>
}

// Slices of one blob, which calls of cuDNN read there, and concatenations of the
// gradients.

// K = 12
job.func @attention_of_slices_2x12x9x16_f32() -> (!job.blob<2x12x3x16xf32> {job.name = "y"}) kind predict {
  %x = job.read @"heads-2x12x9x16f32" : !job.blob<2x12x9x16xf32>
  %q = job.slice %x {offsets = array<i64: 0, 0, 0, 0>, sizes = array<i64: 2, 12, 3, 16>, strides = array<i64: 1, 1, 1, 1>} : !job.blob<2x12x9x16xf32>
  %k = job.slice %x {offsets = array<i64: 0, 0, 3, 0>, sizes = array<i64: 2, 12, 3, 16>, strides = array<i64: 1, 1, 1, 1>} : !job.blob<2x12x9x16xf32>
  %v = job.slice %x {offsets = array<i64: 0, 0, 6, 0>, sizes = array<i64: 2, 12, 3, 16>, strides = array<i64: 1, 1, 1, 1>} : !job.blob<2x12x9x16xf32>
  %y, %l = job.attention %q, %k, %v {causal = true, scale = 0.25 : f64} : !job.blob<2x12x3x16xf32>, !job.blob<2x12x3x16xf32>, !job.blob<2x12x3x16xf32>
  job.return %y : !job.blob<2x12x3x16xf32>
}

// One of the slices is a result as well.
// K = 12
job.func @attention_of_used_slices_24x144_f32() -> (!job.blob<2x12x3x16xf32> {job.name = "y"}, !job.blob<24x48xf32> {job.name = "k"}) kind predict {
  %x = job.read @"heads-24x144f32" : !job.blob<24x144xf32>
  %qr = job.slice %x {offsets = array<i64: 0, 0>, sizes = array<i64: 24, 48>, strides = array<i64: 1, 1>} : !job.blob<24x144xf32>
  %q = job.reshape %qr : !job.blob<24x48xf32> to !job.blob<2x12x3x16xf32>
  %kr = job.slice %x {offsets = array<i64: 0, 48>, sizes = array<i64: 24, 48>, strides = array<i64: 1, 1>} : !job.blob<24x144xf32>
  %k = job.reshape %kr : !job.blob<24x48xf32> to !job.blob<2x12x3x16xf32>
  %vr = job.slice %x {offsets = array<i64: 0, 96>, sizes = array<i64: 24, 48>, strides = array<i64: 1, 1>} : !job.blob<24x144xf32>
  %v = job.reshape %vr : !job.blob<24x48xf32> to !job.blob<2x12x3x16xf32>
  %y, %l = job.attention %q, %k, %v {scale = 0.25 : f64} : !job.blob<2x12x3x16xf32>, !job.blob<2x12x3x16xf32>, !job.blob<2x12x3x16xf32>
  job.return %y, %kr : !job.blob<2x12x3x16xf32>, !job.blob<24x48xf32>
}

// Heads are not neighbours, and the concatenation is in another order.
// K = 56
job.func @attention_of_interleaved_slices_24x144_f32() -> (!job.blob<2x12x9x16xf32> {job.name = "dx"}) kind predict {
  %x = job.read @"heads-24x144f32" : !job.blob<24x144xf32>
  %g = job.read @"grad-2x12x3x16f32" : !job.blob<2x12x3x16xf32>
  %r = job.reshape %x : !job.blob<24x144xf32> to !job.blob<2x12x3x3x16xf32>
  %qr = job.slice %r {offsets = array<i64: 0, 0, 0, 0, 0>, sizes = array<i64: 2, 12, 3, 1, 16>, strides = array<i64: 1, 1, 1, 1, 1>} : !job.blob<2x12x3x3x16xf32>
  %q = job.reshape %qr : !job.blob<2x12x3x1x16xf32> to !job.blob<2x12x3x16xf32>
  %kr = job.slice %r {offsets = array<i64: 0, 0, 0, 1, 0>, sizes = array<i64: 2, 12, 3, 1, 16>, strides = array<i64: 1, 1, 1, 1, 1>} : !job.blob<2x12x3x3x16xf32>
  %k = job.reshape %kr : !job.blob<2x12x3x1x16xf32> to !job.blob<2x12x3x16xf32>
  %vr = job.slice %r {offsets = array<i64: 0, 0, 0, 2, 0>, sizes = array<i64: 2, 12, 3, 1, 16>, strides = array<i64: 1, 1, 1, 1, 1>} : !job.blob<2x12x3x3x16xf32>
  %v = job.reshape %vr : !job.blob<2x12x3x1x16xf32> to !job.blob<2x12x3x16xf32>
  %y, %l = job.attention %q, %k, %v {scale = 0.25 : f64} : !job.blob<2x12x3x16xf32>, !job.blob<2x12x3x16xf32>, !job.blob<2x12x3x16xf32>
  %dq, %dk, %dv = job.attention_grad %g, %q, %k, %v, %y, %l {scale = 0.25 : f64} : !job.blob<2x12x3x16xf32>, !job.blob<2x12x3x16xf32>, !job.blob<2x12x3x16xf32>, !job.blob<2x12x3x16xf32>, !rows_2x3x12
  %dx = job.concat %dk, %dv, %dq {axis = 2 : i64} : !job.blob<2x12x3x16xf32>, !job.blob<2x12x3x16xf32>, !job.blob<2x12x3x16xf32>
  job.return %dx : !job.blob<2x12x9x16xf32>
}

job.func @train_attention_of_slices_24x144_f32() -> (!job.blob<2x12x3x16xf32> {job.name = "loss"}) kind train {
  %x = job.read @"heads-24x144f32" : !job.blob<24x144xf32>
  %qr = job.slice %x {offsets = array<i64: 0, 0>, sizes = array<i64: 24, 48>, strides = array<i64: 1, 1>} : !job.blob<24x144xf32>
  %q = job.reshape %qr : !job.blob<24x48xf32> to !job.blob<2x12x3x16xf32>
  %kr = job.slice %x {offsets = array<i64: 0, 48>, sizes = array<i64: 24, 48>, strides = array<i64: 1, 1>} : !job.blob<24x144xf32>
  %k = job.reshape %kr : !job.blob<24x48xf32> to !job.blob<2x12x3x16xf32>
  %vr = job.slice %x {offsets = array<i64: 0, 96>, sizes = array<i64: 24, 48>, strides = array<i64: 1, 1>} : !job.blob<24x144xf32>
  %v = job.reshape %vr : !job.blob<24x48xf32> to !job.blob<2x12x3x16xf32>
  %w = job.read @"grad-2x12x3x16f32" : !job.blob<2x12x3x16xf32>
  %y, %l = job.attention %q, %k, %v {causal = true, scale = 0.25 : f64} : !job.blob<2x12x3x16xf32>, !job.blob<2x12x3x16xf32>, !job.blob<2x12x3x16xf32>
  %loss = job.mul %y, %w : !job.blob<2x12x3x16xf32>
  job.loss %loss : !job.blob<2x12x3x16xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.5>
  job.return %loss : !job.blob<2x12x3x16xf32>
}

job.func @train_attention_heads_2x12x9x16_f32() -> (!job.blob<2x12x5x16xf32> {job.name = "loss"}) kind train {
  %x = job.read @"heads-2x12x9x16f32" : !job.blob<2x12x9x16xf32>
  %y, %l = job.attention %x, %x, %x {heads_after = array<i64: 4, 3, 0>, heads_before = array<i64: 0, 1, 4>, scale = 0.25 : f64} : !job.blob<2x12x9x16xf32>, !job.blob<2x12x9x16xf32>, !job.blob<2x12x9x16xf32>
  %loss = job.mul %y, %y : !job.blob<2x12x5x16xf32>
  job.loss %loss : !job.blob<2x12x5x16xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.5>
  job.return %loss : !job.blob<2x12x5x16xf32>
}
