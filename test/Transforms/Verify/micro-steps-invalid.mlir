// RUN: job-opt %s --job-verify --split-input-file --verify-diagnostics

job.func @mixed(%x: !job.blob<8xf32>, %y: !job.blob<2xf32>) kind predict {
  %u = job.unpack %x {count = 4 : i64} : !job.blob<8xf32>
  %c = job.constant dense<1.0> : tensor<2xf32>
  %0 = job.add %u, %c : !job.blob<2xf32>
  // expected-note @below {{the operand is here}}
  %z = job.neg %y : !job.blob<2xf32>
  // expected-error @below {{expects all operands to be per-step or all per-micro-step but got per-step operand #1 beside per-micro-step operands (4 micro-steps)}}
  %1 = job.add %u, %z : !job.blob<2xf32>
  job.return
}

// -----

job.func @counts(%x: !job.blob<8xf32>) kind predict {
  // expected-note @below {{the other count is here}}
  %u = job.unpack %x {count = 4 : i64} : !job.blob<8xf32>
  // expected-error @below {{expects 4 micro-steps, as elsewhere in the job, but got 2}}
  %v = job.unpack %x {count = 2 : i64} : !job.blob<8xf32>
  job.return
}

// -----

job.func @count_of_acc(%x: !job.blob<8xf32>) kind predict {
  // expected-note @below {{the other count is here}}
  %u = job.unpack %x {count = 4 : i64} : !job.blob<8xf32>
  // expected-error @below {{expects 4 micro-steps, as elsewhere in the job, but got 2}}
  %v = job.acc %u {count = 2 : i64} : !job.blob<2xf32>
  job.return
}

// -----

job.func @twice(%x: !job.blob<8xf32>) kind predict {
  %u = job.unpack %x {count = 2 : i64} : !job.blob<8xf32>
  // expected-error @below {{expects a per-step value but got a per-micro-step value (2 micro-steps)}}
  %v = job.broadcast_micro_steps %u {count = 2 : i64} : !job.blob<4xf32>
  job.return
}

// -----

job.func @acc_of_step(%x: !job.blob<8xf32>) kind predict {
  // expected-error @below {{expects a per-micro-step value (2 micro-steps) but got a per-step value}}
  %v = job.acc %x {count = 2 : i64} : !job.blob<8xf32>
  job.return
}

// -----

job.func @again(%x: !job.blob<8xf32>) kind predict {
  %u = job.unpack %x {count = 2 : i64} : !job.blob<8xf32>
  // expected-note @below {{the result is here}}
  %a = job.acc %u {count = 2 : i64} : !job.blob<4xf32>
  %b = job.neg %a : !job.blob<4xf32>
  // expected-error @below {{expects an operand that is independent of results of micro-steps but got one that depends on them}}
  %c = job.broadcast_micro_steps %b {count = 2 : i64} : !job.blob<4xf32>
  job.return
}

// -----

job.variable @v : !job.blob<4xf32> init #job.constant_init<0.0>
job.func @assigned(%x: !job.blob<8xf32>) kind predict {
  %u = job.unpack %x {count = 2 : i64} : !job.blob<8xf32>
  // expected-error @below {{expects a per-step value but got a per-micro-step value (2 micro-steps)}}
  job.assign @v, %u : !job.blob<4xf32>
  job.return
}

// -----

job.func @returned(%x: !job.blob<8xf32>) -> !job.blob<4xf32> kind predict {
  %u = job.unpack %x {count = 2 : i64} : !job.blob<8xf32>
  // expected-error @below {{expects a per-step value but got a per-micro-step value (2 micro-steps)}}
  job.return %u : !job.blob<4xf32>
}

// -----

// A loss of 2 micro-steps of 4 elements has 8.
job.variable @w : !job.blob<4xf32> init #job.constant_init<0.0>
job.func @losses(%x: !job.blob<8xf32>) kind train {
  %w = job.read @w : !job.blob<4xf32>
  // expected-note @below {{the first loss is of type '!job.blob<4xf32>'}}
  job.loss %w : !job.blob<4xf32>
  %r = job.broadcast_micro_steps %w {count = 2 : i64} : !job.blob<4xf32>
  // expected-error @below {{expects all losses of a job to have 4 elements but got 8}}
  job.loss %r : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}
