// RUN: job-opt %s --job-form-micro-steps --split-input-file --verify-diagnostics

job.variable @m : !job.blob<2xf32> init #job.constant_init<0.0> {trainable = false}

job.func @through_variable(%x: !job.blob<8xf32>) -> !job.blob<2xf32> kind train {
  %u = job.unpack %x {count = 4 : i64} : !job.blob<8xf32>
  %a = job.acc %u {count = 4 : i64} : !job.blob<2xf32>
  job.assign @m, %a : !job.blob<2xf32>
  // expected-error @below {{expects an operand of the micro-steps to be independent of their results but got one that depends on them}}
  %m = job.read @m : !job.blob<2xf32>
  %r = job.broadcast_micro_steps %m {count = 4 : i64} : !job.blob<2xf32>
  %b = job.acc %r {count = 4 : i64} : !job.blob<2xf32>
  job.return %b : !job.blob<2xf32>
}

// -----

// expected-note @below {{the operand is here}}
job.func @mixed(%x: !job.blob<8xf32>, %y: !job.blob<2xf32>) -> !job.blob<2xf32> kind predict {
  %u = job.unpack %x {count = 4 : i64} : !job.blob<8xf32>
  // expected-error @below {{expects all operands to be per-step or all per-micro-step but got per-step operand #1 beside per-micro-step operands (4 micro-steps)}}
  %1 = job.add %u, %y : !job.blob<2xf32>
  %a = job.acc %1 {count = 4 : i64} : !job.blob<2xf32>
  job.return %a : !job.blob<2xf32>
}
