// RUN: job-opt %s --job-print-activity --verify-diagnostics

job.variable @w : !job.blob<4xf32> init #job.constant_init<1.0>
job.variable @frozen : !job.blob<4xf32> init #job.constant_init<1.0> {trainable = false}

job.func @train(%x: !job.blob<4xf32>) kind train {
  // expected-remark@below {{active}}
  %w = job.read @w : !job.blob<4xf32>
  %frozen = job.read @frozen : !job.blob<4xf32>
  // A loss depends on it, but no variable.
  %0 = job.mul %x, %frozen : !job.blob<4xf32>
  // expected-remark@below {{active}}
  %1 = job.mul %w, %0 : !job.blob<4xf32>
  // A variable, but no loss.
  %2 = job.exp %1 : !job.blob<4xf32>
  // Not through booleans.
  %3 = job.compare gt %w, %x : !job.blob<4xf32>
  %4 = job.cast %3 : !job.blob<4xi1> to !job.blob<4xf32>
  // expected-remark@below {{active}}
  %5 = job.add %1, %4 : !job.blob<4xf32>
  job.loss %5 : !job.blob<4xf32>
  job.assign @w, %2 : !job.blob<4xf32>
  job.return
}
