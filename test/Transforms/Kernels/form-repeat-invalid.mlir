// RUN: job-opt %s --job-form-repeat --split-input-file --verify-diagnostics

job.variable @m : !job.blob<2xf32> init #job.constant_init<0.0> {trainable = false}

job.func @through_variable(%x: !job.blob<8xf32>) -> !job.blob<2xf32> kind train {
  %u = job.unpack %x {count = 4 : i64} : !job.blob<8xf32>
  %a = job.acc %u {count = 4 : i64} : !job.blob<2xf32>
  job.assign @m, %a : !job.blob<2xf32>
  // expected-error @below {{expects what micro-steps need to be there before them but got a value that needs their results}}
  %m = job.read @m : !job.blob<2xf32>
  %r = job.repeat %m {count = 4 : i64} : !job.blob<2xf32>
  %b = job.acc %r {count = 4 : i64} : !job.blob<2xf32>
  job.return %b : !job.blob<2xf32>
}

// -----

// expected-note @below {{the operand is here}}
job.func @mixed(%x: !job.blob<8xf32>, %y: !job.blob<2xf32>) -> !job.blob<2xf32> kind predict {
  %u = job.unpack %x {count = 4 : i64} : !job.blob<8xf32>
  // expected-error @below {{expects operands of one step or of 4 micro-steps alike but got operand #1 of one step among others of micro-steps}}
  %1 = job.add %u, %y : !job.blob<2xf32>
  %a = job.acc %1 {count = 4 : i64} : !job.blob<2xf32>
  job.return %a : !job.blob<2xf32>
}
