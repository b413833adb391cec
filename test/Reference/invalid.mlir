// RUN: job-opt %s --split-input-file --job-interpret --verify-diagnostics -o /dev/null

// What the interpreter refuses.

job.variable @w : !job.blob<2xf32> init #job.constant_init<1.0>

job.func @read() -> !job.blob<2xf32> kind predict {
  // expected-error@+1 {{expects variable @w to have a value but it was never initialized}}
  %w = job.read @w : !job.blob<2xf32>
  job.return %w : !job.blob<2xf32>
}

// -----

job.func @train(%x: !job.blob<2xf32>) kind train {
  job.loss %x : !job.blob<2xf32>
  // expected-error@+1 {{expects a job after the train pipeline but got job.minimize}}
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}

// -----

job.variable @w : !job.blob<2xf32> init #job.constant_init<1.0>

job.func @train(%x: !job.blob<2xf32>) kind train {
  // expected-error@+1 {{expects a job after the train pipeline but got job.update}}
  job.update @w, %x : !job.blob<2xf32>
  job.return
}

// -----

job.func @other(%x: !job.blob<2xf32>) -> !job.blob<2xf32> kind predict {
  // expected-error@+1 {{expects an op with a reference model but got builtin.unrealized_conversion_cast}}
  %y = builtin.unrealized_conversion_cast %x : !job.blob<2xf32> to !job.blob<2xf32>
  job.return %y : !job.blob<2xf32>
}
