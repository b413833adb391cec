// RUN: job-opt %s --job-check-gradients --verify-diagnostics

// expected-error@+1 {{expects a job of kind init, created by job-build-initializer, but got none}}
module {
  job.variable @weight : !job.blob<2xf32> init #job.constant_init<1.0>

  job.func @train() kind train {
    %w = job.read @weight : !job.blob<2xf32>
    job.loss %w : !job.blob<2xf32>
    job.minimize #job.sgd schedule #job.constant_schedule<0.1>
    %d = job.constant dense<1.0> : tensor<2xf32>
    job.update @weight, %d : !job.blob<2xf32>
    job.return
  }
}
