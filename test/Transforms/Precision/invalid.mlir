// RUN: job-opt %s --job-precision --verify-diagnostics
// RUN: not job-opt %s "--job-precision=type=f64" 2>&1 | FileCheck %s --check-prefix=TYPE

// TYPE: error: expects type f32, bf16 or f16 but got 'f64'

job.variable @w : !job.blob<4xf32> init #job.constant_init<0.5>

// expected-error@below {{expects job @train to have its gradients built after its precision of 'bf16' is applied but got gradients}}
job.func @train(%g: !job.blob<4xf32>) kind train attributes {precision = bf16} {
  %w = job.read @w : !job.blob<4xf32>
  job.loss %w : !job.blob<4xf32>
  job.update @w, %g : !job.blob<4xf32>
  job.minimize #job.sgd schedule #job.constant_schedule<0.1>
  job.return
}
