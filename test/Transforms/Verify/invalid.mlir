// RUN: job-opt %s --job-verify --split-input-file --verify-diagnostics

// expected-error@below {{expects 'job.step' to be in a job function}}
%step = job.step

// -----

// expected-error@below {{training job @train expects a loss (job.loss) but got none}}
job.func @train() kind train {
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// -----

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
// expected-error@below {{training job @train expects an optimizer (job.minimize) but got none}}
job.func @train() kind train {
  %w = job.read @w : !job.blob<4xf32>
  job.loss %w : !job.blob<4xf32>
  job.return
}

// -----

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
job.func @train() kind train {
  %w = job.read @w : !job.blob<4xf32>
  job.loss %w : !job.blob<4xf32>
  // expected-note@below {{the first one is here}}
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  // expected-error@below {{training job @train expects one job.minimize without a list of variables but got another}}
  job.minimize #job.sgd schedule #job.constant_schedule<0.2>
  job.return
}

// -----

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
job.func @train() kind train {
  %w = job.read @w : !job.blob<4xf32>
  %sum = job.reduce_sum %w {axes = array<i64: 0>} : !job.blob<4xf32>
  // expected-note@below {{the first loss is of type '!job.blob<4xf32>'}}
  job.loss %w : !job.blob<4xf32>
  // expected-error@below {{expects all losses of a job to have 4 elements but got 1}}
  job.loss %sum : !job.blob<1xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// -----

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
job.func @train() kind train {
  %w = job.read @w : !job.blob<4xf32>
  %x = job.exp %w : !job.blob<4xf32>
  %y = job.exp %x : !job.blob<4xf32>
  // expected-error@below {{expects losses to be independent but got one that is computed from another}}
  job.loss %y : !job.blob<4xf32>
  // expected-note@below {{the other loss is here}}
  job.loss %w : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// -----

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
job.func @train() kind train {
  %w = job.read @w : !job.blob<4xf32>
  %x = job.exp %w : !job.blob<4xf32>
  // expected-note@below {{the other loss is here}}
  job.loss %x : !job.blob<4xf32>
  job.loss %w : !job.blob<4xf32>
  // expected-error@below {{expects losses to be independent but got the same blob twice}}
  job.loss %x : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// -----

// A variable that is not trainable, and one that reaches the loss through a
// comparison only.
job.variable @frozen : !job.blob<4xf32> init #job.constant_init<1.0> {trainable = false}
job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
job.func @train() kind train {
  %frozen = job.read @frozen : !job.blob<4xf32>
  %w = job.read @w : !job.blob<4xf32>
  %larger = job.compare gt %w, %frozen : !job.blob<4xf32>
  %count = job.cast %larger : !job.blob<4xi1> to !job.blob<4xf32>
  %loss = job.mul %count, %frozen : !job.blob<4xf32>
  // expected-error@below {{expects the losses to depend on a trainable variable}}
  job.loss %loss : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// -----

job.func @predict(%x: !job.blob<4xf32>) kind predict {
  // expected-error@below {{expects 'job.loss' to be in a training job but got @predict of kind predict}}
  job.loss %x : !job.blob<4xf32>
  job.return
}

// -----

job.func @predict(%x: !job.blob<4xf32>) -> !job.blob<4xf32> kind predict {
  // expected-error@below {{expects 'job.gradient' to be in a training job but got @predict of kind predict}}
  %0 = job.gradient %x : !job.blob<4xf32>
  job.return %0 : !job.blob<4xf32>
}

// -----

job.func @predict(%x: !job.blob<4xf32>) kind predict {
  // expected-error@below {{expects 'job.minimize' to be in a training job but got @predict of kind predict}}
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// -----

job.func @predict(%x: !job.blob<4xf32> {job.name = "x"},
                  // expected-error@below {{job @predict expects names of arguments to be unique but got 'x' for arguments 0 and 1}}
                  %y: !job.blob<4xf32> {job.name = "x"}) kind predict {
  job.return
}

// -----

job.func @predict(%x: !job.blob<4xf32>) kind predict {
  %step = job.step
  // expected-note@below {{the other op is here}}
  %0 = job.dropout %x, %step {rate = 0.5, seed = 3 : i64, id = 1 : i64} : !job.blob<4xf32>
  %seed = job.constant dense<3> : tensor<1xi64>
  // expected-error@below {{expects random ops of a job to differ in id or seed but got id 1 twice for one seed}}
  %1 = job.random_uniform %seed, %step {id = 1 : i64} : !job.blob<4xf32>
  job.return
}

// -----

job.func @predict(%seed: !job.blob<1xi64>) kind predict {
  %step = job.step
  // expected-note@below {{the other op is here}}
  %0 = job.random_uniform %seed, %step {id = 7 : i64} : !job.blob<4xf32>
  // expected-error@below {{expects random ops of a job to differ in id or seed but got id 7 twice for one seed}}
  %1 = job.random_uniform %seed, %step {id = 7 : i64} : !job.blob<4xf32>
  job.return
}

// -----

// Every job is checked, not only the first one that fails.
// expected-error@below {{training job @first expects a loss}}
job.func @first() kind train {
  job.return
}
// expected-error@below {{training job @second expects a loss}}
job.func @second() kind train {
  job.return
}

// -----

// 2^48 bytes are allowed.
// expected-error@below {{expects a blob of at most 281474976710656 bytes but got 281474976710660}}
job.variable @w : !job.blob<70368744177665xf32> init #job.constant_init<1.0>
job.func @predict(%x: !job.blob<281474976710656xi8>) kind predict {
  // expected-error@below {{expects a blob of at most 281474976710656 bytes but got 2251799813685248}}
  %0 = job.cast %x : !job.blob<281474976710656xi8> to !job.blob<281474976710656xf64>
  job.return
}

// -----

// expected-error@below {{expects a blob of at most 281474976710656 bytes but got 281474976710657}}
job.func @predict(%x: !job.blob<281474976710657xi8>) kind predict {
  job.return
}

// -----

job.func @f(%x: !job.blob<2xf32>) -> (!job.blob<2xf32> {job.name = "result1"}, !job.blob<2xf32>) kind predict {
  // expected-error@below {{job @f expects names of results to be unique but got 'result1' for results 0 and 1}}
  job.return %x, %x : !job.blob<2xf32>, !job.blob<2xf32>
}

// -----

job.variable @w : !job.blob<1xi64> init #job.constant_init<0.0> {trainable = false}
// expected-error@below {{expects @jobmlir_init to assign every variable but got none for @w}}
job.func @jobmlir_init(%seed: !job.blob<1xi64> {job.name = "seed"}) kind init {
  job.return
}

// -----

job.variable @w : !job.blob<1xi64> init #job.constant_init<0.0> {trainable = false}
job.func @jobmlir_init(%seed: !job.blob<1xi64> {job.name = "seed"}) kind init {
  // expected-error@below {{expects @w to be assigned before it is read in @jobmlir_init}}
  %w = job.read @w : !job.blob<1xi64>
  job.assign @w, %w : !job.blob<1xi64>
  job.return
}

// -----

job.func @f(%x: !job.blob<3x4xf32>) -> !job.blob<?<=12>x2xi32> kind predict {
  %0, %1 = job.argwhere %x as i32 : !job.blob<3x4xf32>
  // expected-error @below {{expects the count of operand 0, of type '!job.blob<?<=12>x2xi32>', among the operands but got none}}
  job.return %0 : !job.blob<?<=12>x2xi32>
}

// -----

// The count of another blob.
job.func @f(%x: !job.blob<3x4xf32>, %n: !job.blob<1xi64>) -> (!job.blob<?<=12>x2xi32>, !job.blob<1xi64>, !job.blob<1xi64>) kind predict {
  %0, %1 = job.argwhere %x as i32 : !job.blob<3x4xf32>
  %2, %3 = job.argwhere %x as i64 : !job.blob<3x4xf32>
  // expected-error @below {{expects the count of operand 0, of type '!job.blob<?<=12>x2xi32>', among the operands but got none}}
  job.return %0, %3, %n : !job.blob<?<=12>x2xi32>, !job.blob<1xi64>, !job.blob<1xi64>
}

// -----

// expected-note @below {{which is here}}
job.func @f(%x: !job.blob<3x4xf32>, %n: !job.blob<1xi64>) kind predict {
  %0, %1 = job.argwhere %x as i32 : !job.blob<3x4xf32>
  // expected-error @below {{'job.pad_to_static' op expects the count of its operand but got another blob}}
  %2 = job.pad_to_static %0, %n {value = 0 : i64} : !job.blob<?<=12>x2xi32>
  job.return
}

// -----

// The operand that a bounded blob was cut by is its count.
job.func @f(%x: !job.blob<4xf32>, %n: !job.blob<1xi64>) -> (!job.blob<?<=4>xf32>, !job.blob<1xi64>) kind predict {
  %0 = job.slice_to_dynamic %x, %n {dim = 0 : i64} : !job.blob<4xf32>
  %1 = job.constant dense<3> : tensor<1xi64>
  // expected-error @below {{expects the count of operand 0, of type '!job.blob<?<=4>xf32>', among the operands but got none}}
  job.return %0, %1 : !job.blob<?<=4>xf32>, !job.blob<1xi64>
}

// -----

// A pair is one of a kernel's results, too, seen from outside and from inside.
job.func @f(%x: !job.blob<3x4xf32>) kind predict {
  // expected-note @below {{which is here}}
  %0:2 = job.kernel(%a = %x : !job.blob<3x4xf32>) -> (!job.blob<?<=12>x2xi32>, !job.blob<1xi64>) {
    %c = job.constant dense<5> : tensor<1xi64>
    %i, %n = job.argwhere_blocks %a, %c as i32 {block_size = 12 : i64} : !job.blob<3x4xf32>, !job.blob<1xi64>
    job.yield %i, %n : !job.blob<?<=12>x2xi32>, !job.blob<1xi64>
  }
  %1:2 = job.kernel(%a = %x : !job.blob<3x4xf32>) -> (!job.blob<?<=12>x2xi32>, !job.blob<1xi64>) {
    %c = job.constant dense<5> : tensor<1xi64>
    %i, %n = job.argwhere_blocks %a, %c as i32 {block_size = 12 : i64} : !job.blob<3x4xf32>, !job.blob<1xi64>
    job.yield %i, %n : !job.blob<?<=12>x2xi32>, !job.blob<1xi64>
  }
  %2 = job.pad_to_static %1#0, %1#1 {value = 0 : i64} : !job.blob<?<=12>x2xi32>
  // expected-error @below {{'job.pad_to_static' op expects the count of its operand but got another blob}}
  %3 = job.pad_to_static %1#0, %0#1 {value = 0 : i64} : !job.blob<?<=12>x2xi32>
  job.return
}

// -----

job.func @misspelt(%x: !job.blob<8x8xf32>) -> !job.blob<8x8xf32> kind predict {
  // expected-error@below {{'job.matmul' op expects attributes of its own or of a dialect but got "transpose_rsh"}}
  // expected-note@below {{did you mean transpose_rhs instead of transpose_rsh?}}
  %0 = job.matmul %x, %x {transpose_rsh = true} : !job.blob<8x8xf32>, !job.blob<8x8xf32>
  job.return %0 : !job.blob<8x8xf32>
}

// -----

// expected-error@below {{'job.func' op expects attributes of its own or of a dialect but got "placment"}}
// expected-note@below {{did you mean placement instead of placment?}}
job.func @of_a_job(%x: !job.blob<8x8xf32>) -> !job.blob<8x8xf32> kind predict attributes {placment = 1 : i64} {
  job.return %x : !job.blob<8x8xf32>
}

// -----

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
job.variable @v : !job.blob<4xf32> init #job.constant_init<1.0>
job.func @train() kind train {
  %w = job.read @w : !job.blob<4xf32>
  job.loss %w : !job.blob<4xf32>
  // expected-note@below {{the first one is here}}
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> {variables = [@w]}
  // expected-error@below {{expects each variable in one list of a job but got @w in another}}
  job.minimize #job.sgd schedule #job.constant_schedule<0.2> {variables = [@v, @w]}
  job.return
}

// -----

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
job.func @train() kind train {
  %w = job.read @w : !job.blob<4xf32>
  job.loss %w : !job.blob<4xf32>
  // expected-note@below {{the first one is here}}
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> {variables = [@w]}
  // expected-error@below {{expects all job.minimize of a job to have the same loss scale but got another one}}
  job.minimize #job.sgd schedule #job.constant_schedule<0.2> {loss_scale = 2.0}
  job.return
}

// -----

// No variable of the list is in the loss.
job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
job.variable @v : !job.blob<4xf32> init #job.constant_init<1.0>
job.func @train() kind train {
  %w = job.read @w : !job.blob<4xf32>
  // expected-error@below {{expects the losses to depend on a trainable variable}}
  job.loss %w : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1> {variables = [@v]}
  job.return
}

// -----

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
job.func @train(%x: !job.blob<2xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  job.loss %w : !job.blob<4xf32>
  %rate = job.unpack %x {count = 2 : i64} : !job.blob<2xf32>
  // expected-error@below {{expects a per-step value but got a per-micro-step value (2 micro-steps)}}
  job.minimize #job.sgd rate %rate
  job.return
}
