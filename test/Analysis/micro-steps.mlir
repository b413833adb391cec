// RUN: job-opt %s --job-print-micro-steps -o /dev/null --verify-diagnostics

job.variable @w : !job.blob<2xf32> init #job.constant_init<1.0>

job.func @f(%x: !job.blob<8xf32>) kind predict {
  // expected-remark@+1 {{per-step}}
  %w = job.read @w : !job.blob<2xf32>
  // expected-remark@+1 {{per-step}}
  %step = job.step
  // expected-remark@+1 {{constant}}
  %c = job.constant dense<1.0> : tensor<1xf32>
  // expected-remark@+1 {{constant}}
  %b = job.broadcast_in_dim %c {dims = array<i64: 0>} : !job.blob<1xf32> to !job.blob<2xf32>
  // expected-remark@+1 {{per-step}}
  %v = job.add %w, %b : !job.blob<2xf32>
  // expected-remark@+1 {{per-micro-step (4 micro-steps)}}
  %u = job.unpack %x {count = 4 : i64} : !job.blob<8xf32>
  // expected-remark@+1 {{per-micro-step (4 micro-steps)}}
  %y = job.mul %u, %b : !job.blob<2xf32>
  // expected-remark@+1 {{per-micro-step (4 micro-steps)}}
  %r = job.broadcast_micro_steps %v {count = 4 : i64} : !job.blob<2xf32>
  // expected-remark@+1 {{per-micro-step (4 micro-steps)}}
  %z = job.mul %y, %r : !job.blob<2xf32>
  // expected-remark@+1 {{per-step}}
  %a = job.acc %z {count = 4 : i64} : !job.blob<2xf32>
  // expected-remark@+1 {{per-step}}
  %p = job.pack %z {count = 4 : i64} : !job.blob<2xf32>
  job.return
}
